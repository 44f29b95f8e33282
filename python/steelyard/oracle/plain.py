"""Hashes and stream ciphers: hashlib, PyCryptodome, cryptography, and second implementations of our own.

No Python library in use has the latter (Skein, Grøstl, Ascon, Trivium, SEAL); published vectors test them and
the C code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from steelyard.oracle.versions import of_cryptography, of_hashlib, of_pycryptodome

Digest = Callable[[bytes], bytes]
Crypt = Callable[[bytes, bytes, bytes], bytes]

_HASHLIB_NAMES = {
    "md5": "md5",
    "sha-1": "sha1",
    "sha-224": "sha224",
    "sha-256": "sha256",
    "sha-384": "sha384",
    "sha-512": "sha512",
    "sm3": "sm3",
    "sha3-256": "sha3_256",
    "sha3-512": "sha3_512",
    "blake2s-256": "blake2s",
}
_KECCAK_BITS = {"keccak-r1088-c512": 256, "keccak-r576-c1024": 512}


def digest_source(primitive_id: str, digest_bytes: int) -> tuple[Digest, str] | None:
    """Return the hash as a function of the message, and its provenance; None if there is none."""
    source = _digest_source(primitive_id, digest_bytes)
    return source if source is not None and len(source[0](b"")) == digest_bytes else None


def _digest_source(primitive_id: str, digest_bytes: int) -> tuple[Digest, str] | None:
    name = _HASHLIB_NAMES.get(primitive_id)
    if name is not None and name in hashlib.algorithms_available:
        return lambda data: hashlib.new(name, data, usedforsecurity=False).digest(), of_hashlib()
    if primitive_id == "shake128":
        return lambda data: hashlib.shake_128(data).digest(digest_bytes), of_hashlib()
    if primitive_id in _KECCAK_BITS:
        from steelyard.oracle import pycryptodome

        bits = _KECCAK_BITS[primitive_id]
        return lambda data: pycryptodome.keccak(bits, data), of_pycryptodome()
    if primitive_id == "ascon-hash256":
        from steelyard.oracle import ascon

        return ascon.hash256, "own second implementation from NIST SP 800-232"
    if primitive_id in ("skein-256-256", "skein-512-512"):
        from steelyard.oracle import skein

        return (
            lambda data: skein.skein(digest_bytes, digest_bytes, data),
            "own second implementation from the Skein 1.3 specification",
        )
    if primitive_id in ("groestl-256", "groestl-512"):
        from steelyard.oracle import groestl

        return (
            lambda data: groestl.groestl(digest_bytes, data),
            "own second implementation from the Grøstl specification",
        )
    return None


_RC4_KEY_BYTES = frozenset({5, 7, 8, 10, 16, 24, 32})


def stream_source(algorithm_id: str, key_bytes: int, iv_bytes: int) -> tuple[Crypt, str] | None:
    """Return the stream cipher as a function of key, IV and data, and its provenance; None without one."""
    if algorithm_id == "rc4" and key_bytes in _RC4_KEY_BYTES and iv_bytes == 0:
        from steelyard.oracle import library

        return lambda key, _, data: library.rc4(key, data), of_cryptography()
    if (algorithm_id, key_bytes, iv_bytes) == ("chacha20", 32, 12):
        from steelyard.oracle import library

        return library.chacha20, of_cryptography()
    if (algorithm_id, key_bytes, iv_bytes) == ("salsa20", 32, 8):
        from steelyard.oracle import pycryptodome

        return pycryptodome.salsa20, of_pycryptodome()
    if (algorithm_id, key_bytes, iv_bytes) == ("trivium", 10, 10):
        from steelyard.oracle import trivium

        return trivium.crypt, "own second implementation from the Trivium specification"
    if (algorithm_id, key_bytes, iv_bytes) == ("seal", 20, 4):
        from steelyard.oracle import seal

        return seal.crypt, "own second implementation from the paper on SEAL 3.0"
    return None
