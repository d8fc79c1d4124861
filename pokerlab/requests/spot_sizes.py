"""The answer of `pokerlab bets spot`: bet sizes on a real board as JSON values, tables and a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pokerlab.answers import AnswerTable
from pokerlab.cards.card import cards_text
from pokerlab.cards.ranges import range_text
from pokerlab.requests.spot_answer import action_shares, chips_text

if TYPE_CHECKING:
    from pokerlab.policies.spots import Spot
    from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame
    from pokerlab.solvers.core.best_response import Evaluation
    from pokerlab.systems.bets.several_sizes import BothSizes, SeveralSizes
    from pokerlab.systems.bets.subgame_sizes import BestSize, EverySize
    from pokerlab.valuing.spot_values import SpotValues

Data: TypeAlias = dict[str, Any]
Shown: TypeAlias = tuple[str, tuple[AnswerTable, ...], tuple[str, ...]]
"""A title, tables and lines."""

AT_AN_END = "{:.3f} of the pot lies at an end of the sizes that were looked at; a bet beyond it may be worth more"
SMALLEST = "{:.3f} of the pot is as small as a bet may be ({} in chips)"
NOTHING = "no size adds more than {:g}% of the pot to check and all-in, and values are solved no closer than that"
FEWER = "{} of {} sizes: one more adds nothing, or comes to the same chips"
WIDE = "bounds are {:.2g}% of the pot apart, wider than the {:g}% requested: the solves ended before"
GAIN = "player {} would gain {:.2g}% of the pot by another size: no pair was found that neither would leave"
SEATS = ("out of position", "in position")


def best_data(subgame: SizedSubgame, best: BestSize, target: float, *, n_sizes: int) -> Data:
    """The best sizes of one bet and their values, compared with usual sizes, as JSON values."""
    sizes = [best.size, *best.more]
    marks = [FEWER.format(len(sizes), n_sizes)] if len(sizes) < n_sizes else []
    seconds = sum(run.seconds for run in (*best.runs, *best.again))
    found = {"size": best.size, "chips": subgame.chips(best.size), "sizes": sizes, "seconds": seconds}
    found["stages"] = [_stage(subgame, stage) for stage in best.stages]
    return _one_data(subgame, best, target, found, marks + end_marks(subgame, sizes))


def every_data(subgame: SizedSubgame, every: EverySize, target: float) -> Data:
    """The best sizes of all of a player's bets and their value, compared with one usual size everywhere, as JSON
    values."""
    from pokerlab.systems.bets.search import bet_rows

    if every.run is None:
        mark = f"no sizes were found that are better than {every.size:g} of the pot everywhere"
        return _one_data(subgame, every, target, {"bets": [], "fixed": every.size}, [mark])
    rows = (row._asdict() for row in bet_rows(every.run))
    bets = [{name: row[name] for name in row if name not in ("number", "player")} for row in rows]
    return _one_data(subgame, every, target, {"bets": bets}, [])


def _one_data(
    subgame: SizedSubgame, result: BestSize | EverySize, target: float, sizes: Data, marks: Sequence[str]
) -> Data:
    value = _worth(subgame, result.solution.evaluation, subgame.player, None)
    without = _worth(subgame, result.without, subgame.player, None)
    marks = list(marks)
    if value["expects"] - without["expects"] <= target / 100 * subgame.pot:
        marks.append(NOTHING.format(target))
    width = 100 * (value["high"] - value["low"]) / subgame.pot
    if width > 2 * target * 1.001:  # the distance between the bounds is twice the exploitability
        marks.append(WIDE.format(width, 2 * target))
    usual = [_worth(subgame, each.evaluation, subgame.player, each.size) for each in result.usual]
    return {**_about(subgame), **sizes, "found": value, "all_in_only": without, "usual": usual, "marks": marks}


def both_data(subgame: SizedSubgame, pair: BothSizes, target: float) -> Data:
    """The best size of each player's first bet, compared with each player's usual sizes, as JSON values."""
    percent = [100 * gain / subgame.pot for gain in pair.gains]
    marks = [GAIN.format(player, gain) for player, gain in enumerate(percent) if gain > target]
    usual = [[_worth(subgame, each.evaluation, player, each.size) for each in pair.usual[player]] for player in (0, 1)]
    return {
        **_about(subgame),
        "player": "both",
        "sizes": list(pair.sizes),
        "chips": [subgame.chips(size) for size in pair.sizes],
        "found": [subgame.worth(pair.solution.evaluation, player) for player in (0, 1)],
        "all_in_only": [subgame.worth(pair.without, player) for player in (0, 1)],
        "usual": usual,
        "importance": _importance_of_both(subgame, pair),
        "gains_percent": percent,
        "marks": marks + end_marks(subgame, pair.sizes),
    }


def _stage(subgame: SizedSubgame, stage: SeveralSizes) -> Data:
    """The best sizes if this many are allowed, their value, and the importance R of each, in chips per pot fraction."""
    from pokerlab.solvers.bet_sizing.ranges import Range
    from pokerlab.systems.bets.subgame_bets import subgame_importance

    tree = subgame.sized(*(Range(size, size) for size in stage.sizes))
    important = subgame_importance(stage.solution.strategy, tree, np.array(stage.sizes))
    return {
        "sizes": list(stage.sizes),
        "chips": [subgame.chips(size) for size in stage.sizes],
        **subgame.worth(stage.solution.evaluation, subgame.player),
        "importance": important.tolist(),
    }


def _importance_of_both(subgame: SizedSubgame, pair: BothSizes) -> list[float]:
    from pokerlab.solvers.bet_sizing.ranges import Range
    from pokerlab.systems.bets.several_sizes import PATHS, both_sized
    from pokerlab.systems.bets.subgame_bets import subgame_importance

    first, second = (Range(size, size) for size in pair.sizes)
    tree = both_sized(subgame, (first, second))
    important = subgame_importance(pair.solution.strategy, tree, tree.bets.low)
    return [float(important[tree.paths.index(path)]) for path in PATHS]


def _about(subgame: SizedSubgame) -> Data:
    return {
        "board": cards_text(subgame.cells.board),
        "ranges": [range_text(weights) for weights in subgame.cells.weight_of_combo],
        "pot": subgame.pot,
        "stack": subgame.all_in * subgame.pot,
        "player": subgame.player,
        "units": "chips",
        **({"facing": subgame.faced} if subgame.facing else {}),
    }


def _worth(subgame: SizedSubgame, evaluation: Evaluation, player: int, size: float | None) -> Data:
    """The value of a size to a player, with bounds; None as size means going all-in only."""
    sized = {} if size is None else {"size": size, "chips": subgame.chips(size)}
    return {**sized, **subgame.worth(evaluation, player)}


def end_marks(subgame: SizedSubgame, sizes: Sequence[float]) -> list[str]:
    """Remarks on sizes at an end of the searched range, where a better size may lie outside."""
    from pokerlab.solvers.bet_sizing.sized_subgame import LEAST
    from pokerlab.systems.bets.several_sizes import at_an_end

    least = subgame.whole_range.low
    legal = [size for size in sizes if least > LEAST and size < 1.05 * least]
    marks = [SMALLEST.format(size, chips_text(subgame.chips(size))) for size in legal]
    return marks + [AT_AN_END.format(size) for size in sizes if at_an_end(subgame, size) and size not in legal]


def before_bet(subgame: SizedSubgame) -> str:
    """The actions before the bet whose size was searched, in the notation of --spot."""
    bet = [f"bet {subgame.faced * subgame.pot:.9g}"] if subgame.facing else []
    checked = ["check"] if subgame.player != (subgame.facing is not None) else []
    return ", ".join([*checked, *bet])


def action_shares_by_name(spot: Spot, values: SpotValues | None) -> dict[str, float | None]:
    """Action frequencies at a spot, by the action's name."""
    return dict(zip(spot.names(chips_text), action_shares(spot, values), strict=True))


def one_shown(subgame: SizedSubgame, data: Mapping[str, Any]) -> Shown:
    """Table of one player's sizes compared with usual ones, and its action frequencies."""
    sizes = data.get("sizes", [])
    tables = [_sizes_table(subgame, "", data["all_in_only"], data["usual"], data["found"], sizes)]
    if "bets" in data:
        rows = tuple((row["actions"], f"{row['size']:.3f}", f"{row['importance']:.4g}") for row in data["bets"])
        tables.append(AnswerTable(("bet (the sized one comes last)", "of the pot", "importance"), rows, words=3))
    shares = _shares_line(f"with the size{'s' * (len(sizes) != 1)} found", data["how_often"])
    return _title(subgame, data, _player_words(subgame)), tuple(tables), (shares, *_marks(data))


def both_shown(subgame: SizedSubgame, data: Mapping[str, Any]) -> Shown:
    """Tables of both players' sizes compared with usual ones, and both players' action frequencies."""
    tables = []
    for player, name in enumerate((SEATS[0], f"{SEATS[1]}, after a check")):
        size, other = data["sizes"][player], data["sizes"][1 - player]
        title = f"player {player} ({name}), against a bet of {other:.3f} (all-in only: of both)"
        worths = data["all_in_only"][player], data["usual"][player], data["found"][player]
        tables.append(_sizes_table(subgame, title, *worths, [size]))
    shares = [_shares_line(f"player {player}", each) for player, each in enumerate(data["how_often"])]
    return _title(subgame, data, "both players' first bets"), tuple(tables), (*shares, *_marks(data))


def _title(subgame: SizedSubgame, data: Mapping[str, Any], who: str) -> str:
    return f"{subgame.rules.name} on {data['board']}: pot {subgame.pot:g}, {data['stack']:g} behind, {who}"


def _shares_line(who: str, shares: Mapping[str, float]) -> str:
    return f"{who}: {', '.join(f'{name} {share:.1%}' for name, share in shares.items())}"


def _marks(data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"note: {mark}" for mark in data["marks"])


def _sizes_table(
    subgame: SizedSubgame, title: str, without: Data, usual: Sequence[Data], found: Data, sizes: Sequence[float]
) -> AnswerTable:
    """Table with rows for all-in only, usual sizes and found sizes; gains are over the first row. `sizes` is empty if
    many bets were sized."""
    rows = [("all-in only", chips_text(subgame.all_in * subgame.pot), without)]
    rows += [(f"{each['size']:g}", chips_text(each["chips"]), each) for each in usual]
    name = f"found: {', '.join(f'{size:.3f}' for size in sizes)}" if sizes else "those found"
    rows.append((name, ", ".join(chips_text(subgame.chips(size)) for size in sizes), found))
    cells = []
    for name, chips, value in rows:
        expects, low, high = (round(value[each], 2) + 0.0 for each in ("expects", "low", "high"))
        gain = value["expects"] - without["expects"]
        share, over = (round(each / subgame.pot, 4) + 0.0 for each in (value["expects"], gain))
        bounds = f"{low:.2f} to {high:.2f}"  # none has a minus before a rounded zero
        cells.append((name, chips, f"{expects:.2f}", f"{share:.2%}", bounds, f"{over:+.2%}"))
    first, to = ("size, of the pot after a call", "raise to") if subgame.facing else ("size, pots", "chips")
    columns = (first, to, "expects, chips", "of the pot", "bounds", "over all-in only")
    return AnswerTable(columns, tuple(cells), title)


def _player_words(subgame: SizedSubgame) -> str:
    does = f"raises a bet of {subgame.faced * subgame.pot:g}" if subgame.facing else "bets"
    return f"player {subgame.player} ({SEATS[subgame.player]}) {does}"


def draw_values(subgame: SizedSubgame, data: Mapping[str, Any], path: Path) -> None:
    """Draw the value of the bet as a function of its size."""
    from pokerlab.pictures.curves import save_size_values

    save_size_values(
        [(each["size"], each["expects"]) for each in data["usual"]],
        data["sizes"],
        path,
        worth=data["found"]["expects"],
        without=data["all_in_only"]["expects"],
        title=f"{data['board']}, pot {subgame.pot:g}, {data['stack']:g} behind: {_player_words(subgame)}",
    )
