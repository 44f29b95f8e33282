"""Writes the pages of this folder from the target files: `python docs/targets/render.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Caches, FlashPath, Memory, Target

HERE = Path(__file__).parent

TIERS = {
    "rtl": "cycle for cycle as the core's own RTL under simulation",
    "exact": "cycle for cycle as an independent cycle-accurate simulator and as the manufacturer's tables",
    "close": "within 5 % of published board measurements",
    "model": "the documented pipeline; no independent simulator and no board has confirmed it",
}


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
                f"{target.size_bytes('ram')} bytes",
                target.file.tier,
            )
            for target in targets
        ),
    )
    tiers = "\n".join(f"* **{tier}**: {meaning}." for tier, meaning in TIERS.items())
    return (HERE / "index.template").read_text().format(chips=chips, tiers=tiers)


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
        _memories(file.memory),
    ]
    if file.cache is not None:
        parts += ["## Caches", _caches(file.cache)]
    if file.flash is not None:
        parts += ["## Flash", _flash(file.flash)]
    if file.assumed:
        parts += ["## Assumed", _list(file.assumed)]
    if file.energy is not None:
        energy = file.energy
        parts += [
            "## Energy",
            f"{energy.active_ma:g} mA at {energy.supply_v:g} V and {energy.clock_hz / 1e6:g} MHz, "
            f"active mode, whatever the instruction; error up to {energy.error_percent:g} %"
            f"{': ' + energy.error_reason if energy.error_reason else ''}. "
            f"{energy.document}, {energy.section}.",
        ]
    parts += ["## Sources", _sources([(row.fact, row.document, row.section) for row in file.source])]
    return "\n\n".join(parts) + "\n"


def _core(core: Mapping[str, Any], targets: Iterable[Target]) -> str:
    of_family = {"arm": _pipelined, "riscv": _riscv, "avr": _avr}.get(core["family"], _of_numbers)
    facts, *timing = of_family(core)
    chips = [target for target in targets if target.core["id"] == core["id"]]
    sources = [(row["fact"], row["document"], row["section"]) for row in core.get("source", [])]
    parts = [
        f"# Core {core['id']}",
        f"{core['title']}. Chips: {', '.join(f'[{chip.file.title}](../{chip.id}.md)' for chip in chips)}.",
        f"Timing version {core['timing_version']}{'; ' if facts else ''}{facts}.",
        *timing,
        "## Assumed",
        _list(core["assumed"]) if core["assumed"] else "Nothing.",
        "## Sources",
        _sources(sources) if sources else "None.",
    ]
    return "\n\n".join(parts) + "\n"


# Facts on a core beside its timing version, in one text that may be empty, then the parts on its timing


def _avr(core: Mapping[str, Any]) -> list[str]:
    by_count: dict[int, list[str]] = {}
    for name, count in core["cycles"].items():
        by_count.setdefault(count, []).append(f"`{name}`")
    events = ((name.replace("_", " "), str(count)) for name, count in core["extra"].items())
    return [
        f"optional instructions: {', '.join(core['features'])}",
        "## Cycles",
        "By the name of the row in the emulator's instruction table; branches and skips as not taken.",
        _table(("cycles", "instructions"), ((str(n), ", ".join(by_count[n])) for n in sorted(by_count))),
        _table(("event", "cycles more"), events),
    ]


def _of_numbers(core: Mapping[str, Any]) -> list[str]:
    """A core whose data are named numbers in a few groups: each group a table."""
    facts = [
        f"{name.replace('_', ' ')} {_text(value)}"
        for name, value in core.items()
        if name not in ("id", "family", "title", "timing_version") and not isinstance(value, dict | list)
    ]
    parts = ["; ".join(facts)]
    for name, group in core.items():
        if isinstance(group, dict):
            parts += [f"## {name.capitalize()}", _table((name, "cycles"), _numbers(group))]
    return parts


def _numbers(group: Mapping[str, Any], above: str = "") -> Iterable[tuple[str, str]]:
    """A row for each name; numbers of a kind stand in one."""
    for name, value in group.items():
        whole = f"{above} {name}".strip().replace("_", " ")
        if isinstance(value, dict) and any(isinstance(one, dict) for one in value.values()):
            yield from _numbers(value, whole)
        elif isinstance(value, dict):
            yield whole, ", ".join(f"{key.replace('_', ' ')} {_text(one)}" for key, one in value.items())
        else:
            yield whole, _text(value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return f"{value}"


def _flash(flash: FlashPath) -> str:
    rows = [
        ("access", f"{flash.access_ns:g} ns"),
        ("row", f"{flash.row_bytes} bytes"),
        ("prefetch of the next row", "yes" if flash.prefetch else "no"),
    ]
    caches = {
        "instruction cache": flash.instruction_cache,
        "data cache": flash.data_cache,
        "unified cache": flash.unified_cache,
    }
    rows += [
        (name, f"{cache.size_bytes} bytes, {cache.ways} ways, lines of {cache.line_bytes} bytes")
        for name, cache in caches.items()
        if cache is not None
    ]
    return _table(("flash", ""), rows)


def _riscv(core: Mapping[str, Any]) -> list[str]:
    """A RISC-V core: a pipeline with a prediction of branches."""

    def shown(times: Any) -> str:
        if isinstance(times, bool):
            return "yes" if times else "no"
        if not isinstance(times, dict):
            return f"{times} more"
        fields = (
            name.replace("_", " ") + ("" if count is True else f" {count}")
            for name, count in times.items()
            if count is not False
        )
        return ", ".join(fields)

    prediction = core.get("prediction")
    misaligned = core.get("misaligned")
    return [
        f"RV32{'E' if core.get('embedded') else 'I'}{'M' if core.get('multiplication', True) else ''}"
        f"{'A' if core['atomics'] else ''}C, Zicsr, Zifencei",
        "## Cycles",
        "Of hits. *Issue*: to the earliest start of the next instruction; *result*: to the earliest start "
        "of one that uses what was written (1, where nothing else is said).",
        _table(
            ("instruction or event", "cycles"),
            ((n.replace("_", " "), shown(t)) for n, t in core["cost"].items()),
        ),
        f"Data at an address that is no multiple of their size: {misaligned['extra']} more"
        f"{', where they lie in two words' if misaligned.get('across_words') else ''}."
        if misaligned
        else "Data at an address that is no multiple of their size are refused.",
        *(
            [f"Written in the time of a read: control registers {', '.join(f'{n:#x}' for n in unflushed)}."]
            if (unflushed := core.get("unflushed_registers"))
            else []
        ),
        "## Prediction",
        _table(
            ("of branches", "size"),
            ((name.replace("_", " "), str(size)) for name, size in prediction.items()),
        )
        if prediction
        else "None.",
    ]


def _pipelined(core: Mapping[str, Any]) -> list[str]:
    """A core whose times are those of a pipeline: issue, and when a result is there."""
    cost = (
        (
            name.replace("_", " "),
            ", ".join(f"{field.replace('_', ' ')} {count}" for field, count in times.items()),
        )
        for name, times in core["cost"].items()
    )
    multiply = (
        (
            ", ".join(row["instructions"]) + (" with flags" if row.get("flags") else ""),
            f"{tier['multiplier_bits']}{' (or ones above)' if row.get('ends_on_ones') else ''}",
            *(str(tier.get(name, "")) for name in ("issue", "result", "result_high", "resource")),
        )
        for row in core["multiply"]
        for tier in row["tier"]
    )
    prediction = core.get("prediction")
    return [
        f"architecture {core['architecture']}",
        "## Cycles",
        "Of cache hits. *Issue*: to the earliest start of the next instruction; *result*: to the earliest "
        "start of one that uses what was written (1, where nothing else is said).",
        _table(("instruction", "cycles"), cost),
        _table(("multiplication", "bits of the multiplier", "issue", "result", "high", "next one"), multiply),
        f"Branch target buffer of {prediction['entries']} entries with two-bit counters."
        if prediction
        else "No branch prediction.",
    ]


def _memories(memories: Sequence[Memory]) -> str:
    timed = any(memory.latency is not None for memory in memories)
    last = "ns to the first and each further word: read, write" if timed else "extra cycles a read, a write"
    heads = ("name", "space", "kind", "addresses", "bytes", last)
    return _table(heads, (_memory(memory) for memory in memories))


def _memory(memory: Memory) -> tuple[str, ...]:
    last = memory.base + memory.size - 1
    waits = f"{memory.wait_read_cycles}, {memory.wait_write_cycles}"
    if memory.latency is not None:
        ns = memory.latency
        waits = (
            f"{ns.read_first_ns:g} and {ns.read_next_ns:g}, {ns.write_first_ns:g} and {ns.write_next_ns:g}"
        )
    kind = f"{memory.kind}, external" if memory.external else memory.kind
    return (memory.name, memory.space, kind, f"0x{memory.base:04X} to 0x{last:04X}", str(memory.size), waits)


def _caches(caches: Caches) -> str:
    rows = [
        (
            name,
            str(cache.size),
            str(cache.line),
            str(cache.ways),
            cache.replacement,
            "" if name == "icache" else cache.write,
            "" if name == "icache" else "yes" if cache.write_allocate else "no",
        )
        for name in ("icache", "dcache", "minicache", "unified")
        if (cache := getattr(caches, name)) is not None
    ]
    heads = ("cache", "bytes", "bytes a line", "ways", "replacement", "stores write", "stores take a line in")
    fill, buffer = caches.fill, caches.write_buffer
    lines = []
    if buffer is not None:
        which = "any store" if buffer.merge == "all" else "the words of one store-multiple"
        lines.append(
            f"Write buffer: {buffer.entries} entries of {buffer.entry_bytes} bytes, joined by {which}."
        )
    lines.append(
        f"A line comes {'with the word asked for first' if fill.critical_word_first else 'in order'};"
        f" the core goes on with {'that word' if fill.resume_at_word else 'the whole line'}"
        + (
            f", and loads block only behind {fill.outstanding} lines on their way."
            if fill.outstanding
            else "."
        )
    )
    return _table(heads, rows) + "\n\n" + _list(lines)


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
