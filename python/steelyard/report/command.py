"""The command that repeats a record's measurement."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

_OPTIONS = (
    ("primitive", "--primitive"),
    ("variant", "--variant"),
    ("target", "--target"),
    ("toolchain", "--toolchain"),
    ("flags", "--flags"),
    ("footprint", "--footprint"),
    ("padding", "--padding"),
    ("operation", "--operation"),
    ("mode", "--mode"),
    ("message_bytes", "--length"),
    ("cache_state", "--cache"),
    ("samples", "--samples"),
    ("input_seed", "--seed"),
)


_HOST_OPTIONS = (
    ("primitive", "--primitive"),
    ("variant", "--variant"),
    ("library", "--library"),
    ("flags", "--flags"),
    ("padding", "--padding"),
    ("operation", "--operation"),
    ("mode", "--mode"),
    ("message_bytes", "--length"),
    ("ad_bytes", "--ad-length"),
    ("threads", "--threads"),
    ("input_seed", "--seed"),
)


def repeat_command(row: Mapping[str, Any]) -> str:
    """Return the shell command that repeats the measurement of a record."""
    if row["device"] is not None:
        return _host_command(row)
    words = ["steelyard", "measure"]
    for field, option in _OPTIONS:
        if row[field] is not None:
            words.append(f"{option}={row[field]}")
    words += [f"--set={setting}" for setting in (row["settings"] or "").split()]
    return shlex.join(words)


def _host_command(row: Mapping[str, Any]) -> str:
    words = ["steelyard", "host", "measure"]
    words += [f"--qemu={row['target']}"] if row["transport"] == "qemu" else [row["device"]]
    words += [f"{option}={row[field]}" for field, option in _HOST_OPTIONS if row[field] is not None]
    return shlex.join(words)
