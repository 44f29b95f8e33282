"""Tables, plots and the HTML report. Reads records, nothing else."""

from steelyard.report.html import write_report

__all__ = ["write_report"]
