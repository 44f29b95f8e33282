"""Call functions of an image one after another, on buffers that keep what each call leaves in them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from steelyard.catalog.load import read_file, sentence
from steelyard.catalog.models import HexBytes, Strict, Target
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.machine import Emulator
from steelyard.measure.call import (
    Argument,
    function_record,
    naming,
    parse_argument,
    read_image,
    success,
)
from steelyard.measure.execute import pointer_bytes
from steelyard.measure.firmware import ADDRESS_LIMIT
from steelyard.measure.lab import Lab
from steelyard.measure.startup import load
from steelyard.nearest import unknown
from steelyard.record.schema import Record, complete

_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
_BUFFER_LIMIT_BYTES = 1 << 20
_ZeroBytes = Annotated[int, Field(ge=0, le=_BUFFER_LIMIT_BYTES, strict=True)]
_INTEGER = re.compile(r"(?:[ui](?:8|16|32|64):)?-?[0-9].*")


class FromFile(Strict):
    """A buffer's content in a file beside the script."""

    file: str


class ScriptCall(Strict):
    """One call: names of buffers, and integers as `--arg` takes them.

    `expect` are contents of buffers behind the call, `returns` its result; `unchanged` are buffers that it
    may not write.
    """

    function: str
    arguments: tuple[str | int, ...] = ()
    unchanged: tuple[_Name, ...] = ()
    expect: dict[_Name, HexBytes] = Field(default_factory=dict)
    returns: int | None = None
    return_bytes: Annotated[int, Field(ge=1, le=8)] = 2


class Script(Strict):
    """Contents of a script: buffers (bytes of zeros, hexadecimal, or a file) and calls in their order."""

    buffers: dict[_Name, _ZeroBytes | HexBytes | FromFile] = Field(default_factory=dict)
    call: tuple[ScriptCall, ...] = Field(min_length=1)


def read_script(path: Path) -> Script:
    """Read a script; CatalogError or UsageError with the file and the field for a wrong one."""
    script = read_file(path, Script)
    for number, one in enumerate(script.call, start=1):
        named = [name for name in one.arguments if isinstance(name, str) and not _INTEGER.fullmatch(name)]
        for name in (*named, *one.unchanged, *one.expect):
            if name not in script.buffers:
                clause = sentence(unknown("buffer", name, script.buffers))
                raise UsageError(f"{path}: call {number}: {clause}")
    return script


def call_script(
    path: Path,
    script: Script,
    folder: Path,
    target: Target,
    max_cycles: int,
    start_up_to: str | None = None,
    *,
    emulator: Emulator | None = None,
) -> list[Record]:
    """Make the calls of a script on one image and record each; files of buffers lie in `folder`.

    Memory and registers stay between the calls, caches are emptied. A call that fails ends the chain: those
    behind it are recorded as unsupported. UsageError for an image or a script that cannot be used.
    """
    image = read_image(path, "--elf")
    contents = {name: _content(value, folder) for name, value in script.buffers.items()}
    lab = Lab(target.lab.base, {name: len(content) for name, content in contents.items()})
    if lab.size > target.lab.size:
        raise UsageError(f"the buffers need {lab.size} bytes; {target.id} has room for {target.lab.size}.")
    emulator = emulator or Emulator(target)
    with naming(path):
        load(emulator, image, target, start_up_to)
        emulator.buffer("lab", lab.filled(contents))
        emulator.fence(lab.permits(ADDRESS_LIMIT))
        records = list(_calls(path, script, target, emulator, lab, max_cycles))
    digest = hashlib.sha256(image).hexdigest()
    return [complete({**record, "image_hash": digest}) for record in records]


def _content(value: int | str | FromFile, folder: Path) -> bytes:
    if isinstance(value, int):
        return bytes(value)
    if isinstance(value, str):
        return bytes.fromhex(value)
    return read_limited(folder / value.file, _BUFFER_LIMIT_BYTES, "a buffer")


def _calls(
    path: Path, script: Script, target: Target, emulator: Emulator, lab: Lab, max_cycles: int
) -> Iterator[Record]:
    failed = None
    for number, one in enumerate(script.call, start=1):
        arguments = [_argument(one_of) for one_of in one.arguments]
        record = function_record(path, one.function, target, [argument for argument, _ in arguments])
        if failed is not None:
            error = f"call {failed} of the script failed, so this one was not made."
            yield record | {"status": "unsupported", "error": error}
            continue
        size_bytes = pointer_bytes(target)
        placed = [
            (lab.address(name), size_bytes)
            if name is not None
            else (argument.value, argument.size_bytes or size_bytes)
            for argument, name in arguments
        ]
        before = emulator.content("lab")
        emulator.empty_caches()
        called = emulator.call(one.function, placed, max_cycles=max_cycles)
        after = emulator.content("lab")
        record |= success(called, target, one.return_bytes)
        problem = None
        if called.fault is not None:
            record |= {"status": "fault", "fault_kind": called.fault.kind}
            problem = f"call {number}: {called.fault.message}"
        else:
            names = {name for _, name in arguments if name is not None} - set(one.unchanged)
            trespass = lab.trespass(before, after, names)
            problem = f"call {number}: {trespass}" if trespass else _unmet(number, one, lab, after, record)
            if problem is not None:
                record |= {"status": "wrong-output"}
        if problem is not None:
            failed = number
            yield {name: record[name] for name in _OF_FAILURE if name in record} | {"error": f"{problem}."}
            continue
        outputs = {name: lab.content(after, name).hex() for _, name in arguments if name is not None}
        yield record | {"outputs": json.dumps(list(outputs.values()))}


_OF_FAILURE = (
    *("kind", "target", "operation", "clock_hz", "cache_state", "settings", "image", "symbol"),
    *("arguments", "tier"),
    *("verified", "status", "fault_kind", "target_hash", "timing_version", "emulator_version"),
    *("steelyard_version", "steelyard_commit", "date"),
)


def _argument(given: str | int) -> tuple[Argument, str | None]:
    """Return an argument and, if it is one, the name of the buffer."""
    if isinstance(given, int):
        return parse_argument(str(given)), None
    if _INTEGER.fullmatch(given):
        return parse_argument(given), None
    return Argument(given), given


def _unmet(number: int, one: ScriptCall, lab: Lab, after: bytes, record: Record) -> str | None:
    for name, wanted in one.expect.items():
        found = lab.content(after, name).hex()
        if not found.startswith(wanted):
            return f"call {number}: {name} is {found[: len(wanted)]}, expected {wanted}"
    if one.returns is not None and record["return_value"] != str(one.returns):
        return f"call {number}: the result is {record['return_value']}, expected {one.returns}"
    return None


def scripted(
    images: Sequence[Path],
    script_path: Path,
    target: Target,
    max_cycles: int,
    start_up_to: str | None,
) -> list[Record]:
    """Make the calls of a script on each image in turn; the records of all."""
    script, emulator = read_script(script_path), Emulator(target)
    return [
        record
        for image in images
        for record in call_script(
            image, script, script_path.parent, target, max_cycles, start_up_to, emulator=emulator
        )
    ]
