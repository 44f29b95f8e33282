"""Values of the parameters that variants declare, as `--parameter` names them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from steelyard.catalog.models import ParameterValue, Variant
from steelyard.errors import UsageError
from steelyard.nearest import printable, unknown

EVERY = "*"
"""Every parameter; as a value, every value."""


def parse_parameters(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the values asked for by name, such as `unroll=1,4`; UsageError for another form."""
    asked: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        listed = tuple(dict.fromkeys(one.strip() for one in values.split(",")))
        if text == EVERY:
            name, listed = EVERY, (EVERY,)
        elif not equals or not name or not all(listed):
            raise UsageError(
                f'--parameter {printable(text)}: give a name and its values, such as "unroll=1,4".'
            )
        if name in asked:
            raise UsageError(f"--parameter {printable(name)} is given twice; join its values by commas.")
        asked[name] = listed
    return asked


class Searched:
    """The values asked for, applied to one variant after another."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Take the values of `--parameter`; UsageError for another form."""
        self._asked = parse_parameters(texts)
        self._unused = set(self._asked) - {EVERY}
        self._declared: set[str] = set()

    def of(self, variant: Variant) -> Iterator[Variant]:
        """Yield the variant with each combination of values; itself if it declares none that is asked for.

        UsageError for a value that it does not declare.
        """
        declared = variant.file.parameters
        self._declared |= declared.keys()
        names = [name for name in declared if name in self._asked or EVERY in self._asked]
        self._unused -= set(names)
        for values in product(*(self._values(variant, name) for name in names)):
            # At its default a parameter is as if it were not named: both are one build.
            chosen = tuple(
                (name, value)
                for name, value in zip(names, values, strict=True)
                if value != declared[name].default
            )
            yield variant.model_copy(update={"chosen": chosen})

    def check(self) -> None:
        """UsageError for a name that no variant declared."""
        for name in sorted(self._unused):
            if not self._declared:
                raise UsageError(
                    f"--parameter {printable(name)}: none of the chosen variants declares a parameter"
                    " (steelyard list variants --columns variant,parameters)."
                )
            clause = unknown("parameter", name, self._declared)
            raise UsageError(f"--parameter: {clause}" + ("" if clause.endswith("?") else "."))

    def _values(self, variant: Variant, name: str) -> tuple[ParameterValue, ...]:
        known = {str(value): value for value in variant.file.parameters[name].values}
        asked = self._asked.get(name, (EVERY,))
        for value in asked:
            if value not in (EVERY, *known):
                raise UsageError(
                    f"--parameter {name}={printable(value)}: {variant.id} has it with"
                    f" {', '.join(known)} only."
                )
        return tuple(value for text, value in known.items() if EVERY in asked or text in asked)
