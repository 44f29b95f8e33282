"""Random instructions do on the emulator what they do on its references; `make soak` runs ten million."""

from __future__ import annotations

import pytest
from differential.tester import ROOT, differential

FAMILIES = sorted(path.parent.name for path in (ROOT / "firmware").glob("*/family.toml"))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_random_stream_has_difference_zero(family: str) -> None:
    result = differential("stream", family, "--seed", "20030919")
    assert result.returncode == 0, result.stdout + result.stderr
    assert " kinds executed, difference 0\n" in result.stdout


def test_what_is_no_stream_is_refused_with_those_there_are() -> None:
    result = differential("stream", "z80")
    assert result.returncode == 2
    assert "no CPU or family `z80`; there are armv4, armv5te, atmega128" in result.stderr
