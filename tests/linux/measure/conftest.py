"""Devices: this machine, and one behind an SSH server of the test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from steelyard.linux.device.connect import Reached, Way, reach


@pytest.fixture(scope="session")
def here() -> Iterator[Reached]:
    with reach(Way()) as reached:
        yield reached
