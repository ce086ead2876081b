"""Evaluating hands in every form, and what values mean."""

import array
import copy
import gc
import math
import pickle
import random
import re
import subprocess
import sys
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from threading import Event, Thread
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import wildrank
from wildrank import (
    Card,
    CardError,
    Category,
    Evaluator,
    HandError,
    RuleError,
    RuleSet,
    parse_cards,
)
from wildrank._evalcore import Tables
from wildrank.evaluator import ROWS_PER_THREAD
from wildrank.games import paiute, perico, puck, six_card_perico

PERICO = Evaluator(perico.RULES)
PUCK = Evaluator(puck.RULES)
PAIUTE = Evaluator(paiute.RULES)
EVERY = [PERICO, Evaluator(six_card_perico.RULES), PUCK, PAIUTE]

Rows = npt.NDArray[np.uint8]


def deal(ev: Evaluator, count: int, seed: int = 1) -> Rows:
    rng = random.Random(seed)
    deck = range(52 + ev.rules.jokers)
    rows = [rng.sample(deck, ev.hand_size) for _ in range(count)]
    return np.array(rows, dtype=np.uint8).reshape(count, ev.hand_size)


# --- one hand, in every form ---

HAND = [45, 34, 33, 52, 0]  # Kd Th Td Jk 2c


def read_only(values: list[int]) -> Rows:
    hand = np.array(values, dtype=np.uint8)
    hand.flags.writeable = False
    return hand


@pytest.mark.parametrize(
    "form",
    [
        "Kd Th Td Jk 2c",
        "KdThTdJk2c",
        "kd,10h,10d,*,2C",
        "K♦ 10♥\ufe0f T♦ 🃏 2♣",
        " KD\tTH\nTD joker 2c ",
        np.str_("Kd Th Td Jk 2c"),
        HAND,
        tuple(HAND),
        [Card(code) for code in HAND],
        tuple(Card(code) for code in HAND),
        ["Kd", "10h", "Td", "joker", "2c"],
        ["Kd", 34, Card(33), np.int64(52), "2c"],
        [np.int64(code) for code in HAND],
        tuple(np.uint8(code) for code in HAND),
        bytes(HAND),
        bytearray(HAND),
        memoryview(bytes(HAND)),
        memoryview(bytes([45, 9, 34, 9, 33, 9, 52, 9, 0, 9]))[::2],
        memoryview(bytes(HAND)).cast("b"),
        array.array("B", HAND),
        array.array("q", HAND),
        np.array(HAND, dtype=np.uint8),
        np.array(HAND, dtype=np.int8),
        np.array(HAND, dtype=np.int64),
        np.array(HAND, dtype=">u4"),
        np.array(HAND[::-1], dtype=np.uint8)[::-1],
        np.array([HAND, HAND], dtype=np.uint8, order="F")[1],
        read_only(HAND),
        np.ma.array(HAND, dtype=np.uint8),
        np.array(HAND).view(np.recarray),
    ],
    ids=lambda form: type(form).__name__,
)
def test_every_form_of_a_hand_has_the_same_value(form: Any) -> None:
    assert PERICO.evaluate(form) == PERICO.evaluate([45, 34, 33, 52, 0]) > 0
    assert PERICO.explain(form).cards == tuple(HAND)
    assert type(PERICO.evaluate(form)) is int


@pytest.mark.parametrize("form", [iter, set, lambda hand: (code for code in hand)])
def test_any_iterable_is_a_hand(form: Callable[[list[int]], Any]) -> None:
    assert PERICO.evaluate(form(HAND)) == PERICO.evaluate(HAND)
    assert PERICO.explain(form(HAND)).value == PERICO.evaluate(HAND)


def test_ranges_are_hands() -> None:
    assert PUCK.evaluate(range(3)) == PUCK.evaluate("2c 2d 2h")
    assert PUCK.evaluate(range(8, -1, -4)) == PUCK.evaluate("4c 3c 2c")


def test_arguments_by_name() -> None:
    assert PERICO.evaluate(hand=HAND, wild_rank=None) == PERICO.evaluate(HAND)
    assert PERICO.explain(hand=HAND, wild_rank=None) == PERICO.explain(HAND)


def test_batch_agrees_with_single_hands() -> None:
    for ev in EVERY:
        rows = deal(ev, 300)
        assert ev.evaluate_batch(rows).tolist() == [ev.evaluate(row) for row in rows]
        assert ev.evaluate_batch(rows).dtype == np.uint16


# --- many hands, in every form ---

INTEGERS = ["b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", ">i2", ">u4", "<i8", ">u8"]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_integer_dtype_and_order(dtype: str, order: Any) -> None:
    rows = deal(PERICO, 50)
    expected = PERICO.evaluate_batch(rows)
    assert PERICO.evaluate_batch(rows.astype(dtype, order=order)).tolist() == expected.tolist()


def padded(rows: Rows) -> Rows:
    wide = np.full((2 * len(rows), rows.shape[1] + 3), 255, dtype=np.uint8)
    wide[::2, 1:-2] = rows
    return wide[::2, 1:-2]


class Elsewhere:
    """An array, or a table, of another package."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __array__(self, dtype: Any = None, copy: Any = None) -> npt.NDArray[Any]:
        return np.asarray(self._rows, dtype=dtype)

    def __iter__(self) -> Iterator[str]:
        return iter(["names", "of", "columns"])


def frozen(rows: Rows) -> Rows:
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


@pytest.mark.parametrize(
    "form",
    [
        np.ndarray.tolist,
        lambda rows: [tuple(row) for row in rows.tolist()],
        lambda rows: [[Card(code) for code in row] for row in rows],
        list,
        tuple,
        lambda rows: [bytearray(row) for row in rows],
        lambda rows: memoryview(rows.tobytes()).cast("B", rows.shape),
        lambda rows: np.repeat(rows, 2, axis=0)[::2],
        lambda rows: rows[::-1].copy()[::-1],
        lambda rows: rows[:, ::-1].copy()[:, ::-1],
        lambda rows: rows[::-1, ::-1].astype(np.int64)[::-1, ::-1],
        lambda rows: rows.T.copy().T,
        padded,
        frozen,
        lambda rows: frozen(padded(rows)),
        Elsewhere,
        np.ma.array,
        lambda rows: rows.view(np.recarray),
    ],
)
def test_every_form_of_many_hands(form: Callable[[Rows], Any]) -> None:
    rows = deal(PERICO, 40)
    given = form(rows)
    assert PERICO.evaluate_batch(given).tolist() == PERICO.evaluate_batch(rows).tolist()
    assert PERICO.valid_mask(given).all()


def test_ranges_are_rows() -> None:
    rows = [range(3), range(3, 6)]
    assert PUCK.evaluate_batch(rows).tolist() == [PUCK.evaluate(row) for row in rows]


@pytest.mark.parametrize("rows", [[], (), np.empty((0, 5), dtype=np.uint8), np.empty((0, 5), int)])
def test_no_hands(rows: Any) -> None:
    values = PERICO.evaluate_batch(rows, threads=2)
    assert values.shape == PERICO.valid_mask(rows).shape == (0,)
    assert values.dtype == np.uint16
    assert PERICO.valid_mask(rows).dtype == np.bool_
    out = np.empty(0, dtype=np.uint16)
    assert PERICO.evaluate_batch(rows, out=out) is out
    assert Evaluator(paiute.rules(hand_size=5)).evaluate_batch(rows, wild_ranks=[]).shape == (0,)


def test_the_input_is_not_changed() -> None:
    for dtype in (np.uint8, np.int64):
        rows = deal(PERICO, 20).astype(dtype)
        before = rows.copy()
        PERICO.evaluate_batch(rows)
        PERICO.valid_mask(rows)
        assert (rows == before).all()


# --- out ---


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(20, dtype=np.uint16),
        np.zeros(40, dtype=np.uint16)[::2],
        np.zeros(20, dtype=np.uint16)[::-1],
        np.zeros((20, 3), dtype=np.uint16)[:, 1],
        np.frombuffer(bytearray(41), dtype=np.uint16, offset=1, count=20),
    ],
    ids=["contiguous", "strided", "reversed", "column", "unaligned"],
)
def test_out_is_filled_and_returned(out: npt.NDArray[np.uint16]) -> None:
    rows = deal(PUCK, 20)
    assert PUCK.evaluate_batch(rows, out=out) is out
    assert out.tolist() == PUCK.evaluate_batch(rows).tolist()


def test_only_out_is_written() -> None:
    around = np.full((12, 3), 9999, dtype=np.uint16)
    PUCK.evaluate_batch(deal(PUCK, 10), out=around[1:-1, 1])
    around[1:-1, 1] = 9999
    assert (around == 9999).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int64])
@pytest.mark.parametrize("offset", [0, 2, 6, 24])
def test_out_may_overlap_the_hands(dtype: Any, offset: int) -> None:
    rows = deal(PUCK, 20)
    memory = np.zeros(1000, dtype=np.uint8)
    hands = memory[: rows.size * np.dtype(dtype).itemsize].view(dtype).reshape(rows.shape)
    hands[...] = rows
    out = memory[offset : offset + 40].view(np.uint16)
    assert PUCK.evaluate_batch(hands, out=out) is out
    assert out.tolist() == PUCK.evaluate_batch(rows).tolist()


def test_out_may_be_the_wild_ranks() -> None:
    rows = deal(PAIUTE, 20)
    ranks = np.arange(20, dtype=np.uint16) % 13
    expected = PAIUTE.evaluate_batch(rows, wild_ranks=ranks)
    PAIUTE.evaluate_batch(rows, wild_ranks=ranks, out=ranks)
    assert ranks.tolist() == expected.tolist()


# --- threads ---


@pytest.mark.parametrize("count", [0, 1, ROWS_PER_THREAD, 3 * ROWS_PER_THREAD + 1])
def test_any_number_of_threads_gives_the_same(count: int) -> None:
    rows = np.resize(deal(PAIUTE, 2000), (count, 6))
    ranks = np.arange(count) % 13
    expected = PAIUTE.evaluate_batch(rows, wild_ranks=ranks)
    numbers: list[Any] = [1, 2, 3, 4, np.int64(2), 10**9]
    for threads in numbers:
        values = PAIUTE.evaluate_batch(rows, wild_ranks=ranks, threads=threads)
        assert (values == expected).all()


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_the_lowest_bad_row_is_named_whatever_the_threads(threads: int) -> None:
    count = 4 * ROWS_PER_THREAD
    rows = np.tile(np.arange(3, dtype=np.uint8), (count, 1))
    for row in (count - 1, count // 2, count // 3, count // 3 - 1, 5, 0):
        rows[row] = [7, 8, 7]
        with pytest.raises(HandError) as caught:
            PUCK.evaluate_batch(rows, threads=threads)
        assert (caught.value.row, caught.value.position) == (row, 2)


def test_a_batch_lets_other_threads_run() -> None:
    """With this switch interval another thread runs only when the core lets go of the GIL."""
    rows = deal(PERICO, 2000)
    rows = np.tile(rows, (2000, 1))
    out = np.empty(len(rows), dtype=np.uint16)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        assert any(runs_beside(lambda: PERICO.evaluate_batch(rows, out=out)) for _ in range(100))
        assert not any(runs_beside(lambda: None) for _ in range(5))
    finally:
        sys.setswitchinterval(interval)


def runs_beside(call: Callable[[], object]) -> bool:
    """Return whether another thread did something during a call."""
    begin, done = Event(), Event()

    def work() -> None:
        begin.wait()
        done.set()

    worker = Thread(target=work)
    worker.start()
    begin.set()
    before = done.is_set()
    call()
    after = done.is_set()
    worker.join()
    return after and not before


def test_one_evaluator_in_several_threads() -> None:
    rows = deal(PAIUTE, 400)
    texts = [wildrank.format_cards(row) for row in rows.tolist()]

    def work(rank: int) -> tuple[list[int], list[int], list[int], Evaluator]:
        ev = Evaluator(paiute.RULES.replace(name="in threads"))
        batch = ev.evaluate_batch(rows, wild_ranks=rank).tolist()
        single = [ev.evaluate(text, rank) for text in texts]
        return batch, single, [ev.explain(text, rank).value for text in texts[:50]], ev

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(13)))
    for rank, (batch, single, explained, ev) in enumerate(results):
        assert batch == single == PAIUTE.evaluate_batch(rows, wild_ranks=rank).tolist()
        assert explained == batch[:50]
        assert ev._tables is results[0][3]._tables


# --- wild ranks ---


@pytest.mark.parametrize("rank", ["7", 5, np.int8(5), np.array(5)], ids=repr)
def test_one_wild_rank_for_all_hands(rank: Any) -> None:
    rows = deal(PAIUTE, 300)
    expected = [PAIUTE.evaluate(row, 5) for row in rows]
    assert max(expected) > 0
    assert PAIUTE.evaluate_batch(rows, wild_ranks=rank).tolist() == expected
    assert [PAIUTE.evaluate(row, rank) for row in rows] == expected


@pytest.mark.parametrize("text", ["T", "t", "10"])
def test_texts_of_the_ten(text: str) -> None:
    row = parse_cards("Tc Td 9c 9d 9h 2s")
    assert PAIUTE.category_of(PAIUTE.evaluate(row, text)) == "five_of_a_kind"
    assert PAIUTE.category_of(PAIUTE.evaluate_batch([row], wild_ranks=[text])[0]) == (
        "five_of_a_kind"
    )
    assert PAIUTE.explain(row, text).value == PAIUTE.evaluate(row, 8)


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        np.array,
        lambda ranks: np.array(ranks, dtype=np.uint8),
        lambda ranks: np.array(ranks, dtype=">i4"),
        lambda ranks: np.repeat(np.array(ranks, dtype=np.uint8), 2)[::2],
        lambda ranks: np.array(ranks, dtype=np.uint8)[::-1].copy()[::-1],
        lambda ranks: ["23456789TJQKA"[rank] for rank in ranks],
        lambda ranks: ["10" if rank == 8 else "23456789tjqka"[rank] for rank in ranks],
        lambda ranks: np.array(["23456789TJQKA"[rank] for rank in ranks]),
        lambda ranks: np.array(["23456789TJQKA"[rank] for rank in ranks], dtype=object),
        lambda ranks: np.array(ranks, dtype=object),
        pytest.param(
            lambda ranks: [rank if rank % 2 else "23456789TJQKA"[rank] for rank in ranks],
            id="texts and ints",
        ),
    ],
)
def test_a_wild_rank_for_each_hand(form: Callable[[list[int]], Any]) -> None:
    rows = deal(PAIUTE, 260)
    ranks = [row % 13 for row in range(260)]
    expected = [PAIUTE.evaluate(row, rank) for row, rank in zip(rows, ranks, strict=True)]
    assert PAIUTE.evaluate_batch(rows, wild_ranks=form(ranks)).tolist() == expected


def combination_hands(wild_rank: int, size: int, count: int) -> Rows:
    """Return hands of few ranks or of one suit, with some cards of the wild rank."""
    rng = random.Random(wild_rank * 10 + size)
    rows: list[list[int]] = []
    while len(rows) < count:
        ranks = rng.sample([rank for rank in range(13) if rank != wild_rank], rng.randint(2, 4))
        of_few_ranks = [rank * 4 + suit for rank in ranks for suit in range(4)]
        of_one_suit = [rank * 4 + rng.randrange(4) // 3 for rank in range(13)]
        naturals = {*rng.choice([of_few_ranks, of_one_suit])} - {
            wild_rank * 4 + s for s in range(4)
        }
        wilds = rng.sample(range(4), rng.randint(0, 4))
        hand = [wild_rank * 4 + suit for suit in wilds]
        hand += rng.sample(sorted(naturals), size - len(hand))
        rng.shuffle(hand)
        rows.append(hand)
    return np.array(rows, dtype=np.uint8)


@pytest.mark.parametrize("ace", ["high", "both"])
@pytest.mark.parametrize("hand_size", [5, 6])
def test_wild_rank_per_hand_agrees_with_a_declared_one(hand_size: int, ace: str) -> None:
    """In category and in order; the values themselves need not be the same."""
    given = Evaluator(paiute.rules(hand_size=hand_size, ace=ace))
    for rank in range(13):
        declared = Evaluator(paiute.rules(hand_size=hand_size, ace=ace, wild_rank=rank))
        rows = combination_hands(rank, hand_size, 800)
        values = given.evaluate_batch(rows, wild_ranks=rank)
        others = declared.evaluate_batch(rows)
        assert (given.category_index(values) == declared.category_index(others)).all()
        assert len(np.unique(given.category_index(values))) == len(given.rules.categories) + 1
        order = np.unique(values, return_inverse=True)[1]
        assert (order == np.unique(others, return_inverse=True)[1]).all()


def test_a_hand_without_the_wild_rank_keeps_its_value() -> None:
    rows = combination_hands(5, 6, 1000)
    rows = rows[(rows // 4 != 5).all(axis=1)]
    assert PAIUTE.evaluate_batch(rows).any()
    assert PAIUTE.evaluate_batch(rows).tolist() == (
        PAIUTE.evaluate_batch(rows, wild_ranks="7").tolist()
    )


STANDARD = RuleSet(
    "standard",
    5,
    [
        Category("straight flush", straight=True, flush=True),
        Category("four", shape=(4, 1)),
        Category("full house", shape=(3, 2)),
        Category("flush", flush=True),
        Category("straight", straight=True),
        Category("three", shape=(3, 1, 1)),
        Category("two pair", shape=(2, 2, 1)),
        Category("pair", shape=(2, 1, 1, 1)),
        Category("high", shape=(1, 1, 1, 1, 1)),
    ],
)


def test_wild_ranks_where_the_values_leave_room() -> None:
    """Wild cards make no hand there that natural ones do not make."""
    ev = Evaluator(STANDARD)
    roomy = Evaluator(STANDARD.replace(wild_rank_per_hand=True))
    assert ev.num_values == roomy.num_values == 7462
    rows = deal(ev, 200)
    ranks = np.arange(200) % 13
    expected = [roomy.evaluate(row, int(rank)) for row, rank in zip(rows, ranks, strict=True)]
    assert ev.evaluate_batch(rows, wild_ranks=ranks, threads=2).tolist() == expected
    assert [ev.evaluate(row, int(rank)) for row, rank in zip(rows, ranks, strict=True)] == expected
    assert ev.explain(rows[0], int(ranks[0])).value == expected[0]
    assert ev.winners(["7c 7d 2c 3d 9h", "Ac Ad Ah Kc Kd"], wild_rank="7") == [1]
    assert (ev.value_counts("7") == roomy.value_counts("7")).all()
    declared = Evaluator(STANDARD.replace(wild_ranks="7"))
    assert ev.category_counts("7") == declared.category_counts()


@pytest.mark.parametrize(
    "call",
    [
        lambda ev: ev.evaluate("7c 7d 2c 3d 9h", "7"),
        lambda ev: ev.evaluate_batch(deal(ev, 3), wild_ranks=5),
        lambda ev: ev.evaluate_batch(deal(ev, 3), wild_ranks=[5, 6, 7]),
        lambda ev: ev.explain("7c 7d 2c 3d 9h", 5),
        lambda ev: ev.winners(["7c 7d 2c 3d 9h"], "7"),
        lambda ev: ev.value_counts("7"),
        lambda ev: ev.category_counts(5),
    ],
)
def test_wild_ranks_where_the_values_leave_no_room(call: Callable[[Evaluator], object]) -> None:
    """Five of a kind: no natural hand makes it, so its values would have no number."""
    five = Category("five", shape=(5,))
    ev = Evaluator(STANDARD.replace(name="five", categories=(five, *STANDARD.categories)))
    message = (
        "rule set 'five': expected wild_rank_per_hand=True in rules that are used with a wild rank "
        "for each hand, because it makes hands with 7475 different values where the deck alone "
        "makes 7462"
    )
    for _ in range(2):
        with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
            call(ev)
    call(Evaluator(ev.rules.replace(wild_rank_per_hand=True)))


def test_a_wild_rank_that_is_wild_already_changes_nothing() -> None:
    ev = Evaluator(paiute.rules(wild_rank="7").replace(wild_rank_per_hand=True))
    rows = combination_hands(5, 6, 200)
    values = ev.evaluate_batch(rows)
    assert ev.evaluate_batch(rows, wild_ranks="7").tolist() == values.tolist()
    assert (ev.value_counts("7") == ev.value_counts()).all()


# --- validity ---


def test_valid_mask_names_the_rows_that_evaluate_batch_takes() -> None:
    rows = deal(PUCK, 8)
    rows[[1, 3, 4, 6]] = [[0, 1, 54], [255, 0, 1], [9, 9, 1], [52, 53, 0]]
    expected = [True, False, True, False, False, True, True, True]
    assert PUCK.valid_mask(rows).tolist() == expected
    assert PUCK.valid_mask(rows.tolist()).tolist() == expected
    assert PUCK.valid_mask(rows.astype(">i8")[:, ::-1]).tolist() == expected
    mask = PUCK.valid_mask(rows)
    assert mask.dtype == np.bool_
    assert len(PUCK.evaluate_batch(rows[mask])) == 5


def test_codes_that_would_wrap_around_are_not_valid() -> None:
    rows = [[0, 1, code] for code in (-254, -1, 256 + 2, 2**32 + 2, 2**40, -(2**62))]
    assert not PUCK.valid_mask(rows).any()


# --- what values mean ---


@pytest.fixture(scope="module")
def all_puck_values() -> npt.NDArray[np.uint16]:
    return PUCK.evaluate_batch(list(combinations(range(54), 3)))


def test_values_are_dense(all_puck_values: npt.NDArray[np.uint16]) -> None:
    assert np.unique(all_puck_values).tolist() == list(range(1, PUCK.num_values + 1))


@pytest.mark.parametrize("ev", EVERY[:3], ids=lambda ev: ev.rules.name)
def test_every_value_has_hands(ev: Evaluator) -> None:
    counts = ev.value_counts()
    assert counts.shape == (ev.num_values + 1,)
    assert counts.dtype == np.int64
    assert counts[0] == 0
    assert (counts[1:] > 0).all()
    assert counts.sum() == math.comb(52 + ev.rules.jokers, ev.hand_size)


@pytest.mark.parametrize("hand_size", [5, 6])
def test_every_value_of_paiute_has_hands_for_some_wild_rank(hand_size: int) -> None:
    ev = Evaluator(paiute.rules(hand_size=hand_size))
    by_rank = np.array([ev.value_counts(rank) for rank in [None, *range(13)]])
    assert (by_rank.sum(axis=0) > 0).all()
    assert (by_rank.sum(axis=1) == math.comb(52, hand_size)).all()


def test_counts_are_those_of_all_hands(all_puck_values: npt.NDArray[np.uint16]) -> None:
    assert PUCK.value_counts().tolist() == np.bincount(all_puck_values).tolist()
    expected = Counter(PUCK.category_of(int(value)) for value in all_puck_values)
    assert PUCK.category_counts() == expected


def test_category_counts_go_from_the_weakest_to_the_strongest() -> None:
    for ev in EVERY:
        counts = ev.category_counts()
        strongest_last = [category.name for category in reversed(ev.rules.categories)]
        has_rest = ["no_combination"] * ("no_combination" in counts)
        assert list(counts) == has_rest + strongest_last
        assert sum(counts.values()) == math.comb(52 + ev.rules.jokers, ev.hand_size)
    assert next(iter(PAIUTE.category_counts())) == "no_combination"
    assert PERICO.category_counts()["five_of_a_kind"] == 13 * (2 + 4)


def test_counts_with_a_wild_rank_are_those_of_a_declared_one() -> None:
    for rank in ("2", 12):
        declared = Evaluator(paiute.rules(wild_rank=rank))
        assert PAIUTE.category_counts(rank) == declared.category_counts()


@pytest.mark.parametrize("ev", EVERY, ids=lambda ev: ev.rules.name)
def test_categories_of_values(ev: Evaluator) -> None:
    names = [category.name for category in ev.rules.categories]
    values = np.arange(ev.num_values + 1)
    indices = ev.category_index(values)
    assert indices.dtype == np.int8
    assert indices[0] == -1
    assert (np.diff(indices[1:]) <= 0).all()
    assert set(indices[1:].tolist()) == set(range(len(names)))
    assert ev.category_of(0) == "no_combination"
    for value in (1, 2, ev.num_values // 2, ev.num_values):
        assert ev.category_of(value) == names[indices[value]]
        assert ev.category_of(np.uint16(value)) == names[indices[value]]


def test_category_index_keeps_the_shape() -> None:
    values = np.array([[0, 1, PUCK.num_values]] * 2)
    expected = [[-1, 5, 0]] * 2
    for dtype in INTEGERS[2:]:
        assert PUCK.category_index(values.astype(dtype)).tolist() == expected
    assert PUCK.category_index(values.tolist()).tolist() == expected
    assert PUCK.category_index(values.T).tolist() == np.array(expected).T.tolist()
    assert PUCK.category_index([]).shape == (0,)
    assert PUCK.category_index(np.empty((2, 0), dtype=np.uint16)).shape == (2, 0)
    assert PUCK.category_index(PUCK.evaluate_batch([[0, 1, 2]])).tolist() == [1]


def test_category_index_of_one_value_is_an_array_too() -> None:
    index = PUCK.category_index(PUCK.num_values)
    assert isinstance(index, np.ndarray)
    assert index.shape == ()
    assert index.dtype == np.int8
    assert index == 0


# --- winners ---


@pytest.mark.parametrize(
    ("ev", "hands", "expected"),
    [
        (PERICO, ["As Ad 9c 7d 5h", "2s 2d 9h 7h 5c", "Ah Jk 9s 7s 5s"], [0]),
        (PERICO, ["2c 2d 9c 7d 5h", "Ac Jk 9h 7h 5c"], [0]),  # fewer jokers come before ranks
        (PERICO, ["9c 7d 5h 3c 2d", "9d 7h 5s 3d 2c", "8d 7h 5s 3d 2c"], [0, 1]),
        (PUCK, ["Kd Ks 2c", "Kc Jk 2d", "Kh * 2h"], [2]),
        (PUCK, ["Kd Ks 2c", "Kc Jk 2d"], [1]),  # the joker wins where all else is equal
        (PUCK, ["Kd Ks 3c", "Kc Jk 2d"], [0]),
        (PAIUTE, ["2c 3c 4d 5h 9s Kd", "Ac Kd 9h 7h 5c 2s"], []),
        (PAIUTE, ["2c 3c 4d 5h 9s Kd", "Ac Ad 9h 9d 5c 5s"], [1]),
        (PAIUTE, ["Ac Ad 9h 9d 5c 5s"] * 3, [0, 1, 2]),
        (PUCK, [], []),
        (PUCK, [[0, 1, 2], "2c 2d 2h", b"\0\1\2"], [0, 1, 2]),
    ],
)
def test_winners(ev: Evaluator, hands: list[Any], expected: list[int]) -> None:
    assert ev.winners(hands) == expected
    assert ev.winners(iter(hands)) == expected
    assert all(type(index) is int for index in ev.winners(hands))


def test_winners_with_a_wild_rank() -> None:
    hands = ["2c 3c 4d 5h 9s Kd", "7c 7d 9h 9d 9c 2s"]
    assert PAIUTE.winners(hands) == []
    assert PAIUTE.winners(hands, "7") == PAIUTE.winners(hands, wild_rank=5) == [1]
    assert PAIUTE.winners(np.array([parse_cards(hand) for hand in hands]), 5) == [1]


# --- evaluators as objects ---


def test_equal_rule_sets_share_tables() -> None:
    first = Evaluator(perico.rules())
    second = Evaluator(eval(repr(perico.RULES)))
    assert first._tables is second._tables is wildrank.evaluator("perico")._tables
    assert first._tables is not Evaluator(perico.rules(jokers=1))._tables


def test_tables_that_nobody_uses_are_dropped() -> None:
    ev = Evaluator(RuleSet("of this test", 2, [Category("pair", shape=(2,))]))
    tables = weakref.ref(ev._tables)
    assert tables() is not None
    del ev
    gc.collect()
    assert tables() is None


@pytest.mark.parametrize("ev", EVERY, ids=lambda ev: ev.rules.name)
def test_pickle_and_copy(ev: Evaluator) -> None:
    rows = deal(ev, 50)
    for again in (
        *(pickle.loads(pickle.dumps(ev, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)),
        copy.copy(ev),
        copy.deepcopy(ev),
    ):
        assert type(again) is Evaluator
        assert again == ev
        assert again.rules == ev.rules
        assert again._tables is ev._tables
        assert (again.evaluate_batch(rows) == ev.evaluate_batch(rows)).all()
    assert len(pickle.dumps(ev)) < 5000  # the rules, not the tables


def test_pickles_are_read_in_other_processes() -> None:
    hand = "Kc Kd 5h 5s Jk"
    code = (
        "import pickle, sys; ev, hand = pickle.load(sys.stdin.buffer); print(ev.evaluate(hand), ev)"
    )
    data = pickle.dumps((PERICO, hand))
    ran = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    assert ran.stdout.decode().strip() == f"{PERICO.evaluate(hand)} {PERICO!r}"


def test_equality_hash_and_repr() -> None:
    same = wildrank.evaluator("perico")
    assert same == PERICO
    assert hash(same) == hash(PERICO)
    assert {PERICO: 1}[same] == 1
    assert PERICO != PUCK
    others: list[object] = [None, perico.RULES, "perico", PERICO._tables]
    assert PERICO not in others
    assert repr(PUCK) == f"Evaluator({puck.RULES!r})"
    assert eval(repr(PUCK)) == PUCK


@pytest.mark.parametrize("name", ["rules", "hand_size", "num_values"])
def test_what_an_evaluator_tells_cannot_be_set(name: str) -> None:
    assert getattr(PERICO, name) == {
        "rules": perico.RULES,
        "hand_size": 5,
        "num_values": len(PERICO.value_counts()) - 1,
    }.get(name)
    with pytest.raises(AttributeError):
        setattr(PERICO, name, 1)


class Unchecked(RuleSet):
    """A rule set that has not gone through the checks of its class."""

    def __init__(self, **changes: Any) -> None:
        for name in RuleSet.__slots__:
            object.__setattr__(self, name, changes.get(name, getattr(perico.RULES, name)))


def unchecked(**changes: Any) -> Category:
    category = Category("flush", flush=True)
    for name, content in changes.items():
        object.__setattr__(category, name, content)
    return category


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hand_size": 40}, "expected hand_size to be an int from 1 to 7, got 40"),
        ({"hand_size": 10**30}, f"expected hand_size to be an int from 1 to 7, got {10**30}"),
        ({"hand_size": "5"}, "expected hand_size to be an int from 1 to 7, got '5'"),
        ({"jokers": -1}, "expected jokers to be an int from 0 to 4, got -1"),
        ({"wild_ranks": (13,)}, "expected a wild rank to be an int from 0 to 12, got 13"),
        ({"categories": ()}, "expected the number of categories to be an int from 1 to 127, got 0"),
        (
            {"categories": perico.RULES.categories * 12},
            "expected the number of categories to be an int from 1 to 127, got 132",
        ),
        (
            {"tie_breaks": ("ranks",) * 4},
            "expected the number of tie_breaks to be an int from 0 to 3, got 4",
        ),
        (
            {"categories": (unchecked(cards=6),)},
            "expected the cards of a category to be an int from 1 to 5, got 6",
        ),
        (
            {"categories": (unchecked(shape=(99,)),)},
            "expected a group of a shape to be an int from 1 to 7, got 99",
        ),
        ({"categories": (unchecked(top=77),)}, "expected a top to be an int from 0 to 12, got 77"),
        (
            {"categories": (unchecked(min_wild=-5),)},
            "expected min_wild to be an int from 0 to 7, got -5",
        ),
        (
            {"categories": (unchecked(max_wild=70),)},
            "expected max_wild to be an int from 0 to 7, got 70",
        ),
    ],
)
def test_the_core_trusts_no_rule_set(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Tables(Unchecked(**changes))
    with pytest.raises(RuleError, match="expected") as caught:
        Evaluator(Unchecked(**changes))
    assert str(caught.value).count("rule set 'perico': ") == 1


def test_rule_sets_of_a_class_with_another_constructor() -> None:
    class Sized(RuleSet):
        def __init__(self, hand_size: int) -> None:
            flush, straight = Category("flush", flush=True), Category("straight", straight=True)
            super().__init__("sized", hand_size, [flush, straight], tie_breaks=())

    ev = Evaluator(Sized(5))
    assert type(ev.rules) is Sized
    assert str(ev.explain("2c 3c 4d 5c 6c")) == "straight (6): 2c 3c 4d 5c 6c"
    assert str(ev.explain("2c 3c 4d 5c Ks", "K")) == "straight (6): 2c 3c 4d 5c Ks, with Ks as 6s"
    assert type(ev.rules.replace(jokers=1)) is RuleSet


@pytest.mark.parametrize("rules", [None, "perico", {"hand_size": 5}])
def test_only_rule_sets_make_evaluators(rules: Any) -> None:
    with pytest.raises(RuleError, match=f"^expected a RuleSet, got {re.escape(repr(rules))}$"):
        Evaluator(rules)


def shapes(cards: int, largest: int) -> Iterator[tuple[int, ...]]:
    if cards == 0:
        yield ()
    for group in range(min(cards, largest), 0, -1):
        for rest in shapes(cards - group, group):
            yield (group, *rest)


def test_at_most_65535_values() -> None:
    rules = RuleSet(
        "huge",
        7,
        [Category(str(shape), shape=shape) for shape in shapes(7, 7)],
        tie_breaks=("fewer_jokers", "ranks"),
    )
    ev = Evaluator(rules)
    assert ev.num_values == ev.evaluate("Ac Ad Ah As Kc Kd Kh") == 49205
    with pytest.raises(
        RuleError,
        match=r"^rule set 'huge': expected at most 65535 different values, but its categories and "
        "tie-breaks make 73775$",
    ):
        Evaluator(rules.replace(jokers=2))


@pytest.mark.parametrize("hand_size", range(1, 8))
def test_every_hand_size(hand_size: int) -> None:
    ev = Evaluator(RuleSet("n", hand_size, [Category("high", shape=(1,) * hand_size)], jokers=1))
    rows = deal(ev, 100)
    distinct = np.array([len({c // 4 for c in row if c < 52}) + (52 in row) for row in rows])
    assert ((ev.evaluate_batch(rows) > 0) == (distinct == hand_size)).all()
    assert [ev.evaluate(row.tolist()) for row in rows] == ev.evaluate_batch(rows).tolist()
    assert ev.num_values == math.comb(13, hand_size)


def test_error_classes() -> None:
    for error in (CardError, HandError, RuleError):
        assert issubclass(error, wildrank.WildrankError)
        assert issubclass(error, ValueError)


def test_a_card_given_as_a_rank_is_its_rank() -> None:
    hand = "5c 9h Th Jh Qh 2s"
    for rank in (Card("5d"), Card("5c")):
        assert PAIUTE.evaluate(hand, rank) == PAIUTE.evaluate(hand, "5")
        rows = [wildrank.parse_cards(hand)]
        assert PAIUTE.evaluate_batch(rows, wild_ranks=rank)[0] == PAIUTE.evaluate(hand, "5")
        assert PAIUTE.evaluate_batch(rows, wild_ranks=[rank])[0] == PAIUTE.evaluate(hand, "5")
    assert Category("ace", shape=(1,), top=Card("As")).top == 12
    with pytest.raises(wildrank.CardError, match="a rank or a natural card"):
        PAIUTE.evaluate(hand, Card("Jk"))
