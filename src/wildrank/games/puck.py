"""Puck: three cards, two jokers or none; of equal hands the one with more jokers wins."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, combinations, product
from typing import ClassVar, Final, NamedTuple

from wildrank.cards import Card, as_int
from wildrank.errors import RuleError, shown
from wildrank.evaluator import Evaluator
from wildrank.games.actions import (
    CLOCKWISE,
    COUNTER_CLOCKWISE,
    Action,
    ChooseDirection,
    Cut,
    Keep,
    Steal,
)
from wildrank.games.base import (
    OVER,
    TURN,
    Actions,
    Cards,
    Game,
    Move,
    MoveTable,
    RoundResult,
    best,
    shared_evaluator,
)
from wildrank.rules import Category, RuleSet

__all__ = ["RULES", "Puck", "PuckObservation", "Theft", "rules"]


def rules(*, jokers: int = 2, ace: str = "high") -> RuleSet:
    """Return the rule set of Puck.

    Parameters
    ----------
    jokers : int
        Jokers in the deck, from 0 to 4; the game is played with two or none.
    ace : {"high", "both", "low"}
        Where the ace stands in a straight.

    Returns
    -------
    RuleSet

    Raises
    ------
    RuleError
        If an option is out of range.

    Examples
    --------
    >>> rules().tie_breaks
    ('ranks', 'more_jokers')
    """
    return RuleSet(
        "puck",
        3,
        (
            Category("straight_flush", straight=True, flush=True),
            Category("three_of_a_kind", shape=(3,)),
            Category("flush", flush=True),
            Category("straight", straight=True),
            Category("one_pair", shape=(2, 1)),
            Category("high_card", shape=(1, 1, 1)),
        ),
        jokers=jokers,
        ace=ace,
        tie_breaks=("ranks", "more_jokers"),
    )


RULES: Final = rules()


MOST_CHIPS: Final = 10**18  # won in so many games that nobody plays them
HAND_SIZE: Final = 3
DIRECTION: Final = "direction"
CUT: Final = "cut"
_STEPS: Final = {CLOCKWISE: 1, COUNTER_CLOCKWISE: -1}
_KEEP: Final = (Keep(),)


class Theft(NamedTuple):
    """Cards taken unseen from another hand.

    Attributes
    ----------
    thief, victim : int
    cards : tuple of Card
        Only these two know them.
    """

    thief: int
    victim: int
    cards: Cards


class PuckObservation(NamedTuple):
    """What a player of Puck may know, besides what every `Observation` has.

    All hands are shown at the end of each round, so a new round begins with everything known but
    the order of the stock.

    Attributes
    ----------
    shown : tuple of tuple of Card, or None
        The hands as they were shown at the end of the last round; None in the first.
    thefts : tuple of Theft
        The thefts of this round in which the player stole or was robbed.
    direction : str or None
        ``"clockwise"``, ``"counter-clockwise"``, or not yet chosen.
    first : int
        Who speaks first in this round; -1 before the deal.
    pot : int
        Chips in the pot.
    chips : tuple of int
        Each player's chips, won and lost.
    cut, ante, max_rounds : bool, int, int or None
        The options of the game.
    """

    player: int
    current_player: int
    phase: str
    hand: Cards
    pile: Cards
    stock_size: int
    moves: Sequence[Move]
    turns: int
    round: int
    dealer: int
    scores: tuple[int, ...]
    last_round: RoundResult | None
    evaluator: Evaluator
    shown: tuple[Cards, ...] | None
    thefts: tuple[Theft, ...]
    direction: str | None
    first: int
    pot: int
    chips: tuple[int, ...]
    cut: bool
    ante: int
    max_rounds: int | None


class Puck(Game[PuckObservation]):
    """A game of Puck: rounds with the same cards, until the stock is used up.

    Parameters
    ----------
    players : int
        From 2 to 4; with jokers only 2 or 3.
    seed : int, optional
        Decides all shuffles, lots and cards stolen; a fresh one by default.
    jokers : {2, 0}, optional
        By default two for 2 or 3 players and none for 4.
    ace : {"high", "both"}
        Where the ace stands in a straight.
    direction : {"clockwise", "counter-clockwise"}, optional
        By default the player who draws the highest card chooses.
    cut : bool
        Whether the player before the dealer cuts the cards.
    ante : int
        Each player's stake; the winner of the game takes the pot.
    chips : sequence of int, optional
        What the players own before the ante; nothing by default, and it may become negative.
    max_rounds : int or None
        Ends a game after so many rounds, for instance one in which nobody exchanges any more.
    dealer : int, optional
        By lot by default.
    decks : sequence of orders of cards, optional
        What the first shuffles bring about, each from the top down, as text or cards; cards that
        an order does not name follow at random. Shuffled are the deck for the drawing of lots, the
        deck for the deal, and each hand before cards are stolen from it.

    Raises
    ------
    RuleError
        If an option is out of range. ``apply`` raises it too when one of the `decks` names a card
        that is not being shuffled.

    Notes
    -----
    A joker is the highest card in the drawing for the direction of play. In the first round the
    player next to the dealer, in the direction of play, speaks first. Nobody scores a tied round,
    and the first speaker stays. Discards are laid face up. An exchange may not be larger than the
    stock. Players with equally many wins share the pot, any odd chips going one each from the
    dealer's neighbour in the direction of play.

    Examples
    --------
    >>> game = Puck(players=3, seed=2, ante=5)
    >>> game.phase, game.current_player, game.pot
    ('direction', 1, 15)
    >>> game.apply(ChooseDirection("counter-clockwise"))
    >>> game.phase, len(game.legal_actions())
    ('turn', 20)
    >>> print(game.legal_actions()[5])
    steal 1 from 1, discard Qc
    """

    name: ClassVar[str] = "puck"
    most_players: ClassVar[int] = 4

    def __init__(
        self,
        players: int = 2,
        *,
        seed: int | None = None,
        jokers: int | None = None,
        ace: str = "high",
        direction: str | None = None,
        cut: bool = False,
        ante: int = 0,
        chips: Sequence[int] | None = None,
        max_rounds: int | None = 100,
        dealer: int | None = None,
        decks: Sequence[str | Iterable[int]] = (),
    ) -> None:
        players = self._read_int("players", players, 2, self.most_players)
        if jokers is None:
            jokers = 0 if players == self.most_players else 2
        number = as_int(jokers)
        self._read_choice("jokers", jokers if number is None else number, (2, 0))
        jokers = int(jokers)
        if jokers and players == self.most_players:
            raise RuleError(f"puck: expected jokers=0 with {players} players, got jokers={jokers}")
        self._read_choice("ace", ace, ("high", "both"))
        self._read_choice("direction", direction, (None, *_STEPS))
        self._read_choice("cut", cut, (False, True))
        self._direction = direction
        if max_rounds is not None:
            max_rounds = self._read_int("max_rounds", max_rounds, 1)
        ante = self._read_int("ante", ante, 0)
        # As observations show them; Python is slower with objects of 30 attributes and more.
        self._terms: Final = (cut, ante, max_rounds)
        owned = self._read_chips(players, chips)
        super().__init__(
            players,
            seed=seed,
            dealer=dealer,
            decks=decks,
            evaluator=shared_evaluator(rules, jokers=jokers, ace=ace),
            options={
                "jokers": jokers,
                "ace": ace,
                "direction": direction,
                "cut": cut,
                "ante": ante,
                "chips": owned,
                "max_rounds": max_rounds,
            },
        )
        self._chips = [amount - ante for amount in owned]
        self._pot = ante * players
        self._draws: list[tuple[tuple[int, Card], ...]] = []
        self._thefts: list[Theft] = []
        self._first = -1
        self._begin()

    @classmethod
    def _read_chips(cls, players: int, chips: Sequence[int] | None) -> tuple[int, ...]:
        if chips is None:
            return (0,) * players
        if not isinstance(chips, Sequence) or len(chips) != players:
            raise RuleError(f"puck: expected chips for {players} players, got {shown(chips)}")
        return tuple([cls._read_int("chips", amount, -MOST_CHIPS, MOST_CHIPS) for amount in chips])

    # --- what there is to see ---

    @property
    def direction(self) -> str | None:
        """The direction of play; None until it is chosen."""
        return self._direction

    @property
    def direction_draws(self) -> tuple[tuple[tuple[int, Card], ...], ...]:
        """The cards drawn for the direction of play: each time, who drew which."""
        return tuple(self._draws)

    @property
    def pot(self) -> int:
        """Chips in the pot."""
        return self._pot

    @property
    def chips(self) -> tuple[int, ...]:
        """Each player's chips: what they owned, less the ante, and what they won."""
        return tuple(self._chips)

    def legal_actions(self) -> Sequence[Action]:
        """Return what the current player may do; nothing when the game is over.

        Returns
        -------
        sequence of Action
            Lazy where cards are chosen.
        """
        if self._phase == OVER:
            return ()
        if self._phase == DIRECTION:
            return [ChooseDirection(direction) for direction in _STEPS]
        if self._phase == CUT:
            return Actions((), range(len(self._deck)), len(self._deck), Cut)
        hand = self._hands[self._current]
        others = [(self._current + n) % self._players for n in range(1, self._players)]
        patterns, counts = theft_patterns(len(others))

        def make(pattern: Pattern) -> Steal:
            places, takes = pattern
            return Steal(
                tuple([(count, others[other]) for count, other in takes]),
                tuple([hand[place] for place in places]),
            )

        return Actions(_KEEP, patterns, counts[min(len(self._stock), HAND_SIZE)], make)

    def observation(self, player: int) -> PuckObservation:
        """Return exactly what a player may know.

        Parameters
        ----------
        player : int

        Returns
        -------
        PuckObservation

        Raises
        ------
        RuleError
            If there is no such player.
        """
        return PuckObservation(
            *self._seen_by(player),
            *self._round_view,
            self._rounds[-1].hands if self._rounds else None,
            tuple([t for t in self._thefts if t.thief == player or t.victim == player]),
            self._direction,
            self._first,
            self._pot,
            tuple(self._chips),
            *self._terms,
        )

    def next_game(self, seed: int | None = None) -> "Puck":
        """Return the next game of the same players.

        Parameters
        ----------
        seed : int, optional
            By default one more than the seed of this game.

        Returns
        -------
        Puck
            The next player in the direction of play deals, and everyone owns what they have now.

        Raises
        ------
        RuleError
            If this game is not over.

        Examples
        --------
        >>> game = Puck(players=2, seed=1, dealer=0, direction="clockwise", max_rounds=1, ante=2)
        >>> for _ in range(2):
        ...     game.apply(Keep())
        >>> game.next_game().dealer, game.next_game().options["chips"]
        (1, (2, -2))
        """
        if not self.is_over:
            raise RuleError("puck: expected the game to be over before the next one")
        options = self.options
        options["seed"] = self._seed + 1 if seed is None else seed
        options["dealer"] = (self._dealer + self._step) % self._players
        options["chips"] = self.chips
        options["decks"] = ()
        return type(self)(**options)

    # --- before the first round ---

    def _begin(self) -> None:
        if self._direction is None:
            self._current = self._draw_lots()
            self._phase = DIRECTION
        else:
            self._shuffle()

    def _draw_lots(self) -> int:
        """Let each player draw a card, those tied for highest again; return the one left."""
        seats = self._seats_from(0)
        deck: list[Card] = []
        while len(seats) > 1:
            if len(deck) < len(seats):
                deck = self._shuffled(self._deck)
            drawn = [(seat, deck.pop()) for seat in seats]
            self._draws.append(tuple(drawn))
            ranks = [card // 4 for _, card in drawn]  # jokers are above the aces
            seats = [seats[place] for place in best(ranks)]
        return seats[0]

    @property
    def _step(self) -> int:
        return _STEPS[self._direction or CLOCKWISE]

    def _choose_direction(self, action: ChooseDirection) -> None:
        self._direction = action.direction
        self._shuffle()

    def _shuffle(self) -> None:
        self._stock = self._shuffled(self._deck)
        if self._options["cut"]:
            self._current = (self._dealer - self._step) % self._players
            self._phase = CUT
        else:
            self._deal()

    def _check_cut(self, action: Cut) -> None:
        if action.count not in range(len(self._deck)):
            self._refuse(action, f"a cut takes 0 to {len(self._deck) - 1} cards from the top")

    def _cut_cards(self, action: Cut) -> None:
        rest = len(self._stock) - action.count
        self._stock = self._stock[rest:] + self._stock[:rest]
        self._deal()

    def _deal(self) -> None:
        self._deal_hands(self._stock, HAND_SIZE, self._step)
        self._first = (self._dealer + self._step) % self._players
        self._next_round()

    # --- rounds ---

    def _next_round(self) -> None:
        self._begin_round()
        self._thefts = []
        self._current = self._first
        self._phase = TURN

    def _end_turn(self) -> None:
        self._turns += 1
        self._round_turns += 1
        if self._round_turns < self._players:
            self._current = (self._current + self._step) % self._players
        else:
            self._show()

    def _show(self) -> None:
        """Compare all hands; the best alone wins the round and speaks first in the next."""
        winners = best([self._evaluator.evaluate(hand) for hand in self._hands])
        self._end_round("show", winners)
        if len(winners) == 1:
            self._first = winners[0]
            self._scores[self._first] += 1
        if self._stock and len(self._rounds) != self._options["max_rounds"]:
            self._next_round()
        else:
            self._pay()

    def _pay(self) -> None:
        highest = best(self._scores)
        order = self._seats_from(self._dealer + self._step, self._step)
        shares = self._split(self._pot, [seat for seat in order if seat in highest])
        self._chips = [owned + share for owned, share in zip(self._chips, shares, strict=True)]
        self._pot = 0
        self._thefts = []
        self._end_game()

    # --- moves ---

    def _keep(self, action: Keep) -> None:
        self._end_turn()

    def _check_steal(self, action: Steal) -> None:
        count = len(action.discards)
        if not 1 <= count <= HAND_SIZE:
            self._refuse(action, f"1 to {HAND_SIZE} cards can be exchanged")
        if count > len(self._stock):
            self._refuse(
                action,
                "an exchange may not be larger than the stock, "
                f"which has {len(self._stock)} cards left",
            )
        victims = [victim for _, victim in action.takes]
        for victim in victims:
            if victim == self._current or victim not in range(self._players):
                self._refuse(action, "cards are taken from the hands of other players")
        if len(set(victims)) != len(victims):
            self._refuse(action, "every robbed player is named only once")
        if any(taken < 1 for taken, _ in action.takes):
            self._refuse(action, "at least one card is taken from every robbed player")
        if sum(taken for taken, _ in action.takes) != count:
            self._refuse(action, "as many cards are taken as discarded")
        self._check_held(action, action.discards, self._hands[self._current])

    def _steal(self, action: Steal) -> None:
        thief = self._current
        self._lay_down(action.discards)
        for count, victim in action.takes:
            hand = self._hands[victim]
            taken = tuple(self._shuffled(hand)[-count:])
            left = [card for card in hand if card not in taken]
            self._hands[victim] = (*left, *[self._stock.pop() for _ in taken])
            self._hands[thief] += taken
            self._thefts.append(Theft(thief, victim, taken))
        self._end_turn()

    _moves: ClassVar[MoveTable] = {
        DIRECTION: {ChooseDirection: (Game._check_nothing, _choose_direction)},
        CUT: {Cut: (_check_cut, _cut_cards)},
        TURN: {Keep: (Game._check_nothing, _keep), Steal: (_check_steal, _steal)},
        OVER: {},
    }


# --- lists of thefts to choose from: places in the hand, and how many cards from whom ---

Pattern = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]


@cache
def theft_patterns(others: int) -> tuple[tuple[Pattern, ...], tuple[int, ...]]:
    """Return all thefts from so many others, and how many of them take at most n cards."""
    groups = [
        list(product(combinations(range(HAND_SIZE), count), _splits(count, others)))
        for count in range(1, HAND_SIZE + 1)
    ]
    counts = accumulate((len(group) for group in groups), initial=0)
    return tuple(pattern for group in groups for pattern in group), tuple(counts)


def _splits(count: int, others: int) -> list[tuple[tuple[int, int], ...]]:
    """Return all ways to take so many cards from the others: (how many, which other)."""
    return [
        tuple((number, other) for other, number in enumerate(numbers) if number)
        for numbers in product(range(count + 1), repeat=others)
        if sum(numbers) == count
    ]
