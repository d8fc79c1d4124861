"""No message tells a card that its reader may not know, in hundreds of hands with readers of every kind, and in
three thousand with `make thorough`.

People in one or two chairs and a spectator read everything that the server sends: the table, the coach and its reviews,
statistics and winnings, hands as files, replays and beliefs, the page of sessions and what the database stores. What a
reader may know is taken from the hands themselves, played again from the journal. Solving is replaced by its result for
any hand; everything that makes a message of it is not.
"""

import asyncio
import json
import re
from collections import Counter
from random import Random

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, Seat, asked, my_turn, over, request, some_action

from pokerlab.cards.card import card_text
from pokerlab.games.history import HandHistory
from pokerlab.table.session_recorder import SessionRecorder
from pokerlab.table.session_store import SessionStore
from pokerlab.valuing.resolved import Resolved
from pokerlab.web.coach import Coach
from pokerlab.web.desk import Desk
from pokerlab.web.hall import Hall
from pokerlab.web.journal import read_journal
from pokerlab.web.live_table import LiveTable
from pokerlab.web.server import application

CARDS = re.compile(r"(?<![A-Za-z0-9_-])((?:[2-9TJQKA][cdhs])+)(?![A-Za-z0-9_-])")
SECTIONS = {"phhs": r"^(?=\[\d+\]$)", "log": r"^(?=STATE:)", "txt": r"^(?=PokerStars )"}
COACH_EVERY = 40  # hands between those in which the coach is asked at every decision

LONG = [
    ("limit2p", ("You", "random"), 1000),
    ("nolimit2p", ("Ann", "Bob"), 600),
    ("nolimit3p", ("Ann", "random", "Bob"), 350),
    ("limit6p", ("You", *["random"] * 5), 120),
    ("potlimit4p", ("You", *["random"] * 3), 130),
    ("stud2p", ("You", "random"), 200),
    ("leduc", ("You", "random"), 350),
]
"""Tables of which only the messages are read, and below those of which everything is."""
SHORT = [
    ("limit2p", ("You", "random"), 60),
    ("nolimit2p", ("Ann", "Bob"), 60),
    ("limit3p", ("Ann", "random", "Bob"), 50),
    ("nolimit6p", ("You", *["random"] * 5), 30),
    ("stud2p", ("You", "random"), 30),
    ("leduc", ("You", "random"), 50),
]


class Knowledge:
    """What a chair, or a spectator (None), may know of each hand of a table, by text of the cards."""

    def __init__(self, desk):
        table = LiveTable(desk.table.settings.without_agents())
        self.hands, self._during, self._after = {}, {}, {}
        for hand in table.replayed(read_journal(desk.path)[1]):
            number, seats = hand.number, range(len(hand.names))
            self.hands[number] = hand
            for chair in (None, *seats):
                own = () if chair is None else (table.seat_of(chair),)
                seen = hand.seen_by(*own).deck
                self._after[chair, number] = {card_text(card) for card in seen if card is not None}
                for state in hand.states():
                    cards = [*state.board, *(card for seat in own for card in state.hole(seat))]
                    cards += [card for seat in seats for card in state.up(seat)]
                    self._during[chair, number, len(state.actions)] = set(map(card_text, cards))

    def during(self, chair, number, n_actions):
        return self._during[chair, number, n_actions]

    def after(self, chair, number):
        return self._after[chair, number]


class Scan:
    """What was read: messages and cards by kind, and every card out of place as (kind, reader, hand, card)."""

    def __init__(self):
        self.messages, self.cards, self.leaks = Counter(), Counter(), []

    def read(self, kind, chair, text, allowed, hand=None):
        found = [run[i : i + 2] for run in CARDS.findall(text) for i in range(0, len(run), 2)]
        self.messages[kind] += 1
        self.cards[kind] += len(found)
        self.leaks += [(kind, chair, hand, card) for card in sorted(set(found) - set(allowed))]

    def read_socket(self, chair, texts, knowledge):
        for text in texts:
            data = json.loads(text)
            kind = data["type"]
            if kind == "table" and "play" in data:
                (hand, n), ended = data["turn"], data["play"]["over"]
                allowed = knowledge.after(chair, hand) if ended else knowledge.during(chair, hand, n)
                self.read("hand over" if ended else "hand", chair, text, allowed, hand)
            elif kind == "coach":
                what = "coach: solved" if "solved" in data else "coach"
                self.read(what, chair, text, knowledge.during(chair, *data["turn"]), data["turn"][0])
            elif kind == "review":
                for decision in data.pop("decisions"):
                    hand = decision["hand"]
                    self.read("decision of a review", chair, json.dumps(decision), knowledge.after(chair, hand), hand)
                self.read("review", chair, json.dumps(data), ())
            else:
                self.read(kind, chair, text, ())


def solved(view, *_, **__):
    """A result of solving: any action, with any value."""
    actions = view.legal().menu()
    even = np.full(len(actions), 1 / len(actions))
    return Resolved(actions, even, np.arange(len(actions)) * 10.0, even, 0.001, 10, 0.1)


def solving(view, *_, **__):
    """One round of solving."""
    yield solved(view)


async def at_once(desk, call):
    return call()  # threads take most of the time and change no byte


async def play(seats, hands, random, coach_every):
    """Play by chance with people in `seats`, by chair; the coach is asked now and then."""
    people = list(seats.values())
    for hand in range(hands):
        while True:
            await asyncio.gather(
                *(s.until(lambda s, hand=hand: s.table.get("hand") == hand and "play" in s.table) for s in people)
            )
            table = people[0].table
            if over(people[0]):
                break
            actors = [seat for seat in people if my_turn(seat) and seat.table["turn"] == table["turn"]]
            if not actors:
                turn = table["turn"]
                await people[0].until(lambda s, turn=turn: s.table["turn"] != turn or my_turn(s) or over(s))
                continue
            actor = actors[0]
            if coach_every and hand % coach_every == 1:
                n = len(actor.texts)
                actor.say({"type": "coach"})
                await actor.until(lambda s, n=n: any('"solves":false' in text for text in s.texts[n:]))
            turn = table["turn"]
            actor.say({"type": "act", "turn": turn, "action": some_action(actor.table["play"]["legal"], random)})
            await asyncio.gather(*(s.until(lambda s, turn=turn: s.table["turn"] != turn) for s in people))
        if hand < hands - 1:
            for seat in people:
                seat.say({"type": "ready", "hand": hand})


async def review(people):
    """Ask for a review of the last hands, and for something that is refused."""
    for seat in people:
        seat.say({"type": "review", "hands": 50})
        await seat.until(lambda s: s.last["type"] == "review" and s.last["done"] == s.last["total"])
        seat.say({"type": "act", "turn": [0, 0], "action": "c"})
        await seat.until(lambda s: s.last["type"] == "refused")


async def read_tables_files(scan, app, knowledge, name, tokens):
    """Read what a table's page asks for beside its messages, as each reader, and replay the last hands of its file."""
    for chair, token in tokens.items():
        for what in ("session", "statistics"):
            _, _, content = await request(app, f"/api/tables/{name}/{what}", token=token)
            scan.read(what, chair, content.decode(), ())
        for ending, begins in SECTIONS.items():
            status, _, content = await request(app, f"/api/tables/{name}/hands.{ending}", token=token)
            if status != 200:
                scan.read("refused", chair, content.decode(), ())  # this form cannot express the game
                continue
            head, *sections = re.split(begins, content.decode(), flags=re.M)
            assert len(sections) == len(knowledge.hands)
            scan.read(f"hands.{ending}", chair, head, ())
            for hand, section in enumerate(sections):
                scan.read(f"hands.{ending}", chair, section, knowledge.after(chair, hand), hand)
            if ending == "phhs":
                await read_replays(scan, app, knowledge, chair, sections)


async def read_replays(scan, app, knowledge, chair, sections):
    """Read the replays of a file's last hands, and the beliefs of Poki in a seat whose cards are known there."""
    for hand in range(max(0, len(sections) - 3), len(sections)):
        asking, known = {"text": sections[hand]}, knowledge.after(chair, hand)
        _, _, content = await request(app, "/api/replay", method="POST", body=asking)
        scan.read("replay", chair, content.decode(), known, hand)
        seats = json.loads(content)["known"]
        if knowledge.hands[hand].rules.is_holdem and seats:
            asking |= {"index": 0, "seat": seats[0], "agent": "poki"}
            _, _, content = await request(app, "/api/replay/beliefs", method="POST", body=asking)
            text = content.decode().replace("As the others should answer it", "")  # words, not a card
            scan.read("beliefs", chair, text, known, hand)


async def read_sessions(scan, app, knowledge, owner, names):
    """Read what is stored of the hands, and what the page of sessions says, also if another hero is asked for."""
    with SessionStore.reading() as store:
        rows = store.ask("SELECT id, number, deck, tags FROM hands").rows
    numbers = {identity: number for identity, number, _, _ in rows}
    assert sorted(numbers.values()) == sorted(knowledge.hands)
    for _, number, *texts in rows:
        scan.read("stored hand", owner, " ".join(map(str, texts)).replace("?", ""), knowledge.after(owner, number))
    for hero in ("", *names):
        for what in ("sessions", "sessions/graph"):
            _, _, content = await request(app, f"/api/{what}?hero={hero}")
            scan.read(what, owner, content.decode(), ())
        _, _, content = await request(app, f"/api/sessions/hands?hero={hero}")
        for row in json.loads(content)["hands"]:
            number = numbers[row["id"]]
            scan.read("hand in a list", owner, json.dumps(row), knowledge.after(owner, number), number)
        ids = list(numbers)[-50:]
        asking = f"/api/sessions/hands.phhs?ids={','.join(map(str, ids))}&hero={hero}"
        status, _, content = await request(app, asking)
        if status != 200:
            scan.read("refused", owner, content.decode(), ())  # PHH cannot express the game
            continue
        sections = re.split(SECTIONS["phhs"], content.decode(), flags=re.M)[1:]
        for identity, section in zip(ids, sections, strict=True):
            number = numbers[identity]
            scan.read("hand of a session", owner, section, knowledge.after(owner, number), number)


def scanned(folder, monkeypatch, game, chairs, hands, *, everything=True, leak=lambda patch: None):
    """The scan of one table, of its messages or of everything; `leak` may break the code meanwhile."""
    monkeypatch.setenv("POKERLAB_SESSIONS", str(folder / "sessions.duckdb"))  # never those of who runs this
    scan = Scan()

    async def go(patch):
        hall = Hall(folder, ("random",), recorder=SessionRecorder() if everything else None)
        app = application(hall, hosts=[HOST])
        desk = await hall.set_up(asked(game, *chairs, coach=everything))
        tokens = {int(key) if key != "watch" else None: token for key, token in desk.links().items()}
        seats = {}
        watched = everything or "Bob" in chairs
        for chair, token in list(tokens.items())[: None if watched else -1]:
            seats[chair] = Seat(app, desk.name)
            seats[chair].say({"token": token})
            await seats[chair].until(lambda s: s.table)
        people = {chair: seat for chair, seat in seats.items() if chair is not None}
        await play(people, hands, Random(1), COACH_EVERY * everything)
        if everything:
            await review(people.values())
        tokens |= {
            c: json.loads(s.texts[0])["token"] for c, s in seats.items() if s.texts[0].startswith('{"type": "seat"')
        }
        for seat in seats.values():
            await seat.leave()
        patch.undo()
        knowledge = Knowledge(desk)
        assert len(knowledge.hands) == hands
        leak(patch)
        for chair, seat in seats.items():
            scan.read_socket(chair, seat.texts, knowledge)
        if everything:
            await read_tables_files(scan, app, knowledge, desk.name, tokens)
        hall.close()
        if everything:
            await read_sessions(scan, app, knowledge, next(iter(people)), desk.table.names)

    with monkeypatch.context() as patch:
        for place in ("coach.resolving", "coach.resolved"):
            patch.setattr(f"pokerlab.web.{place}", solving if place.endswith("ing") else solved)
        patch.setattr(Desk, "in_thread", at_once)
        patch.setattr("pokerlab.web.desk.MOST_WATCHED", 3)
        leak(patch)
        asyncio.run(go(patch))
    return scan


@pytest.mark.parametrize("share", [0.1, pytest.param(1.0, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(("game", "chairs", "hands"), LONG)
def test_no_message_tells_a_card_that_its_reader_may_not_know(game, chairs, hands, share, tmp_path, monkeypatch):
    hands = round(hands * share)
    scan = scanned(tmp_path, monkeypatch, game, chairs, hands, everything=False)
    assert scan.leaks == []
    assert scan.messages["hand"] > 2 * hands and scan.messages["hand over"] >= hands
    assert scan.cards["hand"] > 4 * hands or game == "leduc"
    assert set(scan.messages) == {"hand", "hand over"} | ({"seat"} if "Bob" in chairs else set())


WITH_CARDS = {
    *("hand", "hand over", "decision of a review", "hands.phhs", "hands.log", "hands.txt", "replay"),
    *("stored hand", "hand in a list", "hand of a session"),
}
WITHOUT = {
    "coach",
    "coach: solved",
    "beliefs",
    "review",
    "refused",
    "seat",
    "session",
    "statistics",
    "sessions",
    "sessions/graph",
}


@pytest.mark.parametrize("share", [0.4, pytest.param(1.0, marks=pytest.mark.thorough)])
def test_no_answer_of_any_kind_tells_one_either(share, tmp_path, monkeypatch):
    messages, cards = Counter(), Counter()
    for number, (game, chairs, hands) in enumerate(SHORT):
        folder = tmp_path / str(number)
        folder.mkdir()
        scan = scanned(folder, monkeypatch, game, chairs, round(hands * share))
        assert scan.leaks == []
        assert scan.messages["stored hand"] == round(hands * share)
        messages += scan.messages
        cards += scan.cards
    rare = {"coach: solved"} if share < 1 else set()  # few hands may have no spot that is small enough
    assert WITH_CARDS | WITHOUT - rare <= set(messages) <= WITH_CARDS | WITHOUT
    assert {kind for kind in WITH_CARDS if cards[kind] < messages[kind] / 3} == set()


def _names_a_card(data, card):
    return {**data, "note": f"somebody has {card_text(card)}"}


def _opponents_card(patch):
    seen_from = Desk.seen_from

    def seen(desk, chair):
        state, data = desk.table.state, seen_from(desk, chair)
        return data if state is None or chair is None else _names_a_card(data, state.hole(desk.table.seat_of(1))[0])

    patch.setattr(Desk, "seen_from", seen)


def _uncensored(patch):
    patch.setattr(HandHistory, "seen_by", lambda hand, *seats: hand)


def _coach(patch):
    advice = Coach.advice
    patch.setattr(Coach, "advice", lambda coach, view: _names_a_card(advice(coach, view), _free_card(view)))


def _free_card(view):
    return next(card for card in range(52) if card not in (*view.hole, *view.board))


def _statistics(patch):
    statistics = Desk.statistics
    patch.setattr(Desk, "statistics", lambda desk: _names_a_card(statistics(desk), 3))


@pytest.mark.parametrize(
    ("leak", "kinds"),
    [
        (_opponents_card, {"hand", "hand over"}),
        (_uncensored, {"hand over", "hands.phhs", "hands.log", "hands.txt", "replay", "stored hand"}),
        (_coach, {"coach"}),
        (_statistics, {"statistics"}),
    ],
)
def test_leaks_that_are_made_on_purpose_are_found(leak, kinds, tmp_path, monkeypatch):
    scan = scanned(tmp_path, monkeypatch, "limit2p", ("You", "random"), 12, leak=leak)
    assert {kind for kind, *_ in scan.leaks} >= kinds
