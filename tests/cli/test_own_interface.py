"""Code with an interface of its own is called as its variant.toml says, and every way to be wrong is seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import options

AEAD_VARIANT = """\
summary = "A toy with the functions of SUPERCOP"
sources = ["toy.c"]
default = true

[call]
seal = "crypto_aead_encrypt(sealed, count, input, input.bytes:8, ad, ad.bytes:8, null, iv, key)"
open = "crypto_aead_decrypt(output, count, null, sealed, sealed.bytes:8, ad, ad.bytes:8, iv, key) == 0"
"""
AEAD = """\
typedef unsigned char u8;
typedef unsigned long long u64;

static void add(u8 *tag, const u8 *bytes, u64 count)
{
    for (; count > 0; count--, bytes++) {
        for (int i = 0; i < 4; i++) tag[i] = (u8)(tag[i] * 5 + *bytes + i);
    }
}

int crypto_aead_encrypt(u8 *c, u64 *clen, const u8 *m, u64 mlen, const u8 *ad, u64 adlen,
                        const u8 *nsec, const u8 *npub, const u8 *k)
{
    u8 tag[4] = {0, 0, 0, 0};
    for (u64 i = 0; i < mlen; i++) c[i] = m[i] ^ k[i % 4] ^ npub[i % 4];
    add(tag, k, 4); add(tag, npub, 4); add(tag, ad, adlen); add(tag, c, mlen);
    for (int i = 0; i < 4; i++) c[mlen + i] = tag[i];
    *clen = mlen + 4;
    return 0;
}

int crypto_aead_decrypt(u8 *m, u64 *mlen, u8 *nsec, const u8 *c, u64 clen, const u8 *ad, u64 adlen,
                        const u8 *npub, const u8 *k)
{
    u8 tag[4] = {0, 0, 0, 0}, wrong = 0;
    *mlen = clen - 4;
    add(tag, k, 4); add(tag, npub, 4); add(tag, ad, adlen); add(tag, c, *mlen);
    for (int i = 0; i < 4; i++) wrong |= (u8)(tag[i] ^ c[*mlen + i]);
    if (wrong) return -1;
    for (u64 i = 0; i < *mlen; i++) m[i] = c[i] ^ k[i % 4] ^ npub[i % 4];
    return 0;
}
"""
KEM_VARIANT = """\
summary = "A toy key encapsulation"
sources = ["toy.c"]
default = true
random = "randombytes"

[call]
keypair = "kem_keypair(public-key, secret-key)"
encapsulate = "kem_enc(ciphertext, shared-secret, public-key) == 0"
decapsulate = "kem_dec(shared-secret, ciphertext, secret-key) == 0"
"""
KEM = """\
#include <stddef.h>
#include <stdint.h>
int randombytes(uint8_t *out, size_t count);

int kem_keypair(uint8_t *pk, uint8_t *sk)
{
    randombytes(sk, 8);
    for (int i = 0; i < 8; i++) pk[i] = (uint8_t)(sk[i] + 1);
    return 0;
}

int kem_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk)
{
    randombytes(ss, 8);
    for (int i = 0; i < 8; i++) ct[i] = ss[i] ^ pk[i];
    return 0;
}

int kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk)
{
    for (int i = 0; i < 8; i++) ss[i] = ct[i] ^ (uint8_t)(sk[i] + 1);
    return 0;
}
"""
SIGNATURE_VARIANT = """\
summary = "A toy signature"
sources = ["toy.c"]
default = true
random = "fresh"

[call]
keypair = "toy_keypair(public-key, secret-key)"
sign = "toy_sign(signature, count, input, input.bytes, secret-key) == 1"
verify = "toy_verify(signature, signature.bytes, input, input.bytes, public-key) == 1"
"""
SIGNATURE = """\
#include <stddef.h>
#include <stdint.h>
int fresh(uint8_t *out, size_t count);

static uint8_t sum(const uint8_t *bytes, size_t count, uint8_t start)
{
    while (count-- > 0) start = (uint8_t)(start * 7 + *bytes++);
    return start;
}

int toy_keypair(uint8_t *pk, uint8_t *sk)
{
    fresh(sk, 4);
    for (int i = 0; i < 4; i++) pk[i] = sk[i];
    return 1;
}

int toy_sign(uint8_t *sig, size_t *count, const uint8_t *m, size_t bytes, const uint8_t *sk)
{
    fresh(sig, 1);
    for (uint8_t i = 1; i < 5; i++) sig[i] = sum(m, bytes, (uint8_t)(sk[i - 1] ^ sig[0]));
    *count = 5;
    return 1;
}

int toy_verify(const uint8_t *sig, size_t count, const uint8_t *m, size_t bytes, const uint8_t *pk)
{
    if (count != 5) return 0;
    for (uint8_t i = 1; i < 5; i++) {
        if (sig[i] != sum(m, bytes, (uint8_t)(pk[i - 1] ^ sig[0]))) return 0;
    }
    return 1;
}
"""
SIZES = {
    "aead": "key_bytes = 4\niv_bytes = 4\ntag_bytes = 4",
    "kem": "key_bytes = 8\npublic_key_bytes = 8\nciphertext_bytes = 8\nshared_secret_bytes = 8",
    "signature": "key_bytes = 4\npublic_key_bytes = 4\nsignature_bytes = 6",
}
TOYS = {
    "aead": (AEAD_VARIANT, AEAD),
    "kem": (KEM_VARIANT, KEM),
    "signature": (SIGNATURE_VARIANT, SIGNATURE),
}
CHIPS = ["atmega328p", "stm32f051", "msp430f5529", "leon3"]


def _vector() -> str:
    """A known answer, computed here from what the toy's text says."""
    key, nonce, ad, message = b"\x01\x02\x03\x04", b"\x09\x08\x07\x06", b"abc", bytes(range(20))
    ciphertext = bytes(byte ^ key[i % 4] ^ nonce[i % 4] for i, byte in enumerate(message))
    tag = [0, 0, 0, 0]
    for byte in key + nonce + ad + ciphertext:
        tag = [(had * 5 + byte + i) % 256 for i, had in enumerate(tag)]
    fields = {"key": key, "iv": nonce, "ad": ad, "input": message, "output": ciphertext, "tag": bytes(tag)}
    lines = "\n".join(f'{name} = "{content.hex()}"' for name, content in fields.items())
    return f'[[vector]]\nprimitive = "toy"\noperation = "seal"\n{lines}\nsource = "its own text"\n'


@pytest.fixture
def toy(tmp_path: Path) -> Any:
    """Write a toy of a kind, with a text of its source or variant.toml replaced."""

    def write(kind: str, old: str = "", new: str = "") -> Path:
        variant, source = TOYS[kind]
        assert old == "" or old in variant + source
        folder = tmp_path / "code" / "toy" / "mine"
        folder.mkdir(parents=True)
        (folder / "variant.toml").write_text(variant.replace(old, new), "utf-8")
        (folder / "toy.c").write_text(source.replace(old, new) if old in source else source, "utf-8")
        (folder.parent / "algorithm.toml").write_text(
            f'kind = "{kind}"\ntitle = "Toy"\nspecification = "none"\n[[primitive]]\nid = "toy"\n'
            f'{SIZES[kind]}\nsecurity = "broken"\nauthority = "a toy"\n',
            "utf-8",
        )
        if kind == "aead":
            (folder.parent / "vectors.toml").write_text(_vector(), "utf-8")
        return tmp_path / "code"

    return write


@pytest.mark.parametrize("kind", TOYS)
def test_each_kind_is_verified_on_every_width_and_order_of_bytes(steelyard: Any, toy: Any, kind: str) -> None:
    rows = steelyard.json(
        "measure", "--primitives", toy(kind), *options(target=CHIPS, toolchain="clang", length=24, samples=3)
    )
    operations = {
        "aead": {"seal", "open"},
        "kem": {"keypair", "encapsulate", "decapsulate"},
        "signature": {"keypair", "sign", "verify"},
    }
    assert {(row["target"], row["operation"]) for row in rows} == {
        (chip, one) for chip in CHIPS for one in operations[kind]
    }
    assert all(row["status"] == "ok" and row["verified"] and row["cycles"] > 20 for row in rows)
    evidence = {row["operation"]: row["evidence"] for row in rows}
    expected = {"seal": "vectors", "open": "vectors consistency"}
    assert evidence == {one: expected.get(one, "consistency") for one in operations[kind]}
    assert all(row["ram_context_bytes"] == 0 for row in rows)


def test_buffers_lie_in_one_order(steelyard: Any, toy: Any, tmp_path: Path) -> None:
    waits = "fresh(sig, 1); if (sig < m) { for (volatile int i = 0; i < 50; i++) { } }"
    code = toy("signature", "fresh(sig, 1);", waits)
    asked = options(target="stm32f051", toolchain="clang", length=24, samples=2, operation="sign")
    cycles = set()
    for number in range(4):
        # Sets of texts have another order in each process.
        steelyard.cache, steelyard.environment = tmp_path / f"cache {number}", {"PYTHONHASHSEED": str(number)}
        (row,) = steelyard.json("measure", "--primitives", code, *asked)
        cycles.add(row["cycles"])
    assert len(cycles) == 1


@pytest.mark.parametrize(
    ("kind", "old", "new", "said"),
    [
        ("aead", "if (wrong) return -1;", "", "crypto_aead_decrypt does not refuse altered input"),
        ("aead", "add(tag, ad, adlen); add(tag, c, *mlen)", "add(tag, c, *mlen)", "not 0"),
        ("aead", "*clen = mlen + 4;", "*clen = mlen + 4; c[mlen + 4] = 1;", "past the end of the sealed"),
        ("aead", "m[i] ^ k[i % 4]", "m[i] ^ k[i % 3]", "of the output is"),
        ("kem", "ss[i] = ct[i] ^ (", "ss[i] = (", "shared-secret is"),
        ("kem", "ct[i] = ss[i] ^ pk[i]", "ct[i] = ss[i] = pk[i]", "byte 0 of the shared-secret is"),
        ("kem", "randombytes(ss, 8);", "randombytes(ss, 8); return 1;", "kem_enc returns 1, not 0"),
        ("signature", "    if (count != 5) return 0;", "    return 1;", "does not refuse altered input"),
        ("signature", "*count = 5;", "*count = 9;", "says that its signature has 9 bytes"),
        ("signature", "sk[i - 1] ^", "sk[0] ^", "toy_verify returns 0, not 1"),
    ],
)
def test_a_planted_fault_is_a_failed_cell(
    steelyard: Any, toy: Any, kind: str, old: str, new: str, said: str
) -> None:
    folder = toy(kind, old, new)
    asked = options(target="stm32f051", toolchain="gcc", length=24, samples=3)
    rows = steelyard.json("measure", "--primitives", folder, *asked, status=1)
    failed = [row for row in rows if row["status"] == "wrong-output"]
    assert failed
    assert all(row["cycles"] is None for row in failed)
    assert any(said in row["error"] for row in failed)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ad.bytes:8", "ad.bytes:9", '"ad.bytes:9" is no argument of kind aead'),
        ("iv, key) ==", "nonce, key) ==", '"nonce" is no argument'),
        ("seal =", "shut =", "call.shut: the kind aead has"),
        ("crypto_aead_encrypt(", "crypto-aead(", "is not written as"),
    ],
)
def test_a_call_that_cannot_be_is_one_sentence(
    steelyard: Any, toy: Any, old: str, new: str, said: str
) -> None:
    sentence = steelyard.sentence(
        "measure", "--primitives", toy("aead", old, new), "--target", "stm32f051", status=2
    )
    assert said in sentence
    assert "variant.toml" in sentence


def test_a_function_that_is_not_there_fails_its_build(steelyard: Any, toy: Any) -> None:
    folder = toy("kem", 'decapsulate = "kem_dec(', 'decapsulate = "kem_decaps(')
    rows = steelyard.json(
        "measure", "--primitives", folder, *options(target="stm32f051", toolchain="gcc"), status=1
    )
    assert {row["status"] for row in rows} == {"build-failed"}
    assert "kem_decaps" in rows[0]["error"]


def test_a_part_of_a_construction_needs_the_functions_of_the_contract(steelyard: Any, tmp_path: Path) -> None:
    folder = tmp_path / "aes" / "mine"
    folder.mkdir(parents=True)
    (folder / "aes.c").write_text("void aes(void *context) { (void)context; }\n", "utf-8")
    (folder / "variant.toml").write_text(
        'summary = "own"\nsources = ["aes.c"]\ncontext = {bytes = "16"}\ncall.init = "aes(context, key)"\n',
        "utf-8",
    )
    asked = options(primitive="aes-128-ccm", variant=["ccm/compact", "aes/mine"], target="stm32f051")
    sentence = steelyard.sentence("measure", "--primitives", tmp_path, *asked, status=2)
    assert "aes/mine: it has an interface of its own" in sentence
