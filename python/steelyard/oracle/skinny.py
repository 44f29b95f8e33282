"""SKINNY-64-128 and SKINNY-128-128, a second implementation from SKINNY v1.1, section 2.3.

Cells in a list, the layers one after the other as the paper draws them, the matrix written out.
"""

from __future__ import annotations

_S4 = (0xC, 0x6, 0x9, 0x0, 0x1, 0xA, 0x2, 0xB, 0x3, 0x8, 0x5, 0xD, 0x4, 0xE, 0x7, 0xF)
_PT = (9, 15, 8, 13, 10, 14, 12, 11, 0, 1, 2, 3, 4, 5, 6, 7)
_MIX = ((1, 0, 1, 1), (1, 0, 0, 0), (0, 1, 1, 0), (1, 0, 1, 0))
_UNMIX = ((0, 1, 0, 0), (0, 1, 1, 1), (0, 1, 0, 1), (1, 0, 0, 1))


def _s8(x: int) -> int:
    b = [x >> i & 1 for i in range(8)]
    for last in (False, False, False, True):
        b[4] ^= 1 - (b[7] | b[6])
        b[0] ^= 1 - (b[3] | b[2])
        order = (0, 2, 1, 3, 4, 5, 6, 7) if last else (5, 3, 0, 4, 6, 7, 1, 2)
        b = [b[i] for i in order]
    return sum(bit << i for i, bit in enumerate(b))


_SBOX = {4: _S4, 8: tuple(_s8(x) for x in range(256))}


def _cells(data: bytes, bits: int) -> list[int]:
    if bits == 8:
        return list(data)
    return [nibble for byte in data for nibble in (byte >> 4, byte & 0xF)]


def _joined(cells: list[int], bits: int) -> bytes:
    if bits == 8:
        return bytes(cells)
    return bytes(cells[i] << 4 | cells[i + 1] for i in range(0, 16, 2))


def _round_tweakeys(key: bytes, rounds: int, bits: int) -> list[list[int]]:
    """Return what each round adds to all sixteen cells, constants included."""
    size = 2 * bits
    words = [_cells(key[i : i + size], bits) for i in range(0, len(key), size)]
    constant = 0
    result = []
    for _ in range(rounds):
        constant = (constant << 1 & 0x3F) | (1 ^ constant >> 5 ^ constant >> 4 & 1)
        added = [0] * 16
        for word in words:
            added[:8] = [a ^ b for a, b in zip(added[:8], word[:8], strict=True)]
        added[0] ^= constant & 0xF
        added[4] ^= constant >> 4
        added[8] ^= 2
        result.append(added)
        words = [[word[i] for i in _PT] for word in words]
        for word in words[1:]:
            word[:8] = [(x << 1 & 0xE) | (x >> 3 ^ x >> 2 & 1) for x in word[:8]]
    return result


def _mixed(cells: list[int], matrix: tuple[tuple[int, ...], ...]) -> list[int]:
    result = [0] * 16
    for row in range(4):
        for column in range(4):
            for i in range(4):
                result[4 * row + column] ^= matrix[row][i] * cells[4 * i + column]
    return result


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 or 16 bytes with a key of 16 bytes."""
    bits = len(block) // 2
    cells = _cells(block, bits)
    for added in _round_tweakeys(key, rounds, bits):
        cells = [_SBOX[bits][x] ^ a for x, a in zip(cells, added, strict=True)]
        cells = [cells[4 * row + (column - row) % 4] for row in range(4) for column in range(4)]
        cells = _mixed(cells, _MIX)
    return _joined(cells, bits)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    bits = len(block) // 2
    sbox = _SBOX[bits]
    cells = _cells(block, bits)
    for added in reversed(_round_tweakeys(key, rounds, bits)):
        cells = _mixed(cells, _UNMIX)
        cells = [cells[4 * row + (column + row) % 4] for row in range(4) for column in range(4)]
        cells = [sbox.index(x ^ a) for x, a in zip(cells, added, strict=True)]
    return _joined(cells, bits)
