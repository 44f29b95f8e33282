"""`steelyard reproduce`: a published measurement made anew, beside what was published."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from steelyard.cli import options
from steelyard.cli.host import options as host_options
from steelyard.cli.output import INTERRUPTED, warn
from steelyard.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from steelyard.catalog.load import Catalog
    from steelyard.linux.device.connect import Way
    from steelyard.measure.run import RunResult
    from steelyard.reproduce.comparison import Steps

EXPERIMENTS = {
    "atmega128": "five block ciphers on the ATmega128 (2010)",
    "energy-sa1100": "five block ciphers under memory constraints on the SA-1100",
    "cache-sweep": "AES with tables of four sizes against the size of caches",
    "sensor-nodes": "five primitives on seven processors of sensor nodes (2003)",
    "rl78-minimal": "four ciphers and seven hashes in categories of ROM and RAM on the RL78 (2013)",
    "industrial-linux": "AES in five modes, and all of OpenSSL's ciphers, on an embedded Linux board (2020)",
    "word-sizes": "the same ciphers on processors of 8, 16 and 32 bits, of several publications",
}
_ON_LINUX = "industrial-linux"
_HELP = "; ".join(f"{name}: {what}" for name, what in EXPERIMENTS.items()) + "."


def reproduce(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help=_HELP)],
    toolchain: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Compiler, gcc or clang (default: gcc, or clang without it)."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Threads (default: one per core).")
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            metavar="DEVICE",
            help="industrial-linux: local (default), or a destination for ssh, as in `host`.",
        ),
    ] = "local",
    ssh_option: host_options.SshOption = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="industrial-linux: use a short message and two runs, to check that everything works.",
        ),
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again", help="industrial-linux: measure again what the store already has of this device."
        ),
    ] = False,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Measure what a publication measured and print its figures, orders and claims beside ours.

    Each claim gets a verdict computed from the records alone: holds, holds in part, fails, or not testable;
    over all choices of variants, and for each of them.

    \b
    Examples:
      steelyard reproduce atmega128
      steelyard reproduce energy-sa1100
      steelyard reproduce cache-sweep --toolchain clang --json
      steelyard reproduce sensor-nodes
      steelyard reproduce industrial-linux
      steelyard reproduce industrial-linux --device root@board --json
    """
    from steelyard.measure.selection import match

    match("experiment", [experiment], list(EXPERIMENTS))
    if experiment == _ON_LINUX:
        _on_linux(
            host_options.way(device, ssh_option, None, None, None), store, json, quick=quick, again=again
        )
    if device != "local" or ssh_option or quick or again:
        raise UsageError(f"--device, --ssh-option, --quick and --again belong to {_ON_LINUX}.")
    run_experiment(experiment, toolchain, jobs, store, as_json=json)


def _on_linux(way: Way, store: Path | None, as_json: bool, *, quick: bool, again: bool) -> NoReturn:
    """The experiment that is measured on a Linux device."""
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.measure import tell_failures
    from steelyard.cli.reproduced import industrial_linux as ours

    catalog = load_catalog()
    result, device = ours.measure(catalog, way, store, quick=quick, again=again)
    ours.show(result.records, catalog, quick=quick, as_json=as_json)
    tell_failures(ours.failures(result.records))
    if result.interrupted:
        warn(f"interrupted; what was measured on {device} is kept, and the same command goes on from there.")
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if ours.failures(result.records) else 0)


def run_experiment(
    experiment: str, toolchain: str | None, jobs: int | None, store: Path | None, *, as_json: bool
) -> None:
    """Measure what an experiment needs and show it."""
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.measure import tell_outcome
    from steelyard.measure.selection import match
    from steelyard.measure.session import default_toolchain
    from steelyard.toolchain import discover

    ours = import_module(f"steelyard.cli.reproduced.{experiment.replace('-', '_')}")
    catalog = load_catalog()
    if toolchain is not None:
        match("toolchain", [toolchain], sorted({one.id for one in discover()}))
    compiler = toolchain or default_toolchain(catalog, ours.TARGET)
    result = _measured(catalog, ours.steps(catalog, compiler), jobs, store)
    ours.show(result.records, catalog, as_json=as_json)
    tell_outcome(result)
    raise typer.Exit(1 if result.failed else 0)


def _measured(catalog: Catalog, steps: Steps, jobs: int | None, store: Path | None) -> RunResult:
    """The records of all steps, or of those until Ctrl-C."""
    from steelyard.cli.measure import progress
    from steelyard.errors import SteelyardError
    from steelyard.measure.image import Rules
    from steelyard.measure.run import RunResult
    from steelyard.measure.session import prepare
    from steelyard.measure.settings import parse_settings
    from steelyard.store.segments import store_folder

    whole = RunResult()
    problems: list[SteelyardError] = []
    for number, next_step in enumerate(steps, start=1):
        step = next_step(whole.records)
        try:
            session = prepare(catalog, step.selections, parse_settings(step.settings))
        except SteelyardError as problem:
            if not step.optional:
                raise
            warn(str(problem))
            problems.append(problem)
            continue
        which = f" (step {number} of {len(steps)})" if len(steps) > 1 else ""
        builds, cells = len(session.plan.builds), session.plan.cell_count
        warn(f"{builds} images to build, {cells} cells to measure{which}.")
        rules = Rules() if step.samples is None else Rules(samples=step.samples)
        with progress(session) as advance:
            result = session.run(store_folder(store), rules, jobs, advance)
        whole.records += result.records
        if result.interrupted:
            whole.interrupted = True
            break
    if len(problems) == len(steps):
        raise problems[0]
    return whole
