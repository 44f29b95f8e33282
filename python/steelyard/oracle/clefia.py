"""CLEFIA, a second implementation from RFC 6114.

It differs from the C code (integers of 32, 128 and 16 bits, S0 built from its four small S-boxes, S1 as
printed, matrices as sums of products), so that the two do not share a misreading; the vectors of RFC 6114
test both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

_SMALL = tuple(
    tuple(int(digit, 16) for digit in row)
    for row in ("e6ca872fb14059d3", "640d2ba39cef8751", "b85ea64cf72310d9", "a26d345e0789bfc1")
)
_S1 = bytes.fromhex(
    "6cdac3e94e9d0a3db836b43813340cd9bf74948fb79ce5dc9e07494f982cb09312ebcdb392e74160e321273be619d20e"
    "9111c73f2a8ea1bc2bc8c50f5bf3878bfbf5de20c6a784ced86551c9a4ef4353255d9b31e83e0dd780ff698aba0b735c"
    "6e541562f6353052a316d32832faaa5ecfeaed783358097b63c0c1461edfa9995504c486397782ec4018909759dd831f"
    "9a370624647ca556480885d06126ca6f7e6ab671a07005d1458c231cf0ee89ad7a4bc22fdb5a4d7667172df4cbb14aa8"
    "b522473ad5104c72cc00f9e0fde2feaef85fabf11b4281d6be4429a657b9aff2d47566bb689f5002013c7f8d1a88bdac"
    "f7e47996a2fc6db26b03e12e7d14951d"
)
_M0 = (1, 2, 4, 6)
_M1 = (1, 8, 2, 10)
_FIRST_CONSTANT = {16: 0x428A, 24: 0x7137, 32: 0xB5C0}
_MASK32 = 0xFFFFFFFF
_MASK128 = (1 << 128) - 1


def _multiply(a: int, b: int, modulus: int, degree: int) -> int:
    product = 0
    for bit in range(degree):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(2 * degree - 2, degree - 1, -1):
        if product >> bit & 1:
            product ^= modulus << (bit - degree)
    return product


def _s0(x: int) -> int:
    """Apply S0: two small S-boxes, a matrix over GF(2^4), two small S-boxes."""
    t0, t1 = _SMALL[0][x >> 4], _SMALL[1][x & 15]
    u0 = t0 ^ _multiply(t1, 2, 0x13, 4)
    u1 = _multiply(t0, 2, 0x13, 4) ^ t1
    return _SMALL[2][u0] << 4 | _SMALL[3][u1]


_BOXES = (bytes(_s0(x) for x in range(256)), _S1)


@lru_cache(maxsize=4096)
def _f(which: int, data: int) -> int:
    """Apply F0 or F1 to data with the round key already added."""
    row = (_M0, _M1)[which]
    substituted = [_BOXES[(i + which) % 2][data >> (24 - 8 * i) & 255] for i in range(4)]
    out = 0
    for j in range(4):
        byte = 0
        for i in range(4):
            byte ^= _multiply(substituted[i], row[i ^ j], 0x11D, 8)
        out = out << 8 | byte
    return out


def _network(words: Sequence[int], keys: Sequence[int], *, inverse: bool = False) -> list[int]:
    """Apply GFN with as many branches as words and len(keys) / (branches / 2) rounds."""
    state = list(words)
    pairs = len(state) // 2
    rounds = [keys[at : at + pairs] for at in range(0, len(keys), pairs)]
    if inverse:
        rounds.reverse()
    for number, round_keys in enumerate(rounds):
        for pair, key in enumerate(round_keys):
            state[2 * pair + 1] ^= _f(pair % 2, state[2 * pair] ^ key)
        if number < len(rounds) - 1:
            state = [state[-1], *state[:-1]] if inverse else [*state[1:], state[0]]
    return state


def _constants(key_bytes: int, count: int) -> list[int]:
    """Return `count` 32-bit constants."""
    t = _FIRST_CONSTANT[key_bytes]
    out = []
    for _ in range(count // 2):
        inverted = t ^ 0xFFFF
        out.append((t ^ 0xB7E1) << 16 | (inverted << 1 | inverted >> 15) & 0xFFFF)
        out.append((inverted ^ 0x243F) << 16 | (t << 8 | t >> 8) & 0xFFFF)
        t = (t ^ 0x1A831) >> 1 if t & 1 else t >> 1
    return out


def _double_swap(x: int) -> int:
    """Apply DoubleSwap to 128 bits."""
    ends = (x >> 121, x & 0x7F)
    left = x >> 64 & (1 << 57) - 1
    right = x >> 7 & (1 << 57) - 1
    return left << 71 | ends[1] << 64 | ends[0] << 57 | right


def _words(x: int, count: int) -> list[int]:
    return [x >> 32 * (count - 1 - i) & _MASK32 for i in range(count)]


def _number(words: Sequence[int]) -> int:
    out = 0
    for word in words:
        out = out << 32 | word
    return out


@lru_cache(maxsize=64)
def _schedule(key: bytes, rounds: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the round keys and the four whitening keys."""
    first = 24 if len(key) == 16 else 40
    constants = _constants(len(key), first + 2 * rounds)
    if len(key) == 16:
        halves = [int.from_bytes(key, "big")] * 2
        whitening = halves[0]
        mixed = _network(_words(halves[0], 4), constants[:first])
        running = [_number(mixed)]
    else:
        low = key[16:] if len(key) == 32 else key[16:] + bytes(255 - byte for byte in key[:8])
        halves = [int.from_bytes(key[:16], "big"), int.from_bytes(low, "big")]
        whitening = halves[0] ^ halves[1]
        mixed = _network([*_words(halves[0], 4), *_words(halves[1], 4)], constants[:first])
        running = [_number(mixed[:4]), _number(mixed[4:])]
    keys: list[int] = []
    for i in range(rounds // 2):
        which = i // 2 % 2
        at = which % len(running)
        t = running[at] ^ _number(constants[first + 4 * i : first + 4 * i + 4])
        running[at] = _double_swap(running[at]) & _MASK128
        if i % 2:
            t ^= halves[1 - which]
        keys += _words(t, 4)
    return tuple(keys), tuple(_words(whitening, 4))


def _crypt(key: bytes, rounds: int, block: bytes, *, inverse: bool) -> bytes:
    keys, whitening = _schedule(key, rounds)
    before, after = (whitening[2:], whitening[:2]) if inverse else (whitening[:2], whitening[2:])
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 16, 4)]
    words[1] ^= before[0]
    words[3] ^= before[1]
    words = _network(words, keys, inverse=inverse)
    words[1] ^= after[0]
    words[3] ^= after[1]
    return b"".join(word.to_bytes(4, "big") for word in words)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 16 bytes; the key has 16, 24 or 32 bytes, for 18, 22 or 26 rounds."""
    return _crypt(key, rounds, block, inverse=False)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    return _crypt(key, rounds, block, inverse=True)
