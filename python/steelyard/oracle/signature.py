"""Public-key primitives: second implementations of our own, tested by published vectors as the C code is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from steelyard.catalog.models import Primitive


@dataclass(frozen=True)
class Signatures:
    """One algorithm: numbers, keys and signatures as bytes of the sizes its primitive names."""

    provenance: str
    secret: Callable[[bytes], bytes]
    """A private key or nonce, uniform where the bytes (some more than its size) are."""
    public_key: Callable[[bytes], bytes]
    sign: Callable[[bytes, bytes, bytes], bytes]
    """Of key, nonce and digest."""
    encrypt: Callable[[bytes, bytes, bytes], bytes] | None = None
    """Of public key, nonce and message."""


def signatures(primitive: Primitive) -> Signatures | None:
    """What signs independently with that primitive, or None."""
    if primitive.id == "sm2":
        from steelyard.oracle import sm2

        name = "SM2 in Python from the standard's steps (GM/T 0003-2012)"
        return Signatures(name, sm2.secret, sm2.public_key, sm2.sign, sm2.encrypt)
    return None
