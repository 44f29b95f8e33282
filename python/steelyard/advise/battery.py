"""Battery life from sleep, radio, work per message and self-discharge, and the share of cryptography."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from steelyard.catalog.load import CatalogError, read_file
from steelyard.catalog.models import Identifier, Source, Strict
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.nearest import unknown

YEAR_S = 365.25 * 86400

_Positive = Annotated[float, Field(gt=0)]
_NotNegative = Annotated[float, Field(ge=0)]


class Node(Strict):
    """A chip with its radio and battery, from `advice/nodes/<node>.toml`; currents at the supply voltage.

    `radio_bits_per_s` is the data rate of a frame's bytes. `assumed` lists facts that no opened source
    states.
    """

    id: Identifier
    title: str
    target: Identifier
    clock_hz: Annotated[int, Field(gt=0)]
    supply_v: _Positive
    cpu_active_ma: _Positive
    sleep_ua: _NotNegative
    radio_send_ma: _Positive
    radio_receive_ma: _Positive
    radio_bits_per_s: _Positive
    cpu_awake_while_radio_on: bool = False
    capacity_mah: _Positive
    self_discharge_percent_per_year: Annotated[float, Field(ge=0, lt=100)]
    assumed: tuple[str, ...] = ()
    source: tuple[Source, ...] = Field(min_length=1)

    def radio_c_per_byte(self, *, receive: bool) -> float:
        """Charge in coulombs of one byte on the air."""
        current_ma = self.radio_receive_ma if receive else self.radio_send_ma
        current_ma += self.cpu_active_ma if self.cpu_awake_while_radio_on else 0.0
        return current_ma * 1e-3 * 8 / self.radio_bits_per_s


@cache
def nodes() -> Mapping[str, Node]:
    """Return the nodes that come with Steelyard; CatalogError for an invalid file."""
    found = {}
    for path in sorted((data_root() / "advice" / "nodes").glob("*.toml")):
        node = read_file(path, Node)
        if node.id != path.stem:
            raise CatalogError(f'{path}: field id is "{node.id}" but the file is named "{path.stem}".')
        found[node.id] = node
    return found


def node(name: str) -> Node:
    """Return the node of that name, or of that file if it ends in .toml; CatalogError otherwise."""
    if name.endswith(".toml"):
        return read_file(Path(name), Node)
    if name not in nodes():
        clause = unknown("node", name, nodes())
        raise CatalogError(clause if clause.endswith("?") else f"{clause}.")
    return nodes()[name]


@dataclass(frozen=True)
class Work:
    """Work of a node for one message: cycles of cryptography and of everything else, and bytes on the air.

    `security_bytes` of these exist only because the message is protected.
    """

    rate_hz: float
    crypto_cycles: float
    air_bytes: int
    security_bytes: int = 0
    other_s: float = 0.0
    receive: bool = False


@dataclass(frozen=True)
class Life:
    """Mean currents in amperes by consumer, and the life of the battery in seconds.

    `unprotected_s` is the life without cryptography and the bytes it adds.
    """

    sleep_a: float
    crypto_a: float
    added_bytes_a: float
    radio_a: float
    other_a: float
    life_s: float
    unprotected_s: float

    @property
    def total_a(self) -> float:
        """Mean current in amperes, without self-discharge."""
        return self.sleep_a + self.crypto_a + self.added_bytes_a + self.radio_a + self.other_a

    @property
    def crypto_share(self) -> float:
        """Share of cryptographic computation in the mean current."""
        return self.crypto_a / self.total_a

    @property
    def security_share(self) -> float:
        """Share of cryptographic computation and of the bytes it adds in the mean current."""
        return (self.crypto_a + self.added_bytes_a) / self.total_a


def life(node: Node, work: Work) -> Life:
    """Compute how long a battery lasts. UsageError if the messages need more than the available time."""
    byte_c = node.radio_c_per_byte(receive=work.receive)
    crypto_s = work.crypto_cycles / node.clock_hz
    radio_s = work.air_bytes * 8 / node.radio_bits_per_s
    busy = work.rate_hz * (crypto_s + radio_s + work.other_s)
    if busy > 1:
        most = work.rate_hz / busy
        raise UsageError(
            f"--rate: a message takes {crypto_s + radio_s + work.other_s:.3g} s of {node.id}; more than"
            f" {most:.3g}/s are not possible."
        )
    active_a = node.cpu_active_ma * 1e-3
    crypto_a = work.rate_hz * crypto_s * active_a
    other_a = work.rate_hz * work.other_s * active_a
    added_a = work.rate_hz * work.security_bytes * byte_c
    radio_a = work.rate_hz * (work.air_bytes - work.security_bytes) * byte_c
    sleep_a = node.sleep_ua * 1e-6
    with_all = sleep_a + crypto_a + other_a + added_a + radio_a
    return Life(
        sleep_a, crypto_a, added_a, radio_a, other_a,
        lasting(node, with_all), lasting(node, with_all - crypto_a - added_a),
    )  # fmt: skip


def lasting(node: Node, current_a: float) -> float:
    """Return the seconds until a battery is empty, with this current and a constant self-discharge.

    Solves dQ/dt = -I - k Q.
    """
    charge_c = node.capacity_mah * 3.6
    loss_per_s = -math.log1p(-node.self_discharge_percent_per_year / 100) / YEAR_S
    if current_a <= 0:
        return math.inf
    if loss_per_s == 0:
        return charge_c / current_a
    return math.log1p(loss_per_s * charge_c / current_a) / loss_per_s
