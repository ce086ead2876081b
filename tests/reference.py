"""A slow evaluator, written from the definition of a hand's value alone.

The value of a hand is the greatest tuple ``(strength of the category, tie-breaks in their order)``
over every reading of its wild cards and every subset of as many cards as a category uses.  Nothing
here is shared with the package: of a rule set only its plain data is read, and the rule sets of the
four games are declared once more below, from the rules and not from the package.

`read_hand_naive` tries all 52 cards for every wild card.  `read_hand` gives the same answers
(`test_reference.py` compares them) but names only ranks: a suit matters to nothing but a flush, and
a wild card can always join the suit of the natural cards beside it.

A value is a tuple, ``()`` for no combination, for instance ``(4, -1, (12, 5, 3))``: the fourth
category from below, one wild card where fewer are better, and the ranks compared.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any, Protocol

RANKS = range(13)
NATURAL_CARDS = range(52)
ACE = 12

Value = tuple[Any, ...]


class CategoryData(Protocol):
    """What the reference reads of a category."""

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...] | None: ...
    @property
    def straight(self) -> bool: ...
    @property
    def flush(self) -> bool: ...
    @property
    def top(self) -> int | None: ...
    @property
    def cards(self) -> int | None: ...
    @property
    def min_wild(self) -> int: ...
    @property
    def max_wild(self) -> int | None: ...


class RulesData(Hashable, Protocol):
    """What the reference reads of a rule set."""

    @property
    def hand_size(self) -> int: ...
    @property
    def categories(self) -> Sequence[CategoryData]: ...
    @property
    def jokers(self) -> int: ...
    @property
    def wild_ranks(self) -> tuple[int, ...]: ...
    @property
    def ace(self) -> str: ...
    @property
    def tie_breaks(self) -> Sequence[str]: ...
    @property
    def double_ace_flush(self) -> bool: ...


# --- One reading: every card is a natural card -----------------------------------------------


def straight_top(ranks: Sequence[int], ace: str) -> int | None:
    """Return the top rank of the sequence that the ranks make, or None if they make none."""
    if ace in ("high", "both") and _consecutive(ranks):
        return max(ranks)
    if ace in ("low", "both"):
        low = [-1 if rank == ACE else rank for rank in ranks]
        if _consecutive(low):
            return max(low)
    return None


def _consecutive(ranks: Sequence[int]) -> bool:
    return sorted(ranks) == list(range(min(ranks), min(ranks) + len(ranks)))


def rank_groups(ranks: Iterable[int]) -> list[tuple[int, int]]:
    """Return (size, rank) of each group of equal ranks, larger groups first, then higher ranks."""
    return sorted(((size, rank) for rank, size in Counter(ranks).items()), reverse=True)


def compared_ranks(
    category: CategoryData, ranks: Sequence[int], one_suit: bool, rules: RulesData
) -> tuple[int, ...] | None:
    """Return the ranks that a reading compares in a category, or None if it does not match.

    `ranks` are those of exactly the cards that the category uses.
    """
    groups = rank_groups(ranks)
    if category.shape is not None and tuple(size for size, _ in groups) != category.shape:
        return None
    if category.flush:
        if not one_suit:
            return None
        if len(groups) < len(ranks) and not rules.double_ace_flush:
            return None
    compared: tuple[int, ...]
    if category.straight:
        top = straight_top(ranks, rules.ace)
        if top is None:
            return None
        compared = (top,)
    elif category.shape is not None:
        compared = tuple(rank for _, rank in groups)
    else:
        compared = tuple(sorted(ranks, reverse=True))
    if category.top is not None and compared[0] != category.top:
        return None
    return compared


def reading_value(
    strength: int,
    category: CategoryData,
    ranks: Sequence[int],
    one_suit: bool,
    wild_count: int,
    rules: RulesData,
) -> Value:
    """Return the value of one reading in one category, ``()`` if it does not match."""
    if wild_count < category.min_wild:
        return ()
    if category.max_wild is not None and wild_count > category.max_wild:
        return ()
    compared = compared_ranks(category, ranks, one_suit, rules)
    if compared is None:
        return ()
    elements = {"ranks": compared, "fewer_jokers": -wild_count, "more_jokers": wild_count}
    return (strength, *(elements[name] for name in rules.tie_breaks))


def _cards_used(category: CategoryData, rules: RulesData) -> int:
    return rules.hand_size if category.cards is None else category.cards


def _with_strengths(rules: RulesData) -> list[tuple[int, CategoryData]]:
    """Return the categories, strongest first, each with a number that grows with its strength."""
    count = len(rules.categories)
    return [(count - index, category) for index, category in enumerate(rules.categories)]


def _is_wild(card: int, rules: RulesData, wild_rank: int | None) -> bool:
    return card >= 52 or card // 4 in rules.wild_ranks or card // 4 == wild_rank


# --- A hand, the naive way -------------------------------------------------------------------


def read_hand_naive(cards: Sequence[int], rules: RulesData, wild_rank: int | None = None) -> Value:
    """Return the value of a hand by trying all 52 cards for every wild card, every subset too."""
    wild = [_is_wild(card, rules, wild_rank) for card in cards]
    choices = [
        NATURAL_CARDS if is_wild else (card,) for card, is_wild in zip(cards, wild, strict=True)
    ]
    best: Value = ()
    for named in product(*choices):
        for strength, category in _with_strengths(rules):
            for places in combinations(range(len(cards)), _cards_used(category, rules)):
                ranks = [named[place] // 4 for place in places]
                one_suit = len({named[place] % 4 for place in places}) == 1
                wild_count = sum(wild[place] for place in places)
                value = reading_value(strength, category, ranks, one_suit, wild_count, rules)
                best = max(best, value)
    return best


# --- A hand, naming ranks only ---------------------------------------------------------------


class Reference:
    """Values of hands in one rule set; what has been worked out once is remembered."""

    def __init__(self, rules: RulesData) -> None:
        self.rules = rules
        self.sizes = sorted({_cards_used(category, rules) for category in rules.categories})
        # No category asks for more than one suit, so cards that can be of one suit should be.
        self._best_naming = lru_cache(maxsize=None)(self._find_best_naming)
        self._best_category = lru_cache(maxsize=None)(self._find_best_category)

    def value(self, cards: Sequence[int], wild_rank: int | None = None) -> Value:
        """Return the value of a hand: the best over every subset of every size used."""
        natural = sorted(card for card in cards if not _is_wild(card, self.rules, wild_rank))
        wild_count = len(cards) - len(natural)
        best: Value = ()
        for size in self.sizes:
            for wilds_used in range(max(0, size - len(natural)), min(size, wild_count) + 1):
                for kept in combinations(natural, size - wilds_used):
                    ranks = tuple(card // 4 for card in kept)
                    one_suit = len({card % 4 for card in kept}) <= 1
                    best = max(best, self._best_naming(ranks, one_suit, wilds_used))
        return best

    def _find_best_naming(self, ranks: tuple[int, ...], one_suit: bool, wild_count: int) -> Value:
        """Return the best value over every multiset of ranks that the wild cards can take."""
        return max(
            self._best_category(tuple(sorted(ranks + named)), one_suit, wild_count)
            for named in combinations_with_replacement(RANKS, wild_count)
        )

    def _find_best_category(self, ranks: tuple[int, ...], one_suit: bool, wild_count: int) -> Value:
        """Return the best value of one reading over the categories that use so many cards."""
        return max(
            reading_value(strength, category, ranks, one_suit, wild_count, self.rules)
            for strength, category in _with_strengths(self.rules)
            if _cards_used(category, self.rules) == len(ranks)
        )


@lru_cache(maxsize=8)
def _reference(rules: RulesData) -> Reference:
    return Reference(rules)


def read_hand(cards: Sequence[int], rules: RulesData, wild_rank: int | None = None) -> Value:
    """Return the value of a hand, ``()`` for no combination."""
    return _reference(rules).value(cards, wild_rank)


def category_name(value: Value, rules: RulesData) -> str:
    """Return the name of the category of a value that `read_hand` returned."""
    return rules.categories[len(rules.categories) - value[0]].name if value else "no_combination"


# --- The games, declared from the rules ------------------------------------------------------


@dataclass(frozen=True)
class Pattern:
    """A category of the reference's own declarations."""

    name: str
    shape: tuple[int, ...] | None = None
    straight: bool = False
    flush: bool = False
    top: int | None = None
    cards: int | None = None
    min_wild: int = 0
    max_wild: int | None = None


@dataclass(frozen=True)
class Game:
    """A rule set of the reference's own declarations."""

    hand_size: int
    categories: tuple[Pattern, ...]
    jokers: int = 0
    wild_ranks: tuple[int, ...] = ()
    ace: str = "both"
    tie_breaks: tuple[str, ...] = ("ranks",)
    double_ace_flush: bool = False


def _natural(name: str, game: Game) -> Game:
    """Return the game with a category that takes no wild card."""
    return replace(
        game,
        categories=tuple(
            replace(category, max_wild=0) if category.name == name else category
            for category in game.categories
        ),
    )


def perico(*, natural_five_of_a_kind: bool = False) -> Game:
    """Return Perico: five cards, fewer jokers win before any rank is compared."""
    game = Game(
        hand_size=5,
        jokers=2,
        ace="both",
        tie_breaks=("fewer_jokers", "ranks"),
        categories=(
            Pattern("royal_flush", straight=True, flush=True, top=ACE),
            Pattern("five_of_a_kind", (5,)),
            Pattern("straight_flush", straight=True, flush=True),
            Pattern("four_of_a_kind", (4, 1)),
            Pattern("full_house", (3, 2)),
            Pattern("flush", flush=True),
            Pattern("straight", straight=True),
            Pattern("three_of_a_kind", (3, 1, 1)),
            Pattern("two_pair", (2, 2, 1)),
            Pattern("one_pair", (2, 1, 1, 1)),
            Pattern("high_card", (1, 1, 1, 1, 1)),
        ),
    )
    return _natural("five_of_a_kind", game) if natural_five_of_a_kind else game


def six_card_perico(*, natural_five_of_a_kind: bool = False) -> Game:
    """Return Six-card Perico: every category uses all six cards."""
    game = Game(
        hand_size=6,
        jokers=4,
        ace="both",
        tie_breaks=("fewer_jokers", "ranks"),
        categories=(
            Pattern("royal_flush", straight=True, flush=True, top=ACE),
            Pattern("six_of_a_kind", (6,)),
            Pattern("straight_flush", straight=True, flush=True),
            Pattern("five_of_a_kind", (5, 1)),
            Pattern("new_house", (4, 2)),
            Pattern("crazy_house", (3, 3)),
            Pattern("four_of_a_kind", (4, 1, 1)),
            Pattern("flush", flush=True),
            Pattern("straight", straight=True),
            Pattern("old_house", (3, 2, 1)),
            Pattern("three_pair", (2, 2, 2)),
            Pattern("three_of_a_kind", (3, 1, 1, 1)),
            Pattern("two_pair", (2, 2, 1, 1)),
            Pattern("one_pair", (2, 1, 1, 1, 1)),
            Pattern("high_card", (1, 1, 1, 1, 1, 1)),
        ),
    )
    return _natural("five_of_a_kind", game) if natural_five_of_a_kind else game


def puck(*, jokers: int = 2, ace: str = "high") -> Game:
    """Return Puck: three cards, and of hands equal in rank the one with more jokers wins."""
    return Game(
        hand_size=3,
        jokers=jokers,
        ace=ace,
        tie_breaks=("ranks", "more_jokers"),
        categories=(
            Pattern("straight_flush", straight=True, flush=True),
            Pattern("three_of_a_kind", (3,)),
            Pattern("flush", flush=True),
            Pattern("straight", straight=True),
            Pattern("one_pair", (2, 1)),
            Pattern("high_card", (1, 1, 1)),
        ),
    )


def paiute(*, hand_size: int = 6, wild_rank: int | None = None, ace: str = "high") -> Game:
    """Return Paiute: only combinations count, and five-card ones are made of the best five."""
    five_cards = (
        Pattern("five_of_a_kind", (5,), cards=5),
        Pattern("royal_flush", straight=True, flush=True, top=ACE, cards=5),
        Pattern("straight_flush", straight=True, flush=True, cards=5),
    )
    six_cards = (
        Pattern("four_two", (4, 2), cards=6),
        Pattern("three_three", (3, 3), cards=6),
        Pattern("two_two_two", (2, 2, 2), cards=6),
    )
    return Game(
        hand_size=hand_size,
        categories=five_cards if hand_size == 5 else five_cards + six_cards,
        wild_ranks=() if wild_rank is None else (wild_rank,),
        ace=ace,
    )
