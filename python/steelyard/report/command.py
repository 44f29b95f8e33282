"""The command that repeats a record's measurement."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import lru_cache
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


COMMAND_FIELDS = tuple(
    dict.fromkeys(
        (
            "device",
            "parameters",
            "settings",
            "transport",
            *(field for field, _ in (*_OPTIONS, *_HOST_OPTIONS)),
        )
    )
)
"""The fields of a record that its command is made of."""


def repeat_command(row: Mapping[str, Any]) -> str:
    """Shell command that repeats the measurement of a record, of which COMMAND_FIELDS are looked at."""
    if row["device"] is not None:
        return _host_command(row)
    words = ["steelyard", "measure"]
    for field, option in _OPTIONS:
        if row[field] is not None:
            words.append(f"{option}={row[field]}")
    words += [f"--parameter={one}" for one in (row["parameters"] or "").split()]
    words += [f"--set={setting}" for setting in (row["settings"] or "").split()]
    return " ".join(map(_quoted, words))


def _host_command(row: Mapping[str, Any]) -> str:
    words = ["steelyard", "host", "measure"]
    words += [f"--qemu={row['target']}"] if row["transport"] == "qemu" else [row["device"]]
    words += [f"{option}={row[field]}" for field, option in _HOST_OPTIONS if row[field] is not None]
    return " ".join(map(_quoted, words))


# Thousands of commands share their words.
_quoted = lru_cache(shlex.quote)
