"""`steelyard host interfere`: a periodic control task beside encryption."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.host import options as host_options
from steelyard.cli.output import INTERRUPTED, bar, tell_left_out, warn
from steelyard.cli.view import View, view
from steelyard.linux.interfere.words import what

if TYPE_CHECKING:
    from steelyard.linux.device.connect import Way
    from steelyard.linux.interfere.result import Row

_MODE = "ctr"


@options.taking(way=host_options.way, wanted=view)
def interfere(
    *,
    period: Annotated[str, typer.Option(metavar="TIME", help="Period of the control task.")] = "1ms",
    work: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="Work of the task per period: a time such as 100us, or rounds of its loop such as 2000.",
        ),
    ] = "100us",
    deadline: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="Longest acceptable time from release to response (default: the period)."
        ),
    ] = None,
    working_set: Annotated[
        str, typer.Option("--working-set", metavar="BYTES", help="Memory that the task's work accesses.")
    ] = "16K",
    priority: Annotated[
        int,
        typer.Option(
            min=0, max=99, metavar="N", help="SCHED_FIFO priority of the task; 0 selects SCHED_OTHER."
        ),
    ] = 80,
    pin: Annotated[
        int | None, typer.Option(min=0, max=1023, metavar="CORE", help="Core of the task (default: any).")
    ] = None,
    primitive: options.Primitive = None,
    variant: options.Variant = None,
    flags: options.Flags = None,
    library: host_options.Library = None,
    mode: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Mode of a block cipher, a name or a glob (default: ctr)."),
    ] = None,
    padding: options.Padding = None,
    rate: Annotated[
        str, typer.Option(metavar="RATE", help="Message rate: 100/s, or max for one after the other.")
    ] = "100/s",
    length: Annotated[
        str, typer.Option(metavar="BYTES", help="Length of a message: 1024, 64K or 1M.")
    ] = "1024",
    encrypt_priority: Annotated[
        int,
        typer.Option(
            "--encrypt-priority",
            min=0,
            max=99,
            metavar="N",
            help="SCHED_FIFO priority of the encrypting thread (default: SCHED_OTHER).",
        ),
    ] = 0,
    encrypt_pin: Annotated[
        int | None,
        typer.Option(
            "--encrypt-pin",
            min=0,
            max=1023,
            metavar="CORE",
            help="Core of the encrypting thread (default: the task's).",
        ),
    ] = None,
    duration: Annotated[
        str, typer.Option(metavar="TIME", help="Duration of a run, half of it with encryption.")
    ] = "5s",
    overload: Annotated[
        bool, typer.Option("--overload", help="Run work that exceeds the period or deadline.")
    ] = False,
    primitives: options.Primitives = None,
    seed: Annotated[
        str, typer.Option(metavar="TEXT", help="Seed of keys, messages and their due moments.")
    ] = "steelyard",
    way: Way,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Measure what encryption does to a periodic control task: release jitter, response time, misses.

    The task runs on a Linux device, in turns with and without messages being encrypted beside it. Every
    primitive has a run of its own, with Steelyard's code or a library of the device; its effect has a 95 %
    interval. docs/interfere.md explains the figures.

    \b
    Examples:
      steelyard host interfere --primitive aes-128
      steelyard host interfere --primitive aes-128 --primitive 'speck-64-*' --rate 1000/s --duration 20s
      steelyard host interfere root@board --period 5ms --work 2ms --pin 0 --primitive aes-128-gcm
      steelyard host interfere --primitive aes-128 --library own --library openssl --length 16K
      steelyard host interfere --primitive aes-128 --mode cbc --length 64K --encrypt-priority 90 --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.errors import SteelyardError, UsageError
    from steelyard.linux.device.connect import reach
    from steelyard.linux.interfere.load import OPERATIONS, LibraryLoad, Load, OwnLoad
    from steelyard.linux.interfere.plan import make_plan
    from steelyard.linux.interfere.result import KIND, name_of
    from steelyard.linux.interfere.run import Runner
    from steelyard.linux.measure.library import make_library_plan
    from steelyard.linux.measure.message import seed_of
    from steelyard.linux.measure.plan import make_host_plan
    from steelyard.measure.selection import select
    from steelyard.store.results import save_result
    from steelyard.store.segments import store_folder

    if not primitive:
        raise UsageError("--primitive NAME is needed: what encrypts beside the task.")
    plan = make_plan(
        period=period,
        work=work,
        deadline=deadline,
        working_set=working_set,
        priority=priority,
        core=pin,
        rate=rate,
        length=length,
        encryption_priority=encrypt_priority,
        encryption_core=encrypt_pin,
        duration_=duration,
        overload=overload,
        seed=seed_of(seed),
    )
    selection = select(
        primitive=primitive,
        variant=variant,
        flags=flags,
        mode=mode or [_MODE],
        length=[plan.message_bytes],
        padding=padding,
    )
    planned = make_host_plan(load_catalog(primitives or ()), selection, [1])
    planned.cells = [cell for cell in planned.cells if cell.operation in OPERATIONS]
    own, named = host_options.libraries_of(library)
    asked = make_library_plan(planned, named)
    loads: list[Load] = [OwnLoad(cell) for cell in planned.cells if own]
    loads += [LibraryLoad(cell) for cell in asked.cells]
    skipped = planned.skipped + asked.skipped
    if not loads:
        raise UsageError(f"Nothing to run: {'; '.join(skipped)}.")
    folder_of_store = store_folder(store)
    rows: list[Row] = []
    interrupted = False
    with (
        reach(way, warn) as reached,
        bar("running", len(loads) * plan.blocks) as advance,
    ):
        runner = Runner(reached, plan, seed, lambda load: advance(load.asked.primitive.id))
        try:
            for row in runner.rows(loads):
                if row["scheduler"] is not None:
                    save_result(folder_of_store, KIND, name_of(row), row)
                rows.append(row)
        except KeyboardInterrupt:
            interrupted = True
        except SteelyardError:
            _print(rows, wanted)
            raise
    _print(rows, wanted)
    tell_left_out(skipped)
    for row in rows:
        if row["status"] != "ok":
            warn(f"{what(row)}: {str(row['error']).splitlines()[0]}")
    if interrupted:
        warn(f"interrupted; {len(rows)} of {len(loads)} runs are done and kept.")
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(0 if all(row["status"] in ("ok", "unsupported") for row in rows) else 1)


def _print(rows: list[Row], wanted: View) -> None:
    from steelyard.cli.host.interfered import page
    from steelyard.linux.interfere.result import FIELDS
    from steelyard.record.field import decoded

    wanted.show((decoded(row, FIELDS) for row in rows), page(rows))
