# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Answers as tables: text for a terminal, HTML for a notebook."""

from __future__ import annotations

import html
from typing import Any, Iterable, Sequence

MOST_LINES = 200


def shorten(text: str, rest: str) -> str:
    """The text, or its first lines and how to get the others."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) <= MOST_LINES:
        return "\n".join(lines)
    return "\n".join(lines[:MOST_LINES]) + f"\n... {len(lines) - MOST_LINES} more lines; {rest}"


def table(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """An HTML table; cells are escaped."""
    parts = ["<table><thead><tr>"]
    parts += [f"<th>{html.escape(title)}</th>" for title in titles]
    parts.append("</tr></thead><tbody>")
    shown = 0
    for row in rows:
        shown += 1
        if shown > MOST_LINES:
            continue
        parts.append("<tr>")
        for cell in row:
            text = "" if cell is None else str(cell)
            parts.append(f'<td style="text-align:left"><code>{html.escape(text)}</code></td>')
        parts.append("</tr>")
    parts.append("</tbody></table>")
    if shown > MOST_LINES:
        parts.append(f"<p>{shown - MOST_LINES} more rows</p>")
    return "".join(parts)


def paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"
