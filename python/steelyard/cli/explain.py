"""`steelyard explain`: why one build takes fewer cycles than another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import bar, warn
from steelyard.cli.view import View, view
from steelyard.errors import SteelyardError, UsageError

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.measure.image import Rules
    from steelyard.measure.plan import Cell
    from steelyard.measure.selection import Selection
    from steelyard.measure.session import Session
    from steelyard.profile.explain import Side

_OF_TWO = ("variant", "flags", "toolchain", "target", "primitive", "operation", "mode", "length", "cache")
_MAIN = ("encrypt", "digest", "mac", "seal", "sign", "encapsulate", "decrypt", "open", "verify", "init")
_USUAL_BYTES = 64


@options.taking(selection=options.selection, wanted=view)
def explain(
    *,
    sides: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="A B",
            help="What is compared: variants, flags, compilers, chips, unroll=4, clock_hz=24M, several of"
            " these in one quoted word, saved profiles or files of steelyard profile --format json.",
        ),
    ] = None,
    selection: Selection,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="FIELD=VALUE", help="Change a chip for both, as measure does; repeatable."
        ),
    ] = None,
    primitives: options.Primitives = None,
    samples: options.Samples = 16,
    seed: options.Seed = "steelyard",
    max_cycles: options.MaxCycles = 2_000_000_000,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Explain why B takes fewer or more cycles than A: instructions by class, waits by cause, spills, calls.

    Both are measured and verified as by measure and observed in detail. The parts add up to the whole
    difference, in the sentences, in the table and in --json. A and B may be given as two values of one
    option instead. Where primitive or length differ, a byte is compared with a byte. Without --operation and
    --length, the main operation on one block or 64 bytes is taken.

    \b
    Examples:
      steelyard explain aes/sbox-rows aes/ttable-1k --primitive aes-128 --target stm32f407
      steelyard explain --primitive aes-128 --target atmega128 --variant aes/sbox --variant aes/avr-asm
      steelyard explain --primitive sha-256 --target stm32f407 --flags=-Os --flags=-O3
      steelyard explain unroll=1 unroll=4 --primitive rc5-32-12-16 --variant rc5/compact --target atmega128
      steelyard explain 'aes/sbox gcc -O2' 'aes/bitslice clang -O3' --primitive aes-128 --target fe310-g000
      steelyard explain clock_hz=24M clock_hz=168M --primitive aes-128 --target stm32f407 --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.image import Rules
    from steelyard.profile import explained
    from steelyard.profile.explain import explain as explanation

    asked = Asked(
        load_catalog(primitives or ()),
        selection,
        tuple(settings or ()),
        Rules(samples, seed, max_cycles),
        store,
    )
    named = _two_of_options(selection, asked.settings) if not sides else tuple(sides)
    if len(named) != 2:
        raise UsageError(
            "name two to compare, A and B, or give one option two values, such as"
            " --variant aes/sbox --variant aes/avr-asm."
        )
    with bar("profiling", 2) as advance:
        made = []
        for name in named:
            made.append(asked.side(name))
            advance(name)
    first, second = made
    result = explanation(first, second)
    wanted.show(explained.objects(result), explained.page(result))


def _two_of_options(selection: Selection, settings: Sequence[str]) -> tuple[str, ...]:
    """Return the two values of the one option that has two; UsageError unless there is exactly one."""
    found: list[tuple[str, str]] = []
    for name in _OF_TWO:
        values = getattr(selection, name)
        if len(values) == 2:
            found.append((f"{name}:{values[0]}", f"{name}:{values[1]}"))
        elif len(values) > 2:
            raise UsageError(f"--{name} has {len(values)} values; two can be compared.")
    for texts, kind in ((selection.parameter, "parameter"), (settings, "set")):
        fields = [text.partition("=")[0] for text in texts]
        doubled = [text for text in texts if fields.count(text.partition("=")[0]) == 2]
        if len(doubled) == 2:
            found.append((doubled[0], doubled[1]))
        for text in texts:
            name, _, values = text.partition("=")
            if kind == "parameter" and values.count(",") == 1:
                one, other = values.split(",")
                found.append((f"{name}={one}", f"{name}={other}"))
    if len(found) > 1:
        raise UsageError(
            "more than one option has two values: name A and B in words, such as"
            " 'aes/sbox gcc -O2' 'aes/sbox clang -O3'."
        )
    return found[0] if found else ()


class NoFigure(SteelyardError):
    """A cell that was not built, not verified or does not fit."""


@dataclass(frozen=True)
class Asked:
    """What both sides have in common."""

    catalog: Catalog
    selection: Selection
    settings: tuple[str, ...]
    rules: Rules
    store: Path | None

    def side(self, name: str) -> Side:
        """Return one side; UsageError for a name of nothing, NoFigure if its cell gave none."""
        from steelyard.profile.collect import profile_cell, title
        from steelyard.profile.explain import Side
        from steelyard.profile.kinds import Kinds

        kept = self._kept(name)
        if kept is not None:
            return kept
        selection, settings = self._changed(name)
        session, cell = self._planned(name, selection, settings)
        record, made = profile_cell(session, cell, self.rules)
        if made is None:
            said = str(record["error"] or "it is not verified, so no figure is given.").splitlines()[0]
            raise NoFigure(f"{title(record)}: {record['status']}: {said}")
        return Side(name, made, Kinds(cell.build.target), record)

    def _kept(self, name: str) -> Side | None:
        """Return a profile from a file or by the name under which it was saved, None if it is neither."""
        from steelyard.files import read_limited
        from steelyard.profile.explain import Side
        from steelyard.profile.kinds import Kinds
        from steelyard.profile.model import read
        from steelyard.profile.saved import saved
        from steelyard.store.segments import store_folder

        path = Path(name)
        profile = (
            read(read_limited(path, 256 << 20, "a profile"), name)
            if path.is_file()
            else saved(store_folder(self.store), warn).get(name)
        )
        if profile is None:
            return None
        return Side(name, profile, Kinds(self.catalog.target(str(profile.cell["target"]))))

    def _changed(self, name: str) -> tuple[Selection, tuple[str, ...]]:
        """Return the selection and the settings of a side, as the words of its name change them."""
        from steelyard.cli.named import option_of
        from steelyard.measure.settings import field_names
        from steelyard.profile.saved import saved
        from steelyard.store.segments import store_folder

        changes: dict[str, list[str]] = {}
        settings: list[str] = []
        option, colon, value = name.partition(":")
        if colon and option in _OF_TWO:
            changes[option] = [value]
        else:
            for word in name.split():
                field, equals, _ = word.partition("=")
                if equals and field in field_names():
                    settings.append(word)
                elif equals and not word.startswith("-"):
                    changes.setdefault("parameter", []).append(word)
                else:
                    others = saved(store_folder(self.store), warn)
                    changes.setdefault(option_of(self.catalog, "explain", word, others), []).append(word)
        update: dict[str, tuple[object, ...]] = {key: tuple(words) for key, words in changes.items()}
        if "flags" in changes:
            update["flags"] = (" ".join(changes["flags"]),)
        if "length" in changes:
            update["length"] = tuple(int(word) for word in changes["length"])
        for key, words in changes.items():
            if key not in ("flags", "parameter") and len(words) > 1:
                raise UsageError(f"{name}: {words[0]} and {words[1]} cannot both be its {key}.")
        if "parameter" in changes:
            own = {word.partition("=")[0] for word in changes["parameter"]}
            common = (text for text in self.selection.parameter if text.partition("=")[0] not in own)
            update["parameter"] = (*common, *changes["parameter"])
        fields = {word.partition("=")[0] for word in settings}
        common_settings = (text for text in self.settings if text.partition("=")[0] not in fields)
        return self.selection.model_copy(update=update), (*common_settings, *settings)

    def _planned(self, name: str, selection: Selection, settings: Sequence[str]) -> tuple[Session, Cell]:
        """Return the one cell of a side, by its main operation and the usual length and compiler."""
        from steelyard.measure.session import default_toolchain, prepare
        from steelyard.measure.settings import parse_settings

        if not selection.target or not (selection.primitive or selection.variant):
            raise UsageError("explain needs a --primitive or --variant, and a --target.")
        session = prepare(self.catalog, [selection], parse_settings(settings))
        cells = [cell for cells in session.plan.cells.values() for cell in cells]
        if not selection.operation:
            main = min((cell.operation for cell in cells), key=_rank)
            cells = [cell for cell in cells if cell.operation == main]
        if not selection.length:
            usual = [cell for cell in cells if cell.message_bytes == _USUAL_BYTES]
            cells = usual or cells
        if not selection.toolchain:
            known = {target.id for target in self.catalog.targets}
            cells = [
                cell
                for cell in cells
                if cell.build.target.id not in known
                or cell.build.toolchain == default_toolchain(self.catalog, cell.build.target.id)
            ] or cells
        if len(cells) != 1:
            raise UsageError(
                f"{name} stands for {len(cells)} cells; choose one with --primitive, --target, --variant,"
                " --operation, --flags, --length or --mode."
            )
        return session, cells[0]


def _rank(operation: str) -> int:
    return _MAIN.index(operation) if operation in _MAIN else len(_MAIN)
