"""Reading hands from text, CSV and .npy files, a block at a time."""

import csv
import errno
import io
import os
import stat
import sys
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from wildrank.cards import FIRST_JOKER, MAX_JOKERS, RANKS, SUITS, Card, parse_codes
from wildrank.errors import HandError, WildrankError
from wildrank.evaluator import Evaluator

__all__ = ["STDIN", "Block", "Reject", "Source", "is_array", "open_source", "parse_block"]

STDIN: Final = "-"
CHUNK: Final = 1 << 18  # bytes of text in a block
ROWS: Final = 1 << 15  # rows in a block
MAX_LINE: Final = 1_000  # bytes; no hand is that long
MAX_CSV_LINE: Final = 1 << 20  # bytes
BOM: Final = b"\xef\xbb\xbf"

Hands = npt.NDArray[np.uint8]


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
        if is_array(path):
            yield _open_array(Path(path), evaluator)
        elif path == STDIN:
            if sys.stdin is None:  # as it is when the descriptor is closed
                raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard input")
            yield _open_text(cast(io.BufferedReader, sys.stdin.buffer), column, evaluator)
        else:
            if column is None and Path(path).suffix.lower() == ".csv":
                column = "hand"
            with Path(path).open("rb") as file:
                yield _open_text(file, column, evaluator)
    except HandError as error:
        name = "standard input" if path == STDIN else path
        raise HandError(f"{name}, {error}") from None


# --- text ---


def parse_block(lines: Sequence[bytes], evaluator: Evaluator) -> tuple[Hands, dict[int, str]]:
    """Read a block of lines, each a hand.

    Parameters
    ----------
    lines : sequence of bytes
        UTF-8 text, without white space around it.
    evaluator : Evaluator
        Says how many cards a hand has, and of which deck.

    Returns
    -------
    hands : ndarray of uint8, shape (len(lines), hand_size)
        Card codes; a row of zeros for a line that is no hand.
    errors : dict of int to str
        What is wrong with which line, in their order.
    """
    hands = np.zeros((len(lines), evaluator.hand_size), dtype=np.uint8)
    errors: dict[int, str] = {}
    for row in _parse_usual(lines, hands):
        try:
            hands[row] = _parse_line(lines[row], evaluator)
        except WildrankError as error:
            errors[row] = str(error)
    errors |= _refused(hands, evaluator, known=errors)
    return hands, dict(sorted(errors.items()))


def _pair_codes() -> Hands:
    """Return the code of every card that is written as two ASCII characters; 255 for the rest."""
    codes = np.full(1 << 16, 255, dtype=np.uint8)
    natural = [(rank, suit) for rank in RANKS + "tjqka" for suit in SUITS + SUITS.upper()]
    for first, second in [*natural, ("J", "k"), ("J", "K"), ("j", "k"), ("j", "K")]:
        codes[ord(first) << 8 | ord(second)] = Card(first + second)
    return codes


_PAIR_CODES: Final = _pair_codes()


def _parse_usual(lines: Sequence[bytes], hands: Hands) -> list[int]:
    """Read the lines such as ``As Kd Th Td Jk`` or ``AsKdThTdJk``; return which are others."""
    size = hands.shape[1]
    lengths = np.fromiter(map(len, lines), dtype=np.intp, count=len(lines))
    read = np.zeros(len(lines), dtype=np.bool_)
    for step in (3, 2):  # characters from card to card
        length = size * step - (step - 2)
        rows = np.flatnonzero(lengths == length)
        joined = b"".join([line for line in lines if len(line) == length])
        text = np.frombuffer(joined, dtype=np.uint8).reshape(-1, length)
        pairs = text[:, 0::step].astype(np.uint16) << 8 | text[:, 1::step]
        codes = _PAIR_CODES[pairs]
        jokers = codes == FIRST_JOKER
        codes += (jokers.cumsum(axis=1, dtype=np.uint8) - 1) * jokers
        good = (codes < FIRST_JOKER + MAX_JOKERS).all(axis=1)
        if step == 3:
            gaps = text[:, 2::3]
            good &= ((gaps == ord(" ")) | (gaps == ord(","))).all(axis=1)
        hands[rows[good]] = codes[good]
        read[rows[good]] = True
    others: list[int] = np.flatnonzero(~read).tolist()
    return others


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


def _refused(
    hands: npt.NDArray[Any], evaluator: Evaluator, known: Container[int] = ()
) -> dict[int, str]:
    """Return the rows that are no hand of the deck, but for those known, and why."""
    reasons = {}
    for row in np.flatnonzero(~evaluator.valid_mask(hands)).tolist():
        if row not in known:
            try:
                evaluator.evaluate(hands[row].tolist())
            except WildrankError as error:
                reasons[row] = str(error)
    return reasons


def _open_text(file: io.BufferedReader, column: str | None, evaluator: Evaluator) -> Source:
    numbered = _numbered_lines(file) if column is None else _numbered_cells(file, column)
    return Source("line", _size(file), _text_blocks(file, numbered, evaluator))


def _text_blocks(
    file: io.BufferedReader, numbered: Iterator[list[tuple[int, bytes]]], evaluator: Evaluator
) -> Iterator[Block]:
    for part in numbered:
        lines = [line for _, line in part]
        hands, errors = parse_block(lines, evaluator)
        rejects = [
            Reject(part[row][0], lines[row][:MAX_LINE].decode(errors="backslashreplace"), reason)
            for row, reason in errors.items()
        ]
        good = np.delete(hands, list(errors), axis=0) if errors else hands
        yield Block(good, rejects, file.tell() if file.seekable() else 0)


def _numbered_lines(file: io.BufferedReader) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the lines that hold a hand with their numbers: not the blank ones and comments."""
    number = 1
    for lines in _line_blocks(file):
        if number == 1:
            lines[0] = lines[0].removeprefix(BOM)
        yield [
            (place, text)
            for place, line in enumerate(lines, number)
            if (text := line.strip()) and not text.startswith(b"#")
        ]
        number += len(lines)


def _line_blocks(file: io.BufferedReader) -> Iterator[list[bytes]]:
    """Yield all lines; of one that is longer than `MAX_LINE` only some of it."""
    rest = b""
    while chunk := file.read1(CHUNK):
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()[: MAX_LINE + len(BOM) + 1]  # still too long, whatever is added to it
        if lines:
            yield lines
    if rest:
        yield [rest]


def _numbered_cells(file: io.BufferedReader, column: str) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the cells of a column with the number of the line where the record ends."""
    reader = csv.reader(_csv_lines(file))
    try:
        header = next(reader, [])
        if column not in header:
            names = ", ".join(map(repr, header)) or "none"
            raise HandError(
                f"line 1: expected a column {column!r} (--column names another), got {names}"
            )
        cells = _csv_cells(reader, header.index(column))
        while block := list(islice(cells, ROWS)):
            yield block
    except csv.Error as error:
        raise HandError(f"line {reader.line_num}: {error}") from None


def _csv_cells(reader: Any, index: int) -> Iterator[tuple[int, bytes]]:
    for record in reader:
        if record:
            cell = record[index] if index < len(record) else ""
            yield reader.line_num, cell.strip().encode(errors="surrogateescape")


def _csv_lines(file: io.BufferedReader) -> Iterator[str]:
    number = 0
    while line := file.readline(MAX_CSV_LINE):
        number += 1
        if len(line) == MAX_CSV_LINE:
            raise HandError(f"line {number}: expected fewer than {MAX_CSV_LINE} bytes")
        yield line.decode("utf-8-sig" if number == 1 else "utf-8", errors="surrogateescape")


def _size(file: io.BufferedReader) -> int | None:
    """Return the size of a regular file; None for a pipe or a terminal."""
    try:
        status = os.fstat(file.fileno())
    except OSError:  # no file of the system
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


# --- arrays ---


def _open_array(path: Path, evaluator: Evaluator) -> Source:
    try:
        array: npt.NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except OSError:
        raise
    except Exception as error:  # a broken header makes NumPy raise almost anything
        reason = str(error).partition("\n")[0]
        raise HandError(f"expected an array in NumPy's .npy format: {reason}") from None
    if array.dtype.names is not None and "hand" in array.dtype.names:
        array = array["hand"]
    evaluator.valid_mask(np.atleast_1d(array)[:0])  # refuses a wrong shape or dtype
    return Source("row", len(array), _array_blocks(array, evaluator))


def _array_blocks(array: npt.NDArray[Any], evaluator: Evaluator) -> Iterator[Block]:
    for start in range(0, len(array), ROWS):
        rows = array[start : start + ROWS]
        errors = _refused(rows, evaluator)
        rejects = [
            Reject(start + row, " ".join(map(str, rows[row].tolist())), reason)
            for row, reason in errors.items()
        ]
        good = np.delete(rows, list(errors), axis=0) if errors else rows
        yield Block(np.ascontiguousarray(good, dtype=np.uint8), rejects, start + len(rows))
