"""The emulator beside published measurements on boards, from a user's checkout of the code."""
