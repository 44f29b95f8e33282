"""pqm4, pqm3 and other benches of mupq, mupq by itself, and PQClean.

`crypto_kem/<scheme>/<implementation>/` and `crypto_sign/...` hold one implementation each, with `api.h`.
A bench (it has `mk/crypto.mk`) lends its schemes, mupq's and PQClean's the sources that its makefile lists.
mupq and PQClean are found where their submodules lie, or beside the bench: a tree may hold several of these
projects. What a bench lends goes before mupq's common sources, and these before PQClean's own.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from steelyard.catalog.models import ForeignCall, Kind, Primitive, VariantFile
from steelyard.catalog.trees.api import Interface, Sizes
from steelyard.catalog.trees.expression import NotANumber
from steelyard.catalog.trees.found import Found, Implementation, LeftOut
from steelyard.catalog.trees.preprocess import Preprocessor, Unreadable
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.nearest import printable

TITLE = "pqm4, pqm3, mupq and PQClean"

_KINDS: Mapping[str, Kind] = {"crypto_kem": "kem", "crypto_sign": "signature"}
_SOURCES = (".c", ".s", ".S")
_ELSEWHERE = {
    **dict.fromkeys(("avx", "avx2", "avx512", "sse", "aesni"), "it is for x86"),
    **dict.fromkeys(("aarch64", "neon"), "it is for 64-bit Arm"),
    "vec": "it is for words of 64 bits, and the bench's own makefile leaves it out",
}
_LIMIT_BYTES = 4 << 20
_NO_MEMORY_BYTES = 1 << 32
"""An estimate in `skiplist.py` from here on means that the bench never runs it."""

_INCLUDE = re.compile(r"""^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]""", re.MULTILINE)
_OPTION = re.compile(r"(?<!\S)-D([A-Za-z_]\w*)(?:=([\w.+-]*))?(?!\S)")
_FLOAT = re.compile(
    r"^[ \t]*(?:\w+:[ \t]*)?v(?:mov|ldr|str|ldm|stm|push|pop|add|sub|mul)\w*(?:\.\w+)*[ \t]", re.M
)
_FLOAT_FLAGS = ("-mfpu=fpv4-sp-d16", "-mfloat-abi=hard")
"""Flags with which benches compile for boards with a floating-point unit; some assembly needs just that."""

_FIPS = {
    "ml-kem-512": (800, 1632, 768, 32),
    "ml-kem-768": (1184, 2400, 1088, 32),
    "ml-kem-1024": (1568, 3168, 1568, 32),
    "ml-dsa-44": (1312, 2560, 2420),
    "ml-dsa-65": (1952, 4032, 3309),
    "ml-dsa-87": (2592, 4896, 4627),
}
"""Bytes of public key, secret key, and ciphertext and shared secret or signature: FIPS 203 table 3, FIPS 204
table 2. What has these names and sizes is the catalogue's primitive."""


@dataclass(frozen=True)
class _Project:
    """A folder with schemes, and what is compiled with each of them.

    `name` begins the names of its variants; `namespace` begins those of its functions, with scheme and
    implementation behind. `skipped` holds what its `skiplist.py` says of scheme and implementation.
    """

    folder: Path
    name: str
    folders: tuple[Path, ...]
    common: tuple[Path, ...]
    standard: str
    defines: Mapping[str, str] = field(default_factory=dict)
    namespace: str = ""
    missing: str = ""
    skipped: Mapping[tuple[str, str], int | None] = field(default_factory=dict)
    makefiles: Path | None = None


def identifier(scheme: str) -> str:
    """Return the name in the catalogue of a scheme, whose folder may have other characters."""
    return re.sub(r"[^a-z0-9.+-]", "-", scheme.lower())


def recognises(root: Path) -> bool:
    """Whether the folder, or one directly in it, is a bench of mupq, mupq or PQClean."""
    return any(_is_bench(folder) or _is_mupq(folder) or _is_pqclean(folder) for folder in _candidates(root))


def read(root: Path) -> Iterator[Found]:
    """Yield the implementations of every project, under names of which none comes twice.

    A scheme whose implementations differ in their sizes is several primitives.
    """
    names: Counter[tuple[str, str]] = Counter()
    sizes: dict[str, Primitive] = {}
    for project in _projects(root):
        for kind_folder in _KINDS:
            for scheme in _folders(project.folder / kind_folder):
                for folder in _folders(scheme):
                    if os.path.lexists(folder / "api.h"):
                        found = _Reading(root, project, folder).found()
                        yield found if isinstance(found, LeftOut) else _distinct(found, names, sizes)


def _distinct(
    one: Implementation, names: Counter[tuple[str, str]], sizes: dict[str, Primitive]
) -> Implementation:
    """Return an implementation with a name, and a primitive of its own, where others have these already."""
    primitive = one.primitive
    if isinstance(primitive, Primitive) and sizes.setdefault(primitive.id, primitive) != primitive:
        primitive = primitive.model_copy(update={"id": f"{primitive.id}-{one.name}"})
        one = replace(one, algorithm=primitive.id, primitive=primitive)
    names[one.algorithm, one.name] += 1
    count = names[one.algorithm, one.name]
    return one if count == 1 else replace(one, name=f"{one.name}-{count}")


def _candidates(root: Path) -> list[Path]:
    return [root, *(folder for folder in _folders(root) if _is_inside(root, folder))]


def _is_inside(root: Path, folder: Path) -> bool:
    return os.path.realpath(folder).startswith(f"{os.path.realpath(root)}/")


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if one.is_dir())
    except OSError:
        return []


def _is_bench(folder: Path) -> bool:
    return (folder / "mk" / "crypto.mk").is_file() and any((folder / kind).is_dir() for kind in _KINDS)


def _is_mupq(folder: Path) -> bool:
    return (folder / "mupq.py").is_file() and (folder / "common" / "fips202.c").is_file()


def _is_pqclean(folder: Path) -> bool:
    if not (folder / "common").is_dir():
        return False
    return any(next((folder / kind).glob("*/META.yml"), None) is not None for kind in _KINDS)


def _projects(root: Path) -> Iterator[_Project]:
    """Yield the projects of a tree: each bench with mupq's and PQClean's schemes, then what stands alone."""
    candidates = _candidates(root)
    benches = [folder for folder in candidates if _is_bench(folder)]
    beside_mupq = next((folder for folder in candidates if _is_mupq(folder)), None)
    beside_pqclean = next((folder for folder in candidates if _is_pqclean(folder)), None)
    for bench in benches:
        mupq, missing = _linked(root, bench / "mupq", _is_mupq, beside_mupq)
        pqclean, _ = _linked(root, (mupq or bench) / "pqclean", _is_pqclean, beside_pqclean)
        yield from _of_bench(root, bench, mupq, pqclean, missing)
    if not benches and beside_mupq is not None:
        pqclean, _ = _linked(root, beside_mupq / "pqclean", _is_pqclean, beside_pqclean)
        yield from _of_mupq(beside_mupq, pqclean)
    elif not benches and beside_pqclean is not None:
        common = beside_pqclean / "common"
        yield _Project(
            beside_pqclean, "pqclean", (common,), tuple(_common_of(common)), "-std=c99", namespace="PQCLEAN"
        )


def _linked(
    root: Path, place: Path, is_one: Callable[[Path], bool], beside: Path | None
) -> tuple[Path | None, str]:
    """Return a submodule of a bench where it should lie or beside it, or None and why there is none."""
    name = place.name
    if is_one(place):
        if _is_inside(root, place):
            return place, ""
        return beside, f"needs {name}, and {place.relative_to(root)} is a link that leads out of the tree"
    return beside, f"needs {name}, which is not in the tree"


def _of_bench(
    root: Path, bench: Path, mupq: Path | None, pqclean: Path | None, missing: str
) -> Iterator[_Project]:
    """Yield a bench's own schemes, mupq's and PQClean's, all with the sources that it lends."""
    lent, listed = [], _text(bench / "mk" / "crypto.mk")
    for name in re.findall(r"\S+\.[csS](?=\s|$)", listed):
        at = mupq / name.removeprefix("mupq/") if mupq and name.startswith("mupq/") else bench / name
        path = pqclean / "common" / at.name if pqclean and not at.is_file() else at
        lent.append(path if path.is_file() else at)
    defines = {"MUPQ": "1", **_options(_text(bench / "mk" / "config.mk"))}
    name = next(
        (one.lower() for one in defines if one != "MUPQ"), re.sub(r"[^a-z0-9]", "", bench.name.lower())
    )
    beside = [folder / "common" for folder in (mupq, pqclean) if folder is not None]
    shared = (bench / "common", *beside)
    skipped = _skipped(bench / "skiplist.py")
    for folder, namespace in ((bench, ""), (mupq, ""), (pqclean, "PQCLEAN")):
        if folder is not None:
            yield _Project(
                folder, name or "bench", shared, tuple(dict.fromkeys(lent)), "-std=gnu99", defines, namespace,
                "" if mupq is not None else missing, skipped, bench / "mk",
            )  # fmt: skip


def _of_mupq(mupq: Path, pqclean: Path | None) -> Iterator[_Project]:
    """Yield mupq's schemes and PQClean's, with mupq's own common sources, which are C."""
    shared = tuple(one / "common" for one in (mupq, pqclean) if one is not None)
    by_name: dict[str, Path] = {}
    for path in (path for folder in shared for path in _common_of(folder)):
        by_name.setdefault(path.name, path)
    for folder, namespace in ((mupq, ""), (pqclean, "PQCLEAN")):
        if folder is not None:
            yield _Project(
                folder, "mupq", shared, tuple(by_name.values()), "-std=gnu99", {"MUPQ": "1"}, namespace
            )


def _common_of(folder: Path) -> Iterator[Path]:
    """Yield the C sources of a folder of common ones, but for the source of random bytes."""
    for path in sorted(folder.glob("*.c")):
        if path.stem != "randombytes" and path.is_file():
            yield path


def _skipped(path: Path) -> dict[tuple[str, str], int | None]:
    """Return what a `skiplist.py` lists, read as data: estimated bytes of memory, None without any.

    UsageError for a file that is no list of dictionaries.
    """
    if not path.is_file():
        return {}
    shown = printable(str(path))
    try:
        body = ast.parse(_text(path)).body
        listed = [one.value for one in body if isinstance(one, ast.Assign) and _names(one) == ["skip_list"]]
        entries = [entry for one in listed for entry in ast.literal_eval(one)]
        return {(str(one["scheme"]), str(one["implementation"])): one.get("estmemory") for one in entries}
    except SyntaxError as error:
        raise UsageError(f"{shown}:{error.lineno}: it is no Python, so what it skips is not known.") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, MemoryError):
        raise UsageError(
            f"{shown}: skip_list is no list of dictionaries with scheme and implementation."
        ) from None


def _names(assignment: ast.Assign) -> list[str]:
    return [one.id for one in assignment.targets if isinstance(one, ast.Name)]


def _text(path: Path) -> str:
    return read_limited(path, _LIMIT_BYTES, "a file of a tree").decode("utf-8", "replace")


def _options(makefile: str) -> dict[str, str]:
    """Return the macros that a makefile's options define, by plain values."""
    return {
        name: given if given or "=" in found else "1"
        for found, name, given in (
            (match[0], match[1], match[2] or "") for match in _OPTION.finditer(makefile)
        )
    }


def _said(error: ValidationError) -> str:
    """Return as a clause which size of a scheme is none that a primitive may have."""
    first = error.errors()[0]
    named = ".".join(str(part) for part in first["loc"]).removesuffix("_bytes").replace("_", " ")
    limit = first.get("ctx", {}).get("le")
    if isinstance(limit, int) and isinstance(first["input"], int):
        return f"its {named} has {first['input']:,} bytes, more than the {limit:,} that are taken"
    return f"its {named} is {printable(str(first['input']), 60)}: {first['msg'].lower()}"


class _Reading:
    """One implementation that is being read."""

    def __init__(self, root: Path, project: _Project, folder: Path) -> None:
        self._root = root
        self._project = project
        self._folder = folder
        self._implementation = folder.name
        self._scheme = folder.parent.name
        self._kind = _KINDS[folder.parent.parent.name]
        self._where = folder.relative_to(root).as_posix()

    def found(self) -> Found:
        """Return the implementation, or why it is left out."""
        try:
            reason = self._refusal()
            return LeftOut(self._where, reason) if reason else self._taken()
        except Unreadable as error:
            return LeftOut(self._where, str(error))
        except ValidationError as error:
            return LeftOut(self._where, _said(error))

    def _refusal(self) -> str | None:
        """Return why the folder is not read any further."""
        if self._implementation in _ELSEWHERE:
            return _ELSEWHERE[self._implementation]
        key = (self._scheme, self._implementation)
        if key in self._project.skipped:
            estimate = self._project.skipped[key]
            if not isinstance(estimate, int) or estimate >= _NO_MEMORY_BYTES:
                return "the bench's skiplist.py skips it on every board"
        for path in sorted(self._folder.iterdir()):
            if path.suffix in _SOURCES and not (path.exists() and _is_inside(self._root, path)):
                return f"its {path.name} is a link to {self._led(path)}, which is not in the tree"
        if not self._own:
            return "it has no C or assembly source"
        return None

    def _led(self, link: Path) -> str:
        """Return where a link leads, for messages."""
        led = os.path.normpath(link.parent / os.readlink(link))
        return printable(os.path.relpath(led, self._root), 120)

    @cached_property
    def _own(self) -> list[Path]:
        return sorted(one for one in self._folder.iterdir() if one.suffix in _SOURCES and one.is_file())

    @cached_property
    def _defines(self) -> dict[str, str]:
        """Macros of its compilation: the bench's, and those of the makefiles for this implementation."""
        defines = dict(self._project.defines)
        if self._project.makefiles is not None:
            defines["MUPQ_NAMESPACE"] = self._namespace
            own = [self._folder / "config.mk"]
            names = (
                f"crypto_{'kem' if self._kind == 'kem' else 'sign'}_{self._scheme}_{self._implementation}",
            )
            own += [self._project.makefiles / f"{name}.mk" for name in names]
            for path in own:
                if path.is_file():
                    defines |= _options(_text(path))
        return defines

    @property
    def _namespace(self) -> str:
        if not self._project.namespace:
            return ""
        scheme = self._scheme.replace("-", "").upper()
        return f"{self._project.namespace}_{scheme}_{self._implementation.upper()}_"

    def _taken(self) -> Found:
        common, absent = self._lent()
        if absent:
            return LeftOut(self._where, self._project.missing or absent)
        headers = Preprocessor(self._root, (*self._project.folders, self._folder), self._predefined())
        headers.read(self._folder / "api.h")
        try:
            primitive = self._primitive(Sizes(headers))
        except NotANumber as error:
            return LeftOut(self._where, str(error))
        interface = Interface(headers, self._kind, self._namespace)
        calls = interface.calls()
        if isinstance(calls, str):
            return LeftOut(self._where, calls)
        return self._implementation_of(primitive, calls, common, self._random())

    def _predefined(self) -> dict[str, str]:
        return {"__GNUC__": "12", "__SIZEOF_POINTER__": "4", "__STDC_VERSION__": "199901L", **self._defines}

    def _lent(self) -> tuple[list[Path], str | None]:
        """Return the common sources that it needs by the headers it includes, or what is not there."""
        by_stem = {path.stem for path in self._own}
        pending = [(path, name) for path in self._texts for name in _INCLUDE.findall(_text(path))]
        named: set[str] = set()
        needed: dict[Path, None] = {}
        while pending:
            includer, name = pending.pop()
            absent = self._absent(includer.parent, name)
            if absent is not None:
                return [], absent
            stem = Path(name).stem
            if stem in named or stem in by_stem:
                continue
            named.add(stem)
            for path in self._project.common:
                if path.stem == stem or path.stem.startswith((f"{stem}-", f"{stem}_")):
                    if not path.is_file() or not _is_inside(self._root, path):
                        return [], f"needs {path.name}, which is not in the tree"
                    if path not in needed:
                        needed[path] = None
                        pending += ((path, one) for one in _INCLUDE.findall(_text(path)))
        return [path for path in self._project.common if path in needed], None

    @property
    def _texts(self) -> list[Path]:
        """Its sources and headers."""
        listed = sorted(self._folder.iterdir())
        return [one for one in listed if one.suffix in (*_SOURCES, ".h", ".i") and one.is_file()]

    def _absent(self, beside: Path, name: str) -> str | None:
        """Return why a header that the tree links to is not there, None for any other."""
        places = [folder / name for folder in (beside, *self._project.folders, self._folder)]
        if any(path.is_file() for path in places):
            return None
        link = next((path for path in places if path.is_symlink()), None)
        if link is None:
            return None
        return f"its {name} is a link to {self._led(link)}, which is not in the tree"

    def _primitive(self, sizes: Sizes) -> Primitive | str:
        """Return the catalogue's primitive by name, or the scheme's own; NotANumber without a size."""
        fields = {
            "public_key_bytes": sizes.of("CRYPTO_PUBLICKEYBYTES"),
            "key_bytes": sizes.of("CRYPTO_SECRETKEYBYTES"),
        }
        if self._kind == "kem":
            fields["ciphertext_bytes"] = sizes.of("CRYPTO_CIPHERTEXTBYTES")
            fields["shared_secret_bytes"] = sizes.of("CRYPTO_BYTES")
        else:
            fields["signature_bytes"] = sizes.of("CRYPTO_BYTES")
        if _FIPS.get(self._scheme) == tuple(fields.values()):
            return self._scheme
        return Primitive.model_validate(
            {
                "id": self._identifier,
                **fields,
                "security": "acceptable",
                "authority": "none: code of others brings it",
            }
        )

    @property
    def _identifier(self) -> str:
        return identifier(self._scheme)

    def _random(self) -> str:
        """Return the name that `randombytes` has in the tree, whose header may define it anew."""
        headers = Preprocessor(self._root, (*self._project.folders, self._folder), self._predefined())
        for folder in (self._folder, *self._project.folders):
            if (folder / "randombytes.h").is_file():
                headers.read(folder / "randombytes.h")
                break
        return "".join(headers.expand("randombytes"))

    def _implementation_of(
        self, primitive: Primitive | str, calls: Sequence[ForeignCall], common: Sequence[Path], random: str
    ) -> Implementation:
        known = isinstance(primitive, str)
        sources = [*self._own, *common]
        name = f"{self._project.name}-{self._implementation.lower().replace('_', '-')}"
        algorithm = self._identifier
        if known:
            algorithm, _, parameter = self._scheme.rpartition("-")
            name = f"{name}-{parameter}"
        assembly = any(path.suffix != ".c" for path in sources)
        texts = (_text(path) for path in sources if path.suffix != ".c")
        floats = any(_FLOAT.search(text) for text in texts)
        folders = [*self._project.folders, self._folder]
        return Implementation(
            algorithm=algorithm,
            kind=self._kind,
            primitive=primitive,
            name=name,
            where=self._where,
            file=VariantFile(
                summary=f"{self._project.name}: {self._scheme}, {self._implementation}{self._estimate()}",
                sources=tuple(self._path(path) for path in sources),
                include_dirs=tuple(self._path(path) for path in folders),
                defines=dict(self._defines),
                call=tuple(calls),
                random=random,
                flags=(self._project.standard, *(_FLOAT_FLAGS if floats else ())),
                families=("cortex-m",) if assembly or self._project.makefiles is not None else None,
            ),
            title=self._scheme,
            specification=f"{self._where}/api.h",
        )

    def _estimate(self) -> str:
        estimate = self._project.skipped.get((self._scheme, self._implementation))
        return f"; the bench estimates {estimate:,} bytes of memory" if isinstance(estimate, int) else ""

    def _path(self, path: Path) -> str:
        return path.relative_to(self._root).as_posix()
