"""`steelyard toolchain`: the installed compilers, and those that Steelyard can build."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import INTERRUPTED, warn
from steelyard.cli.view import View, view
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.toolchain.install import Watcher

app = typer.Typer(help="List and install compilers.", no_args_is_help=True)


@app.command("list")
@options.taking(wanted=view)
def list_(
    *,
    wanted: View,
) -> None:
    """List the toolchains of every CPU family, and how to get those that are missing.

    \b
    Example:
      steelyard toolchain list
    """
    from steelyard.cli.list_ import toolchain_rows
    from steelyard.toolchain.confine import can_confine

    rows = toolchain_rows()
    cells = tuple(
        (
            str(row["toolchain"]),
            str(row["family"]),
            str(row["title"]),
            str(row["version"] or f"missing; run: {row['install']}"),
            str(row["place"] or _beforehand(row["prebuilt"])),
        )
        for row in rows
    )
    headings = ("toolchain", "family", "title", "version", "where")
    wanted.show(rows, [Table("", headings, cells, left=5, least_needed=("title",), objects=tuple(rows))])
    if not can_confine():
        warn(
            "compilers are not confined to the folder of a build: this machine has no Landlock (Linux 5.19);"
            " what they say that they read is still compared with what a record covers."
        )


@app.command()
def install(
    families: Annotated[list[str], typer.Argument(metavar="FAMILY...", help="rl78, m16c or msp430.")],
    sources: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder with the source archives (default: /usr/src)."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes at once; default: one per CPU.")] = None,
) -> None:
    """Build GCC for a CPU family from the distribution's source packages, into the user's cache.

    An intact installation is left alone. Ctrl-C keeps finished stages, and the same command continues after
    them. The source packages binutils-source and gcc-12-source are used if they are installed, and downloaded
    with apt-get otherwise; neither needs root.

    \b
    Examples:
      steelyard toolchain install rl78
      steelyard toolchain install rl78 m16c msp430
    """
    from steelyard.toolchain.install import install as install_all

    try:
        with _watching() as watcher:
            done = install_all(families, watcher, jobs=jobs, sources=sources)
    except KeyboardInterrupt:
        warn("interrupted; finished stages are kept: the same command goes on from there.")
        raise typer.Exit(INTERRUPTED) from None
    for one in done:
        what = "is there, and whole" if one.was_there else "installed"
        print(f"GCC {one.version} for {one.family}: {what}, in {one.folder}")


@app.command()
def prebuild(
    targets: Annotated[list[str], typer.Argument(metavar="TARGET...", help="Chips.")],
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Output folder (default: prebuilt/ of the checkout)."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Threads; default: one per CPU.")] = None,
) -> None:
    """Build the images that come with Steelyard for chips whose compiler takes long to build.

    They are the images of bench.toml, with its flags, by the GCC of `steelyard toolchain install`.

    \b
    Example:
      steelyard toolchain prebuild rl78-g13 m30102
    """
    from steelyard.measure.prebuild import prebuild as prebuild_target

    for target in targets:
        made = prebuild_target(target, folder, jobs)
        print(
            f"{made.path}: {made.images} images for {target} by GCC {made.toolchain_version},"
            f" {made.path.stat().st_size} bytes"
        )


def _beforehand(targets: object) -> str:
    return f"prebuilt images for {', '.join(targets)}" if isinstance(targets, list) and targets else ""


@contextmanager
def _watching() -> Iterator[Watcher]:
    """Yield a watcher: a bar on a terminal, otherwise a line per stage."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    class Bar:
        """A watcher that moves a bar."""

        task: TaskID
        name: str

        def target(self, name: str, total_lines: int) -> None:
            """Start a bar for the compiler."""
            self.name = name
            self.task = bar.add_task(name, total=total_lines)

        def stage(self, title: str, *, done_before: bool) -> None:
            """Show the stage beside the bar."""
            bar.update(self.task, description=f"{self.name}, {title}".ljust(44))

        def advance(self, lines: int) -> None:
            """Advance the bar."""
            bar.update(self.task, advance=lines)

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield Bar()


class _Lines:
    """A watcher that prints a line as each stage begins."""

    def target(self, name: str, total_lines: int) -> None:
        """Remember the compiler of the next stages."""
        self._name = name

    def stage(self, title: str, *, done_before: bool) -> None:
        """Print the stage."""
        print(f"{self._name}: {title}{' (done before)' if done_before else ''}", file=sys.stderr, flush=True)

    def advance(self, lines: int) -> None:
        """Print nothing."""
