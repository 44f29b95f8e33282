"""The best variants beside the default one: the fastest, that of least ROM, that of least RAM."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from steelyard.catalog.load import Catalog
from steelyard.record.schema import IDENTITY, Record

DEFAULT = "default"
GOALS = {"fastest": "cycles", "smallest ROM": "rom_bytes", "smallest RAM": "ram_bytes"}
"""What is least for each goal."""

_PLACE = tuple(name for name in IDENTITY if name not in ("variant", "parts", "parameters"))


def best(records: Iterable[Record], catalog: Catalog) -> Iterator[Record]:
    """Yield the variants that are the default or the best for a goal, each with its `goals` as text.

    Verified records of chips are compared that say the same in all but the variant; cells of one variant are
    left out. Of equals the default is the best, then the faster. A chip of one's own has no default, since
    the catalogue does not know it.
    """
    places: dict[tuple[object, ...], list[Record]] = {}
    for record in records:
        if record["device"] is None and record["status"] == "ok" and record["verified"]:
            places.setdefault(tuple(record[name] for name in _PLACE), []).append(record)
    chips = {target.id for target in catalog.targets}
    for listed in places.values():
        if len(listed) < 2 or listed[0]["variant"] is None:
            continue
        is_default = [
            record["target"] in chips and (record["variant"], record["target"]) in catalog.defaults
            for record in listed
        ]
        goals: list[list[str]] = [[DEFAULT] if one else [] for one in is_default]
        for goal, field in GOALS.items():
            ranked = [
                (record[field], not is_default[i], record["cycles"], i)
                for i, record in enumerate(listed)
                if record[field] is not None
            ]
            if ranked:
                goals[min(ranked)[-1]].append(goal)
        order = [DEFAULT, *GOALS]
        won = [(one, record) for one, record in zip(goals, listed, strict=True) if one]
        for one, record in sorted(won, key=lambda pair: order.index(pair[0][0])):
            yield {**record, "goals": ", ".join(one)}
