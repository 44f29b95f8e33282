"""Which cells a selection makes on a device, and why others are left out."""

from __future__ import annotations

import pytest

from steelyard.catalog.load import Catalog
from steelyard.errors import UsageError
from steelyard.linux.hosts import hosts_of, load_hosts
from steelyard.linux.measure.plan import HostPlan, make_host_plan
from steelyard.measure.selection import Selection


def _plan(catalog: Catalog, *threads: int, **selection: object) -> HostPlan:
    return make_host_plan(catalog, Selection.model_validate(selection), threads or (1,))


def test_only_modes_whose_blocks_are_independent_are_shared_out(catalog: Catalog) -> None:
    plan = _plan(catalog, 1, 2, primitive=("aes-128",), mode=("*",), length=(1024,))
    shared = {(c.mode.id, c.operation) for c in plan.cells if c.threads == 2 and c.mode is not None}
    assert shared == {
        *(("ecb", "encrypt"), ("ecb", "decrypt"), ("ctr", "encrypt"), ("ctr", "decrypt")),
        *(("cbc", "decrypt"), ("cfb", "decrypt")),
    }
    assert plan.skipped["one thread has to do all of a message in cbc encrypt (--threads)"] == 1


def test_an_agent_does_all_lengths_and_directions(catalog: Catalog) -> None:
    plan = _plan(catalog, primitive=("aes-128",), mode=("ctr", "cbc"), length=(16, 64))
    assert [len(cells) for cells in plan.builds()] == [4, 4]


@pytest.mark.parametrize(
    ("selection", "threads", "sentence"),
    [
        ({"length": ((16 << 20) + 1,)}, (1,), "is more than 16777216"),
        (
            {"length": (17,), "mode": ("cbc",), "primitive": ("aes-128",)},
            (1,),
            "no whole number of the 16-byte",
        ),
        ({"primitive": ("aes-128",)}, (0,), "--threads 0 is not 1 to 256"),
        ({"primitive": ("aes-129",)}, (1,), 'unknown primitive "aes-129"; did you mean'),
        ({"primitive": ("sha-256",), "operation": ("encrypt",)}, (1,), "Nothing to measure"),
        ({"flags": ("-march=native",)}, (1,), "not a flag for code generation"),
    ],
)
def test_a_wrong_selection_is_one_sentence(
    catalog: Catalog, selection: dict[str, object], threads: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(UsageError) as caught:
        _plan(catalog, *threads, **selection)
    assert sentence in str(caught.value)


def test_architectures_are_found_by_what_devices_call_themselves() -> None:
    for host in load_hosts():
        assert all(host in hosts_of(machine) for machine in host.machine)
    assert [host.id for host in hosts_of("mips")] == ["linux-mips", "linux-mipsel"]
    assert hosts_of("s390x") == ()
