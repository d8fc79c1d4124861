"""The Bayesian poker player: betting curves over the chance to win that a network and all hands played out give."""
