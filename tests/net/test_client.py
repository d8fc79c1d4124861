"""The ACPC client: what the agent is shown, what it must not do, and how a match may end."""

import socket
from itertools import islice
from random import Random

import pytest

from pokerlab.errors import IllegalAction, PokerlabError, RulesError
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.net.client import Client, Played, join
from pokerlab.net.connection import ConnectionLostError
from pokerlab.net.remote import RemoteAgent
from pokerlab.notation.acpc.deal import reference_decks
from pokerlab.notation.acpc.match_state import match_state_text
from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match


class Watcher:
    """Calls, and keeps every view and every finished hand."""

    def __init__(self, action=CALL):
        self.action, self.views, self.hands = action, [], []

    def act(self, view, rng):
        self.views.append(view)
        return self.action

    def observe(self, hand):
        self.hands.append(hand)


def states_of(name, hands, *, fixed=False, seed=0):
    """(hand number, positions by seat, states) of a match in which everyone calls."""
    rules = game(name)
    for number, deck in enumerate(islice(reference_decks(rules, seed), hands)):
        state = State.start(rules, deck)
        states = [state]
        while not state.over:
            state = state.after(CALL)
            states.append(state)
        n = rules.n_seats
        yield number, [seat if fixed else (seat - number) % n for seat in range(n)], states


@pytest.mark.parametrize("fixed", [False, True])
def test_the_agent_sees_what_it_would_see_at_our_own_table(fixed):
    watcher, payoff = Watcher(), 0
    client = Client(game("nolimit3p"), watcher, name="me")
    for number, positions, states in states_of("nolimit3p", 7, fixed=fixed):
        mine = positions[1]
        names = tuple("me" if p == mine else f"player{positions.index(p) + 1}" for p in range(3))
        for state in states:
            line = match_state_text(state, mine, number)
            answer = client.answer(line)
            assert answer == (f"{line}:c" if state.betting.actor == mine else None)
            if answer:
                assert watcher.views[-1] == state.view(mine, number, names)
        payoff += states[-1].payoffs()[mine]
        seen = watcher.hands[-1]
        assert seen.names == names
        assert seen.final.payoffs() == states[-1].payoffs()
    assert client.played == Played(7, payoff)


def test_two_clients_of_one_name_do_not_draw_the_same_numbers():
    drawn = []

    class Drawing:
        def act(self, view, rng):
            drawn.append(rng.random())
            return CALL

    for seat in (0, 1):
        client = Client(game("leduc"), Drawing(), name="drawing", seed=3)
        for number, positions, states in states_of("leduc", 5):
            for state in states:
                client.answer(match_state_text(state, positions[seat], number))
    assert len(set(drawn)) == len(drawn) == 20


def test_an_illegal_action_of_the_agent_is_its_error():
    client = Client(game("limit2p"), Watcher(RaiseTo(25)), name="bold")
    with pytest.raises(IllegalAction, match="hand 4: bold at seat 1 cannot raise to 25 on the pre-flop; legal: fold"):
        client.answer("MATCHSTATE:1:4::|9hQd")
    client = Client(game("limit2p"), Watcher("call"), name="vague")
    with pytest.raises(IllegalAction, match="hand 4: vague at seat 1 returned 'call', not an Action"):
        client.answer("MATCHSTATE:1:4::|9hQd")


def test_an_agent_that_does_not_play_the_game_is_not_seated():
    class Choosy(Watcher):
        def supports(self, rules):
            return False

    with pytest.raises(RulesError, match="choosy does not play leduc"):
        Client(game("leduc"), Choosy(), name="choosy")


def dealer_that_says(listener, *lines):
    connection, _ = listener.accept()
    with connection, connection.makefile("rb") as file:
        greeting = file.readline()
        for line in lines:
            connection.sendall(line)
            if b"MATCHSTATE:1:0::" in line:
                file.readline()
    return greeting


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([b"MATCHSTATE:1:0::|9hQd\r\n"], "the dealer ended the match in the middle of hand 0"),
        ([b"220 smtp.example\r\n"], "does not follow the ACPC protocol: expected MATCHSTATE"),
        ([b"MATCHSTATE:1:0:ccc:|9hQd\r\n"], "does not follow the ACPC protocol: expected / after the last action"),
        ([b"x" * 5000 + b"\r\n"], "does not follow the ACPC protocol: sent a line of more than 4096 bytes"),
    ],
)
def test_a_match_that_ends_badly(lines, says, together):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def play():
            with pytest.raises(PokerlabError, match=says):
                join("127.0.0.1", port, Client(game("limit2p"), Watcher()))

        greeting, _ = together(lambda: dealer_that_says(listener, *lines), play)
    assert greeting == b"VERSION:2.0.0\r\n"


def test_a_match_that_ends_well(together):
    lines = [b"# welcome\r\n", b"MATCHSTATE:1:0::|9hQd\r\n", b"MATCHSTATE:1:0:f:|9hQd\r\n"]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        _, played = together(
            lambda: dealer_that_says(listener, *lines),
            lambda: join("127.0.0.1", port, Client(game("limit2p"), agent("folder"))),
        )
    assert played == Played(1, -5)


def test_no_dealer_there():
    with pytest.raises(ConnectionLostError, match=r"cannot join 127\.0\.0\.1 port 1: .*refused"):
        join("127.0.0.1", 1, Client(game("limit2p"), Watcher()))


# Programs as agents


@pytest.mark.parametrize("name", ["nolimit3p", "kuhn3p", "limit2p"])
def test_a_program_plays_any_match_as_an_agent(name, together):
    """`acpc://`: the program's random choices are those of the same agent at our own table, hand for hand."""
    rules, hands = game(name), []
    n = rules.n_seats
    entrants = ("remote", *["random"] * (n - 1))
    plan = MatchPlan(rules, entrants, hands=40, seed=5)
    remote = RemoteAgent("127.0.0.1", 0, join_seconds=10)
    watcher = Watcher()

    class Mimic:
        """Chooses by the hand it holds, so that it plays the same wherever it sits."""

        def act(self, view, rng):
            watcher.act(view, rng)
            return Random(str((view.hole, view.board, view.actions))).choice(view.legal().menu())

        def observe(self, hand):
            watcher.observe(hand)

    def deal():
        try:
            return play_match(plan, lambda text: remote if text == "remote" else agent(text), on_hand=hands.append)
        finally:
            remote.close()

    result, played = together(deal, lambda: join("127.0.0.1", remote.port, Client(rules, Mimic(), name="remote")))
    at_home = play_match(plan, lambda text: Mimic() if text == "remote" else agent(text))
    assert (result.chips == at_home.chips).all()
    assert played.hands == 40
    assert float(played.chips) == result.chips[:, 0].sum()
    for hand, seen in zip(hands, watcher.hands, strict=False):
        position = hand.names.index("remote")
        assert (seen.deck, seen.actions, seen.payoffs) == (
            hand.seen_by(position).deck,
            hand.actions,
            hand.payoffs,
        )


def test_the_scheme_needs_a_host_and_a_port():
    with pytest.raises(PokerlabError, match="nowhere is not HOST:PORT"):
        agent("acpc://nowhere")
    made = agent("acpc://127.0.0.1:0")
    assert made.supports(game("limit2p"))
    assert not made.supports(game("stud2p"))
    made.close()
