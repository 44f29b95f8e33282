"""TREYFER, a second implementation from Yuval's paper (FSE 1997), with the S-box of FIPS 197.

Public implementations differ in the S-box. This one is computed here from its definition (inversion in
GF(2^8), then the affine map), not from a table.
"""

from __future__ import annotations


def _multiply(a: int, b: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def _substitute(x: int) -> int:
    inverse = next((y for y in range(256) if _multiply(x, y) == 1), 0)
    spread = inverse | inverse << 8
    return (spread ^ spread >> 4 ^ spread >> 5 ^ spread >> 6 ^ spread >> 7) & 0xFF ^ 0x63


_SBOX = tuple(_substitute(x) for x in range(256))


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 8 bytes."""
    x = list(block)
    for step in range(8 * rounds):
        here, there = step % 8, (step + 1) % 8
        t = (_SBOX[(x[here] + key[here]) & 0xFF] + x[there]) & 0xFF
        x[there] = (t << 1 | t >> 7) & 0xFF
    return bytes(x)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    x = list(block)
    for step in reversed(range(8 * rounds)):
        here, there = step % 8, (step + 1) % 8
        t = (x[there] >> 1 | x[there] << 7) & 0xFF
        x[there] = (t - _SBOX[(x[here] + key[here]) & 0xFF]) & 0xFF
    return bytes(x)
