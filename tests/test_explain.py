"""Explanations: hands worked out by hand for every category, and agreement with the values."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, fields
from itertools import permutations

import pytest
from reference import category_name, read_hand

import wildrank
from wildrank import Card, Category, Evaluator, Reading, RuleSet, parse_cards, rank_name
from wildrank.games import perico

BEST_FIVE = RuleSet(
    "best five of seven",
    7,
    [
        Category("royal_flush", straight=True, flush=True, top="A", cards=5),
        Category("straight_flush", straight=True, flush=True, cards=5),
        Category("four_of_a_kind", shape=(4, 1), cards=5),
        Category("full_house", shape=(3, 2), cards=5),
        Category("flush", flush=True, cards=5),
        Category("straight", straight=True, cards=5),
        Category("three_of_a_kind", shape=(3, 1, 1), cards=5),
        Category("two_pair", shape=(2, 2, 1), cards=5),
        Category("one_pair", shape=(2, 1, 1, 1), cards=5),
        Category("high_card", shape=(1, 1, 1, 1, 1), cards=5),
    ],
    jokers=2,
)
LIMITED = RuleSet(
    "limited",
    5,
    [
        Category("pair with a wild card", shape=(2, 1, 1, 1), min_wild=1),
        Category("natural pair", shape=(2, 1, 1, 1), max_wild=0),
        Category("rest", shape=(1, 1, 1, 1, 1), max_wild=1),
    ],
    jokers=2,
    wild_ranks="2",
)
EVALUATORS = {
    "perico": wildrank.evaluator("perico"),
    "perico natural": wildrank.evaluator("perico", natural_five_of_a_kind=True),
    "six": wildrank.evaluator("six-card-perico"),
    "six natural": wildrank.evaluator("six-card-perico", natural_five_of_a_kind=True),
    "puck": wildrank.evaluator("puck"),
    "puck both": wildrank.evaluator("puck", ace="both"),
    "paiute": wildrank.evaluator("paiute"),
    "paiute five": wildrank.evaluator("paiute", hand_size=5),
    "paiute both": wildrank.evaluator("paiute", ace="both"),
    "paiute sevens": wildrank.evaluator("paiute", wild_rank="7"),
    "ace low": Evaluator(
        RuleSet(
            "ace low",
            5,
            [Category("straight", straight=True), Category("high_card", shape=(1,) * 5)],
            jokers=2,
            ace="low",
        )
    ),
    "double ace": Evaluator(perico.RULES.replace(double_ace_flush=True)),
    "no tie-breaks": Evaluator(perico.RULES.replace(tie_breaks=())),
    "jokers only": Evaluator(perico.RULES.replace(tie_breaks=("fewer_jokers",))),
    "best five": Evaluator(BEST_FIVE),
    "more jokers": Evaluator(BEST_FIVE.replace(tie_breaks=("more_jokers", "ranks"))),
    "fewer jokers": Evaluator(BEST_FIVE.replace(tie_breaks=("fewer_jokers", "ranks"))),
    "limited": Evaluator(LIMITED),
}

# Rule set, hand, wild rank, and the line that explains it.
CASES = [
    ("perico", "As Ks Qs Js Ts", "", "royal flush (A): As Ks Qs Js Ts"),
    ("perico", "As Jk Qs Js 10s", "", "royal flush (A): As Jk Qs Js Ts, with Jk as Ks"),
    ("perico", "* A♦ Kd Jk Td", "", "royal flush (A): Jk Ad Kd Jk Td, with Jk as Qd, Jk as Jd"),
    ("perico", "7c 7d 7h 7s Jk", "", "five of a kind (7): 7c 7d 7h 7s Jk, with Jk as 7s"),
    ("perico", "Jk 7d 7h Jk 7s", "", "five of a kind (7): Jk 7d 7h Jk 7s, with Jk as 7c, Jk as 7s"),
    ("perico", "9h 8h 7h 6h 5h", "", "straight flush (9): 9h 8h 7h 6h 5h"),
    ("perico", "5h Jk 3h 2h Ah", "", "straight flush (5): 5h Jk 3h 2h Ah, with Jk as 4h"),
    ("perico", "Jk 5h 3h 2h *", "", "straight flush (6): Jk 5h 3h 2h Jk, with Jk as 6h, Jk as 4h"),
    ("perico", "9c 9d 9h 9s 2d", "", "four of a kind (9, 2): 9c 9d 9h 9s 2d"),
    ("perico", "9c 9d Jk 9s 2d", "", "four of a kind (9, 2): 9c 9d Jk 9s 2d, with Jk as 9h"),
    ("perico", "Kc Kd Kh 5s 5d", "", "full house (K, 5): Kc Kd Kh 5s 5d"),
    ("perico", "Kc Kd 5h 5s Jk", "", "full house (K, 5): Kc Kd 5h 5s Jk, with Jk as Ks"),
    ("perico", "As 9s 7s 4s 2s", "", "flush (A, 9, 7, 4, 2): As 9s 7s 4s 2s"),
    ("perico", "Ks 9s 7s 4s Jk", "", "flush (A, K, 9, 7, 4): Ks 9s 7s 4s Jk, with Jk as As"),
    ("perico", "As 9s 7s 4s Jk", "", "flush (A, K, 9, 7, 4): As 9s 7s 4s Jk, with Jk as Ks"),
    ("perico", "9c 8d 7h 6s 5c", "", "straight (9): 9c 8d 7h 6s 5c"),
    ("perico", "9c 8d Jk 6s 5c", "", "straight (9): 9c 8d Jk 6s 5c, with Jk as 7s"),
    ("perico", "Ac 2d 3h 4s 5c", "", "straight (5): Ac 2d 3h 4s 5c"),
    ("perico", "Jk 2d 3h 4s 5c", "", "straight (6): Jk 2d 3h 4s 5c, with Jk as 6s"),
    ("perico", "Ac Kd Qh Js Tc", "", "straight (A): Ac Kd Qh Js Tc"),
    ("perico", "9c 9d 9h 4s 2c", "", "three of a kind (9, 4, 2): 9c 9d 9h 4s 2c"),
    (
        "perico",
        "9c Jk 9s 4s 2d",
        "",
        "three of a kind (9, 4, 2): 9c Jk 9s 4s 2d, with Jk as 9h",
    ),
    ("perico", "9c 9d 4h 4s 2c", "", "two pair (9, 4, 2): 9c 9d 4h 4s 2c"),
    ("perico", "9c 9d 7h 4s 2c", "", "one pair (9, 7, 4, 2): 9c 9d 7h 4s 2c"),
    ("perico", "9c Jk 7h 4s 2c", "", "one pair (9, 7, 4, 2): 9c Jk 7h 4s 2c, with Jk as 9s"),
    ("perico", "Kc Qd 9h 4s 2c", "", "high card (K, Q, 9, 4, 2): Kc Qd 9h 4s 2c"),
    ("perico natural", "7c 7d 7h 7s *", "", "four of a kind (7, A): 7c 7d 7h 7s Jk, with Jk as As"),
    ("perico natural", "As Ad Ac Ah *", "", "four of a kind (A, K): As Ad Ac Ah Jk, with Jk as Ks"),
    (
        "perico natural",
        "7c 7d 7h Jk *",
        "",
        "four of a kind (7, A): 7c 7d 7h Jk Jk, with Jk as 7s, Jk as As",
    ),
    ("six", "As Ks Qs Js Ts 9s", "", "royal flush (A): As Ks Qs Js Ts 9s"),
    ("six", "As Ks * Js Ts 9s", "", "royal flush (A): As Ks Jk Js Ts 9s, with Jk as Qs"),
    (
        "six",
        "7c 7d 7h 7s Jk *",
        "",
        "six of a kind (7): 7c 7d 7h 7s Jk Jk, with Jk as 7s, Jk as 7s",
    ),
    (
        "six",
        "* * * * 2c 2d",
        "",
        "six of a kind (2): Jk Jk Jk Jk 2c 2d, with Jk as 2s, Jk as 2h, Jk as 2s, Jk as 2s",
    ),
    (
        "six",
        "* * * * 2c 3c",
        "",
        "straight flush (7): Jk Jk Jk Jk 2c 3c, with Jk as 7c, Jk as 6c, Jk as 5c, Jk as 4c",
    ),
    ("six", "Ah 2h 3h 4h 5h 6h", "", "straight flush (6): Ah 2h 3h 4h 5h 6h"),
    ("six", "7c 7d 7h 7s Jk 2c", "", "five of a kind (7, 2): 7c 7d 7h 7s Jk 2c, with Jk as 7s"),
    ("six", "7c 7d 7h 7s 2d 2c", "", "new house (7, 2): 7c 7d 7h 7s 2d 2c"),
    ("six", "7c 7d 7h Jk 2d 2c", "", "new house (7, 2): 7c 7d 7h Jk 2d 2c, with Jk as 7s"),
    ("six", "7c 7d 7h 2s 2d 2c", "", "crazy house (7, 2): 7c 7d 7h 2s 2d 2c"),
    ("six", "7c 7d 7h 7s 2d 3c", "", "four of a kind (7, 3, 2): 7c 7d 7h 7s 2d 3c"),
    ("six", "As 9s 7s 4s Jk Js", "", "flush (A, K, J, 9, 7, 4): As 9s 7s 4s Jk Js, with Jk as Ks"),
    ("six", "9c 8d 7h 6s 5c 4d", "", "straight (9): 9c 8d 7h 6s 5c 4d"),
    ("six", "Ac 2d 3h 4s 5c 6d", "", "straight (6): Ac 2d 3h 4s 5c 6d"),
    ("six", "7c 7d 7h 2s 2d 3c", "", "old house (7, 2, 3): 7c 7d 7h 2s 2d 3c"),
    ("six", "7c 7d 2s 2d 3c *", "", "old house (7, 2, 3): 7c 7d 2s 2d 3c Jk, with Jk as 7s"),
    ("six", "7c 7d 2s 2d 3c 3h", "", "three pair (7, 3, 2): 7c 7d 2s 2d 3c 3h"),
    ("six", "7c 7d 7h 2s 3d 4c", "", "three of a kind (7, 4, 3, 2): 7c 7d 7h 2s 3d 4c"),
    ("six", "7c 7d 2h 2s 3d 4c", "", "two pair (7, 2, 4, 3): 7c 7d 2h 2s 3d 4c"),
    ("six", "7c Jk 2h 4s 3d Jc", "", "one pair (J, 7, 4, 3, 2): 7c Jk 2h 4s 3d Jc, with Jk as Js"),
    ("six", "7c Ad 2h 4s 3d Jc", "", "high card (A, J, 7, 4, 3, 2): 7c Ad 2h 4s 3d Jc"),
    ("six natural", "7c 7d 7h 7s * 2c", "", "new house (7, 2): 7c 7d 7h 7s Jk 2c, with Jk as 2s"),
    (
        "six natural",
        "7c 7d 7h 7s Jk *",
        "",
        "six of a kind (7): 7c 7d 7h 7s Jk Jk, with Jk as 7s, Jk as 7s",
    ),
    ("puck", "4c 3c 2c", "", "straight flush (4): 4c 3c 2c"),
    ("puck", "Ac Kc *", "", "straight flush (A): Ac Kc Jk, with Jk as Qc"),
    ("puck", "* * 2c", "", "straight flush (4): Jk Jk 2c, with Jk as 4c, Jk as 3c"),
    ("puck", "9c 9d Jk", "", "three of a kind (9): 9c 9d Jk, with Jk as 9s"),
    ("puck", "9c 5c Jk", "", "flush (A, 9, 5): 9c 5c Jk, with Jk as Ac"),
    ("puck", "Ac Jk 2c", "", "flush (A, K, 2): Ac Jk 2c, with Jk as Kc"),
    ("puck", "9c 8d Jk", "", "straight (T): 9c 8d Jk, with Jk as Ts"),
    ("puck", "Ac 2d Jk", "", "one pair (A, 2): Ac 2d Jk, with Jk as As"),
    ("puck", "Ac 2d 3h", "", "high card (A, 3, 2): Ac 2d 3h"),
    ("puck both", "Ac 2d 3h", "", "straight (3): Ac 2d 3h"),
    ("puck both", "Ac 2d Jk", "", "straight (3): Ac 2d Jk, with Jk as 3s"),
    ("puck both", "Jk 2c Ac", "", "straight flush (3): Jk 2c Ac, with Jk as 3c"),
    (
        "paiute",
        "9c 9d 9h 9s 7d 2c",
        "7",
        "five of a kind (9): 9c 9d 9h 9s 7d, with 7d as 9s; not counted: 2c",
    ),
    (
        "paiute",
        "2c 7c 7d 7h 9s 9d",
        "7",
        "five of a kind (9): 7c 7d 7h 9s 9d, with 7c as 9h, 7d as 9c, 7h as 9s; not counted: 2c",
    ),
    (
        "paiute",
        "7c Ks 2d Qs Js Ts",
        "7",
        "royal flush (A): 7c Ks Qs Js Ts, with 7c as As; not counted: 2d",
    ),
    ("paiute", "Ac Kc Qc Jc Tc 9c", "7", "royal flush (A): Ac Kc Qc Jc Tc; not counted: 9c"),
    (
        "paiute",
        "7c 9h Th Jh Qh 2s",
        "7",
        "straight flush (K): 7c 9h Th Jh Qh, with 7c as Kh; not counted: 2s",
    ),
    (
        "paiute",
        "7h 9h 8h 6h 5h 2s",
        "7",
        "straight flush (9): 7h 9h 8h 6h 5h, with 7h as 7h; not counted: 2s",
    ),
    ("paiute", "7h 9h 8h 6h 5h 2s", "3", "straight flush (9): 7h 9h 8h 6h 5h; not counted: 2s"),
    ("paiute", "2d 2s 3c 3h 3d 7c", "7", "four two (3, 2): 2d 2s 3c 3h 3d 7c, with 7c as 3s"),
    ("paiute", "2d 2s 2c 3h 3d 7c", "7", "four two (2, 3): 2d 2s 2c 3h 3d 7c, with 7c as 2h"),
    ("paiute", "9c 9d 2h 2s 9h 2c", "", "three three (9, 2): 9c 9d 2h 2s 9h 2c"),
    ("paiute", "2d 2s 3c 3h 7d 9s", "7", "two two two (9, 3, 2): 2d 2s 3c 3h 7d 9s, with 7d as 9h"),
    ("paiute", "7c 2d 3h 5s 9c Kd", "7", "no combination: 7c 2d 3h 5s 9c Kd"),
    ("paiute", "Ac 2c 3c 4c 5c 9d", "7", "no combination: Ac 2c 3c 4c 5c 9d"),
    ("paiute both", "Ac 2c 3c 4c 5c 9d", "", "straight flush (5): Ac 2c 3c 4c 5c; not counted: 9d"),
    (
        "paiute sevens",
        "7c Ks Qs Js Ts 2d",
        "",
        "royal flush (A): 7c Ks Qs Js Ts, with 7c as As; not counted: 2d",
    ),
    (
        "paiute five",
        "7c 7d 9c 9d 9h",
        "7",
        "five of a kind (9): 7c 7d 9c 9d 9h, with 7c as 9s, 7d as 9s",
    ),
    (
        "paiute five",
        "7c 7d 7h 2c 3c",
        "7",
        "straight flush (6): 7c 7d 7h 2c 3c, with 7c as 6c, 7d as 5c, 7h as 4c",
    ),
    ("paiute five", "7c 2d 2s 3c 3h", "7", "no combination: 7c 2d 2s 3c 3h"),
    ("ace low", "Ac Kd Qh Js Tc", "", "high card (A, K, Q, J, T): Ac Kd Qh Js Tc"),
    ("ace low", "Ac 2d 3h 4s 5c", "", "straight (5): Ac 2d 3h 4s 5c"),
    ("ace low", "* Kd Qh Js Tc", "", "straight (K): Jk Kd Qh Js Tc, with Jk as 9s"),
    ("double ace", "As Ks 9s 5s *", "", "flush (A, A, K, 9, 5): As Ks 9s 5s Jk, with Jk as As"),
    (
        "double ace",
        "Ks 9s 5s * *",
        "",
        "flush (A, A, K, 9, 5): Ks 9s 5s Jk Jk, with Jk as As, Jk as As",
    ),
    (
        "no tie-breaks",
        "7c 7d Jk * 9c",
        "",
        "four of a kind (7, 9): 7c 7d Jk Jk 9c, with Jk as 7s, Jk as 7h",
    ),
    ("no tie-breaks", "9s 8s * 5s 2s", "", "flush (A, 9, 8, 5, 2): 9s 8s Jk 5s 2s, with Jk as As"),
    ("jokers only", "9s 8s * 5s 2s", "", "flush (A, 9, 8, 5, 2): 9s 8s Jk 5s 2s, with Jk as As"),
    (
        "best five",
        "As Kd 9h 9c 5d 5s 2c",
        "",
        "two pair (9, 5, A): As 9h 9c 5d 5s; not counted: Kd 2c",
    ),
    (
        "best five",
        "As Kd 9h 9c 5d 5s Kc",
        "",
        "two pair (K, 9, A): As Kd 9h 9c Kc; not counted: 5d 5s",
    ),
    (
        "best five",
        "As 9s 7s 5s 2s Ks Kd",
        "",
        "flush (A, K, 9, 7, 5): As 9s 7s 5s Ks; not counted: 2s Kd",
    ),
    (
        "best five",
        "7c 7d 7h 9s 9d 9c 2h",
        "",
        "full house (9, 7): 7c 7d 9s 9d 9c; not counted: 7h 2h",
    ),
    (
        "best five",
        "Jk 2c 3d 4h 5s 9c Kd",
        "",
        "straight (6): Jk 2c 3d 4h 5s, with Jk as 6s; not counted: 9c Kd",
    ),
    (
        "best five",
        "As Ks Qs Js 2d 3d Jk",
        "",
        "royal flush (A): As Ks Qs Js Jk, with Jk as Ts; not counted: 2d 3d",
    ),
    (
        "more jokers",
        "9c 9d 9h 9s Jk Kd Kh",
        "",
        "four of a kind (9, A): 9c 9d 9h 9s Jk, with Jk as As; not counted: Kd Kh",
    ),
    (
        "fewer jokers",
        "9c 9d 9h 9s Jk Kd Kh",
        "",
        "four of a kind (9, K): 9c 9d 9h 9s Kd; not counted: Jk Kh",
    ),
    (
        "fewer jokers",
        "As Ks Qs Js Ts Jk *",
        "",
        "royal flush (A): As Ks Qs Js Ts; not counted: Jk Jk",
    ),
    ("limited", "9c 9d 3h 5s 7d", "", "natural pair (9, 7, 5, 3): 9c 9d 3h 5s 7d"),
    (
        "limited",
        "9c 2d 3h 5s 7d",
        "",
        "pair with a wild card (9, 7, 5, 3): 9c 2d 3h 5s 7d, with 2d as 9s",
    ),
    (
        "limited",
        "9c 2d Jk 5s 7d",
        "",
        "pair with a wild card (A, 9, 7, 5): 9c 2d Jk 5s 7d, with 2d as As, Jk as Ah",
    ),
    (
        "limited",
        "9c 9d 2h 5s 7d",
        "",
        "pair with a wild card (9, A, 7, 5): 9c 9d 2h 5s 7d, with 2h as As",
    ),
    ("limited", "9c Kd 3h 5s 7d", "", "rest (K, 9, 7, 5, 3): 9c Kd 3h 5s 7d"),
    ("limited", "9c 9d 9h 5s 7d", "", "no combination: 9c 9d 9h 5s 7d"),
]


@pytest.mark.parametrize(("rules", "hand", "wild_rank", "line"), CASES)
def test_hands_worked_out_by_hand(rules: str, hand: str, wild_rank: str, line: str) -> None:
    ev = EVALUATORS[rules]
    reading = ev.explain(hand, wild_rank or None)
    assert str(reading) == line
    assert reading.value == ev.evaluate(hand, wild_rank or None)
    assert reading.category == ev.category_of(reading.value)
    name, _, rest = line.partition(" (")
    if rest:
        assert [rank_name(rank) for rank in reading.ranks] == rest.partition(")")[0].split(", ")
        assert reading.category.replace("_", " ") == name
    _check_parts(reading, parse_cards(hand))


@pytest.mark.parametrize("rules", ["perico", "six", "puck", "paiute"])
def test_every_category_of_the_games_is_among_them(rules: str) -> None:
    explained = {
        EVALUATORS[rules].explain(hand, wild_rank or None).category
        for other, hand, wild_rank, _ in CASES
        if other == rules
    }
    expected = {category.name for category in EVALUATORS[rules].rules.categories}
    assert explained - {"no_combination"} == expected


def _check_parts(reading: Reading, hand: Sequence[Card]) -> None:
    """Every card counts or is left out, in the order of the hand; wild cards name natural ones."""
    assert Counter(reading.cards + reading.left_out) == Counter(hand)
    for part in (reading.cards, reading.left_out, tuple(reading.wilds)):
        assert list(part) == [card for card in hand if card in part]
    assert dict(reading.substitutions) == reading.wilds
    assert set(reading.wilds) <= set(reading.cards)
    assert all(type(card) is Card and not card.is_joker for card in reading.wilds.values())


# --- agreement with the values ---


def _hands(ev: Evaluator, wild_rank: int | None, count: int) -> list[list[Card]]:
    """Return hands of few ranks or one suit with many wild cards, so that all categories occur."""
    rng = random.Random(ev.rules.name)
    wild = list(range(52, 52 + ev.rules.jokers))
    wild += [card for card in range(52) if card // 4 == wild_rank]
    hands = []
    for _ in range(count):
        ranks = rng.sample(range(13), 7)
        some = [card for card in range(52) if card // 4 in ranks[: rng.choice([3, 5, 7])]]
        suit = [card for card in range(52) if card % 4 == 1]
        held = rng.sample(wild, min(rng.choice([0, 0, 1, 1, 2, 3]), len(wild), ev.hand_size - 1))
        rest = sorted({*rng.choice([some, suit, range(52)])} - {*held})
        hand = held + rng.sample(rest, ev.hand_size - len(held))
        rng.shuffle(hand)
        hands.append([Card(card) for card in hand])
    return hands


# Where wild cards are limited, the hand that is named may be better than the hand is.
AGREEING = [name for name in EVALUATORS if name != "limited"]


@pytest.mark.parametrize("name", AGREEING)
def test_what_wild_cards_stand_for_makes_the_same_category(name: str) -> None:
    ev = EVALUATORS[name]
    wild_rank = 5 if ev.rules.wild_rank_per_hand else None
    natural = ev.rules.replace(jokers=0, wild_ranks=())
    for hand in _hands(ev, wild_rank, 250):
        reading = ev.explain(hand, wild_rank)
        assert reading.value == ev.evaluate(hand, wild_rank)
        assert reading.category == ev.category_of(reading.value)
        _check_parts(reading, hand)
        named = [int(reading.wilds.get(card, card)) for card in hand]
        if max(named) >= 52:  # a joker left out can still be anything
            continue
        value = read_hand(named, natural)
        assert category_name(value, natural) == reading.category, (hand, str(reading))
        if "fewer jokers" not in name and "ranks" in ev.rules.tie_breaks and value:
            assert value[1 + ev.rules.tie_breaks.index("ranks")] == reading.ranks


@pytest.mark.parametrize("name", list(EVALUATORS))
def test_a_wild_card_stands_for_a_held_card_only_if_it_must(name: str) -> None:
    ev = EVALUATORS[name]
    wild_rank = 5 if ev.rules.wild_rank_per_hand else None
    for hand in _hands(ev, wild_rank, 250):
        reading = ev.explain(hand, wild_rank)
        for wild, card in reading.substitutions:
            others = {*hand, *(named for w, named in reading.substitutions if w != wild)} - {wild}
            if card in others:
                flush = {c.flush for c in ev.rules.categories if c.name == reading.category}
                suits = [card % 4] if flush == {True} else range(4)
                assert all(Card(card // 4 * 4 + suit) in others for suit in suits), str(reading)


def test_a_straight_flush_that_wild_cards_may_not_make_is_not_named() -> None:
    """The joker makes a straight; named 6s it would stand in a straight flush of five naturals."""
    categories = [
        Category("straight flush", straight=True, flush=True, max_wild=0),
        Category("straight", straight=True),
    ]
    ev = Evaluator(RuleSet("natural straight flush", 5, categories, jokers=2))
    for hand in ("2s 3s 4s 5s Jk", "Jk 2h 3h * 5h", "Tc Jc Qc Kc *"):
        reading = ev.explain(hand)
        named = [reading.wilds.get(card, card) for card in reading.cards]
        assert ev.category_of(ev.evaluate(named)) == reading.category == "straight"


def test_every_rule_set_that_evaluates_explains() -> None:
    """Comparing ranks too, as an explanation does, these rules would have over 65,535 values."""
    shapes = [(4, 2, 1), (3, 2, 2), (4, 1, 1, 1), (3, 2, 1, 1), (2, 2, 2, 1), (3, 1, 1, 1, 1)]
    shapes += [(2, 2, 1, 1, 1), (2, 1, 1, 1, 1, 1)]
    ev = Evaluator(
        RuleSet(
            "seven",
            7,
            [Category(str(shape), shape=shape) for shape in shapes],
            jokers=4,
            tie_breaks=("fewer_jokers",),
        )
    )
    hand = "2s 3s 4s 5s Jk Jk Jk"
    assert ev.explain(hand).value == ev.evaluate(hand)


# --- readings as values ---

READING = EVALUATORS["perico"].explain("Kc Kd 5h 5s Jk")


def test_the_parts_of_a_reading() -> None:
    expected = Reading(
        category="full_house",
        value=EVALUATORS["perico"].evaluate("Kc Kd 5h 5s Jk"),
        cards=parse_cards("Kc Kd 5h 5s Jk"),
        substitutions=((Card("Jk"), Card("Ks")),),
        ranks=(11, 3),
        left_out=(),
    )
    assert expected == READING
    assert READING.wilds == {Card("Jk"): Card("Ks")}
    assert {type(card) for card in READING.cards} == {Card}
    assert {type(rank) for rank in READING.ranks} == {int}
    assert type(READING.value) is int


def test_nothing_counts_without_a_combination() -> None:
    hand = "7c 2d 3h 5s 9c Kd"
    assert EVALUATORS["paiute"].explain(hand, "7") == Reading(
        "no_combination", 0, (), (), (), parse_cards(hand)
    )


def test_two_jokers_are_told_apart() -> None:
    reading = EVALUATORS["puck"].explain([53, 0, 52])
    assert reading.wilds == {Card(53): Card("4c"), Card(52): Card("3c")}
    assert reading.cards == (53, 0, 52)


def test_readings_are_frozen_and_hashable() -> None:
    again = EVALUATORS["perico"].explain("Kc Kd 5h 5s Jk")
    assert again == READING
    assert hash(again) == hash(READING)
    others: list[object] = [EVALUATORS["perico"].explain("Kc Kh 5h 5s *"), None, READING.value]
    assert READING not in others
    for field in fields(READING):
        with pytest.raises(FrozenInstanceError):
            setattr(READING, field.name, getattr(READING, field.name))
        with pytest.raises(FrozenInstanceError):
            delattr(READING, field.name)


@pytest.mark.parametrize("hand", ["Kc Kd 5h 5s Jk", [53, 52, 0, 4, 8], "Kc Qd 9h 4s 2c"])
def test_the_repr_of_a_reading_makes_an_equal_one(hand: str | list[int]) -> None:
    reading = EVALUATORS["perico"].explain(hand)
    assert eval(repr(reading)) == reading
    assert str(eval(repr(reading))) == str(reading)


def test_the_cards_of_a_reading_stay_in_the_order_of_the_hand() -> None:
    readings = set()
    for hand in permutations(parse_cards("9c Jk 7h")):
        reading = EVALUATORS["puck"].explain(hand)
        assert reading.cards == hand
        readings.add((reading.category, reading.value, reading.ranks, reading.substitutions))
    assert len(readings) == 1
