"""Folders and files of one's own to begin with: a variant, a primitive, a chip."""
