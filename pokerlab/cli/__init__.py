"""The `pokerlab` command parses options, calls the lab and prints answers; it holds no logic of its own.

A command is a function in its own module, listed in `commands.toml` and imported only when called, so that `pokerlab
--help` needs neither NumPy nor Numba. The function's docstring is its help page (first line, notes, examples under `For
example:`, a NumPy-style `Parameters` section); its parameters are its options. Put heavy imports inside the function.
To add a command, write `pokerlab/cli/name.py` with a function (or, for sub-commands, a cyclopts `App` named like the
command) and add a line to `commands.toml`.

A user's error prints one line on stderr and exits with status 2; an interrupt prints one line and exits with 130.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab import __version__
from pokerlab.cli.spellings import new_spelling
from pokerlab.errors import PokerlabError, RulesError, line_for
from pokerlab.runs.notes import notes_on_stderr
from pokerlab.runs.terminal import interruptible, long_work, spell_what_streams_cannot_print

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError, Token

GROUPS: dict[str, dict[str, tuple[str, str]]] = tomllib.loads(
    Path(__file__).with_name("commands.toml").read_text(encoding="utf-8")
)
"""The content of `pokerlab --help`: title -> name -> (path of the function or App, summary line)."""

COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}

SHOWN_VARIANTS = 3
WITHOUT_KERNELS = ("agents", "completion", "convert", "games", "icm", "info", "new", "schema")
CONVERSATIONS = ("demo", "join", "play", "serve", "web")
"""Commands whose duration means nothing, because they wait for people or other programs."""

ABOUT = """A laboratory for poker programs: build, train, solve, seat and compare them, with error bars.

`pokerlab COMMAND --help` explains a command and gives examples. To begin with:

    pokerlab demo                                     # the lab at work
    pokerlab play --against poki                      # sit down yourself
    pokerlab match --agents poki,rulebot --duplicate  # who is better
    pokerlab solve leduc --target 0.001               # nearly an equilibrium"""


def application(*wanted: str) -> App:
    """Build the cyclopts application; only the `wanted` commands get their options and full help pages."""
    from cyclopts import App, Group, Parameter

    from pokerlab.cli.help import FilledHelp

    app = App(
        name="pokerlab",
        version=__version__,
        help=ABOUT,
        help_format="plaintext",
        suppress_keyboard_interrupt=False,
        print_error=False,
        exit_on_error=False,
        result_action="return_value",
        default_parameter=Parameter(converter=_converted),
        help_formatter=FilledHelp(),
    )
    app["--help"].group = app["--version"].group = Group("Options", sort_key=len(GROUPS))
    for place, (title, commands) in enumerate(GROUPS.items()):
        shown: dict[str, Any] = {"group": Group(title, sort_key=place)}
        for order, (name, (path, line)) in enumerate(commands.items()):
            if name in wanted:
                app.command(path, name=name, sort_key=order, **shown)
            else:  # only the summary line is needed; given to the command itself it would replace the help page
                app.command(_placeholder, name=name, help=line, sort_key=order, **shown)
    return app


def _converted(wanted: Any, tokens: Sequence[Token]) -> Any:
    """Convert option values for cyclopts: every whole number may be written as a count, such as 2M."""
    from cyclopts import convert

    from pokerlab.cli.output import as_count

    if wanted == tuple[int, ...]:
        return tuple(as_count(int, [token]) for token in tokens)
    return as_count(wanted, tokens) if wanted in (int, int | None) else convert(wanted, tokens)


def _placeholder() -> None:
    """Stand in for a command that is not run."""


def main(tokens: Sequence[str] | None = None) -> int:
    """Run one command line (default: that of the process) and return its exit status."""
    tokens = list(sys.argv[1:] if tokens is None else tokens)
    try:
        with interruptible():
            return _run(tokens)
    except KeyboardInterrupt as interrupt:
        notes = [] if "--no-save" in tokens else getattr(interrupt, "__notes__", [])[-1:]  # the outermost run's
        return _refuse("; ".join(["interrupted", *notes]), 130)
    except BrokenPipeError:  # the reader (head, less) has exited: no message can be shown
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (PokerlabError, ImportError, OSError, MemoryError) as error:
        if (line := line_for(error)) is None:
            raise
        return _refuse(line + _variants_hint(error), 2)


def _run(tokens: Sequence[str]) -> int:
    from cyclopts import CycloptsError

    spell_what_streams_cannot_print()
    _announce_compilation(tokens)
    command = tokens[0] if tokens else ""
    try:
        with notes_on_stderr(), nullcontext() if command in CONVERSATIONS else long_work(command):
            status = application(command)(tokens)
        sys.stdout.flush()
    except CycloptsError as error:
        return _refuse(_usage_line(error), 2)
    return status if isinstance(status, int) else 0


def _variants_hint(error: Exception) -> str:
    """Hint added to the error "X does not play GAME": the agent's variants that do."""
    if not isinstance(error, RulesError):
        return ""
    from pokerlab.players.registry import variants_that_play
    from pokerlab.table.players import UnsupportedError

    names = variants_that_play(error.agent, error.rules) if isinstance(error, UnsupportedError) else []
    more = f" and {len(names) - SHOWN_VARIANTS} more" if len(names) > SHOWN_VARIANTS else ""
    return f"; {', '.join(names[:SHOWN_VARIANTS])}{more} do{'es' * (len(names) == 1)}" if names else ""


def _announce_compilation(tokens: Sequence[str]) -> None:
    """Tell the user that the first use of compiled code takes a while, if no kernels are cached yet."""
    compiles = tokens and tokens[0] in COMMANDS and tokens[0] not in WITHOUT_KERNELS and "--help" not in tokens
    if compiles and sys.stderr.isatty() and not Path(os.environ["NUMBA_CACHE_DIR"]).exists():
        print("pokerlab: first use: compiling for up to a minute; later runs start at once", file=sys.stderr)


def _refuse(line: str, status: int) -> int:
    print("pokerlab:", " ".join(line.split()), file=sys.stderr)
    return status


def _usage_line(error: CycloptsError) -> str:
    """Cyclopts' error message, with the help command to consult or the new name of a renamed option."""
    from cyclopts import UnusedCliTokensError

    line = str(error).partition(" Available commands:")[0].rstrip(".")  # an incomplete list; --help has all commands
    words = list(error.command_chain or ())
    for option in re.findall(r"--[\w-]+", line):
        if (now := new_spelling(words, option)) is not None:
            return f"{option} is now {now} (see {' '.join(('pokerlab', *words))} --help)"
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        line = f"unexpected argument {error.unused_tokens[0]!r}"
    command = " ".join(("pokerlab", *(error.command_chain or ())))
    return f"{line} (see {command} --help)"
