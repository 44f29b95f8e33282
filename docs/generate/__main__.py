"""Write what the documentation takes from the program: help texts, definitions, measured tables.

A generated block of a Markdown file stands between `<!-- generated: NAME -->` and `<!-- end -->`; `pages.py`
gathers the names. Measured blocks come from kept records: those of a study lie in its folder, the others in
docs/records. They stay as they are until `--measure` names them.

    python -m docs.generate                     rewrite the blocks
    python -m docs.generate --check             change nothing, exit with 1 where a block is stale
    python -m docs.generate --measure bench word-sizes    measure these, keep the records, rewrite the blocks
    python -m docs.generate --measure defaults  measure all variants and choose the default ones by the rule
    python -m docs.generate --examples          run the transcripts and the notebook anew
    python -m docs.generate --evaluate          put the models to the test anew, then rewrite the blocks
"""

from __future__ import annotations

import argparse
import sys

from docs.generate import (
    bench,
    constant_time,
    defaults,
    fifty_cells,
    figures,
    models,
    pull_request,
    transcripts,
)
from docs.generate.pages import ROOT, pages, regenerated
from docs.generate.records import DEFAULTS, measurable, measure

CONSTANT_TIME = "constant-time"
PULL_REQUEST = "pull-request"
FIFTY_CELLS = "fifty-cells"


def main() -> int:
    """Entry point; the exit status."""
    named = (DEFAULTS, CONSTANT_TIME, PULL_REQUEST, FIFTY_CELLS, *measurable())
    parser = argparse.ArgumentParser(description="Write what the documentation takes from the program.")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 where a block is stale"
    )
    parser.add_argument(
        "--measure",
        nargs="+",
        metavar="RECORDS",
        choices=named,
        default=[],
        help=f"measure first what is named: {', '.join(named)}",
    )
    parser.add_argument("--evaluate", action="store_true", help="put the models to the test first")
    parser.add_argument(
        "--examples", action="store_true", help="run the transcripts of commands and the notebook first"
    )
    options = parser.parse_args()
    if options.examples:
        transcripts.renew()
    if DEFAULTS in options.measure:
        defaults.renew()
    if CONSTANT_TIME in options.measure:
        constant_time.measure()
    if PULL_REQUEST in options.measure:
        pull_request.measure()
    if FIFTY_CELLS in options.measure:
        fifty_cells.measure()
    measure([name for name in options.measure if name in measurable()])
    if options.evaluate:
        models.evaluate()
    stale = []
    made = {page: regenerated(page.read_text(encoding="utf-8")) for page in pages()}
    made[bench.PICTURE] = bench.picture()
    made |= figures.pictures()
    for page, text in made.items():
        if not page.exists() or text != page.read_text(encoding="utf-8"):
            stale.append(page)
            if not options.check:
                page.write_text(text, encoding="utf-8")
    for page in stale:
        print(f"{page.relative_to(ROOT)}: {'stale; run: make docs' if options.check else 'rewritten'}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
