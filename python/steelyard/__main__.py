"""Run the command line as `python -m steelyard`."""

from steelyard.cli import main

main()
