"""Error types that a caller can catch.

Every error that a user can cause is a `PokerlabError`; its text is one line that says who, what, where, and what was
legal. The command line prints that line and exits with status 2.
"""

from __future__ import annotations

from collections.abc import Iterable

EXTRAS = {
    "jax": "jax",
    "jaxlib": "jax",
    "ray": "ray",
    "gymnasium": "gym",
    "pettingzoo": "gym",
    "pyagrum": "networks",
    "mcp": "mcp",
    **dict.fromkeys(("starlette", "uvicorn", "websockets"), "web"),
    **dict.fromkeys(("eval7", "phevaluator", "pokerkit", "pyspiel", "open_spiel", "rlcard", "treys"), "peers"),
}
"""A library that an installation may lack -> the extra that brings it."""


def one_line(text: str) -> str:
    """Replace line breaks and characters that could confuse a terminal by escape sequences."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def name_hint(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Hint for a name that is not in `known`: similar names, if any; then `otherwise`, if given; else all names.

    >>> name_hint("ledcu", ["kuhn", "leduc"]), name_hint("chess", ["kuhn", "leduc"])
    ('did you mean leduc?', 'there are kuhn, leduc')
    """
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, cutoff=0.5) or [each for each in names if name and each.startswith(name)][:3]
    return f"did you mean {', '.join(near)}?" if near else otherwise or f"there are {', '.join(names) or 'none'}"


class PokerlabError(ValueError):
    """A request that cannot be carried out; the message says what would have been legal.

    The message is always one line: line breaks and characters that could confuse a terminal are escaped.

    >>> print(PokerlabError("no game is called 'a\\nb\\x1b[2J'"))
    no game is called 'a\\nb\\x1b[2J'
    """

    def __str__(self) -> str:
        return one_line(super().__str__())


class ParseError(PokerlabError):
    """Raised for text that cannot be parsed, with the position of the problem.

    >>> print(ParseError("unknown rank", text="99+, 1Xs", at=5, length=3))
    unknown rank: "99+, 1Xs" at character 6: "1Xs"
    """

    def __init__(self, problem: str, *, text: str, at: int = 0, length: int | None = None) -> None:
        self.problem, self.text, self.at = problem, text, at
        bad = text[at:] if length is None else text[at : at + length]
        where = f' at character {at + 1}: "{bad}"' if bad and bad != text else ""
        shown = text if len(text) <= 200 else text[:197] + "..."
        super().__init__(f'{problem}: "{shown}"{where}')


class CardError(PokerlabError):
    """Raised for impossible sets of cards: duplicates, a board of the wrong size, more cards than the deck has."""


class FileError(PokerlabError):
    """Raised for a file that is missing, damaged, of another kind, or written by another version."""


class RulesError(PokerlabError):
    """Raised for a game that cannot be played because its rules are contradictory or impossible."""


class IllegalAction(PokerlabError):  # noqa: N818 - it reads as what it is: raise IllegalAction(...)
    """Raised for an action that the rules do not allow."""


class MissingExtraError(PokerlabError):
    """Raised for a library that is not installed; names the extra that provides it."""

    @classmethod
    def of(cls, error: ImportError) -> MissingExtraError | None:
        """Convert the error of a failed import of an optional library; None for any other import.

        >>> print(MissingExtraError.of(ModuleNotFoundError("No module named 'jax'", name="jax.numpy")))
        this needs jax, which is not installed: pip install 'pokerlab[jax]'
        """
        library = (error.name or "").partition(".")[0]
        if library not in EXTRAS:
            return None
        return cls(f"this needs {library}, which is not installed: pip install 'pokerlab[{EXTRAS[library]}]'")


def line_for(error: BaseException) -> str | None:
    """One-line message that tells a user what went wrong; None for an error that a user cannot fix."""
    if isinstance(error, ImportError):
        return None if (missing := MissingExtraError.of(error)) is None else str(missing)
    if isinstance(error, MemoryError):
        return f"not enough memory: {error}" if str(error) else "not enough memory"
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return str(error) if isinstance(error, PokerlabError) else None


class AgentError(PokerlabError):
    """Raised for a player whose code failed; the message names the player, the hand, and the location in its code."""

    @classmethod
    def of(cls, who: str, error: BaseException) -> AgentError:
        """Make the error for a player whose code raised `error` or called `sys.exit`.

        >>> print(AgentError.of("hand 3: ann", ZeroDivisionError("division by zero")))
        hand 3: ann failed with ZeroDivisionError: division by zero
        """
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        line = "" if where is None else f" at {where.tb_frame.f_code.co_filename}:{where.tb_lineno}"
        return cls(f"{who} failed with {type(error).__name__}: {error}{line}")
