"""Access to PyCryptodome; no other module imports it."""

from __future__ import annotations

from Crypto.Cipher import AES, Salsa20
from Crypto.Hash import keccak as crypto_keccak


def keccak(digest_bits: int, data: bytes) -> bytes:
    """Return Keccak with the padding of the competition and a capacity of twice the digest."""
    return crypto_keccak.new(digest_bits=digest_bits, data=data).digest()


def salsa20(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Encrypt with Salsa20/20 from block 0."""
    return Salsa20.new(key, iv).encrypt(data)


def eax(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return ciphertext and tag of EAX over AES with a tag of 16 bytes."""
    cipher = AES.new(key, AES.MODE_EAX, nonce=nonce, mac_len=16)
    cipher.update(ad)
    ciphertext, tag = cipher.encrypt_and_digest(data)
    return bytes(ciphertext) + bytes(tag)
