"""The output of a command in the requested form: JSON or tables, with chosen columns and order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from steelyard.cli import options
from steelyard.cli.output import print_json, print_latex
from steelyard.errors import UsageError
from steelyard.nearest import unknown
from steelyard.present.table import Table, is_number, natural, plain
from steelyard.present.terminal import print_page

_SCALES = {
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 1e-3,
    "min": 60.0,
    "h": 3600.0,
    "days": 86400.0,
    "years": 31557600.0,
    "nJ": 1e-9,
    "uJ": 1e-6,
    "mJ": 1e-3,
    "uW": 1e-6,
    "mW": 1e-3,
}
"""Units that the cells of one column may mix; sorting compares values in seconds, joules and watts."""
_FIGURE = re.compile(r"([-+]?(?:\d[\d,]*)?\.?\d+(?:e[-+]?\d+)?)(?: +(\S+).*)?")


@dataclass(frozen=True)
class View:
    """The options `--json`, `--latex`, `--columns` and `--sort` of a command."""

    json: bool
    columns: tuple[str, ...]
    sort: tuple[str, ...]
    known: tuple[str, ...] = ()
    latex: bool = False

    def knowing(self, names: Sequence[str]) -> View:
        """Return the view of tables whose names are known beforehand; UsageError at once for another name."""
        self.check(names)
        return replace(self, known=tuple(names))

    def check(self, names: Sequence[str]) -> None:
        """Check the options; UsageError for a column or sort field that is not among the names."""
        folded = {name.casefold() for name in names}
        sort = [name.removeprefix("-") for name in _parted(self.sort, names)]
        for option, asked in (("--columns", _parted(self.columns, names)), ("--sort", sort)):
            for name in asked:
                if name.casefold() not in folded:
                    clause = unknown("column", name, names)
                    raise UsageError(f"{option}: {clause}" + ("" if clause.endswith("?") else "."))

    def show(self, objects: Iterable[Mapping[str, object]], page: Iterable[Table | str]) -> None:
        """Print the objects as JSON, or the page as text or LaTeX; UsageError for an unknown name.

        Each of several tables is sorted by, and keeps, the columns that it has; one that has none of the
        chosen columns is left out.
        """
        if self.json:
            listed = list(objects)
            fields = list(dict.fromkeys(name for one in listed for name in one))
            if listed:
                self.check(fields)
            values = {name.casefold(): [one.get(name) for one in listed] for name in fields}
            order = _order(len(listed), _parted(self.sort, fields), lambda name: values.get(name.casefold()))
            print_json(listed[index] for index in order)
            return
        blocks = list(page)
        names = [name for block in blocks if isinstance(block, Table) for name in _names(block)]
        if names:
            self.check(self.known or names)
        arranged = (self._arranged(block, names) if isinstance(block, Table) else block for block in blocks)
        shown = (block for block in arranged if block is not None)
        if self.latex:
            print_latex(shown)
        else:
            print_page(shown)

    def _arranged(self, table: Table, names: Sequence[str]) -> Table | None:
        if self.sort:
            order = _order(len(table.rows), _parted(self.sort, names), lambda name: _values(table, name))
            rows = tuple(table.rows[index] for index in order)
            objects = tuple(table.objects[index] for index in order) if table.objects else ()
            table = replace(table, rows=rows, objects=objects)
        return _chosen(table, _parted(self.columns, names)) if self.columns else table


def view(
    columns: options.Columns = None,
    sort: options.Sort = None,
    json: options.Json = False,
    latex: options.Latex = False,
) -> View:
    """Return the view for the options; UsageError if they exclude each other."""
    if json and latex:
        raise UsageError("--json and --latex are two forms of the output; name one.")
    if json and columns:
        raise UsageError(
            "--columns chooses columns of tables; the objects of --json always have every field."
        )
    return View(json, tuple(columns or ()), tuple(sort or ()), latex=latex)


def _parted(values: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the names in the values of an option, split at commas except inside known names."""
    folded = {name.casefold() for name in known}
    return [
        name
        for value in values
        for name in ([value] if value.casefold() in folded else [part.strip() for part in value.split(",")])
    ]


def _names(table: Table) -> list[str]:
    """Return the names that `--columns` and `--sort` accept for a table."""
    return list(dict.fromkeys([*table.headings, *(name for one in table.objects[:1] for name in one)]))


def _field(table: Table, name: str) -> str | None:
    fields = (field for one in table.objects[:1] for field in one)
    return next((field for field in fields if field.casefold() == name.casefold()), None)


def _at(table: Table, name: str) -> list[int]:
    """Return the positions of the columns with a heading; a publication may repeat a heading."""
    return [i for i, heading in enumerate(table.headings) if heading.casefold() == name.casefold()]


def _values(table: Table, name: str) -> list[object] | None:
    """Return the sort values of a table: a field of its objects, or the texts under a heading."""
    field = _field(table, name)
    if field is not None:
        return [one.get(field) for one in table.objects]
    places = _at(table, name)
    return [row[places[0]] for row in table.rows] if places else None


def _order(count: int, names: Sequence[str], values_of: Callable[[str], list[object] | None]) -> list[int]:
    """Return the order of rows sorted by several names, the first one foremost; missing values come last."""
    order = list(range(count))
    for name in reversed(names):
        values = values_of(name.removeprefix("-"))
        if values is not None:
            keys = {index: _key(value) for index, value in enumerate(values) if value not in (None, "")}
            known = [index for index in order if index in keys]
            known.sort(key=keys.__getitem__, reverse=name.startswith("-"))
            order = [*known, *(index for index in order if index not in keys)]
    return order


def _key(value: object) -> tuple[int, float, object]:
    """Return a sort key: numbers first, also those with separators or a unit, then texts."""
    if isinstance(value, int | float):
        return 0, value, ()
    text = str(value).strip()
    figure = _FIGURE.fullmatch(text)
    if figure is not None:
        return 0, float(figure[1].replace(",", "")) * _SCALES.get(figure[2], 1.0), ()
    return 1, 0.0, natural(text)


def _chosen(table: Table, names: Sequence[str]) -> Table | None:
    """Return the table with only these columns, in this order; None if it has none of them."""
    headings: list[str] = []
    columns: list[list[str]] = []
    numeric: list[bool] = []
    for name in names:
        places = _at(table, name)
        for index in places:
            headings.append(table.headings[index])
            columns.append([row[index] for row in table.rows])
            numeric.append(table.is_numeric(index))
        field = None if places else _field(table, name)
        if field is not None:
            values = [one.get(field) for one in table.objects]
            headings.append(field)
            columns.append([plain(value) for value in values])
            numeric.append(is_number(values))
    if not headings:
        return None
    rows = tuple(zip(*columns, strict=True))
    return Table(table.title, tuple(headings), rows, left=0, numeric=tuple(numeric))
