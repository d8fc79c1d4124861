"""Tables and sentences of an empirical game's summary (`pokerlab egta`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pokerlab.answers import AnswerTable, Cell
from pokerlab.estimates import SHORT

SHOWN_SHARES = 5

Summary = Mapping[str, Any]


def profiles_table(summary: Summary) -> AnswerTable:
    """Winnings by profile, with its epsilon."""
    rows: list[tuple[Cell, ...]] = []
    digits = _digits(summary)
    for row in summary["profiles"]:
        won = row["payoffs"]
        cells = [_number(won[name], digits) if name in won else "" for name in summary["strategies"]]
        rows.append((_profile_text(row["profile"]), *cells, ends(row["epsilon"], digits, "\n")))
    least, most = (find(row["instances"] for row in summary["profiles"]) for find in (min, max))
    n = f"{least}" if least == most else f"{least} to {most}"
    note = (
        f"Winnings of each player of a strategy, {SHORT[summary['units']]}, ± half of its 95% interval (n = {n} "
        "instances); epsilon: the most a player gains by switching strategies, with its bootstrap interval."
    )
    return AnswerTable(("profile", *map(short_name, summary["strategies"]), "epsilon"), tuple(rows), note=note)


def solutions_table(summary: Summary) -> AnswerTable:
    """Table of the mixtures, with the method that produced each."""
    rows, digits = [], _digits(summary)
    for each in summary["solutions"]:
        method = each["method"] + ("" if each["outcome"] in (None, "converged") else f" ({each['outcome']})")
        rows.append((method, _mixture_text(each["mixture"]), ends(each["epsilon"], digits, "\n")))
    return AnswerTable(("found by", "all players play", "epsilon"), tuple(rows), words=2)


def rounds_table(summary: Summary) -> AnswerTable:
    """Table of the rounds: mixtures, responses and gains."""
    rows, digits = [], _digits(summary)
    for each in summary["rounds"]:
        gain = ends(each["gain"], digits, "\n") + ("" if each["significant"] else "\nnot significant")
        against, response = _mixture_text(each["mixture"]), short_name(each["response"])
        rows.append((str(each["round"]), against, response, gain, ends(each["epsilon"], digits, "\n")))
    stable = next(each["round"] for each in summary["rounds"] if each["most_stable"])
    note = f"the most stable of these mixtures against all strategies: that of round {stable}"
    heads = ("round", "all players play", "response", "its gain", "epsilon, against all")
    return AnswerTable(heads, tuple(rows), note=note, words=3)


def summary_lines(summary: Summary) -> list[str]:
    """Sentences on the equilibrium found and on long-run play (alpha-rank)."""
    ranked = [each for each in summary["alpha_rank"] if each["share"] > 0.005][:SHOWN_SHARES]
    shares = "; ".join(f"{_profile_text(each['profile'])} {each['share']:.0%}" for each in ranked)
    best = summary["equilibrium"]
    verdict = "an equilibrium of these payoffs" if best["epsilon"]["mean"] < 1e-9 else "the nearest to an equilibrium"
    epsilon = f"{ends(best['epsilon'], _digits(summary))} {SHORT[summary['units']]}"
    return [
        *([fresh_line(summary)] if "fresh" in summary else []),
        f"alpha-rank, the long-run share of a profile: {shares}",
        f"{verdict}: {_mixture_text(best['mixture'])}; epsilon {epsilon}",
        summary["epsilon_is"],
    ]


def fresh_line(summary: Summary) -> str:
    """Sentence on what a response gains that was learned anew against the final mixture."""
    fresh = summary["fresh"]
    return (
        f"a fresh response, learned from {fresh['learned_from_hands']:,} hands, gains "
        f"{ends(fresh['epsilon'], _digits(summary))} {SHORT[summary['units']]} from the mixture of round "
        f"{fresh['round']}: its epsilon is no smaller"
    )


def short_name(name: str) -> str:
    """Shorten a learner's name to the last part of its directory.

    >>> short_name("q:runs/egta-limit3p-1a2b3c4d/learned/2"), short_name("rulebot:tight")
    ('q:2', 'rulebot:tight')
    """
    return f"q:{Path(name).name}" if name.startswith("q:") else name


def _digits(summary: Summary) -> int:
    return 1 if summary["units"] in ("mbb_per_hand", "bb_per_100") else 3


def _number(numbers: Summary, digits: int) -> str:
    mean = round(numbers["mean"], digits) + 0.0  # not -0.000
    half = "" if numbers["low"] is None else f"\n±{(numbers['high'] - numbers['low']) / 2:.{digits}f}"
    return f"{mean:+.{digits}f}{half}"


def ends(numbers: Summary, digits: int, between: str = " ") -> str:
    """
    >>> ends({"mean": 0.25, "low": 0.1, "high": 0.41}, 3)
    '0.250 (0.100 to 0.410)'
    >>> ends({"mean": 0.25, "low": None, "high": None}, 3)
    '0.250 (too few for an interval)'
    """
    if numbers["low"] is None:
        return f"{numbers['mean']:.{digits}f}{between}(too few for an interval)"
    return f"{numbers['mean']:.{digits}f}{between}({numbers['low']:.{digits}f} to {numbers['high']:.{digits}f})"


def _profile_text(names: Sequence[str]) -> str:
    """
    >>> _profile_text(["caller", "caller", "rulebot"])
    '2 caller, rulebot'
    """
    counted = Counter(map(short_name, names))
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in counted.items())


def _mixture_text(mixture: Mapping[str, float]) -> str:
    """
    >>> _mixture_text({"caller": 0.25, "raiser": 0.0, "rulebot": 0.75})
    'rulebot 75.0%, caller 25.0%'
    """
    shares = sorted(mixture.items(), key=lambda item: -item[1])
    return ", ".join(f"{short_name(name)} {share:.1%}" for name, share in shares if share >= 0.0005)
