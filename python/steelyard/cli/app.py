"""The commands of `steelyard`."""

from __future__ import annotations

from typing import Annotated

import typer

from steelyard.cli import (
    battery,
    claims,
    fidelity,
    fit,
    host,
    list_,
    measure,
    predict,
    protocol,
    recommend,
    report,
    reproduce,
    run,
    scenario,
    show,
    store,
    toolchain,
)

app = typer.Typer(
    name="steelyard",
    help="Weigh cryptography for small machines: cycles, ROM, RAM and energy of the compiled code itself.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
)
app.command("list")(list_.list_)
app.command("measure")(measure.measure)
app.command("run")(run.run)
app.command("show")(show.show)
app.command("reproduce", cls=reproduce.StudyCommand)(reproduce.reproduce)
app.command("claims")(claims.claims)
app.command("fidelity")(fidelity.fidelity)
app.add_typer(fit.app, name="fit")
app.command("predict")(predict.predict)
app.command("recommend")(recommend.recommend)
app.command("battery")(battery.battery)
app.command("protocol")(protocol.protocol)
app.command("scenario")(scenario.scenario)
app.command("report")(report.report)
app.add_typer(host.app, name="host")
app.add_typer(toolchain.app, name="toolchain")
app.add_typer(store.app, name="store")


def _version(asked: bool) -> None:
    if asked:
        from steelyard.record.origin import steelyard_version

        print(steelyard_version())
        raise typer.Exit


@app.callback()
def _steelyard(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """The options before a command."""
