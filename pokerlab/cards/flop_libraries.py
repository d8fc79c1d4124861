"""Libraries of flops: 23, 49, 95 or 184 of the 1,755 flops, with weights, that represent all flops.

A weight is the number of the 22,100 flops that a flop of a library represents. Flops and weights were chosen such that
equities of hand classes against each other, and the frequencies of textures, agree with those over all flops
(`flop_selection`). A larger library contains the smaller ones, with other weights. Libraries are valid for ranges that
treat suits alike.

>>> library = flop_library(23)
>>> len(library), sum(library.values())
(23, 22100)

`pokerlab tables flops` measures how well they represent all flops.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pokerlab.cards.card import cards
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import well_formed

SHIPPED = Path(__file__).parent / "data" / "flop_libraries.json"
SIZES = (23, 49, 95, 184)
LAYOUT = 1


def flop_library(size: int, path: Path = SHIPPED) -> dict[tuple[int, ...], int]:
    """The flops of a library, each with the number of flops that it represents."""
    if size not in SIZES:
        raise PokerlabError(f"a library has {', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]} flops, not {size}")
    weights = _read(path)["weights"]
    with well_formed(path):
        number = SIZES.index(size)
        return {cards(flop): int(each[number]) for flop, each in weights.items() if each[number]}


def libraries_text(about: Mapping[str, Any], libraries: Mapping[int, Mapping[str, int]]) -> str:
    """Contents of the file of all libraries: a line for each flop, with its weight in each library."""
    flops = libraries[SIZES[-1]]
    rows = [f"    {json.dumps(flop)}: {json.dumps([libraries[size].get(flop, 0) for size in SIZES])}" for flop in flops]
    head = json.dumps({"layout": LAYOUT, **about, "sizes": list(SIZES)}, indent=2)
    return head.removesuffix("\n}") + ',\n  "weights": {\n' + ",\n".join(rows) + "\n  }\n}\n"


@lru_cache(maxsize=4)
def _read(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read the libraries of flops in {path}: {error}") from error
    if content.get("layout") != LAYOUT:
        raise FileError(f"{path} has layout {content.get('layout')}; this pokerlab reads layout {LAYOUT}")
    return content
