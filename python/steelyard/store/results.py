"""Results that are not records (a scene, a run beside a load): one JSON file each in the store's folder.

A name has one result, the newest. Files are replaced as a whole, so that a reader sees the old or the new.
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
from steelyard.store.segments import StoreError

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
    data = json.dumps(row, allow_nan=False, separators=(",", ":")).encode()
    readable = _UNSAFE.sub("-", name)[:60]
    digest = sha256(name.encode()).hexdigest()[:12]
    path = folder / f"result-v{RESULT_VERSION}-{kind}-{readable}-{digest}.json"
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
    return path


def read_results(folder: Path, kind: str, warn: Callable[[str], None]) -> list[Result]:
    """Return the results of one kind by name; `warn` receives one sentence about each invalid file.

    StoreError if the folder cannot be read or one was written by a newer Steelyard. A store that does not
    exist yet has no results.
    """
    try:
        paths = sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{folder}: the store cannot be read: {error.strerror}.") from None
    found = []
    for path in paths:
        match = _NAME.fullmatch(path.name)
        if match is None or match[2] != kind:
            continue
        if int(match[1]) > RESULT_VERSION:
            raise StoreError(
                f"{path}: the result has format {match[1]}, this Steelyard knows {RESULT_VERSION};"
                " nothing was touched: use a newer Steelyard or another --store."
            )
        result = _read(path)
        if result is None or result.kind != kind:
            warn(f"{path} is not a whole result and was left out; the others are used.")
        else:
            found.append(result)
    return sorted(found, key=lambda result: result.name)


def _read(path: Path) -> Result | None:
    try:
        row = json.loads(path.read_bytes())
        result = Result(**row)
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    texts = (result.kind, result.name, result.date, result.version)
    return result if isinstance(result.content, dict) and all(isinstance(t, str) for t in texts) else None
