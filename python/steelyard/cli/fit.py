"""`steelyard fit`: a published model fitted to published and to measured figures."""

from __future__ import annotations

from typing import Annotated

import typer

from steelyard.cli import options
from steelyard.cli.reproduce import run_experiment

MODELS = {"ganesan": "t = (a + b n) / (f w), of the publication on sensor nodes (2003)"}
_HELP = "; ".join(f"{name}: {what}" for name, what in MODELS.items()) + "."


def fit(
    model: Annotated[str, typer.Argument(metavar="MODEL", help=_HELP)],
    toolchain: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Compiler, gcc or clang (default: gcc, or clang without it)."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Threads (default: one per core).")
    ] = None,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Fit a model to what its publication printed and to our own records of the same, measured where missing.

    Printed are its constants, how far its predictions are off, and a verdict on each claim about it.

    \b
    Examples:
      steelyard fit ganesan
      steelyard fit ganesan --toolchain clang --json
    """
    from steelyard.measure.selection import match

    match("model", [model], list(MODELS))
    run_experiment(model, toolchain, jobs, store, as_json=json)
