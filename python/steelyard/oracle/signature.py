"""Public-key primitives: second implementations of our own, which published vectors test as they do the C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from steelyard.catalog.models import Primitive


@dataclass(frozen=True)
class Signatures:
    """One algorithm: numbers, keys and signatures as bytes in the sizes that its primitive names."""

    provenance: str
    secret: Callable[[bytes], bytes]
    """Maps random bytes (more than its size) to a private key or nonce with a uniform distribution."""
    public_key: Callable[[bytes], bytes]
    sign: Callable[[bytes, bytes, bytes], bytes]
    """Signs with key, nonce and digest."""
    encrypt: Callable[[bytes, bytes, bytes], bytes] | None = None
    """Encrypts with public key, nonce and message."""


def signatures(primitive: Primitive) -> Signatures | None:
    """Return the independent implementation of that primitive, or None."""
    if primitive.id == "sm2":
        from steelyard.oracle import sm2

        name = "SM2 in Python from the standard's steps (GM/T 0003-2012)"
        return Signatures(name, sm2.secret, sm2.public_key, sm2.sign, sm2.encrypt)
    return None
