"""Every batch kernel gives what evaluating one hand gives, finds every bad row, and keeps within
its arrays.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import permutations, product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from kernel_cases import RULE_SETS, Hands, Values, one_by_one, rule_set, some_hands

import wildrank
from wildrank import CardError, Evaluator, HandError, RuleSet, WildrankError, all_hands
from wildrank._evalcore import kernel_name, kernel_names, use_kernel
from wildrank.evaluator import ROWS_PER_THREAD
from wildrank.games import paiute, perico, puck, six_card_perico

KERNELS = kernel_names()
TESTS = Path(__file__).parent

Bytes = npt.NDArray[np.uint8]


@pytest.fixture(autouse=True)
def _the_same_kernel_again() -> Iterator[None]:
    """Leave the kernel of the process as it was, whatever a test uses."""
    before = kernel_name()
    yield
    use_kernel(before)


@pytest.fixture(params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> str:
    """Run a test once with every kernel."""
    name: str = request.param
    use_kernel(name)
    return name


def with_every_kernel(
    ev: Evaluator, hands: Hands, wild_ranks: npt.ArrayLike | None = None
) -> Values:
    """Evaluate hands with every kernel, check that all agree, and return the values."""
    use_kernel(KERNELS[0])
    values = ev.evaluate_batch(hands, wild_ranks=wild_ranks)
    for name in KERNELS[1:]:
        use_kernel(name)
        others = ev.evaluate_batch(hands, wild_ranks=wild_ranks)
        if not np.array_equal(values, others):
            row = int(np.flatnonzero(values != others)[0])
            pytest.fail(
                f"{ev.rules.name}, hand {hands[row].tolist()}: {KERNELS[0]} gives {values[row]}, "
                f"{name} gives {others[row]}"
            )
    return values


def check_all(ev: Evaluator, hands: Hands, wild_ranks: Bytes | None = None) -> None:
    """Check that every kernel gives what evaluating one hand after the other gives."""
    values = with_every_kernel(ev, hands, wild_ranks)
    assert np.array_equal(values, one_by_one(ev, hands, wild_ranks))


class Shuffler:
    """Puts the cards of every hand in an order of its own, fast."""

    def __init__(self, hand_size: int, most_rows: int) -> None:
        rng = np.random.default_rng(hand_size)
        orders = np.array(list(permutations(range(hand_size))))
        chosen = orders[rng.integers(len(orders), size=most_rows)]
        self._places = np.arange(most_rows)[:, None] * hand_size + chosen

    def __call__(self, hands: Hands) -> Hands:
        shuffled: Hands = hands.reshape(-1).take(self._places[: len(hands)])
        return shuffled


# --- all hands -------------------------------------------------------------------------------


def test_all_three_card_hands_in_every_order() -> None:
    hands = np.concatenate(list(all_hands(puck.RULES)))
    assert len(hands) == comb(54, 3)
    for order in permutations(range(3)):
        check_all(Evaluator(puck.RULES), np.ascontiguousarray(hands[:, order]))


@pytest.mark.parametrize("flush", [None, 4, 3, 2, 1])
def test_all_four_card_hands(flush: int | None) -> None:
    ev = Evaluator(rule_set(4, flush, jokers=4))
    hands = np.concatenate(list(all_hands(ev.rules)))
    assert len(hands) == comb(56, 4)
    check_all(ev, Shuffler(4, len(hands))(hands))


def test_every_five_card_hand() -> None:
    ev = Evaluator(perico.RULES)
    hands = np.concatenate(list(all_hands(ev.rules)))
    assert len(hands) == comb(54, 5) == 3_162_510
    check_all(ev, Shuffler(5, len(hands))(hands))


def test_every_six_card_hand() -> None:
    """Their values also add up to those counted without enumerating."""
    ev = Evaluator(six_card_perico.RULES)
    counts = np.zeros(ev.num_values + 1, dtype=np.int64)
    shuffle: Shuffler | None = None
    for block in all_hands(ev.rules):
        shuffle = shuffle or Shuffler(6, len(block))
        values = with_every_kernel(ev, shuffle(block))
        counts += np.bincount(values, minlength=len(counts))
    assert counts.sum() == comb(56, 6) == 32_468_436
    assert np.array_equal(counts, ev.value_counts())


@pytest.mark.parametrize("hand_size", [5, 6])
def test_every_paiute_hand_each_with_a_wild_rank_of_its_own(hand_size: int) -> None:
    ev = Evaluator(paiute.rules(hand_size=hand_size))
    rng = np.random.default_rng(hand_size)
    shuffle: Shuffler | None = None
    count = 0
    for number, block in enumerate(all_hands(ev.rules)):
        shuffle = shuffle or Shuffler(hand_size, len(block))
        hands = shuffle(block)
        wild_ranks = rng.integers(13, size=len(block), dtype=np.uint8)
        values = with_every_kernel(ev, hands, wild_ranks)
        count += len(values)
        if number % 40 == 0:
            assert np.array_equal(values, one_by_one(ev, hands, wild_ranks))
    assert count == comb(52, hand_size)


# --- other rules -----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.name)
def test_other_rules(rules: RuleSet) -> None:
    ev = Evaluator(rules)
    hands = some_hands(rules, 20_000)
    check_all(ev, hands)
    assert np.array_equal(one_by_one(ev, hands, None), [ev.evaluate(row) for row in hands.tolist()])
    if rules.wild_rank_per_hand:
        check_all(ev, hands, np.random.default_rng(2).integers(13, size=len(hands), dtype=np.uint8))
        for rank in (0, 5, 12):
            all_ranks = np.full(len(hands), rank, dtype=np.uint8)
            values = with_every_kernel(ev, hands, all_ranks)
            assert np.array_equal(values, with_every_kernel(ev, hands, rank))
            assert np.array_equal(values, one_by_one(ev, hands, all_ranks))


# --- arrays of any length, place and form ----------------------------------------------------

SMALL = [
    rule_set(size, flush, per_hand=per_hand)
    for size in range(1, 8)
    for flush, per_hand in ((size, False), (max(1, size - 1), True))
]
CANARY = 0xABCD


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.name)
def test_every_length_at_every_place(rules: RuleSet, kernel: str) -> None:
    ev = Evaluator(rules)
    size = rules.hand_size
    most = 128 + 65
    hands = some_hands(rules, most)
    ranks = (np.arange(most) * 7 % 13).astype(np.uint8) if rules.wild_rank_per_hand else None
    expected = one_by_one(ev, hands, ranks)
    memory = np.empty(most * size + 16, dtype=np.uint8)
    around = np.empty(most + 34, dtype=np.uint16)
    for length in (*range(66), *range(128, most + 1)):
        for offset in range(16):
            given = memory[offset : offset + length * size].reshape(length, size)
            given[...] = hands[:length]
            around.fill(CANARY)
            out = around[offset + 1 : offset + 1 + length]
            wild_ranks = None
            if ranks is not None:
                wild_ranks = np.empty(length + offset, dtype=np.uint8)[offset:]
                wild_ranks[...] = ranks[:length]
            assert ev.evaluate_batch(given, wild_ranks=wild_ranks, out=out) is out
            assert np.array_equal(out, expected[:length])
            out.fill(CANARY)
            assert np.all(around == CANARY)


def frozen(hands: npt.NDArray[Any]) -> npt.NDArray[Any]:
    hands = hands.copy()
    hands.flags.writeable = False
    return hands


def inside(hands: Hands) -> Hands:
    wide = np.full((2 * len(hands), hands.shape[1] + 3), 255, dtype=np.uint8)
    wide[::2, 1:-2] = hands
    return wide[::2, 1:-2]


def of_dtype(dtype: str, order: Any) -> Callable[[Hands], npt.NDArray[Any]]:
    return lambda hands: hands.astype(dtype, order=order)


FORMS: dict[str, Callable[[Hands], npt.NDArray[Any]]] = {
    "read-only": frozen,
    "every other row": lambda hands: np.repeat(hands, 2, axis=0)[::2],
    "rows from the last": lambda hands: hands[::-1].copy()[::-1],
    "cards from the last": lambda hands: hands[:, ::-1].copy()[:, ::-1],
    "inside another array": inside,
    "bytes of longer ints": lambda hands: hands.astype("<u4").view("u1")[:, ::4],
    "unaligned longer ints": lambda hands: np.frombuffer(
        b"\0" + hands.astype("<i4").tobytes(), dtype="<i4", offset=1
    ).reshape(hands.shape),
}
for size_and_kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
    for byte_order in "<>":
        for name, memory_order in (("rows", "C"), ("columns", "F")):
            FORMS[f"{name} of {byte_order}{size_and_kind}"] = of_dtype(
                byte_order + size_and_kind, memory_order
            )


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.name)
def test_every_form_and_dtype(rules: RuleSet, kernel: str) -> None:
    ev = Evaluator(rules)
    hands = some_hands(rules, 300)
    ranks = np.random.default_rng(3).integers(13, size=300, dtype=np.uint8)
    expected = one_by_one(ev, hands, None)
    with_ranks = one_by_one(ev, hands, ranks) if rules.wild_rank_per_hand else None
    outs = [
        np.empty(300, dtype=np.uint16),
        np.empty((300, 3), dtype=np.uint16)[:, 1],
        np.frombuffer(bytearray(601), dtype=np.uint16, offset=1),  # unaligned
    ]
    for name, form in FORMS.items():
        given = form(hands)
        assert np.array_equal(ev.evaluate_batch(given), expected), name
        for out in outs:
            out.fill(0)
            ev.evaluate_batch(given, out=out)
            assert np.array_equal(out, expected), name
        if with_ranks is not None:
            for dtype in ("u1", "i1", ">i2", "<u8"):
                every_other = np.repeat(ranks.astype(dtype), 2)[::2]
                for wild_ranks in (ranks.astype(dtype), every_other, frozen(every_other)):
                    values = ev.evaluate_batch(given, wild_ranks=wild_ranks)
                    assert np.array_equal(values, with_ranks), (name, dtype)


# --- threads ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [puck.RULES, perico.RULES, paiute.RULES], ids=lambda r: r.name)
def test_any_number_of_threads(rules: RuleSet, kernel: str) -> None:
    ev = Evaluator(rules)
    count = 4 * ROWS_PER_THREAD + 77
    hands = some_hands(rules, count)
    ranks: Bytes | None = None
    if rules.wild_rank_per_hand:
        ranks = np.random.default_rng(4).integers(13, size=count, dtype=np.uint8)
    expected = ev.evaluate_batch(hands, wild_ranks=ranks)
    bad_rows = [0, 1000, count // 4, count // 3, count // 2 - 1, count // 2, count - 1]
    for threads in range(1, 5):
        for given in (hands, hands.astype(np.int16)):
            values = ev.evaluate_batch(given, wild_ranks=ranks, threads=threads)
            assert np.array_equal(values, expected)
    damaged = hands.copy()
    for row in reversed(bad_rows):  # a bad row before all those that are there already
        damaged[row, 1] = damaged[row, 0]
        for threads in range(1, 5):
            with pytest.raises(HandError, match=f"^row {row}: expected .* different") as caught:
                ev.evaluate_batch(damaged, wild_ranks=ranks, threads=threads)
            assert (caught.value.row, caught.value.position) == (row, 1)


# --- bad rows --------------------------------------------------------------------------------


def bad_hands(rules: RuleSet, hand: Bytes) -> Iterator[Bytes]:
    """Yield ways in which a hand can be bad, at every place of the hand."""
    for place in range(rules.hand_size):
        for code in (52 + rules.jokers, 56, 63, 64 + int(hand[place]), 127, 128, 180, 255):
            bad = hand.copy()
            bad[place] = code
            yield bad
        for other in range(place):
            bad = hand.copy()
            bad[place] = bad[other]
            yield bad


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.name)
def test_a_bad_row_anywhere(rules: RuleSet, kernel: str) -> None:
    """In every block, and in the tail; what comes before it is evaluated."""
    ev = Evaluator(rules)
    for count in (31, 64 + 17, 128 + 66 + 31):
        hands = some_hands(rules, count, seed=count)
        ranks = (np.arange(count) % 13).astype(np.uint8) if rules.wild_rank_per_hand else None
        expected = one_by_one(ev, hands, ranks)
        out = np.empty(count, dtype=np.uint16)
        for row in range(count):
            good = hands[row].copy()
            kinds = list(bad_hands(rules, good))
            for bad in kinds if row % 32 in (0, 15, 31) else kinds[row % 7 :: 7]:
                hands[row] = bad
                out[:row] = CANARY
                assert ev._evaluate_rows(hands, ranks, -1, out) == row, bad
                assert np.array_equal(out[:row], expected[:row])
            hands[row] = good
            if ranks is not None:
                rank = ranks[row]
                for bad_rank in (13, 15, 16, 51, 128 + int(rank), 255):
                    ranks[row] = bad_rank
                    assert ev._evaluate_rows(hands, ranks, -1, out) == row, bad_rank
                ranks[row] = rank


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.name)
def test_the_first_of_many_bad_rows_is_named(rules: RuleSet, kernel: str) -> None:
    ev = Evaluator(rules)
    size = rules.hand_size
    hands = some_hands(rules, 250)
    ranks = (np.arange(250) % 13).astype(np.uint8) if rules.wild_rank_per_hand else None
    for row in range(249, -1, -3):
        joker = 52 + rules.jokers
        kind = row % 4 if ranks is not None else row % 3
        error: type[WildrankError] = CardError
        if kind == 0:
            hands[row, row % size] = 200
            message = f"row {row}: expected a card code from 0 to 55, got 200 at position "
            message += str(row % size)
        elif kind == 1:
            hands[row, row % size] = joker
            error = HandError
            message = f"row {row}: expected cards of a deck with 2 jokers, got the joker {joker} "
            message += f"at position {row % size}"
        elif kind == 3:
            assert ranks is not None
            ranks[row] = 13
            message = f"row {row}: expected a rank from 0 (deuce) to 12 (ace), got 13"
        elif size > 1:
            hands[row, -1] = hands[row, 0]
            error = HandError
            message = f"row {row}: expected {size} different cards, got "
        else:
            continue
        with pytest.raises(error) as caught:
            ev.evaluate_batch(hands, wild_ranks=ranks)
        assert str(caught.value).startswith(message)
        assert caught.value.row == row


FUZZED = [
    *(rule_set(size, size, jokers=2) for size in (3, 4, 5, 6)),
    *(rule_set(size, size - 1, jokers=size % 5, per_hand=True) for size in (3, 4, 5, 6)),
    *(rule_set(size, size - 2, jokers=0, wild_ranks=("2", "A")) for size in (3, 4, 5, 6)),
    *(rule_set(size, size, jokers=4, per_hand=True) for size in (1, 2, 7)),
]


def fuzz(rules: RuleSet, count: int) -> Hands:
    """Return rows of any bytes, of bytes near the codes, and hands with one byte changed."""
    rng = np.random.default_rng(rules.hand_size)
    hands = some_hands(rules, count)
    kind = rng.random(count)
    any_bytes = kind < 0.05
    hands[any_bytes] = rng.integers(256, size=(any_bytes.sum(), rules.hand_size), dtype=np.uint8)
    near = (kind >= 0.05) & (kind < 0.15)
    hands[near] = rng.integers(58, size=(near.sum(), rules.hand_size), dtype=np.uint8)
    changed = np.flatnonzero((kind >= 0.15) & (kind < 0.25))
    places = rng.integers(rules.hand_size, size=len(changed))
    hands[changed, places] = rng.integers(256, size=len(changed), dtype=np.uint8)
    flipped = np.flatnonzero((kind >= 0.25) & (kind < 0.35))
    places = rng.integers(rules.hand_size, size=len(flipped))
    hands[flipped, places] ^= (1 << rng.integers(8, size=len(flipped))).astype(np.uint8)
    return hands


@pytest.mark.parametrize("rules", FUZZED, ids=lambda rules: rules.name)
def test_rows_of_random_bytes_are_refused_exactly_when_they_are_no_hands(
    rules: RuleSet, kernel: str
) -> None:
    """More than a million rows for every kernel."""
    ev = Evaluator(rules)
    count = 90_000
    hands = fuzz(rules, count)
    ranks: Bytes | None = None
    bad = np.any(hands >= 52 + rules.jokers, axis=1)
    bad |= np.any(np.diff(np.sort(hands, axis=1), axis=1) == 0, axis=1)
    assert np.array_equal(ev.valid_mask(hands), ~bad)
    if rules.wild_rank_per_hand:
        rng = np.random.default_rng(5)
        ranks = rng.integers(13, size=count, dtype=np.uint8)
        odd = rng.random(count) < 0.05
        ranks[odd] = rng.integers(256, size=odd.sum(), dtype=np.uint8)
        bad |= ranks > 12
    values = np.full(count, CANARY, dtype=np.uint16)
    evaluate = ev._evaluate_rows
    start = 0
    for row in [*np.flatnonzero(bad).tolist(), count]:
        found = evaluate(
            hands[start:], None if ranks is None else ranks[start:], -1, values[start:]
        )
        assert found == (row - start if row < count else -1), (start, hands[row : row + 1])
        start = row + 1
    good = ~bad
    expected = one_by_one(ev, hands[good], None if ranks is None else ranks[good])
    assert np.array_equal(values[good], expected)


# --- what is touched -------------------------------------------------------------------------


def run(*arguments: str, kernel: str | None = None) -> "subprocess.CompletedProcess[str]":
    """Run Python in the directory of the tests, with a kernel chosen by the environment."""
    environment = {name: value for name, value in os.environ.items() if name != "WILDRANK_KERNEL"}
    if kernel is not None:
        environment["WILDRANK_KERNEL"] = kernel
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", *arguments],
        cwd=TESTS,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(os.name != "posix", reason="needs mprotect")
@pytest.mark.parametrize("name", KERNELS)
def test_nothing_outside_the_arrays_is_touched(name: str) -> None:
    result = run("guard_pages.py", kernel=name)
    assert (result.returncode, result.stdout) == (0, f"{name}\n"), result.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs mprotect")
def test_the_guard_would_be_noticed() -> None:
    assert run("guard_pages.py", "--crash").returncode < 0


# --- which kernel ----------------------------------------------------------------------------

REPORT = "import wildrank; print(wildrank.kernel_name())"


def test_the_fastest_kernel_is_the_first() -> None:
    assert KERNELS[-1] == "portable"
    assert set(KERNELS) <= {"avx2", "sse4.1", "portable"}
    assert run("-c", REPORT).stdout == run("-c", REPORT, kernel="").stdout == f"{KERNELS[0]}\n"


@pytest.mark.parametrize("name", KERNELS)
def test_the_environment_chooses_the_kernel(name: str) -> None:
    result = run("-c", REPORT, kernel=name)
    assert (result.returncode, result.stdout, result.stderr) == (0, f"{name}\n", "")


@pytest.mark.parametrize("name", ["avx512", "AVX2", " ", "portable "])
def test_an_unknown_kernel_in_the_environment(name: str) -> None:
    result = run("-c", REPORT, kernel=name)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1] == (
        f"wildrank.errors.RuleError: WILDRANK_KERNEL: expected a kernel ({', '.join(KERNELS)}), "
        f"got {name!r}"
    )


def test_use_kernel() -> None:
    for name in KERNELS:
        use_kernel(name)
        assert kernel_name() == wildrank.kernel_name() == name
    nothing: Any = None
    for wrong, error in (("neon", ValueError), ("", ValueError), (nothing, TypeError)):
        with pytest.raises(error):
            use_kernel(wrong)
        assert kernel_name() == KERNELS[-1]


# --- arguments of the core that do not fit together ------------------------------------------


@pytest.mark.parametrize(
    ("hands", "ranks", "rank", "out"),
    [
        ((4, 5), None, -1, 4),
        ((4, 7), None, -1, 4),
        ((4, 6), None, -1, 3),
        ((4, 6), None, -1, 5),
        ((4, 6), 3, -1, 4),
        ((4, 6), 5, -1, 4),
        ((4, 6), None, 13, 4),
        ((4, 6), None, -2, 4),
        ((0, 5), None, -1, 0),
    ],
)
def test_rows_that_do_not_fit(
    hands: tuple[int, int], ranks: int | None, rank: int, out: int
) -> None:
    ev = Evaluator(paiute.RULES)
    rows = np.zeros(hands, dtype=np.uint8)
    wild_ranks = None if ranks is None else np.zeros(ranks, dtype=np.uint8)
    with pytest.raises(IndexError):
        ev._evaluate_rows(rows, wild_ranks, rank, np.zeros(out, dtype=np.uint16))


def test_wild_ranks_where_the_tables_have_no_room() -> None:
    ev = Evaluator(perico.RULES)
    rows, out = np.arange(10, dtype=np.uint8).reshape(2, 5), np.zeros(2, dtype=np.uint16)
    for ranks, rank in product((None, np.zeros(2, dtype=np.uint8)), (-1, 5)):
        if ranks is None and rank < 0:
            assert ev._evaluate_rows(rows, ranks, rank, out) == -1
        else:
            with pytest.raises(IndexError):
                ev._evaluate_rows(rows, ranks, rank, out)
    for shape, count in (((2, 4), 2), ((2, 5), 3)):
        with pytest.raises(IndexError):
            ev._valid_rows(np.zeros(shape, dtype=np.uint8), np.zeros(count, dtype=np.uint8))
