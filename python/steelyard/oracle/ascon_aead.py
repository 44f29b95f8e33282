"""Ascon-AEAD128, a second implementation from NIST SP 800-232.

The S-box is the truth table of section 3.3, minterm by minterm, whereas the measured code computes it by the
circuit; the message is padded as a whole.
"""

from __future__ import annotations

from steelyard.oracle.sliced import sliced

PROVENANCE = "second implementation in Python from NIST SP 800-232"

_MASK = (1 << 64) - 1
_BOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")
_ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
_CONSTANTS = (0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B)
_INITIAL = 0x00001000808C0001


_SUBSTITUTION = sliced(_BOX, _MASK)


def _substitute(state: list[int]) -> list[int]:
    """Substitute all 64 columns; the first word holds the highest bit of each."""
    return _SUBSTITUTION(state[::-1])[::-1]


def _permute(state: list[int], rounds: int) -> list[int]:
    for constant in _CONSTANTS[12 - rounds :]:
        state = _substitute([*state[:2], state[2] ^ constant, *state[3:]])
        state = [
            word ^ (word >> one | word << (64 - one)) & _MASK ^ (word >> two | word << (64 - two)) & _MASK
            for word, (one, two) in zip(state, _ROTATIONS, strict=True)
        ]
    return state


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]


def _padded(data: bytes) -> list[int]:
    return _words(data + b"\x01" + bytes(15 - len(data) % 16))


def seal(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return ciphertext and tag (SP 800-232, section 4.1.1)."""
    first, second = _words(key)
    state = _permute([_INITIAL, first, second, *_words(nonce)], 12)
    state = [*state[:3], state[3] ^ first, state[4] ^ second]
    if ad:
        padded = _padded(ad)
        for at in range(0, len(padded), 2):
            state = _permute([state[0] ^ padded[at], state[1] ^ padded[at + 1], *state[2:]], 8)
    state[4] ^= 1 << 63
    padded = _padded(data)
    out = b""
    for at in range(0, len(padded), 2):
        if at > 0:
            state = _permute(state, 8)
        state = [state[0] ^ padded[at], state[1] ^ padded[at + 1], *state[2:]]
        out += state[0].to_bytes(8, "little") + state[1].to_bytes(8, "little")
    state = _permute([*state[:2], state[2] ^ first, state[3] ^ second, state[4]], 12)
    tag = (state[3] ^ first).to_bytes(8, "little") + (state[4] ^ second).to_bytes(8, "little")
    return out[: len(data)] + tag
