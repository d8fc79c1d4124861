"""A walk through a hand as pictures, and as one page that needs no network.

The page has a light and a dark theme and depends only on the walk: the same walk gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from pokerlab.agents.explanation import Explanation, percent, percents
from pokerlab.cards.card import pretty
from pokerlab.cards.combos import class_text
from pokerlab.errors import PokerlabError
from pokerlab.files import write_whole
from pokerlab.games.actions import Kind, chips_words
from pokerlab.pictures.grid import save_grids
from pokerlab.pictures.network import save_network
from pokerlab.pictures.page import REPORT, made_parts, page_text, scale_svg
from pokerlab.pictures.palette import ink_on, ramp_colour
from pokerlab.systems.bpp.bayesian_network import NetworkBeliefs
from pokerlab.web.walk import LIKELY, Belief, Ending, Moment, Walk

STEPS = 20
"""Number of colours for weights from 0 to 1."""

LABELS = {
    "percentile": "beats",
    "hs": "HS",
    "ppot": "PPot",
    "ehs": "EHS",
    "pot odds": "pot odds",
    "implied odds": "implied odds",
    "stays in from": "stays in from",
    "raises from": "raises from",
}
"""Labels for those numbers of a formula player that are shown as shares."""


def number_texts(explanation: Explanation) -> Iterator[tuple[str, str]]:
    """Yield (label, number) for the values of an explanation. Odds and thresholds that do not matter here are left
    out."""
    kinds = {action.kind for action in explanation.actions}
    idle = {"raises from"} if Kind.RAISE not in kinds else set()
    idle |= {"stays in from", "pot odds", "implied odds"} if Kind.FOLD not in kinds else set()
    idle |= {"stays in from", "raises from"} if _simulated(explanation) else set()
    for name, number in explanation.numbers.items():
        if name in idle:
            continue
        share = name in LABELS or name.startswith("hs against ")
        label = LABELS.get(name, name.replace("hs against", "HS against"))
        yield label, percent(number) if share else f"{number:+.2f}" if name.startswith("value of ") else f"{number:g}"


def _simulated(explanation: Explanation) -> bool:
    """Whether the agent compared values of actions (as simulation players do), so that no threshold decided."""
    return any(name.startswith("value of ") for name in explanation.numbers)


def title_of(walked: Walk) -> str:
    """Title of a walk: the player, its cards, the game and the hand."""
    return f"{walked.player} with {pretty(walked.hole)}, {walked.hand.rules.name}, hand {walked.number}"


def lead_of(walked: Walk) -> str:
    """First line of a walk: whose beliefs are shown, and how many hands the agent has observed."""
    own = walked.player.partition("#")[0] == walked.agent
    who = "What it believed" if own else f"What {walked.agent} would have believed in this seat"
    return (
        f"{who}, {f'after watching {walked.watched:,} earlier hands' if walked.watched else 'with no earlier hands'}."
    )


def options_of(moment: Moment, explanation: Explanation) -> list[tuple[str, str]]:
    """(words, percent) for every action that the player considered."""
    return list(zip(moment.options, percents([float(p) for p in explanation.p]), strict=True))


def own_choice(moment: Moment, explanation: Explanation) -> str:
    """Clause that says how often the agent would take the action; for a raise of another size, how often it would
    raise."""
    if not moment.chance:
        return "which it never does"
    share = dict(options_of(moment, explanation))
    if moment.words in share:
        return f"which it does {share[moment.words]} of the time"
    own = next(words for words, a in zip(moment.options, explanation.actions, strict=True) if a.kind == Kind.RAISE)
    return f"where it {own} {share[own]} of the time"


def informative_beliefs(moment: Moment) -> dict[str, Belief]:
    """The beliefs worth showing at a moment, by title: about the actor before and after its action, or about
    everyone."""
    if moment.after is not None:
        both = {"before": moment.before, "after": moment.after}
        named = {f"{moment.name}, {when}": belief for when, belief in both.items()}
    else:
        named = {**(moment.beliefs or {})}
    return {name: belief for name, belief in named.items() if belief is not None and not belief.is_open}


def open_text(beliefs: Mapping[str, Belief]) -> str:
    """Sentence that names the players about whom nothing is known yet; '' if there are none."""
    names = [name for name, belief in beliefs.items() if belief.is_open]
    return f"{', '.join(names)}: any hand, not having acted." if names else ""


def ending_text(ending: Ending) -> str:
    """A player's result in words."""
    net = ending.net
    text = f"{ending.name} "
    text += f"{'wins' if net > 0 else 'loses'} {chips_words(max(net, -net))}" if net else "is even"
    if ending.hole is not None:
        text += f", held {pretty(ending.hole)}"
    if ending.weight is not None and ending.rank is not None:
        text += f": weight {percent(ending.weight)}, more than {percent(ending.rank)} of the hands it could hold"
    return text


# --- pictures ---------------------------------------------------------------------------------------------------------


def save_pictures(walked: Walk, folder: Path, *, suffix: str = ".png") -> list[Path]:
    """Draw a picture of each action: beliefs about its player before and after or, if it is the seat's own, about all
    players.

    A player with a Bayesian network also has a picture of the network at each of its decisions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for moment in walked.moments:
        grids = [(name, belief.grid()) for name, belief in informative_beliefs(moment).items()]
        slug = re.sub(r"[^a-z0-9]+", "-", f"{moment.street} {moment.name} {moment.words}".lower()).strip("-")
        path = folder / f"{moment.number:02}-{slug}{suffix}"
        board = f" {pretty(moment.board)}" if moment.board else ""
        if moment.explanation is not None and isinstance(network := moment.explanation.network, NetworkBeliefs):
            drawn = path.with_name(f"{path.stem}-network{suffix}")
            title = f"{pretty(walked.hole)}{f' on{board}' if board else ' before the flop'}, before it {moment.words}"
            save_network(network.network, network.beliefs, drawn, seen=network.evidence, title=title)
            written.append(drawn)
        if not grids:
            continue
        note = f"What {walked.player} with {pretty(walked.hole)} believes ({walked.agent}): largest weight of each hand"
        save_grids(grids, path, title=f"{moment.street.capitalize()}{board}: {moment.name} {moment.words}", note=note)
        written.append(path)
    return written


# --- the page ---------------------------------------------------------------------------------------------------------


def write_page(path: Path, walked: Walk, *, command: str = "") -> None:
    """Write the page atomically."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise PokerlabError(f"{path}: a page ends in .html")
    write_whole(path, page_html(walked, command=command).encode())


def page_html(walked: Walk, *, command: str = "") -> str:
    """HTML of the page; if `command` is given, the page names it as the command that made it."""
    parts = [
        f"<h1>{_coloured(escape(title_of(walked)))}</h1>",
        f'<p class="lead">{escape(lead_of(walked))} {_READING}</p>',
        *_streets(walked),
        "<h2>How it ended</h2>",
        f'<div class="card"><ul>{_items(map(ending_text, walked.endings))}</ul></div>',
        *made_parts({"command": command} if command else {}),
    ]
    return page_text(title_of(walked), parts, styles=(REPORT, "web/explain.css"), more_css=_ramp_css())


_READING = (
    "A cell of a grid shows the largest weight of its hand: suited hands above the diagonal, off-suit below. "
    f"Likely: a weight of {LIKELY:.0%} or more."
)


def _items(lines: Iterable[str]) -> str:
    return "".join(f"<li>{_coloured(escape(line))}</li>" for line in lines)


def _ramp_css() -> str:
    colours = [ramp_colour(step / STEPS) for step in range(STEPS + 1)]
    return "".join(f".w{i}{{background:{colour};color:{ink_on(colour)}}}" for i, colour in enumerate(colours))


def _coloured(text: str) -> str:
    """Mark cards of red suits in red."""
    return re.sub(r"[2-9TJQKA][♥♦]", lambda card: f'<span class="red">{card[0]}</span>', text)


def _streets(walked: Walk) -> Iterator[str]:
    street = ""
    for moment in walked.moments:
        if moment.street != street:
            street = moment.street
            board = f' <span class="cards">{_coloured(pretty(moment.board))}</span>' if moment.board else ""
            yield f'<h2 class="street">{street.capitalize()}{board}<small>pot {chips_words(moment.pot)}</small></h2>'
        yield from _own(moment, moment.explanation) if moment.explanation is not None else _other(moment)


def _other(moment: Moment) -> Iterator[str]:
    done, grids = f"{escape(moment.name)} {moment.words}", _grids(informative_beliefs(moment))
    if moment.words == "folds":  # beliefs about a folded hand matter little, so they are shown only on request
        yield f'<details class="card moment"><summary class="done">{done}</summary>{grids}</details>'
    else:
        yield f'<div class="card moment"><p class="done">{done}</p>{grids}</div>'


def _own(moment: Moment, explanation: Explanation) -> Iterator[str]:
    yield '<div class="card moment own">'
    yield f'<p class="done">{escape(moment.name)} {moment.words} <small>{own_choice(moment, explanation)}</small></p>'
    yield _triple(moment, explanation)
    yield _scale(explanation)
    items = "".join(f"<li><span>{escape(label)}</span> {number}</li>" for label, number in number_texts(explanation))
    yield f'<ul class="numbers">{items}</ul>'
    yield f'<ul class="why">{_items(explanation.words)}</ul>'
    if unknown := open_text(moment.beliefs or {}):
        yield f'<p class="note">{escape(unknown)}</p>'
    yield f"{_grids(informative_beliefs(moment))}</div>"


def _triple(moment: Moment, explanation: Explanation) -> str:
    """Action frequencies as one bar."""
    parts = []
    for action, (words, share), p in zip(
        explanation.actions, options_of(moment, explanation), explanation.p, strict=True
    ):
        kind, taken = Kind(action.kind).name.lower(), " taken" if words == moment.words else ""
        label = f"{words} {share}"
        parts.append(f'<span class="{kind}{taken}" style="flex:{max(p, 0.001):.3f}" title="{label}">{label}</span>')
    return f'<div class="triple">{"".join(parts)}</div>'


def _scale(explanation: Explanation) -> str:
    """A line from 0 to 1 with the strength and the thresholds; '' if no threshold decides."""
    numbers = explanation.numbers
    strength = numbers.get("ehs", numbers.get("percentile"))
    if strength is None or "raises from" not in numbers or _simulated(explanation):
        return ""
    kinds = {action.kind for action in explanation.actions}
    stays = min(max(numbers["stays in from"], 0.0), 1.0) if Kind.FOLD in kinds else 0.0
    raises = min(max(numbers["raises from"], stays), 1.0) if Kind.RAISE in kinds else 1.0
    parts = {"fold": (0.0, stays), "call": (stays, raises), "raise": (raises, 1.0)}
    return scale_svg(parts, strength, f"its strength {percent(strength)}")


def _grids(beliefs: Mapping[str, Belief]) -> str:
    return f'<div class="grids">{"".join(_grid(name, belief) for name, belief in beliefs.items())}</div>'


def _grid(name: str, belief: Belief) -> str:
    cells = []
    for hand_class, weight in enumerate(belief.grid().ravel().tolist()):
        if weight != weight:
            cells.append(f'<td class="dead">{class_text(hand_class)}')
        else:
            cells.append(f'<td class="w{round(STEPS * weight)}" title="{weight:.2f}">{class_text(hand_class)}')
    rows = "</tr><tr>".join("</td>".join([*cells[13 * r : 13 * r + 13], ""]) for r in range(13))
    return (
        f'<figure><b>{escape(name)}</b><table class="grid"><tr>{rows}</tr></table><figcaption>'
        f"likely {percent(belief.likely_share)} of hands: {escape(belief.likely())}</figcaption></figure>"
    )
