"""Kinds of Linux devices, `targets/hosts/*.toml`, and the compiler options of their agents."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from steelyard.catalog.load import CatalogError, read_file
from steelyard.catalog.models import Identifier, Strict
from steelyard.data import data_root
from steelyard.nearest import unknown

_Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.=+-]+$")]


class Host(Strict):
    """An architecture of Linux devices, from `targets/hosts/<id>.toml`.

    `machine` are its names in `uname -m`; two architectures may share one (MIPS of either byte order).
    `also_on` are those of machines that execute its programs as well. `static` and `dynamic` are options of
    `zig cc -target`, for programs that bring their C library and for those that load libraries of the device;
    `compile` are options for the measured code. `qemu` is the emulator of user programs.
    """

    id: Identifier
    title: str
    machine: tuple[_Word, ...] = Field(min_length=1)
    also_on: tuple[_Word, ...] = ()
    word_bits: Literal[32, 64]
    static: _Word
    dynamic: _Word
    compile: tuple[_Word, ...] = Field(min_length=1)
    qemu: _Word


@cache
def load_hosts() -> tuple[Host, ...]:
    """Return all architectures by identifier; CatalogError in one sentence for an invalid file."""
    hosts = []
    for path in sorted((data_root() / "targets" / "hosts").glob("*.toml")):
        host = read_file(path, Host)
        if host.id != path.stem:
            raise CatalogError(f'{path}: field id is "{host.id}" but the file is named "{path.stem}".')
        hosts.append(host)
    return tuple(hosts)


def find_host(name: str) -> Host:
    """Return the architecture of that identifier; CatalogError for an unknown one."""
    by_id = {host.id: host for host in load_hosts()}
    if name not in by_id:
        clause = unknown("architecture", name, by_id)
        raise CatalogError(clause if clause.endswith("?") else f"{clause}.")
    return by_id[name]


def hosts_of(machine: str) -> tuple[Host, ...]:
    """Return the architectures with this `uname -m`, to be tried in order; none for an unknown name."""
    return tuple(host for host in load_hosts() if machine in host.machine)


def machines(hosts: Iterable[Host] | None = None) -> list[str]:
    """Return all names of `uname -m` that have agents."""
    return [name for host in hosts or load_hosts() for name in host.machine]
