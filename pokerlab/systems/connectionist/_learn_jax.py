# mypy: ignore-errors
"""Gradients from a batch of played hands, for the player (REINFORCE) and for the observer.

The player ascends the gradient of `sum (return - baseline) log pi(action)`, in which its beliefs are fixed inputs. The
observer ascends that of the log-likelihood of actions and showdowns, with the likelihood of the board divided out; of
the action function it trains only the parameters of card-types. Both gradients are weighted sums over decisions, so one
pass over the log gives both. A decision's weight is its advantage for the player's gradient, and the posterior of each
card-type of (hand, seat, street) for the observer's.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.cards.feature_names import BOARD_SCALE, PRIVATE_COLUMNS
from pokerlab.systems.connectionist import _parts_jax as parts
from pokerlab.systems.connectionist import _play_jax as playing
from pokerlab.systems.connectionist import _structure_jax as structure
from pokerlab.systems.connectionist.parameters import (
    BOARD_IN_ACTIONS,
    BOARD_IN_TRANSITIONS,
    PRIVATE_SCALE_BY_STREET,
    Parameters,
)

N_NUMBERS = 7
PLAYER = ("private", "board", "bet", "opponents", "own", "value", "cost", "tiles", "tile_effects")


class Inner(NamedTuple):
    """The parameters that a single decision uses, except those of card features."""

    bet: jax.Array
    opponents: jax.Array
    own: jax.Array
    value: jax.Array
    cost: jax.Array
    types: jax.Array
    tiles: jax.Array
    tile_effects: jax.Array


class Baseline(NamedTuple):
    """Running sums, by street, for the linear baseline: a regression of winnings on inputs known before the action."""

    products: jax.Array  # products[street, 18, 18] (more in no-limit): bet inputs of a call, and shares of out-states
    targets: jax.Array  # targets[street, 18]


class Use(NamedTuple):
    """Running averages of how often each group of parameters is used. Gradients are divided by them."""

    types: jax.Array  # types[street, C]: mean posterior of a card-type over (hand, seat)
    private: jax.Array  # private[private column]: sum of the feature over the decisions of a hand
    board: jax.Array  # board[street, board column]: the same for board features
    decisions: jax.Array  # decisions[street]: number per hand


def observed(form, parameters, deals, played, key):
    """Compute what the observer learns from. Return (gradients of transitions and showdown, target of the initial
    distribution, answers, use of types, log-likelihood of showdowns).

    `answers[(hand, street, seat), C]` is the posterior of each card-type for a seat's actions on a street.
    """
    n_seats, n_types = form.rules.n_seats, parameters.initial.shape[0]
    ended = played.ended.reshape(-1, 4, n_seats, n_types).transpose(1, 2, 3, 0)
    log_moves = structure.log_transitions(parameters, deals.board)  # log_moves[hand, 3, C, C]
    log_actions = _log_actions(parameters.initial, jnp.exp(log_moves).transpose(1, 2, 3, 0), ended)
    seats = jnp.arange(n_seats, dtype=jnp.int32)[:, None]
    in_hand = played.folded >> seats & 1 == 0
    n_in = jnp.sum(in_hand, axis=0)
    shows = n_in >= 2
    crowd = jnp.maximum(n_in - 3, 0).astype(jnp.float32)
    weight = shows.astype(jnp.float32)
    if form.skip_crowded:
        chance = float(n_types) ** -crowd
        weight = weight * (jax.random.uniform(key, n_in.shape) < chance) / chance

    def total(initial, log_moves, log_q, log_actions):
        moves = jnp.exp(log_moves).transpose(1, 2, 3, 0)
        actions, final = structure.log_likelihood(initial, moves, log_actions)
        showdowns = jnp.sum(weight * structure.log_win(final, log_q, played.wins, in_hand))
        return jnp.sum(actions) + showdowns, showdowns

    grads, showdowns = jax.grad(total, argnums=(0, 1, 2, 3), has_aux=True)(
        parameters.initial, log_moves, parameters.showdown, log_actions
    )
    d_initial, d_moves, d_q, answers = grads
    acted = ended[:, :, :1] >= 0
    answers = jnp.where(acted, answers, 0.0)
    use = jnp.sum(jnp.maximum(answers, 0.0), axis=(1, 3))
    use = use / jnp.maximum(jnp.sum(acted[:, :, 0], axis=(1, 2)), 1)[:, None]
    features = deals.board.astype(jnp.float32)
    d_transitions = jnp.concatenate(
        [
            jnp.einsum("htcd,hb->tcdb", d_moves, features) * (BOARD_IN_TRANSITIONS / BOARD_SCALE)[:, None, None],
            jnp.sum(d_moves, axis=0)[..., None],
        ],
        axis=3,
    )
    post = jnp.maximum(parameters.initial * d_initial, 1e-6)
    flat = answers.transpose(3, 0, 1, 2).reshape(-1, n_types)
    return d_transitions, d_q, post / jnp.sum(post), flat, use, showdowns


def _log_actions(initial, transitions, ended):
    """`[street, seat, C, hand]`: log-probability, up to a constant, of a seat's actions on a street for each card-type.

    This is Bayes' rule in reverse: the ratio of the beliefs after and before is the likelihood of the actions. The
    constant has no gradient.
    """
    belief = jnp.broadcast_to(initial[None, :, None], ended.shape[1:])
    found = []
    for street in range(4):
        if street:
            belief = structure.moved(belief, transitions[street - 1])
        acted = ended[street, :, :1] >= 0
        after = jnp.where(acted, ended[street], belief)
        found.append(jnp.log(jnp.maximum(after, structure.LEAST_BELIEF)) - jnp.log(belief))
        belief = after
    return lax.stop_gradient(jnp.stack(found))


def inner_of(parameters):
    """Select the parameters used by single decisions."""
    return Inner(*(getattr(parameters, name) for name in Inner._fields))


def objective(form, knobs, inner, cards, street, column, weights, answers, bonus):
    """Return (sum over decisions of the objective to maximise, inputs of the baseline).

    `street[4, 1 or lane]` is one-hot, `cards[S, lane]` are the contributions of the cards, `weights[lane]` are
    advantages, `answers[C, lane]` are posteriors (None if no observer learns), and `bonus` is the weight of entropy.
    """
    moves = structure.moves_of(column.legal, column.inputs.shape[1])
    cost = structure.weighted_cost(inner, street, column.cost)
    sums, values = structure.option_terms(inner, street, column.inputs, column.opponents)
    action = column.action.astype(jnp.int32)
    observer = 0.0
    if answers is not None:
        fixed = (lax.stop_gradient(each) for each in (sums, values, cost))
        by_type = structure.log_by_type(inner, street, *fixed, moves)
        told = jnp.take_along_axis(by_type, action[None, None], axis=0)[0]
        observer = jnp.sum(answers * told)
    if inner.tiles.shape[1]:
        cards = cards + structure.tile_terms(inner, street, column.about)
    if form.self_aware:
        sums = sums + structure.own_terms(inner, street, column.own)
    log_pi = structure.log_policy(sums + cards[:, None], values, cost, moves)
    chosen = jnp.take_along_axis(log_pi, action[None], axis=0)[0]
    if form.clipped:
        ratio = jnp.exp(chosen - column.log_chance)
        inside = jnp.clip(ratio, 1 - knobs.clip, 1 + knobs.clip)
        gain = jnp.sum(jnp.minimum(ratio * weights, inside * weights))
    else:
        gain = jnp.sum(weights * chosen)
    counted = ((column.row < playing.NO_ROW) & column.mine).astype(jnp.float32)
    entropy = -jnp.sum(counted * jnp.exp(log_pi) * jnp.maximum(log_pi, -50.0))
    return gain + observer + bonus * entropy


def known(inner, street, column, cards):
    """`[input, lane]`: inputs of the linear baseline. They are the bet inputs of a call, and the probabilities of its
    out-states."""
    sums, _ = structure.option_terms(inner, street, column.inputs, column.opponents)
    shares = jax.nn.softmax(sums[:, 0] + cards, axis=0)
    return jnp.concatenate([column.inputs[:, 0], shares])


def log_policy_and_worth(form, inner, cards, street, column):
    """(`log_pi[action, lane]`, `worth[action, lane]` of fold, call and the raises) at logged decisions."""
    moves = structure.moves_of(column.legal, column.inputs.shape[1])
    cost = structure.weighted_cost(inner, street, column.cost)
    sums, values = structure.option_terms(inner, street, column.inputs, column.opponents)
    if form.self_aware:
        sums = sums + structure.own_terms(inner, street, column.own)
    if inner.tiles.shape[1]:
        cards = cards + structure.tile_terms(inner, street, column.about)
    sums = sums + cards[:, None]
    worth = structure.worths(sums, values, cost)
    both = jnp.concatenate([jnp.zeros_like(worth[:1]), worth])
    return structure.log_policy(sums, values, cost, moves), both


def rates_by_fortune(form, knobs, inner, anchor, cards, anchor_cards, street, column):
    """`[lane]`: factor of the learning rate (WoLF). It is `wolf` where the player does better than its lagging average
    would, otherwise 1.

    The values of actions are the structure's own, since its policy is a softmax of them.
    """
    log_now, worth = log_policy_and_worth(form, inner, cards, street, column)
    log_average, _ = log_policy_and_worth(form, anchor, anchor_cards, street, column)
    ahead = jnp.sum((jnp.exp(log_now) - jnp.exp(log_average)) * worth, axis=0)
    return jnp.where(ahead > 0, knobs.wolf, 1.0)


def slab_of(log, start, size):
    """Columns `start` to `start + size` of the log (a slab): the decisions of one step."""
    return playing.DecisionLog(*(parts.read(each, start, size) if each.shape[-1] else each for each in log))


def aversion_of(target, moments):
    """Weight of a hand's squared winnings for one of the training targets `settings.OBJECTIVES` (section 6.5.1).

    `moments` are running means of the winnings in a hand and of their square. The weight is chosen so that, near these
    values, a small change of the Sharpe ratio or the gambler's-ruin ratio is proportional to the change of the mean
    `reward`.
    """
    first, second = moments[0], jnp.maximum(moments[1], 1e-6)
    return jnp.stack([0.0, -0.5 * first / second, -first / (second + first**2)])[target]


def reward(won, aversion):
    """Quadratic reward for winning `won` small blinds in a hand."""
    return won + aversion * won**2


def bonus_of(knobs, iteration):
    """Bonus, in small blinds per nat of entropy, after `iteration` batches. It falls geometrically from the first to
    the last value, or linearly if either is 0."""
    done = jnp.clip(iteration / knobs.batches, 0.0, 1.0)
    return jnp.where(
        (knobs.entropy > 0) & (knobs.last_entropy > 0),
        knobs.entropy ** (1 - done) * knobs.last_entropy**done,
        knobs.entropy + (knobs.last_entropy - knobs.entropy) * done,
    )


def decision_lessons(form, knobs, learner, deals, played, answers, information):
    """Return (gradient of `Inner`, gradient of the card sums with a count, sums of the baseline, squared error,
    decisions).

    The log is read once, one slab (the decisions of one step) at a time. A slab has at most one decision per hand, so
    the order of summation is fixed. `information[hand]`, unless None, is a bonus in small blinds that is added to the
    learner's winnings.
    """
    inner, anchor, baseline = inner_of(learner.parameters), inner_of(learner.anchor), learner.baseline
    sums, anchor_sums = (_flat_sums(each, deals) for each in (learner.parameters, learner.anchor))
    n_rows, n_states = sums.shape
    net = played.net.T.reshape(-1)
    aversion = aversion_of(jnp.int32(knobs.target), learner.moments)
    fit = _fitted(baseline)
    usable, _ = playing.n_columns(form, played.net.shape[1])
    n_seats = form.rules.n_seats
    gradient = jax.grad(objective, argnums=(2, 3))
    bonus = bonus_of(knobs, learner.iteration)
    # The last column of the cards' gradient counts decisions.
    state = (
        jax.tree.map(jnp.zeros_like, inner),
        jnp.zeros((n_rows, n_states + 1)),
        Baseline(*map(jnp.zeros_like, baseline)),
        jnp.float32(0),
        jnp.float32(0),
    )
    slabs = parts.largest(form, played.slabs)

    def one_street(number, carry):
        start, state = carry
        street = structure.one_hot_street(number)
        for stage, size in enumerate(playing.stage_sizes(form, played.net.shape[1])):
            state = lax.fori_loop(
                0,
                jnp.clip((usable - start) // size, 0, slabs[number, stage]),
                partial(slab, street, start, size),
                state,
            )
            start = start + slabs[number, stage] * size
        return start, state

    def slab(street, start, size, number, state):
        total, d_cards, regression, error, taught = state
        column = slab_of(played.log, start + number * size, size)
        seen = (column.row < n_rows).astype(jnp.float32)
        counted = seen * column.mine
        cards = jnp.take(sums, column.row, axis=0, mode="clip").T
        place = column.row // (4 * n_seats) * n_seats + column.row % n_seats
        won = reward(jnp.take(net, place, mode="clip"), aversion) - reward(-column.spent, aversion)
        if information is not None:
            won = won + jnp.take(information, column.row // (4 * n_seats), mode="clip")
        phi = known(inner, street, column, cards) * counted
        expected = jnp.sum(jnp.sum(street * fit, axis=0)[:, None] * phi, axis=0)
        answer = None if answers is None else jnp.take(answers, column.row, axis=0, mode="clip").T * seen
        advantage = (won - expected) * counted
        weights = advantage
        if form.wolf:
            anchor_cards = jnp.take(anchor_sums, column.row, axis=0, mode="clip").T
            weights *= rates_by_fortune(form, knobs, inner, anchor, cards, anchor_cards, street, column)
        d_inner, d_sums = gradient(form, knobs, inner, cards, street, column, weights, answer, bonus)
        rows = jnp.concatenate([d_sums, counted[None]]).T
        told = jnp.einsum("fl,el->fe", phi, jnp.concatenate([phi, won[None]]))
        regression = Baseline(
            regression.products + street[:, :, None] * told[:, :-1], regression.targets + street * told[:, -1]
        )
        return (
            jax.tree.map(jnp.add, total, d_inner),
            d_cards.at[column.row].add(rows, mode="drop", unique_indices=True),
            regression,
            error + jnp.sum(jnp.square(advantage)),
            taught + jnp.sum(seen),
        )

    return lax.fori_loop(0, 4, one_street, (jnp.int32(0), state))[1]


def _flat_sums(parameters, deals):
    sums = structure.card_sums(parameters, deals.board, deals.private)
    return sums.reshape(-1, sums.shape[-1])


def _fitted(baseline):
    """`[street, input]`: the baseline's regression coefficients, from the sums so far. Without data they are 0, because
    of a small ridge term."""
    ridge = 1e-3 * jnp.eye(baseline.targets.shape[1])
    return jnp.linalg.solve(baseline.products + ridge, baseline.targets[..., None])[..., 0]


def card_gradients(d_cards, deals):
    """Turn the gradient of the card sums into those of the parameters. Return (gradient of `private`, gradient of
    `board`, use of private columns, use of board columns)."""
    n_seats = deals.private.shape[1]
    by_hand = d_cards.reshape(-1, 4, n_seats, d_cards.shape[1])
    private = [
        jnp.einsum("hns,hnp->sp", by_hand[:, street], deals.private[:, :, columns].astype(jnp.float32)) / scale
        for street, (columns, scale) in enumerate(zip(PRIVATE_COLUMNS, PRIVATE_SCALE_BY_STREET, strict=True))
    ]
    board = jnp.einsum("hks,hb->ksb", jnp.sum(by_hand, axis=2), deals.board.astype(jnp.float32))
    board = board * (BOARD_IN_ACTIONS / BOARD_SCALE)[:, None]
    together = jnp.concatenate(private, axis=1)
    return together[:-1], board[:, :-1], together[-1], board[:, -1]


def winnings(form, deals, played):
    """Return [sum of winnings, sum of squared winnings] over the hands of a batch, of the learner's seat (in self-play,
    means over the seats)."""
    seats = jnp.arange(form.rules.n_seats, dtype=jnp.int32)[:, None]
    mean_seat = (seats < deals.n_players) / deals.n_players
    counted = jnp.where(deals.learner < 0, mean_seat, seats == deals.learner)
    return [jnp.sum(counted * played.net**power) for power in (1, 2)]


class Lessons(NamedTuple):
    """What is learned from one batch: gradients per hand, in the direction of ascent, and terms for the running
    averages."""

    gradient: Parameters  # `initial` is the fitted distribution, not a gradient
    baseline: Baseline
    use: Use
    numbers: jax.Array  # the seven numbers of `self_play.COLUMNS`


def bits_gained(deals, before, after):
    """`[hand]`: decrease, in bits, of the entropy of the beliefs `[seat, T, hand]` about the learner's opponents."""
    seats = jnp.arange(before.shape[0], dtype=jnp.int32)[:, None]
    unsure = [-jnp.sum(each * jnp.log2(jnp.maximum(each, 1e-12)), axis=1) for each in (before, after)]
    return jnp.sum(jnp.where(seats == deals.learner, 0.0, unsure[0] - unsure[1]), axis=0)


def lessons_of(form, knobs, learner, deals, played, key, information=None):
    """Compute the lessons of a batch, as means over its hands."""
    n_hands = deals.rank.shape[1]
    if form.exploits:  # an exploiter uses the population's observer and trains none
        old = learner.parameters
        d_transitions, d_q, initial = jnp.zeros_like(old.transitions), jnp.zeros_like(old.showdown), old.initial
        answers, type_use, showdowns = None, learner.use.types, 0.0
    else:
        d_transitions, d_q, initial, answers, type_use, showdowns = observed(
            form, learner.parameters, deals, played, key
        )
    inner, d_cards, told, error, taught = decision_lessons(form, knobs, learner, deals, played, answers, information)
    private, board, private_use, board_use = card_gradients(d_cards, deals)
    by_street = jnp.sum(d_cards.reshape(n_hands, 4, form.rules.n_seats, -1)[..., -1], axis=(0, 2))
    gradient = Parameters(
        private=private, board=board, **inner._asdict(), transitions=d_transitions, initial=initial, showdown=d_q
    )
    gradient = jax.tree.map(lambda each: each / n_hands, gradient)._replace(initial=initial)
    use = Use(type_use, private_use / n_hands, board_use / n_hands, by_street / n_hands)
    forgotten = played.decisions - taught
    won = winnings(form, deals, played)
    numbers = jnp.stack([played.decisions, played.likelihood, showdowns, error, forgotten, *won]) / n_hands
    return Lessons(gradient, jax.tree.map(lambda each: each / n_hands, told), use, numbers)
