"""Skein-256-256 and Skein-512-512, a second implementation from the Skein 1.3 specification.

Chaining values are computed from the configuration block and words are permuted one by one, as the
specification writes it; published vectors are the tests of this and of the C code.
"""

from __future__ import annotations

_MASK = (1 << 64) - 1
_PARITY = 0x1BD11BDAA9FC1A22
_ROTATIONS = {
    4: ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32)),
    8: (
        (46, 36, 19, 37),
        (33, 27, 14, 42),
        (17, 49, 36, 39),
        (44, 9, 54, 56),
        (39, 30, 34, 24),
        (13, 50, 10, 17),
        (25, 29, 39, 43),
        (8, 35, 56, 22),
    ),
}
_PERMUTATIONS = {4: (0, 3, 2, 1), 8: (2, 1, 4, 7, 6, 5, 0, 3)}
_CONFIGURATION, _MESSAGE, _OUTPUT = 4, 48, 63


def _threefish(key: list[int], tweak: int, plain: list[int]) -> list[int]:
    """Apply 72 rounds to four or eight words."""
    count = len(key)
    parity = _PARITY
    for word in key:
        parity ^= word
    extended = [*key, parity]
    low, high = tweak & _MASK, tweak >> 64
    tweaks = (low, high, low ^ high)
    state = list(plain)
    for number in range(73):
        if number % 4 == 0:
            step = number // 4
            subkey = [extended[(step + at) % (count + 1)] for at in range(count)]
            subkey[count - 3] += tweaks[step % 3]
            subkey[count - 2] += tweaks[(step + 1) % 3]
            subkey[count - 1] += step
            state = [(word + add) & _MASK for word, add in zip(state, subkey, strict=True)]
        if number == 72:
            break
        for at, turn in enumerate(_ROTATIONS[count][number % 8]):
            first, second = state[2 * at], state[2 * at + 1]
            first = (first + second) & _MASK
            second = (second << turn | second >> (64 - turn)) & _MASK ^ first
            state[2 * at : 2 * at + 2] = first, second
        state = [state[at] for at in _PERMUTATIONS[count]]
    return state


def _chain(value: list[int], data: bytes, kind: int) -> list[int]:
    """Apply unique block iteration (UBI) to a string of bytes."""
    size = 8 * len(value)
    starts = range(0, max(len(data), 1), size)
    for start in starts:
        padded = data[start : start + size].ljust(size, b"\0")
        block = [int.from_bytes(padded[at : at + 8], "little") for at in range(0, size, 8)]
        first, final = start == 0, start == starts[-1]
        tweak = min(start + size, len(data)) | kind << 120 | first << 126 | final << 127
        value = [a ^ b for a, b in zip(_threefish(value, tweak, block), block, strict=True)]
    return value


def skein(block_bytes: int, digest_bytes: int, data: bytes) -> bytes:
    """Return the hash with that state size (32 or 64 bytes), up to one block long."""
    configuration = b"SHA3" + (1).to_bytes(4, "little") + (8 * digest_bytes).to_bytes(8, "little") + bytes(16)
    value = _chain([0] * (block_bytes // 8), configuration, _CONFIGURATION)
    value = _chain(value, data, _MESSAGE)
    value = _chain(value, bytes(8), _OUTPUT)
    return b"".join(word.to_bytes(8, "little") for word in value)[:digest_bytes]
