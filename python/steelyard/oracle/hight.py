"""HIGHT, a second implementation from Hong et al., CHES 2006, section 2, on lists indexed as in the paper;
P_0 and MK_0 are the first bytes of block and key.
"""

from __future__ import annotations

from functools import lru_cache


def _left(x: int, n: int) -> int:
    return (x << n | x >> (8 - n)) & 0xFF


def _f0(x: int) -> int:
    return _left(x, 1) ^ _left(x, 2) ^ _left(x, 7)


def _f1(x: int) -> int:
    return _left(x, 3) ^ _left(x, 4) ^ _left(x, 6)


@lru_cache(maxsize=256)
def _subkeys(key: bytes, rounds: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return whitening keys and subkeys."""
    mk = key
    bits = [0, 1, 0, 1, 1, 0, 1]
    for i in range(7, 4 * rounds + 7):
        bits.append(bits[i - 4] ^ bits[i - 7])
    deltas = [sum(bits[i + j] << j for j in range(7)) for i in range(4 * rounds)]
    subkeys = [0] * (4 * rounds)
    for i in range(8):
        for j in range(8):
            subkeys[16 * i + j] = (mk[(j - i) % 8] + deltas[16 * i + j]) & 0xFF
            subkeys[16 * i + j + 8] = (mk[(j - i) % 8 + 8] + deltas[16 * i + j + 8]) & 0xFF
    return tuple(mk[12:16] + mk[0:4]), tuple(subkeys)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 16 bytes."""
    wk, sk = _subkeys(key, rounds)
    p = block
    x = [p[0] + wk[0] & 0xFF, p[1], p[2] ^ wk[1], p[3], p[4] + wk[2] & 0xFF, p[5], p[6] ^ wk[3], p[7]]
    for i in range(1, rounds + 1):
        x = [
            x[7] ^ (_f0(x[6]) + sk[4 * i - 1] & 0xFF),
            x[0],
            x[1] + (_f1(x[0]) ^ sk[4 * i - 4]) & 0xFF,
            x[2],
            x[3] ^ (_f0(x[2]) + sk[4 * i - 3] & 0xFF),
            x[4],
            x[5] + (_f1(x[4]) ^ sk[4 * i - 2]) & 0xFF,
            x[6],
        ]
    c = [x[1] + wk[4] & 0xFF, x[2], x[3] ^ wk[5], x[4], x[5] + wk[6] & 0xFF, x[6], x[7] ^ wk[7], x[0]]
    return bytes(c)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    wk, sk = _subkeys(key, rounds)
    c = block
    x = [c[7], c[0] - wk[4] & 0xFF, c[1], c[2] ^ wk[5], c[3], c[4] - wk[6] & 0xFF, c[5], c[6] ^ wk[7]]
    for i in range(rounds, 0, -1):
        even = [x[1], x[3], x[5], x[7]]
        x = [
            even[0],
            x[2] - (_f1(even[0]) ^ sk[4 * i - 4]) & 0xFF,
            even[1],
            x[4] ^ (_f0(even[1]) + sk[4 * i - 3] & 0xFF),
            even[2],
            x[6] - (_f1(even[2]) ^ sk[4 * i - 2]) & 0xFF,
            even[3],
            x[0] ^ (_f0(even[3]) + sk[4 * i - 1] & 0xFF),
        ]
    p = [x[0] - wk[0] & 0xFF, x[1], x[2] ^ wk[1], x[3], x[4] - wk[2] & 0xFF, x[5], x[6] ^ wk[3], x[7]]
    return bytes(p)
