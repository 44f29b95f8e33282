"""Tables and charts as data, and one renderer for each medium."""
