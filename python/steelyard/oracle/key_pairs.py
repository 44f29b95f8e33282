"""Public-key primitives whose code comes by import: second implementations of our own, from the standards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from steelyard.catalog.models import Primitive


@dataclass(frozen=True)
class KeyEncapsulation:
    """A key encapsulation, with the random bytes that its operations take."""

    provenance: str
    keypair_bytes: int
    encapsulate_bytes: int
    keypair: Callable[[bytes], tuple[bytes, bytes]]
    """Maps random bytes to public and secret key."""
    encapsulate: Callable[[bytes, bytes], tuple[bytes, bytes]]
    """Maps public key and random bytes to ciphertext and shared secret."""
    decapsulate: Callable[[bytes, bytes], bytes]
    """Maps secret key and ciphertext to a shared secret."""


@dataclass(frozen=True)
class MessageSignatures:
    """Signatures of whole messages, with the random bytes that the operations take; zeros sign without."""

    provenance: str
    keypair_bytes: int
    sign_bytes: int
    keypair: Callable[[bytes], tuple[bytes, bytes]]
    """Maps random bytes to public and secret key."""
    sign: Callable[[bytes, bytes, bytes], bytes]
    """Maps secret key, message and random bytes to a signature."""
    verify: Callable[[bytes, bytes, bytes], bool]
    """Whether, for a public key and a message, that is a signature."""


def key_pairs(primitive: Primitive) -> KeyEncapsulation | MessageSignatures | None:
    """Return the independent implementation of a primitive of this sort, or None."""
    if primitive.id.startswith("ml-kem-"):
        return _ml_kem(primitive)
    if primitive.id.startswith("ml-dsa-"):
        return _ml_dsa(primitive)
    return None


def _ml_kem(primitive: Primitive) -> KeyEncapsulation | None:
    from steelyard.oracle import ml_kem

    sizes = ml_kem.SETS.get(primitive.id)
    has = (primitive.public_key_bytes, primitive.key_bytes, primitive.ciphertext_bytes)
    if sizes is None or has != (sizes.public_bytes, sizes.secret_bytes, sizes.ciphertext_bytes):
        return None
    return KeyEncapsulation(
        "own second implementation from FIPS 203",
        2 * ml_kem.RANDOM_BYTES,
        ml_kem.RANDOM_BYTES,
        partial(ml_kem.keypair, sizes),
        partial(ml_kem.encapsulate, sizes),
        partial(ml_kem.decapsulate, sizes),
    )


def _ml_dsa(primitive: Primitive) -> MessageSignatures | None:
    from steelyard.oracle import ml_dsa

    sizes = ml_dsa.SETS.get(primitive.id)
    has = (primitive.public_key_bytes, primitive.key_bytes, primitive.signature_bytes)
    if sizes is None or has != (sizes.public_bytes, sizes.secret_bytes, sizes.signature_bytes):
        return None
    return MessageSignatures(
        "own second implementation from FIPS 204",
        ml_dsa.SEED_BYTES,
        ml_dsa.SEED_BYTES,
        partial(ml_dsa.keypair, sizes),
        partial(ml_dsa.sign, sizes),
        partial(ml_dsa.verify, sizes),
    )
