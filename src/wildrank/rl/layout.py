"""Observations as arrays: which number stands where, for each game and number of players.

An array is made from the game's own observation of the player, and from nothing else. It consists
of the fields below, one after the other, each in C order; `Layout.split` takes it apart. *P* is the
number of players: seat 0 is always the player who observes, and the others follow clockwise. *C* is
the number of cards: 54 (Perico, Puck), 56 (six-card Perico) or 52 (Paiute), each in the place of
its code. The numbers are not scaled. Where nothing is said of a field it holds ones and zeros, one
for what is so; what does not exist, such as the caller before a call, is all zeros.

All games:

====================  ========  ================================================================
phase                 (phases)  turn, discard, over; Puck: direction, cut, turn, over
to_move               (P)       who is to act
dealer                (P)       who deals
scores                (P)       the scores
round                 (1)       the number of the round or deal, from 0
turns                 (1)       how many turns have been finished in it
stock_size            (1)       how many cards the stock has
hand                  (H, C)    the own hand, a card in each place, sorted by code; its places are
                                those of the actions. H is 6 (Perico), 7, 3 (Puck) or 6 (Paiute)
pile                  (C)       where in the discard pile a card lies: 1 is the top; 0 elsewhere
discarded             (P, C)    how often each player has discarded each card since the deal (Puck:
                                in this round)
previous_dealer       (P)       who dealt the last round or deal
previous_winners      (P)       who won it
previous_hands        (P, C)    the hands as they were shown at its end
previous_ending       (E)       knock, ending_hand, forfeit (Perico); show (Puck); call, max_turns
                                (Paiute)
previous_turns        (1)       how many turns it took
====================  ========  ================================================================

Perico and Paiute:

====================  ========  ================================================================
top                   (T, C)    the top cards of the discard pile, the top one first; T is 5, in
                                Paiute 1
drawn                 (P)       how often each player has drawn from the stock since the deal
taken                 (P)       how many cards each player has taken from the discard pile (with
                                ``play="stock"``: exchanged) since the deal
known                 (P, C)    the cards in each hand that everyone has seen
====================  ========  ================================================================

Perico:

====================  ========  ================================================================
knocker               (P)       who has knocked
out                   (P)       who has lost the round already
====================  ========  ================================================================

Puck:

====================  ========  ================================================================
direction             (2)       clockwise, counter-clockwise
first                 (P)       who speaks first in this round
pot                   (1)       chips in the pot
chips                 (P)       each player's chips
stolen                (P, P)    how many cards each player has stolen from each in this round
gained                (P, C)    the cards that the player has stolen from each in this round
lost                  (P, C)    the cards that each has stolen from the player in this round
====================  ========  ================================================================

Paiute:

====================  ========  ================================================================
wild_card             (C)       the turned-up card, whose rank is wild
just_taken            (C)       the card that was just taken from the discard pile
shown                 (P, C)    the hands shown with a call
to_beat               (1)       the value of the best of them
caller                (P)       who called first
turns_left            (1)       how many turns are left after a call, the present one not counted
pot                   (1)       chips in the pot
====================  ========  ================================================================

Left out are only what never changes in an environment (the evaluator and the options of the game),
the order in which cards came into the hand, and the order of the moves: they are counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import inf, prod
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from wildrank.cards import Card
from wildrank.games.actions import (
    CLOCKWISE,
    COUNTER_CLOCKWISE,
    Call,
    Discard,
    DrawPile,
    DrawStock,
    Exchange,
    Steal,
    Take,
)
from wildrank.games.base import Move, Observation
from wildrank.games.paiute import PaiuteObservation
from wildrank.games.perico import PericoObservation
from wildrank.games.puck import PuckObservation

__all__ = ["Counts", "Field", "Layout"]

Array = npt.NDArray[np.float32]
Views = Mapping[str, Array]
T = TypeVar("T")

FLAG: Final = (0.0, 1.0)
COUNT: Final = (0.0, inf)
CHIPS: Final = (-inf, inf)
DIRECTIONS: Final = (CLOCKWISE, COUNTER_CLOCKWISE)


class Field(NamedTuple):
    """A part of an observation.

    Attributes
    ----------
    name : str
    shape : tuple of int
    low, high : float
        Its least and its greatest number.
    """

    name: str
    shape: tuple[int, ...]
    low: float = 0
    high: float = 1

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


class _Sizes(NamedTuple):
    """What the sizes of the fields of a game depend on, besides the number of players."""

    cards: int
    places: int
    top: int
    phases: tuple[str, ...]
    endings: tuple[str, ...]


_PERICO: Final = ("turn", "discard", "over"), ("knock", "ending_hand", "forfeit")
_SIZES: Final = {
    "perico": _Sizes(54, 6, 5, *_PERICO),
    "six-card-perico": _Sizes(56, 7, 5, *_PERICO),
    "puck": _Sizes(54, 3, 0, ("direction", "cut", "turn", "over"), ("show",)),
    "paiute": _Sizes(52, 6, 1, ("turn", "discard", "over"), ("call", "max_turns")),
}


class Layout:
    """The layout of the observations of a game.

    Parameters
    ----------
    game : {"perico", "six-card-perico", "puck", "paiute"}
    players : int

    Attributes
    ----------
    fields : tuple of Field
        In the order in which they stand in the array.
    size : int
        How many numbers an array has.

    Examples
    --------
    >>> from wildrank.games.perico import Perico
    >>> layout = Layout("perico", 2)
    >>> game = Perico(players=2, seed=7, dealer=1)
    >>> array = layout.array(game.observation(0))
    >>> array.shape, array.dtype.name
    ((1000,), 'float32')
    >>> fields = layout.split(array)
    >>> print(*[Card(code) for code in np.flatnonzero(fields["hand"].any(axis=0)).tolist()])
    5c Js Ah As Jk
    >>> fields["dealer"].tolist(), fields["stock_size"].tolist()
    ([0.0, 1.0], [43.0])
    """

    def __init__(self, game: str, players: int) -> None:
        self._sizes: Final = _SIZES[game]
        self.fields: Final = tuple(_fields(game, players, self._sizes))
        stops = list(accumulate(field.size for field in self.fields))
        self._slices: Final = [
            (field.name, slice(stop - field.size, stop), field.shape)
            for field, stop in zip(self.fields, stops, strict=True)
        ]
        self.size: Final = stops[-1]

    def bounds(self) -> tuple[Array, Array]:
        """Return the least and the greatest number in each place.

        Returns
        -------
        tuple of (ndarray of float32, ndarray of float32)
        """
        low, high = np.zeros(self.size, np.float32), np.zeros(self.size, np.float32)
        lows, highs = self.split(low), self.split(high)
        for field in self.fields:
            lows[field.name][...] = field.low
            highs[field.name][...] = field.high
        return low, high

    def split(self, array: Array) -> dict[str, Array]:
        """Return the fields of an observation.

        Parameters
        ----------
        array : ndarray, shape (size,)

        Returns
        -------
        dict of str to ndarray
            Views of the array, in the shapes of the fields.
        """
        return {name: array[part].reshape(shape) for name, part, shape in self._slices}

    def array(self, seen: Observation, counts: "Counts | None" = None) -> Array:
        """Return an observation as an array.

        Parameters
        ----------
        seen : PericoObservation, PuckObservation or PaiuteObservation
        counts : Counts, optional
            Saves time if it has counted earlier moves of the same game.

        Returns
        -------
        ndarray of float32, shape (size,)
        """
        array = np.zeros(self.size, np.float32)
        views = self.split(array)
        self._write_common(views, seen)
        counts = counts or Counts(self)
        counts.follow(seen)
        for name, table in counts.seen_from(seen.player).items():
            views[name][...] = table
        if isinstance(seen, PericoObservation):
            _write_perico(views, seen)
        elif isinstance(seen, PuckObservation):
            _write_puck(views, seen)
        elif isinstance(seen, PaiuteObservation):
            _write_paiute(views, seen)
        return array

    def _write_common(self, views: Views, seen: Observation) -> None:
        views["phase"][self._sizes.phases.index(seen.phase)] = 1
        _mark_seats(views["to_move"], seen, [seen.current_player])
        _mark_seats(views["dealer"], seen, [seen.dealer])
        views["scores"][:] = _turned(seen, seen.scores)
        views["round"][0] = seen.round
        views["turns"][0] = seen.turns
        views["stock_size"][0] = seen.stock_size
        hand = sorted(seen.hand)
        views["hand"][range(len(hand)), hand] = 1
        views["pile"][list(seen.pile)] = range(len(seen.pile), 0, -1)
        last = seen.last_round
        if last is not None:
            _mark_seats(views["previous_dealer"], seen, [last.dealer])
            _mark_seats(views["previous_winners"], seen, last.winners)
            _mark_cards(views["previous_hands"], _turned(seen, last.hands))
            views["previous_ending"][self._sizes.endings.index(last.ending)] = 1
            views["previous_turns"][0] = last.turns


def _fields(game: str, players: int, sizes: _Sizes) -> Iterable[Field]:
    """Return the fields of a game, as the tables above list them."""
    seats, cards = (players,), (sizes.cards,)
    both = (players, sizes.cards)
    yield from (
        Field("phase", (len(sizes.phases),)),
        Field("to_move", seats),
        Field("dealer", seats),
        Field("scores", seats, *(CHIPS if game == "paiute" else COUNT)),
        Field("round", (1,), *COUNT),
        Field("turns", (1,), *COUNT),
        Field("stock_size", (1,), 0, sizes.cards),
        Field("hand", (sizes.places, sizes.cards)),
        Field("pile", cards, 0, sizes.cards),
        Field("discarded", both, *COUNT),
        Field("previous_dealer", seats),
        Field("previous_winners", seats),
        Field("previous_hands", both),
        Field("previous_ending", (len(sizes.endings),)),
        Field("previous_turns", (1,), *COUNT),
    )
    if game == "puck":
        yield from (
            Field("direction", (len(DIRECTIONS),)),
            Field("first", seats),
            Field("pot", (1,), *COUNT),
            Field("chips", seats, *CHIPS),
            Field("stolen", (players, players), 0, 3),
            Field("gained", both),
            Field("lost", both),
        )
        return
    yield from (
        Field("top", (sizes.top, sizes.cards)),
        Field("drawn", seats, *COUNT),
        Field("taken", seats, *COUNT),
        Field("known", both),
    )
    if game == "paiute":
        yield from (
            Field("wild_card", cards),
            Field("just_taken", cards),
            Field("shown", both),
            Field("to_beat", (1,), *COUNT),
            Field("caller", seats),
            Field("turns_left", (1,), 0, players),
            Field("pot", (1,), *COUNT),
        )
    else:
        yield from (Field("knocker", seats), Field("out", seats))


class Counts:
    """Counts the moves of a round, which are public, for `Layout.array`.

    Parameters
    ----------
    layout : Layout
    """

    def __init__(self, layout: Layout) -> None:
        self._shapes: Final = {
            field.name: field.shape
            for field in layout.fields
            if field.name in ("discarded", "drawn", "taken", "stolen")
        }
        self._begin(0)

    def _begin(self, number: int) -> None:
        self._round = number
        self._counted = 0
        self._out: Sequence[int] = ()
        self._tables = {name: np.zeros(shape, np.float32) for name, shape in self._shapes.items()}

    def seen_from(self, player: int) -> dict[str, Array]:
        """Return the fields that count moves, with the seats beginning with a player."""
        turned = {}
        for name, table in self._tables.items():
            seats = [*range(player, len(table)), *range(player)]
            turned[name] = table[seats][:, seats] if name == "stolen" else table[seats]
        return turned

    def follow(self, seen: Observation) -> None:
        """Count the moves that are new."""
        if seen.round != self._round:
            self._begin(seen.round)
        moves = list(seen.moves[self._counted :])
        self._counted += len(moves)
        if isinstance(seen, PericoObservation) and seen.out != self._out:
            # The move that put a player out of the round was not performed.
            for player in set(seen.out) - set(self._out):
                last = max(place for place, move in enumerate(moves) if move.player == player)
                del moves[last]
            self._out = seen.out
        for move in moves:
            self._count(move)

    def _count(self, move: Move) -> None:
        player, action = move
        match action:
            case DrawStock():
                self._tables["drawn"][player] += 1
            case DrawPile():
                self._tables["taken"][player] += 1
            case Take(discards=cards) | Exchange(discards=cards):
                self._tables["taken"][player] += len(cards)
                self._tables["discarded"][player, list(cards)] += 1
            case Discard(card=card) | Call(discard=Card() as card):
                self._tables["discarded"][player, card] += 1
            case Steal(takes=takes, discards=cards):
                self._tables["discarded"][player, list(cards)] += 1
                for count, victim in takes:
                    self._tables["stolen"][player, victim] = count


def _write_perico(views: Views, seen: PericoObservation) -> None:
    _write_piles(views, seen, seen.known)
    _mark_seats(views["knocker"], seen, [seen.knocker])
    _mark_seats(views["out"], seen, seen.out)


def _write_paiute(views: Views, seen: PaiuteObservation) -> None:
    _write_piles(views, seen, seen.known)
    views["wild_card"][seen.wild_card] = 1
    if seen.taken is not None:
        views["just_taken"][seen.taken] = 1
    _mark_cards(views["shown"], [cards or () for cards in _turned(seen, seen.shown)])
    views["to_beat"][0] = seen.to_beat
    _mark_seats(views["caller"], seen, [seen.caller])
    views["turns_left"][0] = seen.last_turns
    views["pot"][0] = seen.pot


def _write_piles(views: Views, seen: Observation, known: Sequence[Sequence[Card]]) -> None:
    """Write what only games have in which cards are taken from the discard pile."""
    top = seen.pile[: -1 - len(views["top"]) : -1]
    views["top"][range(len(top)), list(top)] = 1
    _mark_cards(views["known"], _turned(seen, known))


def _write_puck(views: Views, seen: PuckObservation) -> None:
    players = len(seen.scores)
    if seen.direction is not None:
        views["direction"][DIRECTIONS.index(seen.direction)] = 1
    _mark_seats(views["first"], seen, [seen.first])
    views["pot"][0] = seen.pot
    views["chips"][:] = _turned(seen, seen.chips)
    for thief, victim, cards in seen.thefts:
        if thief == seen.player:
            views["gained"][(victim - seen.player) % players, list(cards)] = 1
        else:
            views["lost"][(thief - seen.player) % players, list(cards)] = 1


def _turned(seen: Observation, values: Sequence[T]) -> Sequence[T]:
    """Return values of the seats, beginning with the player who observes."""
    return [*values[seen.player :], *values[: seen.player]]


def _mark_seats(view: Array, seen: Observation, seats: Iterable[int | None]) -> None:
    for seat in seats:
        if seat is not None and seat >= 0:
            view[(seat - seen.player) % len(view)] = 1


def _mark_cards(view: Array, hands: Sequence[Sequence[Card]]) -> None:
    for row, cards in zip(view, hands, strict=True):
        row[list(cards)] = 1
