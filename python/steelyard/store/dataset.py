"""The newest records as a dataset to publish: a Parquet file, a page on its columns, a Croissant description.

The same records give the same bytes, whatever segments they lie in and in whatever order: rows are sorted by
all columns, and nothing of the folder, the machine or the time of writing is said.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.errors import UsageError
from steelyard.record.schema import FIELDS, IDENTITY, Field
from steelyard.store.export import write_file
from steelyard.store.lock import StoreError
from steelyard.store.read import read_records

if TYPE_CHECKING:
    import polars as pl

RECORDS, PAGE, CROISSANT = "records.parquet", "README.md", "croissant.json"
"""Names of the files of a dataset."""

CONFORMS_TO = "http://mlcommons.org/croissant/1.1"
"""Version of the Croissant format specification whose vocabulary is used."""

_LEVEL = 9
_ROWS_TOGETHER = 1 << 16
_RECORD_SET = "records"
_TYPES = {str: "sc:Text", int: "sc:Integer", float: "sc:Float", bool: "sc:Boolean"}
_TYPE_WORDS = {str: "text", int: "whole number", float: "number", bool: "true or false"}

# The recommended context of the specification (appendix 1), as far as its terms are used here.
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{
        name: f"cr:{name}"
        for name in (
            "column",
            "extract",
            "field",
            "fileObject",
            "isLiveDataset",
            "key",
            "recordSet",
            "source",
        )
    },
}


@dataclass(frozen=True)
class Publication:
    """What a store does not know of a dataset; `license` and `url` are addresses, `published` a date (ISO
    8601), by default the day of the newest record.
    """

    name: str
    license: str
    url: str
    creator: str
    published: str | None = None

    def __post_init__(self) -> None:
        """Refuse texts that the description may not have."""
        for name, value in (("--license", self.license), ("--url", self.url)):
            if not value.startswith(("https://", "http://")):
                raise UsageError(f"{name} {value}: this is no address, such as https://example.org/records.")
        for name, value in (("--name", self.name), ("--creator", self.creator)):
            if not value.strip():
                raise UsageError(f"{name} is empty.")


def write_dataset(
    store: Path, folder: Path, publication: Publication, warn: Callable[[str], None]
) -> pl.DataFrame:
    """Write the files of a dataset into a folder, which is made if it is not there; return its records.

    UsageError for a store without records. `warn` receives a sentence about each line that is no record.
    StoreError if something cannot be read or written.
    """
    frame = in_fixed_order(read_records(store, warn))
    if frame.is_empty():
        raise UsageError(f"{store}: the store has no records; steelyard measure makes them.")
    data = parquet(frame)
    description = croissant(frame, data, publication)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: the folder cannot be made: {error.strerror}.") from None
    write_file(folder / RECORDS, data)
    write_file(folder / PAGE, page(frame, publication).encode())
    write_file(folder / CROISSANT, (json.dumps(description, indent=2, ensure_ascii=False) + "\n").encode())
    return frame


def in_fixed_order(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows sorted by what tells cells apart, then by all other columns; null comes first."""
    others = [name for name in frame.columns if name not in IDENTITY]
    return frame.sort([*IDENTITY, *others], maintain_order=False)


def parquet(frame: pl.DataFrame) -> bytes:
    """Return the file of these rows; compression and size of its groups are fixed."""
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer,
        compression="zstd",
        compression_level=_LEVEL,
        statistics=True,
        row_group_size=_ROWS_TOGETHER,
    )
    return buffer.getvalue()


def croissant(frame: pl.DataFrame, data: bytes, publication: Publication) -> dict[str, object]:
    """Return the description of the file in the JSON-LD of Croissant."""
    versions = ", ".join(_values(frame, "steelyard_version"))
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": publication.name,
        "description": _summary(frame),
        "license": publication.license,
        "url": publication.url,
        "creator": {"@type": "sc:Organization", "name": publication.creator},
        "datePublished": publication.published or _newest(frame),
        "dateModified": _newest(frame),
        "version": versions or "0",
        "isLiveDataset": False,
        "keywords": ["cryptography", "embedded systems", "benchmark", "clock cycles", "energy"],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": RECORDS,
                "name": RECORDS,
                "description": f"{frame.height} records, one row each",
                "contentUrl": RECORDS,
                "contentSize": f"{len(data)} B",
                "encodingFormat": "application/x-parquet",
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": _RECORD_SET,
                "name": _RECORD_SET,
                "description": "One row for each measured cell",
                "key": [{"@id": f"{_RECORD_SET}/{name}"} for name in IDENTITY],
                "field": [_field(one) for one in FIELDS],
            }
        ],
    }


def page(frame: pl.DataFrame, publication: Publication) -> str:
    """Return the page that says what the columns mean."""
    lines = [
        f"# {publication.name}",
        "",
        f"{_summary(frame)} Licence: {publication.license}. By {publication.creator}: {publication.url}.",
        "",
        f"`{RECORDS}` has one row for each cell: the newest record. The columns marked with a star tell cells"
        f" apart. `{CROISSANT}` describes the file for programs (Croissant, {CONFORMS_TO}).",
        "",
        "A figure counts only in a row whose `status` is ok and whose `verified` is true.",
        "",
        "| column | type | unit | values | meaning |",
        "| --- | --- | --- | ---: | --- |",
    ]
    for one in FIELDS:
        star = " *" if one.identity else ""
        count = frame.height - frame[one.name].null_count()
        meaning = one.doc.replace("|", "\\|")
        lines.append(f"| `{one.name}`{star} | {_TYPE_WORDS[one.type]} | {one.unit} | {count} | {meaning} |")
    return "\n".join(lines) + "\n"


def _field(one: Field) -> dict[str, object]:
    unit = f" ({one.unit})" if one.unit else ""
    return {
        "@type": "cr:Field",
        "@id": f"{_RECORD_SET}/{one.name}",
        "name": one.name,
        "description": f"{one.doc}{unit}",
        "dataType": _TYPES[one.type],
        "source": {"fileObject": {"@id": RECORDS}, "extract": {"column": one.name}},
    }


def _summary(frame: pl.DataFrame) -> str:
    counts = {name: len(_values(frame, name)) for name in ("primitive", "variant", "target")}
    return (
        f"{frame.height} records of cryptography on embedded processors: {counts['primitive']} primitives,"
        f" {counts['variant']} variants, {counts['target']} chips; cycles, sizes, memory and energy measured"
        " by Steelyard on compiled machine code."
    )


def _values(frame: pl.DataFrame, column: str) -> list[str]:
    return sorted(map(str, frame[column].drop_nulls().unique()))


def _newest(frame: pl.DataFrame) -> str:
    return max((str(date)[:10] for date in frame["date"].drop_nulls()), default="1970-01-01")
