"""Every variant does on the emulator what it does on the reference of a chip, in each family.

Each on one chip by one compiler, in turn (`jobs.sample`); `make soak` takes them all.
"""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from differential.tester import ROOT, differential
from jobs import STEPPED, WHOLE, images, write_jobs

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.toolchain.compilers import discover

CATALOG = load_catalog()
GROUPS = {f"{CATALOG.target(chips[0]).file.family} {chips[0]}": chips for chips in (*STEPPED, *WHOLE)}

Jobs = dict[str, Path]


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The sample of a group of chips, built when it is first asked for."""
    made: Jobs = {}

    def of(group: str) -> Path:
        if group not in made:
            folder = tmp_path_factory.mktemp("images")
            made[group] = write_jobs(folder, list(GROUPS[group]), sampled=True)
        return made[group]

    return of


def _has_compiler(family: str) -> bool:
    return any(one.family == family and one.available for one in discover())


@pytest.mark.parametrize("group", GROUPS)
def test_every_compiled_variant_has_difference_zero(group: str, jobs: Callable[[str], Path]) -> None:
    names = [job["name"] for job in json.loads(jobs(group).read_text())]
    if not names:
        pytest.skip(f"no compiler for {group} and no prebuilt images")
    result = differential("images", jobs(group))
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    assert [line.split(": ")[0] for line in lines] == names
    assert all(": difference 0 (" in line for line in lines)


def _wanted(catalog: Catalog, family: str, chips: tuple[str, ...]) -> dict[str, set[str]]:
    """The functions that are called of each variant of a family."""
    by_kind = {
        "block": {"block_init", "block_encrypt", "block_decrypt"},
        "stream": {"stream_init", "stream_crypt"},
        "hash": {"hash_digest"},
        "mac": {"mac_init", "mac_compute"},
        "aead": {"aead_init", "aead_seal", "aead_open"},
        "signature": {"signature_init"},
    }
    wanted = {}
    for algorithm in catalog.algorithms:
        kind = algorithm.file.kind
        for variant in algorithm.variants:
            is_slow = kind == "signature" and chips in STEPPED
            if not is_slow and family in (variant.file.families or (family,)):
                more = {"block_init_decrypt"} if variant.file.init_decrypt else set()
                less = set() if variant.file.decrypts else {"block_decrypt"}
                wanted[variant.id] = (by_kind[kind] | more) - less
    return wanted


@pytest.mark.parametrize("group", GROUPS)
def test_every_variant_mode_and_chip_is_sampled(group: str, jobs: Callable[[str], Path]) -> None:
    family, chips = CATALOG.target(GROUPS[group][0]).file.family, GROUPS[group]
    if not _has_compiler(family):
        pytest.skip(f"no compiler for {family}: its prebuilt images are what there is")
    listed = json.loads(jobs(group).read_text())
    plain = [job for job in listed if len(job["name"].split()) == 4]
    called = {job["name"].split()[0]: {call["function"] for call in job["calls"]} for job in plain}
    wanted = _wanted(CATALOG, family, chips)
    # What no chip of the group has room for may be missing, and nothing else.
    toolchains = [one for one in discover() if one.family == family]
    for image_group in images(CATALOG, chips, toolchains):
        first = image_group[0]
        if first.mode is None and first.variant.id in wanted.keys() - called.keys():
            built = [image.built(CATALOG) for image in image_group]
            if all(one is not None and one.does_not_fit for one in built):
                del wanted[first.variant.id]
    assert called == wanted
    modes = {job["name"].split()[2] for job in listed if job not in plain}
    assert modes == {mode.id for mode in CATALOG.modes}
    assert {job["target"] for job in listed} == set(chips)


def _first(path: Path, variant: str) -> dict[str, Any]:
    listed: list[dict[str, Any]] = json.loads(path.read_text())
    return next(job for job in listed if job["name"].startswith(f"{variant} "))


def _avr() -> str:
    if not _has_compiler("avr"):
        pytest.skip("no compiler for AVR")
    return next(group for group in GROUPS if group.startswith("avr "))


def test_a_wrong_cycle_count_in_a_core_is_a_difference(jobs: Callable[[str], Path], tmp_path: Path) -> None:
    job = next(job for job in json.loads(jobs(_avr()).read_text()) if job["target"] == "atmega128")
    one = tmp_path / "one.json"
    one.write_text(json.dumps([job]))
    targets = tmp_path / "targets"
    shutil.copytree(ROOT / "targets", targets)
    core = targets / "cores" / "avr51.toml"
    assert core.read_text().count("\npush = 2\n") == 1
    core.write_text(core.read_text().replace("\npush = 2\n", "\npush = 1\n"))
    result = differential("images", one, "--targets", targets)
    assert result.returncode == 1
    assert ": difference: " in result.stdout
    assert "clocks, reference" in result.stdout


def test_a_symbol_that_is_not_there_is_named(jobs: Callable[[str], Path], tmp_path: Path) -> None:
    job = json.loads(jobs(_avr()).read_text())[0]
    job["calls"][0]["function"] = "no_such_function"
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps([job]))
    result = differential("images", broken)
    assert result.returncode == 1
    assert "no symbol `no_such_function`" in result.stdout


def _arm(word: int) -> int:
    """`orr` for `eor` of three registers."""
    return word ^ 0x01A00000 if word & 0xFFF00010 == 0xE0200000 else word


def _thumb(half: int) -> int:
    """`orrs` for `eors`, narrow or wide."""
    if half & 0xFFC0 == 0x4040:
        return half ^ 0x0340
    return half ^ 0x00C0 if half & 0xFFE0 == 0xEA80 else half


def _compressed(half: int) -> int:
    """`c.or` for `c.xor`."""
    return half ^ 0x60 if half & 0xFC63 == 0x8C21 else half


def _sparc(word: int) -> int:
    """`or` for `xor`."""
    return word ^ 1 << 19 if word >> 30 == 2 and word >> 19 & 0x3F == 3 else word


@pytest.mark.parametrize(
    ("family", "unit", "wrong"),
    [("arm", "<I", _arm), ("cortex-m", "<H", _thumb), ("riscv", "<H", _compressed), ("sparc", ">I", _sparc)],
)
def test_a_wrong_instruction_of_an_image_is_caught(
    family: str, unit: str, wrong: Callable[[int], int], jobs: Callable[[str], Path], tmp_path: Path
) -> None:
    if not _has_compiler(family):
        pytest.skip(f"no compiler for {family}")
    groups = (group for group, chips in GROUPS.items() if chips in WHOLE and group.startswith(f"{family} "))
    job = _first(jobs(next(groups)), "xtea/compact")
    elf = Path(job["elf"]).read_bytes()
    whole = len(elf) - len(elf) % struct.calcsize(unit)
    changed = b"".join(struct.pack(unit, wrong(one)) for (one,) in struct.iter_unpack(unit, elf[:whole]))
    assert changed != elf[:whole]
    spoilt = tmp_path / "spoilt.elf"
    spoilt.write_bytes(changed + elf[whole:])
    planted = tmp_path / "planted.json"
    planted.write_text(json.dumps([job | {"elf": str(spoilt), "reference_elf": job["elf"]}]))
    result = differential("images", planted)
    assert result.returncode == 1
    assert ", reference 0x" in result.stdout
