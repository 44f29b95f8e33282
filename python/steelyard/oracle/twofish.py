"""Twofish, a second implementation from "Twofish: A 128-Bit Block Cipher".

q0 and q1 are composed of their four 4-bit permutations, and both matrices are multiplied in their fields,
whereas the measured code has tables and shortcuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from struct import pack, unpack

_MASK = 0xFFFFFFFF
_RHO = 0x01010101
_NIBBLES = (
    ("817d6f320b59eca4", "ecb81235f4a6709d", "ba5e6d90c8f32471", "d7f4126e9b3085ca"),
    ("28bdf76e31940ac5", "1e2b4c376da5f908", "4c75169a0ed82b3f", "b951c3de647f208a"),
)
_MDS = (
    (0x01, 0xEF, 0x5B, 0x5B),
    (0x5B, 0xEF, 0xEF, 0x01),
    (0xEF, 0x5B, 0x01, 0xEF),
    (0xEF, 0x01, 0xEF, 0x5B),
)
_RS = (
    (0x01, 0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E),
    (0xA4, 0x56, 0x82, 0xF3, 0x1E, 0xC6, 0x68, 0xE5),
    (0x02, 0xA1, 0xFC, 0xC1, 0x47, 0xAE, 0x3D, 0x19),
    (0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E, 0x03),
)
_CHAINS = ((1, 0, 0, 1, 1), (0, 0, 1, 1, 0), (1, 1, 0, 0, 0), (0, 1, 1, 0, 1))
"""Permutations of each byte of a word, from the last to the first."""


def _left(word: int, count: int) -> int:
    word &= _MASK
    return (word << count | word >> (32 - count)) & _MASK


def _product(matrix: Sequence[Sequence[int]], vector: Sequence[int], modulus: int) -> list[int]:
    return [
        _sum(_multiply(element, byte, modulus) for element, byte in zip(row, vector, strict=True))
        for row in matrix
    ]


def _sum(values: Iterable[int]) -> int:
    total = 0
    for value in values:
        total ^= value
    return total


@lru_cache(maxsize=8192)
def _multiply(a: int, b: int, modulus: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 0x100:
            a ^= modulus
        b >>= 1
    return product


def _permutation(which: int) -> bytes:
    """Return q0 or q1."""
    t = [[int(digit, 16) for digit in row] for row in _NIBBLES[which]]
    out = []
    for x in range(256):
        a, b = x >> 4, x & 15
        for half in (0, 2):
            a, b = a ^ b, a ^ (b >> 1 | b << 3 & 15) ^ (8 * a & 15)
            a, b = t[half][a], t[half + 1][b]
        out.append(b << 4 | a)
    return bytes(out)


_Q = (_permutation(0), _permutation(1))


def _h(x: int, material: tuple[int, ...]) -> int:
    result = 0
    for place, steps, last in _bytes(material):
        byte = x >> place & 0xFF
        for permutation, key in steps:
            byte = permutation[byte] ^ key
        result ^= last[byte]
    return result


@lru_cache(maxsize=256)
def _bytes(material: tuple[int, ...]) -> list[tuple[int, list[tuple[bytes, int]], list[int]]]:
    """Return, for each byte of a word, its place, the permutations with the bytes of the material that follow
    them, and the last permutation followed by MDS.
    """
    lanes = []
    for i, chain in enumerate(_CHAINS):
        keys = [word >> 8 * i & 0xFF for word in material]
        steps = [(_Q[chain[depth]], keys[depth - 1]) for depth in range(len(keys), 0, -1)]
        lanes.append((8 * i, steps, _last()[i]))
    return lanes


@cache
def _last() -> list[list[int]]:
    """Return, for each byte of a word, what the last permutation and MDS make of its values."""
    places = zip(_CHAINS, _mds_columns(), strict=True)
    return [[column[byte] for byte in _Q[chain[0]]] for chain, column in places]


@cache
def _mds_columns() -> tuple[tuple[int, ...], ...]:
    """Return, for each place of a vector and each byte, its part of the product with MDS, as a word."""
    units = [[byte if place == i else 0 for i in range(4)] for place in range(4) for byte in range(256)]
    words = [int.from_bytes(bytes(_product(_MDS, unit, 0x169)), "little") for unit in units]
    return tuple(tuple(words[place : place + 256]) for place in range(0, 1024, 256))


@lru_cache(maxsize=64)
def _schedule(key: bytes, rounds: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the words K and the vector S."""
    words = unpack(f"<{len(key) // 4}I", key)
    pieces = [key[at : at + 8] for at in range(0, len(key), 8)]
    s = tuple(int.from_bytes(bytes(_product(_RS, piece, 0x14D)), "little") for piece in reversed(pieces))
    keys: list[int] = []
    for i in range(rounds + 4):
        a = _h(2 * i * _RHO, words[0::2])
        b = _left(_h((2 * i + 1) * _RHO, words[1::2]), 8)
        keys += [(a + b) & _MASK, _left(a + 2 * b, 9)]
    return tuple(keys), s


def _f(r0: int, r1: int, number: int, keys: Sequence[int], s: tuple[int, ...]) -> tuple[int, int]:
    t0, t1 = _h(r0, s), _h(_left(r1, 8), s)
    return (t0 + t1 + keys[2 * number + 8]) & _MASK, (t0 + 2 * t1 + keys[2 * number + 9]) & _MASK


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 16 bytes; the key has 16, 24 or 32 bytes."""
    keys, s = _schedule(key, rounds)
    a, b, c, d = (x ^ k for x, k in zip(unpack("<4I", block), keys[:4], strict=True))
    for number in range(rounds):
        f0, f1 = _f(a, b, number, keys, s)
        a, b, c, d = _left(c ^ f0, 31), _left(d, 1) ^ f1, a, b
    return pack("<4I", *(x ^ k for x, k in zip((c, d, a, b), keys[4:8], strict=True)))


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    keys, s = _schedule(key, rounds)
    c, d, a, b = (x ^ k for x, k in zip(unpack("<4I", block), keys[4:8], strict=True))
    for number in range(rounds - 1, -1, -1):
        f0, f1 = _f(c, d, number, keys, s)
        a, b, c, d = c, d, _left(a, 1) ^ f0, _left(b ^ f1, 31)
    return pack("<4I", *(x ^ k for x, k in zip((a, b, c, d), keys[:4], strict=True)))
