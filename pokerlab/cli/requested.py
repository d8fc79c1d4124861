"""Commands made from requests: the options are the request's settings; the help page is its docstring.

`pokerlab.cli.requested:match` is the command for requests of the kind "match". Kinds of two words, such as "train q",
are sub-commands of an application named by the first word. Options on how to run (--out, --workers, --dry-run and so
on) are the same for all.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from cyclopts import App, Parameter

from pokerlab.cli.output import Flag, as_count, followed, print_answer, print_cost
from pokerlab.errors import PokerlabError
from pokerlab.run import KINDS, request_class
from pokerlab.runs.request import Request, Setting, settings_of
from pokerlab.runs.vocabulary import meaning
from pokerlab.runs.workers import runner_for


def __getattr__(name: str) -> Any:
    """Return the command or application called `name`, which cyclopts imports on first use."""
    kinds = [kind for kind in KINDS if kind.partition(" ")[0] == name]
    if not kinds:
        raise AttributeError(f"no request is called {name!r}")
    return command(name) if kinds == [name] else application(name, kinds)


def application(name: str, kinds: Sequence[str]) -> App:
    """Build the application of all kinds that begin with the word `name`; the kind `name` itself is its default
    command."""
    app = App(name=name) if name in kinds else App(name=name, help=GROUP_HELP.get(name, ""))
    for kind in kinds:
        if kind == name:
            app.default(command(kind))
        else:
            app.command(command(kind), name=kind.removeprefix(f"{name} "))
    return app


GROUP_HELP = {
    "train": """Train or solve players that can then be seated by name.

For example:

    pokerlab train equilibrium limit3p --dry-run
    pokerlab train equilibrium limit3p
    pokerlab train sized runs/bets-0 runs/bets-1 --cards pr5 --out runs/player
    pokerlab train q --against rulebot --out runs/q
    pokerlab train copycat rulebot --out runs/copy
    pokerlab train connectionist --players 6 --hands 100M --out runs/six
    pokerlab train opponents session.phh --player-name ann --out runs/ann
    pokerlab train networks holdem --out counts"""
}
"""The help pages of first words that are not kinds themselves."""


View: TypeAlias = Callable[[dict[str, Any], dict[str, Any]], Callable[..., None] | None]
"""Called with the given settings, of which it takes its own options, and with the options about running. It returns
the function that prints the answer, or None if it has printed something else and nothing is to be run."""


def command(kind: str, more: Sequence[inspect.Parameter] = (), view: View | None = None) -> Callable[..., None]:
    """Build the function of a kind's command; cyclopts reads its signature and its docstring.

    `more` are options that the request does not have; `view` handles them.
    """
    made = request_class(kind)
    hints = get_type_hints(made)
    settings = [(each, about, hints[each.name]) for each, about in settings_of(made) if not about.hidden]
    lists = {
        each.name: (numbers if hint == tuple[float, ...] else split, about.separator)
        for each, about, hint in settings
        if about.separator
    }

    def run(*words: Any, **options: Any) -> None:
        given = _by_name(run, words, options)
        how = {name: given.pop(name) for name in list(given) if name in HOW}
        for name, (values, separator) in lists.items():
            if isinstance(given.get(name), str):
                given[name] = values(given[name], separator, name)
        if (show := print_answer if view is None else view(given, how)) is not None:
            execute(made(**{name: _plain(value) for name, value in given.items()}), **how, show=show)

    parameters = [*more, *(_parameter(*each) for each in settings if each[0].name not in {own.name for own in more})]
    parameters += [p for name, p in HOW.items() if _offered(name, made)]
    parameters.sort(key=lambda each: each.kind)  # by place, the rest by place, by name
    function: Any = run
    function.__signature__ = inspect.Signature(parameters)
    function.__annotations__ = {each.name: each.annotation for each in parameters}
    function.__name__, function.__doc__ = kind.replace(" ", "_"), made.__doc__
    return run


def split(text: str, separator: str, name: str) -> tuple[str, ...]:
    """Split a list given on the command line into its values.

    >>> split("QQ+, AKs | 22+", "|", "ranges")
    ('QQ+, AKs', '22+')
    """
    values = tuple(value.strip() for value in text.split(separator))
    if not all(values) and text.strip():
        raise PokerlabError(f"{name} {text!r} has an empty item; items are separated by {separator!r}")
    return values if text.strip() else ()


def numbers(text: str, separator: str, name: str) -> tuple[float, ...]:
    """Parse a list of numbers given on the command line.

    >>> numbers("50, 30,20", ",", "prizes")
    (50.0, 30.0, 20.0)
    """
    values = split(text, separator, name)
    try:
        return tuple(map(float, values))
    except ValueError:
        raise PokerlabError(f"{name} must be numbers separated by {separator!r}, not {text!r}") from None


def _by_name(run: Any, words: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Map the given values to setting names; settings not given are left to the request's defaults."""
    given = dict(options)
    left = list(words)
    for each in run.__signature__.parameters.values():
        if each.kind is inspect.Parameter.VAR_POSITIONAL:
            given[each.name] = tuple(left)
        elif each.kind is inspect.Parameter.POSITIONAL_ONLY and left:
            given[each.name] = left.pop(0)
    return given


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _parameter(each: Field[Any], about: Setting, hint: Any) -> inspect.Parameter:
    """Command-line parameter for one setting of a request."""
    default = each.default
    several = get_origin(_without_none(hint)) is tuple
    all_the_rest = about.positional and several and not about.separator
    options: dict[str, Any] = {"help": about.help}
    if hint is bool and default is False:
        options |= {"negative": "", "show_default": False}
    if default == "":
        options["show_default"] = False
    annotation: Any = hint | None if default is None else hint  # a preset's value stands for None
    if about.separator:
        annotation = str if default is MISSING else str | None
        default = about.separator.join(default) if isinstance(default, tuple) else default
    elif several:
        inside = get_args(_without_none(hint))[0]
        annotation = inside if all_the_rest else list[inside] | None  # type: ignore[valid-type]
        options |= {"negative": "", **({"name": each.name.upper()} if all_the_rest else {})}
        options["show_default"] = lambda values: ", ".join(map(str, values or ()))
        default = None if default == () else default
    elif str in get_args(hint) and get_args(hint) != (str, NoneType):  # JSON may have an object, a command line text
        annotation = str | None if NoneType in get_args(hint) else str
    if about.count:
        options["converter"] = as_count
    if all_the_rest or default is MISSING:
        default = inspect.Parameter.empty
    by_place = inspect.Parameter.VAR_POSITIONAL if all_the_rest else inspect.Parameter.POSITIONAL_ONLY
    kind = by_place if about.positional else inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(each.name, kind, default=default, annotation=Annotated[annotation, Parameter(**options)])


def _without_none(hint: Any) -> Any:
    """The type of an optional setting, without None."""
    if get_origin(hint) is UnionType and NoneType in get_args(hint) and len(get_args(hint)) == 2:
        return next(part for part in get_args(hint) if part is not NoneType)
    return hint


def _how(name: str, annotation: Any, default: Any, *parameters: Parameter) -> inspect.Parameter:
    hint = Annotated[(annotation, *parameters, Parameter(help=meaning(name)))]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


HOW: dict[str, inspect.Parameter] = {
    "workers": _how("workers", int | None, None),
    "ray": _how("ray", list[str] | None, None, Parameter(consume_multiple=True, negative="")),
    "out": _how("out", Path | None, None),
    "no_save": _how("no_save", bool, False, Flag),
    "dry_run": _how("dry_run", bool, False, Flag),
    "json": _how("json", bool, False, Flag),
}
"""Options about running a request, not about its content."""


def _offered(name: str, made: type[Request]) -> bool:
    if name in ("workers", "ray"):
        return made.in_parts
    return name != "no_save" or made.saves == "by default"


def execute(
    asked: Request,
    *,
    out: Path | None = None,
    no_save: bool = False,
    workers: int | None = None,
    ray: list[str] | None = None,
    dry_run: bool = False,
    json: bool = False,
    show: Callable[..., None] = print_answer,
) -> None:
    """Run a request and print its answer."""
    if out is not None and no_save:
        raise PokerlabError("--out and --no-save contradict each other")
    if ray is not None and len(ray) > 1:
        raise PokerlabError(f"--ray takes one address, not {len(ray)}")
    saved = asked.saves == "always" or (asked.saves == "by default" and not no_save)
    path = out or (asked.directory if saved else None)
    if dry_run:
        runner_for(workers)  # refuses an invalid number of workers
        print_cost(asked.cost_in(path, workers=workers), path, as_json=json)
        return
    with followed() as report:
        answer = asked.run(path, workers=workers, ray=None if ray is None else "".join(ray), progress=report)
    show(answer, as_json=json)
