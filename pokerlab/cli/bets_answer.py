"""What `pokerlab bets spot` answers, for one player or both: what was asked, what it is worth, and where it is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.output import json_text

if TYPE_CHECKING:
    from pokerlab.policies.strategy import Strategy
    from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame
    from pokerlab.solvers.core.solve import Solution

END = "{:.3f} of the pot lies at an end of the sizes that were looked at; a bet beyond it may be worth more"


def kept(
    find: Callable[[], tuple[dict[str, Any], Solution]], out: Path | None, config: dict[str, Any]
) -> tuple[dict[str, Any], Strategy]:
    """What was found; with a directory, kept there, or read from there if it was found before."""
    from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, save_strategy
    from pokerlab.runs.directory import open_run
    from pokerlab.solvers.runs import RESULT

    if out is None:
        answer, solution = find()
        return answer, solution.strategy
    with open_run(out, "bets spot", config, code=("pokerlab.solvers.bet_sizing.several_sizes",)) as run:
        if not (out / RESULT).exists():
            answer, solution = find()
            made = {"algorithm": "dcfr", **solution.found}
            save_strategy(out / STRATEGY_FILE, solution.strategy, made, store_tree=True)
            run.write(RESULT, (json_text(answer) + "\n").encode())
        return json.loads((out / RESULT).read_text()), load_strategy(out).strategy


def about(asked: SizedSubgame) -> dict[str, Any]:
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
