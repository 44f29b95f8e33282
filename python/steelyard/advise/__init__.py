"""Advice from records: what fits, what a protocol costs, how long a battery lasts."""
