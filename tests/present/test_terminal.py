"""How a table fits a line: what wraps, what is left out, what turns on its side."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest

from steelyard.present.table import Table
from steelyard.present.terminal import paragraph, table_lines

TABLE = Table(
    "",
    ("primitive", "variant", "cycles", "time", "status"),
    (
        ("aes-128", "aes/sbox-rows", "1,234", "77.1 us", "ok"),
        ("chacha20-poly1305", "chacha20-poly1305/fast", "1,089,408", "68.09 ms", "ok"),
    ),
    left=2,
    least_needed=("status",),
    less_needed=("time",),
)


def test_piped_output_has_its_full_width() -> None:
    whole = [
        "primitive          variant                    cycles      time  status",
        "─────────────────  ──────────────────────  ─────────  ────────  ──────",
        "aes-128            aes/sbox-rows               1,234   77.1 us      ok",
        "chacha20-poly1305  chacha20-poly1305/fast  1,089,408  68.09 ms      ok",
    ]
    assert table_lines(TABLE, None) == table_lines(TABLE, 70) == whole
    assert table_lines(replace(TABLE, title="Costs"), None) == ["Costs", "", *whole]


def test_the_least_needed_column_is_left_out_first_and_named() -> None:
    assert table_lines(TABLE, 69) == [
        "primitive          variant                    cycles      time",
        "─────────────────  ──────────────────────  ─────────  ────────",
        "aes-128            aes/sbox-rows               1,234   77.1 us",
        "chacha20-poly1305  chacha20-poly1305/fast  1,089,408  68.09 ms",
        "",
        "1 column left out at 69 characters: status (ok in all rows);",
        "--columns chooses, a wider terminal or a pipe shows all.",
    ]


def test_names_wrap_next_and_figures_keep_their_unit() -> None:
    assert table_lines(TABLE, 48)[:6] == [
        "primitive     variant          cycles      time",
        "────────────  ────────────  ─────────  ────────",
        "aes-128       aes/sbox-         1,234   77.1 us",
        "               rows",
        "chacha20-     chacha20-     1,089,408  68.09 ms",
        " poly1305      poly1305/",
    ]


def test_then_a_further_column_is_left_out() -> None:
    assert table_lines(TABLE, 40)[0].split() == ["primitive", "variant", "cycles"]
    assert "2 columns left out at 40 characters:" in table_lines(TABLE, 40)


def test_at_last_each_row_is_a_block() -> None:
    assert table_lines(TABLE, 30) == [
        "primitive  aes-128",
        "variant    aes/sbox-rows",
        "cycles     1,234",
        "time       77.1 us",
        "status     ok",
        "",
        "primitive  chacha20-poly1305",
        "variant    chacha20-poly1305/",
        "           fast",
        "cycles     1,089,408",
        "time       68.09 ms",
        "status     ok",
    ]
    single = replace(TABLE, rows=TABLE.rows[:1])
    assert table_lines(single, 40)[0] == "primitive  aes-128"


def test_headings_and_prose_wrap_before_a_column_is_left_out() -> None:
    about = "one block in eight slices, the S-box as a circuit, no table at all"
    table = Table(
        "", ("name", "bytes on the air", "about"), (("a", "41", about),) * 2, 1, ("bytes on the air",)
    )
    table = replace(table, numeric=(False, True, False))
    assert table_lines(table, 52) == [
        "      bytes on",
        "name   the air  about",
        "────  ────────  ────────────────────────────────────",
        "a           41  one block in eight slices, the S-box",
        "                 as a circuit, no table at all",
        "a           41  one block in eight slices, the S-box",
        "                 as a circuit, no table at all",
    ]


def test_ranges_options_and_intervals_stay_in_one_piece() -> None:
    cells = ("rc5-32-12-8 at -Os", "[1,234, 5,678]")
    lines = table_lines(Table("", ("built", "80 %"), (cells,) * 2, left=1), 22)
    words = {word for line in lines for word in line.split()}
    assert {"-Os", "rc5-32-12-8", "[1,234,", "5,678]"} <= words


def test_wide_letters_and_control_characters_keep_the_columns() -> None:
    rows = (("\N{CJK UNIFIED IDEOGRAPH-6771}\N{CJK UNIFIED IDEOGRAPH-4EAC}", "1"), ("a\x1b[2J\nb", "22"))
    lines = table_lines(Table("", ("name", "figure"), rows, left=1), 80)
    assert lines[2] == "東京          1"
    assert lines[3] == "a [2J b      22"


@pytest.mark.parametrize("width", [None, 120, 60])
def test_ten_thousand_rows_take_less_than_half_a_second(width: int | None) -> None:
    rows = tuple((f"aes-128 {number}", *TABLE.rows[0][1:]) for number in range(10_000))
    wide = Table(
        "", (*TABLE.headings, *"abcdefghij"), tuple((*row, *["12,345"] * 10) for row in rows), left=2
    )
    begun = process_time()
    assert len(table_lines(replace(wide, least_needed=("a", "b", "status")), width)) > 10_000
    assert process_time() - begun < 0.5


def test_paragraphs_wrap_between_words_and_commands_stay_whole() -> None:
    text = "3 not testable; run:\n    steelyard reproduce word-sizes --toolchain clang"
    assert paragraph(text, 16) == [
        "3 not testable;",
        "run:",
        "    steelyard reproduce word-sizes --toolchain clang",
    ]
    assert paragraph(text, None) == text.splitlines()
