"""The loop without payoffs: each response is to the average of the strategies before it, for any number of rounds.

Fictitious play needs no payoffs of its strategies: the mixture depends only on their order (`meta_solvers.counts`). A
round learns one response and plays it among players of the mixture, so every round takes equally long.
`response_rounds` instead estimates the payoff of every profile, which grows with the cube of the number of rounds.

The initial strategies have weight `first_count` each: a loop that starts with a near-equilibrium strategy should not be
led away from it by its first responses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pokerlab.empirical.meta_solvers import BY_ORDER, counts
from pokerlab.empirical.mixture_play import winnings_among
from pokerlab.empirical.response_rounds import FRESH, Learn, Learning, learned_response
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.games.catalog import game
from pokerlab.players.seating import MAKE
from pokerlab.runs.workers import attribute

UNITS = "small_bets_per_hand"


@dataclass(frozen=True)
class OrderedRound:
    """One round: the mixture that everyone plays, the name of the response to it, and the gain of the response."""

    number: int
    against: Mapping[str, float]
    response: str
    gain: Estimate


@dataclass(frozen=True)
class OrderedLoop:
    """A loop as data: its game, the initial strategies, and how mixtures are made."""

    game: str
    first: tuple[str, ...]
    to: str = "uniform"
    first_count: float = 1.0
    seed: int = 7
    make: str = MAKE  # the maker of agents from names, as "module:function"

    def __post_init__(self) -> None:
        if self.to not in BY_ORDER:
            raise PokerlabError(f"a loop without payoffs responds to {', '.join(BY_ORDER)}, not {self.to!r}")
        if not self.first_count > 0:
            raise PokerlabError(f"the first strategies must count more than 0, not {self.first_count}")

    def mixture(self, responses: Sequence[str]) -> dict[str, float]:
        """The strategies so far with their probabilities.

        >>> OrderedLoop("limit3p", ("rulebot",), first_count=3.0).mixture(["a"])
        {'rulebot': 0.75, 'a': 0.25}
        """
        names = (*self.first, *responses)
        shares = counts(self.to, n_first=len(self.first), n_strategies=len(names), first_count=self.first_count)
        return dict(zip(names, shares.tolist(), strict=True))

    def rounds(
        self, n: int, learning: Learning, *, learn: Learn, directory: Path, hands: int
    ) -> Iterator[OrderedRound]:
        """Run `n` rounds; the gain of a response is measured over `hands` hands. Players are saved in `directory`, each
        named by its round and a digest of its configuration, and learned only once."""
        responses: list[str] = []
        for number in range(1, n + 1):
            against = self.mixture(responses)
            _, where = learned_response(
                self.game, against, learning, self.seed + number, learn, directory / f"{number}"
            )
            gain = self.gain(f"q:{where}", against, hands=hands, number=number)
            yield OrderedRound(number, against, f"q:{where}", gain)
            responses.append(f"q:{where}")

    def fresh(
        self, against: Mapping[str, float], learning: Learning, *, learn: Learn, directory: Path, hands: int
    ) -> Estimate:
        """Winnings of a response learned anew with other cards: an estimated lower bound on the mixture's epsilon."""
        seed = self.seed + FRESH
        _, where = learned_response(self.game, against, learning, seed, learn, directory / f"{FRESH}")
        return self.gain(f"q:{where}", against, hands=hands, number=FRESH)

    def gain(self, response: str, against: Mapping[str, float], *, hands: int, number: int) -> Estimate:
        """Winnings of a response among players of a mixture; everyone who plays the mixture wins nothing on average."""
        rules = game(self.game)
        seed, make = self.seed + number, attribute(self.make)
        return winnings_among(rules, response, against, hands=hands, seed=seed, units=UNITS, make=make)
