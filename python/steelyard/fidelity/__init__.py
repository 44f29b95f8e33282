"""Compare the emulator with published board measurements, using a user's checkout of the code."""
