"""Primitives compiled for this machine or another: a program that answers requests, or a library for ctypes.

Each holds one variant and one primitive, and is kept under a name made of everything that went into it, so
that a second run of the tests compiles nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from steelyard.catalog.constructions import expand
from steelyard.catalog.models import (
    LINUX,
    AlgorithmFile,
    Kind,
    ModeFile,
    Primitive,
    VariantFile,
    Vector,
    VectorFile,
)
from steelyard.toolchain.sources import Closure, SourceFile, SourceTree

ROOT = Path(__file__).resolve().parents[2]
_INITIALISER = re.compile(rb"\]\s*=")
CANARY = b"\xa5" * 16
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror")
SANITIZE = ("-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
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

    @property
    def code(self) -> Path:
        """A folder with the variant's files and what it shares, as a build for a chip sees them."""
        return _laid_out(self.folder)

    @property
    def is_default(self) -> bool:
        """Whether it is its algorithm's default variant on the host."""
        return LINUX in self.variant.default

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
                if case.is_default:
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
    parameters = case.variant.parameters.values()
    options += [f"-D{one.define}={one.default}" for one in parameters if one.define is not None]
    if any(part.variant.init_decrypt for part in case.parts):
        options.append("-DPART_INIT_DECRYPT=1")
    folders = [case.code, *(part.code for part in case.parts), case.root / "primitives" / "include"]
    return [*options, *(f"-I{folder}" for folder in folders)]


def sources(case: Case, mode: str | None = None) -> list[Path]:
    """C files of the variant and of what is bound to it."""
    files = [case.code / Path(name).name for name in case.variant.sources]
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


_CONTEXT_BYTES = '#include "{kind}.h"\nconst size_t context_bytes = sizeof({kind}_context);\n'

HOST_COMPILER = ("cc",)
DRIVERS = Path(__file__).with_name("drivers")


def build_library(case: Case, options: Sequence[str] = WIDE) -> Path:
    """A shared library for ctypes; AssertionError with the compiler's text."""
    return _build(case, ("-O1", "-fPIC", *options), HOST_COMPILER, None, with_modes=False)


def build_program(
    case: Case, options: Sequence[str], compiler: tuple[str, ...] = HOST_COMPILER, *, with_modes: bool = False
) -> Path:
    """The variant with the driver of its kind, and all modes; AssertionError with the compiler's text."""
    return _build(case, options, compiler, DRIVERS / f"{case.kind}.c", with_modes=with_modes)


def files_read(root: Path, variant: Path, source: str) -> Mapping[str, SourceFile]:
    """A source of a variant and what it includes, by their names for a compiler (`own/<variant>/<name>`)."""
    mounts = {"own": str(variant.parent), "include": f"{root}/primitives/include"}
    tree = SourceTree(mounts, (f"own/{variant.name}", "include"))
    return tree.closure(f"own/{variant.name}/{Path(source).name}")


def tables(case: Case, source: str) -> dict[str, list[bytes]]:
    """The constant tables that a source of the variant has, as this machine holds them, by their names."""
    read = Closure(files_read(case.root, case.folder, source), "")
    if not any(_INITIALISER.search(file.content) for file in read.files.values()):
        return {}
    named = [f"-D{name}={value}" for name, value in case.primitive.macros.items() if read.can_name(name)]
    flags = ("-std=c99", "-w", "-O0", *named)
    out = _kept("tables.o", [flags, _version(HOST_COMPILER), sorted(read.contents.items())], [])
    if not out.exists():
        with tempfile.TemporaryDirectory(dir=out.parent) as folder:
            built = Path(folder) / "tables.o"
            code = str(case.code / Path(source).name)
            _compile(case, [*HOST_COMPILER, *flags, *macros(case), "-c", code, "-o", str(built)])
            built.rename(out)
    found: dict[str, list[bytes]] = {}
    with out.open("rb") as file:
        elf = ELFFile(file)
        for symbol in elf.get_section_by_name(".symtab").iter_symbols():
            if symbol["st_info"]["type"] == "STT_OBJECT":
                content = elf.get_section(symbol["st_shndx"]).data()[symbol["st_value"] :]
                # One in a function has a number behind its name.
                found.setdefault(symbol.name.partition(".")[0], []).append(content[: symbol["st_size"]])
    return found


def _build(
    case: Case, options: Sequence[str], compiler: tuple[str, ...], driver: Path | None, *, with_modes: bool
) -> Path:
    own = sources(case)
    if driver is not None:
        own.append(driver)
    bound = [
        case.root / "modes" / name / file for name, mode in modes(case.root).items() for file in mode.sources
    ]
    folders = [case.code, *(part.code for part in case.parts), case.root / "primitives" / "include", DRIVERS]
    files = [*own, *(bound if with_modes else ())]
    for part in case.parts:
        files += sources(part)[: len(part.variant.sources)]
    read = (header for folder in folders for pattern in ("*.h", "*.inc") for header in folder.glob(pattern))
    flags = [*STRICT, *options]
    if with_modes:
        flags.append("-DWITH_MODES")
    if case.variant.init_decrypt:
        flags.append("-DWITH_INIT_DECRYPT")
    settings = [flags, macros(case), *map(macros, case.parts), _version(compiler), driver is None]
    out = _kept(case.primitive.id, settings, [*files, *sorted(read)])
    if out.exists():
        return out
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        scratch = Path(folder)
        command = [*compiler, *flags, *macros(case), *map(str, own)]
        if driver is None:
            size = scratch / "context_bytes.c"
            size.write_text(_CONTEXT_BYTES.format(kind=case.kind))
            command += ["-shared", str(size)]
        else:
            command += [f"-I{DRIVERS}", str(_driver_object(flags, compiler))]
        if with_modes:
            all_modes = scratch / "modes.c"
            all_modes.write_text(_modes_in_one(case.root))
            command.append(str(all_modes))
        for number, part in enumerate(case.parts):
            linked = str(scratch / f"part{number}.o")
            inner = map(str, sources(part)[: len(part.variant.sources)])
            # Without its libc a foreign compiler has no string.h.
            headers = [] if compiler == HOST_COMPILER else [f"-I{ROOT / 'firmware' / 'include'}"]
            command_of_part = [*compiler, *flags, *headers, "-r", "-nostdlib", *macros(part)]
            _compile(case, [*command_of_part, *inner, "-o", linked])
            command.append(linked)
        _compile(case, [*command, "-o", str(scratch / "built")])
        (scratch / "built").rename(out)
    return out


def _modes_in_one(root: Path) -> str:
    """C of all modes under names of their own, and the table of them that the driver wants."""
    arguments = "const block_context *, uint8_t *, uint8_t *, const uint8_t *, size_t"
    lines, table = ['#include "mode.h"'], []
    for name, mode in modes(root).items():
        lines += [f"#define mode_{operation} {name}_{operation}" for operation in ("encrypt", "decrypt")]
        lines += [f"void mode_{operation}({arguments});" for operation in ("encrypt", "decrypt")]
        lines += [f'#include "{root / "modes" / name / file}"' for file in mode.sources]
        lines += ["#undef mode_encrypt", "#undef mode_decrypt"]
        table.append(f"{{{name}_encrypt, {name}_decrypt}}")
    lines.append(
        "typedef void mode_call(const block_context *, uint8_t *, uint8_t *, const uint8_t *, size_t);"
    )
    lines.append("extern mode_call *const mode_calls[][2];")
    lines.append(f"mode_call *const mode_calls[][2] = {{{', '.join(table)}}};")
    return "\n".join(lines) + "\n"


@cache
def _driver_object_of(flags: tuple[str, ...], compiler: tuple[str, ...]) -> Path:
    source = DRIVERS / "driver.c"
    out = _kept("driver.o", [flags, _version(compiler)], [source, DRIVERS / "driver.h"])
    if not out.exists():
        with tempfile.TemporaryDirectory(dir=out.parent) as folder:
            built = Path(folder) / "driver.o"
            command = [*compiler, *flags, "-c", str(source), "-o", str(built)]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            assert result.returncode == 0, result.stderr
            built.rename(out)
    return out


def _driver_object(flags: Sequence[str], compiler: tuple[str, ...]) -> Path:
    return _driver_object_of(tuple(flag for flag in flags if not flag.startswith("-D")), compiler)


_CODE = (".c", ".h", ".inc", ".S")


@cache
def _laid_out(folder: Path) -> Path:
    files = {
        path.name: path
        for place in (folder.parent, folder)
        for path in place.iterdir()
        if path.suffix in _CODE
    }
    out = _kept(f"{folder.parent.name}-{folder.name}", sorted(files), [files[name] for name in sorted(files)])
    if not out.exists():
        with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
            made = Path(scratch) / "code"
            made.mkdir()
            for name, path in files.items():
                shutil.copy(path, made / name)
            # Another process of the same tests may have been first.
            with contextlib.suppress(OSError):
                made.rename(out)
    return out


def _kept(name: str, settings: Sequence[object], files: Sequence[Path]) -> Path:
    """Where what is made of these files with these settings is kept."""
    digest = hashlib.sha256(repr(settings).encode())
    for file in files:
        digest.update(b"\0" + file.read_bytes())
    return _cache_folder() / f"{digest.hexdigest()[:24]}-{name}"


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


CASES_BY_PRIMITIVE = {case.primitive.id: case for case in cases() if case.is_default}
