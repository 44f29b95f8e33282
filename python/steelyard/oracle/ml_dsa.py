"""ML-DSA, algorithm by algorithm as in FIPS 204 (2024), without randomness of its own.

Polynomials are the last axis, of 256 integers, of NumPy's arrays. Not constant-time: it serves only for
comparison.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Q = 8380417
ZETA = 1753
D = 13
SEED_BYTES = 32
"""Bytes of xi, of which a key pair is made, and of rnd."""

Array = NDArray[np.int64]


@dataclass(frozen=True)
class Parameters:
    """One parameter set (section 4, table 1)."""

    k: int
    l: int  # noqa: E741
    tau: int
    strength: int
    gamma1: int
    gamma2: int
    eta: int
    omega: int

    @property
    def beta(self) -> int:
        """The most that c times a secret polynomial has in a coefficient."""
        return self.tau * self.eta

    @property
    def eta_bits(self) -> int:
        """Bits of a coefficient of a secret polynomial."""
        return (2 * self.eta).bit_length()

    @property
    def z_bits(self) -> int:
        """Bits of a coefficient of z."""
        return (2 * self.gamma1 - 1).bit_length()

    @property
    def public_bytes(self) -> int:
        """Bytes of a public key."""
        return 32 + 320 * self.k

    @property
    def secret_bytes(self) -> int:
        """Bytes of a private key."""
        return 128 + 32 * ((self.l + self.k) * self.eta_bits + D * self.k)

    @property
    def signature_bytes(self) -> int:
        """Bytes of a signature."""
        return self.strength // 4 + 32 * self.l * self.z_bits + self.omega + self.k


SETS = {
    "ml-dsa-44": Parameters(4, 4, 39, 128, 1 << 17, (Q - 1) // 88, 2, 80),
    "ml-dsa-65": Parameters(6, 5, 49, 192, 1 << 19, (Q - 1) // 32, 4, 55),
    "ml-dsa-87": Parameters(8, 7, 60, 256, 1 << 19, (Q - 1) // 32, 2, 75),
}


def formatted(message: bytes, context: bytes = b"") -> bytes:
    """Return M', the message as pure ML-DSA signs it (algorithm 2, line 10); ValueError for a context of more
    than 255 bytes.
    """
    if len(context) > 255:
        raise ValueError("a context has at most 255 bytes")
    return bytes([0, len(context)]) + context + message


def representative(public: bytes, formatted_message: bytes) -> bytes:
    """Return mu, the digest of public key and M' (algorithm 7, line 6)."""
    return _h(_h(public, 64) + formatted_message, 64)


def keypair(sizes: Parameters, xi: bytes) -> tuple[bytes, bytes]:
    """Return public and private key (algorithm 6); ValueError for another length than 32 bytes."""
    if len(xi) != SEED_BYTES:
        raise ValueError(f"a key pair takes 32 bytes, not {len(xi)}")
    drawn = _h(xi + bytes([sizes.k, sizes.l]), 128)
    rho, secret_seed, key = drawn[:32], drawn[32:96], drawn[96:]
    secrets = np.stack([_small(sizes, secret_seed, number) for number in range(sizes.l + sizes.k)])
    s1, s2 = secrets[: sizes.l], secrets[sizes.l :]
    t = (ntt_inverse(_times(_matrix(sizes, rho), ntt(s1))) + s2) % Q
    t1, t0 = power2round(t)
    public = rho + _packed(t1, 10)
    parts = _packed(sizes.eta - secrets, sizes.eta_bits) + _packed((1 << D - 1) - t0, D)
    return public, rho + key + _h(public, 64) + parts


def sign(
    sizes: Parameters, secret: bytes, message: bytes, rnd: bytes = bytes(32), context: bytes = b""
) -> bytes:
    """Return the signature of a message (algorithm 2); without `rnd` the deterministic one."""
    return sign_internal(sizes, secret, formatted(message, context), rnd)


def sign_internal(sizes: Parameters, secret: bytes, formatted_message: bytes, rnd: bytes) -> bytes:
    """Return the signature of M' (algorithm 7); ValueError for an invalid key, or another length."""
    return sign_representative(sizes, secret, _h(secret[64:128] + formatted_message, 64), rnd)


def sign_representative(sizes: Parameters, secret: bytes, mu: bytes, rnd: bytes) -> bytes:
    """Return the signature of mu (algorithm 7 from line 7); ValueError as in `sign_internal`."""
    if len(secret) != sizes.secret_bytes or len(mu) != 64 or len(rnd) != SEED_BYTES:
        raise ValueError(f"{sizes.secret_bytes} bytes of key, 64 of mu and 32 of rnd are needed")
    matrix = _matrix(sizes, secret[:32])
    s1, s2, t0 = _unpacked_secret(sizes, secret)
    seed = _h(secret[32:64] + rnd + mu, 64)
    kappa = 0
    while True:
        y = np.stack([_mask(sizes, seed, kappa + number) for number in range(sizes.l)])
        kappa += sizes.l
        w = ntt_inverse(_times(matrix, ntt(y)))
        commitment = _h(mu + _packed_w1(sizes, high_bits(sizes, w)), sizes.strength // 4)
        c = ntt(_ball(sizes, commitment))
        z = y + centred(ntt_inverse(c * s1 % Q))
        rest = (w - ntt_inverse(c * s2 % Q)) % Q
        if norm(z) >= sizes.gamma1 - sizes.beta or norm(low_bits(sizes, rest)) >= sizes.gamma2 - sizes.beta:
            continue
        ct0 = centred(ntt_inverse(c * t0 % Q))
        hints = high_bits(sizes, rest) != high_bits(sizes, (rest + ct0) % Q)
        if norm(ct0) < sizes.gamma2 and np.count_nonzero(hints) <= sizes.omega:
            return commitment + _packed(sizes.gamma1 - z, sizes.z_bits) + _packed_hints(sizes, hints)


def verify(sizes: Parameters, public: bytes, message: bytes, signature: bytes, context: bytes = b"") -> bool:
    """Whether a signature is one of the message by that public key (algorithm 3)."""
    if len(context) > 255:
        return False
    return verify_internal(sizes, public, formatted(message, context), signature)


def verify_internal(sizes: Parameters, public: bytes, formatted_message: bytes, signature: bytes) -> bool:
    """Whether a signature is one of M' (algorithm 8)."""
    return verify_representative(sizes, public, representative(public, formatted_message), signature)


def verify_representative(sizes: Parameters, public: bytes, mu: bytes, signature: bytes) -> bool:
    """Whether a signature is one of mu (algorithm 8 from line 8)."""
    if len(public) != sizes.public_bytes or len(signature) != sizes.signature_bytes:
        return False
    c_bytes, z_bytes = sizes.strength // 4, 32 * sizes.l * sizes.z_bits
    commitment, packed_hints = signature[:c_bytes], signature[c_bytes + z_bytes :]
    z = sizes.gamma1 - _unpacked(signature[c_bytes:][:z_bytes], sizes.z_bits)
    hints = _unpacked_hints(sizes, packed_hints)
    if hints is None or norm(z) >= sizes.gamma1 - sizes.beta:
        return False
    c, t1 = ntt(_ball(sizes, commitment)), _unpacked(public[32:], 10)
    product = _times(_matrix(sizes, public[:32]), ntt(z))
    w = ntt_inverse((product - c * ntt(t1 << D)) % Q)
    return _h(mu + _packed_w1(sizes, use_hint(sizes, hints, w)), c_bytes) == commitment


def _h(data: bytes, count: int) -> bytes:
    return hashlib.shake_256(data).digest(count)


def centred(values: Array) -> Array:
    """Each value modulo Q between -(Q - 1) / 2 and (Q - 1) / 2 (2.3)."""
    reduced = values % Q
    return np.where(reduced > Q // 2, reduced - Q, reduced)


def norm(values: Array) -> int:
    """The largest absolute value modulo Q (2.3)."""
    return int(np.abs(centred(values)).max())


def power2round(values: Array) -> tuple[Array, Array]:
    """Upper and lower part of values from 0 to Q - 1 (algorithm 35)."""
    upper = (values + (1 << D - 1) - 1) >> D
    return upper, values - (upper << D)


def _decomposed(sizes: Parameters, values: Array) -> tuple[Array, Array]:
    """High and low bits of values from 0 to Q - 1 (algorithm 36)."""
    twice = 2 * sizes.gamma2
    low = values % twice
    low = np.where(low > sizes.gamma2, low - twice, low)
    at_end = values - low == Q - 1
    return np.where(at_end, 0, (values - low) // twice), np.where(at_end, low - 1, low)


def high_bits(sizes: Parameters, values: Array) -> Array:
    """Algorithm 37."""
    return _decomposed(sizes, values)[0]


def low_bits(sizes: Parameters, values: Array) -> Array:
    """Algorithm 38."""
    return _decomposed(sizes, values)[1]


def use_hint(sizes: Parameters, hints: NDArray[np.bool_], values: Array) -> Array:
    """High bits, corrected where there is a hint (algorithm 40)."""
    high, low = _decomposed(sizes, values)
    return (high + np.where(hints, np.where(low > 0, 1, -1), 0)) % ((Q - 1) // (2 * sizes.gamma2))


def _packed(values: Array, bits: int) -> bytes:
    """SimpleBitPack (algorithm 16), one polynomial after another.

    BitPack (algorithm 17) is the same of what its upper limit exceeds the values by.
    """
    as_bits = values[..., None] >> np.arange(bits) & 1
    return np.packbits(as_bits.astype(np.uint8).ravel(), bitorder="little").tobytes()


def _unpacked(data: bytes, bits: int) -> Array:
    """SimpleBitUnpack (algorithm 18) of as many polynomials as there are."""
    as_bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little").astype(np.int64)
    values: Array = (as_bits.reshape(-1, 256, bits) << np.arange(bits)).sum(axis=-1)
    return values


def _packed_w1(sizes: Parameters, values: Array) -> bytes:
    """w1Encode (algorithm 28)."""
    return _packed(values, ((Q - 1) // (2 * sizes.gamma2) - 1).bit_length())


def _packed_hints(sizes: Parameters, hints: NDArray[np.bool_]) -> bytes:
    """HintBitPack (algorithm 20)."""
    places, ends = bytearray(), bytearray()
    for polynomial in hints:
        places += bytes(np.flatnonzero(polynomial).tolist())
        ends.append(len(places))
    return bytes(places.ljust(sizes.omega, b"\0") + ends)


def _unpacked_hints(sizes: Parameters, data: bytes) -> NDArray[np.bool_] | None:
    """HintBitUnpack (algorithm 21); None for what is no encoding."""
    hints, at = np.zeros((sizes.k, 256), bool), 0
    places, ends = data[: sizes.omega], data[sizes.omega :]
    for polynomial, end in zip(hints, ends, strict=True):
        listed = list(places[at:end])
        if not at <= end <= sizes.omega or listed != sorted(set(listed)):
            return None
        polynomial[listed] = True
        at = end
    return None if any(places[at:]) else hints


def _unpacked_secret(sizes: Parameters, secret: bytes) -> tuple[Array, Array, Array]:
    """The polynomials of skDecode (algorithm 25), transformed; ValueError for one out of range."""
    end = 128 + 32 * (sizes.l + sizes.k) * sizes.eta_bits
    secrets = sizes.eta - _unpacked(secret[128:end], sizes.eta_bits)
    if secrets.min() < -sizes.eta:
        raise ValueError("the private key has a coefficient out of range")
    t0 = (1 << D - 1) - _unpacked(secret[end:], D)
    return ntt(secrets[: sizes.l]), ntt(secrets[sizes.l :]), ntt(t0)


def _drawn(squeeze: Callable[[int], bytes], count: int, accepted: Callable[[bytes], Array]) -> Array:
    """The first 256 values that are accepted of an output of any length."""
    while True:
        found = accepted(squeeze(count))
        if len(found) >= 256:
            return found[:256]
        count *= 2


@lru_cache(maxsize=16)
def _matrix(sizes: Parameters, rho: bytes) -> Array:
    """ExpandA (algorithm 32) over RejNTTPoly (algorithms 14 and 30)."""

    def accepted(data: bytes) -> Array:
        a, b, c = np.frombuffer(data, np.uint8).reshape(-1, 3).astype(np.int64).T
        values: Array = a | b << 8 | (c & 127) << 16
        return values[values < Q]

    rows = [
        [_drawn(hashlib.shake_128(rho + bytes([s, r])).digest, 840, accepted) for s in range(sizes.l)]
        for r in range(sizes.k)
    ]
    return np.array(rows)


def _small(sizes: Parameters, seed: bytes, number: int) -> Array:
    """RejBoundedPoly (algorithms 15 and 31), as ExpandS (algorithm 33) asks for it."""

    def accepted(data: bytes) -> Array:
        pairs = np.frombuffer(data, np.uint8).astype(np.int64)
        halves = np.stack([pairs & 15, pairs >> 4], axis=-1).ravel()
        if sizes.eta == 2:
            return 2 - halves[halves < 15] % 5
        return 4 - halves[halves < 9]

    return _drawn(hashlib.shake_256(seed + number.to_bytes(2, "little")).digest, 272, accepted)


def _mask(sizes: Parameters, seed: bytes, number: int) -> Array:
    """One polynomial of ExpandMask (algorithm 34)."""
    drawn = _h(seed + number.to_bytes(2, "little"), 32 * sizes.z_bits)
    polynomial: Array = sizes.gamma1 - _unpacked(drawn, sizes.z_bits)[0]
    return polynomial


def _ball(sizes: Parameters, commitment: bytes) -> Array:
    """SampleInBall (algorithm 29)."""
    count = 136
    while True:
        drawn = _h(commitment, count)
        signs, at = int.from_bytes(drawn[:8], "little"), 8
        c = np.zeros(256, np.int64)
        for i in range(256 - sizes.tau, 256):
            while at < count and drawn[at] > i:
                at += 1
            if at == count:
                break
            c[i] = c[drawn[at]]
            c[drawn[at]] = 1 - 2 * (signs >> i + sizes.tau - 256 & 1)
            at += 1
        else:
            return c
        count += 136


_ZETAS = np.array([pow(ZETA, int(f"{m:08b}"[::-1], 2), Q) for m in range(256)])
_LENGTHS = (128, 64, 32, 16, 8, 4, 2, 1)


def ntt(polynomials: Array) -> Array:
    """The number-theoretic transform (algorithm 41)."""
    w = polynomials % Q
    for length in _LENGTHS:
        blocks = 128 // length
        halves = w.reshape(*w.shape[:-1], blocks, 2, length)
        first, second = halves[..., 0, :], _ZETAS[blocks : 2 * blocks, None] * halves[..., 1, :]
        w = (np.stack([first + second, first - second], axis=-2) % Q).reshape(w.shape)
    return w


def ntt_inverse(polynomials: Array) -> Array:
    """The inverse of the transform (algorithm 42)."""
    w = polynomials
    for length in reversed(_LENGTHS):
        blocks = 128 // length
        halves = w.reshape(*w.shape[:-1], blocks, 2, length)
        first, second = halves[..., 0, :], halves[..., 1, :]
        zetas = _ZETAS[blocks : 2 * blocks][::-1, None]
        w = (np.stack([first + second, zetas * (second - first)], axis=-2) % Q).reshape(w.shape)
    return 8347681 * w % Q


def _times(matrix: Array, vector: Array) -> Array:
    """The product of a matrix and a vector in the domain of the transform (algorithm 48)."""
    product: Array = (matrix * vector).sum(axis=1) % Q
    return product
