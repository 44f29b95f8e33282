"""The independent implementations beside others: Botan, Crypto++; our own constructions beside libraries."""

from __future__ import annotations

import hmac
import random
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import botan
import pytest
from Crypto.Cipher import AES, DES3
from Crypto.Hash import CMAC

from steelyard import oracle
from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Primitive
from steelyard.oracle import constructions

OPINIONS = tomllib.loads(Path(__file__).with_name("second_opinions.toml").read_text(encoding="utf-8"))
CATALOG = load_catalog()
INPUTS = 200
LONGEST_BYTES = 120
NEEDS_BOTAN = pytest.mark.skipif(botan.load() is None, reason="libbotan-2 is not installed")


def known(name: str) -> bool:
    return any(primitive.id == name for primitive in CATALOG.primitives)


def expected(primitive: Primitive, operation: str, **inputs: bytes) -> bytes:
    return oracle.expected(primitive, CATALOG.algorithm_of(primitive.id).id, operation, **inputs)


def in_botan() -> list[tuple[str, str, str]]:
    """Kind, primitive and Botan's name."""
    listed = [
        (kind, name, theirs)
        for kind in ("block", "hash", "mac", "aead")
        for name, theirs in OPINIONS["botan"][kind].items()
    ]
    for kind, part, theirs in list(listed):
        for pattern, outer in OPINIONS["botan"]["over"].items():
            name = pattern.replace("{}", part)
            if kind in ("block", "hash") and known(name) and CATALOG.primitive(name).over == (part,):
                made = "mac" if not CATALOG.primitive(name).iv_bytes else "aead"
                listed.append((made, name, outer.replace("{}", theirs)))
    return listed


@NEEDS_BOTAN
@pytest.mark.parametrize(("kind", "name", "theirs"), in_botan())
def test_botan_agrees(kind: str, name: str, theirs: str) -> None:
    primitive = CATALOG.primitive(name)
    rng = random.Random(name)
    for length in [*range(34), *(rng.randrange(LONGEST_BYTES) for _ in range(INPUTS // 4))]:
        key, nonce = rng.randbytes(primitive.key_bytes), rng.randbytes(primitive.iv_bytes)
        data, ad = rng.randbytes(length), rng.randbytes(rng.randrange(40))
        match kind:
            case "block":
                data = rng.randbytes(primitive.block_bytes)
                got = botan.encrypt_block(theirs, key, data)
                assert got == expected(primitive, "encrypt", key=key, data=data)
            case "hash":
                got = botan.digest(theirs, primitive.digest_bytes, data)
                assert got == expected(primitive, "digest", data=data)
            case "mac":
                got = botan.mac(theirs, primitive.tag_bytes, key, data)
                assert got == expected(primitive, "mac", key=key, data=data)
            case _:
                got = botan.seal(theirs, key, nonce, ad, data)
                assert got == expected(primitive, "seal", key=key, iv=nonce, ad=ad, data=data)


@pytest.fixture(scope="module")
def cryptopp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not Path("/usr/include/cryptopp/hight.h").exists():
        pytest.skip("libcrypto++-dev is not installed")
    program = tmp_path_factory.mktemp("cryptopp") / "cryptopp"
    source = Path(__file__).with_name("cryptopp.cc")
    subprocess.run(["c++", "-O0", str(source), "-lcryptopp", "-o", str(program)], check=True)
    return program


def test_cryptopp_agrees(cryptopp: Path) -> None:
    """Also keys and rounds of RC5 that no primitive has, and long streams of SEAL."""
    lines, answers = [], []
    for kind in ("block", "stream"):
        for name, theirs in OPINIONS["cryptopp"][kind].items():
            if not known(name):
                continue
            primitive = CATALOG.primitive(name)
            rng = random.Random(name)
            for index in range(INPUTS if kind == "block" else INPUTS // 4):
                size = (
                    primitive.block_bytes
                    if kind == "block"
                    else 9000
                    if index == 0
                    else rng.randrange(1, 400)
                )
                key, iv, data = (rng.randbytes(n) for n in (primitive.key_bytes, primitive.iv_bytes, size))
                lines.append(f"{theirs} {primitive.rounds} {key.hex()} {iv.hex() or '-'} {data.hex()}")
                answers.append((name, expected(primitive, "encrypt", key=key, iv=iv, data=data).hex()))
    from steelyard.oracle import rc5

    rng = random.Random(5)
    for _ in range(INPUTS):
        key, rounds, data = rng.randbytes(rng.randrange(1, 33)), rng.randrange(1, 25), rng.randbytes(8)
        lines.append(f"RC5 {rounds} {key.hex()} - {data.hex()}")
        answers.append(("rc5", rc5.encrypt_block(key, rounds, data).hex()))
    said = subprocess.run([str(cryptopp)], input="\n".join(lines), capture_output=True, text=True, check=True)
    differ = [
        (name, line, want, got)
        for (name, want), line, got in zip(answers, lines, said.stdout.split(), strict=True)
        if want != got
    ]
    assert sorted({name for name, *_ in differ}) == [], differ[0]


def test_names_are_of_the_catalogue() -> None:
    names = {name for library in OPINIONS.values() for kind in library.values() for name in kind}
    patterns = {one.id for a in CATALOG.algorithms if a.file.over for one in a.file.over.primitive}
    unknown = {name for name in names if not known(name) and name not in patterns}
    assert unknown == set()


@cache
def aes(key: bytes) -> Any:
    return AES.new(key, AES.MODE_ECB).encrypt


def draws(seed: str) -> list[tuple[bytes, bytes, bytes]]:
    """Key, associated data and message."""
    rng = random.Random(seed)
    return [
        (rng.randbytes(rng.choice((16, 24, 32))), rng.randbytes(rng.randrange(50)), rng.randbytes(length))
        for length in [*range(34), *(rng.randrange(LONGEST_BYTES) for _ in range(66))]
    ]


@pytest.mark.parametrize("mode", ["ccm", "gcm", "eax", "ocb3"])
def test_own_aeads_equal_pycryptodome_and_the_library(mode: str) -> None:
    rng = random.Random(mode)
    for key, ad, data in draws(mode):
        nonce = rng.randbytes({"ccm": 13, "eax": 16}.get(mode, 12))
        if mode == "ccm":
            tag_bytes = rng.choice((4, 8, 16))
            theirs: Any = AES.new(key, AES.MODE_CCM, nonce=nonce, mac_len=tag_bytes)
            ours = constructions.ccm(aes(key), tag_bytes, nonce, ad, data)
        else:
            number = {"gcm": AES.MODE_GCM, "eax": AES.MODE_EAX, "ocb3": AES.MODE_OCB}[mode]
            theirs = AES.new(key, number, nonce=nonce)
            ours = getattr(constructions, mode)(aes(key), nonce, ad, data)
        theirs.update(ad)
        ciphertext, tag = theirs.encrypt_and_digest(data)
        assert ours == ciphertext + tag, (key.hex(), nonce.hex(), ad.hex(), data.hex())
        if mode != "ccm":
            library = CATALOG.primitive(f"aes-{8 * len(key)}-{mode}")
            assert expected(library, "seal", key=key, iv=nonce, ad=ad, data=data) == ours


def test_ccm_with_long_associated_data_equals_pycryptodome() -> None:
    for length in (0xFEFF, 0xFF00, 0xFF01):
        theirs = AES.new(bytes(16), AES.MODE_CCM, nonce=bytes(13))
        theirs.update(bytes(length))
        ciphertext, tag = theirs.encrypt_and_digest(b"data")
        assert constructions.ccm(aes(bytes(16)), 16, bytes(13), bytes(length), b"data") == ciphertext + tag


def test_own_cmac_equals_pycryptodome() -> None:
    for key, _, data in draws("cmac"):
        assert constructions.cmac(aes(key), 16, data) == CMAC.new(key, data, AES).digest()
        halves = DES3.adjust_key_parity(bytes(range(16)) + key[:8])
        block = DES3.new(halves, DES3.MODE_ECB).encrypt
        assert constructions.cmac(block, 8, data) == CMAC.new(halves, data, DES3).digest()


@pytest.mark.parametrize(
    "name", ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2s"]
)
def test_own_hmac_equals_hashlib(name: str) -> None:
    import hashlib

    block_bytes = hashlib.new(name).block_size
    for key, ad, data in draws(name):
        for long in (key, key + ad * 5):
            ours = constructions.hmac(lambda one: hashlib.new(name, one).digest(), block_bytes, long, data)
            assert ours == hmac.digest(long, data, name)
