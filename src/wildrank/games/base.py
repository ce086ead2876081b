"""What every game shares: seats, dealing, stock and discard pile, turn order, history, chance.

A game is a state machine. ``current_player`` is to act, ``legal_actions()`` says how, and
``apply(action)`` goes on to the next decision; what chance decides (a shuffle, a card stolen
unseen) happens inside ``apply``. A game module adds its own moves: a table from each phase to the
actions that may be legal in it, each with a method that checks it and a method that performs it.

All chance comes from the seed by hashing, so the same seed and actions give the same game on every
platform and in every version of Python: shuffle number *n* is made from the BLAKE2b hash of the
seed and *n*.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    NoReturn,
    Protocol,
    Self,
    TypeVar,
    overload,
)

from wildrank.cards import FIRST_JOKER, MAX_JOKERS, Card, as_int, deck, to_cards
from wildrank.errors import CardError, IllegalActionError, RuleError, WildrankError, shown
from wildrank.evaluator import Evaluator
from wildrank.games.actions import JOKERS, Action, Discard, card_text, parse_actions, read_cards
from wildrank.rules import RuleSet

__all__ = ["Actions", "Game", "Move", "Moves", "Observation", "RoundResult"]

TURN: Final = "turn"
DISCARD: Final = "discard"
OVER: Final = "over"
MOST_SEED: Final = 2**128 - 1
MOST_INT: Final = 10**9  # of other options: whatever they make together fits into 64 bits

Cards = tuple[Card, ...]


class Move(NamedTuple):
    """One action in the history of a game.

    Attributes
    ----------
    player : int
        Who acted.
    action : Action
    """

    player: int
    action: Action


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round, or a deal of Paiute, ended.

    Attributes
    ----------
    dealer : int
    ending : str
        Why it ended: ``"knock"``, ``"ending_hand"``, ``"forfeit"`` (Perico), ``"show"`` (Puck),
        ``"call"`` or ``"max_turns"`` (Paiute).
    winners : tuple of int
        The players with the best hands; more than one is a tie, none a deal that nobody called.
    hands : tuple of tuple of Card
        The hands as they were shown at the end; empty after a deal of Paiute that nobody called.
    turns : int
        How many turns it took.
    """

    dealer: int
    ending: str
    winners: tuple[int, ...]
    hands: tuple[Cards, ...]
    turns: int


class Moves(Sequence[Move]):
    """Some moves in a row of a history, which only grows; a tuple of them without the copying.

    Parameters
    ----------
    history : list of Move
    start, stop : int

    Examples
    --------
    >>> moves = Moves([Move(0, Discard("7d")), Move(1, Discard("8d"))], 0, 1)
    >>> moves, moves == (Move(0, Discard("7d")),)
    ((Move(player=0, action=Discard(card=Card('7d'))),), True)
    """

    __slots__ = ("_history", "_start", "_stop")

    def __init__(self, history: list[Move], start: int, stop: int) -> None:
        self._history = history
        self._start = start
        self._stop = stop

    def _tuple(self) -> tuple[Move, ...]:
        return tuple(self._history[self._start : self._stop])

    def __len__(self) -> int:
        return self._stop - self._start

    def __iter__(self) -> Iterator[Move]:
        return iter(self._tuple())

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        """Return a move, or several."""
        places = range(self._start, self._stop)[index]
        if isinstance(places, int):
            return self._history[places]
        return tuple([self._history[place] for place in places])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Moves):
            return self._tuple() == other._tuple()
        return self._tuple() == other

    def __hash__(self) -> int:
        return hash(self._tuple())

    def __reduce__(self) -> tuple[type["Moves"], tuple[list[Move], int, int]]:
        return Moves, (list(self._tuple()), 0, len(self))

    def __repr__(self) -> str:
        return repr(self._tuple())


class Observation(Protocol):
    """What one player may know; each game has its own named tuple with these fields and more."""

    @property
    def player(self) -> int:
        """Whose observation it is."""

    @property
    def current_player(self) -> int:
        """Who is to act; -1 when the game is over."""

    @property
    def phase(self) -> str:
        """What kind of decision is due."""

    @property
    def hand(self) -> Cards:
        """The player's own cards; a card just drawn is the last."""

    @property
    def pile(self) -> Cards:
        """The discard pile, face up; the top card is the last."""

    @property
    def stock_size(self) -> int:
        """How many cards the stock has."""

    @property
    def moves(self) -> Sequence[Move]:
        """All actions since the deal (in Puck: since the last show); they are made in public."""

    @property
    def turns(self) -> int:
        """How many turns have been finished in this round or deal."""

    @property
    def round(self) -> int:
        """The number of this round or deal, from 0."""

    @property
    def dealer(self) -> int:
        """Who deals."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Each player's score."""

    @property
    def last_round(self) -> RoundResult | None:
        """How the last round or deal ended."""

    @property
    def evaluator(self) -> Evaluator:
        """Tells what hands are worth; its ``rules`` are those of the game."""


Seen = tuple[int, int, str, Cards, Cards, int, Sequence[Move], int]
Known = tuple[int, int, tuple[int, ...], RoundResult | None, Evaluator]


class Actions(Sequence[Action]):
    """A list of actions whose members are made when they are asked for.

    Parameters
    ----------
    first : sequence of Action
        Actions that are made already, one of each kind.
    patterns : sequence
        What the others are made from.
    count : int
        How many of the patterns count.
    make : callable
        Makes an action from a pattern.

    Examples
    --------
    >>> actions = Actions([], ["7d", "8d", "9d"], 2, Discard)
    >>> len(actions), actions[-1]
    (2, Discard(card=Card('8d')))
    """

    __slots__ = ("_count", "_first", "_make", "_patterns")

    def __init__(
        self,
        first: Sequence[Action],
        patterns: Sequence[Any] = (),
        count: int = 0,
        make: Callable[[Any], Action] = Discard,
    ) -> None:
        self._first = first
        self._patterns = patterns
        self._count = count
        self._make = make

    @property
    def plain(self) -> int:
        """How many of the actions, at the beginning, are the only ones of their kind."""
        return len(self._first)

    def __len__(self) -> int:
        return len(self._first) + self._count

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        """Return an action, or several."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        ready = len(self._first)
        place = index if index >= 0 else index + ready + self._count
        if 0 <= place < ready:
            return self._first[place]
        if ready <= place < ready + self._count:
            return self._make(self._patterns[place - ready])
        raise IndexError(f"expected an index of {len(self)} actions, got {index}")

    def __reduce__(self) -> tuple[type["Actions"], tuple[Any, ...]]:
        return Actions, (self._first, self[self.plain :], self._count, _ready)

    def __repr__(self) -> str:
        return f"<{len(self)} actions>"


def _ready(action: Action) -> Action:
    """Make an action from itself, after a list of actions has been pickled."""
    return action


ObservationT = TypeVar("ObservationT", bound=Observation, covariant=True)

Check = Callable[[Any, Any], None]
Perform = Callable[[Any, Any], None]
MoveTable = Mapping[str, Mapping[type[Action], tuple[Check, Perform]]]


class Game(ABC, Generic[ObservationT]):
    """Base class of the games.

    Attributes
    ----------
    name : str
        The name of the game and of its rule set.
    most_players : int
        The greatest number of players; the least is two.
    """

    name: ClassVar[str]
    most_players: ClassVar[int]
    _moves: ClassVar[MoveTable]

    def __init__(
        self,
        players: int,
        *,
        seed: int | None,
        dealer: int | None,
        decks: Sequence[str | Iterable[int]],
        evaluator: Evaluator,
        options: dict[str, Any],
    ) -> None:
        players = self._read_int("players", players, 2, self.most_players)
        if dealer is not None:
            dealer = self._read_int("dealer", dealer, 0, players - 1)
        self._players: Final = players
        self._seed: Final = (
            _fresh_seed() if seed is None else self._read_int("seed", seed, 0, MOST_SEED)
        )
        self._deck: Final = _full_deck(evaluator.rules.jokers)
        self._decks: Final = self._read_decks(decks)
        self._evaluator: Final = evaluator
        self._options: Final = {
            "players": self._players,
            "seed": self._seed,
            "dealer": dealer,
            "decks": tuple([" ".join(map(card_text, order)) for order in self._decks]),
            **options,
        }
        self._shuffles = 0
        self._dealer = self._chance(b"lot") % players if dealer is None else dealer
        self._current = -1
        self._phase = OVER
        self._hands: list[Cards] = [()] * players
        self._stock: list[Card] = []  # the top is the last
        self._pile: list[Card] = []  # the top is the last
        self._known: list[Cards] = [()] * players  # cards in hands that everyone has seen
        self._scores = [0] * players
        self._turns = 0
        self._round_turns = 0
        self._history: list[Move] = []
        self._round_start = 0  # where in the history the round begins
        self._rounds: list[RoundResult] = []
        self._begin_round()

    # --- the protocol ---

    @property
    def players(self) -> int:
        """How many players there are; their seats are 0, 1, ... clockwise."""
        return self._players

    @property
    def seed(self) -> int:
        """The seed of all that chance decides."""
        return self._seed

    @property
    def options(self) -> dict[str, Any]:
        """The arguments that make the same game again: numbers, texts and tuples of them."""
        return dict(self._options)

    @property
    def evaluator(self) -> Evaluator:
        """Tells what hands are worth in this game."""
        return self._evaluator

    @property
    def current_player(self) -> int:
        """Who is to act; -1 when the game is over."""
        return self._current

    @property
    def phase(self) -> str:
        """What kind of decision is due; ``"over"`` when the game is over."""
        return self._phase

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._phase == OVER

    @property
    def dealer(self) -> int:
        """Who deals."""
        return self._dealer

    @property
    def scores(self) -> tuple[int, ...]:
        """Each player's score: points (Perico), rounds won (Puck) or chips won (Paiute)."""
        return tuple(self._scores)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players with the highest score; nobody before the game is over."""
        if not self.is_over:
            return ()
        return best(self._scores)

    @property
    def history(self) -> tuple[Move, ...]:
        """All actions, in order."""
        return tuple(self._history)

    @property
    def rounds(self) -> tuple[RoundResult, ...]:
        """How the finished rounds, or deals, ended."""
        return tuple(self._rounds)

    @property
    def turns(self) -> int:
        """How many turns have been finished."""
        return self._turns

    @abstractmethod
    def legal_actions(self) -> Sequence[Action]:
        """Return what the current player may do; nothing when the game is over.

        Where the list is long it is lazy: actions are made when they are asked for.
        """

    @abstractmethod
    def observation(self, player: int) -> ObservationT:
        """Return exactly what a player may know.

        Parameters
        ----------
        player : int

        Returns
        -------
        Observation
            It does not change when the game goes on.

        Raises
        ------
        RuleError
            If there is no such player.
        """

    def is_legal(self, action: Action) -> bool:
        """Return whether the current player may do this.

        Parameters
        ----------
        action : Action

        Returns
        -------
        bool
        """
        try:
            self._find(action)
        except IllegalActionError:
            return False
        return True

    def apply(self, action: Action) -> None:
        """Let the current player act.

        Parameters
        ----------
        action : Action

        Raises
        ------
        IllegalActionError
            Naming the rule that the action breaks.
        RuleError
            If the next of the ``decks`` names a card that is not being shuffled.

        Notes
        -----
        After any error the game is what it was before.
        """
        perform = self._find(action)
        history = self._history
        done = len(history)
        try:
            history.append(Move(self._current, action))
            self._perform(perform, action)
        except BaseException:
            self._go_back(done)
            raise

    def _go_back(self, done: int) -> None:
        """Return to the state after so many actions: a game is its options and its history."""
        before = type(self)(**self._options)
        for move in self._history[:done]:
            before.apply(move.action)
        self.__dict__ = before.__dict__

    def parse(self, text: str) -> tuple[Action, ...]:
        """Read the actions in a text.

        A plain ``Jk`` is a joker that the current player holds once the actions before it are done.

        Parameters
        ----------
        text : str
            Such as ``"draw stock, discard 7d"``.

        Returns
        -------
        tuple of Action
            Not checked against the state of the game.

        Raises
        ------
        ActionError
            If a part of the text is no action.
        """
        actions = parse_actions(text, self._jokers())
        if len(actions) == 1:
            return actions
        twin, read = self.copy(), list(actions)
        for place in range(len(actions) - 1):
            try:
                twin.apply(read[place])
            except WildrankError:
                break
            read[place + 1 :] = parse_actions(text, twin._jokers())[place + 1 :]
        return tuple(read)

    def _jokers(self) -> list[Card]:
        """Return all jokers; those that the current player holds come first."""
        hand = () if self.is_over else self._hands[self._current]
        held = sorted(card for card in hand if card >= FIRST_JOKER)
        return [*held, *(joker for joker in JOKERS if joker not in held)]

    def copy(self) -> Self:
        """Return a game in the same state; what happens to one does not change the other.

        Returns
        -------
        Game
            Chance decides the same in it.
        """
        twin = object.__new__(type(self))
        for name, value in self.__dict__.items():
            # Lists hold immutable members only, so copies of the lists are enough.
            twin.__dict__[name] = value.copy() if type(value) is list else value
        return twin

    __copy__ = copy

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self._options.items())
        return f"{type(self).__name__}({options})"

    # --- actions ---

    def _find(self, action: Action) -> Perform:
        """Return the method that performs an action, if it is legal."""
        found = self._moves[self._phase].get(type(action))
        if found is None:
            self._refuse_kind(action)
        check, perform = found
        check(self, action)
        return perform

    def _perform(self, perform: Perform, action: Action) -> None:
        perform(self, action)

    def _refuse_kind(self, action: object) -> NoReturn:
        if self.is_over:
            raise IllegalActionError(
                f"expected no action after the end of the game, got {_written(action)}"
            )
        words = ", ".join(repr(kind.words) for kind in self._moves[self._phase])
        raise IllegalActionError(
            f"player {self._current}: in the phase {self._phase!r} one of the actions {words} is "
            f"expected, got {_written(action)}"
        )

    def _refuse(self, action: Action, rule: str) -> NoReturn:
        raise IllegalActionError(f"player {self._current}: {rule}, got {_written(action)}")

    def _check_held(self, action: Action, cards: Sequence[Card], held: Cards) -> None:
        """Check that cards are held, and each named once."""
        for card in cards:
            if card not in held:
                self._refuse(
                    action, f"only cards in the hand can be discarded, not {card_text(card)}"
                )
        if len(set(cards)) != len(cards):
            self._refuse(action, "every card can be discarded only once")

    def _check_nothing(self, action: Action) -> None:
        """Check an action that is always legal in its phase."""

    # --- chance ---

    def _chance(self, label: bytes) -> int:
        """Return a random number of 512 bits that depends on the seed and a label alone."""
        return int.from_bytes(blake2b(b"%d %s" % (self._seed, label)).digest(), "big")

    def _shuffled(self, cards: Sequence[Card]) -> list[Card]:
        """Return cards in random order, or with the next given order from the top down."""
        shuffled = list(cards)
        number = self._chance(b"%d" % self._shuffles)
        for size in range(len(shuffled), 1, -1):
            number, place = divmod(number, size)
            shuffled[place], shuffled[size - 1] = shuffled[size - 1], shuffled[place]
        if self._shuffles < len(self._decks):
            shuffled = self._put_in_order(shuffled, self._decks[self._shuffles])
        self._shuffles += 1
        return shuffled

    def _put_in_order(self, shuffled: list[Card], order: Cards) -> list[Card]:
        for card in order:
            if card not in shuffled:
                raise RuleError(
                    f"decks[{self._shuffles}]: expected only cards that are being shuffled, "
                    f"got {card_text(card)}"
                )
        return [card for card in shuffled if card not in order] + list(order[::-1])

    # --- seats, cards ---

    def _read_seat(self, player: object) -> int:
        seat = as_int(player)
        if seat is None or not 0 <= seat < self._players:
            raise RuleError(
                f"{self.name}: expected a player from 0 to {self._players - 1}, got {shown(player)}"
            )
        return seat

    def _seats_from(self, first: int, step: int = 1) -> list[int]:
        """Return all seats in turn order, starting with one."""
        return [(first + step * place) % self._players for place in range(self._players)]

    def _deal_hands(self, deck: list[Card], size: int, step: int = 1) -> None:
        """Deal hands card by card, first to the dealer's neighbour; the rest is the stock."""
        seats = self._seats_from(self._dealer + step, step)
        dealt = deck[: -1 - size * self._players : -1]
        for place, seat in enumerate(seats):
            self._hands[seat] = tuple(dealt[place :: self._players])
        self._stock = deck[: len(deck) - len(dealt)]
        self._pile = []
        self._known = [()] * self._players

    def _draw(self) -> Card:
        """Take the top of the stock; if it has run out, first make a new one of the pile."""
        if not self._stock:
            self._stock = self._shuffled(self._pile[:-1])
            del self._pile[:-1]
        return self._stock.pop()

    def _lay_down(self, cards: Cards) -> None:
        """Move cards from the current player's hand onto the discard pile, in order."""
        hand = self._hands[self._current]
        self._hands[self._current] = tuple([card for card in hand if card not in cards])
        self._pile += cards
        known = self._known[self._current]
        if known:
            self._known[self._current] = tuple([card for card in known if card not in cards])

    def _take_top(self, count: int) -> Cards:
        """Remove and return cards from the top of the discard pile, the lowest first."""
        taken = tuple(self._pile[-count:])
        del self._pile[-count:]
        return taken

    def _begin_round(self) -> None:
        self._round_turns = 0
        self._round_start = len(self._history)
        self._round_view: Known = (  # the fields of `Observation` that stay in a round, in order
            len(self._rounds),
            self._dealer,
            tuple(self._scores),
            self._rounds[-1] if self._rounds else None,
            self._evaluator,
        )

    def _end_round(self, ending: str, winners: tuple[int, ...], *, are_shown: bool = True) -> None:
        """Write down how the round ended, and the hands if they are shown."""
        hands = tuple(self._hands) if are_shown else ((),) * self._players
        result = RoundResult(self._dealer, ending, winners, hands, self._round_turns)
        self._rounds.append(result)

    def _end_game(self) -> None:
        self._begin_round()
        self._current = -1
        self._phase = OVER

    def _split(self, pot: int, winners: Sequence[int]) -> list[int]:
        """Return each player's share of a pot; odd chips go one each in the order of winners."""
        shares = [0] * self._players
        share, odd = divmod(pot, len(winners))
        for place, winner in enumerate(winners):
            shares[winner] = share + (place < odd)
        return shares

    # --- observations ---

    def _seen_by(self, player: int) -> Seen:
        """Return the fields of `Observation` that change within a round, in order."""
        if type(player) is not int or not 0 <= player < self._players:
            player = self._read_seat(player)
        return (
            player,
            self._current,
            self._phase,
            self._hands[player],
            tuple(self._pile),
            len(self._stock),
            Moves(self._history, self._round_start, len(self._history)),
            self._round_turns,
        )

    # --- reading arguments ---

    @classmethod
    def _read_int(cls, name: str, value: object, least: int, most: int = MOST_INT) -> int:
        number = as_int(value)
        if number is None or not least <= number <= most:
            has_end = most < MOST_INT or (number is not None and number > most)
            wanted = f"from {least} to {most}" if has_end else f"at least {least}"
            raise RuleError(
                f"{cls.name}: expected {name} to be an int {wanted}, got {shown(value)}"
            )
        return number

    @classmethod
    def _read_choice(cls, name: str, value: object, choices: Sequence[object]) -> None:
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            wanted = " or ".join(map(repr, choices))
            raise RuleError(f"{cls.name}: expected {name} to be {wanted}, got {shown(value)}")

    def _read_decks(self, decks: Sequence[str | Iterable[int]]) -> tuple[Cards, ...]:
        if isinstance(decks, str) or not _is_ordered(decks):
            raise RuleError(
                f"{self.name}: expected decks to be a sequence of orders, got {shown(decks)}"
            )
        return tuple(self._read_order(number, order) for number, order in enumerate(decks))

    def _read_order(self, number: int, order: str | Iterable[int]) -> Cards:
        try:
            if not _is_ordered(order):
                raise CardError(f"expected cards in an order, got {shown(order)}")
            cards = read_cards(order) if isinstance(order, str) else to_cards(order)
        except CardError as error:
            raise RuleError(f"{self.name}: decks[{number}]: {error}") from None
        for place, card in enumerate(cards):
            if card not in self._deck or card in cards[:place]:
                raise RuleError(
                    f"{self.name}: decks[{number}]: expected different cards of the deck, "
                    f"got {card_text(card)} at position {place}"
                )
        return cards


@cache
def _full_deck(jokers: int) -> Cards:
    return deck(jokers)


def discards(cards: Iterable[Card]) -> list[Action]:
    """Return the action of discarding each card."""
    return [_DISCARDS[card] for card in cards]


_DISCARDS: Final = [Discard(card) for card in _full_deck(MAX_JOKERS)]


@cache
def shared_evaluator(rules: Callable[..., RuleSet], **options: Any) -> Evaluator:
    """Return the evaluator of a rule set; equal options share one."""
    return Evaluator(rules(**options))


def best(values: Sequence[int]) -> tuple[int, ...]:
    best = max(values)
    return tuple(player for player, value in enumerate(values) if value == best)


def _written(action: object) -> str:
    return shown(str(action) if isinstance(action, Action) else action)


def _is_ordered(value: Any) -> bool:
    try:
        iter(value)
    except TypeError:
        return False
    return not isinstance(value, Set | Mapping)


def _fresh_seed() -> int:
    return int.from_bytes(os.urandom(6), "big")
