"""Linux devices: reached here or over SSH, and the programs that run on them."""
