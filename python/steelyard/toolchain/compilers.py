"""Find the compilers of this machine and their commands."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from steelyard.cache.content import Cache, content_key
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.nearest import unknown
from steelyard.toolchain.family import ToolchainFacts, families
from steelyard.toolchain.recipe import Recipe, recipes
from steelyard.toolchain.run import compiler_environment, run_program
from steelyard.toolchain.scratch import remove_abandoned

_GCC_PROGRAMS = ("cc1", "as", "ld", "ar")
_PROGRAM_FOLDER = re.compile(r"(.*)/(?:bin|lib|libexec)/")


@dataclass(frozen=True)
class Programs:
    """Command prefixes of a toolchain's parts; absolute, so kept out of records (see `shown`)."""

    compile: tuple[str, ...]
    link: tuple[str, ...]
    archive: tuple[str, ...]
    installation: tuple[str, ...] = ()
    """Real paths of the folders with the programs, their libraries and the compiler's own headers."""
    package_folder: str = ""
    links_by_driver: bool = True
    driver_takes_many: bool = True
    """Whether the driver compiles several sources faster together than one by one."""
    linker: str = ""
    """The linker that the driver starts."""

    def front_end(self, flags: Sequence[str]) -> list[str] | None:
        """Return the command by which clang's driver would compile C with these flags, without its files.

        The driver starts a process per source; its front end takes many in one. None if the driver does not
        tell.
        """
        files = ("-o", "a.o", "-x", "c", os.devnull)
        command = (*self.compile, *flags, "-c", *files, "-###")
        done = run_program(command, os.curdir, compiler_environment())
        line = shlex.split((done.text.splitlines() or [""])[-1])
        told = done.status == 0 and line[1:2] == ["-cc1"] and tuple(line[-5:]) == files
        return line[:-5] if told else None

    def linking(self, flags: Sequence[str]) -> list[str] | None:
        """Return the command by which GCC's driver would start its linker with these flags, without files.

        The driver starts a process that starts it, with a plug-in for link-time optimisation, which no build
        has. None if the driver does not tell.
        """
        files = ["-o", "image.elf", os.devnull]
        done = run_program((*self.link, *flags, *files, "-###"), os.curdir, compiler_environment())
        lines = (shlex.split(line) for line in done.text.splitlines() if "/collect2 " in line)
        line = next(lines, None)
        if done.status != 0 or line is None:
            return None
        words, told = iter(line[1:]), [self.linker]
        for word in words:
            if word == "-plugin":
                next(words, None)
            elif not word.startswith("-plugin-opt="):
                told.append(word)
        for file in files:
            told.remove(file)
        return told

    def shown(self, command: Sequence[str]) -> str:
        """Return a command line without this machine's folders."""
        words = [os.path.basename(command[0]), *command[1:]]
        if self.package_folder:
            words = [word.replace(self.package_folder, "ziglang") for word in words]
        return " ".join(words)


@dataclass(frozen=True)
class Installed:
    """A toolchain found on this machine.

    `identity` is a hash over the programs themselves: two compilers that only share a version number do not
    share cache entries.
    """

    version: str
    identity: str
    programs: Programs
    place: str = ""
    """Where the toolchain was found, as text."""


@dataclass(frozen=True)
class Toolchain:
    """A compiler and its linker for one CPU family; `install` is the command for a missing one."""

    id: str
    family: str
    facts: ToolchainFacts = field(repr=False)
    installed: Installed | None = field(repr=False)

    @property
    def title(self) -> str:
        """Display name of the compiler."""
        return self.facts.title

    @property
    def install(self) -> str:
        """Command that installs the compiler."""
        return self.facts.install

    @property
    def version(self) -> str | None:
        """Version of the compiler, None if it is missing."""
        return self.installed.version if self.installed else None

    @property
    def available(self) -> bool:
        """Whether the compiler can be used on this machine."""
        return self.installed is not None

    def without_compiler(self, version: str) -> Installed:
        """Return a stand-in for a compiler of which only the version is known: its programs by name."""
        programs = Programs(compile=(self.facts.command,), link=(self.facts.command,), archive=())
        return Installed(version, version, programs)

    def require(self) -> Installed:
        """Return the installation; EnvironmentProblem, with the command to run, if it is missing."""
        if self.installed is None:
            raise EnvironmentProblem(
                f"{self.title} for {self.family} is not installed on this machine; run: {self.install}"
            )
        return self.installed


def discover(cache: Cache | None = None) -> list[Toolchain]:
    """Return all toolchains that any family names, missing ones included, ordered by family and name."""
    cache = cache or Cache()
    remove_abandoned()
    return [
        _look_up(family, name, facts, cache)
        for family, file in families().items()
        for name, facts in sorted(file.toolchain.items())
    ]


def find_toolchain(family: str, toolchain_id: str, cache: Cache | None = None) -> Toolchain:
    """Return the toolchain of that name for a family.

    UsageError for an unknown name, EnvironmentProblem (with the command to run) if it is not installed.
    """
    file = families().get(family)
    if file is None:
        raise UsageError(unknown("CPU family", family, families()))
    if toolchain_id not in file.toolchain:
        raise UsageError(unknown("toolchain", toolchain_id, file.toolchain))
    toolchain = _look_up(family, toolchain_id, file.toolchain[toolchain_id], cache or Cache())
    toolchain.require()
    return toolchain


def find_wheel(cache: Cache) -> Installed:
    """Return the wheel's clang with its own linker; EnvironmentProblem if it is missing."""
    facts = next(
        facts
        for family in families().values()
        for facts in family.toolchain.values()
        if facts.driver == "ziglang" and not facts.linker
    )
    found = _find_ziglang(facts, cache)
    if found is None:
        raise EnvironmentProblem(f"{facts.title} is not installed on this machine; run: {facts.install}")
    return found


def _look_up(family: str, name: str, facts: ToolchainFacts, cache: Cache) -> Toolchain:
    if facts.driver == "ziglang":
        return Toolchain(name, family, facts, _find_ziglang(facts, cache))
    found = _find_built(recipes()[family], cache) if facts.build is not None else None
    return Toolchain(name, family, facts, found or _find_gcc(facts, cache))


def _find_built(recipe: Recipe, cache: Cache) -> Installed | None:
    """Return a compiler that `steelyard toolchain install` built; it takes precedence over PATH."""
    driver = recipe.driver
    if driver is None:
        return None
    entry = _gcc_entry(cache, str(driver))
    if entry is None:
        return None
    identity = content_key(entry.identity, recipe.key)
    return Installed(recipe.version, identity, _gcc_programs(str(driver), entry), "built from source")


def _find_gcc(facts: ToolchainFacts, cache: Cache) -> Installed | None:
    driver = shutil.which(facts.command)
    entry = _gcc_entry(cache, driver) if driver is not None else None
    if driver is None or entry is None:
        return None
    return Installed(entry.version, entry.identity, _gcc_programs(driver, entry), "on PATH")


def _gcc_entry(cache: Cache, driver: str) -> _Entry | None:
    entry = _remembered(cache, driver)
    if entry is None:
        version = re.search(r"\) (\S+)", _output(driver, "--version"))
        if version is None:
            return None
        parts = {name: _program(driver, name) for name in _GCC_PROGRAMS}
        entry = _remember(cache, driver, version[1], parts)
    return entry


def _gcc_programs(driver: str, entry: _Entry) -> Programs:
    return Programs(
        compile=(driver,),
        link=(driver,),
        archive=(entry.parts["ar"],),
        installation=_installation(os.path.basename(driver), driver, *entry.parts.values()),
        linker=entry.parts["ld"],
    )


def _find_ziglang(facts: ToolchainFacts, cache: Cache) -> Installed | None:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    zig = str(folder / "zig")
    if not os.access(zig, os.X_OK):
        return None
    entry = _remembered(cache, zig)
    if entry is None:
        version = re.search(r"clang version (\S+)", _output(zig, "clang", "--version"))
        if version is None:
            return None
        wheel = importlib.metadata.version("ziglang")
        entry = _remember(cache, zig, f"{version[1]} (ziglang {wheel})", {})
    link: tuple[str, ...] = (zig, "ld.lld")
    linker_folders: tuple[str, ...] = ()
    identity = entry.identity
    if facts.linker:
        linker = shutil.which(facts.linker)
        if linker is None:
            return None
        of_linker = _remembered(cache, linker) or _remember(cache, linker, _output(linker, "--version"), {})
        linker_folders = _installation(facts.linker.removesuffix("-ld"), linker)
        link, identity = (linker,), content_key(identity, of_linker.identity)
    # The wheel's own `zig cc` would add flags and a cache of its own; clang itself is one sub-command away.
    programs = Programs(
        compile=(zig, "clang", "-resource-dir", str(folder / "lib")),
        link=link,
        archive=(zig, "ar"),
        installation=(os.path.realpath(folder), *linker_folders),
        package_folder=str(folder),
        links_by_driver=False,
        driver_takes_many=False,
    )
    return Installed(entry.version, identity, programs, "package ziglang")


def _installation(driver: str, *programs: str) -> tuple[str, ...]:
    """Return the folders of a GCC: beside those of its programs, which may be a prefix that others share."""
    names = ("bin", "lib", "lib64", "libexec", "include/newlib", driver.removesuffix("-gcc"))
    found: dict[str, None] = {}
    for program in programs:
        folder = os.path.dirname(os.path.realpath(program))
        parts = _PROGRAM_FOLDER.match(f"{folder}/")
        folders = [f"{parts[1]}/{name}" for name in names] if parts else [folder]
        found |= dict.fromkeys(os.path.realpath(one) for one in folders if os.path.isdir(one))
    return tuple(found)


def _output(*command: str) -> str:
    try:
        done = run_program(command, os.curdir, compiler_environment())
    except OSError as error:
        raise EnvironmentProblem(f"{command[0]} cannot be run: {error.strerror}.") from error
    return done.printed.decode("utf-8", "replace").strip()


def _program(driver: str, name: str) -> str:
    """Return the path of a part of GCC from the driver: with its folder, or by name on PATH."""
    answer = _output(driver, f"-print-prog-name={name}")
    path = shutil.which(answer)
    if path is None:
        raise EnvironmentProblem(
            f"{Path(driver).name} is installed without its {name}; install binutils for it."
        )
    return path


@dataclass(frozen=True)
class _Entry:
    version: str
    identity: str
    parts: dict[str, str]


def _stamp(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        status = os.stat(path)
        yield f"{os.path.realpath(path)} {status.st_size} {status.st_mtime_ns} {status.st_ino}"


def _memo_key(driver: str) -> str:
    return content_key("compiler", *_stamp([driver]))


def _remembered(cache: Cache, driver: str) -> _Entry | None:
    """Return what an earlier run learnt of these files, without running or hashing them again."""
    raw = cache.get("compiler", _memo_key(driver))
    if raw is None:
        return None
    stored = json.loads(raw)
    try:
        if stored["stamp"] != list(_stamp(stored["parts"].values())):
            return None
    except OSError:
        return None
    return _Entry(stored["version"], stored["identity"], stored["parts"])


def _remember(cache: Cache, driver: str, version: str, parts: dict[str, str]) -> _Entry:
    digest = hashlib.sha256(version.encode())
    for path in (driver, *parts.values()):
        with open(path, "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    stored = {
        "version": version,
        "identity": digest.hexdigest(),
        "parts": parts,
        "stamp": list(_stamp(parts.values())),
    }
    cache.put("compiler", _memo_key(driver), json.dumps(stored).encode())
    return _Entry(version, digest.hexdigest(), parts)
