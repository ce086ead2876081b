"""Many lines of text: the core's parser reads what `parse_cards` reads, or stops there."""

import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from wildrank import CardError, parse_cards
from wildrank._evalcore import parse_lines

# The forms that the core takes; the others are left to `parse_cards`.
PLAIN = re.compile(r"[ ,]*(?:(?:(?:10|[2-9TtJjQqKkAa])[CcDdHhSs]|[Jj][Kk]|\*)[ ,]*)*\r?", re.ASCII)


def read(text: bytes, size: int, rows: int = 1000, start: int = 0) -> tuple[list[list[int]], int]:
    """Return the rows that the core reads, and where it stops."""
    out = np.full((rows, size), 255, dtype=np.uint8)
    count, stop = parse_lines(text, start, out)
    assert 0 <= count <= rows
    assert np.all(out[count:] == 255)
    return out[:count].tolist(), stop


def read_slowly(
    text: bytes, size: int, rows: int = 1000, start: int = 0
) -> tuple[list[list[int]], int]:
    """Return the same, from `parse_cards` and from the plain forms as a pattern."""
    found: list[list[int]] = []
    while len(found) < rows:
        end = text.find(b"\n", start)
        if end < 0:
            break
        line = text[start:end].decode("latin-1")
        if PLAIN.fullmatch(line) is None:
            break
        try:
            cards = parse_cards(line)
        except CardError:  # more than four jokers
            break
        if len(cards) != size:
            break
        found.append([int(card) for card in cards])
        start = end + 1
    return found, start


def plain_hand(rng: random.Random, size: int) -> str:
    """Write a hand in any of the plain forms."""
    text = rng.choice(["", "", " ", ", "])
    codes = rng.sample(range(52 + 4), size)
    jokers = sorted(code for code in codes if code >= 52)
    for code in codes:
        if code >= 52:
            text += rng.choice(["Jk", "jk", "JK", "jK", "*"])
        else:
            rank = "23456789TJQKA"[code // 4]
            rank = rng.choice([rank, rank.lower(), "10"] if rank == "T" else [rank, rank.lower()])
            text += rank + rng.choice(["cdhs", "CDHS"])[code % 4]
        text += rng.choice([" ", " ", "", ",", ", ", "  ", " ,, "])
    assert len(jokers) <= 4
    return text


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 10, 20, 52, 56])
def test_all_plain_forms(size: int) -> None:
    rng = random.Random(size)
    lines = [plain_hand(rng, size) for _ in range(2000)]
    text = "".join(line + rng.choice(["\n", "\r\n"]) for line in lines).encode()
    rows, stop = read(text, size, len(lines))
    assert stop == len(text)
    assert rows == [[int(card) for card in parse_cards(line)] for line in lines]


def test_every_spelling_of_every_card() -> None:
    for code in range(52):
        letter, suit = "23456789TJQKA"[code // 4], "cdhs"[code % 4]
        for rank in (letter, letter.lower(), *(["10"] if letter == "T" else [])):
            for text in (rank + suit, rank + suit.upper()):
                assert read(text.encode() + b"\n", 1) == ([[code]], len(text) + 1)
    for joker in (b"*", b"Jk", b"JK", b"jk", b"jK"):
        assert read(joker + b"\n", 1) == ([[52]], len(joker) + 1)
        assert read(joker * 4 + b"\n", 4) == ([[52, 53, 54, 55]], 4 * len(joker) + 1)


def test_the_same_card_twice_is_not_refused_here() -> None:
    assert read(b"As As\n", 2) == ([[51, 51]], 6)


GOOD = b"2c 3d\n"
NOT_TAKEN = [
    b"\n",
    b"\r\n",
    b"   \n",
    b",\n",
    b"2c\n",
    b"2c 3d 4h\n",
    b"2c 3d4\n",
    b"2c 3\n",
    b"2c d\n",
    b"2c 3x\n",
    b"2c 1h\n",
    b"2c 10\n",
    b"2c 10x\n",
    b"2c 100h\n",
    b"2c J\n",
    b"2c Jx\n",
    b"2c joker\n",
    b"2c jo\n",
    b"2c 3 d\n",
    b"2 c 3d\n",
    b"2c\t3d\n",
    b"2c 3d\t\n",
    b"2c 3d\r\r\n",
    b"2c\r3d\n",
    b"\r2c 3d\n",
    b"2c 3d\x00\n",
    b"2c \x003d\n",
    b"2c;3d\n",
    b"# 2c 3d\n",
    b'"2c 3d"\n',
    "2c 3♦\n".encode(),
    "2c 🃏\n".encode(),
    "\ufeff2c 3d\n".encode(),
    "2c\u00a03d\n".encode(),
    b"2c \xb2d\n",
    b"2c 3\xe4\n",
    b"\xff\xff\n",
]


@pytest.mark.parametrize("line", NOT_TAKEN)
@pytest.mark.parametrize("before", [0, 1, 7])
def test_reading_stops_at_a_line_that_is_no_plain_hand(line: bytes, before: int) -> None:
    text = GOOD * before + line + GOOD * 3
    assert read(text, 2) == ([[0, 5]] * before, len(GOOD) * before)
    assert read_slowly(text, 2) == read(text, 2)
    behind = len(GOOD) * before + len(line)
    assert read(text, 2, start=behind) == ([[0, 5]] * 3, len(text))


def test_more_jokers_than_there_are_stop_it() -> None:
    for size in (5, 6, 20):
        text = b"*" * size + b"\n"
        with pytest.raises(CardError, match="at most 4 jokers"):
            parse_cards(text.decode())
        assert read(text, size) == ([], 0)
        assert read(b"2c * Jk * jk As\n" + b"2c * Jk * jk *\n", 6)[1] == 16


@pytest.mark.parametrize("end", [b"", b"\r", b" ", b",2c", b" 4"])
def test_a_line_without_an_end_is_left(end: bytes) -> None:
    assert read(GOOD * 2 + b"2c 3d" + end, 2) == ([[0, 5]] * 2, 12)
    assert read(b"2c 3d" + end, 2) == ([], 0)


def test_nothing_to_read() -> None:
    assert read(b"", 5) == ([], 0)
    assert read(GOOD, 2, start=len(GOOD)) == ([], len(GOOD))
    assert read(GOOD, 2, rows=0) == ([], 0)
    assert read(GOOD * 2, 2, rows=0, start=6) == ([], 6)


def test_reading_goes_on_where_it_stopped() -> None:
    rng = random.Random(3)
    lines = [plain_hand(rng, 5) for _ in range(500)]
    text = "\r\n".join([*lines, ""]).encode()
    expected = [[int(card) for card in parse_cards(line)] for line in lines]
    for rows in (1, 2, 7, 499, 500, 501):
        found: list[list[int]] = []
        stop = 0
        while stop < len(text):
            part, stop = read(text, 5, rows, stop)
            assert 1 <= len(part) <= rows
            found += part
        assert found == expected


def test_reading_may_start_anywhere() -> None:
    text = b"2c 3d\n4h 5s\r\nAs Kd\n"
    for start in range(len(text) + 1):
        assert read(text, 2, start=start) == read_slowly(text, 2, start=start)


@pytest.mark.parametrize(
    "form", [bytes, bytearray, memoryview, lambda text: np.frombuffer(text, "u1")]
)
def test_forms_of_the_text(form: Any) -> None:
    out = np.empty((3, 2), dtype=np.uint8)
    assert parse_lines(form(GOOD * 2), 0, out) == (2, 12)
    assert out[:2].tolist() == [[0, 5]] * 2


# --- any bytes -------------------------------------------------------------------------------

ALPHABETS = {
    "cards": b"23456789TJQKAtjqkacdhsCDHS10*jkJK ,",
    "short": b"2cJk*1\n",
    "lines": b"AKcdhs10Jk* ,\r\n\n",
    "any": bytes(range(256)) + b"\n" * 20 + b"As Kd 10h jk *" * 8,
}


def garbage(rng: random.Random, alphabet: bytes) -> Iterator[bytes]:
    """Yield lines of garbage, of hands, and of hands with a byte changed, left out or put in."""
    while True:
        line = bytearray(plain_hand(rng, rng.choice([2, 2, 2, 1, 3])), "ascii")
        kind = rng.random()
        if kind < 0.3:
            line = bytearray(rng.choices(alphabet, k=rng.randrange(12)))
        elif kind < 0.6:
            place = rng.randrange(len(line))
            line[place : place + rng.randrange(2)] = bytes(
                rng.choices(alphabet, k=rng.randrange(3))
            )
        yield bytes(line) + rng.choice([b"\n", b"\n", b"\r\n", b""])


@pytest.mark.parametrize("name", ALPHABETS)
def test_any_bytes(name: str) -> None:
    """What is read and where it stops is what `parse_cards` says, line after line."""
    rng = random.Random(name)
    lines = garbage(rng, ALPHABETS[name])
    taken = refused = 0
    for _ in range(1500):
        text = b"".join(next(lines) for _ in range(rng.randrange(12)))
        size = rng.choice([1, 2, 2, 2, 3])
        rows = rng.choice([1, 3, 100])
        start = 0
        while True:
            found, stop = read(text, size, rows, start)
            assert (found, stop) == read_slowly(text, size, rows, start)
            taken += len(found)
            if stop == start:
                refused += 1
                start = text.find(b"\n", start) + 1  # as the command does with a line by itself
                if start == 0:
                    break
            else:
                start = stop
    assert min(taken, refused) > 1000


def test_a_million_bytes_of_garbage() -> None:
    """Nothing but the rows is written, and no byte makes it crash."""
    data = np.random.default_rng(1).integers(256, size=1_000_000, dtype=np.uint8)
    data[data > 200] = ord("\n")
    text = data.tobytes()
    start = count = 0
    while start >= 0:
        found, stop = read(text, 1, 4, start)
        count += len(found)
        assert all(0 <= row[0] < 56 for row in found)
        start = stop if stop > start else text.find(b"\n", start) + 1 or -1
    assert count > 100


# --- arguments that do not fit ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "width"), [(-1, 5), (7, 5), (10**9, 5), (0, 0), (0, 65), (0, 1000)]
)
def test_what_does_not_fit(start: int, width: int) -> None:
    with pytest.raises(IndexError):
        parse_lines(GOOD, start, np.empty((3, width), dtype=np.uint8))


def test_wrong_types() -> None:
    out: npt.NDArray[np.uint8] = np.empty((3, 2), dtype=np.uint8)
    wrong: list[tuple[Any, Any]] = [
        ("2c 3d\n", out),
        (None, out),
        (GOOD, None),
        (GOOD, out.astype(np.int8)),
        (GOOD, out.astype(np.uint16)),
        (GOOD, out[:, ::2]),
        (GOOD, out[0]),
        (np.zeros((2, 2), dtype=np.uint8), out),
    ]
    for text, array in wrong:
        with pytest.raises((TypeError, ValueError)):
            parse_lines(text, 0, array)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        parse_lines(GOOD, 0, out)
