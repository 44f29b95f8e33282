"""Trivium, a second implementation from the eSTREAM specification (De Cannière and Preneel).

It computes one bit at a time with the state as three lists of bits, unlike the C code, which computes many at
once; published vectors test both. Bytes are ordered as in the eSTREAM vectors: key and IV start with their
last byte and each byte with its highest bit; the first bit of the key stream is the lowest of its byte.
"""

from __future__ import annotations

from collections import deque

_LENGTHS = (93, 84, 111)
_SETUP_STEPS = 4 * 288


def _bits(data: bytes) -> list[int]:
    return [byte >> at & 1 for byte in reversed(data) for at in range(7, -1, -1)]


class _Generator:
    def __init__(self, key: bytes, iv: bytes) -> None:
        contents = (_bits(key), _bits(iv), [0] * 108 + [1] * 3)
        self._registers = [
            deque(bits + [0] * (length - len(bits)), maxlen=length)
            for bits, length in zip(contents, _LENGTHS, strict=True)
        ]
        for _ in range(_SETUP_STEPS):
            self.bit()

    def bit(self) -> int:
        """Return the next bit; a[0] to c[110] are s1 to s288 of the specification."""
        a, b, c = self._registers
        t1, t2, t3 = a[65] ^ a[92], b[68] ^ b[83], c[65] ^ c[110]
        z = t1 ^ t2 ^ t3
        t1 ^= a[90] & a[91] ^ b[77]
        t2 ^= b[81] & b[82] ^ c[86]
        t3 ^= c[108] & c[109] ^ a[68]
        a.appendleft(t3)
        b.appendleft(t1)
        c.appendleft(t2)
        return z


def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Add to the data the key stream of a 10-byte key and a 10-byte IV."""
    generator = _Generator(key, iv)
    return bytes(byte ^ sum(generator.bit() << at for at in range(8)) for byte in data)
