"""Passages beside frames built bit by bit, and beside times worked out by hand."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import UsageError
from steelyard.scenario.bus import CAN_FD_LENGTHS, passage, radio
from steelyard.scenario.scene import Can, CanFd, Ethernet, Ieee802154, Rs485


def stuffed(bits: str) -> str:
    """Bits with a complement behind each five equal ones, stuffed ones counted."""
    sent = ""
    for bit in bits:
        sent += bit
        if len(sent) >= 5 and len(set(sent[-5:])) == 1:
            sent += "1" if bit == "0" else "0"
    return sent


def worst(count: int) -> str:
    """The bits that are stuffed most often: five equal ones, then four of each kind in turn."""
    bits = "0" * 5
    while len(bits) < count:
        bits += ("1" if bits[-1] == "0" else "0") * 4
    return bits[:count]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 8), st.booleans(), st.randoms(use_true_random=False))
def test_frame_of_can(size: int, extended: bool, random: object) -> None:
    bus = Can(kind="can", bit_rate="1Mbit/s", extended=extended)
    found = passage(bus, size)
    exposed = (54 if extended else 34) + 8 * size
    bits = "".join(random.choice("01") for _ in range(exposed))  # type: ignore[attr-defined]
    # Delimiters, acknowledgement, end of frame and the space behind it are never stuffed.
    assert found.shortest_ns <= (len(stuffed(bits)) + 13) * 1000 <= found.longest_ns
    assert (len(stuffed(worst(exposed))) + 13) * 1000 == found.longest_ns
    assert found.longest_ns == ((80 if extended else 55) + 10 * size) * 1000
    assert found.longest_ns - found.arrives_ns == 3000


@pytest.mark.parametrize("size", [0, 1, 8, 9, 12, 33, 64])
@pytest.mark.parametrize("extended", [False, True])
def test_frame_of_can_fd(size: int, extended: bool) -> None:
    bus = CanFd(kind="can-fd", bit_rate="1Mbit/s", data_rate="1Mbit/s", extended=extended)
    found = passage(bus, size)
    carried = min(length for length in CAN_FD_LENGTHS if length >= size)
    # Start, identifier, RRS, IDE, FDF, res, BRS; or 11 bits, SRR, IDE, 18 bits, RRS, FDF, res, BRS.
    head = 1 + 11 + 5 if not extended else 1 + 11 + 2 + 18 + 4
    exposed = head + 1 + 4 + 8 * carried
    checked = "0" * (4 + (17 if carried <= 16 else 21))
    fixed = "".join("s" * (place % 4 == 0) + bit for place, bit in enumerate(checked)) + "s" * (
        len(checked) % 4 == 0
    )
    rest = len(fixed) + 1 + 2 + 7 + 3
    assert found.longest_ns == (len(stuffed(worst(exposed))) + rest) * 1000
    assert found.shortest_ns == (exposed + rest) * 1000
    faster = bus.model_copy(update={"data_rate": 4e6})
    head_most = len(stuffed(worst(head)))
    fast_bits = len(stuffed(worst(exposed))) - head_most + len(fixed)
    assert passage(faster, size).longest_ns == (head_most + 13) * 1000 + fast_bits * 250


def test_stuffing_of_these_tests() -> None:
    assert stuffed("00000111110") == "000001" + "11110" + "10"
    assert max(len(list(run)) for _, run in groupby(stuffed("0" * 40))) == 5


def test_modbus_rtu() -> None:
    bus = Rs485(kind="rs-485", bit_rate="9600bit/s", master="plc", turnaround="10ms")
    character = 11 / 9600
    reading = passage(bus, 5, to_master=True)
    # Three registers: 8 characters asked, 5 + 6 answered, 3.5 of silence behind each.
    assert reading.longest_ns / 1e9 == pytest.approx((8 + 3.5 + 11 + 3.5) * character + 0.01, rel=1e-6)
    assert reading.arrives_ns == reading.longest_ns
    writing = passage(bus, 5)
    assert writing.arrives_ns / 1e9 == pytest.approx((15 + 3.5) * character, rel=1e-6)
    assert writing.longest_ns / 1e9 == pytest.approx((15 + 3.5 + 8 + 3.5) * character + 0.01, rel=1e-6)
    fast = passage(bus.model_copy(update={"bit_rate": 115200.0}), 5)
    assert fast.arrives_ns / 1e9 == pytest.approx(15 * 11 / 115200 + 1.75e-3, rel=1e-6)


def test_ethernet() -> None:
    bus = Ethernet(kind="ethernet", bit_rate="100Mbit/s", switches=1, switch_delay="4us")
    least = passage(bus, 10)
    # The smallest frame is 64 bytes, behind 8 of preamble and before a gap of 12.
    assert least.longest_ns == (8 + 64 + 12) * 80
    assert least.arrives_ns == 2 * (8 + 64) * 80 + 4000
    assert passage(bus, 1000).longest_ns == (8 + 14 + 20 + 8 + 1000 + 4 + 12) * 80
    modbus = Ethernet(
        kind="ethernet",
        bit_rate="100Mbit/s",
        protocol="modbus-tcp",
        master="plc",
        turnaround="1ms",
        switches=0,
    )
    reading = passage(modbus, 100, to_master=True)
    asked, answered, acknowledged = 8 + 14 + 40 + 12 + 4, 8 + 14 + 40 + 7 + 2 + 100 + 4, 8 + 64
    assert reading.arrives_ns == (asked + answered) * 80 + 1_000_000
    assert reading.longest_ns == (asked + answered + acknowledged + 3 * 12) * 80


def test_ieee802154() -> None:
    bus = Ieee802154(kind="ieee802154", retries=0)
    times = radio(bus, 20)
    # 6 bytes of preamble, delimiter and length, 9 of header, 2 of check; 32 us a byte.
    assert times.frame_ns == (6 + 9 + 20 + 2) * 32_000
    assert (times.backoff_ns, times.sensing_ns, times.turnaround_ns) == (320_000, 128_000, 192_000)
    assert (times.ack_ns, times.wait_ns, times.space_ns) == (11 * 32_000, 864_000, 640_000)
    found = passage(bus, 20)
    backoffs = (7 + 15 + 31 + 31 + 31) * 320_000 + 5 * 128_000
    assert found.arrives_ns == backoffs + 192_000 + times.frame_ns
    assert found.longest_ns == found.arrives_ns + 192_000 + times.ack_ns + times.space_ns
    again = passage(bus.model_copy(update={"retries": 1}), 20)
    assert again.arrives_ns == 2 * found.arrives_ns + times.wait_ns


@pytest.mark.parametrize(
    ("bus", "size"),
    [
        (Can(kind="can", bit_rate="1Mbit/s"), 9),
        (CanFd(kind="can-fd", bit_rate="1Mbit/s", data_rate="1Mbit/s"), 65),
        (Rs485(kind="rs-485", bit_rate="9600bit/s", master="plc"), 247),
        (Ethernet(kind="ethernet", bit_rate="1Gbit/s"), 1473),
        (Ieee802154(kind="ieee802154"), 117),
    ],
)
def test_too_much_for_a_frame(bus: Can | CanFd | Rs485 | Ethernet | Ieee802154, size: int) -> None:
    passage(bus, size - 1)
    with pytest.raises(UsageError, match=f"{size} bytes are to be sent"):
        passage(bus, size)
