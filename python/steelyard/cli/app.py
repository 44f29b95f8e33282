"""The commands of `steelyard`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

# In the order of the help. A module holds its command as `app`, or as a function of the module's name; its
# class is the module's `Command` where there is one.
_MODULES = {
    "list": "list_",
    "measure": "measure",
    "sweep": "sweep",
    "pareto": "pareto",
    "explain": "explain",
    "profile": "profile",
    "run": "run",
    "show": "show",
    "compare": "compare",
    "watch": "watch",
    "check": "check",
    "reproduce": "reproduce",
    "claims": "claims",
    "fidelity": "fidelity",
    "predict": "predict",
    "recommend": "recommend",
    "battery": "battery",
    "protocol": "protocol",
    "scenario": "scenario",
    "report": "report",
    "plot": "plot",
    "import": "import_",
    "new": "new",
    "fit": "fit",
    "host": "host",
    "toolchain": "toolchain",
    "store": "store",
}


def app_commands() -> tuple[str, ...]:
    """Return the names of the commands in the order of the help."""
    return tuple(_MODULES)


@cache
def _command(name: str) -> Any:
    module = import_module(f"steelyard.cli.{_MODULES[name]}")
    holder = typer.Typer(add_completion=False, rich_markup_mode=None)
    if hasattr(module, "app"):
        holder.add_typer(module.app, name=name)
    else:
        holder.command(name, cls=getattr(module, "Command", None))(getattr(module, _MODULES[name]))
    return typer.main.get_group(holder).commands[name]


class _Commands(Mapping[str, Any]):
    """The commands by name; a run imports and makes the one that it needs."""

    def __getitem__(self, name: str) -> Any:
        return _command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


class _Steelyard(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Commands()  # type: ignore[assignment]


app = typer.Typer(
    name="steelyard",
    cls=_Steelyard,
    help="Weigh cryptography for small machines: cycles, ROM, RAM and energy of the compiled code itself.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
)


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
