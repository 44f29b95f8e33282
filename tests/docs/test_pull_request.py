"""The Markdown of a pull request that the page shows is what the command prints."""

from __future__ import annotations

from pathlib import Path

from docs.generate import fifty_cells, pull_request

PAGE = Path(__file__).parents[2] / "docs" / "commands" / "compare.md"


def test_the_page_shows_what_is_measured() -> None:
    made = pull_request.made()
    assert made == pull_request.KEPT.read_text("utf-8"), "run: python -m docs.generate --measure pull-request"
    assert made in PAGE.read_text("utf-8")
    assert "**regression**" in made
    assert "`stream_crypt`" in made


def test_fifty_cells_take_less_than_a_minute() -> None:
    """What was measured, on two processors and with nothing measured before."""
    rows = [line.split(",") for line in fifty_cells.KEPT.read_text("utf-8").splitlines()[1:]]
    assert [row[0] for row in rows] == ["empty", "base", "both"]
    for _, cells, seconds, _, processors in rows:
        assert (int(cells), int(processors)) == (fifty_cells.CELLS, 2)
        assert float(seconds) < 60
