"""The catalogue: primitives, variants, modes, targets and known answers, loaded and checked."""
