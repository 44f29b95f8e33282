"""Blowfish from `cryptography`; every key length it takes, 4 to 56 bytes."""

from __future__ import annotations

from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
from cryptography.hazmat.primitives.ciphers import Cipher, modes


def _cipher(key: bytes, rounds: int) -> Cipher[modes.ECB]:
    if rounds != 16:
        raise ValueError(f"Blowfish has 16 rounds, not {rounds}")
    return Cipher(Blowfish(key), modes.ECB())


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 4 to 56 bytes."""
    return _cipher(key, rounds).encryptor().update(block)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    return _cipher(key, rounds).decryptor().update(block)
