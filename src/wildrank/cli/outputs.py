"""Writing files that appear whole or not at all, and the values of hands as CSV or .npy.

Standard streams, pipes and devices are written to at once, because they cannot be replaced.
"""

import csv
import errno
import io
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from wildrank._evalcore import format_lines
from wildrank.cli.inputs import STDIN_NAMES, Hands, Reject, is_array
from wildrank.evaluator import Evaluator

__all__ = [
    "WholeFiles",
    "is_input",
    "is_special",
    "is_stdout",
    "lists_rejects",
    "rejects_writer",
    "same_output",
    "values_writer",
]

_STREAMS: Final = {
    "-": "output",
    "/dev/stdout": "output",
    "/dev/fd/1": "output",
    "/dev/stderr": "error",
    "/dev/fd/2": "error",
}

Values = npt.NDArray[np.uint16]
WriteValues = Callable[[Hands, Values], object]
WriteRejects = Callable[[list[Reject]], object]


# --- files ---


def is_stdout(path: str | None) -> bool:
    """Return whether a path stands for standard output."""
    return path is not None and _STREAMS.get(path) == "output"


def is_special(path: str) -> bool:
    """Return whether a path is a standard stream, a pipe or a device."""
    return path in _STREAMS or (Path(path).exists() and not Path(path).is_file())


def same_output(one: str, other: str) -> bool:
    """Return whether two paths are the same stream or file, even one that is not there yet."""
    if one in _STREAMS and other in _STREAMS:
        return _STREAMS[one] == _STREAMS[other]
    first, second = _status(one), _status(other)
    streams = one in _STREAMS or other in _STREAMS
    if first is not None and second is not None:
        is_file = stat.S_ISREG(first.st_mode)  # a terminal may well be both
        return os.path.samestat(first, second) and (is_file or not streams)
    return not streams and os.path.realpath(one) == os.path.realpath(other)


def _status(path: str) -> os.stat_result | None:
    """Return the status of a file, or of what a stream was redirected to; None if there is none."""
    try:
        if path in _STREAMS:
            return os.fstat(1 if is_stdout(path) else 2)
        return Path(path).stat()
    except OSError:
        return None


def is_input(path: str, input: str) -> bool:
    """Return whether a path is the file of an input, which may be one that was redirected."""
    if input not in STDIN_NAMES:
        return same_output(path, input)
    try:
        return Path(path).is_file() and os.path.samestat(os.fstat(0), Path(path).stat())
    except OSError:  # there is no standard input
        return False


def _stream(path: str) -> BinaryIO:
    """Return the standard stream that a path stands for."""
    name = _STREAMS[path]
    stream = sys.stdout if name == "output" else sys.stderr
    if stream is None:  # as it is when the descriptor is closed
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), f"standard {name}")
    return stream.buffer


@dataclass(frozen=True, slots=True)
class _Unfinished:
    file: BinaryIO
    temporary: Path
    target: Path
    name: str  # as the user gave it


class WholeFiles:
    """Files that all take their places when the ``with`` block ends, or none if it raises.

    Until then they have other names in the same directories, and what they replace is untouched.
    """

    def __init__(self) -> None:
        self._special: list[BinaryIO] = []
        self._unfinished: list[_Unfinished] = []
        self._temporary: list[Path] = []

    def open(self, path: str) -> BinaryIO:
        """Open a file for writing that will be, or will replace, the one at `path`.

        What is no regular file is written to at once.
        """
        if path in _STREAMS:
            return _stream(path)
        if is_special(path):
            special = Path(path).open("wb")  # noqa: SIM115  (closed in __exit__)
            self._special.append(special)
            return special
        target = Path(os.path.realpath(path))  # what a symbolic link points to, not the link
        replaces = target.exists()
        try:
            if replaces and not os.access(target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            temporary = self._beside(target)
            file = temporary.open("xb")
        except OSError as error:
            raise type(error)(error.errno, error.strerror, path) from None
        self._unfinished.append(_Unfinished(file, temporary, target, path))
        if replaces:
            shutil.copymode(target, temporary)
        return file

    def _beside(self, target: Path) -> Path:
        """Return a path for a temporary file, already noted, so that no signal leaves it behind."""
        self._temporary.append(target.with_name(f".wildrank-{uuid4().hex}.tmp"))
        return self._temporary[-1]

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
            for file in (*self._special, *(each.file for each in self._unfinished)):
                with suppress(OSError):
                    file.close()
            for temporary in self._temporary:
                with suppress(OSError):  # most are not there any more
                    temporary.unlink()

    def _finish(self) -> None:
        for file in self._special:  # everything that may fail for want of space comes first
            file.close()
        for each in self._unfinished:
            with _naming(each.name):
                each.file.flush()
                os.fsync(each.file.fileno())
                each.file.close()
        with ExitStack() as undo:
            for number, each in enumerate(self._unfinished, start=1):
                if number < len(self._unfinished):
                    undo.callback(self._keep(each.target))
                with _naming(each.name):
                    each.temporary.replace(each.target)
            undo.pop_all()

    def _keep(self, target: Path) -> Callable[[], object]:
        """Return a function that makes `target` what it is now: the same file, or none."""
        if not target.exists():
            return lambda: target.unlink(missing_ok=True)
        kept = self._beside(target)
        try:
            os.link(target, kept)
        except OSError:  # not every file system has links
            shutil.copy2(target, kept)
        return lambda: kept.replace(target)


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Let an error name the file that was meant, not the temporary one."""
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, name) from None


# --- values and rejects ---


def values_writer(output: str | None, evaluator: Evaluator, files: WholeFiles) -> WriteValues:
    """Return the function that writes hands and their values to an output, if there is one."""
    if output is None:
        return lambda hands, values: None
    write = _array_writer if is_array(output) else _csv_writer
    return write(files.open(output), evaluator)


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


def rejects_writer(path: str | None, place: str, files: WholeFiles) -> WriteRejects:
    """Return the function that writes rejects to a CSV file, if there is to be one."""
    if path is None:
        return lambda rejects: None
    file = files.open(path)

    def write_rows(rows: list[tuple[object, str, str]]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        file.write(text.getvalue().encode())
        file.flush()

    write_rows([(place, "text", "reason")])
    return lambda rejects: write_rows([(each.place, each.text, each.reason) for each in rejects])


def lists_rejects(path: Path) -> bool:
    """Return whether a file is a list of rejects, or empty."""
    with path.open("rb") as file:
        header = file.readline(100)
    return not header or header.rstrip().endswith(b",text,reason")
