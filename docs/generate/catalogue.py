"""Blocks of the catalogue: primitives and their verification, variants, modes, chips."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from steelyard import oracle
from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import CPU_CLASSES, Primitive, Variant
from steelyard.present.markdown import markdown_table

ROOT = Path(__file__).resolve().parents[2]


def primitives() -> str:
    """Return the primitives of the catalogue, with their standing and its authority."""
    lines = [
        (f"`{p.id}`", algorithm.file.kind, p.security, p.authority, algorithm.file.specification)
        for algorithm in load_catalog().algorithms
        for p in algorithm.file.primitive
        if p.counted
    ]
    return markdown_table(("Primitive", "Kind", "Standing", "Authority", "Specification"), lines, left=5)


def by_import() -> str:
    """Return the primitives for which an import brings the code, with what it is compared with."""
    lines = [
        (
            f"`{p.id}`",
            algorithm.file.kind,
            p.security,
            p.authority,
            algorithm.file.specification,
            oracle.provenance(p, algorithm.id),
        )
        for algorithm in load_catalog().awaited
        for p in algorithm.file.primitive
    ]
    headings = ("Primitive", "Kind", "Standing", "Authority", "Specification", "Compared with")
    return markdown_table(headings, lines, left=6)


def constructions() -> str:
    """Return the MACs and AEADs over any block cipher or hash."""
    lines = []
    for algorithm in load_catalog().algorithms:
        over = algorithm.file.over
        for derived in over.primitive if over is not None else ():
            assert over is not None
            sizes = " or ".join(str(8 * size) for size in over.block_bytes)
            what = f"block cipher of {sizes} bits" if sizes else over.kind
            listed = ", ".join(f"`{derived.id.replace('{}', name)}`" for name in derived.counted)
            lines.append((f"`{derived.id}`", f"any {what}", algorithm.file.specification, listed))
    return markdown_table(("Name", "Over", "Specification", "Listed"), lines, left=4)


SECOND_OPINIONS = ROOT / "tests" / "primitives" / "second_opinions.toml"
_LIBRARY_NAMES = {"botan": "Botan 2", "cryptopp": "Crypto++"}
_VERSION = re.compile(
    r" ?\([^)]*OpenSSL[^)]*\)|(?<=cryptography) [\d.]+|(?<=PyCryptodome) [\d.]+|(?<=Python) 3[\d.]+"
)


def second_opinions(primitive: Primitive) -> list[str]:
    """Return the libraries with which the tests compare the primitive's independent implementation."""
    named = tomllib.loads(SECOND_OPINIONS.read_text(encoding="utf-8"))
    found = []
    for library, kinds in named.items():
        direct = any(primitive.id in names for kind, names in kinds.items() if kind != "over")
        (part,) = primitive.over if len(primitive.over) == 1 else ("",)
        over = any(
            pattern.replace("{}", part) == primitive.id
            and any(part in kinds.get(kind, {}) for kind in ("block", "hash"))
            for pattern in kinds.get("over", {})
        )
        if direct or (part and over):
            found.append(_LIBRARY_NAMES[library])
    if primitive.signature_bytes:
        found.append("OpenSSL's command line")
    return found


def is_library(source: str) -> bool:
    """Whether the source that `oracle.provenance` names is a library rather than our own Python."""
    own = "in Python" in source or "second implementation" in source
    return not own or "from `cryptography`" in source


def verification() -> list[tuple[str, str, list[str], list[str]]]:
    """Return the comparisons of every listed primitive and of its oracle, and its published answers."""
    rows = []
    for algorithm in load_catalog().algorithms:
        for primitive in algorithm.file.primitive:
            if not primitive.counted:
                continue
            source = _VERSION.sub("", oracle.provenance(primitive, algorithm.id))
            documents = [vector.source for vector in algorithm.vectors if vector.primitive == primitive.id]
            published = [
                one for one in dict.fromkeys(documents) if not one.startswith(("home-made", "computed"))
            ]
            rows.append((primitive.id, source, second_opinions(primitive), published))
    return rows


def verification_table() -> str:
    """Return the comparisons as a table."""
    lines = []
    for name, source, others, published in verification():
        more = f" and {len(published) - 1} more" if len(published) > 1 else ""
        shown = f"{published[0]}{more}" if published else "none"
        lines.append((f"`{name}`", source, ", ".join(others), shown))
    headings = ("Primitive", "Random inputs are compared with", "which is compared with", "Published answers")
    return markdown_table(headings, lines, left=4)


def _default_of(variant: Variant) -> str:
    classes = variant.file.default
    return "all" if classes == CPU_CLASSES else ", ".join(classes)


def variants() -> str:
    """Return the variants of the catalogue."""
    lines = [
        (f"`{variant.id}`", _default_of(variant), variant.file.summary) for variant in load_catalog().variants
    ]
    return markdown_table(("Variant", "Default", "Trade-off"), lines, left=3)


def modes() -> str:
    """Return the modes of operation of the catalogue."""
    lines = [
        (f"`{mode.id}`", mode.file.title, "yes" if mode.file.whole_blocks else "", mode.file.specification)
        for mode in load_catalog().modes
    ]
    return markdown_table(("Mode", "Title", "Whole blocks only", "Specification"), lines, left=4)


def targets() -> str:
    """Return the chips of the catalogue, with links to their pages."""
    lines = [
        (
            f"[`{target.id}`](targets/{target.id}.md)",
            target.file.core,
            target.file.tier,
            f"{target.file.clock_hz / 1e6:g}",
            f"{target.size_bytes('flash'):,}",
            f"{target.size_bytes('ram'):,}",
        )
        for target in load_catalog().targets
    ]
    headings = ("Target", "Core", "Accuracy", "Clock, MHz", "Flash, bytes", "RAM, bytes")
    return markdown_table(headings, lines, left=3)


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name."""
    return {
        "primitives": primitives,
        "by-import": by_import,
        "constructions": constructions,
        "verification": verification_table,
        "variants": variants,
        "modes": modes,
        "targets": targets,
    }
