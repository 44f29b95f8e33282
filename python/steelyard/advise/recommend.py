"""Rank what fits: offers of the catalogue, records of their builds, limits with their slack."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import product

from steelyard.advise.components import Component, Lacking, Records, components
from steelyard.advise.limits import messages_per_key
from steelyard.advise.request import Offer, Refused, Request, offers, uses_of
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Security
from steelyard.measure.check import CONSTANT_ENOUGH
from steelyard.measure.selection import Selection, match
from steelyard.record.schema import Record

ORDERS = ("time", "energy", "rom", "ram", "air")
_WORST_FIRST: tuple[Security, ...] = ("broken", "legacy", "acceptable", "recommended")


@dataclass(frozen=True)
class Check:
    """One limit: the option that sets it, the figure needed and the figure available, in the same unit."""

    option: str
    needed: float
    allowed: float
    unit: str

    @property
    def slack(self) -> float:
        """What is left of the limit; negative if it is exceeded."""
        return self.allowed - self.needed

    @property
    def fits(self) -> bool:
        """Whether the figure is within the limit."""
        return self.needed <= self.allowed

    @property
    def ratio(self) -> float:
        """Used share of the limit; 1 is all of it."""
        return self.needed / self.allowed if self.allowed else float("inf")


@dataclass(frozen=True)
class Candidate:
    """Builds of an offer with the same compiler and flags, their joint cost, and each limit checked.

    Time and energy are those of one message; `setup_time_us` is spent once per key. ROM counts code once if
    one part contains another; RAM counts only the deepest stack. `air_bytes` are IV, padding and tag.
    """

    parts: tuple[Component, ...]
    cycles: float
    setup_cycles: float
    time_us: float
    setup_time_us: float
    energy_nj: float | None
    rom_bytes: int
    ram_bytes: int
    air_bytes: int
    messages_per_key: float
    limit: str
    checks: tuple[Check, ...]

    @property
    def name(self) -> str:
        """Display name: `aes-128 ctr + hmac-sha-256`."""
        return " + ".join(part.use.name for part in self.parts)

    @property
    def variants(self) -> str:
        """The variants, in the order of the name."""
        return " + ".join(part.variant for part in self.parts)

    @property
    def inner_variants(self) -> str:
        """Variants that constructions among them are made of, in the order of the name."""
        return " ".join(inner for part in self.parts for _, inner in part.contains)

    @property
    def security(self) -> Security:
        """The worst standing among the parts."""
        return min((part.use.primitive.security for part in self.parts), key=_WORST_FIRST.index)

    @property
    def fits(self) -> bool:
        """Whether every limit is kept."""
        return all(check.fits for check in self.checks)

    @property
    def miss(self) -> float:
        """Factor by which the worst limit is exceeded; at most 1 if all are kept."""
        return max((check.ratio for check in self.checks), default=0.0)


@dataclass(frozen=True)
class Answer:
    """Fitting candidates, best first; others, nearest first; and those that could not be judged, with
    reasons.
    """

    fitting: list[Candidate] = field(default_factory=list)
    missing_limits: list[Candidate] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    lacking: list[Lacking] = field(default_factory=list)
    unmeasured: list[str] = field(default_factory=list)


def needed_cells(catalog: Catalog, request: Request, toolchain: str) -> list[Selection]:
    """Return the selections that `measure` needs for the default cells of every offer.

    `toolchain` is used if the request names none.
    """
    listed, _ = offers(catalog, request)
    together: dict[tuple[object, ...], list[str]] = {}
    for use in uses_of(listed):
        modes = ("none", use.mode) if use.mode else ()
        footprint = {"send": "encrypt", "receive": "decrypt", "both": "both"}[request.role]
        ad_lengths = (use.ad_bytes,) if use.kind == "aead" else ()
        kept = () if use.kind in ("mac", "hash") else (footprint,)
        algorithms = (catalog.algorithm_of(use.primitive.id).id, *use.primitive.part_algorithms)
        variants = tuple(dict.fromkeys(one for name in algorithms for one in _variants(request.names, name)))
        key = (modes, use.message_bytes, use.padding, ad_lengths, kept, use.kind, variants)
        together.setdefault(key, []).append(use.primitive.id)
    return [step for key, names in together.items() for step in _steps(request, key, names, toolchain)]


def _steps(
    request: Request, key: tuple[object, ...], names: Sequence[str], toolchain: str
) -> Iterator[Selection]:
    modes, message_bytes, padding, ad_lengths, footprints, kind, variants = key
    base: dict[str, object] = {
        "primitive": tuple(names),
        "target": (request.target.id,),
        "variant": variants,
        "flags": request.names.flags,
        "toolchain": request.names.toolchain or (toolchain,),
    }
    operations = _operations(str(kind), request.role)
    if modes:
        assert isinstance(modes, tuple)
        # The set-up does not depend on the mode; it is measured with the raw block operation.
        yield Selection.model_validate({**base, "mode": (modes[0],), "operation": ("init", "init-decrypt")})
        yield Selection.model_validate(
            {
                **base, "mode": (modes[1],), "operation": operations, "footprint": footprints,
                "length": (message_bytes,), "padding": (padding,) if padding else (),
            }
        )  # fmt: skip
        return
    yield Selection.model_validate(
        {
            **base, "operation": ("init", *operations) if kind != "hash" else operations,
            "length": (message_bytes,), "ad_length": ad_lengths, "footprint": footprints,
        }
    )  # fmt: skip


def measure_command(selection: Selection) -> str:
    """Return the `steelyard measure` command that measures a selection."""
    chosen = selection.model_dump(exclude={"everything"})
    given = [
        f"--{name.replace('_', '-')}={shlex.quote(str(value))}"
        for name, values in chosen.items()
        for value in values
    ]
    return " ".join(["steelyard measure", *given])


def _operations(kind: str, role: str) -> tuple[str, ...]:
    first, second = {"aead": ("seal", "open")}.get(kind, ("encrypt", "decrypt"))
    if kind in ("mac", "hash"):
        return ("mac",) if kind == "mac" else ("digest",)
    return {"send": (first,), "receive": (second,), "both": (first, second)}[role]


def recommend(catalog: Catalog, request: Request, rows: Iterable[Record], order: str = "time") -> Answer:
    """Judge every build of every offer by these records (the newest; records of other chips are ignored).

    UsageError for unknown names.
    """
    match("by", [order], ORDERS)
    listed, refused = offers(catalog, request)
    records = Records(row for row in rows if _of_target(row, request))
    made: dict[object, list[Component]] = {}
    lacking: list[Lacking] = []
    for use in uses_of(listed):
        found, without = components(catalog, records, use, request.role)
        made[use] = [one for one in found if not request.constant_time or _is_constant(one)]
        lacking += without + [_varying(one) for one in found if one not in made[use]]
    fitting: list[Candidate] = []
    others: list[Candidate] = []
    unmeasured: list[str] = []
    for offer in listed:
        unmeasured += [use.name for use in offer.uses if not made[use]]
        for candidate in _candidates(catalog, request, offer, [made[use] for use in offer.uses]):
            (fitting if candidate.fits else others).append(candidate)
    fitting.sort(key=lambda candidate: _rank(candidate, order))
    others.sort(key=lambda candidate: (candidate.miss, *_rank(candidate, order)))
    return Answer(fitting, others, refused, lacking, list(dict.fromkeys(unmeasured)))


def _is_constant(component: Component) -> bool:
    return component.constant_time in CONSTANT_ENOUGH


def _varying(component: Component) -> Lacking:
    """Return a build whose time may follow a secret as one without a figure."""
    known = component.constant_time is not None
    reason = "its time may follow a secret (steelyard check)" if known else "not checked for constant time"
    return Lacking(component.use, component.variant, component.build, f"{reason}.")


def _of_target(row: Record, request: Request) -> bool:
    names = request.names
    return (
        row["target"] == request.target.id
        and row["settings"] is None
        and row["cache_state"] != "cold"
        and row["clock_hz"] == request.target.file.clock_hz
        and row["kind"] != "function"
        and all(
            not patterns or any(fnmatchcase(str(row[column]), pattern) for pattern in patterns)
            for column, patterns in (
                ("variant", _variants(names, str(row["variant"]).partition("/")[0])),
                ("toolchain", names.toolchain),
                ("flags", names.flags),
            )
        )
        and all(
            any(fnmatchcase(part, pattern) for pattern in _variants(names, part.partition("/")[0]) or ("*",))
            for part in str(row["parts"] or "").split()
        )
    )


def _variants(names: Selection, algorithm: str) -> tuple[str, ...]:
    """Return the patterns of variants that name this algorithm; others do not restrict it."""
    return tuple(one for one in names.variant if fnmatchcase(algorithm, one.partition("/")[0]))


def _rank(candidate: Candidate, order: str) -> tuple[float | str, ...]:
    figures = {
        "time": candidate.time_us,
        "energy": candidate.energy_nj if candidate.energy_nj is not None else candidate.time_us,
        "rom": candidate.rom_bytes,
        "ram": candidate.ram_bytes,
        "air": candidate.air_bytes,
    }
    builds = str(candidate.parts[0].build)
    return (
        figures[order],
        candidate.time_us,
        candidate.rom_bytes,
        candidate.name,
        candidate.variants,
        builds,
    )


def _candidates(
    catalog: Catalog, request: Request, offer: Offer, choices: Sequence[list[Component]]
) -> Iterator[Candidate]:
    """Yield every combination of builds that one firmware can hold.

    All have the same compiler and flags, and one variant of each algorithm, those inside a construction
    included.
    """
    for parts in product(*choices):
        if len({part.build for part in parts}) == 1 and _one_variant_of_each(parts):
            yield _candidate(catalog, request, parts)


def _one_variant_of_each(parts: Sequence[Component]) -> bool:
    held = {name for part in parts for name in (part.variant, *(inner for _, inner in part.contains))}
    return len({name.partition("/")[0] for name in held}) == len(held)


def _candidate(catalog: Catalog, request: Request, parts: tuple[Component, ...]) -> Candidate:
    clock_hz = request.target.file.clock_hz
    setup = sum(part.setup_cycles for part in parts if not part.setup_each)
    each = [part for part in parts if part.setup_each or request.key_each]
    cycles = sum(part.cycles for part in parts) + sum(part.setup_cycles for part in each)
    energies = [part.energy_nj for part in parts] + [part.setup_energy_nj for part in each]
    energy_nj = None if None in energies else sum(value for value in energies if value is not None)
    lasting = [
        messages_per_key(catalog, use.primitive, use.mode, use.ciphertext_bytes, use.ad_bytes)
        for use in (part.use for part in parts)
    ]
    messages, limit = min(lasting, key=lambda one: one[0])
    time_us = cycles / clock_hz * 1e6
    rom_bytes, ram_bytes = rom_together(parts), ram_together(parts)
    return Candidate(
        parts=parts,
        cycles=cycles,
        setup_cycles=setup,
        time_us=time_us,
        setup_time_us=setup / clock_hz * 1e6,
        energy_nj=energy_nj,
        rom_bytes=rom_bytes,
        ram_bytes=ram_bytes,
        air_bytes=sum(_air_bytes(part) for part in parts),
        messages_per_key=messages,
        limit=limit,
        checks=tuple(_checks(request, time_us, energy_nj, rom_bytes, ram_bytes)),
    )


def _air_bytes(part: Component) -> int:
    use = part.use
    tag = use.primitive.tag_bytes if use.kind in ("mac", "aead") else 0
    return use.iv_bytes + use.ciphertext_bytes - use.message_bytes + tag if use.kind != "hash" else 0


def rom_together(parts: Sequence[Component]) -> int:
    """Return the bytes of ROM; a part that another part contains counts only once.

    Otherwise the sum is an upper bound: runtime routines that several parts use count for each.
    """
    total = sum(part.rom_mode_bytes + part.rom_own_bytes for part in parts)
    inside = {one for part in parts for one in part.contains}
    for part in parts:
        shared = (part.use.primitive.id, part.variant) in inside and (
            part.use.kind != "block" or part.only_encryption
        )
        total -= part.rom_own_bytes if shared else 0
    return total


def ram_together(parts: Sequence[Component]) -> int:
    """Return the bytes of RAM: statics and contexts of all parts, and the deepest stack of one."""
    kept = sum(part.ram_static_bytes + part.ram_context_bytes for part in parts)
    return kept + max(part.ram_stack_bytes for part in parts)


def _checks(
    request: Request, time_us: float, energy_nj: float | None, rom_bytes: int, ram_bytes: int
) -> Iterator[Check]:
    if request.rom_bytes is not None:
        yield Check("--rom", rom_bytes, request.rom_bytes, "byte")
    if request.ram_bytes is not None:
        yield Check("--ram", ram_bytes, request.ram_bytes, "byte")
    if request.deadline_s is not None:
        yield Check("--deadline", time_us, request.deadline_s * 1e6, "us")
    if request.rate_hz is not None:
        yield Check("--rate", time_us, 1e6 / request.rate_hz, "us")
    if request.energy_j is not None and energy_nj is not None:
        yield Check("--energy-budget", energy_nj, request.energy_j * 1e9, "nJ")
