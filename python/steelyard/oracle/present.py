"""PRESENT with keys of 80 and 128 bits, a second implementation from Bogdanov et al., CHES 2007.

State and key register are integers.
"""

from __future__ import annotations

from functools import lru_cache

_SBOX = (0xC, 0x5, 0x6, 0xB, 0x9, 0x0, 0xA, 0xD, 0x3, 0xE, 0xF, 0x8, 0x4, 0x7, 0x1, 0x2)


@lru_cache(maxsize=256)
def _round_keys(key: bytes, rounds: int) -> tuple[int, ...]:
    bits = 8 * len(key)
    register = int.from_bytes(key, "big")
    keys = [register >> bits - 64]
    for counter in range(1, rounds + 1):
        register = (register << 61 | register >> bits - 61) & (1 << bits) - 1
        top = [bits - 4] if bits == 80 else [bits - 4, bits - 8]
        for at in top:
            nibble = register >> at & 0xF
            register ^= (nibble ^ _SBOX[nibble]) << at
        register ^= counter << (15 if bits == 80 else 62)
        keys.append(register >> bits - 64)
    return tuple(keys)


def _substitute(state: int, sbox: tuple[int, ...]) -> int:
    return sum(sbox[state >> at & 0xF] << at for at in range(0, 64, 4))


def _place(bit: int) -> int:
    return bit * 16 % 63 if bit < 63 else 63


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 10 or 16 bytes."""
    *keys, last = _round_keys(key, rounds)
    state = int.from_bytes(block, "big")
    for k in keys:
        state = _substitute(state ^ k, _SBOX)
        state = sum((state >> bit & 1) << _place(bit) for bit in range(64))
    return (state ^ last).to_bytes(8, "big")


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    inverse = tuple(_SBOX.index(x) for x in range(16))
    *keys, last = _round_keys(key, rounds)
    state = int.from_bytes(block, "big") ^ last
    for k in reversed(keys):
        state = sum((state >> _place(bit) & 1) << bit for bit in range(64))
        state = _substitute(state, inverse) ^ k
    return state.to_bytes(8, "big")
