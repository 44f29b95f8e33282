"""Published measurements made anew: which records they need, and what these say of each published claim."""
