"""Models of the players in hand histories: records of decisions, hidden cards, exploiters."""
