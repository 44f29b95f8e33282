"""Expected outputs from a second, independent source.

What the measured code computes is compared with what an established library computes for the same
input: `cryptography` (OpenSSL) for AES, IDEA and RC4, `hashlib` for the hashes. RC5 is in no Python
library; `rc5` is a second implementation written from the specification's text. `modes` has the modes a
library lacks, over its encryption of single blocks. Libraries are imported on first use.
"""

from __future__ import annotations

from steelyard.catalog.models import Primitive
from steelyard.oracle.block import MODES, BlockOracle, block_oracle
from steelyard.oracle.plain import digest, digest_provenance, keystream_provenance, stream_crypt

__all__ = ["MODES", "NoIndependentImplementationError", "available", "expected", "provenance"]


class NoIndependentImplementationError(LookupError):
    """Nothing here computes that primitive in that mode; the message says which."""


def available(primitive: Primitive, algorithm_id: str, mode: str | None = None) -> bool:
    """Whether `expected` knows the primitive, in that mode where one is given."""
    return _source(primitive, algorithm_id, mode) is not None


def provenance(primitive: Primitive, algorithm_id: str, mode: str | None = None) -> str:
    """Names the library and version behind `expected`, or says that there is none."""
    source = _source(primitive, algorithm_id, mode)
    if source is None:
        return _none(primitive, mode)
    return source.provenance(mode) if isinstance(source, BlockOracle) else source


def expected(
    primitive: Primitive,
    algorithm_id: str,
    operation: str,
    *,
    mode: str | None = None,
    key: bytes = b"",
    iv: bytes = b"",
    data: bytes,
) -> bytes:
    """The output of `encrypt`, `decrypt` or `digest` for `data`.

    A block cipher without a mode takes one block; ECB, CBC and PCBC take whole blocks; all else any length.
    Raises NoIndependentImplementationError where `available` is false, ValueError for another operation or
    for sizes that do not fit the primitive.
    """
    source = _source(primitive, algorithm_id, mode)
    if source is None:
        raise NoIndependentImplementationError(_none(primitive, mode))
    operations = ("digest",) if primitive.digest_bytes else ("encrypt", "decrypt")
    if operation not in operations:
        raise ValueError(f"{primitive.id} has no output for operation {operation!r}, only for {operations}")
    if len(key) != primitive.key_bytes:
        raise ValueError(f"{primitive.id} takes a key of {primitive.key_bytes} bytes, not of {len(key)}")
    if isinstance(source, BlockOracle):
        return source.crypt(mode, key, iv, data, encrypt=operation == "encrypt")
    if operation == "digest":
        return digest(algorithm_id, data)
    return stream_crypt(algorithm_id, key, data)


def _none(primitive: Primitive, mode: str | None) -> str:
    return f"no independent implementation of {primitive.id}" + (f" in mode {mode}" if mode else "")


def _source(primitive: Primitive, algorithm_id: str, mode: str | None) -> BlockOracle | str | None:
    """The block cipher, or what computes the stream or hash; None where there is nothing."""
    if primitive.block_bytes and primitive.key_bytes:
        oracle = block_oracle(algorithm_id, primitive)
        return oracle if oracle is not None and (mode is None or mode in MODES) else None
    if mode is not None:
        return None
    if primitive.digest_bytes:
        return digest_provenance(algorithm_id, primitive.digest_bytes)
    return keystream_provenance(algorithm_id, primitive.key_bytes)
