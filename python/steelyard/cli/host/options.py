"""Options of all commands that reach a device, defined once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.errors import UsageError

if TYPE_CHECKING:
    from steelyard.linux.device.connect import Way
    from steelyard.linux.libraries import Library as DeviceLibrary

Device = Annotated[
    str,
    typer.Argument(metavar="[DEVICE]", help="local (default), or a destination for ssh, such as root@board."),
]
SshOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ssh-option",
        metavar="TEXT",
        help='Words for ssh\'s command line, such as "-p 2222" or "-i key"; may be given again.',
    ),
]
Architecture = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What programs are built for, such as linux-armv7 (default: what the device says it is).",
    ),
]
Folder = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER", help="Where on the device a temporary folder is made (default: its TMPDIR or /tmp)."
    ),
]
Qemu = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Emulate this architecture here, such as linux-riscv64: shows that the code is right; no times.",
    ),
]

Library = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="own (default), or the device's: openssl, libgcrypt, af-alg; globs, may be given again.",
    ),
]


def libraries_of(names: Sequence[str] | None) -> tuple[bool, list[DeviceLibrary]]:
    """Return whether Steelyard's own code is requested, and the requested libraries; UsageError for an
    unknown name.
    """
    from steelyard.linux.libraries import libraries
    from steelyard.linux.measure.library import OWN
    from steelyard.measure.selection import match

    chosen = match("library", names or [OWN], [OWN, *libraries()])
    return OWN in chosen, [libraries()[name] for name in chosen if name != OWN]


def way(
    device: str,
    ssh_option: Sequence[str] | None,
    architecture: str | None,
    folder: str | None,
    qemu: str | None,
) -> Way:
    """Return the way to a device from the options; UsageError if they exclude each other."""
    from steelyard.linux.device.connect import Way
    from steelyard.linux.device.device import LOCAL

    if qemu is not None and (device != LOCAL or architecture is not None):
        raise UsageError("--qemu emulates a device here; leave the device and --architecture out.")
    if device == LOCAL and (ssh_option or folder is not None):
        raise UsageError("--ssh-option and --folder are for a device that ssh reaches, not for local.")
    return Way(device, tuple(ssh_option or ()), architecture, folder, qemu)
