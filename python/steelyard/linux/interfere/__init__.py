"""A periodic control task beside an encryption load on a Linux device: jitter, response, misses."""
