"""Local best response (LBR): a player that knows its opponent's policy and exploits it by looking one action ahead.

It tracks the opponent's range: the probability of each hand given the opponent's policy and actions. At every decision
it compares folding, calling and each bet size that it has, assuming that betting ends after the opponent's response
(fold or not), and takes the best. It is not a best response. But its winnings, measured over some thousand hands, are a
lower bound on what a best response would win, in games of any size.

`lbr:AGENT` plays against AGENT; it holds a copy of AGENT that observes whatever LBR observes. `lbr(SIZES):AGENT` bets
the given sizes (in the grammar of `trees.sizes`): `lbr(none):poki` only folds and calls. By default it uses the single
bet of a limit game; otherwise pot and all-in.

After each hand LBR also records an `account` of it. This has the outcome, averaged over the opponent's whole range and
all cards to come, and the luck in it: how each deal and each choice of the opponent changed v, the value of checking
the hand down. Outcomes to which multiples of the luck are added have the same mean as the chips and less variance
(`valuing.lbr_winnings` fits good multiples). This holds because, given our hand and all public information (h):

- the opponent's hand is distributed like the range R, by Bayes' rule for the policy that it plays. At the end v(h) is
  the mean of the chips over R and the cards to come, so E[outcome] = E[chips];
- the opponent takes action a with probability p(a) = sum of R(hand) p(a | hand); then its range is R(hand) p(a | hand)
  / p(a). Its luck is the sum of p(a) v(h, a) over all actions, minus v(h, a) of the one taken, so it has mean 0;
- cards are dealt with the probabilities that R leaves, and hands that contain them drop out of the range. v(h) is a
  mean over hands and run-outs together, so it is the mean of v(h, cards) over these cards. The difference is the luck
  of the deal, with mean 0. The same holds for our own hand, whose v before the first action is `at_the_deal` on
  average.

LBR's own choices are not luck. Since the mean of the luck is 0 for each h, it is 0 over all hands.

>>> from pokerlab.agents.scripted import Scripted, folder
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), cards("AsAh 7c2d 3h4cJh 9s 2c")).view(1, 0, ("folder", "lbr"))
>>> {str(action): round(value, 2) for action, value in LocalBestResponse(Scripted(folder)).values(view).items()}
{'call': -3.08, 'raise to 20': 10.0, 'fold': -5.0}

References
----------
Lisy and Bowling (2017), "Equilibrium approximation quality of current no-limit poker bots", AAAI workshop on computer
poker and imperfect information games, section 4, algorithm 1. The accounts are those of Burch et al. (2018), "AIVAT",
section 4, with the value of checking down as value function.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from pokerlab.arrays import ByAction, Floats
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Observer, Policy, plays
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.policy import HandPolicy
from pokerlab.trees.sizes import default_sizes, parse_sizes, raises
from pokerlab.valuing.answers import Answers
from pokerlab.valuing.showdowns import Showdowns


class LocalBestResponse(HandPolicy):
    """Plays LBR against `policy`, which must be that of its only opponent; `sizes` are its bet sizes."""

    def __init__(self, policy: Policy, sizes: str | None = None) -> None:
        # An agent that learns may declare that it learns only from public information.
        if isinstance(policy, Observer) and not getattr(policy, "learns_in_public", False):
            raise PokerlabError(
                f"{type(policy).__name__} learns from cards that are not shown, and LBR cannot know them"
            )
        self.policy, self.sizes = policy, sizes
        self.accounts: list[Floats] = []
        self._known: Knowledge | None = None
        self._sat = (-1, -1)  # the last hand in which it acted, and its seat

    def supports(self, rules: Rules) -> bool:
        """Whether this is a game for two that the opponent plays."""
        return rules.n_seats == 2 and not rules.has_up_cards and plays(self.policy, rules)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """The action of highest value (deterministic)."""
        self._sat = (view.hand, view.seat)
        values = self.values(view)
        return max(values, key=lambda action: values[action])

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        """Probability 1 for the best action."""
        values = self.values(view)
        return (max(values, key=lambda action: values[action]),), np.ones(1)

    def values(self, view: View) -> dict[Action, float]:
        """The value in chips of each action that LBR considers, with the chips paid before included. Calling comes
        first, folding last."""
        known, betting, other = self.knowledge(view.rules), view.betting, 1 - view.seat
        mine, weights = known.showdowns.hands.number(view.hole), known.range_of(view, other)
        if not weights.any():  # the policy should never get here, so it may hold any hand
            weights = known.showdowns.hands.live(view.board) * known.showdowns.dealt[other]
        values = {CALL: stake_if_called(betting) * known.advantage(view.board, mine, weights)}
        for action in raises(known.menu[view.street], betting):
            after = view.after(action)
            folds = known.answers.chance_of(after, other, FOLD)
            share = known.mean(folds, mine, weights)
            stays = known.advantage(view.board, mine, weights * (1 - folds))
            values[action] = share * float(betting.spent[other]) + (1 - share) * stake_if_called(after.betting) * stays
        if view.legal().fold:
            values[FOLD] = -float(betting.spent[view.seat])
        return values

    def observe(self, hand: HandHistory) -> None:
        """Record the account of the hand, then let the copy of the opponent learn from it."""
        hand_number, seat = self._sat
        if hand.steps:
            me = seat if hand_number == hand.number else 1 - hand.steps[0].seat
            self.accounts.append(self.account(hand, me))
        else:  # players were all-in before anyone could act: pure luck, zero on average
            self.accounts.append(np.zeros(1 + 2 * len(hand.rules.streets)))
        if isinstance(self.policy, Observer):
            self.policy.observe(hand)
            self.knowledge(hand.rules).answers.forget()

    def account(self, hand: HandHistory, me: int) -> Floats:
        """Split the result of a hand for seat `me` into value and luck, using only the seat's own cards and the
        opponent's policy. Return `[outcome, luck of the deal by street .., luck of the opponent's actions by street
        ..]` in chips. Luck terms have mean 0; adding them to the outcome removes luck."""
        known, final, n_streets = self.knowledge(hand.rules), hand.final, len(hand.rules.streets)
        mine = known.showdowns.hands.number([card for card in final.hole(me) if card is not None])
        outcome, deals, actions, after = 0.0, np.zeros(n_streets), np.zeros(n_streets), None
        for before, step in final.public(hand.number, hand.names).decisions():
            if after is None:
                at_the_deal = (1 - 2 * me) * known.showdowns.at_the_deal
                deals[0] = stake_if_called(before.betting) * at_the_deal - known.check_down(before, mine, me)
            elif len(before.board) > len(after.board):
                deals[step.street] = known.check_down(after, mine, me) - known.check_down(before, mine, me)
            if step.seat != me:
                chance = known.answers.chance_of(before, step.seat, step.action)
                if not (known.range_of(before, step.seat) * chance).any():
                    name, where = hand.names[step.seat], hand.rules.street_name(step.street)
                    raise PokerlabError(f"{name} took {step.action} on the {where}, which its policy never does there")
                actions[step.street] += known.luck_of_action(before, step.action, mine, me)
            after = before.after(step.action)
            outcome = known.check_down(after, mine, me)
        return np.concatenate([[outcome], deals, actions])

    def knowledge(self, rules: Rules) -> Knowledge:
        """The opponent's action probabilities and ranges in a game."""
        if self._known is None or self._known.rules != rules:
            self._known = Knowledge(rules, self.policy, self.sizes)
        return self._known


class Knowledge:
    """What LBR knows in a game: the opponent's action probabilities and, for one of LBR's hands, what follows from the
    opponent's range."""

    def __init__(self, rules: Rules, policy: Policy, sizes: str | None) -> None:
        self.rules, self.showdowns = rules, Showdowns(rules)
        self.answers = Answers(policy, rules)
        own = parse_sizes(default_sizes(rules) if sizes is None else sizes, 1)[0]
        self.sizes = own.text
        own.check(rules)
        self.menu = [own.on_street(rules, street) for street in range(len(rules.streets))]

    def range_of(self, public: PublicView, seat: int) -> Floats:
        """`weight[hand]` of `seat`: probability of its actions with each hand; 0 for hands that conflict with the
        board."""
        weights = self.showdowns.hands.live(public.board) * self.showdowns.dealt[seat]
        for before, step in public.decisions():
            if step.seat == seat:
                weights *= self.answers.likelihood(before, seat, step.action)
        return weights

    def mean(self, values: Floats, mine: int, weights: Floats) -> float:
        """Weighted mean of `values[hand]` over the opponent's hands that contain none of our cards; 0 if there are
        none."""
        left = weights * self.showdowns.possible(np.array([mine]), self.showdowns.every)[0]
        total = left.sum()
        return float(left @ values / total) if total > 0 else 0.0

    def advantage(self, board: tuple[int, ...], mine: int, weights: Floats) -> float:
        """Our probability of winning minus that of losing against a range, over all cards to come."""
        return self.mean(self.showdowns.advantage(board, np.array([mine]), self.showdowns.every)[0], mine, weights)

    def check_down(self, public: PublicView, mine: int, me: int) -> float:
        """Chips of seat `me` if the bet is called and no more bets follow; exact once the betting is over."""
        betting = public.betting
        if betting.folded:
            stake = float(min(betting.spent))
            return -stake if betting.folded >> me & 1 else stake
        return stake_if_called(betting) * self.advantage(public.board, mine, self.range_of(public, 1 - me))

    def luck_of_action(self, public: PublicView, taken: Action, mine: int, me: int) -> float:
        """How lucky the opponent's action was: the expected value before it, minus the value after the action `taken`.

        Luck is 0 on average.
        """
        actions, p = self.answers.at(public, 1 - me)
        weights = self.range_of(public, 1 - me)
        shares = [self.mean(p[:, number], mine, weights) for number in range(len(actions))]
        expected = sum(
            share * self.check_down(public.after(action), mine, me)
            for share, action in zip(shares, actions, strict=True)
            if share > 0
        )
        return expected - self.check_down(public.after(taken), mine, me)


def stake_if_called(betting: Betting) -> float:
    """Total amount that the loser has put in once the current bet is called."""
    return float(min(max(betting.spent), *betting.rules.stacks))


def make_lbr(text: str, make: Callable[[str], object]) -> LocalBestResponse:
    """Make the player named `lbr:AGENT` or `lbr(SIZES):AGENT`; `make` makes AGENT."""
    parts = re.fullmatch(r"lbr(?:\((?P<sizes>[^)]*)\))?:(?P<agent>.+)", text)
    if parts is None:
        raise PokerlabError(f"{text!r} is not lbr:AGENT or lbr(SIZES):AGENT")
    opponent = make(parts["agent"])
    if not isinstance(opponent, Policy):
        raise PokerlabError(f"{parts['agent']} has no policy that can be queried for other hands")
    return LocalBestResponse(opponent, parts["sizes"])
