"""A user's checkout of published code, and the user's file that says how it is built and called."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from steelyard.catalog.load import read_file
from steelyard.catalog.models import Strict
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.fidelity.boards import Board, Figure, load_board

RECIPE = "steelyard-fidelity.toml"


class Rule(Strict):
    """How to build and call the routines whose board, name, path and operation match these globs.

    `files`, globs below the checkout, are the published sources (C, C++ and assembly; other files are
    ignored); `include` are folders of headers. In both and in `define`, `{path}` is the figure's path and
    `{folder}` its folder. `driver` is a C file that defines `uint32_t measured(void)` and, if something must
    be prepared, `void prepare(void)`. Either the call of `measured` counts, which returns 0 on success, or
    the cycles that it `returned`.
    """

    board: str = "*"
    routine: str = "*"
    path: str = "*"
    operation: str = "*"
    files: tuple[str, ...] = Field(min_length=1)
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    driver: str
    counts: Literal["call", "returned"] = "call"

    def matches(self, board: str, figure: Figure) -> bool:
        """Whether the rule applies to this routine of a board."""
        return (
            fnmatchcase(board, self.board)
            and fnmatchcase(figure.routine, self.routine)
            and fnmatchcase(figure.path, self.path)
            and fnmatchcase(figure.operation, self.operation)
        )


class Recipe(Strict):
    """Contents of `steelyard-fidelity.toml`; the first rule that matches a routine applies."""

    board: Annotated[tuple[str, ...], Field(min_length=1)]
    source: str
    build: tuple[Rule, ...] = Field(min_length=1)


class Checkout(Strict):
    """A folder with its recipe and the boards whose figures belong to its code."""

    folder: Path
    recipe: Recipe
    boards: tuple[Board, ...]

    def rule(self, board: str, figure: Figure) -> Rule | None:
        """Return the rule for a routine, None if the recipe has none."""
        return next((rule for rule in self.recipe.build if rule.matches(board, figure)), None)

    def path(self, pattern: str, figure: Figure) -> Path:
        """Return a path of the recipe for one routine."""
        return self.folder / filled(pattern, figure)

    def files(self, rule: Rule, figure: Figure) -> list[Path]:
        """Return the sources of a routine; UsageError if a pattern finds none."""
        found: list[Path] = []
        for pattern in rule.files:
            name = filled(pattern, figure)
            matching = sorted(self.folder.glob(name))
            if not matching:
                raise UsageError(f"no file {name} in {self.folder}")
            found += (path for path in matching if path.is_file() and path not in found)
        return found


def filled(pattern: str, figure: Figure) -> str:
    """Return a text of the recipe with the routine's path filled in."""
    folder = figure.path.rpartition("/")[0] or "."
    return pattern.replace("{path}", figure.path).replace("{folder}", folder)


def open_checkouts(folders: Sequence[Path]) -> list[Checkout]:
    """Return the checkouts with their recipes; UsageError in one sentence for anything wrong with one."""
    checkouts = [_open(folder) for folder in folders]
    named: dict[tuple[str, str], Path] = {}
    for checkout in checkouts:
        for board in checkout.boards:
            key = (board.id, checkout.recipe.source)
            if key in named:
                raise UsageError(
                    f"{checkout.folder}: source {key[1]} of board {key[0]} was given already,"
                    f" as {named[key]}."
                )
            named[key] = checkout.folder
    return checkouts


def _open(folder: Path) -> Checkout:
    if not folder.is_dir():
        raise UsageError(f"--source {folder}: there is no such folder.")
    path = folder / RECIPE
    if not path.is_file():
        raise UsageError(
            f"--source {folder}: it has no {RECIPE}, which says how the routines are built and called;"
            " steelyard fidelity --help names the page that describes it."
        )
    recipe = read_file(path, Recipe)
    boards = tuple(load_board(name, folder) for name in recipe.board)
    for board in boards:
        commit = board.source(recipe.source).commit
        if commit is not None:
            _check_commit(folder, commit, recipe.source)
    for rule in recipe.build:
        if not (folder / rule.driver).is_file():
            raise UsageError(f"{path}: there is no driver {rule.driver}.")
    return Checkout(folder=folder.absolute(), recipe=recipe, boards=boards)


def _check_commit(folder: Path, commit: str, source: str) -> None:
    status, found = _git(folder, "rev-parse", "HEAD")
    if status != 0:
        raise UsageError(
            f"--source {folder}: it is no git checkout, so nothing says whether it is commit {commit[:12]},"
            f" of which the figures of {source} are."
        )
    if found != commit:
        raise UsageError(
            f"--source {folder}: the figures of {source} are of commit {commit[:12]}, the checkout is at"
            f" {found[:12]}."
        )
    status, _ = _git(folder, "diff", "--quiet", "HEAD")
    if status != 0:
        raise UsageError(f"--source {folder}: files of the checkout were changed since commit {commit[:12]}.")


def _git(folder: Path, *arguments: str) -> tuple[int, str]:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise EnvironmentProblem(f"git cannot be run: {error.strerror}.") from None
    return done.returncode, done.stdout.strip()
