"""A dataset is the same, byte for byte, whatever store its records lie in; its description is true."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from command import Steelyard
from store.samples import record, silent, written

from steelyard.errors import UsageError
from steelyard.record.schema import FIELD_NAMES, FIELDS, IDENTITY
from steelyard.store.dataset import CROISSANT, PAGE, RECORDS, Publication, write_dataset
from steelyard.store.read import read_records

SAMPLES = [
    record(
        number,
        target=("atmega128", "stm32f407")[number % 2],
        message_bytes=None if number % 3 else number,
        verified=number % 5 != 0,
        error='a "quoted", | and ünusual text' if number % 7 == 0 else None,
        date=f"2026-02-{1 + number % 28:02}T00:00:00+00:00",
        steelyard_version="0.1.0",
    )
    for number in range(300)
]
TYPES = {"sc:Text": pl.String, "sc:Integer": pl.Int64, "sc:Float": pl.Float64, "sc:Boolean": pl.Boolean}
PUBLICATION = Publication("records", "https://example.org/licence", "https://example.org/records", "Someone")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def described(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / CROISSANT).read_text("utf-8"))
    return found


@pytest.fixture
def made(tmp_path: Path) -> Path:
    written(tmp_path / "store", *SAMPLES)
    write_dataset(tmp_path / "store", tmp_path / "made", PUBLICATION, silent)
    return tmp_path / "made"


def test_two_stores_give_the_same_bytes(steelyard: Steelyard, tmp_path: Path) -> None:
    """Other segments in another order, superseded records, other folders, threads, zone and locale."""
    one, other = tmp_path / "one", tmp_path / "a" / "folder elsewhere"
    written(one, *SAMPLES)
    written(other, *({**row, "cycles": 7.0} for row in SAMPLES[:50]))
    for start in (200, 100, 0):
        written(other, *reversed(SAMPLES[start : start + 100]))
    made = []
    for store, threads, zone in ((one, "1", "UTC"), (other, "3", "Pacific/Auckland")):
        locale = "C" if threads == "1" else "C.UTF-8"
        steelyard.environment |= {"POLARS_MAX_THREADS": threads, "TZ": zone, "LC_ALL": locale}
        output = store.with_name(f"{store.name} published")
        done = steelyard.run("store", "dataset", "-o", output, "--store", store)
        assert done.stderr == f"steelyard: {len(SAMPLES)} records in {output}.\n"
        made.append(contents(output))
    assert set(made[0]) == {RECORDS, PAGE, CROISSANT}
    assert made[0] == made[1]


def test_another_record_gives_other_bytes(made: Path, tmp_path: Path) -> None:
    changed = [{**SAMPLES[0], "cycles": 2.5}, *SAMPLES[1:]]
    written(tmp_path / "changed", *changed)
    write_dataset(tmp_path / "changed", tmp_path / "other", PUBLICATION, silent)
    same = {name for name, data in contents(made).items() if data == contents(tmp_path / "other")[name]}
    assert same == {PAGE}


def test_the_file_holds_the_newest_records(made: Path, tmp_path: Path) -> None:
    frame = pl.read_parquet(made / RECORDS)
    expected = read_records(tmp_path / "store", silent)
    assert frame.columns == list(FIELD_NAMES)
    assert frame.sort("primitive").equals(expected.sort("primitive"))
    page = (made / PAGE).read_text("utf-8")
    for one in FIELDS:
        assert f"| `{one.name}`" in page


def problems(description: dict[str, Any], folder: Path) -> list[str]:
    """What the Croissant format specification 1.1 asks of a description, and this one lacks."""
    wanted = "@context @type conformsTo description license name url creator datePublished distribution"
    found = [f"{name} is missing" for name in wanted.split() if not description.get(name)]
    context = description["@context"]
    if context.get("cr") != "http://mlcommons.org/croissant/" or description["@type"] != "sc:Dataset":
        found.append("the namespaces are not Croissant's")
    ids = {}
    for one in description["distribution"]:
        ids[one["@id"]] = one
        data = (folder / one["contentUrl"]).read_bytes()
        if one["@type"] != "cr:FileObject" or not one["encodingFormat"]:
            found.append(f"{one['@id']} is no file")
        if (hashlib.sha256(data).hexdigest(), f"{len(data)} B") != (one["sha256"], one["contentSize"]):
            found.append(f"{one['@id']} is another file")
    for record_set in description["recordSet"]:
        columns = pl.read_parquet(folder / RECORDS).schema
        fields = {field["@id"]: field for field in record_set["field"]}
        keys = (key["@id"] for key in record_set["key"])
        found += [f"the key {key} is no field" for key in keys if key not in fields]
        for name, field in fields.items():
            source = field["source"]
            if source["fileObject"]["@id"] not in ids or source["extract"]["column"] not in columns:
                found.append(f"{name} has no column")
                continue
            if columns[source["extract"]["column"]] != TYPES[field["dataType"]]:
                found.append(f"{name} has another type")
        if len(fields) != len(columns):
            found.append("a column has no field")
    used = set("conformsTo recordSet field key source extract fileObject column dataType".split())
    found += [f"{term} is not in the context" for term in sorted(used - context.keys())]
    return found


def test_the_description_is_croissant(made: Path) -> None:
    assert problems(described(made), made) == []
    assert len(described(made)["recordSet"][0]["key"]) == len(IDENTITY)
    assert described(made)["datePublished"] == "2026-02-28"


@pytest.mark.parametrize("what", ["url", "hash", "column", "type", "key", "context"])
def test_the_check_of_the_description_sees_a_fault(made: Path, what: str) -> None:
    description = described(made)
    field = description["recordSet"][0]["field"][0]
    match what:
        case "url":
            del description["url"]
        case "hash":
            description["distribution"][0]["sha256"] = "0" * 64
        case "column":
            field["source"]["extract"]["column"] = "none"
        case "type":
            field["dataType"] = "sc:Float"
        case "key":
            description["recordSet"][0]["key"][0] = {"@id": "records/none"}
        case "context":
            del description["@context"]["recordSet"]
    assert len(problems(description, made)) == 1


def test_mlcroissant_reads_it(made: Path) -> None:
    """The reference implementation, where it is installed: it brings too much to be required."""
    pytest.importorskip("mlcroissant")
    program = (
        "import sys, mlcroissant\n"
        "found = mlcroissant.Dataset(sys.argv[1])\n"
        "assert not found.metadata.ctx.issues.errors, found.metadata.ctx.issues.report()\n"
        "print(sum(1 for _ in found.records('records')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(made / CROISSANT)],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
    )
    assert done.stdout == f"{len(SAMPLES)}\n", done.stderr


def test_what_is_refused(steelyard: Steelyard, tmp_path: Path) -> None:
    said = steelyard.sentence("store", "dataset", "-o", tmp_path / "none", status=2)
    assert said.endswith("the store has no records; steelyard measure makes them.")
    assert not (tmp_path / "none").exists()
    for wrong in ({"license": "MIT"}, {"url": "here"}, {"name": " "}, {"creator": ""}):
        with pytest.raises(UsageError):
            Publication(**{**PUBLICATION.__dict__, **wrong})
