"""Readers of models, fits, measurements and steps in files, and of databases and journals, for `fuzz_readers.py`."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from zlib import crc32

import numpy as np
from fuzz_files import load_memory, memory_bytes, read_damaged, read_file, samples_of, samples_of_bytes
from fuzz_texts import HAVE_DATABASE, HAVE_PARQUET, Reader, folder, played

from pokerlab.files import write_arrays
from pokerlab.games.catalog import game
from pokerlab.games.protocols import Agent
from pokerlab.people.agents import make_exploiter, make_member
from pokerlab.people.records import load_records, records_of, save_records
from pokerlab.players.registry import agent
from pokerlab.systems.bets.saved_steps import SavedStep, SavedSteps
from pokerlab.systems.connectionist import rollout_player
from pokerlab.systems.connectionist.parameters import initial_parameters, save_parameters
from pokerlab.systems.connectionist.player import make_weights
from pokerlab.systems.connectionist.population import beginning, initial_model, save_exploiter, save_model, with_tiles
from pokerlab.systems.poki.action_counts import ActionCounts
from pokerlab.systems.threeplayer.betting_densities import BettingDensities, points_of
from pokerlab.systems.threeplayer.copycat import make_copycat
from pokerlab.valuing.exact_response_files import KIND as MEASUREMENT
from pokerlab.valuing.exact_response_files import read_measurement
from pokerlab.valuing.quiz import FORMAT, SPOT_FILE, saved_spot
from pokerlab.valuing.quiz_spots import QuizSpot


def _plays(player: Agent) -> None:
    """A player that was read acts in a hand, and learns from it if it learns at all."""
    hand = played("limit2p")[1]
    state = next(iter(hand.states()))
    seat = state.betting.actor
    if player.supports(state.rules):
        player.act(state.view(seat, 0, hand.names), np.random.default_rng(1))
        if hasattr(player, "observe"):
            player.observe(hand.seen_by(seat))


@cache
def _weights() -> bytes:
    path = folder() / "weights.bin"
    save_parameters(path, initial_parameters(seed=1), {"settings": {"players": 2}})
    return path.read_bytes()


@cache
def _model() -> bytes:
    path = folder() / "model.bin"
    save_model(path, initial_model(seed=5, n_player_types=2), {"types": 2})
    return path.read_bytes()


@cache
def _exploiter() -> bytes:
    path, model = folder() / "exploiter.bin", initial_model(seed=5, n_player_types=2)
    save_exploiter(path, with_tiles(beginning(model), seed=3), model, {"settings": {"memory": "match"}})
    return path.read_bytes()


@cache
def _rule() -> bytes:
    return rollout_player.RULE.read_bytes()


def _load_rule(path: Path) -> None:
    rule, player = rollout_player.load_rule(path), agent("connectionist:2p")
    state = next(iter(played("limit2p")[1].states()))
    view = state.view(state.betting.actor, 0, ("a", "b"))
    rollout_player.RolloutPlayer(player, rule).n_rollouts(view)
    rule.chosen(np.zeros(3), 10.0, np.full(3, 1 / 3), street=view.street)


@cache
def _fit_records() -> bytes:
    path = folder() / "records.bin"
    save_records(path, records_of([played("limit2p")]))
    return path.read_bytes()


def _load_fit_records(path: Path) -> None:
    """Records that are read can be parted as a fit parts them."""
    records = load_records(path)
    held = records.held_out()
    for part in (np.flatnonzero(held), np.flatnonzero(~held)):
        assert records.part(part).n_hands == len(part)
    assert len(records.hand_of) == records.n_decisions
    assert [records.names[records.name_of[each]] for each in records.person[records.person >= 0].tolist()]


MEASURED = {"game": "limit2p", "cards": "pr5", "p": "0", "halves": False}


@cache
def _measurement() -> bytes:
    path = folder() / "measurement.bin"
    values = np.zeros((2, 1, 7, 169))
    write_arrays(path, MEASUREMENT, MEASURED, {"flops": np.array([3]), "values": values, "seconds": np.array(1.5)})
    return path.read_bytes()


def _load_measurement(path: Path) -> None:
    values, seconds = read_measurement(path, MEASURED, n_leaves=7)
    assert all(value.shape == (2, 7, 169) for value in values.values()) and seconds >= 0


@cache
def _quiz_spot() -> bytes:
    path = folder() / "spot.bin"
    spot = QuizSpot("preflop", "AsKd", "", (), ("f", "c", "r20"), (-5.0, 1.0, 2.0), (0.0, 0.5, 0.5))
    write_arrays(path, SPOT_FILE, {"format": FORMAT, "spot": spot.data()}, {})
    return path.read_bytes()


def _load_quiz_spot(path: Path) -> None:
    """A spot that cannot be used is drawn again; one that can has a value for every action that it knows."""
    spot = saved_spot(path, game("limit2p"))
    if spot is not None:
        betting = spot.state(game("limit2p")).betting
        for action in betting.legal().menu():
            assert spot.value(betting, action)[0] <= spot.best


@cache
def _step() -> bytes:
    where = folder() / "steps"
    shutil.rmtree(where, ignore_errors=True)
    steps = SavedSteps(where)
    steps.done()
    steps.save(SavedStep({"size": 0.5}, {"tables": {"regret": np.zeros(3)}}))
    return (where / "step-001.bin").read_bytes()


def _load_step(path: Path) -> None:
    where = folder() / "saved-steps"
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir()
    path.replace(where / "step-001.bin")
    step = SavedSteps(where).done()
    assert step is not None and dict(step.said) == dict(step.said)


@cache
def _bare_memory() -> bytes:
    path, counts = folder() / "counts.bin", ActionCounts()
    for hand in played("limit2p"):
        counts.observe(hand)
    counts.save(path)
    return path.read_bytes()


def _load_bare_memory(path: Path) -> None:
    counts = ActionCounts()
    counts.load(path)
    counts.observe(played("limit2p")[0])


@cache
def _copycat() -> bytes:
    path, densities = folder() / "copycat.bin", BettingDensities()
    for hand in played("limit2p"):
        densities.learn("ann", points_of(hand, 0, densities.settings))
    densities.save(path)
    return path.read_bytes()


MODELS: dict[str, tuple[Callable[[], bytes], Callable[[Path], object]]] = {
    "weights": (_weights, lambda path: _plays(make_weights(str(path)))),
    "population model": (_model, lambda path: _plays(make_member(str(path)))),
    "exploiter": (_exploiter, lambda path: _plays(make_exploiter(str(path)))),
    "copycat": (_copycat, lambda path: _plays(make_copycat(str(path)))),
    "rollout rule": (_rule, _load_rule),
    "fit record": (_fit_records, _load_fit_records),
    "measurement": (_measurement, _load_measurement),
    "quiz spot": (_quiz_spot, _load_quiz_spot),
    "step of a search": (_step, _load_step),
    "bare memory": (_bare_memory, _load_bare_memory),
    "poki:strengths memory": (partial(memory_bytes, "poki:strengths"), partial(load_memory, "poki:strengths")),
}
"""Kinds of files: the bytes of one, and what reads them and uses what it read."""

LARGE = ("weights", "population model", "exploiter", "fit record", "measurement", "poki:strengths memory")
"""Files too large to change byte by byte; their checksums are those of the others."""


# Journals of tables, and databases of sessions


@cache
def journals() -> tuple[str, ...]:
    """Journals of tables without their checksums: a hand of two people, and one with an agent."""
    from asgi_browser import asked

    about = {"tokens": {"0": "a", "1": "b", "watch": "w"}, "invited": [], "recorded": False}
    texts = []
    two = [[-1, "seat", 1, "x"], [0, "deal"], [0, "r3"], [0, "f"]]
    one = [[0, "deal"], *[[0, "c"]] * 4, [1, "deal"], [1, "r3"]]
    for chairs, events in ((("Ann", "Bob"), two), (("Ann", "caller"), one)):
        settings = {**asked("leduc", *chairs), "seed": 7}
        head = {"kind": "pokerlab table", "version": 2, "about": {"settings": settings, **about}}
        texts.append("\n".join(json.dumps(each) for each in (head, *events)))
    return tuple(texts)


def read_journal_text(text: str) -> None:
    """A table is restored from its journal, or refused in one line; the lines' checksums are those of their texts."""
    from pokerlab.web.hall import Hall

    where = folder() / "tables"
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir()
    lines = [line.encode("utf-8", "replace") for line in text.split("\n")]
    (where / "0123456789ab.journal").write_bytes(b"".join(b"%08x %s\n" % (crc32(line), line) for line in lines))
    hall = Hall(where, ("caller", "random"))

    async def opened() -> None:
        desk = await hall.desk("0123456789ab")
        json.dumps(desk.seen_from(0))
        desk.close()

    asyncio.run(opened())


@cache
def _sessions() -> bytes:
    from pokerlab.table.session_store import SessionStore

    path = folder() / "sessions-sample.duckdb"
    path.unlink(missing_ok=True)
    with SessionStore.writing(path):
        pass
    return path.read_bytes()


def read_sessions(text: str) -> None:
    """A database whose bytes were changed: a line is an offset and what is written there, the last may cut it off."""
    from pokerlab.table.session_store import SessionStore

    content = bytearray(_sessions())
    for line in text.split("\n"):
        at, _, new = line.partition(" ")
        if at.isdecimal() and len(at) < 12:
            patch = new.encode("utf-8", "replace")[:64]
            start = int(at) % len(content)
            content[start : start + len(patch)] = patch[: len(content) - start]
        elif at == "cut" and new.isdecimal() and len(new) < 12:
            del content[int(new) :]
    path = folder() / "damaged.duckdb"
    path.write_bytes(content)
    Path(f"{path}.wal").unlink(missing_ok=True)
    with SessionStore.reading(path, patience=0.1) as store:
        store.ask("SELECT count(*) FROM hands")


def model_readers() -> list[Reader]:
    """Models and what fits, measurements and searches keep; journals and databases."""
    found = [
        Reader(f"{kind} headers", partial(read_file, content, load), partial(samples_of, content))
        for kind, (content, load) in MODELS.items()
    ]
    found += [
        Reader(f"damaged {kind} files", partial(read_damaged, load, ".bin"), partial(samples_of_bytes, content))
        for kind, (content, load) in MODELS.items()
        if kind not in LARGE
    ]
    found.append(Reader("table journals", read_journal_text, journals))
    if HAVE_DATABASE and HAVE_PARQUET:
        patches = ["400000 ", "0 DUCK", "4096 \0\0\0\0", "16000 rows\n20000 \x7f", "cut 5000", "12288 a\n270000 x"]
        found.append(Reader("damaged sessions", read_sessions, lambda: patches))
    return found
