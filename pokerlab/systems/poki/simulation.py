"""The simulation player: estimates the values of a call and a raise by playing out the rest of the hand many times.

In every trial each opponent is dealt a hand from its weight table (folded ones too, since their cards are not in the
deck); then the board is completed. On these cards the hand is played to the end twice, with a call and with a raise as
the player's next action. All players act by the formula of their model: the player by its own style, the others with
thresholds fitted to their counted actions. A fold has value zero, the other actions the mean of their winnings. Trials
end when the best action is clear or the budget is spent. Before the flop the player uses the formula, as Poki did.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.rng import stream
>>> state = State.start(game("limit2p"), cards("AsAh 7c2d AcAd9h 5s4s"))
>>> for action in (CALL, CALL):
...     state = state.after(action)
>>> result = SimulationPoki().simulate(state.view(0, 0, ("a", "b")), stream(1, "doc"))
>>> result.actions, bool(result.value.min() > 0), result.trials <= 1000
((CALL, RaiseTo(10)), True, True)

References
----------
Davidson (2002), section 3.5, figure 3.9. There are two differences: a trial stops once the player has folded in it, and
the number of trials depends on how clear the result is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Literal

import numpy as np

from pokerlab.agents.explanation import Explanation
from pokerlab.arrays import Floats, Int16s
from pokerlab.cards.combos import N_COMBOS, combo_index, live_combos
from pokerlab.cards.evaluate import tables
from pokerlab.cards.strength import ehs, pot_odds
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.compiled import betting_array, rules_array
from pokerlab.games.narration import name_in
from pokerlab.games.protocols import Policy
from pokerlab.games.rules import MAX_SEATS
from pokerlab.games.views import PublicView, View
from pokerlab.policies.formula import FormulaPolicy, Situation, Style, board_strength, decide_plainly, raise_size
from pokerlab.rng import shuffled_deck, stream
from pokerlab.systems.poki.counted_formula import PRIOR, CountedFormula, as_calls
from pokerlab.systems.poki.neural import NeuralModel
from pokerlab.systems.poki.player import FormulaPlayer, PokiSettings
from pokerlab.systems.poki.weight_tables import field_array, without

if TYPE_CHECKING:
    from pokerlab.systems.poki._simulation_numba import TrialSpot, TrialWork

Stopped = Literal["clear", "trials", "seconds"]
N_STREETS, N_FACING, N_QUANTILES = 4, 3, 256
N_USUAL_BOARDS = 20


@dataclass(frozen=True)
class Budget:
    """How many trials a simulation player makes, or for how long, and how it chooses among the resulting values."""

    trials: int = 1000
    seconds: float | None = None  # time limit that replaces `trials`, for live play
    clear: float = 3.0  # trials end early if the best action leads by this many standard errors
    block: int = 50  # number of trials between two checks of the lead
    near: float = 0.0  # in big blinds; actions within this of the best are sometimes taken
    from_street: int = 1  # first street with simulations; the formula plays earlier ones

    def __post_init__(self) -> None:
        if self.trials < 1 or self.block < 2 or (self.seconds is not None and self.seconds <= 0):
            raise PokerlabError(
                f"a simulation needs at least 1 trial, 2 trials in a block, and time above 0, not {self}"
            )
        if not 1 <= self.from_street < N_STREETS:
            raise PokerlabError(f"simulation can begin on street 1, 2 or 3, not {self.from_street}")


@dataclass(frozen=True)
class SimulatedValues:
    """Result of the trials for a decision. The value of an action is the chips won from here on; a fold has value 0."""

    actions: tuple[Action, ...]  # fold (if legal), call, raise (if legal)
    value: Floats  # value[action] in chips
    error: Floats  # error[action]: standard error of the value
    trials: int
    stopped: Stopped

    def preferences(self, near: float) -> Floats:
        """`p[action]`: the most valuable action (ties go to the call), mixed with those within `near` chips of it."""
        call = self.actions.index(CALL)
        lag = self.value.max() - self.value
        if near > 0:
            share = np.maximum(1 - lag / near, 0.0)
            return np.asarray(share / share.sum())
        best = call if lag[call] == 0 else int(lag.argmin())
        return np.asarray(np.eye(len(self.actions))[best])

    def words(self, betting: Betting) -> tuple[str, ...]:
        """Sentences with the values, their 95% intervals, and why the trials ended."""
        values = zip(self.actions, self.value, self.error, strict=True)
        parts = [f"{name_in(betting, action)} {value:+.1f} ± {1.96 * error:.1f}" for action, value, error in values]
        reasons = {"clear": "the best action was clear", "trials": "no more were allowed", "seconds": "the time was up"}
        why = reasons[self.stopped]
        return (f"Chips won from here on: {', '.join(parts)}.", f"It played {self.trials:,} trials, until {why}.")


class SimulationPoki(FormulaPlayer):
    """A Poki that simulates from the flop on. It is not a policy for every hand, since trials are only for its actual
    hand.

    `last` is the result of its last simulation; None if it last acted by the formula.
    """

    def __init__(self, settings: PokiSettings | None = None, budget: Budget | None = None) -> None:
        super().__init__(settings)
        self.budget = budget or Budget()
        self.last: SimulatedValues | None = None

    def _balances(self, public: PublicView, seat: int) -> bool:
        """Always False: the player cannot conceal its hand, since its trials evaluate only that hand."""
        return False

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Choose the action of largest value, or one near it (`Budget.near`); before the flop, an action of the
        formula."""
        self.last = None
        if view.street < self.budget.from_street:
            return super().act(view, rng)
        self.last = self.simulate(view, rng)
        p = self.last.preferences(self.budget.near * float(view.rules.big_blind))
        if p.max() == 1:
            return self.last.actions[int(p.argmax())]
        return self.last.actions[int(np.searchsorted(np.cumsum(p)[:-1], rng.random(), side="right"))]

    def simulate(self, view: View, rng: np.random.Generator) -> SimulatedValues:
        """Play trials from `view` until the budget is spent or one action is clearly best.

        All trials use one random key, a single 64-bit number drawn from `rng`.
        """
        legal = view.legal()
        may_raise = legal.raise_min is not None
        tally = _Tally(legal.fold, may_raise)
        stopped: Stopped = "trials" if self.budget.seconds is None else "seconds"
        for net in self._blocks(view, rng, may_raise):
            tally.add(net)
            if tally.lead() >= self.budget.clear:
                stopped = "clear"
                break
        raises = (RaiseTo(raise_size(view)),) if may_raise else ()
        actions = (*((FOLD,) if legal.fold else ()), CALL, *raises)
        return SimulatedValues(actions, tally.mean, tally.error, tally.n, stopped)

    def _blocks(self, view: View, rng: np.random.Generator, may_raise: bool) -> Iterator[Floats]:
        """Yield `net[trial, (call, raise)]` in blocks of trials, as long as the budget lasts."""
        from pokerlab.systems.poki import _simulation_numba as kernel

        budget, started, done = self.budget, perf_counter(), 0
        key = np.array([rng.integers(0, 2**64, dtype=np.uint64), 0], np.uint64)
        spot, work = self.spot(view), work_space(view.rules.n_seats)
        while True:
            n = budget.block if budget.seconds is not None else min(budget.block, budget.trials - done)
            if n <= 0 or (budget.seconds is not None and done and perf_counter() - started >= budget.seconds):
                return
            net = np.zeros((n, 1 + may_raise))
            kernel.simulate(spot, work, key, done, may_raise, net)
            done += n
            yield net

    def spot(self, view: View) -> TrialSpot:
        """The decision in the form that the kernel reads."""
        from pokerlab.systems.poki import _simulation_numba as kernel

        n = view.rules.n_seats
        models = [self.models.model_of(name) for name in view.names]
        styles = [self.settings.style if s == view.seat else _style_of(models[s]) for s in range(n)]
        hands, board = np.zeros(n, np.int64), np.zeros(5, np.uint8)
        hands[view.seat], board[: len(view.board)] = combo_index(*view.hole), view.board
        cumulative = self._cumulative(view)
        mine, field = self._own_future(view)
        return kernel.TrialSpot(
            r=rules_array(view.rules),
            start=betting_array(view.betting),
            me=view.seat,
            hands=hands,
            board=board,
            n_shown=len(view.board),
            cumulative=cumulative,
            guide=np.stack([_guide(row, kernel.N_GUIDES) for row in cumulative]),
            now=np.stack(board_strength(view.board, self.settings.stranger.n_ahead)),
            believed=self.settings.future == "believed",
            mine=mine,
            field=field,
            style=np.array([[getattr(style, name) for name in kernel.STYLE_FIELDS] for style in styles]),
            at=np.stack([_NO_THRESHOLDS if s == view.seat else thresholds_of(models[s], view) for s in range(n)]),
            tables=tables(),
        )

    def _cumulative(self, view: View) -> Floats:
        """`cumulative[seat, combo]` weights of the hands that are possible given the player's cards and the board."""
        live = live_combos(sum(1 << card for card in (*view.hole, *view.board))).astype(np.float64)
        if not self.settings.weighted:
            return np.cumsum(np.tile(live, (view.rules.n_seats, 1)), axis=1)
        held = [
            without(weights, view.hole)
            for weights in self.tables_of(view, view.seat, range(view.rules.n_seats)).values()
        ]
        return np.cumsum([weights if weights.any() else live for weights in held], axis=1)

    def _own_future(self, view: View) -> tuple[Floats, Floats]:
        """What the trials need for the player's own later decisions: (`[HS, PPot]` against one opponent now,
        `weights[combo]` of an average opponent)."""
        hs, ppot = self.strength(view)
        held = list(self.beliefs(view).values())
        return np.array([hs ** (1 / len(held)), ppot]), field_array(held)

    def explain(self, view: View) -> Explanation:
        """The formula's numbers and beliefs; from the flop on also the result of a simulation with a fixed seed."""
        formula = super().explain(view)
        if view.street < self.budget.from_street:
            return formula
        result = self.simulate(view, stream(0, "explain", index=view.hand))
        names = [name_in(view.betting, action) for action in result.actions]
        values = {f"value of {name}": float(value) for name, value in zip(names, result.value, strict=True)}
        return Explanation(
            result.actions,
            result.preferences(self.budget.near * float(view.rules.big_blind)),
            {**formula.numbers, **values, "trials": float(result.trials)},
            formula.weights,
            result.words(view.betting),
        )


class _Tally:
    """Sums over trials of each action's winnings and of their products, from which means and standard errors follow."""

    def __init__(self, may_fold: bool, may_raise: bool) -> None:
        k = may_fold + 1 + may_raise
        self.n, self._may_fold = 0, may_fold
        self._total, self._products = np.zeros(k), np.zeros((k, k))

    def add(self, net: Floats) -> None:
        """Add trials `net[trial, (call, raise)]`; a fold wins nothing."""
        x = np.hstack([np.zeros((len(net), int(self._may_fold))), net])
        self.n += len(x)
        self._total += x.sum(axis=0)
        self._products += x.T @ x

    @property
    def mean(self) -> Floats:
        """Mean winnings by action."""
        return self._total / self.n

    @property
    def error(self) -> Floats:
        """Standard errors of the means."""
        return np.asarray(np.sqrt(np.diag(self._covariance())))

    def lead(self) -> float:
        """Lead of the best action over its nearest rival, in standard errors of the difference on the same cards."""
        covariance, mean = self._covariance(), self.mean
        best = int(mean.argmax())
        lead = mean[best] - np.delete(mean, best)
        variance = np.delete(covariance[best, best] + np.diag(covariance) - 2 * covariance[best], best)
        error = np.sqrt(np.maximum(variance, 0))
        return min((float(a / e) if e > 0 else np.inf for a, e in zip(lead, error, strict=True)), default=np.inf)

    def _covariance(self) -> Floats:
        mean = self.mean
        return np.asarray((self._products / self.n - np.outer(mean, mean)) / max(self.n - 1, 1))


def _guide(cumulative: Floats, n: int) -> Int16s:
    """`guide[i]`: first combo with a cumulative weight above `i / n` of the total."""
    parts = cumulative[-1] * (np.arange(n) / n)
    return np.asarray(np.searchsorted(cumulative, parts, side="right"), np.int16)


# --- models as thresholds --------------------------------------------------------------------------------------------


def _style_of(model: Policy) -> Style:
    """The style of a model. Models that are not based on the formula get the default style."""
    return model.style if isinstance(model, FormulaPolicy | CountedFormula | NeuralModel) else Style()


_NO_THRESHOLDS: Floats = np.full((N_STREETS, N_FACING, MAX_SEATS, 2), np.nan)
"""`at[street, facing, opponents, (call, raise)]` of a player who follows its style."""


def thresholds_of(model: Policy, view: View) -> Floats:
    """`at[street, facing, opponents, (call, raise)]`: thresholds that reproduce the counted frequencies of a player.

    `CountedFormula` computes thresholds anew on every board. Here they are computed once per decision: for this street
    on the current board, and for later streets on typical boards with one or two bets to call. NaN means that nothing
    was counted.
    """
    at = _NO_THRESHOLDS.copy()
    if not isinstance(model, CountedFormula) or not model.counts[view.street :].any():
        return at
    odds = pot_odds(1, 6) if view.rules.limits == "limit" else pot_odds(1, 2)
    most = view.rules.n_seats - view.betting.folded.bit_count() - 1
    for street in range(view.street, N_STREETS):
        board = view.board if street == view.street else ()
        for n_opponents in range(1, most + 1):
            quantiles, expected = _usual(board, street, n_opponents, model.style, odds)
            seen = as_calls(model.counts[street])
            target = (PRIOR * expected + seen) / (PRIOR + seen.sum(axis=1, keepdims=True))
            shares = np.stack([target[:, 0], 1 - target[:, 2]], axis=1)
            fitted = quantiles[np.minimum((shares * N_QUANTILES).astype(np.intp), N_QUANTILES - 1)]
            at[street, :, n_opponents] = np.where(seen.any(axis=1, keepdims=True), fitted, np.nan)
    return at


@lru_cache(maxsize=512)
def _usual(board: tuple[int, ...], street: int, n_opponents: int, style: Style, odds: float) -> tuple[Floats, Floats]:
    """Return (quantiles of strength, `share[facing, kind]`: how often a player with `style` takes each kind of action),
    on a given board or on typical boards."""
    hs, ppot = _live_strength(board, style.n_ahead) if board else _usual_strength(street, style.n_ahead)
    strength = ehs(hs, ppot, n_opponents=n_opponents)
    river = street == N_STREETS - 1
    hidden = 1 - (1 - (0.0 if river else style.slow_play)) * (1 - style.check_raise)
    shares = []
    for facing in range(N_FACING):
        extra = style.per_bet * (facing - 1)
        at = (style.call_at + extra, min(style.raise_at + extra, 0.97)) if facing else (0.0, style.bet_at)
        here = Situation(
            *at, style.band, odds, style.semi_bluff, style.bluff, hidden, style.noise,
            postflop=True, unopened=not facing, river=river, few=n_opponents <= 2, may_fold=facing > 0, may_raise=True,
            careful=style.careful,
        )  # fmt: skip
        shares.append(decide_plainly(here, strength, ppot).mean(axis=0))
    return np.quantile(strength, (np.arange(N_QUANTILES) + 0.5) / N_QUANTILES), np.stack(shares)


def _live_strength(board: tuple[int, ...], n_ahead: int) -> tuple[Floats, Floats]:
    """Return (HS, PPot) of the combos that are possible on a board."""
    live = live_combos(sum(1 << card for card in board))
    hs, ppot = board_strength(board, n_ahead)
    return hs[live], ppot[live]


@lru_cache(maxsize=2 * N_STREETS)
def _usual_strength(street: int, n_ahead: int) -> tuple[Floats, Floats]:
    """Return (HS, PPot) of every eighth hand on each of some random boards."""
    boards = [shuffled_deck(0, "usual boards", index=i, n_first=street + 2) for i in range(N_USUAL_BOARDS)]
    strengths = [_live_strength(board, n_ahead) for board in boards]
    return np.concatenate([hs[::8] for hs, _ in strengths]), np.concatenate([ppot[::8] for _, ppot in strengths])


def work_space(n_seats: int) -> TrialWork:
    """Allocate the arrays that the kernel writes to; the kernel itself allocates nothing."""
    from pokerlab._rng_numba import STATE_WORDS
    from pokerlab.games._betting_numba import LENGTH
    from pokerlab.systems.poki import _simulation_numba as kernel

    rows, sample = kernel.N_ROWS, kernel.N_SAMPLE
    return kernel.TrialWork(
        words=np.zeros(STATE_WORDS, np.uint64), b=np.zeros(LENGTH, np.int64), s=np.zeros(len(Situation._fields)),
        strength=np.zeros((N_STREETS, n_seats, 2)), known=np.zeros((N_STREETS, n_seats), np.bool_),
        rank=np.zeros(n_seats, np.int64), net=np.zeros(n_seats),
        ranked=np.zeros(rows, np.bool_), ranks=np.zeros((rows, N_COMBOS), np.int16),
        sample=np.zeros((rows - 1, sample), np.int64),
        sample_now=np.zeros((rows - 1, sample), np.int16),
        sample_later=np.zeros((rows - 1, sample, 52), np.int16),
        mine_later=np.zeros(52, np.int16),
    )  # fmt: skip
