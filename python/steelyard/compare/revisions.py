"""Folders of one's own code as revisions of a git repository have them.

What a revision holds is read from git's objects and written to a temporary folder. The user's work tree and
index are never touched, and nothing of the repository is run: no hook, no filter, no program that its
configuration names.
"""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.nearest import printable, unknown

WORK_TREE = "."
"""Names the work tree as it is, with what is not committed, in place of a revision."""

_SUBMODULE, _LINK = "160000", "120000"
_ID_SHOWN = 10
# A repository may not choose programs to be run, and git may not wait for an answer.
_SAFELY = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
_WITHOUT_PROGRAMS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")


@dataclass(frozen=True)
class _Entry:
    """A file, link or submodule of a commit: mode, object and path below the root."""

    mode: str
    identifier: str
    path: str

    def is_below(self, path: str) -> bool:
        """Whether it is at a path or in a folder of it; an empty path is the root."""
        return path in ("", ".", self.path) or self.path.startswith(f"{path}/")


@dataclass(frozen=True)
class Repository:
    """A git repository and the folders of it that are compared, as paths below its root."""

    root: Path
    folders: tuple[str, ...]

    def named(self, revision: str) -> str:
        """Return what a side is called: the revision and its commit, or the work tree."""
        if revision == WORK_TREE:
            return "the work tree"
        commit = self.commit(revision)[:_ID_SHOWN]
        return commit if commit.startswith(revision) else f"{printable(revision)} ({commit})"

    def commit(self, revision: str) -> str:
        """Return the commit of a revision; UsageError with the nearest branch or tag for an unknown one."""
        done = _git(
            self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        )
        if done.returncode == 0:
            return done.stdout.decode().strip()
        listed = _git(
            self.root, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"
        )
        clause = unknown("revision", revision, listed.stdout.decode(errors="replace").split())
        shallow = _git(self.root, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        more = " (this clone is shallow: fetch the whole history, or that revision)" if shallow else ""
        raise UsageError(f"--git: {clause}{more}" + ("" if clause.endswith("?") and not more else "."))


def repository_of(folders: Sequence[Path]) -> Repository:
    """Return the repository that holds these folders; UsageError if they lie in none, or in several."""
    found: list[tuple[Path, str]] = []
    for folder in folders:
        if not folder.is_dir():
            # A revision may have what the work tree has not, but git is asked from a folder that is there.
            present = next(one for one in (folder, *folder.absolute().parents) if one.is_dir())
        else:
            present = folder
        done = _git(present, "rev-parse", "--show-toplevel")
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip().splitlines() or ["git says nothing"]
            if "not a git repository" in said[0]:
                raise UsageError(f"{folder}: --git compares revisions, and this lies in no git repository.")
            raise EnvironmentProblem(f"{folder}: {printable(said[0])}.")
        root = Path(os.fsdecode(done.stdout.rstrip(b"\n"))).resolve()
        found.append((root, os.path.relpath(folder.resolve(), root)))
    if len({root for root, _ in found}) != 1:
        raise UsageError("--git: the folders of --primitives lie in several repositories; name those of one.")
    return Repository(found[0][0], tuple("" if path == "." else Path(path).as_posix() for _, path in found))


def checked_out(repository: Repository, revision: str, into: Path) -> tuple[list[Path], list[str]]:
    """Write the folders of a revision below `into`; return those that it has, and sentences on what is amiss.

    The work tree's folders are returned where they lie. Links that lead to another place of the repository
    bring what they lead to.
    """
    if revision == WORK_TREE:
        there = [repository.root / folder for folder in repository.folders]
        return [folder for folder in there if folder.is_dir()], []
    commit, notes = repository.commit(revision), []
    listed = _entries(repository.root, commit)
    written: set[str] = set()
    links: dict[str, str] = {}
    pending = list(repository.folders)
    while pending:
        found = [
            one for one in listed if one.path not in written and any(one.is_below(path) for path in pending)
        ]
        written.update(one.path for one in found)
        notes += [
            f"{one.path} is a submodule, which a revision does not hold: it is left out."
            for one in found
            if one.mode == _SUBMODULE
        ]
        files = [one for one in found if one.mode not in (_SUBMODULE, _LINK)]
        for file, content in zip(files, _contents(repository.root, files), strict=True):
            _write(into / file.path, content)
        pointing = [one for one in found if one.mode == _LINK]
        pending = []
        for link, content in zip(pointing, _contents(repository.root, pointing), strict=True):
            target = os.fsdecode(content)
            leads = posixpath.normpath(posixpath.join(posixpath.dirname(link.path), target))
            if posixpath.isabs(leads) or leads.split("/")[0] == "..":
                notes.append(f"{link.path} is a link that leads out of the repository: it is left out.")
            else:
                links[link.path] = target
                pending.append(leads)
    # Links come last: nothing is written through one.
    for path, target in links.items():
        place = into / path
        if not os.path.lexists(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(target)
    return [into / folder for folder in repository.folders if (into / folder).is_dir()], notes


def _entries(root: Path, commit: str) -> list[_Entry]:
    """Return what a commit has."""
    done = _git(root, "ls-tree", "-r", "-z", "--full-tree", commit)
    if done.returncode != 0:
        raise EnvironmentProblem(f"{root}: git cannot read {commit[:_ID_SHOWN]}; fetch it first.")
    found = []
    for line in done.stdout.split(b"\0"):
        facts, tab, name = line.partition(b"\t")
        if tab:
            mode, _, identifier = facts.decode().split(" ")
            one = _Entry(mode, identifier, os.fsdecode(name))
            if any(part in ("", ".", "..") or part.lower() == ".git" for part in one.path.split("/")):
                raise UsageError(f"{commit[:_ID_SHOWN]}: it has a path that no folder can hold.")
            found.append(one)
    return found


def _contents(root: Path, entries: Sequence[_Entry]) -> list[bytes]:
    """Return the contents of objects in their order."""
    if not entries:
        return []
    asked = "".join(f"{one.identifier}\n" for one in entries).encode()
    done = _git(root, "cat-file", "--batch", given=asked)
    found, place = [], 0
    for one in entries:
        end = done.stdout.find(b"\n", place)
        words = done.stdout[place:end].split(b" ")
        if end < 0 or len(words) != 3 or words[1] != b"blob":
            raise EnvironmentProblem(f"{root}: git lacks the content of {one.path}; fetch it first.")
        size = int(words[2])
        found.append(done.stdout[end + 1 : end + 1 + size])
        place = end + 1 + size + 1
    return found


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise EnvironmentProblem(f"{path}: cannot be written: {error.strerror}.") from None


def _git(folder: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ["git", *_WITHOUT_PROGRAMS, "-C", str(folder), *words],
            input=given,
            capture_output=True,
            env={**os.environ, **_SAFELY, "LC_ALL": "C"},
            check=False,
        )
    except FileNotFoundError:
        raise EnvironmentProblem("git is not installed on this machine, and --git needs it.") from None
