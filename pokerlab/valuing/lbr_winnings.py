"""Winnings of local best response (LBR) against an agent, from matches: raw chips, and with luck removed.

LBR's winnings depend on its bet sizes: a player that responds well to the bets of its own betting tree may be helpless
against other sizes. So LBR plays the same deals with many *menus* (sets of sizes), and the result is that of the menu
that wins most. A menu of several sizes does not always win more than one of them alone, because LBR looks only one
action ahead.

Every deal is played from both seats. For each hand LBR records an account (`valuing.local_best_response`): the expected
outcome, and luck terms of mean zero. Multiples of the luck terms are subtracted from the outcomes. Least squares on one
half of the deals gives the multiples m for the other half. So m is independent of the luck that it multiplies, E[m
luck] = E[m] E[luck] = 0, and the mean stays that of the chips. `factor` says how many times fewer hands this needs for
the same interval.

If there are few deals, the rare large pots are often missing. With all luck removed, the other deals look more alike
than they are, and 95% intervals from 10 deals contained the mean in only 84 to 94% of samples. So with n deals only n /
(n + `HELD_BACK`) of the fitted luck is removed; intervals from 10, 30 and 200 deals then contain the mean in 93 to 97%
(docs/results/trust.md).

>>> from pokerlab.games.catalog import game
>>> (won,) = lbr_winnings("folder", game("limit2p"), make="pokerlab.players.registry:agent", hands=20, seed=1)
>>> print(won.chips)
+750.0 ± 0.0 mbb/hand (n = 20 deals, 2 seatings each)

As a check: a player that always folds pays the small blind of 500 mbb in half of the hands, and the big blind of 1000
mbb in the other half.

References
----------
Lisy and Bowling (2017); see `valuing.local_best_response`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, exact
from pokerlab.games.betting import Betting
from pokerlab.games.protocols import Agent, Observer
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Done, Runner, Tick, attribute, do_tasks, here
from pokerlab.table.comparison import Winnings, winnings_of
from pokerlab.table.match import MatchPlan, MatchResult, plans, play_match
from pokerlab.table.matches import MatchTask, match_keys, match_task, result_details, result_of
from pokerlab.table.players import check_supported
from pokerlab.table.winnings import match_length
from pokerlab.trees.sizes import Size, Sizes, default_sizes, parse_sizes
from pokerlab.valuing.answers import policy_of
from pokerlab.valuing.local_best_response import LocalBestResponse

MATCH_HANDS = 500  #: maximum hands of a match; opponents that learn start each match anew
FEWEST_DEALS = 10  #: minimum deals to fit a multiple of the luck
DEALS_A_COLUMN = 15  #: minimum deals in each half, per luck term, to fit a multiple for every term
HELD_BACK = 50  #: number of deals with which only half of the fitted luck is removed
SWEPT = ("0.25p", "0.5p", "0.75p", "1p", "1.5p", "2p", "3p", "5p", "10p", "20p", "all-in")
"""Sizes from small to far larger than those of betting trees. In `menus_for` each is a menu of its own."""


@dataclass(frozen=True)
class LbrWinnings:
    """LBR's winnings per hand with the bet sizes `sizes`: with luck removed (`wins`) and in raw chips (`chips`), which
    have the same expected value. `won` has `wins` by deal or match set. `on_tree` says whether the opponent's betting
    tree has all these sizes; None if the opponent has no tree."""

    sizes: str
    wins: Estimate
    chips: Estimate
    won: Winnings = field(repr=False)
    on_tree: bool | None = None

    @property
    def factor(self) -> float:
        """The factor by which `wins` needs fewer hands than `chips`; NaN if the chips have no variance."""
        chips, wins = self.chips.half_width, self.wins.half_width
        return (chips / wins) ** 2 if chips > 0 and wins > 0 else float("nan")


def worst(menus: Sequence[LbrWinnings]) -> LbrWinnings:
    """The menu with which LBR wins most. Its interval is wider, because it was selected (`Estimate.among`)."""
    most = max(menus, key=lambda menu: menu.wins.mean)
    return replace(most, wins=most.wins.among(len(menus)), chips=most.chips.among(len(menus)))


def always_folding(rules: Rules, units: str = "mbb_per_hand") -> Estimate:
    """What a player loses that folds every hand: its blinds and antes, as the mean of both seats.

    >>> from pokerlab.games.catalog import game
    >>> print(always_folding(game("nolimit2p")))
    +750.0 mbb/hand, exact
    """
    spent = Betting.start(rules).spent
    return exact(float(sum(spent)) / len(spent) * units_per_chip(rules, units), units=units)


def menus_for(opponent: Agent, rules: Rules) -> tuple[str, ...]:
    """The default menus of bet sizes. A limit game has one. In other games they are each size of `SWEPT` alone, the
    sizes of the opponent's betting tree (if it has none, pot and all-in), and all sizes of `SWEPT` together."""
    if rules.limits == "limit":
        return (default_sizes(rules),)
    own = opponent.strategy(0).tree.sizes[0].text if isinstance(opponent, StrategyPolicy) else default_sizes(rules)
    return tuple(dict.fromkeys((*SWEPT, own, ", ".join(SWEPT))))


def lbr_winnings(
    opponent: str,
    rules: Rules,
    *,
    make: str,
    hands: int,
    seed: int,
    sizes: Sequence[str] | None = None,
    units: str = "mbb_per_hand",
    runner: Runner = here,
    run: RunDirectory | None = None,
    match_hands: int | None = None,
    report: Callable[[int, int], None] | None = None,
) -> list[LbrWinnings]:
    """Play `hands` deals from both seats with each menu of `sizes`, by default those of `menus_for`. All menus are
    dealt the same cards. `make` ("module:function") makes agents from names such as `opponent` and `lbr:opponent`.
    Finished matches are saved in `run` and not played again."""
    other = attribute(make)(opponent)
    menus = tuple(sizes) if sizes is not None else menus_for(other, rules)
    todo = lbr_plans(opponent, rules, make=make, hands=hands, seed=seed, sizes=menus, match_hands=match_hands)
    keys = match_keys(len(todo))
    matches = [match_task(MatchTask(plan, make, key)) for plan, key in zip(todo, keys, strict=True)]
    tasks = [replace(task, function=f"{__name__}:play") for task in matches]
    done = do_tasks(tasks, runner=runner, run=run, folder="matches", report=report)
    played = [(result_of(plan, each), each.arrays["accounts"]) for plan, each in zip(todo, done, strict=True)]
    each_has, learns = len(todo) // len(menus), isinstance(other, Observer)
    by_menu = []
    for number, menu in enumerate(menus):
        mine = played[number * each_has : (number + 1) * each_has]
        both = (_without_luck(mine), [result for result, _ in mine])
        won, chips = (winnings_of(results, units, dependent=learns) for results in both)
        by_menu.append(LbrWinnings(menu, won.mean, chips.mean, won, _on_tree(menu, other)))
    return by_menu


def lbr_plans(
    opponent: str, rules: Rules, *, make: str, hands: int, seed: int, sizes: Sequence[str], match_hands: int | None
) -> list[MatchPlan]:
    """Plans of the matches of `lbr_winnings`, menu by menu. Raise an error for agents against whom LBR cannot play."""
    other = attribute(make)(opponent)
    learns = isinstance(other, Observer)
    length = min(MATCH_HANDS, match_length(hands, depend=learns)) if match_hands is None else match_hands
    todo = []
    for menu in sizes:
        names = (f"lbr({menu}):{opponent}", opponent)
        lbr = attribute(make)(names[0])
        _check((lbr, other), names, rules)
        lbr.knowledge(rules)  # raises an error for sizes that the game does not have
        todo += plans(MatchPlan(rules, names, hands=length, seed=seed), hands=hands, duplicate=True)
    return todo


def _on_tree(menu: str, opponent: Agent) -> bool | None:
    """Whether the opponent's betting tree has all the sizes of a menu, on any street; None if it has no tree."""
    if not isinstance(opponent, StrategyPolicy):
        return None
    known = {size for seat in (0, 1) for side in opponent.strategy(seat).tree.sizes for size in _sizes_in(side)}
    return {size for side in parse_sizes(menu, 1) for size in _sizes_in(side)} <= known


def _sizes_in(side: Sizes) -> set[Size]:
    return {size._replace(once=False) for _, sizes in side.sections for size in sizes}


def _check(agents: Sequence[Agent], names: Sequence[str], rules: Rules) -> None:
    """Raise an error for unsuitable games and players, before the first match."""
    if rules.n_seats != 2:
        raise PokerlabError(f"{rules.name} is for {rules.n_seats} players; local best response is for two")
    check_supported(agents, names, rules)
    try:
        policy_of(agents[1], rules)
    except PokerlabError as error:
        raise PokerlabError(f"{names[1]}: {error}") from error


def play(match: MatchTask, tick: Tick) -> Done:
    """Play a match with LBR as the first entrant. The result has `accounts[hand, (outcome, luck ..)]` in addition to
    the chips."""
    accounts: list[Floats] = []

    def end(agents: Sequence[Agent]) -> None:
        lbr = agents[0]
        assert isinstance(lbr, LocalBestResponse)
        accounts.extend(lbr.accounts)

    result = play_match(match.plan, attribute(match.make), on_hand=lambda hand: tick(1), on_end=end)
    return Done(result_details(result), {"chips": result.chips, "accounts": np.array(accounts)})


def _without_luck(played: Sequence[tuple[MatchResult, Floats]]) -> list[MatchResult]:
    """The results of the matches, with the luck removed from LBR's winnings. Both seatings of a deal get their common
    mean."""
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
    """Fit `multiple[deal, term]`: the factor with which `luck[deal, term]` is added to `outcomes[deal]` to reduce its
    variance.

    Multiples for even deals are fitted on odd ones and vice versa. If there are few deals, a single multiple is fitted
    for the sum of all terms. If there are fewer than `FEWEST_DEALS`, nothing is fitted: every multiple is 1/2, since a
    deal's outcome is the mean of two seats. All multiples are shrunk (`HELD_BACK`).
    """
    n, n_columns = luck.shape
    shrunk = n / (n + HELD_BACK)
    if n < FEWEST_DEALS:
        return np.full((n, n_columns), 0.5 * shrunk)
    fitted = luck if n >= 2 * DEALS_A_COLUMN * n_columns else luck.sum(axis=1, keepdims=True)
    multiple = np.empty((n, n_columns))
    for half in (0, 1):
        other = slice(1 - half, None, 2)
        known = np.column_stack([np.ones(len(outcomes[other])), fitted[other]])
        multiple[half::2] = -shrunk * np.linalg.lstsq(known, outcomes[other], rcond=None)[0][1:]
    return multiple
