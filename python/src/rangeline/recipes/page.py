# SPDX-License-Identifier: Apache-2.0
"""An answer as a page: one file, which needs no network and no script."""

import html

from .answer import IS_NUMBER, cut, cut_words, printable, shown

MADE_BY = '<meta name="generator" content="rangeline recipe">'
_MOST_ROWS = 30

# Colors of ranges in the viewer; the first for what is usual, the second for what is not.
_STYLE = """
:root { color-scheme: light dark; --back: #fff; --ink: #1d2733; --faint: #5b6875; --line: #d8dee6;
  --c0: #127ede; --c1: #d66c50; --c2: #d4a22a; --c3: #16716f; --c4: #b43368; --c5: #8d8bad; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171c; --ink: #e4e9f0; --faint: #9aa7b5; --line: #333c47;
    --c0: #4f9fe8; --c3: #74c5c1; --c4: #e06a97; } }
body { background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.3; } h1, .answer, li { overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
.answer { font-size: 1.15rem; border-left: 4px solid var(--c0); padding-left: .8rem; }
figure { margin: 1.5rem 0; } figcaption, .legend { color: var(--faint); font-size: .875rem; }
.legend { margin: .3rem 0; } .legend span { margin-right: 1.2rem; white-space: nowrap; }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .35rem; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .axis, svg .note { fill: var(--faint); } svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; } svg .grid { stroke: var(--line); }
svg .range { stroke: var(--faint); stroke-width: 2; }
svg .mean { stroke: var(--ink); stroke-width: 2; }
svg .most { fill: var(--c1); } svg .frame { fill: none; stroke: var(--line); }
svg .stroke { fill: none; stroke-width: 1.5; } svg .band { opacity: .3; }
""" + "".join(f"svg .c{i} {{ fill: var(--c{i}); }} "
              f"svg .stroke.c{i} {{ fill: none; stroke: var(--c{i}); }} "
              f".legend .c{i} {{ background: var(--c{i}); }}\n" for i in range(6)) + """\
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .875rem; }
th, td { padding: .2rem .7rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line);
  white-space: nowrap; font-variant-numeric: tabular-nums; }
th.right, td.right { text-align: right; } code { font-size: .9em; }
pre { overflow-x: auto; border: 1px solid var(--line); padding: .6rem; margin: .3rem 0 1rem; }
"""


def page(answer, files):
    """The page; `files` are the other ones in its folder."""
    title = html.escape(cut_words(printable(answer.question)))
    parts = [f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{MADE_BY}\n'
             '<meta name="viewport" content="width=device-width">\n'
             f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
             f'<h1>{_cut(answer.question)}</h1>\n<p class="answer">{_cut(answer.sentence)}</p>\n']
    parts += [f"<figure>{svg}<figcaption>{_text(caption)}</figcaption></figure>\n"
              for caption, svg in answer.pictures]
    if answer.rows:
        parts.append(_table(answer))
    if answer.lacking:
        parts.append("<h2>What is lacking</h2>\n<ul>\n" + "".join(
            f"<li>{_text(note)}</li>\n" for note in answer.lacking) + "</ul>\n")
    parts.append("<h2>How to go on</h2>\n")
    if files:
        parts.append("<p>All numbers: " + ", ".join(
            f'<a href="{html.escape(name)}">{html.escape(name)}</a>' for name in files) + ".</p>\n")
    parts += [f"<p>To {_text(what)}:</p>\n<pre>{_text(command)}</pre>\n"
              for what, command in answer.go_on]
    parts.append("</body>\n</html>\n")
    return "".join(parts)


def _table(answer):
    right = [' class="right"' if column.kind in IS_NUMBER else ""
             for column in answer.columns]
    lines = ['<h2>Table</h2>\n<div class="scroll"><table>\n<tr>' + "".join(
        f"<th{side}>{_text(column.name)}</th>"
        for column, side in zip(answer.columns, right)) + "</tr>\n"]
    lines += ["<tr>" + "".join(_cell(shown(value, column.kind), side)
                               for value, column, side in zip(row, answer.columns, right)) +
              "</tr>\n" for row in answer.rows[:_MOST_ROWS]]
    more = len(answer.rows) - _MOST_ROWS
    return "".join(lines) + "</table></div>\n" + (f"<p>... and {more:,} more</p>\n"
                                                  if more > 0 else "")


def _cell(text, side):
    shorter = cut(text)
    title = f' title="{html.escape(text)}"' if shorter != text else ""
    return f"<td{side}{title}>{html.escape(shorter)}</td>"


def _cut(text):
    """A sentence, the whole of which is seen on hovering."""
    text = printable(text)
    shorter = cut_words(text)
    title = f'<span title="{html.escape(text)}">' if shorter != text else ""
    return f"{title}{html.escape(shorter)}{'</span>' if title else ''}"


def _text(text):
    return html.escape(printable(text))
