"""Figures of records for a paper: the rows that are plotted, their specification, and the files."""
