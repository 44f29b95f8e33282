"""Orders and claims of any publication."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from steelyard.present.terminal import print_table

if TYPE_CHECKING:
    from steelyard.present.table import Table
    from steelyard.reproduce.comparison import Claim, Order
    from steelyard.reproduce.verdict import Finding

_SHORT: dict[Finding, str] = {
    "holds": "holds",
    "holds in part": "in part",
    "fails": "fails",
    "not testable": "-",
}


def order_rows(orders: Iterable[Order]) -> Iterator[dict[str, object]]:
    """An object for each order in each setting."""
    for order in orders:
        yield {"table": "order", **asdict(order), "agrees": order.agrees}


def claim_rows(claims: Iterable[Claim]) -> Iterator[dict[str, object]]:
    """An object for each claim."""
    for claim in claims:
        named = {"claim": claim.claim, "section": claim.section, "statement": claim.statement}
        yield {"table": "claim", **named, **asdict(claim.verdict)}


def print_orders(orders: Iterable[Order]) -> None:
    """The published order of each quantity, then ours, each with the settings in which it is found."""
    found: dict[tuple[str, tuple[str, ...]], dict[tuple[tuple[str, ...], bool], dict[str, list[str]]]] = {}
    for order in orders:
        by_order = found.setdefault((order.quantity, order.published), {})
        by_order.setdefault((order.ours, order.agrees), {}).setdefault(order.choice, []).append(order.flags)
    lines = []
    for (quantity, published), by_order in found.items():
        lines.append((", ".join(published), quantity, "published"))
        for (ours, agrees), settings in by_order.items():
            where = "; ".join(f"{choice} {' '.join(flags)}" for choice, flags in settings.items())
            lines.append(("  " + ", ".join(ours), "agrees" if agrees else "", where))
    print_table(("order", "of", "settings"), lines, left=3)


def print_lines(lines: Table) -> None:
    """A table of the report, under its title."""
    print(f"\n{lines.title}")
    print_table(lines.headings, lines.rows, left=lines.left)


def print_claims(claims: Sequence[Claim], choices: Sequence[str]) -> None:
    """The verdicts, over all settings and by choice, and what each rests on."""
    print_table(
        ("claim", "verdict", *choices, "statement"),
        (
            (
                claim.claim.removeprefix("seed"),
                claim.verdict.finding,
                *(_SHORT[claim.verdict.by_choice[choice]] for choice in choices),
                claim.statement,
            )
            for claim in claims
        ),
        left=3 + len(choices),
    )
    for claim in claims:
        print(f"{claim.claim}: {claim.verdict.finding}: {claim.verdict.reason}.")
