"""Libraries of a device: names complete and right, what they lack is said, what is wrong is caught."""

from __future__ import annotations

import itertools
import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from steelyard.cache.content import Cache
from steelyard.catalog.load import load_catalog
from steelyard.cli.app import app
from steelyard.errors import SteelyardError, UsageError
from steelyard.linux.device.agent import AgentRefused
from steelyard.linux.device.connect import Reached
from steelyard.linux.libraries import DERIVE, OPERATIONS, Library, libraries
from steelyard.linux.measure import asking
from steelyard.linux.measure import library as measuring
from steelyard.linux.measure.asking import HostRules
from steelyard.linux.measure.library import (
    LibraryPlan,
    SignatureQuestion,
    derive_cells,
    make_library_plan,
    run_library_plan,
)
from steelyard.linux.measure.message import message, seed_of
from steelyard.linux.measure.plan import make_host_plan
from steelyard.linux.measure.question import Asked
from steelyard.measure.selection import Selection
from steelyard.oracle import sm2
from steelyard.record.schema import Record
from steelyard.studies.industrial_linux.figures import configurations

RULES = HostRules(runs=2, window_ms=0)
CHIEF = ("openssl", "libgcrypt")


def run(reached: Reached, plan: LibraryPlan) -> list[Record]:
    records: list[Record] = []
    run_library_plan(plan, reached, RULES, records.append)
    return records


def planned(selection: Selection, *names: str, threads: int = 1, how: str = "any") -> LibraryPlan:
    plan = make_host_plan(load_catalog(), selection, [threads])
    return make_library_plan(plan, [libraries()[name] for name in names], (how,))


# Names


def test_every_name_is_of_a_primitive_and_a_mode_of_the_catalogue() -> None:
    catalog = load_catalog()
    modes = {mode.id for mode in catalog.modes}
    kinds = {p.id: a.file.kind for a in catalog.algorithms for p in a.file.primitive}
    for library in libraries().values():
        named = Counter(
            (primitive, mode)
            for one in library.file.algorithm
            for primitive in one.primitives
            for mode in one.modes or (None,)
        )
        assert [pair for pair, count in named.items() if count > 1] == []
        for one in library.file.algorithm:
            for primitive in one.primitives:
                kind = kinds[primitive]
                assert (kind == "block") == bool(one.modes), primitive
                assert (kind == "aead") == (one.aead is not None), primitive
                assert set(one.modes) <= modes
                assert set(one.operations or ()) <= set(OPERATIONS[kind])
        assert all(kinds[one.primitive] == "mac" for one in library.file.derivation)


def test_openssl_names_what_the_publication_lists_but_the_lightweight_ciphers_and_desx_in_ecb() -> None:
    lacking = {
        (row.algorithm, mode)
        for row in configurations()
        for mode in row.modes or (None,)
        if libraries()["openssl"].find(row.primitive, mode) is None
    }
    light = {(row.algorithm, mode) for row in configurations() for mode in row.modes if len(row.modes) == 6}
    assert {algorithm for algorithm, _ in light} == {"Simon", "Speck"}
    assert lacking == light | {("DESX", "ecb")}


def test_a_gap_says_what_there_is_instead() -> None:
    openssl = libraries()["openssl"]
    assert openssl.gap("desx", "ecb") == "OpenSSL has desx in CBC alone"
    assert openssl.gap("sm4", "pcbc") == "OpenSSL has sm4 in ECB, CBC, CFB, OFB and CTR alone"
    assert openssl.gap("simon-64-128", "ecb") == "OpenSSL has no simon-64-128"


# Cells on this machine


@pytest.mark.parametrize("name", CHIEF)
def test_every_cell_of_a_library_is_right_or_said_to_be_lacking(name: str, here: Reached) -> None:
    named = {primitive for one in libraries()[name].file.algorithm for primitive in one.primitives}
    # A key of CAST-128 is as good as any other of its lengths; set-up and the way back are asked of AES.
    chosen = sorted(one for one in named if not one.startswith("cast-128-"))
    selection = Selection(
        primitive=tuple(chosen),
        operation=("encrypt", "digest", "mac", "seal", "open", "sign", "verify"),
        mode=("*",),
        length=(77,),
        padding=("pkcs7",),
    )
    back = Selection(primitive=("aes-128",), mode=("none", "*"), length=(77,), padding=("pkcs7",))
    records = [*run(here, planned(selection, name)), *run(here, planned(back, name))]
    if all(record["status"] == "unsupported" for record in records):
        pytest.skip(str(records[0]["error"]))
    wrong = [
        (r["primitive"], r["mode"], r["operation"], r["error"])
        for r in records
        if r["status"] not in ("ok", "unsupported")
    ]
    assert wrong == []
    right = [record for record in records if record["status"] == "ok"]
    assert all(record["verified"] is True and record["library"] == name for record in right)
    kinds = {str(record["kind"]) for record in right}
    assert kinds >= {"block", "stream", "hash", "mac", "aead", "signature"}
    for record in records:
        assert bool(record["error"]) == (record["status"] == "unsupported")
        assert record["status"] == "ok" or record["time_us"] is None


def test_two_threads_and_baseline_instructions_put_out_the_same(here: Reached) -> None:
    selection = Selection(
        primitive=("aes-128",), operation=("encrypt", "decrypt"), mode=("ctr", "ecb"), length=(1600,)
    )
    records = run(here, planned(selection, "openssl", threads=2, how="baseline"))
    if records[0]["status"] == "unsupported":
        pytest.skip(str(records[0]["error"]))
    assert [record["status"] for record in records] == ["ok"] * 4
    assert {record["settings"] for record in records} == {"instructions=baseline"}
    assert {record["threads"] for record in records} == {2}


@pytest.mark.parametrize("name", CHIEF)
@pytest.mark.parametrize("first_byte", [0x00, 0x80])
@pytest.mark.parametrize("operation", ["encrypt", "decrypt"])
def test_a_text_is_concealed_and_comes_back_whatever_it_begins_with(
    name: str, first_byte: int, operation: str, here: Reached
) -> None:
    """To libgcrypt it is a number: what it gives back is made long enough, zeros it takes are lost."""
    seeds = (f"seed {number}" for number in itertools.count())
    seed = next(one for one in seeds if message(32, seed_of(f"{one}|host|sm2|None|32"))[0] == first_byte)
    selection = Selection(primitive=("sm2",), operation=(operation,), length=(32,))
    records: list[Record] = []
    run_library_plan(planned(selection, name), here, replace(RULES, seed=seed), records.append)
    (record,) = records
    lost = "libgcrypt takes a text for a number and loses the zeros it begins with."
    if record["status"] == "unsupported" and record["error"] != lost:
        pytest.skip(str(record["error"]))
    is_lost = (name, operation, first_byte) == ("libgcrypt", "encrypt", 0)
    assert (record["status"], record["error"]) == (("unsupported", lost) if is_lost else ("ok", None))


def test_pbkdf2_is_an_operation(here: Reached) -> None:
    hmac = load_catalog().algorithm_of("hmac-sha-256")
    cells = list(derive_cells(hmac, ("hmac-sha-*",), libraries().values()))
    records = run(here, LibraryPlan(cells))
    assert {record["operation"] for record in records} == {DERIVE}
    assert {r["status"] for r in records if r["library"] in CHIEF} <= {"ok", "unsupported"}
    of_kernel = [str(r["error"]) for r in records if r["library"] == "af-alg"]
    assert of_kernel[0].startswith("the kernel (AF_ALG) has no PBKDF2")


def test_a_library_without_its_legacy_provider_is_a_gap(
    here: Reached, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENSSL_MODULES", "/nonexistent")
    selection = Selection(
        primitive=("blowfish-128", "aes-128"), operation=("encrypt",), mode=("cbc",), length=(64,)
    )
    records = {str(record["primitive"]): record for record in run(here, planned(selection, "openssl"))}
    if "libcrypto" in str(records["aes-128"]["error"]):
        pytest.skip(str(records["aes-128"]["error"]))
    assert records["aes-128"]["status"] == "ok"
    assert records["blowfish-128"]["status"] == "unsupported"
    assert "its legacy provider does not load" in str(records["blowfish-128"]["error"])


def test_a_wrong_output_is_caught(here: Reached) -> None:
    openssl = libraries()["openssl"]
    entry = openssl.find("aes-128", "cbc")
    assert entry is not None
    planted = entry.model_copy(update={"name": "CAMELLIA-128-{MODE}"})
    others = [one for one in openssl.file.algorithm if one is not entry]
    wrong = Library("openssl", openssl.file.model_copy(update={"algorithm": (planted, *others)}))
    selection = Selection(primitive=("aes-128",), operation=("encrypt",), mode=("cbc",), length=(64,))
    plan = make_library_plan(make_host_plan(load_catalog(), selection, [1]), [wrong])
    (record,) = run(here, plan)
    if record["status"] == "unsupported":
        pytest.skip(str(record["error"]))
    assert record["status"] == "wrong-output"
    assert record["time_us"] is None
    assert str(record["error"]).startswith("OpenSSL, CAMELLIA-128-CBC: output is ")


def test_a_device_that_cannot_start_the_program_is_told_and_the_rest_goes_on(
    here: Reached, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AgentRefused("board does not run the program that was copied there (not found).")

    monkeypatch.setattr(asking, "Agent", refused)
    selection = Selection(primitive=("aes-128",), operation=("encrypt",), mode=("cbc",), length=(64,))
    records = run(here, planned(selection, *CHIEF))
    assert [record["status"] for record in records] == ["unsupported"] * 2
    assert "need the device's own C library and loader" in str(records[0]["error"])


@pytest.mark.parametrize("name", CHIEF)
def test_signatures_and_ciphertexts_are_verified_independently(name: str) -> None:
    primitive = load_catalog().algorithm_of("sm2").primitive("sm2")
    entry = libraries()[name].find("sm2")
    assert entry is not None

    def asked(operation: str, count: int | None) -> SignatureQuestion:
        cell = Asked("signature", primitive, "sm2", None, False, operation, count)
        return SignatureQuestion.of(cell, entry, "seed", Cache())

    signing, sealing = asked("sign", None), asked("encrypt", 20)
    key, public_key = (bytes.fromhex(str(signing.words[name])) for name in ("key", "public_key"))
    nonce = sm2.secret(b"\7" * 40)
    signature = sm2.sign(key, nonce, signing.plain)
    encoded = measuring._signature_bytes(entry, signature)
    assert signing.wrong({"output": encoded.hex()}) is None
    assert signing.wrong({"output": (encoded[:-1] + bytes([encoded[-1] ^ 1])).hex()}) is not None
    assert signing.wrong({"output": ""}) is not None
    public_key = bytes.fromhex(str(sealing.words["public_key"]))
    sealed = measuring._ciphertext_bytes(entry, sm2.encrypt(public_key, nonce, sealing.plain))
    assert sealing.wrong({"output": sealed.hex()}) is None
    assert sealing.wrong({"output": sealed[:-1].hex()}) is not None


# The command line


def invoke(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["host", "measure", *words])
    if isinstance(done.exception, SteelyardError):
        return done.exception.exit_status, done.stdout, str(done.exception)
    return done.exit_code, done.stdout, done.stderr


def test_one_command_measures_own_code_and_libraries(tmp_path_factory: pytest.TempPathFactory) -> None:
    store = str(tmp_path_factory.mktemp("store"))
    status, out, told = invoke(
        *("--library", "*", "--primitive", "speck-64-128", "--mode", "cbc", "--operation", "encrypt"),
        *("--length", "64", "--runs", "2", "--json", "--store", store),
    )
    records = json.loads(out)
    assert status == 0
    assert [record["library"] for record in records] == [None, "af-alg", "libgcrypt", "openssl"]
    assert [record["status"] for record in records] == ["ok", *["unsupported"] * 3]
    assert "1 cell without a figure: OpenSSL has no speck-64-128." in told


def test_an_unknown_library_is_a_usage_error() -> None:
    status, _, told = invoke("--library", "opensll", "--primitive", "aes-128")
    assert status == 2
    assert "openssl" in told


def test_derivation_is_asked_of_libraries_alone() -> None:
    status, _, told = invoke("--operation", "derive")
    assert status == 2
    assert "libraries alone" in told


def test_a_list_that_is_no_file_of_its_size_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "firmware" / "linux" / "libraries"
    folder.mkdir(parents=True)
    path = folder / "huge.toml"
    monkeypatch.setattr("steelyard.linux.libraries.data_root", lambda: tmp_path)
    path.write_text("#" * (2 << 20))
    with pytest.raises(UsageError, match=r"huge\.toml: larger than the 1 MiB"):
        libraries.__wrapped__()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(UsageError, match=r"huge\.toml: cannot be read: it is a pipe"):
        libraries.__wrapped__()
