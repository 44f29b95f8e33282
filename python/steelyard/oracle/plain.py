"""Hashes and stream ciphers, from hashlib and cryptography."""

from __future__ import annotations

import hashlib
import platform

_HASHLIB_NAMES = {"md5": "md5", "sha-1": "sha1"}
_RC4_KEY_BYTES = frozenset({5, 7, 8, 10, 16, 24, 32})


def digest_provenance(algorithm_id: str, digest_bytes: int) -> str | None:
    """Names what `digest` uses; None where it knows no such hash or not with that length."""
    name = _HASHLIB_NAMES.get(algorithm_id)
    if name is None or hashlib.new(name, usedforsecurity=False).digest_size != digest_bytes:
        return None
    import ssl

    return f"hashlib of Python {platform.python_version()} ({ssl.OPENSSL_VERSION})"


def digest(algorithm_id: str, data: bytes) -> bytes:
    """The hash of `data`."""
    return hashlib.new(_HASHLIB_NAMES[algorithm_id], data, usedforsecurity=False).digest()


def keystream_provenance(algorithm_id: str, key_bytes: int) -> str | None:
    """Names what `stream_crypt` uses; None where it knows no such cipher or not with that key length."""
    if algorithm_id != "rc4" or key_bytes not in _RC4_KEY_BYTES:
        return None
    from steelyard.oracle.library import provenance

    return provenance()


def stream_crypt(algorithm_id: str, key: bytes, data: bytes) -> bytes:
    """The stream from its beginning, added to `data`: encryption and decryption alike."""
    from steelyard.oracle.library import rc4

    if algorithm_id != "rc4":
        raise KeyError(algorithm_id)
    return rc4(key, data)
