"""What chains of calls with public keys are asked: seeded, and answered as the standards say."""

from __future__ import annotations

import hashlib

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Primitive
from steelyard.measure.asymmetric import COINS_BYTES, Expected, decapsulated, expected_chain
from steelyard.oracle import available, ml_dsa, ml_kem, provenance
from steelyard.oracle.key_pairs import key_pairs

AWAITED = {one.id: one for algorithm in load_catalog().awaited for one in algorithm.file.primitive}
KEMS = [name for name in AWAITED if name in ml_kem.SETS]
SIGNATURES = [name for name in AWAITED if name in ml_dsa.SETS]


def chain(name: str, *, label: str = "seed", index: int = 0, message_bytes: int = 32) -> Expected:
    return expected_chain(label, AWAITED[name], index, message_bytes)


def test_the_catalogue_and_the_oracles_agree_on_what_there_is() -> None:
    assert set(AWAITED) == {*ml_kem.SETS, *ml_dsa.SETS}
    for name, primitive in AWAITED.items():
        assert key_pairs(primitive) is not None
        assert available(primitive, name.rpartition("-")[0])
        said = provenance(primitive, name.rpartition("-")[0])
        assert said.startswith("own second implementation from FIPS 20")


@pytest.mark.parametrize("name", KEMS)
def test_a_key_encapsulation(name: str) -> None:
    primitive, sizes, asked = AWAITED[name], ml_kem.SETS[name], chain(name)
    assert list(asked.inputs) == ["keypair", "encapsulate", "decapsulate"]
    assert {one: set(given) for one, given in asked.inputs.items()} == {
        "keypair": {"coins"},
        "encapsulate": {"coins"},
        "decapsulate": set(),
    }
    coins = [asked.inputs[one]["coins"] for one in ("keypair", "encapsulate")]
    assert len({*coins}) == 2
    assert all(len(one) == COINS_BYTES for one in coins)
    ((public,), (secret,)) = asked.answers["keypair"].values()
    assert (public, secret) == ml_kem.keypair(sizes, coins[0][:64])
    ((ciphertext,), (shared,)) = asked.answers["encapsulate"].values()
    assert (ciphertext, shared) == ml_kem.encapsulate(sizes, public, coins[1][:32])
    assert asked.answers["decapsulate"] == {"shared-secret": (shared,)}
    assert (len(secret), len(public)) == (primitive.key_bytes, primitive.public_key_bytes)
    assert (len(ciphertext), len(shared)) == (primitive.ciphertext_bytes, primitive.shared_secret_bytes)
    assert asked.is_independent
    assert decapsulated(primitive, secret, ciphertext) == shared
    altered = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
    assert decapsulated(primitive, secret, altered) == hashlib.shake_256(secret[-32:] + altered).digest(32)
    assert decapsulated(primitive, b"", ciphertext) is None


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_signature_with_random_bytes_and_without(name: str) -> None:
    primitive, sizes, asked = AWAITED[name], ml_dsa.SETS[name], chain(name, message_bytes=59)
    assert list(asked.inputs) == ["keypair", "sign", "verify"]
    message = asked.inputs["sign"]["input"]
    assert len(message) == 59
    assert asked.inputs["verify"] == {"input": message}
    ((public,), (secret,)) = asked.answers["keypair"].values()
    assert (len(secret), len(public)) == (primitive.key_bytes, primitive.public_key_bytes)
    signatures = asked.answers["sign"]["signature"]
    assert len({*signatures}) == 2
    assert all(ml_dsa.verify(sizes, public, message, one) for one in signatures)
    assert all(len(one) == primitive.signature_bytes for one in signatures)
    assert signatures[1] == ml_dsa.sign(sizes, secret, message)
    assert asked.answers["sign"]["signed"] == tuple(one + message for one in signatures)
    assert set(asked.answers) == {"keypair", "sign"}


def test_what_is_asked_follows_from_seed_sample_and_length() -> None:
    first = chain("ml-kem-512")
    assert chain("ml-kem-512") == first
    for other in (chain("ml-kem-512", label="other"), chain("ml-kem-512", index=1), chain("ml-kem-768")):
        assert other.inputs["keypair"] != first.inputs["keypair"]
        assert other.answers["keypair"] != first.answers["keypair"]
    lengths = [chain("ml-dsa-44", message_bytes=count) for count in (0, 1)]
    assert [len(one.inputs["sign"]["input"]) for one in lengths] == [0, 1]


@pytest.mark.parametrize("name", AWAITED)
def test_another_primitive_of_that_name_or_of_another_has_no_answers(name: str) -> None:
    known = AWAITED[name]
    for changed in ({"id": f"{name}-x"}, {"key_bytes": known.key_bytes + 1}):
        other: Primitive = known.model_copy(update=changed)
        asked = expected_chain("seed", other, 0, 8)
        assert asked.answers == {}
        assert not asked.is_independent
        assert not available(other, "own")
        assert asked.inputs["keypair"]["coins"]
