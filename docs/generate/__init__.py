"""What the documentation takes from the program: help texts, definitions, tables of kept records."""
