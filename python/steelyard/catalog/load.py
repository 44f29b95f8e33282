"""Load and check the catalogue: being in the right folder is the registration."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from steelyard.catalog import answers
from steelyard.catalog.calls import calls
from steelyard.catalog.constructions import expand
from steelyard.catalog.kept import kept
from steelyard.catalog.models import (
    CPU_CLASSES,
    LINUX,
    Algorithm,
    AlgorithmFile,
    AnswerFile,
    Chip,
    ChipFacts,
    CoreFile,
    CpuClass,
    Kind,
    Mode,
    ModeFile,
    Primitive,
    Strict,
    Target,
    TargetFile,
    Variant,
    VariantFile,
    Vector,
    VectorFile,
)
from steelyard.catalog.trees.found import Implementation, LeftOut
from steelyard.catalog.trees.readers import read_tree, reader_of, titles
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.nearest import nearest, printable, unknown

# No data file of the catalogue comes near these; larger or deeper ones are mistakes or hostile. tomllib needs
# memory in the square of a dotted key's depth, hence the limit on full stops in a line.
_FILE_LIMIT_BYTES = 1 << 20
_FULL_STOPS_LIMIT = 100
_VECTOR_LIMIT_BYTES = 16 << 20
_ANSWERS_LIMIT_BYTES = 32 << 20
_SEARCH_DEPTH = 4

_VARIANT_NAME = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_FILE_NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_SOURCE_NAME = re.compile(rf"{_FILE_NAME}\.[cS]")
_SOURCE_PATH = re.compile(rf"(?:{_FILE_NAME}/)*{_FILE_NAME}\.[cS]")
_FOLDER_PATH = re.compile(rf"\.|\.\.|(?:\.\./)?{_FILE_NAME}(?:/{_FILE_NAME})*")
_MACRO_VALUE = re.compile(r"[A-Za-z0-9_]*")
_OWN_MACROS = ("PRIMITIVE_", "RECORD_BYTES", "PART_INIT_DECRYPT", "HARNESS_")
_MACRO_NAME = re.compile(r"[A-Z][A-Z0-9_]*")

_File = TypeVar("_File", bound=Strict)
_Table = dict[str, Any]


class CatalogError(UsageError):
    """A data file of the catalogue, or a name looked up in it, is invalid; one sentence."""


@dataclass(frozen=True)
class DefaultVariants(Container[tuple[str, str]]):
    """Contains a variant's name with a target's if it is the default there.

    A target that is no chip of the catalogue is taken for a Linux device.
    """

    variants: frozenset[tuple[str, CpuClass]]
    chips: Mapping[str, CpuClass]

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, tuple):
            return False
        variant, target = item
        return (variant, self.chips.get(target, LINUX)) in self.variants


@dataclass(frozen=True)
class Catalog:
    """Everything that can be measured, and the targets; tuples are ordered by identifier.

    `awaited` are algorithms with the primitives for which only an import brings code; none of them is among
    `algorithms`.
    """

    algorithms: tuple[Algorithm, ...]
    modes: tuple[Mode, ...]
    targets: tuple[Target, ...]
    user_folders: tuple[Path, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    awaited: tuple[Algorithm, ...] = ()

    @cached_property
    def _algorithm_of(self) -> dict[str, Algorithm]:
        return {p.id: algorithm for algorithm in self.algorithms for p in algorithm.file.primitive}

    @property
    def primitives(self) -> tuple[Primitive, ...]:
        """All primitives, algorithm by algorithm, in the order of their files."""
        return tuple(p for algorithm in self.algorithms for p in algorithm.file.primitive)

    @property
    def awaited_primitives(self) -> tuple[str, ...]:
        """The names of the primitives for which only an import brings code."""
        return tuple(p.id for algorithm in self.awaited for p in algorithm.file.primitive)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """All variants of all algorithms."""
        return tuple(v for algorithm in self.algorithms for v in algorithm.variants)

    @cached_property
    def defaults(self) -> DefaultVariants:
        """The default variants with the targets on which they are."""
        return DefaultVariants(
            frozenset((variant.id, one) for variant in self.variants for one in variant.file.default),
            {target.id: target.cpu_class for target in self.targets},
        )

    def algorithm_of(self, primitive_id: str) -> Algorithm:
        """The algorithm a primitive belongs to; CatalogError for an unknown name."""
        if primitive_id not in self._algorithm_of:
            awaited = self.awaited_primitives
            if primitive_id in awaited:
                raise CatalogError(needs_import(primitive_id))
            known = (*self._algorithm_of, *awaited)
            raise CatalogError(sentence(unknown("primitive", primitive_id, known)))
        return self._algorithm_of[primitive_id]

    def primitive(self, primitive_id: str) -> Primitive:
        """The primitive of that name; CatalogError for an unknown one."""
        return self.algorithm_of(primitive_id).primitive(primitive_id)

    def variant(self, variant_id: str) -> Variant:
        """The variant `algorithm/name`; CatalogError for an unknown one."""
        return _find("variant", variant_id, self.variants)

    def default_variant(self, algorithm_id: str, cpu_class: CpuClass) -> Variant:
        """The variant of an algorithm that is taken on a class of processors where none is named."""
        algorithm = next(one for one in self.algorithms if one.id == algorithm_id)
        for variant in algorithm.variants:
            if cpu_class in variant.file.default:
                return variant
        raise CatalogError(f"{algorithm_id} has no default variant, because its code is imported: name one.")

    def mode(self, mode_id: str) -> Mode:
        """The mode of that name; CatalogError for an unknown one."""
        return _find("mode", mode_id, self.modes)

    def target(self, target_id: str) -> Target:
        """The chip of that name; CatalogError for an unknown one."""
        return _find("target", target_id, self.targets)

    def is_users(self, variant: Variant) -> bool:
        """Whether a variant came from a folder that the user added."""
        return any(variant.folder.is_relative_to(folder) for folder in self.user_folders)


def needs_import(name: str) -> str:
    """Return the sentence for who asks for a primitive or an algorithm without code."""
    return (
        f"{name}: no code for it is here; steelyard import DIR measures that of a tree of others, and"
        " --primitives DIR adds it to other commands."
    )


_Item = TypeVar("_Item", Variant, Mode, Target)


def _find(what: str, name: str, items: Iterable[_Item]) -> _Item:
    by_id = {item.id: item for item in items}
    if name not in by_id:
        raise CatalogError(sentence(unknown(what, name, by_id)))
    return by_id[name]


def load_catalog(
    extra: Sequence[Path] = (), adapter: Path | None = None, *, temporary: bool = False
) -> Catalog:
    """Load Steelyard's catalogue and the user's folders in `extra`; CatalogError in one sentence.

    A user's folder may be a variant, an algorithm, or a tree of them: every `algorithm.toml` in it adds an
    algorithm, every other `variant.toml` a variant of the known algorithm named like its parent folder. A
    folder without either is a tree of others, in one of the formats of `catalog.trees`. With `adapter`, a
    file, all folders are trees that it describes. What is loaded of `temporary` folders is not kept for the
    next run.
    """
    root, folders = data_root(), tuple(folder.resolve() for folder in extra)
    if adapter is not None or temporary or any(_is_tree(folder) for folder in folders):
        # What such a tree holds is told by files of every kind: it is read anew.
        return _load(root, folders, adapter)
    return kept(root, folders, _SEARCH_DEPTH, _FILE_LIMIT_BYTES, lambda: _load(root, folders))


def _load(root: Path, folders: tuple[Path, ...], adapter: Path | None = None) -> Catalog:
    modes = tuple(_load_modes(root / "modes"))
    found = _Found()
    for path in sorted((root / "primitives").glob("*/*/algorithm.toml")):
        kind = path.parent.parent.name
        if kind not in get_args(Kind):
            raise CatalogError(f"{path}: {unknown('kind', kind, get_args(Kind))}.")
        found.add_algorithm(path, kind)
    for path in sorted((root / "primitives").glob("*/*/*/variant.toml")):
        found.add_variant(path)
    for path in sorted((root / "vectors").glob("*.toml")):
        found.add_vectors(path, path.stem)
    for folder in folders:
        _add_user_folder(found, folder, adapter)
    algorithms = tuple(found.algorithms(modes))
    return Catalog(
        algorithms=algorithms,
        modes=modes,
        targets=tuple(_load_targets(root / "targets")),
        user_folders=folders,
        left_out=tuple(found.left_out),
        awaited=tuple(found.awaited(algorithms)),
    )


class _Found:
    """Files read so far, by algorithm; they become checked algorithms at the end."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[Path, AlgorithmFile]] = {}
        self._variants: dict[str, dict[str, Variant]] = {}
        self._vectors: dict[str, list[tuple[Path, Vector]]] = {}
        self._answers_seen: set[tuple[Path, str, str, str]] = set()
        self._answers: list[tuple[Path, str, AnswerFile]] = []
        self.left_out: list[LeftOut] = []

    def add_tree(self, root: Path, adapter: Path | None = None) -> None:
        """Add the implementations of a tree of others."""
        for one in read_tree(root, adapter):
            if isinstance(one, LeftOut):
                self.left_out.append(one)
            else:
                self._add_implementation(root, one)

    def _add_implementation(self, root: Path, one: Implementation) -> None:
        path = root / one.where
        primitive = one.primitive if isinstance(one.primitive, str) else one.primitive.id
        siblings = self._variants.setdefault(one.algorithm, {})
        first, had = one.algorithm not in self._files, siblings.get(one.name)
        # One code may do several primitives: it is one variant.
        done = (*((had.file.primitives if had is not None else None) or ()), primitive)
        default = had.file.default if had is not None else (CPU_CLASSES if first else ())
        file = _with_headers(root, one.file.model_copy(update={"primitives": done, "default": default}))
        if had is not None and (
            had.root != root
            or primitive in done[:-1]
            or had.file.model_copy(update={"primitives": done}) != file
        ):
            raise CatalogError(
                f"{path}: variant {one.algorithm}/{one.name} is already there, of {had.folder}."
            )
        if not first:
            self._join(path, one)
        elif isinstance(one.primitive, Primitive):
            algorithm = AlgorithmFile(
                kind=one.kind, title=one.title or one.algorithm, specification=one.specification or one.where
            )
            self._files[one.algorithm] = (path, algorithm.model_copy(update={"primitive": (one.primitive,)}))
        else:
            raise CatalogError(f"{path}: {sentence(unknown('algorithm', one.algorithm, self._files))}")
        listed = self._vectors.setdefault(one.algorithm, [])
        listed.extend((path, vector) for vector in one.vectors if all(vector != had for _, had in listed))
        for answers_path in one.answers:
            entry = (answers_path.parent / "vectors", one.algorithm, answers_path.name, primitive)
            if entry not in self._answers_seen:
                self._answers_seen.add(entry)
                answers_file = AnswerFile.model_construct(name=answers_path.name, primitive=primitive)
                self._answers.append((entry[0], one.algorithm, answers_file))
        siblings[one.name] = _build(
            path / "variant",
            Variant,
            id=f"{one.algorithm}/{one.name}",
            algorithm_id=one.algorithm,
            folder=path if path.is_dir() else path.parent,
            file=file,
            root=root,
        )

    def _join(self, path: Path, one: Implementation) -> None:
        """Check an implementation against its algorithm, to which a tree may add further primitives."""
        known_path, file = self._files[one.algorithm]
        if file.kind != one.kind:
            raise CatalogError(f"{path}: it is a {one.kind}, but {one.algorithm} is a {file.kind}.")
        by_id = {primitive.id: primitive for primitive in file.primitive}
        if isinstance(one.primitive, str):
            # Those of a construction are made later, when all they may be over is known.
            if one.primitive not in by_id and file.over is None:
                raise CatalogError(f"{path}: {sentence(unknown('primitive', one.primitive, by_id))}")
        elif one.primitive.id not in by_id:
            more = {"primitive": (*file.primitive, one.primitive)}
            self._files[one.algorithm] = (known_path, file.model_copy(update=more))
        elif _sizes(by_id[one.primitive.id]) != _sizes(one.primitive):
            raise CatalogError(
                f"{path}: it has other sizes than {one.primitive.id} of {known_path}: they need two names."
            )

    def add_algorithm(self, path: Path, kind: str | None) -> None:
        """Add an `algorithm.toml`; its folder names the algorithm, `kind` is its kind's folder if any."""
        file = read_file(path, AlgorithmFile)
        name = path.parent.name
        if name in self._files:
            raise CatalogError(f"{path}: algorithm {name} is already defined in {self._files[name][0]}.")
        if kind is not None and file.kind != kind:
            raise CatalogError(f'{path}: field kind is "{file.kind}" but the folder says "{kind}".')
        if bool(file.primitive) == (file.over is not None):
            raise CatalogError(f"{path}: it needs either primitive tables or an over table.")
        if file.over is not None and file.kind not in ("mac", "aead"):
            raise CatalogError(f"{path}: field over is for the kinds mac and aead; this is a {file.kind}.")
        if file.by_import and file.over is not None:
            raise CatalogError(f"{path}: field by_import: a construction is made over the catalogue's code.")
        self._files[name] = (path, file)
        for primitive in file.primitive:
            _check_primitive(path, file.kind, primitive)

    def add_variant(self, path: Path) -> None:
        """Add a `variant.toml` below the folder of its algorithm."""
        name, algorithm = path.parent.name, path.parent.parent.name
        if algorithm not in self._files:
            clause = sentence(unknown("algorithm", algorithm, self._files))
            raise CatalogError(f"{path}: the folder around a variant is named after its algorithm: {clause}")
        if not _VARIANT_NAME.fullmatch(name):
            raise CatalogError(
                f"{path}: the folder's name is the variant's: lower case, digits, '.', '+' and '-'."
            )
        siblings = self._variants.setdefault(algorithm, {})
        if name in siblings:
            raise CatalogError(
                f"{path}: variant {algorithm}/{name} is already defined in {siblings[name].folder}."
            )
        file = _resolved(path, _variant_file(path, self._files[algorithm][1].kind))
        _check_variant(path, self._files[algorithm][1], file)
        siblings[name] = _build(
            path, Variant, id=f"{algorithm}/{name}", algorithm_id=algorithm, folder=path.parent, file=file
        )

    def add_vectors(self, path: Path, algorithm: str) -> None:
        """Add a file of known answers of one algorithm."""
        if algorithm not in self._files:
            raise CatalogError(f"{path}: {sentence(unknown('algorithm', algorithm, self._files))}")
        listed = self._vectors.setdefault(algorithm, [])
        given = read_file(path, VectorFile)
        listed.extend((path, vector) for vector in given.vector)
        self._answers.extend((path, algorithm, one) for one in given.file)

    def algorithms(self, modes: Sequence[Mode]) -> Iterator[Algorithm]:
        """Return the algorithms that have code, checked against each other and against the modes.

        One by import has the primitives that its variants do.
        """
        expanded = sorted(self._expanded().items())
        _check_names_are_unique(expanded)
        for name, (path, file) in expanded:
            variants = self._variants.get(name, {})
            if not variants and not file.by_import:
                raise CatalogError(f"{path}: algorithm {name} has no variant (a folder with a variant.toml).")
            _check_defaults(path, name, variants.values(), wanted=not file.by_import)
            by_id = {primitive.id: primitive for primitive in file.primitive}
            vectors = [*self._vectors.get(name, []), *self._published(name, file)]
            for index, (vector_path, vector) in enumerate(vectors, start=1):
                _check_vector(f"{vector_path}: vector {index}", file.kind, by_id, modes, vector)
            if file.by_import:
                done = _with_code(file.primitive, variants.values())
                if not done:
                    continue
                file = file.model_copy(update={"primitive": done})
            yield _build(
                path,
                Algorithm,
                id=name,
                folder=path.parent,
                file=file,
                variants=tuple(variants[key] for key in sorted(variants)),
                vectors=tuple(vector for _, vector in vectors),
            )

    def awaited(self, algorithms: Iterable[Algorithm]) -> Iterator[Algorithm]:
        """Yield the algorithms by import, with the primitives that none of these has code for."""
        has = {primitive.id for algorithm in algorithms for primitive in algorithm.file.primitive}
        for name, (path, file) in sorted(self._files.items()):
            rest = tuple(primitive for primitive in file.primitive if primitive.id not in has)
            if file.by_import and rest:
                update = {"primitive": rest}
                yield _build(
                    path,
                    Algorithm,
                    id=name,
                    folder=path.parent,
                    file=file.model_copy(update=update),
                    variants=(),
                    vectors=(),
                )

    def _published(self, name: str, file: AlgorithmFile) -> Iterator[tuple[Path, Vector]]:
        """Yield the answers of an algorithm that stand in files of others."""
        for path, algorithm, given in self._answers:
            if algorithm != name:
                continue
            where = f"{path}: file {given.name}"
            known = {primitive.id: primitive for primitive in file.primitive}
            if given.primitive not in known:
                clause = sentence(unknown("primitive", given.primitive, known))
                raise CatalogError(f"{where}: field primitive: {clause}")
            try:
                text = read_limited(path.parent / given.name, _ANSWERS_LIMIT_BYTES).decode("utf-8")
                read = answers.parsed(text)
            except (UsageError, ValueError) as error:
                raise CatalogError(f"{where}: {str(error).rstrip('.')}.") from None
            found = list(answers.vectors(read, file.kind, known[given.primitive], given.mode, given.name))
            if not found:
                raise CatalogError(
                    f"{where}: none of its {len(read)} answers has the lengths of {given.primitive}."
                )
            yield from ((path.parent / given.name, one) for one in answers.spread(found, given.most))

    def _expanded(self) -> dict[str, tuple[Path, AlgorithmFile]]:
        try:
            files = expand({name: file for name, (_, file) in self._files.items()})
        except KeyError as error:
            missing = str(error.args[0])
            path = next(path for path, file in self._files.values() if missing in _names_over(file))
            known = [primitive.id for _, file in self._files.values() for primitive in file.primitive]
            raise CatalogError(
                f"{path}: field over: {sentence(unknown('primitive', missing, known))}"
            ) from None
        return {name: (self._files[name][0], file) for name, file in files.items()}


def _with_code(primitives: Iterable[Primitive], variants: Iterable[Variant]) -> tuple[Primitive, ...]:
    """Return the primitives that some variant does."""
    listed = tuple(variants)
    return tuple(one for one in primitives if any(variant.does(one.id) for variant in listed))


def _check_defaults(path: Path, algorithm: str, variants: Iterable[Variant], *, wanted: bool) -> None:
    """Refuse an algorithm unless each class of processors has one default variant; at most one if not
    `wanted`.
    """
    listed = {one: sorted(v.id for v in variants if one in v.file.default) for one in CPU_CLASSES}
    without = [one for one in CPU_CLASSES if wanted and not listed[one]]
    if len(without) == len(CPU_CLASSES):
        raise CatalogError(
            f"{path}: no variant of {algorithm} is the default; set default = true in one variant.toml."
        )
    if without:
        raise CatalogError(
            f"{path}: no variant of {algorithm} is the default for {', '.join(without)}; add what is missing"
            " to default in a variant.toml, or set default = true in one."
        )
    for cpu_class, names in listed.items():
        if len(names) > 1:
            raise CatalogError(
                f"{path}: {algorithm} has more than one default variant for {cpu_class}: {', '.join(names)}."
            )


def _check_names_are_unique(files: Iterable[tuple[str, tuple[Path, AlgorithmFile]]]) -> None:
    """Refuse a primitive that is defined twice; checked first, because it breaks its constructions."""
    owner: dict[str, Path] = {}
    for _, (path, file) in files:
        for primitive in file.primitive:
            if primitive.id in owner:
                raise CatalogError(
                    f"{path}: primitive {primitive.id} is already defined in {owner[primitive.id]}."
                )
            owner[primitive.id] = path


def _names_over(file: AlgorithmFile) -> set[str]:
    """Return the names of primitives over which those of a file are built."""
    names = {name for primitive in file.primitive for name in primitive.over}
    for derived in file.over.primitive if file.over is not None else ():
        names |= {*derived.counted, *derived.standing}
    return names


def _add_user_folder(found: _Found, folder: Path, adapter: Path | None) -> None:
    if not folder.is_dir():
        raise CatalogError(f"{printable(str(folder))}: --primitives names no folder.")
    if adapter is not None:
        found.add_tree(folder, adapter)
        return
    algorithms = _files_named(folder, "algorithm.toml")
    variants = _files_named(folder, "variant.toml")
    if not algorithms and not variants:
        if reader_of(folder) is not None:
            found.add_tree(folder)
            return
        raise CatalogError(
            f"{folder}: no algorithm.toml and no variant.toml within {_SEARCH_DEPTH} folders of it, and no"
            f" tree of a known format ({'; '.join(titles())})."
        )
    for path in algorithms:
        found.add_algorithm(path, None)
    for path in variants:
        found.add_variant(path)
    for path in _files_named(folder, "vectors.toml"):
        found.add_vectors(path, path.parent.name)


def _sizes(primitive: Primitive) -> Primitive:
    """Return a primitive without its standing, of which two trees may say different things."""
    return primitive.model_copy(update={"security": "acceptable", "authority": ""})


def _is_tree(folder: Path) -> bool:
    """Whether a folder holds code of others in a known format, and no file of the catalogue."""
    if not folder.is_dir() or any(_files_named(folder, f"{name}.toml") for name in ("algorithm", "variant")):
        return False
    return reader_of(folder) is not None


def _with_headers(root: Path, file: VariantFile) -> VariantFile:
    """Return a variant's file with the headers that its globs match."""
    headers = (path for name in file.headers for path in root.glob(name) if path.is_file())
    named = tuple(sorted({path.relative_to(root).as_posix() for path in headers}))
    return file.model_copy(update={"headers": named})


def _files_named(folder: Path, name: str) -> list[Path]:
    patterns = ["/".join(["*"] * depth + [name]) for depth in range(_SEARCH_DEPTH)]
    return sorted(path for pattern in patterns for path in folder.glob(pattern))


def _load_modes(folder: Path) -> Iterator[Mode]:
    for path in sorted(folder.glob("*/mode.toml")):
        file = read_file(path, ModeFile)
        _check_sources(path, file.sources)
        yield _build(path, Mode, id=path.parent.name, folder=path.parent, file=file)


def _load_targets(folder: Path) -> Iterator[Target]:
    core_files = {path.stem: path for path in sorted((folder / "cores").glob("*.toml"))}
    cores: dict[str, tuple[_Table, _Table]] = {}
    for path in sorted(folder.glob("*.toml")):
        own = read_toml(path)
        name = _checked(path, TargetFile, own).core
        if own["id"] != path.stem:
            raise CatalogError(f'{path}: field id is "{own["id"]}" but the file is named "{path.stem}".')
        if name not in core_files:
            raise CatalogError(f"{path}: field core: {sentence(unknown('core', name, core_files))}")
        if name not in cores:
            cores[name] = read_core(core_files[name])
        yield make_target(path, own, *cores[name])


def make_target(path: Path, own: _Table, core: _Table, shared: _Table) -> Target:
    """A chip from what its file says and `read_core` returns of its core; CatalogError names the file."""
    chip = _checked(path, Chip, {**_joined(shared, own), "family": core["family"]})
    return _build(path, Target, file=chip, core=core, timing_version=timing_version(chip, core))


def read_core(path: Path) -> tuple[_Table, _Table]:
    """A core's data as the emulator takes them, and what all chips with it have in common; CatalogError."""
    core = read_toml(path)
    name = _checked(path, CoreFile, core).family
    family = path.parents[1] / "families" / f"{name}.toml"
    if not family.is_file():
        known = sorted(file.stem for file in family.parent.glob("*.toml"))
        raise CatalogError(f"{path}: field family: {sentence(unknown('family', name, known))}")
    shared = read_toml(family)
    _checked(family, ChipFacts, shared)
    return core, _joined(shared, core.pop("chip", {}))


def _joined(shared: _Table, own: _Table) -> _Table:
    """What a family, a core and a chip say together: `own` counts where both say something.

    Lists add up, the shared lines first. Memories count by name, in the order of their addresses.
    """
    joined = {**shared, **own}
    for name in shared.keys() & own.keys():
        if name == "memory":
            joined[name] = _memories(shared[name], own[name])
        elif isinstance(own[name], dict):
            joined[name] = _joined(shared[name], own[name])
        elif isinstance(own[name], list):
            joined[name] = [*shared[name], *own[name]]
    return joined


def _memories(shared: list[_Table], own: list[_Table]) -> list[_Table]:
    named = {memory["name"] for memory in own}
    memories = [*own, *(memory for memory in shared if memory["name"] not in named)]
    spaces = list(dict.fromkeys(memory["space"] for memory in memories))
    return sorted(memories, key=lambda memory: (spaces.index(memory["space"]), memory["base"]))


def timing_version(file: Chip, core: Mapping[str, Any]) -> str:
    """Return a version that changes with anything that can change a cycle count: core, memories, options."""
    # What a file does not say leaves its version as it was before there was such a thing to say.
    memories = [
        memory.model_dump(exclude={name for name in ("latency", "also_at") if not getattr(memory, name)})
        for memory in file.memory
    ]
    data = [core, memories, file.core_options]
    if file.cache is not None:
        data.append({"cache": file.cache.model_dump(), "clock_hz": file.clock_hz})
    if file.flash is not None:
        flash = file.flash.model_dump(exclude={"region"} if file.flash.region is None else None)
        data.append({"flash": flash, "clock_hz": file.clock_hz})
    text = json.dumps(data, sort_keys=True, default=str)
    return f"{file.core}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _check_primitive(path: Path, kind: Kind, primitive: Primitive) -> None:
    needs = {
        "block": ("key_bytes", "block_bytes"),
        "stream": ("key_bytes",),
        "hash": ("digest_bytes", "block_bytes"),
        "mac": ("key_bytes", "tag_bytes"),
        "aead": ("key_bytes", "iv_bytes", "tag_bytes"),
        "signature": ("key_bytes", "public_key_bytes", "signature_bytes"),
        "kem": ("key_bytes", "public_key_bytes", "ciphertext_bytes", "shared_secret_bytes"),
    }
    if primitive.parts:
        raise CatalogError(f"{path}: primitive {primitive.id}: field parts is made from over, not written.")
    for name in needs[kind]:
        if getattr(primitive, name) == 0:
            raise CatalogError(
                f"{path}: primitive {primitive.id}: field {name} is missing; a {kind} primitive needs it."
            )
    for name in primitive.defines:
        if not _MACRO_NAME.fullmatch(name):
            raise CatalogError(
                f'{path}: primitive {primitive.id}: "{printable(name)}" in defines is not a macro name.'
            )


def _check_variant(path: Path, algorithm: AlgorithmFile, file: VariantFile) -> None:
    if algorithm.by_import and not file.call:
        raise CatalogError(f"{path}: field call is missing: code by import has an interface of its own.")
    _check_sources(path, file.sources, shared=True)
    _check_compilation(path, file)
    _check_interface(path, algorithm, file)
    header = algorithm.context_header
    if (
        file.interface is None
        and not file.call
        and not any((folder / header).is_file() for folder in path.parents[:2])
    ):
        raise CatalogError(f"{path}: there is no {header} beside it or in its algorithm's folder.")
    for name, usual in (("init_decrypt", False), ("on_the_fly", False), ("decrypts", True)):
        if getattr(file, name) != usual and algorithm.kind != "block":
            raise CatalogError(f"{path}: field {name} is for block ciphers; this is a {algorithm.kind}.")
    if file.on_the_fly and algorithm.no_on_the_fly is not None:
        raise CatalogError(f"{path}: field on_the_fly contradicts no_on_the_fly of the algorithm.")
    if file.primitives is not None and algorithm.over is not None:
        raise CatalogError(f"{path}: field primitives: a variant of a construction does all of them.")
    known = [primitive.id for primitive in algorithm.primitive]
    for name in file.primitives or ():
        if name not in known:
            raise CatalogError(f"{path}: field primitives: {sentence(unknown('primitive', name, known))}")


def _variant_file(path: Path, kind: Kind) -> VariantFile:
    """Return a `variant.toml`; its table `call` has a call, written as in C, for each operation."""
    given = read_toml(path)
    if isinstance(given.get("call"), dict):
        try:
            rows = tuple(calls(given["call"], kind))
        except ValueError as error:
            raise CatalogError(f"{path}: field {error}.") from None
        given["call"] = [row.model_dump() for row in rows]
    return _checked(path, VariantFile, given)


def _resolved(path: Path, file: VariantFile) -> VariantFile:
    """Return a variant's file with the sources that its globs match, in the order of their names."""
    if not any(set(name) & set("*?[") for name in file.sources):
        return file
    sources: list[str] = []
    for name in file.sources:
        if not set(name) & set("*?["):
            sources.append(name)
            continue
        below = name.removeprefix("../")
        folder = path.parent if below == name else path.parent.parent
        if below.startswith(("/", "../")) or "**" in below:
            raise CatalogError(
                f'{path}: field sources: "{printable(name)}" leads out of its algorithm\'s folder.'
            )
        found = sorted(
            one for one in folder.glob(below) if _SOURCE_NAME.fullmatch(one.name) and one.is_file()
        )
        if not found:
            raise CatalogError(f'{path}: field sources: no .c or .S file matches "{printable(name)}".')
        prefix = name.removesuffix(below)
        sources += (prefix + one.relative_to(folder).as_posix() for one in found)
    return file.model_copy(update={"sources": tuple(dict.fromkeys(sources))})


def _check_compilation(path: Path, file: VariantFile) -> None:
    if file.in_mode:
        raise CatalogError(f"{path}: field in_mode is for trees of others, whose reader knows their modes.")
    for name in file.include_dirs:
        if not _FOLDER_PATH.fullmatch(name) or not (path.parent / name).is_dir():
            raise CatalogError(
                f'{path}: field include_dirs: "{printable(name)}" is no folder below the variant\'s or, after'
                " ../, the algorithm's."
            )
    for name, value in file.defines.items():
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or not _MACRO_VALUE.fullmatch(str(value)):
            raise CatalogError(
                f'{path}: field defines: "{printable(name)}" is not the name of a macro with a number or a'
                " name as its value."
            )
        if name.startswith(_OWN_MACROS):
            raise CatalogError(f"{path}: field defines: {name} is a macro of Steelyard.")
    for name, parameter in file.parameters.items():
        macro = parameter.define
        if macro is not None and (macro.startswith(_OWN_MACROS) or macro in file.defines):
            raise CatalogError(
                f"{path}: field parameters: {name}: {macro} is a macro of Steelyard or of defines."
            )


def _check_interface(path: Path, algorithm: AlgorithmFile, file: VariantFile) -> None:
    if file.interface is None:
        for name in ("record_bytes", "call_sources"):
            if getattr(file, name):
                raise CatalogError(f"{path}: field {name} is for variants with an interface.")
        return
    _check_sources(path, file.call_sources, shared=True, field="call_sources")
    if algorithm.kind not in ("block", "hash") or file.init_decrypt:
        raise CatalogError(
            f"{path}: field interface: only hashes, and block ciphers with one set-up, can have it."
        )
    if file.families is None or len(file.families) != 1:
        raise CatalogError(f"{path}: field interface: name the one family of its registers in families.")
    done = file.primitives or tuple(primitive.id for primitive in algorithm.primitive)
    given = file.record_bytes
    sizes = given if isinstance(given, dict) else dict.fromkeys(done, given or 0)
    for name in done:
        if sizes.get(name, 0) < 2 or sizes[name] % 2:
            raise CatalogError(
                f"{path}: field record_bytes: a record of {name} has an even number of bytes above 0."
            )


def _check_sources(
    path: Path, sources: Iterable[str], *, shared: bool = False, field: str = "sources"
) -> None:
    """CatalogError for what is no source beside `path`, nor below it or the folder around if `shared`."""
    places = "beside it or, after ../, in its algorithm's folder" if shared else "beside it"
    seen: set[str] = set()
    for name in sources:
        base = name.removeprefix("../") if shared else name
        if not (_SOURCE_PATH if shared else _SOURCE_NAME).fullmatch(base):
            raise CatalogError(
                f'{path}: field {field}: "{printable(name)}" is not the name of a .c or .S file {places}.'
            )
        if not (path.parent / name).is_file():
            if os.path.lexists(path.parent / name):
                raise CatalogError(
                    f'{path}: field {field}: "{name}" is no regular file, nor a link to one that is there.'
                )
            folder = name.rpartition("/")[0] + "/" if "/" in name else ""
            if not (path.parent / folder).is_dir():
                raise CatalogError(f'{path}: field {field}: there is no folder "{folder}" for {base}.')
            there = [folder + file.name for file in (path.parent / folder).iterdir() if file.is_file()]
            raise CatalogError(f"{path}: field {field}: {sentence(unknown('file', name, there))}")
        if base in seen:
            raise CatalogError(f'{path}: field {field} names "{base}" twice.')
        seen.add(base)
        # A compiler sees both folders as one, in which the variant's own files go first.
        if name != base and "/" not in base and (path.parent / base).exists():
            raise CatalogError(f'{path}: field {field} names "{name}", but a {base} lies beside it.')


def _check_vector(
    where: str, kind: Kind, primitives: Mapping[str, Primitive], modes: Sequence[Mode], vector: Vector
) -> None:
    if vector.primitive not in primitives:
        raise CatalogError(
            f"{where}: field primitive: {sentence(unknown('primitive', vector.primitive, primitives))}"
        )
    if kind == "kem":
        raise CatalogError(f"{where}: a kem has no vectors: its operations are checked against each other.")
    only = {"hash": ("digest",), "mac": ("mac",), "aead": ("seal",), "signature": ("sign",)}
    operations = only.get(kind, ("encrypt", "decrypt"))
    if primitives[vector.primitive].overhead_bytes:
        operations = (*operations, "encrypt")
    if vector.operation not in operations:
        raise CatalogError(
            f'{where}: field operation is "{vector.operation}"; a {kind} has {" and ".join(operations)}.'
        )
    primitive = primitives[vector.primitive]
    by_id = {mode.id: mode for mode in modes}
    if vector.mode is not None and kind != "block":
        raise CatalogError(f"{where}: field mode is for block ciphers; this is a {kind}.")
    if vector.mode is not None and vector.mode not in by_id:
        raise CatalogError(f"{where}: field mode: {sentence(unknown('mode', vector.mode, by_id))}")
    input_bytes = len(vector.input) // 2 * vector.repeat
    if input_bytes > _VECTOR_LIMIT_BYTES:
        raise CatalogError(
            f"{where}: input times repeat is {input_bytes} bytes; the limit is {_VECTOR_LIMIT_BYTES}."
        )
    mode = by_id[vector.mode] if vector.mode is not None else None
    iv_bytes = primitive.iv_bytes
    if kind == "block":
        iv_bytes = primitive.block_bytes if mode is not None and mode.file.uses_iv else 0
    expected = {
        "key": 0 if kind == "hash" else primitive.key_bytes,
        "iv": iv_bytes,
        "input": primitive.digest_bytes if vector.operation == "sign" else len(vector.input) // 2,
        "output": {
            "hash": primitive.digest_bytes,
            "mac": primitive.tag_bytes,
            "signature": primitive.signature_bytes
            if vector.operation == "sign"
            else input_bytes + primitive.overhead_bytes,
        }.get(kind, input_bytes),
        "tag": primitive.tag_bytes if kind == "aead" else 0,
        "public_key": primitive.public_key_bytes,
    }
    if vector.ad and kind != "aead":
        raise CatalogError(f"{where}: field ad is for AEADs; this is a {kind}.")
    for name, size_bytes in expected.items():
        actual = len(getattr(vector, name)) // 2
        if actual != size_bytes:
            raise CatalogError(
                f"{where}: field {name} has {actual} bytes; {vector.primitive} needs {size_bytes}."
            )
    if kind == "block" and mode is None and input_bytes != primitive.block_bytes:
        raise CatalogError(
            f"{where}: field input has {input_bytes} bytes; without a mode it is one block"
            f" of {primitive.block_bytes}."
        )
    if mode is not None and mode.file.whole_blocks and input_bytes % primitive.block_bytes:
        raise CatalogError(
            f"{where}: field input has {input_bytes} bytes; {mode.id} takes whole blocks"
            f" of {primitive.block_bytes}."
        )


def read_file(path: Path, model: type[_File]) -> _File:
    """Read a TOML file as its model; CatalogError in one sentence for anything wrong with it."""
    return _checked(path, model, read_toml(path))


def _checked(path: Path, model: type[_File], data: Mapping[str, Any]) -> _File:
    """What was read from a file as its model; CatalogError names the file and the field."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise CatalogError(f"{path}: {first_problem(error, model)}") from None


def _build(path: Path, model: type[_File], **fields: object) -> _File:
    """Build a catalogue entry from checked parts; only its name, that of its folder, can still be wrong."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise CatalogError(f"{path.parent}: {first_problem(error, model)}") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file; CatalogError in one sentence if it is invalid."""
    if path.exists() and not path.is_file():
        raise CatalogError(f"{path}: a data file is a regular file; this is a folder, a pipe or a device.")
    try:
        raw = read_limited(path, _FILE_LIMIT_BYTES, "a data file")
        for number, text in enumerate(raw.split(b"\n"), start=1):
            if text.count(b".") > _FULL_STOPS_LIMIT:
                raise CatalogError(f"{path}: line {number} has more than {_FULL_STOPS_LIMIT} full stops.")
        return parse_toml(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise CatalogError(f"{path}: line {line} is not UTF-8 text.") from None
    except CatalogError:
        raise
    except UsageError as error:
        raise CatalogError(str(error)) from None
    except ValueError as error:
        raise CatalogError(f"{path}: not valid TOML: {printable(str(error))}.") from None


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML; tomllib.TOMLDecodeError, or another ValueError, if it is invalid."""
    try:
        # tomllib hands some values straight to int() and datetime, which refuse with a plain ValueError.
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("values are nested too deeply") from None


def first_problem(error: ValidationError, model: type[BaseModel]) -> str:
    """Return the first problem of a file, in one clause that names the field."""
    problems = error.errors(include_url=False)
    # A misspelt field is missing too; what was written says more.
    problem = next((problem for problem in problems if problem["type"] == "extra_forbidden"), problems[0])
    where = printable(".".join(str(part + 1) if isinstance(part, int) else part for part in problem["loc"]))
    if problem["type"] == "extra_forbidden":
        name = str(problem["loc"][-1])
        match = nearest(name, _field_names(model))
        hint = f'; did you mean "{match}"?' if match is not None else "."
        return f"unknown field {where}{hint}"
    if problem["type"] == "missing":
        return f"field {where} is missing."
    message = printable(problem["msg"])
    return f"field {where}: {message[0].lower()}{message[1:]}."


def _field_names(model: type[BaseModel]) -> set[str]:
    """Return the field names of a file's model and of the tables inside it."""
    names: set[str] = set()
    seen: set[type[BaseModel]] = set()
    pending: list[type[BaseModel]] = [model]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        for name, field in current.model_fields.items():
            names.add(name)
            pending.extend(_models_in(field.annotation))
    return names


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def sentence(clause: str) -> str:
    """Return a clause of `unknown` as a sentence."""
    return clause if clause.endswith("?") else clause + "."
