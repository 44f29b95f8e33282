"""A plan on other processes and machines: what must agree, what travels, how results come back."""
