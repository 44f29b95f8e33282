"""Options that several commands share, and groups of them that a command takes as one value."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from steelyard.cli.completion import (
    mode_names,
    operation_names,
    primitive_names,
    target_names,
    toolchain_names,
    variant_names,
)

if TYPE_CHECKING:
    from steelyard.measure.selection import Selection
    from steelyard.measure.workers import Jobs as MeasuredOn

_GLOB = "name or glob; repeatable"

Names = list[str]

Primitive = Annotated[
    Names | None,
    typer.Option(
        metavar="NAME", autocompletion=primitive_names, help=f"Primitive, such as aes-128: {_GLOB}."
    ),
]
Variant = Annotated[
    Names | None,
    typer.Option(
        metavar="NAME",
        autocompletion=variant_names,
        help=f"Variant, such as aes/sbox: {_GLOB} (default: default variants).",
    ),
]
Target = Annotated[
    Names | None,
    typer.Option(metavar="NAME", autocompletion=target_names, help=f"Chip, such as atmega128: {_GLOB}."),
]
Toolchain = Annotated[
    Names | None,
    typer.Option(metavar="NAME", autocompletion=toolchain_names, help=f"Compiler, gcc or clang: {_GLOB}."),
]
Flags = Annotated[
    Names | None,
    typer.Option(
        metavar="FLAGS", help='Compiler flags of one build, such as "-O2 -funroll-loops"; repeatable.'
    ),
]
Operation = Annotated[
    Names | None,
    typer.Option(
        metavar="NAME",
        autocompletion=operation_names,
        help=f"init, init-decrypt, encrypt, decrypt, digest, mac, seal or open: {_GLOB}.",
    ),
]
Mode = Annotated[
    Names | None,
    typer.Option(
        metavar="NAME",
        autocompletion=mode_names,
        help=f"Mode of operation: {_GLOB}; none is the raw block operation (default), '*' all modes.",
    ),
]
Length = Annotated[list[int] | None, typer.Option(min=0, metavar="BYTES", help="Message length; repeatable.")]
AdLength = Annotated[
    list[int] | None,
    typer.Option("--ad-length", min=0, metavar="BYTES", help="Length of the associated data of an AEAD."),
]
CacheState = Annotated[
    Names | None,
    typer.Option("--cache", metavar="STATE", help="Cache state, warm or cold, on chips with caches."),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Change a chip for this run: icache.size=1K, dcache.ways=4, clock_hz=100000000,"
        " wait_states=2, code=ram or code=zero-wait (Cortex-M, RISC-V), ram=external, built_for=atmega103;"
        " repeatable.",
    ),
]
Footprint = Annotated[
    Names | None,
    typer.Option(
        metavar="NAME",
        help="Operations in the image: encrypt, decrypt, sign, verify or both (default: only those needed).",
    ),
]
Padding = Annotated[
    Names | None,
    typer.Option(
        metavar="NAME", help="Padding for modes that take whole blocks: none (default), zero or pkcs7."
    ),
]
Parameter = Annotated[
    Names | None,
    typer.Option(
        metavar="NAME=VALUES",
        help="Values of a variant's parameter, such as unroll=1,4 (* is all of them); repeatable.",
    ),
]
Primitives = Annotated[
    list[Path] | None,
    typer.Option(
        "--primitives", metavar="DIR", help="Folder with your own variants or algorithms; repeatable."
    ),
]
Rule = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Show only builds that keep a rule in all their records: small-memory (tables of at"
        " most 1 KB, less than 1 KB of RAM) or trade-off (more than 5 % from each sibling in"
        " cycles, ROM or RAM).",
    ),
]
Store = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        help="Folder of the records (default: STEELYARD_STORE, or a folder in XDG_DATA_HOME).",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON array of objects and nothing else.")]
Latex = Annotated[
    bool,
    typer.Option("--latex", help="Print the tables in LaTeX, for the package booktabs."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="A,B,...",
        help="Columns of the tables, in this order: headings, or fields of --json; repeatable.",
    ),
]
Sort = Annotated[
    list[str] | None,
    typer.Option(
        "--sort",
        metavar="FIELD",
        help="Sort the rows by a field or heading, -FIELD for the largest first; repeatable.",
    ),
]

Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw the figures as FILE.svg or as a page FILE.html."),
]
Jobs = Annotated[
    int | None, typer.Option(min=1, max=1024, metavar="N", help="Threads (default: one per core).")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Measure on the workers of a Dask scheduler instead, such as tcp://127.0.0.1:8786"
        " (docs/cluster.md).",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1, max=1024, metavar="N", help="Measure by so many processes of this machine instead of threads."
    ),
]
Call = Annotated[str | None, typer.Option("--call", metavar="SYMBOL", help="Function to call.")]
Arg = Annotated[
    Names | None,
    typer.Option(
        "--arg",
        metavar="ARG",
        help="Arguments of the function in order: 5, u16:300, i8:-3, or a buffer in:0011, out:16,"
        " inout:0011.",
    ),
]
IgnorePeripherals = Annotated[
    bool,
    typer.Option(
        "--ignore-peripherals",
        help="With --elf, let loads read zeros and stores change nothing where the chip has peripherals.",
    ),
]
StartUp = Annotated[
    bool,
    typer.Option("--start-up", help="Run the reset code of --elf to main before the call."),
]
StartUpTo = Annotated[
    str | None,
    typer.Option("--start-up-to", metavar="SYMBOL", help="As --start-up, to another symbol; implies it."),
]
MaxCycles = Annotated[
    int,
    typer.Option(
        min=1,
        max=10**12,
        metavar="CYCLES",
        help="Abort a call after this many cycles.",
    ),
]
Samples = Annotated[
    int,
    typer.Option(
        min=2,
        metavar="N",
        help="Seeded random inputs per cell; fewer where all calls take the same time, or long.",
    ),
]
Seed = Annotated[str, typer.Option(metavar="TEXT", help="Seed of the random inputs.")]
NoMeasure = Annotated[
    bool, typer.Option("--no-measure", help="Only read the store, and report what it lacks.")
]
OneToolchain = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=toolchain_names,
        help="Compiler, gcc or clang (default: gcc, or clang without it).",
    ),
]


def selection(
    primitive: Primitive = None,
    variant: Variant = None,
    target: Target = None,
    toolchain: Toolchain = None,
    flags: Flags = None,
    operation: Operation = None,
    mode: Mode = None,
    length: Length = None,
    ad_length: AdLength = None,
    cache: CacheState = None,
    footprint: Footprint = None,
    padding: Padding = None,
    parameter: Parameter = None,
) -> Selection:
    """Return the selection of the options with which records are selected."""
    given = locals()
    from steelyard.measure.selection import select

    return select(**given)


def jobs(jobs: Jobs = None, scheduler: Scheduler = None, workers: Workers = None) -> MeasuredOn:
    """Return where a plan runs; UsageError if more than one of the options says so."""
    if scheduler is None and workers is None:
        return jobs
    from steelyard.measure.workers import measured_on

    return measured_on(jobs, scheduler, workers)


def taking(**groups: Callable[..., Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of functions; its parameter of that name is what the function returns."""

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        options = {name: _parameters(group, ["return"]) for name, group in groups.items()}
        parameters: list[inspect.Parameter] = []
        for one in _parameters(command, groups):
            parameters += options.get(one.name, [one])

        @wraps(command)
        def run(**given: Any) -> None:
            for name, group in groups.items():
                given[name] = group(**{one.name: given.pop(one.name) for one in options[name]})
            command(**given)

        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return with_options


def _parameters(function: Callable[..., Any], opaque: Iterable[str]) -> list[inspect.Parameter]:
    """Return the parameters of a function with their types, but for names whose types are not imported."""
    unknown = {function.__annotations__[name]: object for name in opaque}
    hints = get_type_hints(function, localns=unknown, include_extras=True)
    found = inspect.signature(function).parameters.values()
    return [one.replace(kind=one.KEYWORD_ONLY, annotation=hints[one.name]) for one in found]
