"""Functions of any image: arguments in, cost and buffers out, and no image that does harm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.measure.call import call_function, parse_argument

SUM = Path(__file__).parent.parent / "golden" / "sum.elf"
IMAGE = SUM.read_bytes()
TARGET = load_catalog().target("atmega128")


@pytest.mark.parametrize(
    ("text", "value", "size_bytes"),
    [("5", 5, 0), ("-1", -1, 0), ("u16:300", 300, 2), ("i8:-3", -3, 1), ("u32:0xDEADBEEF", 0xDEADBEEF, 4)],
)
def test_integers(text: str, value: int, size_bytes: int) -> None:
    argument = parse_argument(text)
    assert (argument.value, argument.size_bytes, argument.direction) == (value, size_bytes, None)


@pytest.mark.parametrize(
    "text", ["", "x", "u16:", "u7:1", "in:0", "in:0g", "out:-1", "out:x", "1.5", "0x", "٣"]
)
def test_malformed_arguments(text: str) -> None:
    with pytest.raises(UsageError, match="neither an integer"):
        parse_argument(text)


@given(st.lists(st.integers(0, 255), max_size=40))
def test_sum_and_reverse(values: list[int]) -> None:
    content = bytes(values)
    arguments = [parse_argument(f"in:{content.hex()}"), parse_argument(f"u16:{len(values)}")]
    record = call_function(SUM, "sum", TARGET, arguments, 100_000)
    assert record["status"] == "ok"
    assert record["return_value"] == str(sum(values))
    # sum() spends the same on every byte.
    nothing = call_function(SUM, "sum", TARGET, [parse_argument("in:"), parse_argument("0")], 100_000)
    one = call_function(SUM, "sum", TARGET, [parse_argument("in:00"), parse_argument("1")], 100_000)
    assert isinstance(nothing["cycles"], float)
    assert isinstance(one["cycles"], float)
    assert record["cycles"] == nothing["cycles"] + len(values) * (one["cycles"] - nothing["cycles"])
    arguments[0] = parse_argument(f"inout:{content.hex()}")
    record = call_function(SUM, "reverse", TARGET, arguments, 100_000)
    assert json.loads(str(record["outputs"])) == [content[::-1].hex()]


def test_changed_input_is_no_success() -> None:
    arguments = [parse_argument("in:0011"), parse_argument("2")]
    record = call_function(SUM, "reverse", TARGET, arguments, 100_000)
    assert (record["status"], record["error"]) == ("wrong-output", "byte 0 of the argument 1 was changed.")


def test_budget() -> None:
    arguments = [parse_argument("in:" + "00" * 100), parse_argument("100")]
    record = call_function(SUM, "sum", TARGET, arguments, 50)
    assert (record["status"], record["fault_kind"], record["cycles"]) == ("fault", "cycle-budget", None)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, len(IMAGE) - 1), st.integers(0, 255)), min_size=1, max_size=12),
    st.integers(0, len(IMAGE)),
)
def test_hostile_images(tmp_path: Path, changes: list[tuple[int, int]], cut: int) -> None:
    content = bytearray(IMAGE)
    for index, value in changes:
        content[index] = value
    path = tmp_path / "hostile.elf"
    path.write_bytes(content[: cut if cut > 52 else len(content)])
    arguments = [parse_argument("in:0102"), parse_argument("2")]
    try:
        record = call_function(path, "sum", TARGET, arguments, 10_000)
    except UsageError as error:
        assert str(path) in str(error)
        assert str(error).isprintable()
        assert str(error).endswith((".", "?"))
    else:
        assert record["status"] in ("ok", "fault", "wrong-output")
