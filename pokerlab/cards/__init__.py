"""Cards: encoding, combos and classes, ranges, evaluation, isomorphism, equity, strength."""
