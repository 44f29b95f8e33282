"""Chaskey-12, a second implementation from the paper and its status update: the block as one big integer."""

from __future__ import annotations

PROVENANCE = "second implementation in Python from the Chaskey paper"

_MASK = 0xFFFFFFFF
_ROUNDS = 12


def _rotate_left(word: int, count: int) -> int:
    return (word << count | word >> (32 - count)) & _MASK


def _permute(block: int) -> int:
    a, b, c, d = (block >> shift & _MASK for shift in (0, 32, 64, 96))
    for _ in range(_ROUNDS):
        a, c = (a + b) & _MASK, (c + d) & _MASK
        b, d = _rotate_left(b, 5) ^ a, _rotate_left(d, 8) ^ c
        a = _rotate_left(a, 16)
        a, c = (a + d) & _MASK, (c + b) & _MASK
        b, d = _rotate_left(b, 7) ^ c, _rotate_left(d, 13) ^ a
        c = _rotate_left(c, 16)
    return a | b << 32 | c << 64 | d << 96


def _double(value: int) -> int:
    value <<= 1
    return value ^ (1 << 128 | 0x87) if value >> 128 else value


def tag(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return the tag of sixteen bytes; nonce and associated data are ignored."""
    number = int.from_bytes(key, "little")
    last = (len(data) - 1) // 16 * 16 if data else 0
    state = number
    for at in range(0, last, 16):
        state = _permute(state ^ int.from_bytes(data[at : at + 16], "little"))
    final = data[last:]
    subkey = _double(number)
    if len(final) < 16:
        subkey = _double(subkey)
        final += b"\x01"
    state = _permute(state ^ int.from_bytes(final, "little") ^ subkey) ^ subkey
    return state.to_bytes(16, "little")
