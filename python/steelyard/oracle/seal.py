"""SEAL 3.0, a second implementation from the paper of Rogaway and Coppersmith.

Big-endian, with 4 KB of key stream for each position index; the index then counts up, as in Crypto++. The
first words of the paper and Crypto++'s vectors test this and the C code.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

_MASK = 0xFFFFFFFF
_PASSES = 4


def _left(word: int, count: int) -> int:
    return (word << count | word >> (32 - count)) & _MASK


def _compress(chain: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Apply SHA-1's compression function to a block whose first word is a number."""
    words = [number, *[0] * 15]
    for at in range(16, 80):
        words.append(_left(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1))
    a, b, c, d, e = chain
    for at, word in enumerate(words):
        if at < 20:
            mixed = (b & c | ~b & d) + 0x5A827999
        elif at < 40:
            mixed = (b ^ c ^ d) + 0x6ED9EBA1
        elif at < 60:
            mixed = (b & c | b & d | c & d) + 0x8F1BBCDC
        else:
            mixed = (b ^ c ^ d) + 0xCA62C1D6
        a, b, c, d, e = (_left(a, 5) + mixed + e + word) & _MASK, a, _left(b, 30), c, d
    return tuple((old + new) & _MASK for old, new in zip(chain, (a, b, c, d, e), strict=True))


def _gamma(key: tuple[int, ...], start: int, count: int) -> list[int]:
    """Return `count` values of G from the index `start`."""
    first = start // 5
    words = [word for number in range(first, (start + count - 1) // 5 + 1) for word in _compress(key, number)]
    return words[start - 5 * first : start - 5 * first + count]


@lru_cache(maxsize=4096)
def _tables(key: bytes) -> tuple[list[int], list[int], list[int]]:
    """Return T, S and R."""
    words = tuple(int.from_bytes(key[at : at + 4], "big") for at in range(0, 20, 4))
    return _gamma(words, 0, 512), _gamma(words, 0x1000, 256), _gamma(words, 0x2000, 4 * _PASSES)


def _stream(key: bytes, position: int) -> Iterator[int]:
    """Yield the 1,024 words of one position index."""
    t, s, r = _tables(key)

    def mix(x: list[int]) -> None:
        for at in range(4):
            x[(at + 1) % 4] = (x[(at + 1) % 4] + t[(x[at] & 0x7FC) // 4]) & _MASK
            x[at] = _left(x[at], 23)

    for number in range(_PASSES):
        x = [_left(position, -8 * at % 32) ^ r[4 * number + at] for at in range(4)]
        mix(x)
        mix(x)
        n1, n2, n3, n4 = x[3], x[1], x[0], x[2]
        mix(x)
        a, b, c, d = x
        for turn in range(1, 65):
            p = a & 0x7FC
            b = (b + t[p // 4]) & _MASK
            a = _left(a, 23)
            b ^= a
            q = b & 0x7FC
            c ^= t[q // 4]
            b = _left(b, 23)
            c = (c + b) & _MASK
            p = (p + c) & 0x7FC
            d = (d + t[p // 4]) & _MASK
            c = _left(c, 23)
            d ^= c
            q = (q + d) & 0x7FC
            a ^= t[q // 4]
            d = _left(d, 23)
            a = (a + d) & _MASK
            p = (p + a) & 0x7FC
            b ^= t[p // 4]
            a = _left(a, 23)
            q = (q + b) & 0x7FC
            c = (c + t[q // 4]) & _MASK
            b = _left(b, 23)
            p = (p + c) & 0x7FC
            d ^= t[p // 4]
            c = _left(c, 23)
            q = (q + d) & 0x7FC
            a = (a + t[q // 4]) & _MASK
            d = _left(d, 23)
            first, second, third, fourth = s[4 * turn - 4 : 4 * turn]
            yield from ((b + first) & _MASK, c ^ second, (d + third) & _MASK, a ^ fourth)
            one, two = (n1, n2) if turn % 2 else (n3, n4)
            a, b, c, d = (a + one) & _MASK, (b + two) & _MASK, c ^ one, d ^ two


def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Add to the data the key stream of a 20-byte key from a 4-byte position index."""
    position = int.from_bytes(iv, "big")
    out = b""
    for at in range(0, len(data), 4096):
        piece = data[at : at + 4096]
        words = islice(_stream(key, (position + at // 4096) & _MASK), -(-len(piece) // 4))
        stream = b"".join(word.to_bytes(4, "big") for word in words)
        out += bytes(a ^ b for a, b in zip(piece, stream, strict=False))
    return out
