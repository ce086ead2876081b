"""Evaluator: what hands are worth under one rule set. Reading: the explanation of one hand."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from threading import Lock, Thread
from typing import Any, Final, NoReturn, SupportsIndex
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from wildrank._evalcore import Core, Tables
from wildrank.cards import FIRST_JOKER, Card, as_int, format_cards, parse_rank, rank_name, to_cards
from wildrank.errors import CardError, HandError, RuleError, shown
from wildrank.kernels import check_kernel
from wildrank.rules import NO_COMBINATION, Category, Rank, RuleSet

__all__ = ["Evaluator", "Hand", "Reading"]

Hand = str | bytes | Iterable[SupportsIndex] | npt.NDArray[np.integer[Any]]

NO_CARDS: Final = {bool, np.bool_, np.ndarray}  # though NumPy takes them for ints
ROWS_PER_THREAD: Final = 16_384  # fewer are not worth a thread

_tables: WeakValueDictionary[RuleSet, Tables] = WeakValueDictionary()
_tables_lock: Final = Lock()


def _tables_of(rules: RuleSet) -> Tables:
    """Compile a rule set, or take the tables of an equal one that is still in use."""
    with _tables_lock:
        tables = _tables.get(rules)
        if tables is None:
            checked = rules.replace()  # subclasses may have left out the checks
            try:
                tables = Tables(checked)
            except ValueError as error:
                raise RuleError(f"rule set {shown(rules.name)}: {error}") from None
            _tables[rules] = tables
        return tables


def _new_values(count: int) -> npt.NDArray[np.uint16]:
    return np.empty(count, dtype=np.uint16)


@dataclass(frozen=True, slots=True)
class Reading:
    """Why a hand has its value.

    Attributes
    ----------
    category : str
        Name of the category, or ``"no_combination"``.
    value : int
        As `Evaluator.evaluate` returns it.
    cards : tuple of Card
        The cards that count, in the order of the hand.
    substitutions : tuple of (Card, Card)
        Every wild card that counts, with the card it stands for.
    ranks : tuple of int
        The ranks that count within the category, 0 ... 12, in the order of ``"ranks"``.
    left_out : tuple of Card
        The cards that do not count.

    Examples
    --------
    >>> import wildrank
    >>> reading = wildrank.evaluator("perico").explain("Kc Kd 5h 5s Jk")
    >>> print(reading)
    full house (K, 5): Kc Kd 5h 5s Jk, with Jk as Ks
    >>> reading.wilds
    {Card('Jk'): Card('Ks')}
    """

    category: str
    value: int
    cards: tuple[Card, ...]
    substitutions: tuple[tuple[Card, Card], ...]
    ranks: tuple[int, ...]
    left_out: tuple[Card, ...]

    @property
    def wilds(self) -> dict[Card, Card]:
        """What each wild card that counts stands for."""
        return dict(self.substitutions)

    def __str__(self) -> str:
        name = self.category.replace("_", " ")
        if not self.cards:
            return f"{name}: {format_cards(self.left_out)}"
        ranks = ", ".join(map(rank_name, self.ranks))
        text = f"{name} ({ranks}): {format_cards(self.cards)}"
        if self.substitutions:
            text += ", with " + ", ".join(f"{wild} as {card}" for wild, card in self.substitutions)
        if self.left_out:
            text += f"; not counted: {format_cards(self.left_out)}"
        return text


class Evaluator(Core):
    """Evaluates the hands of one rule set.

    Making one compiles the rule set; equal rule sets share their tables. An evaluator never
    changes, so it may be used from several threads, and it can be pickled.

    Parameters
    ----------
    rules : RuleSet

    Raises
    ------
    RuleError
        If `rules` is no rule set, or has more than 65,535 different values.

    Examples
    --------
    >>> from wildrank.games import perico
    >>> ev = Evaluator(perico.RULES)
    >>> ev.category_of(ev.evaluate("As Ks Qs Js Jk"))
    'royal_flush'
    >>> ev.evaluate_batch([[51, 47, 43, 39, 52], [0, 5, 10, 15, 24]])
    array([10260,     5], dtype=uint16)
    """

    def __init__(self, rules: RuleSet) -> None:
        check_kernel()
        if not isinstance(rules, RuleSet):
            raise RuleError(f"expected a RuleSet, got {shown(rules)}")
        super().__init__(_tables_of(rules), np.ndarray, _new_values)
        self._rules = rules
        names = [NO_COMBINATION] + [category.name for category in rules.categories]
        self._category_names: Final = names
        self._category_indices: Final = np.frombuffer(
            self._tables.category_indices(), dtype=np.int8
        )

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._rules

    @property
    def hand_size(self) -> int:
        """How many cards a hand has."""
        return self._rules.hand_size

    @property
    def num_values(self) -> int:
        """How many different values hands have, "no combination" not counted."""
        return self._tables.num_values

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._rules!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluator):
            return NotImplemented
        return self._rules == other._rules

    def __hash__(self) -> int:
        return hash((Evaluator, self._rules))

    def __reduce__(self) -> tuple[type["Evaluator"], tuple[RuleSet]]:
        return type(self), (self._rules,)

    # --- many hands ---

    def _evaluate_batch_any(
        self,
        hands: npt.ArrayLike,
        wild_ranks: Rank | npt.ArrayLike | None,
        out: npt.NDArray[np.uint16] | None,
        threads: int,
    ) -> npt.NDArray[np.uint16]:
        """Evaluate arrays of any form; the core's fast path leaves the unusual ones to this."""
        rows, given = self._read_rows(hands)
        rank, ranks = self._read_wild_ranks(wild_ranks, len(rows))
        if wild_ranks is not None and not self._rules.wild_rank_per_hand:
            return self._with_room.evaluate_batch(
                given, wild_ranks=wild_ranks, out=out, threads=threads
            )
        workers = _read_threads(threads)
        if out is not None:
            _check_out(out, len(rows))
        target = out
        if target is None or not target.flags.carray or _overlap(target, given, wild_ranks):
            target = np.empty(len(rows), dtype=np.uint16)
        bad = self._fill(rows, rank, ranks, target, workers)
        if bad >= 0:
            self._refuse_row(given, wild_ranks, bad)
        if out is None:
            return target
        if target is not out:
            out[...] = target
        return out

    def _fill(
        self,
        rows: npt.NDArray[np.uint8],
        rank: int,
        ranks: npt.NDArray[np.uint8] | None,
        target: npt.NDArray[np.uint16],
        threads: int,
    ) -> int:
        """Evaluate rows in up to `threads` parts; return the first bad row, or -1."""
        parts = max(1, min(threads, len(rows) // ROWS_PER_THREAD))
        if parts == 1:
            return self._evaluate_rows(rows, ranks, rank, target)
        edges = [len(rows) * part // parts for part in range(parts + 1)]

        bads = [-1] * parts

        def fill(part: int) -> None:
            span = slice(edges[part], edges[part + 1])
            bad = self._evaluate_rows(
                rows[span], None if ranks is None else ranks[span], rank, target[span]
            )
            bads[part] = bad if bad < 0 else edges[part] + bad

        workers = [Thread(target=fill, args=(part,)) for part in range(1, parts)]
        for worker in workers:
            worker.start()
        try:
            fill(0)
        finally:
            for worker in workers:
                worker.join()
        return next((bad for bad in bads if bad >= 0), -1)

    def valid_mask(self, hands: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Return which rows `evaluate_batch` would accept.

        Parameters
        ----------
        hands : array_like of int, shape (N, hand_size)

        Returns
        -------
        ndarray of bool, shape (N,)
            True where every code is in the deck and no card comes twice.

        Raises
        ------
        HandError
            If the array has the wrong shape or dtype.

        Examples
        --------
        >>> import wildrank
        >>> wildrank.evaluator("puck").valid_mask([[0, 1, 2], [0, 1, 1], [0, 1, 54]])
        array([ True, False, False])
        """
        rows, _ = self._read_rows(hands)
        valid = np.empty(len(rows), dtype=np.uint8)
        self._valid_rows(rows, valid)
        return valid.view(np.bool_)

    def _read_rows(
        self, hands: npt.ArrayLike
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.integer[Any]]]:
        """Return hands as a uint8 array, codes out of its range as 255, and as they were given."""
        expected = f"expected an array of int card codes of shape (N, {self.hand_size})"
        given = self._read_lists(hands, expected)
        if given.dtype.kind not in "iu":
            raise HandError(f"{expected}, got dtype {given.dtype}")
        if given.ndim != 2 or given.shape[1] != self.hand_size:
            raise HandError(f"{expected}, got shape {given.shape}")
        rows = given
        if rows.dtype != np.uint8:
            rows = given.astype(np.uint8)
            if given.size and (given.min() < 0 or given.max() > 255):
                rows[(given < 0) | (given > 255)] = 255
        return np.ascontiguousarray(rows), given

    def _read_lists(self, hands: Any, expected: str) -> npt.NDArray[Any]:
        """Return an array of hands that come in any form, or raise which one is none."""
        if _is_array(hands):
            return _as_array(hands, expected)
        if isinstance(hands, str | bytes) or not isinstance(hands, Iterable):
            raise HandError(f"{expected}, got {shown(hands)}")
        rows = list(hands)
        if not rows:
            return np.empty((0, self.hand_size), dtype=np.uint8)
        try:
            given = np.asarray(rows)
        except (ValueError, OverflowError):
            given = np.empty(0)
        if given.dtype.kind in "iu" and (given.ndim != 2 or all(map(_is_plain, rows))):
            return given
        for row, hand in enumerate(rows):
            if isinstance(hand, str):
                raise HandError(f"row {row}: {expected}, got {shown(hand)}", row=row)
            with _naming_row(row):
                self._read_hand(hand)
        return given

    def _read_wild_ranks(
        self, wild_ranks: Rank | npt.ArrayLike | None, count: int
    ) -> tuple[int, npt.NDArray[np.uint8] | None]:
        """Return one rank for all hands or -1, and a rank for each hand or None; 255 for bad."""
        if wild_ranks is None:
            return -1, None
        if isinstance(wild_ranks, str) or as_int(wild_ranks) is not None:
            return parse_rank(wild_ranks), None  # type: ignore[arg-type]
        expected = f"wild_ranks: expected one rank, or an array of int of shape ({count},)"
        given = _as_ranks(wild_ranks, expected)
        if given.ndim == 0:
            raise HandError(f"{expected}, got {shown(wild_ranks)}")
        if given.shape != (count,):
            raise HandError(f"{expected}, got shape {given.shape}")
        if given.dtype.kind in "UO":
            return -1, np.array([_rank_or_bad(rank) for rank in given], dtype=np.uint8)
        if given.size and given.dtype.kind not in "iu":
            raise HandError(f"{expected}, got dtype {given.dtype}")
        ranks = np.where((given >= 0) & (given <= 12), given, 255).astype(np.uint8)
        return -1, ranks

    def _refuse_row(
        self,
        hands: npt.NDArray[np.integer[Any]],
        wild_ranks: Rank | npt.ArrayLike | None,
        row: int,
    ) -> NoReturn:
        """Raise what is wrong with a row that the core did not accept."""
        with _naming_row(row):
            self._read_hand(hands[row].tolist())
            ranks = _as_ranks(wild_ranks, "expected ranks")
            if ranks.ndim:
                parse_rank(ranks[row])
        raise HandError(
            f"row {row}: expected arrays that nobody changes while they are read, got one that "
            "has changed",
            row=row,
        )

    # --- single hands ---

    def _evaluate_any(self, hand: Hand, wild_rank: Rank | None) -> int:
        """Evaluate a hand in any form; the core's fast path leaves the unusual ones to this."""
        codes = self._read_hand(hand)
        if wild_rank is None:
            return self._value(codes, -1)
        rank = parse_rank(wild_rank)
        if not self._rules.wild_rank_per_hand:
            return self._with_room.evaluate(codes, rank)
        return self._value(codes, rank)

    def _value(self, codes: bytes, rank: int) -> int:
        value = self._evaluate_codes(codes, rank)
        assert value >= 0, "_read_hand returns hands of the deck"
        return value

    def _read_hand(self, hand: Hand) -> bytes:
        """Return the codes of a hand of the deck, or raise what is wrong with it."""
        if _is_array(hand):
            expected = f"expected a hand as an array of int card codes of shape ({self.hand_size},)"
            array = _as_array(hand, expected)
            if array.dtype.kind not in "iu" or array.ndim != 1:
                raise HandError(f"{expected}, got dtype {array.dtype} and shape {array.shape}")
            hand = array
        cards = to_cards(hand)
        if len(cards) != self.hand_size:
            raise HandError(
                f"expected {self.hand_size} cards, got {len(cards)}: {shown(format_cards(cards))}"
            )
        for position, card in enumerate(cards):
            if card >= FIRST_JOKER + self._rules.jokers:
                raise HandError(
                    f"expected cards of a deck with {_jokers(self._rules.jokers)}, got the joker "
                    f"{int(card)} at position {position}",
                    position=position,
                )
            first = cards.index(card)
            if first != position:
                raise HandError(
                    f"expected {self.hand_size} different cards, got {card} at the positions "
                    f"{first} and {position}",
                    position=position,
                )
        return bytes(cards)

    @cached_property
    def _with_room(self) -> "Evaluator":
        """The evaluator for hands with a wild rank, if it has the same values as this one."""
        roomy = Evaluator(self._rules.replace(wild_rank_per_hand=True))
        if not self._tables.same_values(roomy._tables):
            raise RuleError(
                f"rule set {shown(self._rules.name)}: expected wild_rank_per_hand=True in rules "
                f"that are used with a wild rank for each hand, because it makes hands with "
                f"{roomy.num_values} different values where the deck alone makes {self.num_values}"
            )
        return roomy

    def winners(self, hands: Iterable[Hand], wild_rank: Rank | None = None) -> list[int]:
        """Return the indices of the best hands.

        Parameters
        ----------
        hands : iterable of hands
            Each in any form that `evaluate` takes. They may share cards: with wild ranks or several
            decks that can be right, so it is not checked.
        wild_rank : str or int, optional
            One more rank whose cards are all wild in all the hands.

        Returns
        -------
        list of int
            More than one index is a tie. Empty if no hand is a combination, or there is none.

        Raises
        ------
        CardError, HandError, RuleError
            As `evaluate` does.

        Examples
        --------
        >>> import wildrank
        >>> perico = wildrank.evaluator("perico")
        >>> perico.winners(["As Ad 9c 7d 5h", "2s 2d 9h 7h 5c", "Ah Jk 9s 7s 5s"])
        [0]
        """
        if _is_array(hands):
            hands = np.atleast_1d(_as_array(hands, "expected several hands"))
        if isinstance(hands, str | bytes) or not isinstance(hands, Iterable):
            raise HandError(f"expected several hands, got {shown(hands)}")
        values = []
        for index, hand in enumerate(hands):
            with _naming_row(index, "hand"):
                values.append(self.evaluate(hand, wild_rank))
        best = max(values, default=0)
        return [index for index, value in enumerate(values) if value == best > 0]

    # --- what values mean ---

    def category_of(self, value: SupportsIndex) -> str:
        """Return the name of a value's category.

        Parameters
        ----------
        value : int
            From 0 to ``num_values``.

        Returns
        -------
        str
            ``"no_combination"`` for 0.

        Raises
        ------
        HandError
            If the value is out of range.

        Examples
        --------
        >>> import wildrank
        >>> puck = wildrank.evaluator("puck")
        >>> puck.category_of(puck.num_values), puck.category_of(1), puck.category_of(0)
        ('straight_flush', 'high_card', 'no_combination')
        """
        number = as_int(value)
        if number is None or not 0 <= number <= self.num_values:
            raise HandError(f"expected a value from 0 to {self.num_values}, got {shown(value)}")
        return self._category_names[int(self._category_indices[number]) + 1]

    def category_index(self, values: npt.ArrayLike) -> npt.NDArray[np.int8]:
        """Return the place of each value's category in ``rules.categories``.

        Parameters
        ----------
        values : array_like of int
            Values from 0 to ``num_values``, of any shape.

        Returns
        -------
        ndarray of int8
            Of the same shape: 0 for the strongest category, -1 for the value 0.

        Raises
        ------
        HandError
            If a value is out of range, or the dtype is not an integer one.

        Examples
        --------
        >>> import wildrank
        >>> puck = wildrank.evaluator("puck")
        >>> puck.category_index([0, 1, puck.num_values])
        array([-1,  5,  0], dtype=int8)
        """
        expected = f"expected an array of int values from 0 to {self.num_values}"
        given = _as_array(values, expected)
        if given.size == 0:
            return np.empty(given.shape, dtype=np.int8)
        if given.dtype.kind not in "iu":
            raise HandError(f"{expected}, got dtype {given.dtype}")
        bad = (given < 0) | (given > self.num_values)
        if bad.any():
            place = int(np.flatnonzero(bad)[0])
            raise HandError(
                f"{expected}, got {given.reshape(-1)[place]} at position {place}", position=place
            )
        return np.asarray(self._category_indices[given])

    def value_counts(self, wild_rank: Rank | None = None) -> npt.NDArray[np.int64]:
        """Return how many hands of the whole deck have each value.

        Parameters
        ----------
        wild_rank : str or int, optional
            One more rank whose cards are all wild.

        Returns
        -------
        ndarray of int64, shape (num_values + 1,)
            Exact, computed from the numbers of hands that share a multiset of ranks. The sum is
            the number of hands, C(deck, hand_size).

        Raises
        ------
        CardError
            If `wild_rank` is no rank.
        RuleError
            If `wild_rank` is given and the rules' values leave no room for it.

        Examples
        --------
        >>> import wildrank
        >>> int(wildrank.evaluator("puck").value_counts().sum())
        24804
        """
        counts = np.zeros(self.num_values + 1, dtype=np.int64)
        if wild_rank is None:
            self._tables.count_values(-1, counts)
        else:
            rank = parse_rank(wild_rank)
            tables = self._tables if self._rules.wild_rank_per_hand else self._with_room._tables
            tables.count_values(rank, counts)
        assert counts.sum() == math.comb(FIRST_JOKER + self._rules.jokers, self.hand_size)
        return counts

    def category_counts(self, wild_rank: Rank | None = None) -> dict[str, int]:
        """Return how many hands of the whole deck make each category.

        Parameters
        ----------
        wild_rank : str or int, optional
            One more rank whose cards are all wild.

        Returns
        -------
        dict of str to int
            Weakest category first; ``"no_combination"`` only where there are such hands. The sum
            is C(deck, hand_size).

        Raises
        ------
        CardError, RuleError
            As `value_counts` does.

        Examples
        --------
        >>> import wildrank
        >>> wildrank.evaluator("puck", jokers=0).category_counts()["straight_flush"]
        44
        """
        by_value = self.value_counts(wild_rank)
        by_index = {
            index: int(by_value[self._category_indices == index].sum())
            for index in range(len(self._rules.categories) - 1, -1, -1)
        }
        counts = {NO_COMBINATION: int(by_value[0])} if by_value[0] else {}
        return counts | {self._category_names[i + 1]: count for i, count in by_index.items()}

    # --- explanations ---

    def explain(self, hand: Hand, wild_rank: Rank | None = None) -> Reading:
        """Return why a hand has its value.

        Parameters
        ----------
        hand, wild_rank
            As for `evaluate`.

        Returns
        -------
        Reading
            What every wild card stands for is never a card that the hand already holds, unless
            the category needs the repeat.

        Raises
        ------
        CardError, HandError, RuleError
            As `evaluate` does.

        Examples
        --------
        >>> import wildrank
        >>> print(wildrank.evaluator("paiute").explain("7c 9h Th Jh Qh 2s", wild_rank="7"))
        straight flush (K): 7c 9h Th Jh Qh, with 7c as Kh; not counted: 2s
        """
        codes = self._read_hand(hand)
        value = self.evaluate(codes, wild_rank)
        cards = to_cards(codes)
        if value == 0:
            return Reading(NO_COMBINATION, 0, (), (), (), cards)
        rank = None if wild_rank is None else parse_rank(wild_rank)
        index, ranks, wild_count = self._tables.decode(value)
        category = self._rules.categories[index]
        if ranks is None:
            ranks, wild_count = self._compare_ranks(category, codes, rank)
        is_wild = [
            card.is_joker or card.rank in self._rules.wild_ranks or card.rank == rank
            for card in cards
        ]
        parts = _Parts(
            naturals=[card for card, wild in zip(cards, is_wild, strict=True) if not wild],
            wilds=[card for card, wild in zip(cards, is_wild, strict=True) if wild],
        )
        target = _target_ranks(category, category.size(self.hand_size), ranks)
        used, substitutions = _assign(category, target, parts, wild_count)
        counting = tuple(card for card in cards if card in used or card in substitutions)
        return Reading(
            category=category.name,
            value=value,
            cards=counting,
            substitutions=tuple((c, substitutions[c]) for c in counting if c in substitutions),
            ranks=ranks,
            left_out=tuple(card for card in cards if card not in counting),
        )

    def _compare_ranks(
        self, category: Category, codes: bytes, wild_rank: int | None
    ) -> tuple[tuple[int, ...], int | None]:
        """Return the ranks of a hand's best reading when the rules themselves do not compare them.

        Rules with this category alone have few enough values to compare ranks too.
        """
        rules = self._rules.replace(
            categories=(category,),
            tie_breaks=(*self._rules.tie_breaks, "ranks"),
            wild_rank_per_hand=True,
        )
        ranked = _kept_evaluator(rules)
        _, ranks, wild_count = ranked._tables.decode(ranked.evaluate(codes, wild_rank))
        assert ranks is not None, "these rules compare ranks"
        return ranks, wild_count


@lru_cache(maxsize=64)
def _kept_evaluator(rules: RuleSet) -> Evaluator:
    return Evaluator(rules)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The cards of a hand, by kind."""

    naturals: list[Card]
    wilds: list[Card]


def _target_ranks(category: Category, size: int, ranks: tuple[int, ...]) -> list[int]:
    """Return the ranks of all cards of a reading, from the ranks compared."""
    if category.straight:
        return [(ranks[0] - step) % 13 for step in range(size)]  # below the deuce is the ace
    if category.shape is None:
        return list(ranks)
    return [rank for rank, count in zip(ranks, category.shape, strict=True) for _ in range(count)]


def _assign(
    category: Category, target: list[int], parts: _Parts, wild_count: int | None
) -> tuple[set[Card], dict[Card, Card]]:
    """Find natural cards and wild cards that together have the target ranks.

    `wild_count` is how many wild cards the reading holds, if the tie-breaks tell; otherwise it
    holds as few as the category allows.
    """
    suits: Sequence[int | None] = (3, 2, 1, 0) if category.flush else (None,)
    for suit in suits:
        wanted = Counter(target)
        used: list[Card] = []
        for card in parts.naturals:
            if suit in (None, card.suit) and wanted[card // 4] > 0:
                wanted[card // 4] -= 1
                used.append(card)
        fewest = len(target) - len(used)
        wilds = max(fewest, category.min_wild) if wild_count is None else wild_count
        most = len(parts.wilds) if category.max_wild is None else category.max_wild
        if fewest <= wilds <= min(most, len(parts.wilds)):
            used = used[: len(target) - wilds]
            missing = Counter(target) - Counter(card // 4 for card in used)
            ranks = [rank for rank in dict.fromkeys(target) for _ in range(missing[rank])]
            return set(used), _name_cards(ranks, suit, parts, used)
    raise AssertionError(f"no reading of {parts} is the {category.name!r} that the core found")


def _name_cards(
    ranks: list[int], suit: int | None, parts: _Parts, used: list[Card]
) -> dict[Card, Card]:
    """Let wild cards stand for cards of the given ranks, if possible for cards nobody holds."""
    names: dict[Card, Card] = {}
    left = list(ranks)
    for wild in parts.wilds:  # a natural card that can stand for itself does
        if not wild.is_joker and wild.rank in left and suit in (None, wild.suit):
            names[wild] = wild
            left.remove(wild.rank)
    others = [wild for wild in parts.wilds if wild not in names]
    for wild, rank in zip(others, left, strict=False):
        suits = [3, 2, 1, 0] if suit is None else [suit]
        named = {card.suit for card in (*used, *names.values())}
        if len(suits) > 1 and len(named) == 1:
            # Not all of one suit: where a flush takes no wild cards, that would look like one.
            suits.sort(key=named.__contains__)
        choices = [Card(rank * 4 + s) for s in suits]
        taken = {*parts.naturals, *names.values()}
        free = [card for card in choices if card not in taken]
        unheld = [card for card in free if card not in parts.wilds]
        names[wild] = (unheld or free or choices)[0]
    return names


# --- checking arguments ---


def _jokers(count: int) -> str:
    return "no joker" if count == 0 else "1 joker" if count == 1 else f"{count} jokers"


def _is_array(values: Any) -> bool:
    """Whether something is an array of its own kind, which lists and scalars are not."""
    return isinstance(values, np.ndarray | memoryview) or (
        hasattr(values, "__array__") and not isinstance(values, np.generic)
    )


def _is_plain(row: Any) -> bool:
    """Whether NumPy takes the items of a row, which make ints, for what they are."""
    if _is_array(row):
        return np.asarray(row).dtype.kind in "iu" and not np.ma.is_masked(row)
    return NO_CARDS.isdisjoint(map(type, row))


def _as_array(values: Any, expected: str, dtype: Any = None) -> npt.NDArray[Any]:
    try:
        array = np.asarray(values, dtype=dtype)
    except (TypeError, ValueError, OverflowError):
        raise HandError(f"{expected}, got {shown(values)}") from None
    if np.ma.is_masked(values):
        raise HandError(f"{expected}, got one with masked items")
    return array


def _as_ranks(values: Any, expected: str) -> npt.NDArray[Any]:
    """Return an array of ranks; a list that mixes ints and texts does not become one of texts."""
    return _as_array(values, expected, None if _is_array(values) else object)


def _rank_or_bad(rank: Any) -> int:
    try:
        return parse_rank(rank)
    except CardError:
        return 255


@contextmanager
def _naming_row(row: int, what: str = "row") -> Iterator[None]:
    """Let an error about a hand say which of many it is."""
    try:
        yield
    except (CardError, HandError) as error:
        raise type(error)(f"{what} {row}: {error}", row=row, position=error.position) from None


def _read_threads(threads: object) -> int:
    number = as_int(threads)
    if number is None or number < 1:
        raise HandError(f"threads: expected an int of at least 1, got {shown(threads)}")
    return number


def _check_out(out: object, count: int) -> None:
    expected = f"out: expected a writable uint16 array of shape ({count},)"
    if not isinstance(out, np.ndarray):
        raise HandError(f"{expected}, got {type(out).__name__}")
    if out.dtype != np.uint16 or not out.dtype.isnative:
        raise HandError(f"{expected}, got dtype {out.dtype}")
    if out.shape != (count,):
        raise HandError(f"{expected}, got shape {out.shape}")
    if not out.flags.writeable:
        raise HandError(f"{expected}, got one that is read-only")


def _overlap(out: npt.NDArray[Any], *inputs: object) -> bool:
    return any(
        isinstance(array, np.ndarray) and np.may_share_memory(out, array) for array in inputs
    )
