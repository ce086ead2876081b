"""The `wildrank` command; it needs the extra ``cli`` (Typer and Rich)."""

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

__all__ = ["main"]


def main() -> None:
    """Run the command line in ``sys.argv`` and exit with its code."""
    try:
        _run()
    except KeyboardInterrupt:  # before a command begins, which takes a while
        sys.exit(130)


def _run() -> None:
    if sys.stderr is None:  # if closed; what is said there must not go among the results
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115  (for good)
    try:
        from wildrank.cli.app import app
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        print(
            f"Error: the wildrank command needs {error.name}, which is not installed: "
            "pip install 'wildrank[cli]'",
            file=sys.stderr,
        )
        sys.exit(2)
    for name in ("SIGTERM", "SIGHUP"):  # there is no SIGHUP on Windows
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _exit)
    app(prog_name="wildrank")


def _exit(number: int, _frame: FrameType | None) -> NoReturn:
    """Exit in an orderly way, so that no temporary file stays behind."""
    sys.exit(128 + number)
