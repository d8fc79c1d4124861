"""Learning of the connectionist player: self-play on lanes, policy gradients and the likelihood of what is seen."""
