"""`steelyard battery`: battery life of a node, and the share of cryptography in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.view import View, view
from steelyard.errors import UsageError
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.advise.battery import Life, Node, Work
    from steelyard.measure.workers import Jobs


@options.taking(jobs=options.jobs, wanted=view)
def battery(
    *,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NODE", help="Name of a node, or its .toml file; without one, all are listed."
        ),
    ] = None,
    rate: Annotated[
        str, typer.Option(metavar="RATE", help="Message rate: 10/s, 2/min, 1/h or 4/d.")
    ] = "1/min",
    protocol: Annotated[
        str | None, typer.Option(metavar="NAME", help="Protocol of the messages, see steelyard protocol.")
    ] = None,
    suite: Annotated[
        str | None, typer.Option(metavar="NAME", help="Suite of the protocol (default: its first).")
    ] = None,
    message: Annotated[str, typer.Option(metavar="BYTES", help="Payload of a message.")] = "16",
    receive: Annotated[
        bool, typer.Option("--receive", help="Count the receiver's work (default: the sender's).")
    ] = False,
    crypto_cycles: Annotated[
        int | None,
        typer.Option(min=0, metavar="CYCLES", help="Cycles of cryptography per message, without a protocol."),
    ] = None,
    header: Annotated[
        int,
        typer.Option(min=0, max=65535, metavar="BYTES", help="Header bytes per message, without a protocol."),
    ] = 0,
    added: Annotated[
        int,
        typer.Option(
            min=0, max=65535, metavar="BYTES", help="Bytes of IV, padding and tag, without a protocol."
        ),
    ] = 0,
    awake: Annotated[
        str | None, typer.Option(metavar="TIME", help="Awake time for other work per message, such as 2ms.")
    ] = None,
    supply: Annotated[
        str | None, typer.Option(metavar="VOLTS", help="Supply voltage instead of the node's.")
    ] = None,
    sleep: Annotated[
        str | None, typer.Option(metavar="CURRENT", help="Sleep current instead of the node's: 5.1uA.")
    ] = None,
    byte_energy: Annotated[
        str | None, typer.Option(metavar="ENERGY", help="Radio energy per byte instead of the node's: 2uJ.")
    ] = None,
    capacity: Annotated[
        str | None, typer.Option(metavar="CHARGE", help="Battery capacity instead of the node's: 2600mAh.")
    ] = None,
    self_discharge: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Self-discharge per year instead of the node's: 3%.")
    ] = None,
    primitives: options.Primitives = None,
    variant: options.Variant = None,
    no_measure: Annotated[bool, typer.Option("--no-measure", help="Only read the store.")] = False,
    jobs: Jobs,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Estimate how long a battery lasts, and the share of cryptography in its charge.

    \b
    Examples:
      steelyard battery
      steelyard battery micaz --protocol ieee802154 --suite enc-mic-64 --message 24 --rate 1/min
      steelyard battery mica2 --crypto-cycles 30000 --added 5 --header 7 --message 24 --rate 2/min --json
    """
    from steelyard import units
    from steelyard.advise.battery import Work, life, nodes
    from steelyard.advise.battery import node as node_named

    if name is None:
        listed = list(nodes().values())
        rows = [node.model_dump(mode="json") for node in listed]
        wanted.show(rows, [_nodes(listed, rows)])
        return
    node = node_named(name)
    changes: dict[str, object] = {}
    if supply is not None:
        changes["supply_v"] = units.parse_voltage("--supply", supply)
    if sleep is not None:
        changes["sleep_ua"] = units.parse_current("--sleep", sleep) * 1e6
    if capacity is not None:
        changes["capacity_mah"] = units.parse_charge("--capacity", capacity) / 3.6
    if self_discharge is not None:
        changes["self_discharge_percent_per_year"] = (
            units.parse_share("--self-discharge", self_discharge) * 100
        )
    node = node.model_copy(update=changes)
    if byte_energy is not None:
        node = _with_byte_energy(node, units.parse_energy("--byte-energy", byte_energy))
    rate_hz = units.parse_rate("--rate", rate)
    other_s = units.parse_time("--awake", awake) if awake is not None else 0.0
    payload_bytes = units.parse_bytes("--message", message)
    if protocol is not None:
        if crypto_cycles is not None or header or added:
            raise UsageError(
                "--protocol says what a message costs: leave --crypto-cycles, --header and --added out."
            )
        from steelyard.cli.protocol import cost_of_one

        cost = cost_of_one(
            protocol, suite, node.target, payload_bytes, jobs, store,
            receive=receive, measure=not no_measure, variants=variant or (), primitives=primitives or (),
        )  # fmt: skip
        work = Work(rate_hz, cost.cycles("message"), cost.air_bytes, cost.security_bytes, other_s, receive)
        what = f"{protocol} {cost.suite.id}"
    else:
        if variant or primitives:
            raise UsageError("--variant and --primitives are of the work of a --protocol; name that too.")
        if suite is not None:
            raise UsageError("--suite is of a --protocol; name that too.")
        if crypto_cycles is None:
            raise UsageError(
                "--protocol NAME or --crypto-cycles CYCLES is needed: what protects the messages."
            )
        on_air = payload_bytes + header + added
        work = Work(rate_hz, crypto_cycles, on_air, added, other_s, receive)
        what = f"{crypto_cycles:,} cycles"
    found = life(node, work)
    wanted.show([_row(node, work, what, found)], _page(node, work, what, found))


def _with_byte_energy(node: Node, energy_j: float) -> Node:
    """Return the node with a radio that takes this energy per byte in either direction, at its data rate."""
    current_ma = energy_j / node.supply_v * node.radio_bits_per_s / 8 * 1e3
    changes = {
        "radio_send_ma": current_ma,
        "radio_receive_ma": current_ma,
        "cpu_awake_while_radio_on": False,
    }
    return node.model_copy(update=changes)


def _nodes(listed: Sequence[Node], objects: Sequence[dict[str, object]]) -> Table:
    rows = tuple(
        (
            node.id, node.title, node.target, f"{node.cpu_active_ma:g}", f"{node.sleep_ua:g}",
            f"{node.radio_c_per_byte(receive=False) * node.supply_v * 1e6:.2f}", f"{node.capacity_mah:g}",
        )
        for node in listed
    )  # fmt: skip
    headings = ("node", "title", "chip", "active mA", "asleep uA", "sent uJ/byte", "mAh")
    return Table("", headings, rows, left=3, least_needed=("title",), objects=tuple(objects))


def _row(node: Node, work: Work, what: str, found: Life) -> dict[str, object]:
    return {
        "node": node.id, "target": node.target, "protection": what, "rate_hz": work.rate_hz,
        "crypto_cycles": work.crypto_cycles, "air_bytes": work.air_bytes,
        "security_bytes": work.security_bytes,
        **{
            f"{part}_ua": getattr(found, f"{part}_a") * 1e6
            for part in ("sleep", "crypto", "added_bytes", "radio", "other", "total")
        },
        "crypto_share": found.crypto_share, "security_share": found.security_share,
        "life_days": found.life_s / 86400, "unprotected_life_days": found.unprotected_s / 86400,
    }  # fmt: skip


def _page(node: Node, work: Work, what: str, found: Life) -> Iterator[Table | str]:
    from steelyard.units import duration

    parts = {
        "asleep": found.sleep_a,
        "cryptography": found.crypto_a,
        f"bytes it adds ({work.security_bytes})": found.added_bytes_a,
        f"radio, the other bytes ({work.air_bytes - work.security_bytes})": found.radio_a,
        "other work": found.other_a,
    }
    rows = tuple(
        (part, f"{current * 1e6:,.3f}", f"{100 * current / found.total_a:.1f} %")
        for part, current in parts.items()
        if current
    )
    yield f"{node.title}: {what}, {work.crypto_cycles:,.0f} cycles a message"
    yield Table("", ("takes", "mean uA", "share"), rows, left=1)
    yield (
        f"The battery lasts {duration(found.life_s)}; without protection {duration(found.unprotected_s)}."
        f" {node.self_discharge_percent_per_year:g} % a year are lost by themselves."
    )
    for sentence in node.assumed:
        yield f"Assumed: {sentence}."
