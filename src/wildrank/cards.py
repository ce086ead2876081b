"""Card codes, their text forms, and decks.

A card is an int code: ``rank * 4 + suit`` with rank 0 = deuce ... 12 = ace and the suits clubs,
diamonds, hearts, spades = 0 ... 3. The codes 52 to 55 are four different jokers.
"""

import operator
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, Self, SupportsIndex

from wildrank.errors import CardError, shown

__all__ = [
    "MAX_JOKERS",
    "Card",
    "deck",
    "format_cards",
    "parse_cards",
    "parse_rank",
    "rank_name",
    "to_cards",
]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
FIRST_JOKER: Final = 52
MAX_JOKERS: Final = 4
MAX_CARDS: Final = FIRST_JOKER + MAX_JOKERS

# Character classes are spelled out: re.IGNORECASE would also take the Kelvin sign for a king.
_SUIT_OF: Final = {
    symbol: suit
    for suit, symbols in enumerate(("cC♣♧", "dD♦♢", "hH♥♡", "sS♠♤"))
    for symbol in symbols
}
_TOKEN: Final = re.compile(
    r"(?P<rank>10|[2-9TtJjQqKkAa])(?P<suit>[cCdDhHsS♣♧♦♢♥♡♠♤])[\ufe0e\ufe0f]?"
    r"|(?P<joker>[Jj][Oo][Kk][Ee][Rr]|[Jj][Kk]|\*|🃏[\ufe0e\ufe0f]?)"
)
_GAP: Final = re.compile(r"[\s,]*")
_UNKNOWN: Final = re.compile(r"[^\s,]+")


class Card(int):
    """One card: an int from 0 to 55 that knows its name.

    Parameters
    ----------
    card : str, int or Card
        A text such as ``"As"``, ``"10h"``, ``"a♠"`` or ``"Jk"`` (the first joker), or a code from
        0 to 55: ``rank * 4 + suit``, jokers 52 to 55.

    Raises
    ------
    CardError
        If the text or number is no card.

    Examples
    --------
    >>> Card("As"), int(Card("As")), str(Card(51))
    (Card('As'), 51, 'As')
    >>> Card("Jk"), Card(53), str(Card(53))
    (Card('Jk'), Card(53), 'Jk')
    >>> Card("10h") == Card("Th") == 34
    True
    """

    __slots__ = ()

    def __new__(cls, card: "str | SupportsIndex") -> Self:
        """Return the card of a text or code."""
        code = _card_code(card)
        return _CARDS[code] if cls is Card else super().__new__(cls, code)  # type: ignore[return-value]

    @property
    def is_joker(self) -> bool:
        """Whether the card is one of the four jokers."""
        return self >= FIRST_JOKER

    @property
    def rank(self) -> int | None:
        """Rank from 0 (deuce) to 12 (ace); ``None`` for a joker."""
        return None if self.is_joker else self // 4

    @property
    def suit(self) -> int | None:
        """Suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades; ``None`` for a joker."""
        return None if self.is_joker else self % 4

    def __str__(self) -> str:
        return "Jk" if self.is_joker else RANKS[self // 4] + SUITS[self % 4]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        # Only the first joker is what the text "Jk" alone means.
        return f"Card({int(self)})" if self > FIRST_JOKER else f"Card({str(self)!r})"


# There is one object for every card; Card(...) finds it here.
_CARDS: Final = tuple(int.__new__(Card, code) for code in range(MAX_CARDS))


def _card_code(card: "str | SupportsIndex") -> int:
    """Return the code of a text, an int or a card."""
    if isinstance(card, str):
        cards = parse_codes(card)
        if len(cards) != 1:
            raise CardError(
                f"expected the text of one card, such as 'As' or 'Jk', got {shown(card)}"
            )
        return cards[0]
    code = as_int(card)
    if code is None:
        raise CardError(f"expected a card as text or as an int from 0 to 55, got {shown(card)}")
    if not 0 <= code < MAX_CARDS:
        raise CardError(f"expected a card code from 0 to 55, got {shown(code)}")
    return code


def as_int(value: object) -> int | None:
    """Return an int of any type as an int; ``None`` for anything else, also for a bool."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def parse_codes(text: str) -> list[int]:
    """Return the codes of the cards in a text; the fast half of `parse_cards`."""
    if not isinstance(text, str):
        raise CardError(f"expected a text of cards, got {shown(text)}")
    text = str.__str__(text)  # a subclass may say anything about itself
    codes: list[int] = []
    joker = FIRST_JOKER
    position = _end_of_gap(text, 0)
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            unknown = _UNKNOWN.match(text, position)
            assert unknown is not None
            raise CardError(
                f"expected a card such as 'As', '10h' or 'Jk', got {shown(unknown[0])} at position "
                f"{position} of {shown(text)}",
                position=position,
            )
        if token["joker"]:
            if joker == FIRST_JOKER + MAX_JOKERS:
                raise CardError(
                    f"expected at most {MAX_JOKERS} jokers, got another at position {position} of "
                    f"{shown(text)}",
                    position=position,
                )
            codes.append(joker)
            joker += 1
        else:
            codes.append(_rank_of(token["rank"]) * 4 + _SUIT_OF[token["suit"]])
        position = _end_of_gap(text, token.end())
    return codes


def _end_of_gap(text: str, position: int) -> int:
    gap = _GAP.match(text, position)
    assert gap is not None  # the pattern also matches nothing
    return gap.end()


def _rank_of(text: str) -> int:
    return RANKS.find("T" if text == "10" else text.upper())


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read the cards in a text, in order.

    Cards may be separated by blanks or commas or by nothing; rank and suit may be of either case;
    ten is ``10`` or ``T``; suits may be Unicode symbols; ``Jk``, ``joker``, ``*`` and 🃏 are the
    next unused joker.

    Parameters
    ----------
    text : str
        Any number of cards.

    Returns
    -------
    tuple of Card
        The cards as written; the same natural card twice is not refused here.

    Raises
    ------
    CardError
        Naming the first token that is no card, and its position.

    Examples
    --------
    >>> parse_cards("As Kd 10h, t♦ JK *")
    (Card('As'), Card('Kd'), Card('Th'), Card('Td'), Card('Jk'), Card(53))
    >>> parse_cards("As Zx")
    Traceback (most recent call last):
        ...
    wildrank.errors.CardError: expected a card such as 'As', '10h' or 'Jk', got 'Zx' at position 3 \
of 'As Zx'
    """
    return tuple(map(Card, parse_codes(text)))


def to_cards(hand: "str | Iterable[str | SupportsIndex]") -> tuple[Card, ...]:
    """Read cards from a text, or from any iterable of codes, cards or one-card texts.

    Parameters
    ----------
    hand : str or iterable of int, Card or str
        At most 56 items. The text of a joker stands for the next joker that is not otherwise given.

    Returns
    -------
    tuple of Card

    Raises
    ------
    CardError
        If an item is no card, or there are more than 56.

    Examples
    --------
    >>> to_cards([51, Card("Kd"), "Jk", "Jk"])
    (Card('As'), Card('Kd'), Card('Jk'), Card(53))
    """
    if isinstance(hand, str):
        return parse_cards(hand)
    cards: list[Card] = []
    named_jokers = []
    for position, item in enumerate(_items(hand)):
        if position == MAX_CARDS:  # also ends what would never end
            raise CardError(f"expected at most {MAX_CARDS} cards, got more", position=position)
        try:
            card = Card(item)
        except CardError as error:
            reason = str(error)
            if isinstance(item, str):
                reason = f"expected a card such as 'As', '10h' or 'Jk', got {shown(item)}"
            raise CardError(f"{reason} at position {position}", position=position) from None
        if isinstance(item, str) and card.is_joker:
            named_jokers.append(position)
        cards.append(card)
    given = {card for place, card in enumerate(cards) if place not in named_jokers}
    unused = [joker for joker in _CARDS[FIRST_JOKER:] if joker not in given]
    for position in named_jokers:
        if not unused:
            raise CardError(
                f"expected at most {MAX_JOKERS} jokers, got another at position {position}",
                position=position,
            )
        cards[position] = unused.pop(0)
    return tuple(cards)


def _items(cards: Any) -> Iterator[Any]:
    try:
        return iter(cards.tolist() if isinstance(cards, memoryview) else cards)
    except (TypeError, ValueError):  # the latter from a memoryview that was released
        raise CardError(
            f"expected cards as a text or as a sequence of ints from 0 to 55, got {shown(cards)}"
        ) from None


def format_cards(cards: Iterable[SupportsIndex]) -> str:
    """Write cards as a text that `parse_cards` reads back.

    Parameters
    ----------
    cards : iterable of int
        Codes from 0 to 55.

    Returns
    -------
    str
        The cards separated by blanks; every joker is ``Jk``.

    Raises
    ------
    CardError
        If a number is no card code.

    Examples
    --------
    >>> format_cards([51, 0, 52])
    'As 2c Jk'
    """
    return " ".join(str(Card(card)) for card in _items(cards))


def parse_rank(rank: "str | SupportsIndex") -> int:
    """Return a rank as an int from 0 (deuce) to 12 (ace).

    Parameters
    ----------
    rank : str, int or Card
        ``"2"`` to ``"9"``, ``"T"`` or ``"10"``, ``"J"``, ``"Q"``, ``"K"``, ``"A"`` in either
        case; an int from 0 to 12; or a natural card, for its rank.

    Returns
    -------
    int

    Raises
    ------
    CardError
        If it is no rank.

    Examples
    --------
    >>> parse_rank("2"), parse_rank("10"), parse_rank("a"), parse_rank(5)
    (0, 8, 12, 5)
    """
    if isinstance(rank, Card):
        if rank.is_joker:
            raise CardError(f"expected a rank or a natural card, got {shown(rank)}")
        return rank // 4
    if isinstance(rank, str):
        code = _rank_of(rank) if len(rank) == 1 or rank == "10" else -1
        if code < 0:
            raise CardError(f"expected a rank such as '7', 'T', '10' or 'A', got {shown(rank)}")
        return code
    number = as_int(rank)
    if number is None:
        raise CardError(
            f"expected a rank as text or as an int from 0 (deuce) to 12 (ace), got {shown(rank)}"
        )
    if not 0 <= number < len(RANKS):
        raise CardError(f"expected a rank from 0 (deuce) to 12 (ace), got {shown(number)}")
    return number


def rank_name(rank: int) -> str:
    """Return the one-letter name of a rank.

    Parameters
    ----------
    rank : int
        From 0 (deuce) to 12 (ace).

    Returns
    -------
    str

    Raises
    ------
    CardError
        If it is no rank.

    Examples
    --------
    >>> rank_name(8), rank_name(12)
    ('T', 'A')
    """
    return RANKS[parse_rank(rank)]


def deck(jokers: int = 0) -> tuple[Card, ...]:
    """Return the 52 natural cards in order of their codes, then the jokers.

    Parameters
    ----------
    jokers : int
        From 0 to 4.

    Returns
    -------
    tuple of Card

    Raises
    ------
    CardError
        If the number of jokers is out of range.

    Examples
    --------
    >>> len(deck(2)), deck(1)[-2:]
    (54, (Card('As'), Card('Jk')))
    """
    number = as_int(jokers)
    if number is None or not 0 <= number <= MAX_JOKERS:
        raise CardError(f"expected 0 to {MAX_JOKERS} jokers in a deck, got {shown(jokers)}")
    return tuple(map(Card, range(FIRST_JOKER + number)))
