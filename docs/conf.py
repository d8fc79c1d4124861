"""The documentation site: guides and the API from docstrings, built by `make docs` and read without a network."""

import pokerlab

project = "pokerlab"
author = "the pokerlab authors"
copyright = author
version = release = pokerlab.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.apidoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build"]
suppress_warnings = ["ref.python"]  # a name in two modules is told apart by its page
apidoc_modules = [
    {
        "path": "../pokerlab",
        "destination": "api",
        "separate_modules": False,
        "module_first": True,
        "exclude_patterns": ["**/_*_numba.py", "**/_*_jax.py", "**/__main__.py", "**/cli/*"],
    }
]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
default_role = "code"  # docstrings write names in single backquotes, as Markdown does
napoleon_numpy_docstring = True
myst_heading_anchors = 3

toc_object_entries = False  # or every page's side bar would list every function of the package
html_theme = "furo"
html_title = f"pokerlab {release}"
html_static_path = []


def literal_blocks(app, what, name, obj, options, lines):
    """Show indented blocks of a docstring as code, as Markdown and the help pages of commands do."""
    for place in range(len(lines) - 1, 1, -1):
        before = lines[place - 2]
        if lines[place].startswith("    ") and not lines[place - 1] and before[:1] not in (" ", "-", ""):
            if before.endswith(":"):
                lines[place - 2] = before.removesuffix(":") + "::"
            else:
                lines[place - 1 : place - 1] = ["", "::"]


def setup(app):
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", literal_blocks, priority=400)  # before napoleon
