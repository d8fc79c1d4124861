"""Agents by name: `caller`, `rulebot:tight`, `py:module:Class`, and anything later rooms add a scheme for.

`name[:variant]` is an agent of the lab, `py:module:Class[:variant]` a class of yours (the working directory is searched
too), and either may end in `@FILE`, memory saved by the same kind of agent. Everything else starts each match knowing
nothing. `equilibrium:NAME` plays a strategy that was trained by a recipe (`agents.recipes`), `strategy:FILE` one that
was solved for (`equilibrium`), `q:FILE` values that were learned (`q_learner`), `copycat:FILE` a model of
another agent (`copycat`), `weights:FILE` a connectionist player that was trained, `model:FILE` one out
of a population that was fitted to hand histories and `exploiter:FILE` one that was learnt against such a model
(`agents.connectionist`), and `lbr:AGENT` exploits another agent whose policy can be asked
(`valuing.local_best_response`).

>>> agent("caller").act.__name__
'act'
>>> agent("cller")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no agent is called 'cller'; did you mean caller...?
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab.errors import AgentError, PokerlabError, name_hint
from pokerlab.games.protocols import Agent, Loadable, plays
from pokerlab.games.rules import Rules
from pokerlab.runs.workers import attribute


@dataclass(frozen=True)
class Entry:
    """An agent the lab knows: what it is, what it cites, and where it is made."""

    summary: str
    maker: str  # "module:function", called with (name, variant)
    variants: tuple[str, ...] = ()
    cites: str = ""
    bare: bool = True  # whether the name alone, without a variant, is an agent


_SCRIPTED = "pokerlab.agents.scripted:make_scripted"

# Their settings are in `poki/personalities.py`; the names are here so that listing agents imports none of them.
POKI_PERSONALITIES = (
    *("rock", "nit", "mouse", "granite", "sniper", "miser"),
    *("regular", "grinder", "student", "shark", "hunter", "hawk", "trapper", "fox", "clerk", "monk"),
    *("tourist", "rookie", "gambler", "bully", "maniac", "station", "sponge", "drifter"),
)

FORMULA_PERSONALITIES = ("steady", "tight", "loose", "passive", "aggressive")

SIMBOT_PERSONALITIES = ("owl", "lynx", "bear", "wolf")

# Their settings are in `bpp/variants.py`.
BPP_VARIANTS = (
    *("aggressive", "conservative", "1993", "1999", "2000", "2003", "2007", "beyond", "network"),
    *("combinatory", "combinatory-aggressive", "combinatory-conservative"),
)

# Their recipes are in `recipes.py`.
EQUILIBRIA = ("limit2p", "nolimit2p", "limit3p", "nolimit2p-large")

# Their weights are in `data/`.
CONNECTIONISTS = ("2p", "3p", "6p", "self-aware", "anchored", "rollouts", "nolimit2p")

AGENTS: dict[str, Entry] = {
    "caller": Entry("checks and calls", _SCRIPTED),
    "raiser": Entry("bets and raises the minimum whenever it may", _SCRIPTED),
    "shover": Entry("bets and raises the maximum whenever it may", _SCRIPTED),
    "folder": Entry("folds to every bet", _SCRIPTED),
    "random": Entry(
        "any legal action, each as likely (smallest: raises are always the smallest)", _SCRIPTED, ("smallest",)
    ),
    "rulebot": Entry(
        "deterministic rules over E[HS], the amount to call and implied odds",
        "pokerlab.agents.rulebot:make_rulebot",
        ("tight", "loose", "passive", "aggressive"),
        '"Construction and Evaluation of an Agent for Three Player Poker" (unsigned, undated), section 4.2',
    ),
    "formula": Entry(
        "Poki's formula on its own hand alone: it believes nothing of the others and learns nothing",
        "pokerlab.systems.poki.personalities:make_formula",
        FORMULA_PERSONALITIES,
        "Davidson 2002, section 3.4",
    ),
    "poki": Entry(
        "weight tables for everyone, strength against them, a formula around two thresholds",
        "pokerlab.systems.poki.personalities:make_poki",
        ("neural", "before", *POKI_PERSONALITIES),
        "Davidson 2002, chapter 3",
    ),
    "simbot": Entry(
        "Poki that plays the rest of the hand out many times and takes the better action",
        "pokerlab.systems.poki.personalities:make_simbot",
        ("quick", "thorough", "mixing", "live", "before", *SIMBOT_PERSONALITIES),
        "Davidson 2002, section 3.5",
    ),
    "search": Entry(
        "searches the rest of the hand, weighing opponents by what they did after the same bets",
        "pokerlab.systems.bpp.search.player:make_search",
        ("max", "mix"),
        "Taylor 2007, section 3.3.3; Billings et al. 2004",
        bare=False,
    ),
    "bpp": Entry(
        "betting curves over the chance to win that a Bayesian network and all hands played out give",
        "pokerlab.systems.bpp.variants:make_bpp",
        BPP_VARIANTS,
        "Taylor 2007",
    ),
    "connectionist": Entry(
        "a mixture of out-states over card and bet features, learnt by self-play, with beliefs about everyone",
        "pokerlab.systems.connectionist.variants:make_connectionist",
        CONNECTIONISTS,
        "Sweeney 2012, chapters 4 and 5",
    ),
    "equilibrium": Entry(
        "plays a strategy near the equilibrium of an abstraction of its game",
        "pokerlab.agents.equilibrium:make_equilibrium",
        EQUILIBRIA,
        "Zinkevich et al. 2007; Hawkin 2014, sections 3.8 and 5.9",
        bare=False,
    ),
}

SCHEMES: dict[str, Callable[[str], Agent]] = {}
"""Makers by the scheme that a name begins with; rooms that import this one add theirs."""

Player: TypeAlias = str | Agent | Callable[[], Agent]
"""A player by name, as an object with `act(view, rng)`, or as a class or function that makes one."""

STRATEGY, EQUILIBRIUM, Q_LEARNER = "strategy:", "equilibrium:", "q:"
COPYCAT, WEIGHTS, EXPLOITER, MEMBER = "copycat:", "weights:", "exploiter:", "model:"

PLAYER_OF_RUN = {
    **dict.fromkeys(("solve", "bets spot", "player"), STRATEGY),
    "train q": Q_LEARNER,
    "train copycat": COPYCAT,
    "train connectionist": WEIGHTS,
    "fit": MEMBER,
    "exploit": EXPLOITER,
}
"""The kind of a run -> how the name of the player begins that it leaves in its directory."""


def agent(text: str) -> Agent:
    """A fresh agent from its name on the command line."""
    if "\0" in text:
        raise PokerlabError(f"no agent is called {text!r}")
    scheme, separator, rest = text.partition("://")
    if separator:
        if scheme not in SCHEMES:
            raise PokerlabError(f"no scheme {scheme}:// for agents; known: {', '.join(SCHEMES) or 'none'}")
        return SCHEMES[scheme](rest)
    if text.startswith(STRATEGY):
        from pokerlab.agents.equilibrium import make_strategy

        return make_strategy(text.removeprefix(STRATEGY))
    if text.startswith(Q_LEARNER):
        from pokerlab.systems.threeplayer.q_learner import make_q

        return make_q(text.removeprefix(Q_LEARNER))
    if text.startswith(COPYCAT):
        from pokerlab.systems.threeplayer.copycat import make_copycat

        return make_copycat(text.removeprefix(COPYCAT))
    if text.startswith(WEIGHTS):
        from pokerlab.systems.connectionist.player import make_weights

        return make_weights(text.removeprefix(WEIGHTS))
    if text.startswith(EXPLOITER):
        from pokerlab.people.exploiter import make_exploiter

        return make_exploiter(text.removeprefix(EXPLOITER))
    if text.startswith(MEMBER):
        from pokerlab.people.member import make_member

        return make_member(text.removeprefix(MEMBER))
    if text.startswith(EQUILIBRIUM):  # its variant may have settings behind it
        return _made("equilibrium", text.removeprefix(EQUILIBRIUM))
    if text.startswith(("lbr:", "lbr(")):
        from pokerlab.valuing.local_best_response import make_lbr

        return make_lbr(text, agent)
    name, _, memory = text.partition("@")
    made = _from_python(name) if name.startswith("py:") else _from_lab(name)
    if memory:
        _load(made, text, memory)
    return made


def fresh_agent(player: Player) -> Agent:
    """A fresh agent: by its name, by what makes one, or a copy of one, as it is now."""
    if isinstance(player, str):
        return agent(player)
    made: Any = deepcopy(player) if not isinstance(player, type) and isinstance(player, Agent) else player()
    if not isinstance(made, Agent):
        raise PokerlabError(f"a {type(made).__name__} has no act(view, rng) method, so it cannot play")
    return made


def player_name(player: Player) -> str:
    """What a player is called at a table: its name, or that of its class or of the function that makes it."""
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def every_name() -> list[str]:
    """Every name of an agent of the lab that can be made here: players that are trained only once they are."""
    from pokerlab.agents.recipes import is_trained
    from pokerlab.systems.connectionist.player import shipped_weights

    names = [
        f"{name}:{variant}".removesuffix(":")
        for name, entry in AGENTS.items()
        for variant in (("",) if entry.bare else ()) + entry.variants
    ]
    names = [name for name in names if not name.startswith("connectionist") or shipped_weights(name).is_file()]
    return [name for name in names if not name.startswith(EQUILIBRIUM) or is_trained(name.removeprefix(EQUILIBRIUM))]


def variants_that_play(text: str, rules: Rules) -> list[str]:
    """The other names of the agent that `text` is a variant of which play a game.

    >>> from pokerlab.games.catalog import game
    >>> variants_that_play("connectionist", game("nolimit2p"))
    ['connectionist:nolimit2p']
    """
    kind = text.partition(":")[0]
    names = [name for name in every_name() if name.partition(":")[0] == kind and name != text]
    return [name for name in names if plays(agent(name), rules)]


def _from_lab(text: str) -> Agent:
    name, _, variant = text.partition(":")
    entry = AGENTS.get(name)
    if entry is None:
        raise PokerlabError(f"no agent is called {name!r}; {_agent_hint(text)}")
    if variant not in entry.variants and (variant or not entry.bare):
        hint = name_hint(variant, entry.variants, f"its variants: {', '.join(entry.variants) or 'none'}")
        wrong = f"has no variant {variant!r}" if variant else "alone is no agent"
        raise PokerlabError(f"{name} {wrong}; {hint}")
    return _made(name, variant)


def _agent_hint(text: str) -> str:
    """What may have been meant by a name that no agent has: the player of a run, or another name."""
    about = Path(text) / "run.json"
    try:
        kind = str(json.loads(about.read_text())["kind"])
    except (OSError, ValueError, KeyError, TypeError):
        kind = ""
    if kind in PLAYER_OF_RUN:
        return f"the player that was made there is {PLAYER_OF_RUN[kind]}{text}"
    return name_hint(text, AGENTS, "`pokerlab agents` lists them")


def _made(name: str, variant: str) -> Agent:
    made: Agent = attribute(AGENTS[name].maker)(name, variant)
    return made


def _from_python(text: str) -> Agent:
    _, _, path = text.partition("py:")
    module, _, rest = path.partition(":")
    name, _, variant = rest.partition(":")
    if not module or not name:
        raise PokerlabError(f"{text!r} is not py:module:Class")
    search_here()
    try:
        maker = attribute(f"{module}:{name}")
        made: Any = maker(variant) if variant else maker()
    except (ImportError, AttributeError, TypeError, PokerlabError) as error:
        raise PokerlabError(f"{text}: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError.of(text, error) from error
    if not isinstance(made, Agent):
        raise PokerlabError(f"{text}: a {type(made).__name__} has no act(view, rng) method")
    return made


def search_here() -> None:
    """Let modules of yours be found in the working directory."""
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))


def _load(made: Agent, text: str, memory: str) -> None:
    if not isinstance(made, Loadable):
        raise PokerlabError(f"{text}: this agent has no memory to load")
    made.load(Path(memory))
