"""Every kind of request: the same settings by command, by JSON and from Python are the same run and the same answer."""

import json

import pytest

import pokerlab as pl
from pokerlab.cli import main
from pokerlab.run import KINDS, request
from pokerlab.run import main as run_json

SMALL = {
    "solve": {"game": "kuhn", "iterations": 50},
    "report": {"ranges": ["AA, QJs", "KQ, TT"], "pot": 100, "stack": 100, "sizes": "1p", "boards": 2},
    "solve subgame": {"board": "Ks7h2d5c8s", "ranges": ["AA, JTs", "KQ"], "pot": 100, "stack": 100, "sizes": "1p"},
}
"""A setting for each kind that takes no more than some seconds."""

CHANGES = ("seconds", "looks", "path", "version")
"""What two runs of the same request may say differently."""


def words(kind, settings):
    """A request as a command line."""
    from pokerlab.run import request_class
    from pokerlab.runs.request import settings_of

    about = {field.name: setting for field, setting in settings_of(request_class(kind))}
    placed = [settings[name] for name in settings if about[name].positional]
    line = kind.split()
    for value in placed:
        line += [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]
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


def told(text):
    """An answer without what may differ."""
    return {key: value for key, value in json.loads(text).items() if key not in CHANGES}


def test_every_kind_has_a_small_setting():
    assert set(SMALL) == set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SMALL)
def test_by_command_by_json_and_from_python(kind, tmp_path, capsys):
    settings = SMALL[kind]
    asked = request(kind, settings)
    assert main([*words(kind, settings), "--out", str(tmp_path / "command"), "--json"]) == 0
    by_command = told(capsys.readouterr().out)
    (tmp_path / "request.json").write_text(json.dumps({"kind": kind, **settings}))
    assert run_json([str(tmp_path / "request.json"), "--out", str(tmp_path / "json")]) == 0
    by_json = told((tmp_path / "json" / "result.json").read_text())
    by_python = told(asked.run(tmp_path / "python").json())
    assert by_command == by_json == by_python
    assert request(kind, json.loads(json.dumps(settings))).directory == asked.directory
    runs = [json.loads((tmp_path / way / "run.json").read_text()) for way in ("command", "json", "python")]
    assert runs[0] == runs[1] == runs[2]
    capsys.readouterr()
    again = told(asked.run(tmp_path / "command").json())  # what one way began, another resumes
    assert again == by_command
    assert pl.__version__ == runs[0]["version"]
