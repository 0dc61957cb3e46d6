"""Tables for notebooks: what `_repr_html_` of results is made of."""

from __future__ import annotations

import html
from typing import Any, Iterable, Sequence

_NUMBER = 'style="text-align:right"'
_TEXT = 'style="text-align:left"'


def _cell(tag: str, value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    text = f"{value:,}" if isinstance(value, int) and number else str(value)
    return f"<{tag} {_NUMBER if number else _TEXT}>{html.escape(text)}</{tag}>"


def heading(text: str) -> str:
    """A line above a table."""
    return f"<p><b>{html.escape(text)}</b></p>"


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows of numbers, right-aligned with separated thousands, and texts; "" when there are none."""
    body = "".join(f"<tr>{''.join(_cell('td', value) for value in row)}</tr>" for row in rows)
    if not body:
        return ""
    head = "".join(f"<th {_TEXT}>{html.escape(name)}</th>" for name in columns)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def link(path: Any, text: str) -> str:
    """A link to a file, as a row of its own: cells of a table hold no links."""
    return f'<p><a href="{html.escape(str(path), quote=True)}">{html.escape(text)}</a></p>'


__all__ = ["heading", "link", "table"]
