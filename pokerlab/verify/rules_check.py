"""Random hands played in parallel by our rules and a peer's: same seat to act, same legal actions, same chips.

Hand number `i` of a seed has its own random stream for the table (players, limits, blinds, antes, stacks), the cards,
and the actions. So a difference can be examined separately, a check can be stopped and resumed, and the result does not
depend on the number of workers.

The reference dealer gives a turn to a seat that can only check; PokerKit does not always. Such a turn has no effect and
is skipped on either side.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from multiprocessing import get_context

import numpy as np

from pokerlab.cards.card import cards_text
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Chips, Legal, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.pots import pots_of, shares
from pokerlab.games.rules import Limits, Rules
from pokerlab.games.showdown import strength
from pokerlab.games.state import State
from pokerlab.rng import stream
from pokerlab.verify.rules_peers import PEERS, POKERKIT_SETTINGS, OpenSpielHand, PeerHand

CHUNK = 250
BLINDS = ((1, 2), (2, 5), (5, 10), (10, 25))


@dataclass
class Tally:
    """Result of the comparison: `hands[limits, players]`, counts of events, and differences."""

    hands: Counter[tuple[str, int]] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    @property
    def n_hands(self) -> int:
        """Number of hands compared."""
        return self.hands.total()

    def add(self, other: Tally) -> None:
        """Add the counts of `other`."""
        self.hands += other.hands
        self.seen += other.seen
        self.explained += other.explained
        self.differences += other.differences


def verify(
    peer: str,
    *,
    hands: int,
    seed: int,
    first: int = 0,
    workers: int = 1,
    report: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Compare `hands` random hands, from number `first` on, with `peer`; `report` gets the tally in hand order."""
    if peer not in PEERS:
        raise PokerlabError(f"no peer is called {peer!r}; there are {', '.join(PEERS)}")
    tally = Tally()
    chunks = [(start, min(CHUNK, first + hands - start)) for start in range(first, first + hands, CHUNK)]
    for part in _results(peer, seed, chunks, workers):
        tally.add(part)
        report(tally)
    return tally


def _results(peer: str, seed: int, chunks: list[tuple[int, int]], workers: int) -> Iterator[Tally]:
    """The tallies of `chunks`, in order, from `workers` processes (1: this one)."""
    if workers <= 1:
        yield from (check_hands(peer, seed, start, n) for start, n in chunks)
        return
    ignore = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that counts
    with ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignore) as pool:
        waiting = iter(chunks)
        running: list[Future[Tally]] = []
        try:
            while True:
                ahead = islice(waiting, 2 * workers + 1 - len(running))
                running += [pool.submit(check_hands, peer, seed, *each) for each in ahead]
                if not running:
                    return
                yield running.pop(0).result()
        except BrokenProcessPool:
            raise PokerlabError(f"{peer} crashed its process") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def check_hands(peer: str, seed: int, first: int, n: int) -> Tally:
    """Compare hands `first` to `first + n` with `peer`."""
    tally = Tally()
    for number in range(first, first + n):
        rng = stream(seed, "rules", peer, index=number)
        rules = random_table(rng, peer)
        deck = tuple(int(card) for card in rng.permutation(rules.deck)[: rules.n_dealt])
        tally.hands[rules.name.split()[0], rules.n_seats] += 1
        difference = _compare(rules, deck, PEERS[peer](rules, deck), rng, tally)
        if difference:
            stacks = ", ".join(str(stack) for stack in rules.stacks)
            tally.differences.append(
                f"hand {number}: {rules.name}, blinds {rules.blinds}, antes {rules.antes}, stacks {stacks}, "
                f"cards {cards_text(deck)}: {difference}"
            )
    return tally


def random_table(rng: np.random.Generator, peer: str) -> Rules:
    """A table that `peer` can play: 2-6 players (OpenSpiel's limit games: up to 4), uneven stacks, blinds, antes."""
    openspiel = peer == "openspiel"
    families = ("limit", "no-limit") if openspiel else ("limit", "no-limit", "pot-limit", "omaha", "stud")
    shares = (0.4, 0.6) if openspiel else (0.35, 0.35, 0.2, 0.05, 0.05)
    family = str(rng.choice(families, p=shares))
    n = int(rng.integers(2, 5 if openspiel and family == "limit" else 7))
    small, big = BLINDS[rng.integers(len(BLINDS))]
    stacks = _random_stacks(rng, n, big, at_least=big if openspiel else 1)
    if family == "stud":
        rules = _stud(n, big, stacks)
    else:
        limits: Limits = {"limit": "limit", "no-limit": "no-limit"}.get(family, "pot-limit")  # type: ignore[assignment]
        rules = _holdem(family, limits, n, small, big, stacks)
    if openspiel:
        return rules.with_stacks((inf,) * n) if family == "limit" else rules
    settings = dict(POKERKIT_SETTINGS, odd_chips="first seat" if rng.random() < 0.5 else "split")
    if family != "stud":
        settings["antes"] = _random_antes(rng, n, big)
    return replace(rules, **settings)


def _holdem(name: str, limits: Limits, n: int, small: int, big: int, stacks: tuple[int, ...]) -> Rules:
    catalog = {"limit": "limit", "no-limit": "nolimit", "pot-limit": "potlimit"}[limits]
    like = game(f"{catalog}{n}p")
    unit = like.big_blind
    holes = [4 if street.n_hole and name == "omaha" else street.n_hole for street in like.streets]
    streets = tuple(
        replace(street, n_hole=n_hole, raise_size=street.raise_size * big // unit)
        for street, n_hole in zip(like.streets, holes, strict=True)
    )
    blinds = tuple({0: 0, unit: big}.get(blind, small) for blind in like.blinds)
    ranking = "omaha" if name == "omaha" else "high"
    return Rules(name=name, n_seats=n, limits=limits, streets=streets, blinds=blinds, stacks=stacks, ranking=ranking)  # type: ignore[arg-type]


def _stud(n: int, big: int, stacks: tuple[int, ...]) -> Rules:
    return replace(game(f"stud{n}p"), name="stud", stacks=stacks, antes=(big,) * n)


def _random_stacks(rng: np.random.Generator, n: int, big: int, *, at_least: int) -> tuple[int, ...]:
    """Random stacks of at most 3, 30 or 100 big blinds, sometimes equal to the previous seat's."""
    stacks: list[int] = []
    for _ in range(n):
        if stacks and rng.random() < 0.2:
            stacks.append(stacks[-1])
        else:
            most = big * (3, 30, 100)[rng.integers(3)]
            stacks.append(int(rng.integers(at_least, most, endpoint=True)))
    return tuple(stacks)


def _random_antes(rng: np.random.Generator, n: int, big: int) -> tuple[int, ...]:
    """Antes by seat: usually none, otherwise the same from all, or a dead ante from only the big blind."""
    kind = rng.random()
    if kind < 0.6:
        return (0,) * n
    if kind < 0.85:
        return (int(rng.integers(1, big, endpoint=True)),) * n
    return tuple(big if seat == (0 if n == 2 else 1) else 0 for seat in range(n))


def random_action(rng: np.random.Generator, legal: Legal) -> Action:
    """Random action: fold rarely, call mostly, raise often, to the smallest, the largest or any total."""
    choice = rng.random()
    if legal.fold and choice < 0.2:
        return FOLD
    if legal.raise_min is None or legal.raise_max is None or choice < 0.62:
        return CALL
    low, high = int(legal.raise_min), int(legal.raise_max)
    size = rng.random()
    if size < 0.4:
        return RaiseTo(low)
    if size < 0.6:
        return RaiseTo(high)
    top = high if size < 0.7 else min(high, 4 * low)
    return RaiseTo(int(rng.integers(low, top, endpoint=True)))


def _compare(rules: Rules, deck: tuple[int, ...], theirs: PeerHand, rng: np.random.Generator, tally: Tally) -> str:
    """Play one hand on both sides. Return the first difference, or ''."""
    ours = State.start(rules, deck)
    while True:
        ours = _pass_idle_turns(ours, theirs)
        betting = ours.betting
        actor = None if betting.over else betting.actor
        if actor != theirs.actor():
            return f"{_so_far(ours)}: seat {actor} is to act, the peer says {theirs.actor()}"
        if actor is None:
            break
        if isinstance(theirs, OpenSpielHand):
            theirs.on_street(tuple(s - b for s, b in zip(betting.spent, betting.bets, strict=True)))
        legal, other = betting.legal(), theirs.legal()
        if not _agree(legal, other):
            defect = theirs.defect() if other.raise_min is None else ""
            if not defect:
                return f"{_so_far(ours)}: seat {actor} may {legal}, the peer says {other}"
            tally.explained[defect] += 1
            legal = Legal(legal.fold, legal.call)
        tally.seen["decisions"] += 1
        action = random_action(rng, legal)
        theirs.act(action)
        ours = ours.after(action)
    strengths = _strengths(ours)
    _count(ours, strengths, tally)
    if _same(ours.payoffs(), theirs.payoffs()):
        return ""
    if rules.odd_chips != "split" and _same(_as_one_pot(ours, strengths), theirs.payoffs()):
        tally.explained["odd_chips: PokerKit splits pots that the same seats win as one pot"] += 1
        return ""
    return f"{_so_far(ours)}: net chips {_chips(ours.payoffs())}, the peer says {_chips(theirs.payoffs())}"


def _same(ours: Sequence[Chips], theirs: Sequence[Chips]) -> bool:
    return all(abs(float(a - b)) < 1e-6 for a, b in zip(ours, theirs, strict=True))


def _strengths(ours: State) -> list[int]:
    """`strength[seat]` at a showdown, -1 for folded seats; all 0 if there is no showdown."""
    rules, betting = ours.rules, ours.betting
    if not betting.showdown:
        return [0] * rules.n_seats
    return [
        strength(rules.ranking, ours.hole(seat) + ours.up(seat), ours.board) if betting.in_hand(seat) else -1  # type: ignore[arg-type]
        for seat in range(rules.n_seats)
    ]


def _as_one_pot(ours: State, strengths: list[int]) -> list[Chips]:
    """Net chips by seat if adjacent pots with the same possible winners are merged before they are split. PokerKit does
    this because it first kills the hands that win nothing. Card rooms split each pot separately (Tournament Directors
    Association, "side pots"), and so do we."""
    rules, betting = ours.rules, ours.betting

    def best(seats: Sequence[int]) -> list[int]:
        return [seat for seat in seats if strengths[seat] == max(strengths[other] for other in seats)]

    pots = pots_of(rules, betting.spent, betting.folded)
    alive = {seat for pot in pots for seat in best(pot.seats)}
    together: list[tuple[Chips, list[int]]] = []
    for pot in pots:
        seats = [seat for seat in pot.seats if seat in alive]
        before = together.pop()[0] if together and together[-1][1] == seats else 0
        together.append((before + pot.amount, seats))
    net: list[Chips] = [-chips for chips in betting.spent]
    for amount, seats in together:
        winners = best(seats)
        for seat, share in zip(winners, shares(amount, len(winners), rules.odd_chips), strict=True):
            net[seat] += share
    return net


def _pass_idle_turns(ours: State, theirs: PeerHand) -> State:
    """Check in turns that exist only on one side, of seats that can only check."""
    idle = (False, 0, None, None)
    while not ours.over and ours.betting.actor != theirs.actor() and ours.betting.legal()[:4] == idle:
        ours = ours.after(CALL)
    while (theirs.actor() is not None) and (ours.over or ours.betting.actor != theirs.actor()):
        legal = theirs.legal()
        if legal.fold or legal.call > 0 or legal.raise_min is not None:
            break
        theirs.act(CALL)
    return ours


def _agree(ours: Legal, theirs: Legal) -> bool:
    """Whether both allow the same actions; -1 marks values that a peer does not report."""
    return all(
        theirs_value == ours_value or (theirs_value == -1 and ours_value is not None)
        for ours_value, theirs_value in zip(ours[:4], theirs[:4], strict=True)
    )


def _count(ours: State, strengths: list[int], tally: Tally) -> None:
    rules, betting = ours.rules, ours.betting
    tally.seen["tables with uneven stacks"] += len(set(rules.stacks)) > 1
    tally.seen["tables with antes"] += any(rules.antes)
    tally.seen["all-ins"] += betting.all_in > 0
    if not betting.showdown:
        return
    contested = [pot.seats for pot in pots_of(rules, betting.spent, betting.folded) if len(pot.seats) > 1]
    best_two = [sorted((strengths[seat] for seat in seats), reverse=True)[:2] for seats in contested]
    tally.seen["showdowns"] += 1
    tally.seen["side pots"] += len(contested) > 1
    tally.seen["split pots"] += any(best == second for best, second in best_two)


def _so_far(ours: State) -> str:
    return "; ".join(f"seat {step.seat} {step.action}" for step in ours.actions) or "at the start"


def _chips(values: tuple[Chips, ...]) -> str:
    return ", ".join(f"{float(value):g}" for value in values)
