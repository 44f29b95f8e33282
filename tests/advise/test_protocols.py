"""Protocol files, their costs beside composed C run in the emulator, and bad requests."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command import Steelyard
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.cmac import CMAC

from steelyard.advise.protocols import asked, protocols, steps_of
from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import LINUX
from steelyard.data import data_root
from steelyard.measure.call import call_function, parse_argument
from steelyard.oracle import rc5

COMPOSED = Path(__file__).with_name("composed")
TARGET = "atmega128"
STUB_CYCLES = 4 + 4
"""A call instruction and a return on the chip, which a record counts too."""


@dataclass(frozen=True)
class Composition:
    """A protocol's composed C, how it is built, what it must put out and which session steps it takes."""

    source: str
    protocol: str
    suite: str
    primitive: str
    modes: tuple[str, ...]
    session: tuple[str, ...]
    keys: bytes
    header: bytes
    out_bytes: Callable[[int], int]
    answer: Callable[[bytes, bytes, bytes], bytes]


KEYS = bytes(range(3, 35))


def _aes_ctr(key: bytes, counter: bytes, payload: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor().update(payload)


def _cmac(key: bytes, covered: bytes) -> bytes:
    mac = CMAC(algorithms.AES(key))
    mac.update(covered)
    return mac.finalize()


def lorawan(payload: bytes, keys: bytes, header: bytes) -> bytes:
    def block(first: int, last: int) -> bytes:
        return bytes([first, 0, 0, 0, 0, 0]) + header[1:5] + header[6:8] + bytes([0, 0, 0, last])

    ciphertext = _aes_ctr(keys[:16], block(1, 1), payload)
    frame = header + ciphertext
    return frame + _cmac(keys[16:], block(0x49, len(frame)) + frame)[:4]


def secoc(payload: bytes, keys: bytes, header: bytes) -> bytes:
    return payload + header[9:] + _cmac(keys[:16], header[:2] + payload + header[2:])[:3]


def ieee802154(payload: bytes, keys: bytes, header: bytes) -> bytes:
    nonce = keys[16:24] + header[10:14] + bytes([header[9] & 7])
    return header + AESCCM(keys[:16], tag_length=8).encrypt(nonce, payload, header)


def snep(payload: bytes, keys: bytes, header: bytes) -> bytes:
    def encrypt(key: bytes, block: bytes) -> bytes:
        return rc5.encrypt_block(key, 12, block)

    stream = b"".join(
        encrypt(keys[:16], (int.from_bytes(header, "big") + i).to_bytes(8, "big")) for i in range(8)
    )
    ciphertext = bytes(a ^ b for a, b in zip(payload, stream, strict=False))
    covered = header + ciphertext
    covered += bytes(-len(covered) % 8)
    state = bytes(8)
    for at in range(0, len(covered), 8):
        state = encrypt(keys[16:], bytes(a ^ b for a, b in zip(state, covered[at : at + 8], strict=True)))
    return ciphertext + state


COMPOSITIONS = [
    Composition(
        "lorawan", "lorawan-1.0", "data", "aes-128-cmac", ("ctr",),
        ("set-up of the application session key",), KEYS, bytes(range(80, 89)), lambda n: n + 13, lorawan,
    ),
    Composition(
        "secoc", "secoc-can-fd", "profile-1", "aes-128-cmac", (), (), KEYS, bytes(range(60, 70)),
        lambda n: n + 4, secoc,
    ),
    Composition(
        "ieee802154", "ieee802154", "enc-mic-64", "aes-128-ccm-8", (), ("key set-up",), KEYS,
        bytes(range(90, 105)), lambda n: n + 23, ieee802154,
    ),
    Composition(
        "spins", "spins", "snep", "rc5-32-12-16", ("ctr", "cbc"),
        ("key set-up for encryption", "key set-up for the MAC"), KEYS, bytes(range(7, 15)),
        lambda n: n + 8, snep,
    ),
]  # fmt: skip


def build(catalog: Catalog, composition: Composition, folder: Path, *, stubbed: bool) -> Path:
    """The composed C with the primitives' own sources, or with functions that return at once."""
    root = data_root()
    primitive = catalog.primitive(composition.primitive)
    algorithms_of = [
        catalog.algorithm_of(composition.primitive).id,
        *(p.algorithm_id for p in primitive.parts),
    ]
    variants = [catalog.default_variant(name, "8-bit") for name in algorithms_of]
    includes = [
        *(folder for v in variants for folder in (v.folder, v.folder.parent)),
        root / "primitives" / "include",
        root / "firmware" / "include",
        COMPOSED,
    ]
    flags = (
        "-mmcu=avr51", "-Os", "-std=gnu99", "-ffreestanding", "-fbuiltin", "-ffunction-sections",
        "-fdata-sections", "-fno-common", *(f"-I{path}" for path in includes),
        *(f"-D{name}={value}" for name, value in primitive.macros.items()),
    )  # fmt: skip
    units: list[tuple[Path, tuple[str, ...]]] = [(COMPOSED / f"{composition.source}.c", ())]
    if stubbed:
        units.append((COMPOSED / "stubs.c", ()))
    else:
        units += [(v.folder / source, ()) for v in variants for source in v.file.sources]
        units += [
            (root / "modes" / mode / "encrypt.c", (f"-Dmode_encrypt={mode}_encrypt",))
            for mode in composition.modes
        ]
        if "cmac" in composition.primitive:
            units.append((root / "modes" / "mac" / "compute.c", ()))
    units += [(path, ()) for path in sorted((root / "firmware" / "avr" / "support").glob("mem*.S"))]
    objects = []
    for number, (source, more) in enumerate(units):
        objects.append(str(folder / f"{number}-{stubbed}.o"))
        run("avr-gcc", *flags, *more, "-c", str(source), "-o", objects[-1])
    elf = folder / f"{composition.source}-{stubbed}.elf"
    run(
        "avr-gcc", "-mmcu=avr51", "-nostdlib", "-Wl,--gc-sections", "-Wl,-e,protect", "-Wl,-u,protect",
        *objects, "-lgcc", "-o", str(elf),
    )  # fmt: skip
    return elf


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def called(catalog: Catalog, elf: Path, composition: Composition, payload: bytes) -> dict[str, Any]:
    out = composition.out_bytes(len(payload))
    arguments = [f"out:{out}", f"in:{payload.hex()}", f"u8:{len(payload)}"]
    arguments += [f"in:{composition.keys.hex()}", f"in:{composition.header.hex()}"]
    return call_function(
        elf, "protect", catalog.target(TARGET), [parse_argument(text) for text in arguments], 10**8
    )


@pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="the composed C is built with avr-gcc")
@pytest.mark.parametrize("composition", COMPOSITIONS, ids=lambda one: one.source)
def test_costs_are_those_of_composed_code(
    steelyard: Steelyard, tmp_path: Path, composition: Composition
) -> None:
    """Composed code takes what its operations take by the records, and its own work; the answer is right.

    Its own work is measured with the primitives taken out. What is left is at most a cycle per call and the
    spread of the primitives' own cycles over their inputs.
    """
    catalog = load_catalog()
    real = build(catalog, composition, tmp_path, stubbed=False)
    glue = build(catalog, composition, tmp_path, stubbed=True)
    for size in (16, 21):
        payload = bytes(range(100, 100 + size))
        command = ("protocol", composition.protocol, "--suite", composition.suite, "--target", TARGET)
        steps = steelyard.json(*command, "--toolchain", "gcc", "--message", size, "--steps")
        taken = [s for s in steps if s["part"] == "message" or s["what"] in composition.session]
        assert len(taken) == len(composition.session) + sum(s["part"] == "message" for s in steps)
        whole = called(catalog, real, composition, payload)
        own = called(catalog, glue, composition, payload)
        assert whole["status"] == own["status"] == "ok"
        answer = composition.answer(payload, composition.keys, composition.header)
        assert whole["outputs"] == f'["{answer.hex()}"]'
        by_records = sum(step["cycles"] for step in taken)
        calls = len(taken)
        left = whole["cycles"] - by_records - (own["cycles"] - calls * STUB_CYCLES)
        spread = sum(most_of(steelyard, step) for step in taken)
        assert abs(left) <= calls + spread, (whole["cycles"], by_records, own["cycles"])
        # What `protocol` leaves out, building headers and nonces and copying, is under a tenth of the whole.
        assert 0 <= whole["cycles"] - by_records < 0.1 * whole["cycles"]


def most_of(steelyard: Steelyard, step: dict[str, Any]) -> float:
    """How far the cycles of a step's cell go apart over its random inputs."""
    rows = [
        row
        for row in steelyard.json("show", "--primitive", step["primitive"], "--mode", step["mode"] or "none")
        if (row["operation"], row["message_bytes"], row["ad_bytes"])
        == (step["operation"], step["step_bytes"], step["ad_bytes"])
    ]
    return float(max(row["cycles_max"] - row["cycles_min"] for row in rows)) * float(step["times"])


def test_a_wrong_length_is_noticed(steelyard: Steelyard, tmp_path: Path) -> None:
    """The comparison is no formality: one block more in a MAC is far beyond what may be left."""
    command = ("protocol", "secoc-can-fd", "--suite", "profile-1", "--target", TARGET, "--toolchain", "gcc")
    short, long = (steelyard.json(*command, "--message", n)[0]["message_cycles"] for n in (16, 32))
    assert long - short > 1000


def test_every_file_names_what_there_is() -> None:
    catalog = load_catalog()
    assert len(protocols()) >= 11
    for file in protocols().values():
        assert any(reference.opened for reference in file.reference)
        for suite in file.suite:
            for direction in ("send", "receive"):
                cells = [
                    asked(catalog, LINUX, step, {}, 8, direction) for _, step in steps_of(suite, direction)
                ]
                assert cells
                for cell in cells:
                    algorithm = catalog.algorithm_of(cell.primitive)
                    assert (cell.ad_bytes is not None) == (cell.operation in ("seal", "open")), cell
                    assert cell.mode is None or algorithm.file.kind == "block"
                    if cell.mode == "cbc":
                        assert cell.message_bytes is not None
                        assert cell.message_bytes % algorithm.primitive(cell.primitive).block_bytes == 0


def test_lengths_of_standards() -> None:
    """Sums that the documents print: OSCORE's test vector of C.4, TinySec's packets, LoRaWAN's frame."""

    def suite(name: str, one: str) -> Any:
        return next(s for s in protocols()[name].suite if s.id == one)

    def air(name: str, one: str, *, security: bool) -> int:
        return sum(a.bytes for a in suite(name, one).air if a.security or not security)

    assert air("oscore", "aes-ccm-16-64-128", security=True) == 35 - 22
    assert 29 + air("tinysec", "ae", security=False) == 41
    assert 29 + air("tinysec", "auth", security=True) + 7 == 37
    assert air("lorawan-1.0", "data", security=False) == 13
    assert air("ble", "data-pdu", security=True) == 4
    sm2 = load_catalog().algorithm_of("sm2").primitive("sm2")
    assert air("sm2", "signature", security=True) == sm2.signature_bytes
    assert air("sm2", "encryption", security=True) == sm2.overhead_bytes
    macs = [step for step in suite("tls-1.3", "aes-128-gcm").session if step.operation == "mac"]
    (inits,) = (
        s
        for s in suite("tls-1.3", "aes-128-gcm").session
        if s.primitive == "hmac-sha-256" and s.operation == "init"
    )
    assert inits.times == sum(step.times for step in macs) == 24


def test_receiver_opens(steelyard: Steelyard) -> None:
    command = ("protocol", "spins", "--suite", "snep", "--target", TARGET, "--receive", "--steps")
    operations = {(step["mode"], step["operation"]) for step in steelyard.json(*command)}
    assert {("ctr", "decrypt"), ("cbc", "encrypt")} <= operations


def test_no_measure_says_what_to_run(steelyard: Steelyard) -> None:
    command = ("protocol", "secoc-can-fd", "--suite", "profile-2", "--target", TARGET, "--no-measure")
    for _ in range(2):
        said = steelyard.run(*command, status=1).stderr
        steelyard.run(*said.strip().partition("run: steelyard ")[2].replace("'", "").split())
    assert steelyard.json(*command)[0]["message_cycles"] > 0


def requests() -> Sequence[tuple[tuple[str, ...], str]]:
    at = ("--target", TARGET)
    return [
        (("lorawan", *at), "lorawan-1.1"),
        (("lorawan-1.0",), "--target"),
        (("lorawan-1.0", "--target", "atmega12"), "atmega12"),
        (("spins", *at, "--message", "31"), "30 bytes"),
        (("spins", *at, "--suite", "snap"), "snep"),
        (("spins", *at, "--message", "-1"), "--message"),
        (("spins", *at, "--variant", "rc5/fast", "--variant", "rc5/compact"), "name one"),
    ]


@pytest.mark.parametrize(("arguments", "word"), requests())
def test_impossible_requests(steelyard: Steelyard, arguments: tuple[str, ...], word: str) -> None:
    assert word in steelyard.sentence("protocol", *arguments, status=2)
