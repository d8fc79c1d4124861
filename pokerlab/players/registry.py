"""Agents by name, made from one table of schemes: `caller`, `rulebot:tight`, `q:DIR`, `py:module:Class` ..

A name begins with a *scheme*, a row of `registry.toml`. What follows is a variant (for pokerlab's own agents), a file,
or other text in the scheme's `form`. Names of own agents and of `py:module:Class` may end in `@FILE`, a memory that the
same kind of agent saved; without it, an agent starts each match without memory. Some agents have numeric settings:
`poki:rock?noise=0.1&bluff=0.2` (`pokerlab agents poki` lists them). To add a player, add a row to the table. The player
can then be seated, its files are part of a run's identity, and the run directory that makes it is recognised.

What a name without a variant means may depend on the game: `resolve` replaces it by the variant made for the game at
the table.

>>> agent("caller").act.__name__
'act'
>>> agent("cller")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no agent is called 'cller'; did you mean caller...?
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from pokerlab.errors import PokerlabError, name_hint
from pokerlab.files import is_a_file, json_of
from pokerlab.games.protocols import Agent, Loadable, plays
from pokerlab.games.rules import Rules
from pokerlab.runs.workers import attribute


@dataclass(frozen=True)
class Scheme:
    """One kind of player. `maker`, `files` and `by_game` are functions as "module:function", imported when needed."""

    summary: str
    maker: str  # function: text after the scheme -> agent
    variants: tuple[str, ...] = ()
    personalities: tuple[str, ...] = ()  # variants from which populations draw their members
    cites: str = ""
    bare: bool = True  # whether the name alone, without a variant, is an agent
    by_game: str = ""  # function: rules -> variant made for this game
    form: str = ""  # form of the names, for messages; '' for pokerlab's own agents, NAME[:VARIANT]
    files: str = ""  # function: text after the scheme -> file or files that the player reads
    made_by: tuple[str, ...] = ()  # kinds of run that save such a player in their directory
    memory: bool = True  # whether a name may end in @FILE
    settings: Mapping[str, str] = field(default_factory=dict)  # name -> meaning of each setting for `?name=value`
    apart: bool = False  # whether it is foreign code, which plays in a separate process
    quick: bool = False  # whether it decides in a few milliseconds, so that short matches need no workers
    milliseconds: float | None = None  # typical seconds of a decision, for estimates; None if unknown


def _schemes() -> dict[str, Scheme]:
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    lists = {"variants", "personalities", "made_by"}
    schemes = {}
    for name, row in rows.items():
        row |= {field: tuple(row.get(field, ())) for field in lists}
        schemes[name] = Scheme(**row | {"variants": row["variants"] + row["personalities"]})
    return schemes


SCHEMES = _schemes()
"""All kinds of players, by the scheme of their names (`registry.toml`)."""

STRATEGY, EQUILIBRIUM = "strategy:", "equilibrium:"

Player: TypeAlias = str | Agent | Callable[[], Agent]
"""A player by name, as an object with `act(view, rng)`, or as a class or function that makes one."""

_PARTS = re.compile(r"(?P<scheme>[^:(@?]*):?(?P<rest>.*)", re.DOTALL)
_LBR = re.compile(r"lbr(\([^)]*\))?:")
_Seated = TypeVar("_Seated")


def agent(text: str, rules: Rules | None = None) -> Agent:
    """Make an agent from its name; with `rules`, a name without a variant means the variant made for that game."""
    name, rest = _parts(text if rules is None else resolve(text, rules))
    scheme = scheme_of(text)[1]
    memory = ""
    if scheme.memory:
        rest, _, memory = rest.partition("@")
    settings: dict[str, float] = {}
    if not scheme.files:  # a player from a file parses its own settings
        rest, _, query = rest.partition("?")
        settings = _numbers(name, query, scheme)
    _check_form(name, rest, scheme)
    made: Agent = attribute(scheme.maker)(rest, **settings)
    if memory:
        _load(made, text, memory)
    return made


def scheme_of(text: str) -> tuple[str, Scheme]:
    """Return (scheme with which a player's name begins, its row of the table).

    >>> scheme_of("poki:rock")[1].cites
    'Davidson 2002, chapter 3'
    """
    name, _ = _parts(text)
    scheme = SCHEMES.get(name)
    if scheme is None or "\0" in text:
        raise PokerlabError(f"no agent is called {(text if scheme else name)!r}; {_agent_hint(text)}")
    return name, scheme


def resolve(text: str, rules: Rules) -> str:
    """Name of the agent that `text` means in a game: a name without a variant is the player made for the game.

    Names with a variant, and names of agents that are the same for every game, are returned unchanged.

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
    """Resolve each name at a table for its game (`resolve`); players that are not names are returned unchanged.

    Call this as soon as both the game and the names are known. Runs and results record the resolved names, so that
    records identify the weights or the strategy that played.

    >>> from pokerlab.games.catalog import game
    >>> resolve_names(["connectionist", "caller", None], game("limit2p"))
    ('connectionist:2p', 'caller', None)
    """
    return tuple(cast(_Seated, resolve(player, rules)) if isinstance(player, str) else player for player in players)


def is_quick(text: str) -> bool:
    """Whether an agent decides in a few milliseconds (`Scheme.quick`).

    >>> is_quick("rulebot:tight"), is_quick("simbot")
    (True, False)
    """
    scheme = SCHEMES.get(_parts(text)[0])
    return scheme is not None and scheme.quick


def usual_seconds(text: str) -> float | None:
    """Typical seconds of an agent's decision, without compilation; None if unknown.

    >>> usual_seconds("simbot") > usual_seconds("caller"), usual_seconds("py:mine:Bot")
    (True, None)
    """
    scheme = SCHEMES.get(_parts(text)[0])
    return None if scheme is None or scheme.milliseconds is None else scheme.milliseconds / 1000


def files_of(text: str) -> tuple[Path, ...]:
    """Files that an agent reads, except those of the package: its strategy, weights, values or memory.

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
    """Make an agent from its name, or by its class or function. If an agent is given, copy it in its current state."""
    if isinstance(player, str):
        return agent(player, rules)
    made: Any = deepcopy(player) if not isinstance(player, type) and isinstance(player, Agent) else player()
    if not isinstance(made, Agent):
        raise PokerlabError(f"a {type(made).__name__} has no act(view, rng) method, so it cannot play")
    return made


def player_name(player: Player) -> str:
    """A player's name at a table: the given name, or that of its class or of the function that makes it."""
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def personalities(name: str) -> tuple[str, ...]:
    """Names of a scheme's players from which populations draw their members.

    >>> personalities("simbot")
    ('simbot:owl', 'simbot:lynx', 'simbot:bear', 'simbot:wolf')
    """
    return tuple(f"{name}:{variant}" for variant in SCHEMES[name].personalities)


def lab_agents() -> dict[str, Scheme]:
    """pokerlab's own agents, whose names have the form `NAME[:VARIANT]`."""
    return {name: scheme for name, scheme in SCHEMES.items() if not scheme.form}


def every_name() -> list[str]:
    """Names of all of pokerlab's own agents that can be made here. Players that must be trained first are included if
    they have been."""
    names = [
        f"{name}:{variant}".removesuffix(":")
        for name, scheme in lab_agents().items()
        for variant in (("",) if scheme.bare else ()) + scheme.variants
    ]
    return [name for name in names if _has_files(name)]


def _has_files(name: str) -> bool:
    try:
        return all(map(is_a_file, files_of(name)))
    except PokerlabError:  # it has not been trained yet
        return False


def variants_that_play(text: str, rules: Rules) -> list[str]:
    """Other variants of the agent `text` that play a game.

    >>> from pokerlab.games.catalog import game
    >>> variants_that_play("connectionist:2p", game("nolimit2p"))
    ['connectionist:nolimit2p']
    """
    kind = text.partition(":")[0]
    names = [name for name in every_name() if name.partition(":")[0] == kind and name != text]
    return [name for name in names if plays(agent(name), rules)]


def player_of_run(kind: str) -> str:
    """Beginning of the name of the player that a run of this kind saves in its directory (as in `q:`); '' if it saves
    none.

    >>> player_of_run("train q"), player_of_run("match")
    ('q:', '')
    """
    return next((f"{name}:" for name, scheme in SCHEMES.items() if kind in scheme.made_by), "")


def _parts(text: str) -> tuple[str, str]:
    """Split a name into its scheme and the text after it."""
    parts = _PARTS.fullmatch(text)
    assert parts is not None, "it matches every text"
    return parts["scheme"], parts["rest"]


def _check_form(name: str, rest: str, scheme: Scheme) -> None:
    """Raise an error if `rest` is not a variant of the scheme. Files and other forms are checked when the agent is
    made."""
    if scheme.form and not rest:
        raise PokerlabError(f"{name} alone is not an agent: write {scheme.form}")
    if scheme.form or (rest and scheme.files):
        return
    if rest not in scheme.variants and (rest or not scheme.bare):
        hint = name_hint(rest, scheme.variants, f"its variants: {', '.join(scheme.variants) or 'none'}")
        wrong = f"has no variant {rest!r}" if rest else "alone is no agent"
        raise PokerlabError(f"{name} {wrong}; {hint}")


def _numbers(name: str, query: str, scheme: Scheme) -> dict[str, float]:
    """Parse the numbers in `name=value&name=value`.

    >>> agent("rulebot?raise_at=2&call_at=0.5").raise_at
    2.0
    >>> agent("caller?noise=1")
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: caller has no setting 'noise'; its settings: none
    """
    numbers = {}
    for item in filter(None, query.split("&")):
        setting, _, value = item.partition("=")
        if setting not in scheme.settings:
            hint = name_hint(setting, scheme.settings, f"its settings: {', '.join(scheme.settings) or 'none'}")
            raise PokerlabError(f"{name} has no setting {setting!r}; {hint}")
        if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?|\.\d{1,9}", value):
            raise PokerlabError(f"{setting} of {name} must be a number such as 0.25, not {value!r}")
        numbers[setting] = float(value)
    return numbers


def _agent_hint(text: str) -> str:
    """Hint for a name that no agent has: it may be a run directory with a player, or resemble another name."""
    try:
        about = Path(text) / "run.json"
        beginning = player_of_run(str(json_of(about.read_text())["kind"]))
    except (OSError, ValueError, KeyError, TypeError):
        beginning = ""
    if beginning:
        return f"the player that was made there is {beginning}{text}"
    return name_hint(text, lab_agents(), "`pokerlab agents` lists them")


def lbr_agent(rest: str) -> Agent:
    """Make the agent `lbr:AGENT` or `lbr(SIZES):AGENT` from the text after `lbr`."""
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
