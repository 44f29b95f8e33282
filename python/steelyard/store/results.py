"""Results that are not records (a scene, a run beside a load): one JSON file each in the store's folder.

A name has one result, the newest. Files are replaced as a whole, so that a reader sees the old or the new.
Each is one line with its checksum, like a record; the first files had none.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from steelyard.record.origin import steelyard_version
from steelyard.store.lines import has_checksum, is_whole, sealed
from steelyard.store.lock import StoreError
from steelyard.store.read import Damage, read_file

RESULT_VERSION = 1

_NAME = re.compile(r"result-v(\d{1,9})-([a-z]+)-[A-Za-z0-9.+_-]+\.json")
_UNSAFE = re.compile(r"[^A-Za-z0-9.+_]+")


@dataclass(frozen=True)
class Result:
    """Result of a command; the command defines `content`, and `date` is when it was saved (ISO 8601, UTC)."""

    kind: str
    name: str
    date: str
    version: str
    content: dict[str, Any]


def save_result(folder: Path, kind: str, name: str, content: dict[str, Any]) -> Path:
    """Store a result and replace an earlier one of this kind and name.

    `kind` is a word of lower-case letters. `content` must be JSON; a number that JSON cannot express
    (infinite, not a number) is a ValueError. StoreError if the file cannot be written.
    """
    row = {
        "kind": kind,
        "name": name,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": steelyard_version(),
        "content": content,
    }
    data = sealed(json.dumps(row, allow_nan=False, separators=(",", ":")).encode())
    readable = _UNSAFE.sub("-", name)[:60]
    digest = sha256(name.encode()).hexdigest()[:12]
    path = folder / f"result-v{RESULT_VERSION}-{kind}-{readable}-{digest}.json"
    _put(path, data)
    return path


def copy_results(source: Path, folder: Path) -> int:
    """Copy the whole results that `folder` does not have under their names; return how many.

    StoreError if a folder cannot be read or written.
    """
    copied = 0
    for path in _paths(source):
        if not (folder / path.name).exists() and _read(path) is not None:
            _put(folder / path.name, path.read_bytes())
            copied += 1
    return copied


def damaged_results(folder: Path) -> list[Damage]:
    """Return the results that are not whole; StoreError if the folder cannot be read."""
    return [Damage(path, None, "is not a whole result") for path in _paths(folder) if _read(path) is None]


def _put(path: Path, data: bytes) -> None:
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".", suffix=".partial")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            # What mkstemp makes is its owner's alone, unlike the segments beside it.
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreError(f"{path}: the result cannot be written: {error.strerror}.") from None


def read_results(folder: Path, kind: str, warn: Callable[[str], None]) -> list[Result]:
    """Return the results of one kind by name; `warn` receives one sentence about each invalid file.

    StoreError if the folder cannot be read or one was written by a newer Steelyard. A store that does not
    exist yet has no results.
    """
    found = []
    for path in _paths(folder, kind):
        result = _read(path)
        if result is None:
            warn(f"{path} is not a whole result and was left out; the others are used.")
        else:
            found.append(result)
    return sorted(found, key=lambda result: result.name)


def _paths(folder: Path, kind: str | None = None) -> list[Path]:
    """Return the files of results of a kind, or of all kinds; StoreError as `read_results`."""
    try:
        paths = sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{folder}: the store cannot be read: {error.strerror}.") from None
    found = []
    for path in paths:
        match = _NAME.fullmatch(path.name)
        if match is None or kind not in (None, match[2]):
            continue
        if int(match[1]) > RESULT_VERSION:
            raise StoreError(
                f"{path}: the result has format {match[1]}, this Steelyard knows {RESULT_VERSION};"
                " nothing was touched: use a newer Steelyard or another --store."
            )
        found.append(path)
    return found


def _read(path: Path) -> Result | None:
    """Return a result, or None if the file is not a whole one of the kind that its name has."""
    try:
        read = read_file(path)
        if isinstance(read, str):
            return None
        text = read[0].removesuffix(b"\n")
        if has_checksum(text) and not is_whole(text):
            return None
        fields = json.loads(text, parse_constant=_no_number)
        fields.pop("crc32", None)
        # Any other name, a damaged one of the checksum too, is a TypeError.
        result = Result(**fields)
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    texts = (result.kind, result.name, result.date, result.version)
    whole = isinstance(result.content, dict) and all(isinstance(text, str) for text in texts)
    return result if whole and path.name.split("-")[2] == result.kind else None


def _no_number(name: str) -> float:
    raise ValueError(name)
