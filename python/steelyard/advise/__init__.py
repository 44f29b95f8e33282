"""Advice from records: which primitive to take, what a protocol costs, how long a battery lasts."""
