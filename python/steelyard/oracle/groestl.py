"""Grøstl-256 and Grøstl-512, a second implementation from the Grøstl specification (2 March 2011).

The S-box is computed and MixBytes is a matrix product by a table of multiples, unlike the C code; published
vectors are the tests of both.
"""

from __future__ import annotations

from functools import cache

_ROW = (2, 2, 3, 4, 5, 3, 5, 7)
_SHIFTS = {
    (64, False): (0, 1, 2, 3, 4, 5, 6, 7),
    (64, True): (1, 3, 5, 7, 0, 2, 4, 6),
    (128, False): (0, 1, 2, 3, 4, 5, 6, 11),
    (128, True): (1, 3, 5, 11, 0, 2, 4, 6),
}


def _product(a: int, b: int) -> int:
    """Multiply in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1."""
    result = 0
    while b:
        if b & 1:
            result ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return result


@cache
def _sbox() -> bytes:
    """Return the AES S-box: inversion and an affine map."""
    box = []
    for value in range(256):
        inverse = next((x for x in range(256) if _product(value, x) == 1), 0)
        image = 0x63
        for turn in range(5):
            image ^= (inverse << turn | inverse >> (8 - turn)) & 0xFF
        box.append(image)
    return bytes(box)


@cache
def _contributions() -> list[list[int]]:
    """Return what the substituted byte in each row of a column adds to the whole column (row 0 lowest)."""
    box = _sbox()
    return [
        [
            sum(_product(box[value], _ROW[(source - row) % 8]) << 8 * row for row in range(8))
            for value in range(256)
        ]
        for source in range(8)
    ]


def _permute(state: bytes, second: bool) -> bytes:
    """Apply P, or Q with `second`, to 64 or 128 bytes."""
    columns = len(state) // 8
    shifts = _SHIFTS[len(state), second]
    table = _contributions()
    for number in range(10 if columns == 8 else 14):
        added = bytearray(state)
        for column in range(columns):
            if second:
                for row in range(8):
                    added[8 * column + row] ^= 0xFF
                added[8 * column + 7] ^= column << 4 ^ number
            else:
                added[8 * column] ^= column << 4 ^ number
        out = b""
        for column in range(columns):
            total = 0
            for row in range(8):
                total ^= table[row][added[8 * ((column + shifts[row]) % columns) + row]]
            out += total.to_bytes(8, "little")
        state = out
    return state


def _add(*terms: bytes) -> bytes:
    total = 0
    for term in terms:
        total ^= int.from_bytes(term, "big")
    return total.to_bytes(len(terms[0]), "big")


def groestl(digest_bytes: int, data: bytes) -> bytes:
    """Return the hash of 32 or 64 bytes."""
    size = 64 if digest_bytes <= 32 else 128
    value = (8 * digest_bytes).to_bytes(size, "big")
    zeros = -(len(data) + 9) % size
    blocks = (len(data) + 9 + zeros) // size
    padded = data + b"\x80" + bytes(zeros) + blocks.to_bytes(8, "big")
    for at in range(0, len(padded), size):
        block = padded[at : at + size]
        value = _add(_permute(_add(value, block), False), _permute(block, True), value)
    return _add(_permute(value, False), value)[-digest_bytes:]
