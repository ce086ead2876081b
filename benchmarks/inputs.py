"""What the benchmarks evaluate: evaluators by hand size, and random hands."""

from functools import cache

import numpy as np
import numpy.typing as npt

from wildrank import Category, Evaluator, RuleSet, deal, evaluator

Hands = npt.NDArray[np.uint8]

CACHE = 4_096  # hands
RULES = {
    3: "puck",
    4: "four cards, one joker",
    5: "perico",
    6: "six-card perico",
    7: "best five of seven",
}


@cache
def rules_of(size: int) -> Evaluator:
    """Return the evaluator that stands for a hand size."""
    if size == 4:
        return Evaluator(_four_cards())
    if size == 7:
        return Evaluator(_best_five_of_seven())
    return evaluator(RULES[size].replace(" ", "-"))


def _four_cards() -> RuleSet:
    categories = [
        Category("four of a kind", shape=(4,)),
        Category("straight flush", straight=True, flush=True),
        Category("flush", flush=True),
        Category("straight", straight=True),
        Category("three of a kind", shape=(3, 1)),
        Category("two pair", shape=(2, 2)),
        Category("pair", shape=(2, 1, 1)),
        Category("high card", shape=(1, 1, 1, 1)),
    ]
    return RuleSet(RULES[4], 4, categories, jokers=1)


def _best_five_of_seven() -> RuleSet:
    categories = [
        Category("straight flush", straight=True, flush=True, cards=5),
        Category("four of a kind", shape=(4, 1), cards=5),
        Category("full house", shape=(3, 2), cards=5),
        Category("flush", flush=True, cards=5),
        Category("straight", straight=True, cards=5),
        Category("three of a kind", shape=(3, 1, 1), cards=5),
        Category("two pair", shape=(2, 2, 1), cards=5),
        Category("pair", shape=(2, 1, 1, 1), cards=5),
        Category("high card", shape=(1, 1, 1, 1, 1), cards=5),
    ]
    return RuleSet(RULES[7], 7, categories)


def random_hands(count: int, rules: Evaluator) -> Hands:
    """Return the same random hands every time, dealt from the deck of the rules."""
    return deal(count, rules.rules, seed_or_generator=2024)


def new_values(count: int) -> npt.NDArray[np.uint16]:
    """Return an array for values, its memory touched."""
    return np.zeros(count, dtype=np.uint16)
