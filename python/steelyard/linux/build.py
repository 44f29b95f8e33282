"""Build programs for Linux devices: the agent of one variant, and programs without Steelyard's primitives."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from steelyard.cache.content import Cache, cache_root, content_key
from steelyard.catalog.models import Kind, Mode, Primitive, Variant
from steelyard.data import data_root
from steelyard.errors import EnvironmentProblem
from steelyard.linux.hosts import Host
from steelyard.toolchain.compilers import Installed, find_wheel
from steelyard.toolchain.confine import Places
from steelyard.toolchain.dependencies import check_read, rules
from steelyard.toolchain.flags import check_flags
from steelyard.toolchain.run import BuildFailed, Limits, run_in_folder
from steelyard.toolchain.sources import Readings, SourceTree
from steelyard.toolchain.units import measured_macros, measured_sources, measured_tree

__all__ = ["BuildFailed", "Program", "ProgramBuild", "VariantBuild", "build_program", "build_variant"]

# Goes into every key: to be raised when this module builds another program from the same inputs.
_BUILD_VERSION = "1"

# What all programs share; see firmware/linux/README.md.
_COMMON = ("observe.c", "wire.c", "checksum.c", "measure.c", "interfere.c")
_PROGRAM_FLAGS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror=date-time", "-fno-sanitize=undefined")
_MEASURED_FLAGS = (
    *("-std=gnu99", "-nostdlibinc", "-ffunction-sections", "-fdata-sections", "-fno-common", "-fno-pic"),
    *("-fno-unwind-tables", "-fno-asynchronous-unwind-tables", "-Werror=date-time"),
)

# Options with which the compiler lists what it read; they change no result, so no record shows them.
_READ = "read.d"
_TELLING = ("-MD", "-MF", _READ)

# The first program of an architecture also makes its C library, and the driver maps more memory than clang.
_LIMITS = Limits(memory_bytes=8 << 30, file_bytes=1 << 30, cpu_s=900, wall_s=1800)

_lock = threading.Lock()


def _say_nothing() -> None:
    """Ignore the start of a compilation."""


@dataclass(frozen=True)
class VariantBuild:
    """Build request of an agent with one variant of one primitive (a block cipher with its mode)."""

    host: Host
    kind: Kind
    variant: Variant
    primitive: Primitive
    mode: Mode | None
    flags: tuple[str, ...]
    parts: tuple[Variant, ...] = ()


@dataclass(frozen=True)
class ProgramBuild:
    """Build request of a program of `firmware/linux`; `dynamic` if it loads libraries of the device.

    `source` is its main file, `more` are further ones.
    """

    host: Host
    source: str
    dynamic: bool = False
    libraries: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """An executable and its origin; `commands` are without folders of this machine."""

    elf: bytes = field(repr=False)
    key: str
    toolchain: str
    toolchain_version: str
    source_hash: str
    commands: tuple[str, ...]


@dataclass(frozen=True)
class _Object:
    name: str
    command: tuple[str, ...]
    digest: str
    files: Mapping[str, bytes] = field(repr=False)
    measured: bool


def build_variant(
    request: VariantBuild,
    cache: Cache | None = None,
    readings: Readings | None = None,
    on_compile: Callable[[], None] = _say_nothing,
) -> Program:
    """Build the agent of a variant, or take it from the cache; `on_compile` is called before a build.

    BuildFailed if the compiler refuses, UsageError for flags, EnvironmentProblem if it is missing.
    """
    check_flags(request.flags)
    return _Builder(request.host, cache or Cache(), readings or Readings(), on_compile).variant(request)


def build_program(
    request: ProgramBuild,
    cache: Cache | None = None,
    readings: Readings | None = None,
    on_compile: Callable[[], None] = _say_nothing,
) -> Program:
    """Build one of the other programs, with the errors of `build_variant`."""
    return _Builder(request.host, cache or Cache(), readings or Readings(), on_compile).program(request)


def _agent_macros(request: VariantBuild) -> list[str]:
    """Return the macros that firmware/linux/agent.c needs."""
    inverse = int(request.variant.file.init_decrypt)
    macros = [f"-DAGENT_{request.kind.upper()}", f"-DAGENT_INIT_DECRYPT={inverse}"]
    if request.mode is not None:
        backwards = int(request.mode.file.decrypts_with == "decrypt")
        macros += ["-DAGENT_MODE", f"-DAGENT_BACKWARDS={backwards}"]
    return macros


def c_libraries() -> Path:
    """Return the folder in which the compiler keeps what it builds once per architecture, mainly C libraries.

    `ZIG_GLOBAL_CACHE_DIR`, its own variable, or a folder of Steelyard's cache.
    """
    chosen = os.environ.get("ZIG_GLOBAL_CACHE_DIR")
    return Path(chosen) if chosen else cache_root() / "zig"


class _Builder:
    def __init__(self, host: Host, cache: Cache, readings: Readings, on_compile: Callable[[], None]) -> None:
        self._host = host
        self._cache = cache
        self._readings = readings
        self._on_compile = on_compile
        self._root = data_root()
        self._installed: Installed = find_wheel(cache)
        self._programs = self._installed.programs
        self._zig = self._programs.compile[0]

    def variant(self, request: VariantBuild) -> Program:
        """Return the agent with the variant in it."""
        flags = (*self._host.compile, *_MEASURED_FLAGS, *request.flags)
        objects = []
        for one in measured_sources(request, self._root):
            command = (*self._programs.compile, *flags, *one.macros)
            objects.append(self._object(one.name, command, one.tree, one.path, measured=True))
        tree = measured_tree(request, self._root)
        # The agent is an ordinary program: it has the C library's headers, not those of images.
        searched = (folder for folder in tree.include if folder != "libc")
        tree = SourceTree(tree.mounts, (*searched, "firmware/linux"))
        # An agent is told by macros what it holds; -D of a user's flags may change the context's type.
        told = tuple(flag for flag in request.flags if flag.startswith(("-D", "-U")))
        command = (*self._cc(dynamic=False), *measured_macros(request), *_agent_macros(request), *told)
        objects.append(self._object("agent.o", command, tree, "firmware/linux/agent.c", measured=False))
        objects.extend(self._common(dynamic=False))
        return self._linked(objects, dynamic=False, libraries=(), what=request.variant.id)

    def program(self, request: ProgramBuild) -> Program:
        """Return a program with the sources that all programs share."""
        tree = self._firmware()
        command = self._cc(dynamic=request.dynamic)
        own = [
            self._object(
                f"main_{Path(source).stem}.o", command, tree, f"firmware/linux/{source}", measured=False
            )
            for source in (request.source, *request.more)
        ]
        objects = [*own, *self._common(dynamic=request.dynamic)]
        return self._linked(
            objects, dynamic=request.dynamic, libraries=request.libraries, what=request.source
        )

    def _firmware(self) -> SourceTree:
        return SourceTree({"firmware": f"{self._root}/firmware"}, ("firmware/linux",))

    def _common(self, *, dynamic: bool) -> Iterator[_Object]:
        for source in _COMMON:
            name = f"common_{Path(source).stem}.o"
            path = f"firmware/linux/{source}"
            yield self._object(name, self._cc(dynamic=dynamic), self._firmware(), path, measured=False)

    def _cc(self, *, dynamic: bool) -> tuple[str, ...]:
        target = self._host.dynamic if dynamic else self._host.static
        return (self._zig, "cc", "-target", target, *_PROGRAM_FLAGS)

    def _object(
        self, name: str, command: Sequence[str], tree: SourceTree, path: str, *, measured: bool
    ) -> _Object:
        closure = self._readings.closure(tree, path)
        folders = (f"-I{folder}" for folder in tree.include)
        whole = (*command, *folders, "-c", path, "-o", name)
        return _Object(name, whole, closure.digest, closure.contents, measured)

    def _linked(
        self, objects: Sequence[_Object], *, dynamic: bool, libraries: Sequence[str], what: str
    ) -> Program:
        command = (
            *self._cc(dynamic=dynamic),
            *(() if dynamic else ("-static",)),
            *("-s", "-Wl,--gc-sections"),
            *(one.name for one in objects),
            *(f"-l{library}" for library in libraries),
            *("-o", "program"),
        )
        keys = [self._key(one) for one in objects]
        key = content_key(_BUILD_VERSION, self._installed.identity, *self._shown_words(command), *keys)
        elf = self._cache.get("host-program", key)
        if elf is None:
            self._on_compile()
            made = {one.name: self._compiled(one, at, what) for one, at in zip(objects, keys, strict=True)}
            (elf,) = self._run(command, made, ["program"], f"{what}: the program does not link")
            self._cache.put("host-program", key, elf)
        measured = [one.digest for one in objects if one.measured]
        return Program(
            elf=elf,
            key=key,
            toolchain="clang",
            toolchain_version=self._installed.version,
            source_hash=content_key(*(measured or [one.digest for one in objects])),
            commands=tuple(self._programs.shown(c) for c in (*(one.command for one in objects), command)),
        )

    def _key(self, one: _Object) -> str:
        words = self._shown_words(one.command)
        return content_key(_BUILD_VERSION, self._installed.identity, *words, one.digest)

    def _shown_words(self, command: Sequence[str]) -> list[str]:
        """Return the words of a command without this machine's folders, so that caches can be shared."""
        return self._programs.shown(command).split(" ")

    def _compiled(self, one: _Object, key: str, what: str) -> bytes:
        stored = self._cache.get("object", key)
        if stored is None:
            source = one.command[-3].partition("/")[2]
            problem, telling = f"{what}: {source} does not compile", [*one.command, *_TELLING]
            stored, read = self._run(telling, one.files, [one.name, _READ], problem)
            names = chain.from_iterable(rules(read.decode("utf-8", "replace")))
            folders = (*self._programs.installation, os.path.realpath(c_libraries()))
            check_read(f"{what}: {source}", names, one.files, folders)
            self._cache.put("object", key, stored)
        return stored

    def _run(
        self, command: Sequence[str], files: Mapping[str, bytes], outputs: Sequence[str], problem: str
    ) -> list[bytes]:
        folder = c_libraries()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentProblem(f"{folder}: cannot be written: {error.strerror}.") from error
        places = {"ZIG_GLOBAL_CACHE_DIR": str(folder), "ZIG_LOCAL_CACHE_DIR": str(folder)}
        shown = self._programs.shown([word for word in command if word not in _TELLING])
        reached = Places(self._programs.installation, (os.path.realpath(folder),))
        with _lock:
            return run_in_folder(command, files, outputs, problem, shown, reached, places, _LIMITS)
