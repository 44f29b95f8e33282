"""SipHash-2-4, a second implementation from the paper, section 2."""

from __future__ import annotations

PROVENANCE = "second implementation in Python from the SipHash paper"

_MASK = (1 << 64) - 1


def _rotate_left(word: int, count: int) -> int:
    return (word << count | word >> (64 - count)) & _MASK


def _round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a, c = (a + b) & _MASK, (c + d) & _MASK
    b, d = _rotate_left(b, 13) ^ a, _rotate_left(d, 16) ^ c
    a = _rotate_left(a, 32)
    c, a = (c + b) & _MASK, (a + d) & _MASK
    b, d = _rotate_left(b, 17) ^ c, _rotate_left(d, 21) ^ a
    return a, b, _rotate_left(c, 32), d


def tag(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return the tag of eight bytes; nonce and associated data are ignored."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    constants = b"somepseudorandomlygeneratedbytes"
    words = [int.from_bytes(constants[at : at + 8], "big") for at in range(0, 32, 8)]
    state = (words[0] ^ k0, words[1] ^ k1, words[2] ^ k0, words[3] ^ k1)
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        state = (*state[:3], state[3] ^ word)
        state = _round(*_round(*state))
        state = (state[0] ^ word, *state[1:])
    state = (state[0], state[1], state[2] ^ 0xFF, state[3])
    for _ in range(4):
        state = _round(*state)
    return (state[0] ^ state[1] ^ state[2] ^ state[3]).to_bytes(8, "little")
