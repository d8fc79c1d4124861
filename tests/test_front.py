"""The front door: what `import pokerlab as pl` offers says the same as the rooms behind it, and is light to import."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import pokerlab as pl
from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.catalog import game
from pokerlab.notation.formats import write_hands
from pokerlab.run import KINDS

DOCS = Path(__file__).parent.parent / "docs"


class Newcomer:
    """Takes any legal action, and counts the decisions it made."""

    def __init__(self):
        self.decisions = 0

    def act(self, view, rng):
        self.decisions += 1
        menu = view.legal().menu()
        return menu[rng.integers(len(menu))]


def test_importing_pokerlab_imports_nothing_it_may_not_need():
    asked = (
        "import sys, pokerlab as pl; dir(pl), pl.RaiseTo, pl.game; print(*{m.partition('.')[0] for m in sys.modules})"
    )
    modules = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    outside = {name for name in modules if name not in sys.stdlib_module_names and not name.startswith("_")}
    assert outside <= {"pokerlab", "sitecustomize"}


def test_the_stub_says_what_the_package_does():
    stub = ast.parse(Path(pl.__file__).with_suffix(".pyi").read_text())
    imported = {
        alias.asname: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    imported = {name: module for name, module in imported.items() if name in pl._HOMES}
    assert imported == {name: f"pokerlab.{home}" for name, home in pl._HOMES.items()}
    requests = {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)} - {"__version__", "__all__"}
    assert requests == set(pl._REQUESTS)
    assert set(pl.__all__) == {*imported, *requests, "__version__"}
    assert set(pl.__all__) <= set(dir(pl))
    for name in (*imported, *requests):
        assert getattr(pl, name).__doc__


def test_there_is_a_function_for_every_kind_of_request():
    without = {"solve", "match"}  # these have functions of their own, which take rules and agents as objects too
    made_by_hand = {
        "matchups",
        "buckets build",
        "tables build",
        "tables flops",
    }  # files that ship or are cached: by command or JSON
    assert set(pl._REQUESTS) == {
        kind.replace(" ", "_").replace("-", "_") for kind in set(KINDS) - without - made_by_hand
    }


def test_a_setting_that_does_not_exist_is_named():
    with pytest.raises(PokerlabError, match="tournament has no setting 'hnds'"):
        pl.tournament(agents=["caller", "raiser"], hnds=10)
    with pytest.raises(TypeError, match=r"equity\(\) got an unexpected keyword argument 'sample'"):
        pl.equity("AA", "KK", sample=10)


def test_what_is_not_there_says_so():
    with pytest.raises(AttributeError, match="module 'pokerlab' has no attribute 'poker'"):
        pl.poker  # noqa: B018


def test_hands_compare_as_numbers_and_print_as_words():
    pair, straight = pl.evaluate("AdQc 3h4cJh Qd2s"), pl.evaluate(cards("9s8s7d6c5h"))
    assert (int(pair), str(pair)) == (3680, "pair of queens, A-J-4 kickers")
    assert straight > pair


def test_equity_takes_cards_ranges_and_anything():
    assert pl.equity("AhKh", "QcQd").wins == (787966, 917606)
    by_text, by_weights = (
        pl.equity("AhKh", hand, board="2h7h9c", dead="As") for hand in ("99+", pl.parse_range("99+"))
    )
    assert by_text == by_weights
    sampled = pl.equity("AA", None, "random", samples=20_000, method="sampled", seed=3)
    assert sampled.interval[0][0] < 0.7349 < sampled.interval[0][1], "aces against two random hands"
    assert str(pl.equity("AhAs", "KhKs", board="2c2d3h3s4c")) == "100.0% 0.0% (exact, 1 deals)"


def test_a_match_is_the_one_of_the_command_line(capsys):
    found = pl.match("leduc", ["random", "caller"], hands=60, seed=3, duplicate=True)
    tokens = "match --game leduc --agents random,caller --hands 60 --seed 3 --duplicate --no-save --workers 1 --json"
    assert main(tokens.split()) == 0
    told = json.loads(capsys.readouterr().out)["agents"]
    assert [(row["name"], row["mean"], row["low"], row["high"]) for row in told] == [
        (name, won.mean, won.low, won.high) for name, won in found.winnings.items()
    ]
    assert str(found).splitlines()[2] == "95% intervals, n = 60 deals, 2 seatings each"


def test_players_are_new_in_every_match():
    one = Newcomer()
    found = pl.match(game("kuhn"), [one, Newcomer], hands=30, duplicate=True)
    assert one.decisions == 0
    assert list(found.winnings) == ["Newcomer", "Newcomer#2"]
    again = pl.match("kuhn", [lambda: Newcomer(), one], hands=30, duplicate=True)
    assert [result.chips.tolist() for result in again.results] == [result.chips.tolist() for result in found.results]


def test_what_cannot_play():
    with pytest.raises(PokerlabError, match=r"a dict has no act\(view, rng\) method"):
        pl.match("leduc", [dict, "caller"], hands=1)
    with pytest.raises(PokerlabError, match="no agent is called 'pokki'"):
        pl.agent("pokki")
    with pytest.raises(PokerlabError, match="leduc seats 2 players; 3 were named"):
        pl.match("leduc", ["caller"] * 3)
    with pytest.raises(PokerlabError, match="poki does not play leduc"):
        pl.play_hand("leduc", ["poki", "caller"])


def test_a_hand_is_the_first_of_a_match():
    hand = pl.play_hand("nolimit3p", ["random", Newcomer, "caller"], seed=5)
    match = pl.match("nolimit3p", ["random", Newcomer, "caller"], seed=5, hands=1)
    assert hand.payoffs == tuple(match.results[0].chips[0])
    assert hand.names == ("random", "Newcomer", "caller")
    dealt = pl.play_hand("leduc", ["raiser", "folder"], cards="KhQsKs")
    assert dealt.payoffs == (1, -1)
    assert str(dealt).splitlines() == [
        "leduc, hand 0: raiser K♥, folder Q♠",
        "street 1: raiser raises to 3, folder folds",
        "raiser +1, folder -1",
    ]


def test_hands_of_every_format_are_read(tmp_path):
    (hand,) = pl.hand_history(str(DOCS / "example-hand.phh"))
    assert (hand.names[1], hand.payoffs[1]) == ("Bob", 95)
    write_hands(tmp_path / "x.log", [hand])
    assert pl.hand_history(tmp_path / "x.log", game="limit6p")[0].payoffs == hand.payoffs
    tokens = f"match --game leduc --agents random,caller --hands 5 --workers 1 --json --out {tmp_path / 'run'}"
    assert main(tokens.split()) == 0
    assert len(pl.hand_history(tmp_path / "run")) == 5


def test_what_cannot_be_read(tmp_path):
    text = (DOCS / "example-hand.phh").read_text()
    (tmp_path / "two.phhs").write_text(f"[1]\n{text}\n[2]\n{text.replace('p5 sm AhJd', 'p5 sm AhXx')}")
    with pytest.raises(FileError, match=r"two\.phhs:\d+: .*Xx"):
        pl.hand_history(tmp_path / "two.phhs")
    assert len(pl.hand_history(tmp_path / "two.phhs", strict=False)) == 1
    with pytest.raises(FileError, match="there is no such file"):
        pl.hand_history(tmp_path / "none.phh")


def test_a_river_is_a_game_too():
    river = pl.subgame_rules("Ks7h2d5c8s", ("AA, QJs", "KQ"), pot=100, stack=100)
    found = pl.solve(river, sizes="1p", target=0.5)
    assert found.exploitability <= 0.5
    _, _, aces, bluffs = str(pl.show(found)).splitlines()
    assert (aces.split()[0], bluffs.split()[0]) == ("AA", "QJs")
    bets = [float(line.split()[3].rstrip("%")) for line in (aces, bluffs)]
    held = {str(pl.play_hand(river, ["caller", "caller"], seed=seed)).splitlines()[0] for seed in range(30)}
    assert all("caller#2 K" in hand or "caller#2 Q" in hand for hand in held)
    assert min(bets) > 90, "a caller holds a queen: three bluffs to six aces, which is what a bet of the pot may have"


def test_solving_keeping_and_reading_back(tmp_path):
    found = pl.solve(game("kuhn"), target=0.001, out=tmp_path / "kuhn")
    assert found.exploitability <= 0.001
    assert found.value == pytest.approx(-1 / 18, abs=0.001)
    read = pl.strategy(tmp_path / "kuhn")
    assert read.at(0).tolist() == found.strategy.at(0).tolist()
    assert str(found).startswith("kuhn: value -0.05")
    spots = [pl.show(what, "check, bet") for what in (found, read, str(tmp_path / "kuhn"))]
    assert len({str(spot) for spot in spots}) == 1
    place, headings, queen, *_ = str(spots[0]).splitlines()
    assert place == "check, raise to 2: seat 0 acts, street 1, 3 chips in the pot"
    assert headings.split() == ["hand", "weight", "fold", "call"]
    assert queen.split()[::2] == ["Q", "100.0%"]
    with pytest.raises(PokerlabError, match="solve has no setting 'iteration'"):
        pl.solve("kuhn", iteration=5)
