"""The experiments by name.

>>> experiment("davidson2002-table-3").name
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no experiment is called 'davidson2002-table-3'; did you mean davidson2002-table-3-1...?
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from pokerlab.errors import PokerlabError, name_hint

if TYPE_CHECKING:
    from pokerlab.experiments.experiment import Experiment


class Entry(NamedTuple):
    """What an experiment measures, the minutes its full settings take on one core, and the module that defines it."""

    summary: str
    minutes: float
    module: str  # below `pokerlab.experiments`


EXPERIMENTS: dict[str, Entry] = {
    "davidson2002-table-3-1": Entry(
        "income rates of 27 starting hands, rolled out and iterated, ten players", 2, "poki.table_3_1"
    ),
    "davidson2002-two-players": Entry("iterated income rates of two players", 1, "poki.two_players"),
    "davidson2002-multiplayer-strength": Entry(
        "errors of hand strength against several opponents, by method", 7, "poki.multiplayer_strength"
    ),
    "davidson2002-players": Entry(
        "the formula player against others, with and without opponent models", 175, "poki.players"
    ),
    "davidson2002-self-play": Entry(
        "blunders of the formula player among copies, and its folds by street", 16, "poki.self_play"
    ),
    "davidson2002-simulation": Entry("the simulation player against the formula player", 80, "poki.players"),
    "taylor2007-hand-types": Entry("hands of five cards and the types of every resolution", 0.1, "bpp.tables"),
    "taylor2007-alpha": Entry("the base table of the opponent's actions as a mix of both types", 0.1, "bpp.tables"),
    "taylor2007-shifts": Entry(
        "the shift of the betting curves that makes a player aggressive or conservative", 10, "bpp.actions"
    ),
    "taylor2007-generated": Entry(
        "what Bayesian players of three styles do, beside the printed tables", 4, "bpp.actions"
    ),
    "taylor2007-types": Entry("how soon an opponent's type is known, and a change of style followed", 3, "bpp.types"),
    "taylor2007-matches": Entry("tables of the opponent's actions against opponents of every style", 30, "bpp.matches"),
    "taylor2007-exact-tables": Entry("tables counted of the opponent itself", 10, "bpp.matches"),
    "taylor2007-logs": Entry(
        "opponent tables counted from logs of our agents, against the combinatory player", 13, "bpp.logs"
    ),
    "taylor2007-beyond": Entry(
        "four types, bluffs and the type in the decision, against many agents", 18, "bpp.beyond"
    ),
    "taylor2007-search": Entry(
        "the search player beside Poki and the hybrid, against simple players", 35, "bpp.search"
    ),
    "taylor2007-networks": Entry(
        "which of the Bayesian networks plays best, at stud and at hold'em", 8, "bpp.networks"
    ),
    "taylor2007-flush-nodes": Entry("how fast tables with and without flush nodes are learnt", 0.2, "bpp.networks"),
    "poki-beliefs": Entry(
        "what Poki's weight tables and models give the truth, in bits; calibration of HS", 45, "poki.beliefs"
    ),
    "sweeney2012-circling": Entry(
        "self-play in 2x2 games and Kuhn poker: gradient, lagging anchor and WoLF", 1, "connectionist.circling"
    ),
    "sweeney2012-figure-5-1": Entry(
        "rollout errors of the connectionist player as it is trained", 600, "connectionist.rollouts"
    ),
    "sweeney2012-table-5-1": Entry(
        "rollout errors of the trained connectionist player by street", 120, "connectionist.rollouts"
    ),
    "sweeney2012-table-5-2": Entry(
        "a learnt best response to the connectionist player, and its statistics", 400, "connectionist.response"
    ),
    "sweeney2012-anchored": Entry(
        "what a learnt response wins from a player trained with a lagging anchor", 400, "connectionist.response"
    ),
    "sweeney2012-self-aware": Entry(
        "the connectionist player with and without self-aware inputs, three-handed", 120, "connectionist.matches"
    ),
    "sweeney2012-competition": Entry(
        "the connectionist player in a competition of six, and who wins from whom", 16, "connectionist.matches"
    ),
    "sweeney2012-six-handed": Entry("the connectionist player among five others of a kind", 3, "connectionist.matches"),
    "sweeney2012-weaker-half": Entry(
        "the connectionist player among the weaker half of the population", 20, "connectionist.matches"
    ),
    "sweeney2012-heads-up": Entry(
        "the connectionist player against equilibrium players, for two and three", 18, "connectionist.matches"
    ),
    "sweeney2012-sizes": Entry(
        "the connectionist player in no-limit hold'em, whose raises have sizes", 40, "connectionist.sizes"
    ),
    "sweeney2012-fit": Entry(
        "a model with imputed cards and player-types, fitted to play of a known one", 60, "connectionist.fit"
    ),
    "sweeney2012-rollouts": Entry(
        "where rollouts pay the connectionist player: what they gain", 12, "connectionist.rollout_player"
    ),
    "sweeney2012-rollout-matches": Entry(
        "where rollouts pay the connectionist player: strength against time", 60, "connectionist.rollout_player"
    ),
    "sweeney2012-exploiters": Entry(
        "ten systems that exploit a population by a model of it", 400, "connectionist.exploiters"
    ),
    "sweeney2012-adapting": Entry(
        "whether telling players apart pays, by population, and what it is worth", 120, "connectionist.adapting"
    ),
    "sweeney2012-population": Entry(
        "style statistics of the population playing itself", 15, "connectionist.population"
    ),
    "hawkin2014-table-5-3": Entry(
        "how many decisions the betting abstractions of no-limit hold'em have", 0.5, "bets.table_5_3"
    ),
    "hawkin2014-table-4-1": Entry(
        "bet sizes of no-limit Kuhn poker, and which ranges lead to them", 5, "bets.table_4_1"
    ),
    "hawkin2014-table-5-1": Entry(
        "bet sizes of 5-bucket hold'em after runs of BETS of different lengths", 60, "bets.table_5_1"
    ),
    "hawkin2014-figure-5-4": Entry("RE-BETS against FCPA in 5-bucket hold'em, run by run", 300, "bets.figures"),
    "hawkin2014-figure-6-1": Entry("RE-BETS from three default ranges in 5-bucket hold'em", 900, "bets.figures"),
    "hawkin2014-figure-6-3": Entry("ranges of fixed ratio and of fixed width in 5-bucket hold'em", 600, "bets.figures"),
    "hawkin2014-figure-6-5": Entry("one, two and three ranges a decision in 5-bucket hold'em", 16000, "bets.figures"),
    "hawkin2014-figure-6-7": Entry(
        "bet-sizing trees pruned to the important bets in 5-bucket hold'em", 3000, "bets.figures"
    ),
    "hawkin2014-table-7-9": Entry("players of found bet sizes against players of fixed ones", 400, "bets.table_7_9"),
    "hawkin2014-figure-7-1": Entry(
        "values of found sizes by best responses and as measured, 5-bucket hold'em", 400, "bets.figures"
    ),
    "hawkin2014-figure-7-3": Entry(
        "one, two and three ranges, also pruned, with buckets that forget (IR-100)", 39000, "bets.figures"
    ),
    "hawkin2014-table-7-3": Entry(
        "the most important bets with 100 and with 570 buckets, and their sizes", 40000, "bets.table_7_3"
    ),
    "hawkin2014-figure-7-9": Entry(
        "one, two and three ranges in hold'em with more buckets (IR-570)", 27000, "bets.figures"
    ),
    "hawkin2014-figure-7-11": Entry("bet sizes found with 100 buckets a street, used with 570", 34000, "bets.figures"),
    "hawkin2014-figure-7-15": Entry(
        "ranges against an opponent with many sizes (ACPC_2011) in IR-100", 18000, "bets.figures"
    ),
    "hawkin2014-river": Entry(
        "one bet size for random rivers with real ranges, beside a grid of sizes", 38, "bets.spots"
    ),
    "hawkin2014-turn": Entry(
        "one bet size for random turns with real ranges, beside a grid of sizes", 80, "bets.spots"
    ),
    "hawkin2014-beyond": Entry(
        "Leduc: both players' bets sized at once; sizes and strategy from one run", 5, "bets.beyond"
    ),
    "hawkin2014-beyond-holdem": Entry("the same in 5-bucket hold'em", 25, "bets.beyond"),
    "waugh2009-pathologies": Entry(
        "card abstractions of Leduc, each met by a best response in the whole game", 0.3, "equilibrium.pathologies"
    ),
    "hawkin2014-leduc": Entry("what found bet sizes gain over pot-sized bets in no-limit Leduc poker", 9, "bets.leduc"),
    "threeplayer-initial": Entry(
        "three-player limit: every profile of caller, raiser, rulebot and folder", 1, "threeplayer.initial"
    ),
    "threeplayer-responses": Entry(
        "three-player limit: Q-learning responses, who wins, and figure 3's epsilons", 6, "threeplayer.initial"
    ),
    "threeplayer-loop": Entry(
        "three-player limit: responses until none gains, and what their mixture is worth", 60, "threeplayer.loop"
    ),
    "threeplayer-average": Entry(
        "three-player limit: responses to the average of all before, until none gains", 60, "threeplayer.loop"
    ),
    "threeplayer-kde": Entry(
        "three-player limit: kernel-density models of betting, tables 1 and 2 and beyond", 25, "threeplayer.kde"
    ),
    "threeplayer-copycats": Entry(
        "three-player limit: agents that act from models of others, and the loop with them", 40, "threeplayer.copycats"
    ),
    "threeplayer-features": Entry(
        "three-player limit: features of Q-learners, with and without expected bets", 20, "threeplayer.features"
    ),
    "equilibrium-players": Entry(
        "the equilibrium players against every other kind of agent, heads-up", 50, "equilibrium.players"
    ),
    "equilibrium-translation": Entry(
        "what a player gains who bets off the tree, by translation: hold'em, Leduc", 15, "equilibrium.translation"
    ),
}


def experiment(name: str) -> Experiment:
    """The experiment called `name`."""
    if name not in EXPERIMENTS:
        raise PokerlabError(f"no experiment is called {name!r}; {name_hint(name, EXPERIMENTS)}")
    file = import_module(module_of(name))
    several: tuple[Experiment, ...] = getattr(file, "EXPERIMENTS", None) or (file.EXPERIMENT,)
    return next(each for each in several if each.name == name)


def module_of(name: str) -> str:
    """The module of an experiment."""
    return f"pokerlab.experiments.{EXPERIMENTS[name].module}"
