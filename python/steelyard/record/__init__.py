"""What a record is: every field defined once, and where the numbers of this process come from."""
