"""Files of hands: every hand comes back exactly, and a file that is not what it says is refused in one line."""

import random
from dataclasses import replace
from fractions import Fraction
from math import inf

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokerlab import __version__
from pokerlab.cards.card import cards
from pokerlab.errors import FileError, PokerlabError, RulesError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game, game_names
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Street
from pokerlab.games.rules_json import chips_of, rules_from_json, rules_to_json
from pokerlab.games.state import State
from pokerlab.table.records import hand_files, provenance, read_hands, write_hands

CENTS = replace(
    game("nolimit3p"),
    name="cents",
    blinds=(Fraction(1, 2), Fraction(5, 4), 0),
    stacks=(Fraction(301, 7), 60, inf),
    antes=(0, Fraction(1, 10), 0),
    whole_chips=False,
    uncapped_heads_up=True,
)
OMAHA = replace(
    game("potlimit3p"),
    name="omaha",
    ranking="omaha",
    odd_chips="first seat",
    streets=tuple(
        Street(n_hole=4 if i == 0 else 0, n_board=n, first=2 if i == 0 else 0) for i, n in enumerate((0, 3, 1, 1))
    ),
)
GAMES = [
    *(game(name) for name in ("kuhn", "kuhn-nolimit", "leduc", "leduc-nolimit", "rhode-island", "stud3p", "limit4p")),
    CENTS,
    OMAHA,
]


def played(rules, seed):
    """A hand of random legal actions, raises of every kind of number the rules allow."""
    rng = random.Random(seed)
    state = State.start(rules, tuple(rng.sample(rules.deck, len(rules.deck)))[: rules.n_dealt + rng.randrange(2)])
    while not state.over:
        legal = state.betting.legal()
        action = rng.choice([FOLD, CALL, CALL] if legal.fold else [CALL])
        if legal.raise_max is not None and rng.random() < 0.4:
            low, high = legal.raise_min, min(legal.raise_max, 10 * state.betting.pot)
            middle = low + (high - low) * rng.choice([Fraction(rng.randrange(1, 8), 8), rng.random()])
            sizes = [low, max(low, high), middle] if rules.limits == "no-limit" and not rules.whole_chips else [low]
            action = RaiseTo(rng.choice(sizes))
            if action not in legal or action.to <= state.betting.max_bet:
                action = CALL
        state = state.after(action)
    return HandHistory.of(state, tuple(f"player {i}" for i in range(rules.n_seats)), seed)


def dressed(hand, names, tags, seat):
    """The hand under other names, with tags, and for some seats censored to what the seat saw."""
    hand = replace(hand, names=tuple(names[: len(hand.names)]), tags=tags)
    return hand.seen_by(seat) if seat is not None and seat < len(hand.names) else hand


text = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
hands = st.builds(
    dressed,
    st.builds(played, st.sampled_from(GAMES), st.integers(0, 10**6)),
    st.lists(text, min_size=10, max_size=10),
    st.dictionaries(text, text, max_size=3),
    st.none() | st.integers(0, 3),
)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(st.lists(hands, max_size=6))
def test_hands_come_back_exactly(tmp_path, written):
    path = tmp_path / "hands.parquet"
    assert write_hands(path, written, {"seed": 7}) == len(written)
    back = list(read_hands(path))
    assert back == written
    for ours, theirs in zip(back, written, strict=True):
        assert ours.tags == theirs.tags
        assert ours.payoffs == theirs.payoffs
        assert [type(a.to) for a in ours.actions] == [type(a.to) for a in theirs.actions]
        assert [type(stack) for stack in ours.rules.stacks] == [type(stack) for stack in theirs.rules.stacks]


def test_the_examples_reach_fractions_reals_unknown_cards_and_stud():
    made = [played(rules, seed) for rules in GAMES for seed in range(30)]
    kinds = {type(action.to) for hand in made for action in hand.actions}
    assert kinds == {int, float, Fraction}
    assert any(isinstance(chips, Fraction) for hand in made for chips in hand.payoffs)
    assert None in made[0].seen_by(0).deck
    assert inf in CENTS.stacks


@pytest.mark.parametrize("name", game_names())
def test_rules_of_the_catalog_come_back_from_json(name):
    rules = game(name)
    assert rules_from_json(rules_to_json(rules)) == rules


def test_rules_that_cannot_be_read_say_so():
    with pytest.raises(RulesError, match="unknown settings in rules: jokers"):
        rules_from_json('{"name":"x","jokers":2,"streets":[]}')
    with pytest.raises(RulesError, match="cannot read rules"):
        rules_from_json("{")
    with pytest.raises(RulesError, match="cannot read rules"):
        rules_from_json('{"name":"x"}')
    for amount in ("", "1/0", "ten"):
        with pytest.raises(PokerlabError, match="not an amount of chips"):
            chips_of(amount)


LEDUC = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("ann", "bob"), 5)


def test_a_file_says_where_its_hands_come_from(tmp_path):
    path = tmp_path / "run" / "hands" / "0.parquet"
    about = {"command": "pokerlab match", "seed": 7, "match": 3, "seating": [1, 0]}
    write_hands(path, [LEDUC, LEDUC], about)
    said = provenance(path)
    assert (said.about, said.hands, said.version) == (about, 2, __version__)
    row = pq.read_table(path).to_pylist()[0]
    assert (row["match"], row["seating"], row["number"], row["game"]) == (3, "1-0", 5, "leduc")
    assert (row["deck"], row["actions"], row["stacks"]) == ("KhQsKs", "c c c c", "inf inf")


def test_the_checksum_is_of_the_content(tmp_path):
    for name, hand in (("a", LEDUC), ("b", LEDUC), ("c", replace(LEDUC, number=6))):
        write_hands(tmp_path / f"{name}.parquet", [hand], {})
    a, b, c = (provenance(tmp_path / f"{name}.parquet").sha256 for name in "abc")
    assert a == b != c


def test_more_hands_than_a_batch(tmp_path, monkeypatch):
    monkeypatch.setattr("pokerlab.table.records.BATCH", 7)
    written = [replace(LEDUC, number=i) for i in range(20)]
    write_hands(tmp_path / "x.parquet", iter(written), {})
    assert list(read_hands(tmp_path / "x.parquet")) == written


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    def breaks():
        yield LEDUC
        raise RuntimeError("the match was stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        write_hands(tmp_path / "x.parquet", breaks(), {})
    assert list(tmp_path.iterdir()) == []


def test_folders_and_patterns(tmp_path):
    for i in (1, 0):
        write_hands(tmp_path / "run" / f"{i}.parquet", [replace(LEDUC, number=i)], {})
    (tmp_path / "run" / "0.players.parquet").write_bytes(b"computed from hands")
    assert [hand.number for hand in read_hands(tmp_path)] == [0, 1]
    assert [hand.number for hand in read_hands(str(tmp_path / "*" / "*.parquet"))] == [0, 1]
    assert [hand.number for hand in read_hands(tmp_path / "run" / "1.parquet", tmp_path / "run" / "0.parquet")] == [
        1,
        0,
    ]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match="there are no hands"):
        hand_files(tmp_path / "empty")
    with pytest.raises(FileError, match="no such file"):
        hand_files(tmp_path / "*.nothing")
    with pytest.raises(FileError, match="there is no such file"):
        list(read_hands(tmp_path / "missing.parquet"))


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "x.parquet"
    path.write_text("STATE:0:cc\n")
    with pytest.raises(FileError, match="not a Parquet file, or is damaged"):
        list(read_hands(path))
    pq.write_table(pa.table({"n": [1]}), path)
    with pytest.raises(FileError, match="a Parquet file, but not one of pokerlab's"):
        list(read_hands(path))
    table = pa.table({"n": [1]}).replace_schema_metadata({"pokerlab": '{"kind": "hands", "format": 99}'})
    pq.write_table(table, path)
    with pytest.raises(FileError, match="has format 99; this pokerlab reads format 1"):
        list(read_hands(path))
    pq.write_table(table.replace_schema_metadata({"pokerlab": '{"kind": "hats"}'}), path)
    with pytest.raises(FileError, match="holds 'hats', not 'hands'"):
        list(read_hands(path))


def test_a_damaged_file_never_gives_other_hands(tmp_path):
    path = tmp_path / "x.parquet"
    written = [replace(LEDUC, number=i) for i in range(10)]
    write_hands(path, written, {"seed": 7})
    content = path.read_bytes()
    outcomes = set()
    for at in range(0, len(content), 11):
        for bad in (content[:at], content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]):
            path.write_bytes(bad)
            try:
                assert list(read_hands(path)) == written
                outcomes.add("unharmed")
            except FileError as error:
                assert "\n" not in str(error)
                outcomes.add("refused")
    assert outcomes == {"unharmed", "refused"}
