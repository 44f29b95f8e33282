"""Strength of a primitive, and how much one of its keys may protect, from `advice/limits.toml`."""

from __future__ import annotations

import math
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from steelyard.catalog.load import Catalog, read_file
from steelyard.catalog.models import Primitive, Strict
from steelyard.data import data_root


class Limit(Strict):
    """A limit of 2^(log2 + log2_per_block_bit n) counted units; n is the bits of a block or an HMAC's digest.

    `formula` and the source state the reason. A message counts `passes` blocks for each block of payload, one
    for each of associated data, and `extra_blocks`.
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
    """Security in bits of a primitive that is weaker than its key or digest is long."""

    primitive: str
    bits: Annotated[int, Field(gt=0)]
    document: str
    section: str


class LimitsFile(Strict):
    """Contents of `advice/limits.toml`."""

    limit: tuple[Limit, ...] = Field(min_length=1)
    strength: tuple[Strength, ...]


@cache
def rules() -> LimitsFile:
    """Return the rules; CatalogError for an invalid file."""
    return read_file(data_root() / "advice" / "limits.toml", LimitsFile)


def strength_bits(catalog: Catalog, primitive: Primitive) -> int:
    """Return the security in bits: the minimum of key, half a digest (collisions) and listed attacks."""
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
    """Return how many counted nonces differ before the key must be changed; infinite without a nonce."""
    if kind == "stream" or (kind == "aead" and primitive.iv_bytes):
        return 2.0 ** (8 * primitive.iv_bytes)
    return math.inf


def _applying(catalog: Catalog, primitive: Primitive, mode: str | None) -> list[Limit]:
    """Return the limits that apply to a primitive (a block cipher with its mode)."""
    algorithm = catalog.algorithm_of(primitive.id).id
    return [
        limit
        for limit in rules().limit
        if mode in limit.modes or (mode is None and algorithm in limit.algorithms)
    ]


def _bound(limit: Limit, primitive: Primitive) -> float:
    """Return the number of blocks, messages or bytes that a limit allows."""
    inner = primitive.parts[0].primitive if primitive.parts else primitive
    bits = 8 * (inner.digest_bytes or inner.block_bytes)
    return float(2.0 ** (limit.log2 + limit.log2_per_block_bit * bits))


def messages_per_key(
    catalog: Catalog, primitive: Primitive, mode: str | None, message_bytes: int, ad_bytes: int
) -> tuple[float, str]:
    """Return how many messages of this size one key may protect, and the limit that decides it.

    The number is infinite, with "", if no limit is known; it is 0 for a message longer than permitted.
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
