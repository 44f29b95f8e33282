"""The only module that touches PyCryptodome."""

from __future__ import annotations

from Crypto import __version__ as version
from Crypto.Cipher import Salsa20
from Crypto.Hash import keccak as crypto_keccak


def provenance() -> str:
    """Name and version of the library."""
    return f"PyCryptodome {version}"


def keccak(digest_bits: int, data: bytes) -> bytes:
    """Keccak with the padding of the competition and a capacity of twice the digest."""
    return crypto_keccak.new(digest_bits=digest_bits, data=data).digest()


def salsa20(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Salsa20/20 from block 0."""
    return Salsa20.new(key, iv).encrypt(data)
