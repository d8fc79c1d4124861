"""`pokerlab explain`: walk through a hand with an agent's reasoning."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Json, console, print_json, progress, say
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.console import Console

    from pokerlab.web.walk import Moment, Walk


def explain(
    place: Annotated[Path | None, Parameter(name="HAND")] = None,
    /,
    *,
    hand: Annotated[int, Parameter(help=TERMS["hand"])] = 1,
    player_name: Annotated[
        str | None,
        Parameter(
            help=meaning(
                "player_name",
                "Its view is explained. Default: who recorded the file, or the first whose cards are known.",
            )
        ),
    ] = None,
    seat: int | None = None,
    agent: Annotated[
        str | None,
        Parameter(help=meaning("agent", "It explains the hand. Default: the player itself if it can, otherwise poki.")),
    ] = None,
    watch: Annotated[bool, Parameter(help="Let the agent observe the earlier hands of the file first.")] = True,
    game: LogGame = None,
    picture: Annotated[
        Path | None, Parameter(help=meaning("picture", "For a hand: a directory, with a picture of each step."))
    ] = None,
    format: Literal["png", "svg", "pdf"] = "png",
    html: Path | None = None,
    figure: str | None = None,
    as_json: Json = False,
) -> None:
    """Walk through a hand: a player's beliefs about every opponent, and the reasons for its actions.

    At the player's own decisions it shows each opponent's likely hands as a 13x13 grid (a cell is the largest weight of
    its hand's combos), strength, potential, pot odds, thresholds, action frequencies, and the reason in words. When
    others act it shows what their action reveals about their cards. Players who are not agents of the lab are explained
    as if poki had played their hands.

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
    seat
        Seat of the player instead of its name, counted from 0.
    format
        File format of the pictures of steps.
    html
        Write the whole walk to this file as one page.
    figure
        Instead of a hand: a published picture of weight tables, 3.6 or 3.7 (Davidson 2002).
    """
    if place is None or figure is not None:
        if place is not None or figure is None:
            raise PokerlabError("name a file of hands, or a --figure (see pokerlab explain --help)")
        _figure(figure, picture, as_json)
        return
    if seat is not None and player_name is not None:
        raise PokerlabError("--seat and --player-name contradict each other; give one of them")
    from pokerlab.web.hand_walks import hand_at, walk_hand

    played, earlier = hand_at(place, hand, rules_of(game) if game else None)
    who: dict[str, Any] = {"seat": seat, "player": player_name, "agent": agent}
    with progress("watching earlier hands") as report:
        walked = walk_hand(played, earlier if watch else [], **who, number=hand, report=report)
    written = _write(walked, place.name, picture=picture, suffix=f".{format}", html=html)
    if as_json:
        from pokerlab.web.walk import walk_data

        print_json({"hand": hand, "file": str(place), **walk_data(walked)})
        return
    _show(walked, console())
    for line in written:
        say(line)


def _write(walked: Walk, file: str, *, picture: Path | None, suffix: str, html: Path | None) -> list[str]:
    """Write the requested pictures and page. Return lines that report their paths."""
    from pokerlab.web.explain import save_pictures, write_page

    written = []
    if picture is not None:
        written.append(f"{len(save_pictures(walked, picture, suffix=suffix))} pictures written to {picture}")
    if html is not None:
        place = ["--hand", str(walked.number), "--seat", str(walked.seat), "--agent", walked.agent]
        write_page(html, walked, command=shlex.join(["pokerlab", "explain", file, *place]))
        written.append(f"written to {html}")
    return written


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
    from pokerlab.games.actions import chips_words
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

    from pokerlab.web.explain import informative_beliefs, number_texts, open_text, options_of, own_choice

    explanation = moment.explanation
    assert explanation is not None
    done = Text.assemble(("> ", "bold cyan"), (f"{moment.name} {moment.words}", "bold"))
    out.print(done.append(f", {own_choice(moment, explanation)}"))
    triple = ", ".join(f"{words} {share}" for words, share in options_of(moment, explanation))
    numbers = ", ".join(f"{label} {number}" for label, number in number_texts(explanation))
    for line in filter(None, (triple, numbers, *explanation.words, open_text(moment.beliefs or {}))):
        out.print(Padding(Text(line), (0, 0, 0, 4), expand=False))
    _side_by_side(out, [(name, belief.grid()) for name, belief in informative_beliefs(moment).items()])


def _side_by_side(out: Console, grids: Sequence[tuple[str, NDArray[np.float64]]]) -> None:
    from rich.padding import Padding

    from pokerlab.pictures.grid import grids_lines

    out.print()
    for line in grids_lines(grids, out.width - 4):
        out.print(Padding(line, (0, 0, 0, 4), expand=False), no_wrap=True, crop=False)
