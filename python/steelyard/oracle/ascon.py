"""Ascon-Hash256, a second implementation from NIST SP 800-232.

The S-box is computed from its algebraic normal form, not by the sequence of instructions that the C code
follows; published vectors are the tests of both.
"""

from __future__ import annotations

_TURNS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
_INITIAL = 0x0000080100CC0002
_MASK = (1 << 64) - 1


def _turn_right(word: int, count: int) -> int:
    return (word >> count | word << (64 - count)) & _MASK


def _permute(words: list[int]) -> list[int]:
    """Apply twelve rounds to five words."""
    for step in range(12):
        a, b, c, d, e = words
        c ^= (15 - step) << 4 | step
        words = [
            e & b ^ d ^ c & b ^ c ^ b & a ^ b ^ a,
            e ^ d & c ^ d & b ^ d ^ c & b ^ c ^ b ^ a,
            e & d ^ e ^ c ^ b ^ _MASK,
            e & a ^ e ^ d & a ^ d ^ c ^ b ^ a,
            e & b ^ e ^ d ^ b & a ^ b,
        ]
        words = [
            word ^ _turn_right(word, first) ^ _turn_right(word, second)
            for word, (first, second) in zip(words, _TURNS, strict=True)
        ]
    return words


def hash256(data: bytes) -> bytes:
    """Return the 32-byte hash."""
    words = _permute([_INITIAL, 0, 0, 0, 0])
    padded = data + b"\1" + bytes(7 - len(data) % 8)
    for at in range(0, len(padded), 8):
        words[0] ^= int.from_bytes(padded[at : at + 8], "little")
        words = _permute(words)
    out = b""
    for _ in range(3):
        out += words[0].to_bytes(8, "little")
        words = _permute(words)
    return out + words[0].to_bytes(8, "little")
