"""GIFT-64 and GIFT-128, a second implementation from Banik et al., CHES 2017, on integers bit by
bit.
"""

from __future__ import annotations

_SBOX = (0x1, 0xA, 0x4, 0xC, 0x6, 0xF, 0x3, 0x9, 0x2, 0xD, 0xB, 0x7, 0x5, 0x0, 0x8, 0xE)


def _place(bit: int, bits: int) -> int:
    quarter = (3 * (bit % 16 // 4) + bit % 4) % 4
    return 4 * (bit // 16) + bits // 4 * quarter + bit % 4


def _right(x: int, n: int) -> int:
    return (x >> n | x << 16 - n) & 0xFFFF


def _round_keys(key: bytes, rounds: int, bits: int) -> list[int]:
    """Return what each round adds to the state, constants included."""
    k = [int.from_bytes(key[14 - 2 * i : 16 - 2 * i], "big") for i in range(8)]
    constant = 0
    result = []
    for _ in range(rounds):
        if bits == 64:
            u, v, shift = k[1], k[0], 0
        else:
            u, v, shift = k[5] << 16 | k[4], k[1] << 16 | k[0], 1
        constant = (constant << 1 & 0x3F) | (1 ^ constant >> 5 ^ constant >> 4 & 1)
        added = 1 << bits - 1
        for i in range(6):
            added ^= (constant >> i & 1) << 4 * i + 3
        for i in range(bits // 4):
            added ^= (v >> i & 1) << 4 * i + shift
            added ^= (u >> i & 1) << 4 * i + shift + 1
        result.append(added)
        k = [*k[2:], _right(k[0], 12), _right(k[1], 2)]
    return result


def _substitute(state: int, sbox: tuple[int, ...], bits: int) -> int:
    return sum(sbox[state >> at & 0xF] << at for at in range(0, bits, 4))


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 or 16 bytes with a key of 16 bytes."""
    bits = 8 * len(block)
    state = int.from_bytes(block, "big")
    for added in _round_keys(key, rounds, bits):
        state = _substitute(state, _SBOX, bits)
        state = sum((state >> bit & 1) << _place(bit, bits) for bit in range(bits)) ^ added
    return state.to_bytes(len(block), "big")


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    bits = 8 * len(block)
    inverse = tuple(_SBOX.index(x) for x in range(16))
    state = int.from_bytes(block, "big")
    for added in reversed(_round_keys(key, rounds, bits)):
        state ^= added
        state = sum((state >> _place(bit, bits) & 1) << bit for bit in range(bits))
        state = _substitute(state, inverse, bits)
    return state.to_bytes(len(block), "big")
