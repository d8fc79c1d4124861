"""Games: actions, rules as data, the betting automaton, pots, states, views, histories, catalog and protocols."""
