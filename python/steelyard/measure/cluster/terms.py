"""What a worker must have in common with the machine that plans, so that its records are the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from steelyard.cache.content import content_key
from steelyard.data import data_root
from steelyard.errors import EnvironmentProblem
from steelyard.machine import EMULATOR_VERSION
from steelyard.measure.image import Rules
from steelyard.measure.plan import ToolchainName
from steelyard.measure.random_inputs import kept_key
from steelyard.oracle import libraries
from steelyard.record.origin import code_of, measuring_code, steelyard_version
from steelyard.toolchain import Toolchain, discover
from steelyard.toolchain.sources import folder_digest


class Disagreement(EnvironmentProblem):
    """A worker differs from the machine that plans; its records would be others."""


@dataclass(frozen=True)
class Terms:
    """How a plan is measured, and with what; `toolchains` are version and identity by family and name, null
    where an image comes prebuilt.

    `root` is where the data folders are on the machine that plans, `own` what that machine has of `parts`.
    """

    rules: Rules
    longest_cycles: int
    toolchains: Mapping[ToolchainName, tuple[str, str] | None]
    root: str
    own: Mapping[str, str]

    @classmethod
    def of(cls, toolchains: Mapping[ToolchainName, Toolchain], rules: Rules, longest_cycles: int) -> Terms:
        """Return the terms of a run on this machine."""
        found = {name: _identity(toolchain) for name, toolchain in toolchains.items()}
        return cls(rules, longest_cycles, found, str(data_root()), parts())


@cache
def parts() -> dict[str, str]:
    """Return what every record depends on beside sources and compilers, by what it is called."""
    folders = ("firmware", "modes", "prebuilt", "primitives/include")
    code = code_of("cache", "catalog", "toolchain", "measure/cluster", "store")
    return {
        "version of Steelyard": steelyard_version(),
        "emulator": EMULATOR_VERSION,
        "code of Steelyard": content_key(measuring_code(), code),
        "data files": content_key(kept_key(), *(folder_digest(data_root() / name) for name in folders)),
        "libraries of known answers": libraries(),
    }


def disagreement(terms: Terms) -> str | None:
    """Return, as a clause about this machine, the first thing in which it differs; None if in nothing."""
    for name, here in parts().items():
        there = terms.own[name]
        if here != there:
            shown = f"{here}, not {there}" if name.startswith("version") else "not the one that plans"
            return f"has another {name} ({shown})"
    found = {(one.family, one.id): one for one in discover()}
    for (family, name), wanted in terms.toolchains.items():
        installed = _identity(found[family, name])
        if wanted is None or installed == wanted:
            continue
        title = f"{found[family, name].title} for {family}"
        if installed is None:
            return f"lacks {title} (run there: {found[family, name].install})"
        shown = f"{installed[0]}, not {wanted[0]}" if installed[0] != wanted[0] else "built otherwise"
        return f"has another {title} ({shown})"
    return None


def _identity(toolchain: Toolchain) -> tuple[str, str] | None:
    installed = toolchain.installed
    return None if installed is None else (installed.version, installed.identity)
