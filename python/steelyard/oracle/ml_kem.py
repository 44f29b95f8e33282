"""ML-KEM, algorithm by algorithm as in FIPS 203 (2024), without randomness of its own.

Polynomials are lists of 256 integers from 0 to Q - 1. Slow and not constant-time: it serves only for
comparison.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Q = 3329
ZETA = 17
RANDOM_BYTES = 32
"""Bytes of each of the numbers d, z and m, and of the shared secret."""


@dataclass(frozen=True)
class Parameters:
    """One parameter set (section 8, table 2)."""

    k: int
    eta1: int
    eta2: int
    du: int
    dv: int

    @property
    def public_bytes(self) -> int:
        """Bytes of an encapsulation key."""
        return 384 * self.k + 32

    @property
    def secret_bytes(self) -> int:
        """Bytes of a decapsulation key."""
        return 768 * self.k + 96

    @property
    def ciphertext_bytes(self) -> int:
        """Bytes of a ciphertext."""
        return 32 * (self.du * self.k + self.dv)


SETS = {
    "ml-kem-512": Parameters(k=2, eta1=3, eta2=2, du=10, dv=4),
    "ml-kem-768": Parameters(k=3, eta1=2, eta2=2, du=10, dv=4),
    "ml-kem-1024": Parameters(k=4, eta1=2, eta2=2, du=11, dv=5),
}

Polynomial = list[int]
Vector = list[Polynomial]


def keypair(sizes: Parameters, coins: bytes) -> tuple[bytes, bytes]:
    """Return the encapsulation and the decapsulation key for d and z (algorithm 16).

    ValueError for another length.
    """
    if len(coins) != 2 * RANDOM_BYTES:
        raise ValueError(f"a key pair takes d and z, 64 bytes, not {len(coins)}")
    d, z = coins[:RANDOM_BYTES], coins[RANDOM_BYTES:]
    public, secret = _pke_keypair(sizes, d)
    return public, secret + public + _h(public) + z


def encapsulate(sizes: Parameters, public: bytes, m: bytes) -> tuple[bytes, bytes]:
    """Return ciphertext and shared secret (algorithms 17 and 20); ValueError for an invalid key, or another
    length.
    """
    if len(public) != sizes.public_bytes or len(m) != RANDOM_BYTES:
        raise ValueError(f"a key of {sizes.public_bytes} bytes and an m of 32 are needed")
    for polynomial in _unpacked(12, public[:-32]):
        if max(polynomial) >= Q:
            raise ValueError("the encapsulation key has a coefficient that is not below q")
    shared, coins = _g(m + _h(public))
    return _pke_encrypt(sizes, public, m, coins), shared


def decapsulate(sizes: Parameters, secret: bytes, ciphertext: bytes) -> bytes:
    """Return the shared secret, another one for a ciphertext that nobody made (algorithms 18 and 21).

    ValueError for an invalid key, or for another length.
    """
    if len(secret) != sizes.secret_bytes or len(ciphertext) != sizes.ciphertext_bytes:
        raise ValueError(
            f"{sizes.secret_bytes} bytes of key and {sizes.ciphertext_bytes} of ciphertext are needed"
        )
    at = 384 * sizes.k
    public, digest, z = secret[at:-64], secret[-64:-32], secret[-32:]
    if _h(public) != digest:
        raise ValueError("the digest in the decapsulation key is not that of its encapsulation key")
    m = _pke_decrypt(sizes, secret[:at], ciphertext)
    shared, coins = _g(m + digest)
    rejected = hashlib.shake_256(z + ciphertext).digest(32)
    return shared if _pke_encrypt(sizes, public, m, coins) == ciphertext else rejected


def _pke_keypair(sizes: Parameters, d: bytes) -> tuple[bytes, bytes]:
    """Algorithm 13."""
    rho, sigma = _g(d + bytes([sizes.k]))
    noise = [_noise(sigma, number, sizes.eta1) for number in range(2 * sizes.k)]
    s, e = [ntt(one) for one in noise[: sizes.k]], [ntt(one) for one in noise[sizes.k :]]
    t = [_plus(_dot(row, s), error) for row, error in zip(_matrix(sizes, rho), e, strict=True)]
    return _packed(12, t) + rho, _packed(12, s)


def _pke_encrypt(sizes: Parameters, public: bytes, m: bytes, coins: bytes) -> bytes:
    """Algorithm 14."""
    k = sizes.k
    t, rho = _unpacked(12, public[:-32]), public[-32:]
    y = [ntt(_noise(coins, number, sizes.eta1)) for number in range(k)]
    e1 = [_noise(coins, k + number, sizes.eta2) for number in range(k)]
    e2 = _noise(coins, 2 * k, sizes.eta2)
    columns = zip(*_matrix(sizes, rho), strict=True)
    u = [_plus(ntt_inverse(_dot(column, y)), error) for column, error in zip(columns, e1, strict=True)]
    mu = decompressed(1, _unpacked(1, m)[0])
    v = _plus(_plus(ntt_inverse(_dot(t, y)), e2), mu)
    first = _packed(sizes.du, [compressed(sizes.du, one) for one in u])
    return first + _packed(sizes.dv, [compressed(sizes.dv, v)])


def _pke_decrypt(sizes: Parameters, secret: bytes, ciphertext: bytes) -> bytes:
    """Algorithm 15."""
    at = 32 * sizes.du * sizes.k
    u = [decompressed(sizes.du, one) for one in _unpacked(sizes.du, ciphertext[:at])]
    v = decompressed(sizes.dv, _unpacked(sizes.dv, ciphertext[at:])[0])
    product = ntt_inverse(_dot(_unpacked(12, secret), [ntt(one) for one in u]))
    w = [(a - b) % Q for a, b in zip(v, product, strict=True)]
    return _packed(1, [compressed(1, w)])


def _g(data: bytes) -> tuple[bytes, bytes]:
    digest = hashlib.sha3_512(data).digest()
    return digest[:32], digest[32:]


def _h(data: bytes) -> bytes:
    return hashlib.sha3_256(data).digest()


def compressed(d: int, polynomial: Iterable[int]) -> Polynomial:
    """Compress_d (4.7): round(2^d / q x), where no x lies halfway, because q is odd."""
    return [((x << d) + Q // 2) // Q % (1 << d) for x in polynomial]


def decompressed(d: int, polynomial: Iterable[int]) -> Polynomial:
    """Decompress_d (4.8): round(q / 2^d y), halves upwards."""
    return [(Q * y + (1 << (d - 1))) >> d for y in polynomial]


def _packed(d: int, polynomials: Iterable[Polynomial]) -> bytes:
    """ByteEncode_d (algorithm 5), one polynomial after another."""
    return b"".join(
        sum(x << d * i for i, x in enumerate(polynomial)).to_bytes(32 * d, "little")
        for polynomial in polynomials
    )


def _unpacked(d: int, data: bytes) -> Vector:
    """ByteDecode_d (algorithm 6), whose reduction is left to the arithmetic that follows."""
    found = []
    for at in range(0, len(data), 32 * d):
        bits = int.from_bytes(data[at : at + 32 * d], "little")
        found.append([bits >> d * i & (1 << d) - 1 for i in range(256)])
    return found


def _matrix(sizes: Parameters, rho: bytes) -> list[Vector]:
    """The matrix A in the domain of the transform, row by row (algorithm 13, lines 3 to 7)."""
    numbers = range(sizes.k)
    return [[_uniform(rho + bytes([column, row])) for column in numbers] for row in numbers]


def _uniform(seed: bytes) -> Polynomial:
    """SampleNTT (algorithm 7)."""
    count = 3 * 168
    while True:
        found = [x for x in _twelve_bits(hashlib.shake_128(seed).digest(count)) if x < Q]
        if len(found) >= 256:
            return found[:256]
        count += 168


def _twelve_bits(data: bytes) -> Iterator[int]:
    for a, b, c in zip(data[::3], data[1::3], data[2::3], strict=True):
        yield a | (b & 15) << 8
        yield b >> 4 | c << 4


def _noise(seed: bytes, number: int, eta: int) -> Polynomial:
    """SamplePolyCBD over PRF (algorithm 8, 4.3)."""
    bits = int.from_bytes(hashlib.shake_256(seed + bytes([number])).digest(64 * eta), "little")
    ones = (1 << eta) - 1
    halves = [(bits >> eta * i & ones).bit_count() for i in range(512)]
    return [(x - y) % Q for x, y in zip(halves[::2], halves[1::2], strict=True)]


def _reversed(number: int) -> int:
    """BitRev7."""
    return int(f"{number:07b}"[::-1], 2)


_ZETAS = [pow(ZETA, _reversed(i), Q) for i in range(128)]
_GAMMAS = [pow(ZETA, 2 * _reversed(i) + 1, Q) for i in range(128)]


def ntt(polynomial: Sequence[int]) -> Polynomial:
    """The number-theoretic transform (algorithm 9)."""
    f, number = list(polynomial), 1
    for length in (128, 64, 32, 16, 8, 4, 2):
        for start in range(0, 256, 2 * length):
            zeta, number = _ZETAS[number], number + 1
            for j in range(start, start + length):
                t = zeta * f[j + length]
                f[j + length], f[j] = (f[j] - t) % Q, (f[j] + t) % Q
    return f


def ntt_inverse(polynomial: Sequence[int]) -> Polynomial:
    """The inverse of the transform (algorithm 10)."""
    f, number = list(polynomial), 127
    for length in (2, 4, 8, 16, 32, 64, 128):
        for start in range(0, 256, 2 * length):
            zeta, number = _ZETAS[number], number - 1
            for j in range(start, start + length):
                t = f[j]
                f[j], f[j + length] = (t + f[j + length]) % Q, zeta * (f[j + length] - t) % Q
    return [3303 * x % Q for x in f]


def _plus(one: Polynomial, other: Polynomial) -> Polynomial:
    return [(a + b) % Q for a, b in zip(one, other, strict=True)]


def _dot(one: Sequence[Polynomial], other: Sequence[Polynomial]) -> Polynomial:
    """The sum of the products in the domain of the transform (algorithms 11 and 12)."""
    total = [0] * 256
    for f, g in zip(one, other, strict=True):
        for i, gamma in enumerate(_GAMMAS):
            a, b, c, d = f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1]
            total[2 * i] += a * c + b * d * gamma
            total[2 * i + 1] += a * d + b * c
    return [x % Q for x in total]
