"""Trees of mupq's benches and of PQClean, made for these tests in the forms that they have."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from steelyard.catalog.models import Primitive
from steelyard.catalog.trees import mupq
from steelyard.catalog.trees.found import Implementation, LeftOut
from steelyard.errors import UsageError

_KEM_API = """
#ifndef API_H
#define API_H
#include "params.h"
#define CRYPTO_SECRETKEYBYTES  TOY_SECRETKEYBYTES
#define CRYPTO_PUBLICKEYBYTES  (TOY_K * TOY_POLYBYTES + 32)
#define CRYPTO_CIPHERTEXTBYTES sizeof(ct_t)
#define CRYPTO_BYTES 32
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);
#endif
"""
_KEM_PARAMS = """
#define TOY_K 2
#define TOY_POLYBYTES 12
#define TOY_SECRETKEYBYTES (2 * TOY_K * TOY_POLYBYTES)
typedef struct { unsigned char c[TOY_K][3]; unsigned char tag[4]; } ct_t;
"""
_SIGN_API = """
#include <stddef.h>
#define TOY_NAMESPACE(s) toy_ref_##s
#define CRYPTO_PUBLICKEYBYTES 20
#define CRYPTO_SECRETKEYBYTES 40
#define CRYPTO_BYTES 60
#define crypto_sign_keypair TOY_NAMESPACE(crypto_sign_keypair)
int crypto_sign_keypair(unsigned char *pk, unsigned char *sk);
#define crypto_sign TOY_NAMESPACE(sign)
int crypto_sign(unsigned char *sm, size_t *smlen, const unsigned char *m, size_t mlen,
                const unsigned char *sk);
#define crypto_sign_open TOY_NAMESPACE(open)
int crypto_sign_open(unsigned char *m, size_t *mlen, const unsigned char *sm, size_t smlen,
                     const unsigned char *pk);
"""
_CONTEXT_API = """
#define CRYPTO_PUBLICKEYBYTES 20
#define CRYPTO_SECRETKEYBYTES 40
#define CRYPTO_BYTES 60
int crypto_sign_keypair(uint8_t *pk, uint8_t *sk);
int crypto_sign_ctx(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen,
                    const uint8_t *ctx, size_t ctxlen, const uint8_t *sk);
int crypto_sign_open_ctx(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen,
                         const uint8_t *ctx, size_t ctxlen, const uint8_t *pk);
#define crypto_sign(sm, smlen, m, mlen, sk) crypto_sign_ctx(sm, smlen, m, mlen, NULL, 0, sk)
#define crypto_sign_open(m, mlen, sm, smlen, pk) crypto_sign_open_ctx(m, mlen, sm, smlen, NULL, 0, pk)
"""
_DETACHED_API = """
#define PQCLEAN_TOYSIGN_CLEAN_CRYPTO_PUBLICKEYBYTES 20
#define PQCLEAN_TOYSIGN_CLEAN_CRYPTO_SECRETKEYBYTES 40
#define PQCLEAN_TOYSIGN_CLEAN_CRYPTO_BYTES 60
int PQCLEAN_TOYSIGN_CLEAN_crypto_sign_keypair(uint8_t *pk, uint8_t *sk);
int PQCLEAN_TOYSIGN_CLEAN_crypto_sign_signature(uint8_t *sig, size_t *siglen, const uint8_t *m,
                                                unsigned long long mlen, const uint8_t *sk);
int PQCLEAN_TOYSIGN_CLEAN_crypto_sign_verify(const uint8_t *sig, size_t siglen, const uint8_t *m,
                                             unsigned long long mlen, const uint8_t *pk);
"""
_KEM_CODE = '#include "api.h"\n#include "fips202.h"\n#include "randombytes.h"\n'


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _pqclean(root: Path) -> None:
    _write(
        root,
        {
            "common/fips202.c": '#include "fips202.h"\n',
            "common/fips202.h": "",
            "common/randombytes.c": "",
            "common/randombytes.h": "#define randombytes PQCLEAN_randombytes\n",
            "crypto_kem/ml-kem-512/META.yml": "name: ML-KEM-512\n",
            "crypto_kem/ml-kem-512/avx2/api.h": "",
            "crypto_kem/ml-kem-512/clean/kem.c": _KEM_CODE,
            "crypto_kem/ml-kem-512/clean/api.h": """
#define PQCLEAN_MLKEM512_CLEAN_CRYPTO_SECRETKEYBYTES  1632
#define PQCLEAN_MLKEM512_CLEAN_CRYPTO_PUBLICKEYBYTES  800
#define PQCLEAN_MLKEM512_CLEAN_CRYPTO_CIPHERTEXTBYTES 768
#define PQCLEAN_MLKEM512_CLEAN_CRYPTO_BYTES           32
int PQCLEAN_MLKEM512_CLEAN_crypto_kem_keypair(uint8_t *pk, uint8_t *sk);
int PQCLEAN_MLKEM512_CLEAN_crypto_kem_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk);
int PQCLEAN_MLKEM512_CLEAN_crypto_kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);
""",
            "crypto_sign/toy-sign/META.yml": "name: Toy\n",
            "crypto_sign/toy-sign/clean/sign.c": '#include "api.h"\n',
            "crypto_sign/toy-sign/clean/api.h": _DETACHED_API,
        },
    )


def _mupq(root: Path) -> None:
    _write(
        root,
        {
            "mupq.py": "raise SystemExit('run')\n",
            "common/fips202.c": '#include "fips202.h"\n#include "keccakf1600.h"\n#include "hal.h"\n',
            "common/fips202.h": "",
            "common/keccakf1600.c": "",
            "common/keccakf1600.h": "",
            "common/aes.c": "",
            "common/hal.h": "",
            "crypto_kem/speed.c": "",
            "crypto_sign/toy_Sign/ref/sign.c": '#include "api.h"\n',
            "crypto_sign/toy_Sign/ref/api.h": _SIGN_API,
        },
    )
    (root / "common" / "randombytes.h").symlink_to("../pqclean/common/randombytes.h")


def _bench(root: Path) -> None:
    _write(
        root,
        {
            "mk/crypto.mk": "SYMCRYPTO_SRC = \\\n\tmupq/common/fips202.c \\\n\tcommon/keccakf1600.S \\\n"
            "\tcommon/aes.c \\\n\tcommon/aes-encrypt.S\n",
            "mk/config.mk": "CPPFLAGS += \\\n\t-DPQM4\n",
            "skiplist.py": "skip_list = [\n"
            "    {'scheme': 'toykem1', 'implementation': 'm4f', 'estmemory': 8192},\n"
            "    {'scheme': 'toykem1', 'implementation': 'never', 'estmemory': 999999999999},\n]\n"
            "open('ran', 'w')\n",
            "common/keccakf1600.S": "",
            "common/aes.c": "",
            "common/aes-encrypt.S": "",
            "common/hal-opencm3.c": "",
            "crypto_kem/toykem1/m4f/api.h": _KEM_API,
            "crypto_kem/toykem1/m4f/params.h": _KEM_PARAMS,
            "crypto_kem/toykem1/m4f/kem.c": _KEM_CODE,
            "crypto_kem/toykem1/m4f/ntt.S": "ntt:\n  vmov s0, r0\n  bx lr\n",
            "crypto_kem/toykem1/m4f/config.mk": "elf/x_%.elf: CPPFLAGS += -DTOY_M4 -DTOY_ROWS=4\n",
            "crypto_kem/toykem1/never/api.h": _KEM_API,
            "crypto_sign/toysign/m4/api.h": _CONTEXT_API,
            "crypto_sign/toysign/m4/sign.c": '#include "api.h"\n#include <aes.h>\n',
        },
    )
    copied = root / "crypto_kem" / "toykem1" / "m4fcopy"
    copied.mkdir()
    for name in ("api.h", "params.h", "kem.c"):
        (copied / name).symlink_to(f"../m4f/{name}")


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """All three side by side, with links where the submodules belong."""
    _pqclean(tmp_path / "PQClean")
    _mupq(tmp_path / "mupq")
    _bench(tmp_path / "pqm4")
    (tmp_path / "pqm4" / "mupq").symlink_to("../mupq")
    (tmp_path / "mupq" / "pqclean").symlink_to("../PQClean")
    return tmp_path


def _read(root: Path) -> tuple[dict[str, Implementation], dict[str, str]]:
    """Return implementations by algorithm and name, and reasons by place."""
    found = list(mupq.read(root))
    taken = {f"{one.algorithm}/{one.name}": one for one in found if isinstance(one, Implementation)}
    left = {one.where: one.reason for one in found if isinstance(one, LeftOut)}
    assert len(taken) == sum(isinstance(one, Implementation) for one in found)
    return taken, left


def test_other_folders_are_no_such_tree(tmp_path: Path) -> None:
    _write(tmp_path, {"crypto_aead/toy/ref/api.h": "", "common/x.c": "", "mk/other.mk": ""})
    assert not mupq.recognises(tmp_path)
    assert not mupq.recognises(tmp_path / "nothing")


def test_a_bench_lends_its_schemes_the_sources_that_they_need(linked: Path) -> None:
    assert mupq.recognises(linked)
    taken, left = _read(linked)
    assert sorted(taken) == [
        "ml-kem/pqm4-clean-512",
        "toy-sign/pqm4-clean",
        "toy-sign/pqm4-ref",
        "toykem1/pqm4-m4f",
        "toykem1/pqm4-m4fcopy",
        "toysign/pqm4-m4",
    ]
    file = taken["toykem1/pqm4-m4f"].file
    assert file.sources == (
        "pqm4/crypto_kem/toykem1/m4f/kem.c",
        "pqm4/crypto_kem/toykem1/m4f/ntt.S",
        "pqm4/mupq/common/fips202.c",
        "pqm4/common/keccakf1600.S",
    )
    assert file.include_dirs == (
        *("pqm4/common", "pqm4/mupq/common", "pqm4/mupq/pqclean/common"),
        "pqm4/crypto_kem/toykem1/m4f",
    )
    assert file.defines == {"MUPQ": "1", "PQM4": "1", "MUPQ_NAMESPACE": "", "TOY_M4": "1", "TOY_ROWS": "4"}
    assert file.flags == ("-std=gnu99", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard")
    assert file.families == ("cortex-m",)
    assert file.random == "PQCLEAN_randombytes"
    assert file.summary.endswith("; the bench estimates 8,192 bytes of memory")
    assert taken["toykem1/pqm4-m4fcopy"].file.flags == ("-std=gnu99",)
    aes = taken["toysign/pqm4-m4"].file.sources
    assert aes[1:] == ("pqm4/common/aes.c", "pqm4/common/aes-encrypt.S")
    assert left == {
        "pqm4/crypto_kem/toykem1/never": "the bench's skiplist.py skips it on every board",
        "pqm4/mupq/pqclean/crypto_kem/ml-kem-512/avx2": "it is for x86",
    }
    assert not (linked / "pqm4" / "ran").exists() and not Path("ran").exists()


def test_sizes_are_evaluated_and_known_primitives_named(linked: Path) -> None:
    taken, _ = _read(linked)
    primitive = taken["toykem1/pqm4-m4f"].primitive
    assert isinstance(primitive, Primitive)
    assert (primitive.id, primitive.public_key_bytes, primitive.key_bytes) == ("toykem1", 56, 48)
    assert (primitive.ciphertext_bytes, primitive.shared_secret_bytes) == (10, 32)
    assert taken["ml-kem/pqm4-clean-512"].primitive == "ml-kem-512"
    signature = taken["toy-sign/pqm4-ref"].primitive
    assert isinstance(signature, Primitive)
    assert (signature.id, signature.signature_bytes) == ("toy-sign", 60)


def test_calls_by_namespaces_and_macros(linked: Path) -> None:
    taken, _ = _read(linked)

    def calls(name: str) -> dict[str, tuple[str, tuple[str, ...], int | None]]:
        return {c.operation: (c.function, c.arguments, c.success) for c in taken[name].file.call}

    assert calls("ml-kem/pqm4-clean-512") == {
        "keypair": ("PQCLEAN_MLKEM512_CLEAN_crypto_kem_keypair", ("public-key", "secret-key"), None),
        "encapsulate": (
            "PQCLEAN_MLKEM512_CLEAN_crypto_kem_enc",
            ("ciphertext", "shared-secret", "public-key"),
            None,
        ),
        "decapsulate": (
            "PQCLEAN_MLKEM512_CLEAN_crypto_kem_dec",
            ("shared-secret", "ciphertext", "secret-key"),
            None,
        ),
    }
    signed = ("signed", "count", "input", "input.bytes", "secret-key")
    opened = ("output", "count", "signed", "signed.bytes", "public-key")
    by_macro = calls("toy-sign/pqm4-ref")
    assert by_macro["keypair"][0] == "toy_ref_crypto_sign_keypair"
    assert by_macro["sign"] == ("toy_ref_sign", signed, None)
    assert by_macro["verify"] == ("toy_ref_open", opened, 0)
    with_context = calls("toysign/pqm4-m4")
    assert with_context["sign"] == ("crypto_sign_ctx", (*signed[:4], "null", "0", "secret-key"), None)
    assert with_context["verify"] == ("crypto_sign_open_ctx", (*opened[:4], "null", "0", "public-key"), 0)
    detached = calls("toy-sign/pqm4-clean")
    assert detached["sign"][1] == ("signature", "count", "input", "input.bytes:8", "secret-key")
    assert detached["verify"][1] == ("signature", "signature.bytes", "input", "input.bytes:8", "public-key")


def test_a_bench_without_links_takes_what_lies_beside_it(tmp_path: Path) -> None:
    _pqclean(tmp_path / "PQClean")
    _mupq(tmp_path / "mupq")
    _bench(tmp_path / "pqm4")
    taken, left = _read(tmp_path)
    assert "mupq/common/fips202.c" in taken["toykem1/pqm4-m4f"].file.sources
    assert "toy-sign/pqm4-ref" in taken
    assert all("needs" not in reason for reason in left.values())


def test_a_bench_alone_says_what_it_needs(tmp_path: Path) -> None:
    _bench(tmp_path)
    taken, left = _read(tmp_path)
    assert list(taken) == ["toysign/pqm4-m4"]
    assert left["crypto_kem/toykem1/m4f"] == "needs mupq, which is not in the tree"
    _mupq(tmp_path.parent / "elsewhere")
    (tmp_path / "mupq").symlink_to("../elsewhere")
    _, left = _read(tmp_path)
    assert left["crypto_kem/toykem1/m4f"] == "needs mupq, and mupq is a link that leads out of the tree"


def test_mupq_by_itself_is_for_all_families(tmp_path: Path) -> None:
    _mupq(tmp_path)
    _write(tmp_path, {"crypto_kem/toykem1/ref/api.h": _KEM_API, "crypto_kem/toykem1/ref/kem.c": _KEM_CODE})
    _write(tmp_path, {"crypto_kem/toykem1/ref/params.h": _KEM_PARAMS})
    taken, left = _read(tmp_path)
    assert taken["toy-sign/mupq-ref"].file.families is None
    assert left == {
        "crypto_kem/toykem1/ref": "its randombytes.h is a link to pqclean/common/randombytes.h,"
        " which is not in the tree"
    }
    _pqclean(tmp_path / "pqclean")
    taken, left = _read(tmp_path)
    assert taken["toykem1/mupq-ref"].file.sources == (
        *("crypto_kem/toykem1/ref/kem.c", "common/fips202.c", "common/keccakf1600.c"),
    )
    clean = taken["ml-kem/mupq-clean-512"].file
    assert clean.families is None
    assert clean.sources[0] == "pqclean/crypto_kem/ml-kem-512/clean/kem.c"
    assert clean.sources[1:] == ("common/fips202.c", "common/keccakf1600.c")


def test_pqclean_by_itself_has_its_own_common_sources(tmp_path: Path) -> None:
    _pqclean(tmp_path)
    taken, left = _read(tmp_path)
    assert sorted(taken) == ["ml-kem/pqclean-clean-512", "toy-sign/pqclean-clean"]
    file = taken["ml-kem/pqclean-clean-512"].file
    assert file.sources == ("crypto_kem/ml-kem-512/clean/kem.c", "common/fips202.c")
    assert (file.flags, file.families, file.random) == (("-std=c99",), None, "PQCLEAN_randombytes")
    assert left == {"crypto_kem/ml-kem-512/avx2": "it is for x86"}


def test_what_cannot_be_read_is_left_out_with_the_reason(linked: Path) -> None:
    kem = linked / "pqm4" / "crypto_kem"
    _write(
        kem,
        {
            "a/m4/api.h": "#define CRYPTO_PUBLICKEYBYTES UNKNOWN\n",
            "a/m4/kem.c": "",
            "b/m4/api.h": "int crypto_kem_keypair(unsigned char *pk);\n",
            "b/m4/kem.c": "",
            "c/m4/api.h": _KEM_API,
            "c/m4/params.h": _KEM_PARAMS.replace("TOY_K 2", "TOY_K 200000"),
            "c/m4/kem.c": "",
            "d/m4/api.h": "#if 1 +\n#endif\n",
            "d/m4/kem.c": "",
            "e/m4/api.h": _KEM_API.replace("crypto_kem_enc", "encapsulate"),
            "e/m4/params.h": _KEM_PARAMS,
            "e/m4/kem.c": "",
            "f/m4/api.h": "",
            "g/m4/api.h": _KEM_API,
        },
    )
    (kem / "g" / "m4" / "kem.c").symlink_to("../../none/kem.c")
    _, left = _read(linked)
    assert left["pqm4/crypto_kem/a/m4"] == (
        'CRYPTO_PUBLICKEYBYTES of its api.h cannot be evaluated: "UNKNOWN" is not known'
    )
    assert left["pqm4/crypto_kem/b/m4"] == "its api.h defines no CRYPTO_PUBLICKEYBYTES"
    assert left["pqm4/crypto_kem/c/m4"] == (
        "its key has 4,800,000 bytes, more than the 524,288 that are taken"
    )
    assert left["pqm4/crypto_kem/d/m4"] == "pqm4/crypto_kem/d/m4/api.h:1: #if 1 +: it ends too early"
    assert left["pqm4/crypto_kem/e/m4"] == "its api.h declares no crypto_kem_enc"
    assert left["pqm4/crypto_kem/f/m4"] == "it has no C or assembly source"
    assert left["pqm4/crypto_kem/g/m4"] == (
        "its kem.c is a link to pqm4/crypto_kem/none/kem.c, which is not in the tree"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("skip_list = [\n", r"skiplist\.py:1: it is no Python, so what it skips is not known\."),
        ("skip_list = make()\n", r"skiplist\.py: skip_list is no list of dictionaries"),
        ("skip_list = [{'scheme': 'a'}]\n", r"skiplist\.py: skip_list is no list of dictionaries"),
    ],
)
def test_a_skiplist_that_is_no_data(linked: Path, text: str, reason: str) -> None:
    (linked / "pqm4" / "skiplist.py").write_text(text)
    with pytest.raises(UsageError, match=reason):
        list(mupq.read(linked))


def test_schemes_of_other_sizes_are_other_primitives(linked: Path) -> None:
    _write(
        linked / "pqm4" / "crypto_kem" / "toykem1" / "small",
        {"api.h": _KEM_API, "params.h": _KEM_PARAMS.replace("TOY_K 2", "TOY_K 3"), "kem.c": ""},
    )
    taken, _ = _read(linked)
    primitive = taken["toykem1-pqm4-small/pqm4-small"].primitive
    assert isinstance(primitive, Primitive)
    assert (primitive.id, primitive.public_key_bytes) == ("toykem1-pqm4-small", 68)


def test_two_benches_of_one_name(linked: Path) -> None:
    _bench(linked / "second")
    taken, _ = _read(linked)
    assert {"toysign/pqm4-m4", "toysign/pqm4-m4-2"} <= taken.keys()
    assert not any(os.path.isabs(source) for one in taken.values() for source in one.file.sources)
