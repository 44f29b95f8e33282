"""Verdicts on the study of embedded Linux are functions of records: as published, and changes of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl
import pytest

from steelyard.catalog.load import load_catalog
from steelyard.record.schema import Record, complete
from steelyard.report.published import publications
from steelyard.store.read import frame_schema
from steelyard.studies.industrial_linux import study as industrial_linux
from steelyard.studies.industrial_linux.claims import CLAIMS, OPINION
from steelyard.studies.industrial_linux.figures import (
    FEW_RUNS,
    HERE,
    KEYS_BITS,
    MESSAGE_BYTES,
    MODES,
    ODD_BYTES,
    RUNS,
    SHORT_BYTES,
    configurations,
)
from steelyard.studies.industrial_linux.measure import stages
from steelyard.study.claims import every_claim
from steelyard.study.published import read_table
from steelyard.study.verdict import Verdict

CATALOG = load_catalog()
BETWEEN = "cross-03"
DEFAULTS = {variant.id for variant in CATALOG.variants if variant.file.default}
MACHINE = json.dumps({"kernel": "5.4", "processor": "Cortex-A9", "cores": 2})


@dataclass(frozen=True)
class Cell:
    """What a synthetic record says; times in milliseconds."""

    primitive: str
    mode: str | None
    delay_ms: float
    sd: float = 0.005
    cpu: float = 50.0
    memory: int = 12_300_000
    message_bytes: int | None = MESSAGE_BYTES
    operation: str = "encrypt"
    threads: int = 1
    library: str | None = None
    share: float = 100.0

    def record(self) -> Record:
        """A verified record of a board; its runs lie evenly about the mean."""
        mean_us = self.delay_ms * 1e3
        runs = [mean_us * (1 + self.sd * sign) for sign in (-1, 1) * (RUNS // 2)]
        (default,) = {v for v in DEFAULTS if v.startswith(_algorithm(self.primitive) + "/")}
        return complete(
            {
                "kind": "block",
                "primitive": self.primitive,
                "variant": default if self.library is None else None,
                "flags": "-O2" if self.library is None else None,
                "target": "linux-armv7",
                "device": "board",
                "library": self.library,
                "tier": "host",
                "operation": self.operation,
                "mode": self.mode,
                "message_bytes": self.message_bytes,
                "threads": self.threads,
                "status": "ok",
                "verified": True,
                "runs": RUNS,
                "warmup_runs": 0,
                "time_us": mean_us,
                "time_sd_us": mean_us * self.sd,
                "time_low_us": mean_us * (1 - self.sd / 4),
                "time_high_us": mean_us * (1 + self.sd / 4),
                "cpu_machine_percent": self.cpu,
                "cpu_process_percent": self.share,
                "rss_peak_bytes": self.memory,
                "run_times_us": json.dumps(runs),
                "machine": MACHINE,
                "date": "2026-11-21T00:00:00+00:00",
            }
        )


def _algorithm(primitive: str) -> str:
    return CATALOG.algorithm_of(primitive).id


def as_published() -> Iterator[Cell]:
    """Table 2 as printed, and for the rest figures that bear every claim out."""
    for row in read_table(HERE / "table2-aes.csv"):
        delay = float(row["delay_ms"])
        sd, memory = float(row["delay_sd_ms"]) / delay, round(float(row["memory_KB"]) * 1000)
        cpu = float(row["cpu_percent"])
        yield Cell(f"aes-{row['key_bits']}", row["mode"], delay, sd, cpu, memory)
        if row["key_bits"] == "128":
            for count in SHORT_BYTES:
                yield Cell("aes-128", row["mode"], delay * count / MESSAGE_BYTES, message_bytes=count)
            if row["mode"] in ("ecb", "ctr"):
                yield Cell("aes-128", row["mode"], delay / 1.9, threads=2)
            if row["mode"] in ("cfb", "ofb"):
                yield Cell("aes-128", row["mode"], 0.06, message_bytes=ODD_BYTES)
    for one in configurations():
        if one.algorithm == "SM2":
            yield Cell(one.primitive, None, 5, operation="sign", message_bytes=None)
        elif one.algorithm != "AES":
            block_bits = int(one.primitive.split("-")[1]) if one.algorithm in ("Simon", "Speck") else 64
            for mode in one.modes or (None,):
                chained = 1.5 if mode in ("cbc", "cfb", "ofb", "pcbc") else 1.0
                yield Cell(one.primitive, mode, chained * 64_000 / block_bits)


def claims(cells: Sequence[Cell]) -> dict[str, Verdict]:
    made = industrial_linux.reproduce([cell.record() for cell in cells], DEFAULTS)
    return {claim.claim: claim.verdict for claim in made.claims}


def changed(which: Callable[[Cell], bool], change: Callable[[Cell], Cell]) -> list[Cell]:
    return [change(cell) if which(cell) else cell for cell in as_published()]


def _table2(cell: Cell) -> bool:
    return cell.primitive.startswith("aes-") and cell.message_bytes == MESSAGE_BYTES and cell.threads == 1


CHANGES: dict[str, tuple[Callable[[Cell], bool], Callable[[Cell], Cell]]] = {
    "seed003-01": (lambda c: _table2(c) and c.primitive == "aes-256", lambda c: replace(c, delay_ms=400)),
    "seed003-02": (lambda c: c.primitive == "simon-128-128", lambda c: replace(c, delay_ms=9000)),
    "seed003-03": (lambda c: c.primitive != "x" and c.mode != "ctr", lambda c: replace(c, delay_ms=500)),
    "seed003-04": (lambda c: _table2(c) and c.mode == "ctr", lambda c: replace(c, delay_ms=900)),
    "seed003-05": (lambda c: _table2(c) and c.mode == "ofb", lambda c: replace(c, delay_ms=900)),
    "seed003-06": (lambda c: _table2(c) and c.mode == "ecb", lambda c: replace(c, delay_ms=900)),
    "seed003-07": (lambda c: _table2(c) and c.mode == "cbc", lambda c: replace(c, cpu=100.0)),
    "seed003-08": (lambda c: _table2(c) and c.mode == "cbc", lambda c: replace(c, memory=99_000_000)),
    "seed003-09": (lambda c: _table2(c) and c.mode == "cbc", lambda c: replace(c, sd=0.02)),
    "seed003-10": (lambda c: _table2(c) and c.mode == "cbc", lambda c: replace(c, sd=0.2)),
    "seed003-11": (lambda c: _table2(c) and c.primitive == "aes-256", lambda c: replace(c, delay_ms=1900)),
    "seed003-13": (lambda c: c.threads == 2 and c.mode == "ctr", lambda c: replace(c, delay_ms=900)),
    "seed003-15": (lambda c: c.primitive == "sm4", lambda c: replace(c, mode="ofb")),
    "seed003-16": (lambda c: c.message_bytes == SHORT_BYTES[1], lambda c: replace(c, delay_ms=90)),
}


def test_the_published_figures_bear_every_claim_out() -> None:
    verdicts = claims(list(as_published()))
    verdicts.pop(BETWEEN)
    assert set(verdicts) == {*CLAIMS, OPINION} == {f"seed003-{number:02}" for number in range(1, 17)}
    found = {claim: verdict.finding for claim, verdict in verdicts.items()}
    assert found.pop(OPINION) == "not testable"
    assert found == dict.fromkeys(CLAIMS, "holds")


@pytest.mark.parametrize("claim", CHANGES)
def test_a_verdict_flips(claim: str) -> None:
    assert claims(changed(*CHANGES[claim]))[claim].finding in ("fails", "holds in part")


def test_without_its_records_a_claim_is_not_testable_and_says_what_is_missing() -> None:
    verdicts = claims([cell for cell in as_published() if not _table2(cell)])
    assert verdicts["seed003-04"].finding == "not testable"
    assert verdicts["seed003-04"].reason == "no verified figure of aes-128 in CBC by own"
    cells = [cell for cell in as_published() if cell.message_bytes != ODD_BYTES]
    assert claims(cells)["seed003-14"].finding == "not testable"


def test_what_a_library_lacks_is_one_gap() -> None:
    records = [
        {
            **replace(cell, library="openssl").record(),
            "status": "unsupported",
            "error": f"OpenSSL has no {cell.primitive}.",
        }
        for cell in as_published()
        if cell.primitive.startswith(("simon-", "speck-"))
    ]
    records.append({**records[0], "primitive": "desx", "error": "OpenSSL has desx in CBC alone."})
    made = industrial_linux.reproduce(records, DEFAULTS)
    assert made.gaps() == {
        "OpenSSL has no simon (10 of them), speck (10 of them)": len(records) - 1,
        "OpenSSL has desx in CBC alone": 1,
    }


def test_implementations_are_judged_by_themselves() -> None:
    slow = [
        replace(cell, library="openssl", delay_ms=900.0 if cell.mode == "ctr" else cell.delay_ms)
        for cell in as_published()
    ]
    verdict = claims([*as_published(), *slow])["seed003-04"]
    assert verdict.by_choice == {"own": "holds", "openssl": "fails"}
    assert verdict.finding == "holds in part"


def test_a_figure_that_is_not_verified_or_has_no_time_is_none() -> None:
    records = [cell.record() for cell in as_published()]
    for record in records:
        record["verified"] = record["primitive"] != "aes-128"
        if record["primitive"] == "aes-192":
            record["time_us"] = None
    made = industrial_linux.reproduce(records, DEFAULTS)
    assert {row.key_bits for row in made.printed} == {256}


def test_a_busy_machine_decides_nothing_that_depends_on_time() -> None:
    verdicts = claims(changed(lambda cell: True, lambda cell: replace(cell, share=40.0)))
    found = {claim for claim, verdict in verdicts.items() if verdict.finding == "holds"}
    assert found == {"seed003-08", "seed003-14", "seed003-15"}
    assert verdicts["seed003-04"].reason == "board was busy with other work while own was measured"


def test_the_modes_of_two_publications_are_asked_of_own_code_and_of_libraries() -> None:
    own = [replace(cell, delay_ms=1000.0 if cell.mode == "ctr" else cell.delay_ms) for cell in as_published()]
    library = [replace(cell, library="openssl") for cell in as_published()]
    assert claims([*own, *library])[BETWEEN].finding == "holds"
    assert claims([*as_published(), *library])[BETWEEN].finding == "holds in part"
    assert claims(own[:1])[BETWEEN].finding == "not testable"


def test_claims_lists_them_with_the_command_that_measures() -> None:
    standings = {one.claim.claim: one for one in every_claim(pl.DataFrame(schema=frame_schema()), DEFAULTS)}
    one = standings["seed003-04"]
    assert (one.study, one.command) == ("industrial-linux", "steelyard reproduce industrial-linux")
    assert one.claim.verdict.finding == "not testable"


def test_the_report_has_a_section() -> None:
    frame = pl.DataFrame([cell.record() for cell in as_published()], schema=frame_schema())
    (made,) = publications(frame, DEFAULTS)
    table2, table1, _ = made.lines
    assert len(table2.rows) == 2 * len(KEYS_BITS) * len(MODES)
    assert table2.rows[0][:4] == ("128", "CBC", "published", "511.48")
    assert len(table1.rows) == sum(len(one.modes) or 1 for one in configurations())
    assert publications(frame.clear(), DEFAULTS) == ()


def test_what_is_measured_is_all_of_table_2_and_table_1() -> None:
    planned = {stage.title: stage for stage in stages(CATALOG)}
    table2, table1 = planned["Table 2"], planned["Table 1"]
    assert (table2.runs, table1.runs) == (RUNS, FEW_RUNS)
    asked = {(c.primitive.id, c.mode.id if c.mode else "", c.padding) for c in table2.own.cells}
    assert asked == {
        (f"aes-{bits}", mode, "pkcs7" if mode in ("cbc", "ecb") else None)
        for bits in KEYS_BITS
        for mode in MODES
    }
    own = {(c.primitive.id, c.mode.id if c.mode else None) for c in table1.own.cells}
    listed = {(one.primitive, mode) for one in configurations() for mode in one.modes or (None,)}
    assert own == listed
    assert {cell.message_bytes for cell in table2.own.cells} == {MESSAGE_BYTES}
    assert len(table2.asked.cells) == 15 * 5
