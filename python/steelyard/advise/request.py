"""The request to `recommend`, and the primitives of the catalogue that may serve it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from steelyard.advise.components import Role, Use
from steelyard.advise.limits import messages_per_key, strength_bits
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Kind, Security, Target
from steelyard.errors import UsageError
from steelyard.measure.selection import Selection, match, match_primitives

NEEDS = ("confidentiality", "integrity", "hash")
ROLES: tuple[Role, ...] = ("send", "receive", "both")
ALLOWED: tuple[Security, ...] = ("recommended", "acceptable")
_KINDS: tuple[Kind, ...] = ("block", "stream", "aead", "mac", "hash")
_DEFAULT_MODES = ("ctr",)
_REFUSED_MODES = {"ecb": "shows which blocks of a message are equal"}


@dataclass(frozen=True)
class Request:
    """Needs and limits; None means no limit. Sizes in bytes, times in seconds, energies in joules.

    `standings` are the permitted securities; `names` selects primitives, variants, toolchains, flags and
    modes. With `key_each` a key is set up for every message. With `constant_time` time may follow no secret.
    """

    target: Target
    needs: frozenset[str]
    message_bytes: int
    ad_bytes: int = 0
    role: Role = "send"
    standings: tuple[Security, ...] = ALLOWED
    security_bits: int = 112
    rate_hz: float | None = None
    rom_bytes: int | None = None
    ram_bytes: int | None = None
    deadline_s: float | None = None
    energy_j: float | None = None
    key_life_s: float | None = None
    key_each: bool = False
    constant_time: bool = False
    names: Selection = field(default_factory=Selection)

    def __post_init__(self) -> None:
        if not self.needs:
            raise UsageError(f"--need: name one or more of {', '.join(NEEDS)}.")
        match("need", self.needs, NEEDS)
        match("role", [self.role], ROLES)
        if self.energy_j is not None and not self.target.file.has_energy:
            raise UsageError(
                f"--energy-budget: {self.target.id} has no energy model, as no supply current of it was found"
                " published; leave it out or choose another chip."
            )
        if self.key_life_s is not None and self.rate_hz is None:
            raise UsageError("--key-life needs --rate: how long a key lasts depends on how often it is used.")


@dataclass(frozen=True)
class Refused:
    """A primitive (a block cipher with its mode) that serves the needs but is left out unmeasured."""

    name: str
    security: Security
    reason: str


@dataclass(frozen=True)
class Offer:
    """Uses that together serve the needs; those of one offer run one after another on each message."""

    uses: tuple[Use, ...]


def offers(catalog: Catalog, request: Request) -> tuple[list[Offer], list[Refused]]:
    """Return what serves the needs, and what is left out because of its standing, strength or limits.

    UsageError for names that match nothing.
    """
    return _Offers(catalog, request).all()


class _Offers:
    def __init__(self, catalog: Catalog, request: Request) -> None:
        self._catalog = catalog
        self._request = request
        self._refused: dict[str, Refused] = {}
        names = request.names
        counted = (primitive.id for primitive in catalog.primitives if primitive.counted)
        self._named = match_primitives(names.primitive or counted, catalog)
        match("variant", names.variant, [variant.id for variant in catalog.variants])
        modes = match("mode", names.mode or _DEFAULT_MODES, [mode.id for mode in catalog.modes])
        for mode in (name for name in modes if name in names.mode and name in _REFUSED_MODES):
            raise UsageError(f"--mode {mode}: it {_REFUSED_MODES[mode]}; choose another mode.")
        self._modes = [catalog.mode(mode) for mode in modes if mode not in _REFUSED_MODES]

    def all(self) -> tuple[list[Offer], list[Refused]]:
        """Return every combination, in the catalogue's order."""
        needs = self._request.needs
        found: Iterable[tuple[Use, ...]] = [()]
        both = {"confidentiality", "integrity"} <= needs
        if both:
            found = [*((use,) for use in self._of_kind("aead")), *self._encrypt_then_mac()]
        elif "confidentiality" in needs:
            found = [(use,) for use in [*self._ciphers(), *self._of_kind("aead")]]
        elif "integrity" in needs:
            length = self._request.ad_bytes + self._request.message_bytes
            found = [(use,) for use in self._of_kind("mac", length)]
        if "hash" in needs:
            found = [(*uses, use) for uses, use in product(found, list(self._of_kind("hash")))]
        return [Offer(uses) for uses in found], list(self._refused.values())

    def _encrypt_then_mac(self) -> Iterator[tuple[Use, ...]]:
        """Yield combinations whose MAC covers associated data, IV and ciphertext."""
        for cipher in self._ciphers():
            length = self._request.ad_bytes + cipher.iv_bytes + cipher.ciphertext_bytes
            for mac in self._of_kind("mac", length):
                yield cipher, mac

    def _ciphers(self) -> Iterator[Use]:
        yield from self._of_kind("block")
        yield from self._of_kind("stream")

    def _of_kind(self, kind: Kind, message_bytes: int | None = None) -> Iterator[Use]:
        length = self._request.message_bytes if message_bytes is None else message_bytes
        ad_bytes = self._request.ad_bytes if kind == "aead" else 0
        for algorithm in self._catalog.algorithms:
            if algorithm.file.kind != kind:
                continue
            for primitive in algorithm.file.primitive:
                if primitive.id not in self._named:
                    continue
                if kind != "block":
                    yield from self._good(Use(primitive, kind, None, length, ad_bytes, None))
                    continue
                for mode in self._modes:
                    padding = None
                    if mode.file.whole_blocks:
                        padding = "none" if length % primitive.block_bytes == 0 else "pkcs7"
                    yield from self._good(Use(primitive, kind, mode.id, length, 0, padding))

    def _good(self, use: Use) -> Iterator[Use]:
        reason = self._objection(use)
        if reason is None:
            yield use
        else:
            self._refused.setdefault(use.name, Refused(use.name, use.primitive.security, reason))

    def _objection(self, use: Use) -> str | None:
        primitive, request = use.primitive, self._request
        if use.kind == "aead" and primitive.tag_bytes == 0:
            return "it has no tag and so gives no integrity"
        if primitive.security not in request.standings:
            return f"{primitive.security}: {primitive.authority}"
        strength = strength_bits(self._catalog, primitive)
        if strength < request.security_bits:
            return f"{strength} bits of security, {request.security_bits} are asked for"
        messages, limit = messages_per_key(
            self._catalog, primitive, use.mode, use.ciphertext_bytes, use.ad_bytes
        )
        if messages < 1:
            return f"messages of {use.message_bytes} bytes are too long for it: {limit}"
        if messages < 2 and not request.key_each:
            return f"a key of it is good for one message: {limit}"
        if request.key_life_s is not None and request.rate_hz is not None and not request.key_each:
            needed = request.key_life_s * request.rate_hz
            if messages < needed:
                return f"a key is good for {messages:.3g} messages, {needed:.3g} are asked for: {limit}"
        return None


def uses_of(listed: Sequence[Offer]) -> list[Use]:
    """Return each use once, in order."""
    return list(dict.fromkeys(use for offer in listed for use in offer.uses))
