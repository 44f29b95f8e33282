"""What is kept for the page, and the lines with which it begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import polars as pl

from steelyard.advise.categories import CHOICES, DIGEST, ENCRYPTION
from steelyard.errors import EnvironmentProblem
from steelyard.studies.rl78_minimal.claims import Filled, impossible_rams
from steelyard.studies.rl78_minimal.sheets import KECCAKS, impossible
from steelyard.studies.rl78_minimal.study import Reproduction
from steelyard.study.findings import listed, verdicts
from steelyard.study.model import Defaults, Outcome
from steelyard.study.verdict import MissingFigure


def keep(records: pl.DataFrame, _: Defaults) -> pl.DataFrame:
    """All of it; EnvironmentProblem where not every variant could be built at every flag."""
    if records["prebuilt"].any():
        raise EnvironmentProblem("rl78-minimal needs the compiler: run steelyard toolchain install rl78.")
    return records


def _sentences(made: Reproduction) -> Iterator[str]:
    sheet = made.sheets[next(iter(CHOICES))]
    cells = list(sheet.cells())
    of_one = [cell for cell in cells if cell.direction in (ENCRYPTION, DIGEST)]
    filled = [cell for cell in of_one if cell.build is not None]
    never = [cell for cell in of_one if impossible(cell.primitive, cell.rom, cell.ram) is not None]
    in_c = [cell for cell in sheet.only(by_pointer=False).cells() if cell.direction in (ENCRYPTION, DIGEST)]
    filled_in_c = [cell for cell in in_c if cell.build is not None]
    numbers = [one for one in made.numbers if one.choice == sheet.choice]
    reached = [one for one in numbers if one.ratio is not None and one.ratio <= 1]
    yield (
        f"Of {len(of_one)} categories of encryption and hashing {len(filled)} are filled and {len(never)} are"
        f" impossible; C alone fills {len(filled_in_c)}. Of the {len(numbers)} published numbers"
        f" {len(reached)} are met or beaten."
    )
    quick = min(sheet.builds("aes-128", ENCRYPTION), key=lambda build: build.cycles)
    yield (
        f"AES encrypts a block in {quick.cycles:,.0f} cycles at best, with {quick.rom_bytes:,} bytes of ROM"
        f" and {quick.ram_bytes} of RAM; the publication's assembly in 3,855 within 1 KB and 64 bytes."
    )
    least = (
        f"{name} {sheet.least_rom(primitive, direction).rom_bytes:,} ({printed})"
        for name, primitive, direction, printed in (
            ("PRESENT's encryption", "present-80", ENCRYPTION, 210),
            ("Keccak", KECCAKS[0], DIGEST, 453),
            ("Skein-256", "skein-256-256", DIGEST, 396),
        )
    )
    yield f"Least bytes of ROM, in parentheses as published: {', '.join(least)}."
    gains = []
    for primitive in dict.fromkeys(cell.primitive for cell in filled):
        direction = next(cell.direction for cell in filled if cell.primitive == primitive)
        with suppress(MissingFigure):
            in_ram = Filled(sheet, primitive, direction).in_ram()
            held = max(in_ram, key=lambda one: one[0].cycles / one[-1].cycles)
            gains.append(f"{primitive} {held[0].cycles / held[-1].cycles:,.3g} times")
    yield f"The smallest code takes, of the fastest within 2 KB in the same RAM, up to {', '.join(gains)}."
    names = ", ".join(f"{name} in {ram.name}" for name, ram, _ in impossible_rams())
    yield f"Impossible whatever the code, by what must be in memory at once: {names}. {verdicts(made)}"


def blocks(
    _: Callable[[str], pl.DataFrame], outcome: Callable[[str], Outcome]
) -> dict[str, Callable[[], str]]:
    """The blocks by name."""

    def findings() -> str:
        made = outcome("rl78-minimal")
        assert isinstance(made, Reproduction)
        return listed(_sentences(made))

    return {"findings": findings}
