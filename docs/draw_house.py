"""Draw the rooms of the package from the import contract: `python docs/draw_house.py [FILE]` writes `docs/house.svg`.

The order of the floors is that of the layers in `pyproject.toml`, and what a room holds is the first line of its
docstring, so the picture says what the code says. `tests/test_architecture.py` fails when it is stale.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
WIDTH, ROOM_HEIGHT, NAME_WIDTH, GROUND = 1080, 34, 130, 30


def rooms() -> list[str]:
    """The rooms, the highest first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return [room for layer in contracts[0]["layers"] for room in re.split(r"[ :|]+", layer) if room[0] != "_"]


def what_it_holds(room: str) -> str:
    """The first line of a room's docstring."""
    package = ROOT / "pokerlab" / room / "__init__.py"
    file = package if package.exists() else package.parent.with_suffix(".py")
    return (ast.get_docstring(ast.parse(file.read_text())) or "").split("\n")[0].replace("`", "")


def drawn() -> str:
    """The house as SVG: each room stands on those it may import from."""
    names = rooms()
    height = len(names) * ROOM_HEIGHT + GROUND + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="system-ui, sans-serif" role="img" '
        'aria-label="The rooms of pokerlab; a room imports only from rooms below it">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<path d="M 20 34 L {WIDTH / 2:g} 6 L {WIDTH - 20} 34 Z" fill="#2a62a6"/>',
    ]
    for floor, name in enumerate(names):
        top = 36 + floor * ROOM_HEIGHT
        fill = ("#eef6f1", "#f8fbf9")[floor % 2]
        label = f"{name}/" if (ROOT / "pokerlab" / name).is_dir() else name
        parts += [
            f'<rect x="20" y="{top}" width="{WIDTH - 40}" height="{ROOM_HEIGHT - 2}" fill="{fill}" stroke="#9bbfae"/>',
            f'<text x="32" y="{top + 21}" font-size="15" font-weight="600" fill="#1b2d6b">{escape(label)}</text>',
            f'<text x="{32 + NAME_WIDTH}" y="{top + 21}" font-size="13" fill="#333333">'
            f"{escape(what_it_holds(name))}</text>",
        ]
    ground = 36 + len(names) * ROOM_HEIGHT
    parts.append(f'<rect x="0" y="{ground}" width="{WIDTH}" height="6" fill="#7a6a53"/>')
    parts.append(
        f'<text x="{WIDTH / 2:g}" y="{ground + 24}" font-size="12" fill="#555555" text-anchor="middle">'
        "A room imports only from rooms below it.</text>"
    )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "house.svg"
    target.write_text(drawn())
