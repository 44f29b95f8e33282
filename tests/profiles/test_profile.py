"""Tables, formats and differences of a profile worked out by hand: each format is decoded again."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from profiles.made import made

from steelyard.errors import UsageError
from steelyard.profile import difference, tables
from steelyard.profile.formats import written
from steelyard.profile.model import CALLER, Profile, read
from steelyard.profile.page import heading, objects


def test_every_table_has_all_cycles() -> None:
    """The sum over functions, lines, instructions and paths is that of the profile."""
    profile = made()
    assert profile.cycles == 60
    for rows in (tables.by_function(profile), tables.by_line(profile), tables.by_instruction(profile)):
        assert sum(row.own.cycles for row in rows) == 60
        assert sum(row.own.energy_nj or 0 for row in rows) == pytest.approx(3.0)
    assert sum(one.own_cycles for one in tables.tree(profile).walk()) == 60


def test_inlined_functions_have_their_own_cycles() -> None:
    """`twice` has the instruction that was inlined into `step`, whose cycles with callees have it too."""
    rows = {row.function: row for row in tables.by_function(made())}
    assert {name: (row.own.cycles, row.total_cycles, row.calls) for name, row in rows.items()} == {
        "twice": (30, 30, None),
        "step": (12, 42, 4),
        "run": (10, 52, 2),
        CALLER: (8, 8, None),
    }
    assert rows["step"].stack_bytes == 12
    assert tables.shares(rows["twice"].own, ("fetch", "result")) == {"result": 10}


def test_lines_are_those_of_the_innermost_function() -> None:
    rows = [(row.file, row.line, row.text, row.own.cycles) for row in tables.by_line(made())]
    assert rows == [
        ("v/twice.h", 7, "return x + x;", 30),
        ("v/step.c", 12, "return twice(x);", 12),
        ("v/run.c", 3, "step(x);", 10),
        (None, None, "", 8),
    ]


def test_json_rows_are_means_per_call_and_name_the_cell() -> None:
    rows = objects(made(), "function", None, tree=False, heat=False)
    assert [row["cycles"] for row in rows] == [15, 6, 5, 4]
    assert all(row["primitive"] == "toy-64" and row["call_cycles"] == 30 for row in rows)
    assert rows[0]["wait_result_cycles"] == 5
    assert len({tuple(row) for row in rows}) == 1


def test_heading_has_the_cost_of_a_call() -> None:
    assert "30 cycles, mean of 2 inputs, 6 instructions, 12 bytes of stack" in heading(made())
    assert "waits: result 16.7 %, fetch 3.3 %" in heading(made())


def test_folded_stacks() -> None:
    lines = written(made(), "folded").decode().splitlines()
    found = {path: int(cycles) for path, _, cycles in (line.rpartition(" ") for line in lines)}
    assert found == {CALLER: 8, "run": 10, "run;step": 12, "run;step;twice": 30}


def test_speedscope() -> None:
    """Every sample is a path of frames; the weights end at the cycles of all samples."""
    content = json.loads(written(made(), "speedscope"))
    assert content["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    names = [frame["name"] for frame in content["shared"]["frames"]]
    (sampled,) = content["profiles"]
    assert (sampled["type"], sampled["unit"]) == ("sampled", "none")
    assert (sampled["startValue"], sampled["endValue"]) == (0, 60)
    paths = [";".join(names[place] for place in sample) for sample in sampled["samples"]]
    assert dict(zip(paths, sampled["weights"], strict=True)) == {
        CALLER: 8,
        "run": 10,
        "run;step": 12,
        "run;step;twice": 30,
    }
    assert {"name": "twice", "file": "v/twice.h"} in content["shared"]["frames"]


def _fields(message: bytes) -> dict[int, list[int | bytes]]:
    """The fields of a protocol buffer, read without its schema."""
    found: dict[int, list[int | bytes]] = {}
    place = 0

    def varint() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(message):
        key = varint()
        if key & 7 == 0:
            found.setdefault(key >> 3, []).append(varint())
        else:
            assert key & 7 == 2
            length = varint()
            found.setdefault(key >> 3, []).append(message[place : place + length])
            place += length
    return found


def _numbers(packed: object) -> list[int]:
    assert isinstance(packed, bytes)
    values, value, shift = [], 0, 0
    for byte in packed:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            values.append(value)
            value = shift = 0
    return values


def test_pprof_is_decoded_again() -> None:
    """Its samples, resolved by its own tables, are the cycles and executions by path."""
    whole = _fields(gzip.decompress(written(made(), "pprof")))
    texts = [bytes(text).decode() for text in whole[6] if isinstance(text, bytes)]
    assert texts[0] == ""
    kinds = [texts[int(_fields(bytes(kind))[1][0])] for kind in whole[1]]  # type: ignore[arg-type]
    assert kinds == ["cycles", "instructions", "wait-fetch", "wait-result"]
    parts = [_fields(bytes(part)) for part in whole[5]]  # type: ignore[arg-type]
    functions = {int(part[1][0]): texts[int(part[2][0])] for part in parts}
    locations = {}
    for part in (_fields(bytes(one)) for one in whole[4]):  # type: ignore[arg-type]
        lines = [_fields(bytes(line)) for line in part[4]]  # type: ignore[arg-type]
        locations[int(part[1][0])] = [functions[int(line[1][0])] for line in lines]
    found: Counter[str] = Counter()
    for sample in (_fields(bytes(one)) for one in whole[2]):  # type: ignore[arg-type]
        names = [name for number in _numbers(sample[1][0]) for name in locations[number]]
        found[";".join(reversed(names))] += _numbers(sample[2][0])[0]
    assert found == {CALLER: 8, "run": 10, "run;step": 12, "run;step;twice": 30}


def test_pprof_reads_it(tmp_path: Path) -> None:
    if shutil.which("go") is None:
        pytest.skip("no Go here")
    path = tmp_path / "profile.pb.gz"
    path.write_bytes(written(made(), "pprof"))
    done = subprocess.run(
        ["go", "tool", "pprof", "-top", "-sample_index=cycles", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and "no such tool" in done.stderr:
        pytest.skip("no pprof in this Go")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\s*30\s.*twice", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"60 total", done.stdout), done.stdout


def test_flame_graph_is_well_formed_and_escaped() -> None:
    """Each box says its function and cycles; its width is its share of the whole."""
    profile = made()
    title = profile.model_copy(update={"title": "<script>alert(1)</script>"})
    text = written(title, "flamegraph").decode()
    assert "<script" not in text
    root = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    boxes = root.findall(f"{name}g")
    widths = {}
    for box in boxes:
        tip, rect = box.find(f"{name}title"), box.find(f"{name}rect")
        assert tip is not None and tip.text is not None and rect is not None
        widths[tip.text.partition(":")[0]] = float(rect.get("width", "0"))
    assert widths["twice"] / widths["all"] == pytest.approx(0.5, abs=0.001)
    assert widths["step"] / widths["all"] == pytest.approx(0.7, abs=0.001)
    assert "prefers-color-scheme:dark" in text


def test_a_profile_is_read_as_it_was_written() -> None:
    profile = made()
    assert read(written(profile, "json"), "p.json") == profile


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"cycles":30.0', '"cycles":31.0', "are not those of its record"),
        ('"samples":2,"stack', '"samples":3,"stack', "are not those of its record"),
        ("[0,256,2,10,", "[0,258,2,10,", "belongs to nothing"),
        ("[0,256,2,10,", "[9,256,2,10,", "belongs to nothing"),
        ('[0,"step"', '[7,"step"', "called by none"),
        ('"title":', '"name":', "unknown field name"),
        ("{", "", "no profile"),
    ],
)
def test_a_damaged_profile_is_refused(old: str, new: str, said: str) -> None:
    text = written(made(), "json").decode()
    assert old in text
    with pytest.raises(UsageError, match=said):
        read(text.replace(old, new, 1).encode(), "p.json")


def test_a_difference_finds_the_slower_function_and_line() -> None:
    """A planted change of 6 cycles a call is the first row of both tables, and the only one."""
    one, other = made(), made(slower=12)
    functions, lines = difference.functions(one, other), difference.lines(one, other)
    assert (functions[0].name, functions[0].difference) == ("twice", 6)
    assert (lines[0].name, lines[0].text, lines[0].difference) == ("v/twice.h:7", "return x + x;", 6)
    assert not any(row.difference for row in (*functions[1:], *lines[1:]))
    assert sum(row.difference for row in lines) == (other.cycles - one.cycles) / 2


def test_a_line_that_moved_does_not_differ() -> None:
    one = made()
    moved = one.model_copy(
        update={
            "code": tuple(
                code._replace(
                    frames=tuple(frame._replace(line=(frame.line or 0) + 4) for frame in code.frames)
                )
                for code in one.code
            ),
            "texts": {file: {n + 4: text for n, text in lines.items()} for file, lines in one.texts.items()},
        }
    )
    moved = Profile.model_validate(moved.model_dump())
    assert tables.by_line(moved)[0].line == 11
    assert not any(row.difference for row in difference.lines(one, moved))
