"""Pages besides the tables and the study of spots: replays, beliefs, forms and results."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
from asgi_browser import HAND, ROOT, answers

from pokerlab.policies.solved_charts import shipped_books
from pokerlab.runs.vocabulary import TERMS


def test_an_imported_hand_is_told_step_by_step(tmp_path):
    (status, found), (_, who) = answers(
        tmp_path, ("/api/replay", {"text": HAND}), ("/api/replay/believers", {"text": HAND})
    )
    assert status == 200
    frames = found["frames"]
    assert frames[0]["done"] == "the cards are dealt" and frames[-1]["play"]["over"]
    assert frames[2]["pot_odds"] == pytest.approx(10 / 35, abs=1e-4)
    for frame in frames:
        assert frame["equities"] is None or sum(share or 0 for share in frame["equities"]) == pytest.approx(1, abs=1e-3)
    assert found["hands"][0]["winner"] == "Bob"
    assert found["known"] == [0, 1, 2, 3, 4, 5]
    assert {"poki", "poki:rock", "connectionist:6p"} <= set(who["believers"]) and "caller" not in who["believers"]


def test_the_first_replay_compiles_nothing(tmp_path):
    """A fresh process, because compiled code stays loaded."""
    code = (
        "import sys; from pokerlab.web.replay import hand_frames, hands_of_text; "
        f"hand_frames(hands_of_text({HAND!r}, 'phh')[0][0]); print('numba' in sys.modules)"
    )
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"POKERLAB_CACHE": str(tmp_path)}  # kernels that are compiled already would be used
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert run.stdout == "False\n"


BELIEFS = {"text": HAND, "index": 0, "seat": 1, "agent": "poki"}


def test_an_agent_says_what_it_believes_at_every_step_of_a_hand(tmp_path):
    ((status, found),) = answers(tmp_path, ("/api/replay/beliefs", BELIEFS))
    assert status == 200 and len(found["steps"]) == 18
    own, other = found["steps"][14], found["steps"][3]
    assert [words for words, _ in own["decision"]["options"]] == ["folds", "calls 20", "raises to 40"]
    assert ["EHS", "62%"] in own["decision"]["numbers"]
    (alice,) = own["beliefs"]
    assert alice["name"] == "Alice" and alice["grid"][0] > 0.8 and alice["grid"][-1] < 0.5  # aces, and deuces
    assert other["decision"] is None and [belief["name"] for belief in other["beliefs"]] == ["Alice"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"agent": "caller"}, "is not an agent of the lab that explains its decisions"),
        ({"agent": "py:os:system"}, "is not an agent of the lab that explains its decisions"),
        ({"seat": 6}, "seats are 0 to 5"),
        ({"seat": True}, "a request for a hand's beliefs needs"),
        ({"index": 1}, "the text has 1 hands"),
        ({"agent": "connectionist:2p"}, "does not play limit6p"),
    ],
)
def test_beliefs_that_nobody_has_are_one_line(tmp_path, change, why):
    ((status, found),) = answers(tmp_path, ("/api/replay/beliefs", {**BELIEFS, **change}))
    assert status == 400 and why in found["error"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"text": "nothing"}, "hand"),
        ({"text": 3}, "a replay needs text"),
        ({"text": "\ud800"}, "PokerStars Hand"),
        ({"text": "STATE:0:cc/xx:||"}, ""),
        ([], "a replay needs text"),
        ({"text": HAND, "index": 7}, "the text has 1 hands"),
    ],
)
def test_what_is_no_hand_is_one_line(tmp_path, body, why):
    ((status, found),) = answers(tmp_path, ("/api/replay", body))
    assert status == 400
    assert why in found["error"] and str(tmp_path) not in found["error"] and "/tmp" not in found["error"]


def test_forms_have_the_settings_of_requests(tmp_path):
    subgame, report, wrong = answers(
        tmp_path, ("/api/forms?kind=solve%20subgame", None), ("/api/forms?kind=report", None), ("/api/forms", None)
    )
    settings = {each["name"]: each for each in subgame[1]["settings"]}
    assert settings["target_percent"]["default"] == 0.5 and settings["pot"]["required"] and settings["pot"]["number"]
    assert settings["sizes"]["help"].startswith(TERMS["sizes"])
    assert {each["name"]: each["choices"] for each in report[1]["settings"]}["street"] == ["flop", "turn", "river"]
    assert wrong[0] == 400


def test_names_that_lead_nowhere(tmp_path):
    found = answers(
        tmp_path, ("/api/solves/0123456789ab", None), ("/api/solves/..", None), ("/api/results/..%2Fnothing", None)
    )
    assert [status for status, _ in found] == [400, 400, 400]


def test_documented_results_are_pages(tmp_path):
    listed, one = answers(tmp_path, ("/api/results", None), ("/api/results/hawkin2014-figure-6-5", None))
    names = [each["name"] for each in listed[1]["results"]]
    assert {path.stem for path in (ROOT / "docs" / "results").glob("*.json")} == set(names)
    assert one[1]["picture"] and one[1]["sections"][0]["header"][1:3] == ["published", "ours"]


def test_what_is_no_range_is_one_line(tmp_path):
    wrong = [{"text": 3}, {"text": "A" * 60_000}, []]
    half_written = [{"text": "xx"}, {"text": "AA", "board": "Zz"}]
    found = answers(tmp_path, *(("/api/range", body) for body in (*wrong, *half_written)))
    assert [status for status, _ in found] == [400] * 3 + [200] * 2
    assert [set(said) for _, said in found] == [{"error"}] * 3 + [{"wrong"}] * 2


def test_solved_charts_are_offered_by_position_with_their_source(tmp_path):
    ((status, found),) = answers(tmp_path, ("/api/charts", None))
    (book,) = found["books"]
    rows = {(row["seat"], row["words"]): row for row in book["ranges"]}
    assert status == 200 and book["source"].startswith("solved here: 6 players, 100 big blinds, 8 flops")
    assert rows["BB", "calls CO's open"]["text"] == shipped_books()[0].charts["CO raise, BB"]["call"]
    assert (
        rows["BB", "5-bets all-in against CO's 4-bet"]["share"]
        < rows["BB", "3-bets to 10 bb against CO's open"]["share"]
    )
    assert rows["UTG", "opens to 2.5 bb"]["share"] < rows["BTN", "opens to 2.5 bb"]["share"]
    assert not any(
        seat == "BTN" and "against" in words and "BB" not in words and "SB" not in words for seat, words in rows
    )
    assert ("BTN", "calls CO's open") not in rows  # distorted: the blinds may not call behind
