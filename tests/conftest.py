"""What tests of several folders share: one browser for each process of the run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tools.chromium import NoChromium, chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        with chromium() as running:
            yield running
    except NoChromium as error:
        pytest.skip(str(error))
