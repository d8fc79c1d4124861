"""Readers of what people type: command lines, configurations, names, actions, ranges, sizes; for `fuzz_readers.py`."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from fuzz_files import kuhn_strategy, strategy_bytes
from fuzz_hands import states
from fuzz_texts import HAVE_COMMANDS, HAVE_DATABASE, Reader, folder, played

from pokerlab import run
from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.agents.human import parse_action
from pokerlab.cards.card import cards
from pokerlab.cards.ranges import parse_player, parse_range, range_text
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.games.rules_json import rules_to_json
from pokerlab.games.state import State
from pokerlab.net.chat.replies import read_reply
from pokerlab.net.chat.settings import ChatSettings
from pokerlab.notation.phh_text import phh_text
from pokerlab.notation.view_lines import parse_action as read_line
from pokerlab.players.registry import agent
from pokerlab.policies.solved_charts import DATA, charts_of
from pokerlab.policies.spots import spot_at
from pokerlab.solvers.bet_sizing.ranges import parse_range as parse_size_range
from pokerlab.solvers.bet_sizing.ranges import ranges_called
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames.locking import parse_locks
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.sizes import parse_sizes

CONFIGS = (
    {"game": "leduc", "algorithm": "cfr+", "iterations": 10},
    {"game": "leduc-nolimit", "sizes": "1p, all-in", "target": 0.1, "seed": 3, "threads": 1},
    {"kind": "solve", "game": json.loads(rules_to_json(game("kuhn"))), "cards": "lossless"},
    {"kind": "bets", "game": "leduc-nolimit", "player": "0", "size_ranges": "0.71-0.94", "runs": 1, "engine": "numba"},
    {"kind": "solve subgame", "board": "KsQh7d2c3s", "ranges": "AA | KK", "pot": 100, "stack": 100},
    {"kind": "buckets build", "name": "pr5"},
)


def read_config(text: str) -> None:
    path = folder() / "config.json"
    path.write_text(text, errors="replace")
    called(run.main, [str(path), "--dry-run"])


# The command line


def called(main: Callable[[Sequence[str]], int], words: Sequence[str]) -> None:
    """A command line prints an answer or one line, and never a traceback; it is run in a folder of its own."""
    out, err, where = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder())
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(list(words))
    except SystemExit as error:  # argparse
        status = error.code
    finally:
        os.chdir(where)
    assert status in (0, 2), f"exit status {status}: {err.getvalue()}"
    if status == 2:
        lines = [line for line in err.getvalue().splitlines() if line]
        assert lines and lines[-1].startswith(("pokerlab:", "python -m")), err.getvalue()


COMMANDS = """
equity AhKh QcQd --board 2h7h9c --json
equity AhKh 99+,AKs --board 2h7h9c --samples 100 --seed 3
odds AdQc --board 3h4cJh --opponents 2
odds AdQc --board 3h4cJh --vs 99+,KQs --json
grid 99+,AKs,A5s-A2s,KQo:0.5 --dead AsKs
preflop --players 6 --classes AA,AKs,72o --iterated
games --json
agents --json
info --json
show strategy.bin --spot check,check/Ks/check --json
solve leduc --iterations 10 --sizes limit --algorithm cfr+ --dry-run
solve leduc-nolimit --sizes 1p,all-in --cards lossless --target 0.1 --dry-run --json
solve subgame --board KsQh7d2c3s --ranges AA|KK --pot 100 --stack 100 --sizes 1p --dry-run
bets leduc-nolimit --size-ranges 0.5-0.7,1-1.5 --extra 2 --player 1 --engine numba --dry-run
match --game leduc --agents caller,raiser --hands 3 --seed 7 --workers 1 --no-save --json
match --game leduc --agents caller,raiser --hands 3 --units bb_per_100 --match-hands 2 --workers 1 --no-save
tournament --game kuhn --agents caller,raiser,folder --hands 3 --workers 1 --no-save --json
convert hands.phhs hands.txt
stats hands.phhs --by agent,position --min-hands 1
explain hands.phhs --hand 1 --agent poki
spot hands.phhs --hand 1 --street river --ranges-from charts --json
buckets show pr5 --hole AdQc --board 3h4cJh
serve acpc --game leduc --agents caller,raiser --hands 3 --names ann,bob --seed 7
sessions import hands.phhs --hero random-1 --database sessions.duckdb --json
sessions --database sessions.duckdb --rows 3 --json
sessions hands --database sessions.duckdb --position BTN --pot-type 3bet --since 2026-01-01 --lost-most
sessions review --database sessions.duckdb --versus random-2 --before 2027 --session 1
sessions export lost.phhs --database sessions.duckdb --site phh
"""
COSTLY = ("--workers", "--hands", "--samples", "--iterations", "--threads", "--matches")


def command_lines() -> list[str]:
    (folder() / "hands.phhs").write_text(
        "\n".join(f"[{i}]\n{phh_text(h)}" for i, h in enumerate(played("nolimit3p"), 1))
    )
    lines = [line for line in COMMANDS.strip().splitlines() if HAVE_DATABASE or not line.startswith("stats")]
    return [line.replace(" ", "\n") for line in lines]


def read_command(text: str) -> None:
    """A command line of ours, a word a line; numbers that only make it take long are kept small."""
    strategy_bytes()
    words = [word for word in text.split("\n") if "\0" not in word and "\udc80" not in word]
    for at, word in enumerate(words[1:], 1):
        if words[at - 1] in COSTLY and len(word) > 3:
            words[at] = "99"
    slow = ("demo", "bench", "verify", "train", "join", "play", "tables", "lbr", "value", "exploitability")
    if not words or words[0] in slow:
        return
    from pokerlab.cli import main

    called(main, words)


# Players


SPOTS = ["check, check / Ks / check", "raise to 3, call / Ks", "bet 3, fold", "", "call / Kh / bet 4, call", "all-in"]
TYPED = ["check", "fold", "raise to 300", "r 200", "pot", "half", "all-in", "call", "min", "max", "b 20000"]
NAMES = [
    "caller",
    "rulebot:tight",
    "py:json:JSONDecoder",
    "random:smallest",
    "lbr:caller",
    "lbr(1p, all-in):poki",
    "poki:rock@x.bin",
]
NAMES += [
    "strategy:strategy.bin?threshold=0.1&translation=nearest",
    "equilibrium:limit2p",
    "py:os.path:join:x",
    "simbot:quick",
]
NAMES += [
    "raiser",
    "shover",
    "folder",
    "formula:tight?bet_at=0.5&noise=0.1",
    "poki:rock?plays=0.4&bluff=0.2",
    "simbot:quick?trials=20",
    "rulebot?raise_at=2&call_at=0.5",
    "bpp:types@x.bin",
    "search:mix",
    "connectionist:2p",
    "resolver:limit2p?expected=0.2&iterations=20",
    "chat:m?temperature=0.5&memory=hand",
    "q:q.bin",
    "regrets:r.bin",
    "copycat:c.bin?pure",
    "weights:w.bin",
    "model:m.bin@1",
    "exploiter:e.bin@reset",
]
SOURCE = """import random
from pokerlab.games.actions import CALL


class Fuzzed:
    def act(self, view, rng):
        return CALL
"""


def read_typed(text: str) -> None:
    for state in states()[::5]:
        if not state.over:
            view = state.view(state.betting.actor, 0, ("a",) * state.rules.n_seats)
            with contextlib.suppress(PokerlabError):
                assert parse_action(text, view) in view.legal()


def read_name(text: str) -> None:
    if "://" not in text and not text.lstrip().startswith(("py:antigravity", "cmd:")):  # they act outside
        before = list(sys.path)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                agent(text)
        finally:
            sys.path[:] = before


def read_source(text: str) -> None:
    """A player of one's own, as the commands read it: its source for the digest, then the module itself."""
    from pokerlab.runs.code import code_digest

    (folder() / "fuzzed.py").write_text(text, errors="replace")
    sys.path.insert(0, str(folder()))
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        code_digest("fuzzed")
        if all(word not in text for word in ("while", "exit", "input")):
            agent("py:fuzzed:Fuzzed")
    finally:
        sys.dont_write_bytecode = before
        sys.path.remove(str(folder()))
        sys.modules.pop("fuzzed", None)


RANGES = ["99+, AKs, A5s-A2s, KQo:0.5", "15%", "random", "AhKh, any, 72o:0", "JTs-76s", "22-55:0.25, *", "A2+, KTs+"]
RANGES += ["[50]AA, KQs[/50], JTs", "AA, [33.3]KK-TT[/33.3]"]  # as GTO+ writes them
SIZES = [
    "1p, all-in; flop+turn+river: 0.5p once",
    "fcpa",
    "0.5p once, 1p | 2.5x, 300c, min",
    "none",
    "h_ftr; river: 2p",
]


def read_range(text: str) -> None:
    weights = parse_range(text)
    assert np.array_equal(parse_range(range_text(weights)), weights)


def read_sizes(text: str) -> None:
    for name in ("nolimit2p", "leduc-nolimit"):
        for sizes in parse_sizes(text):
            sizes.check(game(name))
    build_tree(game("leduc-nolimit"), text, max_decisions=2_000)


CHARTS = [
    json.dumps(
        {
            "open": ["15%", "40%"],
            "limp": "50%",
            "reraise": "5%",
            "call": "20%",
            "reraise_again": "2%",
            "call_again": "6%",
        },
        indent=0,
    )
]


@cache
def charts() -> list[str]:
    """Charts of one's own, and the first of a solve."""
    book = json.loads((DATA / "preflop_6_100.json").read_text())
    book["charts"] = dict(list(book["charts"].items())[:4])
    return [*CHARTS, json.dumps(book, indent=0)]


def read_charts(text: str) -> None:
    """Charts that are read answer before the flop."""
    policy = charts_of(text)
    public = State.start(game("nolimit6p"), tuple(range(52))).public(0, tuple("abcdef"))
    _, p = policy.by_combo(public, public.betting.actor)
    assert np.allclose(p.sum(axis=1), 1)


# What programs and models answer


ANSWERS = (
    "fold",
    "check",
    "raise 300",
    '{"action": "raise", "to": 300}',
    '{"action": "call", "notes": "calls too much"}',
    '{"error": "no hand"}',
    'I have a pair.\n```json\n{"action": "bet", "to": 2.5}\n```',
    "Action: all-in.",
)


def read_answers(text: str) -> None:
    """An answer is a legal action or refused, in the strict form and in that of models."""
    for state in states()[::7]:
        if not state.over:
            view = state.view(state.betting.actor, 0, ("a",) * state.rules.n_seats)
            for read in (read_line, lambda text, view: read_reply(text, view).action):
                with contextlib.suppress(PokerlabError):
                    assert read(text, view) in view.legal()


LOCKS = (
    "first: AA bet 50 100%, JTs check 25%",
    "bet 100: KQ call 75%; first: JTs bet 50 0%",
    "check: KQ bet 50 10%, KQ bet 100 20%",
)


@cache
def river() -> Problem:
    return make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="0.5p, 1p")


def read_locks(text: str) -> None:
    cells = river().cells
    assert isinstance(cells, SubgameCells)
    parse_locks(text, river().tree, cells)


def typed_readers() -> list[Reader]:
    """What people type."""
    found = [
        Reader("cards", cards, lambda: ["AdQc", "3h4cJh", "A♠ K♥ 10c", "AdQc3h4cJhQd2s"]),
        Reader("ranges", read_range, lambda: RANGES),
        Reader("a player's hand", parse_player, lambda: RANGES),
        Reader("charts", read_charts, charts),
        Reader("sizes", read_sizes, lambda: SIZES),
        Reader(
            "ranges of sizes",
            lambda text: [*map(parse_size_range, ranges_called(text))],
            lambda: ["0.3-0.6, 1-1.5", "2"],
        ),
        Reader("spots", lambda text: spot_at(kuhn_strategy(), text).table(), lambda: SPOTS),
        Reader("typed actions", read_typed, lambda: TYPED),
        Reader("answers of programs and models", read_answers, lambda: ANSWERS),
        Reader("settings of models", ChatSettings.of_name, lambda: ["gpt?memory=hand&temperature=0.5&tries=2", "m"]),
        Reader("locks", read_locks, lambda: LOCKS),
        Reader("names of agents", read_name, lambda: NAMES),
        Reader("py: sources", read_source, lambda: [SOURCE]),
        Reader("configurations", read_config, lambda: [json.dumps(config, indent=0) for config in CONFIGS], 60.0),
    ]
    return [*found, Reader("command lines", read_command, command_lines, 60.0)] if HAVE_COMMANDS else found
