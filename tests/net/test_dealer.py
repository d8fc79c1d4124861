"""What the ACPC dealer sends, to whom, and what it writes: recorded matches, rotation, nothing hidden."""

import io
import re
from dataclasses import replace
from itertools import repeat
from random import Random
from time import sleep

import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.net.client import Client, join
from pokerlab.net.connection import ConnectionLostError
from pokerlab.net.dealer import play_match
from pokerlab.net.players import TimeLimits
from pokerlab.net.server import Server, Service, serve
from pokerlab.net.traffic import Traffic
from pokerlab.notation.acpc.deal import reference_decks
from pokerlab.notation.acpc.log import parse_log, score_line, state_line
from pokerlab.notation.acpc.match_state import match_state_text, parse_match_state
from pokerlab.players.registry import agent


class Player:
    """Takes the actions it is given, in order, and keeps what it is told."""

    def __init__(self, name, actions):
        self.name, self.actions, self.told, self.hands = name, iter(actions), [], []

    def tell(self, message, *, asked):
        self.told.append(message)

    def before_waiting(self, call):
        pass

    def act(self, message, state, *, hand, names):
        assert message == self.told[-1] == match_state_text(state, state.betting.actor, hand)
        return next(self.actions)

    def hand_over(self, hand, position):
        self.hands.append((hand.number, position))


def test_hand_0_puts_seat_0_in_position_0_and_the_button_moves_one_seat_a_hand():
    players = [Player(name, repeat(CALL)) for name in "abc"]
    totals = play_match(game("nolimit3p"), players, reference_decks(game("nolimit3p"), 5), hands=4)
    assert [position for _, position in players[0].hands] == [0, 2, 1, 0]
    assert [position for _, position in players[2].hands] == [2, 1, 0, 2]
    assert sum(totals) == 0
    assert players[0].told[0].startswith("MATCHSTATE:0:0::")


def test_fixed_seats_keep_their_positions():
    players = [Player(name, repeat(CALL)) for name in "ab"]
    play_match(game("leduc"), players, reference_decks(game("leduc"), 5), hands=3, fixed_seats=True)
    assert [position for _, position in players[1].hands] == [1, 1, 1]


def test_every_seat_is_told_every_state_and_the_end():
    players = [Player("a", [CALL, CALL, CALL, CALL]), Player("b", [RaiseTo(3), RaiseTo(4)])]
    deck = cards("KhQsKs")
    totals = play_match(game("leduc"), players, iter([deck]), hands=1)
    assert players[0].told == [
        "MATCHSTATE:0:0::Kh|",
        "MATCHSTATE:0:0:c:Kh|",
        "MATCHSTATE:0:0:cr:Kh|",
        "MATCHSTATE:0:0:crc/:Kh|/Ks",
        "MATCHSTATE:0:0:crc/c:Kh|/Ks",
        "MATCHSTATE:0:0:crc/cr:Kh|/Ks",
        "MATCHSTATE:0:0:crc/crc:Kh|Qs/Ks",
    ]
    assert [line.replace("MATCHSTATE:1:0:", "") for line in players[1].told][-2:] == [
        "crc/cr:|Qs/Ks",
        "crc/crc:Kh|Qs/Ks",
    ]
    assert totals == (7, -7)


@pytest.mark.parametrize("name", ["limit2p", "nolimit3p", "kuhn3p"])
def test_nothing_a_seat_is_told_depends_on_cards_hidden_from_it(name):
    rules, rng, n_told = game(name), Random(6), 0
    for _ in range(30):
        actions = [rng.choice([CALL, CALL, "raise", "fold"]) for _ in range(60)]
        deck = rng.sample(rules.deck, rules.n_dealt)
        mine = set(rules.dealt_by[-1][0][0])
        other = list(deck)
        hidden = [place for place in range(rules.n_dealt) if place not in mine and place < rules.layout[0][0][-1].stop]
        spare = [card for card in rules.deck if card not in {deck[place] for place in range(rules.n_dealt)}]
        spare += [deck[place] for place in hidden]
        for place, card in zip(hidden, rng.sample(spare, len(hidden)), strict=True):
            other[place] = card
        told, also_told = _told_seat_0(rules, deck, actions), _told_seat_0(rules, other, actions)
        assert told == also_told
        n_told += len(told)
    assert n_told > 60


def _told_seat_0(rules, deck, actions):
    """What seat 0 is told in a hand, up to the showdown, where it sees more."""

    class Scripted(Player):
        def act(self, message, state, *, hand, names):
            wish, legal = actions[len(state.actions)], state.betting.legal()
            if wish == "raise" and legal.raise_min is not None:
                return RaiseTo(legal.raise_min)
            return legal.menu()[0] if wish == "fold" else CALL

    players = [Scripted(str(seat), ()) for seat in range(rules.n_seats)]
    hands = []
    play_match(rules, players, iter([tuple(deck)]), hands=1, on_hand=lambda hand, bets: hands.append(hand))
    return players[0].told[: -1 if hands[0].shown else None]


# Recorded matches


@pytest.mark.slow
@pytest.mark.parametrize("name", ["2p.limit", "3p.nolimit"])
def test_the_recorded_seed_and_actions_give_the_recorded_log(name, recorded):
    path = recorded(f"acpc/{name}.log")
    log = parse_log(path.read_text())
    rules, lines = log.hands[0].rules, [str(log.header)]
    script = {
        player: [step.action for hand in log.hands for step in hand.steps if hand.names[step.seat] == player]
        for player in log.names
    }
    totals = play_match(
        rules,
        [Player(player, script[player]) for player in log.names],
        reference_decks(rules, log.header.seed),
        hands=log.header.hands,
        on_hand=lambda hand, bets: lines.append(state_line(hand, bets)),
    )
    lines.append(score_line(totals, log.names))
    assert "\n".join(lines) + "\n" == path.read_text()


TRAFFIC = """\
TO 1 MATCHSTATE:0:0::Kh|
TO 2 MATCHSTATE:1:0::|Ks
FROM 1 MATCHSTATE:0:0::Kh|:r
TO 1 MATCHSTATE:0:0:r:Kh|
TO 2 MATCHSTATE:1:0:r:|Ks
FROM 2 MATCHSTATE:1:0:r:|Ks:c
TO 1 MATCHSTATE:0:0:rc/:Kh|/Qh
TO 2 MATCHSTATE:1:0:rc/:|Ks/Qh
FROM 1 MATCHSTATE:0:0:rc/:Kh|/Qh:c
TO 1 MATCHSTATE:0:0:rc/c:Kh|/Qh
TO 2 MATCHSTATE:1:0:rc/c:|Ks/Qh
FROM 2 MATCHSTATE:1:0:rc/c:|Ks/Qh:c
TO 1 MATCHSTATE:0:0:rc/cc:Kh|Ks/Qh
TO 2 MATCHSTATE:1:0:rc/cc:Kh|Ks/Qh
TO 1 MATCHSTATE:1:1::|Qs
TO 2 MATCHSTATE:0:1::Ah|
FROM 2 MATCHSTATE:0:1::Ah|:r
TO 1 MATCHSTATE:1:1:r:|Qs
TO 2 MATCHSTATE:0:1:r:Ah|
"""
"""The beginning of a match of Leduc with seed 1, put down by hand; seat 0 (here 1) leaves when it is to act."""


@pytest.fixture(params=["by hand", "recorded"])
def transcript(request):
    """(game, seed, names, lines without their times): a match that was interrupted."""
    if request.param == "by hand":
        return "leduc", 1, ("p1", "p2"), TRAFFIC.splitlines()
    path = request.getfixturevalue("recorded")("acpc/2p.limit.traffic.log")
    lines = [re.sub(r" at \d+\.\d{6}", "", line) for line in path.read_text().splitlines()]
    return "limit2p", 0, ("p1", "p2"), [line for line in lines if line.startswith(("TO", "FROM"))]


def test_the_dealer_sends_what_was_recorded(transcript, serving, program, together, tmp_path):
    name, seed, names, lines = transcript
    service = Service(game(name), names, 1000, seed, traffic=tmp_path / "traffic.log")
    with serving(service) as (server, warnings):
        clients = [program(port) for port in server.ports]

        def follow(seat):
            for line in lines:
                way, number, message = line.split(" ", 2)
                if int(number) == seat + 1 and way == "FROM":
                    clients[seat].send(message.encode() + b"\r\n")
                elif int(number) == seat + 1 and clients[seat].line() != message:
                    break
            clients[seat].close()

        def deal():
            with pytest.raises(ConnectionLostError, match="disconnected in hand"):
                server.play()

        together(deal, *(lambda seat=seat: follow(seat) for seat in range(2)))
    written = re.sub(r" at \d+\.\d{6}", "", (tmp_path / "traffic.log").read_text()).splitlines()
    assert written[:5] == [*str(service.header(0)).splitlines(), "STARTED"]
    assert written[5:] == lines
    assert warnings == []


def test_a_match_that_was_broken_off_goes_on_from_its_transactions(serving, program, together, tmp_path):
    """One whole match, and the same with a program that leaves in hand 3: the same log, byte for byte."""
    whole = Service(game("leduc"), ("p1", "p2"), 8, 5, log=tmp_path / "whole.log", transactions=tmp_path / "whole.tlog")
    broken = replace(whole, log=tmp_path / "broken.log", transactions=tmp_path / "broken.tlog")

    def play(service, *, leaves_in=99):
        with serving(service) as (server, _):
            clients = [program(port) for port in server.ports]

            def follow(client):
                while line := client.line():
                    state = parse_match_state(game("leduc"), line)
                    if state.hand == leaves_in and not state.betting.over:
                        break
                    if state.to_act:
                        client.send(f"{line}:{'rc'[state.hand % 2]}\r\n".encode())
                client.close()

            def deal():
                if leaves_in == 99:
                    return server.play()
                with pytest.raises(ConnectionLostError):
                    server.play()
                return None

            return together(deal, *(lambda client=client: follow(client) for client in clients))[0]

    totals = play(whole)
    play(broken, leaves_in=3)
    assert broken.log.read_text().count("STATE:") == 3
    with broken.transactions.open("a") as file:
        file.write("r 3 13416")  # as if killed in the middle of a line
    assert play(replace(broken, append=True)) == totals
    assert broken.log.read_text() == whole.log.read_text()
    without_times = [re.sub(r" \d+\.\d{6}", "", path.read_text()) for path in (broken.transactions, whole.transactions)]
    assert without_times[0] == without_times[1]


@pytest.mark.parametrize("n_decisions", [1, 4, 11])
def test_our_agents_go_on_in_the_middle_of_a_hand_as_if_nothing_had_happened(n_decisions, tmp_path):
    """What they draw at random for the rest of the hand is what they would have drawn."""
    agents = (lambda: agent("random"),) * 2
    whole = Service(
        game("leduc"), ("p1", "p2"), 12, 5, agents=agents, log=tmp_path / "whole.log", transactions=tmp_path / "m.tlog"
    )
    with Server(whole, warn=print) as server:
        server.play()
    lines = (tmp_path / "m.tlog").read_text().splitlines(keepends=True)
    (tmp_path / "m.tlog").write_text("".join(lines[:n_decisions]))
    with Server(replace(whole, log=tmp_path / "again.log", append=True), warn=print) as server:
        server.play()
    assert (tmp_path / "again.log").read_text() == (tmp_path / "whole.log").read_text()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("r300 x\n", "expected ACTION HAND SENT RECEIVED on line 1"),
        ("c 7 1.0 2.0\n", "the transactions are of another match: c in hand 7 is not legal"),
        ("f 0 1.0 2.0\n", "the transactions are of another match: f in hand 0 is not legal"),
        ("r 0 1.0 2.0\nf 0 1.0 2.0\nr 1 1.0 2.0\nf 1 1.0 2.0\nc 2 1.0 2.0\n", "continue after the 2 hands"),
    ],
)
def test_transactions_of_another_match_are_refused(text, says, tmp_path):
    path = tmp_path / "m.tlog"
    path.write_text(text)
    agents = (lambda: agent("caller"),) * 2
    service = Service(game("leduc"), ("p1", "p2"), 2, 5, agents=agents, transactions=path, append=True)
    with Server(service, warn=print) as server, pytest.raises(PokerlabError, match=says):
        server.play()
    assert path.read_text() == text


def test_our_client_answers_what_was_recorded(transcript):
    name, _, _, lines = transcript
    for seat in ("1", "2"):
        own = [line.split(" ", 2) for line in lines if line.split(" ")[1] == seat]
        replies = [message for way, _, message in own if way == "FROM"]
        actions = iter([reply.rpartition(":")[2] for reply in replies])

        class Replayed:
            def act(self, view, rng, actions=actions):
                letter, legal = next(actions), view.legal()
                return CALL if letter == "c" else RaiseTo(legal.raise_min) if letter == "r" else legal.menu()[0]

        client = Client(game(name), Replayed())
        answers = []
        for way, _, message in own:
            if way == "TO" and len(answers) < len(replies):
                answer = client.answer(message)
                answers += [] if answer is None else [answer]
        assert answers == replies


# Matches over loopback


@pytest.mark.parametrize(("name", "hands"), [("limit2p", 1000), ("nolimit3p", 100), ("kuhn3p", 100)])
def test_our_clients_play_a_match_with_our_dealer(name, hands, serving, together, tmp_path):
    rules = game(name)
    names = tuple(f"p{seat + 1}" for seat in range(rules.n_seats))
    service = Service(rules, names, hands, seed=11, log=tmp_path / "match.log", definition=name)
    clients = [Client(rules, agent("random"), name=player) for player in names]
    with serving(service) as (server, warnings):
        totals, *played = together(
            server.play,
            *(lambda i=i, port=port: join("127.0.0.1", port, clients[i]) for i, port in enumerate(server.ports)),
        )
    assert warnings == []
    assert [each.hands for each in played] == [hands] * rules.n_seats
    assert tuple(each.chips for each in played) == totals
    log = parse_log((tmp_path / "match.log").read_text())
    assert log.problems == ()
    assert len(log.hands) == hands
    assert log.totals == totals
    assert len({hand.actions for hand in log.hands}) > 10, "random players play more than one line"


def test_agents_of_this_process_fill_seats(serving, together, tmp_path):
    makers = (lambda: agent("raiser"), None, lambda: agent("caller"))
    service = Service(game("limit3p"), ("r", "you", "c"), 20, seed=1, agents=makers, log=tmp_path / "match.log")
    with serving(service) as (server, _):
        (port,) = server.ports
        totals, played = together(
            server.play, lambda: join("127.0.0.1", port, Client(game("limit3p"), agent("folder"), name="you"))
        )
    assert played.chips == totals[1] == sum(-5 if h % 3 == 1 else -10 if h % 3 == 0 else 0 for h in range(20))


def test_traffic_is_written_as_the_reference_dealer_writes_it():
    out = io.StringIO()
    traffic = Traffic(out)
    traffic.start(Service(game("leduc"), ("a", "b"), 10, 3, match="m", definition="leduc.game").header(0))
    traffic.sent(0, "MATCHSTATE:0:0::Kh|")
    traffic.received(1, "x")
    pattern = (
        r"# name/game/hands/seed m leduc\.game 10 3\n#--t_response 600000\n#--t_hand 600000\n#--t_per_hand 7000\n"
        r"STARTED at \d+\.\d{6}\nTO 1 at \d+\.\d{6} MATCHSTATE:0:0::Kh\|\nFROM 2 at \d+\.\d{6} x\n"
    )
    assert re.fullmatch(pattern, out.getvalue())


class _Caller:
    def act(self, view, rng):
        return CALL


class _Prints(_Caller):
    def act(self, view, rng):
        print("thinking aloud")
        return super().act(view, rng)


class _Sleeps(_Caller):
    def act(self, view, rng):
        sleep(30)


class _Leaves(_Caller):
    def act(self, view, rng):
        raise SystemExit(3)


def _served(capsys, bot, **limits):
    """What a match of two agents in this process says: scores, warnings, and how many matches were broken off."""
    service = Service(
        game("limit2p"), ("ann", "bob"), 2, 7, agents=(bot, _Caller), limits=TimeLimits(**limits), reference_deal=False
    )
    scores, warnings = [], []
    n = serve(service, announce=lambda ports: None, report=scores.append, warn=warnings.append)
    return scores, warnings, n, capsys.readouterr()


def test_what_an_agent_of_this_process_prints_goes_to_stderr(capsys):
    scores, warnings, n, said = _served(capsys, _Prints)
    assert (len(scores), warnings, n, said.out) == (1, [], 0, "")
    assert "thinking aloud" in said.err


def test_an_agent_of_this_process_is_on_the_clock(capsys):
    assert _served(capsys, _Sleeps, t_response=50)[1:3] == (
        ["match 0 was interrupted: seat 0 (ann) timed out in hand 0"],
        1,
    )
    assert _served(capsys, _Sleeps, t_hand=50)[1:3] == (
        ["match 0 was interrupted: seat 0 (ann) timed out in hand 0"],
        1,
    )


def test_an_agent_of_this_process_that_leaves_breaks_its_match_off(capsys):
    _, (warning,), n, _ = _served(capsys, _Leaves)
    assert warning.startswith("match 0 was interrupted: hand 0: ann failed with SystemExit: 3 at ")
    assert n == 1
