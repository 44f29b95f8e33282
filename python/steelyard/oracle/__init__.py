"""Expected outputs from a second, independent source.

The outputs of the measured code are compared with those of an established library for the same input:
`cryptography` (OpenSSL) for AES, IDEA, RC4 and ChaCha20, `hashlib` for most hashes, PyCryptodome for Salsa20
and the original Keccak. No Python library has RC5; `rc5` is a second implementation written from the
specification's text, as are those that `plain` names. `modes` holds the modes that a library lacks, over its
encryption of single blocks. Libraries are imported on first use.
"""

from __future__ import annotations

from steelyard.catalog.models import Primitive
from steelyard.oracle.authenticated import Authenticate, authenticated_source
from steelyard.oracle.block import MODES, BlockOracle, block_oracle
from steelyard.oracle.key_pairs import key_pairs
from steelyard.oracle.plain import Crypt, digest_source, stream_source
from steelyard.oracle.signature import signatures
from steelyard.oracle.versions import libraries

__all__ = ["MODES", "NoIndependentImplementationError", "available", "expected", "libraries", "provenance"]


class NoIndependentImplementationError(LookupError):
    """No independent implementation computes this primitive in this mode; the message names both."""


def available(primitive: Primitive, algorithm_id: str, mode: str | None = None) -> bool:
    """Whether `expected` knows the primitive (in a mode, if given), or `signature` or `key_pairs` does."""
    if primitive.public_key_bytes:
        return signatures(primitive) is not None or key_pairs(primitive) is not None
    if primitive.authenticates:
        return _authenticated(primitive, algorithm_id, mode) is not None
    return (
        _block(primitive, algorithm_id, mode) is not None or _plain(primitive, algorithm_id, mode) is not None
    )


def provenance(primitive: Primitive, algorithm_id: str, mode: str | None = None) -> str:
    """Return the library and version behind `expected`, or a text that there is none."""
    if primitive.public_key_bytes:
        source = signatures(primitive) or key_pairs(primitive)
        return _none(primitive, mode) if source is None else source.provenance
    if primitive.authenticates:
        authenticated = _authenticated(primitive, algorithm_id, mode)
        return _none(primitive, mode) if authenticated is None else authenticated[1]
    block = _block(primitive, algorithm_id, mode)
    if block is not None:
        return block.provenance(mode)
    plain = _plain(primitive, algorithm_id, mode)
    return _none(primitive, mode) if plain is None else plain[1]


def expected(
    primitive: Primitive,
    algorithm_id: str,
    operation: str,
    *,
    mode: str | None = None,
    key: bytes = b"",
    iv: bytes = b"",
    data: bytes,
    ad: bytes = b"",
) -> bytes:
    """Compute the output of `encrypt`, `decrypt`, `digest`, `mac` or `seal` for `data`; `seal` ends in the
    tag.

    A block cipher without a mode takes one block; ECB, CBC and PCBC take whole blocks; all others take any
    length. NoIndependentImplementationError if `available` is false, ValueError for another operation or for
    sizes that do not fit the primitive.
    """
    if primitive.authenticates:
        return _tagged(primitive, algorithm_id, operation, mode, key, iv, ad, data)
    block, plain = _block(primitive, algorithm_id, mode), _plain(primitive, algorithm_id, mode)
    if block is None and plain is None:
        raise NoIndependentImplementationError(_none(primitive, mode))
    operations = ("digest",) if primitive.digest_bytes else ("encrypt", "decrypt")
    if operation not in operations:
        raise ValueError(f"{primitive.id} has no output for operation {operation!r}, only for {operations}")
    if len(key) != primitive.key_bytes:
        raise ValueError(f"{primitive.id} takes a key of {primitive.key_bytes} bytes, not of {len(key)}")
    if block is not None:
        return block.crypt(mode, key, iv, data, encrypt=operation == "encrypt")
    assert plain is not None
    if len(iv) != primitive.iv_bytes:
        raise ValueError(f"{primitive.id} takes an IV of {primitive.iv_bytes} bytes, not of {len(iv)}")
    return plain[0](key, iv, data)


def _tagged(
    primitive: Primitive,
    algorithm_id: str,
    operation: str,
    mode: str | None,
    key: bytes,
    iv: bytes,
    ad: bytes,
    data: bytes,
) -> bytes:
    source = _authenticated(primitive, algorithm_id, mode)
    if source is None:
        raise NoIndependentImplementationError(_none(primitive, mode))
    only = "seal" if primitive.iv_bytes else "mac"
    if operation != only:
        raise ValueError(f"{primitive.id} has no output for operation {operation!r}, only for {only!r}")
    if (len(key), len(iv)) != (primitive.key_bytes, primitive.iv_bytes):
        raise ValueError(
            f"{primitive.id} takes a key of {primitive.key_bytes} bytes and a nonce of {primitive.iv_bytes},"
            f" not of {len(key)} and {len(iv)}"
        )
    return source[0](key, iv, ad, data)


def _authenticated(
    primitive: Primitive, algorithm_id: str, mode: str | None
) -> tuple[Authenticate, str] | None:
    return authenticated_source(primitive, algorithm_id) if mode is None else None


def _none(primitive: Primitive, mode: str | None) -> str:
    return f"no independent implementation of {primitive.id}" + (f" in mode {mode}" if mode else "")


def _block(primitive: Primitive, algorithm_id: str, mode: str | None) -> BlockOracle | None:
    if not (primitive.block_bytes and primitive.key_bytes):
        return None
    oracle = block_oracle(algorithm_id, primitive)
    return oracle if oracle is not None and (mode is None or mode in MODES) else None


def _plain(primitive: Primitive, algorithm_id: str, mode: str | None) -> tuple[Crypt, str] | None:
    """Return a hash or a stream cipher as a function of key, IV and data, and its provenance."""
    if mode is not None:
        return None
    if not primitive.digest_bytes:
        return stream_source(algorithm_id, primitive.key_bytes, primitive.iv_bytes)
    source = digest_source(primitive.id, primitive.digest_bytes)
    if source is None:
        return None
    digest, name = source
    return lambda _, __, data: digest(data), name
