"""Empirical game analysis: treat agents as strategies of a symmetric game and find its equilibria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.empirical.empirical_games import (
    LOWER_BOUND,
    EmpiricalGame,
    EmpiricalPlan,
    instance_keys,
    play_empirical,
    play_where_it_matters,
)
from pokerlab.empirical.meta_solvers import RespondTo
from pokerlab.empirical.ordered_rounds import UNITS, OrderedLoop
from pokerlab.empirical.response_rounds import (
    RICHER,
    THOROUGH,
    Learning,
    Play,
    ResponseRound,
    empirical_summary,
    fresh_gain,
    learn_responses,
    most_stable,
    respond_in_rounds,
    rounds_summary,
)
from pokerlab.errors import PokerlabError
from pokerlab.estimates import SHORT
from pokerlab.games.units import units_per_chip
from pokerlab.players.seating import decision_seconds, seat_names
from pokerlab.requests.egta_exact import check_exact, exact_answer
from pokerlab.requests.egta_tables import (
    ends,
    fresh_line,
    profiles_table,
    rounds_table,
    short_name,
    solutions_table,
    summary_lines,
)
from pokerlab.requests.play import PlayRequest, match_cost
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, drawing, setting

LEARN_SECONDS = 2e-5  #: usual seconds of a hand that a response is learned from by trying every action


@dataclass(frozen=True, kw_only=True)
class Egta(PlayRequest, kind="egta"):
    """Treat agents as strategies of a symmetric game: estimate the payoffs of every profile, and find equilibria.

    A profile is a multiset of agents that fills the table. For each profile, a number of instances is played: matches
    in which positions rotate and agents start without memory. Payoffs and epsilons (the most a player gains by
    switching to another strategy) come with 95% intervals. Replicator dynamics, regret matching, fictitious play and,
    for two players, a linear program search for an equilibrium in mixed strategies. Instances are saved one by one:
    stop at any moment and resume with the same command. If you add strategies or instances, only the new instances are
    played.

    For example:

        pokerlab egta --strategies caller,raiser,rulebot,folder --dry-run
        pokerlab egta --strategies caller,raiser,rulebot,folder
        pokerlab egta --strategies caller,raiser,rulebot:tight,rulebot --more 20
        pokerlab egta --game leduc --strategies caller,raiser,random --hands 200
        pokerlab egta --strategies caller,raiser,rulebot,folder --rounds 5
        pokerlab egta --strategies caller,raiser,rulebot,folder --rounds 16 --respond-to average
        pokerlab egta --strategies rulebot --rounds 40 --respond-to average --every-action --no-payoffs --fresh 10
        pokerlab egta --game kuhn3p --strategies random --rounds 1000 --respond-to optimistic
    """

    strategies: tuple[str, ...] = setting(
        ("caller", "raiser", "rulebot"),
        "Agents, separated by commas: name[:variant][@FILE] or py:module:Class (`pokerlab agents`).",
        identity=False,
        separator=",",
    )
    game: str | Mapping[str, Any] | None = setting("limit3p")
    instances: int = setting(
        25, "Number of matches for every profile; each is one observation for the intervals.", identity=False
    )
    hands: int = setting(1000, "In each instance.", count=True)
    units: str | None = setting(
        None, "Default: small_bets_per_hand at limit hold'em, mbb_per_hand elsewhere.", identity=False
    )
    more: int = setting(
        0,
        "Number of further blocks of --instances matches, for the profiles that contribute most to the uncertainty of "
        "the solution's epsilon.",
        identity=False,
        least=0,
    )
    rounds: int = setting(
        0,
        "Maximum number of rounds in which a response to a mixture of the strategies joins them. At limit hold'em a "
        "Q-learner (`pokerlab train q`) responds, until a response gains nothing significant; at games as small as "
        "kuhn3p and leduc3p the best response, and every epsilon is exact.",
        identity=False,
        least=0,
    )
    respond_to: RespondTo = setting(
        "nearest",
        "Mixture that --rounds respond to: nearest to an equilibrium, with the smallest epsilon; the average of all "
        "strategies, in which later responses count more; optimistic, the same with the last one counted twice; "
        "uniform; or by replicator, regret-matching, fictitious-play or alpha-rank.",
        identity=False,
    )
    learn_hands: int = setting(
        1_000_000, "Number of hands from which a response is learned; a multiple of 1,000.", identity=False, count=True
    )
    richer: bool = setting(
        False, "Once responses gain nothing, let learners also distinguish streets, players and pots.", identity=False
    )
    every_action: bool = setting(
        False,
        "The states of responses are then the history of the betting and strength.",
        identity=False,
    )
    payoffs: bool = setting(
        True,
        "Estimate the payoff of every profile. Without it, --rounds respond to the average, optimistic or uniform "
        "mixture, and a response is only played among players of its mixture, so a loop can have any number of rounds.",
        identity=False,
    )
    first_count: float = setting(
        1.0,
        "Without payoffs: weight of each of --strategies in the mixture; with uniform, a response counts 1.",
        identity=False,
    )
    fresh: int = setting(
        0,
        "After the --rounds, learn a fresh response to the most stable mixture (without payoffs, to that of all "
        "strategies) from this many times --learn-hands, and report its gain: the epsilon of the mixture, a lower "
        "bound.",
        identity=False,
        least=0,
    )
    picture: Path | None = drawing(
        "It shows replicator dynamics: a triangle for three strategies, otherwise shares over the steps. Default: "
        "replicator.svg in the run directory."
    )

    @property
    def entrants(self) -> tuple[str, ...]:
        """The agents that are the strategies."""
        return self.strategies

    @property
    def modules(self) -> tuple[str, ...]:
        """Modules whose code the run depends on; agents' modules are identified in the names of instances."""
        return self.code

    def identity(self) -> dict[str, Any]:
        """The game, the number of hands per instance and the seed. All other settings are part of the names of
        instances."""
        return {name: value for name, value in super().identity().items() if name != "files"}

    def check(self) -> None:
        """Refuse agents that do not play the game, and units that the game does not have."""
        super().check()
        limit = self.rules.limits == "limit" and self.rules.is_holdem
        self.settle(units=self.units or ("small_bets_per_hand" if limit else "mbb_per_hand"))
        units_per_chip(self.rules, str(self.units))
        self.settle(strategies=seat_names(self.strategies, self.rules)[0])
        if self.exact:
            names = ("more", "fresh", "richer", "every_action")
            check_exact(self.rules, self.strategies, [name for name in names if getattr(self, name)])
        else:
            _ = self.plan if self.payoffs else self.loop

    @property
    def exact(self) -> bool:
        """Whether the rounds are those of `empirical.exact_rounds`."""
        return self.rounds > 0 and not self.rules.is_holdem

    @cached_property
    def plan(self) -> EmpiricalPlan:
        """Plan of the empirical game, before learned responses are added."""
        numbers = (self.instances, self.hands, self.seed)
        return EmpiricalPlan(self.rules, self.strategies, *numbers, decision_seconds(self.strategies, None))

    @cached_property
    def loop(self) -> OrderedLoop:
        """Plan of the response loop that skips payoffs (--no-payoffs)."""
        if self.rounds < 1:
            raise PokerlabError("--no-payoffs leaves a loop: request --rounds")
        if self.more:
            raise PokerlabError("--more needs payoffs, and --no-payoffs estimates none")
        return OrderedLoop(self.rules.name, self.strategies, self.respond_to, self.first_count, self.seed, self.make)

    def cost(self, *, workers: int | None = None) -> Cost:
        if self.exact:
            return Cost(None, what=f"{self.rounds} best responses")
        if not self.payoffs:
            learned = (self.rounds + self.fresh) * self.learn_hands
            return Cost(learned * LEARN_SECONDS, what=f"{self.rounds} responses, {learned:,} hands to learn from")
        return self.cost_in(self.directory, workers=workers)

    def cost_in(self, path: Path | None, *, workers: int | None = None) -> Cost:
        """Estimate the cost of the matches that have not been played yet."""
        matches = self.plan.matches()
        saved = [path is not None and (path / "matches" / f"{key}.result").exists() for key in instance_keys(matches)]
        left = [match for match, done in zip(matches, saved, strict=True) if not done]
        cost = Cost(0.0, what=f"all {len(matches):,} instances are saved")
        if left:
            cost = match_cost(left, workers=workers, record=False, make=self.make)
        if self.rounds:
            then = f"{self.learn_hands:,} hands to learn from, and every profile of the response"
            cost = replace(cost, what=f"{cost.what}, then up to {self.rounds} rounds, which are not counted ({then})")
        return cost

    def compute(self, place: Place) -> Answer:
        if self.exact:
            loop = (self.rules, self.strategies, self.rounds, self.respond_to)
            return exact_answer(*loop, lambda done, of: place.progress("rounds", done, of))
        return self._with_payoffs(place) if self.payoffs else self._without_payoffs(place)

    def _without_payoffs(self, place: Place) -> Answer:
        """Run the response loop without payoffs, then learn a fresh response to its last mixture."""
        learning, hands = self._learning(place), self.instances * self.hands
        rounds = []
        for each in self.loop.rounds(self.rounds, self._stages[-1], hands=hands, **learning):
            rounds.append(each)
            place.progress("rounds", each.number, self.rounds)
        mixture = self.loop.mixture([each.response for each in rounds])
        data: dict[str, Any] = {
            "game": self.loop.game,
            "strategies": list(self.strategies),
            "seed": self.seed,
            "units": UNITS,
            "epsilon_is": LOWER_BOUND,
            "rounds": [{"round": each.number, "response": each.response, "gain": each.gain.data()} for each in rounds],
            "mixture": mixture,
        }
        lines = []
        if self.fresh:
            stage = replace(self._stages[-1], hands=self.fresh * self.learn_hands)
            gain = self.loop.fresh(mixture, stage, hands=hands, **learning)
            data["fresh"] = {"round": self.rounds, "learned_from_hands": stage.hands, "epsilon": gain.data()}
            lines.append(fresh_line(data))
        rows = [(str(each.number), short_name(each.response), ends(each.gain.data(), 3)) for each in rounds]
        note = f"what a response gains among players of its mixture, over {hands:,} hands"
        table = AnswerTable(("round", "response", f"gain, {SHORT[UNITS]}"), tuple(rows), note=note)
        title = f"{self.loop.game}, {self.rounds} responses to the {self.respond_to} mixture, seed {self.seed}"
        return Answer(title, (table,), (*lines, LOWER_BOUND), data, result=rounds)

    def _with_payoffs(self, place: Place) -> Answer:
        """Play the game of all strategies, including responses added by rounds."""
        from pokerlab.pictures.replicator import save_replicator

        def play(plan: EmpiricalPlan) -> EmpiricalGame:
            how: dict[str, Any] = {"runner": place.runner, "run": place.directory, "report": place.report("playing")}
            return play_empirical(plan, make=self.make, units=str(self.units), **how)

        plan, rounds, files = self.plan, list[ResponseRound](), list[Path]()
        if self.rounds:
            empirical, rounds = self._respond(place, play)
            plan = empirical.plan
        empirical = play_where_it_matters(plan, blocks=self.more, play=play)
        data = empirical_summary(empirical) | ({"rounds": rounds_summary(empirical, rounds)} if rounds else {})
        if rounds and self.fresh:
            data["fresh"] = self._fresh(place, empirical, rounds)
        if rounds and place.path is not None:
            files.append(_draw_curves(rounds, place.path / "curves.svg", empirical))
        picture = self.picture or (None if place.path is None else place.path / "replicator.svg")
        if picture is not None:
            save_replicator(empirical.game, picture, title=f"{self.rules.name}: replicator dynamics, 400 steps")
            files.append(picture)
        title = (
            f"{data['game']}, {len(data['profiles'])} profiles of {len(data['strategies'])} strategies, "
            f"{data['instances']} instances of {data['hands']:,} hands each, seed {data['seed']}"
        )
        tables = [profiles_table(data), solutions_table(data), *([rounds_table(data)] if rounds else [])]
        return Answer(title, tuple(tables), tuple(summary_lines(data)), data, result=empirical, files=tuple(files))

    def _respond(self, place: Place, play: Play) -> tuple[EmpiricalGame, list[ResponseRound]]:
        """Learn responses round by round and add them to the game."""
        how: dict[str, Any] = {"play": play, "to": self.respond_to, "make": self.make, **self._learning(place)}
        return respond_in_rounds(self.plan, rounds=self.rounds, stages=self._stages, **how)

    @property
    def _stages(self) -> list[Learning]:
        if self.every_action:
            return [replace(THOROUGH, hands=self.learn_hands)]
        richer = [replace(RICHER, hands=self.learn_hands)] if self.richer else []
        return [Learning(self.learn_hands), *richer]

    def _learning(self, place: Place) -> dict[str, Any]:
        """Arguments that determine how and where responses are learned."""
        run, report = place.directory, place.report("learning")
        if run is None:
            raise PokerlabError("rounds saves learned responses in the run directory: leave out --no-save")
        runner = place.runner
        return {
            "learn": lambda tasks: learn_responses(tasks, run=run, runner=runner, report=report, make=self.make),
            "directory": run.path / "learned",
        }

    def _fresh(self, place: Place, empirical: EmpiricalGame, rounds: Sequence[ResponseRound]) -> dict[str, Any]:
        """Learn a new response to the most stable mixture, and measure its gain."""
        best, hands = most_stable(empirical, rounds), self.fresh * self.learn_hands
        learning = replace(self._stages[-1], hands=hands)
        how: dict[str, Any] = {"hands": self.instances * self.hands, "make": self.make, **self._learning(place)}
        gain = fresh_gain(empirical, best.solution.mixture, learning, **how)
        return {"round": best.number, "learned_from_hands": hands, "epsilon": gain.data()}


def _draw_curves(rounds: Sequence[ResponseRound], path: Path, empirical: EmpiricalGame) -> Path:
    from pokerlab.pictures.curves import save_learning

    curves = {f"round {each.number}": each.curve for each in rounds}
    save_learning(curves, path, title=f"{empirical.plan.rules.name}: winnings of responses during learning")
    return path
