"""Writes the pages of this folder from the target files: `python docs/targets/render.py`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Memory, Target

HERE = Path(__file__).parent

TIERS = {
    "exact": "cycle for cycle as an independent cycle-accurate simulator and as the manufacturer's tables",
    "close": "within 5 % of published board measurements",
    "model": "the documented pipeline; no independent simulator and no board has confirmed it",
}

INDEX = """\
# Targets: how far the numbers are true

A target is one chip at one clock: `targets/<chip>.toml`, with the timing of its CPU core in
`targets/cores/<core>.toml`. These pages are written from those files by `python docs/targets/render.py`; a test
fails when they are out of step.

{chips}

{tiers}

## How the emulator is checked

* **Against the manual.** Every cycle count of every core is compared with the Instruction Set Summary of the AVR
  Instruction Set Manual, Microchip DS40002198 (columns AVRe and AVRxt), kept apart from the emulator's data in
  `tests/targets/ds40002198_clocks.csv`. Where the manual leaves a number open, the core's page lists it as assumed.
* **Against the manufacturer's device packs and the compiler.** Memories and register addresses are compared with
  the device packs (`tests/targets/device_pack.csv`), sizes also with simavr's own chip tables, and the instructions
  a core has with the ones GCC uses for it.
* **Against simavr 1.6, instruction by instruction** (`crates/steelyard-diff`). Both machines execute the same
  instruction from the same state; then program counter, 32 registers, SREG, stack pointer, cycle count and the
  whole data memory must be equal. Random streams draw from the emulator's own instruction table, with operands
  where carries and signs turn over; every instruction of the core must have run. Every compiled variant is run
  likewise, start-up code included, and the cycles of each call are measured with a call instruction executed by
  simavr. The continuous tests run 200 000 random instructions a chip, `make soak` ten million.
* **The checkers are checked.** A wrong cycle count in a core's data, a wrong flag, a wrong extra cycle of a skip and
  a wrong byte in memory are planted in tests, and found.

Nothing of the state is left out of the comparison. The generator keeps to what has one right answer:

| what | why |
|---|---|
| load or store of a pointer register by the instruction that changes it (`LD r26, X+`) | undefined: DS40002198, sections LD, ST, LPM and ELPM |
| `ST X` into the two bytes of X itself | simavr 1.6 puts the pointer back after the store, so the stored byte is lost; section 6.114 (ST) of the manual knows no such exception |
| `ADIW` or `SBIW` behind a skip | compared, but simavr 1.6 takes some of them for two-word instructions (mended in its sources after 1.6, commit 4784ea5), so it is shown a `NOP` in their place while it decides how far to skip; both are one word (sections 6.3 and 6.98) |
| I/O registers with a peripheral of simavr's, EECR and SPMCSR | peripherals are not emulated; EEPROM and self-programming have tests of their own in `crates/steelyard-emu` |

## What holds for all of these chips

* Interrupts never happen, and no peripheral runs: an I/O register is storage, except for the CPU's own registers,
  the EEPROM and the self-programming of the flash.
* `SLEEP` ends a run with a fault, since nothing would wake the CPU. `WDR` and `BREAK` do nothing.
* Message buffers, key and IV lie in *lab memory*, RAM the chip does not have, with the timing of its internal RAM.
* A data space address where the chip has nothing is a fault; on the chip the access would go somewhere.
* simavr is under the GPL; the tester that links it is a tool of the developers and no part of the product.
"""


def render() -> dict[Path, str]:
    """Every page's text by its path below this folder."""
    targets = load_catalog().targets
    pages = {Path("index.md"): _index(targets)}
    for target in targets:
        pages[Path(f"{target.id}.md")] = _chip(target)
        pages[Path("cores") / f"{target.core['id']}.md"] = _core(target.core, targets)
    return pages


def _index(targets: Sequence[Target]) -> str:
    chips = _table(
        ("chip", "core", "clock", "flash", "RAM", "tier"),
        (
            (
                f"[{target.file.title}]({target.id}.md)",
                f"[{target.file.core}](cores/{target.file.core}.md)",
                f"{target.file.clock_hz / 1e6:g} MHz",
                f"{target.size_bytes('flash')} bytes",
                f"{_ram(target).size} bytes",
                target.file.tier,
            )
            for target in targets
        ),
    )
    tiers = "\n".join(f"* **{tier}**: {meaning}." for tier, meaning in TIERS.items())
    return INDEX.format(chips=chips, tiers=tiers)


def _chip(target: Target) -> str:
    file = target.file
    parts = [
        f"# {file.title}",
        f"Tier **{file.tier}**: {TIERS[file.tier]}.",
        f"Core [{file.core}](cores/{file.core}.md), {file.clock_hz / 1e6:g} MHz, `--target {file.id}`.",
        "## Evidence",
        _list(file.evidence),
        "## Known gaps",
        _list(file.known_gaps),
        "## Memories",
        _table(
            ("name", "space", "kind", "addresses", "bytes", "extra cycles a read, a write"),
            (_memory(memory) for memory in file.memory),
        ),
    ]
    if file.energy is not None:
        energy = file.energy
        parts += [
            "## Energy",
            f"{energy.active_ma:g} mA at {energy.supply_v:g} V and {energy.clock_hz / 1e6:g} MHz in active mode, whatever "
            f"the instruction; error up to {energy.error_percent:g} %. {energy.document}, {energy.section}.",
        ]
    parts += ["## Sources", _sources([(row.fact, row.document, row.section) for row in file.source])]
    return "\n\n".join(parts) + "\n"


def _core(core: dict[str, object], targets: Iterable[Target]) -> str:
    chips = [target for target in targets if target.core["id"] == core["id"]]
    sources = core.get("source", [])
    assert isinstance(sources, list)
    cycles, extra = core["cycles"], core["extra"]
    assert isinstance(cycles, dict) and isinstance(extra, dict)
    by_count: dict[int, list[str]] = {}
    for name, count in cycles.items():
        by_count.setdefault(count, []).append(f"`{name}`")
    features, assumed = core["features"], core["assumed"]
    assert isinstance(features, list) and isinstance(assumed, list)
    parts = [
        f"# Core {core['id']}",
        f"{core['title']}. Chips: {', '.join(f'[{chip.file.title}](../{chip.id}.md)' for chip in chips)}.",
        f"Timing version {core['timing_version']}; optional instructions: {', '.join(features)}.",
        "## Cycles",
        "By the name of the row in the emulator's instruction table; branches and skips as not taken.",
        _table(("cycles", "instructions"), ((str(n), ", ".join(by_count[n])) for n in sorted(by_count))),
        _table(
            ("event", "cycles more"), ((name.replace("_", " "), str(count)) for name, count in extra.items())
        ),
        "## Assumed",
        _list(assumed) if assumed else "Nothing.",
        "## Sources",
        _sources([(row["fact"], row["document"], row["section"]) for row in sources]),
    ]
    return "\n\n".join(parts) + "\n"


def _ram(target: Target) -> Memory:
    return next(memory for memory in target.file.memory if memory.name == "sram")


def _memory(memory: Memory) -> tuple[str, ...]:
    last = memory.base + memory.size - 1
    waits = f"{memory.wait_read_cycles}, {memory.wait_write_cycles}"
    kind = f"{memory.kind}, external" if memory.external else memory.kind
    return (memory.name, memory.space, kind, f"0x{memory.base:04X} to 0x{last:04X}", str(memory.size), waits)


def _sources(rows: list[tuple[str, str, str]]) -> str:
    return _table(("fact", "document", "section"), rows)


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"* {line}" for line in lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    for path, text in render().items():
        (HERE / path).write_text(text)
