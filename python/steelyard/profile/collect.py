"""Make profiles: of a cell, measured and verified like any other, or of a call of an image."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from steelyard.catalog.models import Target
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.machine import Call, Emulator, Frame, Lines
from steelyard.machine.result import CALL_ADDRESS
from steelyard.measure.call import FunctionCall
from steelyard.measure.image import Rules
from steelyard.measure.observed import observe_cell
from steelyard.measure.plan import Cell
from steelyard.measure.session import Session
from steelyard.profile.energy import Part, divide
from steelyard.profile.model import Code, Heat, Node, Profile, Spent
from steelyard.record.schema import Record
from steelyard.toolchain import NoDebugInformation, debug_image

_MEMORY_CAUSES = ("fetch", "fetch-miss", "data", "data-miss")
"""Causes in which the core waits for memory."""
_CELL_FIELDS = (
    *("primitive", "variant", "parameters", "target", "toolchain", "toolchain_version", "flags"),
    *("operation", "mode"),
    *("message_bytes", "ad_bytes", "padding", "cache_state", "settings", "footprint", "samples"),
    *("input_seed", "cycles", "instructions", "clock_hz", "tier", "verified", "symbol", "image"),
    *("image_hash", "source_hash", "timing_version"),
)
_SOURCE_LIMIT_BYTES = 4 << 20
_BLOCK_BYTES = 16


@dataclass
class _Spending:
    executions: int = 0
    cycles: int = 0
    causes: list[int] = field(default_factory=list)


@dataclass
class _Sums:
    """Calls observed in detail, added up: nodes of one path are one node."""

    causes: tuple[str, ...] = ()
    nodes: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    spent: dict[tuple[int, int], _Spending] = field(default_factory=dict)
    heat: dict[int, list[int]] = field(default_factory=dict)

    def add(self, call: Call) -> None:
        """Add a call."""
        detail = call.detail
        assert detail is not None
        self.causes = detail.causes
        order = {path: number for number, path in enumerate(self.nodes)}
        here: list[int] = []
        for node in detail.nodes:
            path = (here[node.parent] if node.parent >= 0 else -1, node.address)
            number = order.setdefault(path, len(order))
            had = self.nodes.setdefault(path, [0, 0])
            had[0] += node.calls
            had[1] = max(had[1], node.stack_bytes)
            here.append(number)
        for line in detail.spent:
            spending = self.spent.setdefault((here[line.node], line.address), _Spending())
            spending.executions += line.executions
            spending.cycles += line.cycles
            causes = spending.causes or [0] * len(line.causes)
            spending.causes = [had + more for had, more in zip(causes, line.causes, strict=True)]
        for block in detail.heat:
            loads_stores = self.heat.setdefault(block.address, [0, 0])
            loads_stores[0] += block.loads
            loads_stores[1] += block.stores


def profile_cell(session: Session, cell: Cell, rules: Rules) -> tuple[Record, Profile | None]:
    """Measure a cell of a session in detail; return its record, and the profile if its status is `ok`.

    EnvironmentProblem if the compiler is missing.
    """
    observed = observe_cell(session, cell, rules)
    record, sampled = observed.record, observed.sampled
    if sampled is None or observed.built is None:
        return record, None
    target = cell.build.target
    request = cell.build.request(session.toolchains[target.file.family, cell.build.toolchain])
    no_lines = None
    lines: Lines | None = None
    sources: Mapping[str, str] = {}
    try:
        image = debug_image(request, observed.built, readings=session.readings)
        lines, sources = Lines(image.elf), image.sources
    except (NoDebugInformation, UsageError) as error:
        no_lines = str(error).rstrip(".")

    def text_of(file: str) -> str | None:
        return sources.get(file)

    made = _Maker(target, record, sampled.emulator, sampled.buffers, lines, text_of, no_lines)
    return record, made.profile(title(record), sampled.calls)


def profile_call(made: FunctionCall, target: Target, path: Path) -> Profile:
    """Return the profile of a call of a function, whose record is `ok`, of an image with or without DWARF."""
    lines = Lines(made.image)
    folders = (path.parent, Path())

    def text_of(file: str) -> str | None:
        for folder in folders:
            try:
                return read_limited(folder / file, _SOURCE_LIMIT_BYTES, "a source").decode("utf-8", "replace")
            except (UsageError, OSError):
                continue
        return None

    record = made.record | {"samples": 1}
    collected = _Maker(target, record, made.emulator, made.buffers, lines, text_of, None)
    profile = collected.profile(title(record), [made.call])
    if not any(code.frames for code in profile.code):
        return profile.model_copy(update={"no_lines": f"{path.name} has no debug information"})
    return profile


def title(record: Mapping[str, object]) -> str:
    """Return in a line what was profiled."""
    if record["kind"] == "function":
        return f"{record['symbol']} of {Path(str(record['image'])).name} on {record['target']}"
    mode = f" {record['mode']}" if record["mode"] else ""
    length = "" if record["message_bytes"] is None else f", {record['message_bytes']} bytes"
    more = f" and {record['ad_bytes']} of associated data" if record["ad_bytes"] else ""
    how = f"{record['toolchain']} {record['toolchain_version']} {record['flags']}".rstrip()
    what = f"{record['primitive']}{mode} {record['operation']}{length}{more}"
    cold = ", cold caches" if record["cache_state"] == "cold" else ""
    return f"{what}: {record['variant']} on {record['target']}, {how}{cold}"


class _Maker:
    """What turns observed calls into a profile."""

    def __init__(
        self,
        target: Target,
        record: Record,
        emulator: Emulator,
        buffers: Mapping[str, tuple[int, int]],
        lines: Lines | None,
        text_of: Callable[[str], str | None],
        no_lines: str | None,
    ) -> None:
        self._target = target
        self._record = record
        self._emulator = emulator
        self._buffers = buffers
        self._lines = lines
        self._text_of = text_of
        self._no_lines = no_lines

    def profile(self, name: str, calls: Sequence[Call]) -> Profile:
        """Return the profile of calls, whose cycles are those of the record."""
        sums = _Sums()
        for call in calls:
            sums.add(call)
        code, texts = self._code({address for _, address in sums.spent if address != CALL_ADDRESS})
        nodes = tuple(
            Node(parent, self._function(address), *counts) for (parent, address), counts in sums.nodes.items()
        )
        places = sorted(sums.spent)
        memory = [number for number, cause in enumerate(sums.causes) if cause in _MEMORY_CAUSES]
        parts = []
        for node, address in places:
            one = sums.spent[node, address]
            text = code[address].text if address in code else ""
            parts.append(Part(one.executions, one.cycles, sum(one.causes[i] for i in memory), text))
        divided = divide(self._target, self._record, parts)
        energies: Sequence[float | None] = [None] * len(places) if divided is None else divided
        spent = []
        for (node, address), energy_nj in zip(places, energies, strict=True):
            one = sums.spent[node, address]
            spent.append(Spent(node, address, one.executions, one.cycles, tuple(one.causes), energy_nj))
        energy = self._record["energy_nj"]
        return Profile(
            title=name,
            cell={field: _plain(self._record.get(field)) for field in _CELL_FIELDS},
            samples=len(calls),
            stack_bytes=max(call.stack_bytes for call in calls),
            energy_nj=energy if isinstance(energy, float) else None,
            causes=sums.causes,
            nodes=nodes,
            code=tuple(code[address] for address in sorted(code)),
            spent=tuple(spent),
            heat=tuple(self._heat(sums.heat, max(call.stack_bytes for call in calls))),
            texts=texts,
            no_lines=self._no_lines,
        )

    def _function(self, address: int) -> str:
        """Return the function that contains an address, the address itself where there is none."""
        return self._emulator.function_at(address) or f"{address:#x}"

    def _code(self, addresses: Iterable[int]) -> tuple[dict[int, Code], dict[str, dict[int, str]]]:
        """Return the instructions at addresses, and the source lines that they name."""
        code: dict[int, Code] = {}
        texts: dict[str, dict[int, str]] = {}
        files: dict[str, list[str]] = {}
        for address in addresses:
            shown = self._emulator.disassembled(address)
            frames = self._lines.at(address) if self._lines is not None else ()
            named = []
            for frame in frames:
                file = None if frame.file is None else _shown(frame.file)
                named.append(Frame(frame.function, file, frame.line, frame.column))
                if frame.file is None or file is None or frame.line is None:
                    continue
                if file not in files:
                    files[file] = (self._text_of(frame.file) or "").splitlines()
                if frame.line <= len(files[file]):
                    texts.setdefault(file, {})[frame.line] = files[file][frame.line - 1].strip()
            code[address] = Code(
                address, shown[0] if shown is not None else "?", self._function(address), tuple(named)
            )
        return code, texts

    def _heat(self, blocks: Mapping[int, Sequence[int]], stack_bytes: int) -> Iterable[Heat]:
        """Yield loads and stores by what lies at the blocks; the rest of memory as one."""
        self._emulator.reset()
        top = self._emulator.stack_pointer
        owners = [("stack", top - stack_bytes, stack_bytes + 1)]
        owners += [(name, address, size) for name, (address, size) in self._buffers.items() if size]
        for name, (address, size) in self._emulator.symbols().items():
            if size and self._emulator.place(name)[0] == "data":
                owners.append((name, address, size))
        owners.sort(key=lambda owner: owner[1])
        found: dict[tuple[str, int, int], list[int]] = {}
        for block, (loads, stores) in blocks.items():
            owner = max(owners, key=lambda one: _overlap(block, one), default=None)
            if owner is None or _overlap(block, owner) <= 0:
                owner = ("elsewhere", block, _BLOCK_BYTES)
            counts = found.setdefault(owner, [0, 0])
            counts[0] += loads
            counts[1] += stores
        for (name, address, size), (loads, stores) in found.items():
            yield Heat(name, address, size, loads, stores)


def _overlap(block: int, owner: tuple[str, int, int]) -> int:
    """Return how many bytes of a block lie in an owner."""
    _, start, size = owner
    return min(block + _BLOCK_BYTES, start + size) - max(block, start)


def _shown(file: str) -> str:
    """Return a file's name below the variant's or the project's folder, never a path of this machine."""
    name = file.removeprefix("own/")
    if not os.path.isabs(name):
        return name
    below = os.path.relpath(name)
    return os.path.basename(name) if below.startswith("..") else below


def _plain(value: object) -> str | int | float | bool | None:
    assert value is None or isinstance(value, str | int | float | bool)
    return value
