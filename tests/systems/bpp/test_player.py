"""The Bayesian player: it wins, folds nothing that is free, bluffs to the end, learns, and refuses other games."""

import json

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.evaluate import evaluate
from pokerlab.cards.odds import odds_of_hand
from pokerlab.cli import main
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import SCHEMES, agent
from pokerlab.rng import shuffled_deck, stream
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings, Curves, Utility
from pokerlab.systems.bpp.readings import played_out, played_out_at_stud, represented
from pokerlab.systems.bpp.type_counts import THREE_STYLES
from pokerlab.systems.bpp.variants import VARIANTS
from pokerlab.table.match import MatchPlan, plans, play_match
from pokerlab.table.winnings import sample, winnings


def view_after(*actions, deck="7c2d AsAh 9h8s4c 5s 3d"):
    state = State.start(game("limit2p"), cards(deck))
    for action in actions:
        state = state.after(action)
    return state.view(state.betting.actor, 0, ("ann", "bob"))


def won(name: str, other: str, deals: int):
    todo = plans(MatchPlan("limit2p", (name, other), 100, seed=11), hands=deals, duplicate=True)
    results = [play_match(plan, agent) for plan in todo]
    return winnings(sample(results), todo[0].rules, "small_bets_per_hand")[0]


@pytest.mark.slow
@pytest.mark.parametrize("other", ["caller", "raiser", "random", "rulebot"])
def test_the_hybrid_beats_simple_players(other: str) -> None:
    assert won("bpp", other, 500).low > 0


def test_the_variants_are_the_registered_ones() -> None:
    assert tuple(VARIANTS) == ("", *SCHEMES["bpp"].variants)


@pytest.mark.parametrize("decides", [Curves(), Curves(shift=0.4), Utility()])
def test_nothing_free_is_folded(decides) -> None:
    p = decides.triple(0.01, odds=0.0, may_fold=False, may_raise=True)
    assert p[0] == 0
    assert p.sum() == pytest.approx(1)
    assert decides.triple(0.01, odds=0.3, may_fold=True, may_raise=True)[0] > 0.9
    big_blind = BayesianPlayer(BppSettings(decides=decides))
    actions, chances, _ = big_blind.triple(view_after(CALL))  # it may check
    assert FOLD not in actions
    assert chances.sum() == pytest.approx(1)


def test_a_shift_to_the_left_raises_more_and_folds_less() -> None:
    def of(shift: float) -> np.ndarray:
        return Curves(shift=shift).triple(0.45, odds=0.3, may_fold=True, may_raise=True)

    assert of(-0.1)[2] > of(0.0)[2] > of(0.1)[2]
    assert of(-0.1)[0] < of(0.0)[0] < of(0.1)[0]


def test_the_combinatory_chance_is_equity_against_a_random_hand() -> None:
    for board in ("", "3h4cJh", "3h4cJhQs", "3h4cJhQs2d"):
        found = odds_of_hand(cards("AdQc"), cards(board))
        assert played_out(cards("AdQc"), cards(board)) == pytest.approx(found.equity, abs=1e-5)


def test_an_opponents_raise_makes_the_network_less_hopeful() -> None:
    player = BayesianPlayer(BppSettings(combinatory=0.0))
    raised, limped = view_after(RaiseTo(20)), view_after(CALL)
    assert player.chances(raised)["chance"] < player.chances(limped)["chance"]


def test_a_bluff_goes_on_to_the_end_of_the_hand_and_helps() -> None:
    player = BayesianPlayer(BppSettings(bluffs=(1.0, 0.0, 0.0, 0.0)))
    first, later = view_after(), view_after(CALL, CALL, CALL)
    assert player.chances(first, bluffing=True)["network"] > player.chances(first)["network"]
    assert player._bluffs(first, 0.5)
    assert player._bluffs(first, 0.5)  # asked again, it says the same
    assert player._bluffs(later, 0.99)  # once begun
    honest = BayesianPlayer(BppSettings(bluffs=(0.2, 0.0, 0.0, 0.0)))
    assert not honest._bluffs(first, 0.5)
    assert not honest._bluffs(later, 0.0)


@pytest.mark.parametrize("style", THREE_STYLES)
def test_it_learns_the_type_with_the_base_among_them(style: str) -> None:
    """Table 4.16's question, once each: 150 hands against a player of each style."""
    opponent = "bpp:hybrid" if style == "base" else f"bpp:{style}"
    made = []
    play_match(MatchPlan("limit2p", ("bpp:types", opponent), hands=150, seed=2), agent, on_end=made.extend)
    belief = made[0].model_of(opponent).belief
    assert THREE_STYLES[int(belief.argmax())] == style
    assert belief.max() > 0.9


def test_the_explained_network_uses_the_players_own_tables() -> None:
    """With counted types the network's posterior is the number that the player decides by."""
    view = view_after(RaiseTo(20))
    player = BayesianPlayer(BppSettings(model="styles", combinatory=0.0))
    win = player.explain(view).network.beliefs["Win"]
    assert win[0] + win[1] / 2 == pytest.approx(player.chances(view)["chance"], abs=1e-9)


def test_what_it_explains_is_what_it_plays() -> None:
    view = view_after(RaiseTo(20), CALL, CALL)
    player = agent("bpp")
    said = player.explain(view)
    drawn = [player.act(view, stream(1, "draws", index=i)).kind for i in range(400)]
    for action, p in zip(said.actions, said.p, strict=True):
        assert np.mean([kind == action.kind for kind in drawn]) == pytest.approx(p, abs=0.1)
    assert said.weights[0].max() == 1
    assert "conservative" in said.words[-1]
    assert Kind.FOLD not in {action.kind for action in said.actions}


@pytest.mark.parametrize(
    ("name", "rules", "who"),
    [
        ("bpp", "nolimit2p", ""), ("bpp", "limit6p", ""), ("bpp", "stud2p", "; bpp:1993, bpp:1999, bpp:2000 do"),
        ("bpp:2000", "limit2p", "; bpp, bpp:plain, bpp:adaptive and 20 more do"), ("bpp:1999", "stud3p", ""),
    ],
)  # fmt: skip
def test_games_it_cannot_play_are_refused_in_one_line(name: str, rules: str, who: str, capsys) -> None:
    agents = ",".join([name, *["caller"] * (game(rules).n_seats - 1)])
    assert main(["match", "--game", rules, "--agents", agents, "--hands", "2", "--no-save"]) == 2
    assert capsys.readouterr().err == f"pokerlab: {name} does not play {rules}{who}\n"


def test_the_combinatory_chance_at_stud() -> None:
    """Exact once one card alone is unknown: of 43 hidden cards, a king beats the queens, and nothing ties them."""
    mine, showing = cards("QsQd7h4c2d"), cards("Kh9s8d3c")
    assert played_out_at_stud(mine, showing) == pytest.approx(40 / 43)
    mine, showing = cards("9d9c3h"), cards("KhJs")
    won = 0.0
    for index in range(2000):
        rest = shuffled_deck(5, "stud", index=index, cards=set(range(52)) - {*mine, *showing})
        one, other = evaluate((*mine, *rest[:2])), evaluate((*showing, *rest[2:5]))
        won += (one > other) + (one == other) / 2
    assert played_out_at_stud(mine, showing) == pytest.approx(won / 2000, abs=0.06)  # four standard errors of both


def test_a_bluff_represents_one_type_more() -> None:
    assert represented(np.array([0.25, 0.5, 0.25])).tolist() == [0.0, 0.25, 0.75]


def stud_view(*actions, deck):
    state = State.start(game("stud2p"), cards(deck))
    for action in actions:
        state = state.after(action)
    return state.view(state.betting.actor, 0, ("ann", "bob"))


def stud_deck(hole: str, up: str, other_hole: str, other_up: str) -> str:
    """Cards in dealing order, by seat: hole cards, then a card up for each on every street."""
    rules = game("stud2p")
    deck = [""] * rules.n_dealt
    for street, (holes, ups, _) in enumerate(rules.layout):
        for seat, (down, shown) in enumerate(((hole, up), (other_hole, other_up))):
            if street == 0:
                deck[holes[seat].start] = down
            deck[ups[seat].start] = shown[2 * street : 2 * street + 2]
    return "".join(deck)


@pytest.mark.parametrize("year", ["1993", "1999", "2000"])
def test_stud_networks_read_up_cards_and_bets(year: str) -> None:
    """A pair of aces against a king that shows is likelier to win than a nine high; a raise makes it less so."""
    player = BayesianPlayer(VARIANTS[year])
    strong = stud_view(deck=stud_deck("As", "Ad9c8h7d", "2c", "Kh3s4d6c"))
    weak = stud_view(deck=stud_deck("9s", "8d5c4h2d", "2c", "Kh3s4d6c"))
    chances = [player.chances(view)["chance"] for view in (strong, weak)]
    assert chances[0] > 0.6 > chances[1] or year == "1993"
    assert chances[0] > chances[1]
    opened = stud_view(RaiseTo(10), deck=stud_deck("9s", "8d5c4h2d", "2c", "Kh3s4d6c"))
    assert opened.seat == 0  # the king opens
    assert player.chances(opened)["chance"] < 0.5


def test_the_network_of_2003_reads_flushes() -> None:
    player = BayesianPlayer(BppSettings(network="2003", combinatory=0.0))
    drawing = view_after(CALL, CALL, deck="AhKh 7c2d 9h8h4c 5s 3d")
    dry = view_after(CALL, CALL, deck="AhKh 7c2d 9s8c4c 5s 3d")
    assert player.chances(drawing)["chance"] > player.chances(dry)["chance"] + 0.1


@pytest.mark.slow
def test_explain_walks_through_a_hand(tmp_path, capsys) -> None:
    run = str(tmp_path / "run")
    assert main(["match", "--agents", "bpp,caller", "--hands", "4", "--workers", "1", "--out", run]) == 0
    capsys.readouterr()
    assert main(["explain", run, "--player-name", "bpp", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["agent"] == "bpp"
    assert any("numbers" in moment and "network" in moment["numbers"] for moment in told["moments"])
    pictures = tmp_path / "pictures"
    assert main(["explain", run, "--player-name", "bpp", "--picture", str(pictures), "--format", "svg"]) == 0
    drawn = sorted(pictures.glob("*-network.svg"))
    assert len(drawn) == sum("numbers" in moment for moment in told["moments"])
    assert "OppConservative" in drawn[0].read_text()


def test_a_hand_of_stud_is_not_walked_through(tmp_path, capsys) -> None:
    run = ["--hands", "2", "--workers", "1", "--out", str(tmp_path / "run")]
    assert main(["match", "--game", "stud2p", "--agents", "bpp:1999,caller", *run]) == 0
    capsys.readouterr()
    assert main(["explain", str(tmp_path / "run"), "--player-name", "bpp:1999"]) == 2
    assert capsys.readouterr().err == "pokerlab: a walk shows beliefs about two hole cards, and stud2p is not hold'em\n"
