"""Random hands are uniform, different and reproducible; all hands are all hands, in order."""

import ctypes
import hashlib
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, islice
from math import comb, prod, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import wildrank
from wildrank import Card, CardError, HandError, RuleSet, WildrankError, all_hands, deal
from wildrank import _evalcore as core
from wildrank.games import paiute, perico, puck, six_card_perico

Hands = npt.NDArray[np.uint8]

# --- uniformity ------------------------------------------------------------------------------

HELD = [0, 1, 5, 6, 7, 8, 13, 17, 20, 22, 26, 31, 33, 38, 40, 44, 47, 49, 52, 53]
DEAD = [card for card in range(54) if card not in HELD]
DEALT = 3_000_000
LEVEL = 1e-4  # of each tail: too even is as wrong as too uneven


def chi_square_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of the chi-square distribution (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + NormalDist().inv_cdf(probability) * sqrt(spread)) ** 3


def check_uniform(counts: npt.NDArray[np.int64]) -> None:
    """Check that what is counted is as uneven as chance makes it."""
    freedom = counts.size - 1
    expected = counts.sum() / counts.size
    assert expected > 20
    statistic = float(((counts - expected) ** 2 / expected).sum())
    low, high = (chi_square_quantile(level, freedom) for level in (LEVEL, 1 - LEVEL))
    assert low < statistic < high


def test_the_quantiles_are_those_of_tables() -> None:
    for probability, freedom, quantile in (
        (0.95, 19, 30.144),
        (0.95, 100, 124.342),
        (0.999, 19, 43.820),
        (0.999, 100, 149.449),
        (0.001, 100, 61.918),
    ):
        assert chi_square_quantile(probability, freedom) == pytest.approx(quantile, rel=0.004)


def test_what_is_not_uniform_is_noticed() -> None:
    rng = np.random.default_rng(1)
    check_uniform(np.bincount(rng.integers(20, size=100_000)))
    for uneven in (rng.integers(2**12, size=100_000) % 20, np.arange(100_000) % 20):
        with pytest.raises(AssertionError):
            check_uniform(np.bincount(uneven, weights=np.where(uneven < 2, 1.1, 1)).astype(int))


@pytest.fixture(scope="module", params=[3, 4, 9])
def dealt(request: pytest.FixtureRequest) -> Hands:
    """Return many rows of some size from a deck of 20, as places in that deck."""
    size: int = request.param
    hands = deal(DEALT, size, jokers=2, seed_or_generator=20 + size, dead=DEAD)
    assert hands.shape == (DEALT, size)
    place_of = np.full(256, 255, dtype=np.uint8)
    place_of[HELD] = range(20)
    places = place_of[hands]
    assert places.max() == 19
    return places


@pytest.mark.parametrize("places", [(0, 1, 2), (-1, -2, -3)], ids=["first", "last"])
def test_every_three_cards_are_equally_likely(dealt: Hands, places: tuple[int, ...]) -> None:
    number_of = np.zeros((20, 20, 20), dtype=np.int64)
    for number, (a, b, c) in enumerate(combinations(range(20), 3)):
        number_of[a, b, c] = number
    three = np.sort(dealt[:, places], axis=1)
    numbers = number_of[three[:, 0], three[:, 1], three[:, 2]]
    check_uniform(np.bincount(numbers, minlength=comb(20, 3)))


def test_every_card_is_equally_likely_at_every_place(dealt: Hands) -> None:
    for cards in dealt.T:
        check_uniform(np.bincount(cards, minlength=20))


def test_every_two_cards_are_equally_likely_at_every_two_places(dealt: Hands) -> None:
    different = ~np.eye(20, dtype=bool).reshape(-1)
    for first, second in combinations(dealt.T, 2):
        counts = np.bincount(first.astype(np.intp) * 20 + second, minlength=400)
        assert not counts[~different].any()
        check_uniform(counts[different])


def test_every_order_of_three_cards_is_equally_likely() -> None:
    dead = [card for card in range(52) if card not in (3, 20, 51)]
    hands = deal(60_000, 3, seed_or_generator=8, dead=dead).astype(np.intp)
    _, counts = np.unique(hands @ [2704, 52, 1], return_counts=True)
    assert len(counts) == 6
    check_uniform(counts)


def test_rows_do_not_depend_on_the_row_before() -> None:
    hands = deal(2_000_000, 2, seed_or_generator=9, dead=range(20, 52)).astype(np.intp)
    for before in hands[::2].T:
        for after in hands[1::2].T:
            check_uniform(np.bincount(before * 20 + after, minlength=400))


# --- exactly what the generator's numbers mean -----------------------------------------------


def dealt_slowly(
    numbers: Iterator[int], cards: list[int], size: int, count: int
) -> list[list[int]]:
    """Deal with whole numbers of any length: up to eight cards from each 64-bit number.

    A number u of 2**64 is the fraction u / 2**64. Of the numbers that give the same cards, there
    are equally many for all cards once those are left out whose last fraction is too small.
    """
    deck, rows = list(cards), []
    for _ in range(count):
        for start in range(0, size, 8):
            choices = [len(deck) - place for place in range(start, min(start + 8, size))]
            outcomes = prod(choices)
            while True:
                left, digits = next(numbers), []
                for choice in choices:
                    digit, left = divmod(left * choice, 2**64)
                    digits.append(digit)
                if left >= 2**64 % outcomes:
                    break
            for place, digit in enumerate(digits, start):
                deck[place], deck[place + digit] = deck[place + digit], deck[place]
        rows.append(deck[:size])
    return rows


def raw_numbers(bits: Any) -> Iterator[int]:
    while True:
        yield int(bits.random_raw())


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 56])
def test_the_cards_follow_from_the_numbers(size: int) -> None:
    expected = dealt_slowly(raw_numbers(np.random.PCG64(11)), list(range(56)), size, 300)
    assert deal(300, size, jokers=4, seed_or_generator=11).tolist() == expected


BitGenerator = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)


class _Interface(ctypes.Structure):
    """NumPy's C interface of a bit generator."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", BitGenerator),
        ("next_uint32", ctypes.c_void_p),
        ("next_double", ctypes.c_void_p),
        ("next_raw", ctypes.c_void_p),
    )


def deal_with_numbers(numbers: list[int], cards: list[int], size: int, count: int) -> Hands:
    """Deal with a generator that gives the numbers of a list, which must all be used."""
    left = iter(numbers)
    interface = _Interface(next_uint64=BitGenerator(lambda state: next(left)))
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype = ctypes.py_object
    new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    name = b"BitGenerator"
    capsule = new_capsule(ctypes.addressof(interface), name, None)
    hands = np.empty((count, size), dtype=np.uint8)
    core.deal_hands(capsule, bytes(cards), hands)
    assert next(left, None) is None
    return hands


@pytest.mark.parametrize("size", [1, 3, 5, 6, 8, 11])
@pytest.mark.parametrize("deck_size", [11, 16, 20, 52, 56])
def test_numbers_that_would_make_cards_likelier_are_drawn_again(size: int, deck_size: int) -> None:
    """Where 2**64 is no multiple of the choices, 0 and some others are not used."""
    cards = list(range(deck_size))
    first_choices = prod(range(deck_size, deck_size - min(size, 8), -1))
    too_small = 2**64 % first_choices
    # The smallest number of some first card has the last fraction nearest to 0.
    edges = [0, 1, 2**64 - 1, 2**63, *(-(-(2**64) * digit // deck_size) for digit in range(1, 6))]
    refused = [u for u in edges if u * first_choices % 2**64 < too_small]
    assert (0 in refused) == (too_small > 0)
    supply = [u for edge in edges for u in (edge, 0x9E3779B97F4A7C15, edge)] * 4
    used: list[int] = []

    def record() -> Iterator[int]:
        for number in supply:
            used.append(number)
            yield number

    count = 8
    expected = dealt_slowly(record(), cards, size, count)
    assert deal_with_numbers(used, cards, size, count).tolist() == expected
    assert len(used) > count * -(-size // 8) or too_small == 0


# --- reproducible ----------------------------------------------------------------------------

FIRST_FIVE = [[26, 32, 19, 29, 43], [49, 22, 33, 0, 4], [7, 29, 17, 30, 36]]
FIRST_THREE = [[9, 16, 28], [33, 15, 4]]
FIRST_TWENTY = [[35, 37, 47, 27, 45, 23, 8, 53, 20, 7, 39, 28, 11, 25, 42, 44, 17, 41, 52, 18]]
DIGEST = "2c96ce09713c348ff48c87f96e21b84f2654e66c99c75f64bac381eb5f2069db"


def test_the_same_seed_gives_these_hands_everywhere() -> None:
    assert deal(3, 5, seed_or_generator=1).tolist() == FIRST_FIVE
    assert deal(2, 3, jokers=2, seed_or_generator=2026, dead="As Kd").tolist() == FIRST_THREE
    assert deal(1, 20, jokers=4, seed_or_generator=0).tolist() == FIRST_TWENTY
    digest = hashlib.sha256(deal(100_000, six_card_perico.RULES, seed_or_generator=7).tobytes())
    assert digest.hexdigest() == DIGEST


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.MT19937, np.random.Philox])
def test_a_generator_goes_on_where_it_was(kind: Any) -> None:
    generators = [np.random.Generator(kind(5)), kind(5)]
    parts = [[deal(50, 5, seed_or_generator=g) for _ in range(2)] for g in generators]
    for first, second in parts:
        assert not np.array_equal(first, second)
        assert np.array_equal(first, parts[0][0])
        assert np.array_equal(second, parts[0][1])


@pytest.mark.parametrize(
    "seed",
    [
        5,
        np.int64(5),
        [5],
        np.random.SeedSequence(5),
        np.random.PCG64(5),
        np.random.PCG64(np.random.SeedSequence(5)),
        np.random.Generator(np.random.PCG64(5)),
        np.random.default_rng(5),
    ],
    ids=lambda seed: type(seed).__name__,
)
def test_forms_of_a_seed(seed: Any) -> None:
    hands = deal(100, 5, seed_or_generator=seed)
    assert np.array_equal(hands, deal(100, 5, seed_or_generator=5))
    assert not np.array_equal(hands, deal(100, 5, seed_or_generator=6))


def test_without_a_seed_the_hands_are_others_each_time() -> None:
    assert not np.array_equal(deal(50, 5), deal(50, 5))


def test_one_generator_in_several_threads() -> None:
    generator = np.random.default_rng(3)
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda _: deal(20_000, 5, seed_or_generator=generator), range(8)))
    assert len({part.tobytes() for part in parts}) == 8
    assert np.all(np.diff(np.sort(np.concatenate(parts), axis=1), axis=1) > 0)


# --- which cards -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "jokers", "size", "deck"),
    [
        (puck.RULES, None, 3, 54),
        (perico.RULES, None, 5, 54),
        (perico.RULES, 0, 5, 52),
        (perico.RULES, 4, 5, 56),
        (six_card_perico.RULES, None, 6, 56),
        (paiute.RULES, None, 6, 52),
        (paiute.RULES, 1, 6, 53),
        (5, None, 5, 52),
        (np.int64(5), np.int8(1), 5, 53),
        (10, 4, 10, 56),
        (52, None, 52, 52),
        (56, 4, 56, 56),
    ],
)
def test_which_cards_are_dealt(
    rules: RuleSet | int, jokers: int | None, size: int, deck: int
) -> None:
    hands = deal(2000, rules, jokers=jokers, seed_or_generator=1)
    assert hands.shape == (2000, size)
    assert hands.dtype == np.uint8
    assert hands.flags.c_contiguous
    assert np.unique(hands).tolist() == list(range(deck))
    assert np.all(np.diff(np.sort(hands, axis=1), axis=1) > 0)
    if isinstance(rules, RuleSet) and jokers is None:
        assert wildrank.Evaluator(rules).valid_mask(hands).all()


@pytest.mark.parametrize(
    "dead",
    ["As Ad Jk", [51, 49, 52], (Card("As"), 49, "Jk"), np.array([51, 49, 52]), b"\x33\x31\x34"],
    ids=lambda dead: type(dead).__name__,
)
def test_dead_cards(dead: Any) -> None:
    hands = deal(1000, 7, jokers=2, seed_or_generator=4, dead=dead)
    left = [card for card in range(54) if card not in (51, 49, 52)]
    assert np.unique(hands).tolist() == left
    assert np.array_equal(hands, deal(1000, 7, jokers=2, seed_or_generator=4, dead="Jk Ad As"))
    (block,) = all_hands(1, jokers=2, dead=dead)
    assert block[:, 0].tolist() == left


def test_the_whole_deck_in_every_row() -> None:
    dead = range(4, 52)
    hands = deal(500, 4, seed_or_generator=1, dead=dead)
    assert np.array_equal(np.sort(hands, axis=1), np.tile(np.arange(4), (500, 1)))
    assert len(np.unique(hands, axis=0)) == 24
    assert deal(3, 1, dead=range(51)).tolist() == [[51]] * 3


def test_no_hands() -> None:
    assert deal(0, 5).shape == (0, 5)
    assert deal(0, 5).dtype == np.uint8


# --- all hands -------------------------------------------------------------------------------

SMALL_DECKS: list[tuple[int, int, list[int]]] = [
    (1, 0, []),
    (1, 4, list(range(1, 56))),
    (2, 2, []),
    (3, 0, [5, 51]),
    (4, 0, list(range(20, 52))),
    (5, 1, list(range(3, 45))),
    (6, 0, list(range(0, 52, 4)) + list(range(1, 52, 2))),
    (7, 4, list(range(4, 50))),
    (9, 2, list(range(40))),
    (12, 0, list(range(12, 52))),
    (51, 0, []),
    (56, 4, []),
]


@pytest.mark.parametrize(("size", "jokers", "dead"), SMALL_DECKS)
def test_all_hands_in_order(size: int, jokers: int, dead: list[int]) -> None:
    cards = [card for card in range(52 + jokers) if card not in dead]
    expected = np.array(list(combinations(cards, size)), dtype=np.uint8)
    for block_size in (1, 2, 7, 1000, len(expected), len(expected) + 1, 10**12):
        if len(expected) > 3000 * block_size:
            continue
        blocks = list(all_hands(size, jokers=jokers, dead=dead, block_size=block_size))
        assert np.array_equal(np.concatenate(blocks), expected)
        sizes = [len(block) for block in blocks]
        assert sizes[:-1] == [block_size] * (len(blocks) - 1)
        assert 1 <= sizes[-1] <= block_size
        assert all(block.dtype == np.uint8 and block.flags.c_contiguous for block in blocks)
        assert sum(block.nbytes for block in blocks) == expected.nbytes


def test_blocks_are_arrays_of_their_own() -> None:
    blocks = list(all_hands(2, block_size=500))
    blocks[0][...] = 255
    assert np.concatenate(blocks[1:]).max() == 51
    assert next(all_hands(2, block_size=500))[0].tolist() == [0, 1]
    assert all(block.base is None or block.base.nbytes == block.nbytes for block in blocks)


def test_two_enumerations_do_not_disturb_each_other() -> None:
    pairs = zip(all_hands(3, block_size=99), all_hands(3, block_size=99), strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)


def test_all_hands_of_a_rule_set() -> None:
    assert [len(block) for block in all_hands(puck.RULES)] == [24_804]
    assert sum(map(len, all_hands(puck.RULES, jokers=0))) == comb(52, 3)
    assert sum(map(len, all_hands(perico.RULES, dead="As Jk"))) == comb(52, 5)
    sizes = [len(block) for block in all_hands(perico.RULES)]
    assert set(sizes[:-1]) == {65_536}
    assert sum(sizes) == comb(54, 5)


def test_later_hands_of_large_enumerations() -> None:
    """The first hands, and by symmetry the last: order and size are those of `combinations`."""
    for size in (6, 8, 13):
        first = next(all_hands(size, jokers=4, block_size=5000))
        assert first.tolist() == [
            list(hand) for hand in islice(combinations(range(56), size), 5000)
        ]
        places = np.arange(56 - 3 - size, 56 - 3, dtype=np.intc)
        out = np.empty((5000, size), dtype=np.uint8)
        count = core.enumerate_hands(bytes(range(56)), places, out)
        expected = islice(combinations(range(56 - 3 - size, 56), size), 5000)
        rows = [list(hand) for hand in expected]
        assert out[:count].tolist() == rows
        assert core.enumerate_hands(bytes(range(56)), places, out) == comb(size + 3, size) - count


# Six cards with jokers: `test_kernels.py` counts those values with every kernel.
@pytest.mark.parametrize(
    "rules",
    [puck.RULES, perico.RULES, paiute.RULES, paiute.rules(hand_size=5, wild_rank="7")],
    ids=lambda rules: f"{rules.name} of {rules.hand_size}",
)
def test_all_hands_have_the_values_that_are_counted(rules: RuleSet) -> None:
    ev = wildrank.Evaluator(rules)
    counts = np.zeros(ev.num_values + 1, dtype=np.int64)
    for block in all_hands(rules):
        counts += np.bincount(ev.evaluate_batch(block), minlength=len(counts))
    assert np.array_equal(counts, ev.value_counts())


# --- wrong input -----------------------------------------------------------------------------

NAN = float("nan")
SIZE = "rules_or_size: expected a RuleSet or an int from 1 to the 52 cards that can be dealt, got "
JOKERS = "jokers: expected an int from 0 to 4, got "
CARDS = "expected cards as a text or as a sequence of ints from 0 to 55, got "
DEAD_CARDS = "dead: expected different cards of the deck, got "

WRONG_DECKS: list[tuple[Any, dict[str, Any], type[WildrankError], str]] = [
    *((size, {}, HandError, f"{SIZE}{size!r}") for size in (0, -1, 53, 10**30, "5", None, 5.0)),
    *((size, {}, HandError, f"{SIZE}{size!r}") for size in (True, NAN, [5], puck.rules, b"\5")),
    (5, {"dead": range(48)}, HandError, f"{SIZE.replace('52', '4')}5"),
    (1, {"dead": range(52)}, HandError, f"{SIZE.replace('52', '0')}1"),
    (perico.RULES, {"dead": range(50)}, HandError, f"{SIZE.replace('52', '4')}one with hands of 5"),
    (57, {"jokers": 4}, HandError, f"{SIZE.replace('52', '56')}57"),
    *((5, {"jokers": n}, HandError, f"{JOKERS}{n!r}") for n in (-1, 5, 10**30, True, 1.0, "2")),
    (puck.RULES, {"jokers": 5}, HandError, f"{JOKERS}5"),
    (5, {"dead": "As Xx"}, CardError, "'Xx' at position 3 of 'As Xx'"),
    (5, {"dead": [51, 56]}, CardError, "expected a card code from 0 to 55, got 56 at position 1"),
    (5, {"dead": [0.0]}, CardError, "got 0.0 at position 0"),
    (5, {"dead": None}, CardError, f"{CARDS}None"),
    (5, {"dead": 51}, CardError, f"{CARDS}51"),
    (5, {"dead": "As Kd As"}, HandError, f"{DEAD_CARDS}As at position 2"),
    (5, {"dead": "As Jk"}, HandError, f"{DEAD_CARDS}Jk at position 1"),
    (5, {"dead": [0, 53], "jokers": 1}, HandError, f"{DEAD_CARDS}Jk at position 1"),
    (puck.RULES, {"dead": [54]}, HandError, f"{DEAD_CARDS}Jk at position 0"),
]


@pytest.mark.parametrize(("rules", "options", "error", "message"), WRONG_DECKS)
def test_wrong_decks(
    rules: Any, options: dict[str, Any], error: type[WildrankError], message: str
) -> None:
    calls: list[Callable[[], object]] = [
        lambda: deal(3, rules, **options),
        lambda: deal(0, rules, **options),
        lambda: all_hands(rules, **options),
    ]
    for call in calls:
        with pytest.raises(error, match=f"{re.escape(message)}$") as caught:
            call()
        assert type(caught.value) is error
        place = re.search(r"at position (\d+)", message)
        assert caught.value.position == (int(place[1]) if place else None)


@pytest.mark.parametrize("count", [-1, -(10**30), 1.0, True, None, "3", NAN, [3], np.float64(3)])
def test_wrong_numbers_of_hands(count: Any) -> None:
    message = f"n_hands: expected an int of at least 0, got {count!r}"
    with pytest.raises(HandError, match=f"^{re.escape(message)}$"):
        deal(count, 5)


@pytest.mark.parametrize("size", [0, -1, 1.0, True, None, "3", NAN, [3]])
def test_wrong_block_sizes(size: Any) -> None:
    message = f"block_size: expected an int of at least 1, got {size!r}"
    with pytest.raises(HandError, match=f"^{re.escape(message)}$"):
        all_hands(5, block_size=size)


def test_more_hands_than_can_be() -> None:
    with pytest.raises(HandError, match=r"^n_hands: expected an array that can exist, got "):
        deal(10**5000, 5)


@pytest.mark.parametrize("seed", [-1, "seed", 1.5, [-1], [1.5], object, [-(10**5000)]])
def test_seeds_that_numpy_does_not_take(seed: Any) -> None:
    message = (
        "^seed_or_generator: expected what numpy.random.default_rng takes, such as an int of at "
        "least 0, got "
    )
    with pytest.raises(HandError, match=message):
        deal(5, 5, seed_or_generator=seed)


def test_what_the_core_does_not_deal() -> None:
    bits = np.random.PCG64(1)
    out = np.empty((2, 5), dtype=np.uint8)
    with pytest.raises(IndexError):
        core.deal_hands(bits.capsule, bytes(4), out)
    with pytest.raises(IndexError):
        core.deal_hands(bits.capsule, bytes(65), out)
    with pytest.raises(ValueError, match="PyCapsule"):
        core.deal_hands(object(), bytes(52), out)


@pytest.mark.parametrize(
    ("deck", "places", "width"),
    [
        (4, [0, 1, 2, 3, 4], 5),
        (65, [0, 1], 2),
        (10, [], 0),
        (10, [0, 1], 3),
        (10, [0, 1, 2], 2),
        (10, [-1, 0], 2),
        (10, [1, 1], 2),
        (10, [2, 1], 2),
        (10, [0, 11], 2),
        (10, [0, 60], 2),
        pytest.param(10, [0, 2**31 - 1], 2),
    ],
)
def test_what_the_core_does_not_enumerate(deck: int, places: list[int], width: int) -> None:
    with pytest.raises(IndexError):
        core.enumerate_hands(
            bytes(range(deck)),
            np.array(places, dtype=np.intc),
            np.empty((3, width), dtype=np.uint8),
        )
