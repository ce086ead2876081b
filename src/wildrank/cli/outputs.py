"""Writing files that appear whole or not at all, and the values of hands as CSV or .npy."""

import csv
import errno
import io
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from wildrank._evalcore import format_lines
from wildrank.cli.inputs import Hands, Reject, is_array
from wildrank.evaluator import Evaluator

__all__ = ["STDOUT", "WholeFiles", "rejects_writer", "values_writer"]

STDOUT: Final = "-"

Values = npt.NDArray[np.uint16]
WriteValues = Callable[[Hands, Values], object]
WriteRejects = Callable[[list[Reject]], object]


@dataclass(frozen=True, slots=True)
class _Unfinished:
    file: BinaryIO
    temporary: Path
    target: Path


class WholeFiles:
    """Files that all take their places when the ``with`` block ends, or none if it raises.

    Until then they have other names in the same directories, and what they replace is untouched.
    """

    def __init__(self) -> None:
        self._unfinished: list[_Unfinished] = []
        self._temporary: list[Path] = []

    def open(self, path: Path) -> BinaryIO:
        """Open a file for writing that will be, or will replace, the one at `path`."""
        target = Path(os.path.realpath(path))  # what a symbolic link points to, not the link
        temporary = target.with_name(f".wildrank-{uuid4().hex}.tmp")
        replaces = target.exists()
        try:
            if replaces and not os.access(target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            self._temporary.append(temporary)  # first, so that no signal can leave it behind
            file = temporary.open("xb")
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(path)) from None
        self._unfinished.append(_Unfinished(file, temporary, target))
        if replaces:
            shutil.copymode(target, temporary)
        return file

    def __enter__(self) -> Self:
        """Begin; there are no files yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Put all files in their places, or remove them all."""
        try:
            if kind is None:
                self._finish()
        finally:
            for each in self._unfinished:
                with suppress(OSError):
                    each.file.close()
            for temporary in self._temporary:
                temporary.unlink(missing_ok=True)

    def _finish(self) -> None:
        for each in self._unfinished:  # everything that may fail for want of space comes first
            each.file.flush()
            os.fsync(each.file.fileno())
            each.file.close()
        for each in self._unfinished:
            each.temporary.replace(each.target)


def values_writer(output: str | None, evaluator: Evaluator, files: WholeFiles) -> WriteValues:
    """Return the function that writes hands and their values to an output, if there is one."""
    if output is None:
        return lambda hands, values: None
    if output == STDOUT:
        if sys.stdout is None:  # as it is when the descriptor is closed
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")
        return _csv_writer(sys.stdout.buffer, evaluator)
    write = _array_writer if is_array(output) else _csv_writer
    return write(files.open(Path(output)), evaluator)


def _csv_writer(file: BinaryIO, evaluator: Evaluator) -> WriteValues:
    endings = [
        f",{value},{evaluator.category_of(value)}\n".encode()
        for value in range(evaluator.num_values + 1)
    ]
    ends = np.cumsum([len(ending) for ending in endings], dtype=np.int64)
    joined = b"".join(endings)

    def write(hands: Hands, values: Values) -> None:
        file.write(format_lines(hands, values, joined, ends))
        file.flush()

    file.write(b"hand,value,category\n")
    return write


def _array_writer(file: BinaryIO, evaluator: Evaluator) -> WriteValues:
    dtype = np.dtype([("hand", "u1", (evaluator.hand_size,)), ("value", "<u2"), ("category", "i1")])
    written = 0

    def write_header() -> None:
        # NumPy pads it, so that its length is the same for any number of rows.
        header = {"descr": dtype.descr, "fortran_order": False, "shape": (written,)}
        file.seek(0)
        np.lib.format.write_array_header_1_0(file, header)

    def write(hands: Hands, values: Values) -> None:
        nonlocal written
        rows = np.empty(len(hands), dtype=dtype)
        rows["hand"] = hands
        rows["value"] = values
        rows["category"] = evaluator.category_index(values)
        file.seek(0, os.SEEK_END)
        file.write(rows.tobytes())
        written += len(rows)
        write_header()

    write_header()
    return write


def rejects_writer(path: Path | None, place: str, files: WholeFiles) -> WriteRejects:
    """Return the function that writes rejects to a CSV file, if there is to be one."""
    if path is None:
        return lambda rejects: None
    file = files.open(path)

    def write_rows(rows: list[tuple[object, str, str]]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        file.write(text.getvalue().encode())

    write_rows([(place, "text", "reason")])
    return lambda rejects: write_rows([(each.place, each.text, each.reason) for each in rejects])
