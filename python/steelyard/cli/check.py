"""`steelyard check`: is the compiled code constant-time?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import INTERRUPTED, bar, tell_left_out, warn
from steelyard.cli.records import marked
from steelyard.cli.view import View, view
from steelyard.errors import UsageError
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.check import Explained, Result
    from steelyard.measure.selection import Selection

FORMATS = ("text", "sarif")


@options.taking(selection=options.selection, wanted=view)
def check(
    *,
    selection: Selection,
    settings: options.Set = None,
    secret: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="What is secret: key (with all that is made at random), plaintext or nonce; repeatable"
            " (default: key, of a hash its message).",
        ),
    ] = None,
    primitives: options.Primitives = None,
    top: Annotated[int, typer.Option(min=0, metavar="N", help="Findings explained for each operation.")] = 3,
    output_format: Annotated[
        str, typer.Option("--format", metavar="NAME", help="text, or sarif for code-scanning views.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for --format sarif (default: standard output).")
    ] = None,
    jobs: options.Jobs = None,
    wanted: View,
) -> None:
    """Ask of compiled code whether its time may follow a secret, and where.

    Two witnesses: secrets are followed through registers, flags, memory and stack of the emulated machine,
    and runs that differ in nothing but secrets are compared. Verdicts: yes, constant-time; on-this-chip,
    addresses follow a secret in memory that answers in one time; no. The exit status is 1 if a verdict is no
    or could not be had.

    \b
    Examples:
      steelyard check --primitive aes-128 --target stm32f407
      steelyard check --primitive aes-128 --variant 'aes/*' --target atmega128 --target stm32f407 --top 1
      steelyard check --primitive chacha20-poly1305 --operation open --secret key --secret plaintext
      steelyard check --primitives my-ciphers --target rp2040 --toolchain '*' --flags -O2 --flags -O3
      steelyard check --primitive aes-128 --target nrf52840 --format sarif --output leaks.sarif
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.check import run_checks, sarif
    from steelyard.check.run import operation_count
    from steelyard.measure.check import chosen_secrets
    from steelyard.measure.session import prepare
    from steelyard.measure.settings import parse_settings
    from steelyard.nearest import unknown

    if output_format not in FORMATS:
        raise UsageError(f"--format: {unknown('format', output_format, FORMATS)}")
    if output is not None and output_format == "text":
        raise UsageError("--output takes --format sarif; the text goes to standard output.")
    if output_format == "sarif" and wanted.json:
        raise UsageError("--json and --format sarif are two forms of the output; leave one of them out.")
    secrets = chosen_secrets(secret) if secret else None
    session = prepare(load_catalog(primitives or ()), [selection], parse_settings(settings or ()))
    tell_left_out(session.plan.refused, "build")
    tell_left_out(session.plan.skipped)
    with bar("checking", operation_count(session)) as advance:
        found = run_checks(
            session,
            secrets,
            explained=top,
            jobs=jobs,
            on_result=lambda one: advance(f"{one.cell.build.primitive.id} on {one.cell.build.target.id}"),
        )
    results = found.results
    if output_format == "sarif":
        text = json.dumps(sarif(results), indent=2) + "\n"
        if output is None:
            typer.echo(text, nl=False)
        else:
            output.write_text(text, encoding="utf-8")
            warn(f"{output}: {sum(len(one.explained) for one in results)} findings.")
    else:
        wanted.show([_object(one) for one in results], _page(results))
    if found.interrupted:
        warn("interrupted; what is done is kept: the same command goes on from there.")
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(0 if all(_passes(one) for one in results) else 1)


def _passes(result: Result) -> bool:
    if result.status == "does-not-fit":
        return True
    checked = result.checked
    return checked is not None and checked.verdict != "no" and not checked.contradicts


def _operation(result: Result) -> str:
    mode = result.cell.build.mode
    return result.cell.operation + (f" {mode.id}" if mode is not None else "")


def _page(results: Sequence[Result]) -> Iterator[Table | str]:
    yield _table(results)
    for result in results:
        yield from _told(result)
    contradicted = [result for result in results if result.checked is not None and result.checked.contradicts]
    for result in contradicted:
        yield (
            f"{_where(result)}: runs with other secrets differ although no secret was seen to matter."
            " That is a fault of Steelyard; please report it."
        )


_KINDS = (("branches", ("branch", "target", "condition")), ("loads", ("load",)), ("stores", ("store",)))


def _table(results: Sequence[Result]) -> Table:
    headings = (
        *("primitive", "variant", "target", "build", "operation", "secret", "constant-time"),
        *(heading for heading, _ in _KINDS),
        *("times", "other secrets"),
    )
    rows = []
    for result in results:
        build, checked = result.cell.build, result.checked
        verdict = result.status if checked is None else checked.verdict
        counts: Counter[str] = Counter(finding.kind for finding in checked.counted) if checked else Counter()
        named = [sum(counts[kind] for kind in kinds) for _, kinds in _KINDS]
        rows.append(
            (
                marked(build.primitive.id, build.primitive.security),
                build.variant.id,
                build.target.id,
                f"{build.toolchain} {build.flags}",
                _operation(result),
                " ".join(checked.secrets) if checked is not None else "",
                verdict,
                *(str(count) if checked is not None else "" for count in named),
                str(counts.total() - sum(named)) if checked is not None else "",
                _second(result),
            )
        )
    return Table(
        "",
        headings,
        tuple(rows),
        left=7,
        least_needed=("secret", "build"),
        objects=tuple(_object(one) for one in results),
        numeric=(False,) * 7 + (True,) * 4 + (False,),
    )


def _second(result: Result) -> str:
    """Return what the second witness says, in a word."""
    checked = result.checked
    if checked is None or not checked.runs:
        return ""
    if checked.difference is None:
        return f"{checked.runs} alike"
    return checked.difference.what


def _where(result: Result) -> str:
    build = result.cell.build
    return (
        f"{build.primitive.id}, {build.variant.id} on {build.target.id}, {build.toolchain} {build.flags},"
        f" {_operation(result)}"
    )


def _told(result: Result) -> Iterator[str]:
    """The findings of an operation, explained."""
    if result.error is not None:
        yield f"{_where(result)}: {result.error.splitlines()[0]}"
    checked = result.checked
    if checked is None or not (
        result.explained or checked.difference or len(checked.counted) != len(checked.findings)
    ):
        return
    lines = [_where(result)]
    for number, one in enumerate(result.explained, start=1):
        lines += _finding(number, one)
    more = len(checked.counted) - len(result.explained)
    if more > 0:
        lines.append(f"  {more} more (--top).")
    for finding in checked.findings:
        if finding.declassified is not None:
            lines.append(f"  declassified: {finding.kind} in {finding.function}: {finding.declassified}.")
    difference = checked.difference
    if difference is not None:
        first, second = difference.secrets
        cycles = " and ".join(f"{count:,}" for count in difference.cycles)
        lines.append(
            f"  {first} against {second}: first difference of {_WHAT[difference.what]} behind"
            f" 0x{difference.address:x} in {difference.function}; {cycles} cycles."
        )
    yield "\n".join(lines)


_WHAT = {"flow": "the flow", "address": "data addresses", "cycles": "cycles"}


def _finding(number: int, told: Explained) -> Iterator[str]:
    finding = told.finding
    frames = told.frames
    source = f"  {frames[0].file}:{frames[0].line}" if frames else ""
    yield f"  {number}. {finding.kind} at 0x{finding.address:x} in {finding.function}{source}"
    for frame in frames[1:]:
        yield f"     inlined in {frame.function}, {frame.file}:{frame.line}"
    times = f"{finding.times:,} time" + ("s" if finding.times != 1 else "")
    reach = f", 0x{finding.lowest:x} to 0x{finding.highest:x}" if finding.lowest is not None else ""
    yield f"     {told.text}    ({times}{reach})"
    yield f"     {'time may follow it' if finding.matters else 'no matter here'}: {finding.reason}"
    for passed in told.path:
        yield f"     > {passed}"


def _object(result: Result) -> dict[str, object]:
    """Return a result as an object for --json."""
    build, checked = result.cell.build, result.checked
    difference = checked.difference if checked is not None else None
    explained = {one.finding: one for one in result.explained}
    findings = [] if checked is None else checked.findings
    return {
        "primitive": build.primitive.id,
        "variant": build.variant.id,
        "parts": " ".join(part.id for part in build.parts) or None,
        "target": build.target.id,
        "toolchain": build.toolchain,
        "toolchain_version": result.toolchain_version,
        "flags": build.flags,
        "footprint": build.footprint,
        "operation": result.cell.operation,
        "mode": build.mode.id if build.mode is not None else None,
        "security": build.primitive.security,
        "status": result.status,
        "error": result.error,
        "secrets": list(checked.secrets) if checked is not None else [],
        "constant_time": checked.verdict if checked is not None else None,
        "leaks": len(checked.counted) if checked is not None else None,
        "runs": checked.runs if checked is not None else 0,
        "unasked": checked.unasked if checked is not None else None,
        "difference": None
        if difference is None
        else {
            "what": difference.what,
            "address": difference.address,
            "function": difference.function,
            "secrets": list(difference.secrets),
            "cycles": list(difference.cycles),
        },
        "findings": [
            {
                "kind": finding.kind,
                "address": finding.address,
                "function": finding.function,
                "times": finding.times,
                "lowest": finding.lowest,
                "highest": finding.highest,
                "matters": finding.matters,
                "reason": finding.reason,
                "declassified": finding.declassified,
                **_explanation(explained.get(finding)),
            }
            for finding in findings
        ],
    }


def _explanation(told: Explained | None) -> dict[str, object]:
    if told is None:
        return {"instruction": None, "frames": [], "path": []}
    frames = [{"function": one.function, "file": one.file, "line": one.line} for one in told.frames]
    return {"instruction": told.text, "frames": frames, "path": list(told.path)}
