"""A page for each primitive: its parameters, variants, and the kept results on chips."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from docs.generate.records import BENCH, DEFAULTS, RECORDS, read_kept

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import CPU_CLASSES, Algorithm, Primitive, Variant
from steelyard.present.markdown import markdown_table
from steelyard.present.table import natural
from steelyard.report.tables import verified_results

_SIZES = {
    "key_bytes": "key",
    "block_bytes": "block",
    "iv_bytes": "IV or nonce",
    "digest_bytes": "digest",
    "tag_bytes": "tag",
    "public_key_bytes": "public key",
    "signature_bytes": "signature",
}
_VERDICTS = "constant-time-variants.csv"


def primitive_pages() -> dict[str, str]:
    """Return the pages by their names below `primitives/`: one of each primitive, and `index.md`."""
    made = {}
    index = []
    for algorithm in load_catalog().algorithms:
        for primitive in algorithm.file.primitive:
            if primitive.counted:
                made[f"{primitive.id}.md"] = _page(algorithm, primitive)
                link = f"[{primitive.id}]({primitive.id}.md)"
                index.append((link, algorithm.file.kind, primitive.security, algorithm.file.title))
    index.sort(key=lambda row: (row[1], natural(row[0])))
    table = markdown_table(("Primitive", "Kind", "Standing", "Title"), index, left=4)
    intro = "Every primitive of the catalogue: its parameters, its variants, and what was measured of it."
    return {"index.md": f"# Primitives\n\n{intro}\n\n{table}", **made}


def _page(algorithm: Algorithm, primitive: Primitive) -> str:
    sizes = [
        f"{what} {getattr(primitive, name)} bytes"
        for name, what in _SIZES.items()
        if getattr(primitive, name)
    ]
    rounds = [f"{primitive.rounds} rounds"] if primitive.rounds else []
    operation = {"hash": "digest", "mac": "mac", "aead": "seal", "signature": "sign"}
    named = operation.get(algorithm.file.kind, "encrypt")
    parts = [
        f"# {primitive.id}",
        f"{algorithm.file.title}: {algorithm.file.kind}; {', '.join([*sizes, *rounds]) or 'no parameters'}.",
        f"Standing: **{primitive.security}** ({primitive.authority}). Specification: "
        f"{algorithm.file.specification}.",
        f"```sh\nsteelyard measure --primitive {primitive.id} --target atmega328p --operation {named}\n```",
        "## Variants",
        _variants([one for one in algorithm.variants if one.does(primitive.id)]),
    ]
    for title, about, table in (
        (
            "Variants measured",
            "Kept results of every variant, on one chip for each class of processors, built by GCC."
            " [Default variants](../defaults.md) follow from them.",
            _compared(primitive.id),
        ),
        (
            "On chips",
            "The fewest cycles per byte on each chip of [the default set](../bench.md), of all its compilers"
            " and flags: one block of a block cipher, otherwise the longest measured message.",
            _on_chips(primitive.id),
        ),
        (
            "Constant time",
            "Whether time may follow a secret, over both compilers and all operations of a build: `yes`,"
            " `on-this-chip` (addresses do, in memory that answers in one time) or `no`"
            " ([Constant time](../constant-time.md)).",
            _constant_time(primitive.id),
        ),
    ):
        if table:
            parts += [f"## {title}", about, table]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _variants(variants: Iterable[Variant]) -> str:
    rows = [
        (
            f"`{one.id}`",
            "all classes" if one.file.default == CPU_CLASSES else ", ".join(one.file.default),
            ", ".join(one.file.families or ("any",)),
            one.file.summary,
        )
        for one in variants
    ]
    return markdown_table(("Variant", "Default of", "Families", "Trade-off"), rows, left=4)


def _compared(primitive: str) -> str:
    frame = verified_results(read_kept(DEFAULTS)).filter(primitive=primitive)
    rows = [
        (
            row["target"],
            f"`{row['variant']}`",
            row["operation"],
            "" if row["message_bytes"] is None else f"{row['message_bytes']:,}",
            f"{row['cycles']:,.0f}",
            f"{row['rom_bytes']:,}",
            f"{row['ram_bytes']:,}",
        )
        for row in _sorted(frame.iter_rows(named=True), "target", "operation", "variant")
    ]
    headings = ("Chip", "Variant", "Operation", "Bytes", "Cycles", "ROM, bytes", "RAM, bytes")
    return markdown_table(headings, rows, left=3) if rows else ""


def _on_chips(primitive: str) -> str:
    frame = verified_results(read_kept(BENCH)).filter(primitive=primitive)
    best = frame.sort("cycles_per_byte", maintain_order=True).unique(
        "target", keep="first", maintain_order=True
    )
    rows = [
        (
            f"[{row['target']}](../targets/{row['target']}.md)",
            f"`{row['variant']}`",
            f"{row['toolchain']} {row['toolchain_version']}, `{row['flags']}`",
            f"{row['message_bytes']:,}",
            f"{row['cycles']:,.0f}",
            f"{row['cycles_per_byte']:,.1f}",
        )
        for row in _sorted(best.iter_rows(named=True), "target")
    ]
    headings = ("Chip", "Variant", "Build", "Bytes", "Cycles", "Cycles per byte")
    return markdown_table(headings, rows, left=3) if rows else ""


@cache
def _verdicts() -> tuple[dict[str, str], ...]:
    with (RECORDS / _VERDICTS).open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


_WORST = ("no", "on-this-chip", "yes")


def _constant_time(primitive: str) -> str:
    """The worst verdict of each variant on each chip; empty where none was checked."""
    found: dict[str, dict[str, str]] = {}
    for row in _verdicts():
        if row["primitive"] == primitive and row["verdict"] in _WORST:
            of_variant = found.setdefault(row["variant"], {})
            before = of_variant.get(row["target"], _WORST[-1])
            of_variant[row["target"]] = min(before, row["verdict"], key=_WORST.index)
    chips = sorted({chip for of_variant in found.values() for chip in of_variant}, key=natural)
    rows = [(f"`{variant}`", *(found[variant].get(chip, "") for chip in chips)) for variant in sorted(found)]
    return markdown_table(("Variant", *chips), rows, left=1 + len(chips)) if rows else ""


def _sorted(rows: Iterable[dict[str, Any]], *names: str) -> Iterator[dict[str, Any]]:
    yield from sorted(rows, key=lambda row: [natural(str(row[name])) for name in names])
