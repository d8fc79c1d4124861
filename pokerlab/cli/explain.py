"""`pokerlab explain`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Json, console, print_json, progress, say
from pokerlab.errors import FileError, PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.console import Console

    from pokerlab.games.history import HandHistory
    from pokerlab.games.rules import Rules
    from pokerlab.web.walk import Moment, Walk


def explain(
    place: Annotated[Path | None, Parameter(name="HAND")] = None,
    /,
    *,
    hand: Annotated[int, Parameter(help=TERMS["hand"])] = 1,
    player_name: str | None = None,
    seat: int | None = None,
    agent: Annotated[
        str | None,
        Parameter(help=meaning("agent", "It explains the hand. Default: the player itself if it can, otherwise poki.")),
    ] = None,
    watch: Annotated[bool, Parameter(help="Let the agent first see the earlier hands of the file.")] = True,
    game: LogGame = None,
    picture: Annotated[
        Path | None,
        Parameter(help=meaning("picture", "For a hand: a directory, with a picture of each step.")),
    ] = None,
    format: Literal["png", "svg", "pdf"] = "png",
    html: Path | None = None,
    figure: str | None = None,
    as_json: Json = False,
) -> None:
    """Walk through a hand: what a player believed about every opponent, and why it acted.

    At the player's decisions: each opponent's likely hands as a 13x13 grid (a cell is the largest weight of its hand),
    strength, potential, pot odds, thresholds, action frequencies, and the reason in words. When others act: what that
    reveals about their cards. Players other than the lab's agents are explained as if poki sat in the seat.

    In the terminal a digit is a weight in tenths, . is 0 and # is 1; 'likely' hands have weights of a half or more.

    For example:

        pokerlab explain runs/my-match --hand 12
        pokerlab explain session.txt --hand 3 --html hand.html
        pokerlab explain match.log --player-name ann --agent poki:rock --picture pictures
        pokerlab explain --figure 3.7 --picture figure.png

    Parameters
    ----------
    place
        A file of hands (.parquet, .log, .phh, .phhs, .txt) or the directory of a run.
    player_name
        The player whose hand to walk through. Default: the player who recorded the file, or the first whose cards are
        known.
    seat
        Seat of the player instead of its name, counted from 0.
    format
        File format of the pictures of steps.
    html
        Write the whole walk to this file as one page.
    figure
        Instead of a hand: a published picture of weight tables, 3.6 or 3.7 (Davidson 2002).
    """
    from pokerlab.players.registry import agent as make
    from pokerlab.players.registry import resolve
    from pokerlab.web import walk as walking
    from pokerlab.web.explain import save_pictures, write_page

    if (place is None) == (figure is None):
        raise PokerlabError("name a file of hands, or a --figure (see pokerlab explain --help)")
    if figure is not None:
        _figure(figure, picture, as_json)
        return
    assert place is not None
    if seat is not None and player_name is not None:
        raise PokerlabError("--seat and --player-name contradict each other; give one of them")
    played, earlier = hand_at(place, hand, rules_of(game) if game else None)
    chosen = walking.seat_of(played, seat=seat, player=player_name)
    called = resolve(agent, played.rules) if agent else _own_agent(played.names[chosen])
    explainer = make(called)
    with progress("watching earlier hands") as report:
        watched = walking.watch(explainer, earlier if watch else [], played.names[chosen], report)
    walked = walking.walk(played, chosen, explainer, called=called, watched=watched, number=hand)
    written = []
    if picture is not None:
        written.append(f"{len(save_pictures(walked, picture, suffix=f'.{format}'))} pictures written to {picture}")
    if html is not None:
        words = ["pokerlab", "explain", place.name, "--hand", str(hand), "--seat", str(chosen), "--agent", called]
        write_page(html, walked, command=shlex.join(words))
        written.append(f"written to {html}")
    if as_json:
        print_json({"hand": hand, "file": str(place), **walking.walk_data(walked)})
        return
    out = console()
    _show(walked, out)
    for line in written:
        say(line)


# --- input -----------------------------------------------------------------------------------------------------------


def _own_agent(name: str) -> str:
    """The lab's agent of this name if it can explain its decisions, otherwise poki."""
    from pokerlab.agents.explanation import Explainer
    from pokerlab.players.registry import agent

    called = name.partition("#")[0]
    try:
        return called if "://" not in called and isinstance(agent(called), Explainer) else "poki"
    except PokerlabError:
        return "poki"


def hand_at(place: Path, number: int, rules: Rules | None) -> tuple[HandHistory, list[HandHistory]]:
    """Hand `number`, counted from 1, and the earlier hands of the same file (one match of a run)."""
    from itertools import islice

    from pokerlab.table.records import hand_files, holds_records, provenance, read_hands

    if number < 1:
        raise PokerlabError(f"hands are counted from 1; there is no hand {number}")
    if not holds_records(place):
        return _text_hand_at(place, number, rules)
    left = number
    for path in hand_files(place):
        n_hands = provenance(path).hands
        if left <= n_hands:
            hands = list(islice(read_hands(path), left))
            return hands[-1], hands[:-1]
        left -= n_hands
    raise FileError(f"{place}: there is no hand {number}; it holds {number - left:,}")


def _text_hand_at(place: Path, number: int, rules: Rules | None) -> tuple[HandHistory, list[HandHistory]]:
    from pokerlab.notation.formats import read_hands

    history = read_hands(place, rules)
    if not history.hands and history.problems:
        raise FileError(f"{place}: no hand could be read ({history.problems[0]})")
    if history.problems:
        unread = f"{len(history.problems):,} lines could not be read"
        print(f"{place}: {unread} (`pokerlab convert` lists them)", file=sys.stderr)
    if number > len(history.hands):
        raise FileError(f"{place}: there is no hand {number}; it holds {len(history.hands):,}")
    return history.hands[number - 1], list(history.hands[: number - 1])


def _figure(number: str, picture: Path | None, as_json: bool) -> None:
    from pokerlab.pictures.weight_figures import figure_grids

    grids, title, note = figure_grids(number)
    if picture is not None:
        from pokerlab.pictures.grid import save_grids

        save_grids(grids, picture, title=title, note=note)
    if as_json:
        print_json({"figure": number, "title": title, "grids": dict(grids)})
        return
    out = console()
    out.print(f"[bold]{title}[/]\n{note}")
    _side_by_side(out, grids)
    if picture is not None:
        say(f"written to {picture}")


# --- output ----------------------------------------------------------------------------------------------------------


def _show(walked: Walk, out: Console) -> None:
    from rich.markup import escape

    from pokerlab.cards.card import pretty
    from pokerlab.games.narration import chips_words
    from pokerlab.web.explain import ending_text, lead_of, title_of

    out.print(f"[bold]{escape(title_of(walked))}[/]\n{escape(lead_of(walked))}")
    street = ""
    for moment in walked.moments:
        if moment.street != street:
            street = moment.street
            board = f" {pretty(moment.board)}" if moment.board else ""
            out.print(f"\n[bold]{street.capitalize()}{board}[/], pot {chips_words(moment.pot)}")
        if moment.explanation is not None:
            _show_decision(moment, out)
        else:
            _show_action(moment, out)
    out.print("\n[bold]The end[/]")
    for ending in walked.endings:
        out.print(f"  {ending_text(ending)}", markup=False)


def _show_action(moment: Moment, out: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from pokerlab.agents.explanation import percent

    out.print(f"  {moment.name} {moment.words}", markup=False)
    if moment.after is not None and moment.words != "folds":
        likely = f"likely {percent(moment.after.likely_share)} of hands: {moment.after.likely()}"
        out.print(Padding(Text(likely, "dim"), (0, 0, 0, 6), expand=False))


def _show_decision(moment: Moment, out: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from pokerlab.web.explain import number_texts, open_text, options_of, own_choice, told_beliefs

    explanation = moment.explanation
    assert explanation is not None
    done = Text.assemble(("> ", "bold cyan"), (f"{moment.name} {moment.words}", "bold"))
    out.print(done.append(f", {own_choice(moment, explanation)}"))
    triple = ", ".join(f"{words} {share}" for words, share in options_of(moment, explanation))
    numbers = ", ".join(f"{label} {number}" for label, number in number_texts(explanation))
    for line in filter(None, (triple, numbers, *explanation.words, open_text(moment.beliefs or {}))):
        out.print(Padding(Text(line), (0, 0, 0, 4), expand=False))
    _side_by_side(out, [(name, belief.grid()) for name, belief in told_beliefs(moment).items()])


def _side_by_side(out: Console, grids: Sequence[tuple[str, NDArray[np.float64]]]) -> None:
    from rich.padding import Padding

    from pokerlab.pictures.grid import grids_lines

    out.print()
    for line in grids_lines(grids, out.width - 4):
        out.print(Padding(line, (0, 0, 0, 4), expand=False), no_wrap=True, crop=False)
