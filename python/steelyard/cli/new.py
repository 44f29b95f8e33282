"""`steelyard new`: a variant, a primitive or a chip of one's own to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Write a variant, a primitive or a chip of your own to begin with: a copy that measures at once.",
)

_Folder = Annotated[
    Path, typer.Option("--in", metavar="DIR", help="Folder to write to; the one --primitives names.")
]


@app.command()
def variant(
    name: Annotated[str, typer.Argument(metavar="ALGORITHM/NAME", help="Such as aes/mine.")],
    like: Annotated[
        str | None,
        typer.Option(metavar="VARIANT", help="Variant to begin with (default: that of 32-bit processors)."),
    ] = None,
    folder: _Folder = Path(),
) -> None:
    """Write a variant of a known algorithm.

    \b
    Examples:
      steelyard new variant aes/mine --in my-ciphers
      steelyard new variant keccak/mine --like keccak/compact --in my-ciphers
    """
    from steelyard.begin.skeleton import new_variant
    from steelyard.catalog.load import load_catalog

    written = new_variant(load_catalog(), name, like, folder)
    _told(written, f"steelyard measure --primitives {folder} --target atmega128")


@app.command()
def primitive(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Such as my-cipher-128.")],
    kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="block, stream, hash, mac or aead: begun as an example of it."),
    ] = None,
    like: Annotated[
        str | None, typer.Option(metavar="PRIMITIVE", help="Primitive to begin with, in place of --kind.")
    ] = None,
    folder: _Folder = Path(),
) -> None:
    """Write a primitive with its parameters, one variant and known answers.

    \b
    Examples:
      steelyard new primitive my-cipher --kind block --in my-ciphers
      steelyard new primitive my-hash --like blake2s-256 --in my-ciphers
    """
    from steelyard.begin.skeleton import new_primitive
    from steelyard.catalog.load import load_catalog

    written = new_primitive(load_catalog(), name, kind, like, folder)
    _told(written, f"steelyard measure --primitives {folder} --target atmega128")


@app.command()
def target(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Such as my-board.")],
    like: Annotated[str, typer.Option(metavar="NAME", help="Known chip that it inherits from.")],
    folder: _Folder = Path(),
) -> None:
    """Write the file of a chip that inherits from a known one.

    \b
    Examples:
      steelyard new target my-board --like stm32f407
    """
    from steelyard.begin.skeleton import new_target
    from steelyard.catalog.load import load_catalog

    written = new_target(load_catalog(), name, like, folder)
    path = written[0] if written[0].is_absolute() else f"./{written[0]}"
    _told(written, f"steelyard measure --primitive aes-128 --target {path}")


def _told(written: Sequence[Path], command: str) -> None:
    for path in written:
        typer.echo(path)
    typer.echo(f"Then: {command}")
