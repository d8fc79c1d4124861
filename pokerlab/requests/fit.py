"""Fit a model of the players who appear in hand histories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.errors import PokerlabError
from pokerlab.people.fitting import FitSettings
from pokerlab.requests.hints import how_to_play
from pokerlab.runs.cost import Cost
from pokerlab.runs.notes import note
from pokerlab.runs.request import Place, setting
from pokerlab.runs.workers import Runner

if TYPE_CHECKING:
    from pokerlab.estimates import Estimate
    from pokerlab.people.judging import Judgement
    from pokerlab.people.records import Records

SHOWN_PLAYERS = 20
FORECASTS = (
    "A forecast knows no cards, and so compares with own counts: each player's actions so far in the match, shrunk to "
    'everybody\'s. Lines with "cards shown" also know the cards shown at the end of a hand.'
)


@dataclass(frozen=True, kw_only=True)
class FitHistories(
    FitSettings,
    kind="fit",
    saves="always",
    in_parts=True,
    code=("pokerlab.people.population_fit", "pokerlab.people.population_fit"),
):
    """Fit a player to hand histories: the model of a population (Sweeney 2012, chapter 6).

    Accepts limit hold'em for 2 to 10 players: PHH, ACPC logs, PokerStars, the IRC database, runs of `match`. Hidden
    cards are imputed. Each file is treated as one match; a player's type is inferred per match. A fifth of the hands is
    held out to test the model's predictions. The same command resumes an interrupted fit. The result plays as
    model:DIRECTORY. It needs JAX: pip install 'pokerlab[jax]'.

    For example:

        pokerlab fit session.txt --out runs/model
        pokerlab fit irc/199504 --types 1 --rounds 12
        pokerlab fit runs/population/hands --weigh stakes --out runs/stakes
        pokerlab fit runs/population/hands --dry-run
        pokerlab match --game limit6p --agents model:runs/model,poki,caller --hands 600
    """

    histories: tuple[str, ...] = setting((), "Files and directories of hand histories.", positional=True)
    game: str | None = setting(None, "Needed for logs that do not name their game.")

    def check(self) -> None:
        if not self.histories:
            raise PokerlabError("name at least one file or directory of hands (see pokerlab fit --help)")
        super().check()

    @property
    def label(self) -> str:
        """Name of the game; 'limit' if it is not given."""
        return self.game or "limit"

    def read(self, runner: Runner, report: Callable[[int, int], None] | None = None) -> Records:
        """Read the hands. Record repairs and unreadable hands; raise an error if too few hands remain."""
        from pokerlab.people.population_fit import check_enough, read_records
        from pokerlab.policies.strategy_files import find_rules

        rules = find_rules(self.game) if self.game else None
        found = read_records(self.histories, rules=rules, runner=runner, report=report)
        for rule, n in found.repairs.items():
            note(f"{n:,} hand{'s' * (n != 1)}: {rule}")
        if found.problems:
            note(f"{len(found.problems):,} places could not be read; the first: {found.problems[0]}")
        check_enough(found.records)
        return found.records

    def cost(self, *, workers: int | None = None) -> Cost:
        from pokerlab.people.population_fit import fit_cost

        return fit_cost(self.read(self.runner(workers, None)), self)

    def compute(self, place: Place) -> Answer:
        from pokerlab.people.population_fit import described, run_fit
        from pokerlab.runs.steps import interrupts_noted

        assert place.directory is not None, "fits are always saved"
        with interrupts_noted() as stopped:
            fitted = run_fit(
                place.directory,
                self,
                lambda: self.read(place.runner, place.report("reading")),
                report=lambda done, total, row: place.progress(described(row), done, total),
                stopped=stopped,
            )
        judgement = fitted.judgement
        return Answer(
            f"{judgement.hands:,} held-out hands, {judgement.decisions:,} decisions",
            _tables(judgement),
            (how_to_play(f"model:{place.path}", f"limit{fitted.usual_players}p"),),
            {"settings": self.identity(), **judgement.data()},
            result=judgement,
        )


def _tables(judgement: Judgement) -> tuple[AnswerTable, ...]:
    ends = ", observer"  # the end of a forecast's name
    models = [name.removesuffix(ends) for name in judgement.likelihood if name.endswith(ends)]
    named = {name: name for name in judgement.likelihood if name.removesuffix(ends) not in models}
    named |= {f"{model}{ends}": f"{model}, forecast" for model in models}
    named |= {model: f"{model}, cards shown" for model in models}
    likely = tuple(
        (
            words,
            f"{judgement.likelihood[name].mean:.4f}",
            _gain(judgement.over_own.get(name)),
            _gain(judgement.gains.get(name)),
        )
        for name, words in named.items()
    )
    calibration = tuple((f"{row['said']:.1%}", f"{row['taken']:.1%}", f"{row['n']:,}") for row in judgement.calibration)
    tables = (
        AnswerTable(
            ("model", "nats a decision", "gain over own counts", "gain over action counts"), likely, note=FORECASTS
        ),
        AnswerTable(("predicted", "observed", "n"), calibration, "Calibration of the observer", words=0),
    )
    return (*tables, _types(judgement), _players(judgement)) if len(judgement.types) > 1 else tables


def _gain(gain: Estimate | None) -> str:
    if gain is None:
        return ""
    return f"{gain.mean:+.4f} ± {gain.half_width:.4f}" + ("" if gain.significant else ", not significant")


def _types(judgement: Judgement) -> AnswerTable:
    def shares(row: dict[str, Any]) -> list[str]:
        return [" / ".join(f"{share:.0%}" for share in actions.values()) for actions in row["actions"].values()]

    rows = tuple((str(row["type"]), f"{row['share']:.0%}", *shares(row)) for row in judgement.types)
    before, after = judgement.type_bits
    note = f"The entropy of a player's type is {before:.2f} bits before a match and {after:.2f} bits after it."
    return AnswerTable(("type", "share", "before the flop", "later"), rows, "Types: fold / call / raise", note)


def _players(judgement: Judgement) -> AnswerTable:
    """Table of the players with the most hands, with the likeliest type of each."""
    rows = []
    for player in sorted(judgement.players, key=lambda each: -each["hands"])[:SHOWN_PLAYERS]:
        best = max(range(len(player["types"])), key=lambda kind: player["types"][kind])
        rows.append((player["name"], f"{player['hands']:,}", str(best), f"{player['types'][best]:.0%}"))
    more = len(judgement.players) - SHOWN_PLAYERS
    note = f"and {more:,} more, in report.json" if more > 0 else ""
    return AnswerTable(("player", "hands", "type", "probability"), tuple(rows), "Players by type", note)
