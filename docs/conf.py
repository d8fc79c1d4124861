"""The documentation site: guides and the API from docstrings, built by `make docs` and read without a network."""

import gc

from sphinx.domains.python import PythonDomain

import pokerlab

gc.set_threshold(100_000, 50, 50)  # millions of nodes stay until the end, and JAX hooks into every collection

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
suppress_warnings = ["ref.python"]  # a name in two modules is distinguished by its page
apidoc_modules = [
    {
        "path": "../pokerlab",
        "destination": "api",
        "separate_modules": False,
        "module_first": True,
        "automodule_options": {"members", "show-inheritance"},
        "exclude_patterns": ["**/_*_numba.py", "**/_*_jax.py", "**/__main__.py", "**/cli/*"],
    }
]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_use_type_comments = False
default_role = "code"  # docstrings write names in single backquotes, as Markdown does
napoleon_numpy_docstring = True
myst_heading_anchors = 3

toc_object_entries = False  # or every page's side bar would list every function of the package
html_theme = "furo"
smartquotes = False  # options begin with two hyphens
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


class QuickPythonDomain(PythonDomain):
    """Python's names, each looked up among the objects that end alike instead of among all."""

    alike = None  # the objects with the name's last part, while one is looked up

    @property
    def objects(self):
        """All objects by name, or those that end alike."""
        return super().objects if self.alike is None else self.alike

    def find_obj(self, env, modname, classname, name, objtype, searchmode=0):
        """The objects that a name may mean; none if no object ends in it."""
        if len(self.objects) != getattr(self, "n_known", None):
            self.n_known, self.by_ending = len(self.objects), {}
            for known, about in self.objects.items():
                self.by_ending.setdefault(known.rpartition(".")[2], {})[known] = about
        self.alike = self.by_ending.get(name.rpartition(".")[2].removesuffix("()"), {})
        try:
            return super().find_obj(env, modname, classname, name, objtype, searchmode) if self.alike else []
        finally:
            self.alike = None


def settings_lists(app, what, name, obj, options, lines):
    """Show the settings of a request, which are in its docstring a line each, as a list."""
    if "Settings" in lines:
        start = lines.index("Settings")
        settings = [line.partition(": ") for line in lines[start + 2 :] if line]
        listed = [f"- `{setting}`: {words}".replace("|", r"\|") for setting, _, words in settings]
        lines[start:] = [".. rubric:: Settings", "", *listed, ""]


def setup(app):
    """Called by Sphinx."""
    app.add_domain(QuickPythonDomain, override=True)
    app.connect("autodoc-process-docstring", literal_blocks, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", settings_lists, priority=401)
