"""Kinds of Linux devices, `targets/hosts/*.toml`: what an agent for them is compiled with."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from steelyard.catalog.load import CatalogError, read_file
from steelyard.catalog.models import Identifier, Strict
from steelyard.catalog.nearest import unknown
from steelyard.data import data_root

_Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.=+-]+$")]


class Host(Strict):
    """`targets/hosts/<id>.toml`: an architecture of Linux devices.

    `machine` are the names by which `uname -m` tells it; two architectures may share one (MIPS of either
    byte order). `also_on` are those of machines that execute its programs as well. `static` and `dynamic`
    are what `zig cc -target` is told: for programs that bring their C library, and for those that load
    libraries of the device; `compile` is what clang is told for the code under test. `qemu` is the emulator
    of user programs.
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
    """All architectures by identifier; CatalogError in one sentence for a wrong file."""
    hosts = []
    for path in sorted((data_root() / "targets" / "hosts").glob("*.toml")):
        host = read_file(path, Host)
        if host.id != path.stem:
            raise CatalogError(f'{path}: field id is "{host.id}" but the file is named "{path.stem}".')
        hosts.append(host)
    return tuple(hosts)


def find_host(name: str) -> Host:
    """The architecture of that identifier; CatalogError for an unknown one."""
    by_id = {host.id: host for host in load_hosts()}
    if name not in by_id:
        clause = unknown("architecture", name, by_id)
        raise CatalogError(clause if clause.endswith("?") else f"{clause}.")
    return by_id[name]


def hosts_of(machine: str) -> tuple[Host, ...]:
    """The architectures that call themselves so, to be tried in this order; none for an unknown name."""
    return tuple(host for host in load_hosts() if machine in host.machine)


def machines(hosts: Iterable[Host] | None = None) -> list[str]:
    """All names of `uname -m` that there are agents for."""
    return [name for host in hosts or load_hosts() for name in host.machine]
