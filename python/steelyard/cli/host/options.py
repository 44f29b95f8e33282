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
        help='Options for ssh, such as "-p 2222" or "-i key"; repeatable.',
    ),
]
Architecture = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Architecture of the programs, such as linux-armv7 (default: detected with uname -m).",
    ),
]
Folder = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER", help="Parent of the temporary folder on the device (default: its TMPDIR or /tmp)."
    ),
]
Qemu = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Emulate this architecture here, such as linux-riscv64: verifies the code, gives no times.",
    ),
]

Library = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="own (default), or a library of the device: openssl, libgcrypt, af-alg; glob, repeatable.",
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
    device: Device = "local",
    ssh_option: SshOption = None,
    architecture: Architecture = None,
    folder: Folder = None,
    qemu: Qemu = None,
) -> Way:
    """Return the way to a device from the options; UsageError if they exclude each other."""
    from steelyard.linux.device.connect import Way
    from steelyard.linux.device.device import LOCAL

    if qemu is not None and (device != LOCAL or architecture is not None):
        raise UsageError("--qemu emulates a device here; leave the device and --architecture out.")
    if device == LOCAL and (ssh_option or folder is not None):
        raise UsageError("--ssh-option and --folder are for a device that ssh reaches, not for local.")
    return Way(device, tuple(ssh_option or ()), architecture, folder, qemu)
