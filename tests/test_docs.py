"""The guides: prose that wraps, links that lead somewhere, an index that is complete, pages that name real files."""

import ast
import re
from pathlib import Path

import pytest

import pokerlab

ROOT = Path(__file__).parent.parent
DOCS, PACKAGE = ROOT / "docs", ROOT / "pokerlab"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"])
WRITTEN = [page for page in PAGES if page.parent.name != "results"]
"""Pages of results are printed by `pokerlab reproduce --markdown`."""
WIDTH = 120
SYSTEMS = sorted(path.parent for path in PACKAGE.glob("systems/*/__init__.py"))


def prose(page):
    """(number, line) of every line that is neither code, nor a table, nor a picture, nor an example."""
    fenced = example = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        example = line.startswith(">>>") or (example and bool(line.strip()))
        code = fenced or line.startswith("    ") or re.fullmatch(r"\s*(- )?`[^`]+`[,.;:]?", line)
        if not code and not example and not line.startswith(("|", "![")):
            yield number, line


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_prose_wraps(page):
    assert [f"{number}: {line}" for number, line in prose(page) if len(line) > WIDTH] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_the_index_of_decisions_has_them_all():
    listed = re.findall(r"^- \[(\d{4})\]\((.+?)\) (.+)$", (DOCS / "adr" / "README.md").read_text(), re.MULTILINE)
    records = sorted(DOCS.glob("adr/0*.md"))
    assert [name for _, name, _ in listed] == [path.name for path in records]
    for (number, _, title), path in zip(listed, records, strict=True):
        assert path.read_text().splitlines()[0] == f"# {number}. {title}"


def test_every_guide_is_in_the_index_of_the_site():
    index = (DOCS / "index.md").read_text()
    guides = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    assert {line for line in index.splitlines() if line in guides} == guides


def test_the_architecture_page_says_where_to_find_twelve_things():
    _, _, section = (DOCS / "architecture.md").read_text().partition("## Twelve things")
    rows = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")][1:]
    named = [re.findall(r"`([\w/]+(?:\.py|/))`", row.split("|")[2]) for row in rows]
    assert len(rows) == 12 and all(named)
    assert [name for names in named for name in names if not (PACKAGE / name).exists()] == []


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_the_page_of_a_system_names_its_files_and_no_others(system):
    page = ast.get_docstring(ast.parse((system / "__init__.py").read_text()))
    named = set(re.findall(r"`(\w+\.py|\w+/)`", page))
    files = {path.name for path in system.glob("*.py")} | {
        f"{path.parent.name}/" for path in system.glob("*/__init__.py")
    }
    assert named == files - {"__init__.py"}
    assert "References\n----------\n" in page and f"experiments.{system.name}" in page


def test_the_citation_is_complete_and_of_this_version():
    citation = (ROOT / "CITATION.cff").read_text()
    fields = dict(re.findall(r'^([a-z-]+): *"?(.*?)"?$', citation, re.M))
    assert (fields["cff-version"], fields["type"], fields["version"]) == ("1.2.0", "software", pokerlab.__version__)
    assert fields["title"].startswith("pokerlab") and fields["message"] and fields["license"] == "MIT"
    assert re.search(r"^authors:\n  - name: ", citation, re.M)


def test_files_that_guides_name_are_there():
    guides = [*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    named = {(page.name, name) for page in guides for name in re.findall(r"`((?:\w+/)+\w+\.py)`", page.read_text())}
    assert len(named) > 50
    missing = {(page, name) for page, name in named if not any((root / name).exists() for root in (ROOT, PACKAGE))}
    assert missing == set()
