"""ML-KEM and ML-DSA wait for code: nothing is measured without it, and code is compared with the oracles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import options

from steelyard.catalog.load import load_catalog
from steelyard.measure.asymmetric import expected_chain

AWAITED = {one.id: one for algorithm in load_catalog().awaited for one in algorithm.file.primitive}
SAID = "no code for it is here; steelyard import DIR measures that of a tree of others"
SAMPLES = 2
MESSAGE_BYTES = 32
"""What a chain of calls signs where no length is asked for, too."""

# Code that knows the answers by heart, so that nothing but the comparison is tested.
KEM = """\
int keypair(uint8_t *pk, uint8_t *sk)
{
    int i = asked(32);
    copy(pk, PUBLIC[i], sizeof PUBLIC[i]);
    copy(sk, SECRET[i], sizeof SECRET[i]);
    return 0;
}

int encapsulate(uint8_t *ct, uint8_t *ss, const uint8_t *pk)
{
    int i = asked(32);
    copy(ct, CIPHERTEXT[i], sizeof CIPHERTEXT[i]);
    copy(ss, SHARED[i], sizeof SHARED[i]);
    return 0;
}

int decapsulate(uint8_t *ss, const uint8_t *ct, const uint8_t *sk)
{
    int i = same(sk, SECRET[0], sizeof SECRET[0]) ? 0 : 1;
    if (same(ct, CIPHERTEXT[i], sizeof CIPHERTEXT[i])) copy(ss, SHARED[i], sizeof SHARED[i]);
    else shake256(ss, sk + sizeof SECRET[i] - 32, 32, ct, sizeof CIPHERTEXT[i]);
    return 0;
}
"""
# What a rejected ciphertext gives: SHAKE256 of the secret key's last 32 bytes and the ciphertext.
SHAKE = """\
static uint64_t rotated(uint64_t x, int by) { return by ? x << by | x >> (64 - by) : x; }

static void keccak(uint64_t *a)
{
    uint8_t lfsr = 1;
    for (int round = 0; round < 24; round++) {
        uint64_t c[5], next[25];
        int x = 1, y = 0, by = 0;
        for (int i = 0; i < 5; i++) c[i] = a[i] ^ a[i + 5] ^ a[i + 10] ^ a[i + 15] ^ a[i + 20];
        for (int i = 0; i < 25; i++) a[i] ^= c[(i + 4) % 5] ^ rotated(c[(i + 1) % 5], 1);
        next[0] = a[0];
        for (int t = 0; t < 24; t++) {
            int was = y;
            by = (by + t + 1) % 64;
            next[5 * ((2 * x + 3 * y) % 5) + y] = rotated(a[5 * y + x], by);
            y = (2 * x + 3 * y) % 5;
            x = was;
        }
        for (int i = 0; i < 25; i++) {
            a[i] = next[i] ^ (~next[i - i % 5 + (i + 1) % 5] & next[i - i % 5 + (i + 2) % 5]);
        }
        for (int j = 0; j < 7; j++) {
            if (lfsr & 1) a[0] ^= 1ULL << ((1 << j) - 1);
            lfsr = (uint8_t)(lfsr << 1 ^ (lfsr >> 7) * 0x71);
        }
    }
}

static void shake256(uint8_t *out, const uint8_t *one, size_t first, const uint8_t *other, size_t second)
{
    uint64_t a[25] = {0};
    size_t at = 0;
    for (size_t i = 0; i < first + second; i++) {
        uint64_t byte = i < first ? one[i] : other[i - first];
        a[at / 8] ^= byte << 8 * (at % 8);
        if (++at == 136) { keccak(a); at = 0; }
    }
    a[at / 8] ^= (uint64_t)0x1f << 8 * (at % 8);
    a[16] ^= 1ULL << 63;
    keccak(a);
    for (int i = 0; i < 32; i++) out[i] = (uint8_t)(a[i / 8] >> 8 * (i % 8));
}

"""
SIGNATURE = """\
int keypair(uint8_t *pk, uint8_t *sk)
{
    int i = asked(32);
    copy(pk, PUBLIC[i], sizeof PUBLIC[i]);
    copy(sk, SECRET[i], sizeof SECRET[i]);
    return 0;
}

int sign(uint8_t *sig, size_t *count, const uint8_t *m, size_t bytes, const uint8_t *sk)
{
    int i = same(sk, SECRET[0], sizeof SECRET[0]) ? 0 : 1;
    copy(sig, SIGNATURE[i], sizeof SIGNATURE[i]);
    *count = sizeof SIGNATURE[i];
    return 0;
}

int verify(const uint8_t *sig, size_t count, const uint8_t *m, size_t bytes, const uint8_t *pk)
{
    int i = same(pk, PUBLIC[0], sizeof PUBLIC[0]) ? 0 : 1;
    return same(sig, SIGNATURE[i], count) && same(m, MESSAGE[i], bytes) ? 0 : -1;
}
"""
HELPERS = """\
#include <stddef.h>
#include <stdint.h>
#include <string.h>
int randombytes(uint8_t *out, size_t count);
#define copy(to, from, count) memcpy(to, from, count)
#define same(one, other, count) (memcmp(one, other, count) == 0)
%s
static int asked(size_t count)
{
    uint8_t coins[64];
    randombytes(coins, count);
    for (int i = 0; i < 2; i++) {
        if (same(coins, COINS[i], count) || same(coins, MORE[i], count)) return i;
    }
    return 0;
}

"""
CALLS = {
    "kem": """\
    {operation = "keypair", function = "keypair", arguments = ["public-key", "secret-key"]},
    {operation = "encapsulate", function = "encapsulate", success = 0, arguments = [
        "ciphertext", "shared-secret", "public-key"]},
    {operation = "decapsulate", function = "decapsulate", success = 0, arguments = [
        "shared-secret", "ciphertext", "secret-key"]},
""",
    "signature": """\
    {operation = "keypair", function = "keypair", arguments = ["public-key", "secret-key"]},
    {operation = "sign", function = "sign", success = 0, arguments = [
        "signature", "count", "input", "input.bytes", "secret-key"]},
    {operation = "verify", function = "verify", success = 0, arguments = [
        "signature", "signature.bytes", "input", "input.bytes", "public-key"]},
""",
}


def table(name: str, rows: list[bytes]) -> str:
    listed = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in rows)
    return f"static const uint8_t {name}[{len(rows)}][{len(rows[0])}] = {{{listed}}};"


def by_heart(name: str, signature: int) -> str:
    """Code for the first samples of a primitive; `signature` says with which random bytes it signs."""
    kem = AWAITED[name].shared_secret_bytes > 0
    chains = [expected_chain("steelyard", AWAITED[name], index, MESSAGE_BYTES) for index in range(SAMPLES)]
    second = "encapsulate" if kem else "sign"
    tables = {
        "COINS": [one.inputs["keypair"]["coins"][:32] for one in chains],
        "MORE": [one.inputs[second]["coins"][:32] for one in chains],
        "PUBLIC": [one.answers["keypair"]["public-key"][0] for one in chains],
        "SECRET": [one.answers["keypair"]["secret-key"][0] for one in chains],
    }
    if kem:
        tables["CIPHERTEXT"] = [one.answers[second]["ciphertext"][0] for one in chains]
        tables["SHARED"] = [one.answers[second]["shared-secret"][0] for one in chains]
    else:
        tables["SIGNATURE"] = [one.answers[second]["signature"][signature] for one in chains]
        tables["MESSAGE"] = [one.inputs[second]["input"] for one in chains]
    written = "\n".join(table(title, rows) for title, rows in tables.items())
    return HELPERS % written + (SHAKE + KEM if kem else SIGNATURE)


@pytest.fixture
def code(tmp_path: Path) -> Any:
    """Write a folder with a variant of a primitive, in which a text is replaced."""

    def write(name: str, old: str = "", new: str = "", signature: int = 0) -> Path:
        kind = "kem" if AWAITED[name].shared_secret_bytes else "signature"
        text = by_heart(name, signature)
        assert old in text
        folder = tmp_path / "code" / name.rpartition("-")[0] / "heart"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "heart.c").write_text(text.replace(old, new) if old else text, "utf-8")
        (folder / "variant.toml").write_text(
            f'summary = "knows the answers by heart"\nsources = ["heart.c"]\nprimitives = ["{name}"]\n'
            f'random = "randombytes"\ncall = [\n{CALLS[kind]}]\n',
            "utf-8",
        )
        return tmp_path / "code"

    return write


def measured(steelyard: Any, folder: Path, status: int = 0) -> list[dict[str, Any]]:
    asked = options(target="stm32f407", toolchain="clang", length=MESSAGE_BYTES, samples=SAMPLES)
    rows: list[dict[str, Any]] = steelyard.json("measure", "--primitives", folder, *asked, status=status)
    return rows


@pytest.mark.parametrize(
    ("name", "signature"), [("ml-kem-512", 0), ("ml-kem-1024", 0), ("ml-dsa-44", 0), ("ml-dsa-44", 1)]
)
def test_right_code_is_verified_with_the_oracle(steelyard: Any, code: Any, name: str, signature: int) -> None:
    rows = measured(steelyard, code(name, signature=signature))
    operations = ["encapsulate", "decapsulate"] if "kem" in name else ["sign", "verify"]
    assert {row["operation"] for row in rows} == {"keypair", *operations}
    for row in rows:
        assert (row["primitive"], row["status"], row["verified"]) == (name, "ok", True)
        assert row["evidence"] == "independent consistency"
        assert row["verified_by"].startswith(f"{SAMPLES} random inputs with own second implementation from")


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("ml-kem-512", "sizeof PUBLIC[i]);", "sizeof PUBLIC[i]); pk[9] ^= 1;", "byte 9 of the public-key of"),
        ("ml-kem-512", "sizeof SECRET[i]);", "sizeof SECRET[i]); sk[1600] ^= 1;", "1600 of the secret-key"),
        (
            "ml-kem-512",
            "copy(ss, SHARED[i], sizeof SHARED[i]);\n    else",
            "copy(ss, SHARED[1 - i], 32);\n    else",
            "of the shared-secret of decapsulate",
        ),
        ("ml-kem-512", "* 0x71", "* 0x70", "ciphertext changed: byte 0 of the shared-secret is"),
        ("ml-dsa-44", "    *count =", "    sig[7] ^= 1;\n    *count =", "byte 7 of the signature of sign"),
    ],
)
def test_other_code_is_a_failed_cell(
    steelyard: Any, code: Any, name: str, old: str, new: str, said: str
) -> None:
    rows = measured(steelyard, code(name, old, new), status=1)
    assert {row["status"] for row in rows} == {"wrong-output"}
    assert all(said in row["error"] for row in rows)


def test_a_linux_device_is_not_asked(steelyard: Any, code: Any) -> None:
    for library in ((), ("--library", "openssl")):
        said = steelyard.sentence("host", "measure", "--primitives", code("ml-kem-512"), *library, status=2)
        assert "ml-kem/heart has an interface of its own" in said


def test_an_import_brings_only_the_primitives_that_it_has(steelyard: Any, code: Any) -> None:
    folder = code("ml-kem-768")
    rows = steelyard.json("list", "primitives", "--primitives", folder)
    assert [row["primitive"] for row in rows if row["primitive"].startswith("ml-")] == ["ml-kem-768"]
    asked = options(primitive="ml-kem-512", target="stm32f407")
    assert SAID in steelyard.sentence("measure", "--primitives", folder, *asked, status=2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("measure", "--primitive", "ml-kem-512", "--target", "stm32f407"),
        ("measure", "--primitive", "ml-dsa-*", "--target", "stm32f407"),
        ("predict", "--primitive", "ml-kem-768", "--target", "stm32f407"),
        ("recommend", "--target=stm32f407", "--primitive=ml-kem-768", "--need=hash", "--message=16"),
        ("new", "variant", "ml-kem/mine"),
    ],
)
def test_who_names_one_is_told_where_code_comes_from(steelyard: Any, arguments: tuple[str, ...]) -> None:
    assert SAID in steelyard.sentence(*arguments, status=2)


def test_without_code_none_is_listed_or_taken(steelyard: Any) -> None:
    for what in ("primitives", "variants"):
        assert "ml-" not in str([row[what[:-1]] for row in steelyard.json("list", what)])
    said = steelyard.sentence("measure", "--primitive", "ml-kem-51", "--target", "stm32f407", status=2)
    assert 'did you mean "ml-kem-512"?' in said
    assert "there is a primitive" in steelyard.sentence(
        "new", "primitive", "ml-dsa-44", "--kind", "hash", status=2
    )
    operations = {row["operation"]: row["kinds"] for row in steelyard.json("list", "operations")}
    assert operations["keypair"] == "kem, signature"
    assert operations["encapsulate"] == operations["decapsulate"] == "kem"
