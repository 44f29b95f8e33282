"""Trees of SUPERCOP and of NIST's lightweight cryptography.

An implementation is the folder `crypto_<operation>/<primitive>/<implementation>/` with `api.h`, which has the
sizes, and the functions of its operation; the last of these may be several folders. How wide lengths are and
whether an AEAD takes a secret nonce is read in the sources. NIST's benchmarking tree has folders
`crypto_aead_hash` besides, with an AEAD and a hash in one, and in each implementation `lwc_crypto_*.c`,
which names the functions and is no part of them.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt
from pathlib import Path

from steelyard.catalog.models import ForeignCall, Kind, Operation, Primitive, VariantFile, Vector
from steelyard.catalog.trees.expression import NotANumber, value
from steelyard.catalog.trees.found import Found, Implementation, LeftOut
from steelyard.catalog.trees.functions import POINTER, Function, function, typedefs, without_comments
from steelyard.catalog.trees.preprocess import Preprocessor, Unreadable
from steelyard.catalog.trees.processors import written_for
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.files import read_limited

TITLE = "SUPERCOP or NIST LWC: crypto_<operation>/<primitive>/<implementation> with api.h"

_DEEPEST = 5
"""Folders between the root of a tree and an implementation."""
_MOST_FOLDERS = 20_000
_LIMIT_BYTES = 4 << 20

_KINDS: Mapping[str, Kind] = {
    "aead": "aead",
    "hash": "hash",
    "stream": "stream",
    "auth": "mac",
    "onetimeauth": "mac",
    "kem": "kem",
    "sign": "signature",
    "core": "block",
    "hashblocks": "block",
}
"""Kinds of the catalogue by operation; of operations on one name, the first here keeps it."""

_OPERATIONS: Mapping[str, tuple[str, ...]] = {
    **{f"crypto_{name}": (name,) for name in _KINDS},
    "crypto_aead_hash": ("aead", "hash"),
}
"""Operations of an implementation, by the name of the folder two above it."""

_SIZES: Mapping[str, Mapping[str, str]] = {
    "aead": {"key_bytes": "KEYBYTES", "iv_bytes": "NPUBBYTES", "tag_bytes": "ABYTES"},
    "hash": {"digest_bytes": "BYTES"},
    "stream": {"key_bytes": "KEYBYTES", "iv_bytes": "NONCEBYTES"},
    "auth": {"key_bytes": "KEYBYTES", "tag_bytes": "BYTES"},
    "onetimeauth": {"key_bytes": "KEYBYTES", "tag_bytes": "BYTES"},
    "kem": {
        "key_bytes": "SECRETKEYBYTES",
        "public_key_bytes": "PUBLICKEYBYTES",
        "ciphertext_bytes": "CIPHERTEXTBYTES",
        "shared_secret_bytes": "BYTES",
    },
    "sign": {
        "key_bytes": "SECRETKEYBYTES",
        "public_key_bytes": "PUBLICKEYBYTES",
        "signature_bytes": "BYTES",
    },
    "core": {"key_bytes": "KEYBYTES", "block_bytes": "INPUTBYTES"},
    "hashblocks": {"key_bytes": "BLOCKBYTES", "block_bytes": "STATEBYTES"},
}
"""Macros of `api.h` behind `CRYPTO_`, by operation and field of a primitive."""

_OTHER_SIZES = ("NSECBYTES", "OUTPUTBYTES", "CONSTBYTES")


@dataclass(frozen=True)
class _Interface:
    """A function of an operation, and its arguments as a `ForeignCall` names them, lengths without a width.

    An argument in brackets is one that some trees leave out. A function that `checks` returns 0 for what is
    authentic.
    """

    operation: Operation
    function: str
    arguments: tuple[str, ...]
    checks: bool = False


_INTERFACES: Mapping[str, tuple[_Interface, ...]] = {
    "aead": (
        _Interface(
            "seal",
            "crypto_aead_encrypt",
            ("sealed", "count", "input", "input.bytes", "ad", "ad.bytes", "[null]", "iv", "key"),
        ),
        _Interface(
            "open",
            "crypto_aead_decrypt",
            ("output", "count", "[null]", "sealed", "sealed.bytes", "ad", "ad.bytes", "iv", "key"),
            checks=True,
        ),
    ),
    "hash": (_Interface("digest", "crypto_hash", ("output", "input", "input.bytes")),),
    "stream": tuple(
        _Interface(operation, "crypto_stream_xor", ("output", "input", "input.bytes", "iv", "key"))
        for operation in ("encrypt", "decrypt")
    ),
    "auth": (_Interface("mac", "crypto_auth", ("tag", "input", "input.bytes", "key")),),
    "onetimeauth": (_Interface("mac", "crypto_onetimeauth", ("tag", "input", "input.bytes", "key")),),
    "kem": (
        _Interface("keypair", "crypto_kem_keypair", ("public-key", "secret-key")),
        _Interface("encapsulate", "crypto_kem_enc", ("ciphertext", "shared-secret", "public-key")),
        _Interface("decapsulate", "crypto_kem_dec", ("shared-secret", "ciphertext", "secret-key")),
    ),
    "sign": (
        _Interface("keypair", "crypto_sign_keypair", ("public-key", "secret-key")),
        _Interface("sign", "crypto_sign", ("signed", "count", "input", "input.bytes", "secret-key")),
        _Interface(
            "verify",
            "crypto_sign_open",
            ("output", "count", "signed", "signed.bytes", "public-key"),
            checks=True,
        ),
    ),
    "core": (_Interface("encrypt", "crypto_core", ("output", "input", "key", "null")),),
    "hashblocks": (_Interface("encrypt", "crypto_hashblocks", ("message", "key", "key.bytes")),),
}

_SOURCES = (".c", ".S", ".s", ".cpp", ".cc")
_HEADERS = (".h", ".hpp", ".inc", ".macros")
_GLUE = re.compile(r"lwc_crypto_\w+\.(?:c|cpp)")
_NAMED = re.compile(r"\b(aead|hash)_ctx\s+\w+\s*=\s*\{([^{}]*)\}")
_GENERATED = re.compile(
    r"""^[ \t]*#[ \t]*include[ \t]*[<"](crypto_(?:verify|hash|hashblocks|core|stream|auth|onetimeauth|rng"""
    r"""|scalarmult|encode|decode|sort|xof)_\w+\.h)[>"]""",
    re.MULTILINE,
)
_INCLUDE = re.compile(r"""^[ \t]*#[ \t]*include[ \t]*[<"]([^<>"\n]+)[>"]""", re.MULTILINE)
_ANSWERS: Mapping[str, str] = {"aead": "LWC_AEAD_KAT*.txt", "hash": "LWC_HASH_KAT*.txt"}


class _NotTaken(Exception):
    """An implementation is left out; the message is a clause that says why."""


@dataclass(frozen=True)
class _Place:
    """Where an implementation lies: its folder, and that of its operation, such as `crypto_aead`."""

    folder: Path
    operations: Path

    @property
    def primitive(self) -> str:
        """The name of the primitive's folder."""
        return self.folder.relative_to(self.operations).parts[0]

    @property
    def implementation(self) -> str:
        """The name of the implementation: of its folder, or of those around it too."""
        return "-".join(self.folder.relative_to(self.operations).parts[1:])

    @property
    def submission(self) -> str:
        """The name of the folder around that of the operation, which tells submissions apart."""
        return self.operations.parent.name


def recognises(root: Path) -> bool:
    """Whether some folder below a root is an implementation."""
    return next(_places(root.resolve()), None) is not None


def read(root: Path) -> Iterator[Found]:
    """Yield all implementations below a root, and those that are left out."""
    tree = _Tree(root.resolve())
    for place in _places(tree.root):
        where = place.folder.relative_to(tree.root).as_posix()
        try:
            files = _Files(place.folder, tree.include)
            families = _families(files)
        except _NotTaken as reason:
            yield LeftOut(where, str(reason))
            continue
        for operation in _OPERATIONS[place.operations.name]:
            try:
                yield tree.implementation(place, operation, files, families)
            except _NotTaken as reason:
                yield LeftOut(where, str(reason))


def _places(root: Path) -> Iterator[_Place]:
    """Yield the folders with `api.h` whose place says what they are, in the order of their paths."""
    pending, seen = [(root, 0)], 0
    while pending and seen < _MOST_FOLDERS:
        folder, depth = pending.pop()
        seen += 1
        above = next((one for one in list(folder.parents)[1:] if one.name in _OPERATIONS), None)
        if above is not None and (folder / "api.h").is_file():
            yield _Place(folder, above)
        elif depth < _DEEPEST:
            try:
                below = [one for one in folder.iterdir() if one.is_dir() and not one.is_symlink()]
            except OSError:
                continue
            named = sorted((one for one in below if not one.name.startswith(".")), reverse=True)
            pending += ((one, depth + 1) for one in named)


class _Tree:
    """What holds for all implementations of a tree: folders of headers, and the names that are taken."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.include = tuple(
            folder
            for folder in (root / "include", root / "cryptoint", *sorted(root.glob("src/*/include")))
            if folder.is_dir() and any(folder.glob("*.h"))
        )
        self._variants: dict[str, set[str]] = {}
        self._primitives: dict[str, tuple[Kind, Primitive | str]] = {}

    def implementation(
        self, place: _Place, operation: str, files: _Files, families: tuple[str, ...] | None
    ) -> Implementation:
        """Return what a folder holds for an operation; _NotTaken says why it cannot."""
        folder = place.folder
        for needed in files.generated():
            if not any((base / needed).is_file() for base in (folder, *self.include, _headers())):
                raise _NotTaken(f"it includes {needed}, which SUPERCOP makes from another primitive")
        calls, sources = files.calls(operation)
        sizes = self._sizes(folder, operation)
        algorithm, primitive = self._named(place, operation, sizes)
        if operation == "core" and place.primitive.endswith("decrypt"):
            calls = tuple(call.model_copy(update={"operation": "decrypt"}) for call in calls)
        where = folder.relative_to(self.root)
        return Implementation(
            algorithm=algorithm,
            kind=_KINDS[operation],
            primitive=primitive,
            name=self._variant(algorithm, place),
            where=where.as_posix(),
            file=VariantFile(
                summary=f"{place.implementation} of {place.operations.name}/{place.primitive}",
                sources=tuple((where / name).as_posix() for name in sources),
                include_dirs=tuple(one.relative_to(self.root).as_posix() for one in (folder, *self.include)),
                defines=files.macros(operation, sizes)
                | (files.random() if operation in ("kem", "sign") else {}),
                call=calls,
                random=_RANDOM if operation in ("kem", "sign") else None,
                families=families,
            ),
            title=place.primitive,
            specification=f"{place.operations.name}/{place.primitive}",
            vectors=_vectors(place.primitive, primitive) if operation == "hashblocks" else (),
            answers=_answers(place, operation),
        )

    def _sizes(self, folder: Path, operation: str) -> dict[str, int]:
        """Return what `api.h` says, by the names of its macros behind `CRYPTO_`."""
        reading = Preprocessor(self.root, (folder, *self.include), {})
        try:
            reading.read(folder / "api.h")
        except Unreadable as error:
            raise _NotTaken(str(error)) from None
        sizes = {}
        for name in (*_SIZES[operation].values(), *_OTHER_SIZES):
            macro = f"CRYPTO_{name}"
            if macro not in reading.macros:
                if name in _OTHER_SIZES:
                    continue
                raise _NotTaken(f"its api.h does not define {macro}")
            try:
                sizes[name] = value(reading.expand(macro))
            except (NotANumber, Unreadable) as error:
                raise _NotTaken(f"its api.h defines {macro} in a way that is not followed: {error}") from None
        if sizes.get("NSECBYTES"):
            raise _NotTaken(f"it has a secret nonce of {sizes['NSECBYTES']} bytes")
        if operation == "core":
            made, constant = sizes.get("OUTPUTBYTES", 0), sizes.get("CONSTBYTES", 0)
            if made != sizes["INPUTBYTES"] or constant or not sizes["KEYBYTES"]:
                raise _NotTaken(
                    f"it is no block cipher: it makes {made} bytes of {sizes['INPUTBYTES']} with a key of"
                    f" {sizes['KEYBYTES']} and a constant of {constant}"
                )
        return sizes

    def _named(self, place: _Place, operation: str, sizes: Mapping[str, int]) -> tuple[str, Primitive | str]:
        """Return the algorithm and the primitive of a folder: those of the catalogue, or the tree's own."""
        kind, name = _KINDS[operation], place.primitive
        fields = {field: sizes[macro] for field, macro in _SIZES[operation].items()}
        known = _catalogue()
        stem = re.sub(r"(?:en|de)crypt$", "", name) if operation == "core" else name
        same = known.primitives.get((kind, _stem(stem))) if operation != "hashblocks" else None
        if same is not None and all(same.sizes.get(field, 0) == size for field, size in fields.items()):
            return same.algorithm, same.primitive
        plain = _plain(name)
        before = list(_KINDS)[: list(_KINDS).index(operation)]
        others = [one for one, several in _OPERATIONS.items() if any(other in before for other in several)]
        if any((place.operations.parent / one / name).is_dir() for one in others):
            plain = f"{plain}-{operation}"
        if known.has(plain):
            plain = f"{plain}-supercop"
        try:
            primitive = Primitive.model_validate(
                {**fields, "id": plain, "security": "acceptable", "authority": _AUTHORITY}
            )
        except ValueError:
            listed = ", ".join(f"CRYPTO_{macro} {sizes[macro]}" for macro in _SIZES[operation].values())
            raise _NotTaken(f"its sizes are beyond those of the bench: {listed}") from None
        if not all(fields.values()):
            empty = next(macro for field, macro in _SIZES[operation].items() if not fields[field])
            raise _NotTaken(f"its CRYPTO_{empty} is 0")
        if self._primitives.setdefault(plain, (kind, primitive)) != (kind, primitive):
            plain = f"{_plain(place.submission)}-{plain}"
            primitive = primitive.model_copy(update={"id": plain})
            if self._primitives.setdefault(plain, (kind, primitive)) != (kind, primitive):
                raise _NotTaken(f"its sizes are not those of the other implementations of {name}")
        return plain, primitive

    def _variant(self, algorithm: str, place: _Place) -> str:
        """Return a name for an implementation that no other of its algorithm has."""
        taken = self._variants.setdefault(algorithm, set(_catalogue().variants.get(algorithm, ())))
        name = _plain(place.implementation)
        for part in (place.submission, place.operations.name):
            if name in taken:
                name = f"{_plain(part)}-{name}"
        if name in taken:
            name = next(f"{name}-{number}" for number in range(2, 1 << 20) if f"{name}-{number}" not in taken)
        taken.add(name)
        return name


def _plain(name: str) -> str:
    """Return a name as an identifier."""
    return re.sub(r"[^a-z0-9.+-]+", "-", name.lower()).strip(".+-") or "unnamed"


_RANDOM = "randombytes"
_AUTHORITY = "none: it comes with a tree of others"


class _Files:
    """Files of an implementation: texts without comments by name relative to its folder."""

    def __init__(self, folder: Path, include: Sequence[Path]) -> None:
        self.sources: dict[str, str] = {}
        self.headers: dict[str, str] = {}
        self._glue: dict[str, str] = {}
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.suffix not in (*_SOURCES, *_HEADERS) or not path.is_file():
                continue
            if path.suffix in _HEADERS or "/" in name:
                group = self.headers
            else:
                group = self._glue if _GLUE.fullmatch(name) else self.sources
            group[name] = _text(path)
        for name in {match[1] for text in self.sources.values() for match in _INCLUDE.finditer(text)}:
            beyond = next((one / name for one in include if (one / name).is_file()), None)
            if name not in self.headers and beyond is not None:
                self.headers[name] = _text(beyond)
        if not self.sources and not self._glue:
            raise _NotTaken("it has no source in C or assembly")

    def generated(self) -> Iterator[str]:
        """Yield the headers of other primitives that sources include, which SUPERCOP makes."""
        for text in (*self.sources.values(), *self.headers.values()):
            yield from (match[1] for match in _GENERATED.finditer(text))

    def calls(self, operation: str) -> tuple[tuple[ForeignCall, ...], tuple[str, ...]]:
        """Return the calls of an operation, and the sources that they need."""
        texts = (*self.sources.values(), *self._glue.values(), *self.headers.values())
        types = typedefs(texts)
        calls, sources = [], dict.fromkeys(self.sources)
        for interface, name in zip(_INTERFACES[operation], self._names(operation), strict=True):
            found = function(texts, name, types)
            if found is None:
                raise _NotTaken(f"none of its sources has the function {name}")
            for glue, text in self._glue.items():
                one = function((text,), name, types)
                if one is not None and one.defined:
                    sources[glue] = None
            calls.append(
                ForeignCall(
                    operation=interface.operation,
                    function=name,
                    arguments=_arguments(name, interface.arguments, found),
                    success=0 if interface.checks and found.returns != "void" else None,
                )
            )
        return tuple(calls), tuple(sources)

    def _names(self, operation: str) -> tuple[str, ...]:
        """Return the functions of an operation: those that `lwc_crypto_*.c` names, or the usual ones."""
        usual = tuple(one.function for one in _INTERFACES[operation])
        for text in self._glue.values():
            for match in _NAMED.finditer(text):
                words = [word.strip() for word in match[2].split(",") if word.strip()]
                named = tuple(words[-len(usual) :])
                if match[1] == operation and all(word.isidentifier() for word in named):
                    return named
        return usual

    def random(self) -> dict[str, int | str]:
        """Return the length that the source of random bytes takes, where the sources declare another."""
        texts = (*self.sources.values(), *self.headers.values())
        found = function(texts, _RANDOM, typedefs(texts))
        wide = found is not None and found.widths[1:] == (":8",)
        return {"HARNESS_RANDOM_LENGTH": "uint64_t"} if wide else {}

    def macros(self, operation: str, sizes: Mapping[str, int]) -> dict[str, int | str]:
        """Return the macros that SUPERCOP's own headers define, as far as the sources name them."""
        named = {f"crypto_{operation}_{name}": size for name, size in sizes.items()}
        texts = (*self.sources.values(), *self.headers.values())
        return {name: size for name, size in named.items() if any(name in text for text in texts)}


def _text(path: Path) -> str:
    """Return a source without its comments."""
    try:
        raw = read_limited(path, _LIMIT_BYTES, "a source")
    except UsageError as error:
        raise _NotTaken(str(error).rstrip(".")) from None
    return without_comments(raw.decode("utf-8", "replace"))


def _headers() -> Path:
    """Return the folder of the headers that are in every build."""
    return data_root() / "firmware" / "include"


def _arguments(name: str, arguments: Sequence[str], found: Function) -> tuple[str, ...]:
    """Return the arguments of a call with their widths; _NotTaken if the function has others."""
    given = list(arguments)
    if len(found.widths) == len(given) - 1:
        given = [one for one in given if not one.startswith("[")]
    given = [one.strip("[]") for one in given]
    if len(found.widths) != len(given):
        raise _NotTaken(f"its {name} has {len(found.widths)} parameters, not {len(arguments)}")
    written = []
    for number, (argument, width) in enumerate(zip(given, found.widths, strict=True), start=1):
        if (width == POINTER) == argument.endswith(".bytes") or width is None:
            raise _NotTaken(f"parameter {number} of its {name} has another type than usual")
        written.append(argument if width == POINTER else f"{argument}{width}")
    return tuple(written)


def _families(files: _Files) -> tuple[str, ...] | None:
    """Return the families that can run an implementation, None for all; _NotTaken if none can."""
    written = written_for(files.sources, files.headers)
    if written.families == ():
        raise _NotTaken(f"it is written for {written.instead}")
    return written.families


def _answers(place: _Place, operation: str) -> tuple[Path, ...]:
    """Return the files of known answers: beside an implementation, or in it."""
    pattern = _ANSWERS.get(operation)
    if pattern is None:
        return ()
    folders = (place.operations / place.primitive, place.folder)
    return next((tuple(found) for one in folders if (found := sorted(one.glob(pattern)))), ())


@dataclass(frozen=True)
class _Known:
    """A primitive of the catalogue, and its sizes by field."""

    algorithm: str
    primitive: str
    sizes: Mapping[str, int]


@dataclass(frozen=True)
class _Catalogue:
    """What the catalogue has: primitives by kind and stem, all names, and variants by algorithm."""

    primitives: Mapping[tuple[Kind, str], _Known]
    names: frozenset[str]
    derived: tuple[re.Pattern[str], ...]
    variants: Mapping[str, tuple[str, ...]]

    def has(self, name: str) -> bool:
        """Whether a name is that of an algorithm or a primitive."""
        found = (pattern.fullmatch(name) for pattern in self.derived)
        parts = {one.primitive for one in self.primitives.values()}
        return name in self.names or any(match is not None and match[1] in parts for match in found)


def _stem(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


@cache
def _catalogue() -> _Catalogue:
    """Return the names of the catalogue: of the same name and sizes, a primitive of a tree is the same."""
    primitives: dict[tuple[Kind, str], _Known] = {}
    names: set[str] = set()
    derived: list[re.Pattern[str]] = []
    variants: dict[str, tuple[str, ...]] = {}
    for path in sorted((data_root() / "primitives").glob("*/*/algorithm.toml")):
        with path.open("rb") as file:
            content = tomllib.load(file)
        algorithm = path.parent.name
        names.add(algorithm)
        variants[algorithm] = tuple(one.parent.name for one in path.parent.glob("*/variant.toml"))
        for one in content.get("primitive", ()):
            names.add(one["id"])
            sizes = {field: number for field, number in one.items() if field.endswith("_bytes")}
            known = _Known(algorithm, one["id"], sizes)
            primitives[content["kind"], _stem(one["id"])] = known
        for one in content.get("over", {}).get("primitive", ()):
            derived.append(re.compile(re.escape(one["id"]).replace(r"\{\}", "(.+)")))
    return _Catalogue(primitives, frozenset(names), tuple(derived), variants)


def _vectors(name: str, primitive: Primitive | str) -> tuple[Vector, ...]:
    """Return answers of the compression functions of SHA-2, as those of blocks under the message as a key."""
    known = {"sha256": (hashlib.sha256, 4), "sha512": (hashlib.sha512, 8)}
    if name not in known or isinstance(primitive, str):
        return ()
    digest, word = known[name]
    size = 16 * word
    if (primitive.block_bytes, primitive.key_bytes) != (8 * word, size):
        return ()
    start = b"".join(_root(prime, word) for prime in (2, 3, 5, 7, 11, 13, 17, 19))
    vectors = []
    for count in (0, 3, size - 2 * word - 1):
        message = bytes(range(count))
        padded = message + b"\x80" + bytes(size - count - 1 - 8) + (8 * count).to_bytes(8, "big")
        vectors.append(
            Vector(
                primitive=primitive.id,
                operation="encrypt",
                key=padded.hex(),
                input=start.hex(),
                output=digest(message).hexdigest(),
                source=f"{name} of {count} bytes, one block",
            )
        )
    return tuple(vectors)


def _root(prime: int, word: int) -> bytes:
    """Return the first bits of the fraction of a prime's square root."""
    bits = 8 * word
    return (isqrt(prime << 2 * bits) % (1 << bits)).to_bytes(word, "big")
