"""`steelyard compare`: two sides of the same cells beside each other, and whether the change may be."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import INTERRUPTED, warn
from steelyard.cli.view import View, view
from steelyard.errors import UsageError

if TYPE_CHECKING:
    from steelyard.compare import Comparison
    from steelyard.compare.sides import Asked
    from steelyard.measure.selection import Selection
    from steelyard.measure.session import Session
    from steelyard.record.schema import Record

Metric = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        metavar="NAME",
        help="What is compared, such as cycles, rom, ram, stack, code, energy or a field of records;"
        " repeatable (default: cycles, rom, ram and stack).",
    ),
]
Limit = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=GROWTH",
        help="By how much a measure may grow: cycles=+1%, rom=+64B, stack=0 or none; repeatable"
        " (default: 0).",
    ),
]
Budgets = Annotated[
    Path | None,
    typer.Option(
        "--budgets",
        metavar="FILE",
        help="Limits and budgets (default: steelyard.toml of the present folder, where there is one).",
    ),
]


@options.taking(selection=options.selection, wanted=view)
def compare(
    *,
    base: Annotated[
        Path | None, typer.Argument(metavar="[BASE]", help="Store, or file of records, to compare with.")
    ] = None,
    head: Annotated[
        Path | None, typer.Argument(metavar="[HEAD]", help="Store, or file of records, that is judged.")
    ] = None,
    git: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--git",
            metavar="BASE HEAD",
            help="Compare two revisions of --primitives in its git repository; . is the work tree as it is.",
        ),
    ] = None,
    between: Annotated[
        tuple[str, str, str] | None,
        typer.Option(
            "--between",
            metavar="OPTION BASE HEAD",
            help="Compare two choices of variant, flags or toolchain.",
        ),
    ] = None,
    selection: Selection,
    settings: options.Set = None,
    primitives: options.Primitives = None,
    measure: Metric = None,
    limit: Limit = None,
    budgets: Budgets = None,
    allow_missing: Annotated[
        bool, typer.Option("--allow-missing", help="Cells that only BASE has are no failure.")
    ] = False,
    unchanged: Annotated[bool, typer.Option("--unchanged", help="List what did not change, too.")] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help="Print markdown, gha, bmf, sarif or badge in place of tables."
        ),
    ] = None,
    write: Annotated[
        list[str] | None,
        typer.Option(
            "--write", metavar="NAME=FILE", help="Write one of these formats to a file, too; repeatable."
        ),
    ] = None,
    samples: options.Samples = 16,
    seed: options.Seed = "steelyard",
    max_cycles: options.MaxCycles = 2_000_000_000,
    jobs: options.Jobs = None,
    wanted: View,
) -> None:
    """Compare two sides of the same cells, and say what changed, why, and in which function.

    Sides are two stores or files of records, two revisions of your own code (--git), or two variants, sets of
    flags or compilers (--between). What is not in a store is measured, and no store is written.

    Exit status: 0 nothing is worse than allowed, 1 a cell failed or is missing, 4 a regression.

    \b
    Examples:
      steelyard compare base-store head-store
      steelyard compare base.json head.json --limit cycles=+1% --limit rom=+64B
      steelyard compare --git main . --primitives my-ciphers --target attiny45
      steelyard compare --git main HEAD --primitives my-ciphers --format markdown --write sarif=compare.sarif
      steelyard compare --between flags -Os -O3 --primitive aes-128 --target stm32f407 --limit rom=none
      steelyard compare --between toolchain gcc clang --primitive sha-256 --target atmega128 --length 64
      steelyard compare --between variant aes/sbox aes/ttable-1k --primitive aes-128 --target atmega128
    """
    from steelyard.compare.formats import format_named
    from steelyard.compare.run import compare_options, compare_revisions, compare_stores
    from steelyard.compare.sides import Interrupted, Measuring
    from steelyard.measure.image import Rules
    from steelyard.measure.settings import parse_settings

    kinds = [name for name, given in (("BASE HEAD", base), ("--git", git), ("--between", between)) if given]
    if len(kinds) != 1:
        raise UsageError(
            "name the two sides in one way: two stores or files BASE HEAD, --git BASE HEAD, or --between"
            " OPTION BASE HEAD."
        )
    if form is not None and wanted.json:
        raise UsageError("--json and --format are two forms of the output; leave one of them out.")
    printer = format_named(form, "--format") if form is not None else None
    files = _files(write or ())
    asked = asked_of(selection, measure, limit, budgets, allow_missing=allow_missing)
    measuring = Measuring(
        tuple(primitives or ()),
        parse_settings(settings or ()),
        Rules(samples, seed, max_cycles),
        jobs,
    )
    try:
        if base is not None:
            if head is None:
                raise UsageError(f"{base} is BASE, and HEAD is missing: two stores or files are compared.")
            _refuse_measuring(measuring)
            found = compare_stores(base, head, asked)
        elif git is not None:
            found = compare_revisions(*git, measuring, asked)
        else:
            assert between is not None
            found = compare_options(*between, measuring, asked)
    except Interrupted:
        warn("interrupted; what is done is kept: the same command goes on from there.")
        raise typer.Exit(INTERRUPTED) from None
    show(found, wanted, unchanged=unchanged, printer=printer)
    for path, text in files:
        _write(path, text(found))
    raise typer.Exit(found.exit_status)


def asked_of(
    selection: Selection,
    measure: Sequence[str] | None,
    limit: Sequence[str] | None,
    budgets: Path | None,
    *,
    allow_missing: bool = False,
) -> Asked:
    """Return what the options of a comparison ask for; UsageError for an unknown measure or limit."""
    from steelyard.compare.measures import checked, parse_limits
    from steelyard.compare.sides import Asked

    return Asked(
        selection,
        tuple(checked(name, "--measure") for name in measure or ()),
        parse_limits(limit or ()),
        budgets,
        allow_missing,
        warn,
        _progress,
    )


@contextmanager
def _progress(session: Session) -> Iterator[Callable[[Record], None]]:
    from steelyard.cli.measure import progress

    with progress(session) as advance:
        yield advance


def show(
    found: Comparison,
    wanted: View,
    *,
    unchanged: bool = False,
    printer: Callable[[Comparison], str] | None = None,
) -> None:
    """Print a comparison, and tell on standard error of budgets that no cell has."""
    from steelyard.compare.page import objects, page

    for place in found.unmatched:
        warn(f"{place} is of no cell that was compared.")
    if printer is not None:
        sys.stdout.write(printer(found))
    else:
        wanted.show(objects(found), page(found, unchanged=unchanged))


def _refuse_measuring(measuring: object) -> None:
    """UsageError for options that measure, where both sides are measured already."""
    from dataclasses import fields

    from steelyard.compare.sides import Measuring

    for one in fields(Measuring):
        if getattr(measuring, one.name) != getattr(Measuring(), one.name):
            raise UsageError(
                "two stores are compared as they are: leave --set, --primitives, --samples, --seed,"
                " --max-cycles and --jobs out."
            )


def _files(texts: Sequence[str]) -> list[tuple[Path, Callable[[Comparison], str]]]:
    from steelyard.compare.formats import format_named

    found = []
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not path:
            raise UsageError(f"--write {text}: give a format and a file, such as markdown=summary.md.")
        found.append((Path(path), format_named(name, "--write")))
    return found


def _write(path: Path, text: str) -> None:
    from steelyard.store.export import write_file

    write_file(path, text.encode())
