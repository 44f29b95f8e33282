"""DES, Triple DES and DESX from `cryptography`, which has Triple DES alone.

DES is Triple DES with one key three times; two-key Triple DES repeats the first key as the third. DESX adds
the first eight bytes of its key before DES and the last eight after it. The rounds distinguish DESX (16) from
Triple DES (48); both have a 24-byte key.
"""

from __future__ import annotations

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher, modes


def _added(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def _cipher(key: bytes) -> Cipher[modes.ECB]:
    return Cipher(TripleDES((key * 3)[:24] if len(key) < 24 else key), modes.ECB())


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 8, 16 or 24 bytes."""
    if rounds == 16 and len(key) == 24:
        inner = encrypt_block(key[8:16], rounds, _added(block, key[:8]))
        return _added(inner, key[16:])
    return _cipher(key).encryptor().update(block)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    if rounds == 16 and len(key) == 24:
        inner = decrypt_block(key[8:16], rounds, _added(block, key[16:]))
        return _added(inner, key[:8])
    return _cipher(key).decryptor().update(block)
