"""SIMON with all block and key sizes, a second implementation from Beaulieu et al., sections 3.1 and 3.2.

Integers of any width, all round keys in a list, the constant sequences as the paper prints them; the byte
order is the one of the designers' implementation guide (little-endian words, the second word of a pair
first).
"""

from __future__ import annotations

from functools import lru_cache

_Z = (
    "11111010001001010110000111001101111101000100101011000011100110",
    "10001110111110010011000010110101000111011111001001100001011010",
    "10101111011100000011010010011000101000010001111110010110110011",
    "11011011101011000110010111100000010010001010011100110100001111",
    "11010001111001101011011000100000010111000011001010010011101111",
)
_SEQUENCE = {
    (32, 64): 0,
    (48, 72): 0,
    (48, 96): 1,
    (64, 96): 2,
    (64, 128): 3,
    (96, 96): 2,
    (96, 144): 3,
    (128, 128): 2,
    (128, 192): 3,
    (128, 256): 4,
}


def _left(x: int, n: int, bits: int) -> int:
    n %= bits
    return (x << n | x >> (bits - n)) & ((1 << bits) - 1)


def _f(x: int, bits: int) -> int:
    return _left(x, 1, bits) & _left(x, 8, bits) ^ _left(x, 2, bits)


@lru_cache(maxsize=256)
def _round_keys(key: bytes, rounds: int, bits: int) -> tuple[int, ...]:
    size = bits // 8
    keys = [int.from_bytes(key[i : i + size], "little") for i in range(0, len(key), size)]
    count = len(keys)
    z = _Z[_SEQUENCE[2 * bits, 8 * len(key)]]
    for i in range(rounds - count):
        t = _left(keys[-1], -3, bits)
        if count == 4:
            t ^= keys[-3]
        t ^= _left(t, -1, bits)
        keys.append((1 << bits) - 4 ^ int(z[i % 62]) ^ keys[i] ^ t)
    return tuple(keys)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 4, 6, 8, 12 or 16 bytes; the key has two to four words of half a block."""
    size = len(block) // 2
    y, x = int.from_bytes(block[:size], "little"), int.from_bytes(block[size:], "little")
    for k in _round_keys(key, rounds, 8 * size):
        x, y = y ^ _f(x, 8 * size) ^ k, x
    return y.to_bytes(size, "little") + x.to_bytes(size, "little")


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    size = len(block) // 2
    y, x = int.from_bytes(block[:size], "little"), int.from_bytes(block[size:], "little")
    for k in reversed(_round_keys(key, rounds, 8 * size)):
        x, y = y, x ^ _f(y, 8 * size) ^ k
    return y.to_bytes(size, "little") + x.to_bytes(size, "little")
