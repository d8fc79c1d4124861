"""Preflop play with the 169 classes of hands, several players, and at most two of them on a flop."""
