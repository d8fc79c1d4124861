"""The coach at live tables: what it says at a decision, what a decision cost, and how a hand says that it was asked."""

import asyncio
import json
import threading

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, Seat, asked, my_turn, open_table, over, request, sat

from pokerlab.games.actions import CALL
from pokerlab.games.history import HandHistory
from pokerlab.web.coach import Coach
from pokerlab.web.hall import Hall
from pokerlab.web.live_table import LiveTable
from pokerlab.web.server import application
from pokerlab.web.table_settings import TableSettings


def test_a_new_question_replaces_the_one_before_and_the_table_plays_on(tmp_path, monkeypatch):
    asked_at, may_speak = [], threading.Event()

    def slowly(coach, view):
        asked_at.append(len(view.actions))
        if len(asked_at) == 1:
            may_speak.wait(20)
        return {"equity": len(asked_at) / 10}

    monkeypatch.setattr(Coach, "advice", slowly)

    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "You", "caller", coach=True))
        seat = sat(app, made, 0)
        await seat.until(my_turn)
        seat.say({"type": "coach"})
        while not asked_at:
            await asyncio.sleep(0.01)
        seat.say({"type": "act", "turn": [0, 0], "action": "c"})
        await seat.until(lambda s: s.table["turn"] > [0, 0] and my_turn(s))
        seat.say({"type": "coach"})
        await seat.until(lambda s: s.last["type"] == "coach")
        answer = seat.last
        may_speak.set()
        seat.say({"type": "act", "turn": answer["turn"], "action": "c"})
        await seat.until(over)
        await seat.leave()
        return answer, [text for text in seat.texts if '"coach","turn"' in text or "refused" in text]

    answer, texts = asyncio.run(go())
    assert answer["turn"] > [0, 0] and answer["equity"] == 0.2
    assert len(texts) == 1  # the first question was never answered, and none was refused


@pytest.mark.slow
def test_the_coach_solves_the_river_and_says_what_a_decision_cost(tmp_path):
    """You call everything down with nothing: solving says to fold on the river, and the review what calling cost."""

    async def go():
        hall = Hall(tmp_path, ("raiser",))
        desk = await hall.set_up(asked("limit2p", "You", "raiser", coach=True, seed=45))
        app = application(hall, hosts=[HOST])
        seat = Seat(app, desk.name)
        seat.say({"token": desk.links()["0"]})
        await seat.until(my_turn)
        rounds = []
        while not over(seat):
            turn, play = seat.table["turn"], seat.table["play"]
            if play["street"] == "river" and play["legal"]["fold"] and not rounds:
                seat.say({"type": "coach"})
                await seat.until(lambda s: s.last.get("solves") is False, seconds=120)
                rounds = [json.loads(text)["solved"] for text in seat.texts if '"solved"' in text]
            seat.say({"type": "act", "turn": turn, "action": "c"})
            await seat.until(lambda s, turn=turn: s.table["turn"] != turn and (my_turn(s) or over(s)))
        seat.say({"type": "review", "hands": 1})
        await seat.until(lambda s: s.last.get("done") == 1, seconds=120)
        review = seat.last
        seat.say({"type": "review", "hands": 51})
        await seat.until(lambda s: s.last["type"] == "refused")
        await seat.leave()
        hall.close()
        return rounds, review, seat.last["why"]

    rounds, review, refused = asyncio.run(go())
    assert len(rounds) > 1 and rounds[-1]["gap"] < rounds[0]["gap"]
    assert rounds[-1]["ranges"] == "equilibrium:limit2p"
    folds, calls, _ = rounds[-1]["actions"]
    assert folds["words"] == "folds" and folds["ev"] == 0 and folds["p"] > 0.8
    assert calls["ev"] < -0.5
    worst = next(decision for decision in review["decisions"] if decision["street"] == "river")
    assert (worst["did"], worst["better"]) == (calls["words"], "folds")
    assert worst["cost"] == pytest.approx(-calls["ev"], abs=0.2)
    assert refused == "a review covers 1 to 50 hands, not 51"


def test_a_coached_hand_says_so():
    table = LiveTable(TableSettings.from_data(asked("leduc", "You", "caller", coach=True)))
    table.deal()
    table.ask_coach(0)
    while table.actor is not None:
        table.take(CALL)
    assert table.finished.tags == {"_coached": "You"}
    assert isinstance(table.finished, HandHistory)


def test_the_coach_speaks_to_who_is_to_act_and_the_history_says_so(tmp_path):
    async def go():
        hall, app, made = await open_table(tmp_path, asked("limit2p", "You", "caller", coach=True))
        seat = sat(app, made, 0)
        await seat.until(my_turn)
        seat.say({"type": "coach"})
        await seat.until(lambda s: s.last["type"] == "coach", 60)
        said = seat.last
        while not over(seat):
            turn = seat.table["turn"]
            seat.say({"type": "act", "turn": turn, "action": "c"})
            await seat.until(lambda s, turn=turn: s.table["turn"] != turn and (my_turn(s) or over(s)))
        seat.say({"type": "coach"})
        await seat.until(lambda s: s.last["type"] == "refused")
        why = seat.last["why"]
        statistics = await request(app, f"/api/tables/{made['name']}/statistics", token=made["tokens"]["0"])
        await seat.leave()
        return said, seat.table, list(hall._desks[made["name"]].hands(0)), why, json.loads(statistics[2])

    said, table, hands, why, statistics = asyncio.run(go())
    assert 0 < said["equity"] < 1 and said["opponents"] == 1
    assert len(said["beliefs"][0]["grid"]) == 169
    assert sum(p for _, p in said["equilibrium"]["actions"]) == pytest.approx(1, abs=1e-3)
    assert table["play"]["result"]["coached"] == "You"
    assert [hand.tags for hand in hands] == [{"_coached": "You"}]
    assert "only the player to act" in why
    player = next(each for each in statistics["players"] if each["name"] == "caller")
    assert player["hands"] == 1
    vpip = next(each for each in player["measures"] if each["key"] == "vpip")
    assert (vpip["n"], vpip["kind"]) == (1, "share")


def test_a_table_without_a_coach_has_none(tmp_path):
    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        seat = sat(app, made, 0)
        await seat.until(my_turn)
        seat.say({"type": "coach"})
        await seat.until(lambda s: s.last["type"] == "refused")
        await seat.leave()
        return seat.last["why"]

    assert asyncio.run(go()) == "this table was set up without a coach"
