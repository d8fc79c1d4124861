"""A player out of a population, and what its model says of hidden cards."""

import numpy as np
import pytest

from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS
from pokerlab.errors import FileError
from pokerlab.games.history import HandHistory
from pokerlab.people.agents import Member
from pokerlab.people.revealing import bits_gained, held_by, reveal
from pokerlab.players.registry import agent
from pokerlab.players.sources import file_digests
from pokerlab.rng import stream
from pokerlab.systems.connectionist.population import initial_model, save_model
from pokerlab.systems.connectionist.watcher import Watcher
from pokerlab.table.match import MatchPlan, play_match


@pytest.fixture(scope="module")
def model():
    """Two types who do different things with different cards."""
    drawn = initial_model(seed=5, n_player_types=2, spread=0.5)
    keen = drawn.parameters._replace(private=6 * drawn.parameters.private, value=3 * drawn.parameters.value)
    return drawn._replace(parameters=keen)


@pytest.fixture(scope="module")
def place(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.bin"
    save_model(path, model, {"settings": {"players": 3}})
    return path


@pytest.fixture(scope="module")
def hands(place):
    found: list[HandHistory] = []
    names = tuple(f"model:{place.parent}@{kind}" for kind in (0, 1, 0))
    play_match(MatchPlan("limit3p", names, 40, seed=2), agent, on_hand=found.append)
    return found


def test_a_file_plays_a_type_that_is_drawn_once_or_asked_for(model, place, hands):
    view = hands[0].final.public(1, hands[0].names)
    first = next(view.decisions())[0].seen_by(2, tuple(hands[0].final.hole(2)))
    chances = [agent(f"model:{place}@{kind}").probabilities(first)[1] for kind in (0, 1)]
    assert np.abs(chances[0] - chances[1]).max() > 0.01
    drawn = [agent(f"model:{place}") for _ in range(20)]
    for number, each in enumerate(drawn):
        each.act(first, stream(number, "types"))
    assert {each.kind for each in drawn} == {0, 1}
    assert drawn[0].probabilities(first)[1] == pytest.approx(chances[drawn[0].kind])
    with pytest.raises(FileError, match="after @ comes a player-type, 0 to 1"):
        agent(f"model:{place}@2")
    with pytest.raises(FileError, match="no model of a population at nowhere"):
        agent("model:nowhere")


def test_a_run_knows_which_model_was_played(model, place, tmp_path):
    save_model(tmp_path / "other.bin", model, {"settings": {"players": 6}})
    names = [f"model:{place.parent}", f"model:{place}@1", f"model:{tmp_path / 'other.bin'}"]
    by_directory, by_type, other = (file_digests(names)[name] for name in names)
    assert by_directory == by_type != other


def test_types_are_learned_by_name(model, hands):
    member = Member(model, {})
    for hand in hands:
        member.observe(hand)
    believed = [member.watcher.types[name][kind] for name, kind in zip(hands[0].names, (0, 1, 0), strict=True)]
    assert min(believed) > 0.5
    assert np.mean(believed) > 0.75


def test_what_was_held_is_likelier_than_a_blind_guess(model, hands):
    guesses = reveal(Watcher(model), hands, hands[0].names[0])  # all cards are in the record
    gained = bits_gained(guesses)
    assert len(gained) == len(guesses) > 40
    assert gained.mean() > 2 * gained.std() / len(gained) ** 0.5
    assert all(sum(chance for _, chance in each.combos) <= 1 for each in guesses)


def test_a_guess_uses_the_heros_cards_and_no_others(model, hands):
    hand = next(hand for hand in hands if len(hand.shown) > 1)
    seat, hero = hand.shown[:2]
    seen = hand.seen_by(hero)
    weights = held_by(Watcher(model), hand, seat=seat, hero=hero)
    mine = set(hand.final.hole(hero)) | set(hand.final.board)
    impossible = [bool(mine & set(CARDS_OF_COMBO[combo].tolist())) for combo in range(N_COMBOS)]
    assert ((weights == 0) == impossible).all()
    assert held_by(Watcher(model), seen, seat=seat, hero=hero) == pytest.approx(weights)
