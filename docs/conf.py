"""Sphinx's configuration; tools/build_docs calls it with the pages and what it generates."""

import pathlib

project = "Rangeline"
copyright = "the authors of Rangeline"  # pylint: disable=redefined-builtin
root_doc = "index"
extensions = ["myst_parser", "breathe"]
myst_heading_anchors = 4
exclude_patterns = ["pictures"]
html_theme = "furo"
html_title = "Rangeline"
# So that lines of `analyze` fit into the page.
html_theme_options = {"light_css_variables": {"code-font-size": "0.75rem"}}
breathe_projects = {"rangeline": str(pathlib.Path(__file__).parent.parent / "build/docs-doxygen/xml")}
breathe_default_project = "rangeline"
breathe_domain_by_extension = {"h": "c"}
# C has `typedef struct x {} x`, which Breathe declares twice.
suppress_warnings = ["duplicate_declaration.c"]
highlight_language = "text"  # blocks without a language are terminals
