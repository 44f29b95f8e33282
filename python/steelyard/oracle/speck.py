"""SPECK with all block and key sizes, a second implementation from Beaulieu et al., sections 4.1 and 4.2.

Integers of any width instead of the C code's words and bytes; the byte order is the one of the designers'
implementation guide (little-endian words, the second word of a pair first).
"""

from __future__ import annotations

from functools import lru_cache


class _Word:
    """Arithmetic modulo 2^bits with the rotation amounts for that size."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.mask = (1 << bits) - 1
        self.alpha, self.beta = (7, 2) if bits == 16 else (8, 3)

    def left(self, x: int, n: int) -> int:
        return (x << n | x >> (self.bits - n)) & self.mask

    def forward(self, x: int, y: int, k: int) -> tuple[int, int]:
        x = (self.left(x, self.bits - self.alpha) + y & self.mask) ^ k
        return x, self.left(y, self.beta) ^ x

    def back(self, x: int, y: int, k: int) -> tuple[int, int]:
        y = self.left(x ^ y, self.bits - self.beta)
        return self.left(((x ^ k) - y) & self.mask, self.alpha), y


def _words(data: bytes, size: int) -> list[int]:
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]


@lru_cache(maxsize=256)
def _round_keys(key: bytes, rounds: int, word_bytes: int) -> tuple[int, ...]:
    word = _Word(8 * word_bytes)
    first, *ell = _words(key, word_bytes)
    round_keys = [first]
    for i in range(rounds - 1):
        x, k = word.forward(ell[i], round_keys[i], i)
        ell.append(x)
        round_keys.append(k)
    return tuple(round_keys)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 4, 6, 8, 12 or 16 bytes; the key has two to four words of half a block."""
    size = len(block) // 2
    y, x = _words(block, size)
    for k in _round_keys(key, rounds, size):
        x, y = _Word(8 * size).forward(x, y, k)
    return y.to_bytes(size, "little") + x.to_bytes(size, "little")


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    size = len(block) // 2
    y, x = _words(block, size)
    for k in reversed(_round_keys(key, rounds, size)):
        x, y = _Word(8 * size).back(x, y, k)
    return y.to_bytes(size, "little") + x.to_bytes(size, "little")
