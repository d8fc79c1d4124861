"""Readers of foreign text against changed texts: the short form of `tests/fuzz.py`, and what the long one found."""

import importlib
import io
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from unittest import mock

import fuzz
import fuzz_one_by_one
import fuzz_readers
import numpy as np
import pytest
from fuzz_asked import Pipe
from fuzz_files import BETWEEN, TASKS, header_of, kuhn_strategy, with_header
from fuzz_hands import states
from fuzz_models import MODELS
from fuzz_texts import Reader, folder, played
from hypothesis import HealthCheck, given, settings

import pokerlab
from pokerlab.agents.human import parse_action
from pokerlab.errors import AgentError, FileError, PokerlabError
from pokerlab.experiments.results import Result
from pokerlab.games.actions import RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.net.replies import repaired
from pokerlab.notation.formats import formats
from pokerlab.notation.imported import ReadProblem
from pokerlab.notation.phh import parse_phh
from pokerlab.notation.phh_text import phh_text
from pokerlab.players.registry import SCHEMES, agent, scheme_of
from pokerlab.policies.spots import spot_at
from pokerlab.run import KINDS
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import do_tasks, here
from pokerlab.solvers.bet_sizing.ranges import ranges_called
from pokerlab.systems.bpp.search.sequence_memory import SequenceMemories
from pokerlab.table import apart
from pokerlab.table.records import read_hands, write_hands
from pokerlab.trees.sizes import caps_by_street
from pokerlab.valuing.quiz import saved_spot

READERS = {reader.name: reader for reader in fuzz_readers.readers()}
SLOW = ("command lines", "configurations", *(name for name in READERS if "neural" in name or "search:max" in name))
"""For the long form; commands and players have tests of their own."""


@pytest.mark.parametrize("name", [name for name in READERS if name not in SLOW])
def test_changed_texts_are_read_or_refused_in_one_line(name):
    reader = replace(READERS[name], seconds=10 * READERS[name].seconds)  # its first text may compile

    @settings(max_examples=12, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(fuzz.changed(reader.samples()))
    def read(text):
        fuzz.checked(reader, text)

    read()


@pytest.mark.parametrize("name", READERS)
def test_every_text_that_a_reader_is_said_to_know_is_read(name):
    if name in (
        *SLOW,
        "names of agents",
        "sizes",
        "spots",
        "typed actions",
        "ACPC log",
        "results",
        "greetings",
        "damaged sessions",
    ):
        pytest.skip("some of its texts are of another game, or begin with what is refused")
    texts = READERS[name].samples()[:3]
    assert texts
    for text in texts:
        READERS[name].read(text)  # what it cannot read is raised


# That no reader is missing, as far as the code tells what is read


def test_a_request_of_every_kind_is_among_the_texts():
    assert {json.loads(text)["kind"] for text in READERS["requests"].samples()} == set(KINDS)


def test_a_file_of_hands_in_every_format_is_among_the_texts():
    texts = [*READERS["files of hands"].samples(), *READERS["packed files"].samples()]
    endings = {text.partition("\n")[0] for text in texts}
    assert "damaged records" in READERS  # these are Parquet
    for each in (each for each in formats() if each.name != "Parquet"):
        assert any(ending.endswith(suffix) for suffix in each.suffixes for ending in endings), each.name


def test_a_name_of_every_scheme_is_among_the_texts():
    started = {"cmd", "acpc"}  # they would start a program or wait for one
    assert {scheme_of(name)[0] for name in READERS["names of agents"].samples()} == set(SCHEMES) - started


FILES_OF_SCHEMES = {
    "equilibrium": "strategy",
    "resolver": "strategy",
    "strategy": "strategy",
    "q": "Q-learner",
    "regrets": "regrets",
    "copycat": "copycat",
    "weights": "weights",
    "model": "population model",
    "exploiter": "exploiter",
}
"""The reader of the file that a scheme's player is read from."""


def test_the_file_of_every_scheme_is_read_changed():
    others = {"cmd", "lbr", "chat"}  # a program, files of another agent, templates of prompts
    assert {name for name, scheme in SCHEMES.items() if scheme.files} - others == set(FILES_OF_SCHEMES)
    assert {f"{kind} headers" for kind in FILES_OF_SCHEMES.values()} <= set(READERS)


READ_BY = {
    "abstraction/bucket_files.py": "bucket headers",
    "people/records.py": "fit record headers",
    "policies/strategy_files.py": "strategy headers",
    "runs/steps.py": "checkpoint headers",
    "runs/workers.py": "task headers",
    "systems/bets/player.py": "size headers",
    "systems/bets/saved_runs.py": "search headers",
    "systems/bets/saved_steps.py": "step of a search headers",
    "systems/bpp/player.py": "bpp memory headers",
    "systems/bpp/search/sequence_memory.py": "search:max memory headers",
    "systems/connectionist/parameters.py": "weights headers",
    "systems/connectionist/population.py": "population model headers",
    "systems/connectionist/rollout_player.py": "rollout rule headers",
    "systems/poki/action_counts.py": "bare memory headers",
    "systems/threeplayer/betting_densities.py": "betting densities headers",
    "systems/threeplayer/q_learning.py": "Q-learner headers",
    "systems/threeplayer/regret_tables.py": "regrets headers",
    "trees/action_abstraction.py": "size headers",
    "valuing/exact_response_files.py": "measurement headers",
    "valuing/quiz.py": "quiz spot headers",
    "cards/matchups.py": "",
    "cards/strength_tables.py": "",
    "cli/preflop.py": "",
    "policies/income_rates.py": "",
    "systems/bpp/type_counts.py": "",
    "web/watch.py": "",
}
"""The modules that read files of arrays, and their readers here; '' for tables that ship or are built in the cache, and
for the page that watches runs, which shows what it can read."""


def test_every_module_that_reads_files_of_arrays_has_a_reader():
    root = Path(pokerlab.__file__).parent
    reading = {str(path.relative_to(root)) for path in root.rglob("*.py") if _reads_arrays(path.read_text())}
    assert reading - {"files.py"} == set(READ_BY)
    assert set(READ_BY.values()) - {""} <= set(READERS)


def _reads_arrays(source):
    return bool(re.search(r"import [^\n]*\b(read_arrays|read_header)\b", source)) and "from pokerlab.files" in source


def test_the_fuzzer_itself_notices_what_it_is_for():
    def reader(read, seconds=10.0):
        return Reader("broken", read, lambda: ["text"], seconds)

    def two_lines(text):
        error = PokerlabError("one")
        error.__class__ = type("Two", (PokerlabError,), {"__str__": lambda self: "one\ntwo"})
        raise error

    with pytest.raises(KeyError):
        fuzz.checked(reader(lambda text: {}[text]), "text")
    with pytest.raises(AssertionError, match="in several lines"):
        fuzz.checked(reader(two_lines), "text")
    with pytest.raises(ModuleNotFoundError):
        fuzz.checked(reader(lambda text: importlib.import_module("no_such_package")), "text")
    with pytest.raises(fuzz.TooSlow):
        fuzz.checked(reader(lambda text: fuzz.time.sleep(5), 0.05), "text")


def test_numbers_and_words_are_replaced_one_by_one():
    texts = fuzz_one_by_one.one_by_one(["blinds 1/20"])
    assert "blinds " + "9" * 5000 + "/20" in texts[:6]
    assert {"blinds nan/20", "blinds 1/", "null 1/20"} <= set(texts)
    reader = Reader("broken", lambda text: int(text.split()[1]), lambda: ["raise 20"], 10.0)
    found = [(len(text) > 3000, type(error)) for text, error in fuzz_one_by_one.replaced(reader, 1.0)]
    assert (True, ValueError) in found and len(found) == len(set(found))


def test_what_only_needs_a_package_that_is_not_installed_is_no_failure(monkeypatch):
    monkeypatch.setattr(fuzz, "NOT_INSTALLED", frozenset({"no_such_package"}))
    fuzz.checked(Reader("bare", lambda text: importlib.import_module("no_such_package"), lambda: ["text"]), "text")


# What the long form has found


def found(name, text):
    """The line by which a reader refuses a text that it once failed on."""
    with pytest.raises(PokerlabError) as caught:
        READERS[name].read(text)
    return str(caught.value)


@pytest.mark.parametrize("name", ["cards", "ranges", "a player's hand", "names of agents", "rules as JSON"])
def test_a_refusal_is_one_line_whatever_it_quotes(name):
    line = found(name, "caller\n\x1b[2J\udc80")
    assert line.isprintable()
    assert r"\x1b[2J\udc80" in line


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import\n", "Fuzzed failed with SyntaxError"),
        ("  x = 1\n", "Fuzzed failed with IndentationError"),
        ("importrandom\n", "Fuzzed failed with NameError: name 'importrandom' is not defined at"),
        ("raise SystemExit(3)\n", "Fuzzed failed with SystemExit: 3 at"),
    ],
)
def test_a_player_whose_source_is_broken_costs_a_line(text, why):
    assert why in found("py: sources", text)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("bucket headers", lambda header: header["about"].update(n_cells=[0, 25, 125, 625])),
        ("bucket headers", lambda header: header["about"].update(n_cells=[5, 25, 125])),
        ("bucket headers", lambda header: header["arrays"].pop()),
        ("Q-learner headers", lambda header: header["about"].update(features={"hs": 10, "river": 3})),
        ("Q-learner headers", lambda header: header["about"]["features"].update(call=4)),
        ("checkpoint headers", lambda header: header["about"].pop("engine")),
        ("checkpoint headers", lambda header: header["arrays"].pop()),
        ("checkpoint headers", lambda header: header["arrays"][-1].update(shape=[0, 1], name="regret")),
        ("search headers", lambda header: header["about"].update(worth={"low": 1})),
        ("search headers", lambda header: header["about"].pop("paths")),
        ("baseline headers", lambda header: header["about"].pop("worth")),
        ("poki memory headers", lambda header: header["arrays"][1]["shape"].reverse()),
        ("bpp memory headers", lambda header: header["about"].pop("me")),
        ("bpp memory headers", lambda header: header["arrays"].pop()),
    ],
)
def test_a_file_that_does_not_hang_together_is_refused(name, change):
    header = json.loads(READERS[name].samples()[0])
    change(header)
    assert "is damaged" in found(name, json.dumps(header))


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header["about"].pop("fades"),
        lambda header: header["about"].update(fades=1.0),
        lambda header: header["about"].update(weights=[]),
        lambda header: header["arrays"].pop(),
        lambda header: header["arrays"][0].update(shape=[2, 3]),
        lambda header: header["about"].update(
            game=header["about"]["game"].replace('"max_raises":2', '"max_raises":169')
        ),
    ],
)
def test_a_memory_of_betting_sequences_that_does_not_hang_together_is_refused(change, tmp_path):
    memories = SequenceMemories()
    memories.of("ann", game("leduc"))
    memories.save(tmp_path / "memory.bin")
    content = (tmp_path / "memory.bin").read_bytes()
    header = json.loads(header_of(content))
    change(header)
    (tmp_path / "memory.bin").write_bytes(with_header(content, json.dumps(header)))
    with pytest.raises(FileError, match="is damaged"):
        SequenceMemories().load(tmp_path / "memory.bin")


def test_a_file_whose_name_has_two_lines_is_a_problem_of_one():
    assert str(ReadProblem(1, "expected a name", "month.tgz/pdb.an\nn")) == r"month.tgz/pdb.an\nn:1: expected a name"


@pytest.mark.parametrize(
    "change", [lambda result: result.update(agents="ann"), lambda result: result["agents"][0].pop("name")]
)
def test_a_report_of_a_result_that_was_edited_is_refused(change):
    asked, result = READERS["reports"].samples()[0].split(BETWEEN)
    result = json.loads(result)
    change(result)
    assert "result.json is damaged" in found("reports", asked + BETWEEN + json.dumps(result))


def test_a_hand_that_cannot_be_recorded_is_refused(tmp_path):
    hand = played("nolimit2p")[0]
    for odd in (replace(hand, number=2**70), replace(hand, names=("ann", "\udc80"))):
        with pytest.raises(PokerlabError, match="these hands cannot be recorded"):
            write_hands(tmp_path / "hands.parquet", [odd], {})
    assert list(tmp_path.iterdir()) == []


def test_a_number_of_a_hand_that_no_record_can_hold_is_kept_among_its_tags(tmp_path):
    text = phh_text(replace(played("nolimit2p")[0], number=1640679862216406798622))
    (hand,) = parse_phh(text).hands
    assert (hand.number, hand.tags["hand"]) == (0, "1640679862216406798622")
    assert "hand = 1640679862216406798622" in phh_text(hand)
    write_hands(tmp_path / "hands.parquet", [hand], {})
    assert list(read_hands(tmp_path / "hands.parquet")) == [hand]


def test_a_result_of_a_task_that_cannot_be_used_is_made_again():
    header = json.loads(READERS["task headers"].samples()[0])
    del header["about"]["task"]
    READERS["task headers"].read(json.dumps(header))
    with open_run(folder() / "tasks", "test", {}) as run:
        assert [each.value for each in do_tasks(TASKS, runner=here, run=run)] == [3]


@pytest.mark.parametrize("name", ["strategy headers", "size headers"])
@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.pop("about"),
        lambda header: header["about"].pop("rules"),
        lambda header: header["arrays"][0].update(dtype="<f0"),
        lambda header: header["arrays"][0].update(dtype="O"),
        lambda header: header["arrays"][0].update(dtype="08"),
        lambda header: header["arrays"][0].update(shape=[-1]),
        lambda header: header["arrays"][0].update(offset="here"),
    ],
)
def test_a_file_whose_header_was_edited_is_refused(name, change):
    header = json.loads(READERS[name].samples()[0])
    change(header)
    assert "is damaged" in found(name, json.dumps(header))


def test_a_header_nested_without_end_is_refused():
    assert "its header cannot be read" in found("strategy headers", "[" * 10_000)


def test_a_raise_of_four_hundred_digits_is_no_action_of_the_tree():
    with pytest.raises(PokerlabError, match="is not among the actions of the tree"):
        spot_at(kuhn_strategy(), "raise to " + "9" * 400)


def test_a_number_of_ranges_may_stand_after_any_blank():
    assert ranges_called("\x1f2") == ranges_called("2") == ("0.5-0.69", "1.08-1.38")


def test_a_number_of_five_thousand_digits_is_refused():
    assert "is not a range of bet sizes" in found("ranges of sizes", "9" * 5000)
    hand = played("nolimit2p")[0]
    view = next(hand.states()).view(1, 0, ("ann", "bob"))
    for word in ("raise to " + "9" * 5000, "raise to ²"):
        with pytest.raises(PokerlabError, match="is not an action"):
            parse_action(word, view)


def test_a_raise_by_five_thousand_digits_goes_to_the_largest_legal_total():
    betting = Betting.start(game("nolimit2p"))
    assert repaired(betting, "r" + "9" * 5000)[0] == RaiseTo(20_000)


def test_a_deck_of_other_cards_is_refused():
    text = READERS["rules as JSON"].samples()[0]
    assert "the cards of a deck are numbers from 0 to 51" in found("rules as JSON", text.replace("[42,", "[52,"))


def test_a_name_with_a_zero_in_it_is_nobodys():
    assert "no agent is called" in found("names of agents", "strategy:a\0b")


def test_a_result_with_a_number_without_end_is_no_result():
    text = re.sub(r'"seed": \d+', '"seed": 1e999', READERS["results"].samples()[0])
    assert "1e999" in text
    with pytest.raises(FileError, match="is not the result of an experiment"):
        Result.from_json(text)


def test_the_long_form_says_what_it_tried(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(
        "sys.argv", ["fuzz.py", "--minutes", "0.005", "--only", "cards", "--found", str(tmp_path / "f")]
    )
    monkeypatch.setattr(fuzz, "TURN_SECONDS", 0.05)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert fuzz.main() == 0
    assert re.search(
        r"texts for 1 readers in \d+\.\d minutes of processor time .*, 0 failures", fuzz.sys.stdout.getvalue()
    )


def test_what_several_processes_have_tried_is_added_up():
    one = fuzz.Tried(Counter(cards=3), Counter(cards=1), {"cards: KeyError"}, 0.5)
    other = fuzz.Tried(Counter(cards=1, PHH=2), Counter(PHH=2), set(), 0.25)
    assert fuzz.together([one, other]) == fuzz.Tried(
        Counter(cards=4, PHH=2), Counter(cards=1, PHH=2), {"cards: KeyError"}, 0.75
    )


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("exploiter headers", lambda header: header["about"].pop("settings")),
        ("copycat headers", lambda header: header["about"]["settings"].update(least_width=0.0)),
        ("copycat headers", lambda header: header["arrays"][0]["shape"].reverse()),
        ("fit record headers", lambda header: header["arrays"][1]["shape"].reverse()),
        ("fit record headers", lambda header: header["about"].update(names=[])),
        ("measurement headers", lambda header: header["arrays"][1]["shape"].reverse()),
        ("measurement headers", lambda header: header["arrays"].pop()),
    ],
)
def test_models_fits_and_measurements_that_do_not_hang_together_are_refused(name, change):
    header = json.loads(READERS[name].samples()[0])
    change(header)
    assert "is damaged" in found(name, json.dumps(header))


def test_settings_of_densities_are_of_their_types():
    header = json.loads(READERS["copycat headers"].samples()[0])
    header["about"]["settings"]["doubt"] = None
    assert "doubt must be a number, not None" in found("copycat headers", json.dumps(header))


@pytest.mark.parametrize("change", [{"path": ["r7"]}, {"ev": [1.0]}, {"actions": ["f", "f", "c"]}, {"p": [0, 0, "x"]}])
def test_a_spot_of_a_quiz_that_cannot_be_used_is_drawn_again(change, tmp_path):
    header = json.loads(READERS["quiz spot headers"].samples()[0])
    content, load = MODELS["quiz spot"]
    path = tmp_path / "spot.bin"
    path.write_bytes(content())
    load(path)
    assert saved_spot(path, game("limit2p")) is not None
    header["about"]["spot"].update(change)
    path.write_bytes(with_header(content(), json.dumps(header)))
    assert saved_spot(path, game("limit2p")) is None


@pytest.mark.parametrize(
    "text", ["{{", "[]", '{"url": "x", "budget": {}, "prices": {}}', '{"url": "", "budget": {"calls": "1"}}']
)
def test_a_place_of_models_that_was_edited_is_refused(text):
    assert "is damaged; remove it" in found("places of models", text)


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ('{"value": 5}', "cannot unpack"),
        ('{"value": ["c", "{}"]}', "cannot be used"),
        ('{"value": ["c", "[1]"]}', "cannot be used"),
        ("{}", "cannot be used"),
    ],
)
def test_an_answer_of_an_agents_process_that_cannot_be_used_is_one_line(answer, what, monkeypatch):
    state = states()[0]
    rng = np.random.default_rng(3)
    before = rng.bit_generator.state
    pipe = Pipe(b'{"value": []}')
    monkeypatch.setattr(apart, "started", lambda *_, **__: (mock.Mock(pid=None), pipe))
    monkeypatch.setattr(apart, "_end", lambda *_: None)
    agent = apart.AgentApart("py:a:B", make="a:b")
    pipe.answer = answer.encode()
    with pytest.raises(AgentError, match=rf"hand 0: {state.betting.actor}: its process sent .*{what}"):
        agent.act(state.view(state.betting.actor, 0, ("0", "1")), rng)
    assert rng.bit_generator.state == before
    pipe.answer = b'{"value": 7}'
    with pytest.raises(AgentError, match="cannot be used"):
        apart.AgentApart("py:a:B", make="a:b")


def test_a_request_with_a_file_that_is_missing_is_refused():
    request = {"kind": "value", "strategy": "strategy:{nowhere/kuhn.bin", "hands": 2000}
    assert found("requests", json.dumps(request)) == "cannot read {nowhere/kuhn.bin: No such file or directory"


@pytest.mark.parametrize("value", ["[]", "[1]", '"3"', "1.5", "{}", "1e400", "18446744073709551616"])
def test_a_street_whose_number_of_raises_is_no_whole_number_is_refused(value):
    text = rules_to_json(game("leduc")).replace('"max_raises":2', f'"max_raises":{value}', 1)
    assert value in text
    with pytest.raises(PokerlabError):
        rules_from_json(text)


def test_numbers_of_raises_have_nine_digits_at_most():
    with pytest.raises(PokerlabError, match="is not a number of raises"):
        caps_by_street("flop 3; " + "9" * 5000, game("nolimit2p"))


def test_a_file_with_a_name_that_no_file_can_have_is_refused():
    for scheme in ("weights", "strategy", "q", "regrets", "copycat", "sizes", "model"):
        with pytest.raises(PokerlabError):
            agent(f"{scheme}:{'9' * 5000}.bin")
    assert scheme_of(f"cmd:./bot {'9' * 300}")[0] == "cmd", "arguments of a program may be long"


DEEP, LONG = "[" * 3000, "9" * 5000
NINES = "9" * 400


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kept answers", f'{{"key": "{"0" * 32}", "occurrence": {DEEP}, "answer": "call"}}\n'),
        ("ledgers", f"[1, 5, 1, {DEEP}]\n"),
        ("ledgers", f"[1, {'9' * 400}, 1, 1]\n"),
        ("requests", f'{{"kind": "match", "agents": ["caller", "random"], "hands": {2**63}, "match_hands": 10}}'),
        ("answers of agents' processes", f'{{"value": [{DEEP}, 0.75]}}'),
        ("regrets headers", re.sub('"hs": [^,\n]+', '"hs": null', READERS["regrets headers"].samples()[0])),
        ("requests", f'{{"kind": "lbr", "agent": "random", "game": "leduc-{LONG}", "hands": 6}}'),
        ("requests", f'{{"kind": "train q", "against": ["caller={LONG}"], "game": "limit2p", "hands": 1000}}'),
    ],
)
def test_brackets_without_end_and_numbers_beyond_all_bounds_are_refused(name, text):
    fuzz.checked(READERS[name], text)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("reports", r'"factor": [\d.]+', f'"factor": {DEEP}'),
        ("weights headers", r'"players": \d+', '"players": []'),
        ("weights headers", r'"players": \d+', '"players": 1e400'),
        ("copycat headers", r'"least_width": [\d.]+', f'"least_width": {NINES}.03'),
        ("search:max memory headers", r'("weights": \[\n1\.0\d+,\n)[\d.]+', rf"\g<1>{NINES}.0"),
    ],
)
def test_a_number_in_a_file_that_cannot_be_is_refused(name, old, new):
    samples = READERS[name].samples()
    text = next(after for text in samples if (after := re.sub(old, new, text, count=1)) != text)
    fuzz.checked(READERS[name], text)
