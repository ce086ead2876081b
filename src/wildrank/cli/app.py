"""The Typer application: which commands there are, and how errors reach the user.

A command is a plain function in another module; the last lines of this one register them all.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from wildrank.cli.batch import batch
from wildrank.cli.bench import bench
from wildrank.cli.commands import evaluate, frequencies, rules
from wildrank.cli.display import one_line
from wildrank.cli.play import play
from wildrank.cli.replay import replay
from wildrank.cli.simulate import simulate
from wildrank.errors import WildrankError

__all__ = ["app"]


# Typer gives it no name, and takes it from Click or, in later versions, from its own copy of it.
_UsageError: Final[Any] = typer.BadParameter.__mro__[1]


class _Commands(TyperGroup):
    """Turns the errors that wrong input raises in any command into one line and exit code 2."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _errors_in_one_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with _errors_in_one_line():
            result = super().invoke(ctx)
            _flush_output()  # a full disk or a closed pipe may show only now
            return result


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except _UsageError as error:
        if type(error).__name__ != "NoArgsIsHelpError":  # whose message is the help
            error.message = one_line(error.message)
        raise
    except (WildrankError, OSError) as error:
        if not isinstance(error, BrokenPipeError):
            _print_error(error)
        _drop_unwritable_output()
        raise typer.Exit(2) from None


def _print_error(error: Exception) -> None:
    message = str(error)
    if isinstance(error, OSError) and error.strerror:
        message = error.strerror
        if error.filename is not None:
            message = f"{os.fsdecode(error.filename)}: {message}"
    with suppress(OSError):
        print(f"Error: {one_line(message)}", file=sys.stderr)


def _flush_output() -> None:
    if sys.stdout is not None:  # as it is when the descriptor is closed
        sys.stdout.flush()


def _drop_unwritable_output() -> None:
    """Keep the interpreter from trying once more, at its end, to write what it cannot write."""
    try:
        _flush_output()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"wildrank {version('wildrank')}")
        raise typer.Exit


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # an error is then one line, however long, and never a box
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _root(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Evaluate poker hands with jokers and wild cards.

    RULES is perico, six-card-perico, puck or paiute; `wildrank rules` tells more about them. Exit
    codes: 0 done, 2 wrong usage or input.
    """


for _command in (evaluate, batch, rules, frequencies, bench, play, simulate, replay):
    app.command()(_command)
