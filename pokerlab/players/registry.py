"""Agents by name, made from one table of schemes: `caller`, `rulebot:tight`, `q:DIR`, `py:module:Class` ..

A name begins with a scheme of `SCHEMES`, followed by the variant of an agent of the lab, a file, or other text in the
scheme's `form`. Agents of the lab and `py:module:Class` may end in `@FILE`, memory saved by the same kind of agent;
otherwise an agent starts each match without memory. To add a player, add a row: it can then be seated, its files become
part of a run's identity, and the directory of the run that makes it is recognised.

A name without a variant may depend on the game: `resolve` replaces it by the variant made for the game at the table.

>>> agent("caller").act.__name__
'act'
>>> agent("cller")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no agent is called 'cller'; did you mean caller...?
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from pokerlab.errors import PokerlabError, name_hint
from pokerlab.games.protocols import Agent, Loadable, plays
from pokerlab.games.rules import Rules
from pokerlab.runs.workers import attribute


@dataclass(frozen=True)
class Scheme:
    """One kind of player. `maker`, `files` and `by_game` are functions as "module:function", imported when needed."""

    summary: str
    maker: str  # from the text behind the scheme to an agent
    variants: tuple[str, ...] = ()
    cites: str = ""
    bare: bool = True  # whether the name alone, without a variant, is an agent
    by_game: str = ""  # from rules to the variant made for them
    form: str = ""  # the form of names; '' is NAME[:VARIANT], an agent of the lab
    files: str = ""  # from the text behind the scheme to the path it reads, or to several
    made_by: tuple[str, ...] = ()  # the kinds of run that save such a player in their directory
    memory: bool = True  # whether a name may end in @FILE

    @classmethod
    def of_files(cls, form: str, summary: str, *, maker: str, files: str = "", made_by: tuple[str, ...] = ()) -> Scheme:
        """A scheme that takes a file or another text of its own `form`, without memory."""
        return cls(summary, maker, form=form, files=files, made_by=made_by, memory=False)


# The settings of Poki's personalities are in `systems/poki/personalities.py`; listing agents imports none of them.
POKI_PERSONALITIES = (
    *("rock", "nit", "mouse", "granite", "sniper", "miser"),
    *("regular", "grinder", "student", "shark", "hunter", "hawk", "trapper", "fox", "clerk", "monk"),
    *("tourist", "rookie", "gambler", "bully", "maniac", "station", "sponge", "drifter"),
)
FORMULA_PERSONALITIES = ("steady", "tight", "loose", "passive", "aggressive")
SIMBOT_PERSONALITIES = ("owl", "lynx", "bear", "wolf")

# Their settings are in `systems/bpp/variants.py`.
BPP_VARIANTS = (
    *("aggressive", "conservative", "1993", "1999", "2000", "2003", "2007", "beyond", "network"),
    *("combinatory", "combinatory-aggressive", "combinatory-conservative"),
)

# Their recipes are in `agents/recipes.py`.
EQUILIBRIA = ("limit2p", "nolimit2p", "limit3p", "nolimit2p-large")

# Their weights are in `systems/connectionist/data/`.
CONNECTIONISTS = ("any", "2p", "3p", "6p", "self-aware", "anchored", "rollouts", "nolimit2p")

STRATEGY, EQUILIBRIUM = "strategy:", "equilibrium:"

SCHEMES: dict[str, Scheme] = {
    "caller": Scheme("checks and calls", "pokerlab.agents.scripted:make_caller"),
    "raiser": Scheme("bets and raises the minimum whenever it may", "pokerlab.agents.scripted:make_raiser"),
    "shover": Scheme("bets and raises the maximum whenever it may", "pokerlab.agents.scripted:make_shover"),
    "folder": Scheme("folds to every bet", "pokerlab.agents.scripted:make_folder"),
    "random": Scheme(
        "any legal action, each as likely (smallest: raises are always the smallest)",
        "pokerlab.agents.scripted:make_random",
        ("smallest",),
    ),
    "rulebot": Scheme(
        "deterministic rules over E[HS], the amount to call and implied odds",
        "pokerlab.agents.rulebot:make_rulebot",
        ("tight", "loose", "passive", "aggressive"),
        '"Construction and Evaluation of an Agent for Three Player Poker" (unsigned, undated), section 4.2',
    ),
    "formula": Scheme(
        "Poki's formula on its own hand alone: it believes nothing of the others and learns nothing",
        "pokerlab.systems.poki.personalities:make_formula",
        FORMULA_PERSONALITIES,
        "Davidson 2002, section 3.4",
    ),
    "poki": Scheme(
        "weight tables for everyone, strength against them, a formula around two thresholds",
        "pokerlab.systems.poki.personalities:make_poki",
        ("neural", "before", *POKI_PERSONALITIES),
        "Davidson 2002, chapter 3",
    ),
    "simbot": Scheme(
        "Poki that plays the rest of the hand out many times and takes the better action",
        "pokerlab.systems.poki.personalities:make_simbot",
        ("quick", "thorough", "mixing", "live", "before", *SIMBOT_PERSONALITIES),
        "Davidson 2002, section 3.5",
    ),
    "search": Scheme(
        "searches the rest of the hand, weighing opponents by what they did after the same bets",
        "pokerlab.systems.bpp.search.player:make_search",
        ("max", "mix"),
        "Taylor 2007, section 3.3.3; Billings et al. 2004",
        bare=False,
    ),
    "bpp": Scheme(
        "betting curves over the chance to win that a Bayesian network and all hands played out give",
        "pokerlab.systems.bpp.variants:make_bpp",
        BPP_VARIANTS,
        "Taylor 2007",
    ),
    "connectionist": Scheme(
        "a mixture of out-states over card and bet features, learned by self-play, with beliefs about everyone",
        "pokerlab.systems.connectionist.variants:make_connectionist",
        CONNECTIONISTS,
        "Sweeney 2012, chapters 4 and 5",
        by_game="pokerlab.systems.connectionist.variants:variant_for",
    ),
    "equilibrium": Scheme(
        "plays a strategy near the equilibrium of an abstraction of its game",
        "pokerlab.agents.equilibrium:make_equilibrium",
        EQUILIBRIA,
        "Zinkevich et al. 2007; Hawkin 2014, sections 3.8 and 5.9",
        bare=False,
        by_game="pokerlab.agents.recipes:recipe_for",
        files="pokerlab.agents.equilibrium:equilibrium_path",
        memory=False,
    ),
    "py": Scheme(
        "a class of yours in a file MODULE.py, with a method act(view, rng)",
        "pokerlab.players.python_agents:python_agent",
        form="py:MODULE:CLASS[:VARIANT]",
    ),
    "strategy": Scheme.of_files(
        "strategy:DIR",
        "the strategy that `solve`, `bets spot` or `train sized` saved in DIR",
        maker="pokerlab.agents.equilibrium:make_strategy",
        files="pokerlab.agents.equilibrium:strategy_paths",
        made_by=("solve", "solve subgame", "bets spot", "train equilibrium", "train sized", "counter"),
    ),
    "q": Scheme.of_files(
        "q:DIR",
        "the values that `train q` learned",
        maker="pokerlab.systems.threeplayer.q_learner:make_q",
        files="pokerlab.systems.threeplayer.q_learner:q_path",
        made_by=("train q",),
    ),
    "copycat": Scheme.of_files(
        "copycat:DIR[?pure]",
        "the model of another agent that `train copycat` made",
        maker="pokerlab.systems.threeplayer.copycat:make_copycat",
        files="pokerlab.systems.threeplayer.copycat:copycat_path",
        made_by=("train copycat",),
    ),
    "weights": Scheme.of_files(
        "weights:DIR",
        "the connectionist player that `train connectionist` trained",
        maker="pokerlab.systems.connectionist.player:make_weights",
        files="pokerlab.systems.connectionist.player:weights_path",
        made_by=("train connectionist",),
    ),
    "model": Scheme.of_files(
        "model:DIR[@TYPE]",
        "a player of the population that `fit` modelled from hand histories",
        maker="pokerlab.people.member:make_member",
        files="pokerlab.people.member:member_path",
        made_by=("fit",),
    ),
    "exploiter": Scheme.of_files(
        "exploiter:DIR[@reset]",
        "the player that `exploit` trained against such a model",
        maker="pokerlab.people.exploiter:make_exploiter",
        files="pokerlab.people.exploiter:exploiter_path",
        made_by=("exploit",),
    ),
    "lbr": Scheme.of_files(
        "lbr[(SIZES)]:AGENT",
        "a local best response to another agent",
        maker="pokerlab.players.registry:lbr_agent",
        files="pokerlab.players.registry:lbr_files",
    ),
    "acpc": Scheme.of_files("acpc://HOST:PORT", "a program that joins there", maker="pokerlab.net.remote:remote_agent"),
}
"""Every player, by the scheme of its name."""

Player: TypeAlias = str | Agent | Callable[[], Agent]
"""A player by name, as an object with `act(view, rng)`, or as a class or function that makes one."""

_PARTS = re.compile(r"(?P<scheme>[^:(@?]*):?(?P<rest>.*)", re.DOTALL)
_LBR = re.compile(r"lbr(\([^)]*\))?:")
_Seated = TypeVar("_Seated")


def agent(text: str, rules: Rules | None = None) -> Agent:
    """A fresh agent from its name; with `rules`, the one made for that game where the name has no variant."""
    name, rest = _parts(text if rules is None else resolve(text, rules))
    scheme = SCHEMES.get(name)
    if scheme is None or "\0" in text:
        raise PokerlabError(f"no agent is called {(text if scheme else name)!r}; {_agent_hint(text)}")
    memory = ""
    if scheme.memory:
        rest, _, memory = rest.partition("@")
    _check_form(name, rest, scheme)
    made: Agent = attribute(scheme.maker)(rest)
    if memory:
        _load(made, text, memory)
    return made


def resolve(text: str, rules: Rules) -> str:
    """The name of the agent that `text` means at a game: a name without a variant is the player made for the game.

    Names with a variant, and those of agents that are the same for every game, are returned as they are.

    >>> from pokerlab.games.catalog import game
    >>> [resolve("connectionist", game(f"limit{n}p")) for n in (2, 3, 6, 8)]
    ['connectionist:2p', 'connectionist:3p', 'connectionist:6p', 'connectionist:any']
    >>> resolve("lbr:equilibrium?threshold=0.1", game("nolimit2p"))
    'lbr:equilibrium:nolimit2p?threshold=0.1'
    >>> resolve("equilibrium", game("leduc"))
    Traceback (most recent call last):
    pokerlab.errors.RulesError: no equilibrium player is made for leduc; there are players for limit2p, nolimit2p, ...
    """
    if outer := _LBR.match(text):
        return outer[0] + resolve(text[outer.end() :], rules)
    name, rest = _parts(text)
    if name not in SCHEMES or not SCHEMES[name].by_game or (rest and rest[0] not in "?@"):
        return text
    return f"{name}:{attribute(SCHEMES[name].by_game)(rules)}{rest}"


def resolve_names(players: Iterable[_Seated], rules: Rules) -> tuple[_Seated, ...]:
    """The players of a table, each name resolved for its game (`resolve`); players that are not names are returned
    unchanged.

    To be called wherever the game of a table is known and its players are named: runs and results record the resolved
    names, so that records identify the weights or strategy that played.

    >>> from pokerlab.games.catalog import game
    >>> resolve_names(["connectionist", "caller", None], game("limit2p"))
    ('connectionist:2p', 'caller', None)
    """
    return tuple(cast(_Seated, resolve(player, rules)) if isinstance(player, str) else player for player in players)


def files_of(text: str) -> tuple[Path, ...]:
    """The files that an agent reads besides those of the package: its strategy, weights, values or memory.

    >>> files_of("q:runs/q.bin"), files_of("poki@memory.bin"), files_of("caller")
    ((PosixPath('runs/q.bin'),), (PosixPath('memory.bin'),), ())
    """
    name, rest = _parts(text)
    scheme = SCHEMES.get(name)
    if scheme is None:
        return ()
    if scheme.files:
        paths: Path | tuple[Path, ...] = attribute(scheme.files)(rest)
        return (paths,) if isinstance(paths, Path) else paths
    memory = rest.partition("@")[2] if scheme.memory else ""
    return (Path(memory),) if memory else ()


def fresh_agent(player: Player, rules: Rules | None = None) -> Agent:
    """A fresh agent: by its name, by its maker, or a copy of a given one in its present state."""
    if isinstance(player, str):
        return agent(player, rules)
    made: Any = deepcopy(player) if not isinstance(player, type) and isinstance(player, Agent) else player()
    if not isinstance(made, Agent):
        raise PokerlabError(f"a {type(made).__name__} has no act(view, rng) method, so it cannot play")
    return made


def player_name(player: Player) -> str:
    """A player's name at a table: its name, or that of its class or of the function that makes it."""
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def lab_agents() -> dict[str, Scheme]:
    """The agents of the lab, which are named `NAME[:VARIANT]`."""
    return {name: scheme for name, scheme in SCHEMES.items() if not scheme.form}


def every_name() -> list[str]:
    """Every name of an agent of the lab that can be made here: trained players only once they are trained."""
    names = [
        f"{name}:{variant}".removesuffix(":")
        for name, scheme in lab_agents().items()
        for variant in (("",) if scheme.bare else ()) + scheme.variants
    ]
    return [name for name in names if _has_files(name)]


def _has_files(name: str) -> bool:
    try:
        return all(path.is_file() for path in files_of(name))
    except PokerlabError:  # it has not been trained
        return False


def variants_that_play(text: str, rules: Rules) -> list[str]:
    """The other variants of the agent `text` that play a game.

    >>> from pokerlab.games.catalog import game
    >>> variants_that_play("connectionist:2p", game("nolimit2p"))
    ['connectionist:nolimit2p']
    """
    kind = text.partition(":")[0]
    names = [name for name in every_name() if name.partition(":")[0] == kind and name != text]
    return [name for name in names if plays(agent(name), rules)]


def player_of_run(kind: str) -> str:
    """The prefix of the name of the player that a run of this kind saves in its directory; '' if it saves none.

    >>> player_of_run("train q"), player_of_run("match")
    ('q:', '')
    """
    return next((f"{name}:" for name, scheme in SCHEMES.items() if kind in scheme.made_by), "")


def _parts(text: str) -> tuple[str, str]:
    """The scheme of a name, and the text behind it."""
    parts = _PARTS.fullmatch(text)
    assert parts is not None, "it matches every text"
    return parts["scheme"], parts["rest"]


def _check_form(name: str, rest: str, scheme: Scheme) -> None:
    """Refuse a text that the scheme does not take; files and names are left to the maker."""
    if scheme.form and not rest:
        raise PokerlabError(f"{name} alone is no agent: it is written {scheme.form}")
    if scheme.form or (rest and scheme.files):
        return
    if rest not in scheme.variants and (rest or not scheme.bare):
        hint = name_hint(rest, scheme.variants, f"its variants: {', '.join(scheme.variants) or 'none'}")
        wrong = f"has no variant {rest!r}" if rest else "alone is no agent"
        raise PokerlabError(f"{name} {wrong}; {hint}")


def _agent_hint(text: str) -> str:
    """A suggestion for a name that no agent has: the player of a run, or another name."""
    try:
        about = Path(text) / "run.json"
        beginning = player_of_run(str(json.loads(about.read_text())["kind"]))
    except (OSError, ValueError, KeyError, TypeError):
        beginning = ""
    if beginning:
        return f"the player that was made there is {beginning}{text}"
    return name_hint(text, lab_agents(), "`pokerlab agents` lists them")


def lbr_agent(rest: str) -> Agent:
    """Make the agent `lbr:AGENT` or `lbr(SIZES):AGENT` from the text behind `lbr`."""
    from pokerlab.valuing.local_best_response import make_lbr

    return make_lbr(_lbr_name(rest), agent)


def lbr_files(rest: str) -> tuple[Path, ...]:
    """The files of the opponent of a local best response."""
    return files_of(_LBR.sub("", _lbr_name(rest), count=1))


def _lbr_name(rest: str) -> str:
    return f"lbr{rest}" if rest.startswith("(") else f"lbr:{rest}"


def _load(made: Agent, text: str, memory: str) -> None:
    if not isinstance(made, Loadable):
        raise PokerlabError(f"{text}: this agent has no memory to load")
    made.load(Path(memory))
