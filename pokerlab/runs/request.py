"""A request describes one computation as a frozen dataclass; its command, JSON, Python and web forms derive from it.

A subclass declares its settings as fields (`setting` has type, default, help and legal values in one place). It also
defines the settings that identify a run (`identity`), its expected cost (`cost`) and the computation (`compute`). The
command line, `python -m pokerlab.run` (JSON), `pl.*` (keyword arguments) and the browser's forms all use these fields,
so the same settings lead to the same run directory and answer everywhere.

>>> @dataclass(frozen=True, kw_only=True)
... class Count(Request, kind="count"):
...     \"\"\"Count to a number.\"\"\"
...     upto: int = setting(3, "Last number counted.", least=1)
...     aloud: bool = setting(False, "Print every number.", identity=False)
...     def compute(self, place):
...         return Answer(f"counted to {self.upto}", data={"upto": self.upto})
>>> print(Count(upto=5).run())
counted to 5
>>> Count(upto=5).identity()
{'upto': 5}
>>> Count(upto=0)
Traceback (most recent call last):
pokerlab.errors.PokerlabError: upto must be at least 1, not 0
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeAlias, get_args, get_origin, get_type_hints

from pokerlab.answers import Answer, plain_values
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.files import check_picture, check_writable
from pokerlab.runs.config import of_type, typed
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory, directory_for, open_run
from pokerlab.runs.steps import stopping
from pokerlab.runs.vocabulary import meaning
from pokerlab.runs.workers import Runner, runner_for, until_stopped

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with words, the amount done and the total."""

RESULT = "result.json"
_METADATA = "setting"


@dataclass(frozen=True)
class Setting:
    """Metadata of a field of a request, besides its type and default."""

    help: str
    identity: bool = True  # whether a run may not be resumed with another value
    positional: bool = False  # on the command line: given by its place, not by its name
    count: bool = False  # a whole number that may be written as 500k or 100M
    separator: str = ""  # on the command line: what stands between the values of a list
    least: float | None = None
    above: float | None = None
    hidden: bool = False  # no option: only for JSON and Python
    written: Literal["", "file", "picture"] = ""  # a file to write: checked before anything is computed


def setting(default: Any = MISSING, help: str = "", **about: Any) -> Any:
    """Declare a field of a request. Its help is the meaning of its name (`vocabulary`) followed by `help`; `about` sets
    further fields of `Setting`."""
    return field(default=default, metadata={_METADATA: Setting(help, **about)})


def drawing(help: str) -> Any:
    """Declare a setting that is the path of a picture to write."""
    return setting(None, help, identity=False, written="picture")


def no_progress(words: str, done: int, total: int) -> None:
    """Progress callback that does nothing."""


def no_part(part: Any) -> None:
    """Callback for parts of an answer that does nothing."""


@dataclass(frozen=True)
class Place:
    """Where and how a computation runs: its run directory, if any, the runner of its parts, and progress callbacks."""

    directory: RunDirectory | None = None
    workers: int = 1
    runner: Runner = field(default_factory=lambda: runner_for(1))
    progress: Progress = no_progress
    part: Callable[[Any], None] = no_part  # called with parts of the answer as they come

    @property
    def path(self) -> Path | None:
        return None if self.directory is None else self.directory.path

    def report(self, words: str) -> Callable[[int, int], None]:
        """Make a progress callback of (done, total) for work described by `words`."""
        return lambda done, total: self.progress(words, done, total)


@dataclass(frozen=True, kw_only=True)
class Request:
    """One computation to perform. Subclasses are the kinds of requests; their class arguments set the class variables
    below."""

    kind: ClassVar[str] = ""  # its name in JSON, and the words of its command: "train q"
    saves: ClassVar[Literal["always", "by default", "on request"]] = "by default"
    in_parts: ClassVar[bool] = False  # whether the work can be divided among worker processes or a Ray cluster
    code: ClassVar[tuple[str, ...]] = ()  # modules whose code a run depends on (default: the request's own)
    hides: ClassVar[tuple[str, ...]] = ()  # inherited settings that only JSON and Python may name
    named_by: ClassVar[str] = "game"  # the setting that is part of the default directory's name

    def __init_subclass__(cls, **about: Any) -> None:
        for name, value in about.items():
            if not hasattr(Request, name):
                raise TypeError(f"a kind of request has no {name!r}")
            setattr(cls, name, value)

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for each, about in settings_of(type(self)):
            value = of_type(getattr(self, each.name), hints[each.name])  # 100 and 100.0 chips are the same run
            object.__setattr__(self, each.name, value)
            _check_number(each.name, value, about)
            if about.written == "picture" and value is not None:
                check_picture(value)
            choices = choices_of(hints[each.name])
            if choices and value not in choices:
                text = value if isinstance(value, str) else repr(value)
                raise PokerlabError(f"{each.name} cannot be {text!r}; {name_hint(str(text), map(str, choices))}")
        self.check()

    def check(self) -> None:
        """Refuse settings that contradict each other, before anything is written."""

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Make a request from settings as JSON values, checking names and types."""
        return typed(cls, data, cls.kind)

    def data(self) -> dict[str, Any]:
        """The settings as JSON values."""
        found: dict[str, Any] = plain_values({each.name: getattr(self, each.name) for each in fields(self)})
        return found

    def identity(self) -> dict[str, Any]:
        """Settings that may not change when a run is resumed, as JSON values."""
        known = {each.name: about for each, about in settings_of(type(self))}
        return {name: value for name, value in self.data().items() if name not in known or known[name].identity}

    @property
    def label(self) -> str:
        """Short name for the default directory: the game, or the last part of a path."""
        return Path(str(getattr(self, self.named_by, "") or "")).name

    @property
    def modules(self) -> tuple[str, ...]:
        """Modules whose code the run depends on."""
        return self.code or (type(self).__module__,)

    @cached_property
    def directory(self) -> Path:
        """Default run directory; the same for the same request and code."""
        return directory_for(self.kind.replace(" ", "-"), self.label, self.identity(), code=self.modules)

    def cost(self, *, workers: int | None = None) -> Cost:
        """Estimate the cost of the computation."""
        return Cost(None, what=self.kind)

    def cost_in(self, path: Path | None, *, workers: int | None = None) -> Cost:
        """Estimate the cost of a run saved in `path` (None: not saved), without the parts already finished if the kind
        can tell."""
        return self.cost(workers=workers)

    def compute(self, place: Place) -> Answer:
        """Compute the answer, resuming from the run directory of `place`, if any."""
        raise NotImplementedError

    def placed(self, place: Place) -> Self:
        """Return the request to compute in `place`, with any settings that are drawn at random for the run."""
        return self

    def completed(self, answer: Answer) -> Answer:
        """Add the remarks that every answer of this kind needs."""
        return answer

    def runner(self, workers: int | None, ray: str | None) -> Runner:
        """Choose the runner of the parts: processes on this machine, or a Ray cluster (`ray` is its address, "" for a
        new one)."""
        if ray is None:
            return runner_for(workers if self.in_parts else 1)
        from pokerlab.runs.cluster import on_ray

        return on_ray(ray or None, workers=workers)

    def run(
        self,
        out: str | Path | None = None,
        *,
        workers: int | None = None,
        ray: str | None = None,
        progress: Progress = no_progress,
        stopped: Callable[[], bool] | None = None,
        part: Callable[[Any], None] = no_part,
    ) -> Answer:
        """Compute the answer; with `out`, save the run in that directory, or resume the run saved there.

        Without `out` nothing is saved, except by kinds that always save: those use their default directory. Once
        `stopped()` is true, the run ends with KeyboardInterrupt after the current step or part, and can be resumed.
        `part` is called with each part of the answer as soon as it is known, if the kind has parts.
        """
        for each, about in settings_of(type(self)):
            if about.written and (file := getattr(self, each.name)) is not None:
                check_writable(file)
        runner = self.runner(workers, ray)
        if stopped is not None:
            runner = until_stopped(runner, stopped)
        place = Place(None, usable_cores() if workers is None else workers, runner, progress, part)
        path = self.directory if out is None and self.saves == "always" else None if out is None else Path(out)
        with nullcontext() if stopped is None else stopping(stopped), self.opened(path) as run:
            answer = self._answer_in(replace(place, directory=run))
            if run is not None:
                run.write(RESULT, (answer.json() + "\n").encode())
        return replace(answer, path=path)

    def opened(self, path: Path | None) -> AbstractContextManager[RunDirectory | None]:
        """Start or resume this request's run in `path`; None if there is no path."""
        return nullcontext() if path is None else open_run(path, self.kind, self.identity(), code=self.modules)

    def _answer_in(self, place: Place) -> Answer:
        placed = self.placed(place)
        return placed.completed(placed.compute(place))


def settings_of(request: type[Request]) -> Iterator[tuple[Field[Any], Setting]]:
    """Fields of a request class, each with its metadata."""
    for each in fields(request):
        about: Setting = each.metadata.get(_METADATA, Setting(""))
        hidden = about.hidden or each.name in request.hides
        yield each, replace(about, help=meaning(each.name, about.help), hidden=hidden)


def choices_of(wanted: Any) -> tuple[Any, ...]:
    """Legal values of a Literal type; empty for other types.

    >>> choices_of(Literal["kept", "reset"] | None)
    ('kept', 'reset', None)
    """
    if get_origin(wanted) is Literal:
        return get_args(wanted)
    parts = get_args(wanted)
    if not parts or get_origin(wanted) is tuple or not any(get_origin(part) is Literal for part in parts):
        return ()
    return tuple(value for part in parts for value in (choices_of(part) or (None,)))


def _check_number(name: str, value: Any, about: Setting) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    if isinstance(value, int) and abs(value) >= 2**63:
        raise PokerlabError(f"{name} is too large: whole numbers have at most 63 bits")
    if about.least is not None and not value >= about.least:
        raise PokerlabError(f"{name} must be at least {about.least:g}, not {value}")
    if about.above is not None and not value > about.above:
        raise PokerlabError(f"{name} must be above {about.above:g}, not {value:g}")


def form(request: type[Request]) -> list[dict[str, Any]]:
    """Settings of a kind as JSON values for a web form: name, type in words, default, help, choices.

    >>> [each["name"] for each in form(Request)]
    []
    """
    types = get_type_hints(request)
    return [
        {
            "name": each.name,
            "required": each.default is MISSING and each.default_factory is MISSING,
            "default": None if each.default is MISSING else json.loads(json.dumps(plain_values(each.default))),
            "help": about.help,
            "choices": list(choices_of(types[each.name])),
            "number": bool({int, float} & {types[each.name], *get_args(types[each.name])}),
            "flag": types[each.name] is bool,
        }
        for each, about in settings_of(request)
        if not about.hidden
    ]
