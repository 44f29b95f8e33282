"""PRINCE, a second implementation from Borghoff et al., Asiacrypt 2012: nibbles in a list, the
matrix M' built of its blocks, decryption as the inverse of every step rather than by reflection.
"""

from __future__ import annotations

_SBOX = (0xB, 0xF, 0x3, 0x2, 0xA, 0xC, 0x9, 0x1, 0x6, 0x7, 0x8, 0x0, 0xE, 0x5, 0xD, 0x4)
_INVERSE = tuple(_SBOX.index(x) for x in range(16))
_CONSTANTS = (
    0x0000000000000000,
    0x13198A2E03707344,
    0xA4093822299F31D0,
    0x082EFA98EC4E6C89,
    0x452821E638D01377,
    0xBE5466CF34E90C6C,
    0x7EF84F78FD955CB1,
    0x85840851F1AC43AA,
    0xC882D32F25323C54,
    0x64A51195E0E3610D,
    0xD3B5A399CA0C2399,
    0xC0AC29B7C97C50DD,
)
_SHIFT = (0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11)


def _nibbles(x: int) -> list[int]:
    return [x >> 60 - 4 * i & 0xF for i in range(16)]


def _joined(nibbles: list[int]) -> int:
    return sum(x << 60 - 4 * i for i, x in enumerate(nibbles))


def _substitute(x: int, sbox: tuple[int, ...]) -> int:
    return _joined([sbox[nibble] for nibble in _nibbles(x)])


def _mix(x: int) -> int:
    """Apply M': block (row, column) of a column's matrix is the identity without its bit row + column."""
    n = _nibbles(x)
    result = []
    for chunk, first in enumerate((0, 1, 1, 0)):
        for row in range(4):
            total = 0
            for column in range(4):
                total ^= n[4 * chunk + column] & ~(8 >> (row + column + first) % 4)
            result.append(total)
    return _joined(result)


def _shift(x: int) -> int:
    n = _nibbles(x)
    return _joined([n[i] for i in _SHIFT])


def _unshift(x: int) -> int:
    n = _nibbles(x)
    return _joined([n[_SHIFT.index(i)] for i in range(16)])


def _keys(key: bytes) -> tuple[int, int, int]:
    k0 = int.from_bytes(key[:8], "big")
    prime = (k0 >> 1 | (k0 & 1) << 63) ^ k0 >> 63
    return k0, prime, int.from_bytes(key[8:], "big")


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 16 bytes; `rounds` is 12, because the constants are fixed."""
    k0, prime, k1 = _keys(key)
    half = rounds // 2
    x = int.from_bytes(block, "big") ^ k0 ^ k1 ^ _CONSTANTS[0]
    for constant in _CONSTANTS[1:half]:
        x = _shift(_mix(_substitute(x, _SBOX))) ^ constant ^ k1
    x = _substitute(_mix(_substitute(x, _SBOX)), _INVERSE)
    for constant in _CONSTANTS[half : rounds - 1]:
        x = _substitute(_mix(_unshift(x ^ k1 ^ constant)), _INVERSE)
    return (x ^ _CONSTANTS[-1] ^ k1 ^ prime).to_bytes(8, "big")


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    k0, prime, k1 = _keys(key)
    half = rounds // 2
    x = int.from_bytes(block, "big") ^ prime ^ k1 ^ _CONSTANTS[-1]
    for constant in reversed(_CONSTANTS[half : rounds - 1]):
        x = _shift(_mix(_substitute(x, _SBOX))) ^ constant ^ k1
    x = _substitute(_mix(_substitute(x, _SBOX)), _INVERSE)
    for constant in reversed(_CONSTANTS[1:half]):
        x = _substitute(_mix(_unshift(x ^ k1 ^ constant)), _INVERSE)
    return (x ^ _CONSTANTS[0] ^ k1 ^ k0).to_bytes(8, "big")
