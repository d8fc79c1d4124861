"""Requests that seat agents by name: the base of matches, tournaments and other play.

If no game is named, the strategies among the agents determine it. Names without a variant become the variant made for
the game, and files that agents load become part of the run's identity. Agents `py:module:Class` play in processes of
their own, which receive only views (`table.apart`), unless `in_process` is set; the answer then says so. Agents from
outside the lab could guess a short seed, so a run with them draws its cards from a secret one (docs/adr/0044).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.errors import PokerlabError
from pokerlab.estimates import SHORT, Estimate
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json
from pokerlab.games.units import units_per_chip
from pokerlab.net.chat.settings import PLACE_FILE, ChatPlace, chat_models
from pokerlab.players.registry import usual_seconds
from pokerlab.players.seating import MAKE, decision_seconds, game_for, is_remote, runner_of, seat_names
from pokerlab.players.sources import IN_PROCESS, PYTHON, file_digests, foreign
from pokerlab.policies.strategy_files import find_rules
from pokerlab.requests.hints import command_line
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import SECRET_SEEDS, run_seed
from pokerlab.runs.request import Place, Request, setting
from pokerlab.runs.workers import Runner, apart, attribute
from pokerlab.table.cost import expected_cost
from pokerlab.table.match import MatchPlan, MatchResult
from pokerlab.table.matches import TALK, game_data
from pokerlab.valuing.summary import way_name

GAME_HELP = "Default: the game that strategies among the agents were made for, otherwise limit2p."


@dataclass(frozen=True, kw_only=True)
class PlayRequest(Request, in_parts=True, code=("pokerlab.table.matches", "pokerlab.players.registry")):
    """A request that seats agents by name."""

    game: str | Mapping[str, Any] | None = setting(None, GAME_HELP)
    seed: int = setting(7, least=0)
    in_process: bool = setting(False)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The agents at the table."""
        raise NotImplementedError

    @cached_property
    def rules(self) -> Rules:
        """The game."""
        named = game_for(self.entrants) if self.game is None else self.game
        return find_rules(named) if isinstance(named, str) else rules_from_json(json.dumps(named))

    @property
    def label(self) -> str:
        """The name of the game."""
        return self.rules.name

    @property
    def make(self) -> str:
        """The function that makes agents from names, as "module:function" for workers."""
        return IN_PROCESS if self.in_process else MAKE

    @property
    def guessers(self) -> tuple[str, ...]:
        """Agents whose code could guess a short seed: external programs, and the user's classes in their own
        processes."""
        remote = [name for name in self.entrants if is_remote(name)]
        others = [name for name in foreign(self.entrants) if not (self.in_process and name.startswith(PYTHON))]
        return tuple(dict.fromkeys([*others, *remote]))

    def placed(self, place: Place) -> Self:
        """Return this request, with a secret seed if it seats an agent that could guess the requested one."""
        if not self.guessers or self.seed >= SECRET_SEEDS:
            return self
        drawn = object.__new__(type(self))  # `replace` would make and try every agent again
        for each in fields(self):
            object.__setattr__(drawn, each.name, getattr(self, each.name))
        drawn.settle(seed=run_seed(place.directory))
        return drawn

    def completed(self, answer: Answer) -> Answer:
        """Return the answer, with a note if its seed was drawn or if user code ran in the dealer's process."""
        if self.guessers:
            line = f"{', '.join(self.guessers)} could guess a short seed: --seed {self.seed} deals these cards again"
            answer = replace(answer, lines=(*answer.lines, line))
        ours = [name for name in dict.fromkeys(self.entrants) if self.in_process and foreign([name])]
        names = [name for name in ours if foreign([name])[0].startswith(PYTHON)]  # a program is never in our process
        if not names:
            return answer
        line = f"{', '.join(names)} played in the dealer's process: nothing kept its code from seeing or changing more"
        return replace(answer, lines=(*answer.lines, line), data={**answer.data, "in_process": names})

    def settle(self, **values: Any) -> None:
        """Fill in settings that were left open, so that the run records the values used."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def check(self) -> None:
        """Choose the default game if none is named."""
        if self.game is None:
            self.settle(game=game_for(self.entrants))

    def data(self) -> dict[str, Any]:
        """The settings as JSON values. The game's rules are written out in full, so that a run does not depend on the
        catalog."""
        return {**super().data(), "game": game_data(self.rules)}

    def identity(self) -> dict[str, Any]:
        """The settings, and digests of the files that agents load."""
        return {**super().identity(), "files": file_digests(self.entrants)}

    def runner(self, workers: int | None, ray: str | None) -> Runner:
        """Runner of the matches; always uses other processes if some agents are the user's own code."""
        return runner_of(self.entrants, workers, ray)


@dataclass(frozen=True, kw_only=True)
class TalkRequest(PlayRequest):
    """A request that may seat language models: it has the address of their server, and their budget."""

    chat_url: str | None = setting(None, identity=False)
    chat_budget: tuple[str, ...] | None = setting(None, identity=False, separator=",")
    chat_prices: tuple[str, ...] = setting((), identity=False, separator=",")

    def check(self) -> None:
        """Choose the default game. Refuse a budget of money if a model has no price."""
        super().check()
        self.chat_place.check([settings.model for settings in chat_models(self.entrants).values()])

    @property
    def chat_place(self) -> ChatPlace:
        """How the run connects to language models."""
        return ChatPlace.of_options(self.chat_url, self.chat_budget, self.chat_prices)

    def prepare_talk(self, place: Place) -> None:
        """Write the server's address and the budget to a file of the run, where the agents chat:MODEL read them."""
        models = chat_models(self.entrants)
        if models and place.directory is None:
            raise PokerlabError(f"{next(iter(models))} needs the run directory, for its answers: leave out --no-save")
        if models and place.directory is not None:
            place.directory.write(f"{TALK}/{PLACE_FILE}", self.chat_place.content())


@dataclass(frozen=True, kw_only=True)
class ComparisonRequest(TalkRequest):
    """A request that compares agents by their winnings against each other."""

    agents: tuple[str, ...] = setting(separator=",")
    hands: int = setting(1000, "With --duplicate each hand is played in every seating.", count=True, least=1)
    duplicate: bool = setting(False)
    match_hands: int | None = setting(
        None,
        "Default: 1000; if an agent learns or with --running-stacks a tenth of --hands, at most 1000, because "
        "intervals are then computed from matches.",
        count=True,
        least=1,
    )
    running_stacks: bool = setting(False)
    reveal: bool = setting(False)
    aivat: bool = setting(False, identity=False)
    units: str = setting("mbb_per_hand", identity=False)
    seconds_per_decision: float | None = setting(None)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The agents."""
        return self.agents

    def check(self) -> None:
        """Refuse agents that do not exist or do not play the game, and units that the game does not have."""
        super().check()
        units_per_chip(self.rules, self.units)
        names, learns = seat_names(self.agents, self.rules, self.seconds_per_decision)
        self.settle(agents=names, seconds_per_decision=decision_seconds(names, self.seconds_per_decision))
        if self.match_hands is None:
            self.settle(match_hands=self.default_match_hands(learns))

    def cost(self, *, workers: int | None = None) -> Cost:
        """Estimate the cost of a run that saves every hand."""
        return self.cost_in(self.directory, workers=workers)

    def default_match_hands(self, learns: bool) -> int:
        """Default number of hands per match."""
        raise NotImplementedError

    def check_saved(self, place: Place, *names: str) -> None:
        """Refuse options that need a run directory if the run is not saved."""
        for name in (*names, "aivat"):
            if getattr(self, name) and place.directory is None:
                raise PokerlabError(f"{name} needs the run directory, and this run is not saved: leave out --no-save")

    def measured(self, results: Sequence[MatchResult], place: Place, **how: Any) -> dict[str, Any]:
        """Evaluate the matches with every method that applies, if --aivat is set; otherwise return an empty dict."""
        if not self.aivat or place.path is None:
            return {}
        from pokerlab.valuing.measures import measured_ways

        make, report = attribute(self.make), place.report("measuring")
        return measured_ways(results, place.path / "hands", make=make, report=report, **how)

    def page(self, place: Place, data: Mapping[str, Any]) -> tuple[Path, ...]:
        """Write report.html to the run directory, if there is one. Return the files written."""
        if place.path is None:
            return ()
        from pokerlab.pictures.report_page import run_report

        return (run_report(place.path, command=command_line(self), result=data),)


def match_cost(
    plans: Sequence[MatchPlan],
    *,
    workers: int | None,
    record: bool,
    make: str = MAKE,
    chat: ChatPlace | None = None,
) -> Cost:
    """Estimate the cost of matches. The user's own agents are tried out in a separate process. Language models are not
    called: the number of calls is estimated, and the time their server takes is unknown."""
    workers = usable_cores() if workers is None else workers
    what = f"{len(plans):,} matches, {sum(plan.hands for plan in plans):,} hands on {workers} workers"
    if chat_models([name for plan in plans for name in plan.entrants]):
        from pokerlab.net.chat.estimate import chat_estimate

        estimate = chat_estimate(plans, chat or ChatPlace.of_options(), make=make)
        counts = {"matches": len(plans), "hands": sum(plan.hands for plan in plans), "workers": workers}
        return Cost(None, counts={**counts, "chat": estimate.data()}, what=f"{what}; {estimate.words()}")
    others = [name for plan in plans for name in plan.entrants if foreign([name])]
    names = {name for plan in plans for name in plan.entrants}
    usual = {name: seconds for name in names if (seconds := usual_seconds(name)) is not None}
    settings: dict[str, Any] = {"make": make, "record": record, "workers": workers, "usual": usual}
    if others:
        cost: Cost = apart("pokerlab.table.cost:expected_cost", plans, who=others[0], **settings)
    else:
        cost = expected_cost(plans, **settings)
    return replace(cost, what=what)


# --- tables ----------------------------------------------------------------------------------------------------------


def numbers_of(row: Mapping[str, Any], summary: Mapping[str, Any]) -> Estimate:
    """Read the estimate from a row of a summary, with the summary's units and method."""
    return Estimate.from_data(row, units=summary["units"], method=summary["method"])


def judged(row: Mapping[str, Any]) -> str:
    """Phrase that says whether a number differs significantly from zero.

    >>> judged({"low": 1.0, "significant": True}), judged({"low": None, "significant": False})
    ('significant', 'too few to judge')
    """
    if row["low"] is None:
        return "too few to judge"
    return "significant" if row["significant"] else "not significant"


def differences_table(summary: Mapping[str, Any], note: str = "") -> AnswerTable:
    """Table of differences in winnings between pairs of agents."""
    rows: list[tuple[Cell, ...]] = []
    for row in summary["differences"]:
        one, other = row["agents"]
        rows.append((f"{one} above {other}", numbers_of(row, summary), judged(row)))
    return AnswerTable(("difference", SHORT[summary["units"]], ""), tuple(rows), note=note)


def measure_lines(ways: Sequence[Mapping[str, Any]], aivat: Mapping[str, Any] | None) -> list[str]:
    """Lines on the factor by which each method reduces the hands needed, then on how AIVAT was done."""
    lines = [f"{way_name(way)} cut the hands needed: {factor_text(way)}" for way in ways if way_name(way) != "raw"]
    if aivat is not None and "left_out" in aivat:
        lines.append(f"AIVAT left out: {aivat['left_out']}")
    elif aivat is not None:
        known = ", ".join(aivat["known_policies"]) or "none, so that only the luck of the cards is taken out"
        lines.append(f"AIVAT by {aivat['value_function']}; policies known: {known}")
    return lines


def factor_text(way: Mapping[str, Any]) -> str:
    """
    >>> factor_text({"factor": 4.0, "factor_low": 3.21, "factor_high": 5.0})
    '×4.0 (3.2 to 5.0)'
    """
    if way["factor"] is None:
        return "unknown" if way["agents"][0]["low"] is None else "no luck left"
    times, low, high = (
        f"{way[key]:,.0f}" if way["factor"] >= 100 else f"{way[key]:.1f}"
        for key in ("factor", "factor_low", "factor_high")
    )
    return f"×{times} ({low} to {high})"
