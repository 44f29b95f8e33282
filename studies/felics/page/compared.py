"""FELICS' own figures of each implementation beside ours: one block in both directions, at one flag."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import median
from zipfile import ZipFile

import polars as pl

from steelyard.present.table import Table
from steelyard.studies.felics.figures import TARGETS, TREE, Entry, entries
from steelyard.studies.felics.study import FLAGS, short

RESULTS = Path("block_ciphers", "results20190807.zip")
"""FELICS' results in its repository."""
_TABLES = {"atmega128": "AVR", "msp430f1611": "MSP", "sam3x8e": "ARM"}
_HEADINGS = 3
_LANGUAGES = {"C": "C", "ASM": "assembly"}
_FIGURES = ("code", "ram", "cycles")
_TITLES = ("Code", "RAM", "Cycles")

_Key = tuple[str, str, str, str]


def published(clone: Path) -> dict[_Key, tuple[str, Sequence[int]]]:
    """Return language and code, RAM and cycles by chip, cipher, version and flags, from a clone."""
    found: dict[_Key, tuple[str, Sequence[int]]] = {}
    with ZipFile(clone / RESULTS) as archive:
        for target, name in _TABLES.items():
            text = archive.read(f"results/{name}_scenario0.csv").decode("utf-8")
            for row in list(csv.reader(io.StringIO(text)))[_HEADINGS:]:
                cipher, version = f"{row[0].lower()} {row[1]}/{row[2]}", f"v{row[3]}"
                flags = row[5].removeprefix('="').removesuffix('"').lstrip("=")
                found[target, cipher, version, flags] = _LANGUAGES[row[4].strip()], _sums(row[6:])
    return found


def _sums(columns: Sequence[str]) -> tuple[int, int, int]:
    """Return code in all, data in all with the deepest stack, and cycles of the four operations."""
    numbers = [int(text) for text in columns]
    return numbers[4], max(numbers[5:9]) + numbers[14], sum(numbers[15:19])


def compared(records: pl.DataFrame, clone: Path) -> pl.DataFrame:
    """Return ours and theirs of every implementation that both measured."""
    theirs = published(clone)
    rows = []
    for one in entries(records.to_dicts()):
        key = one.target, one.cipher, short(one), one.flags
        if one.source == TREE and one.scenario == 0 and one.flags in FLAGS and key in theirs:
            language, figures = theirs[key]
            rows.append((*key, language, *_ours(one), *figures))
    columns = ["target", "cipher", "version", "flags", "language", *_FIGURES]
    columns += [f"published_{name}" for name in _FIGURES]
    return pl.DataFrame(sorted(rows), schema=columns, orient="row")


def _ours(one: Entry) -> tuple[int, int, int]:
    return one.code_bytes, one.ram_bytes, round(one.cycles)


def table(rows: Iterable[dict[str, str]]) -> Table:
    """The ratios of ours to theirs by chip and language: median, least and greatest."""
    every = list(rows)
    lines = []
    for target, language in product(TARGETS, _LANGUAGES.values()):
        here = [one for one in every if (one["target"], one["language"]) == (target, language)]
        if here:
            lines.append((target, language, str(len(here)), *_ratios(here)))
    headings = ("Chip", "Language", "Implementations", *(f"{name}, ours over FELICS'" for name in _TITLES))
    return Table("Beside FELICS", headings, tuple(lines), 2)


def _ratios(here: Sequence[dict[str, str]]) -> Iterator[str]:
    for name in _FIGURES:
        of = [float(one[name]) / float(one[f"published_{name}"]) for one in here]
        yield f"{median(of):.2f} ({min(of):.2f} to {max(of):.2f})"
