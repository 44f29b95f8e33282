"""Records of key encapsulation and signatures as the CSV in which pqm4 publishes its measurements."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from steelyard.errors import UsageError

_Row = Mapping[str, Any]

_COLUMNS = 11
"""Every line has so many fields, empty ones at its end."""

_KINDS = {
    "kem": ("Key Encapsulation Schemes", ("keypair", "encapsulate", "decapsulate")),
    "signature": ("Signature Schemes", ("keypair", "sign", "verify")),
}
HEADINGS = {
    "keypair": "Key Generation",
    "encapsulate": "Encapsulation",
    "decapsulate": "Decapsulation",
    "sign": "Sign",
    "verify": "Verify",
}
"""Begins of the headings of columns, by operation."""
_SIZES = (".text [bytes]", ".data [bytes]", ".bss [bytes]", "Total [bytes]")

HASHING = re.compile(r"keccak|shake|sha-?3|sha_?(?:2|224|256|384|512)|aes", re.IGNORECASE)
"""What is in the name of a function of Keccak, SHA-2, SHA-3 or AES."""


def to_pqm4(rows: Iterable[_Row]) -> str:
    """Return four tables of cycles, stack, shares of hashing and sizes, each by kind of scheme.

    Only verified records count. The implementation is the variant's name, behind it chip and build where the
    records are of several. UsageError if there are none of the two kinds.
    """
    schemes = _schemes(rows)
    if not schemes:
        raise UsageError("There is no verified record of a key encapsulation or signature of code of others.")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")

    def line(*fields: object) -> None:
        writer.writerow([*fields, *[""] * (_COLUMNS - len(fields))])

    for title, headings, cells in _TABLES:
        line(title)
        for kind, (subtitle, operations) in _KINDS.items():
            line(subtitle)
            line("Scheme", "Implementation", *headings(operations))
            for scheme in schemes:
                if scheme.kind == kind:
                    line(*scheme.named(title.startswith("Speed")), *cells(scheme))
    return text.getvalue()


class _Scheme:
    """One implementation on one chip in one build: its newest record by operation."""

    def __init__(self, kind: str, primitive: str, variant: str, build: str, records: Sequence[_Row]) -> None:
        self.kind = kind
        self.records = {str(record["operation"]): record for record in records}
        self._primitive = primitive
        self._variant = variant
        self._build = build

    def named(self, with_samples: bool) -> tuple[str, str]:
        """Return scheme and implementation, with the number of samples that figures of speed have."""
        samples = min(int(record["samples"]) for record in self.records.values())
        scheme = f"{self._primitive} ({samples} executions)" if with_samples else self._primitive
        return scheme, f"{self._variant} {self._build}".rstrip()

    def each(self, fields: Callable[[_Row], Sequence[object]], width: int = 1) -> Iterator[object]:
        """Yield fields of each operation, empty ones of an operation that has no record."""
        for operation in _KINDS[self.kind][1]:
            record = self.records.get(operation)
            yield from [""] * width if record is None else fields(record)


def _schemes(rows: Iterable[_Row]) -> list[_Scheme]:
    """Return the schemes that make their keys, as the catalogue's own signatures do not."""
    found: defaultdict[tuple[str, str, str], defaultdict[str, list[_Row]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in rows:
        operations = _KINDS.get(row["kind"], ("", ()))[1]
        if row["status"] == "ok" and row["verified"] and row["operation"] in operations:
            variant = str(row["variant"]).partition("/")[2]
            found[row["kind"], row["primitive"], variant][_build(row)].append(row)
    chosen = [
        (key, build, length, of_length)
        for key, builds in sorted(found.items())
        for build, records in sorted(builds.items())
        if any(record["operation"] == "keypair" for record in records)
        for length, of_length in _by_length(records)
    ]
    several_builds = len({build for _, build, _, _ in chosen}) > 1
    several_lengths = len({length for _, _, length, _ in chosen if length is not None}) > 1
    schemes = []
    for (kind, primitive, variant), build, length, records in chosen:
        said = [build] if several_builds else []
        if several_lengths and length is not None:
            said.append(f"{length} bytes")
        schemes.append(_Scheme(kind, primitive, variant, f"({', '.join(said)})" if said else "", records))
    return schemes


def _by_length(records: Sequence[_Row]) -> Iterator[tuple[int | None, list[_Row]]]:
    """Yield the records of each length of messages, those without a message among each."""
    lengths = sorted({record["message_bytes"] for record in records} - {None})
    for length in lengths or [None]:
        yield length, [record for record in records if record["message_bytes"] in (None, length)]


def _build(row: _Row) -> str:
    """Return chip, compiler and flags of a record."""
    named = ("target", "settings", "toolchain", "flags", "cache_state")
    return " ".join(str(row[name]) for name in named if row[name])


def _cycles(record: _Row) -> Sequence[object]:
    return round(record["cycles"]), record["cycles_min"], record["cycles_max"]


def _stack(record: _Row) -> Sequence[object]:
    return (record["ram_stack_bytes"],)


def hashing_percent(record: _Row, others: Collection[str] = ()) -> float | None:
    """Return the percentage of a record's cycles in functions that are named like hashing or are in `others`.

    None without any function.
    """
    functions = json.loads(record["functions"] or "[]")
    total = sum(one["cycles"] for one in functions)
    named = (one for one in functions if one["name"] in others or HASHING.search(one["name"]))
    hashing = sum(one["cycles"] for one in named)
    return 100 * hashing / total if total else None


def size_bytes(record: _Row) -> dict[str, int]:
    """Return the sizes of a record's image: what is initialised counts in ROM as text, in RAM as bss."""
    text, static = record["rom_code_bytes"] + record["rom_const_bytes"], record["ram_static_bytes"]
    return {"text": text, "bss": static, "total": text + static}


def _hashing(record: _Row) -> Sequence[object]:
    percent = hashing_percent(record)
    return ("" if percent is None else f"{percent:.1f}",)


def _sizes(scheme: _Scheme) -> Iterator[object]:
    found = size_bytes(next(iter(scheme.records.values())))
    yield from (found["text"], "", found["bss"], found["total"])


_TABLES: tuple[
    tuple[str, Callable[[Sequence[str]], Sequence[str]], Callable[[_Scheme], Iterator[object]]], ...
] = (
    (
        "Speed Evaluation",
        lambda operations: [
            f"{HEADINGS[one]} [cycles] ({which})" for one in operations for which in ("mean", "min", "max")
        ],
        lambda scheme: scheme.each(_cycles, 3),
    ),
    (
        "Memory Evaluation",
        lambda operations: [f"{HEADINGS[one]} [bytes]" for one in operations],
        lambda scheme: scheme.each(_stack),
    ),
    (
        "Hashing Evaluation",
        lambda operations: [f"{HEADINGS[one]} [%]" for one in operations],
        lambda scheme: scheme.each(_hashing),
    ),
    ("Size Evaluation", lambda operations: _SIZES, _sizes),
)
"""Title, headings for the operations of a kind, and the fields of a scheme."""
