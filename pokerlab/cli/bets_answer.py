"""What `pokerlab bets spot` was told and what it answers, for one player or both, and where that is kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pokerlab.cli.looks import chips_text
from pokerlab.cli.output import console, json_text, say, table
from pokerlab.cli.show import how_often
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.policies.spots import Spot
    from pokerlab.policies.strategy import Strategy
    from pokerlab.runs.cost import Cost
    from pokerlab.solvers.bet_sizing.ranges import Range
    from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame
    from pokerlab.solvers.core.best_response import Evaluation
    from pokerlab.solvers.core.solve import Solution
    from pokerlab.systems.bets.kept_steps import Unkept
    from pokerlab.systems.bets.search import Search
    from pokerlab.valuing.spot_values import SpotValues

Answer: TypeAlias = dict[str, Any]

END = "{:.3f} of the pot lies at an end of the sizes that were looked at; a bet beyond it may be worth more"
SMALLEST = "{:.3f} of the pot is as small as a bet may be ({} in chips)"
CODE = ("pokerlab.systems.bets.several_sizes", "pokerlab.systems.bets.both_sizes")


@dataclass(frozen=True, kw_only=True)
class SpotOptions:
    """What the sizes are looked for with; options that contradict each other are refused."""

    both: bool
    facing: float | None
    opponent: str
    target: float
    sizes: int
    round_to: float | None
    size_ranges: str | None
    extra: int | None
    runs: int
    max_raises: int | None
    threads: int | None
    curve: Path | None

    def __post_init__(self) -> None:
        self._check_numbers()
        if self.extra is not None and self.size_ranges is None:
            raise PokerlabError("--extra is about the bets of several --size-ranges; name those too")
        if self.size_ranges is not None:
            if self.curve is not None:
                raise PokerlabError("--curve is about the sizes of one bet; --size-ranges sizes every bet")
            if self.sizes > 1 or self.round_to is not None:
                raise PokerlabError("--size-ranges sizes every bet; --sizes and --round-to are about one")
            if self.facing is not None:
                raise PokerlabError("--size-ranges sizes every bet; --facing is about one raise")
        one_bet = (self.size_ranges, self.round_to, self.facing, self.curve)
        if self.both and (self.sizes > 1 or any(each is not None for each in one_bet)):
            raise PokerlabError(
                "--player both finds one size for each; leave out --sizes, --size-ranges, --round-to, --facing and "
                "--curve"
            )

    def _check_numbers(self) -> None:
        if not self.target > 0:
            raise PokerlabError(f"target must be above 0% of the pot, not {self.target:g}")
        if self.threads is not None and self.threads < 1:
            raise PokerlabError(f"threads must be at least 1, not {self.threads}")
        if self.runs < 1:
            raise PokerlabError(f"runs must be at least 1, not {self.runs}")
        if self.extra is not None and self.extra < 0:
            raise PokerlabError(f"extra must be at least 0, not {self.extra}")
        if self.sizes not in (1, 2, 3):
            raise PokerlabError(f"one bet has 1, 2 or 3 sizes, not {self.sizes}")
        if self.round_to is not None and not self.round_to > 0:
            raise PokerlabError(f"sizes are rounded to a number of chips above 0, not {self.round_to:g}")

    @property
    def ranges(self) -> list[Range]:
        """Those that every bet has, where every bet is sized."""
        from pokerlab.solvers.bet_sizing.ranges import parse_range, ranges_called

        return [] if self.size_ranges is None else [parse_range(text) for text in ranges_called(self.size_ranges)]

    @property
    def search(self) -> Search:
        """How these ranges move."""
        from pokerlab.systems.bets.search import Search

        return Search(runs=self.runs, extra=self.extra)

    @property
    def said(self) -> Answer:
        """What an answer repeats of them."""
        return {"opponent": self.opponent, "target_percent": self.target}

    def config(self, asked: SizedSubgame) -> Answer:
        """The request that a directory is for, in plain values; threads change nothing, a picture is drawn anew."""
        search = {name: value for name, value in asdict(self).items() if name not in ("threads", "curve", "target")}
        return {**about(asked), **self.said, **search}


def kept(
    find: Callable[[Unkept], tuple[Answer, Solution]], out: Path | None, asked: SizedSubgame, options: SpotOptions
) -> tuple[Answer, Strategy]:
    """What was found; with a directory, kept there, or read from there if it was found before.

    A search that was stopped goes on from the directory. Flops, which take long, have one unasked.
    """
    from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, save_strategy
    from pokerlab.runs.directory import directory_for, open_run
    from pokerlab.runs.notes import note
    from pokerlab.runs.steps import interrupts_noted
    from pokerlab.solvers.runs import RESULT
    from pokerlab.systems.bets.kept_steps import KeptSteps, Unkept

    config = options.config(asked)
    if not _keeps(asked, out):
        answer, solution = find(Unkept())
        return answer, solution.strategy
    if out is None:
        out = directory_for("bets-spot", asked.rules.name.replace(" ", "-"), config, code=CODE)
        note(f"kept in {out}: stop at any moment, and the same command goes on")
    with open_run(out, "bets spot", config, code=CODE) as run:
        steps = out / "steps"
        if not (out / RESULT).exists():
            with interrupts_noted() as stopped:
                answer, solution = find(KeptSteps(steps, stopped))
            made = {"algorithm": "dcfr", **solution.found}
            save_strategy(out / STRATEGY_FILE, solution.strategy, made, store_tree=True)
            run.write(RESULT, (json_text(answer) + "\n").encode())
        shutil.rmtree(steps, ignore_errors=True)  # their answer is there
        return json.loads((out / RESULT).read_text()), load_strategy(out).strategy


def _keeps(asked: SizedSubgame, out: Path | None) -> bool:
    return out is not None or len(asked.cells.board) == 3


def cost_of(asked: SizedSubgame, options: SpotOptions, out: Path | None) -> Cost:
    """What the search would take."""
    from pokerlab.systems.bets.spot_cost import every_cost, spot_cost

    kept, threads = _keeps(asked, out), options.threads
    if options.size_ranges is not None:
        return every_cost(asked, options.ranges, options.search, kept=kept, threads=threads)
    return spot_cost(asked, sizes=options.sizes, both=options.both, kept=kept, threads=threads)


def about(asked: SizedSubgame) -> Answer:
    """What was asked, in plain values."""
    from pokerlab.cards.card import cards_text
    from pokerlab.cards.ranges import range_text

    return {
        "board": cards_text(asked.cells.board),
        "ranges": [range_text(weights) for weights in asked.cells.weight_of_combo],
        "pot": asked.pot,
        "stack": asked.all_in * asked.pot,
        "player": asked.player,
        "units": "chips",
        **({"facing": asked.faced} if asked.facing else {}),
    }


def worth(asked: SizedSubgame, evaluation: Evaluation, player: int, size: float | None) -> Answer:
    """What a size is worth to a player, in plain values; None is no size but all-in."""
    sized = {} if size is None else {"size": size, "chips": asked.chips(size)}
    return {**sized, **asked.worth(evaluation, player)}


def end_marks(asked: SizedSubgame, sizes: Sequence[float]) -> list[str]:
    """What is to be said of sizes at an end of those that were looked at."""
    from pokerlab.solvers.bet_sizing.sized_subgame import LEAST
    from pokerlab.systems.bets.several_sizes import at_an_end

    least = asked.whole_range.low
    legal = [size for size in sizes if least > LEAST and size < 1.05 * least]
    marks = [SMALLEST.format(size, chips_text(asked.chips(size))) for size in legal]
    return marks + [END.format(size) for size in sizes if at_an_end(asked, size) and size not in legal]


def shares_of(spot: Spot, values: SpotValues | None) -> dict[str, float | None]:
    """How often each action is taken at a spot, by its name."""
    return dict(zip(spot.names(chips_text), how_often(spot, values), strict=True))


def show_heading(asked: SizedSubgame, answer: Answer, who: str) -> None:
    """The line above the tables: the spot, and whose bet is sized."""
    line = f"[bold]{asked.rules.name}[/] on {answer['board']}: pot {asked.pot:g}, {answer['stack']:g} behind, {who}"
    console().print(line, soft_wrap=True)


def say_shares(who: str, shares: dict[str, float]) -> None:
    """How often each action is taken, in one line."""
    say(f"{who}: {', '.join(f'{name} {share:.1%}' for name, share in shares.items())}")


def say_marks(answer: Answer) -> None:
    """What is to be said about the answer, a line each."""
    for mark in answer["marks"]:
        say(f"note: {mark}")


class Row(NamedTuple):
    """One line of a table of sizes: its name, the chips that it comes to, and what it is worth."""

    name: str
    chips: str
    worth: Answer
    style: str = ""


def rows_of(
    asked: SizedSubgame, without: Answer, usual: Sequence[Answer], found: Answer, sizes: Sequence[float]
) -> list[Row]:
    """No size but all-in, the usual sizes, and those that were found (none: they are of many bets)."""
    rows = [Row("all-in only", chips_text(asked.all_in * asked.pot), without)]
    rows += [Row(f"{each['size']:g}", chips_text(each["chips"]), each) for each in usual]
    name = f"found: {', '.join(f'{size:.3f}' for size in sizes)}" if sizes else "those found"
    return [*rows, Row(name, ", ".join(chips_text(asked.chips(size)) for size in sizes), found, "bold")]


def show_worths(asked: SizedSubgame, rows: Sequence[Row]) -> None:
    """The table, for people; what is gained is over the first row."""
    first, to = ("size, of the pot after a call", "raise to") if asked.facing else ("size, pots", "chips")
    shown = table((first, to, "expects, chips", "of the pot", "bounds", "over all-in only"), ())
    least = rows[0].worth["expects"]
    for name, chips, value, style in rows:
        expects, low, high = (round(value[each], 2) + 0.0 for each in ("expects", "low", "high"))
        share, over = (round(each / asked.pot, 4) + 0.0 for each in (value["expects"], value["expects"] - least))
        bounds = f"{low:.2f} to {high:.2f}"  # none has a minus before a rounded zero
        shown.add_row(name, chips, f"{expects:.2f}", f"{share:.2%}", bounds, f"{over:+.2%}", style=style)
    console().print(shown)
