"""RC5 with 32-bit words, a second implementation from RFC 2040 sections 5 and 6 and Rivest's paper.

Written for clarity and unlike the C code (integers, no state in place), so that the two do not share a
misreading; published vectors and Crypto++ test both.
"""

from __future__ import annotations

from functools import lru_cache

_MASK = 0xFFFFFFFF
_WORD_BYTES = 4


def _rotate_left(word: int, count: int) -> int:
    count %= 32
    return (word << count | word >> (32 - count)) & _MASK


@lru_cache(maxsize=256)
def _table(key: bytes, rounds: int) -> tuple[int, ...]:
    """Expand the key (RFC 2040, section 5): zero-filled words mixed three times into the progression."""
    count = max(1, -(-len(key) // _WORD_BYTES))
    padded = key.ljust(count * _WORD_BYTES, b"\0")
    words = [int.from_bytes(padded[4 * i : 4 * i + 4], "little") for i in range(count)]
    table = [(0xB7E15163 + i * 0x9E3779B9) & _MASK for i in range(2 * rounds + 2)]
    a = b = 0
    for step in range(3 * max(len(table), count)):
        i, j = step % len(table), step % count
        a = table[i] = _rotate_left((table[i] + a + b) & _MASK, 3)
        b = words[j] = _rotate_left((words[j] + a + b) & _MASK, a + b)
    return tuple(table)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes; the key has 0 to 255 bytes."""
    table = _table(key, rounds)
    a = (int.from_bytes(block[:4], "little") + table[0]) & _MASK
    b = (int.from_bytes(block[4:], "little") + table[1]) & _MASK
    for i in range(1, rounds + 1):
        a = (_rotate_left(a ^ b, b) + table[2 * i]) & _MASK
        b = (_rotate_left(b ^ a, a) + table[2 * i + 1]) & _MASK
    return a.to_bytes(4, "little") + b.to_bytes(4, "little")


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    table = _table(key, rounds)
    a = int.from_bytes(block[:4], "little")
    b = int.from_bytes(block[4:], "little")
    for i in range(rounds, 0, -1):
        b = _rotate_left((b - table[2 * i + 1]) & _MASK, -a) ^ a
        a = _rotate_left((a - table[2 * i]) & _MASK, -b) ^ b
    return ((a - table[0]) & _MASK).to_bytes(4, "little") + ((b - table[1]) & _MASK).to_bytes(4, "little")
