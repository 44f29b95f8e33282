"""`steelyard scenario`: the effect of encryption on an industrial scene, from its devices to its plants."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import bar, warn
from steelyard.cli.view import View, view
from steelyard.errors import EnvironmentProblem
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.measure.selection import Selection
    from steelyard.measure.workers import Jobs
    from steelyard.record.schema import Record
    from steelyard.scenario.answer import Answer, Twin


@options.taking(jobs=options.jobs, wanted=view)
def scenario(
    *,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Scene file, or name of a scene that comes with Steelyard; without one, these are listed.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help="Change a field of the scene, such as task.control.period=5ms; repeatable.",
        ),
    ] = None,
    without_protection: Annotated[
        bool, typer.Option("--without-protection", help="Answer only the scene without protection.")
    ] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Show every task, message and device for every protection.")
    ] = False,
    primitives: options.Primitives = None,
    no_measure: options.NoMeasure = False,
    jobs: Jobs,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Answer a scene of devices, tasks, buses and plants: what protection does to it, and which one fits.

    Missing records of chips are measured first. The result is kept in the store for `steelyard report`. The
    exit status is 1 if no examined protection keeps the limits.

    \b
    Examples:
      steelyard scenario
      steelyard scenario motor-speed
      steelyard scenario my-scene.toml --set message.speed.protection=aes-128-ccm --details
      steelyard scenario water-tank --set message.level.poll=1s --json
    """
    from steelyard.scenario.scene import read_scene, scenes

    if file is None:
        shipped = [(name, path, read_scene(path)) for name, path in scenes().items()]
        listed = [
            {"scene": name, "title": one.title, "about": " ".join(one.about.split())}
            for name, _, one in shipped
        ]
        cells = tuple((name, one.title, str(path)) for name, path, one in shipped)
        table = Table("", ("scene", "title", "file"), cells, left=3, least_needed=("file",))
        wanted.show(listed, [table])
        return
    path = scenes().get(file, Path(file))
    scene = read_scene(path, settings or ())
    if without_protection:
        scene = scene.unprotected()

    # Threads of the linear algebra are slower than none on matrices as small as these.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.session import default_toolchain
    from steelyard.scenario.answer import Twin
    from steelyard.scenario.result import KIND, content, row
    from steelyard.store.results import save_result
    from steelyard.store.segments import store_folder

    catalog = load_catalog(primitives or ())
    twin = Twin(catalog, scene, path, lambda chip: default_toolchain(catalog, chip))
    rows = _records(twin, catalog, jobs, store, measure=not no_measure)
    for device in twin.devices.values():
        device.take(rows)
    with bar("answering", len(twin.ways)) as advance:
        answers = twin.answers(advance)
    for said in twin.warnings:
        warn(said)
    # A scene that was changed stands beside the one of its file.
    changes = [*(settings or ()), *(["--without-protection"] if without_protection else [])]
    found = {**content(twin, answers), "changes": changes}
    save_result(store_folder(store), KIND, " ".join([path.stem, *changes]), found)
    wanted.show(map(row, answers), _page(twin, answers, details=details))
    asked = [one for one in answers if one.way.name != "none"] or answers
    raise typer.Exit(0 if any(one.within_limits for one in asked) else 1)


def _records(twin: Twin, catalog: Catalog, jobs: Jobs, store: Path | None, *, measure: bool) -> list[Record]:
    """Return records of the chips' work, measured if missing, and existing records of hosts."""
    from steelyard.scenario.cost import Chip, merged
    from steelyard.scenario.host import Host
    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder

    folder = store_folder(store)
    rows: list[Record] = []
    if not measure or any(isinstance(device, Host) for device in twin.devices.values()):
        rows += list(read_records(folder, warn).iter_rows(named=True))
    if not measure:
        return rows
    asked = twin.jobs()
    for name, device in twin.devices.items():
        if isinstance(device, Chip) and asked[name]:
            rows += _measured(catalog, merged(device.wanted(asked[name])), folder, jobs)
    return rows


def _measured(catalog: Catalog, selections: Sequence[Selection], folder: Path, jobs: Jobs) -> list[Record]:
    from steelyard.cli.measure import run_session
    from steelyard.measure.session import prepare

    try:
        session = prepare(catalog, selections)
    except EnvironmentProblem as problem:
        warn(str(problem))
        return []
    return run_session(session, folder, jobs)


def _page(twin: Twin, answers: Sequence[Answer], *, details: bool) -> Iterator[Table | str]:
    scene = twin.scene
    yield scene.title
    yield " ".join(scene.about.split())
    yield _compared(twin, answers)
    for problem, names in _problems(answers).items():
        yield f"{', '.join(names) if len(names) < len(answers) else 'all'}: {problem}."
    written = next((one for one in answers[1:] if one.way.chosen == twin.written), answers[0])
    shown = [one for one in answers if one.analysis is not None]
    for answer in shown if details else [one for one in shown if one is written]:
        yield _responses(twin, answers[0], answer)
        yield from _costs(answer)
        yield _devices(twin, answers[0], answer)
    for name, loop in twin.loops.items():
        for note in loop.notes:
            yield f"Loop {name}: {note}"
    for source in scene.source:
        yield f"After {source}"


def _compared(twin: Twin, answers: Sequence[Answer]) -> Table:
    """A row for each protection."""
    from steelyard.scenario.result import row

    scene = twin.scene
    shares = [*scene.device, *scene.bus]
    headings = ["rank", "protection", "adds", *shares]
    for name, loop in twin.loops.items():
        figures = ("latency", "at most", "margin", "overshoot", "settling", f"error {loop.unit} s")
        headings += [f"{name}: {figure}" for figure in figures]
    seldom = [f"{name}: {figure}" for figure in ("settling", "overshoot", "at most") for name in twin.loops]
    return Table(
        "",
        (*headings, "missed", "limits"),
        tuple(tuple(_comparison(twin, answer)) for answer in answers),
        left=2,
        least_needed=(*seldom, *reversed(shares), "missed"),
        objects=tuple(
            {name: value for name, value in row(answer).items() if not isinstance(value, dict | list)}
            for answer in answers
        ),
    )


def _comparison(twin: Twin, answer: Answer) -> Iterator[str]:
    yield "" if answer.rank is None else str(answer.rank)
    yield answer.way.name
    if answer.analysis is None or answer.run is None:
        yield from [""] * (1 + len(twin.scene.device) + len(twin.scene.bus) + 6 * len(twin.loops) + 1)
        yield "no answer"
        return
    yield _time(answer.added_delay_s)
    for share in (*answer.analysis.devices.values(), *answer.analysis.buses.values()):
        yield f"{share:.1%}"
    for loop in twin.loops:
        metrics = answer.loops[loop].metrics
        known = answer.latency_s.get(loop)
        yield _time(known[1] if known else None)
        worst = answer.analysis.latencies[loop].worst_ns
        yield _time(None if worst is None else worst / 1e9)
        margin = metrics.get("delay_margin_s")
        yield _time(margin)
        if not answer.loops[loop].stable:
            yield from ("unstable", "", "")
            continue
        yield _figure(metrics.get("overshoot_percent"), " %")
        yield _time(metrics.get("settling_s"))
        yield _figure(metrics.get("iae"), "")
    yield f"{answer.run.misses} of {answer.run.jobs:,}"
    yield "kept" if answer.within_limits else "broken"


def _problems(answers: Sequence[Answer]) -> dict[str, list[str]]:
    """Return the names of the protections by their problem."""
    found: dict[str, list[str]] = {}
    for answer in answers:
        for problem in answer.problems:
            found.setdefault(problem, []).append(answer.way.name)
    return found


def _responses(twin: Twin, bare: Answer, answer: Answer) -> Table:
    from steelyard.scenario.system import TaskModel

    headings = ("response", "on", "deadline", "bound, unprotected", answer.way.name, "simulated", "missed")

    def rows() -> Iterator[tuple[str, ...]]:
        assert answer.analysis is not None and answer.run is not None and answer.system is not None
        for name, one in answer.analysis.responses.items():
            model = answer.system.model(name)
            seen = answer.run.seen[name]
            before = bare.analysis.responses[name].response_ns if bare.analysis else None
            yield (
                name,
                model.device if isinstance(model, TaskModel) else model.bus,
                _time(one.deadline_ns / 1e9),
                _time(None if before is None else before / 1e9),
                _time(None if one.response_ns is None else one.response_ns / 1e9),
                _time(seen.longest_ns / 1e9) if seen.jobs else "",
                f"{seen.misses + seen.lost} of {seen.jobs + seen.lost:,}",
            )

    return Table("", headings, tuple(rows()), left=2)


def _costs(answer: Answer) -> Iterator[Table]:
    assert answer.system is not None
    if not answer.system.costs:
        return
    headings = ("message", "side", "device", "protection", "delay", "at most", "kB/s", "CPU", "uJ")

    def rows() -> Iterator[tuple[str, ...]]:
        assert answer.system is not None
        for (message, side), cost in answer.system.costs.items():
            share = cost.cpu_s * answer.system.rate_hz(message, side)
            yield (
                message, side, answer.system.worker(message, side), answer.way.chosen[message].name,
                _time(cost.delay_s), _time(cost.longest_s), f"{cost.throughput_bytes_per_s / 1e3:,.1f}",
                f"{share:.2%}", "" if cost.energy_j is None else f"{cost.energy_j * 1e6:,.2f}",
            )  # fmt: skip

    yield Table("", headings, tuple(rows()), left=4, least_needed=("kB/s",))


def _devices(twin: Twin, bare: Answer, answer: Answer) -> Table:
    headings = (
        "device", "ROM", "ROM size", "RAM", "RAM size", "power", "protection's", "battery", "unprotected"
    )  # fmt: skip

    def rows() -> Iterator[tuple[str, ...]]:
        for name, one in answer.devices.items():
            memory = one.memory
            before = bare.devices[name].life_s if name in bare.devices else None
            yield (
                f"{name} ({_kind(twin, name)})",
                f"{memory.rom_bytes:,}" if memory else "",
                f"{one.rom_size_bytes:,}" if one.rom_size_bytes is not None else "",
                f"{memory.ram_bytes:,}" if memory else "",
                f"{one.ram_size_bytes:,}" if one.ram_size_bytes is not None else "",
                _power(one.power_w),
                _power(one.crypto_w),
                _time(one.life_s),
                _time(before),
            )

    return Table("", headings, tuple(rows()), left=1, least_needed=("unprotected",))


def _kind(twin: Twin, device: str) -> str:
    table = twin.scene.device[device]
    return str(table.target or table.node or table.host)


def _time(seconds: float | None) -> str:
    """Format a time in its own unit; empty if unknown, a word if infinite."""
    from steelyard.units import duration

    if seconds is None:
        return ""
    if seconds == float("inf"):
        return "any"
    return f"-{duration(-seconds)}" if seconds < 0 else duration(seconds)


def _power(watts: float | None) -> str:
    if watts is None:
        return ""
    return f"{watts * 1e3:.3g} mW" if watts >= 1e-4 else f"{watts * 1e6:.3g} uW"


def _figure(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:.3g}{unit}"
