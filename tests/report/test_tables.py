"""Tables of records: what counts as a result, and how it is laid out."""

from __future__ import annotations

import synthetic

from steelyard.measure.selection import OPERATIONS
from steelyard.present.markdown import markdown_table
from steelyard.report import tables


def test_pivot_takes_the_lowest_verified_number() -> None:
    records = synthetic.frame(
        [
            synthetic.measured(cycles=3300.0),
            synthetic.measured(cycles=3200.0, toolchain="clang"),
            synthetic.measured(cycles=10.0, verified=False),
            synthetic.measured(cycles=11.0, status="wrong-output", verified=False, error="differs"),
        ]
    )
    grid = tables.pivot(records)
    assert [[cell.value for cell in row.cells] for row in grid.rows] == [[3200.0]]
    assert grid.rows[0].cells[0].text == "3,200"


def test_pivot_says_why_a_cell_is_empty() -> None:
    records = synthetic.frame(
        [
            synthetic.measured(target="atmega128"),
            synthetic.failed(
                "does-not-fit", "needs 8,000 bytes of ROM, 3,904 more than the chip has", target="attiny45"
            ),
            synthetic.failed("fault", "stack overflow", target="atmega103"),
            synthetic.measured(target="atmega4809", operation="decrypt"),
        ]
    )
    encrypt = next(row for row in tables.pivot(records).rows if "encrypt" in row.labels)
    by_target = dict(zip(tables.pivot(records).columns, encrypt.cells, strict=True))
    assert by_target["attiny45"] == tables.Cell(None, "does not fit")
    assert by_target["atmega103"] == tables.Cell(None, "fault")
    assert by_target["atmega4809"] == tables.Cell(None, "")


def test_pivot_orders_names_and_operations_as_people_do() -> None:
    records = synthetic.frame(
        [
            synthetic.measured(primitive=primitive, operation=operation, target=target)
            for primitive in ("aes-1024", "aes-128")
            for operation in ("decrypt", "init", "encrypt")
            for target in ("atmega128", "atmega88")
        ]
    )
    grid = tables.pivot(records)
    assert grid.columns == ("atmega88", "atmega128")
    assert [row.labels[:2] for row in grid.rows] == [
        (primitive, operation)
        for primitive in ("aes-128", "aes-1024")
        for operation in ("init", "encrypt", "decrypt")
    ]


def test_headline_keeps_the_longest_message_and_the_bare_operation() -> None:
    records = synthetic.frame(
        [
            synthetic.measured(message_bytes=16),
            synthetic.measured(mode="cbc", message_bytes=1024),
            synthetic.measured(primitive="md5", operation="digest", message_bytes=64),
            synthetic.measured(primitive="md5", operation="digest", message_bytes=1024),
            synthetic.measured(primitive="idea", mode="ctr", message_bytes=64),
            synthetic.measured(operation="init", message_bytes=None),
        ]
    )
    kept = tables.headline(records).select("primitive", "operation", "mode", "message_bytes").rows()
    assert kept == [
        ("aes-128", "encrypt", None, 16),
        ("md5", "digest", None, 1024),
        ("idea", "encrypt", "ctr", 64),
        ("aes-128", "init", None, None),
    ]


def test_markdown_is_aligned_and_keeps_bars_in_their_cell() -> None:
    text = markdown_table(("name", "cycles"), [("a|b", "1"), ("c", "12,345")], left=1)
    assert text.splitlines() == [
        "| name | cycles |",
        "| ---- | -----: |",
        "| a\\|b |      1 |",
        "| c    | 12,345 |",
    ]


def test_grid_without_modes_has_no_mode_column() -> None:
    bare = tables.pivot(synthetic.frame([synthetic.measured()]))
    assert bare.labels == ("Primitive", "Operation", "Bytes")
    moded = tables.pivot(synthetic.frame([synthetic.measured(), synthetic.measured(mode="cbc")]))
    assert moded.labels == ("Primitive", "Operation", "Mode", "Bytes")
    assert tables.markdown(moded).count("\n") == 4


def test_no_records_make_an_empty_grid() -> None:
    grid = tables.pivot(synthetic.frame([]))
    assert grid.rows == ()
    assert grid.columns == ()


def test_operations_stand_in_the_order_in_which_the_planner_has_them() -> None:
    rows = [synthetic.measured(operation=name, message_bytes=None) for name in reversed(OPERATIONS)]
    grid = tables.pivot(synthetic.frame(rows))
    assert [row.labels[1] for row in grid.rows] == list(OPERATIONS)
    assert tables.in_order(synthetic.frame(rows))["operation"].to_list() == list(OPERATIONS)
