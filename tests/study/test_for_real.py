"""A little of each experiment measured: what a record stands for, and records that go into the tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from builds import built, default_build

import steelyard
from steelyard.catalog.load import load_catalog
from steelyard.machine import Emulator
from steelyard.measure.execute import Bench
from steelyard.measure.inputs import Question, RandomQuestions
from steelyard.measure.plan import Cell
from steelyard.measure.session import default_toolchain
from steelyard.record.schema import Record
from steelyard.studies.rl78_minimal import study as rl78_minimal
from steelyard.studies.sensor_nodes import study as sensor_nodes
from steelyard.studies.word_sizes import study as word_sizes
from steelyard.studies.word_sizes.study import CIPHERS, PRIMITIVES
from steelyard.toolchain import discover

RUNS = 1000
PREDICTION_CYCLES = 8
"""Most by which the first warm run is longer where branch prediction still learns."""

DEFAULTS = load_catalog().defaults


@pytest.fixture(scope="module", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("real")
    patch = pytest.MonkeyPatch()
    patch.setenv("STEELYARD_STORE", str(folder / "store"))
    return folder


def compiler(target: str) -> str:
    """The compiler of a chip; the test is skipped where there is none."""
    catalog = load_catalog()
    toolchain = default_toolchain(catalog, target)
    family = catalog.target(target).file.family
    if (family, toolchain) not in {(one.family, one.id) for one in discover() if one.available}:
        pytest.skip(f"no compiler for {target} is installed")
    return toolchain


class Repeated(Bench):
    """Keeps the cycles of RUNS runs with the same input, before the one that is measured."""

    cycles: list[int]

    def _rehearse(self, function: str, arguments: list[tuple[int, int]], question: Question) -> None:
        memory = self._memory()
        self.cycles = []
        for _ in range(RUNS):
            self.cycles.append(self._call(function, arguments, question, "none").cycles)
            self._put_back(memory)


@pytest.mark.parametrize("target", ["sa1110", "pxa250-400", "ultrasparc2"])
@pytest.mark.parametrize(
    ("name", "operation", "length"),
    [
        ("md5", "digest", 26),
        ("sha-1", "digest", 64),
        ("rc5-32-12-8", "encrypt", 8),
        ("rc4-128", "init", None),
    ],
)
def test_a_warm_record_is_the_mean_of_a_thousand_runs(
    target: str, name: str, operation: str, length: int | None
) -> None:
    toolchain = compiler(target)
    catalog = load_catalog()
    build = default_build(catalog, name, catalog.target(target), toolchain, "-O2", "both")
    cell = Cell(build, operation, length, None, cache_state="warm")
    emulator = Emulator(build.target)
    emulator.load(built(build).elf, start_until="harness_ready")
    question = RandomQuestions("steelyard").of(cell, 0)
    once = Bench(emulator, cell, 10**9, b"").ask(question)
    many = Repeated(emulator, cell, 10**9, b"")
    last = many.ask(question)
    cold, *warm = many.cycles
    assert cold > once.cycles
    assert warm[0] == once.cycles
    assert set(warm[1:]) == {last.cycles}
    assert abs(once.cycles - last.cycles) <= PREDICTION_CYCLES
    if target == "sa1110":
        assert set(warm) == {once.cycles}


def test_records_of_a_platform_fill_its_column_of_the_table() -> None:
    toolchain = compiler("atmega128")
    common = {"target": "atmega128", "toolchain": toolchain, "flags": "-O2", "footprint": "both"}
    rows: list[Record] = []
    for primitive, options in (
        ("md5", {"length": [0, 1, 3, 14, 26, 62, 80]}),
        ("sha-1", {"length": [1, 3, 56, 64]}),
        (["rc5-32-12-8", "idea"], {"operation": "init"}),
        ("idea", {"operation": "init-decrypt"}),
        (["rc5-32-12-8", "idea"], {"operation": ["encrypt", "decrypt"], "mode": "ecb", "length": 16}),
        ("rc4-128", {"length": 16}),
    ):
        rows += steelyard.measure(primitive, **common, **options, samples=2).to_dicts()  # type: ignore[arg-type]
    table = sensor_nodes.reproduce(rows, DEFAULTS).sheets["default"]["-O2"]
    assert [platform.target for platform in table.present] == ["atmega128"]
    assert len(table.timed) == 17
    assert table.cycles("atmega128", "RC4 Enc 16") == table.cycles("atmega128", "RC4 Dec 16")
    for one in table.timed.values():
        assert one.cycles_min <= one.cycles <= one.cycles_max
        assert one.ratio is None or 0.1 < one.ratio < 2.5


def test_ciphers_of_two_sizes_of_words_are_compared() -> None:
    chips = [target for target in ("atmega128", "sa1100") if compiler(target)]
    rows = [
        row
        for target in chips
        for row in steelyard.measure(
            list(PRIMITIVES.values()),
            target=target,
            toolchain=compiler(target),
            operation="encrypt",
            samples=2,
        ).to_dicts()
    ]
    made = word_sizes.reproduce(rows, DEFAULTS)
    assert len(made.weighed["default"]) == 2 * len(CIPHERS)
    found = {claim.claim: claim.verdict for claim in made.claims}
    assert found["cross-04"].finding == "holds"
    assert "asked without a processor of 16 bits" in found["cross-04"].reason


def test_records_of_the_rl78_fill_categories() -> None:
    toolchain = compiler(rl78_minimal.TARGET)
    rows = steelyard.measure(
        ["present-80", "aes-128"],
        variant="*",
        target=rl78_minimal.TARGET,
        toolchain=toolchain,
        flags=["-Os", "-O2"],
        footprint=["encrypt", "both"],
        samples=2,
    ).to_dicts()
    table = rl78_minimal.reproduce(rows).sheets["context and stack"]
    assert {direction for _, direction in table.works} == {"encryption", "both"}
    least = table.least_rom("present-80", "encryption")
    assert least.variant == "present/rl78-min"
    assert table.only(by_pointer=False).least_rom("present-80", "encryption").variant == "present/compact"
    assert table.least_rom("present-80", "both").rom_bytes > least.rom_bytes
    held = [cell.build for cell in table.cells() if cell.build is not None]
    assert held
    assert {build.stack_bytes > 0 for build in held} == {True}
