"""`steelyard protocol`: cost of a protocol's messages and sessions."""

from __future__ import annotations

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
    from steelyard.advise.protocols import Asked, Direction, ProtocolFile, Suite, SuiteCost
    from steelyard.catalog.load import Catalog
    from steelyard.catalog.models import CpuClass
    from steelyard.measure.workers import Jobs
    from steelyard.record.schema import Record


@options.taking(jobs=options.jobs, wanted=view)
def protocol(
    *,
    name: Annotated[
        str | None,
        typer.Argument(metavar="PROTOCOL", help="Name of a protocol; without one, all are listed."),
    ] = None,
    target: Annotated[str | None, typer.Option(metavar="NAME", help="Chip, such as atmega128.")] = None,
    message: Annotated[str, typer.Option(metavar="BYTES", help="Payload of a message.")] = "16",
    suite: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Suite or level of the protocol: name or glob; repeatable."),
    ] = None,
    receive: Annotated[
        bool, typer.Option("--receive", help="Count the receiver's work (default: the sender's).")
    ] = False,
    steps: Annotated[bool, typer.Option("--steps", help="List each operation separately.")] = False,
    primitives: options.Primitives = None,
    variant: options.Variant = None,
    toolchain: options.OneToolchain = None,
    flags: Annotated[str, typer.Option(metavar="FLAGS", help="Compiler flags of every part.")] = "-Os",
    no_measure: options.NoMeasure = False,
    jobs: Jobs,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Compose measured operations into the cost of a protocol's messages and sessions.

    Missing records are measured first. Building headers and nonces and copying bytes does not count.

    \b
    Examples:
      steelyard protocol
      steelyard protocol lorawan-1.0 --target atmega328p --message 24
      steelyard protocol ble --target nrf52840 --message 20 --variant aes/ttable-1k
      steelyard protocol ieee802154 --target msp430f1611 --message 40 --suite 'enc-mic-*' --json
    """
    from steelyard import units
    from steelyard.advise.protocols import protocol as protocol_named
    from steelyard.advise.protocols import protocols
    from steelyard.measure.selection import match

    if name is None:
        files = protocols().values()
        listed = [
            {"protocol": file.id, "suite": suite.id, "title": f"{file.title}, {suite.title}"}
            for file in files
            for suite in file.suite
        ]
        cells = tuple((file.id, file.title, ", ".join(suite.id for suite in file.suite)) for file in files)
        wanted.show(listed, [Table("", ("protocol", "title", "suites"), cells, left=3)])
        return
    file = protocol_named(name)
    payload_bytes = units.parse_bytes("--message", message)
    ids = match("suite", suite or ("*",), [one.id for one in file.suite])
    suites = [one for one in file.suite if one.id in ids]
    _check_payload(file, suites, payload_bytes)
    if target is None:
        raise UsageError("--target NAME is needed: the chip that does the work.")
    costs = _costs(
        file, suites, target, payload_bytes, jobs, store, receive=receive, measure=not no_measure,
        toolchain=toolchain, flags=flags, variants=variant or (), primitives=primitives or (),
    )  # fmt: skip
    direction = "receive" if receive else "send"
    rows = [row for cost in costs for row in _rows(file, cost, direction, steps)]
    wanted.show(rows, [_steps(costs, rows)] if steps else _page(file, costs, rows))
    raise typer.Exit(0 if len(costs) == len(suites) else 1)


def cost_of_one(
    name: str,
    suite: str | None,
    target: str,
    payload_bytes: int,
    jobs: Jobs,
    store: Path | None,
    *,
    receive: bool,
    measure: bool,
    variants: Sequence[str] = (),
    primitives: Sequence[Path] = (),
) -> SuiteCost:
    """Return the cost of one suite of a protocol, by default its first; SteelyardError if it is unknown."""
    from steelyard.advise.protocols import protocol as protocol_named
    from steelyard.errors import SteelyardError
    from steelyard.measure.selection import match

    file = protocol_named(name)
    ids = match("suite", [suite or file.suite[0].id], [one.id for one in file.suite])
    if len(ids) > 1:
        raise UsageError(f"--suite {suite}: {', '.join(ids)} match; name one.")
    suites = [one for one in file.suite if one.id == ids[0]]
    _check_payload(file, suites, payload_bytes)
    costs = _costs(
        file, suites, target, payload_bytes, jobs, store, receive=receive, measure=measure,
        variants=variants, primitives=primitives,
    )  # fmt: skip
    if not costs:
        raise SteelyardError(f"{name} {ids[0]}: there is no figure for {target}.")
    return costs[0]


def _check_payload(file: ProtocolFile, suites: Sequence[Suite], payload_bytes: int) -> None:
    for one in suites:
        if payload_bytes > one.payload_most_bytes:
            raise UsageError(
                f"--message {payload_bytes}: {file.title}, {one.title}, carries at most"
                f" {one.payload_most_bytes} bytes."
            )


def _costs(
    file: ProtocolFile,
    suites: Sequence[Suite],
    target: str,
    payload_bytes: int,
    jobs: Jobs,
    store: Path | None,
    *,
    receive: bool,
    measure: bool,
    toolchain: str | None = None,
    flags: str = "-Os",
    variants: Sequence[str] = (),
    primitives: Sequence[Path] = (),
) -> list[SuiteCost]:
    """Return the costs of the suites that can be computed; report a sentence for each of the others."""
    from steelyard.advise.protocols import SuiteCost
    from steelyard.advise.protocols import cost as cost_of
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.session import default_toolchain

    catalog = load_catalog(primitives)
    chip = catalog.target(target)
    build = (target, toolchain or default_toolchain(catalog, target), flags)
    direction: Direction = "receive" if receive else "send"
    chosen = _variants(catalog, variants)
    _check_used(catalog, file, suites, chosen)
    cells = _cells(catalog, chip.cpu_class, suites, chosen, payload_bytes, direction)
    rows = _records(catalog, cells, build, jobs, store, measure=measure)
    costs = []
    for one in suites:
        found = cost_of(
            catalog, chip.cpu_class, one, rows, chosen, payload_bytes, direction, chip.file.clock_hz
        )
        if isinstance(found, SuiteCost):
            costs.append(found)
        else:
            warn(_lacking(file, one.id, found, rows, build))
    return costs


def _variants(catalog: Catalog, patterns: Sequence[str]) -> dict[str, str]:
    """Return the named variants by algorithm; UsageError for two of one."""
    from steelyard.measure.selection import match

    chosen: dict[str, str] = {}
    for name in match("variant", patterns, [variant.id for variant in catalog.variants]):
        algorithm = name.partition("/")[0]
        if algorithm in chosen:
            raise UsageError(f"--variant: {chosen[algorithm]} and {name} are both of {algorithm}; name one.")
        chosen[algorithm] = name
    return chosen


def _check_used(
    catalog: Catalog, file: ProtocolFile, suites: Sequence[Suite], chosen: dict[str, str]
) -> None:
    """UsageError for a variant that no step of these suites runs."""
    used = set()
    for suite in suites:
        for step in (*suite.session, *suite.message):
            algorithm = catalog.algorithm_of(step.primitive)
            used |= {algorithm.id, *algorithm.primitive(step.primitive).part_algorithms}
    for algorithm_id, name in chosen.items():
        if algorithm_id not in used:
            raise UsageError(
                f"--variant {name}: {file.title} does not use it; it uses {', '.join(sorted(used))}."
            )


def _cells(
    catalog: Catalog,
    cpu_class: CpuClass,
    suites: Sequence[Suite],
    variants: dict[str, str],
    payload_bytes: int,
    direction: Direction,
) -> list[Asked]:
    from steelyard.advise.protocols import asked, steps_of

    return [
        asked(catalog, cpu_class, step, variants, payload_bytes, direction)
        for suite in suites
        for _, step in steps_of(suite, direction)
    ]


def _records(
    catalog: Catalog,
    cells: Sequence[Asked],
    build: tuple[str, str, str],
    jobs: Jobs,
    store: Path | None,
    *,
    measure: bool,
) -> list[Record]:
    """Return records of the cells in that build, newest last."""
    from steelyard.advise.protocols import selections
    from steelyard.cli.measure import run_session
    from steelyard.measure.session import prepare
    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder

    target, toolchain, flags = build
    if not measure:
        kept = read_records(store_folder(store), warn).iter_rows(named=True)
        return [
            row
            for row in kept
            if (row["target"], row["toolchain"], row["flags"]) == build
            and row["settings"] is None
            and row["cache_state"] != "cold"
        ]
    return run_session(prepare(catalog, selections(cells, target, toolchain, flags)), store, jobs)


def _lacking(
    file: ProtocolFile, suite: str, cell: Asked, rows: Sequence[Record], build: tuple[str, str, str]
) -> str:
    from steelyard.advise.protocols import selections
    from steelyard.advise.recommend import measure_command

    for row in rows:
        if cell.is_of(row) and row["status"] != "ok":
            return (
                f"{file.id} {suite}: {cell.primitive} {cell.operation}: {str(row['error']).splitlines()[0]}"
            )
    (selection,) = selections([cell], *build)
    return f"{file.id} {suite}: not measured; run: {measure_command(selection)}"


def _page(
    file: ProtocolFile, costs: Sequence[SuiteCost], rows: Sequence[Mapping[str, object]]
) -> Iterator[Table | str]:
    if not costs:
        return
    headings = (
        "suite", "message cycles", "message us", "message uJ", "session cycles", "session us", "session uJ",
        "bytes added", "bytes on air",
    )  # fmt: skip

    def cells(cost: SuiteCost) -> Iterator[str]:
        yield cost.suite.id
        for part in ("message", "session"):
            energy = cost.energy_nj(part)
            yield f"{cost.cycles(part):,.0f}"
            yield f"{cost.time_us(part):,.1f}"
            yield "" if energy is None else f"{energy / 1e3:,.2f}"
        yield f"{cost.security_bytes}"
        yield f"{cost.air_bytes}"

    yield f"{file.title}, payload of {costs[0].payload_bytes} bytes"
    yield Table(
        "",
        headings,
        tuple(tuple(cells(cost)) for cost in costs),
        left=1,
        least_needed=("session uJ", "session us", "message uJ", "message us"),
        objects=tuple(rows),
    )
    if file.note:
        yield file.note
    for reference in file.reference:
        opened = "" if reference.opened else " (not opened)"
        yield f"After {reference.document}, {reference.section}{opened}."
    for sentence in file.assumed:
        yield f"Assumed: {sentence}."


def _steps(costs: Sequence[SuiteCost], rows: Sequence[Mapping[str, object]]) -> Table:
    headings = ("suite", "part", "what", "primitive", "operation", "bytes", "ad", "times", "cycles")
    cells = tuple(
        (
            cost.suite.id, one.part, one.step.what, one.cell.primitive,
            f"{one.cell.operation} {one.cell.mode or ''}".strip(),
            "" if one.cell.message_bytes is None else str(one.cell.message_bytes),
            "" if one.cell.ad_bytes is None else str(one.cell.ad_bytes),
            str(one.step.times), f"{one.cycles:,.0f}",
        )
        for cost in costs
        for one in cost.steps
    )  # fmt: skip
    return Table("", headings, cells, left=5, least_needed=("ad",), objects=tuple(rows))


def _rows(file: ProtocolFile, cost: SuiteCost, direction: str, steps: bool) -> Iterator[dict[str, object]]:
    base: dict[str, object] = {
        "protocol": file.id, "suite": cost.suite.id, "direction": direction,
        "message_bytes": cost.payload_bytes,
    }  # fmt: skip
    if steps:
        for one in cost.steps:
            yield {
                **base, "part": one.part, "what": one.step.what, "primitive": one.cell.primitive,
                "variant": one.cell.variant, "operation": one.cell.operation, "mode": one.cell.mode,
                "step_bytes": one.cell.message_bytes, "ad_bytes": one.cell.ad_bytes,
                "times": one.step.times, "cycles": one.cycles, "energy_nj": one.energy_nj,
            }  # fmt: skip
        return
    yield {
        **base,
        **{
            f"{part}_{figure}": getattr(cost, figure)(part)
            for part in ("message", "session")
            for figure in ("cycles", "time_us", "energy_nj")
        },
        "security_bytes": cost.security_bytes,
        "air_bytes": cost.air_bytes,
    }
