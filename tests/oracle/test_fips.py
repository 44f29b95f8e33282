"""ML-KEM and ML-DSA: the oracles against published answers, and against a library in both directions."""

from __future__ import annotations

import hashlib
import json
import random
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle.published import answers

from steelyard.oracle import ml_dsa, ml_kem

ANSWERS = tomllib.loads((Path(__file__).parent / "answers.toml").read_text())


def _named(table: str) -> list[Any]:
    return [
        pytest.param(
            one,
            id=f"{one['primitive']}-{number}",
            marks=pytest.mark.soak if one.get("rounds", 0) > 100 else (),
        )
        for number, one in enumerate(ANSWERS[table])
    ]


def _sha3(data: bytes) -> str:
    return hashlib.sha3_256(data).hexdigest()


def _keypair(one: dict[str, Any]) -> tuple[bytes, bytes]:
    coins = bytes.fromhex(one["coins"])
    if one["primitive"] in ml_kem.SETS:
        return ml_kem.keypair(ml_kem.SETS[one["primitive"]], coins)
    return ml_dsa.keypair(ml_dsa.SETS[one["primitive"]], coins)


@pytest.mark.parametrize("one", _named("keypair"))
def test_keypairs(one: dict[str, Any]) -> None:
    public, secret = _keypair(one)
    assert (_sha3(public), _sha3(secret)) == (one["public_sha3"], one["secret_sha3"]), one["source"]


@pytest.mark.parametrize("one", _named("encapsulate"))
def test_encapsulations(one: dict[str, Any]) -> None:
    sizes = ml_kem.SETS[one["primitive"]]
    public, secret = _keypair(one)
    ciphertext, shared = ml_kem.encapsulate(sizes, public, bytes.fromhex(one["m"]))
    assert _sha3(public) == one["public_sha3"]
    assert (_sha3(ciphertext), shared.hex()) == (one["ciphertext_sha3"], one["shared"]), one["source"]
    assert ml_kem.decapsulate(sizes, secret, ciphertext) == shared


@pytest.mark.parametrize("one", _named("sign"))
def test_signatures(one: dict[str, Any]) -> None:
    sizes = ml_dsa.SETS[one["primitive"]]
    public, secret = _keypair(one)
    message, context = bytes.fromhex(one["message"]), bytes.fromhex(one["context"])
    signature = ml_dsa.sign(sizes, secret, message, context=context)
    assert (_sha3(public), _sha3(signature)) == (one["public_sha3"], one["signature_sha3"]), one["source"]
    mu = ml_dsa.representative(public, ml_dsa.formatted(message, context))
    assert mu.hex() == one["mu"]
    assert ml_dsa.sign_representative(sizes, secret, mu, bytes(32)) == signature
    assert ml_dsa.verify(sizes, public, message, signature, context)
    assert not ml_dsa.verify(sizes, public, message, signature, context + b"x")


@pytest.mark.parametrize("one", _named("accumulated"))
def test_many_in_one_digest(one: dict[str, Any]) -> None:
    """Keys, messages and wrong ciphertexts come from SHAKE-128, whose other instance takes what comes out."""
    name, rounds = one["primitive"], one["rounds"]
    make = _kem_round if name in ml_kem.SETS else _dsa_round
    each = 96 + ml_kem.SETS[name].ciphertext_bytes if name in ml_kem.SETS else 32
    drawn = hashlib.shake_128(b"").digest(each * rounds)
    taken = hashlib.shake_128()
    for at in range(0, len(drawn), each):
        taken.update(make(name, drawn[at : at + each]))
    assert taken.hexdigest(32) == one["digest"], one["source"]


def _kem_round(name: str, drawn: bytes) -> bytes:
    sizes = ml_kem.SETS[name]
    public, secret = ml_kem.keypair(sizes, drawn[:64])
    ciphertext, shared = ml_kem.encapsulate(sizes, public, drawn[64:96])
    assert ml_kem.decapsulate(sizes, secret, ciphertext) == shared
    return public + ciphertext + shared + ml_kem.decapsulate(sizes, secret, drawn[96:])


def _dsa_round(name: str, drawn: bytes) -> bytes:
    sizes = ml_dsa.SETS[name]
    public, secret = ml_dsa.keypair(sizes, drawn)
    signature = ml_dsa.sign(sizes, secret, b"")
    assert ml_dsa.verify(sizes, public, b"", signature)
    return public + signature


@pytest.mark.soak
def test_every_number_is_rounded_and_taken_apart_as_published() -> None:
    taken, step = hashlib.shake_128(), 1 << 16
    for start in range(0, ml_dsa.Q, step):
        r = np.arange(start, min(start + step, ml_dsa.Q))
        upper, lower = ml_dsa.power2round(r)
        columns = [ml_dsa.centred(r), np.abs(ml_dsa.centred(r)), upper, lower % ml_dsa.Q]
        for name in ("ml-dsa-44", "ml-dsa-65"):
            sizes = ml_dsa.SETS[name]
            high, low = ml_dsa.high_bits(sizes, r), ml_dsa.low_bits(sizes, r)
            assert (ml_dsa.use_hint(sizes, np.zeros(r.shape, bool), r) == high).all()
            columns += [high, ml_dsa.use_hint(sizes, np.ones(r.shape, bool), r), low, np.abs(low)]
        lines = np.stack(columns, axis=1).ravel().tolist()
        taken.update("".join(f"{number}\n" for number in lines).encode())
    assert taken.hexdigest(32) == ANSWERS["field"]["digest"]


@pytest.mark.parametrize("name", ["ml-kem-768", "ml-kem-1024"])
def test_kem_and_library(name: str) -> None:
    mlkem = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mlkem")
    private = getattr(mlkem, f"MLKEM{name.removeprefix('ml-kem-')}PrivateKey")
    sizes, drawn = ml_kem.SETS[name], random.Random(name)
    for _ in range(8):
        coins = drawn.randbytes(64)
        public, secret = ml_kem.keypair(sizes, coins)
        theirs = private.from_seed_bytes(coins)
        assert theirs.public_key().public_bytes_raw() == public
        ciphertext, shared = ml_kem.encapsulate(sizes, public, drawn.randbytes(32))
        assert theirs.decapsulate(ciphertext) == shared
        shared, ciphertext = theirs.public_key().encapsulate()
        assert ml_kem.decapsulate(sizes, secret, ciphertext) == shared
        bad = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
        assert ml_kem.decapsulate(sizes, secret, bad) == theirs.decapsulate(bad) != shared


@pytest.mark.parametrize("name", ml_dsa.SETS)
def test_signatures_and_library(name: str) -> None:
    mldsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mldsa")
    private = getattr(mldsa, f"MLDSA{name.removeprefix('ml-dsa-')}PrivateKey")
    sizes, drawn = ml_dsa.SETS[name], random.Random(name)
    for number in range(8):
        coins, message, context = drawn.randbytes(32), drawn.randbytes(17 * number), drawn.randbytes(number)
        public, secret = ml_dsa.keypair(sizes, coins)
        theirs = private.from_seed_bytes(coins)
        assert theirs.public_key().public_bytes_raw() == public
        ours = ml_dsa.sign(sizes, secret, message, drawn.randbytes(32), context)
        theirs.public_key().verify(ours, message, context)
        signature = theirs.sign(message, context)
        assert ml_dsa.verify(sizes, public, message, signature, context)
        assert not ml_dsa.verify(sizes, public, message + b"x", signature, context)
        assert not ml_dsa.verify(sizes, public, message, bytes([signature[0] ^ 1]) + signature[1:], context)


def test_what_is_refused() -> None:
    kem, dsa = ml_kem.SETS["ml-kem-512"], ml_dsa.SETS["ml-dsa-44"]
    public, secret = ml_kem.keypair(kem, bytes(64))
    with pytest.raises(ValueError, match="not below q"):
        ml_kem.encapsulate(kem, b"\xff\xff" + public[2:], bytes(32))
    with pytest.raises(ValueError, match="digest"):
        ml_kem.decapsulate(kem, secret[:-64] + bytes(64), bytes(kem.ciphertext_bytes))
    for call in (ml_kem.encapsulate, ml_kem.decapsulate):
        with pytest.raises(ValueError, match="bytes"):
            call(kem, b"", b"")
    public, secret = ml_dsa.keypair(dsa, bytes(32))
    with pytest.raises(ValueError, match="out of range"):
        ml_dsa.sign(dsa, secret[:128] + b"\xff" + secret[129:], b"")
    with pytest.raises(ValueError, match="255"):
        ml_dsa.sign(dsa, secret, b"", context=bytes(256))
    assert not ml_dsa.verify(dsa, public, b"", bytes(dsa.signature_bytes), bytes(256))
    assert not ml_dsa.verify(dsa, public, b"", b"")


def test_a_published_file_is_compared(tmp_path: Path) -> None:
    public, secret = ml_kem.keypair(ml_kem.SETS["ml-kem-512"], bytes(64))
    test = {"tcId": 1, "d": bytes(32).hex(), "z": bytes(32).hex(), "ek": public.hex(), "dk": secret.hex()}
    wrong = {**test, "tcId": 2, "ek": public[::-1].hex()}
    groups = [{"parameterSet": "ML-KEM-512", "tests": [test, wrong]}]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"algorithm": "ML-KEM", "mode": "keyGen", "testGroups": groups}))
    assert list(answers(path)) == [("ML-KEM-512 1", True), ("ML-KEM-512 2", False)]
