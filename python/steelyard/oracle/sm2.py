"""SM2, step by step as in the standard (GM/T 0003-2012), with affine points and whole integers.

Slow and not constant-time: it serves only for comparison. A curve point is a pair (x, y); None is infinity.
"""

from __future__ import annotations

import hashlib

P = 0xFFFFFFFE_FFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFF_00000000_FFFFFFFF_FFFFFFFF
A = P - 3
B = 0x28E9FA9E_9D9F5E34_4D5A9E4B_CF6509A7_F39789F5_15AB8F92_DDBCBD41_4D940E93
N = 0xFFFFFFFE_FFFFFFFF_FFFFFFFF_FFFFFFFF_7203DF6B_21C6052B_53BBF409_39D54123
G = (
    0x32C4AE2C_1F198119_5F990446_6A39C994_8FE30BBF_F2660BE1_715A4589_334C74C7,
    0xBC3736A2_F4F6779C_59BDCEE3_6B692153_D0A9877C_C62A4740_02DF32E5_2139F0A0,
)

Point = tuple[int, int] | None


def add(one: Point, other: Point) -> Point:
    """Return the sum of two points."""
    if one is None or other is None:
        return other if one is None else one
    (x, y), (u, v) = one, other
    if x == u and (y + v) % P == 0:
        return None
    slope = (3 * x * x + A) * pow(2 * y, -1, P) if x == u else (v - y) * pow(u - x, -1, P)
    w = (slope * slope - x - u) % P
    return w, (slope * (x - w) - y) % P


def multiply(k: int, point: Point) -> Point:
    """Return the multiple k of a point, k not negative."""
    total: Point = None
    while k:
        if k & 1:
            total = add(total, point)
        point = add(point, point)
        k >>= 1
    return total


def on_curve(point: tuple[int, int]) -> bool:
    """Whether the coordinates are in the field and solve the curve's equation."""
    x, y = point
    return x < P and y < P and (y * y - x * x * x - A * x - B) % P == 0


def secret(drawn: bytes) -> bytes:
    """Map random bytes to a number from 1 to N - 2 in 32 bytes; 40 bytes make it uniform to 64 bits."""
    return (1 + int.from_bytes(drawn) % (N - 2)).to_bytes(32)


def public_key(key: bytes) -> bytes:
    """Return x and y of the public key, 64 bytes; ValueError for an invalid private key (32 bytes, 1 to N -
    2).
    """
    d = int.from_bytes(key)
    if not 1 <= d <= N - 2:
        raise ValueError("no SM2 private key: it is not between 1 and n - 2")
    return _point_bytes(multiply(d, G))


def sign(key: bytes, nonce: bytes, digest: bytes) -> bytes:
    """Return r and s over the digest of 32 bytes (steps A3 to A7); ValueError for an unsuitable nonce."""
    d, k, e = (int.from_bytes(one) for one in (key, nonce, digest))
    point = multiply(k, G) if 1 <= k < N else None
    if point is None:
        raise ValueError("the nonce is not between 1 and n - 1")
    r = (e + point[0]) % N
    s = pow(1 + d, -1, N) * (k - r * d) % N
    if r == 0 or r + k == N or s == 0:
        raise ValueError("the nonce does for no signature of this digest")
    return r.to_bytes(32) + s.to_bytes(32)


def verify(public: bytes, signature: bytes, digest: bytes) -> bool:
    """Whether r and s are a signature of the digest by that public key (steps B1 to B7)."""
    point = int.from_bytes(public[:32]), int.from_bytes(public[32:])
    r, s = int.from_bytes(signature[:32]), int.from_bytes(signature[32:])
    if not (on_curve(point) and 1 <= r < N and 1 <= s < N) or (r + s) % N == 0:
        return False
    total = add(multiply(s, G), multiply((r + s) % N, point))
    return total is not None and (int.from_bytes(digest) + total[0]) % N == r


def encrypt(public: bytes, nonce: bytes, message: bytes) -> bytes:
    """Return C1, C3 and C2 (GM/T 0003.4-2012, steps A2 to A8); ValueError for an unsuitable key or nonce."""
    point, k = (int.from_bytes(public[:32]), int.from_bytes(public[32:])), int.from_bytes(nonce)
    if not on_curve(point):
        raise ValueError("no SM2 public key: it is no point of the curve")
    if not 1 <= k < N:
        raise ValueError("the nonce is not between 1 and n - 1")
    concealed, digest = _masked(_point_bytes(multiply(k, point)), message, message)
    return b"\4" + _point_bytes(multiply(k, G)) + digest + concealed


def decrypt(key: bytes, ciphertext: bytes) -> bytes:
    """Return the message (steps B1 to B6); ValueError for a ciphertext that is not for this key."""
    public, digest, concealed = ciphertext[1:65], ciphertext[65:97], ciphertext[97:]
    point = int.from_bytes(public[:32]), int.from_bytes(public[32:])
    if ciphertext[:1] != b"\4" or not on_curve(point):
        raise ValueError("the ciphertext begins with no point of the curve")
    shared = _point_bytes(multiply(int.from_bytes(key), point))
    message, _ = _masked(shared, concealed, b"")
    if _masked(shared, message, message)[1] != digest:
        raise ValueError("the ciphertext's digest is another")
    return message


def _masked(shared: bytes, data: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Return the data under the shared point's key stream (x, then y), and the digest of x, message, y."""
    blocks = (_sm3(shared + number.to_bytes(4)) for number in range(1, -(-len(data) // 32) + 1))
    stream = b"".join(blocks)[: len(data)]
    if not any(stream):
        raise ValueError("the key stream is all zeros")
    masked = bytes(a ^ b for a, b in zip(data, stream, strict=True))
    return masked, _sm3(shared[:32] + message + shared[32:])


def _sm3(data: bytes) -> bytes:
    return hashlib.new("sm3", data).digest()


def _point_bytes(point: Point) -> bytes:
    assert point is not None
    return point[0].to_bytes(32) + point[1].to_bytes(32)
