"""Programs as players: nothing is lost on the way, and whatever a program does costs one line."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pokerlab.cli import main
from pokerlab.errors import AgentError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.protocols import Observer, Talker
from pokerlab.notation.view_lines import schema
from pokerlab.players.programs import Program, program_agent
from pokerlab.players.registry import agent
from pokerlab.players.sources import file_digests, live_agent, seated_agent
from pokerlab.requests.match import Match
from pokerlab.table import apart
from pokerlab.table.apart import AgentApart
from pokerlab.table.match import MatchPlan, play_match

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "speaking.md").read_text()
LANGUAGES = {"python": "bot.py", "javascript": "bot.js", "c": "bot.c"}
PYTHON = sys.executable

ODD = """
import json, sys, time, os
for line in sys.stdin:
    data = json.loads(line)
    if data["type"] == "hello":
        print('{"hands": true}', flush=True)
        continue
    if data["type"] == "hand":
        print("saw", json.dumps(data), file=sys.stderr, flush=True)
        continue
    hand = data["hand"]
    if hand == HAND:
        HOW
    print("call", flush=True)
"""


def seats(program):
    return lambda name: program if name.startswith("cmd:") else agent(name)


def odd_program(tmp_path, how, hand=1):
    """A program that calls, and does something else in one hand."""
    path = tmp_path / "odd.py"
    path.write_text(ODD.replace("HAND", str(hand)).replace("HOW", how))
    return f"cmd:{PYTHON} {path}"


# --- the programs of the guide ---------------------------------------------------------------------------------------


class PairOrAce:
    """The rule of the guide's programs, in our process."""

    def act(self, view, rng):
        legal, ranks = view.legal(), [card // 4 for card in view.hole]
        if legal.raise_min is not None and (ranks[0] == ranks[1] or 12 in ranks):
            return RaiseTo(legal.raise_min)
        return CALL if 3 * legal.call <= view.pot else FOLD


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["limit2p", "nolimit6p"])
def test_the_programs_of_the_guide_play_their_rule_to_the_chip(language, game, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = {"python": f"{PYTHON} bot.py", "javascript": "node bot.js", "c": "./bot"}[language]
    if shutil.which({"python": PYTHON, "javascript": "node", "c": "cc"}[language]) is None:
        pytest.skip(f"{language} is not installed")
    source = re.search(f"```{language}\n(.*?)```", PAGE, re.S)[1]
    assert len(source.splitlines()) <= 40
    Path(LANGUAGES[language]).write_text(source)
    if language == "c":
        subprocess.run(["cc", "-Wall", "-Werror", "-o", "bot", "bot.c"], check=True)
    others = ("caller", "raiser", "random", "caller", "folder")[: 5 if game == "nolimit6p" else 1]
    plan = MatchPlan(game, (f"cmd:{command}", *others), hands=30, seed=3)
    there = play_match(plan, seated_agent)
    here = play_match(plan, lambda name: PairOrAce() if name.startswith("cmd:") else agent(name))
    assert there.chips.tolist() == here.chips.tolist()
    assert there.chips[:, 0].any()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["limit2p", "nolimit2p"])
def test_rulebot_over_lines_is_rulebot_to_the_chip(game):
    name = f"cmd:{PYTHON} {HERE / 'rulebot_program.py'}"
    there = play_match(MatchPlan(game, (name, "caller"), hands=150, seed=7), seated_agent)
    here = play_match(MatchPlan(game, ("rulebot", "caller"), hands=150, seed=7), agent)
    assert there.chips.tolist() == here.chips.tolist()


# --- hands, stderr, identity -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_finished_hands_come_to_programs_that_ask_as_their_seat_saw_them_and_stderr_is_stored(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POKERLAB_CHAT_KEY", "sk-secret")
    name = odd_program(tmp_path, "print('key', os.environ.get('POKERLAB_CHAT_KEY'), file=sys.stderr, flush=True)")
    answer = Match(agents=(name, "raiser"), game="leduc", hands=6, match_hands=3, seed=2).run(tmp_path / "run")
    files = sorted((tmp_path / "run" / "talk").iterdir())
    assert [re.sub(".*[.]py", "", path.name) for path in files] == [".0.stderr.txt", ".1.stderr.txt"]
    lines = [line for path in files for line in path.read_text().splitlines()]
    assert {line for line in lines if line.startswith("key")} == {"key None"}  # our secrets are not theirs
    hands = [json.loads(line[4:]) for line in lines if line.startswith("saw")]
    assert [hand["hand"] for hand in hands] == [0, 1, 2] * 2
    jsonschema = pytest.importorskip("jsonschema")
    for hand, chips in zip(hands, [chips for each in answer.result for chips in each.chips], strict=True):
        jsonschema.Draft202012Validator(schema("hand")).validate(hand)
        assert hand["names"][hand["seat"]] == name
        assert hand["won"][hand["seat"]] == chips[0]
        others = [hole for seat, hole in enumerate(hand["hole"]) if seat != hand["seat"]]
        assert all((None in hole) == (not hand["shown"]) for hole in others)
    assert answer.data["agents"][0]["name"] == name


def test_a_program_does_not_get_the_key_of_language_models(monkeypatch):
    monkeypatch.setenv("POKERLAB_CHAT_KEY", "sk-secret")
    answer = "import json, os; input(); print(json.dumps({'key': os.environ.get('POKERLAB_CHAT_KEY')}))"
    program = Program(f'{PYTHON} -c "{answer}"')
    assert program.greet() == {"key": None}
    program.close()


def test_a_program_that_asks_for_hands_learns_and_others_do_not(tmp_path):
    program = seated_agent(odd_program(tmp_path, "pass"))
    assert isinstance(program, Observer) and isinstance(program, Talker)
    plain = program_agent("sh -c 'while read line; do echo call; done'")
    assert not isinstance(plain, Observer)
    plain.close()
    program.close()


def test_its_files_are_part_of_the_identity_of_a_run(tmp_path):
    (tmp_path / "book.txt").write_text("fold everything")
    name = f"{odd_program(tmp_path, 'pass')} {tmp_path / 'book.txt'} --fast"
    before = file_digests([name])
    (tmp_path / "book.txt").write_text("call everything")
    after = file_digests([name])
    assert set(before) == {name} and before != after
    odd_program(tmp_path, "print('fold')")
    assert file_digests([name]) not in (before, after)


# --- what a program does wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "line"),
    [
        ("print('I quit', file=sys.stderr); sys.exit(3)", r"its program ended \(exit status 3\); it wrote: I quit$"),
        ("os.kill(os.getpid(), 9)", "its program was killed by SIGKILL; it wrote: saw"),
        ("1 // 0", r"its program ended \(exit status 1\); it wrote: ZeroDivisionError: .*by zero"),
        ("print('check', flush=True); continue", "cannot check with 2 to call; legal: fold, call, raise to 5"),
        ("print('raise 17', flush=True); continue", "cannot raise to 17; legal: fold, call, raise to 5"),
        ("print('', flush=True); continue", "'' is not an action"),
        ("print('x' * 70000, flush=True); continue", "its answer has more than 65,536 bytes"),
        ("print('x' * 1000000); sys.exit()", "its answer has more than 65,536 bytes"),
        (
            "print('call\\ncall', flush=True); time.sleep(0.1); print('fold', flush=True); continue",
            "it wrote 'call' without a request; write exactly one line per line read",
        ),
        ("os.close(1); time.sleep(60)", "its program closed its output"),
        ('print(\'{"error": "no more"}\', flush=True); continue', "it says: no more"),
    ],
)
def test_what_it_does_wrong_is_one_line_and_the_next_call_starts_it_again(how, line, tmp_path):
    name = odd_program(tmp_path, how)
    plan = MatchPlan("leduc", (name, "raiser"), hands=3, seed=3)
    program = seated_agent(name)
    with pytest.raises(AgentError, match=f"^hand 1: {re.escape(name)}: {line}"):
        play_match(plan, seats(program))
    assert len(play_match(MatchPlan("leduc", plan.entrants, hands=1), seats(program)).chips) == 1
    program.close()


def test_a_program_that_is_not_there_is_refused_before_anything_is_played(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["match", "--agents", "cmd:./no-bot --fast,caller", "--out", "run"]) == 2
    assert capsys.readouterr().err == "pokerlab: cmd:./no-bot --fast: there is no program ./no-bot\n"
    (tmp_path / "bot").write_text("not a program")
    (tmp_path / "bot").chmod(0o755)
    for name, line in {
        "cmd:": "cmd alone is not an agent: write",
        "cmd:./bot": "cmd:./bot: it cannot be started: Exec format error",
        "cmd:'./bot": "No closing quotation",
    }.items():
        with pytest.raises(PokerlabError, match=re.escape(line)):
            live_agent(name)
    assert not (tmp_path / "run").exists()


class Hurried:
    """An agent that has little time in hand 1."""

    def __init__(self, agent):
        self._agent, self.observe = agent, agent.observe

    def act(self, view, rng):
        if view.hand == 1:
            signal.setitimer(signal.ITIMER_REAL, 0.2, 1.0)
        return self._agent.act(view, rng)

    @property
    def n_stopped(self):
        return self._agent.n_stopped


@pytest.mark.parametrize(("sleeps", "patience", "stopped"), [(1, 60.0, 0), (1000, 0.1, 1)])
def test_a_late_program_checks_or_folds_and_is_ended_only_if_it_does_not_answer(
    sleeps, patience, stopped, tmp_path, monkeypatch
):
    monkeypatch.setattr(apart, "PATIENCE_SECONDS", patience)
    late, hands = [], []
    plan = MatchPlan("leduc", ("cmd:late", "raiser"), hands=4, seed=3, seconds=60.0)
    program = AgentApart(odd_program(tmp_path, f"time.sleep({sleeps})"), make="pokerlab.players.registry:agent")
    result = play_match(plan, seats(Hurried(program)), on_hand=hands.append, on_late=late.append)
    assert result.late[0] == len(late) >= 1
    assert result.stopped[0] == stopped
    ours = [[step.action for step in hand.steps if hand.names[step.seat] == "cmd:late"] for hand in hands]
    assert ours[1][-1] in (CALL, FOLD)
    assert set(ours[2] + ours[3]) == {CALL}  # an answer that came late answered no later question
    program.close()


def test_a_program_has_the_limits_of_foreign_code_and_ends_with_its_match(tmp_path):
    name = odd_program(
        tmp_path,
        "import resource, subprocess; print('limit', resource.getrlimit(resource.RLIMIT_DATA)[0], os.getpid(), "
        "subprocess.Popen(['sleep', '1000']).pid, file=sys.stderr, flush=True)",
    )
    program = seated_agent(name)
    program.keep_talk(tmp_path / "talk" / "odd")
    play_match(MatchPlan("leduc", (name, "caller"), hands=2, seed=3), seats(program))
    stored = tmp_path / "talk" / "odd.stderr.txt"
    wait_until(lambda: stored.exists() and re.search(r"^limit( \d+){3}\n", stored.read_text(), re.MULTILINE))
    limit, *started = map(int, re.search(r"^limit(.*)\n", stored.read_text(), re.MULTILINE)[1].split())
    assert limit >= 1 << 30 and all(is_alive(pid) for pid in started)
    program.close()
    wait_until(lambda: not any(map(is_alive, started)))


@pytest.mark.slow
def test_a_program_ends_when_the_dealer_is_killed(tmp_path):
    name = odd_program(
        tmp_path,
        "import subprocess; other = subprocess.Popen(['sleep', '1000']); "
        "print(os.getpid(), other.pid, end=' ', file=open('pids', 'w'), flush=True); time.sleep(1000)",
        hand=0,
    )
    play = (
        "from pokerlab.players.sources import seated_agent; from pokerlab.table.match import MatchPlan, play_match; "
        f"play_match(MatchPlan('leduc', ({name!r}, 'caller')), seated_agent)"
    )
    pids = tmp_path / "pids"
    with subprocess.Popen([PYTHON, "-c", play], cwd=tmp_path) as dealer:
        wait_until(lambda: pids.is_file() and pids.read_text().endswith(" "))
        dealer.kill()
    started = list(map(int, pids.read_text().split()))
    assert len(started) == 2
    wait_until(lambda: not any(map(is_alive, started)))


def wait_until(holds):
    """Wait for something that must come to hold, half a minute at most."""
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.01)
    pytest.fail("it did not come to hold")


def is_alive(pid):
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_more_stderr_than_a_megabyte_is_not_stored_but_counted(tmp_path):
    program = program_agent(f"{PYTHON} -c \"import sys; sys.stderr.write('x' * 2000000); input(); print('ok')\"")
    program.keep_talk(tmp_path / "loud")
    program.close()
    program._stderr.join(10)
    text = (tmp_path / "loud.stderr.txt").read_text()
    assert text.count("x") == 1 << 20
    assert text.endswith(f"[{2_000_000 - (1 << 20):,} more bytes were not stored]\n")
