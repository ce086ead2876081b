"""Properties that hold for every rule set, and random rule sets against the reference."""

import pickle
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, reject, settings
from hypothesis import strategies as st
from reference import Reference, Value, category_name, compared_ranks, reading_value

from wildrank.cards import Card, deck, format_cards, parse_cards, parse_rank, rank_name
from wildrank.errors import RuleError
from wildrank.evaluator import Evaluator, Reading
from wildrank.games import paiute, perico, puck, six_card_perico
from wildrank.rules import Category, RuleSet

# The same examples every time, and no deadline: a rule set's tables are made within an example.
settings.register_profile(
    "wildrank",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("wildrank")

BEST_FIVE_OF_SEVEN = RuleSet(
    "best five of seven",
    7,
    [
        Category("straight_flush", straight=True, flush=True, cards=5),
        Category("four_of_a_kind", shape=(4, 1), cards=5),
        Category("full_house", shape=(3, 2), cards=5),
        Category("flush", flush=True, cards=5),
        Category("straight", straight=True, cards=5),
        Category("three_of_a_kind", shape=(3, 1, 1), cards=5),
        Category("two_pair", shape=(2, 2, 1), cards=5),
        Category("pair", shape=(2, 1, 1, 1), cards=5),
        Category("high_card", shape=(1, 1, 1, 1, 1), cards=5),
    ],
    jokers=2,
)
GAMES = [
    perico.RULES,
    perico.rules(natural_five_of_a_kind=True),
    six_card_perico.RULES,
    six_card_perico.rules(natural_five_of_a_kind=True),
    puck.RULES,
    paiute.RULES,
    paiute.rules(hand_size=5),
    BEST_FIVE_OF_SEVEN,
]


# --- Strategies ------------------------------------------------------------------------------


@st.composite
def shapes(draw: st.DrawFn, cards: int) -> list[int]:
    """Draw group sizes that add up to so many cards."""
    shape: list[int] = []
    while sum(shape) < cards:
        shape.append(draw(st.integers(1, cards - sum(shape))))
    return shape


@st.composite
def categories(draw: st.DrawFn, name: str, hand_size: int, ace: str, double: bool) -> Category:
    """Draw a category that a rule set with so many cards, this ace and this flush rule accepts."""
    straight = hand_size > 1 and draw(st.booleans())
    flush = draw(st.booleans())
    cards = draw(st.integers(2 if straight else 1, hand_size))
    shape: list[int] | None = None
    if not (straight or flush) or draw(st.booleans()):
        only_different = straight or (flush and not double)
        shape = [1] * cards if only_different else draw(shapes(cards))
    tops = st.integers(0, 12)
    if straight:
        lowest = cards - 1 if ace == "high" else cards - 2
        tops = st.integers(lowest, 11 if ace == "low" else 12)
    min_wild = min(cards, draw(st.sampled_from([0, 0, 0, 1, 2])))
    return Category(
        name,
        shape=shape,
        straight=straight,
        flush=flush,
        top=draw(st.none() | st.none() | tops),
        cards=draw(st.sampled_from([cards, None])) if cards == hand_size else cards,
        min_wild=min_wild,
        max_wild=draw(st.none() | st.none() | st.integers(min_wild, 4)),
    )


@st.composite
def rule_sets(draw: st.DrawFn, max_hand_size: int = 7) -> RuleSet:
    """Draw a rule set with any options."""
    hand_size = draw(st.integers(1, max_hand_size))
    ace = draw(st.sampled_from(["high", "low", "both"]))
    double = draw(st.booleans())
    drawn = [
        draw(categories(f"category {number}", hand_size, ace, double))
        for number in range(draw(st.integers(1, 6)))
    ]
    counted = draw(st.sampled_from([(), ("fewer_jokers",), ("more_jokers",)]))
    ties = draw(st.sampled_from([("ranks", *counted), (*counted, "ranks"), counted]))
    rules = RuleSet(
        "random",
        hand_size,
        [Category("stand-in", shape=(1,) * hand_size)],
        jokers=draw(st.integers(0, 4)),
        wild_ranks=draw(st.sets(st.integers(0, 12), max_size=2)),
        ace=ace,
        tie_breaks=ties,
        double_ace_flush=double,
        wild_rank_per_hand=draw(st.booleans()),
    )
    return with_categories(rules, drawn)


def with_categories(rules: RuleSet, categories: Iterable[Category]) -> RuleSet:
    """Return the rule set with those of the categories that have hands of their own."""
    kept: list[Category] = []
    for category in categories:
        with suppress(RuleError):
            kept = list(rules.replace(categories=(*kept, category)).categories)
    if not kept:
        reject()
    return rules.replace(categories=kept)


def any_rules() -> st.SearchStrategy[RuleSet]:
    return st.sampled_from(GAMES) | rule_sets()


@st.composite
def hands(
    draw: st.DrawFn, rules: RuleSet, max_wild: int = 7, wild_rank: int | None = None
) -> list[int]:
    """Draw a hand, often with wild cards, of few suits, of near ranks, or of few ranks."""
    wild = [card for card in deck(rules.jokers) if is_wild(card, rules, wild_rank)]
    natural = [card for card in deck() if card not in wild]
    lowest = draw(st.integers(0, 8))
    usual = draw(
        st.sampled_from(
            [
                natural,
                [card for card in natural if card % 4 == lowest % 4],
                [card for card in natural if card % 4 < 2],
                [card for card in natural if lowest <= card // 4 <= lowest + 4],
                [card for card in natural if card // 4 in (lowest, lowest + 2)],
            ]
        )
    )
    size = rules.hand_size
    hand = draw(some_of(wild, 0, min(size, max_wild)))
    hand += draw(some_of(usual, 0, size - len(hand)))
    rest = [card for card in natural if card not in hand]
    hand += draw(some_of(rest, size - len(hand), size - len(hand)))
    return draw(st.permutations([int(card) for card in hand]))


def some_of(cards: Sequence[Card], least: int, most: int) -> st.SearchStrategy[list[Card]]:
    """Draw different cards."""
    if not cards:
        return st.just([])
    most = min(most, len(cards))
    return st.lists(st.sampled_from(cards), min_size=least, max_size=most, unique=True)


def is_wild(card: int, rules: RuleSet, wild_rank: int | None = None) -> bool:
    return card >= 52 or card // 4 in {*rules.wild_ranks, wild_rank}


@lru_cache(maxsize=64)
def evaluator_of(rules: RuleSet) -> Evaluator:
    """Return an evaluator; a drawn rule set with more values than there can be is dropped."""
    try:
        return Evaluator(rules)
    except RuleError as error:
        if "at most 65535 different values" not in str(error):
            raise
        reject()


def strength(evaluator: Evaluator, value: int) -> int:
    """Return a number that grows with the category, 0 for no combination."""
    index = int(evaluator.category_index(value))
    return 0 if index < 0 else len(evaluator.rules.categories) - index


# --- What never matters ----------------------------------------------------------------------


@given(st.data())
def test_the_order_of_cards_never_matters(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    evaluator = evaluator_of(rules)
    hand = data.draw(hands(rules))
    other_order = data.draw(st.permutations(hand))
    value = evaluator.evaluate(hand)
    assert evaluator.evaluate(other_order) == value
    assert evaluator.evaluate_batch([hand, other_order]).tolist() == [value, value]


@given(st.data())
def test_swapping_suits_never_matters(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    evaluator = evaluator_of(rules)
    hand = data.draw(hands(rules))
    suits = data.draw(st.permutations(range(4)))
    swapped = [card if card >= 52 else card // 4 * 4 + suits[card % 4] for card in hand]
    assert evaluator.evaluate(hand) == evaluator.evaluate(swapped)


@given(st.data())
def test_jokers_are_interchangeable(data: st.DataObject) -> None:
    rules = data.draw(any_rules().filter(lambda rules: rules.jokers > 1))
    evaluator = evaluator_of(rules)
    hand = data.draw(hands(rules))
    jokers = data.draw(st.permutations(range(52, 52 + rules.jokers)))
    renamed = [jokers[card - 52] if card >= 52 else card for card in hand]
    assert evaluator.evaluate(hand) == evaluator.evaluate(renamed)


@given(st.data())
def test_wild_cards_of_every_kind_are_interchangeable(data: st.DataObject) -> None:
    """A joker, a card of a declared wild rank, and a card of the rank wild with this hand."""
    rules = paiute.RULES.replace(jokers=3, wild_ranks=("2",))
    seven = parse_rank("7")
    hand = data.draw(hands(rules, wild_rank=seven))
    natural = [card for card in hand if not is_wild(card, rules, seven)]
    wild = [card for card in deck(3) if is_wild(card, rules, seven)]
    count = len(hand) - len(natural)
    replaced = natural + data.draw(some_of(wild, count, count))
    evaluator = evaluator_of(rules)
    assert evaluator.evaluate(hand, wild_rank=seven) == evaluator.evaluate(replaced, wild_rank="7")


@given(st.data())
def test_a_wild_rank_means_the_same_declared_or_given(data: st.DataObject) -> None:
    """The numbers of the values may differ, but not their order, nor the readings."""
    rank = data.draw(st.integers(0, 12))
    drawn = [data.draw(hands(paiute.RULES, wild_rank=rank)) for _ in range(5)]
    declared, given_with = Evaluator(paiute.rules(wild_rank=rank)), Evaluator(paiute.RULES)
    for hand in drawn:
        reading, same = declared.explain(hand), given_with.explain(hand, wild_rank=rank)
        assert (reading.category, reading.ranks) == (same.category, same.ranks)
    assert declared.winners(drawn) == given_with.winners(drawn, wild_rank=rank)


# --- What a joker is worth -------------------------------------------------------------------


def without_wild_limits(rules: RuleSet) -> RuleSet:
    """Return the rule set with every category free to take any number of wild cards."""
    free = [
        Category(
            category.name,
            shape=category.shape,
            straight=category.straight,
            flush=category.flush,
            top=category.top,
            cards=category.cards,
        )
        for category in rules.categories
    ]
    return with_categories(rules, free)


@given(st.data())
@settings(max_examples=200)
def test_a_joker_for_a_natural_card_never_lowers_the_category(data: st.DataObject) -> None:
    """Nor the ranks, where nothing else breaks ties."""
    some_rules = any_rules().filter(lambda rules: rules.jokers > 0).map(without_wild_limits)
    rules = data.draw(some_rules)
    evaluator = evaluator_of(rules)
    hand = data.draw(hands(rules))
    natural = [card for card in hand if card < 52]
    jokers = [card for card in deck(rules.jokers)[52:] if card not in hand]
    if not natural or not jokers:
        reject()
    replaced = data.draw(st.sampled_from(natural))
    with_joker = [jokers[0] if card == replaced else card for card in hand]
    value, with_joker_value = evaluator.evaluate(hand), evaluator.evaluate(with_joker)
    assert strength(evaluator, with_joker_value) >= strength(evaluator, value)
    if rules.tie_breaks in ((), ("ranks",)):
        assert with_joker_value >= value


# --- Values ----------------------------------------------------------------------------------


@given(rule_sets(max_hand_size=3))
@settings(max_examples=60)
def test_values_are_dense(rules: RuleSet) -> None:
    """The hands of the deck have all the values there are, each as often as is said."""
    evaluator = evaluator_of(rules)
    every_hand = np.array(list(combinations(range(52 + rules.jokers), rules.hand_size)), np.uint8)
    values = evaluator.evaluate_batch(every_hand)
    counts = np.bincount(values, minlength=evaluator.num_values + 1)
    assert np.array_equal(counts, evaluator.value_counts())
    found = {0, *np.unique(values).tolist()}
    if rules.wild_rank_per_hand:
        for rank in range(13):
            found.update(np.unique(evaluator.evaluate_batch(every_hand, wild_ranks=rank)).tolist())
    assert found == set(range(evaluator.num_values + 1))


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: str(rules.name))
def test_category_counts_add_up_the_value_counts(rules: RuleSet) -> None:
    """Weakest category first, and every value is a value of some hand of the deck."""
    evaluator = Evaluator(rules)
    counts = evaluator.value_counts(wild_rank="7" if rules.wild_rank_per_hand else None)
    by_category = evaluator.category_counts(wild_rank="7" if rules.wild_rank_per_hand else None)
    assert [name for name in by_category if name != "no_combination"] == [
        category.name for category in reversed(rules.categories)
    ]
    for name, count in by_category.items():
        of_category = [evaluator.category_of(value) == name for value in range(len(counts))]
        assert counts[of_category].sum() == count
    if not rules.wild_rank_per_hand:
        assert np.all(counts[1:] > 0)


# --- Text ------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([*deck(), "joker"]), max_size=7), st.sampled_from([" ", "", ", "]))
def test_text_round_trips(drawn: list[Card | str], between: str) -> None:
    """Jokers come back numbered in order, so here they are numbered in order."""
    jokers = iter(deck(4)[52:])
    hand = tuple(
        next(jokers, Card(0)) if isinstance(card, str) else card for card in dict.fromkeys(drawn)
    )
    text = format_cards(hand)
    assert parse_cards(text) == hand
    assert parse_cards(text.replace(" ", between).swapcase()) == hand


@given(st.data())
def test_a_hand_is_worth_the_same_in_every_form(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    evaluator = evaluator_of(rules)
    hand = data.draw(hands(rules))
    forms = [tuple(hand), bytes(hand), np.array(hand, np.uint8), [Card(card) for card in hand]]
    values = {evaluator.evaluate(form) for form in [*forms, format_cards(hand)]}
    assert values == {evaluator.evaluate(hand)}


@pytest.mark.parametrize("code", range(56))
def test_every_card_survives_its_repr(code: int) -> None:
    card = Card(code)
    again = eval(repr(card), {"Card": Card})
    assert type(again) is Card
    assert again == card == code


@pytest.mark.parametrize("rank", range(13))
def test_rank_names_round_trip(rank: int) -> None:
    assert parse_rank(rank_name(rank)) == parse_rank(rank_name(rank).lower()) == rank


@given(any_rules())
def test_rule_sets_survive_their_repr_and_a_pickle(rules: RuleSet) -> None:
    evaluator = evaluator_of(rules)
    assert eval(repr(rules), {"RuleSet": RuleSet, "Category": Category}) == rules
    assert pickle.loads(pickle.dumps(evaluator)).rules == rules


# --- Against the reference -------------------------------------------------------------------


@st.composite
def wild_ranks(draw: st.DrawFn, rules: RuleSet) -> int | None:
    """Draw a wild rank to be given with a hand, where the rules allow it."""
    return draw(st.none() | st.integers(0, 12)) if rules.wild_rank_per_hand else None


def check_against_reference(
    rules: RuleSet, drawn: Sequence[tuple[Sequence[int], int | None]]
) -> None:
    """Check that values order hands as the reference does, in the categories that it finds."""
    evaluator = evaluator_of(rules)
    slow = Reference(rules)
    pairs: list[tuple[int, Value, str]] = []
    for hand, wild_rank in drawn:
        value, value_read = evaluator.evaluate(hand, wild_rank), slow.value(hand, wild_rank)
        found = f"{format_cards(hand)} with wild rank {wild_rank}: {value}, expected {value_read}"
        assert evaluator.category_of(value) == category_name(value_read, rules), found
        pairs.append((value, value_read, found))
    pairs.sort()
    for (value, value_read, found), (next_value, next_read, next_found) in pairwise(pairs):
        assert (value < next_value) == (value_read < next_read), (found, next_found)
        assert (value == next_value) == (value_read == next_read), (found, next_found)


@given(st.data())
@settings(max_examples=300)
def test_random_rule_sets_agree_with_the_reference(data: st.DataObject) -> None:
    rules = data.draw(rule_sets())
    ranks = [data.draw(wild_ranks(rules)) for _ in range(10)]
    drawn = [(data.draw(hands(rules, max_wild=4, wild_rank=rank)), rank) for rank in ranks]
    check_against_reference(rules, drawn)


@given(st.data())
@settings(max_examples=60)
def test_all_hands_of_small_random_rule_sets_agree_with_the_reference(data: st.DataObject) -> None:
    """Two cards: few enough to be complete, and every pair of hands is compared."""
    rules = data.draw(rule_sets(max_hand_size=2))
    rank = data.draw(wild_ranks(rules))
    every_hand = combinations(range(52 + rules.jokers), rules.hand_size)
    check_against_reference(rules, [(hand, rank) for hand in every_hand])


@given(st.data())
@settings(max_examples=40)
def test_best_five_of_seven_agrees_with_the_reference(data: st.DataObject) -> None:
    drawn = data.draw(st.lists(hands(BEST_FIVE_OF_SEVEN), min_size=10, max_size=20))
    check_against_reference(BEST_FIVE_OF_SEVEN, [(hand, None) for hand in drawn])


@pytest.mark.parametrize("rules", [BEST_FIVE_OF_SEVEN, six_card_perico.RULES], ids=["5/7", "6"])
def test_hands_of_nearly_only_wild_cards(rules: RuleSet) -> None:
    """More wild cards than the deck has jokers; beyond what random hands can afford."""
    rules = rules.replace(wild_ranks=("2", "K"))
    wild = [Card(text) for text in ("2c", "Ks", "Jk", "Kd", "2s", "2h", "Kh")]
    natural = [Card(text) for text in ("9s", "8c", "9d")]
    size = rules.hand_size
    drawn = [natural[: size - count] + wild[:count] for count in range(size - 3, size + 1)]
    check_against_reference(rules, [(hand, None) for hand in drawn])


# --- Explanations ----------------------------------------------------------------------------


def check_reading(
    rules: RuleSet, hand: Sequence[int], wild_rank: int | None, reading: Reading
) -> None:
    """Check every part of an explanation against the hand and the reference."""
    evaluator = evaluator_of(rules)
    assert reading.value == evaluator.evaluate(hand, wild_rank)
    assert reading.category == evaluator.category_of(reading.value)
    assert [card for card in hand if card in reading.cards] == list(reading.cards)
    assert [card for card in hand if card not in reading.cards] == list(reading.left_out)
    assert reading.category.replace("_", " ") in str(reading)
    assert len(str(reading).splitlines()) == 1
    if reading.value == 0:
        assert (reading.cards, reading.wilds, reading.ranks) == ((), {}, ())
        return
    wild = [card for card in reading.cards if is_wild(card, rules, wild_rank)]
    assert set(reading.wilds) == set(wild)
    index = int(evaluator.category_index(reading.value))
    category = rules.categories[index]
    named = [reading.wilds.get(card, card) for card in reading.cards]
    ranks = [card // 4 for card in named]
    one_suit = len({card % 4 for card in named}) == 1
    assert len(named) == category.size(rules.hand_size)
    assert all(card < 52 for card in named)
    assert compared_ranks(category, ranks, one_suit, rules) == reading.ranks
    number = len(rules.categories) - index
    value = reading_value(number, category, ranks, one_suit, len(wild), rules)
    assert value == Reference(rules).value(hand, wild_rank)
    for card in reading.wilds:
        check_repeat(rules, category, hand, wild_rank, reading, card)


def check_repeat(
    rules: RuleSet,
    category: Category,
    hand: Sequence[int],
    wild_rank: int | None,
    reading: Reading,
    wild: Card,
) -> None:
    """Check that a wild card repeats a card of the hand, or another's name, only where it must.

    It must where all four cards of its rank are taken.  In a flush it must where ranks may repeat,
    and where wild cards are worth more than the natural cards they stand for.
    """
    name = reading.wilds[wild]
    if name != wild and name in hand and is_wild(name, rules, wild_rank):
        assert reading.wilds.get(name) == name, f"{name} itself could stand for {name}"
    other_names = {reading.wilds[other] for other in reading.wilds if other != wild}
    taken = {*hand, *other_names} - {wild}
    if name not in taken:
        return
    if category.flush:
        wild_are_better = category.min_wild > 0 or "more_jokers" in rules.tie_breaks
        named = [reading.wilds.get(card, card) for card in reading.cards]
        assert wild_are_better or (rules.double_ace_flush and named.count(name) > 1)
    else:
        assert taken >= {name // 4 * 4 + suit for suit in range(4)}


ONE_CARD_FLUSH = RuleSet(
    "one card", 3, [Category("three", flush=True, top="3", cards=1)], wild_rank_per_hand=True
)


@pytest.mark.parametrize(
    ("rules", "hand", "wild_rank"),
    [
        (paiute.RULES, "7s 7c 6s 8s 9s 2h", "7"),  # both sevens are wild, one may be a seven
        (paiute.RULES, "7c 7s 6s 8s 9s 2h", "7"),
        (paiute.RULES, "7c 7s 7h 7d 6s 8s", "7"),
        (paiute.RULES, "7c 7s 7h Jd Js 2d", "7"),
        (ONE_CARD_FLUSH, "3c 3s 2c", "3"),
        (puck.RULES, "Jk Jk Kd", None),
        (perico.RULES, "Ac Ad Ah As Jk", None),
        (six_card_perico.RULES, "Jk Jk Jk Jk 2c 2d", None),
        (BEST_FIVE_OF_SEVEN, "Jk Jk As Ad 9c 9s 2s", None),
    ],
)
def test_explanations_of_chosen_hands(rules: RuleSet, hand: str, wild_rank: str | None) -> None:
    rank = None if wild_rank is None else parse_rank(wild_rank)
    check_reading(rules, parse_cards(hand), rank, evaluator_of(rules).explain(hand, wild_rank))


@given(st.data())
@settings(max_examples=400)
def test_explanations_agree_with_values(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    evaluator = evaluator_of(rules)
    rank = data.draw(wild_ranks(rules))
    hand = data.draw(hands(rules, max_wild=4, wild_rank=rank))
    reading = evaluator.explain(hand, rank)
    note(f"{format_cards(hand)}, wild rank {rank}: {reading!r}")
    check_reading(rules, hand, rank, reading)


@given(st.data())
@settings(max_examples=100)
def test_explanations_of_the_games_agree_with_values(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(GAMES))
    rank = data.draw(wild_ranks(rules))
    hand = data.draw(hands(rules, wild_rank=rank))
    reading = evaluator_of(rules).explain(hand, rank)
    note(f"{format_cards(hand)}, wild rank {rank}: {reading!r}")
    check_reading(rules, hand, rank, reading)
