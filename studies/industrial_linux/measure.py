"""What is measured on a Linux device, as far as the store lacks it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from steelyard.catalog.load import Catalog
from steelyard.errors import UsageError
from steelyard.linux.device.connect import Way, reach
from steelyard.linux.device.device import LOCAL
from steelyard.linux.libraries import libraries
from steelyard.linux.measure.asking import HostRules
from steelyard.linux.measure.library import (
    LibraryCell,
    LibraryPlan,
    derive_cells,
    make_library_plan,
    run_library_plan,
)
from steelyard.linux.measure.plan import HostCell, HostPlan, make_host_plan
from steelyard.linux.measure.run import run_host_plan
from steelyard.measure.run import RunResult
from steelyard.measure.selection import Selection
from steelyard.record.schema import Record
from steelyard.store.read import read_records
from steelyard.store.segments import SegmentWriter, store_folder
from steelyard.studies.industrial_linux.figures import (
    BASELINE,
    FEW_RUNS,
    KEYS_BITS,
    MESSAGE_BYTES,
    MODES,
    ODD_BYTES,
    PADDING,
    QUICK_BYTES,
    QUICK_RUNS,
    RUNS,
    SHORT_BYTES,
    THREADS,
    UNDISTURBED_PERCENT,
    configurations,
)
from steelyard.study.model import Setup, Taken, option

_LIMIT_S = 20.0
_Cell = tuple[object, ...]


@dataclass(frozen=True)
class Options:
    """Options of `steelyard reproduce industrial-linux`."""

    device: str = option(
        "local", metavar="DEVICE", help="local (default), or a destination for ssh, as in `host`."
    )
    ssh_option: tuple[str, ...] = option(
        (), metavar="TEXT", help='Options for ssh, such as "-p 2222"; repeatable.'
    )
    quick: bool = option(False, help="Use a short message and two runs, to check that everything works.")
    again: bool = option(False, help="Measure again what the store already has of this device.")


@dataclass(frozen=True)
class Stage:
    """Cells that are measured alike; what is at hand already is left out by whoever measures."""

    title: str
    own: HostPlan
    asked: LibraryPlan
    runs: int


def stages(catalog: Catalog, *, quick: bool = False) -> tuple[Stage, ...]:
    """Everything that is measured, Table 2 first; `quick` with a short message and few runs."""
    message = QUICK_BYTES if quick else MESSAGE_BYTES
    runs, few = (QUICK_RUNS, QUICK_RUNS) if quick else (RUNS, FEW_RUNS)
    aes = tuple(f"aes-{bits}" for bits in KEYS_BITS)
    both = ("any", BASELINE)
    return (
        _stage("Table 2", catalog, [_encrypting(aes, MODES, message)], runs, instructions=both),
        _stage(
            "two threads",
            catalog,
            [_encrypting(aes[:1], ("ecb", "ctr"), message)],
            runs,
            threads=THREADS,
            instructions=both,
        ),
        _stage(
            "shorter messages",
            catalog,
            [
                _encrypting(aes[:1], MODES, *SHORT_BYTES),
                _encrypting(aes[:1], ("cfb", "ofb"), ODD_BYTES),
            ],
            runs,
            instructions=both,
        ),
        _derivations(catalog, runs),
        _stage("Table 1", catalog, list(_of_table1(message)), few),
    )


def _encrypting(primitives: Sequence[str], modes: Sequence[str], *lengths: int) -> Selection:
    return Selection(
        primitive=tuple(primitives),
        operation=("encrypt",),
        mode=tuple(modes),
        length=lengths,
        padding=(PADDING,),
    )


def _of_table1(message: int) -> Iterator[Selection]:
    for one in configurations():
        if one.algorithm == "SM2":
            yield Selection(primitive=(one.primitive,), operation=("sign", "verify"))
            yield Selection(primitive=(one.primitive,), operation=("encrypt", "decrypt"), length=(32,))
        else:
            yield _encrypting((one.primitive,), one.modes or ("none",), message)


def _stage(
    title: str,
    catalog: Catalog,
    selections: Iterable[Selection],
    runs: int,
    *,
    threads: int = 1,
    instructions: Sequence[str] = ("any",),
) -> Stage:
    own, asked = HostPlan(), LibraryPlan()
    for selection in selections:
        plan = make_host_plan(catalog, selection, [threads])
        more = make_library_plan(plan, libraries().values(), instructions)
        own.cells += [cell for cell in plan.cells if cell not in own.cells]
        asked.cells += more.cells
    return Stage(title, own, asked, runs)


def _derivations(catalog: Catalog, runs: int) -> Stage:
    cells = derive_cells(catalog.algorithm_of("hmac-sha-256"), ("hmac-sha-256",), libraries().values())
    return Stage("salt (PBKDF2)", HostPlan(), LibraryPlan(list(cells)), runs)


def measure(options: Options, setup: Setup) -> Taken:
    """Measure what the store lacks of it on a device; all records there of this device.

    Ctrl-C leaves what is done in the store, and the next run goes on from there.
    """
    if options.device == LOCAL and options.ssh_option:
        raise UsageError("--ssh-option is for a device that ssh reaches, not for local.")
    way = Way(options.device, options.ssh_option)
    result = RunResult()
    every = stages(setup.catalog, quick=options.quick)
    with SegmentWriter(store_folder(setup.store)) as writer, reach(way, setup.tell) as reached:
        device = reached.device.name
        old = [
            r for r in read_records(store_folder(setup.store), setup.tell).to_dicts() if r["device"] == device
        ]
        done = (
            set()
            if options.again
            else {_identity(record) for record in old if _counts(record, reached.machine)}
        )
        for number, stage in enumerate(every, start=1):
            runs_of = {identity for identity, runs in done if runs >= stage.runs}
            stage.own.cells = [one for one in stage.own.cells if _of_own(one) not in runs_of]
            stage.asked.cells = [one for one in stage.asked.cells if _of_library(one) not in runs_of]
            total = len(stage.own.cells) + len(stage.asked.cells)
            setup.tell(f"{stage.title}: {total} cells to measure (step {number} of {len(every)}).")
            rules = HostRules(runs=stage.runs, limit_s=_LIMIT_S)
            with setup.bar("measuring", total) as advance:

                def keep(record: Record) -> None:
                    writer.append([record])
                    result.records.append(record)
                    if record["status"] == "ok":
                        done.add(_identity(record))
                    advance(f"{record['primitive']} {record['mode'] or record['operation']}")

                result.interrupted = run_host_plan(stage.own, reached, rules, keep).interrupted
                if not result.interrupted:
                    result.interrupted = run_library_plan(stage.asked, reached, rules, keep).interrupted
            if result.interrupted:
                break
    records = [*old, *result.records]
    # What a library lacks is no failure.
    failed = [record for record in records if record["status"] not in ("ok", "unsupported")]
    return Taken(records, failed, bool(failed), result.interrupted)


def _counts(record: Record, machine: object) -> bool:
    """Whether a record is of this machine as it is, has a figure, and nothing else kept the machine busy."""
    assert isinstance(machine, dict)
    told = json.loads(str(record["machine"] or "{}"))
    share = record["cpu_process_percent"]
    if isinstance(share, float) and share < UNDISTURBED_PERCENT:
        return False
    same = all(told.get(name) == machine.get(name) for name in ("kernel", "processor", "cores"))
    return same and record["status"] == "ok" and record["verified"] is True


def _identity(record: Record) -> tuple[_Cell, int]:
    who = (record["library"], record["variant"], record["flags"], record["settings"])
    what = (record["primitive"], record["mode"], record["operation"], record["message_bytes"])
    runs = record["runs"]
    return (*who, *what, record["padding"], record["threads"]), runs if isinstance(runs, int) else 0


def _of_own(cell: HostCell) -> _Cell:
    mode = cell.mode.id if cell.mode is not None else None
    what = (cell.primitive.id, mode, cell.operation, cell.message_bytes)
    return (None, cell.variant.id, cell.flags, None, *what, cell.padding, cell.threads)


def _of_library(cell: LibraryCell) -> _Cell:
    asked = cell.asked
    what = (asked.primitive.id, asked.mode, asked.operation, asked.message_bytes)
    return (cell.library.id, None, None, cell.settings, *what, asked.padding, cell.threads)
