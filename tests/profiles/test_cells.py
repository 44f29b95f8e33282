"""Profiles of real cells, by the default variants on every family: each cycle of the record is in them."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.measure.image import Rules
from steelyard.measure.plan import Cell
from steelyard.measure.run import run_plan
from steelyard.measure.selection import Selection
from steelyard.measure.session import Session, default_toolchain, prepare
from steelyard.profile import difference, tables
from steelyard.profile.collect import profile_cell
from steelyard.profile.model import CALLER, Profile, read
from steelyard.record.schema import Record

CHIPS = {
    "avr": "atmega128",
    "arm": "sa1110",
    "cortex-m": "stm32f407",
    "riscv": "fe310-g000",
    "sparc": "leon3",
    "msp430": "msp430f1611",
    "rl78": "rl78-g13",
    "m16c": "m30102",
}
RULES = Rules(samples=2)


@cache
def catalog() -> Catalog:
    return load_catalog()


def _session(chip: str, **more: tuple[str, ...] | tuple[int, ...]) -> Session:
    selection = {"target": (chip,), "toolchain": (default_toolchain(catalog(), chip),)}
    return prepare(catalog(), [Selection.model_validate({**selection, **more})])


def _profiles(session: Session) -> list[tuple[Cell, Record, Profile | None]]:
    cells = [cell for cells in session.plan.cells.values() for cell in cells]
    return [(cell, *profile_cell(session, cell, RULES)) for cell in cells]


def _measured(session: Session) -> list[Record]:
    """What `measure` says of the same cells, in the same order."""
    return run_plan(session.plan, session.toolchains, RULES, lambda records, lines: None).records


def _check_sums(profile: Profile, record: Record) -> None:
    """Every table has the cycles of all samples; instructions, stack and energy are the record's."""
    cycles = record["cycles"]
    assert isinstance(cycles, float)
    assert profile.cycles == round(cycles * profile.samples)
    assert profile.instructions / profile.samples == record["instructions"]
    assert profile.stack_bytes == record["ram_stack_bytes"]
    for rows in (tables.by_function(profile), tables.by_line(profile), tables.by_instruction(profile)):
        assert sum(row.own.cycles for row in rows) == profile.cycles
    assert sum(one.own_cycles for one in tables.tree(profile).walk()) == profile.cycles
    for one in profile.spent:
        assert sum(one.causes) <= one.cycles
    if record["energy_nj"] is not None:
        energy_nj = math.fsum(one.energy_nj or 0 for one in profile.spent) / profile.samples
        assert energy_nj == pytest.approx(record["energy_nj"], rel=1e-9)


SAMPLE = ("avr", "cortex-m")
"""Families whose default variants are all profiled without the soak."""


@pytest.mark.parametrize(
    "chip",
    [
        pytest.param(chip, id=family, marks=() if family in SAMPLE else pytest.mark.soak)
        for family, chip in CHIPS.items()
    ],
)
def test_sums_are_the_records_of_every_default_variant(chip: str) -> None:
    """One primitive of each algorithm but signatures; the records are those that `measure` makes."""
    first = {
        algorithm.file.primitive[0].id: algorithm.file.kind == "block"
        for algorithm in catalog().algorithms
        if algorithm.file.kind in ("block", "stream", "hash", "mac", "aead")
    }
    blocks = _session(chip, primitive=tuple(name for name, block in first.items() if block))
    others = _session(chip, primitive=tuple(name for name, block in first.items() if not block), length=(64,))
    checked = 0
    profiled = [one for session in (blocks, others) for one in _profiles(session)]
    records = [one for session in (blocks, others) for one in _measured(session)]
    for (_, record, profile), measured in zip(profiled, records, strict=True):
        for name in ("status", "cycles", "cycles_sd", "instructions", "ram_stack_bytes", "energy_nj"):
            assert record[name] == measured[name], (record["primitive"], name)
        if record["status"] == "ok":
            assert profile is not None
            _check_sums(profile, measured)
            checked += 1
    assert checked > 30


@pytest.mark.parametrize("chip", CHIPS.values(), ids=CHIPS)
def test_lines_and_functions_of_a_cell(chip: str) -> None:
    """Of AES with a compiler here, all cycles but those of the call and of libraries have a line."""
    session = _session(chip, primitive=("aes-128",), operation=("encrypt",))
    ((_, record, profile),) = _profiles(session)
    assert profile is not None, record["error"]
    assert read(profile.text().encode(), "again") == profile
    functions = {row.function: row for row in tables.by_function(profile)}
    assert functions["block_encrypt"].total_cycles + functions[CALLER].own.cycles == profile.cycles
    assert functions["block_encrypt"].calls == profile.samples
    if profile.no_lines is not None:
        assert "prebuilt" in profile.no_lines
        return
    rows = tables.by_line(profile)
    lined = sum(row.own.cycles for row in rows if row.line is not None)
    assert lined > 0.95 * (profile.cycles - functions[CALLER].own.cycles)
    for row in rows:
        assert row.file is None or not Path(row.file).is_absolute()
        if row.line is not None:
            assert row.text, (row.file, row.line)
    places = {one.place for one in profile.heat}
    assert "output" in places
    assert "stack" in places or chip == "leon3", "with windows of registers, code may need no stack"


def test_the_line_that_a_change_made_slower_is_found(tmp_path: Path) -> None:
    """A planted loop in a function of a variant is the first function and line of the difference."""
    algorithm = next(one for one in catalog().algorithms if one.id == "rc4")
    folder = tmp_path / "stream" / "rc4" / "slow"
    source = next(one for one in algorithm.variants if one.id == "rc4/fast").folder
    folder.mkdir(parents=True)
    for path in (*source.iterdir(), source.parent / algorithm.file.context_header):
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    described = (folder / "variant.toml").read_text()
    (folder / "variant.toml").write_text(described.replace("default = true\n", ""))
    changed = (folder / "crypt.c").read_text()
    planted = "    for (volatile uint8_t waste = 0; waste < 50; waste++) { }\n"
    place = changed.index("{\n", changed.index("stream_crypt")) + 2
    (folder / "crypt.c").write_text(changed[:place] + planted + changed[place:])
    own = load_catalog([tmp_path])
    found = []
    for variant in ("rc4/fast", "rc4/slow"):
        chosen = {"primitive": ("rc4-128",), "variant": (variant,), "target": ("atmega128",)}
        more = {"operation": ("encrypt",), "length": (16,), "flags": ("-O2",), "toolchain": ("clang",)}
        session = prepare(own, [Selection.model_validate({**chosen, **more})])
        ((cell, *_),) = session.plan.cells.values()
        record, profile = profile_cell(session, cell, RULES)
        assert profile is not None, record["error"]
        found.append(profile)
    function, line = difference.functions(*found)[0], difference.lines(*found)[0]
    assert function.name == "stream_crypt"
    assert function.difference > 100
    assert line.text == planted.strip()
    assert line.before == 0
    whole = (found[1].cycles - found[0].cycles) / RULES.samples
    assert sum(row.difference for row in difference.lines(*found)) == pytest.approx(whole)
