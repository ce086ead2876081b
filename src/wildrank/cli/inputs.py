"""Reading hands from text, CSV and .npy files, a block at a time."""

import csv
import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, TextIO, cast

import numpy as np
import numpy.typing as npt

from wildrank._evalcore import parse_lines
from wildrank.cards import parse_codes
from wildrank.errors import HandError, WildrankError
from wildrank.evaluator import Evaluator

__all__ = [
    "STDIN",
    "STDIN_NAMES",
    "Block",
    "Reject",
    "Source",
    "is_array",
    "open_source",
    "parse_block",
    "standard_input",
]

STDIN: Final = "-"
STDIN_NAMES: Final = (STDIN, "/dev/stdin", "/dev/fd/0")
CHUNK: Final = 1 << 18  # bytes of text in a block
ROWS: Final = 1 << 15  # rows in a block, at most
BLOCK: Final = 1 << 22  # bytes of an array in a block, at most
MAX_LINE: Final = 1_000  # bytes; no hand is that long
MAX_RECORD: Final = 1 << 20  # bytes of a CSV record
BOM: Final = b"\xef\xbb\xbf"

Hands = npt.NDArray[np.uint8]
_Mapped = np.memmap[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Reject:
    """A line, or a row of an array, that is no hand of the deck."""

    place: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Block:
    """A part of an input: its hands, what in it was no hand, and how much is read by now."""

    hands: Hands
    rejects: list[Reject]
    done: int


@dataclass(frozen=True, slots=True)
class Source:
    """An open input.

    Attributes
    ----------
    place : str
        What a place is: a ``"line"``, counted from 1, or a ``"row"``, counted from 0.
    total : int or None
        How much there is to read, in the unit of `Block.done`.
    blocks : iterator of Block
        Raises a HandError when the input itself is broken.
    """

    place: str
    total: int | None
    blocks: Iterator[Block]


def is_array(path: str) -> bool:
    """Return whether a file's name says that it holds a NumPy array."""
    return Path(path).suffix.lower() == ".npy"


def standard_input() -> TextIO:
    """Return the standard input, or raise an OSError if it is closed."""
    if sys.stdin is None:  # as it is when the descriptor is closed
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard input")
    return sys.stdin


@contextmanager
def open_source(path: str, column: str | None, evaluator: Evaluator) -> Iterator[Source]:
    """Open an input, and put its name before the message of a HandError raised meanwhile.

    Parameters
    ----------
    path : str
        A file, or ``"-"`` for standard input.
    column : str or None
        The CSV column; None for ``"hand"`` if the file's name ends in .csv.
    evaluator : Evaluator
        Says what a hand is.
    """
    try:
        if is_array(path) and Path(path).exists() and not Path(path).is_file():
            raise HandError("expected a regular file, got another")
        if path == STDIN:
            yield _open_text(cast(io.BufferedReader, standard_input().buffer), column, evaluator)
        else:
            if column is None and Path(path).suffix.lower() == ".csv":
                column = "hand"
            with Path(path).open("rb") as file:
                if is_array(path):
                    yield _open_array(file, evaluator)
                else:
                    yield _open_text(file, column, evaluator)
    except HandError as error:
        name = "standard input" if path == STDIN else path
        raise HandError(f"{name}, {error}") from None


# --- text ---


def parse_block(
    text: bytes, evaluator: Evaluator, *, comments: bool = True
) -> tuple[Hands, npt.NDArray[np.intp], dict[int, str]]:
    """Read a block of lines, each a hand.

    Parameters
    ----------
    text : bytes
        UTF-8 lines, each with its end.
    evaluator : Evaluator
        Says how many cards a hand has, and of which deck.
    comments : bool
        Whether blank lines and those that begin with ``#`` are passed over.

    Returns
    -------
    hands : ndarray of uint8, shape (N, hand_size)
        The hands of the deck.
    lines : ndarray of int, shape (N,)
        The line of each, counted from 0.
    errors : dict of int to str
        What is wrong with which line, in their order.
    """
    hands = np.empty((text.count(b"\n"), evaluator.hand_size), dtype=np.uint8)
    lines = np.empty(len(hands), dtype=np.intp)
    errors: dict[int, str] = {}
    row = line = start = 0
    while start < len(text):
        count, start = parse_lines(text, start, hands[row:])
        lines[row : row + count] = np.arange(line, line + count)
        row += count
        line += count
        if start == len(text):
            break
        end = text.index(b"\n", start)
        content = text[start:end].strip()
        if not comments or (content and not content.startswith(b"#")):
            try:
                hands[row] = _parse_line(content, evaluator)
                lines[row] = line
                row += 1
            except WildrankError as error:
                errors[line] = str(error)
        line += 1
        start = end + 1
    refused = _refused(hands[:row], evaluator)
    errors |= {int(lines[bad]): reason for bad, reason in refused.items()}
    good = np.delete(np.arange(row), list(refused)) if refused else slice(row)
    return hands[good], lines[good], dict(sorted(errors.items()))


def _parse_line(line: bytes, evaluator: Evaluator) -> list[int]:
    if len(line) > MAX_LINE:
        raise HandError(f"expected at most {MAX_LINE} bytes, got more")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise HandError(
            f"expected UTF-8 text, got the byte 0x{line[error.start]:02x} at position {error.start}"
        ) from None
    codes = parse_codes(text)
    if len(codes) != evaluator.hand_size:
        evaluator.evaluate(codes)  # raises what is wrong
    return codes


def _refused(hands: npt.NDArray[Any], evaluator: Evaluator) -> dict[int, str]:
    """Return the rows that are no hand of the deck, and why."""
    reasons = {}
    for row in np.flatnonzero(~evaluator.valid_mask(hands)).tolist():
        try:
            evaluator.evaluate(hands[row].tolist())
        except WildrankError as error:
            reasons[row] = str(error)
    return reasons


def _open_text(file: io.BufferedReader, column: str | None, evaluator: Evaluator) -> Source:
    blocks = _line_blocks(file, evaluator) if column is None else _cells(file, column, evaluator)
    return Source("line", _size(file), blocks)


def _line_blocks(file: io.BufferedReader, evaluator: Evaluator) -> Iterator[Block]:
    first = 1
    for text in _whole_lines(file):
        hands, _, errors = parse_block(text, evaluator)
        rejects = _rejects(text.split(b"\n"), errors, first.__add__) if errors else []
        yield Block(hands, rejects, _done(file))
        first += text.count(b"\n")


def _rejects(
    lines: list[bytes], errors: dict[int, str], place: Callable[[int], int]
) -> list[Reject]:
    return [
        Reject(
            place(line), lines[line].strip()[:MAX_LINE].decode(errors="backslashreplace"), reason
        )
        for line, reason in errors.items()
    ]


def _done(file: io.BufferedReader) -> int:
    return file.tell() if file.seekable() else 0


def _whole_lines(file: io.BufferedReader) -> Iterator[bytes]:
    """Yield all lines, some at a time; of one that is too long only some of it."""
    rest = file.read(len(BOM)).removeprefix(BOM)
    while chunk := file.read1(CHUNK):
        text, end, rest = (rest + chunk).rpartition(b"\n")
        if len(rest) > MAX_LINE:
            # If only blanks follow, the blanks at its end are none of the line; else they count.
            rest = _cut(rest) if len(rest.strip()) > MAX_LINE else rest.lstrip()[: MAX_LINE + 1]
        if end:
            yield text + end
    if rest:
        yield rest + b"\n"


def _cut(text: bytes) -> bytes:
    """Return a text without the blanks around it; of one that is too long, what still is that."""
    content = text.strip()
    return content if len(content) <= MAX_LINE else content[:MAX_LINE] + b"!"


def _cells(file: io.BufferedReader, column: str, evaluator: Evaluator) -> Iterator[Block]:
    """Read the cells of a column; the place of each is the line where the record ends."""
    csv.field_size_limit(MAX_RECORD)
    lines = _CsvLines(file)
    reader = csv.reader(lines, strict=True)  # an open quote would hide all that follows
    try:
        header = next(reader, [])
        if column not in header:
            names = ", ".join(map(repr, header)) or "none"
            raise HandError(
                f"line 1: expected a column {column!r} (--column names another), got {names}"
            )
        if (times := header.count(column)) > 1:
            raise HandError(f"line 1: expected one column {column!r}, got {times} of that name")
        lines.size = 0
        cells = _csv_cells(reader, lines, header.index(column))
        while block := list(islice(cells, ROWS)):
            places, texts = zip(*block, strict=True)
            text = b"".join(cell.replace(b"\n", b" ") + b"\n" for cell in texts)
            hands, _, errors = parse_block(text, evaluator, comments=False)
            rejects = _rejects(list(texts), errors, places.__getitem__)
            yield Block(hands, rejects, _done(file))
    except csv.Error as error:
        reason = "a line ends in CR alone" if "new-line" in str(error) else error
        raise HandError(f"line {reader.line_num}: expected well-formed CSV, but {reason}") from None


def _csv_cells(reader: Any, lines: "_CsvLines", index: int) -> Iterator[tuple[int, bytes]]:
    for record in reader:
        lines.size = 0
        if record:
            cell = record[index] if index < len(record) else ""
            yield reader.line_num, _cut(cell.encode(errors="surrogateescape"))


class _CsvLines:
    """The lines of a file, as long as no record is too large; `size` is that of the record."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file
        self._number = 0
        self.size = 0

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(MAX_RECORD):
            self._number += 1
            self.size += len(line)
            if self.size >= MAX_RECORD:
                raise HandError(
                    f"line {self._number}: expected fewer than {MAX_RECORD} bytes in a record"
                )
            encoding = "utf-8-sig" if self._number == 1 else "utf-8"
            yield line.decode(encoding, errors="surrogateescape")


def _size(file: io.BufferedReader) -> int | None:
    """Return the size of a regular file; None for a pipe or a terminal."""
    try:
        status = os.fstat(file.fileno())
    except OSError:  # no file of the system
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


# --- arrays ---


def _open_array(file: io.BufferedReader, evaluator: Evaluator) -> Source:
    try:
        with np.errstate(over="ignore"):  # NumPy warns of a shape that cannot be, before it raises
            mapped: _Mapped = np.lib.format.open_memmap(file.name, mode="r")
    except OSError:
        raise
    except Exception as error:  # a broken header makes NumPy raise almost anything
        reason = str(error).partition("\n")[0]
        raise HandError(f"expected an array in NumPy's .npy format: {reason}") from None
    hands, n = _hands(mapped), evaluator.hand_size
    if hands.ndim != 2 or hands.shape[1] != n or mapped.ndim == 0:
        shape = hands.shape if mapped.ndim else ()
        raise HandError(f"expected an array of int card codes of shape (N, {n}), got shape {shape}")
    evaluator.valid_mask(hands[:0])  # refuses a wrong dtype
    if mapped.nbytes > BLOCK * len(mapped):
        raise HandError(f"expected rows of at most {BLOCK} bytes, got more")
    return Source("row", len(mapped), _array_blocks(file, mapped, evaluator))


def _hands(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    names = array.dtype.names
    return array["hand"] if names is not None and "hand" in names else array


def _array_blocks(
    file: io.BufferedReader, mapped: _Mapped, evaluator: Evaluator
) -> Iterator[Block]:
    total = len(mapped)
    most = min(ROWS, max(1, BLOCK * total // max(1, mapped.nbytes)))
    for start in range(0, total, most):
        rows = _hands(_read_rows(file, mapped, start, min(most, total - start)))
        errors = _refused(rows, evaluator)
        rejects = [
            Reject(start + row, " ".join(map(str, rows[row].tolist())), reason)
            for row, reason in errors.items()
        ]
        good = np.delete(rows, list(errors), axis=0) if errors else rows
        yield Block(np.ascontiguousarray(good, dtype=np.uint8), rejects, start + len(rows))


def _read_rows(
    file: io.BufferedReader, mapped: _Mapped, start: int, count: int
) -> npt.NDArray[Any]:
    """Read rows from the file itself: what is read of a map stays in memory."""
    size = mapped.size // len(mapped)
    if mapped.flags.c_contiguous:
        rows = _read_elements(file, mapped, start * size, count * size)
        return rows.reshape(count, *mapped.shape[1:])
    firsts = range(start, mapped.size, len(mapped))  # in Fortran's order, column by column
    return np.stack([_read_elements(file, mapped, first, count) for first in firsts], axis=1)


def _read_elements(
    file: io.BufferedReader, mapped: _Mapped, first: int, count: int
) -> npt.NDArray[Any]:
    file.seek(mapped.offset + first * mapped.itemsize)
    data = file.read(count * mapped.itemsize)
    if len(data) < count * mapped.itemsize:
        raise HandError("expected the whole array, got the end of the file")
    return np.frombuffer(data, dtype=mapped.dtype)
