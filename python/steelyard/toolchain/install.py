"""Build compilers from the distribution's source packages into the user's cache, stage by stage.

A finished stage leaves a mark in the work folder, so that the next run continues after it. The result is
moved to its place once it is complete and tested; the work folder is deleted after that.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from steelyard.cache.content import content_key
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.nearest import unknown
from steelyard.toolchain.family import Edit, families
from steelyard.toolchain.recipe import (
    BINUTILS_OPTIONS,
    HOST_VARIABLES,
    Recipe,
    SourceArchive,
    damage,
    recipes,
    seal,
    source_archives,
    toolchains_folder,
)

# Programs and headers of the host, each with the Debian package that brings it.
_PROGRAMS = {
    "make": "make",
    "cc": "gcc",
    "c++": "g++",
    "ar": "binutils",
    "tar": "tar",
    "xz": "xz-utils",
    "flex": "flex",
    "bison": "bison",
}
_HEADERS = {"gmp.h": "libgmp-dev", "mpfr.h": "libmpfr-dev", "mpc.h": "libmpc-dev"}
_ROOM_BYTES = 3 << 30
_PROOF = "unsigned long f(unsigned long a, unsigned b) { return a * b + a / (b | 1); }\n"


class Watcher(Protocol):
    """Receives the progress of an installation; `lines` count a tool's output, about `total_lines` in all."""

    def target(self, name: str, total_lines: int) -> None:
        """Report the start of a compiler."""

    def stage(self, title: str, *, done_before: bool) -> None:
        """Report that a stage begins, or was found finished."""

    def advance(self, lines: int) -> None:
        """Report that `lines` more of the total are done."""


class Quiet:
    """A watcher that reports nothing."""

    def target(self, name: str, total_lines: int) -> None:
        """Report nothing."""

    def stage(self, title: str, *, done_before: bool) -> None:
        """Report nothing."""

    def advance(self, lines: int) -> None:
        """Report nothing."""


@dataclass(frozen=True)
class Outcome:
    """Result for one compiler: its place, and whether it was already installed intact."""

    family: str
    version: str
    folder: Path
    was_there: bool


def install(
    names: Sequence[str],
    watcher: Watcher | None = None,
    *,
    jobs: int | None = None,
    sources: Path | None = None,
) -> list[Outcome]:
    """Build the compilers of these CPU families that are not installed yet, in the order given.

    `sources` is a folder with the archives, searched first. UsageError for a family whose compiler is not
    built from source; EnvironmentProblem for a missing requirement, a wrong checksum or a failed stage.
    """
    known = recipes()
    chosen = list(dict.fromkeys(names))
    for name in chosen:
        if name in known:
            continue
        if name in families():
            facts = next(iter(sorted(families()[name].toolchain.items(), reverse=True)))[1]
            raise UsageError(f"{facts.title} for {name} is not built from source; run: {facts.install}")
        raise UsageError(unknown("CPU family", name, known))
    watching, workers = watcher or Quiet(), jobs or os.cpu_count() or 1
    try:
        return [_install(known[name], watching, workers, sources) for name in chosen]
    finally:
        _remove_sources()


def _remove_sources() -> None:
    """Remove the unpacked sources once no compiler is being built."""
    if not any(toolchains_folder().glob("work-*")):
        for path in toolchains_folder().glob("sources-*"):
            shutil.rmtree(path, ignore_errors=True)


def _install(recipe: Recipe, watcher: Watcher, jobs: int, sources: Path | None) -> Outcome:
    with _locked(recipe.triplet):
        found = recipe.driver is not None and damage(recipe) is None
        if not found:
            _Installation(recipe, watcher, jobs, sources).run()
    return Outcome(recipe.family, recipe.version, recipe.folder, found)


@dataclass(frozen=True)
class _Stage:
    """A step that is either complete or repeated; `lines` is about the output of its tools."""

    name: str
    title: str
    lines: int
    run: Callable[[], None]


class _Installation:
    """The installation of one compiler."""

    def __init__(self, recipe: Recipe, watcher: Watcher, jobs: int, sources: Path | None) -> None:
        self._recipe = recipe
        self._watcher = watcher
        self._jobs = jobs
        self._given = sources
        self._work = toolchains_folder() / f"work-{recipe.triplet}"
        self._prefix = self._work / "prefix"
        self._log_path = toolchains_folder() / f"{recipe.triplet}.log"
        key = content_key(*(f"{one.sha256} {' '.join(one.needless)}" for one in source_archives().values()))
        self._tree = toolchains_folder() / f"sources-{key[:12]}"

    def run(self) -> None:
        """Run all unfinished stages, then move the result to its place and delete the work folder."""
        self._begin()
        stages = self._stages()
        self._watcher.target(self._recipe.triplet, sum(stage.lines for stage in stages))
        for stage in stages:
            mark = self._work / "done" / stage.name
            self._watcher.stage(stage.title, done_before=mark.exists())
            if mark.exists():
                self._watcher.advance(stage.lines)
                continue
            self._left = stage.lines
            stage.run()
            self._watcher.advance(self._left)
            mark.touch()
        self._put_in_place()

    def _begin(self) -> None:
        """Create the work folder of this recipe, and check the machine's requirements."""
        try:
            recipe = f"{self._recipe.key} {self._tree.name}"
            begun = self._work / "recipe"
            if not begun.is_file() or begun.read_text("utf-8") != recipe:
                shutil.rmtree(self._work, ignore_errors=True)
            (self._work / "done").mkdir(parents=True, exist_ok=True)
            begun.write_text(recipe)
            room = shutil.disk_usage(self._work).free
        except OSError as error:
            raise EnvironmentProblem(f"{self._work}: {error.strerror}.") from error
        check_host()
        if room < _ROOM_BYTES and not (self._work / "done" / "gcc").exists():
            raise EnvironmentProblem(
                f"{self._work.parent} has {room >> 20} MB free; building a compiler takes"
                f" {_ROOM_BYTES >> 20} MB: make room, or name another folder in STEELYARD_CACHE."
            )

    def _stages(self) -> tuple[_Stage, ...]:
        libgcc_lines = 700 if self._recipe.build.multilib is None else 1600
        libgcc = _Stage("libgcc", "libgcc: build and install", libgcc_lines, self._build_libgcc)
        return (
            _Stage("sources", "sources: verify and unpack", 60, self._unpack),
            _Stage("binutils-configured", "binutils: configure", 90, self._configure_binutils),
            _Stage("binutils", "binutils: build and install", 2600, self._build_binutils),
            _Stage("gcc-configured", "GCC: configure", 90, self._configure_gcc),
            _Stage("gcc", "GCC: build", 4200, self._build_gcc),
            _Stage("gcc-installed", "GCC: install", 200, self._install_gcc),
            *((libgcc,) if self._recipe.build.libgcc else ()),
            _Stage("proven", "prove it on a small program", 10, self._prove),
        )

    def _unpack(self) -> None:
        # What another compiler's installation unpacked is as good.
        with _locked("sources", wait=True):
            unpack_sources(self._tree, self._given)
        for edit in self._recipe.build.edits:
            apply_edit(edit, self._source("gcc"))

    def _source(self, name: str) -> Path:
        return self._tree / source_archives()[name].folder

    def _configure_binutils(self) -> None:
        self._configure("binutils", BINUTILS_OPTIONS)

    def _build_binutils(self) -> None:
        self._make("binutils", "all")
        self._make("binutils", "install")

    def _configure_gcc(self) -> None:
        self._configure("gcc", self._recipe.gcc_options)

    def _build_gcc(self) -> None:
        self._make("gcc", "all-gcc")

    def _install_gcc(self) -> None:
        # The distribution's archive is without the documentation that this mark is made from.
        (self._work / "gcc" / "gcc" / "s-tm-texi").touch()
        self._make("gcc", "install-gcc")

    def _build_libgcc(self) -> None:
        self._make("gcc", "all-target-libgcc")
        self._make("gcc", "install-target-libgcc")

    def _configure(self, what: str, options: Sequence[str]) -> None:
        if not (self._source(what) / "configure").is_file():
            self._unpack()
        folder = self._work / what
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        command = (
            str(self._source(what) / "configure"),
            f"--target={self._recipe.triplet}",
            f"--prefix={self._prefix}",
            *options,
            *HOST_VARIABLES,
            "MAKEINFO=true",
        )
        self._run(command, folder)

    def _make(self, what: str, goal: str) -> None:
        variables = self._recipe.make_variables if what == "gcc" else ()
        if not (self._source(what) / "configure").is_file():
            self._unpack()
        self._run(("make", f"-j{self._jobs}", goal, "MAKEINFO=true", *variables), self._work / what)

    def _prove(self) -> None:
        for options in self._recipe.build.proof:
            with tempfile.TemporaryDirectory(dir=self._work) as folder:
                Path(folder, "proof.c").write_text(_PROOF)
                flags = (*options, "-Os", "-ffreestanding", "-nostdlib")
                driver = self._prefix / "bin" / f"{self._recipe.triplet}-gcc"
                linked = self._recipe.libraries or ("-c",)
                self._run((str(driver), *flags, "proof.c", *linked, "-o", "proof.elf"), Path(folder))

    def _put_in_place(self) -> None:
        for surplus in ("share", "include"):
            shutil.rmtree(self._prefix / surplus, ignore_errors=True)
        seal(self._recipe, self._prefix)
        for earlier in toolchains_folder().glob(f"{self._recipe.triplet}-*"):
            shutil.rmtree(earlier)
        self._prefix.rename(self._recipe.folder)
        shutil.rmtree(self._work)

    def _run(self, command: Sequence[str], folder: Path) -> None:
        """Run a command with its output in the log; EnvironmentProblem, with its first error, if it fails."""
        environment = {
            "PATH": f"{self._prefix}/bin:{os.environ.get('PATH', os.defpath)}",
            "LC_ALL": "C",
            "HOME": str(self._work),
        }
        error = ""
        with self._log_path.open("ab") as log, _running(command, folder, environment) as process:
            log.write(f"\n$ {' '.join(command)}\n".encode())
            assert process.stdout is not None
            for line in process.stdout:
                log.write(line)
                if not error and (b"rror:" in line or b": *** " in line):
                    error = line.decode("utf-8", "replace").strip()[:200]
                if self._left > 1:
                    self._left -= 1
                    self._watcher.advance(1)
        if process.returncode:
            raise EnvironmentProblem(
                f"{Path(command[0]).name} for {self._recipe.triplet} ended with status {process.returncode}"
                f"{f' ({error})' if error else ''}; all that it said is in {self._log_path}."
                " What is finished is kept: the same command goes on from there."
            )


def check_host() -> None:
    """Check the requirements for building a compiler; EnvironmentProblem names all that are missing."""
    missing = [package for program, package in _PROGRAMS.items() if shutil.which(program) is None]
    if "g++" not in missing:
        missing += [package for header, package in _HEADERS.items() if not _has_header(header)]
    if missing:
        raise EnvironmentProblem(
            f"To build a compiler this machine lacks {', '.join(missing)};"
            f" run: apt-get install {' '.join(missing)}"
        )


def find_archive(source: SourceArchive, given: Path | None, downloads: Path) -> Path:
    """Return the archive from this machine, or from its package, which is downloaded.

    EnvironmentProblem if it is not available, or has the wrong checksum.
    """
    places = [Path(source.archive), downloads / source.name]
    if given is not None:
        places.insert(0, given / source.name)
    found = next((place for place in places if place.is_file()), None) or _download(source, downloads)
    with found.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != source.sha256:
        if found.parent == downloads:
            found.unlink()
        raise EnvironmentProblem(
            f"{found} has another checksum (SHA-256 {digest[:12]}...) than the {source.name} that compilers"
            f" are built from ({source.sha256[:12]}...); name a folder with the right one by --sources."
        )
    return found


def unpack_sources(tree: Path, given: Path | None) -> None:
    """Unpack both verified archives below `tree`, completely or not at all; does nothing if `tree` exists."""
    if tree.is_dir():
        return
    # What a run left that was killed.
    for unfinished in tree.parent.glob("unpacking-*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=tree.parent, prefix="unpacking-") as folder:
        for source in source_archives().values():
            archive = find_archive(source, given, Path(folder, "downloads"))
            unpack(archive, source, Path(folder, "tree"))
        for earlier in tree.parent.glob("sources-*"):
            shutil.rmtree(earlier)
        Path(folder, "tree").rename(tree)


def unpack(archive: Path, source: SourceArchive, into: Path) -> None:
    """Unpack the archive without needless folders; EnvironmentProblem if it lacks expected files."""
    needless = (f"--exclude={source.folder}/{name}" for name in source.needless)
    into.mkdir(parents=True, exist_ok=True)
    command = ["tar", "--extract", f"--file={archive}", f"--directory={into}", "--no-same-owner", *needless]
    with _running(command, into, {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}) as process:
        assert process.stdout is not None
        said = process.stdout.read().decode("utf-8", "replace").strip().partition("\n")[0]
    if process.returncode:
        raise EnvironmentProblem(f"{archive} cannot be unpacked into {into}: {said}.")
    if not (into / source.folder / "configure").is_file():
        raise EnvironmentProblem(f"{archive} holds no {source.folder}/configure.")


def apply_edit(edit: Edit, gcc: Path) -> None:
    """Give a function of GCC's sources its new body; applying it twice has no further effect."""
    path = gcc / edit.file
    text = path.read_text("utf-8")
    body = "".join(f"  {line}\n" if line else "\n" for line in edit.body.strip().splitlines())
    head = rf"^{re.escape(edit.function)} \([^;{{}}]*\)\n{{\n"
    pattern = re.compile(rf"({head}).*?(^}})", re.DOTALL | re.MULTILINE)
    edited, count = pattern.subn(lambda match: match[1] + body + match[2], text)
    if count != 1:
        raise EnvironmentProblem(f"{path} defines {edit.function} {count} times, not once.")
    if edited != text:
        path.write_text(edited, "utf-8")


def _download(source: SourceArchive, downloads: Path) -> Path:
    """Extract the archive from its Debian package; nothing of the package is installed."""
    apt, unpacker = shutil.which("apt-get"), shutil.which("dpkg-deb")
    get = f"apt-get install {source.package}"
    if apt is None or unpacker is None:
        raise EnvironmentProblem(
            f"{source.name}, of the Debian package {source.package}, is not on this machine, which has no"
            " apt-get: name a folder that holds it with --sources."
        )
    downloads.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [apt, "download", source.package],
        cwd=downloads,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    package = next(downloads.glob(f"{source.package}_*.deb"), None)
    if done.returncode or package is None:
        said = next((line for line in done.stderr.splitlines() if line.startswith("E:")), "no reason given")
        raise EnvironmentProblem(f"{source.package} cannot be downloaded ({said}); with root run: {get}")
    place = downloads / source.name
    with subprocess.Popen([unpacker, "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        with tarfile.open(fileobj=process.stdout, mode="r|") as tar:
            for member in tar:
                if member.isfile() and member.name.lstrip("./") == source.archive.lstrip("/"):
                    content = tar.extractfile(member)
                    assert content is not None
                    with place.open("wb") as file:
                        shutil.copyfileobj(content, file)
    package.unlink()
    if not place.is_file():
        raise EnvironmentProblem(
            f"{source.package} of this distribution holds another version than {source.name}:"
            " name a folder that holds it with --sources."
        )
    return place


def _has_header(header: str) -> bool:
    command = ["c++", "-E", "-x", "c++", "-"]
    given = f"#include <{header}>\n".encode()
    return subprocess.run(command, input=given, capture_output=True, check=False).returncode == 0


@contextmanager
def _locked(name: str, *, wait: bool = False) -> Iterator[None]:
    """Hold a lock for one process at a time; wait for another process, or EnvironmentProblem."""
    folder = toolchains_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / f"{name}.lock").open("w")
    except OSError as error:
        raise EnvironmentProblem(f"{folder} cannot be written to: {error.strerror}.") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError as error:
            raise EnvironmentProblem(
                f"Another installation is at work on {name}; wait for it, its result serves here too."
            ) from error
        yield


@contextmanager
def _running(
    command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process whose whole group ends when this process is stopped."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield process
        process.wait()
    except BaseException:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        raise
    finally:
        if process.stdout is not None:
            process.stdout.close()
