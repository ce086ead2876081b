"""The numbers of the actions: one fixed list for each game, whatever its options and players.

Cards are named by their *places*: 0 is the lowest card in the hand when it is sorted by card code
(``rank * 4 + suit``, jokers last), so what a number means depends on the hand, and the field
``hand`` of the observation shows the cards in these places. The seats of other players are counted
clockwise: 1 is the next one.

=====================  =========  ======================================================
Perico                 six-card   action
=====================  =========  ======================================================
0, 1, 2, 3             the same   draw stock, knock, keep, declare
4 - 9                  4 - 10     discard the card in place 0, 1, ...
10 - 334               11 - 1246  take: the places of the discards in the order in which they are
                                  laid down, fewer first, then in the order of
                                  ``itertools.permutations``
335 - 365              1247-1309  exchange: the places, fewer first, then in the order of
                                  ``itertools.combinations``
=====================  =========  ======================================================

=========  ================================================================================
Puck       action
=========  ================================================================================
0          keep
1, 2       play clockwise, play counter-clockwise
3 - 56     cut 0, 1, ..., 53 cards
57 - 93    steal: fewer cards first, then the places of the discards in the order of
           ``itertools.combinations``, then how many cards from the players 1, 2 and 3 seats
           away, in ascending order: (0, 0, 1), (0, 1, 0), (1, 0, 0)
=========  ================================================================================

=======  ==============================================================
Paiute   action
=======  ==============================================================
0, 1     draw stock, draw pile
2        call
3 - 8    call and discard the sixth card, which is in place 0, 1, ..., 5
9 - 14   discard the card in place 0, 1, ..., 5
=======  ==============================================================

Every legal action has exactly one number; nothing is left out or lumped together.
"""

from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations, permutations, product
from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from wildrank.cards import Card, as_int
from wildrank.errors import ActionError, IllegalActionError, shown
from wildrank.games.actions import (
    CLOCKWISE,
    COUNTER_CLOCKWISE,
    Action,
    Call,
    ChooseDirection,
    Cut,
    Declare,
    Discard,
    DrawPile,
    DrawStock,
    Exchange,
    Keep,
    Knock,
    Steal,
    Take,
    card_text,
)
from wildrank.games.base import Actions, Game

__all__ = ["Numbering", "Template", "templates"]

MOST_TAKEN: Final = 5  # from the discard pile of Perico
PUCK_HAND: Final = 3
PUCK_OTHERS: Final = 3  # at most, besides the player
PUCK_DECK: Final = 54  # at most
PAIUTE_HAND: Final = 6  # after a draw


class Template(NamedTuple):
    """An action without its cards.

    Attributes
    ----------
    kind : type of Action
    places : tuple of int
        Where in the sorted hand the cards are that the action discards.
    detail : str, int or tuple of (int, int)
        The direction of play; the size of a cut; or how many cards are stolen how many seats away.
    """

    kind: type[Action]
    places: tuple[int, ...] = ()
    detail: Any = None


# Places, because there are 54!/49!, or 380 million, ways to name five of Perico's cards in order.
# Places in the sorted hand, because the order in which cards came there does not matter.
@cache
def templates(game: str) -> tuple[Template, ...]:
    """Return the actions of a game by their numbers.

    Parameters
    ----------
    game : {"perico", "six-card-perico", "puck", "paiute"}

    Returns
    -------
    tuple of Template

    Examples
    --------
    >>> [len(templates(game)) for game in ("perico", "six-card-perico", "puck", "paiute")]
    [366, 1310, 94, 15]
    >>> templates("perico")[9]
    Template(kind=<class 'wildrank.games.actions.Discard'>, places=(5,), detail=None)
    """
    makers = {
        "perico": lambda: _perico(5),
        "six-card-perico": lambda: _perico(6),
        "puck": _puck,
        "paiute": _paiute,
    }
    return tuple(makers[game]())


def _perico(size: int) -> list[Template]:
    hand = range(size)
    takes = chain.from_iterable(permutations(hand, n) for n in range(1, MOST_TAKEN + 1))
    exchanges = chain.from_iterable(combinations(hand, n) for n in range(1, size + 1))
    return [
        *map(Template, (DrawStock, Knock, Keep, Declare)),
        *[Template(Discard, (place,)) for place in range(size + 1)],
        *[Template(Take, places) for places in takes],
        *[Template(Exchange, places) for places in exchanges],
    ]


def _puck() -> list[Template]:
    return [
        Template(Keep),
        *[Template(ChooseDirection, (), way) for way in (CLOCKWISE, COUNTER_CLOCKWISE)],
        *[Template(Cut, (), count) for count in range(PUCK_DECK)],
        *[
            Template(Steal, places, takes)
            for count in range(1, PUCK_HAND + 1)
            for places in combinations(range(PUCK_HAND), count)
            for takes in _splits(count)
        ],
    ]


def _splits(count: int) -> list[tuple[tuple[int, int], ...]]:
    """Return all ways to steal so many cards: (how many, from how many seats away)."""
    return [
        tuple((number, seats) for seats, number in enumerate(numbers, 1) if number)
        for numbers in product(range(count + 1), repeat=PUCK_OTHERS)
        if sum(numbers) == count
    ]


def _paiute() -> list[Template]:
    hand = range(PAIUTE_HAND)
    return [
        *map(Template, (DrawStock, DrawPile, Call)),
        *[Template(Call, (place,)) for place in hand],
        *[Template(Discard, (place,)) for place in hand],
    ]


class Numbering:
    """Translates the actions of a game to numbers and back.

    Parameters
    ----------
    game : {"perico", "six-card-perico", "puck", "paiute"}
    players : int

    Examples
    --------
    >>> numbering = Numbering("perico", 2)
    >>> hand = [Card(text) for text in ("9h", "4c", "Jk", "2d", "As")]
    >>> print(numbering.action(32, hand, 0))
    take 2, discard Jk 4c
    >>> numbering.number(Take("Jk 4c"), hand, 0)
    32
    """

    def __init__(self, game: str, players: int) -> None:
        self._templates: Final = templates(game)
        self._players: Final = players
        self._numbers: Final = {template: number for number, template in enumerate(self._templates)}
        self._of_kind: Final[dict[type[Action], npt.NDArray[np.intp]]] = {
            kind: np.array(
                [n for t, n in self._numbers.items() if t.kind is kind and self._fits(t)]
            )
            for kind in (Take, Exchange, Cut, Steal)
        }

    def __len__(self) -> int:
        return len(self._templates)

    def _fits(self, template: Template) -> bool:
        """Whether the players whom an action names are there."""
        return template.kind is not Steal or template.detail[-1][1] < self._players

    def action(self, number: SupportsIndex, hand: Sequence[Card], player: int) -> Action:
        """Return the action that a number means.

        Parameters
        ----------
        number : int
        hand : sequence of Card
            The hand of the player who acts, in any order.
        player : int
            The seat of the player who acts.

        Returns
        -------
        Action
            Not checked against the state of the game.

        Raises
        ------
        ActionError
            If there is no such number.
        IllegalActionError
            If it means a card that is not in the hand, or a player who is not there.
        """
        index = as_int(number)
        if index is None or not 0 <= index < len(self):
            raise ActionError(
                f"expected the number of an action from 0 to {len(self) - 1}, got {shown(number)}"
            )
        template = self._templates[index]
        kind, places, detail = template
        if places and max(places) >= len(hand):
            raise IllegalActionError(
                f"player {player}: action {index} discards the card in place {max(places)}, "
                f"but the hand holds only {len(hand)} cards"
            )
        if not self._fits(template):
            raise IllegalActionError(
                f"player {player}: action {index} steals {detail[-1][1]} seats away, "
                f"but there are only {self._players} players"
            )
        ordered = sorted(hand)
        cards = tuple([ordered[place] for place in places])
        if kind is Steal:
            return Steal(
                [(count, (player + seats) % self._players) for count, seats in detail], cards
            )
        if kind in (Take, Exchange):
            return kind(cards)
        return kind(*cards) if detail is None else kind(detail)  # type: ignore[call-arg]

    def number(self, action: Action, hand: Sequence[Card], player: int) -> int:
        """Return the number of an action.

        Parameters
        ----------
        action : Action
        hand : sequence of Card
            The hand of the player who acts, in any order.
        player : int
            The seat of the player who acts.

        Returns
        -------
        int

        Raises
        ------
        IllegalActionError
            If the action has no number, because it can never be legal with this hand.
        """
        cards: tuple[Card, ...] = ()
        detail: Any = None
        if isinstance(action, Take | Exchange | Steal):
            cards = action.discards
        elif isinstance(action, Discard):
            cards = (action.card,)
        elif isinstance(action, Call) and action.discard is not None:
            cards = (action.discard,)
        elif isinstance(action, ChooseDirection):
            detail = action.direction
        elif isinstance(action, Cut):
            detail = action.count
        if isinstance(action, Steal):
            takes = [((seat - player) % self._players, count) for count, seat in action.takes]
            detail = tuple([(count, seats) for seats, count in sorted(takes)])
        ordered = sorted(hand)
        try:
            places = tuple([ordered.index(card) for card in cards])
            return self._numbers[Template(type(action), places, detail)]
        except (KeyError, ValueError):
            held = " ".join(map(card_text, ordered))
            raise IllegalActionError(
                f"player {player}: expected an action of this game and of the cards {held}, "
                f"got {str(action)!r}"
            ) from None

    def mask(self, game: Game[Any]) -> npt.NDArray[np.int8]:
        """Return which actions are legal.

        Parameters
        ----------
        game : Game

        Returns
        -------
        ndarray of int8
            1 for each number of a legal action, 0 for the others.
        """
        mask = np.zeros(len(self), dtype=np.int8)
        legal = game.legal_actions()
        plain = legal.plain if isinstance(legal, Actions) else len(legal)
        if plain:
            player = game.current_player
            hand = game.observation(player).hand
            mask[[self.number(legal[place], hand, player) for place in range(plain)]] = 1
        if len(legal) > plain:
            # All actions of this kind are legal that use so many cards at most, and both lists
            # begin with those of fewer cards; in which places they are makes no difference.
            mask[self._of_kind[type(legal[plain])][: len(legal) - plain]] = 1
        return mask
