"""Call any function of any image: cycles, stack and mix, unverified."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from steelyard.catalog.models import Target
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.machine import EMULATOR_VERSION, Call, Emulator
from steelyard.measure.execute import pointer_bytes
from steelyard.measure.firmware import ADDRESS_LIMIT
from steelyard.measure.lab import Lab
from steelyard.measure.metrics import Observed
from steelyard.measure.peripherals import Ignored, ignoring
from steelyard.measure.plan import can_be_cold
from steelyard.measure.startup import load
from steelyard.nearest import printable
from steelyard.record.origin import steelyard_commit, steelyard_version
from steelyard.record.schema import Record, complete

_IMAGE_LIMIT_BYTES = 64 << 20

_INTEGER = re.compile(r"(?:([ui])(8|16|32|64):)?(-?(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}))")
_BUFFER = re.compile(r"(in|inout):((?:[0-9a-fA-F]{2})*)|(out):([0-9]{1,9})")


@dataclass(frozen=True)
class Argument:
    """An integer of `size_bytes` (0: the size of int) or, with a `direction`, a buffer of the caller."""

    text: str
    value: int = 0
    size_bytes: int = 0
    direction: Literal["in", "out", "inout"] | None = None
    content: bytes = b""


def parse_argument(text: str) -> Argument:
    """Parse `5`, `u16:300`, `i8:-3`, `in:00112233`, `out:16` or `inout:0011`; UsageError otherwise."""
    integer = _INTEGER.fullmatch(text)
    if integer is not None:
        number = int(integer[3], 16 if "x" in integer[3].lower() else 10)
        return _integer(text, integer[1], int(integer[2] or 0), number)
    buffer = _BUFFER.fullmatch(text)
    if buffer is None:
        raise UsageError(
            f'--arg {printable(text)}: neither an integer ("5", "u16:300", "i8:-3") nor a buffer'
            ' ("in:00112233", "out:16", "inout:0011").'
        )
    if buffer[3]:
        return Argument(text, direction="out", content=bytes(int(buffer[4])))
    return Argument(text, direction="in" if buffer[1] == "in" else "inout", content=bytes.fromhex(buffer[2]))


class FunctionCall(NamedTuple):
    """A call of a function: its record, and where that came from.

    `buffers` are address and bytes of the arguments that are buffers, by name.
    """

    record: Record
    call: Call
    image: bytes
    buffers: Mapping[str, tuple[int, int]]
    emulator: Emulator


def call_function(
    path: Path,
    symbol: str,
    target: Target,
    arguments: Sequence[Argument],
    max_cycles: int,
    return_bytes: int = 2,
    start_up_to: str | None = None,
    *,
    emulator: Emulator | None = None,
    ignore_peripherals: bool = False,
) -> Record:
    """Call one function once like `made_call`, and return its record."""
    made = made_call(
        path,
        symbol,
        target,
        arguments,
        max_cycles,
        return_bytes,
        start_up_to,
        emulator=emulator,
        ignore_peripherals=ignore_peripherals,
    )
    return made.record


def made_call(
    path: Path,
    symbol: str,
    target: Target,
    arguments: Sequence[Argument],
    max_cycles: int,
    return_bytes: int = 2,
    start_up_to: str | None = None,
    *,
    emulator: Emulator | None = None,
    ignore_peripherals: bool = False,
    observe: Literal["profile", "detail"] = "profile",
) -> FunctionCall:
    """Call one function once and record its cost; `return_bytes` is the size of its result.

    `emulator`, if given, is one of this chip; the image in it is forgotten. With `ignore_peripherals`
    accesses to what is not there are no faults. With `start_up_to` the image's own reset code runs to that
    symbol first; without it, initialised data are in place and the memory behind them is clear. UsageError
    for an image or arguments that cannot be used.
    """
    image = read_image(path, "--elf")
    buffers = {f"argument {number}": a for number, a in enumerate(arguments, start=1) if a.direction}
    lab = Lab(target.lab.base, {name: len(argument.content) for name, argument in buffers.items()})
    if lab.size > target.lab.size:
        raise UsageError(
            f"--arg: the buffers need {lab.size} bytes; {target.id} has room for {target.lab.size}."
        )
    before = lab.filled({name: argument.content for name, argument in buffers.items()})
    size_bytes = pointer_bytes(target)
    placed = [
        (lab.address(f"argument {number}"), size_bytes)
        if a.direction
        else (a.value, a.size_bytes or size_bytes)
        for number, a in enumerate(arguments, start=1)
    ]
    emulator = emulator or Emulator(target)

    def attempt() -> Call:
        emulator.buffer("lab", before)
        emulator.empty_caches()
        return emulator.call(symbol, placed, max_cycles=max_cycles, observe=observe)

    with naming(path):
        load(emulator, image, target, start_up_to)
        emulator.fence(lab.permits(ADDRESS_LIMIT))
        if ignore_peripherals:
            result, ignored = ignoring(emulator, target, attempt)
        else:
            result, ignored = attempt(), Ignored()
    after = emulator.content("lab")
    record = function_record(path, symbol, target, arguments) | {
        "ignored": ignored.sentence,
        "image_hash": hashlib.sha256(image).hexdigest(),
    }
    written = {name for name, argument in buffers.items() if argument.direction != "in"}
    fault, trespass = result.fault, lab.trespass(before, after, written)
    if fault is not None:
        where = lab.beside(fault.address) if fault.kind.startswith("stray") and fault.address else None
        said = fault.message if where is None else f"{fault.message}; it lies {where}"
        record |= {"status": "fault", "fault_kind": fault.kind, "error": f"{said}."}
    elif trespass is not None:
        record |= {"status": "wrong-output", "error": f"{trespass}."}
    else:
        outputs = [lab.content(after, name).hex() for name in buffers if name in written]
        record |= {**success(result, target, return_bytes), "outputs": json.dumps(outputs)}
    places = {name: (lab.address(name), lab.size_of(name)) for name in buffers}
    return FunctionCall(complete(record), result, image, places, emulator)


def unusable(
    path: Path, symbol: str, target: Target, arguments: Sequence[Argument], error: UsageError
) -> Record:
    """Return the record of an image that cannot be used."""
    return complete(
        function_record(path, symbol, target, arguments) | {"status": "unsupported", "error": str(error)}
    )


def success(called: Call, target: Target, return_bytes: int) -> Record:
    """Return what a record says of a call that returned; `return_bytes` is the size of its result."""
    observed = Observed()
    observed.add(called, answered=False)
    return {
        "status": "ok",
        "return_value": str(called.returned(return_bytes)),
        "time_us": called.cycles / target.file.clock_hz * 1e6,
        **observed.metrics(),
    }


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Put an image's name before what is said of it."""
    try:
        yield
    except UsageError as error:
        said = printable(str(error), 400)
        raise UsageError(f"{path}: {said}" + ("" if said.endswith((".", "?")) else ".")) from None


def function_record(path: Path, symbol: str, target: Target, arguments: Sequence[Argument]) -> Record:
    """Return what a record says of a call before it was made."""
    return {
        "kind": "function",
        "target": target.id,
        "operation": "call",
        "clock_hz": target.file.clock_hz,
        "cache_state": "cold" if can_be_cold(target) else None,
        "settings": target.file.settings or None,
        "image": str(path),
        "symbol": symbol,
        "arguments": " ".join(argument.text for argument in arguments),
        "tier": target.file.tier,
        "verified": False,
        "target_hash": target.file.file_hash or None,
        "timing_version": target.timing_version,
        "emulator_version": EMULATOR_VERSION,
        "steelyard_version": steelyard_version(),
        "steelyard_commit": steelyard_commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _integer(text: str, sign: str | None, bits: int, value: int) -> Argument:
    low, high = -(1 << 15), (1 << 16) - 1
    if sign == "u":
        low, high = 0, (1 << bits) - 1
    elif sign == "i":
        low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if not low <= value <= high:
        raise UsageError(f"--arg {text}: the value does not fit; it goes from {low} to {high}.")
    return Argument(text, value=value, size_bytes=bits // 8)


def read_image(path: Path, option: str) -> bytes:
    """Read a file; UsageError, which begins with the option, if it is missing or too large."""
    try:
        return read_limited(path, _IMAGE_LIMIT_BYTES, "an image")
    except UsageError as error:
        raise UsageError(f"{option} {error}") from None
