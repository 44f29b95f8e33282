"""Protection of a message: parts or a suite from its name in a scene, and the bytes it adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from steelyard.advise.components import Use
from steelyard.advise.limits import messages_per_key, strength_bits
from steelyard.advise.protocols import Suite, protocol, protocols
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Kind, Primitive
from steelyard.errors import UsageError
from steelyard.nearest import printable, unknown

NONE = "none"


@dataclass(frozen=True)
class Part:
    """A primitive (a block cipher with its mode) that works on each message."""

    primitive: Primitive
    kind: Kind
    mode: str | None

    def __hash__(self) -> int:
        return hash((self.primitive.id, self.mode))

    @property
    def name(self) -> str:
        """Display name."""
        return f"{self.primitive.id} {self.mode}" if self.mode else self.primitive.id


@dataclass(frozen=True)
class Protection:
    """Parts one after another, or a suite of a protocol, or nothing."""

    name: str
    parts: tuple[Part, ...] = ()
    suite: Suite | None = None

    def __hash__(self) -> int:
        return hash(self.name)

    def uses(self, catalog: Catalog, payload_bytes: int, ad_bytes: int) -> list[Use]:
        """Return the parts' uses on a message; a MAC covers associated data, IV and ciphertext."""
        found: list[Use] = []
        length = payload_bytes
        for part in self.parts:
            ad = ad_bytes if part.kind == "aead" else 0
            if part.kind == "mac":
                length += ad_bytes
            use = Use(part.primitive, part.kind, part.mode, length, ad, _padding(catalog, part, length))
            found.append(use)
            length = use.iv_bytes + use.ciphertext_bytes
        return found

    def added_bytes(self, catalog: Catalog, payload_bytes: int, ad_bytes: int) -> int:
        """Return the bytes added to a message: IV or nonce, padding, tag, or those of the suite."""
        if self.suite is not None:
            return sum(air.bytes for air in self.suite.air if air.security)
        return sum(added_by(use) for use in self.uses(catalog, payload_bytes, ad_bytes))

    def objection(self, payload_bytes: int) -> str | None:
        """Return why a message of this size cannot be protected this way."""
        if self.suite is not None and payload_bytes > self.suite.payload_most_bytes:
            return f"it carries at most {self.suite.payload_most_bytes} bytes"
        return None


def added_by(use: Use) -> int:
    """Return the bytes that a use adds to a message."""
    tag = use.primitive.tag_bytes if use.kind in ("mac", "aead") else 0
    return use.iv_bytes + use.ciphertext_bytes - use.message_bytes + tag


def _padding(catalog: Catalog, part: Part, length: int) -> str | None:
    if part.mode is None or not catalog.mode(part.mode).file.whole_blocks:
        return None
    return "none" if length % part.primitive.block_bytes == 0 else "pkcs7"


def parse(catalog: Catalog, text: str) -> Protection:
    """Parse the name of a protection; UsageError in one sentence for an invalid one."""
    name = " ".join(text.split())
    if name == NONE:
        return Protection(NONE)
    if "/" in name:
        file, _, suite_id = name.partition("/")
        suites = {suite.id: suite for suite in protocol(file).suite}
        if suite_id not in suites:
            raise UsageError(_sentence(unknown(f"suite of {file}", suite_id, suites)))
        return Protection(name, suite=suites[suite_id])
    if name in protocols():
        listed = ", ".join(f"{name}/{suite.id}" for suite in protocols()[name].suite)
        raise UsageError(f'"{name}" is a protocol; write one of its suites: {listed}.')
    parts = tuple(_part(catalog, one.strip()) for one in name.split("+"))
    if [part.kind for part in parts] not in (["block"], ["stream"], ["aead"], ["mac"], *_TOGETHER):
        raise UsageError(
            f'"{printable(name)}" is no way to protect a message; write an AEAD, a MAC, a cipher with its'
            ' mode, or a cipher and a MAC, such as "aes-128 ctr + hmac-sha-256".'
        )
    return Protection(name, parts)


_TOGETHER = (["block", "mac"], ["stream", "mac"])


def _part(catalog: Catalog, text: str) -> Part:
    name, _, mode = text.partition(" ")
    algorithm = catalog.algorithm_of(name)
    primitive, kind = algorithm.primitive(name), algorithm.file.kind
    if kind == "block" and not mode:
        raise UsageError(f'"{printable(text)}" needs a mode, such as "{name} ctr".')
    if kind != "block" and mode:
        raise UsageError(f'"{printable(text)}": {name} is no block cipher and takes no mode.')
    return Part(primitive, kind, catalog.mode(mode).id if mode else None)


def _sentence(clause: str) -> str:
    return clause if clause.endswith("?") else f"{clause}."


def find_primitive(catalog: Catalog, algorithm: str, key_bits: int, block_bits: int | None) -> Primitive:
    """Return the primitive with these key and block lengths; UsageError if there is none."""
    known = {one.id: one for one in catalog.algorithms}
    if algorithm not in known:
        raise UsageError(_sentence(unknown("algorithm", algorithm, known)))
    for primitive in known[algorithm].file.primitive:
        if primitive.key_bytes * 8 == key_bits and block_bits in (None, primitive.block_bytes * 8):
            return primitive
    sizes = ", ".join(f"{one.key_bytes * 8}/{one.block_bytes * 8}" for one in known[algorithm].file.primitive)
    raise UsageError(f"{algorithm} has no key of {key_bits} bits with such a block; key/block: {sizes}.")


def serving(
    catalog: Catalog, needs: Iterable[str], security_bits: int, sizes: Sequence[tuple[int, int]]
) -> list[Protection]:
    """Return all protections that serve needs on messages of these payloads and associated data.

    They use counted primitives that are recommended or acceptable, strong enough, and whose keys last for
    more than one such message; block ciphers in counter mode.
    """
    needs = frozenset(needs)
    counted = {primitive.id for primitive in catalog.primitives if primitive.counted}

    def of(*kinds: Kind) -> Iterator[Part]:
        for algorithm in catalog.algorithms:
            if algorithm.file.kind not in kinds:
                continue
            for primitive in algorithm.file.primitive:
                mode = "ctr" if algorithm.file.kind == "block" else None
                part = Part(primitive, algorithm.file.kind, mode)
                if primitive.id in counted and _good(catalog, part, security_bits, sizes):
                    yield part

    aeads = [(part,) for part in of("aead") if part.primitive.tag_bytes]
    if needs == {"integrity"}:
        found: list[tuple[Part, ...]] = [(part,) for part in of("mac")]
    elif needs == {"confidentiality"}:
        found = [*((part,) for part in of("block", "stream")), *aeads]
    else:
        found = [*aeads, *product(of("block", "stream"), list(of("mac")))]
    return [Protection(" + ".join(part.name for part in parts), parts) for parts in found]


def _good(catalog: Catalog, part: Part, security_bits: int, sizes: Sequence[tuple[int, int]]) -> bool:
    primitive = part.primitive
    if primitive.security not in ("recommended", "acceptable"):
        return False
    if strength_bits(catalog, primitive) < security_bits:
        return False
    uses = [Protection(part.name, (part,)).uses(catalog, *size)[0] for size in sizes]
    return all(
        messages_per_key(catalog, primitive, use.mode, use.ciphertext_bytes, use.ad_bytes)[0] >= 2
        for use in uses
    )
