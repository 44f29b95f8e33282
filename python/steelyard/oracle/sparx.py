"""SPARX-64/128, a second implementation from Dinu et al., Asiacrypt 2016, section 4: words in little-endian
order, the key state moved as the paper draws it.
"""

from __future__ import annotations

from struct import pack, unpack


def _left(x: int, n: int) -> int:
    return (x << n | x >> 16 - n) & 0xFFFF


def _a(x: int, y: int) -> tuple[int, int]:
    x = _left(x, 9) + y & 0xFFFF
    return x, _left(y, 2) ^ x


def _unmixed(x: int, y: int) -> tuple[int, int]:
    """Apply the inverse of A."""
    y = _left(x ^ y, 14)
    return _left(x - y & 0xFFFF, 7), y


def _linear(x: int, y: int) -> tuple[int, int]:
    t = _left(x ^ y, 8)
    return x ^ t, y ^ t


def _key_states(key: bytes, count: int) -> list[list[int]]:
    k = list(unpack("<8H", key))
    states = [k]
    for counter in range(1, count):
        k0, k1 = _a(k[0], k[1])
        k = [k[6], k[7] + counter & 0xFFFF, k0, k1, k[2] + k0 & 0xFFFF, k[3] + k1 & 0xFFFF, k[4], k[5]]
        states.append(k)
    return states


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 16 bytes; a step has three rounds."""
    steps = rounds // 3
    *states, last = _key_states(key, 2 * steps + 1)
    x = list(unpack("<4H", block))
    for step in range(steps):
        for branch in (0, 1):
            k = states[2 * step + branch]
            a, b = x[2 * branch : 2 * branch + 2]
            for i in (0, 2, 4):
                a, b = _a(a ^ k[i], b ^ k[i + 1])
            x[2 * branch : 2 * branch + 2] = a, b
        a, b = _linear(x[0], x[1])
        x = [x[2] ^ a, x[3] ^ b, x[0], x[1]]
    return pack("<4H", *(word ^ k for word, k in zip(x, last[:4], strict=True)))


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    steps = rounds // 3
    *states, last = _key_states(key, 2 * steps + 1)
    x = [word ^ k for word, k in zip(unpack("<4H", block), last[:4], strict=True)]
    for step in reversed(range(steps)):
        a, b = _linear(x[2], x[3])
        x = [x[2], x[3], x[0] ^ a, x[1] ^ b]
        for branch in (0, 1):
            k = states[2 * step + branch]
            a, b = x[2 * branch : 2 * branch + 2]
            for i in (4, 2, 0):
                a, b = _unmixed(a, b)
                a, b = a ^ k[i], b ^ k[i + 1]
            x[2 * branch : 2 * branch + 2] = a, b
    return pack("<4H", *x)
