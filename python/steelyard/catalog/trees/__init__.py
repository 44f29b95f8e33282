"""Trees of others, read as they are: which implementations they hold, and how each is called."""
