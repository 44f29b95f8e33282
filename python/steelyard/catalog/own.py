"""Chips of one's own: files in the form of `targets/<chip>.toml` that inherit from a known chip or a core."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from steelyard.catalog.load import (
    Catalog,
    CatalogError,
    make_target,
    read_core,
    read_file,
    read_toml,
    sentence,
)
from steelyard.catalog.models import Identifier, Strict, Target
from steelyard.data import data_root
from steelyard.nearest import printable, unknown

_Table = dict[str, Any]

_OWN_TIER = "model"
_NOT_INHERITED = ("evidence", "tier", "title")
"""What is true of the known chip alone: nobody has compared the new one with anything."""


class OwnFile(Strict):
    """What a file says beyond a known chip's; its other fields are those of `TargetFile`.

    `inherits` names a known chip whose file is the start, `parameters` are those of `steelyard predict`.
    """

    model_config = ConfigDict(extra="allow")

    id: Identifier
    inherits: Identifier | None = None
    core: Identifier | None = None
    parameters: dict[str, Any] = Field(default={})


@dataclass(frozen=True)
class OwnChip:
    """A file of one's own; without a `target` nothing in it says what would execute a program.

    `parameters` is its table of that name.
    """

    path: Path
    id: str
    inherits: str | None
    parameters: _Table
    target: Target | None
    clock_hz: int | None


def is_file(name: str) -> bool:
    """Whether a target's name is the path of a file."""
    return "/" in name or name.endswith(".toml")


def read_own(path: Path, catalog: Catalog) -> OwnChip:
    """Read a chip of one's own; CatalogError names the file and the field."""
    file, own = read_file(path, OwnFile), read_toml(path)
    known = [target.id for target in catalog.targets if not target.file.file_hash]
    if file.id in known:
        raise CatalogError(f'{path}: field id: "{file.id}" is a known chip; choose another name.')
    for name in ("inherits", "parameters"):
        own.pop(name, None)
    target, clock_hz = None, own.get("clock_hz")
    if file.inherits is not None or file.core is not None:
        target = _target(path, file, own, known)
        clock_hz = target.file.clock_hz
    else:
        _check_alone(path, own)
    return OwnChip(path, file.id, file.inherits, file.parameters, target, clock_hz)


def with_own(catalog: Catalog, names: Sequence[str]) -> tuple[Catalog, tuple[str, ...]]:
    """Add the chips whose files stand among names of targets, and put their identifiers there.

    CatalogError like `read_own`, and for a file that names no core.
    """
    named = []
    for name in names:
        if not is_file(name):
            named.append(name)
            continue
        chip = read_own(Path(name), catalog)
        if chip.target is None:
            raise CatalogError(
                f"{printable(name)}: it has neither inherits nor core: such a chip can be predicted, not run."
            )
        others = [target for target in catalog.targets if target != chip.target]
        if any(target.id == chip.id for target in others):
            raise CatalogError(f'{printable(name)}: field id: another file has "{chip.id}" too.')
        targets = sorted((*others, chip.target), key=lambda target: target.id)
        catalog = replace(catalog, targets=tuple(targets))
        named.append(chip.id)
    return catalog, tuple(named)


def named_target(catalog: Catalog, name: str) -> Target:
    """Return the known chip of this name, or the one of this file; CatalogError."""
    catalog, (own,) = with_own(catalog, [name])
    return catalog.target(own)


def _check_alone(path: Path, own: _Table) -> None:
    """Refuse fields of a chip that is only predicted, beside its name and clock."""
    for name in own:
        if name not in ("id", "title", "clock_hz"):
            raise CatalogError(
                f"{path}: field {printable(name)}: without inherits or core a file has"
                " id, title, clock_hz and parameters."
            )
    try:
        TypeAdapter(int | None).validate_python(own.get("clock_hz"), strict=True)
    except ValidationError:
        raise CatalogError(f"{path}: field clock_hz: it is a whole number.") from None


def _target(path: Path, file: OwnFile, own: _Table, known: Sequence[str]) -> Target:
    targets = data_root() / "targets"
    start: _Table = {}
    if file.inherits is not None:
        if file.inherits not in known:
            raise CatalogError(f"{path}: field inherits: {sentence(unknown('target', file.inherits, known))}")
        start = read_toml(targets / f"{file.inherits}.toml")
        for name in _NOT_INHERITED:
            start.pop(name, None)
    merged = {"title": file.id, "tier": _OWN_TIER, "evidence": [], **_merged(start, own)}
    core = targets / "cores" / f"{merged['core']}.toml"
    if not core.is_file():
        cores = [one.stem for one in core.parent.glob("*.toml")]
        raise CatalogError(f"{path}: field core: {sentence(unknown('core', merged['core'], cores))}")
    target = make_target(path, merged, *read_core(core))
    text = json.dumps([target.file.model_dump(), target.core], sort_keys=True, default=str)
    hashed = hashlib.sha256(text.encode()).hexdigest()
    return target.model_copy(update={"file": target.file.model_copy(update={"file_hash": hashed})})


def _merged(start: _Table, own: _Table) -> _Table:
    """Return `start` with what `own` says: tables key by key, everything else replaced."""
    merged = {**start, **own}
    for name in start.keys() & own.keys():
        if isinstance(start[name], dict) and isinstance(own[name], dict):
            merged[name] = _merged(start[name], own[name])
    return merged
