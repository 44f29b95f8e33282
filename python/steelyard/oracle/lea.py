"""LEA with keys of 128, 192 and 256 bits, a second implementation from Hong et al., WISA 2013, section 2."""

from __future__ import annotations

from functools import lru_cache
from struct import pack, unpack

_MASK = 0xFFFFFFFF
_DELTA = (0xC3EFE9DB, 0x44626B02, 0x79E27C8A, 0x78DF30EC, 0x715EA49E, 0xC785DA0A, 0xE04EF22A, 0xE5C40957)
_ROTATIONS = (1, 3, 6, 11, 13, 17)


def _left(x: int, n: int) -> int:
    n %= 32
    x &= _MASK
    return (x << n | x >> (32 - n)) & _MASK


@lru_cache(maxsize=256)
def _round_keys(key: bytes, rounds: int) -> tuple[tuple[int, ...], ...]:
    t = list(unpack(f"<{len(key) // 4}I", key))
    count = len(t)
    used = min(count, 6)
    keys = []
    for i in range(rounds):
        words = []
        for j in range(used):
            at = (used * i + j) % count
            t[at] = _left(t[at] + _left(_DELTA[i % count], i + j), _ROTATIONS[j])
            words.append(t[at])
        keys.append(tuple(words if used == 6 else (words[i] for i in (0, 1, 2, 1, 3, 1))))
    return tuple(keys)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 16 bytes with a key of 16, 24 or 32 bytes."""
    x = unpack("<4I", block)
    for k in _round_keys(key, rounds):
        x = (
            _left((x[0] ^ k[0]) + (x[1] ^ k[1]), 9),
            _left((x[1] ^ k[2]) + (x[2] ^ k[3]), -5),
            _left((x[2] ^ k[4]) + (x[3] ^ k[5]), -3),
            x[0],
        )
    return pack("<4I", *x)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    x = unpack("<4I", block)
    for k in reversed(_round_keys(key, rounds)):
        a = x[3]
        b = (_left(x[0], -9) - (a ^ k[0]) & _MASK) ^ k[1]
        c = (_left(x[1], 5) - (b ^ k[2]) & _MASK) ^ k[3]
        d = (_left(x[2], 3) - (c ^ k[4]) & _MASK) ^ k[5]
        x = (a, b, c, d)
    return pack("<4I", *x)
