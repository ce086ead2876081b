"""Actions: what a player can do at the table, as small values with a text form.

Every action has an eval-able ``repr`` and a text, ``str(action)``, that `parse_action` reads back.
Jokers after the first are written ``Jk2``, ``Jk3`` and ``Jk4`` there, because a game tells them
apart even though they are worth the same.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, SupportsIndex

from wildrank.cards import FIRST_JOKER, MAX_JOKERS, Card, as_int, to_cards
from wildrank.errors import ActionError, CardError, shown

__all__ = [
    "Action",
    "Call",
    "ChooseDirection",
    "Cut",
    "Declare",
    "Discard",
    "DrawPile",
    "DrawStock",
    "Exchange",
    "Keep",
    "Knock",
    "Steal",
    "Take",
    "card_text",
    "parse_action",
    "parse_actions",
    "read_cards",
]

JOKERS: Final = tuple(Card(FIRST_JOKER + number) for number in range(MAX_JOKERS))
CLOCKWISE: Final = "clockwise"
COUNTER_CLOCKWISE: Final = "counter-clockwise"

CardLike = str | SupportsIndex
CardsLike = str | Iterable[str | SupportsIndex]

_CARD_ONLY: Final = {Card}
_set: Final = object.__setattr__  # how a frozen action is made


@dataclass(frozen=True, slots=True)
class Action:
    """Base class of the actions."""

    words: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class DrawStock(Action):
    """Draw the top card of the stock; a discard follows."""

    words: ClassVar[str] = "draw stock"


@dataclass(frozen=True, slots=True)
class DrawPile(Action):
    """Draw the top card of the discard pile; a discard follows (Paiute)."""

    words: ClassVar[str] = "draw pile"


@dataclass(frozen=True, slots=True)
class Knock(Action):
    """Knock, instead of drawing (Perico)."""

    words: ClassVar[str] = "knock"


@dataclass(frozen=True, slots=True)
class Keep(Action):
    """Keep the hand as it is (Puck; in Perico after a knock)."""

    words: ClassVar[str] = "keep"


@dataclass(frozen=True, slots=True)
class Declare(Action):
    """Declare a hand that ends the round (Perico with ``auto_declare=False``)."""

    words: ClassVar[str] = "declare"


@dataclass(frozen=True, slots=True, init=False)
class Discard(Action):
    """Lay one card on the discard pile, after a draw.

    Parameters
    ----------
    card : Card, int or str

    Examples
    --------
    >>> Discard("7d")
    Discard(card=Card('7d'))
    >>> print(Discard("7d"))
    discard 7d
    """

    words: ClassVar[str] = "discard"
    card: Card

    def __init__(self, card: CardLike) -> None:
        _set(self, "card", card if type(card) is Card else _one_card(card))

    def __str__(self) -> str:
        return f"{self.words} {card_text(self.card)}"


@dataclass(frozen=True, slots=True, init=False)
class Take(Action):
    """Take as many cards from the top of the discard pile as are discarded (Perico).

    Parameters
    ----------
    discards : sequence of Card, or str
        In the order in which they are laid down: the last comes to lie on top.

    Examples
    --------
    >>> print(Take("4c 9h"))
    take 2, discard 4c 9h
    """

    words: ClassVar[str] = "take"
    discards: tuple[Card, ...]

    def __init__(self, discards: CardsLike) -> None:
        _set(self, "discards", _to_tuple(discards))

    def __str__(self) -> str:
        return f"{self.words} {len(self.discards)}, discard {_cards_text(self.discards)}"


@dataclass(frozen=True, slots=True, init=False)
class Exchange(Action):
    """Discard any number of cards, then draw as many from the stock (Perico, ``play="stock"``).

    Parameters
    ----------
    discards : sequence of Card, or str
        Kept in the order of their codes, because their order makes no difference.

    Examples
    --------
    >>> print(Exchange("9h 4c"))
    exchange 4c 9h
    """

    words: ClassVar[str] = "exchange"
    discards: tuple[Card, ...]

    def __init__(self, discards: CardsLike) -> None:
        _set(self, "discards", tuple(sorted(_to_tuple(discards))))

    def __str__(self) -> str:
        return f"{self.words} {_cards_text(self.discards)}"


@dataclass(frozen=True, slots=True, init=False)
class Steal(Action):
    """Discard one to three cards and take as many, unseen, from other hands (Puck).

    Parameters
    ----------
    takes : sequence of (int, int)
        How many cards from which player; kept in the order of the players.
    discards : sequence of Card, or str
        Kept in the order of their codes.

    Raises
    ------
    ActionError
        If the takes are no pairs of ints.

    Examples
    --------
    >>> print(Steal([(2, 3), (1, 2)], "9h 4c 2d"))
    steal 1 from 2, 2 from 3, discard 2d 4c 9h
    """

    words: ClassVar[str] = "steal"
    takes: tuple[tuple[int, int], ...]
    discards: tuple[Card, ...]

    def __init__(self, takes: Iterable[tuple[int, int]], discards: CardsLike) -> None:
        pairs = _read_pairs(takes)
        if len(pairs) > 1:
            pairs.sort(key=lambda take: take[1])
        _set(self, "takes", tuple(pairs))
        _set(self, "discards", tuple(sorted(_to_tuple(discards))))

    def __str__(self) -> str:
        takes = ", ".join(f"{count} from {player}" for count, player in self.takes)
        return f"{self.words} {takes}, discard {_cards_text(self.discards)}"


@dataclass(frozen=True, slots=True, init=False)
class Call(Action):
    """Show a combination after a draw (Paiute).

    Parameters
    ----------
    discard : Card, int or str, optional
        The sixth card, if the combination has five.

    Examples
    --------
    >>> print(Call(), Call("7d"), sep="; ")
    call; call, discard 7d
    """

    words: ClassVar[str] = "call"
    discard: Card | None

    def __init__(self, discard: CardLike | None = None) -> None:
        if discard is not None and type(discard) is not Card:
            discard = _one_card(discard)
        _set(self, "discard", discard)

    def __str__(self) -> str:
        if self.discard is None:
            return self.words
        return f"{self.words}, discard {card_text(self.discard)}"


@dataclass(frozen=True, slots=True)
class ChooseDirection(Action):
    """Choose the direction of play (Puck).

    Parameters
    ----------
    direction : {"clockwise", "counter-clockwise"}

    Examples
    --------
    >>> print(ChooseDirection("clockwise"))
    play clockwise
    """

    words: ClassVar[str] = "play"
    direction: str

    def __post_init__(self) -> None:
        direction = self.direction
        if not isinstance(direction, str) or direction not in (CLOCKWISE, COUNTER_CLOCKWISE):
            raise ActionError(
                f"expected the direction {CLOCKWISE!r} or {COUNTER_CLOCKWISE!r}, "
                f"got {shown(direction)}"
            )

    def __str__(self) -> str:
        return f"{self.words} {self.direction}"


@dataclass(frozen=True, slots=True)
class Cut(Action):
    """Put cards from the top of the deck to its bottom, before the deal (Puck).

    Parameters
    ----------
    count : int
        0 declines to cut.

    Raises
    ------
    ActionError
        If the count is no int.

    Examples
    --------
    >>> print(Cut(20))
    cut 20
    """

    words: ClassVar[str] = "cut"
    count: int

    def __post_init__(self) -> None:
        _set(self, "count", _read_int("count", self.count))

    def __str__(self) -> str:
        return f"{self.words} {self.count}"


# --- numbers and cards in actions ---

MOST_DIGITS: Final = 9  # of a number in an action
MOST: Final = 10**MOST_DIGITS - 1


def _read_int(name: str, value: object) -> int:
    number = as_int(value)
    if number is None or abs(number) > MOST:
        raise ActionError(
            f"expected the {name} of an action to be an int of at most {MOST_DIGITS} digits, "
            f"got {shown(value)}"
        )
    return number


def _read_pairs(takes: Iterable[tuple[object, object]]) -> list[tuple[int, int]]:
    pairs = []
    try:
        for count, player in takes:
            if type(count) is int and type(player) is int and 0 <= count <= MOST >= player >= 0:
                pairs.append((count, player))  # as the games themselves make them
            else:
                pairs.append((_read_int("count", count), _read_int("player", player)))
    except ActionError:
        raise
    except (TypeError, ValueError):
        raise ActionError(
            f"expected the takes of a theft to be pairs (count, player), got {shown(takes)}"
        ) from None
    return pairs


def card_text(card: Card) -> str:
    """Return the text of a card, with a number for every joker after the first.

    Examples
    --------
    >>> card_text(Card("7d")), card_text(Card(52)), card_text(Card(53))
    ('7d', 'Jk', 'Jk2')
    """
    return f"{card}{card - FIRST_JOKER + 1}" if card > FIRST_JOKER else str(card)


def _cards_text(cards: Iterable[Card]) -> str:
    return " ".join(map(card_text, cards))


def read_cards(text: str, jokers: Sequence[Card] = JOKERS) -> tuple[Card, ...]:
    """Read the cards of an action or a deck order, numbered jokers among them.

    Parameters
    ----------
    text : str
        Cards separated by blanks or commas.
    jokers : sequence of Card
        What a joker without a number stands for: the first of these that is not used yet.

    Returns
    -------
    tuple of Card

    Raises
    ------
    CardError
        If a part of the text is no card.

    Examples
    --------
    >>> read_cards("7d Jk2 Jk")
    (Card('7d'), Card(53), Card('Jk'))
    """
    if not isinstance(text, str):
        raise CardError(f"expected cards as a text, got {shown(text)}")
    tokens = list(_TOKEN.finditer(_with_plain_blanks(text)))
    numbered = {JOKERS[int(found["number"]) - 1] for found in tokens if found["number"]}
    others = [joker for joker in dict.fromkeys((*jokers, *JOKERS)) if joker not in numbered]
    cards: list[Card] = []
    for found in tokens:
        if found["unknown"]:
            raise CardError(
                f"expected a card such as 'As', '10h', 'Jk' or 'Jk2', got {shown(found[0])} at "
                f"position {found.start()} of {shown(text)}",
                position=found.start(),
            )
        if found["number"]:
            cards.append(JOKERS[int(found["number"]) - 1])
        elif found["joker"]:
            cards.append(others.pop(0) if others else JOKERS[0])
        else:
            cards.append(Card(found[0]))
    return tuple(cards)


def _with_plain_blanks(text: str) -> str:
    """Return a text with every blank as a space, because `_FLAGS` knows no others."""
    return re.sub(r"\s", " ", text)


_RANK: Final = "(?:10|[2-9tjqka])"
_SUIT: Final = "[cdhs♣♧♦♢♥♡♠♤]"
_JOKER: Final = r"(?:joker|jk|\*|🃏[\ufe0e\ufe0f]?)"
_NUMBER: Final = f"[1-4](?!0?{_SUIT})"  # a joker's, unless it is the rank of the next card
_FLAGS: Final = re.IGNORECASE | re.ASCII  # else the long s would be an s too
_TOKEN: Final = re.compile(
    rf"{_RANK}{_SUIT}[\ufe0e\ufe0f]?|(?P<joker>{_JOKER})(?P<number>{_NUMBER})?"
    r"|(?P<unknown>[^\s,]+)",
    _FLAGS,
)


def _one_card(card: CardLike) -> Card:
    if isinstance(card, str):
        cards = read_cards(card)
        if len(cards) == 1:
            return cards[0]
    return Card(card)


def _to_tuple(cards: CardsLike) -> tuple[Card, ...]:
    if isinstance(cards, str):
        return read_cards(cards)
    if type(cards) is tuple and set(map(type, cards)) <= _CARD_ONLY:
        return cards
    return to_cards(cards)


# --- texts ---

_BLANKS: Final = r"\s+"
_DIGITS: Final = rf"\d{{1,{MOST_DIGITS}}}"
_CARD: Final = rf"{_RANK}{_SUIT}[\ufe0e\ufe0f]?|{_JOKER}(?:{_NUMBER})?"
_THEFT: Final = rf"{_DIGITS}\s+from\s+{_DIGITS}"
_CARDS: Final = rf"(?P<cards>(?:{_CARD})(?:[\s,]*(?:{_CARD}))*)"
_PLAIN: Final[dict[str, type[Action]]] = {
    kind.words: kind for kind in (DrawStock, DrawPile, Knock, Keep, Declare)
}
_PATTERN: Final = re.compile(
    rf"(?P<plain>{'|'.join(_PLAIN).replace(' ', _BLANKS)})"
    rf"|take\s+(?P<take>{_DIGITS})[\s,]+discard\s+{_CARDS.replace('cards', 'taken', 1)}"
    rf"|steal\s+(?P<takes>{_THEFT}(?:[\s,]+{_THEFT})*)[\s,]+discard\s+"
    rf"{_CARDS.replace('cards', 'stolen', 1)}"
    rf"|exchange\s+{_CARDS.replace('cards', 'exchanged', 1)}"
    rf"|(?P<call>call)(?:[\s,]+discard\s+(?P<sixth>{_CARD}))?"
    rf"|discard\s+(?P<discard>{_CARD})"
    rf"|play\s+(?P<direction>{CLOCKWISE}|{COUNTER_CLOCKWISE})"
    rf"|cut\s+(?P<cut>{_DIGITS})",
    _FLAGS,
)
_END: Final = re.compile(r"\s*(?:[,;]\s*|$)")


def parse_actions(text: str, jokers: Sequence[Card] = JOKERS) -> tuple[Action, ...]:
    """Read one or more actions, such as those of a whole turn.

    Parameters
    ----------
    text : str
        Actions separated by commas or semicolons, in either case.
    jokers : sequence of Card
        What a joker without a number stands for, in this order.

    Returns
    -------
    tuple of Action

    Raises
    ------
    ActionError
        If a part of the text is no action.

    Examples
    --------
    >>> parse_actions("draw stock, discard 7d")
    (DrawStock(), Discard(card=Card('7d')))
    """
    if not isinstance(text, str):
        raise ActionError(f"expected the text of an action, got {shown(text)}")
    actions: list[Action] = []
    plain = _with_plain_blanks(text)
    position = len(text) - len(text.lstrip())
    while position < len(text) or not actions:
        found = _PATTERN.match(plain, position)
        end = found and _END.match(plain, found.end())
        if found is None or end is None:
            raise ActionError(
                "expected an action such as 'draw stock', 'discard 7d', 'take 2, discard 4c 9h', "
                f"'steal 1 from 2, discard 4c', 'knock', 'keep' or 'call', got "
                f"{shown(text[position:].rstrip())} at position {position} of {shown(text)}",
                position=position,
            )
        actions.append(_make(found, jokers))
        position = end.end()
    return tuple(actions)


def parse_action(text: str, jokers: Sequence[Card] = JOKERS) -> Action:
    """Read one action.

    Parameters
    ----------
    text : str
        As ``str(action)`` writes it, in either case.
    jokers : sequence of Card
        What a joker without a number stands for, in this order.

    Returns
    -------
    Action

    Raises
    ------
    ActionError
        If the text is no action, or more than one.

    Examples
    --------
    >>> parse_action("take 2, discard 4c 9h")
    Take(discards=(Card('4c'), Card('9h')))
    """
    actions = parse_actions(text, jokers)
    if len(actions) != 1:
        raise ActionError(f"expected one action, got {len(actions)} in {shown(text)}")
    return actions[0]


def _make(found: "re.Match[str]", jokers: Sequence[Card]) -> Action:
    """Return the action that `_PATTERN` found."""
    if found["plain"]:
        return _PLAIN[" ".join(found["plain"].lower().split())]()
    if found["taken"]:
        take = Take(read_cards(found["taken"], jokers))
        if len(take.discards) != int(found["take"]):
            raise ActionError(
                f"expected as many discards as cards taken, got {len(take.discards)} "
                f"in {shown(found[0])}"
            )
        return take
    if found["stolen"]:
        takes = re.findall(r"(\d+)\s+from\s+(\d+)", found["takes"], _FLAGS)
        pairs = tuple((int(count), int(player)) for count, player in takes)
        return Steal(pairs, read_cards(found["stolen"], jokers))
    if found["exchanged"]:
        return Exchange(read_cards(found["exchanged"], jokers))
    if found["call"]:
        return Call(read_cards(found["sixth"], jokers)[0] if found["sixth"] else None)
    if found["discard"]:
        return Discard(read_cards(found["discard"], jokers)[0])
    if found["direction"]:
        return ChooseDirection(found["direction"].lower())
    return Cut(int(found["cut"]))
