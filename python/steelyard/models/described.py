"""The parameters of a chip that is known, or described in a file of one's own."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from steelyard.catalog.load import Catalog, CatalogError, first_problem
from steelyard.catalog.models import Chip as KnownChip
from steelyard.catalog.own import is_file, read_own
from steelyard.errors import UsageError
from steelyard.models.training import Chip, ChipFile, chips


def described(name: str, catalog: Catalog) -> ChipFile:
    """Return the parameters of a known chip or of a file; UsageError if there are none, or not all.

    A file's `parameters` count before those of the chip or core that it names.
    """
    if not is_file(name):
        target = catalog.target(name)
        return ChipFile(**_parameters(target.file, name, catalog), name=name, clock_hz=target.file.clock_hz)
    own = read_own(Path(name), catalog)
    known = {} if own.target is None else _parameters(own.target.file, own.inherits, catalog)
    try:
        return ChipFile.model_validate({**known, **own.parameters, "name": own.id, "clock_hz": own.clock_hz})
    except ValidationError as error:
        raise CatalogError(f"{own.path}: parameters: {first_problem(error, ChipFile)}") from None


def _parameters(file: KnownChip, name: str | None, catalog: Catalog) -> dict[str, Any]:
    """Return those of the known chip of that name, or else of one with this core, with this chip's flash."""
    every = chips()
    if name not in every:
        alike = (target.id for target in catalog.targets if target.file.core == file.core)
        name = min((one for one in alike if one in every), default=None)
    if name is None:
        raise UsageError(
            f"No parameters are known of a chip with the core {file.core}; describe one in a file."
        )
    return {**every[name].model_dump(), **_flash(file, every[name])}


def _flash(file: KnownChip, core: Chip) -> dict[str, Any]:
    """Return the parameters that follow from a chip's flash, if it has one."""
    if file.flash is None:
        return {}
    flash = file.flash
    code, data = flash.instruction_cache or flash.unified_cache, flash.data_cache or flash.unified_cache
    # A picosecond more is no cycle more.
    wait_states = max(0, math.ceil(flash.access_ns * file.clock_hz / 1e9 - 1e-3) - 1)
    return {
        "wait_states": wait_states,
        "fetch_bytes": flash.row_bytes,
        "prefetch": flash.prefetch,
        "code_cache_bytes": 0 if code is None else code.size_bytes,
        "data_cache_bytes": 0 if data is None else data.size_bytes,
        "table_load_cycles": core.load_cycles + (wait_states if data is None else 0),
    }
