"""`steelyard reproduce`: a published measurement repeated, beside the published figures."""

from __future__ import annotations

import inspect
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from steelyard.cli import completion, options
from steelyard.cli.output import INTERRUPTED, bar, warn
from steelyard.cli.view import View, view
from steelyard.errors import SteelyardError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from steelyard.measure.workers import Jobs
    from steelyard.present.table import Table
    from steelyard.study.model import Outcome, Row, Study, Taken
    from steelyard.study.verdict import Finding

_SHORT: dict[Finding, str] = {
    "holds": "holds",
    "holds in part": "in part",
    "fails": "fails",
    "not testable": "-",
    "not measured": "-",
}
_OWN = "steelyard.reproduce"


class Command(TyperCommand):
    """The command with the options that the study named on its line declares for itself."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Look for a study among the words first."""
        from steelyard.study.discover import load_study, study_names

        named = [name for name in args if name in study_names()]
        ctx.meta[_OWN] = _parameters(load_study(named[0])) if named else []
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """The study's own options stand before `--help`."""
        *params, of_help = super().get_params(ctx)
        return [*params, *ctx.meta.get(_OWN, ()), of_help]

    def invoke(self, ctx: Any) -> Any:
        """The values of the study's own options are handed on apart."""
        ctx.obj = {one.name: ctx.params.pop(one.name) for one in ctx.meta[_OWN]}
        return super().invoke(ctx)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """The studies that there are."""
        from steelyard.study.discover import publication_of, study_names

        with formatter.section("Studies"):
            formatter.write_dl([(name, publication_of(name).summary) for name in study_names()])


def _parameters(study: Study) -> list[Any]:
    """The options of a study as parameters of a command."""
    if study.options is None:
        return []

    def taken(**_: object) -> None:
        pass

    parameters = []
    for field in fields(study.options):
        default: Any = field.default
        kind: Any = type(default)
        if kind is tuple:
            default, kind = list(default), list[str]
        how = typer.Option(f"--{field.name.replace('_', '-')}", **field.metadata)
        parameters.append(
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=default,
                annotation=Annotated[kind, how],
            )
        )
    taken.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    taken.__annotations__ = {one.name: one.annotation for one in parameters}
    app = typer.Typer(add_completion=False)
    app.command()(taken)
    return [one for one in typer.main.get_command(app).params if one.name in taken.__annotations__]


@options.taking(jobs=options.jobs, wanted=view)
def reproduce(
    *,
    context: typer.Context,
    study: Annotated[
        str | None,
        typer.Argument(
            metavar="STUDY", help="One of the studies below.", autocompletion=completion.study_names
        ),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Run every study in turn, industrial-linux as a trial; one that fails does not end the run.",
        ),
    ] = False,
    primitives: options.Primitives = None,
    toolchain: options.OneToolchain = None,
    jobs: Jobs,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Repeat a publication's measurements and print its figures, orders and claims beside the measured ones.

    Each claim gets a verdict computed from the records alone: holds, holds in part, fails, or not testable;
    over all choices of variants, and for each of them. Options of a study: steelyard reproduce STUDY --help.
    Interrupted, the same command goes on from there.

    \b
    Examples:
      steelyard reproduce atmega128
      steelyard reproduce energy-sa1100
      steelyard reproduce cache-sweep --toolchain clang --json
      steelyard reproduce industrial-linux --device root@board --json
      steelyard reproduce --all
    """
    from steelyard.measure.selection import match
    from steelyard.study.discover import load_study, study_names

    if every == (study is not None):
        raise UsageError("name one study, or give --all.")
    if study is None:
        _run_all(primitives or (), toolchain, jobs, store, wanted)
    (name,) = match("study", [study or ""], list(study_names()))
    chosen = load_study(name)
    if chosen.options is not None and chosen.with_options is not None:
        given = {
            name: tuple(value) if isinstance(value, list) else value for name, value in context.obj.items()
        }
        chosen = chosen.with_options(chosen.options(**given))
    taken, outcome = _outcome(chosen, primitives or (), toolchain, jobs, store)
    wanted.show(outcome.rows(), page(outcome))
    raise typer.Exit(_end(taken, outcome))


def _run_all(
    primitives: Sequence[Path], toolchain: str | None, jobs: Jobs, store: Path | None, wanted: View
) -> None:
    from steelyard.study.discover import load_study, study_names

    rows: list[Row] = []
    pages: list[Table | str] = []
    status = 0
    # Whether a column has the chosen name is known when all studies have ended.
    at_once = not (wanted.json or wanted.columns or wanted.sort)
    every = study_names()
    for number, name in enumerate(every, start=1):
        warn(f"{name} (study {number} of {len(every)}):")
        study = load_study(name)
        try:
            shorter = replace(study, measure=study.measure_in_all or study.measure)
            taken, outcome = _outcome(shorter, primitives, toolchain, jobs, store)
        except SteelyardError as error:
            warn(str(error))
            status = status or error.exit_status
            continue
        rows += ({"study": name, **row} for row in outcome.rows())
        shown = ["", name, *page(outcome)]
        if at_once:
            wanted.show((), shown)
        else:
            pages += shown
        ended = _end(taken, outcome)
        status = status or ended
        if ended == INTERRUPTED:
            break
    if not at_once:
        wanted.show(rows, pages)
    raise typer.Exit(status)


def _outcome(
    study: Study, primitives: Sequence[Path], toolchain: str | None, jobs: Jobs, store: Path | None
) -> tuple[Taken, Outcome]:
    from steelyard.catalog.load import load_catalog
    from steelyard.study.model import Setup

    catalog = load_catalog(primitives)
    taken = study.measure(Setup(catalog, store, toolchain, jobs, warn, bar))
    return taken, study.judge(taken.records, catalog.defaults)


def _end(taken: Taken, outcome: Outcome) -> int:
    """Say what is missing; the exit status."""
    from steelyard.cli.measure import tell_failures

    for sentence in outcome.warnings():
        warn(sentence)
    tell_failures(taken.tried)
    if taken.interrupted:
        warn("interrupted; what is done is kept: the same command goes on from there.")
        return INTERRUPTED
    return 1 if taken.failed else 0


def page(outcome: Outcome) -> Iterator[Table | str]:
    """The tables, then the verdicts over all settings and by choice, and what each rests on."""
    from steelyard.present.table import Table

    choices = outcome.choices
    yield from outcome.tables().values()
    yield Table(
        "Claims",
        ("claim", "verdict", "tests passed", *choices, "statement"),
        tuple(
            (
                claim.claim.removeprefix("seed"),
                claim.verdict.finding,
                claim.verdict.strength,
                *(_SHORT[claim.verdict.by_choice[choice]] for choice in choices),
                claim.statement,
            )
            for claim in outcome.claims
        ),
        4 + len(choices),
        least_needed=choices,
        objects=tuple(claim.row for claim in outcome.claims),
    )
    for claim in outcome.claims:
        worst = f"; worst: {claim.verdict.counterexample}" if claim.verdict.counterexample else ""
        yield f"{claim.claim}: {claim.verdict.finding}: {claim.verdict.reason}{worst}."
    yield from outcome.remarks()
