"""What the user sees: consoles, tables, coloured cards and the progress bar."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

__all__ = ["card_text", "console", "facts_table", "one_line", "progress_bar", "table"]

UNLIMITED: Final = 10_000
MESSAGE: Final = 400  # characters, at most
SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SHOW_PROGRESS_AFTER: Final = 0.5  # seconds


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints text as it is, and cuts nothing when it is no terminal."""
    made = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not made.is_terminal:
        made.width = UNLIMITED
    return made


def one_line(message: str) -> str:
    """Return a message without its middle if it is long, and with no character that does harm."""
    if len(message) > MESSAGE:
        message = f"{message[: MESSAGE // 2]} ... {message[-MESSAGE // 2 :]}"
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in message
    )


def table(
    *columns: str, right: tuple[str, ...] = (), footer: Mapping[str, str] | None = None
) -> Table:
    """Return an empty table; the columns named in `right` hold numbers."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_footer=bool(footer))
    for column in columns:
        made.add_column(
            column,
            "" if footer is None else footer.get(column, ""),
            justify="right" if column in right else "left",
            overflow="fold",
            no_wrap=column in right,
        )
    return made


def facts_table(facts: Mapping[str, str | Text]) -> Table:
    """Return a table of two columns: what it is, and its value."""
    made = Table.grid("", "", padding=(0, 2))
    made.columns[1].overflow = "fold"
    for name, fact in facts.items():
        made.add_row(Text(name, style="bold"), fact)
    return made


def card_text(text: str, *, symbols: bool = False) -> Text:
    """Return a text in which red cards are red and jokers magenta, if colours can be shown.

    With `symbols`, suits are symbols; the text can be read back all the same.
    """
    if symbols:
        text = re.sub(r"\b([2-9TJQKA])([cdhs])\b", _with_symbol, text)
    made = Text(text)
    made.highlight_regex(r"\b[2-9TJQKA](?:[dh]\b|[♦♥])", "red")
    made.highlight_regex(r"\bJk[2-4]?\b", "magenta")
    return made


def _with_symbol(card: "re.Match[str]") -> str:
    return card[1] + SYMBOLS[card[2]]


@contextmanager
def progress_bar(
    total: int | None, *, enabled: bool, unit: str = "hands"
) -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal (stderr) how far long work is.

    Yields a function to call with how much of `total` is done and how many hands, or whatever the
    unit is, that were.
    """
    shown = console(stderr=True)
    bar = Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[count]:,} " + unit),
        TimeRemainingColumn(),
        console=shown,
        transient=True,
        disable=not (enabled and shown.is_interactive),
    )
    task = bar.add_task("", total=total, count=0)
    start = time.monotonic()

    def update(done: int, count: int) -> None:
        if time.monotonic() - start > SHOW_PROGRESS_AFTER:
            bar.start()  # does nothing when it is started already
            bar.update(task, completed=done, count=count)

    try:
        yield update
    finally:
        if bar.live.is_started:
            bar.stop()
