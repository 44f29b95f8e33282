"""Every published claim with what the records at hand say of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from steelyard.data import data_root
from steelyard.linux.hosts import load_hosts
from steelyard.record.schema import Record
from steelyard.reproduce import (
    atmega128,
    cache_sweep,
    ganesan,
    industrial_linux,
    rl78_minimal,
    sa1100,
    sensor_nodes,
    word_sizes,
)
from steelyard.reproduce.comparison import Claim, read_reference
from steelyard.reproduce.verdict import Verdict

_COMPILER = "gcc"
"""The compiler that publications use."""

_Judge = Callable[[Sequence[Record], Collection[str]], tuple[Claim, ...]]


@dataclass(frozen=True)
class Experiment:
    """What judges claims from records of chips; `of_any_compiler` if it takes those of all compilers.

    `command` is that of the command line which measures all that it needs.
    """

    targets: tuple[str, ...]
    judge: _Judge
    of_any_compiler: bool = False
    command: str = "reproduce"


EXPERIMENTS: Mapping[str, Experiment] = {
    "atmega128": Experiment(
        ("atmega128",), lambda records, defaults: atmega128.reproduce(records, defaults).claims
    ),
    "energy-sa1100": Experiment((sa1100.TARGET,), lambda records, _: sa1100.reproduce(records).claims),
    "cache-sweep": Experiment(cache_sweep.TARGETS, lambda records, _: cache_sweep.reproduce(records).claims),
    sensor_nodes.EXPERIMENT: Experiment(
        tuple(platform.target for platform in sensor_nodes.platforms()),
        lambda records, defaults: sensor_nodes.reproduce(records, defaults).claims,
    ),
    ganesan.EXPERIMENT: Experiment(
        tuple(platform.target for platform in sensor_nodes.platforms()),
        lambda records, defaults: ganesan.reproduce(sensor_nodes.reproduce(records, defaults).tables).claims,
        command="fit",
    ),
    rl78_minimal.EXPERIMENT: Experiment(
        (rl78_minimal.TARGET,),
        lambda records, _: rl78_minimal.reproduce(records).claims,
        of_any_compiler=True,
    ),
    industrial_linux.EXPERIMENT: Experiment(
        tuple(host.id for host in load_hosts()),
        lambda records, defaults: industrial_linux.reproduce(records, defaults).claims,
        of_any_compiler=True,
    ),
    word_sizes.EXPERIMENT: Experiment(
        tuple(name for names in word_sizes.TARGETS.values() for name in names),
        lambda records, defaults: word_sizes.reproduce(records, defaults).claims,
    ),
}


@dataclass(frozen=True)
class Standing:
    """A claim of a publication with its verdict; `experiment` is None where none judges it."""

    publication: str
    experiment: str | None
    claim: Claim

    @property
    def command(self) -> str | None:
        """What measures all that the verdict needs."""
        if self.experiment is None:
            return None
        return f"steelyard {EXPERIMENTS[self.experiment].command} {self.experiment}"


def every_claim(records: Sequence[Record], defaults: Collection[str]) -> Iterator[Standing]:
    """All claims of all publications, by their names; `defaults` are the default variants' names."""
    made = {
        claim.claim: (name, claim)
        for name, experiment in EXPERIMENTS.items()
        for claim in experiment.judge(_of(records, experiment), defaults)
    }
    listed = []
    for folder in sorted(path.parent.name for path in data_root().glob("reference/*/claims.csv")):
        for row in read_reference(folder, "claims.csv"):
            if row["claim"] in made:
                listed.append(Standing(folder, *made[row["claim"]]))
            else:
                verdict = Verdict("not testable", {}, "no experiment judges it yet")
                claim = Claim(row["claim"], row["section"], row["statement"], verdict)
                listed.append(Standing(folder, None, claim))
    yield from sorted(listed, key=lambda one: (not one.claim.claim.startswith("seed"), one.claim.claim))


def _of(records: Sequence[Record], experiment: Experiment) -> list[Record]:
    """The records of an experiment's chips, of GCC alone where there are any, else of one other compiler."""
    here = [record for record in records if record["target"] in experiment.targets]
    if experiment.of_any_compiler:
        return here
    compilers = sorted(
        {str(record["toolchain"]) for record in here}, key=lambda name: (name != _COMPILER, name)
    )
    return [record for record in here if record["toolchain"] == compilers[0]] if compilers else []
