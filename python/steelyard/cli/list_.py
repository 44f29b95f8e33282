"""`steelyard list`: contents of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.records import marked
from steelyard.cli.view import View, view
from steelyard.present.table import Table, table_of

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.measure.selection import Selection

Row = dict[str, object]

_OPERATIONS = {
    "init": (
        "block, stream, mac, aead, signature",
        "set-up: key schedule, for a stream cipher the IV too; of a signature, the public key derived",
    ),
    "init-decrypt": ("block", "set-up for decryption, where it needs another one"),
    "encrypt": (
        "block, stream, signature",
        "one block, or a message in a mode, a stream or with a public key",
    ),
    "decrypt": (
        "block, stream, signature",
        "one block, or a message in a mode, a stream or with a private key",
    ),
    "digest": ("hash", "a message from start to digest"),
    "mac": ("mac", "a message from start to tag, after init"),
    "seal": ("aead", "a message encrypted, it and its associated data authenticated"),
    "open": ("aead", "the tag verified, the message decrypted"),
    "sign": ("signature", "a digest signed, after init; by imported code a message, with a key pair"),
    "verify": ("signature", "the public key checked, then the signature of a digest or of a message"),
    "keypair": ("kem, signature", "a public and a secret key made, by imported code"),
    "encapsulate": ("kem", "a shared secret made, and its ciphertext with a public key"),
    "decapsulate": ("kem", "the shared secret of a ciphertext, with the secret key"),
}


@options.taking(wanted=view)
def list_(
    *,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="WHAT",
            help="primitives, variants, targets, modes, toolchains or operations; without it, these.",
        ),
    ] = None,
    primitives: options.Primitives = None,
    rule: options.Rule = None,
    target: options.Target = None,
    toolchain: options.Toolchain = None,
    flags: options.Flags = None,
    store: options.Store = None,
    wanted: View,
) -> None:
    """List primitives, variants, targets, modes, toolchains or operations.

    --rule lists the variants with a measured build that keeps it, and the chips; target, toolchain and flags
    select the builds.

    \b
    Examples:
      steelyard list
      steelyard list primitives --sort kind --sort -key_bytes
      steelyard list targets --columns target,core,flash_bytes,ram_bytes
      steelyard list variants --primitives my-ciphers --json
      steelyard list variants --rule small-memory --target attiny45
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.errors import UsageError
    from steelyard.measure.selection import match, select

    if what is None:
        topics: list[Row] = [{"topic": name, "meaning": meaning} for name, (_, meaning) in _LISTS.items()]
        wanted.show(topics, [table_of(topics, ["topic", "meaning"]), "steelyard list TOPIC lists it."])
        return
    rows: list[Row] = []
    page: list[Table | str] = []
    for topic in match("list", [what], list(_LISTS)):
        listed = _LISTS[topic][0](load_catalog(primitives or ()))
        count = f"{len(listed)} {topic}"
        if rule is not None:
            if topic != "variants":
                raise UsageError("--rule is for steelyard list variants.")
            listed = _keeping(listed, rule, select(target=target, toolchain=toolchain, flags=flags), store)
            count = f"{len(listed)} of {count} keep the rule {rule}"
        elif target or toolchain or flags:
            raise UsageError("--target, --toolchain and --flags choose the builds that keep a --rule.")
        rows += listed
        page += [*([_table(listed)] if listed else []), f"{count}."]
    wanted.show(rows, page)


def _keeping(rows: list[Row], rule: str, selection: Selection, store: Path | None) -> list[Row]:
    """Return the variants with a selected build in the store that keeps the rule, and the chips of the
    builds.
    """
    from steelyard.cli.filter import selected_records

    frame = selected_records(store, selection, rule=rule)
    chips: dict[object, set[str]] = {}
    for variant, target in frame.select("variant", "target").unique().iter_rows():
        chips.setdefault(variant, set()).add(target)
    return [{**row, "kept_on": sorted(chips[row["variant"]])} for row in rows if row["variant"] in chips]


_LEAST_NEEDED = (
    *("title", "iv_bytes", "rounds", "tag_bytes", "digest_bytes", "block_bytes", "variants"),
    *("interface", "parameters", "families", "toolchains", "tier", "core", "specification"),
    *("decrypts_with", "place"),
)


def _table(rows: list[Row]) -> Table:
    if "primitive" in rows[0]:
        rows = [{**row, "primitive": marked(str(row["primitive"]), row["security"])} for row in rows]
    return table_of(rows, list(rows[0]), _LEAST_NEEDED)


def _primitives(catalog: Catalog) -> list[Row]:
    return [
        {
            "primitive": p.id,
            "kind": algorithm.file.kind,
            "key_bytes": p.key_bytes or None,
            "block_bytes": p.block_bytes or None,
            "iv_bytes": p.iv_bytes or None,
            "digest_bytes": p.digest_bytes or None,
            "tag_bytes": p.tag_bytes or None,
            "rounds": p.rounds or None,
            "security": p.security,
            "variants": len([variant for variant in algorithm.variants if variant.does(p.id)]),
            "title": algorithm.file.title,
        }
        for algorithm in catalog.algorithms
        for p in algorithm.file.primitive
        if p.counted
    ]


def _variants(catalog: Catalog) -> list[Row]:
    from steelyard.catalog.models import CPU_CLASSES

    return [
        {
            "variant": variant.id,
            "default": ["any"] if variant.file.default == CPU_CLASSES else list(variant.file.default),
            "primitives": [p.id for p in algorithm.file.primitive if p.counted and variant.does(p.id)],
            "families": list(variant.file.families or ("any",)),
            "interface": variant.file.interface,
            "parameters": [
                f"{name}={'|'.join(map(str, one.values))}" for name, one in variant.file.parameters.items()
            ],
            "summary": variant.file.summary,
        }
        for algorithm in catalog.algorithms
        for variant in algorithm.variants
    ]


def _targets(catalog: Catalog) -> list[Row]:
    return [
        {
            "target": target.id,
            "title": target.file.title,
            "family": target.file.family,
            "core": target.file.core,
            "clock_hz": target.file.clock_hz,
            "flash_bytes": target.size_bytes("flash"),
            "ram_bytes": target.size_bytes("ram"),
            "tier": target.file.tier,
            "toolchains": sorted(target.file.toolchain),
        }
        for target in catalog.targets
    ]


def _modes(catalog: Catalog) -> list[Row]:
    raw: Row = {"mode": "none", "title": "The raw block operation", "whole_blocks": True, "uses_iv": False}
    return [
        {**raw, "decrypts_with": "decrypt", "specification": ""},
        *(
            {
                "mode": mode.id,
                "title": mode.file.title,
                "whole_blocks": mode.file.whole_blocks,
                "uses_iv": mode.file.uses_iv,
                "decrypts_with": mode.file.decrypts_with,
                "specification": mode.file.specification,
            }
            for mode in catalog.modes
        ),
    ]


def toolchain_rows(_: Catalog | None = None) -> list[Row]:
    """Return every toolchain that a CPU family names, installed or not."""
    from steelyard.toolchain import discover
    from steelyard.toolchain.prebuilt import prebuilt_targets

    return [
        {
            "toolchain": toolchain.id,
            "family": toolchain.family,
            "title": toolchain.title,
            "installed": toolchain.available,
            "version": toolchain.version,
            "install": None if toolchain.available else toolchain.install,
            "place": toolchain.installed.place if toolchain.installed else None,
            "prebuilt": prebuilt_targets(toolchain.family, toolchain.id),
        }
        for toolchain in discover()
    ]


_LISTS: dict[str, tuple[Callable[[Catalog], list[Row]], str]] = {
    "primitives": (_primitives, "what can be measured: algorithms with fixed parameters, and their standing"),
    "variants": (_variants, "implementations of an algorithm, and what each trades for what"),
    "targets": (_targets, "chips: core, clock, memories, compilers"),
    "modes": (_modes, "modes of operation of block ciphers"),
    "toolchains": (toolchain_rows, "compilers by CPU family, installed or not"),
    "operations": (
        lambda _: [
            {"operation": name, "kinds": kinds, "meaning": text}
            for name, (kinds, text) in _OPERATIONS.items()
        ],
        "what is measured of a primitive",
    ),
}
"""Each list and what it holds, by its name."""
