"""`steelyard profile`: where the cycles of a call go."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import bar, tell_left_out, warn
from steelyard.cli.view import View, view
from steelyard.errors import UsageError
from steelyard.profile.formats import Format
from steelyard.profile.tables import By

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.catalog.models import Target
    from steelyard.measure.image import Rules
    from steelyard.measure.plan import Cell
    from steelyard.measure.selection import Selection
    from steelyard.measure.session import Session
    from steelyard.present.table import Table
    from steelyard.profile.difference import Changed
    from steelyard.profile.model import Profile

_MOST_CELLS = 16


@options.taking(selection=options.selection, wanted=view)
def profile(
    *,
    selection: Selection,
    settings: options.Set = None,
    primitives: options.Primitives = None,
    by: Annotated[
        By | None,
        typer.Option("--by", help="One table: functions, source lines or instructions."),
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Rows of each table.")] = 10,
    tree: Annotated[bool, typer.Option("--tree", help="The tree of calls.")] = False,
    heat: Annotated[
        bool, typer.Option("--heat", help="Loads and stores by symbol, buffer and stack.")
    ] = False,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--diff",
            metavar="A B",
            help="Compare two: variants, flags, compilers, chips, saved profiles, files of --format json,"
            " or with --call two images.",
        ),
    ] = None,
    form: Annotated[
        Format,
        typer.Option("--format", help="What is written: text, or a file that another program reads."),
    ] = "text",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File for --format (default: standard output)."),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="NAME", help="Keep the profile beside the records, for the report."),
    ] = None,
    samples: options.Samples = 16,
    seed: options.Seed = "steelyard",
    max_cycles: options.MaxCycles = 2_000_000_000,
    elf: Annotated[
        Path | None,
        typer.Option("--elf", metavar="FILE", help="Profile a call of a function of this image."),
    ] = None,
    call: options.Call = None,
    arg: options.Arg = None,
    ignore_peripherals: options.IgnorePeripherals = False,
    start_up: options.StartUp = False,
    start_up_to: options.StartUpTo = None,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Show where the cycles, waits, energy and stack of a call go: functions, source lines, instructions.

    The cell is measured and verified as by `measure`, with the same inputs, and the sum of all lines is the
    cycles of its record. Without --toolchain the default compiler is taken. Tables have the most expensive
    rows; --json has all.

    \b
    Examples:
      steelyard profile --primitive aes-128 --target atmega128 --operation encrypt
      steelyard profile --primitive sha-256 --target stm32f407 --length 64 --by instruction --top 20
      steelyard profile --primitive aes-128 --target fe310-g000 --operation encrypt --tree --heat
      steelyard profile --primitive aes-128 --target sa1110 --operation encrypt --diff aes/sbox aes/ttable-1k
      steelyard profile --primitive aes-128 --target stm32f407 --operation encrypt --diff -Os -O3
      steelyard profile --primitive aes-128 --target atmega128 --operation init --format pprof -o aes.pb.gz
      steelyard profile --elf image.elf --call sum --target atmega128 --arg in:0102 --arg 2
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.image import Rules

    if wanted.json and form != "text":
        raise UsageError("--json and --format exclude each other; --format json is the whole profile.")
    if output is not None and form == "text":
        raise UsageError("--output is for --format; redirect the tables instead.")
    if start_up or start_up_to is not None:
        from steelyard.measure.startup import START_UP_TO

        start_up_to = start_up_to or START_UP_TO
    asked = _Asked(
        load_catalog(primitives or ()),
        selection,
        tuple(settings or ()),
        Rules(samples, seed, max_cycles),
        _Call(elf, call, tuple(arg or ()), ignore_peripherals, start_up_to),
        store,
    )
    if diff is not None:
        if form != "text" or save is not None or tree or heat:
            raise UsageError("--diff shows tables only: leave --format, --save, --tree and --heat out.")
        _show_difference(asked, diff, by, top, wanted)
        return
    profiles = [one for one in asked.profiles(single=form != "text" or save is not None) if one is not None]
    if save is not None and profiles:
        _save(asked, save, profiles[0])
    if form != "text":
        for one in profiles:
            _write(one, form, output)
    else:
        _show(profiles, by, top, wanted, tree=tree, heat=heat)
    raise typer.Exit(1 if asked.failed else 0)


@dataclass(frozen=True)
class _Call:
    """The options of a call of an image."""

    image: Path | None
    symbol: str | None
    arguments: tuple[str, ...]
    ignore_peripherals: bool
    start_up_to: str | None

    @property
    def given(self) -> bool:
        """Whether any of them is there."""
        return self != _Call(None, None, (), False, None)


class _Asked:
    """What is to be profiled; `failed` says whether a cell gave no figure."""

    def __init__(
        self,
        catalog: Catalog,
        selection: Selection,
        settings: tuple[str, ...],
        rules: Rules,
        call: _Call,
        store: Path | None,
    ) -> None:
        self.catalog = catalog
        self.selection = selection
        self.failed = False
        self.call = call
        self.store = store
        self._settings = settings
        self._rules = rules

    def profiles(self, *, single: bool) -> Iterator[Profile | None]:
        """Yield the profile of the image's call, or of each cell; None for one that gave no figure.

        UsageError for several cells where a `single` one is asked for.
        """
        if self.call.given:
            yield self.of_image(self.call.image)
            return
        session, cells = self._planned(self.selection)
        if single and len(cells) != 1:
            raise UsageError(
                f"the selection has {len(cells)} cells; --format and --save take one: choose it with"
                " --operation, --variant, --flags, --length or --mode."
            )
        with bar("profiling", len(cells)) as advance:
            for cell in cells:
                yield self._of_cell(session, cell)
                advance(f"{cell.build.primitive.id} on {cell.build.target.id}")

    def of_selection(self, selection: Selection, said: str) -> Profile:
        """Return the profile of a selection with one cell; UsageError if it has more or gave no figure."""
        session, cells = self._planned(selection)
        if len(cells) != 1:
            raise UsageError(
                f"--diff: {said} stands for {len(cells)} cells; choose one with --operation, --variant,"
                " --flags, --length or --mode."
            )
        found = self._of_cell(session, cells[0])
        if found is None:
            raise typer.Exit(1)
        return found

    def of_image(self, path: Path | None) -> Profile | None:
        """Return the profile of a call of an image, None if it did not return."""
        from steelyard.measure.call import made_call, parse_argument
        from steelyard.profile.collect import profile_call

        if path is None or self.call.symbol is None:
            raise UsageError("--elf FILE and --call SYMBOL go together.")
        target = self._target()
        made = made_call(
            path,
            self.call.symbol,
            target,
            [parse_argument(text) for text in self.call.arguments],
            self._rules.max_cycles,
            start_up_to=self.call.start_up_to,
            ignore_peripherals=self.call.ignore_peripherals,
            observe="detail",
        )
        if made.record["status"] != "ok":
            self._tell(path.name, made.record["status"], made.record["error"])
            return None
        return profile_call(made, target, path)

    def _target(self) -> Target:
        from steelyard.measure.settings import changed_target, parse_settings

        chosen = self.selection.model_dump(exclude_defaults=True, exclude={"target"})
        for name in chosen:
            raise UsageError(f"--{name.replace('_', '-')} says nothing of an image (--elf): leave it out.")
        if len(self.selection.target) != 1:
            raise UsageError("--elf needs one --target, the chip the image was built for.")
        return changed_target(self.catalog, self.selection.target[0], parse_settings(self._settings))

    def _planned(self, selection: Selection) -> tuple[Session, list[Cell]]:
        from steelyard.measure.session import default_toolchain, prepare
        from steelyard.measure.settings import parse_settings

        if not selection.primitive and not selection.variant:
            raise UsageError("name what is profiled with --primitive or --variant, or an image with --elf.")
        session = prepare(self.catalog, [selection], parse_settings(self._settings))
        tell_left_out(session.plan.refused, "build")
        cells = [cell for cells in session.plan.cells.values() for cell in cells]
        if not selection.toolchain:
            usual = {
                target: default_toolchain(self.catalog, target)
                for target in {cell.build.target.id for cell in cells}
                if any(target == one.id for one in self.catalog.targets)
            }
            kept = [
                one
                for one in cells
                if one.build.toolchain == usual.get(one.build.target.id, one.build.toolchain)
            ]
            cells = kept or cells
        if len(cells) > _MOST_CELLS:
            raise UsageError(
                f"the selection has {len(cells)} cells, and at most {_MOST_CELLS} are profiled at once:"
                " choose some with --operation, --variant, --flags, --length or --mode."
            )
        return session, cells

    def _of_cell(self, session: Session, cell: Cell) -> Profile | None:
        from steelyard.profile.collect import profile_cell, title

        record, made = profile_cell(session, cell, self._rules)
        if made is None:
            self._tell(title(record), record["status"], record["error"])
        return made

    def _tell(self, what: str, status: object, error: object) -> None:
        said = str(error or "it is not verified, so no figure is given.").splitlines()[0]
        warn(f"{what}: {status}: {said}")
        self.failed |= status != "does-not-fit"


def _show(
    profiles: Sequence[Profile], by: By | None, top: int, wanted: View, *, tree: bool, heat: bool
) -> None:
    from steelyard.profile.page import objects, page

    rows = [row for one in profiles for row in objects(one, by, None, tree=tree, heat=heat)]
    blocks: list[Table | str] = []
    for number, one in enumerate(profiles):
        blocks += [""] if number else []
        blocks += page(one, by, top, tree=tree, heat=heat)
    wanted.show(rows, blocks)


def _write(profile: Profile, form: Format, output: Path | None) -> None:
    from steelyard.profile.formats import written
    from steelyard.store.export import write_file

    content = written(profile, form)
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    write_file(output, content)
    warn(f"{profile.title}: written to {output}.")


def _save(asked: _Asked, name: str, profile: Profile) -> None:
    from steelyard.profile.saved import save
    from steelyard.store.segments import store_folder

    save(store_folder(asked.store), name, profile)
    warn(f"{profile.title}: kept as {name}; steelyard report shows it.")


def _show_difference(asked: _Asked, names: tuple[str, str], by: By | None, top: int, wanted: View) -> None:
    from steelyard.profile import difference
    from steelyard.profile.page import difference_objects, difference_page

    if by == "instruction":
        raise UsageError(
            "--diff compares functions and lines; instructions of two images have no common name."
        )
    one, other = (_side(asked, name) for name in names)
    chosen: dict[str, list[Changed]] = {}
    if by != "line":
        chosen["function"] = difference.functions(one, other)
    if by != "function":
        chosen["line"] = difference.lines(one, other)
    wanted.show(difference_objects(chosen), difference_page(one, other, chosen, top))


def _side(asked: _Asked, name: str) -> Profile:
    """Return what one of the two names stands for: a file, a saved profile, or a change of the selection."""
    from steelyard.cli.named import option_of
    from steelyard.profile.model import read
    from steelyard.profile.saved import saved
    from steelyard.store.segments import store_folder

    path = Path(name)
    if path.is_file():
        from steelyard.files import read_limited

        content = read_limited(path, 256 << 20, "a profile")
        if content.startswith(b"\x7fELF"):
            found = asked.of_image(path)
            if found is None:
                raise typer.Exit(1)
            return found
        return read(content, name)
    kept = saved(store_folder(asked.store), warn)
    if name in kept:
        return kept[name]
    option = option_of(asked.catalog, "--diff", name, kept)
    return asked.of_selection(asked.selection.model_copy(update={option: (name,)}), name)
