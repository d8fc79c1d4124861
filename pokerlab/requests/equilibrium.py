"""Compute the strategy of an equilibrium player from its recipe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pokerlab.agents.equilibrium_training import Training, train, training_cost
from pokerlab.agents.recipes import recipe
from pokerlab.answers import Answer
from pokerlab.requests.hints import how_to_play
from pokerlab.requests.solve import watch_solve
from pokerlab.runs.cost import Cost, duration
from pokerlab.runs.request import Place


@dataclass(frozen=True, kw_only=True)
class TrainEquilibrium(Training):
    """Compute the strategy that the agent equilibrium:NAME plays, and save it where that agent looks for it.

    Missing card buckets are built first. Stop it at any moment; the same command resumes from its checkpoint. A GPU is
    used if JAX has one and the recipe supports it. The strategies limit2p-robust, limit2p and nolimit2p ship with
    pokerlab; if you train one of these, it stays in the run directory (player.bin) and plays as strategy:FILE.
    limit2p-robust is trained against its own best response with real cards (CFR-BR), which requires a GPU.

    For example:

        pokerlab train equilibrium limit3p
        pokerlab train equilibrium nolimit2p-large --dry-run
        pokerlab train equilibrium limit2p-robust --dry-run
    """

    def cost(self, *, workers: int | None = None) -> Cost:
        wanted, cost = recipe(self.name), training_cost(self)
        building = cost.counts["buckets_seconds"]
        lines = [
            f"{wanted.rules.name}, bets {wanted.sizes or 'those of the game'}, cards {wanted.cards}, "
            f"{wanted.algorithm} on {wanted.engine}",
            f"cites {wanted.cites}",
            *([f"building {wanted.cards} first: about {duration(building)} of the time"] if building else []),
            f"elsewhere: {wanted.note}",
            "on this machine",
        ]
        about = {"player": self.name, "config": wanted.config, "note": wanted.note}
        return replace(cost, what="\n".join(lines), counts={**cost.counts, **about})

    def compute(self, place: Place) -> Answer:
        assert place.directory is not None, "trainings are always saved"
        watched: dict[str, Any] = (
            {"progress": lambda n: place.progress("training against its best response", n, self.n_iterations)}
            if self.against_response
            else watch_solve(place, self.config)
        )
        done = train(self, place.directory, **watched)
        result = done.summary
        lines = [f"{result['iterations']:,} iterations in {duration(result['seconds'])}"]
        if result.get("exploitability") is not None:
            milli = result["exploitability"] / result["big_blind"] * 1000
            lines.append(f"exploitability {milli:.3g} mbb_per_hand inside its abstraction, before rounding to 8 bits")
        player = f"equilibrium:{self.name}" if done.installed else f"strategy:{done.path}"
        return Answer(
            f"equilibrium:{self.name}, {result['algorithm']}",
            lines=(*lines, f"strategy: {done.path}", how_to_play(player)),
            data={**result, "player": self.name, "installed": done.installed},
            result=done,
        )
