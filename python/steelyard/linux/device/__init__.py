"""Linux devices, local or over SSH, and the programs that run on them."""
