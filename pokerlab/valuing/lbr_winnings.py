"""What local best response wins from an agent, in matches: chips as they fell, and with luck taken out.

Every deal is played from both seats. LBR keeps an account of each hand (`valuing.local_best_response`): the outcome as
it was to be expected, and luck whose mean is zero. As much of the luck is taken out as explains most of the outcomes,
by least squares; how much, for one half of the deals, is found on the other half, so that nothing is fitted to the
deals that it is used on. `factor` says how many times fewer hands are needed for the same interval.

>>> from pokerlab.games.catalog import game
>>> found = lbr_winnings("folder", game("limit2p"), make="pokerlab.agents.registry:agent", hands=20, seed=1)
>>> print(found.chips)
+750.0 ± 0.0 mbb/hand (n = 20 deals, 2 seatings each)

Half of the time the folder pays a small blind of 500 thousandths, half of the time a big one of 1000.

References
----------
Lisy and Bowling (2017); see `valuing.local_best_response`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.games.protocols import Agent, Observer
from pokerlab.games.rules import Rules
from pokerlab.runs.workers import Done, Runner, Tick, attribute, do_tasks, here
from pokerlab.table.match import MatchPlan, MatchResult, check_supported, plans, play_match
from pokerlab.table.matches import Match, match_task, result_of
from pokerlab.table.winnings import sample, winnings
from pokerlab.valuing.answers import asked
from pokerlab.valuing.local_best_response import LocalBestResponse

Floats: TypeAlias = NDArray[np.float64]
MATCH_HANDS = 500  #: hands of one match, after which opponents that learn start from nothing
DEALS_A_COLUMN = 5  #: as many must be in each half for each column of luck, that its multiple be fitted


@dataclass(frozen=True)
class LbrWinnings:
    """What LBR won a hand: with luck taken out (`wins`), and in chips as they fell, which have the same mean."""

    agent: str
    game: str
    sizes: str
    wins: Estimate
    chips: Estimate

    @property
    def factor(self) -> float:
        """How many times fewer hands `wins` needs than `chips`; NaN where chips have no spread to begin with."""
        chips, wins = self.chips.half_width, self.wins.half_width
        return (chips / wins) ** 2 if chips > 0 and wins > 0 else float("nan")


def lbr_winnings(
    opponent: str,
    rules: Rules,
    *,
    make: str,
    hands: int,
    seed: int,
    sizes: str | None = None,
    units: str = "mbb_per_hand",
    runner: Runner = here,
    match_hands: int = MATCH_HANDS,
    report: Callable[[int, int], None] | None = None,
) -> LbrWinnings:
    """Play `hands` deals from both seats; `sizes` is LBR's menu, by default the game's.

    `make` is "module:function", which makes agents from names such as `opponent` and `lbr:opponent`.
    """
    names = (f"lbr({sizes}):{opponent}" if sizes is not None else f"lbr:{opponent}", opponent)
    lbr, other = (attribute(make)(name) for name in names)
    _check((lbr, other), names, rules)
    todo = plans(MatchPlan(rules, names, hands=match_hands, seed=seed), hands=hands, duplicate=True)
    tasks = [replace(match_task(Match(plan, make)), function=f"{__name__}:play") for plan in todo]
    done = do_tasks(tasks, runner=runner, report=report)
    played = [(result_of(plan, each), each.arrays["accounts"]) for plan, each in zip(todo, done, strict=True)]
    learns = isinstance(other, Observer)
    chips, wins = (
        winnings(sample(results, dependent=learns), rules, units)[0]
        for results in ([result for result, _ in played], _without_luck(played))
    )
    return LbrWinnings(opponent, rules.name, lbr.knowledge(rules).sizes, wins, chips)


def _check(agents: Sequence[Agent], names: Sequence[str], rules: Rules) -> None:
    """Before the work."""
    if rules.n_seats != 2:
        raise PokerlabError(f"{rules.name} is for {rules.n_seats} players; local best response is for two")
    check_supported(agents, names, rules)
    try:
        asked(agents[1], rules)
    except PokerlabError as error:
        raise PokerlabError(f"{names[1]}: {error}") from error


def play(match: Match, tick: Tick) -> Done:
    """Play a match of LBR, the first entrant; `accounts[hand, (outcome, luck ..)]` comes back beside the chips."""
    accounts: list[Floats] = []

    def end(agents: Sequence[Agent]) -> None:
        lbr = agents[0]
        assert isinstance(lbr, LocalBestResponse)
        accounts.extend(lbr.accounts)

    result = play_match(match.plan, attribute(match.make), on_hand=lambda hand: tick(1), on_end=end)
    return Done({"learned": result.learned}, {"chips": result.chips, "accounts": np.array(accounts)})


def _without_luck(played: Sequence[tuple[MatchResult, Floats]]) -> list[MatchResult]:
    """The matches with what LBR won by its accounts; both seatings of a deal get the mean of the two."""
    sets: dict[int, list[Floats]] = {}
    for result, account in played:
        sets.setdefault(result.plan.number, []).append(account)
    outcomes = np.concatenate([np.mean([a[:, 0] for a in same], axis=0) for same in sets.values()])
    luck = np.concatenate([np.concatenate([a[:, 1:] for a in same], axis=1) for same in sets.values()])
    left = outcomes + (luck * multiples(outcomes, luck)).sum(axis=1)
    ends = np.cumsum([len(same[0]) for same in sets.values()])
    by_number = dict(zip(sets, np.split(left, ends[:-1]), strict=True))
    by_result = [(result, by_number[result.plan.number]) for result, _ in played]
    return [replace(result, chips=np.stack([won, -won], axis=1)) for result, won in by_result]


def multiples(outcomes: Floats, luck: Floats) -> Floats:
    """`multiple[deal, column]`: by how much `luck[deal, column]` is to be added to `outcomes[deal]`.

    Those of every other deal are fitted to the deals between. With few deals there is one multiple for the sum of all
    columns; with fewer still, each column counts as much as it does in AIVAT: half, for it is of one of two seats.
    """
    n, n_columns = luck.shape
    if n < 2 * DEALS_A_COLUMN:
        return np.full((n, n_columns), 0.5)
    fitted = luck if n >= 2 * DEALS_A_COLUMN * n_columns else luck.sum(axis=1, keepdims=True)
    found = np.empty((n, n_columns))
    for half in (0, 1):
        other = slice(1 - half, None, 2)
        known = np.column_stack([np.ones(len(outcomes[other])), fitted[other]])
        found[half::2] = -np.linalg.lstsq(known, outcomes[other], rcond=None)[0][1:]
    return found
