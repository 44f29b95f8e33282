"""XTEA, a second implementation from Needham and Wheeler's Tea extensions: words in big-endian order, the
round keys of all Feistel rounds listed before use.
"""

from __future__ import annotations

from struct import pack, unpack

_DELTA = 0x9E3779B9
_MASK = 0xFFFFFFFF


def _round_keys(key: bytes, rounds: int) -> list[int]:
    words = unpack(">4I", key)
    keys = []
    for i in range(rounds):
        total = (i + 1) // 2 * _DELTA & _MASK
        index = total >> 11 if i % 2 else total
        keys.append((total + words[index & 3]) & _MASK)
    return keys


def _increment(v: int, k: int) -> int:
    return (((v << 4 & _MASK) ^ v >> 5) + v & _MASK) ^ k


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 16 bytes; `rounds` counts Feistel rounds."""
    left, right = unpack(">2I", block)
    for k in _round_keys(key, rounds):
        left, right = right, (left + _increment(right, k)) & _MASK
    return pack(">2I", left, right)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    left, right = unpack(">2I", block)
    for k in reversed(_round_keys(key, rounds)):
        left, right = (right - _increment(left, k)) & _MASK, left
    return pack(">2I", left, right)
