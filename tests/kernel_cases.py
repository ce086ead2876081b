"""Rule sets that take every path of the batch kernels, and hands that tell them apart."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

import wildrank
from wildrank import Category, Evaluator, RuleSet

Hands = npt.NDArray[np.uint8]
Values = npt.NDArray[np.uint16]


def _shapes(cards: int, largest: int) -> Iterator[tuple[int, ...]]:
    if cards == 0:
        yield ()
    for group in range(min(cards, largest), 0, -1):
        for rest in _shapes(cards - group, group):
            yield (group, *rest)


def rule_set(
    size: int,
    flush: int | None,
    *,
    jokers: int = 2,
    wild_ranks: tuple[str, ...] = (),
    per_hand: bool = False,
    double_ace: bool = False,
) -> RuleSet:
    """Return rules by which hands of other ranks, and other flushes, have other values.

    The flush is of `flush` cards and stands in the middle, so that many a hand with a flush is
    better without it.
    """
    name = f"{size} cards, {jokers} jokers, " + (f"flush of {flush}" if flush else "no flush")
    categories = [Category(f"shape {shape}", shape=shape) for shape in _shapes(size, size)]
    middle = len(categories) // 2
    if size > 1:
        categories.insert(middle, Category("straight", straight=True))
    if flush is not None:
        categories.insert(middle, Category("flush", flush=True, cards=flush))
        if flush > 1:
            categories.insert(0, Category("straight flush", straight=True, flush=True, cards=flush))
    if wild_ranks:
        name += ", wild " + " ".join(wild_ranks)
    if double_ace:
        name += ", double ace"
    if per_hand:
        name += ", one more wild rank"
    return RuleSet(
        name,
        size,
        categories,
        jokers=jokers,
        wild_ranks=wild_ranks,
        wild_rank_per_hand=per_hand,
        double_ace_flush=double_ace,
    )


def _rule_sets() -> Iterator[RuleSet]:
    for size in range(1, 8):
        yield rule_set(size, None, jokers=4)
        yield rule_set(size, None, jokers=3, per_hand=True)
        yield rule_set(size, size, jokers=0)
        yield rule_set(size, size, per_hand=True)
        for flush in range(5 if size == 7 else 1, size):
            yield rule_set(size, flush, jokers=1)
            yield rule_set(size, flush, jokers=0, per_hand=True)
    for size in range(3, 7):
        for kind in (None, size, size - 1, size - 2):
            yield rule_set(size, kind, jokers=0, wild_ranks=("7",))
            yield rule_set(size, kind, wild_ranks=("2", "T", "A"))
            yield rule_set(size, kind, jokers=4, wild_ranks=("K",), per_hand=True)
    for flush in (5, 4):
        yield rule_set(5, flush, double_ace=True)


RULE_SETS = list(_rule_sets())


def some_hands(rules: RuleSet, count: int, seed: int = 1) -> Hands:
    """Return hands of the whole deck, of two suits and of few ranks, in equal numbers."""
    ranks = {*rules.wild_ranks[:1], 3, 5, 9, 12}
    parts = []
    left_out: tuple[list[int], ...] = (
        [],
        [card for card in range(52) if card % 4 in (1, 2)],
        [card for card in range(52) if card // 4 not in ranks],
    )
    for part, dead in enumerate(left_out):
        number = count // 3 + (count % 3 > part)
        parts.append(wildrank.deal(number, rules, seed_or_generator=seed + part, dead=dead))
    hands: Hands = np.concatenate(parts)
    return hands[np.random.default_rng(seed).permutation(count)]


def one_by_one(ev: Evaluator, hands: Hands, wild_ranks: npt.NDArray[np.uint8] | None) -> Values:
    """Evaluate hands without a batch kernel."""
    size, data = ev.hand_size, hands.tobytes()
    cut = [data[start : start + size] for start in range(0, len(data), size)]
    if wild_ranks is None:
        return np.fromiter(map(ev.evaluate, cut), np.uint16, len(cut))
    return np.fromiter(map(ev.evaluate, cut, wild_ranks.tolist()), np.uint16, len(cut))
