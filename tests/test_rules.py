"""Declarations: the four games against the rules, and what a rule set refuses."""

import operator
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import FrozenInstanceError, fields
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
import reference

import wildrank
from wildrank import Category, Evaluator, RuleError, RuleSet
from wildrank.games import paiute, perico, puck, six_card_perico

ANY_RULES: list[RuleSet] = [perico.RULES, six_card_perico.RULES, puck.RULES, paiute.RULES]

PAIR = Category("pair", shape=(2, 1))
HIGH = Category("high", shape=(1, 1, 1))
SMALL = RuleSet("small", 3, (PAIR, HIGH), jokers=1)

# --- the games ---


@pytest.mark.parametrize(
    ("rules", "declared"),
    [
        (perico.RULES, reference.perico()),
        (
            perico.rules(natural_five_of_a_kind=True),
            reference.perico(natural_five_of_a_kind=True),
        ),
        (six_card_perico.RULES, reference.six_card_perico()),
        (
            six_card_perico.rules(natural_five_of_a_kind=True),
            reference.six_card_perico(natural_five_of_a_kind=True),
        ),
        (puck.RULES, reference.puck()),
        (puck.rules(jokers=0, ace="both"), reference.puck(jokers=0, ace="both")),
        (paiute.RULES, reference.paiute()),
        (paiute.rules(hand_size=5, ace="both"), reference.paiute(hand_size=5, ace="both")),
        (paiute.rules(wild_rank="7"), reference.paiute(wild_rank=5)),
    ],
)
def test_games_are_declared_as_the_rules_say(rules: RuleSet, declared: reference.Game) -> None:
    """The reference restates the rules; here only its declarations count, not its evaluation."""
    assert names(rules.categories) == names(declared.categories)
    for category, other in zip(rules.categories, declared.categories, strict=True):
        for field in fields(other):
            if field.name != "cards":
                assert getattr(category, field.name) == getattr(other, field.name), field.name
        assert category.size(rules.hand_size) == other.cards or other.cards is None
    for field in fields(declared):
        if field.name != "categories":
            assert getattr(rules, field.name) == getattr(declared, field.name), field.name


def names(categories: Iterable[reference.CategoryData]) -> list[str]:
    return [category.name for category in categories]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (
            perico.RULES,
            "royal_flush five_of_a_kind straight_flush four_of_a_kind full_house flush straight "
            "three_of_a_kind two_pair one_pair high_card",
        ),
        (
            six_card_perico.RULES,
            "royal_flush six_of_a_kind straight_flush five_of_a_kind new_house crazy_house "
            "four_of_a_kind flush straight old_house three_pair three_of_a_kind two_pair one_pair "
            "high_card",
        ),
        (puck.RULES, "straight_flush three_of_a_kind flush straight one_pair high_card"),
        (
            paiute.RULES,
            "five_of_a_kind royal_flush straight_flush four_two three_three two_two_two",
        ),
    ],
)
def test_category_names_strongest_first(rules: RuleSet, expected: str) -> None:
    assert " ".join(names(rules.categories)) == expected


def test_cards_that_a_category_uses() -> None:
    for rules in (perico.RULES, six_card_perico.RULES, puck.RULES):
        assert {c.size(rules.hand_size) for c in rules.categories} == {rules.hand_size}
    assert [c.size(6) for c in paiute.RULES.categories] == [5, 5, 5, 6, 6, 6]


def test_defaults_and_names() -> None:
    assert list(wildrank.rule_sets()) == ["perico", "six-card-perico", "puck", "paiute"]
    assert [rules() for rules in wildrank.rule_sets().values()] == ANY_RULES
    assert wildrank.evaluator("puck").rules == puck.RULES


@pytest.mark.parametrize("module", [perico, six_card_perico, puck])
def test_number_of_jokers(module: Any) -> None:
    for jokers in range(5):
        assert module.rules(jokers=jokers) == module.RULES.replace(jokers=jokers)


@pytest.mark.parametrize(("rank", "code"), [("7", 5), ("10", 8), ("t", 8), (12, 12)])
def test_wild_rank_of_paiute(rank: str | int, code: int) -> None:
    rules = paiute.rules(wild_rank=rank)
    assert rules.wild_ranks == (code,)
    assert rules.categories == paiute.RULES.categories
    assert paiute.RULES.wild_rank_per_hand


def test_options_reach_the_short_way() -> None:
    ev = wildrank.evaluator("paiute", hand_size=5, wild_rank="7", ace="both")
    assert ev.rules == paiute.rules(hand_size=5, wild_rank="7", ace="both")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("poker", {}, "expected a rule set (perico, six-card-perico, puck, paiute), got 'poker'"),
        ("Perico", {}, "expected a rule set (perico, six-card-perico, puck, paiute), got 'Perico'"),
        (None, {}, "expected a rule set (perico, six-card-perico, puck, paiute), got None"),
        ([], {}, "expected a rule set (perico, six-card-perico, puck, paiute), got []"),
        (
            "perico",
            {"joker": 1},
            "rule set 'perico': expected an option (natural_five_of_a_kind, jokers), got 'joker'",
        ),
        (
            "puck",
            {"wild_rank": 7},
            "rule set 'puck': expected an option (jokers, ace), got 'wild_rank'",
        ),
        ("perico", {"jokers": 5}, "rule set 'perico': jokers: expected an int from 0 to 4, got 5"),
        ("puck", {"jokers": "2"}, "rule set 'puck': jokers: expected an int from 0 to 4, got '2'"),
        (
            "puck",
            {"ace": "middle"},
            "rule set 'puck': ace: expected one of 'high', 'low', 'both', got 'middle'",
        ),
        (
            "paiute",
            {"hand_size": 7},
            "rule set 'paiute': expected hand_size to be 5 or 6, got 7",
        ),
        (
            "paiute",
            {"ace": "low"},
            "rule set 'paiute': expected ace to be 'high' or 'both', got 'low'",
        ),
        (
            "paiute",
            {"wild_rank": "1"},
            "rule set 'paiute': wild_ranks: expected a rank such as '7', 'T', '10' or 'A', got '1'",
        ),
    ],
)
def test_unknown_names_and_options(name: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
        wildrank.evaluator(name, **options)


@pytest.mark.parametrize("value", ["no", 1, None])
@pytest.mark.parametrize("module", [perico, six_card_perico])
def test_natural_five_of_a_kind_is_true_or_false(module: Any, value: object) -> None:
    with pytest.raises(RuleError, match=r"natural_five_of_a_kind.*expected True or False"):
        module.rules(natural_five_of_a_kind=value)


@pytest.mark.parametrize("value", [(), ("7", "8")])
def test_paiute_has_one_wild_rank(value: Any) -> None:
    with pytest.raises(RuleError, match="wild_rank"):
        paiute.rules(wild_rank=value)


@pytest.mark.parametrize("hand_size", [True, 4, "6", None, 5.5])
def test_hand_sizes_of_paiute(hand_size: Any) -> None:
    with pytest.raises(RuleError, match="hand_size"):
        paiute.rules(hand_size=hand_size)


# --- as values ---


@pytest.mark.parametrize("rules", [*ANY_RULES, SMALL], ids=lambda rules: rules.name)
def test_repr_pickle_and_hash(rules: RuleSet) -> None:
    again = eval(repr(rules))
    assert again == rules
    assert hash(again) == hash(rules)
    assert repr(again) == repr(rules)
    assert pickle.loads(pickle.dumps(rules)) == rules


FULL = Category("all of it", straight=True, flush=True, top="T", cards=3, min_wild=1, max_wild=2)


def test_repr_shows_what_is_not_the_default() -> None:
    assert repr(PAIR) == "Category('pair', shape=(2, 1))"
    assert repr(FULL) == (
        "Category('all of it', straight=True, flush=True, top='T', cards=3, min_wild=1, max_wild=2)"
    )
    assert eval(repr(FULL)) == FULL
    rules = RuleSet(
        "all",
        3,
        (FULL,),
        jokers=4,
        wild_ranks=("10", 0),
        ace="low",
        tie_breaks=("more_jokers", "ranks"),
        double_ace_flush=True,
        wild_rank_per_hand=True,
    )
    assert repr(rules) == (
        f"RuleSet('all', 3, ({FULL!r},), jokers=4, wild_ranks=('2', 'T'), ace='low', "
        "tie_breaks=('more_jokers', 'ranks'), double_ace_flush=True, wild_rank_per_hand=True)"
    )
    assert eval(repr(rules)) == rules


def test_equal_declarations_are_equal() -> None:
    other = RuleSet(
        "small", 3, [Category("pair", shape=[1, 2]), HIGH], jokers=1, tie_breaks=["ranks"]
    )
    assert other == SMALL
    assert hash(other) == hash(SMALL)
    assert {SMALL: 1}[other] == 1
    assert Category("x", shape=(1, 3, 2)).shape == (3, 2, 1)
    assert RuleSet("x", 3, [HIGH], wild_ranks="10").wild_ranks == (8,)
    assert RuleSet("x", 3, [HIGH], wild_ranks=8).wild_ranks == (8,)
    assert RuleSet("x", 3, [HIGH], wild_ranks=("A", "2", 7)).wild_ranks == (0, 7, 12)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"hand_size": 4, "categories": [Category("flush", flush=True)]},
        {"categories": (HIGH, PAIR)},
        {"categories": (HIGH,)},
        {"jokers": 2},
        {"wild_ranks": "7"},
        {"ace": "high"},
        {"tie_breaks": ()},
        {"double_ace_flush": True},
        {"wild_rank_per_hand": True},
    ],
)
def test_replace_changes_only_what_it_is_told(change: dict[str, Any]) -> None:
    changed = SMALL.replace(**change)
    assert changed != SMALL
    for name in SMALL.__slots__:
        if name not in change:
            assert getattr(changed, name) == getattr(SMALL, name)
    assert changed.replace(**{name: getattr(SMALL, name) for name in change}) == SMALL


def test_replace_checks_like_a_new_rule_set() -> None:
    with pytest.raises(RuleError, match=r"^expected a parameter of RuleSet \(name, .*got 'joker'$"):
        SMALL.replace(joker=1)
    with pytest.raises(RuleError, match=r"^rule set 'small': jokers: expected an int"):
        SMALL.replace(jokers=9)
    with pytest.raises(RuleError, match="add up to hand_size=4"):
        SMALL.replace(hand_size=4)


@pytest.mark.parametrize(("value", "name"), [(PAIR, "shape"), (SMALL, "jokers")])
def test_frozen(value: object, name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, 1)
    with pytest.raises(FrozenInstanceError):
        delattr(value, name)
    other = f"not_{name}"
    with pytest.raises((AttributeError, TypeError)):
        setattr(value, other, 1)
    assert not hasattr(value, other)


@pytest.mark.parametrize("value", [PAIR, SMALL])
def test_unequal_to_unrelated_things(value: Any) -> None:
    others: list[object] = [None, 0, "pair", repr(value), (), PAIR if value is SMALL else SMALL]
    for other in others:
        assert value != other
    with pytest.raises(TypeError):
        operator.lt(value, value)


# --- what is refused ---


def refused(call: Callable[..., object], args: tuple[Any, ...], options: dict[str, Any]) -> str:
    with pytest.raises(RuleError) as caught:
        call(*args, **options)
    message = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert "expected" in message
    assert "\n" not in message
    assert not message.endswith(".")
    return message


TABLE = memoryview(bytes(4)).cast("B", (2, 2))
SHAPE_SUM = "expected the shape (3, 2) to add up to cards=6, but it adds up to 5"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "category 'c': expected a shape, straight=True or flush=True, got none"),
        ({"shape": (3, 2), "cards": 6}, f"category 'c': {SHAPE_SUM}"),
        ({"shape": ()}, "category 'c': expected a shape with at least one group, got ()"),
        ({"shape": 5}, "category 'c': shape: expected a sequence of group sizes, got 5"),
        (
            {"shape": TABLE},
            f"category 'c': shape: expected a sequence of group sizes, got {TABLE!r}",
        ),
        ({"shape": "32"}, "category 'c': shape: expected an int from 1 to 7, got '3'"),
        ({"shape": (3, 0)}, "category 'c': shape: expected an int from 1 to 7, got 0"),
        ({"shape": (3, -1)}, "category 'c': shape: expected an int from 1 to 7, got -1"),
        ({"shape": (2.0, 1)}, "category 'c': shape: expected an int from 1 to 7, got 2.0"),
        ({"shape": (True,)}, "category 'c': shape: expected an int from 1 to 7, got True"),
        ({"shape": (8,)}, "category 'c': shape: expected an int from 1 to 7, got 8"),
        ({"shape": (5, 3)}, "category 'c': expected a shape of at most 7 cards, got (5, 3)"),
        ({"straight": 1}, "category 'c': straight: expected True or False, got 1"),
        ({"flush": "yes"}, "category 'c': flush: expected True or False, got 'yes'"),
        (
            {"flush": True, "top": "Z"},
            "category 'c': top: expected a rank such as '7', 'T', '10' or 'A', got 'Z'",
        ),
        (
            {"flush": True, "top": 13},
            "category 'c': top: expected a rank from 0 (deuce) to 12 (ace), got 13",
        ),
        (
            {"flush": True, "top": 12.0},
            "category 'c': top: expected a rank as text or as an int from 0 (deuce) to 12 (ace), "
            "got 12.0",
        ),
        ({"flush": True, "cards": 0}, "category 'c': cards: expected an int from 1 to 7, got 0"),
        ({"flush": True, "cards": 8}, "category 'c': cards: expected an int from 1 to 7, got 8"),
        (
            {"flush": True, "min_wild": -1},
            "category 'c': min_wild: expected an int from 0 to 7, got -1",
        ),
        (
            {"flush": True, "min_wild": None},
            "category 'c': min_wild: expected an int from 0 to 7, got None",
        ),
        (
            {"flush": True, "max_wild": 8},
            "category 'c': max_wild: expected an int from 0 to 7, got 8",
        ),
        (
            {"flush": True, "max_wild": False},
            "category 'c': max_wild: expected an int from 0 to 7, got False",
        ),
        (
            {"flush": True, "min_wild": 2, "max_wild": 1},
            "category 'c': expected max_wild to be at least min_wild=2, got 1",
        ),
        (
            {"straight": True, "shape": (2, 1)},
            "category 'c': expected a straight to have no shape, or only different ranks, got the "
            "shape (2, 1)",
        ),
    ],
)
def test_refused_categories(options: dict[str, Any], message: str) -> None:
    assert refused(Category, ("c",), options) == message


@pytest.mark.parametrize("name", ["", "  ", None, 5, b"x", "no_combination"])
def test_refused_category_names(name: Any) -> None:
    assert refused(Category, (name,), {"flush": True}) == (
        f"expected a category name that is not empty and not 'no_combination', got {name!r}"
    )


def rule_set(**changes: Any) -> RuleSet:
    """Make a rule set of three cards, which would be right but for the changes."""
    options: dict[str, Any] = {"name": "r", "hand_size": 3, "categories": (PAIR, HIGH)} | changes
    return RuleSet(**options)


TAKEN = "expected a pattern with hands of its own, but the stronger 'pair' takes them all"
NO_HANDS = (
    "expected a category that some hand of the deck makes, but each needs more wild cards than "
    "there are"
)
STRAIGHT_TOP = "expected the top of a straight of 3 cards with ace="


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hand_size": 0}, "hand_size: expected an int from 1 to 7, got 0"),
        ({"hand_size": 8}, "hand_size: expected an int from 1 to 7, got 8"),
        ({"hand_size": "3"}, "hand_size: expected an int from 1 to 7, got '3'"),
        ({"hand_size": True}, "hand_size: expected an int from 1 to 7, got True"),
        ({"hand_size": 3.0}, "hand_size: expected an int from 1 to 7, got 3.0"),
        ({"categories": ()}, "expected 1 to 127 categories, got 0"),
        (
            {"categories": [Category(str(i), flush=True) for i in range(128)]},
            "expected 1 to 127 categories, got 128",
        ),
        ({"categories": None}, "categories: expected a sequence of Category, got None"),
        ({"categories": PAIR}, f"categories: expected a sequence of Category, got {PAIR!r}"),
        ({"categories": ["pair"]}, "expected only Category in categories, got 'pair'"),
        ({"categories": (PAIR, PAIR)}, "expected different category names, got 'pair' twice"),
        ({"categories": (PAIR, Category("duo", shape=(2, 1)))}, f"category 'duo': {TAKEN}"),
        (
            {"categories": (PAIR, Category("duo", shape=(2, 1), cards=3))},
            f"category 'duo': {TAKEN}",
        ),
        ({"categories": (PAIR, Category("duo", shape=(2, 1), top=5))}, f"category 'duo': {TAKEN}"),
        (
            {"categories": [Category("c", flush=True, top="3")]},
            "category 'c': expected the top of 3 different ranks to be from 4 to A, got 3",
        ),
        (
            {"categories": [Category("c", shape=(1, 1), cards=2, top="2")]},
            "category 'c': expected the top of 2 different ranks to be from 3 to A, got 2",
        ),
        (
            {"categories": [Category("c", flush=True, cards=5)]},
            "category 'c': expected at most hand_size=3 cards, got cards=5",
        ),
        (
            {"categories": [Category("c", shape=(2,))]},
            "category 'c': expected the shape (2,) to add up to hand_size=3 (or cards=2 to be "
            "given), but it adds up to 2",
        ),
        (
            {"categories": [Category("c", flush=True, min_wild=4)]},
            "category 'c': expected min_wild to be at most the 3 cards it uses, got 4",
        ),
        (
            {"categories": [Category("c", straight=True, cards=1)]},
            "category 'c': expected a straight to use at least 2 cards, got 1",
        ),
        (
            {"categories": [Category("c", straight=True, top="2")]},
            f"category 'c': {STRAIGHT_TOP}'both' to be from 3 to A, got 2",
        ),
        (
            {"categories": [Category("c", straight=True, top="3")], "ace": "high"},
            f"category 'c': {STRAIGHT_TOP}'high' to be from 4 to A, got 3",
        ),
        (
            {"categories": [Category("c", straight=True, top="A")], "ace": "low"},
            f"category 'c': {STRAIGHT_TOP}'low' to be from 3 to K, got A",
        ),
        (
            {"categories": [Category("c", flush=True, shape=(2, 1))]},
            "category 'c': expected a flush to have no shape, or only different ranks, unless "
            "double_ace_flush=True, got the shape (2, 1)",
        ),
        (
            {"categories": [Category("c", flush=True, min_wild=1)]},
            NO_HANDS,
        ),
        (
            {
                "hand_size": 7,
                "categories": [Category("c", shape=(7,)), Category("d", shape=(6, 1))],
                "jokers": 1,
            },
            NO_HANDS,
        ),
        ({"jokers": -1}, "jokers: expected an int from 0 to 4, got -1"),
        ({"jokers": 5}, "jokers: expected an int from 0 to 4, got 5"),
        ({"jokers": None}, "jokers: expected an int from 0 to 4, got None"),
        (
            {"wild_ranks": "X"},
            "wild_ranks: expected a rank such as '7', 'T', '10' or 'A', got 'X'",
        ),
        ({"wild_ranks": [13]}, "wild_ranks: expected a rank from 0 (deuce) to 12 (ace), got 13"),
        ({"wild_ranks": None}, "wild_ranks: expected a sequence of ranks, got None"),
        ({"wild_ranks": ["7", 5]}, "wild_ranks: expected different ranks, got 7 twice"),
        ({"ace": "top"}, "ace: expected one of 'high', 'low', 'both', got 'top'"),
        ({"ace": None}, "ace: expected one of 'high', 'low', 'both', got None"),
        ({"ace": ["high"]}, "ace: expected one of 'high', 'low', 'both', got ['high']"),
        (
            {"tie_breaks": ("suits",)},
            "tie_breaks: expected one of 'ranks', 'fewer_jokers', 'more_jokers', got 'suits'",
        ),
        (
            {"tie_breaks": "ranks"},
            "tie_breaks: expected a sequence of names, such as ('ranks',), got a text",
        ),
        ({"tie_breaks": None}, "tie_breaks: expected a sequence of names, got None"),
        (
            {"tie_breaks": ("ranks", "ranks")},
            "tie_breaks: expected every tie-break at most once, got 'ranks' twice",
        ),
        (
            {"tie_breaks": ("fewer_jokers", "more_jokers")},
            "tie_breaks: expected 'fewer_jokers' or 'more_jokers', got both, which are opposites",
        ),
        ({"double_ace_flush": 1}, "double_ace_flush: expected True or False, got 1"),
        ({"wild_rank_per_hand": None}, "wild_rank_per_hand: expected True or False, got None"),
    ],
)
def test_refused_rule_sets(changes: dict[str, Any], message: str) -> None:
    assert refused(rule_set, (), changes) == f"rule set 'r': {message}"


PLAIN = Category("plain", flush=True)
SEQUENCE = Category("sequence", straight=True)


@pytest.mark.parametrize(
    ("stronger", "weaker", "refuses"),
    [
        (PLAIN, Category("w", flush=True, shape=(1, 1, 1)), True),
        (Category("s", flush=True, shape=(1, 1, 1)), Category("w", flush=True), True),
        (PLAIN, Category("w", flush=True, straight=True), True),
        (PLAIN, Category("w", flush=True, top="A"), True),
        (PLAIN, Category("w", flush=True, max_wild=1), True),
        (PLAIN, Category("w", flush=True, min_wild=2), True),
        (Category("s", flush=True, max_wild=0), Category("w", flush=True), False),
        (Category("s", flush=True, min_wild=1), Category("w", flush=True), False),
        (Category("s", flush=True, top="A"), Category("w", flush=True), False),
        (PLAIN, Category("w", flush=True, cards=2), False),
        (PLAIN, SEQUENCE, False),
        (SEQUENCE, PLAIN, False),
        (SEQUENCE, Category("w", straight=True, top="A", flush=True), True),
        (HIGH, SEQUENCE, True),
        (SEQUENCE, HIGH, False),
        (HIGH, PLAIN, True),
        (PAIR, PLAIN, False),
        (
            Category("s", straight=True, top="A"),
            Category("w", straight=True, top="A", shape=(1, 1, 1)),
            True,
        ),
        (
            Category("s", straight=True, top="A", shape=(1, 1, 1)),
            Category("w", straight=True, top="A"),
            True,
        ),
        (Category("s", shape=(1, 1, 1), top="A"), Category("w", flush=True, top="A"), True),
        (Category("s", flush=True, top="K"), Category("w", flush=True, top="A"), False),
        (
            Category("s", flush=True, top="5"),
            Category("w", straight=True, flush=True, top="5"),
            False,
        ),
    ],
)
def test_a_weaker_category_needs_hands_of_its_own(
    stronger: Category, weaker: Category, refuses: bool
) -> None:
    if refuses:
        message = refused(rule_set, (), {"categories": (stronger, weaker)})
        assert message.endswith(f"but the stronger {stronger.name!r} takes them all")
    else:
        assert rule_set(categories=(stronger, weaker)).categories == (stronger, weaker)
    # With double_ace_flush a flush can also hold a pair, so a shape asks for more.
    strict = Category("strict", flush=True, shape=(1, 1, 1))
    assert rule_set(categories=(strict, PLAIN), double_ace_flush=True)
    assert rule_set(categories=(HIGH, PLAIN), double_ace_flush=True)


def some_categories() -> Iterator[Category]:
    shapes = (None, (3,), (2, 1), (1, 1, 1), (2,), (1, 1))
    limits = ((0, None), (0, 0), (0, 1), (1, None), (1, 2), (3, 3))
    patterns = product(shapes, (False, True), (False, True), (None, "5", "A"), limits, (2, 3))
    for shape, straight, flush, top, (least, most), cards in patterns:
        with suppress(RuleError):
            yield Category(
                f"{shape} {straight} {flush} {top} {least} {most} {cards}",
                shape=shape,
                straight=straight,
                flush=flush,
                top=top,
                cards=cards,
                min_wild=least,
                max_wild=most,
            )


@pytest.mark.parametrize("double", [False, True])
def test_no_category_that_can_be_reached_is_refused(double: bool) -> None:
    """Every pair that is refused: each hand of the weaker one is also one of the stronger."""
    hands = np.concatenate(list(wildrank.all_hands(3, jokers=4)))
    made: dict[Category, Any] = {}
    for category in some_categories():
        with suppress(RuleError):
            rules = rule_set(categories=[category], jokers=4, double_ace_flush=double)
            made[category] = Evaluator(rules).evaluate_batch(hands) > 0
    count = 0
    for stronger, weaker in permutations(made, 2):
        try:
            rule_set(categories=(stronger, weaker), jokers=4, double_ace_flush=double)
        except RuleError:
            count += 1
            assert not (made[weaker] & ~made[stronger]).any(), (stronger, weaker)
    assert count > 2000


@pytest.mark.parametrize("name", ["", "\t", None, 5])
def test_refused_rule_set_names(name: Any) -> None:
    expected = f"expected a rule set name that is not empty, got {name!r}"
    assert refused(rule_set, (), {"name": name}) == expected


@pytest.mark.parametrize(
    ("category", "options"),
    [
        (Category("c", straight=True, top="3"), {}),
        (Category("c", straight=True, top="K"), {"ace": "low"}),
        (Category("c", straight=True, top="4"), {"ace": "high"}),
        (Category("c", straight=True, cards=2, top="2"), {}),
        (Category("c", straight=True, shape=(1, 1, 1)), {}),
        (Category("c", shape=(3,), min_wild=3), {"wild_rank_per_hand": True}),
        (Category("c", shape=(3,), flush=True), {"jokers": 2, "double_ace_flush": True}),
        (Category("c", flush=True, top="4"), {}),
        (Category("c", flush=True, top="2"), {"double_ace_flush": True}),
        (Category("c", shape=(2, 1), top="2"), {}),
        (Category("c", flush=True, shape=(2, 1)), {"double_ace_flush": True, "jokers": 1}),
        (Category("c", flush=True, shape=(1, 1, 1)), {}),
        (Category("c", shape=(2,), cards=2, min_wild=2, max_wild=2), {"jokers": 4}),
        (Category("c", shape=(1,), cards=1, top=0), {"tie_breaks": ()}),
        (Category("c", flush=True), {"tie_breaks": ("more_jokers", "ranks"), "wild_ranks": ()}),
    ],
)
def test_the_limits_of_what_is_accepted(category: Category, options: dict[str, Any]) -> None:
    assert rule_set(categories=[category], **options).categories == (category,)


@pytest.mark.parametrize("hand_size", range(1, 8))
def test_every_hand_size(hand_size: int) -> None:
    assert RuleSet("r", hand_size, [Category("f", flush=True)]).hand_size == hand_size
