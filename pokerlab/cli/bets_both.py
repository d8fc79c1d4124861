"""`pokerlab bets spot --player both`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.bets_answer import (
    Answer,
    SpotOptions,
    about,
    end_marks,
    kept,
    rows_of,
    say_marks,
    say_shares,
    shares_of,
    show_heading,
    show_worths,
    worth,
)
from pokerlab.cli.output import progress, say

if TYPE_CHECKING:
    from pokerlab.policies.spots import Spot
    from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame
    from pokerlab.solvers.core.solve import Solution
    from pokerlab.systems.bets.both_sizes import BothSizes
    from pokerlab.systems.bets.kept_steps import Unkept
    from pokerlab.valuing.spot_values import SpotValues

GAIN = "player {} would gain {:.2g}% of the pot by another size: no pair was found that neither would leave"


def both(
    asked: SizedSubgame, options: SpotOptions, out: Path | None, *, quiet: bool
) -> tuple[Answer, Spot, SpotValues | None]:
    """What was found for both players' first bets, or read from `out`, shown; the spot of the first, and its values."""
    from pokerlab.policies.spots import spot_at
    from pokerlab.systems.bets.both_sizes import both_sizes
    from pokerlab.valuing.spot_values import spot_values

    def find(keeping: Unkept) -> tuple[Answer, Solution]:
        with progress("bet sizes") as report:
            found = both_sizes(asked, target=options.target, threads=options.threads, report=report, keeping=keeping)
        return {**_answer(asked, found, options.target), **options.said}, found.solution

    answer, strategy = kept(find, out, asked, options)
    spots = [spot_at(strategy, before) for before in ("", "check")]
    values = [spot_values(spot, threads=options.threads) for spot in spots]
    answer["how_often"] = [shares_of(*each) for each in zip(spots, values, strict=True)]
    if not quiet:
        _show(asked, answer)
    return answer, spots[0], values[0]


def _answer(asked: SizedSubgame, found: BothSizes, target: float) -> Answer:
    percent = [100 * gain / asked.pot for gain in found.gains]
    marks = [GAIN.format(player, gain) for player, gain in enumerate(percent) if gain > target]
    marks += end_marks(asked, found.sizes)
    usual = [[worth(asked, each.evaluation, player, each.size) for each in found.usual[player]] for player in (0, 1)]
    return {
        **about(asked),
        "player": "both",
        "sizes": list(found.sizes),
        "chips": [asked.chips(size) for size in found.sizes],
        "found": [asked.worth(found.solution.evaluation, player) for player in (0, 1)],
        "all_in_only": [asked.worth(found.without, player) for player in (0, 1)],
        "usual": usual,
        "gains_percent": percent,
        "marks": marks,
    }


def _show(asked: SizedSubgame, answer: Answer) -> None:
    """Both sizes beside usual ones of one player at a time, for people."""
    show_heading(asked, answer, "both players' first bets")
    for player, name in enumerate(("out of position", "in position, after a check")):
        size, other = answer["sizes"][player], answer["sizes"][1 - player]
        say(f"player {player} ({name}), against a bet of {other:.3f} (all-in only: of both):")
        found, without = answer["found"][player], answer["all_in_only"][player]
        show_worths(asked, rows_of(asked, without, answer["usual"][player], found, [size]))
    for player, shares in enumerate(answer["how_often"]):
        say_shares(f"player {player}", shares)
    say_marks(answer)
