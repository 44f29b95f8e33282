"""`steelyard host measure`: Steelyard's own code on a Linux device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.host import options as host_options
from steelyard.cli.measure import tell_failures
from steelyard.cli.output import INTERRUPTED, bar, tell_left_out, warn
from steelyard.cli.records import known_columns, record_page
from steelyard.cli.view import View, view
from steelyard.errors import EnvironmentProblem, UsageError

if TYPE_CHECKING:
    from steelyard.linux.device.connect import Way
    from steelyard.record.schema import Record

_DEFAULT_RUNS = 50
_GAPS_SHOWN = 10
_DEFAULT_LIMIT_S = 60
_UNDISTURBED_PERCENT = 90


@options.taking(way=host_options.way, wanted=view)
def measure(
    *,
    primitive: options.Primitive = None,
    variant: options.Variant = None,
    flags: options.Flags = None,
    operation: options.Operation = None,
    mode: options.Mode = None,
    length: options.Length = None,
    ad_length: options.AdLength = None,
    padding: options.Padding = None,
    primitives: options.Primitives = None,
    library: host_options.Library = None,
    instructions: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="CPU instructions that a library may use: any (default), or baseline, those of every"
            " CPU of its kind.",
        ),
    ] = None,
    threads: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="Number of threads that share one message (default: 1); repeatable."),
    ] = None,
    runs: Annotated[
        int, typer.Option(min=2, max=10000, metavar="N", help="Number of counted runs of each cell.")
    ] = _DEFAULT_RUNS,
    limit: Annotated[
        float,
        typer.Option(
            min=0.1, max=86400, metavar="SECONDS", help="Start no further run of a cell after this time."
        ),
    ] = _DEFAULT_LIMIT_S,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="Seed of the messages.")] = "steelyard",
    way: Way,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Measure Steelyard's own code or a device's libraries on the device: time, CPU, memory and more.

    An agent for each variant and mode is compiled here, copied to a temporary folder of the device, run there
    and removed again. Every output is compared with an independent implementation's. Libraries are measured
    in the same cells; a missing algorithm is a record with the reason. docs/host.md explains the figures.

    \b
    Examples:
      steelyard host measure --primitive aes-128 --mode ctr --length 1048576
      steelyard host measure root@board --primitive 'speck-*' --mode '*' --length 65536
      steelyard host measure --primitive aes-128 --mode ctr --length 1048576 --threads 1 --threads 2
      steelyard host measure board --ssh-option "-p 2222" --primitive 'sha-*' --json
      steelyard host measure --qemu linux-riscv64 --primitive ascon-aead128
      steelyard host measure --library '*' --primitive aes-128 --mode cbc --mode ctr --length 1048576
      steelyard host measure --library openssl --instructions baseline --primitive aes-128 --mode ctr
      steelyard host measure --library openssl --library libgcrypt --operation derive
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.linux.device.connect import reach
    from steelyard.linux.libraries import DERIVE
    from steelyard.linux.measure.asking import HostRules
    from steelyard.linux.measure.library import derive_cells, make_library_plan, run_library_plan
    from steelyard.linux.measure.plan import HostPlan, make_host_plan
    from steelyard.linux.measure.run import run_host_plan
    from steelyard.measure.run import RunResult
    from steelyard.measure.selection import match, select
    from steelyard.store.segments import SegmentWriter, store_folder

    wanted = wanted.knowing(known_columns())
    selection = select(
        primitive=primitive,
        variant=variant,
        flags=flags,
        operation=operation,
        mode=mode,
        length=length,
        ad_length=ad_length,
        padding=padding,
    )
    catalog = load_catalog(primitives or ())
    own, named = host_options.libraries_of(library)
    ways = match("instructions", instructions or ["any"], ["any", "baseline"])
    if selection.operation == (DERIVE,):
        plan = HostPlan()
    else:
        plan = make_host_plan(catalog, selection, threads or [1])
    asked = make_library_plan(plan, named, ways)
    if DERIVE in selection.operation:
        asked.cells += derive_cells(catalog.algorithm_of("hmac-sha-256"), selection.primitive, named, ways)
    if not own:
        plan.cells.clear()
    total = len(plan.cells) + len(asked.cells)
    if not total:
        left = "; ".join(asked.skipped + plan.skipped) or f"{DERIVE} is done by libraries alone (--library)"
        raise UsageError(f"Nothing to measure: {left}.")
    rules = HostRules(runs, seed, limit)
    result = RunResult()
    with (
        SegmentWriter(store_folder(store)) as writer,
        reach(way, warn) as reached,
        progress(total) as advance,
    ):

        def keep(record: Record) -> None:
            writer.append([record])
            result.records.append(record)
            advance(record)

        try:
            result.interrupted = run_host_plan(plan, reached, rules, keep).interrupted
            if not result.interrupted:
                result.interrupted = run_library_plan(asked, reached, rules, keep).interrupted
        except EnvironmentProblem:
            warn("the device is lost; what is done is kept.")
            raise
    tell_left_out(plan.skipped + asked.skipped)
    wanted.show(result.records, record_page(result.records))
    tell_disturbances(result.records)
    tell_failures([record for record in result.records if record["status"] != "unsupported"])
    tell_gaps(result.records)
    if result.interrupted:
        warn(f"interrupted; {len(result.records)} of {total} cells are done and kept.")
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if result.failed else 0)


@contextmanager
def progress(total: int) -> Iterator[Callable[[Record], None]]:
    """Show a bar on standard error if it is a terminal."""
    with bar("measuring", total) as advance:
        yield lambda record: advance(f"{record['primitive']} {record['mode'] or record['operation']}")


def tell_gaps(records: Sequence[Record]) -> None:
    """Report what libraries lack, one line for each reason."""
    reasons = Counter(str(record["error"]) for record in records if record["status"] == "unsupported")
    for reason, count in reasons.most_common(_GAPS_SHOWN):
        warn(f"{count} cell{'s' if count > 1 else ''} without a figure: {reason}")


def tell_disturbances(records: Sequence[Record]) -> None:
    """Report other work on the machine and large variation, because both affect the times."""
    ok = [record for record in records if record["status"] == "ok" and record["time_us"] is not None]
    busy = [record for record in ok if _waited(record)]
    if busy:
        warn(
            f"in {len(busy)} of {len(ok)} cells the program waited for a core more than a tenth of the time,"
            " since other work had the machine busy; cpu_time_us leaves the waiting out, time_us does not."
        )


def _waited(record: Record) -> bool:
    share, switches = record["cpu_process_percent"], record["switches_involuntary"]
    assert isinstance(share, float) and isinstance(switches, int)
    return record["threads"] == 1 and share < _UNDISTURBED_PERCENT and switches > 0
