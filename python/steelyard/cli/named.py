"""What a word on the command line names: a variant, flags, a compiler, a chip and the like."""

from __future__ import annotations

from collections.abc import Iterable

from steelyard.catalog.load import Catalog
from steelyard.errors import UsageError
from steelyard.measure.selection import OPERATIONS
from steelyard.nearest import unknown


def option_of(catalog: Catalog, option: str, name: str, others: Iterable[str] = ()) -> str:
    """Return the selection option that a word is a value of.

    UsageError, which begins with `option`, for a word that names nothing; `others` are names that could have
    been meant.
    """
    if name.startswith("-"):
        return "flags"
    known = {
        "toolchain": {one for target in catalog.targets for one in target.file.toolchain},
        "target": {target.id for target in catalog.targets},
        "primitive": {one.id for one in catalog.primitives},
        "operation": set(OPERATIONS),
        "variant": {variant.id for algorithm in catalog.algorithms for variant in algorithm.variants},
    }
    found = next((key for key, ids in known.items() if name in ids), None)
    if found is None:
        names = [*others, *(one for ids in known.values() for one in ids)]
        clause = unknown("file, saved profile, variant, flags, compiler or chip", name, names)
        raise UsageError(f"{option}: {clause}" + ("" if clause.endswith("?") else "."))
    return found
