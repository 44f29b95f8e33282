"""The constants of standards, from other places than the C.

Where something defines them they are computed from that. The others are those of a library (`InLibrary`),
those of the independent implementation in Python (`steelyard.oracle`, which is compared with libraries in its
turn), or typed here a second time from the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import accumulate
from math import sin
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from steelyard.catalog.models import Primitive
from steelyard.oracle import (
    ascon,
    ascon_aead,
    clefia,
    gift,
    groestl,
    kasumi,
    mars,
    misty1,
    present,
    prince,
    serpent,
    simon,
    skein,
    skinny,
    sm2,
    twofish,
)

Values = Sequence[int]
OPENSSL = "cryptography.hazmat.bindings._rust"


@dataclass(frozen=True)
class InLibrary:
    """A table that a compiled library has, too, in pieces: as it is, or what `arranged` makes of it."""

    module: str
    piece_bytes: int
    arranged: Callable[[bytes], bytes] = bytes

    def has(self, content: bytes) -> bool:
        """Whether every piece is somewhere in the library."""
        other, library = self.arranged(content), _library(self.module)
        return all(
            other[at : at + self.piece_bytes] in library for at in range(0, len(other), self.piece_bytes)
        )


@cache
def _library(module: str) -> bytes:
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).read_bytes()


Table = Values | InLibrary | Callable[[Primitive], Values]


def agrees(table: Table, primitive: Primitive, content: bytes) -> bool:
    """Whether a table is what it has to be; its bytes are those of a little-endian machine."""
    if isinstance(table, InLibrary):
        return table.has(content)
    values = table(primitive) if callable(table) else table
    size, rest = divmod(len(content), len(values))
    bits = max(values).bit_length()
    return rest == 0 and bits <= 8 * size and content == _bytes(values, size)


def _bytes(values: Values, size: int) -> bytes:
    return b"".join(value.to_bytes(size, "little") for value in values)


def words(number: int, count: int, bits: int = 32) -> list[int]:
    """A number as words, the most significant one first."""
    return [number >> bits * (count - 1 - i) & (1 << bits) - 1 for i in range(count)]


def root(number: int, degree: int, bits: int) -> int:
    """The square or cube root with so many bits behind the point."""
    low, high = 0, number << bits
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number << degree * bits else (low, middle)
    return low


def fractions(numbers: Values, degree: int, bits: int) -> list[int]:
    """The first bits behind the points of the numbers' roots."""
    return [root(number, degree, bits) % (1 << bits) for number in numbers]


PRIMES = [n for n in range(2, 410) if all(n % divisor for divisor in range(2, n))]


@cache
def fraction_of_pi(bits: int) -> int:
    """The first bits of pi behind the point, by Machin's formula."""

    def arctangent(inverse: int) -> int:
        total = term = (1 << bits + 64) // inverse
        divisor = 1
        while term:
            term //= inverse * inverse
            divisor += 2
            total += term // divisor if divisor % 4 == 1 else -(term // divisor)
        return total

    return (4 * (4 * arctangent(5) - arctangent(239)) >> 64) % (1 << bits)


E = 2.718281828459045
GOLDEN = root(5, 2, 200) - (1 << 200) >> 169
"""The fraction of the golden ratio in 32 bits; RC5, TEA, Serpent and SEED take it."""


def multiply(a: int, b: int, modulus: int) -> int:
    """In GF(2^8)."""
    result = 0
    for bit in range(7, -1, -1):
        result = result << 1 ^ (modulus if result & 0x80 else 0) ^ (a if b >> bit & 1 else 0)
    return result


def power(a: int, exponent: int, modulus: int) -> int:
    """In GF(2^8)."""
    result = 1
    for bit in f"{exponent:b}":
        result = multiply(result, result, modulus)
        if bit == "1":
            result = multiply(result, a, modulus)
    return result


def linear(images: Values, x: int) -> int:
    """The sum of the images of the bits of x, the lowest first."""
    result = 0
    for bit, image in enumerate(images):
        result ^= image if x >> bit & 1 else 0
    return result


def turned(x: int, left: int, bits: int = 8) -> int:
    """Rotated."""
    return (x << left % bits | x >> -left % bits) & (1 << bits) - 1


def inverse(table: Values) -> list[int]:
    """Of a permutation."""
    return [list(table).index(x) for x in range(len(table))]


def pairs(nibbles: Values) -> list[int]:
    """A 4-bit S-box on both halves of a byte."""
    return [nibbles[x >> 4] << 4 | nibbles[x & 15] for x in range(256)]


def flat(rows: Iterable[Iterable[int]]) -> list[int]:
    """The elements of the rows."""
    return [element for row in rows for element in row]


def spread(bits: int, by: int) -> int:
    """A byte with its bits so many places apart."""
    return sum((bits >> i & 1) << by * i for i in range(8))


def _aes() -> dict[str, list[Table]]:
    """FIPS 197, sections 4.2, 5.1 and 5.3: an inverse and an affine map, and products with the matrices."""
    tables: dict[str, list[Table]] = {"aes_sbox": [AES_SBOX], "inverse_sbox": [inverse(AES_SBOX)]}
    for name, box, column in (
        ("aes_table", AES_SBOX, (2, 1, 1, 3)),
        ("aes_inverse_table", inverse(AES_SBOX), (14, 9, 13, 11)),
        ("aes_last", AES_SBOX, (1, 0, 0, 0)),
        ("aes_inverse_last", inverse(AES_SBOX), (1, 0, 0, 0)),
    ):
        for number in ("0", "1", "2", "3", *(() if column == (1, 0, 0, 0) else ("",))):
            factors = [column[(row - int(number or 0)) % 4] for row in range(4)]
            tables[name + number] = [
                [sum(multiply(s, f, 0x11B) << 8 * row for row, f in enumerate(factors)) for s in box]
            ]
    return tables


AES_SBOX = [0x63 ^ linear([turned(0x1F, i) for i in range(8)], power(x, 254, 0x11B)) for x in range(256)]


def _camellia() -> dict[str, list[Table]]:
    """The specification's linear maps f and h about the inverse in GF((2^4)^2); square roots of primes."""
    f = (0x32, 0x48, 0x81, 0x24, 0x09, 0x30, 0x84, 0x42)
    h = (0x14, 0x28, 0xC1, 0x82, 0x20, 0x09, 0xD0, 0x06)
    alpha = power(2, 238, 0x169)
    basis = [multiply(power(alpha, i % 4, 0x169), 1 + i // 4, 0x169) for i in range(8)]
    element = [linear(basis, x) for x in range(256)]
    inverted = [element.index(power(y, 254, 0x169)) for y in element]
    s1 = [linear(h, inverted[linear(f, x ^ 0xC5)]) ^ 0x6E for x in range(256)]
    sigma = [root(prime, 2, 68) % (1 << 64) for prime in PRIMES[:6]]
    order = {
        16: "L0 A0 L15 A15 A30 L45 A45l L60r A60 L77 L94 A94 L111 A111",
        24: "L0 B0 R15 A15 R30 B30 L45 A45 L60 R60 B60 L77 A77 R94 A94 L111 B111",
    }

    def plan(primitive: Primitive) -> list[int]:
        """RFC 3713, key schedule: each rotation gives its left and its right half, two give one of them."""
        places = []
        for name in order[min(primitive.key_bytes, 24)].split():
            turn = int(name[1:].rstrip("lr"))
            halves = {"l": (0,), "r": (64,)}.get(name[-1], (0, 64))
            places += [("LARB".index(name[0]), (turn + half) % 128) for half in halves]
        return flat(places)

    return {
        "sbox": [s1],
        "sigma": [flat(words(s, 8, 8) for s in sigma), flat(words(s, 2) for s in sigma)],
        "plan": [plan],
        "sp1": [[s * 0x01010100 for s in s1]],
        "sp2": [[turned(s, 1) * 0x00010101 for s in s1]],
        "sp3": [[turned(s, 7) * 0x01000101 for s in s1]],
        "sp4": [[s1[turned(x, 1)] * 0x01010001 for x in range(256)]],
    }


def _seed() -> dict[str, list[Table]]:
    """Two powers in GF(2^8), each with a linear map and a constant; G's masks applied to them."""
    maps = (
        (247, 0xA9, (0x2C, 0xD0, 0x69, 0xC2, 0x41, 0x44, 0x58, 0xE2)),
        (251, 0x38, (0xD0, 0x2A, 0xE1, 0x2C, 0x21, 0x30, 0xA2, 0x6C)),
    )
    s = [[c ^ linear(m, power(x, e, 0x163)) for x in range(256)] for e, c, m in maps]
    masks = (0xFC, 0xF3, 0xCF, 0x3F)
    tables: dict[str, list[Table]] = {"s1": [s[0]], "s2": [s[1]]}
    for i in range(4):
        tables[f"ss{i}"] = [
            [sum((y & masks[(byte + i) % 4]) << 8 * byte for byte in range(4)) for y in s[i % 2]]
        ]
    return tables


def _sm4() -> dict[str, list[Table]]:
    """One affine map before and after the inverse in GF(2^8); GB/T 32907-2016."""

    def affine(x: int) -> int:
        return 0xD3 ^ linear([turned(0xCB, i) for i in range(8)], x)

    box = [affine(power(affine(x), 254, 0x1F5)) for x in range(256)]
    table = [s ^ turned(s, 2, 32) ^ turned(s, 10, 32) ^ turned(s, 18, 32) ^ turned(s, 24, 32) for s in box]
    return {
        "sbox": [box],
        "sm4_sbox": [box],
        "sm4_table": [table],
        "fk": [[0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC]],
    }


def _des() -> dict[str, list[Table]]:
    """FIPS 46-3, appendix 1, counted from 0; S-boxes and P are in OpenSSL, of which one table has both."""
    p = [16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10]
    p += [2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25]
    right = [62 - 8 * row - column for column in range(3) for row in range(8)]
    pc2 = [14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2]
    pc2 += [41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32]

    def with_p(boxes: bytes) -> bytes:
        """The table of 32-bit words that S-boxes in nibbles make, column by column of a box's two rows."""
        made = []
        for i in range(512):
            nibble = boxes[i // 2] >> (0 if i & 1 else 4) & 15
            out = [nibble >> (3 - (place - 1) % 4) & 1 if (place - 1) // 4 == i // 64 else 0 for place in p]
            made.append(int("".join(map(str, out)), 2))
        return as_openssl(_bytes([turned(word, 1, 32) for word in made], 4))

    def as_openssl(table: bytes) -> bytes:
        """It has the bits of index and result the other way round, and the result turned by four."""
        entries = [int.from_bytes(table[i : i + 4], "little") for i in range(0, len(table), 4)]
        index = [i & ~63 | int(f"{i & 63:06b}"[::-1], 2) for i in range(512)]
        return _bytes([turned(int(f"{entries[i]:032b}"[::-1], 2), 4, 32) for i in index], 4)

    return {
        "pc1": [
            [56 - 8 * row + column for column in range(4) for row in range(8)][:28] + right + [27, 19, 11, 3]
        ],
        "pc2": [[place - 1 for place in pc2]],
        "p": [[place - 1 for place in p]],
        "turns": [[turns % 28 for turns in accumulate(map(int, "1122222212222221"))]],
        "sboxes": [InLibrary(OPENSSL, 256, with_p)],
        "des_sp": [InLibrary(OPENSSL, 256, as_openssl)],
    }


def terms(table: Values) -> list[int]:
    """Of a table of quadratic polynomials: for each bit what it adds, and what with each of those below."""
    found = []
    for bit in range(9):
        found.append(table[1 << bit] ^ table[0])
        for below in range(bit):
            both = table[1 << bit | 1 << below] ^ table[1 << bit] ^ table[1 << below] ^ table[0]
            found.append(both)
    return found


def _keccak() -> dict[str, list[Table]]:
    """FIPS 202, sections 3.2.2, 3.2.3 and 3.2.5."""
    x, y, lanes = 1, 0, []
    for _ in range(24):
        x, y = y, (2 * x + 3 * y) % 5
        lanes.append(x + 5 * y)
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for bit in range(7):
            constant |= (register & 1) << (1 << bit) - 1
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    turns = [(t + 1) * (t + 2) // 2 % 64 for t in range(24)]
    return {"constants": [constants], "lane_of": [lanes], "turn_of": [turns], "one": [[1]]}


def _skein(primitive: Primitive) -> list[int]:
    """The chaining value after the configuration."""
    configuration = b"SHA3\1\0\0\0" + (8 * primitive.digest_bytes).to_bytes(8, "little") + bytes(16)
    return skein._chain([0] * (primitive.block_bytes // 8), configuration, skein._CONFIGURATION)


def _sm2() -> dict[str, list[Table]]:
    """GM/T 0003.5-2012; in Montgomery form where the field is calculated in."""
    assert sm2.P == 2**256 - 2**224 - 2**96 + 2**64 - 1
    assert sm2.on_curve(sm2.G) and sm2.multiply(sm2.N, sm2.G) is None

    def limbs(*numbers: int) -> list[int]:
        return flat(words(number, 8)[::-1] for number in numbers)

    def inside(number: int) -> int:
        return (number << 256) % sm2.P

    comb = []
    for digit in range(1, 16):
        point = sm2.multiply(sum((digit >> i & 1) << 64 * i for i in range(4)), sm2.G)
        assert point is not None
        comb += [inside(point[0]), inside(point[1])]
    return {
        "sm2_prime": [limbs(sm2.P)],
        "sm2_order": [limbs(sm2.N)],
        "sm2_one": [limbs(inside(1))],
        "sm2_generator": [limbs(*map(inside, sm2.G))],
        "sm2_comb": [limbs(*comb)],
        "coefficient_b": [limbs(inside(sm2.B))],
        "squared_radix": [limbs((1 << 512) % sm2.P), limbs((1 << 512) % sm2.N)],
        "exponents": [limbs(sm2.P - 2, sm2.N - 2)],
    }


SINES = [int(abs(sin(i + 1)) * 2**32) for i in range(64)]
BLAKE2S_ORDER = [
    int(digit, 16)
    for row in (
        "0123456789abcdef ea489fd61c02b753 b8c052fdae367194 7931dcbe265a40f8 9057 24afe1bc683d",
        "2c6a0b834d75fe19 c51fed4a0763928b db7ec13950f4862a 6fe9b308c2d714a5 a2847615fb9e3cd0",
    )
    for digit in row.replace(" ", "")
]
PRINCE_DIGITS = words(fraction_of_pi(7 * 64), 7, 64)[1:]
CAST = InLibrary("Crypto.Cipher._raw_cast", 1024)

TABLES: dict[str, dict[str, list[Table]]] = {
    "aes": _aes(),
    "treyfer": {"treyfer_sbox": [AES_SBOX]},
    "groestl": {
        "sbox": [AES_SBOX],
        "shifts": [lambda p: flat(groestl._SHIFTS[p.block_bytes, second] for second in (False, True))],
        "taken": [[sum((x >> bit & 1) << i for i, x in enumerate(groestl._ROW)) for bit in (2, 1, 0)]],
    },
    "ascon-aead128": {"rotations": [flat(ascon_aead._ROTATIONS)]},
    "ascon-hash256": {"turns": [[64 - turn for turn in flat(ascon._TURNS)]]},
    "blake2s": {
        "sigma": [
            [16 * first + second for first, second in zip(*[iter(BLAKE2S_ORDER)] * 2, strict=True)],
            [4 * word for word in BLAKE2S_ORDER],
        ],
    },
    "blowfish": {"blowfish_pi": [words(fraction_of_pi(32 * (18 + 1024)), 18 + 1024)]},
    "camellia": _camellia(),
    "cast-128": {"cast_round_boxes": [CAST], "cast_key_boxes": [CAST]},
    "clefia": {
        "s0": [clefia._BOXES[0]],
        "s1": [clefia._BOXES[1]],
        "rows": [[*clefia._M0, *clefia._M1]],
    },
    "des": _des(),
    "gcm": {
        "reduction": [flat(words(linear([0xE1 << 5 + i for i in range(4)], x), 2, 8) for x in range(16))]
    },
    "gift": {"sbox": [gift._SBOX], "inverse": [inverse(gift._SBOX)]},
    "hight": {
        "hight_f0": [[turned(x, 1) ^ turned(x, 2) ^ turned(x, 7) for x in range(256)]],
        "hight_f1": [[turned(x, 3) ^ turned(x, 4) ^ turned(x, 6) for x in range(256)]],
    },
    "kasumi": {
        "s7": [kasumi._S7],
        "s9": [kasumi._S9],
        "s9_terms": [terms(kasumi._S9)],
        "constants": [words(0x0123456789ABCDEFFEDCBA9876543210, 8, 16)],
    },
    "keccak": _keccak(),
    # The LEA paper, section 2.3: the letters L, E and A.
    "lea": {"delta": [words(root(766965, 2, 256) % (1 << 256), 8)], "rotations": [[1, 3, 6, 11, 13, 17]]},
    "mars": {"mars_sbox": [mars._sbox()]},
    "md5": {"sines": [SINES]},
    "misty1": {"s7": [misty1._S7], "s9": [misty1._S9], "s9_terms": [terms(misty1._S9)]},
    "present": {
        "present_sbox": [present._SBOX],
        "inverse": [inverse(present._SBOX), pairs(inverse(present._SBOX))],
        "layer": [
            [
                sum(((high >> bit & 1) << 1 | low >> bit & 1) << 8 * bit for bit in range(4))
                for high in present._SBOX
                for low in present._SBOX
            ]
        ],
        "gather": [[sum((x >> bit & 1) << 4 * bit for bit in range(8)) for x in range(256)]],
    },
    "prince": {
        "sboxes": [[*prince._SBOX, *inverse(prince._SBOX)]],
        "sbox": [pairs(prince._SBOX)],
        "inverse": [pairs(inverse(prince._SBOX))],
        # Half of them are digits of pi, the others differ from these by more of them.
        "prince_constants": [
            flat(
                words(constant, 8, 8)
                for constant in (
                    0,
                    *PRINCE_DIGITS[:5],
                    *(digits ^ PRINCE_DIGITS[5] for digits in (*PRINCE_DIGITS[4::-1], 0)),
                )
            )
        ],
    },
    "rc2": {"pitable": [InLibrary("Crypto.Cipher._raw_arc2", 256)]},
    "seed": _seed(),
    "serpent": {
        "serpent_sboxes": [flat(serpent._BOXES)],
        "inverse_sboxes": [flat(inverse(box) for box in serpent._BOXES)],
    },
    "sha-256": {
        "constants": [fractions(PRIMES[:64], 3, 32)],
        "initial": [
            lambda p: (
                fractions(PRIMES[:8], 2, 32)
                if p.digest_bytes == 32
                else [half % (1 << 32) for half in fractions(PRIMES[8:16], 2, 64)]
            )
        ],
    },
    "sha-512": {
        "constants": [fractions(PRIMES[:80], 3, 64)],
        "initial": [lambda p: fractions(PRIMES[:8] if p.digest_bytes == 64 else PRIMES[8:16], 2, 64)],
    },
    "simon": {
        "sequence": [
            lambda p: words(int(simon._Z[p.defines["SIMON_SEQUENCE"]][::-1], 2), 8, 8)[::-1],
        ]
    },
    "skein": {
        "source": [lambda p: skein._PERMUTATIONS[p.block_bytes // 8]],
        "turns": [lambda p: flat(skein._ROTATIONS[p.block_bytes // 8])],
        "initial": [_skein],
    },
    "skinny": {
        "sbox": [skinny._SBOX[4], skinny._SBOX[8]],
        "inverse": [inverse(skinny._SBOX[4]), inverse(skinny._SBOX[8])],
        "skinny_from": [skinny._PT[:8]],
        "from": [skinny._PT[:8]],
    },
    "sm2": _sm2(),
    "sm4": _sm4(),
    "twofish": {
        "twofish_q0": [twofish._Q[0]],
        "twofish_q1": [twofish._Q[1]],
        "halves": [
            [
                int(high + low, 16)
                for t in twofish._NIBBLES
                for i in (0, 2)
                for low, high in zip(t[i], t[i + 1], strict=True)
            ]
        ],
        "rows": [
            [sum((0x01, 0x5B, 0xEF).index(x) << 2 * i for i, x in enumerate(row)) for row in twofish._MDS]
        ],
        "stages": [[sum(chain[i] << byte for byte, chain in enumerate(twofish._CHAINS)) for i in range(5)]],
    },
}
"""By algorithm and name in C; where two tables have one name, either."""

STEPS = {
    "cast-128": {"word_plan", "key_plan"},
    "chaskey": {"chaskey_steps"},
    "chaskey-12": {"steps"},
    "kasumi": {"words", "rotations"},
    "prince": {"masks"},
}
"""Tables of no standard: the order in which code of these variants goes. The known answers check them."""

BYTES = bytes.fromhex("0123456789abcdeffedcba9876543210f0e1d2c3")
SHA_1 = {root(number, 2, 30) for number in (2, 3, 5, 10)}
FROM_BYTES = [int.from_bytes(BYTES[i : i + 4], "little") for i in range(0, 20, 4)]
SIPHASH = b"somepseudorandomlygeneratedbytes"
EXPAND = b"expand 32-byte k"
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


def _ascon(version: int, rounds: int, tag_bits: int, rate_bytes: int) -> int:
    """NIST SP 800-232, appendix A.2."""
    return version | (16 * rounds + 12) << 16 | tag_bits << 24 | rate_bytes << 40


def _texts(text: bytes, size: int) -> set[int]:
    return {int.from_bytes(text[i : i + size], "little") for i in range(0, len(text), size)}


def _c240() -> int:
    """The Skein specification, section 3.3: the end of 240, encrypted by AES-256 under the key of zeros."""
    aes = Cipher(algorithms.AES(bytes(32)), modes.ECB()).encryptor()
    return int.from_bytes(aes.update((240).to_bytes(16))[8:])


def _sm2_words() -> set[int]:
    numbers = flat(table for tables in TABLES["sm2"].values() for table in tables if not callable(table))
    return {*numbers, -pow(sm2.N, -1, 1 << 32) % (1 << 32)}


ODD = {int((E - 2) * 2**32) | 1, GOLDEN | 1}
"""RC5 and RC6: the odd numbers next to the fractions of e and the golden ratio."""

LITERALS: dict[str, set[int]] = {
    "ascon-aead128": {_ascon(1, 8, 128, 16)},
    "ascon-hash256": {_ascon(2, 12, 256, 8), *ascon._permute([_ascon(2, 12, 256, 8), 0, 0, 0, 0])},
    "blake2s": {*fractions(PRIMES[:8], 2, 32), 0x01010000},
    "chacha20": _texts(EXPAND, 4),
    "md5": {*SINES, *FROM_BYTES},
    "poly1305": {CLAMP >> 26 * i & 0x3FFFFFF for i in range(5)},
    "rc5": ODD,
    "rc6": ODD,
    "salsa20": _texts(EXPAND, 4),
    "seal": SHA_1,
    "seed": {GOLDEN, 0x3FCFF3FC},
    "serpent": {GOLDEN},
    "sha-1": {*SHA_1, *FROM_BYTES},
    "sha-256": set(fractions(PRIMES[:64], 3, 32)),
    "siphash-2-4": _texts(SIPHASH[::-1], 4) | _texts(SIPHASH[::-1], 8),
    "skein": {_c240()},
    "sm2": _sm2_words(),
    # GB/T 32905-2016, sections 4.1 and 4.2.
    "sm3": {
        *(0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E),
        *(0x79CC4519, 0x7A879D8A),
    },
    "tea": {GOLDEN},
    "xtea": {GOLDEN},
}
"""The long numbers in the code of an algorithm beside its tables, masks apart."""
