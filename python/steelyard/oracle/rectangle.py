"""RECTANGLE with keys of 80 and 128 bits, a second implementation from Zhang et al., IACR ePrint 2014/084:
column by column through the S-box's table."""

from __future__ import annotations

_SBOX = (0x6, 0x5, 0xC, 0xA, 0x1, 0xE, 0x7, 0x9, 0xB, 0x0, 0x3, 0xD, 0x8, 0xF, 0x4, 0x2)
_INVERSE = tuple(_SBOX.index(x) for x in range(16))
_SHIFTS = (0, 1, 12, 13)


def _left(x: int, n: int, bits: int) -> int:
    n %= bits
    return (x << n | x >> bits - n) & (1 << bits) - 1


def _rows(data: bytes, size: int) -> list[int]:
    return [int.from_bytes(data[i : i + size], "big") for i in range(0, len(data), size)]


def _columns(rows: list[int], sbox: tuple[int, ...], count: int) -> list[int]:
    """Substitute the lowest `count` columns of the first four rows."""
    result = list(rows)
    for j in range(count):
        value = sbox[sum((rows[i] >> j & 1) << i for i in range(4))]
        for i in range(4):
            result[i] = result[i] & ~(1 << j) | (value >> i & 1) << j
    return result


def _round_keys(key: bytes, rounds: int) -> list[list[int]]:
    v = _rows(key, 2 if len(key) == 10 else 4)
    constant = 1
    keys = [[row & 0xFFFF for row in v[:4]]]
    for _ in range(rounds):
        if len(v) == 5:
            v = _columns(v, _SBOX, 4)
            v = [_left(v[0], 8, 16) ^ v[1], v[2], v[3], _left(v[3], 12, 16) ^ v[4], v[0]]
        else:
            v = _columns(v, _SBOX, 8)
            v = [_left(v[0], 8, 32) ^ v[1], v[2], _left(v[2], 16, 32) ^ v[3], v[0]]
        v[0] ^= constant
        constant = constant << 1 & 0x1F | (constant >> 4 ^ constant >> 2) & 1
        keys.append([row & 0xFFFF for row in v[:4]])
    return keys


def _add(rows: list[int], key: list[int]) -> list[int]:
    return [a ^ b for a, b in zip(rows, key, strict=True)]


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 10 or 16 bytes."""
    *keys, last = _round_keys(key, rounds)
    rows = _rows(block, 2)
    for k in keys:
        rows = _columns(_add(rows, k), _SBOX, 16)
        rows = [_left(row, n, 16) for row, n in zip(rows, _SHIFTS, strict=True)]
    return b"".join(row.to_bytes(2, "big") for row in _add(rows, last))


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    *keys, last = _round_keys(key, rounds)
    rows = _add(_rows(block, 2), last)
    for k in reversed(keys):
        rows = [_left(row, -n, 16) for row, n in zip(rows, _SHIFTS, strict=True)]
        rows = _add(_columns(rows, _INVERSE, 16), k)
    return b"".join(row.to_bytes(2, "big") for row in rows)
