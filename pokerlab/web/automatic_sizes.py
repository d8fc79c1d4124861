"""Automatic bet sizes on the study page: the request that finds them, and the table of all sizes tried.

>>> spot = {"board": "Ks7h2d5c8s", "ranges": ["AA, JTs", "KQ, 77"], "pot": 100, "stack": 200}
>>> sizes_request(spot, {"player": 0, "sizes": 4})
Traceback (most recent call last):
pokerlab.errors.PokerlabError: automatic sizes need "player" (0, 1 or "both") and "sizes" (1 to 3 ...
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pokerlab.errors import PokerlabError
from pokerlab.requests.bets_spot import FindSpotSizes
from pokerlab.solvers.configs import SubgameConfig
from pokerlab.solvers.core.problem import Problem
from pokerlab.systems.bets.several_sizes import both_sized

TARGET = 0.05
"""Target exploitability in percent of the pot, unless the request has a smaller one. It is small since the values of
different sizes are close."""
MOST_SIZES = 3
BOTH = "both"
Row: TypeAlias = dict[str, Any]


def sizes_request(spot: Mapping[str, Any], automatic: Any, *, threads: int | None = None) -> FindSpotSizes:
    """Make the request to search for the size of a first bet. All other bets have the `sizes` of the spot."""
    wanted = automatic if isinstance(automatic, dict) and set(automatic) == {"player", "sizes"} else {}
    player, n = wanted.get("player", ""), wanted.get("sizes")
    both, whose = player == BOTH, type(player) is int and player in (0, 1)
    if not (both or whose) or type(n) is not int or not 1 <= n <= (1 if both else MOST_SIZES):
        raise PokerlabError(
            f'automatic sizes need "player" (0, 1 or "{BOTH}") and "sizes" (1 to {MOST_SIZES} for one player, 1 for '
            "both)"
        )
    renamed = {"opponent" if name == "sizes" else name: value for name, value in spot.items()}
    target = min(TARGET, SubgameConfig.from_data(spot).target_percent)
    own = {"player": str(player), "n_sizes": n, "target_percent": target, "threads": threads}
    return FindSpotSizes.from_data({**renamed, **own})


def largest_problem(request: FindSpotSizes) -> Problem:
    """The largest game that the search will solve."""
    subgame = request.subgame
    whole = subgame.whole_range
    if request.player == BOTH:
        return Problem(both_sized(subgame, (whole, whole)).shape, subgame.cells)
    return Problem(subgame.sized(*[whole] * request.n_sizes).shape, subgame.cells)


def tried_rows(data: Mapping[str, Any]) -> list[Row]:
    """Rows of the table of sizes tried in a search. For each sized player: all-in only, the usual sizes, the best
    sizes.

    `importance` of a best size is Hawkin's R, in chips per pot fraction, estimated on sampled deals. `gain`, if both
    players are sized, is what the player could still gain by a usual size, in chips per hand.
    """
    if data["player"] != BOTH:
        player = data["player"]
        rows = [_row(player, (), data["all_in_only"]), *_usual(player, data["usual"])]
        rows += [_row(player, stage["sizes"], stage, stage["importance"]) for stage in data["stages"]]
        rows[-1]["chosen"] = True
        return rows
    rows = []
    for player, size in enumerate(data["sizes"]):
        rows += [_row(player, (), data["all_in_only"][player]), *_usual(player, data["usual"][player])]
        worth = {**data["found"][player], "chips": [data["chips"][player]]}
        gain = data["gains_percent"][player] / 100 * data["pot"]
        rows.append({**_row(player, [size], worth, [data["importance"][player]]), "chosen": True, "gain": gain})
    return rows


def _usual(player: int, usual: list[Row]) -> list[Row]:
    return [_row(player, [row["size"]], {**row, "chips": [row["chips"]]}) for row in usual if "size" in row]


def _row(player: int, sizes: Any, worth: Mapping[str, Any], importance: list[float] | None = None) -> Row:
    return {
        "player": player,
        "sizes": list(sizes),
        "chips": list(worth.get("chips", ())),
        **{name: worth[name] for name in ("expects", "low", "high")},
        "importance": importance,
        "found": importance is not None,
        "chosen": False,
        "gain": None,
    }
