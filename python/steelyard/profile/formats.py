"""Files for other programs: folded stacks, speedscope's JSON, pprof's protocol buffer, a flame graph.

Their weights are cycles of all samples, so that they are whole numbers and their sum is exact.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from typing import Literal

from steelyard.profile import tables
from steelyard.profile.flame import flame_graph
from steelyard.profile.model import CALLER, Profile
from steelyard.record.origin import steelyard_version

Format = Literal["text", "json", "speedscope", "pprof", "folded", "flamegraph"]

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"
_SEPARATORS = str.maketrans({";": ":", "\n": " "})


def written(profile: Profile, form: Format) -> bytes:
    """Return a profile in a format for a file."""
    forms: dict[str, Callable[[Profile], bytes]] = {
        "json": lambda one: one.text().encode() + b"\n",
        "speedscope": speedscope,
        "pprof": pprof,
        "folded": folded,
        "flamegraph": lambda one: flame_graph(one).encode(),
    }
    return forms[form](profile)


def folded(profile: Profile) -> bytes:
    """Return a line per path of functions: their names between semicolons, a space, cycles."""
    lines = (
        f"{';'.join(name.translate(_SEPARATORS) for name in stack)} {cycles}\n"
        for stack, cycles in tables.folded(profile).items()
    )
    return "".join(lines).encode()


def speedscope(profile: Profile) -> bytes:
    """Return a sampled profile of speedscope: a sample per path of functions, weighted by its cycles."""
    files = {row.function: row.file for row in tables.by_function(profile)}
    stacks = tables.folded(profile)
    names = list(dict.fromkeys(name for stack in stacks for name in stack))
    frames = [{"name": name} | ({"file": file} if (file := files.get(name)) else {}) for name in names]
    number = {name: place for place, name in enumerate(names)}
    content = {
        "$schema": _SCHEMA,
        "exporter": f"steelyard {steelyard_version()}",
        "name": profile.title,
        "activeProfileIndex": 0,
        "shared": {"frames": frames},
        "profiles": [
            {
                "type": "sampled",
                "name": f"cycles of {profile.samples} calls",
                "unit": "none",
                "startValue": 0,
                "endValue": profile.cycles,
                "samples": [[number[name] for name in stack] for stack in stacks],
                "weights": list(stacks.values()),
            }
        ],
    }
    return json.dumps(content, separators=(",", ":")).encode()


def pprof(profile: Profile) -> bytes:
    """Return a profile of pprof (profile.proto, compressed): cycles, instructions and waits by location.

    A location is an instruction with its inlined functions; where a call came from is the start of the
    function that called.
    """
    return gzip.compress(_Pprof(profile).message(), mtime=0)


class _Pprof:
    """The messages of a profile; numbers of fields are those of profile.proto."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._texts: dict[str, int] = {"": 0}
        self._functions: dict[tuple[str, str], int] = {}
        self._locations: dict[tuple[object, ...], tuple[int, bytes]] = {}

    def message(self) -> bytes:
        """Return the whole message."""
        profile = self._profile
        kinds = [("cycles", "count"), ("instructions", "count")]
        kinds += [(f"wait-{cause}", "count") for cause in profile.causes]
        samples = []
        for one in profile.spent:
            values = (one.cycles, one.executions, *one.causes)
            if any(values):
                samples.append(
                    _field(1, _packed(self._stack(one.node, one.address))) + _field(2, _packed(values))
                )
        parts = [
            _field(1, _number(1, self._text(name)) + _number(2, self._text(unit))) for name, unit in kinds
        ]
        parts += [_field(2, sample) for sample in samples]
        has = b"".join(_number(field, 1) for field in (7, 8, 9, 10))
        parts.append(
            _field(
                3,
                _number(1, 1)
                + _number(3, 1 << 32)
                + _number(5, self._text(str(profile.cell["image"] or profile.title)))
                + has,
            )
        )
        parts += [_field(4, location) for _, location in self._locations.values()]
        for (name, file), number in self._functions.items():
            text = self._text(name)
            parts.append(
                _field(
                    5,
                    _number(1, number) + _number(2, text) + _number(3, text) + _number(4, self._text(file)),
                )
            )
        comment, cycles = self._text(profile.title), self._text("cycles")
        parts += [_field(6, text.encode()) for text in self._texts]
        parts += [_number(13, comment), _number(14, cycles)]
        return b"".join(parts)

    def _stack(self, node: int, address: int) -> Iterable[int]:
        """Yield the numbers of the locations, the innermost first."""
        code = self._profile.by_address.get(address)
        if code is None:
            yield self._location(("call",), 0, [(CALLER, "", 0)])
            return
        frames = [
            (frame.function or code.function, frame.file or "", frame.line or 0) for frame in code.frames
        ]
        last = frames[-1] if frames else ("", "", 0)
        here = self._profile.nodes[node]
        frames = [*frames[:-1], (here.function, last[1], last[2])]
        yield self._location((node, address), address, frames)
        while here.parent >= 0:
            here = self._profile.nodes[here.parent]
            yield self._location((here.function,), 0, [(here.function, "", 0)])

    def _location(self, key: tuple[object, ...], address: int, lines: list[tuple[str, str, int]]) -> int:
        known = self._locations.get(key)
        if known is None:
            content = _number(1, len(self._locations) + 1) + _number(2, 1) + _number(3, address)
            for name, file, line in lines:
                function = self._functions.setdefault((name, file), len(self._functions) + 1)
                content += _field(4, _number(1, function) + _number(2, line))
            known = self._locations[key] = (len(self._locations) + 1, content)
        return known[0]

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))


def _varint(value: int) -> bytes:
    """Return a number in the protocol buffer's form: seven bits a byte, the lowest first."""
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def _number(field: int, value: int) -> bytes:
    """Return a field with a number; 0 is what a missing one means."""
    return _varint(field << 3) + _varint(value) if value else b""


def _field(field: int, content: bytes) -> bytes:
    """Return a field with bytes, a text or a message."""
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _packed(values: Iterable[int]) -> bytes:
    return b"".join(map(_varint, values))
