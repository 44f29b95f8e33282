"""Every variant behaves on the emulator as on simavr, an independent simulator, cycle for cycle.

Each on one chip by one compiler, in turn (`image_jobs.sample`); `make benchmark` takes them all.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.catalog.load import load_catalog

ROOT = Path(__file__).parents[2]
TESTER = ("cargo", "run", "--quiet", "--profile", "quick", "--package", "steelyard-diff", "--")

TOO_LARGE_OR_SLOW = {"blowfish/compact", "blowfish/fast", "sm2/compact", "sm2/fast", "twofish/full-keyed"}
"""No chip that simavr knows has the RAM for their contexts; a signature takes a hundred million cycles."""


def _compare(jobs: Path, targets: Path = ROOT / "targets") -> subprocess.CompletedProcess[str]:
    command = (*TESTER, "images", str(jobs), "--targets", str(targets))
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode == 3:
        pytest.skip(result.stderr.strip())
    return result


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("cargo") is None:
        pytest.skip("the differential tester is a Rust program and cargo is not installed")
    folder = tmp_path_factory.mktemp("images")
    subprocess.run(
        [sys.executable, Path(__file__).with_name("image_jobs.py"), folder, "--sample"], check=True
    )
    return folder / "images.json"


def test_every_compiled_variant_has_difference_zero(jobs: Path) -> None:
    names = [job["name"] for job in json.loads(jobs.read_text())]
    result = _compare(jobs)
    print(result.stdout)
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    assert [line.split(": ")[0] for line in lines] == names
    assert all(": difference 0 (" in line for line in lines)


def test_every_variant_mode_and_chip_is_among_the_jobs(jobs: Path) -> None:
    listed = json.loads(jobs.read_text())
    catalog = load_catalog()
    expected = {
        "block": {"block_init", "block_encrypt", "block_decrypt"},
        "stream": {"stream_init", "stream_crypt"},
        "hash": {"hash_digest"},
        "mac": {"mac_init", "mac_compute"},
        "aead": {"aead_init", "aead_seal", "aead_open"},
    }
    called = {
        (*job["name"].split()[:1], *job["name"].split()[2:-2]): {call["function"] for call in job["calls"]}
        for job in listed
    }
    for algorithm in catalog.algorithms:
        for variant in algorithm.variants:
            wanted = expected.get(algorithm.file.kind, set())
            if variant.file.init_decrypt:
                wanted = wanted | {"block_init_decrypt"}
            assert called.get((variant.id,), set()) in (wanted, set()), variant.id
    missing = {variant.id for variant in catalog.variants} - {name for name, *_ in called}
    assert missing == TOO_LARGE_OR_SLOW
    assert {mode for _, *modes in called for mode in modes} == {mode.id for mode in catalog.modes}
    assert {job["target"] for job in listed} == {"atmega128", "atmega328p", "attiny45"}


def test_a_wrong_cycle_count_in_a_core_is_a_difference(jobs: Path, tmp_path: Path) -> None:
    job = json.loads(jobs.read_text())[0]
    one = tmp_path / "one.json"
    one.write_text(json.dumps([job]))
    targets = tmp_path / "targets"
    shutil.copytree(ROOT / "targets", targets)
    core = targets / "cores" / "avr51.toml"
    assert core.read_text().count("\npush = 2\n") == 1
    core.write_text(core.read_text().replace("\npush = 2\n", "\npush = 1\n"))
    result = _compare(one, targets)
    assert result.returncode == 1
    assert ": difference: " in result.stdout
    assert "cycles" in result.stdout


def test_a_symbol_that_is_not_there_is_named(jobs: Path, tmp_path: Path) -> None:
    job = json.loads(jobs.read_text())[0]
    job["calls"][0]["function"] = "no_such_function"
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps([job]))
    result = _compare(broken)
    assert result.returncode == 1
    assert "no symbol `no_such_function`" in result.stdout
