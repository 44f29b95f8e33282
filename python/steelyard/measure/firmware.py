"""Run an image from one address to another, and read memory afterwards: cycles, stack, mix, unverified."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from steelyard.catalog.models import Target
from steelyard.errors import UsageError
from steelyard.machine import EMULATOR_VERSION, Call, Emulator, Space
from steelyard.measure.peripherals import Ignored, ignoring
from steelyard.nearest import printable
from steelyard.record.origin import steelyard_commit, steelyard_version

ADDRESS_LIMIT = 1 << 32
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}")
_READ_LIMIT_BYTES = 1 << 20


@dataclass(frozen=True)
class Firmware:
    """An image and the extent of its run.

    With a `raw_address` the image is bytes for that address, otherwise an ELF file. `start` and `stop` are
    symbols or addresses; without a `start` it begins at its own start (an ELF file at its entry point, a raw
    image on Cortex-M by its vector table, on AVR at address 0, elsewhere at its first byte). `reads` are
    symbols or addresses of memory to read afterwards, each with a length in bytes after a colon or that of
    the symbol. Addresses are a linker's: on AVR data lie from 0x800000 up, EEPROM from 0x810000 up. `writes`
    are `PLACE=VALUE`: words of the chip that are written right before the run, registers in the address space
    included. `registers` are `NAME=VALUE`, the CPU's own. With `ignore_peripherals` accesses to what is not
    there are no faults.
    """

    image: bytes
    stop: str
    start: str | None = None
    raw_address: int | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    registers: tuple[str, ...] = ()
    ignore_peripherals: bool = False


@dataclass(frozen=True)
class Run:
    """Cost of a run, and the memory read, by name; `call.fault` is None if the run arrived."""

    call: Call
    memory: dict[str, bytes] = field(default_factory=dict)
    ignored: Ignored = field(default_factory=Ignored)


def parse_address(text: str, option: str) -> int:
    """Parse `0x8000000` or `134217728`; UsageError for anything else."""
    value = _number(text)
    if value is None:
        raise UsageError(f"{option} {printable(text)}: not an address, such as 0x8000000.")
    return value


def run(firmware: Firmware, target: Target, *, max_cycles: int, emulator: Emulator | None = None) -> Run:
    """Run the firmware once on a chip from reset, its stack at the end of the RAM until it moves it.

    `emulator`, if given, is one of this chip; the image in it is forgotten. A fault is part of the result,
    and memory is still read. Raises UsageError for an image, addresses or names that cannot be used.
    """
    emulator = emulator or Emulator(target)
    registers = preset_registers(firmware, emulator)
    emulator.load(firmware.image, raw_address=firmware.raw_address)
    start = None if firmware.start is None else _address(emulator, firmware.start, "--from")
    stop = _address(emulator, firmware.stop, "--to")
    places = {text: _place(emulator, text, target) for text in firmware.reads}
    writes = [parse_write(emulator, text, target) for text in firmware.writes]

    def attempt() -> Call:
        emulator.empty_caches()
        return emulator.run(start, stop, max_cycles=max_cycles, writes=writes, registers=registers)

    if firmware.ignore_peripherals:
        call, ignored = ignoring(emulator, target, attempt)
    else:
        call, ignored = attempt(), Ignored()
    memory = {text: emulator.read(*place) for text, place in places.items()}
    return Run(call, memory, ignored)


def preset_registers(firmware: Firmware, emulator: Emulator) -> dict[str, int]:
    """Return the registers that a run begins with; UsageError for a name or value that the CPU has not."""
    registers = dict(_register(text) for text in firmware.registers)
    try:
        emulator.registers(registers)
    except UsageError as error:
        raise UsageError(f"--register: {error}") from None
    return registers


FIGURES = (
    "cycles",
    "time_us",
    "instructions",
    "loads",
    "stores",
    "branches",
    "branches_taken",
    "ram_stack_bytes",
)
"""Fields of a row that are numbers; None if the image could not be used."""


def row(firmware: Firmware, target: Target, result: Run | UsageError) -> dict[str, object]:
    """Return the run as one flat row, or why the image could not be used.

    None where a field does not apply, memory as hexadecimal digits.
    """
    counted: dict[str, object] = dict.fromkeys(FIGURES)
    ended: dict[str, object] = {"status": "unusable", "fault_kind": None, "error": str(result)}
    if isinstance(result, Run):
        call = result.call
        fault = call.fault
        ended = {"status": "ok", "fault_kind": None, "error": None}
        if fault is not None:
            ended = {"status": "fault", "fault_kind": fault.kind, "error": f"{fault.message}."}
        counted = {
            "cycles": call.cycles,
            "time_us": call.cycles / target.file.clock_hz * 1e6,
            "instructions": call.instructions,
            "loads": call.loads,
            "stores": call.stores,
            "branches": call.branches,
            "branches_taken": call.branches_taken,
            "ram_stack_bytes": call.stack_bytes,
        }
    return {
        "target": target.id,
        "from": firmware.start,
        "to": firmware.stop,
        "raw_address": firmware.raw_address,
        **ended,
        "clock_hz": target.file.clock_hz,
        **counted,
        "ignored": result.ignored.sentence if isinstance(result, Run) else None,
        "memory": {name: content.hex() for name, content in result.memory.items()}
        if isinstance(result, Run)
        else {},
        "tier": target.file.tier,
        "image_hash": hashlib.sha256(firmware.image).hexdigest(),
        "target_hash": target.file.file_hash or None,
        "timing_version": target.timing_version,
        "emulator_version": EMULATOR_VERSION,
        "steelyard_version": steelyard_version(),
        "steelyard_commit": steelyard_commit(),
    }


def _number(text: str) -> int | None:
    if not _NUMBER.fullmatch(text):
        return None
    value = int(text, 16 if text[:2].lower() == "0x" else 10)
    return value if value < ADDRESS_LIMIT else None


def _address(emulator: Emulator, text: str, option: str) -> int:
    number = _number(text)
    if number is not None:
        return number
    try:
        return emulator.address(text)
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from None


def _register(text: str) -> tuple[str, int]:
    """Return name and value of a register that is set before the run."""
    name, equals, value_text = text.partition("=")
    value = _number(value_text)
    if not equals or value is None:
        raise UsageError(f"--register {printable(text)}: not NAME=VALUE.")
    return name, value


def parse_write(emulator: Emulator, text: str, target: Target) -> tuple[int, bytes]:
    """Return the address and the bytes of a word that is written before the run."""
    name, equals, value_text = text.partition("=")
    value, bytes_each = _number(value_text), target.file.word_bits // 8
    if not equals or value is None or value >= 1 << (8 * bytes_each):
        raise UsageError(f"--write {printable(text)}: not PLACE=VALUE with a value of {bytes_each} bytes.")
    number = _number(name)
    try:
        space, address, _ = emulator.place(name if number is None else number)
    except UsageError as error:
        raise UsageError(f"--write: {error}") from None
    if space == "eeprom":
        raise UsageError(f"--write {printable(text)}: an address of the EEPROM.")
    return address, value.to_bytes(bytes_each, "big" if target.file.big_endian else "little")


def _place(emulator: Emulator, text: str, target: Target) -> tuple[Space, int, int]:
    """Return space, address and length of memory to be read."""
    name, colon, length_text = text.rpartition(":")
    if not colon:
        name = text
    number = _number(name)
    try:
        space, address, size = emulator.place(name if number is None else number)
    except UsageError as error:
        raise UsageError(f"--read: {error}") from None
    length = _number(length_text) if colon else size or target.file.word_bits // 8
    if length is None or not 1 <= length <= _READ_LIMIT_BYTES:
        raise UsageError(f"--read {printable(text)}: a length is 1 to {_READ_LIMIT_BYTES} bytes.")
    # What cannot be read is told before the run.
    try:
        emulator.read(space, address, length)
    except UsageError as error:
        raise UsageError(f"--read {printable(text)}: {error}") from None
    return space, address, length
