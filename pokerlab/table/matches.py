"""Play many matches: each is a task for any worker, and is saved in the run when it is finished.

Results are in the order of the plans, whatever the order of play (`runs.workers`). In a run, `matches/KEY.result` is a
finished match, `hands/KEY.parquet` has its hands, and `memory/AGENT.KEY` is an agent's saved memory. Language models
write transcripts to `talk/AGENT.KEY.*` while they play, so that nothing is lost if the run is killed.

>>> from pokerlab.runs.workers import here
>>> plan = MatchPlan("leduc", ("caller", "raiser"), hands=5, seed=7)
>>> [result.chips.shape for result in run_plans([plan], make="pokerlab.players.registry:agent", runner=here)]
[(5, 2)]
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.games.history import SAID, HandHistory
from pokerlab.games.protocols import Agent, Learner, Talker
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_to_json
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.rates import store_rate
from pokerlab.runs.workers import Done, Runner, Task, Tick, attribute, do_tasks, kept_result
from pokerlab.table.clock import longest_silence
from pokerlab.table.match import MatchPlan, MatchResult, play_match, unique_names
from pokerlab.table.players import MakeAgent

TALK = "talk"
"""The folder of a run for what agents say."""

RATE = "match"
SHORT_HANDS = 400
"""Number of hands up to which agents that decide quickly play in the process that asks for them."""


@dataclass(frozen=True)
class MatchTask:
    """A match to play, the function that makes its agents ("module:function"), and which extras to return with the
    result."""

    plan: MatchPlan
    make: str
    key: str = "0"  # names this match's files within its run
    record: bool = False  # return every hand
    save: bool = False  # return the saved memory of the agents
    talk: str = ""  # the folder for what agents say (`Talker`); '' for none


def run_plans(
    plans: Sequence[MatchPlan],
    *,
    make: str,
    runner: Runner,
    run: RunDirectory | None = None,
    record: bool = False,
    save: bool = False,
    keys: Sequence[str] | None = None,
    report: Callable[[int, int], None] | None = None,
) -> list[MatchResult]:
    """Return the results of `plans`, in order; matches that `run` already has are not played again.

    `make` ("module:function") makes an agent from a name. `report(done, total)` counts hands. `record` saves every hand
    and `save` every agent's memory in `run`; `keys` name the files (default: the index in `plans`). If matches fail,
    the error is raised after all others have been played and saved (`runs.workers.UnfinishedError`).
    """
    keys = match_keys(len(plans)) if keys is None else keys
    talk = "" if run is None else str((run.path / TALK).absolute())
    tasks = [match_task(MatchTask(plan, make, key, record, save, talk)) for key, plan in zip(keys, plans, strict=True)]
    done = do_tasks(tasks, runner=runner, run=run, folder="matches", report=report)
    return [result_of(plan, each) for plan, each in zip(plans, done, strict=True)]


def finished_matches(plans: Sequence[MatchPlan], run: Path) -> list[MatchResult | None]:
    """Results of `plans` saved in the run directory `run`, in order; None for matches not yet finished."""
    tasks = [match_task(MatchTask(plan, "", key)) for key, plan in zip(match_keys(len(plans)), plans, strict=True)]
    outputs = [kept_result(run / "matches" / f"{task.key}.result", task) for task in tasks]
    return [None if done is None else result_of(plan, done) for plan, done in zip(plans, outputs, strict=True)]


def match_keys(n: int) -> list[str]:
    """File names for `n` matches.

    >>> match_keys(11)[-2:]
    ['09', '10']
    """
    width = len(str(max(n - 1, 0)))
    return [f"{i:0{width}}" for i in range(n)]


def match_task(match: MatchTask) -> Task:
    """The worker's task for a match."""
    plan = match.plan
    name = f"match {plan.number} of {' and '.join(plan.entrants)}"
    silence = longest_silence(plan.seconds)
    return Task(f"{__name__}:play", match, match.key, plan_data(plan), name, plan.hands, silence)


def result_of(plan: MatchPlan, done: Done) -> MatchResult:
    """Convert the output of a match's task, new or saved, to its result."""
    details, names = done.value, unique_names(plan.entrants)
    times = (tuple(details.get(key, ())) for key in ("late", "stopped", "talk"))
    return MatchResult(plan, names, done.arrays["chips"], details["learned"], *times)


def play(match: MatchTask, tick: Tick) -> Done:
    """Play a match and collect the requested extras; `tick` counts hands."""
    files: dict[str, bytes] = {}
    hands: list[HandHistory] = []
    talkers: list[Agent] = []

    def record(hand: HandHistory) -> None:
        said = [each for agent in talkers for each in getattr(agent, "said", ()) if each["hand"] == hand.number]
        tags = {**hand.tags, SAID: json.dumps(sorted(said, key=lambda each: each["step"]))} if said else hand.tags
        hands.append(replace(hand, tags=tags))  # a copy without its cached states, which are most of its size

    def end(agents: Sequence[Agent]) -> None:
        for name, agent in zip(unique_names(match.plan.entrants), agents, strict=True):
            if match.save and isinstance(agent, Learner):
                files[f"memory/{file_name(name)}.{match.key}"] = _content(agent.save)
            if match.talk and isinstance(agent, Talker):
                agent.end_talk()

    on_hand, began = record if match.record else None, perf_counter()
    result = play_match(match.plan, _maker(match, talkers), on_hand=on_hand, on_hands=tick, on_end=end)
    if match.record:
        files[f"hands/{match.key}.parquet"] = _recorded(match.plan, hands)
    if len(result.chips) > SHORT_HANDS:
        about = rate_settings(match.plan, match.record)
        store_rate(RATE, about, units=len(result.chips), seconds=perf_counter() - began)
    return Done(result_details(result), {"chips": result.chips}, files)


def _maker(match: MatchTask, talkers: list[Agent]) -> MakeAgent:
    """Function that makes the match's agents, to be called in their order. It gives language models a path for
    transcripts, and adds them to `talkers`."""
    make, names = attribute(match.make), iter(unique_names(match.plan.entrants))

    def made(entrant: str) -> Agent:
        agent: Agent = make(entrant)
        path = Path(match.talk) / f"{file_name(next(names))}.{match.key}"
        if match.talk and isinstance(agent, Talker):
            agent.keep_talk(path)
        if isinstance(agent, Talker):
            talkers.append(agent)
        return agent

    return made


def rate_settings(plan: MatchPlan, record: bool) -> dict[str, Any]:
    """Settings that affect the time of a hand, for `runs.rates`."""
    return {"game": game_data(plan.game), "entrants": sorted(plan.entrants), "recorded": record}


def result_details(result: MatchResult) -> dict[str, Any]:
    """The part of a match's result that is saved in addition to its chips, for `result_of`."""
    times = {"late": list(result.late), "stopped": list(result.stopped)}
    talk = {"talk": [dict(counts) for counts in result.talk]} if result.talk else {}
    return {"names": list(result.names), "learned": result.learned, **times, **talk}


def file_name(agent: str) -> str:
    """Convert an agent's name to a part of a file name.

    >>> file_name("py:my.module:Bot")
    'py-my.module-Bot'
    """
    return re.sub(r"[^A-Za-z0-9._#-]+", "-", agent)


def game_data(game: str | Rules) -> Any:
    """A game as JSON: its catalog name, or all fields of its `Rules`."""
    return game if isinstance(game, str) else json.loads(rules_to_json(game))


def plan_data(plan: MatchPlan) -> dict[str, Any]:
    """A plan as JSON."""
    data = {each.name: getattr(plan, each.name) for each in fields(plan)}
    return {**data, "game": game_data(plan.game), "entrants": list(plan.entrants), "seating": list(plan.seating)}


def _content(write: Callable[[Path], object]) -> bytes:
    """The bytes that `write` writes to a (temporary) path."""
    with tempfile.TemporaryDirectory(prefix="pokerlab-") as where:
        path = Path(where) / "file"
        write(path)
        if others := sorted(each.name for each in Path(where).iterdir() if each != path):
            raise PokerlabError(f"an agent must save its memory in one file; {', '.join(others)} would be lost")
        return path.read_bytes()


def _recorded(plan: MatchPlan, hands: Sequence[HandHistory]) -> bytes:
    from pokerlab.table.records import write_hands

    return _content(lambda path: write_hands(path, hands, plan_data(plan)))
