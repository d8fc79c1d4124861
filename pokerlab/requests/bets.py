"""Find the bet sizes that matter most at every decision of a no-limit game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, drawing, setting
from pokerlab.systems.bets.config import SizingConfig

if TYPE_CHECKING:
    from pokerlab.estimates import Estimate
    from pokerlab.systems.bets.saved_runs import Progress
    from pokerlab.systems.bets.search import Run

SHOWN_BETS = 12


@dataclass(frozen=True, kw_only=True)
class FindBets(SizingConfig):
    """Find the bet sizes that matter most at every decision of a no-limit game.

    The algorithm follows from the options: one range per bet is BETS (--runs 1), RE-BETS (--fixed-width) or RED-BETS;
    several ranges are REDM-BETS; --extra makes it REFINED-BETS (Hawkin 2014). Stop it at any moment; the same command,
    or the same with more runs, resumes it and finds the same sizes as an uninterrupted search. Other commands accept
    the result, sizes.bin, as --sizes @FILE. `pokerlab bets spot` sizes one bet on a real board.

    For example:

        pokerlab bets leduc-nolimit --runs 3 --picture leduc.svg
        pokerlab bets leduc-nolimit --player 1 --size-ranges 0.5-0.7,1-1.5 --extra 2
        pokerlab bets nolimit2p --cards pr5 --runs 1 --value-iterations 0
        pokerlab bets nolimit2p --cards pr5 --size-ranges 2 --extra 25 --dry-run
        pokerlab bets kuhn-half-street --opponent none --size-ranges 0-1 --runs 1
        pokerlab solve leduc-nolimit --sizes @runs/bets-leduc-nolimit/sizes.bin
    """

    baseline: bool = setting(
        True,
        "Also solve the game in which both players have the opponent's sizes, and report the gain over it.",
        identity=False,
    )
    picture: Path | None = drawing("It shows the tree of the best run's most important bets.")

    def cost(self, *, workers: int | None = None) -> Cost:
        from pokerlab.systems.bets.saved_runs import expected_cost

        cost = expected_cost(self)
        what = (
            f"{self.rules.name}: first tree of {cost.counts['decisions']:,} decisions, "
            f"{cost.counts['sized_bets']:,} sized bets, {cost.counts['pairs']:,} pairs (later trees have other sizes)\n"
            f"{self.runs} runs of {self.iterations:,} iterations"
        )
        return replace(cost, what=what, counts={**cost.counts, "game": self.rules.name})

    def compute(self, place: Place) -> Answer:
        from pokerlab.systems.bets.saved_runs import SIZES, baseline_in, search_in
        from pokerlab.systems.bets.search import best_run

        finished, under_way, compared = self._reports(place)
        runs = search_in(self, place.directory, report=finished, progress=under_way)
        best = best_run(runs, self.players)
        compares = self.baseline and self.value_iterations > 0 and self.player != "both"
        base = baseline_in(self, place.directory, progress=compared) if compares else None
        who = " and ".join(f"player {player}" for player in self.players)
        other = "" if self.player == "both" else f" against {self.opponent}"
        hint = [] if place.path is None else [f"to solve with these sizes: --sizes @{place.path / SIZES}"]
        return Answer(
            f"{self.rules.name}, sizes of {who}{other}, ranges {', '.join(self.ranges)}",
            (self._runs_table(runs, base), _bets_table(best)),
            (*self._lines(base), self._which(best), *hint),
            self._data(runs, base),
            result=runs,
            files=self._draw(best),
        )

    def _reports(self, place: Place) -> tuple[Callable[[Run], None], Callable[[Progress], None], Callable[[int], None]]:
        """Return three callbacks: for a finished run, for progress within a run, and for iterations of the baseline."""
        worth = ""

        def finished(run: Run) -> None:
            nonlocal worth
            worth = "" if run.worth is None else f"  run {run.number}: {run.worth.mean:+.5f}"

        def under_way(at: Progress) -> None:
            words = f"run {at.run} of {self.runs}, {at.stage} {at.done:,} of {at.iterations:,}{worth}"
            place.progress(words, at.done, at.iterations)

        def compared(done: int) -> None:
            most = self.value_iterations
            place.progress(f"{self.opponent} for both, {done:,} of {most:,}{worth}", done, most)

        return finished, under_way, compared

    def _which(self, best: Run) -> str:
        """Describe which run's sizes are the result, and why."""
        why = "worth most to the sized player" if best.worth is not None and self.player != "both" else "the last"
        return f"the sizes are those of run {best.number}: {why}"

    def _draw(self, best: Run) -> tuple[Path, ...]:
        if self.picture is None:
            return ()
        from pokerlab.pictures.bet_sizes import save_bet_sizes

        save_bet_sizes(best, self.picture, title=f"{self.rules.name}, run {best.number}")
        return (self.picture,)

    def _data(self, runs: Sequence[Run], base: Estimate | None) -> dict[str, Any]:
        """The answer as JSON values: values to player 0, gains of the player whose bets were sized; `base` is the
        baseline value."""
        from pokerlab.systems.bets.search import best_run, bet_rows

        method, cites = self.method
        best = best_run(runs, self.players)
        return {
            "game": self.rules.name,
            "algorithm": method,
            "cites": cites,
            "players": list(self.players),
            "opponent": self.opponent,
            "ranges": list(self.ranges),
            "cards": self.cards,
            "seed": self.seed,
            "units": "chips_per_hand",
            "size_units": "pot_fraction",
            "importance_units": "chips_per_pot_fraction",
            "big_blind": float(self.rules.big_blind),
            "baseline": None if base is None else {"sizes": self.opponent, **_worth_data(base)},
            "runs": [self._run_data(run, base) for run in runs],
            "best_run": best.number,
            "bets": [
                {name: value for name, value in row._asdict().items() if name != "number"} for row in bet_rows(best)
            ],
        }

    def _run_data(self, run: Run, base: Estimate | None) -> dict[str, Any]:
        from pokerlab.systems.bets.saved_runs import gain

        gained = None if base is None else gain(run, base, self.players[0])
        milli = self._milli
        return {
            "run": run.number,
            "sized_bets": run.tree.n_bets,
            "pairs": run.pairs,
            **_worth_data(run.worth),
            "mbb_per_hand_to_player_1": None if milli is None or run.worth is None else -run.worth.mean / milli,
            "gain": None if gained is None else gained.chips,
            "gain_percent": None if gained is None else gained.percent,
            "seconds": run.seconds,
            "value_seconds": run.value_seconds,
        }

    def _runs_table(self, runs: Sequence[Run], base: Estimate | None) -> AnswerTable:
        from pokerlab.systems.bets.saved_runs import gain

        milli, rows = self._milli, []
        columns = ["run", "sized\nbets", "pairs", "value to\nplayer 0"]
        columns.append("within" if milli is None else "to player 1,\nmbb")
        if base is not None:
            columns.append(f"gain over\n{self.opponent}" + ("" if milli is None else ", mbb"))
        for run in runs:
            cells = [str(run.number), f"{run.tree.n_bets:,}", f"{run.pairs:,}", "-", "-"]
            if run.worth is not None:
                value, within, mbb = _worth_words(run.worth, milli)
                cells[3:] = [value, mbb or within]
            if base is not None:
                gained = gain(run, base, self.players[0])
                cells.append("-" if gained is None else _gain_text(gained.chips, gained.percent, milli))
            rows.append((*cells, f"{run.seconds + run.value_seconds:.1f}"))
        return AnswerTable((*columns, "seconds"), tuple(rows), words=0)

    def _lines(self, base: Estimate | None) -> list[str]:
        method, cites = self.method
        lines = [f"{method}; {cites}; N = {self.n:g}; engine {self.engine}"]
        if base is not None:
            value, within, mbb = _worth_words(base, self._milli)
            lines.append(f"{self.opponent} for both: {value} {within}{f' ({mbb} mbb to player 1)' if mbb else ''}")
        interval = " Within: a 95% interval, on sampled boards." if self.forgets else ""
        milli_blinds = "" if self._milli is None else ", mbb: thousandths of a big blind"
        about = "Importance: chips per pot fraction (equation 5.15). *: at an end of its range."
        return [*lines, f"Values: chips a hand{milli_blinds}.{interval} {about}"]

    @property
    def _milli(self) -> float | None:
        """A thousandth of the big blind, in chips; None in games without blinds."""
        return float(self.rules.big_blind) / 1000 if max(self.rules.blinds) > 0 else None


def _worth_data(worth: Estimate | None) -> dict[str, Any]:
    return {
        "value": None if worth is None else worth.mean,
        "bounds": None if worth is None else (worth.low, worth.high),
    }


def _bets_table(run: Run) -> AnswerTable:
    from pokerlab.systems.bets.search import bet_rows

    rows, cells = bet_rows(run), []
    for row in rows[:SHOWN_BETS]:
        edge = " *" if row.at_edge else ""
        span = f"{row.low:.2f}-{row.high:.2f}"
        cells.append((row.actions, f"{row.size:.3f}{edge}", span, f"{row.importance:.4g}"))
    bet = f"bet (the sized one comes last; {len(cells)} of {len(rows):,})"
    return AnswerTable((bet, "of the pot", "range", "importance"), tuple(cells), words=4)


def _gain_text(chips: float, percent: float | None, milli: float | None) -> str:
    amount = _chips(chips) if milli is None else f"{chips / milli:+.1f}"
    return amount if percent is None else f"{amount}, {percent:+.1f}%"


def _chips(value: float) -> str:
    """Format chips as text: five decimals for small amounts, four significant digits for large ones."""
    return f"{value:+.5f}" if abs(value) < 1 else f"{value:+.4g}"


def _worth_words(worth: Estimate, milli: float | None) -> tuple[str, str, str]:
    """Return (value, bounds, value and bounds in mbb to player 1) as text; the last is '' in games without blinds."""
    half = max(worth.half_width, 0.0)  # rounding may turn exact bounds around
    within = "exact" if half < 1e-9 else f"± {half:.2g}"  # linear programs leave rounding errors; those are no news
    mbb = "" if milli is None else f"{-worth.mean / milli:+.1f} ± {half / milli:.1f}"
    return _chips(worth.mean), within, mbb
