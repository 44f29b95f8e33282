"""Blocks of the instruction sets: the rows from which decoder, disassembler and random streams are made."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from steelyard.catalog.load import load_catalog
from steelyard.machine import Instruction, instructions
from steelyard.present.markdown import markdown_table


def by_core(family: str) -> dict[str, tuple[Instruction, ...]]:
    """Return the instructions of each core of a family, by the core's name."""
    chips = {str(chip.core["id"]): chip for chip in load_catalog().targets if chip.file.family == family}
    return {core: instructions(chip) for core, chip in sorted(chips.items())}


def instruction_set(family: str) -> str:
    """Return the instructions of a family's cores, those of all in the order of the rows first."""
    cores = by_core(family)
    rows: dict[Instruction, list[str]] = {}
    # The core with the most first: others rarely have what it has not.
    for core, known in sorted(cores.items(), key=lambda item: -len(item[1])):
        for one in known:
            rows.setdefault(one, []).append(core)
    lines = [
        (
            f"`{one.mnemonic}`",
            " ".join(one.operands),
            f"`{one.pattern}`",
            one.section,
            one.kind,
            "all" if len(having) == len(cores) else ", ".join(sorted(having)),
        )
        for one, having in rows.items()
    ]
    headings = ("Instruction", "Operands", "Pattern", "Section", "Class", "Cores")
    return markdown_table(headings, lines, left=6)


def blocks() -> dict[str, Callable[[], str]]:
    """Return the functions that make the blocks, by name."""
    families = sorted({chip.file.family for chip in load_catalog().targets})
    return {f"instruction set {family}": partial(instruction_set, family) for family in families}
