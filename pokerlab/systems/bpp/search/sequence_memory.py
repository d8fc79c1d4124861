"""Memory of an opponent's actions after each sequence of bets, and of the hands it showed, in heads-up limit hold'em.

A decision of the betting tree is identified by its sequence of bets; action frequencies are stored for every decision,
and a histogram of hand strength for every showdown. Few sequences are observed often. So the estimate for a sequence
also uses two coarser contexts, which many sequences share, and a prior for strangers. In each average, a context with
`n` observations has weight `n`, and the estimate of the next coarser one has weight `BEHIND_ACTS` or `BEHIND_HANDS`.
Observations fade from hand to hand, so that the memory follows a change of style. The prior says that strangers fold
seldom and raise with strong hands. Against strangers the player therefore bets good hands and does not bluff. This
assumption is never costly, while assuming sound players is (docs/bpp.md).

>>> from pokerlab.games.catalog import game
>>> memory = SequenceMemory(game("limit2p"))
>>> stranger = memory.action_share(0, Kind.CALL)
>>> for _ in range(12):
...     memory.saw_action(0, Kind.CALL)
>>> stranger, round(memory.action_share(0, Kind.CALL), 3)
(0.7, 0.995)

References
----------
Taylor (2007), section 3.3.3, on the search player of 2004: frequencies by betting context that fade, and the chance to
win at a leaf. Billings et al. (2004), "Game-tree search with adaptation in stochastic imperfect-information games", for
histograms of shown hands and coarser contexts behind finer ones. The contexts and their weights are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import AnyArray, Floats, Int64s
from pokerlab.cards.strength import strength_of_hand
from pokerlab.errors import FileError, PokerlabError, RulesError
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.trees.betting_tree import BettingTree, build_tree

Known: TypeAlias = tuple[AnyArray, AnyArray, AnyArray, AnyArray]
N_KINDS = 3
N_CELLS = 20  #: cells of hand strength in a histogram of shown hands
BEHIND_ACTS, BEHIND_HANDS = (4.0, 4.0, 4.0), (60.0, 30.0, 4.0)
"""Weight of the next coarser estimate, as a number of observations: for the sequence itself, the middle and the
coarsest context.

Few hands are shown, so the estimated probability of winning is noisy, and an action may look best by chance. A
sequence's own histogram therefore counts for little until it has many hands.
"""
TILT = 1.5  #: the more raises, the stronger a stranger's shown hands: exponent of hand strength per raise
FADES = 0.002  #: share of the memory that fades with every hand
LARGEST_WEIGHT = 1e6  #: of a new observation; beyond it all weights are divided by it
KIND = "sequence memory"
NOT_FACING, FACING = (0.0, 0.7, 0.3), (0.1, 0.7, 0.2)
"""How often strangers fold, call (check) and raise (bet): with nothing to call, and facing a bet."""


@dataclass(frozen=True, eq=False)
class Contexts:
    """Contexts of every decision and every showdown of a betting tree."""

    tree: BettingTree
    decisions: Int64s  # decisions[level, decision]: context numbers, from the sequence itself to the coarsest
    endings: Int64s  # endings[level, ending, seat]: context of the hand shown by `seat`; -1 without a showdown
    stranger_acts: Floats  # stranger_acts[decision, kind]: frequencies
    stranger_shows: Floats  # stranger_shows[ending, seat, edge]: share of hands below each edge between cells


class SequenceMemory:
    """One player's actions and shown hands by betting context; recent hands have more weight."""

    def __init__(self, rules: Rules, *, fades: float = FADES) -> None:
        self.contexts, self.fades = contexts_of(rules), fades
        self.acted = np.zeros((int(self.contexts.decisions.max()) + 1, N_KINDS))
        # hands below each edge between cells
        self.shown = np.zeros((int(self.contexts.endings.max()) + 1, N_CELLS + 1))
        self.weight = 1.0  # weight of a new observation; it grows, so that earlier ones fade

    @property
    def about_actions(self) -> Known:
        """Arrays about actions for the kernels: contexts, counts, the prior for strangers, and weights of coarser
        contexts."""
        here = self.contexts
        return here.decisions, self.acted, here.stranger_acts, np.array(BEHIND_ACTS) * self.weight

    @property
    def about_hands(self) -> Known:
        """Arrays about shown hands for the kernels: contexts, counts, the prior for strangers, and weights of coarser
        contexts."""
        here = self.contexts
        return here.endings, self.shown, here.stranger_shows, np.array(BEHIND_HANDS) * self.weight

    def observe(self, hand: HandHistory, seat: int) -> None:
        """Learn from the actions of `seat` in a finished hand, and from its cards if they were shown."""
        tree, place = self.contexts.tree, 0
        for action in hand.actions:
            if tree.actor[place] == seat:
                self.saw_action(place, action.kind)
            place = int(next(tree.child[edge] for edge in tree.edges(place) if tree.kind[edge] == action.kind))
        cards = [card for card in (*hand.final.hole(seat), *hand.final.board) if card is not None]
        if seat in hand.shown and len(cards) == 7:
            self.saw_hand(~place, seat, float(strength_of_hand(cards[:2], cards[2:]).hs))
        self.weight /= 1 - self.fades
        if self.weight > LARGEST_WEIGHT:
            self.acted /= self.weight
            self.shown /= self.weight
            self.weight = 1.0

    def saw_action(self, decision: int, kind: int) -> None:
        """Count an action of this kind at a decision and in its coarser contexts."""
        self.acted[self.contexts.decisions[:, decision], kind] += self.weight

    def saw_hand(self, ending: int, seat: int, hand_strength: float) -> None:
        """Count a hand that `seat` showed at a showdown, also in its coarser contexts."""
        cell = min(int(hand_strength * N_CELLS), N_CELLS - 1)
        self.shown[self.contexts.endings[:, ending, seat], cell + 1 :] += self.weight

    def action_share(self, decision: int, kind: int) -> float:
        """Expected frequency with which the player takes an action of `kind` (fold, call or raise) at a decision."""
        from pokerlab.systems.bpp.search import _sequence_memory_numba as kernels

        return float(kernels.action_share(*self.about_actions, decision, kind))

    def share_below(self, ending: int, seat: int, hand_strength: float) -> float:
        """Expected frequency with which the player, sitting at `seat`, shows a hand weaker than `hand_strength` at the
        showdown `ending`."""
        from pokerlab.systems.bpp.search import _sequence_memory_numba as kernels

        return float(kernels.share_below(*self.about_hands, ending, seat, hand_strength))

    def seen(self, decision: int) -> float:
        """Number of remembered actions at a decision; faded actions count less than one."""
        return float(self.acted[self.contexts.decisions[0, decision]].sum() / self.weight)


class SequenceMemories:
    """Memories of all players, by name, and their file."""

    def __init__(self, *, fades: float = FADES) -> None:
        self.fades = fades
        self._of: dict[str, SequenceMemory] = {}

    def of(self, name: str, rules: Rules) -> SequenceMemory:
        """Memory of a player; empty for a stranger."""
        if name not in self._of:
            self._of[name] = SequenceMemory(rules, fades=self.fades)
        known = self._of[name].contexts.tree.rules
        if known != rules:
            raise PokerlabError(f"the memory of {name} is for {known.name}, not for {rules.name}")
        return self._of[name]

    def observe(self, hand: HandHistory) -> None:
        for seat, name in enumerate(hand.names):
            self.of(name, hand.rules).observe(hand, seat)

    def save(self, path: Path) -> None:
        names = sorted(self._of)
        rules = next((self._of[name].contexts.tree.rules for name in names), None)
        weights = [self._of[name].weight for name in names]
        game = None if rules is None else rules_to_json(rules)
        about = {"names": names, "weights": weights, "fades": self.fades, "game": game}
        arrays: dict[str, Floats] = {}
        for n, name in enumerate(names):
            arrays |= {f"acted {n}": self._of[name].acted, f"shown {n}": self._of[name].shown}
        write_arrays(path, KIND, about, arrays)

    def load(self, path: Path) -> None:
        about, arrays = read_arrays(path, KIND)
        with well_formed(path):
            self._of, self.fades = {}, _fraction(about["fades"])
            for n, (name, weight) in enumerate(zip(about["names"], about["weights"], strict=True)):
                rules = rules_from_json(about["game"])
                if n == 0:
                    _check_size(rules, len(arrays["acted 0"]), path)
                memory = self.of(str(name), rules)
                memory.weight = float(weight)
                if not 0 < memory.weight <= LARGEST_WEIGHT:
                    raise ValueError(f"the weight of {name} is {weight}")
                memory.acted = shaped(arrays[f"acted {n}"], *memory.acted.shape)
                memory.shown = shaped(arrays[f"shown {n}"], *memory.shown.shape)


def _check_size(rules: Rules, n_counted: int, path: Path) -> None:
    """Raise an error if the game has more decisions than the file has counts. This is checked before the tree is built,
    since a tree may have millions of decisions."""
    try:
        build_tree(rules, max_decisions=n_counted)
    except RulesError as error:
        raise FileError(f"{path} is damaged: its counts are of another game ({error})") from error


def _fraction(number: float) -> float:
    if not 0 <= number < 1:
        raise ValueError(f"{number} is not a share between 0 and 1")
    return float(number)


@lru_cache(maxsize=4)
def contexts_of(rules: Rules) -> Contexts:
    """Make the contexts of a heads-up limit game."""
    tree = build_tree(rules)
    raised = _raises_before(tree)
    streets = np.arange(len(rules.streets))
    n, seats = tree.n_decisions, np.arange(2)
    own, other = tree.actor.astype(int), 1 - tree.actor.astype(int)
    now = raised[np.arange(n), :, tree.street]  # now[decision, seat]: raises on the decision's street
    before = np.where(streets[None, None] < tree.street[:, None, None], raised[:n], 0).sum(axis=2)
    facing = tree.decision_spent[np.arange(n), other] > tree.decision_spent[np.arange(n), own]
    place = np.arange(n)
    middle = [tree.street, own, now[place, own], now[place, other], facing]
    middle += [np.minimum(before[place, own], 2), np.minimum(before[place, other], 2)]
    coarse = [tree.street, facing, now.sum(axis=1)]
    decisions = _numbered([np.arange(n)], middle, coarse)

    ended = raised[n:].sum(axis=2)  # ended[ending, seat]: raises in the whole hand
    river = raised[n:, :, -1]
    n_endings = len(ended)
    sequence, whose = np.repeat(np.arange(n_endings), 2), np.tile(seats, n_endings)
    mine, theirs = ended[sequence, whose], ended[sequence, 1 - whose]
    last = river[sequence, whose] - river[sequence, 1 - whose]  # its sign says which seat raised last on the river
    fine = [sequence, whose]
    middle = [np.minimum(mine, 5), np.minimum(theirs, 5), np.sign(last), np.minimum(river[sequence, whose], 2)]
    endings = _numbered(fine, middle, [np.minimum(mine, 5)]).reshape(3, n_endings, 2)
    endings[:, ~tree.showdown] = -1

    cells = (np.arange(N_CELLS) + 0.5) / N_CELLS
    tilted = cells ** (TILT * mine[:, None])
    below = np.cumsum(np.pad(tilted / tilted.sum(axis=1, keepdims=True), ((0, 0), (1, 0))), axis=1)
    acts = np.where(facing[:, None], FACING, NOT_FACING)
    closed = np.array([Kind.RAISE not in tree.kind[list(tree.edges(d))] for d in range(n)])
    acts[closed] = np.array(FACING) / (1 - FACING[Kind.RAISE]) * (np.arange(N_KINDS) != Kind.RAISE)
    return Contexts(tree, decisions, endings, acts, below.reshape(n_endings, 2, N_CELLS + 1))


def _raises_before(tree: BettingTree) -> Int64s:
    """`raises[place, seat, street]`: number of raises before each place of the tree. Places are all decisions, followed
    by all endings."""
    n, n_streets = tree.n_decisions, len(tree.rules.streets)
    raises = np.zeros((n + len(tree.ending_edge), 2, n_streets), np.int64)
    for edge, child in enumerate(tree.child):
        decision = tree.edge_decision[edge]
        place = child if child >= 0 else n + ~child
        raises[place] = raises[decision]
        raises[place, tree.actor[decision], tree.street[decision]] += tree.kind[edge] == Kind.RAISE
    return raises


def _numbered(*levels: list[Int64s]) -> Int64s:
    """`number[level, row]`: numbers the rows of each level, so that rows with equal columns get the same number.
    Different levels use different numbers."""
    rows, start = [], 0
    for columns in levels:
        _, number = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        rows.append(number.ravel() + start)
        start += int(number.max()) + 1
    return np.stack(rows)
