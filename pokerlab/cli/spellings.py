"""Old names of options, and their current names."""

from __future__ import annotations

from collections.abc import Sequence

ANY = "*"
OLD_SPELLINGS: dict[tuple[str, str], str] = {
    (ANY, "--no-keep"): "--no-save",
    (ANY, "--plot"): "--picture",
    (ANY, "--variant"): "--algorithm",
    ("bets", "--ranges"): "--size-ranges",
    ("bets spot", "--curve"): "--picture",
    ("bets spot", "--sizes"): "--n-sizes",
    ("bets spot", "--target"): "--target-percent",
    ("bets spots", "--target"): "--target-percent",
    ("buckets build", "--all-boards"): "--boards 0",
    ("buckets show", "--hand"): "--hole",
    ("equity", "--target"): "--half-width",
    ("explain", "--player"): "--player-name",
    ("exploit", "--explore"): "--information-bonus",
    ("exploit", "--target"): "--objective",
    ("exploit", "--uncapped"): "--no-capped",
    ("lbr", "--sizes"): "--menus",
    ("match", "--save"): "--save-memory",
    ("population", "--by"): "--drawn-by",
    ("report", "--target"): "--target-percent",
    ("solve subgame", "--plot"): "--convergence-picture",
    ("solve subgame", "--target"): "--target-percent",
    ("spot", "--ranges"): "--ranges-from",
    ("train connectionist", "--against"): "--response-to",
    ("train connectionist", "--keep-every"): "--save-every",
    ("train connectionist", "--stack"): "--stack-big-blinds",
    ("train q", "--players"): "--by-players",
    ("train q", "--pot"): "--by-pot",
    ("train q", "--street"): "--by-street",
    ("web", "--agent"): "--extra-agent",
    ("web", "--runs"): "--runs-directory",
}
"""(the words of a command or `ANY`, the old option) -> the new one."""


def new_spelling(command: Sequence[str], option: str) -> str | None:
    """The current name of an option that was renamed; None if it is not an old name.

    >>> new_spelling(["bets"], "--ranges=1"), new_spelling(["match"], "--no-keep"), new_spelling(["match"], "--hand")
    ('--size-ranges', '--no-save', None)
    """
    name = option.partition("=")[0]
    return OLD_SPELLINGS.get((" ".join(command), name)) or OLD_SPELLINGS.get((ANY, name))
