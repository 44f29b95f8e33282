"""MARS with the key schedule of AES round 2, a second implementation from the paper of September 1999.

The S-box is generated from SHA-1 as its designers did, not copied; the rounds work on a list that is rotated
after each of them, and the masks of the multiplication keys are found run by run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha1
from itertools import groupby
from struct import pack, unpack

_MASK = 0xFFFFFFFF
_SEED = (0xB7E15162, 0x243F6A88, 0x02917D59)
_TRIPLED = frozenset({17, 67, 76, 131, 147, 210, 297, 351, 420})
"""Entries that the designers multiplied by three, so that all differences of entries have two bytes."""


def _sbox() -> tuple[int, ...]:
    words: list[int] = []
    for i in range(0, 515, 5):
        words += unpack("<5I", sha1(pack("<4I", i, *_SEED), usedforsecurity=False).digest())
    return tuple(3 * word & _MASK if i in _TRIPLED else word for i, word in enumerate(words[:512]))


_S = _sbox()
_S0, _S1 = _S[:256], _S[256:]
_PATTERNS = _S[265:269]


def _left(word: int, count: int) -> int:
    count %= 32
    word &= _MASK
    return (word << count | word >> (32 - count)) & _MASK


def _byte(word: int, number: int) -> int:
    return word >> 8 * number & 255


def _inner_bits_of_runs(word: int) -> int:
    """Return bits 2 to 30 that equal both neighbours and lie in a run of at least ten equal bits."""
    mask = 0
    at = 0
    for _, run in groupby(f"{word:032b}"[::-1]):
        length = len(list(run))
        if length >= 10:
            for bit in range(max(at + 1, 2), min(at + length - 1, 31)):
                mask |= 1 << bit
        at += length
    return mask


@lru_cache(maxsize=128)
def _keys(key: bytes, rounds: int) -> tuple[int, ...]:
    count = len(key) // 4
    t = [*unpack(f"<{count}I", key), count, *[0] * (14 - count)]
    keys: list[int] = []
    for j in range(4):
        for i in range(15):
            t[i] ^= _left(t[i - 7] ^ t[i - 2], 3) ^ (4 * i + j)
        for _ in range(4):
            for i in range(15):
                t[i] = _left(t[i] + _S[t[i - 1] & 511], 9)
        keys += [t[4 * i % 15] for i in range(10)]
    for i in range(5, 5 + 2 * rounds, 2):
        word = keys[i] | 3
        pattern = _left(_PATTERNS[keys[i] & 3], keys[i - 1] & 31)
        keys[i] = word ^ (pattern & _inner_bits_of_runs(word))
    return tuple(keys)


def _expand(word: int, add: int, multiply: int) -> tuple[int, int, int]:
    """Apply the E-function; returns left, middle and right."""
    middle = (word + add) & _MASK
    right = _left(_left(word, 13) * multiply, 5)
    left = _S[middle & 511] ^ right
    middle = _left(middle, right & 31)
    right = _left(right, 5)
    return _left(left ^ right, right & 31), middle, right


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 16 bytes; the key has 16 to 56 bytes, a whole number of words."""
    keys = _keys(key, rounds)
    d = [(x + k) & _MASK for x, k in zip(unpack("<4I", block), keys[:4], strict=True)]
    for i in range(8):
        d[1] = (d[1] ^ _S0[_byte(d[0], 0)]) + _S1[_byte(d[0], 1)] & _MASK
        d[2] = d[2] + _S0[_byte(d[0], 2)] & _MASK
        d[3] ^= _S1[_byte(d[0], 3)]
        d[0] = _left(d[0], 8)
        if i in (0, 4):
            d[0] = d[0] + d[3] & _MASK
        if i in (1, 5):
            d[0] = d[0] + d[1] & _MASK
        d = _turned(d)
    for i in range(rounds):
        left, middle, right = _expand(d[0], keys[2 * i + 4], keys[2 * i + 5])
        sum_at, xor_at = (1, 3) if i < rounds // 2 else (3, 1)
        d[0] = _left(d[0], 13)
        d[2] = d[2] + middle & _MASK
        d[sum_at] = d[sum_at] + left & _MASK
        d[xor_at] ^= right
        d = _turned(d)
    for i in range(8):
        if i in (2, 6):
            d[0] = d[0] - d[3] & _MASK
        if i in (3, 7):
            d[0] = d[0] - d[1] & _MASK
        d[1] ^= _S1[_byte(d[0], 0)]
        d[2] = d[2] - _S0[_byte(d[0], 3)] & _MASK
        d[3] = (d[3] - _S1[_byte(d[0], 2)] & _MASK) ^ _S0[_byte(d[0], 1)]
        d[0] = _left(d[0], 24)
        d = _turned(d)
    return pack("<4I", *((x - k) & _MASK for x, k in zip(d, keys[-4:], strict=True)))


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    keys = _keys(key, rounds)
    d = [(x + k) & _MASK for x, k in zip(unpack("<4I", block), keys[-4:], strict=True)]
    for i in range(7, -1, -1):
        d = _turned_back(d)
        d[0] = _left(d[0], 8)
        d[3] = (d[3] ^ _S0[_byte(d[0], 1)]) + _S1[_byte(d[0], 2)] & _MASK
        d[2] = d[2] + _S0[_byte(d[0], 3)] & _MASK
        d[1] ^= _S1[_byte(d[0], 0)]
        if i in (3, 7):
            d[0] = d[0] + d[1] & _MASK
        if i in (2, 6):
            d[0] = d[0] + d[3] & _MASK
    for i in range(rounds - 1, -1, -1):
        d = _turned_back(d)
        d[0] = _left(d[0], 19)
        left, middle, right = _expand(d[0], keys[2 * i + 4], keys[2 * i + 5])
        sum_at, xor_at = (1, 3) if i < rounds // 2 else (3, 1)
        d[xor_at] ^= right
        d[sum_at] = d[sum_at] - left & _MASK
        d[2] = d[2] - middle & _MASK
    for i in range(7, -1, -1):
        d = _turned_back(d)
        if i in (1, 5):
            d[0] = d[0] - d[1] & _MASK
        if i in (0, 4):
            d[0] = d[0] - d[3] & _MASK
        d[0] = _left(d[0], 24)
        d[3] ^= _S1[_byte(d[0], 3)]
        d[2] = d[2] - _S0[_byte(d[0], 2)] & _MASK
        d[1] = (d[1] - _S1[_byte(d[0], 1)] & _MASK) ^ _S0[_byte(d[0], 0)]
    return pack("<4I", *((x - k) & _MASK for x, k in zip(d, keys[:4], strict=True)))


def _turned(d: Sequence[int]) -> list[int]:
    return [*d[1:], d[0]]


def _turned_back(d: Sequence[int]) -> list[int]:
    return [d[-1], *d[:-1]]
