"""`steelyard import`: measure the code of others as it is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.measure import progress
from steelyard.cli.output import INTERRUPTED, bar, warn
from steelyard.cli.view import View, view
from steelyard.errors import UsageError
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.catalog.models import Variant
    from steelyard.catalog.trees.found import LeftOut
    from steelyard.measure.selection import Selection
    from steelyard.measure.workers import Jobs
    from steelyard.record.schema import Record

TARGETS = ("atmega328p", "stm32f051", "stm32f407", "gd32vf103")
"""Chips on which a tree is measured where none is named: one of each usual instruction set."""
LENGTH_BYTES = 64
"""Length of messages where none is given."""


@options.taking(selection=options.selection, jobs=options.jobs, wanted=view)
def import_(
    *,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Tree of others, as it was cloned or unpacked.")
    ],
    adapter: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Description of a library (docs/import/libraries.md), for a tree without one.",
        ),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Only list what the tree holds, and what is left out.")
    ] = False,
    selection: Selection,
    settings: options.Set = None,
    samples: options.Samples = 4,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="Seed of the random inputs.")] = "steelyard",
    max_cycles: Annotated[
        int,
        typer.Option(min=1, max=10**12, metavar="CYCLES", help="Abort a call after this many cycles."),
    ] = 2_000_000_000,
    jobs: Jobs,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Measure the implementations of a tree of others as they are: nothing in it is changed, none of its
    scripts is run.

    The tree is one of a known format (docs/commands/import.md). Without --target, four chips are measured,
    with one compiler each. A second run takes what is done from the cache and goes on.

    \b
    Examples:
      steelyard import lwc-benchmarking --list
      steelyard import lwc-benchmarking --primitive 'ascon*' --target atmega328p --target stm32f407
      steelyard import pqm4 --target stm32l4r5 --flags=-O3
      steelyard import my-library --adapter my-library.toml
    """
    from steelyard.catalog.load import load_catalog

    with bar("reading", 1) as advance:
        advance(str(folder))
        catalog = load_catalog((folder,), adapter)
    if not any(catalog.is_users(variant) for variant in catalog.variants):
        reasons = "; ".join(f"{one.where}: {one.reason}" for one in catalog.left_out[:3])
        raise UsageError(f"{folder} holds nothing that can be measured. {reasons}".rstrip())
    if listed:
        objects = [_described(catalog, one) for one in catalog.variants if catalog.is_users(one)]
        wanted.show(objects, (*_list_page(objects), *_left_out(catalog.left_out)))
        return

    from steelyard.measure.image import Rules
    from steelyard.measure.session import prepare
    from steelyard.measure.settings import parse_settings
    from steelyard.store.segments import store_folder

    session = prepare(catalog, _selections(catalog, selection), parse_settings(settings or ()))
    with progress(session) as advance:
        result = session.run(store_folder(store), Rules(samples, seed, max_cycles), jobs, advance)
    wanted.show(result.records, _page(result.records, catalog))
    if result.interrupted:
        warn(
            f"interrupted; {len(result.records)} of {session.plan.cell_count} cells are done and kept:"
            " the same command goes on from there."
        )
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(0 if any(record["verified"] for record in result.records) else 1)


def _selections(catalog: Catalog, selection: Selection) -> list[Selection]:
    """Return what is measured: for each chip its usual compiler, and the modes that code has itself."""
    from steelyard.measure.selection import match
    from steelyard.measure.session import default_toolchain

    users = [variant for variant in catalog.variants if catalog.is_users(variant)]
    named = match("variant", selection.variant, [variant.id for variant in users])
    chosen = [variant for variant in users if not named or variant.id in named]
    primitives = list(dict.fromkeys(name for variant in chosen for name in variant.file.primitives or ()))
    wanted = match("primitive", selection.primitive, primitives) or tuple(primitives)
    blocks = [name for name in wanted if catalog.algorithm_of(name).file.kind == "block"]
    others = [name for name in wanted if name not in blocks]
    modes = {call.mode for variant in users for call in variant.file.call if call.mode is not None}
    length = selection.length or (LENGTH_BYTES,)
    groups: list[tuple[list[str], dict[str, object]]] = [(others, {"length": length})]
    if not selection.mode:
        # A single block has the one length that it has.
        groups.append((blocks, {"length": ()}))
    if selection.mode or modes:
        # Some modes of others take messages of one length.
        fixed = {
            call.message_bytes for one in users for call in one.file.call if call.mode and call.message_bytes
        }
        lengths = selection.length or (*length, *sorted(fixed - {*length}))
        groups.append((blocks, {"length": lengths, "mode": selection.mode or tuple(sorted(modes))}))
    selections = []
    for target in selection.target or TARGETS:
        known = any(target == one.id for one in catalog.targets)
        usual = (default_toolchain(catalog, target),) if known else ()
        for listed, more in groups:
            doing = [one for one in chosen if any(one.does(name) for name in listed)]
            if doing:
                common = {
                    "target": (target,),
                    "toolchain": selection.toolchain or usual,
                    "variant": tuple(one.id for one in doing),
                    "primitive": tuple(name for name in listed if any(one.does(name) for one in doing)),
                }
                selections.append(selection.model_copy(update=common | more))
    return selections


def _described(catalog: Catalog, variant: Variant) -> dict[str, object]:
    algorithm = next(one for one in catalog.algorithms if one.id == variant.algorithm_id)
    return {
        "variant": variant.id,
        "primitive": ", ".join(variant.file.primitives or ()),
        "kind": algorithm.file.kind,
        "operations": ", ".join(dict.fromkeys(call.operation for call in variant.file.call)),
        "families": ", ".join(variant.file.families or ()) or "all",
        "sources": len(variant.file.sources),
    }


def _list_page(objects: Sequence[dict[str, object]]) -> Iterator[Table | str]:
    headings = ("variant", "primitive", "kind", "operations", "families", "sources")
    rows = tuple(tuple(str(one[name]) for name in headings) for one in objects)
    yield Table("", headings, rows, left=5, least_needed=("sources", "families"), objects=tuple(objects))
    yield f"{len(rows)} implementations."


def _page(records: Sequence[Record], catalog: Catalog) -> Iterator[Table | str]:
    """The measured, kind by kind, then what has no figure, what is left out, and the sum."""
    good = [record for record in records if record["status"] == "ok" and record["verified"]]
    kinds = list(dict.fromkeys(str(record["kind"]) for record in good))
    for kind in kinds:
        of_kind = [record for record in good if record["kind"] == kind]
        yield _figures(of_kind, f"Kind: {kind}" if len(kinds) > 1 else "")
    yield from _failures(records)
    yield from _left_out(catalog.left_out)
    tried = {str(record["variant"]) for record in records}
    verified = {str(record["variant"]) for record in good}
    yield (
        f"{len(verified)} of {len(tried)} implementations are verified and measured on at least one chip;"
        f" {len(catalog.left_out)} were left out."
    )


def _figures(good: Sequence[Record], title: str) -> Table:
    """A row per implementation, primitive, chip and build, with the cycles of all operations."""
    operations = list(dict.fromkeys(_operation(record) for record in good))
    groups: defaultdict[tuple[str, ...], dict[str, Record]] = defaultdict(dict)
    for record in good:
        build = f"{record['toolchain']} {record['flags']}"
        names = (str(record[name]) for name in ("variant", "primitive", "target"))
        groups[(*names, build)][_operation(record)] = record
    rows, objects = [], []
    for (variant, primitive, target, build), found in sorted(groups.items()):
        evidence = " ".join(dict.fromkeys(str(one["evidence"]) for one in found.values()))
        evidence = ", ".join(dict.fromkeys(evidence.split()))
        cycles = (f"{found[name]['cycles']:,.0f}" if name in found else "" for name in operations)
        sizes = (
            f"{max(int(str(one[name])) for one in found.values()):,}"
            for name in ("rom_bytes", "ram_bytes", "ram_stack_bytes")
        )
        rows.append((variant, primitive, target, build, evidence, *cycles, *sizes))
        objects.append({"variant": variant, "primitive": primitive, "target": target})
    headings = ("variant", "primitive", "target", "build", "verified by", *operations, "ROM", "RAM", "stack")
    return Table(
        title, headings, tuple(rows), left=5, least_needed=("verified by", "build"), objects=tuple(objects)
    )


def _operation(record: Record) -> str:
    """Return what was asked, as a heading."""
    parts = [str(record["operation"])]
    if record["mode"]:
        parts.append(str(record["mode"]))
    if record["message_bytes"] is not None and record["kind"] != "block":
        parts.append(f"{record['message_bytes']}")
    return " ".join(parts)


def _failures(records: Sequence[Record]) -> Iterator[Table | str]:
    reasons: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for record in records:
        if record["status"] == "ok" and record["verified"]:
            continue
        reason = str(record["error"]).splitlines()[0] if record["error"] else str(record["status"])
        status = str(record["status"]) if record["status"] != "ok" else "unverified"
        chips = reasons[str(record["variant"]), status, reason]
        if record["target"] not in chips:
            chips.append(str(record["target"]))
    if reasons:
        rows = tuple(
            (name, status, ", ".join(chips), reason) for (name, status, reason), chips in reasons.items()
        )
        yield Table("Without a figure", ("variant", "status", "targets", "reason"), rows, left=4)


def _left_out(left_out: Sequence[LeftOut]) -> Iterator[Table | str]:
    if not left_out:
        return
    counted = Counter(one.reason for one in left_out)
    first = {one.reason: one.where for one in reversed(left_out)}
    rows = tuple((str(count), reason, first[reason]) for reason, count in counted.most_common())
    yield Table("Left out", ("count", "reason", "such as"), rows, left=3)
