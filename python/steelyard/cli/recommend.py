"""`steelyard recommend`: candidates that fit, ranked, with the slack in each limit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn
from steelyard.cli.view import View, view
from steelyard.errors import UsageError
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.advise.recommend import Answer, Candidate
    from steelyard.advise.request import Request
    from steelyard.catalog.load import Catalog
    from steelyard.catalog.models import Security
    from steelyard.measure.workers import Jobs
    from steelyard.record.schema import Record

_NEAREST_SHOWN = 3
_LIFTED_BY = {"legacy": "--allow-legacy", "broken": "--allow-broken"}
_NUMBER = re.compile(r"\d[\d.,e+]*")


@options.taking(jobs=options.jobs, wanted=view)
def recommend(
    *,
    target: Annotated[str, typer.Option(metavar="NAME", help="Chip, such as atmega128.")],
    need: Annotated[
        str,
        typer.Option(
            metavar="NEEDS", help="One or more of confidentiality, integrity and hash, joined by commas."
        ),
    ],
    message: Annotated[str, typer.Option(metavar="BYTES", help="Payload of a message, e.g. 32 or 1K.")],
    ad: Annotated[
        str, typer.Option(metavar="BYTES", help="Bytes that are authenticated but sent in clear.")
    ] = "0",
    role: Annotated[
        str, typer.Option(metavar="ROLE", help="Role of the chip: send, receive or both.")
    ] = "send",
    rate: Annotated[
        str | None, typer.Option(metavar="RATE", help="Message rate: 10/s, 2/min or 1/h.")
    ] = None,
    rom: Annotated[str | None, typer.Option(metavar="BYTES", help="Maximum ROM, e.g. 4K.")] = None,
    ram: Annotated[
        str | None,
        typer.Option(
            metavar="BYTES",
            help="Maximum RAM for statics, context and stack, excluding message buffers, e.g. 512.",
        ),
    ] = None,
    deadline: Annotated[
        str | None, typer.Option(metavar="TIME", help="Maximum time per message, e.g. 5ms.")
    ] = None,
    energy_budget: Annotated[
        str | None, typer.Option(metavar="ENERGY", help="Maximum energy per message, e.g. 50uJ.")
    ] = None,
    security: Annotated[
        int, typer.Option(min=1, max=512, metavar="BITS", help="Minimum security in bits.")
    ] = 112,
    key_life: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Minimum life of a key at --rate, e.g. 90d or 10y."),
    ] = None,
    key_per_message: Annotated[
        bool, typer.Option("--key-per-message", help="Set up a key for every message.")
    ] = False,
    constant_time: Annotated[
        bool,
        typer.Option("--constant-time", help="Leave out builds whose time may follow a secret on the chip."),
    ] = False,
    allow_legacy: Annotated[bool, typer.Option("--allow-legacy", help="Include legacy primitives.")] = False,
    allow_broken: Annotated[
        bool, typer.Option("--allow-broken", help="Include broken and legacy primitives.")
    ] = False,
    by: Annotated[
        str, typer.Option(metavar="ORDER", help="Rank by time, energy, rom, ram or air (bytes added).")
    ] = "time",
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Rows of the table.")] = 10,
    left_out: Annotated[
        bool, typer.Option("--left-out", help="Name all that is left out, with the source of each reason.")
    ] = False,
    feasibility: Annotated[
        bool,
        typer.Option(
            "--feasibility",
            help="Print thresholds instead: what each of the first --top candidates needs of a chip,"
            " its lowest clock, its largest message.",
        ),
    ] = False,
    primitives: options.Primitives = None,
    primitive: options.Primitive = None,
    variant: options.Variant = None,
    toolchain: options.Toolchain = None,
    flags: options.Flags = None,
    mode: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Modes of block ciphers (default: ctr); repeatable."),
    ] = None,
    no_measure: options.NoMeasure = False,
    jobs: Jobs,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Rank the primitives, modes, variants and builds that fit, with the slack in each limit.

    Missing default variants, and those of --primitives, are measured first; all other stored records of the
    chip are judged, too. If nothing fits, the nearest misses are shown and the exit status is 1.

    \b
    Examples:
      steelyard recommend --target atmega128 --need confidentiality,integrity --message 32 --rom 4K --ram 512
      steelyard recommend --target atmega128 --need integrity --message 24 --deadline 5ms --by rom
      steelyard recommend --target atmega128 --need integrity --message 24 --rate 9/s --feasibility --top 2
      steelyard recommend --target nrf52840 --need confidentiality,integrity --message 64 --constant-time
      steelyard recommend --target stm32l152 --need hash --message 64 --primitive 'sha*' --json
    """
    from steelyard import units
    from steelyard.advise.components import Role
    from steelyard.advise.recommend import ORDERS
    from steelyard.advise.recommend import recommend as judged
    from steelyard.advise.request import NEEDS, ROLES, Request
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.selection import match, select
    from steelyard.nearest import unknown
    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder

    if by not in ORDERS:
        clause = unknown("figure", by, ORDERS)
        raise UsageError(f"--by: {clause}" + ("" if clause.endswith("?") else "."))
    side: Role = next(one for one in ROLES if one in match("role", [role], ROLES))
    needs = match("need", [name.strip() for name in need.split(",") if name.strip()], NEEDS)
    catalog = load_catalog(primitives or ())
    request = Request(
        target=catalog.target(target),
        needs=frozenset(needs),
        message_bytes=units.parse_bytes("--message", message),
        ad_bytes=units.parse_bytes("--ad", ad),
        role=side,
        standings=_standings(allow_legacy, allow_broken),
        security_bits=security,
        rate_hz=units.parse_rate("--rate", rate) if rate is not None else None,
        rom_bytes=units.parse_bytes("--rom", rom) if rom is not None else None,
        ram_bytes=units.parse_bytes("--ram", ram) if ram is not None else None,
        deadline_s=units.parse_time("--deadline", deadline) if deadline is not None else None,
        energy_j=units.parse_energy("--energy-budget", energy_budget) if energy_budget is not None else None,
        key_life_s=units.parse_time("--key-life", key_life) if key_life is not None else None,
        key_each=key_per_message,
        constant_time=constant_time,
        names=select(primitive=primitive, variant=variant, toolchain=toolchain, flags=flags, mode=mode),
    )
    if feasibility and deadline is None and rate is None and energy_budget is None:
        raise UsageError("--feasibility needs a --deadline, a --rate or an --energy-budget to hold against.")
    fresh = [] if no_measure else _measured(catalog, request, jobs, store)
    kept = read_records(store_folder(store), warn)
    answer = judged(catalog, request, (*kept.iter_rows(named=True), *fresh), by)
    if feasibility and not no_measure and (answer.fitting or answer.missing_limits):
        shown = [*answer.fitting, *answer.missing_limits][:top]
        rows = list(_feasible(catalog, request, shown, jobs, store))
        wanted.show(rows, _feasibility(request, rows))
        return
    wanted.show(_rows(answer), _page(answer, request, top, every_reason=left_out))
    if answer.unmeasured:
        warn(_lacking_sentence(catalog, request, answer.unmeasured))
    if not answer.fitting:
        warn(_nothing_sentence(answer))
        raise typer.Exit(1)


def _standings(legacy: bool, broken: bool) -> tuple[Security, ...]:
    from steelyard.advise.request import ALLOWED

    return (*ALLOWED, *(("legacy",) if legacy or broken else ()), *(("broken",) if broken else ()))


def _measured(catalog: Catalog, request: Request, jobs: Jobs, store: Path | None) -> list[Record]:
    """Return the default cells of every offer, from the cache or measured."""
    from steelyard.advise.recommend import needed_cells
    from steelyard.cli.measure import run_session
    from steelyard.measure.session import default_toolchain, prepare

    selections = needed_cells(catalog, request, default_toolchain(catalog, request.target.id))
    if not selections:
        return []
    return run_session(prepare(catalog, selections), store, jobs)


def _feasible(
    catalog: Catalog, request: Request, candidates: Sequence[Candidate], jobs: Jobs, store: Path | None
) -> Iterator[dict[str, object]]:
    """What each of the candidates needs of a chip."""
    from steelyard.advise.feasibility import largest_message_bytes, lowest_clock_hz

    for one in candidates:
        yield {
            "name": one.name,
            "variants": one.variants,
            "build": str(one.parts[0].build),
            "rom_bytes": one.rom_bytes,
            "ram_bytes": one.ram_bytes,
            "multiplies": sum(part.multiplies for part in one.parts),
            "lowest_clock_hz": lowest_clock_hz(one, request),
            "largest_message_bytes": largest_message_bytes(
                catalog, request, one, lambda asked: _measured(catalog, asked, jobs, store)
            ),
        }


def _feasibility(request: Request, rows: Sequence[Mapping[str, object]]) -> Iterator[Table | str]:
    from steelyard.advise.feasibility import cycles_move_with_clock

    headings = (
        "primitive",
        "variant",
        "compiler",
        "ROM",
        "RAM",
        "multiplies",
        "lowest MHz",
        "largest message",
    )

    def cells(row: Mapping[str, object]) -> Iterator[str]:
        yield from (str(row[name]) for name in ("name", "variants", "build"))
        for name in ("rom_bytes", "ram_bytes", "multiplies"):
            figure = row[name]
            yield f"{figure:,.0f}" if isinstance(figure, int | float) else ""
        clock = row["lowest_clock_hz"]
        yield f"{clock / 1e6:,.3f}" if isinstance(clock, float) else ""
        most = row["largest_message_bytes"]
        yield "none" if most is None else f"{most:,}"

    yield Table(
        "",
        headings,
        tuple(tuple(cells(row)) for row in rows),
        left=3,
        least_needed=("multiplies", "compiler"),
        objects=tuple(rows),
    )
    if cycles_move_with_clock(request.target):
        yield (
            "This chip's memories take their time whatever the clock: at a lower one fewer cycles are waited."
        )


def _page(answer: Answer, request: Request, top: int, *, every_reason: bool) -> Iterator[Table | str]:
    shown = answer.fitting or answer.missing_limits[:_NEAREST_SHOWN]
    if shown:
        if not answer.fitting:
            yield "Nothing fits; the nearest misses:"
        yield _candidates(shown[:top], ranked=bool(answer.fitting))
    if len(answer.fitting) > top:
        yield f"{len(answer.fitting) - top} more fit (--top)."
    yield from _exclusions(answer) if every_reason else _counted_exclusions(answer)
    if shown and request.rate_hz is not None:
        best = shown[0]
        from steelyard.units import duration

        life = duration(best.messages_per_key / request.rate_hz)
        why = f" ({best.limit})" if best.limit else ""
        yield f"{best.name}: at this rate a key lasts {life}{why}."


def _candidates(candidates: Sequence[Candidate], *, ranked: bool) -> Table:
    from steelyard.cli.records import marked

    checks = [check.option for check in candidates[0].checks]
    # Constructions of one variant may be made of several of their parts.
    shown = Counter((one.name, one.variants, one.parts[0].build) for one in candidates)
    headings = (
        "primitive", "variant", "compiler",
        "cycles", "time us", "energy uJ", "ROM", "RAM", "air bytes", *(f"slack {name}" for name in checks),
    )  # fmt: skip

    def row(candidate: Candidate) -> Iterator[str]:
        yield " + ".join(marked(part.use.name, part.use.primitive.security) for part in candidate.parts)
        alike = shown[candidate.name, candidate.variants, candidate.parts[0].build] > 1
        yield f"{candidate.variants} ({candidate.inner_variants})" if alike else candidate.variants
        yield str(candidate.parts[0].build)
        yield f"{candidate.cycles:,.0f}"
        yield f"{candidate.time_us:,.1f}"
        yield "" if candidate.energy_nj is None else f"{candidate.energy_nj / 1e3:,.2f}"
        yield f"{candidate.rom_bytes:,}"
        yield f"{candidate.ram_bytes:,}"
        yield f"{candidate.air_bytes}"
        for check in candidate.checks:
            yield _with_unit(check.slack, check.unit)

    return Table(
        "",
        headings,
        tuple(tuple(row(candidate)) for candidate in candidates),
        left=3,
        least_needed=(
            *(f"slack {name}" for name in checks),
            *("energy uJ", "cycles", "air bytes"),
            *(("compiler",) if len({one.parts[0].build for one in candidates}) == 1 else ()),
        ),
        objects=tuple(_row(one, place if ranked else None) for place, one in enumerate(candidates, start=1)),
    )


def _with_unit(value: float, unit: str) -> str:
    if unit == "byte":
        return f"{value:,.0f}"
    scale, name = (1e3, "uJ") if unit == "nJ" else (1e3, "ms") if abs(value) >= 1e3 else (1.0, unit)
    return f"{value / scale:,.2f} {name}"


def _exclusions(answer: Answer) -> Iterator[str]:
    """Every exclusion with its reason, alike ones together."""
    reasons: dict[str, list[str]] = {}
    for refused in answer.refused:
        reasons.setdefault(refused.reason, []).append(refused.name)
    for reason, names in reasons.items():
        yield f"Left out: {', '.join(names)}: {reason}."
    yield from _beyond(answer)
    failed: dict[str, list[str]] = {}
    for lacking in answer.lacking:
        if not lacking.incomplete:
            failed.setdefault(lacking.reason, []).append(f"{lacking.variant} ({lacking.build})")
    for reason, builds in failed.items():
        yield f"Left out: {', '.join(dict.fromkeys(builds))}: {reason}"


def _counted_exclusions(answer: Answer) -> Iterator[str]:
    """How many are left out for each kind of reason; what stands behind a colon is the source of one."""
    names: dict[str, str] = {}
    kinds: Counter[str] = Counter()
    for refused in answer.refused:
        kind = _NUMBER.sub("#", refused.reason.partition(":")[0])
        names[kind] = refused.name
        kinds[kind] += 1
    for kind, count in kinds.most_common():
        if kind in _LIFTED_BY:
            yield f"Left out: {count} {kind} ({_LIFTED_BY[kind]} takes them in)."
        else:
            reason = next(one.reason for one in answer.refused if one.name == names[kind])
            more = f" and {count - 1} more" if count > 1 else ""
            yield f"Left out: {names[kind]}{more}: {reason.partition(':')[0]}."
    yield from _beyond(answer)
    failed = {(one.variant, one.build) for one in answer.lacking if not one.incomplete}
    if failed:
        yield f"Left out: {len(failed)} build{'s' if len(failed) > 1 else ''} without a figure."
    if kinds or failed:
        yield "--left-out names each of them with the reason."


def _beyond(answer: Answer) -> Iterator[str]:
    exceeded = Counter(
        check.option for one in answer.missing_limits for check in one.checks if not check.fits
    )
    for option, count in exceeded.most_common():
        yield f"Left out: {count} build{'s' if count > 1 else ''} beyond {option}."


def _nothing_sentence(answer: Answer) -> str:
    if not answer.missing_limits:
        return "nothing serves this need with what is allowed and measured; the reasons are listed above."
    best = answer.missing_limits[0]
    relaxed = [
        f"{check.option} to {_with_unit(check.needed, check.unit)}{' bytes' if check.unit == 'byte' else ''}"
        for check in best.checks
        if not check.fits and check.option != "--rate"
    ]
    rates = [
        f"--rate to {1e6 / check.needed:.4g}/s"
        for check in best.checks
        if not check.fits and check.option == "--rate"
    ]
    return (
        f"nothing fits; nearest is {best.name} ({best.variants}): relax {' and '.join([*relaxed, *rates])}."
    )


def _lacking_sentence(catalog: Catalog, request: Request, names: Sequence[str]) -> str:
    from steelyard.advise.recommend import measure_command, needed_cells
    from steelyard.measure.session import default_toolchain

    selections = needed_cells(catalog, request, default_toolchain(catalog, request.target.id))
    few = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
    return (
        f"{len(names)} not measured ({few}): leave --no-measure out, or start with:"
        f" {measure_command(selections[0])}"
    )


def _rows(answer: Answer) -> Iterator[dict[str, object]]:
    for number, candidate in enumerate(answer.fitting, start=1):
        yield _row(candidate, number)
    for candidate in answer.missing_limits:
        yield _row(candidate, None)
    for refused in answer.refused:
        yield {
            **_EMPTY,
            "name": refused.name,
            "security": refused.security,
            "fits": False,
            "reason": refused.reason,
        }
    for lacking in answer.lacking:
        yield {
            **_EMPTY, "name": lacking.use.name, "security": lacking.use.primitive.security,
            "variants": lacking.variant, "build": str(lacking.build), "fits": False, "reason": lacking.reason,
        }  # fmt: skip


_LIMITS = ("--rom", "--ram", "--deadline", "--rate", "--energy-budget")
_FIGURES = (
    "cycles", "setup_cycles", "time_us", "setup_time_us", "energy_nj", "rom_bytes", "ram_bytes", "air_bytes",
    "messages_per_key",
)  # fmt: skip
_SLACKS = {name: f"slack_{name.removeprefix('--').replace('-', '_')}" for name in _LIMITS}
_EMPTY: dict[str, object] = dict.fromkeys(
    (
        "rank",
        "fits",
        "name",
        "security",
        "variants",
        "parts",
        "build",
        "tier",
        *_FIGURES,
        "key_limit",
        *_SLACKS.values(),
        "reason",
    )
)


def _row(candidate: Candidate, rank: int | None) -> dict[str, object]:
    beyond = [
        f"{check.option}: {_with_unit(check.needed, check.unit)} of {_with_unit(check.allowed, check.unit)}"
        for check in candidate.checks
        if not check.fits
    ]
    figures = {name: getattr(candidate, name) for name in _FIGURES}
    figures["messages_per_key"] = (
        None if candidate.messages_per_key == float("inf") else candidate.messages_per_key
    )
    slacks = {_SLACKS[check.option]: check.slack for check in candidate.checks}
    return {
        **_EMPTY,
        **figures,
        **slacks,
        "rank": rank,
        "fits": candidate.fits,
        "name": candidate.name,
        "security": candidate.security,
        "variants": candidate.variants,
        "parts": candidate.inner_variants or None,
        "build": str(candidate.parts[0].build),
        "tier": candidate.parts[0].tier,
        "key_limit": candidate.limit or None,
        "reason": "; ".join(beyond) or None,
    }
