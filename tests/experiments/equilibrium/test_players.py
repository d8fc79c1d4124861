"""The experiments about equilibrium players: what betting off the tree gains, and the cross-table."""

import pytest

from pokerlab.estimates import Estimate
from pokerlab.experiments.equilibrium import players as equilibrium_players
from pokerlab.experiments.equilibrium import translation as equilibrium_translation
from pokerlab.experiments.equilibrium.translation import gain
from pokerlab.experiments.experiment import Config
from pokerlab.players.registry import every_name, lab_agents
from pokerlab.trees.translation import DEFAULT_TRANSLATION, RULES, TRANSLATIONS


def test_who_bets_as_the_tree_does_gains_nothing():
    for rule in RULES:
        assert gain({"stack": 12, "size": 1.0, "rule": rule}) == pytest.approx(0, abs=1e-9)


def test_hard_translation_is_exploited_where_it_changes_its_mind():
    """2.4 pots is just above the geometric mean of pot and all-in (5.5 pots), so it is taken for all-in."""
    found = {rule: gain({"stack": 12, "size": 2.4, "rule": rule}) for rule in RULES}
    assert found["geometric"] == pytest.approx(0.3246, abs=1e-3)
    assert found["geometric"] > 4 * found["soft"] > 8 * found["pseudo-harmonic"] > 0
    assert gain({"stack": 12, "size": 2.3, "rule": "geometric"}) < found["geometric"] / 3


def test_who_minds_the_pot_is_not_held_to_a_call_of_all_in():
    """With 400 antes behind, a bet of two pots that was taken for all-in used to be called down to the end."""
    gains = {rule: gain({"stack": 400, "size": 2.0, "rule": rule}) for rule in ("pseudo-harmonic", DEFAULT_TRANSLATION)}
    assert gains["pseudo-harmonic"] == pytest.approx(9.105, abs=1e-2)
    assert gains[DEFAULT_TRANSLATION] == pytest.approx(0.459, abs=1e-2)


@pytest.mark.slow
def test_translation_table_has_every_rule_and_size():
    settings = {"sizes": {"12": [2.4, 3.0]}, "lbr_sizes": ["1p", "5p"], "lbr_deals": 6}
    table = equilibrium_translation.run(Config(settings, seed=1))
    sections = [section.rows for section in table.sections.values()]
    worst, more, *by_rule = sections[: 2 + len(TRANSLATIONS)]
    best, *each = sections[2 + len(TRANSLATIONS) :]
    assert list(best) == list(TRANSLATIONS) and len(each) == len(TRANSLATIONS)
    assert all(list(rows) == ["2.4 pots", "3 pots"] for rows in each)
    assert best["geometric"].mean == each[0]["2.4 pots"].mean == pytest.approx(324.6, abs=0.5)
    assert len({rows["1p"].mean for rows in by_rule}) == 1  # a bet of the tree, however others are understood
    for rule, (name, number), rows in zip(TRANSLATIONS, worst.items(), by_rule, strict=True):
        size = max(rows, key=lambda size: rows[size].mean)
        assert name == f"{rule} ({size})" and number.mean == rows[size].mean and number.low < rows[size].low
    lost = {name.partition(" ")[0]: number.mean for name, number in worst.items()}
    assert {rule: gap.mean for rule, gap in more.items()} == pytest.approx(
        {rule: lost[rule] - lost[DEFAULT_TRANSLATION] for rule in TRANSLATIONS if rule != DEFAULT_TRANSLATION}
    )


def test_everyone_is_met():
    deals = dict.fromkeys(equilibrium_players.PLAYERS, dict.fromkeys(equilibrium_players.OPPONENTS, 1))
    met = {(game, opponent) for game, opponent, _ in equilibrium_players.pairings(deals)}
    # these came after the recorded results
    later = (
        "bpp",
        "search",
        "formula",
        "regrets",
        "poki:before",
        "poki:balanced",
        "poki:strengths",
        "connectionist",
        "resolver",
    )
    kinds = set(lab_agents()) - {"equilibrium", *later}
    for game in equilibrium_players.PLAYERS:
        assert {name.partition(":")[0] for where, name in met if where == game} >= kinds - {"shover"}
    everyone = {name for name in every_name() if not name.startswith(("equilibrium", "simbot", *later))}
    assert {name for where, name in met if where == "nolimit2p"} == everyone | {"simbot:quick"}


def test_a_match_is_measured_both_ways():
    part = {"game": "nolimit2p", "opponent": "folder", "deals": 20, "matches": 1, "seed": 1}
    found = equilibrium_players.match(part)
    raw = Estimate.from_data(found["raw"])
    # A folder gives up its small blind (500) or, unless the other folds or calls, its big blind (1000 mbb).
    assert 0 < raw.low <= raw.mean <= 750 and raw.mean > 500 and raw.n == 20
    assert found["AIVAT"]["low"] > 0


def test_notes_name_those_who_are_not_beaten():
    rows = {"a": Estimate(5.0, 1.0, 9.0, 10), "b": Estimate(1.0, -2.0, 4.0, 10), "c": Estimate(-4.0, -6.0, -2.0, 10)}
    first, *_ = equilibrium_players.notes({"x": rows})
    assert first == "x: 1 of 3 intervals lie above zero; they hold zero against b; they lie below zero against c."
