"""How strong a primitive is, and how much one of its keys may protect, by `advice/limits.toml`."""

from __future__ import annotations

import math
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from steelyard.catalog.load import Catalog, read_file
from steelyard.catalog.models import Primitive, Strict
from steelyard.data import data_root


class Limit(Strict):
    """2^(log2 + log2_per_block_bit n) of what is counted, n the bits of a block or of an HMAC's digest.

    `formula` and the source say why. A message counts `passes` blocks for each of the payload's, one for
    each of the associated data, and `extra_blocks`.
    """

    name: str
    modes: tuple[str, ...] = ()
    algorithms: tuple[str, ...] = ()
    counts: Literal["blocks", "messages", "bytes-per-message"]
    log2: float
    log2_per_block_bit: float = 0.0
    passes: Annotated[int, Field(ge=1)] = 1
    extra_blocks: Annotated[int, Field(ge=0)] = 0
    formula: str
    document: str
    section: str


class Strength(Strict):
    """Bits of security of a primitive whose key or digest is longer than it is strong."""

    primitive: str
    bits: Annotated[int, Field(gt=0)]
    document: str
    section: str


class LimitsFile(Strict):
    """`advice/limits.toml`."""

    limit: tuple[Limit, ...] = Field(min_length=1)
    strength: tuple[Strength, ...]


@cache
def rules() -> LimitsFile:
    """The rules; CatalogError where the file is wrong."""
    return read_file(data_root() / "advice" / "limits.toml", LimitsFile)


def strength_bits(catalog: Catalog, primitive: Primitive) -> int:
    """Bits of security: of the key, of half a digest (collisions), of a listed attack, whichever is least."""
    listed = {strength.primitive: strength.bits for strength in rules().strength}
    if primitive.id in listed:
        return listed[primitive.id]
    kind = catalog.algorithm_of(primitive.id).file.kind
    if kind == "hash":
        return primitive.digest_bytes * 4
    if kind == "signature":
        return primitive.key_bytes * 4
    parts = [listed[part.primitive.id] for part in primitive.parts if part.primitive.id in listed]
    return min([primitive.key_bytes * 8, *parts])


def _nonces(primitive: Primitive, kind: str) -> float:
    """Messages that differ in their nonce, counted, before the key must be changed; infinite without one."""
    if kind == "stream" or (kind == "aead" and primitive.iv_bytes):
        return 2.0 ** (8 * primitive.iv_bytes)
    return math.inf


def _applying(catalog: Catalog, primitive: Primitive, mode: str | None) -> list[Limit]:
    """The limits of a primitive, in a mode where it is a block cipher."""
    algorithm = catalog.algorithm_of(primitive.id).id
    return [
        limit
        for limit in rules().limit
        if mode in limit.modes or (mode is None and algorithm in limit.algorithms)
    ]


def _bound(limit: Limit, primitive: Primitive) -> float:
    """The number of blocks, messages or bytes that a limit allows."""
    inner = primitive.parts[0].primitive if primitive.parts else primitive
    bits = 8 * (inner.digest_bytes or inner.block_bytes)
    return float(2.0 ** (limit.log2 + limit.log2_per_block_bit * bits))


def messages_per_key(
    catalog: Catalog, primitive: Primitive, mode: str | None, message_bytes: int, ad_bytes: int
) -> tuple[float, str]:
    """Messages of this size that one key may protect, and by which limit.

    Infinite and "" where none is known; 0 for a message longer than any may be.
    """
    kind = catalog.algorithm_of(primitive.id).file.kind
    allowed = _nonces(primitive, kind)
    least = (allowed, "different nonces") if math.isfinite(allowed) else (math.inf, "")
    for limit in _applying(catalog, primitive, mode):
        most = _bound(limit, primitive)
        if limit.counts == "bytes-per-message":
            count = math.inf if message_bytes < most else 0.0
        elif limit.counts == "messages":
            count = most
        else:
            size = primitive.block_bytes or 1
            blocks = limit.passes * -(-message_bytes // size) + -(-ad_bytes // size) + limit.extra_blocks
            count = most / max(blocks, 1)
        if count < least[0]:
            least = (count, f"{limit.name}: {limit.formula} ({limit.document}, {limit.section})")
    return least
