"""Checks of constant time: every operation of a selection, findings explained, as objects and as SARIF."""

from steelyard.check.explain import Explained, explain
from steelyard.check.run import Result, run_checks
from steelyard.check.sarif import sarif

__all__ = ["Explained", "Result", "explain", "run_checks", "sarif"]
