"""Verdicts on the study of embedded Linux are functions of records: as published, and changes of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import polars as pl
import pytest

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import LINUX
from steelyard.record.schema import Record, complete
from steelyard.report.published import publications
from steelyard.store.read import frame_schema
from steelyard.studies.industrial_linux import study as industrial_linux
from steelyard.studies.industrial_linux.claims import BY_DEFINITION, CLAIMS, METRIC, MODES_CLAIM, READING
from steelyard.studies.industrial_linux.classes import Interval, classes, ordered_alike, published_intervals
from steelyard.studies.industrial_linux.delay import parts
from steelyard.studies.industrial_linux.figures import (
    FEW_RUNS,
    HERE,
    KEYS_BITS,
    MESSAGE_BYTES,
    MODES,
    ODD_BYTES,
    QUICK_BYTES,
    ROUNDS,
    RUNS,
    SHORT_BYTES,
    TRIAL,
    configurations,
)
from steelyard.studies.industrial_linux.measure import stages
from steelyard.studies.industrial_linux.metric import Delay, Metric
from steelyard.study.claims import every_claim
from steelyard.study.published import read_table
from steelyard.study.verdict import Verdict

CATALOG = load_catalog()
DEFAULTS = CATALOG.defaults
BOARD: dict[str, object] = {"kernel": "5.4", "processor": "Cortex-A9", "cores": 2, "virtual": False}


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
    machine: str = json.dumps(BOARD)

    def record(self) -> Record:
        """A verified record of a board; its runs lie evenly about the mean."""
        mean_us = self.delay_ms * 1e3
        runs = [mean_us * (1 + self.sd * sign) for sign in (-1, 1) * (RUNS // 2)]
        default = CATALOG.default_variant(_algorithm(self.primitive), LINUX).id
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
                "machine": self.machine,
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
    "seed003-07": (lambda c: _table2(c) and c.mode == "cbc", lambda c: replace(c, cpu=100.0, share=200.0)),
    "seed003-08": (lambda c: _table2(c) and c.mode == "cbc", lambda c: replace(c, memory=99_000_000)),
    "seed003-09": (lambda c: _table2(c) and c.mode == "cbc", lambda c: replace(c, sd=0.02)),
    "seed003-11": (lambda c: _table2(c) and c.primitive == "aes-256", lambda c: replace(c, delay_ms=1900)),
    "seed003-13": (lambda c: c.threads == 2 and c.mode == "ctr", lambda c: replace(c, delay_ms=900)),
    "seed003-15": (lambda c: c.primitive == "sm4", lambda c: replace(c, mode="ofb")),
    READING: (_table2, lambda c: replace(c, sd=0.9)),
    METRIC: (
        lambda c: c.primitive.startswith(("simon-64", "speck-64")),
        lambda c: replace(c, delay_ms=5 * c.delay_ms),
    ),
}


def test_the_published_figures_bear_every_claim_out() -> None:
    verdicts = claims(list(as_published()))
    verdicts.pop(MODES_CLAIM)
    tested = {*CLAIMS, READING, METRIC}
    assert set(verdicts) == {*tested, *BY_DEFINITION} == {f"seed003-{number:02}" for number in range(1, 17)}
    found = {claim: verdict.finding for claim, verdict in verdicts.items()}
    assert [found.pop(claim) for claim in BY_DEFINITION] == ["not testable"]
    assert found == dict.fromkeys(tested, "holds")
    assert set(CHANGES) == tested - {"seed003-14"}


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
    assert claims([*own, *library])[MODES_CLAIM].finding == "holds"
    assert claims([*as_published(), *library])[MODES_CLAIM].finding == "holds in part"
    assert claims(own[:1])[MODES_CLAIM].finding == "not testable"


def test_claims_lists_them_with_the_command_that_measures() -> None:
    standings = {one.claim.claim: one for one in every_claim(pl.DataFrame(schema=frame_schema()), DEFAULTS)}
    one = standings["seed003-04"]
    assert (one.study, one.command) == ("industrial-linux", "steelyard reproduce industrial-linux")
    assert one.claim.verdict.finding == "not measured"


def test_the_report_has_a_section() -> None:
    frame = pl.DataFrame([cell.record() for cell in as_published()], schema=frame_schema())
    (made,) = publications(frame, DEFAULTS)
    table2, table1 = made.lines[0], made.lines[4]
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


@pytest.mark.parametrize("virtual", [True, None])
def test_the_deviation_of_a_machine_that_is_shared_decides_nothing(virtual: bool | None) -> None:
    machine = json.dumps({**BOARD, "virtual": virtual})
    verdict = claims([replace(cell, machine=machine) for cell in as_published()])["seed003-09"]
    assert verdict.finding == "not testable"
    assert "a board of its own is needed" in verdict.reason


def test_a_trial_decides_nothing_that_depends_on_time() -> None:
    short = changed(
        lambda cell: cell.message_bytes == MESSAGE_BYTES,
        lambda cell: replace(cell, message_bytes=QUICK_BYTES),
    )
    made = industrial_linux.reproduce([cell.record() for cell in short], DEFAULTS)
    assert made.message_bytes == QUICK_BYTES and TRIAL in " ".join(made.remarks())
    found = {one.claim: one.verdict.finding for one in made.claims}
    untimed = {
        "seed003-08": "holds",
        "seed003-10": "not testable",
        "seed003-14": "holds",
        "seed003-15": "holds",
    }
    assert found == {**dict.fromkeys(found, "not measured"), **untimed}
    both = industrial_linux.reproduce([cell.record() for cell in (*short, *as_published())], DEFAULTS)
    assert both.message_bytes == MESSAGE_BYTES and TRIAL not in " ".join(both.remarks())


def test_other_programs_decide_nothing_on_the_cores_of_a_thread() -> None:
    busy = claims(changed(lambda cell: True, lambda cell: replace(cell, cpu=80.0)))["seed003-07"]
    assert (busy.finding, "other work had board busy" in busy.reason) == ("not testable", True)
    waiting = claims(changed(_table2, lambda cell: replace(cell, cpu=20.0, share=40.0)))["seed003-07"]
    assert waiting.finding in ("fails", "holds in part")


def test_classes_are_ordered_disjoint_and_everything() -> None:
    found = classes(published_intervals())
    assert sorted(row for one in found for row in one) == sorted(
        (bits, mode) for bits in KEYS_BITS for mode in MODES
    )
    of_row = {one.row: one for one in published_intervals()}
    for lower, upper in pairwise(found):
        assert max(of_row[row].high for row in lower) < min(of_row[row].low for row in upper)
    apart = [Interval((128, "ecb"), 1, 2), Interval((128, "cbc"), 1.5, 4), Interval((128, "ctr"), 4.5, 5)]
    assert classes(apart) == (((128, "ecb"), (128, "cbc")), ((128, "ctr"),))
    assert ordered_alike(classes(apart), (((128, "ctr"),), ((128, "ecb"),))) == (0, 1)


def test_the_metric_predicts_what_follows_its_form_and_not_what_it_cannot_know() -> None:
    def delay(algorithm: str, key: int, mode: str, microseconds: float) -> Delay:
        return Delay(("own", "board"), (algorithm, key, 128, mode, 4096), microseconds)

    keys, factors = (128, 192, 256), {"cbc": 1.5, "ecb": 1.0, "ctr": 2.0}
    regular = [delay("aes", key, mode, key * factor) for key in keys for mode, factor in factors.items()]
    asked = Metric([*regular, delay("seed", 128, "cbc", 7.0)]).asked
    # Nothing else of SEED was seen.
    assert {one.delay.configuration[:2] for one in asked} == {("aes", key) for key in keys}
    assert all(one.error < 1e-9 for one in asked)


def test_a_delay_is_parted_into_rounds_and_a_rest() -> None:
    found = parts(lambda bits: 40 + 3 * ROUNDS[bits])
    assert (found.of_a_round, found.rest, found.rest_share) == pytest.approx((3, 40, 40 / 70))
