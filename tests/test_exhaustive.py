"""Every hand of the four games against the reference, in order and in category.

Values are dense, so the package must give exactly the place of the reference's value among all the
reference's values of the rule set: 1 for the lowest, equal places for equal values, 0 for no
combination.  Where there are too many hands to read each one slowly, the hands are put in classes
that the rules cannot tell apart (the ranks held, and what suits can matter), the reference reads
one hand of every class, and the package is asked about all hands.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations
from math import comb

import numpy as np
import numpy.typing as npt
import pytest
import reference
from reference import Game, Reference, Value, category_name

from wildrank.evaluator import Evaluator
from wildrank.games import paiute, perico, puck, six_card_perico

Hands = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]

BLOCK_ROWS = 1 << 19
WILD = 13  # the rank symbol of a wild card, beside the ranks 0 to 12
SEVEN = 5


# --- Hands -----------------------------------------------------------------------------------


def sorted_hands(deck_size: int, hand_size: int) -> Hands:
    """Return every hand, cards ascending, in lexicographic order."""
    hands = np.arange(deck_size, dtype=np.uint8)[:, None]
    for _ in range(hand_size - 1):
        hands = np.concatenate([_with_first(card, hands) for card in range(deck_size)])
    return hands


def _with_first(card: int, hands: Hands) -> Hands:
    """Put a card before every hand of higher cards: the tail of hands in lexicographic order."""
    tail = hands[np.searchsorted(hands[:, 0], card, side="right") :]
    return np.column_stack([np.full(len(tail), card, np.uint8), tail])


def hand_blocks(deck_size: int, hand_size: int) -> Iterator[Hands]:
    """Yield every hand, cards ascending, in blocks of bounded memory."""
    fewer = sorted_hands(deck_size, hand_size - 1)
    for card in range(deck_size):
        hands = _with_first(card, fewer)
        for start in range(0, len(hands), BLOCK_ROWS):
            yield hands[start : start + BLOCK_ROWS]


def shuffled(hands: Hands, rng: np.random.Generator) -> Hands:
    """Return the hands with the cards of each in an order of its own."""
    orders = np.array(list(permutations(range(hands.shape[1]))))
    return np.take_along_axis(hands, orders[rng.integers(len(orders), size=len(hands))], axis=1)


# --- What the package must answer ------------------------------------------------------------


def places(values: Sequence[Value]) -> tuple[Numbers, list[Value]]:
    """Return the place of every value among them, and the value at each place.

    The value at place 0 is "no combination", whether or not it is among them.
    """
    at_place: list[Value] = sorted({(), *values})
    place_of = {value: place for place, value in enumerate(at_place)}
    return np.array([place_of[value] for value in values]), at_place


def check_categories(evaluator: Evaluator, game: Game, at_place: list[Value]) -> None:
    """Check that as many values exist as places, and that each is of the right category."""
    assert evaluator.num_values == len(at_place) - 1
    names = [category_name(value, game) for value in at_place]
    assert [evaluator.category_of(place) for place in range(len(at_place))] == names
    declared = ["no_combination", *(category.name for category in game.categories)]
    indices = evaluator.category_index(np.arange(len(at_place)))
    assert [declared[index + 1] for index in indices] == names


def check_values(
    hands: Hands, values: npt.NDArray[np.uint16], expected: Numbers, at_place: list[Value]
) -> None:
    """Check the values of some hands, and show the first hand that is wrong."""
    wrong = np.flatnonzero(values != expected)
    if wrong.size:
        row = wrong[0]
        pytest.fail(
            f"{wrong.size} hands wrong, first {hands[row].tolist()}: got {values[row]}, "
            f"expected {expected[row]}, which is {at_place[expected[row]]}"
        )


# --- Classes of hands whose categories all use the whole hand --------------------------------
#
# The ranks held and the number of jokers decide, and whether the natural cards are of one suit.


@lru_cache(maxsize=1)
def _binomials() -> Numbers:
    return np.array([[comb(n, k) for k in range(8)] for n in range(WILD + 8)])


def multiset_number(symbols: Hands) -> Numbers:
    """Number the multisets of rank symbols; the symbols of each hand ascend."""
    number: Numbers = np.zeros(len(symbols), np.int64)
    for place in range(symbols.shape[1]):
        number += _binomials()[:, place + 1].take(symbols[:, place] + np.uint8(place))
    return number


def class_numbers(hands: Hands) -> Numbers:
    """Return the class of every hand of ascending cards."""
    suits = np.array([1 << card % 4 if card < 52 else 0b1111 for card in range(56)], np.uint8)
    one_suit: npt.NDArray[np.bool_] = np.bitwise_and.reduce(suits[hands], axis=1) != 0
    return 2 * multiset_number(hands // 4) + one_suit


def class_representatives(hand_size: int, jokers: int) -> Hands:
    """Return a hand of ascending cards for every class, by choosing ranks and then suits."""
    hands = []
    for symbols in combinations_with_replacement(range(WILD + 1), hand_size):
        natural = [symbol for symbol in symbols if symbol != WILD]
        joker_codes = list(range(52, 52 + hand_size - len(natural)))
        counts = [natural.count(rank) for rank in set(natural)]
        if len(joker_codes) > jokers or max(counts, default=0) > 4:
            continue
        if max(counts, default=1) == 1:
            hands.append([4 * rank for rank in natural] + joker_codes)
        if len(natural) > 1:
            mixed = [4 * rank + natural[:i].count(rank) for i, rank in enumerate(natural)]
            if len(counts) == len(natural):
                mixed[-1] += 1
            hands.append(mixed + joker_codes)
    return np.array(hands, np.uint8)


def read_classes(game: Game) -> tuple[Hands, Numbers, list[Value]]:
    """Return a hand of every class, the place of its value, and the value at each place."""
    hands = class_representatives(game.hand_size, game.jokers)
    read = Reference(game).value
    return hands, *places([read(hand) for hand in hands.tolist()])


def check_every_hand(evaluator: Evaluator, game: Game) -> None:
    """Check every hand of the deck in a game whose categories all use the whole hand."""
    representatives, expected, at_place = read_classes(game)
    check_categories(evaluator, game, at_place)
    classes = class_numbers(representatives)
    place_of_class = np.full(2 * comb(WILD + game.hand_size, game.hand_size), -1)
    place_of_class[classes] = expected
    rng = np.random.default_rng(1)
    count = 0
    for hands in hand_blocks(52 + game.jokers, game.hand_size):
        in_any_order = shuffled(hands, rng)
        values = evaluator.evaluate_batch(in_any_order)
        check_values(in_any_order, values, place_of_class[class_numbers(hands)], at_place)
        count += len(hands)
    assert count == comb(52 + game.jokers, game.hand_size)


@pytest.mark.parametrize("ace", ["high", "both"])
@pytest.mark.parametrize("jokers", [2, 0])
def test_every_puck_hand_in_every_order(jokers: int, ace: str) -> None:
    """Here the reference reads every single hand."""
    game = reference.puck(jokers=jokers, ace=ace)
    evaluator = Evaluator(puck.rules(jokers=jokers, ace=ace))
    hands = sorted_hands(52 + jokers, 3)
    assert len(hands) == comb(52 + jokers, 3)
    read = Reference(game).value
    expected, at_place = places([read(hand) for hand in hands.tolist()])
    check_categories(evaluator, game, at_place)
    for order in permutations(range(3)):
        in_order = hands[:, order]
        check_values(in_order, evaluator.evaluate_batch(in_order), expected, at_place)
    assert [evaluator.evaluate(hand) for hand in hands.tolist()] == expected.tolist()


@pytest.mark.parametrize("natural", [False, True])
def test_every_perico_class_one_hand_at_a_time(natural: bool) -> None:
    game = reference.perico(natural_five_of_a_kind=natural)
    evaluator = Evaluator(perico.rules(natural_five_of_a_kind=natural))
    hands, expected, at_place = read_classes(game)
    in_any_order = shuffled(hands, np.random.default_rng(2))
    values = np.array([evaluator.evaluate(hand) for hand in in_any_order], np.uint16)
    check_values(in_any_order, values, expected, at_place)


@pytest.mark.parametrize("natural", [False, True])
def test_every_perico_hand(natural: bool) -> None:
    check_every_hand(
        Evaluator(perico.rules(natural_five_of_a_kind=natural)),
        reference.perico(natural_five_of_a_kind=natural),
    )


@pytest.mark.parametrize("natural", [False, True])
def test_every_six_card_perico_hand(natural: bool) -> None:
    check_every_hand(
        Evaluator(six_card_perico.rules(natural_five_of_a_kind=natural)),
        reference.six_card_perico(natural_five_of_a_kind=natural),
    )


# --- Paiute: five-card flushes inside six cards ----------------------------------------------
#
# A class is the ranks held, the number of wild cards, and which ranks are held in a suit that could
# make a five-card flush with the wild cards.  Only with four wild cards can two suits be able to:
# then each has one card, and to know the higher rank is to know both.


def paiute_classes(hands: Hands, wild_rank: int) -> Numbers:
    """Return the class of every hand, its cards in any order."""
    ranks = hands // 4
    wild = ranks == wild_rank
    symbols = np.sort(np.where(wild, np.uint8(WILD), ranks), axis=1)
    bits = np.array([1 << (13 * (card % 4) + card // 4) for card in range(52)])
    bits[4 * wild_rank : 4 * wild_rank + 4] = 0
    board = bits[hands].sum(axis=1)
    enough = 5 - wild.sum(axis=1)
    suited_ranks = np.zeros(len(hands), np.int64)
    for suit in range(4):
        held = board >> 13 * suit & 0x1FFF
        suited_ranks = np.maximum(suited_ranks, np.where(_bit_counts()[held] >= enough, held, 0))
    return multiset_number(symbols) << 13 | suited_ranks


@lru_cache(maxsize=1)
def _bit_counts() -> npt.NDArray[np.uint8]:
    return np.array([bin(bits).count("1") for bits in range(1 << 13)], np.uint8)


def paiute_representatives(hand_size: int, wild_rank: int) -> Hands:
    """Return a hand for every class, by choosing ranks, then those in the suit that matters."""
    other_ranks = [rank for rank in range(13) if rank != wild_rank]
    hands: list[list[int]] = []
    for wild_count in range(5):
        wild = [4 * wild_rank + suit for suit in range(wild_count)]
        for ranks in combinations_with_replacement(other_ranks, hand_size - wild_count):
            if all(ranks.count(rank) <= 4 for rank in ranks):
                hands.extend(wild + list(natural) for natural in _suitings(ranks, 5 - wild_count))
    return np.array(hands, np.uint8)


def _suitings(ranks: tuple[int, ...], enough: int) -> Iterable[tuple[int, ...]]:
    """Yield cards of these ascending ranks: spread over the suits, then with a flush in clubs."""
    yield tuple(4 * rank + place % 4 for place, rank in enumerate(ranks))
    different = sorted(set(ranks))
    for size in range(enough, len(different) + 1):
        for suited in combinations(different, size):
            rest = list(ranks)
            for rank in suited:
                rest.remove(rank)
            yield (
                *(4 * rank for rank in suited),
                *(4 * rank + 1 + place % 3 for place, rank in enumerate(rest)),
            )


def read_paiute_classes(
    slow: Reference, hand_size: int, wild_rank: int
) -> tuple[Hands, Numbers, list[Value]]:
    """Return a hand of every class, its class, and its value."""
    hands = paiute_representatives(hand_size, wild_rank)
    classes, first = np.unique(paiute_classes(hands, wild_rank), return_index=True)
    hands = hands[first]
    return hands, classes, [slow.value(hand, wild_rank) for hand in hands.tolist()]


@pytest.mark.parametrize(("hand_size", "ace"), [(5, "high"), (6, "high"), (6, "both")])
def test_every_paiute_class_for_every_wild_rank(hand_size: int, ace: str) -> None:
    """In one batch, each hand with a wild rank of its own and with other suits than next time."""
    game = reference.paiute(hand_size=hand_size, ace=ace)
    evaluator = Evaluator(paiute.rules(hand_size=hand_size, ace=ace))
    slow = Reference(game)
    read = [read_paiute_classes(slow, hand_size, wild_rank) for wild_rank in range(13)]
    hands = np.concatenate([part[0] for part in read])
    wild_ranks = np.repeat(np.arange(13, dtype=np.uint8), [len(part[0]) for part in read])
    expected, at_place = places([value for part in read for value in part[2]])
    check_categories(evaluator, game, at_place)
    rng = np.random.default_rng(3)
    suits = np.array(list(permutations(range(4))), np.uint8)
    for _ in range(3):
        row = rng.permutation(len(hands))
        other_suits = suits[rng.integers(24, size=len(row))[:, None], hands[row] % 4]
        some = shuffled(hands[row] // 4 * 4 + other_suits, rng)
        values = evaluator.evaluate_batch(some, wild_ranks=wild_ranks[row])
        check_values(some, values, expected[row], at_place)


@pytest.mark.parametrize("wild_rank", range(13))
def test_paiute_hands_at_random_read_one_by_one(wild_rank: int) -> None:
    """Without classes; from all cards, from two suits, with many wild, from neighbouring ranks."""
    rng = np.random.default_rng(wild_rank)
    natural = [card for card in range(52) if card // 4 != wild_rank]
    decks = [
        range(52),
        [card for card in range(52) if card % 4 < 2],
        [*range(4 * wild_rank, 4 * wild_rank + 4), *rng.choice(natural, 6, replace=False)],
        [card for card in range(52) if 4 <= card // 4 - wild_rank % 7 < 9],
    ]
    for hand_size in (5, 6):
        game = reference.paiute(hand_size=hand_size)
        read = Reference(game).value
        evaluator = Evaluator(paiute.rules(hand_size=hand_size))
        hands = [
            rng.choice(deck, hand_size, replace=False).tolist()
            for deck in decks
            for _ in range(250)
        ]
        expected = [read(hand, wild_rank) for hand in hands]
        values = [evaluator.evaluate(hand, wild_rank=wild_rank) for hand in hands]
        assert values == evaluator.evaluate_batch(hands, wild_ranks=wild_rank).tolist()
        pairs = sorted(zip(values, expected, strict=True))
        for (value, value_read), (next_value, next_read) in pairwise(pairs):
            assert (value < next_value) == (value_read < next_read)
        for value, value_read in pairs:
            assert evaluator.category_of(value) == category_name(value_read, game)


@pytest.mark.parametrize("hand_size", [5, 6])
def test_every_paiute_hand_with_sevens_wild(hand_size: int) -> None:
    """Sevens wild by declaration, and sevens wild as given with the hands."""
    game = reference.paiute(hand_size=hand_size, wild_rank=SEVEN)
    declared = Evaluator(paiute.rules(hand_size=hand_size, wild_rank=SEVEN))
    given = Evaluator(paiute.rules(hand_size=hand_size))
    _, classes, values_read = read_paiute_classes(Reference(game), hand_size, SEVEN)
    expected_of_class, at_place = places(values_read)
    check_categories(declared, game, at_place)
    rng = np.random.default_rng(4)
    value_given = np.full(len(at_place), -1)
    for hands in hand_blocks(52, hand_size):
        in_any_order = shuffled(hands, rng)
        numbers = paiute_classes(hands, SEVEN)
        found = np.searchsorted(classes, numbers)
        assert np.array_equal(classes.take(found, mode="clip"), numbers)
        expected = expected_of_class[found]
        check_values(in_any_order, declared.evaluate_batch(in_any_order), expected, at_place)
        values = given.evaluate_batch(in_any_order, wild_ranks=SEVEN)
        new = value_given[expected] == -1
        value_given[expected[new]] = values[new]
        check_values(in_any_order, values, value_given[expected], at_place)
    assert value_given[0] == 0
    assert np.all(np.diff(value_given) > 0)
