"""Generate the parts of the documentation that come from the program: help texts, definitions, tables."""
