"""`pokerlab bets spot --player both`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.bets_answer import END, about, kept
from pokerlab.cli.output import console, progress, say, table

if TYPE_CHECKING:
    from pokerlab.policies.spots import Spot
    from pokerlab.solvers.bet_sizing.both_sizes import BothSizes
    from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame

GAIN = "player {} would gain {:.2g}% of the pot by another size: no pair was found that neither would leave"


def both(
    asked: SizedSubgame,
    settings: dict[str, Any],
    config: dict[str, Any],
    *,
    target: float,
    threads: int | None,
    out: Path | None,
) -> tuple[dict[str, Any], Spot]:
    """What was found for both players' first bets, or read from `out`, and the spot of the first of them."""
    from pokerlab.policies.spots import spot_at
    from pokerlab.solvers.bet_sizing.both_sizes import both_sizes

    def find() -> tuple[dict[str, Any], Any]:
        with progress("bet sizes") as report:
            found = both_sizes(asked, target=target, threads=threads, report=report)
        return {**_answer(asked, found, target), **settings}, found.solution

    answer, strategy = kept(find, out, config)
    spots = [spot_at(strategy, before) for before in ("", "check")]
    answer["how_often"] = [_how_often(spot) for spot in spots]
    return answer, spots[0]


def _how_often(spot: Spot) -> dict[str, float | None]:
    from pokerlab.cli.show import how_often
    from pokerlab.games.actions import CALL
    from pokerlab.valuing.spot_values import spot_values

    names = ["check" if action == CALL else f"bet {float(action.to):.4g}" for action in spot.actions]
    return dict(zip(names, how_often(spot, spot_values(spot)), strict=True))


def _answer(asked: SizedSubgame, found: BothSizes, target: float) -> dict[str, Any]:
    from pokerlab.solvers.bet_sizing.several_sizes import at_an_end

    percent = [100 * gain / asked.pot for gain in found.gains]
    marks = [GAIN.format(player, gain) for player, gain in enumerate(percent) if gain > target]
    marks += [END.format(size) for size in found.sizes if at_an_end(asked, size)]
    usual = [
        [{"size": each.size, **asked.worth(each.evaluation, player)} for each in found.usual[player]]
        for player in (0, 1)
    ]
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


def show_both(asked: SizedSubgame, answer: dict[str, Any]) -> None:
    """Both sizes beside usual ones of one player at a time, for people."""
    out = console()
    out.print(
        f"[bold]{asked.rules.name}[/] on {answer['board']}: pot {asked.pot:g}, {answer['stack']:g} behind, "
        "both players' first bets",
        soft_wrap=True,
    )
    for player, name in enumerate(("out of position", "in position, after a check")):
        size, other = answer["sizes"][player], answer["sizes"][1 - player]
        rows = [("all-in only, both", answer["all_in_only"][player], "")]
        rows += [(f"{each['size']:g}", each, "") for each in answer["usual"][player]]
        rows.append((f"{size:.3f}", answer["found"][player], "bold"))
        shown = table(("size, pots", "expects, chips", "of the pot", "bounds"), ())
        for title, value, style in rows:
            ends = f"{value['low']:.2f} to {value['high']:.2f}"
            shown.add_row(title, f"{value['expects']:.2f}", f"{value['expects'] / asked.pot:.2%}", ends, style=style)
        out.print(f"player {player} ({name}), against a bet of {other:.3f}:")
        out.print(shown)
    for player, shares in enumerate(answer["how_often"]):
        say(f"player {player}: {', '.join(f'{name} {share:.1%}' for name, share in shares.items())}")
    for mark in answer["marks"]:
        say(f"note: {mark}")
