"""`pokerlab games` and `pokerlab agents`: lists of games and agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Json, console, print_answer, print_json, table
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.games.rules import Rules


Game = Annotated[str, Parameter(help=TERMS["game"])]
LogGame = Annotated[str | None, Parameter(help=meaning("game", "Needed for logs that do not name their game."))]


def rules_of(name: str) -> Rules:
    """Rules of a game: from the catalog by name, or from an ACPC file or a strategy at this path."""
    from pokerlab.policies.strategy_files import find_rules

    return find_rules(name)


def games(name: str = "", /, *, as_json: Json = False) -> None:
    """List the games of the catalog by the names that commands accept, or print the ACPC definition of one game.

    To change stacks, add them to a name after a colon, in chips or big blinds: nolimit6p:40bb for all players,
    nolimit3p:2000,500,150bb by seat from the left of the button. An ante or a straddle may follow:
    nolimit6p:100bb,ante=0.1bb,straddle=2bb. With a straddle, mbb are thousandths of the straddle. For other changes
    edit a definition file; every command accepts one as a game.

    For example:

        pokerlab games
        pokerlab games nolimit3p > my.game
        pokerlab match --game my.game --agents caller,raiser,random
        pokerlab tournament --game nolimit6p:40bb --agents caller,raiser,random,rulebot,folder,shover --hands 50

    Parameters
    ----------
    name
        Print the definition of this game.
    """
    if name:
        _define(name, as_json=as_json)
        return
    from pokerlab.games.catalog import game, game_names

    catalog = [game(name) for name in game_names()]
    if as_json:
        print_json({"games": [_summary(rules) for rules in catalog]})
        return
    headings = ("game", "players", "betting", "blinds", "ante", "stack", "raises", "at most")
    shown = table(headings, [_row(_summary(rules)) for rules in catalog], words=8, plain=True, padding=(0, 1, 0, 0))
    for column in shown.columns:  # a name broken over two lines could not be copied into a command
        column.no_wrap = True
    console().print(shown)
    print("raises: sizes on early and late streets; at most: number of raises on a street")


def _row(summary: dict[str, object]) -> list[str]:
    """Cells of a game's row in the terminal; omits seats without blinds, and values repeated from street to street."""
    cells = {key: "-" if value is None else str(value) for key, value in summary.items()}
    posts = cells["blinds"].split()
    while posts[-1] == "0":
        posts.pop()
    cells["blinds"] = " ".join(posts)
    cells["raise sizes"] = " ".join(dict.fromkeys(cells["raise sizes"].split()))
    caps = cells["raises a street"].split()
    cells["raises a street"] = caps[0] if len(set(caps)) == 1 else " ".join(caps)
    return list(cells.values())


def _summary(rules: Rules) -> dict[str, object]:
    from math import inf

    sizes = [street.raise_size for street in rules.streets]
    caps = [street.max_raises for street in rules.streets]
    return {
        "game": rules.name,
        "players": rules.n_seats,
        "betting": rules.limits,
        "blinds": " ".join(map(str, rules.blinds)) if any(rules.blinds) else None,
        "antes": rules.antes[0] or None,
        "stack": None if rules.stacks[0] == inf else rules.stacks[0],
        "raise sizes": " ".join(map(str, sizes)) if any(sizes) else None,
        "raises a street": " ".join("any" if cap is None else str(cap) for cap in caps),
    }


def _define(name: str, *, as_json: bool) -> None:
    from pokerlab.notation.acpc.definition import definition_text

    rules = rules_of(name)
    text = definition_text(rules)
    if as_json:
        print_json({**_summary(rules), "definition": text})
    else:
        print(text, end="")


MEMORY = ("NAME@FILE", "the agent NAME with memory that `match --save-memory` saved")


def agents(
    name: str = "",
    /,
    *,
    game: Annotated[str | None, Parameter(help=meaning("game", "Lists only agents that play it."))] = None,
    as_json: Json = False,
) -> None:
    """List the lab's agents by the names that commands accept, or describe one agent: its variants and settings.

    Settings follow a name, as in poki:rock?noise=0.1&bluff=0.2. The smallest agent, in a file my_agent.py, picks what
    to do at random:

        class MyAgent:
            def act(self, view, rng):
                menu = view.legal().menu()
                return menu[rng.integers(len(menu))]

    The menu has those of fold, call, the smallest and the largest raise that are legal. `view` has the information of
    the seat: view.hole, view.board, view.pot, view.to_call, view.stacks, view.actions and more. A card is 4 times its
    rank (0 is a deuce) plus its suit.

    For example:

        pokerlab agents
        pokerlab agents poki
        pokerlab agents --game nolimit3p
        pokerlab verify agent py:my_agent:MyAgent
        pokerlab match --agents py:my_agent:MyAgent,poki --hands 200 --duplicate --out runs/mine
        pokerlab stats runs/mine

    Parameters
    ----------
    name
        Explain this agent.
    """
    if name:
        if game is not None:
            raise PokerlabError("an agent and --game contradict each other; give one of them")
        _explain_agent(name, as_json=as_json)
        return
    from pokerlab.games.protocols import plays
    from pokerlab.players.registry import SCHEMES, agent, every_name, lab_agents

    shown = {name: list(scheme.variants) for name, scheme in lab_agents().items()}
    if game is not None:
        rules = rules_of(game)
        names = [name for name in every_name() if plays(agent(name), rules)]
        shown = {
            scheme: [name.partition(":")[2] for name in names if name.startswith(f"{scheme}:")]
            for scheme in dict.fromkeys(name.partition(":")[0] for name in names)
        }
    others = {} if game else {scheme.form: scheme.summary for scheme in SCHEMES.values() if scheme.form}
    if as_json:
        lab = [
            {"name": name, "summary": SCHEMES[name].summary, "variants": variants, "cites": SCHEMES[name].cites}
            for name, variants in shown.items()
        ]
        print_json({"agents": lab, "others": [{"form": form, "summary": text} for form, text in others.items()]})
        return
    rows = []
    for name, variants in shown.items():
        lines = [SCHEMES[name].summary]
        lines += [f"variants: {', '.join(f'{name}:{variant}' for variant in variants)}"] if variants else []
        lines += [_alone(name, game)] if SCHEMES[name].by_game else []
        lines += [f"after {SCHEMES[name].cites}"] if SCHEMES[name].cites else []
        rows.append((name, "\n".join(lines)))
    console().print(table(("agent", "what it does"), rows, words=2, plain=True))
    if others:
        from rich.markup import escape

        rows = [(escape(form), text) for form, text in [*others.items(), MEMORY]]
        console().print(table(("others", ""), rows, words=2, plain=True))


def _explain_agent(name: str, *, as_json: bool) -> None:
    from pokerlab.players.registry import scheme_of

    kind, scheme = scheme_of(name)
    lines = [f"{kind}: {scheme.summary}", f"written {scheme.form or kind + '[:VARIANT]' * bool(scheme.variants)}"]
    lines += [f"variants: {', '.join(scheme.variants)}"] if scheme.variants else []
    lines += [_alone(kind, None)] if scheme.by_game else []
    lines += [f"after {scheme.cites}"] if scheme.cites else []
    lines += [f"made by `pokerlab {'`, `pokerlab '.join(scheme.made_by)}`"] if scheme.made_by else []
    tables: tuple[AnswerTable, ...] = ()
    if scheme.settings:
        first = next(iter(scheme.settings))
        title = f"settings, as in {scheme.form or kind}?{first}=0.1; in brackets: the default without a variant"
        tables = (AnswerTable(("setting", "meaning"), tuple(scheme.settings.items()), title, words=2),)
    about = {"summary": scheme.summary, "variants": list(scheme.variants), "cites": scheme.cites, "form": scheme.form}
    data = {"name": kind, **about, "settings": dict(scheme.settings), "made_by": list(scheme.made_by)}
    print_answer(Answer(lines[0], tables, tuple(lines[1:]), data), as_json=as_json)


def _alone(name: str, game: str | None) -> str:
    """Sentence that says which variant an agent's bare name stands for; this depends on the game."""
    from pokerlab.players.registry import resolve

    return f"{name} alone is {resolve(name, rules_of(game)) if game else 'the variant made for the game'}"
