"""Quiz for agents: positions with known answers, scored by the expected value lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.agents.recipes import strategy_path
from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.estimates import Estimate
from pokerlab.games.catalog import game
from pokerlab.games.protocols import plays
from pokerlab.games.rules import Rules
from pokerlab.net.chat.settings import chat_models
from pokerlab.players.registry import agent, every_name, resolve_names
from pokerlab.players.seating import decision_seconds, seat_names
from pokerlab.requests.play import GAME_HELP, TalkRequest
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.request import Place, setting
from pokerlab.valuing.quiz import REAL_CARDS, Quiz, QuizPaper, QuizScore, ask_agents, draw_spots, scores, source_digest
from pokerlab.valuing.quiz_files import export_spots
from pokerlab.valuing.quiz_spots import QuizSpot, kinds_of
from pokerlab.valuing.summary import talk_lines

SOURCES = {"limit2p": "limit2p", "nolimit2p": "nolimit2p", "leduc": "", "kuhn": ""}
"""Games that have a quiz -> the equilibrium player whose strategy the spots are drawn from; '' solves the game."""
SECONDS = {"turn": 5.0, "river": 0.5, "odds": 0.5}
"""Usual time to draw a spot that is not in the cache."""
ALL = "all"
BY_THE_CLOCK = ("simbot:live",)
"""Agents that think for some seconds instead of some trials: their answers depend on the machine."""
SOLUTION, EVEN = "(solution)", "(even)"


@dataclass(frozen=True, kw_only=True)
class AskQuiz(TalkRequest, kind="quiz", code=("pokerlab.valuing.quiz", "pokerlab.players.registry")):
    """Quiz agents on positions with known answers, and score the expected value (EV) that they lose.

    Spots are decisions from hands that a near-equilibrium strategy plays, drawn by seed. The kinds are preflop and flop
    (values from that strategy, in hold'em over card buckets), turn and river (solved with real cards for the ranges
    that reach them), and odds (calls of all-in bets on the flop and turn at no-limit, by exact equity). The score of an
    answer is the best action's value minus the value of the action taken; actions of equal value cost nothing. Two rows
    below the agents serve as references: (solution) is the strategy that the values come from, (even) takes each of
    that strategy's actions with equal probability.

    New spots are solved, which may take minutes, and stored in the cache directory. All agents get the same spots.

    For example:

        pokerlab quiz rulebot,poki --spots 40 --kinds river
        pokerlab quiz equilibrium --game nolimit2p --json
        pokerlab quiz all --game limit2p --out runs/quiz
        pokerlab quiz caller --game leduc --spots 200 --export spots.jsonl
    """

    agents: tuple[str, ...] = setting(
        help="`all` means every agent of the lab that plays the game.", separator=",", positional=True
    )
    game: str | Mapping[str, Any] | None = setting(None, f"{GAME_HELP} A quiz has limit2p, nolimit2p, leduc or kuhn.")
    spots: int = setting(200, "Number of spots, divided evenly among the kinds.", count=True, least=2)
    kinds: tuple[str, ...] = setting(
        (),
        "Kinds of spots, separated by commas: preflop, flop, turn, river, odds. Default: all that the game has.",
        separator=",",
    )
    seconds_per_decision: float | None = setting(None)
    export: Path | None = setting(
        None,
        "Write the questions to this file, one JSON object per line, and the answers to a second file beside it.",
        identity=False,
        written="file",
    )

    @property
    def entrants(self) -> tuple[str, ...]:
        """The agents that take the quiz."""
        return self.agents

    @property
    def guessers(self) -> tuple[str, ...]:
        """An empty tuple: a quiz deals no cards that an agent could predict by guessing the seed."""
        return ()

    @cached_property
    def quiz(self) -> Quiz:
        """The quiz that the settings describe."""
        source = SOURCES[self.rules.name]
        path = str(strategy_path(source)) if source else ""
        return Quiz(self.rules, path, self.kinds, self.spots, self.seed)

    def check(self) -> None:
        """Refuse games without a quiz, kinds of spots that the game does not have, and agents that do not play it."""
        super().check()
        name = self.rules.name
        if name not in SOURCES or self.rules != game(name):
            raise PokerlabError(f"there is no quiz for {name}; there are quizzes for {', '.join(SOURCES)}")
        there = kinds_of(self.rules)
        for kind in self.kinds:
            if kind not in there:
                raise PokerlabError(f"{name} has no spots of kind {kind!r}; {name_hint(kind, there)}")
        agents = every_player(self.rules) if self.agents == (ALL,) else self.agents
        names, _ = seat_names(agents, self.rules, self.seconds_per_decision)
        names = tuple(dict.fromkeys(names))  # two names may mean the same agent
        seconds = decision_seconds(names, self.seconds_per_decision)
        self.settle(agents=names, kinds=tuple(dict.fromkeys(self.kinds)) or there, seconds_per_decision=seconds)

    def identity(self) -> dict[str, Any]:
        """The settings, and a digest of the strategy from which spots are drawn."""
        return {**super().identity(), "source": source_digest(self.quiz.strategy)}

    def cost(self, *, workers: int | None = None) -> Cost:
        new = [number for number in range(self.spots) if not self.quiz.is_solved(number)]
        seconds = sum(SECONDS.get(self.quiz.place(number)[0], 0.0) for number in new)
        at_once = min(workers or usable_cores(), max(1, self.spots // 10))
        what = f"{self.spots:,} spots of {self.rules.name}, {len(new):,} of them to be solved, besides the agents' time"
        counts: dict[str, Any] = {"spots": self.spots, "to_solve": len(new)}
        if chat_models(self.agents):
            from pokerlab.net.chat.estimate import spots_estimate

            chat = spots_estimate(self.agents, self.rules, self.spots, self.chat_place)
            what, counts["chat"] = f"{what}; {chat.words()}; more where an answer is unusable", chat.data()
        return Cost(seconds / at_once, counts=counts, what=what)

    def compute(self, place: Place) -> Answer:
        self.prepare_talk(place)
        how: dict[str, Any] = {"runner": place.runner, "run": place.directory}
        spots = draw_spots(self.quiz, **how, report=place.report("solving spots"))
        files = () if self.export is None else export_spots(self.export, self.quiz, spots)
        papers = ask_agents(
            self.agents,
            spots,
            make=self.make,
            rules=self.rules,
            seed=self.seed,
            seconds=self.seconds_per_decision,
            **how,
            report=place.report("asking"),
        )
        lost = {name: paper.lost for name, paper in zip(self.agents, papers, strict=True)}
        lost |= {SOLUTION: np.array([spot.own_loss for spot in spots])}
        lost |= {EVEN: np.array([spot.even_loss for spot in spots])}
        by_player = {name: scores(chips, spots, self.rules) for name, chips in lost.items()}
        best = min(self.agents, key=lambda name: by_player[name]["all"].percent.mean)
        above = {name: scores(lost[name] - lost[best], spots, self.rules)["all"].percent for name in self.agents}
        title = f"quiz in {self.rules.name}, {len(spots)} spots, seed {self.seed}: EV lost, percent of the pot"
        talk = {name: paper.talk for name, paper in zip(self.agents, papers, strict=True) if paper.talk}
        data = {**self._about(spots), "agents": _data(by_player, above, papers), **_lines_below(by_player)}
        data |= {"talk": talk} if talk else {}
        lines = (*_remarks(self.agents, papers), *talk_lines(data))
        return Answer(title, (_table(by_player, above),), lines, data, result=papers, files=files)

    def _about(self, spots: Sequence[QuizSpot]) -> dict[str, Any]:
        units = {"mbb": "thousandths of a big blind a spot", "percent": "percent of the pot at the decision"}
        gap = max(spot.gap for spot in spots)
        settings = {"game": self.rules.name, "spots": len(spots), "kinds": self.kinds, "seed": self.seed}
        return {**settings, "units": units, "method": "spots", "largest_gap_of_pot": gap}


def every_player(rules: Rules) -> tuple[str, ...]:
    """All agents of the lab that play a game, without duplicates.

    >>> every_player(game("kuhn"))
    ('caller', 'raiser', 'shover', 'folder', 'random', 'random:smallest')
    """
    names = [name for name in every_name() if name not in BY_THE_CLOCK and plays(agent(name), rules)]
    return tuple(dict.fromkeys(resolve_names(names, rules)))


def _table(by_player: Mapping[str, Mapping[str, QuizScore]], above: Mapping[str, Estimate]) -> AnswerTable:
    """Table with a row for each player, the agents first, in order of loss; `above` is the paired difference from the
    first."""
    agents = sorted(above, key=lambda name: by_player[name]["all"].percent.mean)
    kinds = [kind for kind in by_player[EVEN] if kind not in ("all", REAL_CARDS)]
    kinds = kinds if len(kinds) > 1 else []
    shown_kinds = ("all", *kinds, *([REAL_CARDS] if REAL_CARDS in by_player[EVEN] and len(kinds) > 2 else []))
    rows: list[tuple[Cell, ...]] = []
    for name in (*agents, SOLUTION, EVEN):
        score = by_player[name]
        shown = [_text(score[kind].percent.mean, score[kind].percent.half_width) for kind in shown_kinds]
        more = [_text(above[name].mean, above[name].half_width) if name in agents[1:] else ""] * (len(agents) > 1)
        rows.append((name, *shown, _text(score["all"].mbb.mean, score["all"].mbb.half_width), *more))
    n = {kind: by_player[EVEN][kind].percent.n for kind in kinds}
    each = f" ({', '.join(f'{kind} {count}' for kind, count in n.items())})" if n else ""
    note = f"each ± half of a 95% interval, from n = {by_player[EVEN]['all'].percent.n:,} independent spots{each}"
    heads = ("", *shown_kinds, "all, mbb a spot", *(["more than the first"] if len(agents) > 1 else []))
    return AnswerTable(heads, tuple(rows), note=note)


def _text(mean: float, half: float) -> str:
    return f"{mean:.2f}" if half != half else f"{mean:.2f} ± {half:.2f}"


def _remarks(agents: Sequence[str], papers: Sequence[QuizPaper]) -> list[str]:
    """Sentences on answers whose value is less certain, and on late answers."""
    lines = []
    for name, paper in zip(agents, papers, strict=True):
        if other := sum(not each.known for each in paper.answers):
            lines.append(
                f"{name} chose other bet sizes than the solution {other} times; valued between the nearest two"
            )
        if late := sum(each.late for each in paper.answers):
            lines.append(f"{name} was late {late} times; it checked, or folded to a bet")
    return lines


def _data(
    by_player: Mapping[str, Mapping[str, QuizScore]], above: Mapping[str, Estimate], papers: Sequence[QuizPaper]
) -> list[dict[str, Any]]:
    rows = []
    for (name, more), paper in zip(above.items(), papers, strict=True):
        answers = [asdict(each) for each in paper.answers]
        rows.append(
            {"name": name, "lost": _scores_data(by_player[name]), "above_first": more.data(), "answers": answers}
        )
    return rows


def _lines_below(by_player: Mapping[str, Mapping[str, QuizScore]]) -> dict[str, Any]:
    return {"solution": _scores_data(by_player[SOLUTION]), "even": _scores_data(by_player[EVEN])}


def _scores_data(score: Mapping[str, QuizScore]) -> dict[str, Any]:
    return {kind: {"mbb": each.mbb.data(), "percent": each.percent.data()} for kind, each in score.items()}
