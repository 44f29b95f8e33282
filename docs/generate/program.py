"""Blocks of the program: help texts and the fields of records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial

import typer
from typer.testing import CliRunner

from steelyard.cli.app import app
from steelyard.linux.interfere import result as interference
from steelyard.present.markdown import markdown_table
from steelyard.record.schema import FIELDS, METRICS
from steelyard.report.columns import UNITS
from steelyard.study.discover import load_study, study_names


@cache
def commands() -> Mapping[str, object]:
    """Return every command by its words, such as `store export`, including groups and the program itself."""
    found: dict[str, object] = {}

    def walk(command: object, words: tuple[str, ...]) -> None:
        found[" ".join(words)] = command
        for name, below in getattr(command, "commands", {}).items():
            walk(below, (*words, name))

    walk(typer.main.get_command(app), ())
    return found


def help_text(words: str) -> str:
    """Return the help of a command as a code block; the width does not depend on the terminal."""
    shown = CliRunner().invoke(app, [*words.split(), "--help"], prog_name="steelyard", env={"COLUMNS": "80"})
    return f"```text\n{shown.stdout.strip()}\n```\n"


def fields(names: Iterable[str]) -> str:
    """Return definitions of fields of the record."""
    chosen = set(names)
    lines = [
        (f"`{field.name}`", UNITS.get(field.unit, field.unit), field.doc)
        for field in FIELDS
        if field.name in chosen
    ]
    return markdown_table(("Field", "Unit", "Definition"), lines, left=3)


def interference_fields() -> str:
    """Return the fields of a run of `steelyard host interfere`; those with and without encryption share a
    line.
    """
    lines = []
    for field in interference.FIELDS:
        if field.name.endswith("_with"):
            continue
        stem = field.name.removesuffix("_without")
        both = stem != field.name
        lines.append(
            (
                f"`{field.name}`, `{stem}_with`" if both else f"`{field.name}`",
                UNITS.get(field.unit, field.unit),
                field.doc.removesuffix("; without encryption"),
            )
        )
    return markdown_table(("Field", "Unit", "Definition"), lines, left=3)


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name: help of every command and of studies with own options, and fields."""
    own = (f"reproduce {name}" for name in study_names() if load_study(name).options is not None)
    return {
        **{f"help {words}".strip(): partial(help_text, words) for words in (*commands(), *own)},
        "fields that identify and trace": lambda: fields(f.name for f in FIELDS if f.name not in METRICS),
        "fields that are measured": lambda: fields(METRICS),
        "interference fields": interference_fields,
    }
