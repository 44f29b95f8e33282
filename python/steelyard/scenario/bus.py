"""Time for which a message holds a bus, and its arrival, from its bytes and the bus's rules; nanoseconds.

`docs/scenario.md` lists bits and times of each bus with their sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from steelyard.errors import UsageError
from steelyard.scenario.scene import Bus, Can, CanFd, Ethernet, Ieee802154, Rs485

CAN_FD_LENGTHS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64)
"""Lengths in bytes that a frame of CAN FD can have."""

_SECOND_NS = 1_000_000_000


@dataclass(frozen=True)
class Passage:
    """A message on a bus: how long it holds the bus, and when it has arrived, counted from its start.

    `wire_bytes` are all bytes sent for it, including answers and acknowledgements. `air_ns` is the minimum
    time for which the medium is occupied, without the waits of a random access.
    """

    longest_ns: int
    shortest_ns: int
    arrives_ns: int
    arrives_least_ns: int
    air_ns: int
    wire_bytes: int


def passage(bus: Bus, payload_bytes: int, *, to_master: bool = False) -> Passage:
    """Return the passage of a payload; `to_master` if a master reads it. UsageError for too many bytes."""
    match bus:
        case Can():
            return _can(bus, payload_bytes)
        case CanFd():
            return _can_fd(bus, payload_bytes)
        case Rs485():
            return _rs485(bus, payload_bytes, to_master=to_master)
        case Ethernet(protocol="modbus-tcp"):
            return _modbus_tcp(bus, payload_bytes, to_master=to_master)
        case Ethernet():
            return _ethernet(bus, payload_bytes)
        case Ieee802154():
            return _ieee802154(bus, payload_bytes)


def bit_ns(bus: Bus) -> int:
    """Return the time after a frame's start in which another can still join the arbitration."""
    return _ns(1, bus.bit_rate)


def _ns(bits: float, rate: float) -> int:
    """Return nanoseconds rounded up, so that no bound is too small."""
    return ceil(bits * _SECOND_NS / rate - 1e-6)


def _most(payload_bytes: int, most: int, what: str) -> None:
    if payload_bytes > most:
        raise UsageError(f"{payload_bytes} bytes are to be sent, and {what} holds at most {most}.")


_SPACE_BITS = 3
"""Bits between frames of CAN, after the end of a frame that has arrived."""


def _can(bus: Can, payload_bytes: int) -> Passage:
    """Return a CAN frame: start, arbitration, control, data, CRC and end, with worst-case or no stuffing."""
    _most(payload_bytes, 8, "a frame of CAN")
    stuffed = (54 if bus.extended else 34) + 8 * payload_bytes
    least = stuffed + 10
    longest, shortest = (_ns(bits, bus.bit_rate) for bits in (least + (stuffed - 1) // 4, least))
    space = _ns(_SPACE_BITS, bus.bit_rate)
    return Passage(
        longest + space, shortest + space, longest, shortest, longest + space, (least + _SPACE_BITS + 7) // 8
    )


def _can_fd(bus: CanFd, payload_bytes: int) -> Passage:
    """Return a CAN FD frame: arbitration and end at the slow rate, the switched part at the fast rate."""
    _most(payload_bytes, 64, "a frame of CAN FD")
    length = next(one for one in CAN_FD_LENGTHS if one >= payload_bytes)
    head = 36 if bus.extended else 17
    # Delimiter of the CRC, acknowledgement and its delimiter, end of frame.
    tail = 1 + 1 + 1 + 7
    stuffed = 1 + 4 + 8 * length
    # Count of stuffed bits with its parity, CRC, and a bit before them and behind every fourth of them.
    checked = 4 + (17 if length <= 16 else 21)
    rest = checked + 1 + checked // 4
    head_most = head + (head - 1) // 4
    all_most = head + stuffed + (head + stuffed - 1) // 4
    longest = _ns(head_most + tail, bus.bit_rate) + _ns(all_most - head_most + rest, bus.data_rate)
    shortest = _ns(head + tail, bus.bit_rate) + _ns(stuffed + rest, bus.data_rate)
    space = _ns(_SPACE_BITS, bus.bit_rate)
    wire = (head + tail + stuffed + rest + _SPACE_BITS + 7) // 8
    return Passage(longest + space, shortest + space, longest, shortest, longest + space, wire)


def _rs485(bus: Rs485, payload_bytes: int, *, to_master: bool) -> Passage:
    """Return a transaction of Modbus RTU: request, silence, turnaround, answer, silence."""
    _most(payload_bytes, 250 if to_master else 246, "a transaction of Modbus")
    data = payload_bytes + payload_bytes % 2
    # Reading: address, function, start, count, CRC; then address, function, bytes, data, CRC. Writing:
    # address, function, start, count, bytes, data, CRC; then address, function, start, count, CRC.
    request, answer = (8, 5 + data) if to_master else (9 + data, 8)
    silence = _silence_ns(bus)
    asked = _ns(request * bus.character_bits, bus.bit_rate) + silence
    answered = _ns(answer * bus.character_bits, bus.bit_rate) + silence
    whole = asked + ceil(bus.turnaround * _SECOND_NS) + answered
    arrives = whole if to_master else asked
    return Passage(whole, whole, arrives, arrives, whole, request + answer)


def _silence_ns(bus: Rs485) -> int:
    """Return the silence of 3.5 characters that ends a frame; above 19200 bit/s it is 1.75 ms."""
    return _ns(3.5 * bus.character_bits, bus.bit_rate) if bus.bit_rate <= 19200 else 1_750_000


_PREAMBLE_BYTES, _ETHERNET_BYTES, _GAP_BYTES = 8, 14 + 4, 12
_LEAST_FRAME_BYTES, _MOST_FRAME_BYTES = 64, 1518
_HEADER_BYTES = {"udp": 20 + 8, "modbus-tcp": 20 + 20, "none": 0}


def _frame_bytes(bus: Ethernet, data_bytes: int) -> int:
    """Return the bytes on the wire, with the gap, of a frame that carries data of the protocol."""
    frame = _ETHERNET_BYTES + _HEADER_BYTES[bus.protocol] + data_bytes
    return _PREAMBLE_BYTES + max(frame, _LEAST_FRAME_BYTES) + _GAP_BYTES


def _through(bus: Ethernet, wire_bytes: int) -> int:
    """Return the time from the first bit sent to the last one received, through the switches."""
    links = bus.switches + 1
    return links * _ns(8 * (wire_bytes - _GAP_BYTES), bus.bit_rate) + bus.switches * ceil(
        bus.switch_delay * _SECOND_NS
    )


def _ethernet(bus: Ethernet, payload_bytes: int) -> Passage:
    most = _MOST_FRAME_BYTES - _ETHERNET_BYTES - _HEADER_BYTES[bus.protocol]
    _most(payload_bytes, most, "a frame of Ethernet")
    wire = _frame_bytes(bus, payload_bytes)
    held, arrives = _ns(8 * wire, bus.bit_rate), _through(bus, wire)
    return Passage(held, held, arrives, arrives, held, wire)


def _modbus_tcp(bus: Ethernet, payload_bytes: int, *, to_master: bool) -> Passage:
    """Return a transaction: request, turnaround, answer, and TCP's acknowledgement of the answer."""
    _most(payload_bytes, 250 if to_master else 246, "a transaction of Modbus")
    data = payload_bytes + payload_bytes % 2
    # Behind the MBAP header of 7 bytes as on RS-485, address and CRC apart.
    request, answer = (7 + 5, 7 + 2 + data) if to_master else (7 + 6 + data, 7 + 5)
    frames = [_frame_bytes(bus, size) for size in (request, answer, 0)]
    held = sum(_ns(8 * frame, bus.bit_rate) for frame in frames)
    asked = _through(bus, frames[0])
    arrives = asked
    if to_master:
        arrives += ceil(bus.turnaround * _SECOND_NS) + _through(bus, frames[1])
    return Passage(held, held, arrives, arrives, held, sum(frames))


# Symbols: a backoff period, the sensing of the channel, the turnaround, the wait for an acknowledgement, and
# the spaces behind frames of more than 18 bytes and of less.
_BACKOFF, _SENSING, _TURNAROUND, _WAIT, _LONG_SPACE, _SHORT_SPACE = 20, 8, 12, 54, 40, 12
_SYNC_BYTES, _MAC_BYTES, _ACK_BYTES, _MOST_MAC_BYTES = 6, 9 + 2, 5, 127


@dataclass(frozen=True)
class Radio:
    """The times of a frame of IEEE 802.15.4 at its sender, in nanoseconds."""

    backoff_ns: int
    sensing_ns: int
    turnaround_ns: int
    frame_ns: int
    ack_ns: int
    wait_ns: int
    space_ns: int


def radio(bus: Ieee802154, payload_bytes: int) -> Radio:
    """Return the times of a frame with this payload. UsageError for too many bytes."""
    _most(payload_bytes, _MOST_MAC_BYTES - _MAC_BYTES, "a frame of IEEE 802.15.4")
    mac = _MAC_BYTES + payload_bytes
    space = _LONG_SPACE if mac > 18 else _SHORT_SPACE
    symbol = 4 / bus.bit_rate

    def symbols(count: int) -> int:
        return ceil(count * symbol * _SECOND_NS - 1e-6)

    return Radio(
        symbols(_BACKOFF),
        symbols(_SENSING),
        symbols(_TURNAROUND),
        _ns(8 * (_SYNC_BYTES + mac), bus.bit_rate),
        _ns(8 * (_SYNC_BYTES + _ACK_BYTES), bus.bit_rate) if bus.acknowledged else 0,
        symbols(_WAIT) if bus.acknowledged else 0,
        symbols(space),
    )


def _ieee802154(bus: Ieee802154, payload_bytes: int) -> Passage:
    """Return the bound for frames that are not lost: all backoffs at their longest, every retry used."""
    times = radio(bus, payload_bytes)
    backoffs = sum(
        (2 ** min(bus.least_exponent + count, bus.most_exponent) - 1) * times.backoff_ns + times.sensing_ns
        for count in range(bus.backoffs + 1)
    )
    retries = bus.retries if bus.acknowledged else 0
    sent = times.turnaround_ns + times.frame_ns
    arrives = (retries + 1) * (backoffs + sent) + retries * times.wait_ns
    acknowledged = times.turnaround_ns + times.ack_ns if bus.acknowledged else 0
    least = times.sensing_ns + sent
    return Passage(
        longest_ns=arrives + acknowledged + times.space_ns,
        shortest_ns=least + acknowledged + times.space_ns,
        arrives_ns=arrives,
        arrives_least_ns=least,
        air_ns=times.frame_ns + acknowledged,
        wire_bytes=_SYNC_BYTES + _MAC_BYTES + payload_bytes + (_SYNC_BYTES + _ACK_BYTES) * bus.acknowledged,
    )
