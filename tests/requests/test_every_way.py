"""Every kind of request: the same settings by command, by JSON and from Python are the same run and the same answer."""

import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from small_requests import SMALL, with_files

import pokerlab as pl
from pokerlab.agents.recipes import RECIPES
from pokerlab.cards import flop_equities, matchups, strength_tables
from pokerlab.cli import main
from pokerlab.run import KINDS, request, request_class
from pokerlab.run import main as run_json
from pokerlab.runs.workers import here
from pokerlab.systems.bpp import type_counts

WITH_JAX = ("exploit", "exploitability", "fit", "train connectionist", "train equilibrium")
"""Kinds that are skipped where JAX is missing."""

WITHOUT_COMMAND = ("matchups",)
"""Kinds for JSON and Python alone."""

CHANGES = ("seconds", "value_seconds", "looks", "path", "version", "workers")
"""What two runs of the same request may say differently."""


def words(kind, settings):
    """A request as a command line."""
    from pokerlab.runs.request import settings_of

    about = {field.name: setting for field, setting in settings_of(request_class(kind))}
    line = kind.split()
    for name in (name for name in settings if about[name].positional):
        value, separator = settings[name], about[name].separator
        values = [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]
        line += [separator.join(values)] if separator else values
    for name, value in settings.items():
        if about[name].positional:
            continue
        option = f"--{name.replace('_', '-')}"
        if value is True:
            line.append(option)
        elif value is False:
            line.append(f"--no-{name.replace('_', '-')}")
        elif isinstance(value, list | tuple) and about[name].separator:
            line += [option, about[name].separator.join(map(str, value))]
        elif isinstance(value, list | tuple):
            line += [part for each in value for part in (option, str(each))]
        else:
            line += [option, str(value)]
    return line


@pytest.fixture(autouse=True)
def quick_tables(monkeypatch):
    make_quick(monkeypatch)


def make_quick(monkeypatch):
    """Tables that take minutes to compute are empty files or random, flops and counts of deals random numbers, streets
    have one bet."""
    monkeypatch.setattr(strength_tables, "build_table", lambda street, path, **how: path.write_bytes(b""))
    monkeypatch.setattr(matchups, "build", lambda path: path.write_bytes(b""))
    monkeypatch.setattr(flop_equities, "flop_equities", made_up_equities)
    monkeypatch.setattr(type_counts, "count_holdem", made_up_counts)
    monkeypatch.setitem(RECIPES, "limit2p", replace(RECIPES["limit2p"], raise_caps=(1, 1, 1, 1)))
    if find_spec("jax"):
        monkeypatch.setattr("pokerlab.valuing.walked_response.WalkedResponse._walk", made_up_flop)
        monkeypatch.setattr("pokerlab.valuing.walked_response.with_tables", lambda cells: cells)  # for the walk alone


def made_up_equities(progress):
    """Random equities on the flops of the largest library alone; those of all flops would take a minute."""
    from pokerlab.cards.flop_libraries import flop_library

    flops = np.array(list(flop_library(184)), np.int8)
    pairs = np.ones((len(flops), len(flop_equities.FIRST)), np.float32)
    won = np.random.default_rng(3).uniform(0, 1, pairs.shape).astype(np.float32)
    progress(1, 1)
    return flop_equities.FlopEquities(flops, np.full(len(flops), 4), pairs, won)


def made_up_counts(n_streams, seed, progress):
    """Random counts; those of a stream of a million deals take seconds (tests/systems/bpp/test_networks.py)."""
    rng, n = np.random.default_rng((n_streams, seed)), type_counts.N_SUBTYPES
    for stream in range(n_streams):
        progress(stream + 1, n_streams)
    shapes = dict.fromkeys(type_counts.HoldemCounts._fields, (4, 3)) | {"win": (n, n, 3)}
    return type_counts.HoldemCounts(**{name: rng.integers(0, 9, shape) for name, shape in shapes.items()})


def made_up_flop(exact_response, row, hero, ended):
    """Random values of a flop, which would take minutes: [way to the flop, hand]."""
    return np.random.default_rng((row, hero)).normal(0, 1000, (3, 1326))


@pytest.fixture
def files(tmp_path):
    """Replace "FILE x" in settings by a small file of that name."""
    return lambda settings: with_files(settings, tmp_path)


def told(text):
    """An answer without what may differ."""

    def without(value):
        if isinstance(value, dict):
            return {key: without(each) for key, each in value.items() if key not in CHANGES}
        return [without(each) for each in value] if isinstance(value, list) else value

    return without(json.loads(text))


def test_every_kind_has_a_small_setting():
    assert set(SMALL) == set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SMALL)
def test_by_command_by_json_and_from_python(kind, files, tmp_path, capsys):
    if kind in WITH_JAX:
        pytest.importorskip("jax")
    settings = files(SMALL[kind])
    asked = request(kind, settings)
    here = ["--workers", "1"] if asked.in_parts else []  # more of them are in a test of their own, below
    if kind in WITHOUT_COMMAND:
        print(asked.run(tmp_path / "command", workers=1).json())
    else:
        assert main([*words(kind, settings), "--out", str(tmp_path / "command"), *here, "--json"]) == 0
    by_command = told(capsys.readouterr().out)
    (tmp_path / "request.json").write_text(json.dumps({"kind": kind, **settings}))
    assert run_json([str(tmp_path / "request.json"), "--out", str(tmp_path / "json"), *here]) == 0
    by_json = told((tmp_path / "json" / "result.json").read_text())
    by_python = told(from_python(kind)(**settings, out=tmp_path / "python", workers=1).json())
    assert by_command == by_json == by_python
    assert request(kind, json.loads(json.dumps(settings))).directory == asked.directory
    runs = [json.loads((tmp_path / way / "run.json").read_text()) for way in ("command", "json", "python")]
    assert runs[0] == runs[1] == runs[2]
    capsys.readouterr()
    again = told(asked.run(tmp_path / "command", workers=1).json())  # what one way began, another resumes
    assert again == by_command
    assert pl.__version__ == runs[0]["version"]


def from_python(kind):
    """The function of `pl` that computes a kind of request; kinds without one are requested by name."""
    name = kind.replace(" ", "_").replace("-", "_")

    def by_name(*, out, workers, **settings):
        return pl.request(kind, **settings).run(out, workers=workers)

    return getattr(pl, name) if name in pl._REQUESTS else by_name


def interrupted(tasks, tick):
    """A runner that is stopped after the first task."""
    for each in here(tasks, tick):
        yield each
        raise KeyboardInterrupt


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["egta", "match"])
def test_interrupted_in_one_way_and_resumed_in_another(kind, tmp_path, monkeypatch, capsys):
    asked, out = request(kind, SMALL[kind]), tmp_path / "run"
    whole = told(asked.run(tmp_path / "whole", workers=1).json())
    n_parts = len(list((tmp_path / "whole" / "matches").iterdir()))
    with monkeypatch.context() as patch:
        patch.setattr(type(asked), "runner", lambda *_: interrupted)
        with pytest.raises(KeyboardInterrupt):
            asked.run(out)
    assert len(list((out / "matches").iterdir())) == 1 and not (out / "result.json").exists()
    capsys.readouterr()
    assert main([*words(kind, SMALL[kind]), "--workers", "1", "--out", str(out), "--json"]) == 0
    captured = capsys.readouterr()
    assert "1 of " in captured.err.splitlines()[0]
    assert told(captured.out) == whole
    files = {path.relative_to(out) for path in out.rglob("*") if path.is_file()}
    assert len(list((out / "matches").iterdir())) == n_parts
    for file in files:
        assert (out / file).read_bytes() == (tmp_path / "whole" / file).read_bytes(), file


# Ray is started in a process of its own: it leaves threads behind, and warns in ways that are not ours to mend.
ON_RAY = """
import json, sys
from pathlib import Path
from ray.cluster_utils import Cluster
from pokerlab.run import request

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
cluster.add_node(num_cpus=1)
cluster.wait_for_nodes()
for kind, settings in json.loads(Path(sys.argv[1]).read_text()).items():
    request(kind, settings).run(Path(sys.argv[2]) / kind, ray=cluster.address)
cluster.shutdown()
"""


IN_PARTS = [kind for kind in SMALL if request_class(kind).in_parts]
OFTEN = ["match", "report"]  # the others are for `make thorough`


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [OFTEN, pytest.param(IN_PARTS, marks=pytest.mark.thorough)], ids=["often", "all"])
def test_parts_give_the_same_answer_on_one_process_on_two_and_on_two_nodes(chosen, files, tmp_path, monkeypatch):
    pytest.importorskip("ray")
    assert set(OFTEN) < set(IN_PARTS)
    without = () if find_spec("jax") else WITH_JAX
    kinds = {kind: files(SMALL[kind]) for kind in chosen if kind not in without}
    (tmp_path / "kinds.json").write_text(json.dumps(kinds))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    command = [sys.executable, "-c", ON_RAY, str(tmp_path / "kinds.json"), str(tmp_path / "ray")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    for kind, settings in kinds.items():
        one, two = (told(request(kind, settings).run(tmp_path / str(n) / kind, workers=n).json()) for n in (1, 2))
        assert one == two == told((tmp_path / "ray" / kind / "result.json").read_text()), kind


LONGER = {
    "solve": {"iterations": 400},
    "solve subgame": {"target_percent": 1e-4, "iterations": 300},
    "bets": {"runs": 2},
    "bets spot": {},
    "bets spots": {"boards": 2},
    "report": {"boards": 3},
}
"""What is changed in the small settings, so that there is something left to resume."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONGER)
def test_interrupted_one_way_and_resumed_another(kind, tmp_path, capsys):
    settings = {**SMALL[kind], **LONGER[kind]}
    stops = []

    def stop_half_way(words, done, total):
        if done >= total / 2 and not stops:
            stops.append(words)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        request(kind, settings).run(tmp_path / "run", workers=1, progress=stop_half_way)
    assert stops and not (tmp_path / "run" / "result.json").exists()
    here = ["--workers", "1"] if request_class(kind).in_parts else []
    assert main([*words(kind, settings), "--out", str(tmp_path / "run"), *here, "--json"]) == 0
    resumed = told(capsys.readouterr().out)
    (tmp_path / "request.json").write_text(json.dumps({"kind": kind, **settings}))
    assert run_json([str(tmp_path / "request.json"), "--out", str(tmp_path / "whole"), *here]) == 0
    assert resumed == told((tmp_path / "whole" / "result.json").read_text())
