"""The batch command: the values of many hands, from a file to a file."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from wildrank.cli.display import console, one_line, progress_bar, table
from wildrank.cli.inputs import STDIN_NAMES, Source, is_array, open_source
from wildrank.cli.options import takes_rules
from wildrank.cli.outputs import (
    WholeFiles,
    is_input,
    is_special,
    is_stdout,
    lists_rejects,
    rejects_writer,
    same_output,
    values_writer,
)
from wildrank.errors import HandError
from wildrank.evaluator import Evaluator
from wildrank.rules import NO_COMBINATION

__all__ = ["batch"]


class OnError(StrEnum):
    """What to do with a line that is no hand."""

    STOP = "stop"
    SKIP = "skip"


@takes_rules()
def batch(
    evaluator: Evaluator,
    input: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="Text with a hand a line, CSV (.csv, or with --column), an array of card codes "
            "(.npy), or - for text from standard input.",
            show_default=False,
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUTPUT",
            help="A .csv or .npy file, or - for CSV to standard output. Without it only the "
            "summary is shown.",
            show_default=False,
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The CSV column that holds the hand; 'hand' in a .csv file.",
            show_default=False,
        ),
    ] = None,
    on_error: Annotated[
        OnError, typer.Option(help="Stop at a line that is no hand, or skip it.")
    ] = OnError.STOP,
    rejects: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Where to list the skipped lines as CSV: line, text, reason; - for standard "
            "output. By default NAME.rejects.csv beside OUTPUT, or beside INPUT, unless that "
            "holds other data.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Evaluate many hands, and sum up their categories.

    In text, blank lines and lines that begin with # hold no hand. CSV has a header, and may have
    other columns.

    OUTPUT has the columns hand, value and category; in .npy they are the fields of a structured
    array: card codes, value, and place of the category in the rule set (0 is the strongest, -1 no
    combination). Such a file can be an INPUT again. Files appear whole or not at all, and
    replace what is there; pipes and devices are written to as they are.
    """
    if Path(input).is_dir():
        raise _usage_error("INPUT", f"expected a file, got {input!r}")
    if column is not None and is_array(input):
        raise _usage_error("--column", "a .npy file has no columns")
    if rejects is not None and on_error is OnError.STOP:
        raise _usage_error("--rejects", "needs --on-error skip")
    if rejects is None and on_error is OnError.SKIP:
        rejects = _default_rejects(input, output)
    _check_paths(input, output, rejects)
    with open_source(input, column, evaluator) as source:
        counts, rejected = _evaluate(evaluator, source, output, rejects)
    _print_summary(evaluator, counts, stderr=is_stdout(output) or is_stdout(rejects))
    if rejected:
        what = source.place if rejected == 1 else f"{source.place}s"
        where = "standard output" if is_stdout(rejects) else rejects
        print(one_line(f"Skipped {rejected:,} {what}, listed in {where}"), file=sys.stderr)


def _usage_error(option: str, message: str) -> typer.BadParameter:
    return typer.BadParameter(message, param_hint=repr(option))


def _default_rejects(input: str, output: str | None) -> str:
    for name in (output, input):
        if name is not None and name not in STDIN_NAMES and not is_special(name):
            path = Path(name).with_suffix(".rejects.csv")
            if path.is_file() and not lists_rejects(path):
                raise _usage_error("--rejects", f"needed, because {str(path)!r} holds other data")
            return str(path)
    raise _usage_error("--rejects", "needed when neither INPUT nor OUTPUT is a file")


def _check_paths(input: str, output: str | None, rejects: str | None) -> None:
    """Refuse to replace the input, one output by the other, or what is no file."""
    given = {"--output": output, "--rejects": rejects}
    outputs = {option: path for option, path in given.items() if path is not None}
    for option, path in outputs.items():
        if Path(path).is_dir():
            raise _usage_error(option, f"expected a file, got {path!r}")
        if is_input(path, input):
            raise _usage_error(option, f"expected another file than INPUT, got {path!r}")
    if output is not None:
        _check_format(output)
    if len(outputs) == 2 and same_output(*outputs.values()):
        raise _usage_error("--rejects", f"expected another file than --output, got {rejects!r}")


def _check_format(output: str) -> None:
    if is_special(output):
        if is_array(output):
            raise _usage_error("--output", f"expected a regular file for .npy, got {output!r}")
    elif Path(output).suffix.lower() not in (".csv", ".npy"):
        raise _usage_error("--output", f"expected a .csv or .npy file or -, got {output!r}")


def _evaluate(
    evaluator: Evaluator, source: Source, output: str | None, rejects: str | None
) -> tuple[npt.NDArray[np.int64], int]:
    """Read, evaluate and write all hands.

    Returns
    -------
    counts : ndarray of int64
        How many hands have each category, in their order, and last how many have none.
    rejected : int
        How many lines or rows were no hand.
    """
    counts = np.zeros(len(evaluator.rules.categories) + 1, dtype=np.int64)
    rejected = 0
    quiet = is_stdout(output) and console().is_terminal
    with WholeFiles() as files, progress_bar(source.total, enabled=not quiet) as update:
        write_values = values_writer(output, evaluator, files)
        write_rejects = rejects_writer(rejects, source.place, files)
        for block in source.blocks:
            if block.rejects and rejects is None:
                first = block.rejects[0]
                raise HandError(f"{source.place} {first.place}: {first.reason}")
            values = evaluator.evaluate_batch(block.hands)
            write_values(block.hands, values)
            write_rejects(block.rejects)
            indices = evaluator.category_index(values)
            counts += np.roll(np.bincount(indices + 1, minlength=len(counts)), -1)
            rejected += len(block.rejects)
            update(block.done, int(counts.sum()))
    return counts, rejected


def _print_summary(
    evaluator: Evaluator, counts: npt.NDArray[np.int64], *, stderr: bool = False
) -> None:
    total = int(counts.sum())
    names = [category.name for category in evaluator.rules.categories] + [NO_COMBINATION]
    shown = table(
        "category",
        "hands",
        "share",
        right=("hands", "share"),
        footer={"category": "all hands", "hands": f"{total:,}"},
    )
    for name, count in zip(names, counts.tolist(), strict=True):
        if name != NO_COMBINATION or count:
            shown.add_row(name, f"{count:,}", f"{count / total:.4%}" if total else "-")
    console(stderr=stderr).print(shown)
