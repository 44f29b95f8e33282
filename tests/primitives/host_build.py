"""Primitives compiled for this machine and called through ctypes.

Every library holds one variant, one primitive and at most one mode, as an image for a chip does. It is
kept under a name made of everything that went into it, so that a second run of the tests compiles nothing.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import os
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from steelyard.catalog.constructions import expand
from steelyard.catalog.models import AlgorithmFile, Kind, ModeFile, Primitive, VariantFile, Vector, VectorFile

ROOT = Path(__file__).resolve().parents[2]
CANARY = b"\xa5" * 16
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror")
SANITIZE = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
WIDE: tuple[str, ...] = ()
NARROW = ("-DROTATE_IN_STEPS=1",)
"""The rotations 16-bit machines use, which this machine would not choose."""


_PARTS_FIRST = {"mac": 1, "signature": 1, "aead": 2}
"""An AEAD may be over a MAC, and these and signatures over the other kinds."""


@dataclass(frozen=True)
class Case:
    """One variant doing one primitive, in a source tree."""

    root: Path
    kind: Kind
    algorithm_id: str
    primitive: Primitive
    folder: Path
    variant: VariantFile
    parts: tuple[Case, ...] = ()

    def __str__(self) -> str:
        return f"{self.algorithm_id}/{self.folder.name}-{self.primitive.id}"

    def vectors(self) -> list[Vector]:
        """Known answers of the primitive."""
        path = self.root / "vectors" / f"{self.algorithm_id}.toml"
        vectors = VectorFile.model_validate(tomllib.loads(path.read_text())).vector
        return [vector for vector in vectors if vector.primitive == self.primitive.id]


def cases(root: Path = ROOT, kinds: Sequence[Kind] = ("block", "stream", "hash")) -> list[Case]:
    """Every variant with every primitive of these kinds that it does, assembly apart.

    Of constructions those over what is counted, and those that have known answers.
    """
    return [case for case in _all_cases(root) if case.kind in kinds]


@cache
def _all_cases(root: Path) -> list[Case]:
    return list(_cases(root))


def _cases(root: Path) -> Iterator[Case]:
    paths = {path.parent.name: path for path in sorted(root.glob("primitives/*/*/algorithm.toml"))}
    files = {
        name: AlgorithmFile.model_validate(tomllib.loads(path.read_text())) for name, path in paths.items()
    }
    defaults: dict[str, Case] = {}
    for name, algorithm in sorted(expand(files).items(), key=lambda item: _PARTS_FIRST.get(item[1].kind, 0)):
        path = paths[name]
        for variant_path in sorted(path.parent.glob("*/variant.toml")):
            variant = VariantFile.model_validate(tomllib.loads(variant_path.read_text()))
            for primitive in algorithm.primitive:
                does = variant.primitives is None or primitive.id in variant.primitives
                if not does or variant.families is not None:
                    continue
                if any(part not in defaults for part in primitive.over):
                    continue
                case = Case(
                    root,
                    algorithm.kind,
                    name,
                    primitive,
                    variant_path.parent,
                    variant,
                    tuple(defaults[part] for part in primitive.over),
                )
                if variant.default:
                    defaults[primitive.id] = case
                if primitive.counted or case.vectors():
                    yield case


@cache
def modes(root: Path = ROOT) -> dict[str, ModeFile]:
    """The modes of operation by name."""
    return {
        path.parent.name: ModeFile.model_validate(tomllib.loads(path.read_text()))
        for path in sorted(root.glob("modes/*/mode.toml"))
    }


def macros(case: Case) -> list[str]:
    """Compiler options that a build for a chip would give, too."""
    options = [f"-D{name}={value}" for name, value in case.primitive.macros.items()]
    if any(part.variant.init_decrypt for part in case.parts):
        options.append("-DPART_INIT_DECRYPT=1")
    folders = [case.folder, *(part.folder for part in case.parts), case.root / "primitives" / "include"]
    return [*options, *(f"-I{folder}" for folder in folders)]


def sources(case: Case, mode: str | None) -> list[Path]:
    """C files of the variant and of what is bound to it."""
    files = [case.folder / name for name in case.variant.sources]
    if mode is not None:
        files += [case.root / "modes" / mode / name for name in modes(case.root)[mode].sources]
    if case.kind == "hash":
        files.append(case.root / "modes" / "digest" / "digest.c")
    if case.kind == "mac":
        files.append(case.root / "modes" / "mac" / "compute.c")
    return files


def decrypts_apart(case: Case, mode: str | None) -> bool:
    """Whether decryption wants `block_init_decrypt`."""
    inverse = mode is None or modes(case.root)[mode].decrypts_with == "decrypt"
    return case.variant.init_decrypt and inverse


_CONTEXT_BYTES = {
    "block": '#include "block.h"\nconst size_t context_bytes = sizeof(block_context);\n',
    "stream": '#include "stream.h"\nconst size_t context_bytes = sizeof(stream_context);\n',
    "hash": '#include "hash.h"\nconst size_t context_bytes = sizeof(hash_context);\n',
    "mac": '#include "mac.h"\nconst size_t context_bytes = sizeof(mac_context);\n',
    "aead": '#include "aead.h"\nconst size_t context_bytes = sizeof(aead_context);\n',
    "signature": '#include "signature.h"\nconst size_t context_bytes = sizeof(signature_context);\n',
}


HOST_COMPILER = ("cc",)


def build(
    case: Case,
    mode: str | None,
    options: Sequence[str] = WIDE,
    driver: Path | None = None,
    compiler: tuple[str, ...] = HOST_COMPILER,
) -> Path:
    """Compile to a shared library, or with a driver to a program; AssertionError with the compiler's text."""
    own = sources(case, mode)
    files = list(own)
    folders = [case.folder, case.folder.parent, case.root / "primitives" / "include"]
    for part in case.parts:
        folders += [part.folder, part.folder.parent]
        files += sources(part, None)[: len(part.variant.sources)]
    headers = sorted(
        header for folder in folders for pattern in ("*.h", "*.inc") for header in folder.glob(pattern)
    )
    parts = [*files, *headers, *([driver, *sorted(driver.parent.glob("*.h"))] if driver else [])]
    flags = [*STRICT, "-O1", *options, *([] if driver else ["-shared", "-fPIC"])]
    settings = [macros(one) for one in (case, *case.parts)]
    digest = hashlib.sha256(repr((flags, settings, _version(compiler), _CONTEXT_BYTES[case.kind])).encode())
    for part in parts:
        digest.update(b"\0" + part.read_bytes())
    out = _cache_folder() / f"{case.primitive.id}-{mode}-{digest.hexdigest()[:24]}"
    if out.exists():
        return out
    with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
        size = Path(scratch) / "context_bytes.c"
        size.write_text(_CONTEXT_BYTES[case.kind])
        built = Path(scratch) / "built"
        command = [*compiler, *flags, *macros(case), *map(str, [*own, size, *([driver] if driver else [])])]
        for number, part in enumerate(case.parts):
            linked = str(Path(scratch) / f"part{number}.o")
            inner = sources(part, None)[: len(part.variant.sources)]
            objects = [flag for flag in flags if flag != "-shared"]
            _compile(
                case, [*compiler, *objects, "-r", "-nostdlib", *macros(part), *map(str, inner), "-o", linked]
            )
            command.append(linked)
        _compile(case, [*command, "-o", str(built)])
        built.rename(out)
    return out


def _compile(case: Case, command: Sequence[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{case}: {result.stderr}"


@cache
def _version(compiler: tuple[str, ...]) -> str:
    done = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True)
    return f"{compiler} {done.stdout}"


@cache
def _cache_folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"steelyard-host-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


class Buffer:
    """Bytes between two canaries, at a chosen misalignment; `check` asserts that the canaries are alive."""

    def __init__(self, size: int, content: bytes = b"", misalignment: int = 0) -> None:
        self.size = size
        self._lead = len(CANARY) + misalignment
        total = self._lead + size + len(CANARY)
        self._raw = ctypes.create_string_buffer(CANARY[:1] * total, total)
        self.write(content)

    @property
    def address(self) -> int:
        """Where the bytes begin."""
        return ctypes.addressof(self._raw) + self._lead

    def write(self, content: bytes) -> None:
        """Put `content` at the beginning."""
        assert len(content) <= self.size
        ctypes.memmove(self.address, content, len(content))

    def read(self) -> bytes:
        """All bytes, once the canaries have been checked."""
        raw = self._raw.raw
        before, after = raw[: self._lead], raw[self._lead + self.size :]
        assert set(before + after) <= {CANARY[0]}, "written outside the buffer"
        return raw[self._lead : self._lead + self.size]


class Host:
    """One library: the functions of the contract on bytes."""

    def __init__(self, case: Case, mode: str | None = None, options: Sequence[str] = WIDE) -> None:
        self.case = case
        self.mode = mode
        self._library = ctypes.CDLL(str(build(case, mode, options)))
        self._context_bytes = ctypes.c_size_t.in_dll(self._library, "context_bytes").value

    def context(self) -> Buffer:
        """Room for the context, filled with garbage."""
        return Buffer(self._context_bytes, os.urandom(self._context_bytes))

    def call(self, name: str, *arguments: Buffer | int) -> int:
        """Call a function; buffers are passed by address, integers as size_t. Checks all canaries."""
        values = [ctypes.c_size_t(a) if isinstance(a, int) else ctypes.c_void_p(a.address) for a in arguments]
        result = self._library[name](*values)
        for argument in arguments:
            if isinstance(argument, Buffer):
                argument.read()
        return int(result)

    def mac(
        self, key: bytes, data: bytes, *, pieces: Sequence[int] | None = None, misalignment: int = 0
    ) -> bytes:
        """A message's tag: in one call, or cut into updates."""
        context, key_buffer = self.context(), Buffer(len(key), key, misalignment)
        out = Buffer(self.case.primitive.tag_bytes, b"", misalignment)
        self.call("mac_init", context, key_buffer)
        if pieces is None:
            source = Buffer(len(data), data, misalignment)
            self.call("mac_compute", context, out, source, len(data))
            assert source.read() == data
        else:
            for start, end in _cuts(pieces, len(data)):
                piece = Buffer(end - start, data[start:end], misalignment)
                self.call("mac_update", context, piece, end - start)
            self.call("mac_final", context, out)
        assert key_buffer.read() == key
        return out.read()

    def seal(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        data: bytes,
        *,
        in_place: bool = False,
        misalignment: int = 0,
    ) -> bytes:
        """Ciphertext and tag."""
        tag = Buffer(self.case.primitive.tag_bytes, b"", misalignment)
        _, out = self._aead("aead_seal", key, nonce, ad, data, tag, in_place, misalignment)
        return out + tag.read()

    def open(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        sealed: bytes,
        *,
        in_place: bool = False,
        misalignment: int = 0,
    ) -> bytes | None:
        """The message, or None where the tag is refused; the output is all zero then."""
        end = len(sealed) - self.case.primitive.tag_bytes
        tag = Buffer(self.case.primitive.tag_bytes, sealed[end:], misalignment)
        returned, out = self._aead("aead_open", key, nonce, ad, sealed[:end], tag, in_place, misalignment)
        assert tag.read() == sealed[end:]
        if returned == 0:
            return out
        assert out == bytes(end), f"{self.case}: a refused message is not wiped"
        return None

    def _aead(
        self,
        name: str,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        data: bytes,
        tag: Buffer,
        in_place: bool,
        misalignment: int,
    ) -> tuple[int, bytes]:
        context, key_buffer = self.context(), Buffer(len(key), key, misalignment)
        self.call("aead_init", context, key_buffer)
        before = context.read()
        source = Buffer(len(data), data, misalignment)
        out = source if in_place else Buffer(len(data), b"", misalignment and misalignment % 7 + 1)
        nonce_buffer, ad_buffer = Buffer(len(nonce), nonce, misalignment), Buffer(len(ad), ad, misalignment)
        returned = self.call(name, context, out, tag, nonce_buffer, ad_buffer, len(ad), source, len(data))
        assert (nonce_buffer.read(), ad_buffer.read(), key_buffer.read()) == (nonce, ad, key)
        assert in_place or source.read() == data
        assert context.read() == before
        return returned, out.read()

    def keyed(self, operation: str, key: bytes, iv: bytes) -> Buffer:
        """A context set up for `encrypt` or `decrypt`, in the way this mode decrypts."""
        context = self.context()
        key_buffer = Buffer(len(key), key)
        if self.case.kind == "stream":
            iv_buffer = Buffer(len(iv), iv)
            self.call("stream_init", context, key_buffer, iv_buffer if iv else 0)
            assert (key_buffer.read(), iv_buffer.read()) == (key, iv)
            return context
        other = operation == "decrypt" and decrypts_apart(self.case, self.mode)
        self.call("block_init_decrypt" if other else "block_init", context, key_buffer)
        assert key_buffer.read() == key
        return context

    def crypt(
        self,
        operation: str,
        key: bytes,
        iv: bytes,
        data: bytes,
        *,
        pieces: Sequence[int] = (),
        in_place: bool = False,
        misalignment: int = 0,
    ) -> bytes:
        """Encrypt or decrypt a message, cut at the given places."""
        context = self.keyed(operation, key, iv)
        source = Buffer(len(data), data, misalignment)
        target = source if in_place else Buffer(len(data), b"", misalignment and misalignment % 7 + 1)
        if self.case.kind == "block" and self.mode is None:
            self.call(f"block_{operation}", context, target, source)
            assert in_place or source.read() == data
            return target.read()
        chain = Buffer(len(iv), iv, misalignment)
        out = b""
        for start, end in _cuts(pieces, len(data)):
            piece = Buffer(end - start, data[start:end], misalignment)
            result = piece if in_place else Buffer(end - start, b"", misalignment and misalignment % 7 + 1)
            if self.case.kind == "stream":
                self.call("stream_crypt", context, result, piece, end - start)
            else:
                self.call(f"mode_{operation}", context, chain, result, piece, end - start)
            assert in_place or piece.read() == data[start:end]
            out += result.read()
        return out

    def digest(self, data: bytes, *, pieces: Sequence[int] | None = None, misalignment: int = 0) -> bytes:
        """A message's digest: in one call, or cut into updates."""
        context = self.context()
        source = Buffer(len(data), data, misalignment)
        out = Buffer(self.case.primitive.digest_bytes, b"", misalignment)
        if pieces is None:
            self.call("hash_digest", context, out, source, len(data))
        else:
            self.call("hash_init", context)
            for start, end in _cuts(pieces, len(data)):
                piece = Buffer(end - start, data[start:end], misalignment)
                self.call("hash_update", context, piece, end - start)
            self.call("hash_final", context, out)
        assert source.read() == data
        return out.read()


def _cuts(pieces: Sequence[int], length: int) -> Iterator[tuple[int, int]]:
    places = [0, *sorted(p for p in pieces if p <= length), length]
    return itertools.pairwise(places)


CASES_BY_PRIMITIVE = {case.primitive.id: case for case in cases() if case.variant.default}
