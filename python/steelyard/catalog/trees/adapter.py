"""Libraries that a description of a few lines makes measurable: which function is which operation.

A description is a TOML file: `adapters/*.toml` of Steelyard, or `adapter.toml` in the tree's own root, which
comes first. `docs/import/libraries.md` defines it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from steelyard.catalog.calls import calls
from steelyard.catalog.constructions import expand
from steelyard.catalog.load import CatalogError, first_problem, read_file, read_toml, sentence
from steelyard.catalog.models import (
    AlgorithmFile,
    Declassified,
    ForeignCall,
    ForeignContext,
    FunctionName,
    Identifier,
    Kind,
    Primitive,
    Strict,
    VariantFile,
    Vector,
)
from steelyard.catalog.trees.found import Found, Implementation, LeftOut
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.nearest import printable, unknown

TITLE = "a library with an adapter"
OWN_FILE = "adapter.toml"

_PLACE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_NOT_OF_A_NAME = re.compile(r"[^a-z0-9.+-]+")
_MACRO = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_EXPRESSION = re.compile(r"(?!.*\b_*asm_*\b)[\w+*/()<>|&^~!?.,:;={}\[\]% -]*")
"""C on one line that neither holds a text nor makes an assembler read a file."""
_MACRO_VALUE = re.compile(rf"{_EXPRESSION.pattern}|\"[\w./-]*\"")
_TYPE = re.compile(r"[A-Za-z_][A-Za-z0-9_ ]*")
_SOURCE = re.compile(r".*\.(?:c|cc|cpp|cxx|S|s)")
_OF_STEELYARD = ("HARNESS_", "STEELYARD_")
_NOT_GNU = re.compile(rb"^[ \t]+(AREA|EXPORT|RSEG|MODULE)[ \t]+[A-Za-z_|.?]", re.MULTILINE)
"""Directives with which assembly for armasm (armcc) and for IAR's assemblers begins."""

_SOURCE_LIMIT_BYTES = 16 << 20
_JOINED = ("sources", "include_dirs", "headers", "flags", "defines", "call", "declassified", "annotated_by")
"""Fields of which a variant's own and those at the top count together; of others a variant's own count."""

_UNJUDGED = {
    "security": "acceptable",
    "authority": "none: code of others brings it",
}
"""Standing of a primitive that says nothing of it."""

_Table = dict[str, Any]


class OwnAlgorithm(Strict):
    """What the `primitive` table of an adapter says besides the fields of a primitive."""

    algorithm: Identifier
    kind: Kind
    title: str = ""
    specification: str = ""


class Shared(Strict):
    """What the variants of an adapter may have in common, and each may say for itself.

    `primitive` is an identifier, a list of them or a table. `sources` and `headers` may be globs. `call` has
    a call for each operation, or a list. With `each`, a list of tables, there is a variant for each of them.
    """

    primitive: Any = None
    each: Any = None
    summary: str = ""
    sources: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = (".",)
    defines: dict[str, int | str] = Field(default_factory=dict)
    headers: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    context: ForeignContext | None = None
    random: FunctionName | None = None
    families: tuple[Identifier, ...] | None = None
    call: dict[str, Any] = Field(default_factory=dict)
    answers: tuple[str, ...] = ()
    declassified: tuple[Declassified, ...] = ()
    annotated_by: dict[str, int | str] = Field(default_factory=dict)


class AdaptedVariant(Shared):
    """A `variant` table with what is shared; `each` has become values."""

    name: str = ""


class AdapterFile(Strict):
    """An adapter as it is written, but for what its variants share, which is checked with each of them.

    A folder with all files of `needs` is recognised, or one in whose folder `below` they are.
    """

    title: str
    needs: tuple[str, ...] = Field(min_length=1)
    below: str | None = None
    variant: tuple[_Table, ...] = Field(min_length=1)
    vector: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class Adapter:
    """An adapter: its path, what it says of itself, and what its variants share."""

    path: Path
    file: AdapterFile
    shared: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Name of its variants unless they have one: its file's, or that of the folder around it."""
        stem = self.path.stem if self.path.name != OWN_FILE else self.path.resolve().parent.name
        return _NOT_OF_A_NAME.sub("-", stem.lower()).strip("-.+") or "library"

    def root(self, folder: Path) -> Path | None:
        """Return the folder to which its paths are relative, None in a folder that it does not describe."""
        for root in (folder, *([folder / self.file.below] if self.file.below is not None else [])):
            if all((root / name).is_file() for name in self.file.needs):
                return root
        return None


def recognises(root: Path) -> bool:
    """Whether some adapter describes a folder."""
    return _adapter_of(root) is not None


def read(root: Path) -> Iterator[Found]:
    """Yield the variants of the folder's adapter."""
    adapter = _adapter_of(root)
    if adapter is not None:
        yield from read_with(adapter, root)


def read_with(adapter: Adapter, folder: Path) -> Iterator[Found]:
    """Yield the variants that an adapter describes; CatalogError if it describes another folder, or badly."""
    root = adapter.root(folder)
    if root is None:
        missing = next(name for name in adapter.file.needs if not (folder / name).is_file())
        raise CatalogError(f"{adapter.path}: field needs: there is no {printable(missing)} in {folder}.")
    below = "" if root == folder else f"{adapter.file.below}/"
    seen: dict[tuple[str, str, str], str] = {}
    for number, table in enumerate(adapter.file.variant, start=1):
        for values, one in _each(adapter, number, table):
            where = _where(number, values)
            for found in _Reading(adapter, root, below, table, where).found(one):
                if isinstance(found, Implementation):
                    primitive = found.primitive if isinstance(found.primitive, str) else found.primitive.id
                    key = (found.algorithm, found.name, primitive)
                    if key in seen:
                        raise CatalogError(
                            f"{adapter.path}: {where}: field name: {found.algorithm}/{found.name} of"
                            f" {primitive} is also {seen[key]}."
                        )
                    seen[key] = where
                yield found


def load_adapter(path: Path) -> Adapter:
    """Read an adapter; CatalogError in one sentence."""
    data = read_toml(path)
    shared = {name: data.pop(name) for name in Shared.model_fields if name in data}
    try:
        return Adapter(path, AdapterFile.model_validate(data), shared)
    except ValidationError as error:
        raise CatalogError(f"{path}: {first_problem(error, _Written)}") from None


class _Written(AdapterFile, Shared):
    """All fields of an adapter, for the one that a misspelt name is nearest to."""


@cache
def _shipped(folder: Path) -> tuple[Adapter, ...]:
    return tuple(load_adapter(path) for path in sorted(folder.glob("*.toml")))


def _adapter_of(root: Path) -> Adapter | None:
    own = root / OWN_FILE
    if own.is_file():
        return load_adapter(own)
    return next((one for one in _shipped(data_root() / "adapters") if one.root(root) is not None), None)


@cache
def _known() -> Mapping[str, tuple[str, AlgorithmFile]]:
    """Return algorithm and file of each primitive of the catalogue, by identifier."""
    paths = (data_root() / "primitives").glob("*/*/algorithm.toml")
    files = expand({path.parent.name: read_file(path, AlgorithmFile) for path in sorted(paths)})
    return {primitive.id: (name, file) for name, file in files.items() for primitive in file.primitive}


def _where(number: int, values: Mapping[str, object]) -> str:
    first = next((f" ({name} = {value})" for name, value in values.items()), "")
    return f"variant {number}{printable(first)}"


def _each(adapter: Adapter, number: int, table: _Table) -> Iterator[tuple[_Table, _Table]]:
    """Yield a variant's tables with their values in the place of names in braces, and these values."""
    joined = _joined(adapter.shared, table)
    each = joined.pop("each", [{}])
    where = f"{adapter.path}: {f'variant {number}: ' if 'each' in table else ''}field each"
    if not isinstance(each, list) or not each or not all(isinstance(one, dict) for one in each):
        raise CatalogError(f"{where}: it is a list of tables, such as [{{ bits = 128 }}, {{ bits = 256 }}].")
    used: set[str] = set()
    for values in each:
        for name, value in values.items():
            if not isinstance(value, int | str):
                raise CatalogError(f"{where}: {printable(name)} is neither a number nor a text.")
        try:
            yield values, _filled(joined, values, used)
        except KeyError as error:
            text = sentence(unknown("value", str(error.args[0]), values))
            raise CatalogError(f"{adapter.path}: {_where(number, values)}: {text}") from None
    unused = sorted({name for values in each for name in values} - used)
    if unused:
        raise CatalogError(f"{where}: nothing names {{{printable(unused[0])}}}.")


def _joined(shared: Mapping[str, Any], own: _Table) -> _Table:
    joined = {**shared, **own}
    for name in _JOINED:
        common, more = shared.get(name), own.get(name)
        if isinstance(common, list) and isinstance(more, list):
            joined[name] = [*common, *more]
        elif isinstance(common, dict) and isinstance(more, dict):
            joined[name] = {**common, **more}
    return joined


def _filled(value: Any, values: Mapping[str, object], used: set[str]) -> Any:
    """Return a value in which every `{name}` is replaced; a text that is only one may become a number."""
    if isinstance(value, dict):
        return {_filled_text(name, values, used): _filled(one, values, used) for name, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, values, used) for one in value]
    if not isinstance(value, str):
        return value
    alone = _PLACE.fullmatch(value)
    if alone is not None and alone[1] in values:
        used.add(alone[1])
        return values[alone[1]]
    return _filled_text(value, values, used)


def _filled_text(text: str, values: Mapping[str, object], used: set[str]) -> str:
    used.update(name for name in _PLACE.findall(text) if name in values)
    return _PLACE.sub(lambda place: str(values[place[1]]), text)


class _Missing(Exception):
    """Files that a variant is made of are not in the tree; the message is a clause."""


@dataclass(frozen=True)
class _Reading:
    """One variant of an adapter, `written` as its table has it, at `where` of the adapter's file."""

    adapter: Adapter
    root: Path
    below: str
    written: _Table
    where: str

    def found(self, table: _Table) -> Iterator[Found]:
        """Yield the variant for each of its primitives, or why it is left out; CatalogError for a mistake."""
        try:
            variant = AdaptedVariant.model_validate(table)
        except ValidationError as error:
            field = str(error.errors()[0]["loc"][0])
            raise self._mistake(field, first_problem(error, AdaptedVariant)) from None
        given = variant.primitive if isinstance(variant.primitive, list) else [variant.primitive]
        if not given:
            raise self._mistake("primitive", "field primitive names none.")
        for one in given:
            found = self._of_primitive(variant, *self._primitive(one))
            yield found
            if isinstance(found, LeftOut):
                return

    def _of_primitive(
        self, variant: AdaptedVariant, algorithm: OwnAlgorithm, primitive: Primitive | str
    ) -> Found:
        kind = algorithm.kind
        try:
            call = tuple(calls(variant.call, kind))
        except ValueError as error:
            raise self._mistake("call", f"field {error}.") from None
        name = variant.name or self.adapter.name
        if not _NAME.fullmatch(name):
            raise self._mistake("name", "field name: lower case, digits, '.', '+' and '-'.")
        self._check(variant, call, kind)
        try:
            sources = self._paths("sources", variant.sources)
            self._check_assembly(sources)
            answers = tuple(self.root / name for name in self._paths("answers", variant.answers))
        except _Missing as missing:
            return LeftOut(f"{algorithm.algorithm}/{name}", str(missing))
        file = VariantFile(
            summary=variant.summary or self.adapter.file.title,
            sources=tuple(f"{self.below}{one}" for one in sources),
            include_dirs=tuple(f"{self.below}{one}" for one in variant.include_dirs),
            defines=variant.defines,
            headers=tuple(f"{self.below}{one}" for one in variant.headers),
            flags=variant.flags,
            context=variant.context,
            random=variant.random,
            families=variant.families,
            call=call,
            declassified=variant.declassified,
            annotated_by=variant.annotated_by,
        )
        return Implementation(
            algorithm=algorithm.algorithm,
            kind=kind,
            primitive=primitive,
            name=name,
            where=file.sources[0],
            file=file,
            title=algorithm.title,
            specification=algorithm.specification,
            vectors=self._vectors(primitive),
            answers=answers,
        )

    def _mistake(self, field: str, clause: str) -> CatalogError:
        """Return the error of a field, which stands in the variant's table or at the top of the file."""
        place = f"{self.where}: " if field in self.written or field not in self.adapter.shared else ""
        return CatalogError(f"{self.adapter.path}: {place}{clause}")

    def _primitive(self, given: object) -> tuple[OwnAlgorithm, Primitive | str]:
        """Return a primitive, one of the catalogue by its identifier, with its algorithm."""
        known = _known()
        if isinstance(given, str):
            if given not in known:
                clause = sentence(unknown("primitive", given, known))
                raise self._mistake("primitive", f"field primitive: {clause}")
            return OwnAlgorithm(algorithm=known[given][0], kind=known[given][1].kind), given
        if not isinstance(given, dict):
            clause = "is missing" if given is None else "is an identifier, a list of them or a table of sizes"
            raise self._mistake("primitive", f"field primitive {clause}.")
        beside = {name: given[name] for name in OwnAlgorithm.model_fields if name in given}
        sizes = {name: value for name, value in given.items() if name not in beside}
        model: type[Strict] = OwnAlgorithm
        try:
            algorithm, model = OwnAlgorithm.model_validate(beside), Primitive
            primitive = Primitive.model_validate(_UNJUDGED | sizes)
        except ValidationError as error:
            problem = first_problem(error, model).replace("field ", "field primitive.", 1)
            raise self._mistake("primitive", problem) from None
        if primitive.id in known and known[primitive.id][0] == algorithm.algorithm:
            return algorithm, primitive.id
        return algorithm, primitive

    def _vectors(self, primitive: Primitive | str) -> tuple[Vector, ...]:
        """Return the adapter's answers for a primitive that the tree brings."""
        if isinstance(primitive, str):
            return ()
        return tuple(one for one in self.adapter.file.vector if one.primitive == primitive.id)

    def _check(self, variant: AdaptedVariant, call: tuple[ForeignCall, ...], kind: Kind) -> None:
        """Refuse fields that no build could use."""
        if all(one.operation.startswith("init") for one in call):
            raise self._mistake("call", f"field call: no operation of a {kind} has a call.")
        if not variant.sources:
            raise self._mistake("sources", "field sources is missing.")
        if variant.context is None and any("context" in one.arguments for one in call):
            raise self._mistake(
                "call", "field call: a context is an argument, but there is no field context."
            )
        for name, value in variant.defines.items():
            if not _MACRO.fullmatch(name) or not _MACRO_VALUE.fullmatch(str(value)):
                raise self._mistake(
                    "defines",
                    f'field defines: "{printable(name)}" is not the name of a macro with a number, a name or'
                    " code as its value.",
                )
            if name.startswith(_OF_STEELYARD):
                raise self._mistake("defines", f"field defines: {name} is a macro of Steelyard.")
        context = variant.context
        if context is not None and not (
            _TYPE.fullmatch(context.type or "a") and _EXPRESSION.fullmatch(context.bytes or "")
        ):
            raise self._mistake(
                "context", "field context: it is neither the name of a type nor an expression."
            )
        for name in variant.sources:
            if not _SOURCE.fullmatch(name):
                raise self._mistake(
                    "sources",
                    f'field sources: "{printable(name)}" is not the name of a .c, .cc, .cpp, .cxx, .S or .s'
                    " file.",
                )
        for field in ("sources", "include_dirs", "headers", "answers"):
            for name in getattr(variant, field):
                parts = name.split("/")
                if name.startswith("/") or ".." in parts or "\\" in name:
                    raise self._mistake(field, f'field {field}: "{printable(name)}" leads out of the tree.')
                if not name.isprintable() or any(not one or ("**" in one and one != "**") for one in parts):
                    raise self._mistake(field, f'field {field}: "{printable(name)}" is no path and no glob.')

    def _paths(self, field: str, names: tuple[str, ...]) -> list[str]:
        """Return the files that names and globs of a field mean; _Missing where there is none."""
        found: dict[str, None] = {}
        for name in names:
            paths = [self.root / name]
            if set(name) & set("*?["):
                paths = sorted(self.root.glob(name))
            files = [path for path in paths if path.is_file()]
            if not files:
                raise _Missing(f"this tree has no {printable(self.below + name)}")
            found |= dict.fromkeys(path.relative_to(self.root).as_posix() for path in files)
        return list(found)

    def _check_assembly(self, sources: list[str]) -> None:
        """_Missing for a source in a notation that the GNU assembler does not read."""
        for name in sources:
            if not name.endswith((".s", ".S")):
                continue
            try:
                text = read_limited(self.root / name, _SOURCE_LIMIT_BYTES)
            except UsageError:
                continue
            directive = _NOT_GNU.search(text)
            if directive is not None:
                said = directive[1].decode()
                raise _Missing(f"{printable(name)} is not for the GNU assembler: it has the directive {said}")
