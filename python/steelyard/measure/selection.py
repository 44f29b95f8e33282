"""The selection options of the user, the same for every command and for `bench.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Annotated

from pydantic import Field

from steelyard.catalog.load import Catalog, needs_import
from steelyard.catalog.models import Strict
from steelyard.errors import UsageError
from steelyard.nearest import unknown

OPERATIONS = (
    *("init", "init-decrypt", "encrypt", "decrypt", "digest", "mac", "seal", "open", "sign", "verify"),
    *("keypair", "encapsulate", "decapsulate"),
    "derive",
)
FOOTPRINTS = ("encrypt", "decrypt", "sign", "verify", "both")
PADDINGS = ("none", "zero", "pkcs7")
CACHE_STATES = ("warm", "cold")
NO_MODE = "none"
"""Name of the raw block operation among the modes."""

_Names = tuple[str, ...]
_Bytes = Annotated[int, Field(ge=0)]


class Selection(Strict):
    """Patterns (globs) by option; an empty one leaves the choice to the planner's defaults.

    `length` and `ad_length` are in bytes. `everything` selects all variants at the usual flags, and all modes
    with the default variants at the first of these flags. `parameter` are values of the variants' parameters,
    such as `unroll=1,4`; those that are not named have their default.
    """

    primitive: _Names = ()
    variant: _Names = ()
    target: _Names = ()
    toolchain: _Names = ()
    flags: _Names = ()
    operation: _Names = ()
    mode: _Names = ()
    length: tuple[_Bytes, ...] = ()
    ad_length: tuple[_Bytes, ...] = ()
    cache: _Names = ()
    footprint: _Names = ()
    padding: _Names = ()
    parameter: _Names = ()
    everything: bool = False


class SelectionFile(Selection):
    """Contents of `bench.toml`: selections measured together; the top of the file provides omitted fields."""

    select: tuple[Selection, ...] = Field(min_length=1)

    @property
    def selections(self) -> list[Selection]:
        """The selections, each complete."""
        common = self.model_dump(exclude={"select"}, exclude_unset=True)
        return [
            Selection.model_validate({**common, **one.model_dump(exclude_unset=True)}) for one in self.select
        ]


def match(option: str, patterns: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the known names that match any of the patterns, in their own order.

    UsageError if a pattern matches nothing.
    """
    chosen: set[str] = set()
    for pattern in patterns:
        matching = [name for name in known if fnmatchcase(name, pattern)]
        if not matching:
            clause = unknown(option, pattern, known)
            raise UsageError(f"--{option}: {clause}" + ("" if clause.endswith("?") else "."))
        chosen.update(matching)
    return tuple(name for name in known if name in chosen)


def match_primitives(patterns: Iterable[str], catalog: Catalog) -> tuple[str, ...]:
    """Match primitives; a glob that matches primitives counted by default selects no others.

    UsageError if a pattern matches nothing, or only what has no code before an import.
    """
    counted = [primitive.id for primitive in catalog.primitives if primitive.counted]
    known = [primitive.id for primitive in catalog.primitives]
    awaited = catalog.awaited_primitives
    chosen: set[str] = set()
    for pattern in patterns:
        listed = [name for name in counted if fnmatchcase(name, pattern)]
        listed = listed or [name for name in known if fnmatchcase(name, pattern)]
        if not listed and any(fnmatchcase(name, pattern) for name in awaited):
            raise UsageError(f"--primitive {needs_import(pattern)}")
        chosen.update(listed or match("primitive", [pattern], [*known, *awaited]))
    return tuple(name for name in known if name in chosen)


def select(**chosen: str | int | Sequence[str] | Sequence[int] | None) -> Selection:
    """Return a selection of the given options, one value or several of each; None is not given.

    UsageError for the name of no option.
    """
    given: dict[str, object] = {}
    for name, value in chosen.items():
        if name not in Selection.model_fields:
            clause = unknown("argument", name, Selection.model_fields)
            raise UsageError(clause + ("" if clause.endswith("?") else "."))
        if isinstance(value, bool):
            given[name] = value
        elif value is not None:
            given[name] = (value,) if isinstance(value, str | int) else tuple(value)
    return Selection.model_validate(given)
