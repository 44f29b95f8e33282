"""The recommender beside an enumeration of its own over the same records, and its bad requests."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from command import Steelyard, options

from steelyard.advise.components import Use
from steelyard.advise.limits import messages_per_key, rules, strength_bits
from steelyard.catalog.load import load_catalog

Row = dict[str, Any]

NAMES = "aes-128 aes-128-ccm aes-128-cmac chaskey-12 speck-64-128 des speck-128-128 poly1305 siphash-2-4"
CHOSEN = options(target="atmega128", message=20, toolchain="gcc", primitive=NAMES.split())
BOTH = ("--need", "confidentiality,integrity")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Steelyard:
    """A store in which the defaults are measured, and further variants and flags of two primitives."""
    folder = tmp_path_factory.mktemp("recommend")
    steelyard = Steelyard(folder / "store", folder)
    steelyard.run("recommend", *CHOSEN, *BOTH)
    more = options(target="atmega128", toolchain="gcc", samples=2, flags=["-O2", "-Os"])
    aes = options(primitive="aes-128", variant=["aes/compact", "aes/sbox"], operation=["init", "encrypt"])
    steelyard.run("measure", *aes, *more, *options(mode=["none", "ctr"], length=[16, 20]))
    steelyard.run("measure", *more, *options(primitive="aes-128-cmac", length=36))
    over = options(primitive="aes-128-cmac", variant="aes/compact", length=36)
    steelyard.run("measure", *more, *over)
    return steelyard


def enumerate_by_hand(records: list[Row], message_bytes: int) -> list[Row]:
    """All AEADs, and all ciphers in counter mode with each MAC over counter and ciphertext; loops."""
    by_build: dict[tuple[str, str, str], list[Row]] = {}
    for row in records:
        if row["status"] == "ok" and row["verified"]:
            by_build.setdefault((row["toolchain"], row["toolchain_version"], row["flags"]), []).append(row)
    found = []
    for rows in by_build.values():

        def setup_of(row: Row, rows: list[Row] = rows) -> list[Row]:
            alike = ("primitive", "variant", "parts")
            return [o for o in rows if o["operation"] == "init" and all(o[k] == row[k] for k in alike)]

        for row in rows:
            if row["operation"] == "seal" and (row["message_bytes"], row["ad_bytes"]) == (message_bytes, 0):
                (setup,) = setup_of(row)
                stack = max(row["ram_stack_bytes"], setup["ram_stack_bytes"])
                found.append(
                    {
                        "name": row["primitive"], "flags": row["flags"], "variants": row["variant"],
                        "parts": row["parts"],
                        "cycles": row["cycles"], "rom": row["rom_bytes"],
                        "ram": row["ram_static_bytes"] + row["ram_context_bytes"] + stack,
                        "energy": row["energy_nj"],
                    }
                )  # fmt: skip
        ciphers = [r for r in rows if r["mode"] == "ctr" and r["message_bytes"] == message_bytes]
        macs = [r for r in rows if r["operation"] == "mac"]
        for cipher, mac in product(ciphers, macs):
            block_bytes = 8 if cipher["primitive"] == "speck-64-128" else 16
            setups = [setup_of(cipher), setup_of(mac)]
            if mac["message_bytes"] != block_bytes + message_bytes or not all(setups):
                continue
            pair = (cipher, mac)
            held = {cipher["variant"], *(mac["parts"] or "").split()}
            if len({name.partition("/")[0] for name in held}) < len(held):
                # No firmware holds two implementations of a cipher.
                continue
            inside = mac["parts"] == cipher["variant"] and mac["primitive"].startswith(cipher["primitive"])
            apart = 0 if inside else cipher["rom_bytes"]
            found.append(
                {
                    "name": f"{cipher['primitive']} ctr + {mac['primitive']}", "flags": cipher["flags"],
                    "variants": f"{cipher['variant']} + {mac['variant']}", "parts": mac["parts"],
                    "cycles": cipher["cycles"] + mac["cycles"] + setups[1][0]["cycles"],
                    "energy": cipher["energy_nj"] + mac["energy_nj"] + setups[1][0]["energy_nj"],
                    "rom": cipher["rom_mode_bytes"] + mac["rom_bytes"] + mac["rom_mode_bytes"] + apart,
                    "ram": sum(r["ram_static_bytes"] + r["ram_context_bytes"] for r in pair)
                    + max(r["ram_stack_bytes"] for r in (*pair, *setups[0], *setups[1])),
                }
            )  # fmt: skip
    return found


def known_records(steelyard: Steelyard) -> list[Row]:
    rows: list[Row] = json.loads(steelyard.run("store", "export", "--format", "json").stdout)
    return rows


def named(row: Row) -> tuple[str, str, str | None, str]:
    return row["name"], row["variants"], row["parts"], row["build"].rpartition(" ")[2]


@pytest.mark.parametrize(
    ("rom", "ram", "deadline_ms", "energy_uj", "rate"),
    [(4096, 512, 5.0, 500.0, 10), (1500, 400, 1.5, 400.0, 100), (1800, 10_000, 100.0, 1e6, 1)],
)
def test_as_an_enumeration(
    measured: Steelyard, rom: int, ram: int, deadline_ms: float, energy_uj: float, rate: int
) -> None:
    limits = (
        *("--rom", rom, "--ram", ram, "--deadline", f"{deadline_ms}ms"),
        *("--energy-budget", f"{energy_uj:g}uJ", "--rate", f"{rate}/s"),
    )
    rows = measured.json("recommend", *CHOSEN, *BOTH, *limits, "--no-measure", status=None)
    judged = [row for row in rows if row["cycles"] is not None]
    by_hand = enumerate_by_hand(known_records(measured), 20)
    # Neither a legacy cipher nor an authenticator with one-time keys is judged.
    allowed = [r for r in by_hand if "speck-64" not in r["name"] and "poly1305" not in r["name"]]
    assert len(allowed) >= 12
    assert {(r["name"], r["variants"], r["parts"], r["flags"]) for r in allowed} == {named(r) for r in judged}
    assert len(judged) == len(allowed)
    ours = {named(row): row for row in judged}
    for row in allowed:
        judgement = ours[row["name"], row["variants"], row["parts"], row["flags"]]
        time_us = row["cycles"] / 16
        assert judgement["time_us"] == pytest.approx(time_us)
        assert (judgement["rom_bytes"], judgement["ram_bytes"]) == (row["rom"], row["ram"])
        fits = (
            row["rom"] <= rom and row["ram"] <= ram and time_us <= deadline_ms * 1e3
            and row["energy"] <= energy_uj * 1e3 and time_us * rate <= 1e6
        )  # fmt: skip
        assert judgement["fits"] is fits
        assert judgement["slack_rom"] == rom - row["rom"]
        assert judgement["slack_deadline"] == pytest.approx(deadline_ms * 1e3 - time_us)
        assert (judgement["reason"] is None) is fits
    ranked = [row for row in rows if row["rank"] is not None]
    assert [row["rank"] for row in ranked] == list(range(1, len(ranked) + 1))
    assert [row["time_us"] for row in ranked] == sorted(row["time_us"] for row in ranked)
    assert {named(row) for row in ranked} == {named(row) for row in judged if row["fits"]}


def test_exclusions_are_named_and_can_be_lifted(measured: Steelyard) -> None:
    rows = measured.json("recommend", *CHOSEN, *BOTH, "--no-measure")
    reasons = {row["name"]: row["reason"] for row in rows if row["cycles"] is None}
    assert reasons["des ctr"].startswith("broken: FIPS 46-3")
    assert reasons["speck-64-128 ctr"].startswith("legacy")
    assert "one message" in reasons["poly1305"]
    lifted = measured.json("recommend", *CHOSEN, *BOTH, "--allow-legacy")
    speck = [row for row in lifted if "speck-64-128" in row["name"]]
    assert speck
    assert all(row["fits"] and row["security"] == "legacy" for row in speck)
    assert "speck-64-128 ctr (legacy) +" in measured.run(
        "recommend", *CHOSEN, *BOTH, "--allow-legacy", "--no-measure", "--top", 50
    ).stdout  # fmt: skip
    strong = measured.json("recommend", *CHOSEN, *BOTH, "--security", 256, "--no-measure", status=1)
    assert "128 bits of security, 256 are asked for" in {row["reason"] for row in strong}
    # 2^16 blocks of 64 bits, four of them a message, last 455 hours at ten messages a second: not 90 days.
    long = measured.json(
        "recommend", *CHOSEN, *BOTH, "--allow-legacy", "--no-measure", "--rate", "10/s", "--key-life", "90d"
    )
    (speck,) = (row for row in long if row["name"] == "speck-64-128 ctr")
    assert speck["reason"].startswith("a key is good for 1.64e+04 messages, 7.78e+07 are asked for")


def test_nothing_fits(measured: Steelyard) -> None:
    done = measured.run("recommend", *CHOSEN, *BOTH, "--rom", 10, "--no-measure", status=1)
    legacy = ("speck-64", "poly1305")
    by_hand = enumerate_by_hand(known_records(measured), 20)
    nearest = min(row["rom"] for row in by_hand if not any(name in row["name"] for name in legacy))
    assert f"relax --rom to {nearest:,} bytes" in done.stderr
    assert "Nothing fits" in done.stdout


def test_no_measure_only_reads(steelyard: Steelyard) -> None:
    done = steelyard.run("recommend", *CHOSEN, "--need", "integrity", "--no-measure", status=1)
    assert not steelyard.store.exists()
    command = done.stderr.partition("start with: steelyard ")[2].splitlines()[0]
    assert "--primitive=aes-128-cmac" in command
    steelyard.run(*command.split())
    after = steelyard.json("recommend", *CHOSEN, "--need", "integrity", "--no-measure")
    assert {row["name"] for row in after if row["fits"]} >= {"aes-128-cmac"}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--target", "atmega12", *BOTH, "--message", "32"), "atmega12"),
        (("--target", "atmega128", "--need", "secrecy", "--message", "32"), "secrecy"),
        (("--target", "atmega128", "--need", ",", "--message", "32"), "--need"),
        (("--target", "atmega128", *BOTH, "--message", "many"), "--message"),
        (("--target", "atmega128", *BOTH, "--message", "32", "--rate", "0/s"), "--rate"),
        (("--target", "atmega128", *BOTH, "--message", "32", "--deadline", "5"), "--deadline"),
        (("--target", "atmega128", *BOTH, "--message", "32", "--key-life", "1y"), "--rate"),
        (("--target", "atmega128", *BOTH, "--message", "32", "--mode", "ecb"), "equal"),
        (("--target", "atmega128", *BOTH, "--message", "32", "--role", "sent"), "send"),
        (("--target", "leon2", *BOTH, "--message", "32", "--energy-budget", "1uJ"), "energy model"),
        (("--target", "atmega128", *BOTH, "--message", "32", "--primitive", "aes-127"), "did you mean"),
    ],
)
def test_impossible_requests(steelyard: Steelyard, arguments: tuple[str, ...], word: str) -> None:
    assert word in steelyard.sentence("recommend", *arguments, status=2)


def test_key_limits() -> None:
    catalog = load_catalog()
    lasting = lambda name, mode, size: messages_per_key(catalog, catalog.primitive(name), mode, size, 0)[0]  # noqa: E731
    # s^2 / 2^n = 2^-32 at s = 2^(n/2 - 16): by hand for one block of IV beside each message.
    assert lasting("aes-128", "ctr", 32) == 2**48 / 3
    assert lasting("speck-64-128", "cbc", 32) == 2**16 / 5
    assert lasting("aes-128-gcm", None, 32) == 2**32
    assert lasting("aes-128-gcm", None, 2**36) == 0
    assert lasting("aes-128-ccm", None, 32) == 2**48 / 6
    assert lasting("aes-128-ccm", None, 2**16) == 0
    assert lasting("poly1305", None, 32) == 1
    assert lasting("rc4-128", None, 32) == 1
    assert lasting("trivium", None, 32) == 2**80
    bits = {
        name: strength_bits(catalog, catalog.primitive(name))
        for name in ("des", "des-ede3", "sha-256", "sm2", "hmac-sha-1")
    }
    assert bits == {"des": 56, "des-ede3": 112, "sha-256": 128, "sm2": 128, "hmac-sha-1": 160}
    for strength in rules().strength:
        assert catalog.primitive(strength.primitive)
    for limit in rules().limit:
        assert limit.modes or limit.algorithms
        assert set(limit.modes) <= {mode.id for mode in catalog.modes}
        assert set(limit.algorithms) <= {algorithm.id for algorithm in catalog.algorithms}


def test_uses_that_differ_are_different() -> None:
    aes = load_catalog().primitive("aes-128")
    assert len({Use(aes, "block", mode, 16, 0, None) for mode in ("ctr", "cbc", "ctr")}) == 2
