"""The `pokerlab` command: parses, calls, prints; holds no logic.

A command is a function in its own module, listed in `GROUPS` and imported only when it is called, so that
`pokerlab --help` needs neither NumPy nor Numba. The function's docstring is its help page (first line, notes, examples
under `For example:`, a NumPy-style `Parameters` section); its parameters are its options. Heavy imports go inside the
function. To add a command: write `pokerlab/cli/name.py` with a function (or, for sub-commands, a cyclopts `App` named
like the command) and add a line to `GROUPS`.

A user's error is reported in one line on stderr with exit status 2; an interrupt in one line with 130.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab import __version__
from pokerlab.cli.spellings import new_spelling
from pokerlab.errors import PokerlabError, RulesError, line_for
from pokerlab.runs.notes import notes_on_stderr

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "play": ("pokerlab.cli.play:play", "Sit down against any agent, in the terminal or in a browser."),
        "web": ("pokerlab.cli.web:web", "The lab in a browser: play, replay, study, results."),
        "match": ("pokerlab.cli.requested:match", "Play agents against each other; winnings with intervals."),
        "tournament": (
            "pokerlab.cli.requested:tournament",
            "Play every agent against every other: cross-table, rankings, ratings.",
        ),
        "agents": ("pokerlab.cli.games:agents", "The agents of the lab."),
        "games": ("pokerlab.cli.games:games", "The games of the catalog."),
        "demo": ("pokerlab.cli.demo:demo", "The lab at work: odds, a picture, a tournament."),
    },
    "Played hands": {
        "stats": ("pokerlab.cli.stats:stats", "Players' statistics: VPIP, aggression, showdowns, winnings."),
        "explain": (
            "pokerlab.cli.explain:explain",
            "Walk through a hand: a player's beliefs, and the reasons for its actions.",
        ),
        "reveal": ("pokerlab.cli.reveal:reveal", "The probable cards of opponents in a session."),
        "spot": ("pokerlab.cli.spot:spot", "The spot of a played hand, with ranges, ready to be solved."),
        "convert": ("pokerlab.cli.convert:convert", "Convert hand histories between formats."),
    },
    "Solve and study": {
        "solve": ("pokerlab.cli.requested:solve", "Find a strategy that is hard to exploit, and its exploitability."),
        "show": ("pokerlab.cli.show:show", "A strategy's actions at a spot, for each hand and overall."),
        "value": ("pokerlab.cli.requested:value", "The value of a strategy by every applicable method."),
        "simplify": ("pokerlab.cli.simplify:simplify", "Round a strategy to steps of 25, 50 or 100%, at what cost."),
        "compare": ("pokerlab.cli.compare:compare", "Two strategies side by side at a spot, by hand and in chips."),
        "report": ("pokerlab.cli.requested:report", "The same spot on many boards: actions, values, by texture."),
        "bets": ("pokerlab.cli.requested:bets", "Find the few bet sizes worth having anywhere in a no-limit game."),
    },
    "Learn and exploit": {
        "train": ("pokerlab.cli.requested:train", "Train or solve players that can then be seated by name."),
        "lbr": ("pokerlab.cli.requested:lbr", "Winnings of local best response against an agent."),
        "exploitability": (
            "pokerlab.cli.requested:exploitability",
            "Winnings of a best response with real cards against a limit strategy.",
        ),
        "rollouts": (
            "pokerlab.cli.requested:rollouts",
            "The gain of an agent's decisions from rollouts, by street.",
        ),
        "counter": ("pokerlab.cli.requested:counter", "Exploit a strategy or an agent, and stay hard to exploit."),
        "population": ("pokerlab.cli.requested:population", "Record matches of a population, as data for models."),
        "fit": ("pokerlab.cli.requested:fit", "Fit a player to the players in hand histories."),
        "exploit": ("pokerlab.cli.requested:exploit", "Learn to beat a model of a population."),
        "egta": ("pokerlab.cli.requested:egta", "Agents as strategies of a game: payoffs, epsilons, equilibria."),
    },
    "Cards": {
        "odds": ("pokerlab.cli.odds:odds", "Strength, potential and equity of a hand, or a picture of all hands."),
        "equity": (
            "pokerlab.cli.equity:equity",
            "Shares of the pot: hands, ranges and random hands against each other.",
        ),
        "grid": ("pokerlab.cli.grid:grid", "Draw a range as the 13x13 grid of hands."),
        "preflop": ("pokerlab.cli.preflop:preflop", "Income rates of starting hands, for 2 to 10 players."),
        "types": ("pokerlab.cli.types:types", "The types of a hand that the Bayesian players distinguish."),
        "features": (
            "pokerlab.cli.features:features",
            "The card features of a hand that the connectionist player sees.",
        ),
    },
    "Other programs": {
        "serve": ("pokerlab.cli.serve:serve", "Deal matches to programs that join over TCP."),
        "join": ("pokerlab.cli.join:join", "Seat one of our agents at an ACPC dealer."),
    },
    "The lab itself": {
        "reproduce": (
            "pokerlab.cli.reproduce:reproduce",
            "Run published experiments and compare the numbers with ours.",
        ),
        "verify": ("pokerlab.cli.verify:verify", "Check our results against other programs."),
        "bench": ("pokerlab.cli.bench:bench", "Measure our speed and that of each installed peer."),
        "tables": ("pokerlab.cli.tables:app", "The strength tables: list, build, check."),
        "buckets": ("pokerlab.cli.buckets:app", "Card buckets of hold'em: list, build, show."),
        "info": ("pokerlab.cli.info:info", "Versions, cache directory, tables and extras of this installation."),
    },
}
"""The content of `pokerlab --help`: title -> name -> (path of the function or App, summary line)."""

COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}

SHOWN_VARIANTS = 3
WITHOUT_KERNELS = ("agents", "convert", "games", "info")

ABOUT = """A laboratory for poker programs: build, train, solve, seat and compare them, with error bars.

`pokerlab COMMAND --help` explains a command and gives examples. To begin with:

    pokerlab demo                                     # the lab at work
    pokerlab play --against poki                      # sit down yourself
    pokerlab match --agents poki,rulebot --duplicate  # who is better
    pokerlab solve leduc --target 0.001               # nearly an equilibrium"""


def application(command: str = "") -> App:
    """The cyclopts application, with the full help page only of `command`, if that is one of ours."""
    from cyclopts import App, Group

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
        help_formatter=FilledHelp(),
    )
    app["--help"].group = app["--version"].group = Group("Options", sort_key=len(GROUPS))
    for place, (title, commands) in enumerate(GROUPS.items()):
        shown: dict[str, Any] = {"group": Group(title, sort_key=place)}
        for order, (name, (path, line)) in enumerate(commands.items()):
            if name == command:
                app.command(path, name=name, sort_key=order, **shown)
            else:  # only the summary line is needed; given to the command itself it would replace the help page
                app.command(_placeholder, name=name, help=line, sort_key=order, **shown)
    return app


def _placeholder() -> None:
    """Placeholder for the commands that are not run."""


def main(tokens: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's) and return its exit status."""
    tokens = list(sys.argv[1:] if tokens is None else tokens)
    _announce_compilation(tokens)
    from cyclopts import CycloptsError

    try:
        with notes_on_stderr():
            status = application(tokens[0] if tokens else "")(tokens)
        sys.stdout.flush()
    except CycloptsError as error:
        return _refuse(_usage_line(error), 2)
    except KeyboardInterrupt as interrupt:
        notes = [] if "--no-save" in tokens else getattr(interrupt, "__notes__", [])[-1:]  # the outermost run's
        return _refuse("; ".join(["interrupted", *notes]), 130)
    except BrokenPipeError:  # the reader (head, less) has exited: no message can be shown
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (PokerlabError, ImportError, OSError) as error:
        if (line := line_for(error)) is None:
            raise
        return _refuse(line + _variants_hint(error), 2)
    return status if isinstance(status, int) else 0


def _variants_hint(error: Exception) -> str:
    """Addition to the error "X does not play GAME": the variants of the agent that do."""
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
    """Cyclopts' error message, with the command whose help answers it."""
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
