"""Rule sets as data: which categories there are, in which order, and what breaks ties."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, SupportsIndex

from wildrank.cards import MAX_JOKERS, as_int, parse_rank, rank_name
from wildrank.errors import CardError, RuleError, shown

__all__ = ["NO_COMBINATION", "Category", "RuleSet"]

MAX_HAND_SIZE: Final = 7
MAX_CATEGORIES: Final = 127  # category_index is an int8
TIE_BREAKS: Final = ("ranks", "fewer_jokers", "more_jokers")
ACES: Final = ("high", "low", "both")
NO_COMBINATION: Final = "no_combination"

Rank = str | SupportsIndex


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Category:
    """A pattern that a hand, or some cards of it, can make.

    A category is a shape, and/or all one suit, and/or in sequence. A wild card takes any rank and
    suit, but the ranks inside a flush and a straight are all different.

    Parameters
    ----------
    name : str
        Not empty and not ``"no_combination"``.
    shape : sequence of int, optional
        How many cards of each rank, exactly: ``(3, 2)`` is a full house, ``(1, 1, 1)`` three cards
        of different ranks.
    straight : bool
        The ranks are in sequence.
    flush : bool
        The cards are of one suit.
    top : str or int, optional
        The first of the compared ranks must be this one: the top card of a straight or a flush,
        the rank of the largest group of a shape. Text (``"A"``) or 0 ... 12.
    cards : int, optional
        How many cards the pattern uses; by default the whole hand.
    min_wild, max_wild : int, optional
        The least and the greatest number of wild cards among those cards.

    Raises
    ------
    RuleError
        If no card could ever match, or a parameter is not of the kind above.

    Examples
    --------
    >>> Category("royal flush", straight=True, flush=True, top="A")
    Category('royal flush', straight=True, flush=True, top='A')
    >>> Category("full house", shape=(3, 2), cards=6)
    Traceback (most recent call last):
        ...
    wildrank.errors.RuleError: category 'full house': expected the shape (3, 2) to add up to \
cards=6, but it adds up to 5
    """

    name: str
    shape: tuple[int, ...] | None
    straight: bool
    flush: bool
    top: int | None
    cards: int | None
    min_wild: int
    max_wild: int | None

    def __init__(
        self,
        name: str,
        *,
        shape: Sequence[int] | None = None,
        straight: bool = False,
        flush: bool = False,
        top: Rank | None = None,
        cards: int | None = None,
        min_wild: int = 0,
        max_wild: int | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip() or name == NO_COMBINATION:
            raise RuleError(
                f"expected a category name that is not empty and not {NO_COMBINATION!r}, "
                f"got {shown(name)}"
            )
        place = f"category {shown(name)}"
        _set(
            self,
            name=name,
            shape=None if shape is None else _read_shape(shape, place),
            straight=read_flag(straight, f"{place}: straight"),
            flush=read_flag(flush, f"{place}: flush"),
            top=None if top is None else _read_rank(top, f"{place}: top"),
            cards=None if cards is None else _read_int(cards, 1, MAX_HAND_SIZE, f"{place}: cards"),
            min_wild=_read_int(min_wild, 0, MAX_HAND_SIZE, f"{place}: min_wild"),
            max_wild=None
            if max_wild is None
            else _read_int(max_wild, 0, MAX_HAND_SIZE, f"{place}: max_wild"),
        )
        self._check(place)

    def _check(self, place: str) -> None:
        if self.shape is None and not self.straight and not self.flush:
            raise RuleError(f"{place}: expected a shape, straight=True or flush=True, got none")
        if self.max_wild is not None and self.max_wild < self.min_wild:
            raise RuleError(
                f"{place}: expected max_wild to be at least min_wild={self.min_wild}, "
                f"got {self.max_wild}"
            )
        if self.shape is not None:
            if self.cards is not None and sum(self.shape) != self.cards:
                raise RuleError(
                    f"{place}: expected the shape {self.shape} to add up to cards={self.cards}, "
                    f"but it adds up to {sum(self.shape)}"
                )
            if self.straight and self.shape[0] != 1:
                raise RuleError(
                    f"{place}: expected a straight to have no shape, or only different ranks, "
                    f"got the shape {self.shape}"
                )

    def size(self, hand_size: int) -> int:
        """Return how many cards the category uses.

        Parameters
        ----------
        hand_size : int
            Cards in a hand.

        Returns
        -------
        int

        Examples
        --------
        >>> Category("pair", shape=(2,), cards=2).size(5), Category("flush", flush=True).size(5)
        (2, 5)
        """
        return hand_size if self.cards is None else self.cards

    def __repr__(self) -> str:
        return f"Category({_arguments(self, ('name',))})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class RuleSet:
    """What hands are worth: categories, wild cards and tie-breaks.

    A hand's value is the best of all its readings: first the category, then the tie-breaks in
    their order. A higher value wins; equal values tie; suits never break ties.

    Parameters
    ----------
    name : str
        Not empty.
    hand_size : int
        Cards in a hand, from 1 to 7.
    categories : sequence of Category
        Strongest first, at most 127, with different names.
    jokers : int
        Jokers in the deck, from 0 to 4; the codes from 52 up.
    wild_ranks : iterable of str or int
        Ranks whose natural cards are all wild: text (``"2"``, ``"10"``) or 0 ... 12.
    ace : {"both", "high", "low"}
        Where the ace stands in a straight. In every other comparison it is the highest rank.
    tie_breaks : sequence of {"ranks", "fewer_jokers", "more_jokers"}
        What is compared within a category, in this order. ``"ranks"``: groups by size, then by
        rank; for a straight only its top card. ``"fewer_jokers"`` and ``"more_jokers"`` count all
        wild cards among the cards of the reading.
    double_ace_flush : bool
        Whether a wild card in a flush may repeat a rank of it.
    wild_rank_per_hand : bool
        Whether one more rank may be wild from deal to deal, given with each hand. Values then
        also count the hands that only such a rank makes.

    Raises
    ------
    RuleError
        If the rule set cannot work, saying what is wrong and what would be right.

    Examples
    --------
    >>> rules = RuleSet(
    ...     "pairs",
    ...     2,
    ...     [Category("pair", shape=(2,)), Category("high card", shape=(1, 1))],
    ...     jokers=2,
    ... )
    >>> rules.replace(jokers=0)
    RuleSet('pairs', 2, (Category('pair', shape=(2,)), Category('high card', shape=(1, 1))))
    """

    name: str
    hand_size: int
    categories: tuple[Category, ...]
    jokers: int
    wild_ranks: tuple[int, ...]
    ace: str
    tie_breaks: tuple[str, ...]
    double_ace_flush: bool
    wild_rank_per_hand: bool

    def __init__(
        self,
        name: str,
        hand_size: int,
        categories: Iterable[Category],
        *,
        jokers: int = 0,
        wild_ranks: Rank | Iterable[Rank] = (),
        ace: str = "both",
        tie_breaks: Iterable[str] = ("ranks",),
        double_ace_flush: bool = False,
        wild_rank_per_hand: bool = False,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise RuleError(f"expected a rule set name that is not empty, got {shown(name)}")
        place = f"rule set {shown(name)}"
        size = _read_int(hand_size, 1, MAX_HAND_SIZE, f"{place}: hand_size")
        _set(
            self,
            name=name,
            hand_size=size,
            categories=_read_categories(categories, place),
            jokers=_read_int(jokers, 0, MAX_JOKERS, f"{place}: jokers"),
            wild_ranks=_read_wild_ranks(wild_ranks, place),
            ace=_read_choice(ace, ACES, f"{place}: ace"),
            tie_breaks=_read_tie_breaks(tie_breaks, place),
            double_ace_flush=read_flag(double_ace_flush, f"{place}: double_ace_flush"),
            wild_rank_per_hand=read_flag(wild_rank_per_hand, f"{place}: wild_rank_per_hand"),
        )
        for index, category in enumerate(self.categories):
            self._check_category(category, f"{place}: category {shown(category.name)}")
            for stronger in self.categories[:index]:
                if self._takes_all(stronger, category):
                    raise RuleError(
                        f"{place}: category {shown(category.name)}: expected a pattern with hands "
                        f"of its own, but the stronger {shown(stronger.name)} takes them all"
                    )
        if not any(map(self._has_hands, self.categories)):
            raise RuleError(
                f"{place}: expected a category that some hand of the deck makes, but each needs "
                f"more wild cards than there are"
            )

    def _check_category(self, category: Category, place: str) -> None:
        size = category.size(self.hand_size)
        if size > self.hand_size:
            raise RuleError(
                f"{place}: expected at most hand_size={self.hand_size} cards, got cards={size}"
            )
        if category.shape is not None and sum(category.shape) != size:
            raise RuleError(
                f"{place}: expected the shape {category.shape} to add up to hand_size={size} "
                f"(or cards={sum(category.shape)} to be given), but it adds up to "
                f"{sum(category.shape)}"
            )
        if category.min_wild > size:
            raise RuleError(
                f"{place}: expected min_wild to be at most the {size} cards it uses, "
                f"got {category.min_wild}"
            )
        if category.straight:
            self._check_straight(category, size, place)
        elif category.top is not None:
            self._check_top(category, category.top, size, place)
        if (
            category.flush
            and category.shape is not None
            and category.shape[0] != 1
            and not self.double_ace_flush
        ):
            raise RuleError(
                f"{place}: expected a flush to have no shape, or only different ranks, unless "
                f"double_ace_flush=True, got the shape {category.shape}"
            )

    def _check_top(self, category: Category, top: int, size: int, place: str) -> None:
        if category.shape is not None:
            different = category.shape.count(category.shape[0])
        else:
            different = 1 if self.double_ace_flush else size
        if top < different - 1:
            raise RuleError(
                f"{place}: expected the top of {different} different ranks to be from "
                f"{rank_name(different - 1)} to A, got {rank_name(top)}"
            )

    def _has_hands(self, category: Category) -> bool:
        """Whether the deck has the wild cards that the category cannot do without."""
        ranks = 1 if category.flush else 4  # natural cards of one rank in a reading, at most
        needed = sum(max(0, count - ranks) for count in category.shape or ())
        held = self.jokers + 4 * (len(self.wild_ranks) + self.wild_rank_per_hand)
        most = held if category.max_wild is None else min(held, category.max_wild)
        return max(needed, category.min_wild) <= most

    def _takes_all(self, stronger: Category, weaker: Category) -> bool:
        """Whether every reading of the weaker category is also one of the stronger."""
        size = weaker.size(self.hand_size)
        return (
            stronger.size(self.hand_size) == size
            and stronger.flush <= weaker.flush
            and stronger.straight <= weaker.straight
            and (
                stronger.shape in (None, weaker.shape)
                or stronger.shape == self._groups(weaker, size)
            )
            and (
                stronger.top is None
                or (stronger.top, stronger.straight, self._groups(stronger, size))
                == (weaker.top, weaker.straight, self._groups(weaker, size))
            )
            and stronger.min_wild <= weaker.min_wild
            and _most_wild(stronger, size) >= _most_wild(weaker, size)
        )

    def _groups(self, category: Category, size: int) -> tuple[int, ...] | None:
        """Return the shape of all readings of a category; None if it has several."""
        if category.straight or (category.flush and not self.double_ace_flush):
            return (1,) * size
        return category.shape

    def _check_straight(self, category: Category, size: int, place: str) -> None:
        if size < 2:
            raise RuleError(f"{place}: expected a straight to use at least 2 cards, got {size}")
        lowest = size - 1 if self.ace == "high" else size - 2
        highest = 11 if self.ace == "low" else 12
        if category.top is not None and not lowest <= category.top <= highest:
            raise RuleError(
                f"{place}: expected the top of a straight of {size} cards with ace={self.ace!r} "
                f"to be from {rank_name(lowest)} to {rank_name(highest)}, "
                f"got {rank_name(category.top)}"
            )

    def replace(self, **changes: Any) -> "RuleSet":
        """Return the rule set with some parameters changed.

        Parameters
        ----------
        **changes
            Any parameter of `RuleSet`, by its name.

        Returns
        -------
        RuleSet
            Checked as a new one is.

        Raises
        ------
        RuleError
            If a name is no parameter, or the changed rule set cannot work.

        Examples
        --------
        >>> from wildrank.games import puck
        >>> puck.RULES.replace(jokers=0) == puck.rules(jokers=0)
        True
        """
        known = [field.name for field in fields(self)]
        for name in changes:
            if name not in known:
                raise RuleError(
                    f"expected a parameter of RuleSet ({', '.join(known)}), got {shown(name)}"
                )
        return RuleSet(**{name: getattr(self, name) for name in known} | changes)

    def __repr__(self) -> str:
        return f"RuleSet({_arguments(self, ('name', 'hand_size', 'categories'))})"


_DEFAULTS: Final[dict[str, object]] = {
    "shape": None,
    "straight": False,
    "flush": False,
    "top": None,
    "cards": None,
    "min_wild": 0,
    "max_wild": None,
    "jokers": 0,
    "wild_ranks": (),
    "ace": "both",
    "tie_breaks": ("ranks",),
    "double_ace_flush": False,
    "wild_rank_per_hand": False,
}


def _arguments(value: Category | RuleSet, positional: tuple[str, ...]) -> str:
    """Write the arguments that make an equal value, without those left at their default."""
    parts = [repr(getattr(value, name)) for name in positional]
    for field in fields(value):
        content = getattr(value, field.name)
        if field.name in positional or content == _DEFAULTS[field.name]:
            continue
        if field.name == "top":
            content = rank_name(content)
        elif field.name == "wild_ranks":
            content = tuple(map(rank_name, content))
        parts.append(f"{field.name}={content!r}")
    return ", ".join(parts)


def _most_wild(category: Category, size: int) -> int:
    return size if category.max_wild is None else min(category.max_wild, size)


def _set(value: Category | RuleSet, **contents: object) -> None:
    for name, content in contents.items():
        object.__setattr__(value, name, content)  # the dataclass is frozen


def _read_int(value: object, low: int, high: int, place: str) -> int:
    number = as_int(value)
    if number is None or not low <= number <= high:
        raise RuleError(f"{place}: expected an int from {low} to {high}, got {shown(value)}")
    return number


def read_flag(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise RuleError(f"{place}: expected True or False, got {shown(value)}")
    return value


def _read_choice(value: object, choices: tuple[str, ...], place: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise RuleError(
            f"{place}: expected one of {', '.join(map(repr, choices))}, got {shown(value)}"
        )
    return value


def _read_rank(value: Any, place: str) -> int:
    try:
        return parse_rank(value)
    except CardError as error:
        raise RuleError(f"{place}: {error}") from None


def _read_items(value: Any, what: str, place: str) -> tuple[Any, ...]:
    try:
        return tuple(value)
    except (TypeError, ValueError, NotImplementedError):  # the latter two from memoryviews
        raise RuleError(f"{place}: expected a sequence of {what}, got {shown(value)}") from None


def _read_shape(shape: Any, place: str) -> tuple[int, ...]:
    groups = _read_items(shape, "group sizes", f"{place}: shape")
    if not groups:
        raise RuleError(f"{place}: expected a shape with at least one group, got {shown(shape)}")
    sizes = [_read_int(size, 1, MAX_HAND_SIZE, f"{place}: shape") for size in groups]
    if sum(sizes) > MAX_HAND_SIZE:
        raise RuleError(
            f"{place}: expected a shape of at most {MAX_HAND_SIZE} cards, got {tuple(sizes)}"
        )
    return tuple(sorted(sizes, reverse=True))


def _read_categories(categories: Any, place: str) -> tuple[Category, ...]:
    items = _read_items(categories, "Category", f"{place}: categories")
    if not 1 <= len(items) <= MAX_CATEGORIES:
        raise RuleError(f"{place}: expected 1 to {MAX_CATEGORIES} categories, got {len(items)}")
    names = set()
    for item in items:
        if not isinstance(item, Category):
            raise RuleError(f"{place}: expected only Category in categories, got {shown(item)}")
        if item.name in names:
            raise RuleError(
                f"{place}: expected different category names, got {shown(item.name)} twice"
            )
        names.add(item.name)
    return items


def _read_wild_ranks(ranks: Any, place: str) -> tuple[int, ...]:
    place = f"{place}: wild_ranks"
    if isinstance(ranks, str) or as_int(ranks) is not None:
        ranks = (ranks,)
    codes = [_read_rank(rank, place) for rank in _read_items(ranks, "ranks", place)]
    for code in codes:
        if codes.count(code) > 1:
            raise RuleError(f"{place}: expected different ranks, got {rank_name(code)} twice")
    return tuple(sorted(codes))


def _read_tie_breaks(names: Any, place: str) -> tuple[str, ...]:
    place = f"{place}: tie_breaks"
    if isinstance(names, str):
        raise RuleError(
            f"{place}: expected a sequence of names, such as ({shown(names)},), got a text"
        )
    items = _read_items(names, "names", place)
    for name in items:
        _read_choice(name, TIE_BREAKS, place)
        if items.count(name) > 1:
            raise RuleError(
                f"{place}: expected every tie-break at most once, got {shown(name)} twice"
            )
    if "fewer_jokers" in items and "more_jokers" in items:
        raise RuleError(
            f"{place}: expected 'fewer_jokers' or 'more_jokers', got both, which are opposites"
        )
    return items
