"""Published numbers of hands, and published hands that evaluators went wrong on.

``data/frequencies.json`` and ``data/wild_cards.jsonl`` hold them; ranks there are 2 to 14.  What
needs a kind of joker that the package does not have is listed here by name.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wildrank.evaluator import Evaluator
from wildrank.games import perico, puck, six_card_perico
from wildrank.rules import Category, RuleSet

DATA = Path(__file__).parent / "data"
PUBLISHED: dict[str, Any] = json.loads((DATA / "frequencies.json").read_text(encoding="utf-8"))
FREQUENCIES = {entry["name"]: entry for entry in PUBLISHED["frequencies"]}

# Strongest first, as the published tables with wild cards have them; but poker without wild cards
# counts the same in any order.
FIVE_CARDS = (
    Category("five_of_a_kind", shape=(5,), cards=5),
    Category("straight_flush", straight=True, flush=True, cards=5),
    Category("four_of_a_kind", shape=(4, 1), cards=5),
    Category("full_house", shape=(3, 2), cards=5),
    Category("flush", flush=True, cards=5),
    Category("straight", straight=True, cards=5),
    Category("three_of_a_kind", shape=(3, 1, 1), cards=5),
    Category("two_pair", shape=(2, 2, 1), cards=5),
    Category("pair", shape=(2, 1, 1, 1), cards=5),
    Category("high_card", shape=(1, 1, 1, 1, 1), cards=5),
)
ROYAL = Category("royal", straight=True, flush=True, top="A", cards=5)
WITH_ROYAL = (FIVE_CARDS[0], ROYAL, *FIVE_CARDS[1:])
THREE_CARDS = (
    Category("straight_flush", straight=True, flush=True),
    Category("three_of_a_kind", shape=(3,)),
    Category("straight", straight=True),
    Category("flush", flush=True),
    Category("pair", shape=(2, 1)),
    Category("high_card", shape=(1, 1, 1)),
)

COUNTED = {
    "5 of 52": RuleSet("poker", 5, WITH_ROYAL),
    "5 of 53, joker fully wild": RuleSet("poker", 5, WITH_ROYAL, jokers=1),
    "5 of 54, two jokers fully wild": RuleSet("poker", 5, WITH_ROYAL, jokers=2),
    "5 of 52, deuces wild": RuleSet("poker", 5, WITH_ROYAL, wild_ranks="2"),
    "best 5 of 6 of 52": RuleSet("poker", 6, WITH_ROYAL),
    "3 of 52": RuleSet("poker", 3, THREE_CARDS),
    "3 of 53, joker fully wild": RuleSet("poker", 3, THREE_CARDS, jokers=1),
}
NOT_COUNTED = {"best 5 of 7 of 53, bug joker (pai gow)"}  # no bug joker


def published_counts(name: str) -> dict[str, int]:
    counts: dict[str, int] = FREQUENCIES[name]["counts"]
    return {key.removesuffix("_not_royal"): count for key, count in counts.items()}


def test_every_published_table_is_covered_or_listed() -> None:
    assert COUNTED.keys() | NOT_COUNTED == FREQUENCIES.keys()
    assert not COUNTED.keys() & NOT_COUNTED


@pytest.mark.parametrize("name", COUNTED)
def test_category_counts_are_the_published_ones(name: str) -> None:
    counts = Evaluator(COUNTED[name]).category_counts()
    assert counts == published_counts(name)
    assert sum(counts.values()) == FREQUENCIES[name]["total"]


@pytest.mark.parametrize("name", [name for name in COUNTED if not name.startswith("best")])
def test_counting_every_hand_gives_the_published_numbers(name: str) -> None:
    rules = COUNTED[name]
    evaluator = Evaluator(rules)
    hands = every_hand(52 + rules.jokers, rules.hand_size)
    values = evaluator.evaluate_batch(hands)
    by_category = np.bincount(
        evaluator.category_index(values), minlength=len(rules.categories)
    ).tolist()
    names = [category.name for category in rules.categories]
    assert dict(zip(names, by_category, strict=True)) == published_counts(name)
    assert np.array_equal(
        np.bincount(values, minlength=evaluator.num_values + 1), evaluator.value_counts()
    )


def every_hand(deck_size: int, hand_size: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Return every hand: the places of the ones in all words with so many of them."""
    if hand_size == 1:
        return np.arange(deck_size, dtype=np.uint8)[:, None]
    shorter = every_hand(deck_size, hand_size - 1)
    last = shorter[:, -1]
    repeats = deck_size - 1 - last.astype(np.int64)
    starts = np.cumsum(repeats) - repeats
    longer = np.repeat(shorter, repeats, axis=0)
    added = np.arange(len(longer)) - np.repeat(starts, repeats) + longer[:, -1] + 1
    return np.column_stack([longer, added.astype(np.uint8)])


def test_every_hand_is_made_once() -> None:
    hands = every_hand(9, 4)
    assert len({frozenset(hand) for hand in hands.tolist()}) == len(hands) == comb(9, 4)


@pytest.mark.parametrize("name", ["5 of 52", "best 5 of 6 of 52"])
def test_distinct_values_by_category_are_the_published_ones(name: str) -> None:
    rules = RuleSet("poker", COUNTED[name].hand_size, FIVE_CARDS)
    evaluator = Evaluator(rules)
    published = PUBLISHED["distinct_values"][name]
    assert evaluator.num_values == published["total"]
    assert distinct_values(evaluator) == [0, *published["by_category_high_to_low"]]


def test_distinct_values_of_three_cards_are_the_published_ones() -> None:
    evaluator = Evaluator(COUNTED["3 of 52"])
    published = PUBLISHED["distinct_values"]["3 of 52"]
    assert evaluator.num_values == published["total"] == 741
    names = [category.name for category in evaluator.rules.categories]
    distinct = dict(zip(names, distinct_values(evaluator), strict=True))
    assert distinct == published["by_category"]


def distinct_values(evaluator: Evaluator) -> list[int]:
    """Return how many values each category has, strongest category first."""
    indices = evaluator.category_index(np.arange(1, evaluator.num_values + 1))
    counts: list[int] = np.bincount(indices, minlength=len(evaluator.rules.categories)).tolist()
    return counts


def test_seven_card_poker_has_its_well_known_numbers() -> None:
    """133,784,560 hands: nowhere enumerated here, so this checks the counting by weights."""
    evaluator = Evaluator(RuleSet("poker", 7, WITH_ROYAL[1:]))
    assert evaluator.num_values == 4824
    assert evaluator.category_counts() == {
        "high_card": 23294460,
        "pair": 58627800,
        "two_pair": 31433400,
        "three_of_a_kind": 6461620,
        "straight": 6180020,
        "flush": 4047644,
        "full_house": 3473184,
        "four_of_a_kind": 224848,
        "straight_flush": 37260,
        "royal": 4324,
    }


def test_numbers_of_the_rules_page() -> None:
    """Five cards without and with one joker, three cards with the ace high or low."""
    assert Evaluator(perico.rules(jokers=0)).num_values == 7462
    assert Evaluator(perico.rules(jokers=1)).category_counts() == {
        "high_card": 1302540,
        "one_pair": 1268088,
        "two_pair": 123552,
        "three_of_a_kind": 137280,
        "straight": 20532,
        "flush": 7804,
        "full_house": 6552,
        "four_of_a_kind": 3120,
        "straight_flush": 204 - 24,
        "five_of_a_kind": 13,
        "royal_flush": 24,
    }
    three = Evaluator(puck.rules(jokers=0, ace="both"))
    assert three.num_values == 741
    assert three.category_counts() == {
        "high_card": 16440,
        "one_pair": 3744,
        "straight": 720,
        "flush": 1096,
        "three_of_a_kind": 52,
        "straight_flush": 48,
    }


def test_five_of_a_kind_without_jokers_never_comes() -> None:
    """Its hands become the best other reading, mostly four of a kind with an ace."""
    with_jokers = Evaluator(perico.RULES).category_counts()
    natural = Evaluator(perico.rules(natural_five_of_a_kind=True))
    assert with_jokers["five_of_a_kind"] == 13 + 13 * 4 + 13
    assert natural.category_counts()["five_of_a_kind"] == 0
    reading = natural.explain("7c 7d 7h 7s Jk")
    assert (reading.category, reading.ranks) == ("four_of_a_kind", (5, 12))


def test_naturally_five_of_a_kind_among_six_cards_becomes_a_new_house() -> None:
    natural = Evaluator(six_card_perico.rules(natural_five_of_a_kind=True))
    assert natural.category_of(natural.evaluate("7c 7d 7h 7s Jk 2c")) == "new_house"
    assert natural.category_of(natural.evaluate("7c 7d 7h 7s Jk Jk")) == "six_of_a_kind"


# --- Single hands ----------------------------------------------------------------------------

JOKER_WILD = (
    "joker fully wild; five of a kind top; A-2-3-4-5 lowest straight; "
    "no duplicate card except in five of a kind"
)
BUG = "'bug': joker = ace, or completes a straight/flush/straight flush; "
BUG_JOKER = f"pai gow {BUG}A-2-3-4-5 second highest straight"
COLOURED = (
    "best 5 of 7; X1 = black joker (any club/spade), X2 = red joker (any heart/diamond); "
    "no duplicates, so no five of a kind"
)
FEWER_JOKERS = (
    "Perico: within one category the hand with FEWER JOKERS wins before any rank is compared"
)

# One joker more than a case has does not change its hands, so the deck always has two.  Three-card
# cases have no flush, so the order of flush and straight does not show.
_THREE = RuleSet("three cards", 3, THREE_CARDS, jokers=2)
RULES: dict[str, RuleSet] = {
    "best 5 of 7, deuces fully wild": RuleSet("deuces", 7, FIVE_CARDS, wild_ranks="2"),
    "deuces fully wild": RuleSet("deuces", 5, FIVE_CARDS, wild_ranks="2"),
    f"best 5 of 7; {JOKER_WILD}": RuleSet("joker", 7, FIVE_CARDS, jokers=2),
    JOKER_WILD: RuleSet("joker", 5, FIVE_CARDS, jokers=2),
    f"{JOKER_WILD}; standard flush rule": RuleSet("joker", 5, FIVE_CARDS, jokers=2),
    "double-ace flush allowed: wild may repeat a held rank": RuleSet(
        "double ace", 5, FIVE_CARDS, jokers=2, double_ace_flush=True
    ),
    FEWER_JOKERS: RuleSet("perico", 5, FIVE_CARDS, jokers=2, tie_breaks=("fewer_jokers", "ranks")),
    "poker: A-2-3 lowest straight": _THREE,
    "straight flush > trips (three card poker)": _THREE,
    "any usual order": _THREE,
    # The coloured jokers themselves do not exist, but a hand without one needs no joker.
    COLOURED: RuleSet("no joker", 7, FIVE_CARDS[1:]),
}
NOT_COVERED = {
    "c01": "coloured joker",
    "e15": "bug joker",
    "e17": "bug joker",
    "p09": "bug joker",
    "p11": "bug joker, A-2-3-4-5 the second highest straight",
}


@dataclass(frozen=True)
class Case:
    """A published case: hands and the readings they have."""

    name: str
    rules: str
    hands: tuple[str, ...]
    readings: tuple[tuple[str, tuple[int, ...]], ...]  # ranks 0 to 12
    compare: str | None

    @property
    def covered(self) -> bool:
        return self.rules in RULES and not (self.rules == COLOURED and "Jk" in self.hands[0])


def read_cases() -> Iterator[Case]:
    for line in (DATA / "wild_cards.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        expected = entry["expected"]
        yield Case(
            name=entry["id"],
            rules=entry["rules"],
            hands=tuple(
                " ".join("Jk" if card[0] == "X" else card for card in hand)
                for hand in entry["hands"]
            ),
            readings=tuple(
                (value["category"], tuple(rank - 2 for rank in value["ranks"]))
                for value in expected.get("values", [expected])
            ),
            compare=expected.get("compare"),
        )


CASES = list(read_cases())
COVERED = [case for case in CASES if case.covered]


def test_what_is_not_covered_is_listed_by_name() -> None:
    assert {case.name for case in CASES if not case.covered} == NOT_COVERED.keys()
    assert len(COVERED) + len(NOT_COVERED) == len(CASES)
    used = {case.rules for case in COVERED}
    assert used == RULES.keys()


@pytest.mark.parametrize("case", COVERED, ids=lambda case: case.name)
def test_published_hand(case: Case) -> None:
    evaluator = Evaluator(RULES[case.rules])
    for hand, (category, ranks) in zip(case.hands, case.readings, strict=True):
        reading = evaluator.explain(hand)
        assert (reading.category, reading.ranks) == (category, ranks)
        assert reading.value == evaluator.evaluate(hand)
        assert evaluator.category_of(reading.value) == category


@pytest.mark.parametrize(
    "case", [case for case in COVERED if case.compare], ids=lambda case: case.name
)
def test_published_winner(case: Case) -> None:
    winner = {"first": [0], "second": [1]}[str(case.compare)]
    assert Evaluator(RULES[case.rules]).winners(case.hands) == winner
