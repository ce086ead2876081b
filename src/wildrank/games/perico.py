"""Perico: five cards, two jokers, a royal flush above five of a kind, natural hands first."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, chain, combinations, permutations
from typing import ClassVar, Final, NamedTuple

import numpy as np

from wildrank.cards import FIRST_JOKER
from wildrank.evaluator import Evaluator
from wildrank.games.actions import (
    Action,
    Declare,
    Discard,
    DrawStock,
    Exchange,
    Keep,
    Knock,
    Take,
)
from wildrank.games.base import (
    DISCARD,
    OVER,
    TURN,
    Actions,
    Cards,
    Game,
    Move,
    MoveTable,
    Perform,
    RoundResult,
    best,
    discards,
    shared_evaluator,
)
from wildrank.rules import Category, RuleSet, read_flag

__all__ = ["RULES", "Perico", "PericoObservation", "rules"]


def rules(*, natural_five_of_a_kind: bool = False, jokers: int = 2) -> RuleSet:
    """Return the rule set of Perico.

    Parameters
    ----------
    natural_five_of_a_kind : bool
        Whether five of a kind takes no wild card, so that no deck can make it. The Russian rules
        say so; the English ones end the round on it.
    jokers : int
        Jokers in the deck, from 0 to 4.

    Returns
    -------
    RuleSet
        In one category the hand with fewer jokers wins before any rank is compared.

    Raises
    ------
    RuleError
        If an option is out of range.

    Examples
    --------
    >>> [category.name for category in rules().categories][:3]
    ['royal_flush', 'five_of_a_kind', 'straight_flush']
    """
    natural = read_flag(natural_five_of_a_kind, "rule set 'perico': natural_five_of_a_kind")
    return RuleSet(
        "perico",
        5,
        (
            Category("royal_flush", straight=True, flush=True, top="A"),
            Category("five_of_a_kind", shape=(5,), max_wild=0 if natural else None),
            Category("straight_flush", straight=True, flush=True),
            Category("four_of_a_kind", shape=(4, 1)),
            Category("full_house", shape=(3, 2)),
            Category("flush", flush=True),
            Category("straight", straight=True),
            Category("three_of_a_kind", shape=(3, 1, 1)),
            Category("two_pair", shape=(2, 2, 1)),
            Category("one_pair", shape=(2, 1, 1, 1)),
            Category("high_card", shape=(1, 1, 1, 1, 1)),
        ),
        jokers=jokers,
        ace="both",
        tie_breaks=("fewer_jokers", "ranks"),
    )


RULES: Final = rules()

PILE: Final = "pile"
STOCK: Final = "stock"
MOST_TAKEN: Final = 5
PILE_TO_KNOCK: Final = 5

_DRAW: Final = (DrawStock(),)
_DRAW_OR_KNOCK: Final = (DrawStock(), Knock())
_DRAW_OR_KEEP: Final = (DrawStock(), Keep())


class PericoObservation(NamedTuple):
    """What a player of Perico may know, besides what every `Observation` has.

    Attributes
    ----------
    play : str
        ``"pile"`` or ``"stock"``.
    knocker : int or None
        Who has knocked in this round.
    out : tuple of int
        Who has lost the round already by playing on with a hand that ends it.
    known : tuple of tuple of Card
        Each player's cards that came from the discard pile, so that everyone has seen them.
    auto_declare : bool
        Whether the game itself notices a hand that ends the round.
    points : int
        How many points win.
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
    play: str
    knocker: int | None
    out: tuple[int, ...]
    known: tuple[Cards, ...]
    auto_declare: bool
    points: int


class Perico(Game[PericoObservation]):
    """A game of Perico: rounds are played until one player has enough points.

    Parameters
    ----------
    players : int
        From 2 to 6.
    seed : int, optional
        Decides all shuffles and lots; a fresh one by default.
    play : {"pile", "stock"}
        How a turn is played and a round ended: with the discard pile, as the English rules have
        it, or with exchanges, as the Russian rules have it.
    auto_declare : bool
        Whether the game itself notices a hand that ends the round. Otherwise its holder must
        declare it at the start of a turn; whoever does anything else, a knock too, plays on with
        it and is out of the round.
    natural_five_of_a_kind : bool
        Whether five of a kind takes no joker, as in the Russian rules.
    points : int, optional
        How many points win: 5 by default.
    dealer : int, optional
        The first dealer; by lot by default.
    decks : sequence of orders of cards, optional
        What the first shuffles bring about, each from the top down, as text or cards. Cards that
        an order does not name follow at random.

    Raises
    ------
    RuleError
        If an option is out of range. ``apply`` raises it too when one of the `decks` names a card
        that is not being shuffled.

    Notes
    -----
    A hand that ends the round is noticed at the deal and whenever a turn leaves a hand with its
    full number of cards. The winner of a round deals the next; after a drawn round the same
    player deals again. After a knock a player may also keep the hand. When the stock runs out,
    the discard pile but for its top card is shuffled into a new one. A player who is out of a
    round has no more turns in it; the last one who is left wins it.

    Examples
    --------
    >>> game = Perico(players=2, seed=7, dealer=1)
    >>> game.current_player, game.phase, len(game.legal_actions())
    (0, 'turn', 6)
    >>> game.apply(DrawStock())
    >>> game.phase, game.legal_actions()[-1]
    ('discard', Discard(card=Card('4h')))
    >>> game.apply(game.legal_actions()[-1])
    >>> game.current_player, game.observation(1).pile[-1]
    (1, Card('4h'))
    """

    name: ClassVar[str] = "perico"
    most_players: ClassVar[int] = 6
    hand_size: ClassVar[int] = 5
    default_points: ClassVar[int] = 5
    rules: ClassVar[Callable[..., RuleSet]] = staticmethod(rules)

    def __init__(
        self,
        players: int = 2,
        *,
        seed: int | None = None,
        play: str = PILE,
        auto_declare: bool = True,
        natural_five_of_a_kind: bool = False,
        points: int | None = None,
        dealer: int | None = None,
        decks: Sequence[str | Iterable[int]] = (),
    ) -> None:
        self._read_choice("play", play, (PILE, STOCK))
        self._read_choice("auto_declare", auto_declare, (True, False))
        self._read_choice("natural_five_of_a_kind", natural_five_of_a_kind, (True, False))
        self._play: Final = play
        self._auto_declare: Final = auto_declare
        self._points: Final = self._read_int(
            "points", self.default_points if points is None else points, 1
        )
        evaluator = shared_evaluator(self.rules, natural_five_of_a_kind=natural_five_of_a_kind)
        self._least_ending = _least_value(evaluator, 2 if play == PILE else 1)
        super().__init__(
            players,
            seed=seed,
            dealer=dealer,
            decks=decks,
            evaluator=evaluator,
            options={
                "play": play,
                "auto_declare": auto_declare,
                "natural_five_of_a_kind": natural_five_of_a_kind,
                "points": self._points,
            },
        )
        self._deal()

    @property
    def points(self) -> int:
        """How many points win."""
        return self._points

    def legal_actions(self) -> Sequence[Action]:
        """Return what the current player may do; nothing when the game is over.

        Returns
        -------
        sequence of Action
            Lazy: there may be 325 ways (with six cards 1,236) to take from the discard pile.
        """
        if self._phase == DISCARD:
            return discards(self._hands[self._current])
        if self._phase == OVER:
            return ()
        hand = self._hands[self._current]
        if self._play == PILE:
            most = min(len(self._pile), MOST_TAKEN)
            patterns, counts = _arrangements(len(hand))
            return Actions(self._plain_actions(), patterns, counts[most], _maker(Take, hand))
        patterns, counts = _subsets(len(hand))
        return Actions(self._plain_actions(), patterns, counts[-1], _maker(Exchange, hand))

    def _plain_actions(self) -> tuple[Action, ...]:
        """Return the legal actions at the start of a turn that name no cards."""
        actions: tuple[Action, ...] = _DRAW
        if self._knocker is not None:
            actions = _DRAW_OR_KEEP
        elif self._may_knock():
            actions = _DRAW_OR_KNOCK
        return (*actions, Declare()) if self._may_declare() else actions

    def observation(self, player: int) -> PericoObservation:
        """Return exactly what a player may know.

        Parameters
        ----------
        player : int

        Returns
        -------
        PericoObservation

        Raises
        ------
        RuleError
            If there is no such player.
        """
        return PericoObservation(
            *self._seen_by(player),
            *self._round_view,
            self._play,
            self._knocker,
            self._out,
            tuple(self._known),
            self._auto_declare,
            self._points,
        )

    # --- rounds ---

    def _deal(self) -> None:
        self._begin_round()
        self._knocker: int | None = None
        self._out: tuple[int, ...] = ()
        self._deal_hands(self._shuffled(self._deck), self.hand_size)
        self._turn_up()
        self._current = self._dealer
        if self._auto_declare and any(map(self._holds_ending, range(self._players))):
            self._finish("ending_hand")
        else:
            self._next_turn()

    def _turn_up(self) -> None:
        """Begin the discard pile; a joker goes back and the stock is shuffled."""
        while self._stock[-1] >= FIRST_JOKER:
            self._stock = self._shuffled(self._stock)
        self._pile = [self._stock.pop()]

    def _holds_ending(self, player: int) -> bool:
        return self._evaluator.evaluate(self._hands[player]) >= self._least_ending

    def _end_turn(self) -> None:
        self._turns += 1
        self._round_turns += 1
        if self._auto_declare and self._holds_ending(self._current):
            self._finish("ending_hand")
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        player = (self._current + 1) % self._players
        while player in self._out:
            player = (player + 1) % self._players
        if player == self._knocker:
            self._finish("knock")
        else:
            self._current = player
            self._phase = TURN

    def _finish(self, ending: str) -> None:
        """Compare the hands; the winner scores and deals the next round."""
        values = [
            -1 if player in self._out else self._evaluator.evaluate(hand)
            for player, hand in enumerate(self._hands)
        ]
        winners = best(values)
        self._end_round(ending, winners)
        if len(winners) == 1:
            self._dealer = winners[0]
            self._scores[self._dealer] += 1
            if self._scores[self._dealer] == self._points:
                self._end_game()
                return
        self._deal()

    # --- moves ---

    def _perform(self, perform: Perform, action: Action) -> None:
        if self._may_declare() and type(action) is not Declare:
            self._forfeit()
        else:
            perform(self, action)

    def _may_declare(self) -> bool:
        return not self._auto_declare and self._phase == TURN and self._holds_ending(self._current)

    def _forfeit(self) -> None:
        """Put the current player out of the round for playing on with a hand that ends it."""
        self._turns += 1
        self._round_turns += 1
        self._out = tuple(sorted((*self._out, self._current)))
        if len(self._out) == self._players - 1:
            self._finish("forfeit")
        else:
            self._next_turn()

    def _draw_stock(self, action: DrawStock) -> None:
        self._hands[self._current] += (self._draw(),)
        self._phase = DISCARD

    def _check_discard(self, action: Discard) -> None:
        if action.card not in self._hands[self._current]:
            self._refuse(action, "only a card in the hand can be discarded")

    def _discard(self, action: Discard) -> None:
        self._lay((action.card,))
        self._end_turn()

    def _lay(self, cards: Cards) -> None:
        """Discard cards; a joker on top of the pile has everything shuffled together."""
        self._lay_down(cards)
        if self._play == PILE and cards[-1] >= FIRST_JOKER:
            self._stock = self._shuffled(self._stock + self._pile)
            self._turn_up()

    def _check_take(self, action: Take) -> None:
        if self._play != PILE:
            self._refuse(action, "cards of the discard pile can be taken only with play='pile'")
        count = len(action.discards)
        if not 1 <= count <= MOST_TAKEN:
            self._refuse(action, f"1 to {MOST_TAKEN} cards of the discard pile can be taken")
        if count > len(self._pile):
            self._refuse(action, f"the discard pile holds only {len(self._pile)} cards to take")
        self._check_held(action, action.discards, self._hands[self._current])

    def _take(self, action: Take) -> None:
        taken = self._take_top(len(action.discards))
        self._lay(action.discards)
        self._hands[self._current] += taken
        self._known[self._current] += taken
        self._end_turn()

    def _check_exchange(self, action: Exchange) -> None:
        if self._play != STOCK:
            self._refuse(action, "cards can be exchanged with the stock only with play='stock'")
        if not action.discards:
            self._refuse(action, "an exchange needs at least one card")
        self._check_held(action, action.discards, self._hands[self._current])

    def _exchange(self, action: Exchange) -> None:
        self._lay(action.discards)
        self._hands[self._current] += tuple([self._draw() for _ in action.discards])
        self._end_turn()

    def _may_knock(self) -> bool:
        if self._play == PILE:
            return len(self._pile) >= PILE_TO_KNOCK
        return self._round_turns >= self._players

    def _check_knock(self, action: Knock) -> None:
        if self._knocker is not None:
            self._refuse(action, "only one player can knock in a round")
        if not self._may_knock():
            self._refuse(
                action,
                f"a knock needs at least {PILE_TO_KNOCK} cards in the discard pile, "
                f"which holds {len(self._pile)}"
                if self._play == PILE
                else "a knock needs every player to have had a turn of drawing",
            )

    def _knock(self, action: Knock) -> None:
        self._knocker = self._current
        self._turns += 1
        self._round_turns += 1
        if self._play == PILE:
            self._next_turn()
        else:
            self._finish("knock")

    def _check_keep(self, action: Keep) -> None:
        if self._knocker is None:
            self._refuse(action, "a hand can be kept only after another player's knock")

    def _keep(self, action: Keep) -> None:
        self._end_turn()

    def _check_declare(self, action: Declare) -> None:
        if not self._may_declare():
            self._refuse(
                action, "only a hand that ends the round can be declared, with auto_declare=False"
            )

    def _declare(self, action: Declare) -> None:
        self._turns += 1
        self._round_turns += 1
        self._finish("ending_hand")

    _moves: ClassVar[MoveTable] = {
        TURN: {
            DrawStock: (Game._check_nothing, _draw_stock),
            Take: (_check_take, _take),
            Exchange: (_check_exchange, _exchange),
            Knock: (_check_knock, _knock),
            Keep: (_check_keep, _keep),
            Declare: (_check_declare, _declare),
        },
        DISCARD: {Discard: (_check_discard, _discard)},
        OVER: {},
    }


# --- lists of cards to choose, as places in the hand ---

Patterns = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]


@cache
def _arrangements(size: int) -> Patterns:
    """Return all orders of 1 to 5 places, short ones first, and how many use at most n places."""
    return _by_length([list(permutations(range(size), n)) for n in range(1, MOST_TAKEN + 1)])


@cache
def _subsets(size: int) -> Patterns:
    """Return all subsets of the places, small ones first, and how many have at most n places."""
    return _by_length([list(combinations(range(size), n)) for n in range(1, size + 1)])


def _by_length(groups: list[list[tuple[int, ...]]]) -> Patterns:
    counts = accumulate((len(group) for group in groups), initial=0)
    return tuple(chain.from_iterable(groups)), tuple(counts)


def _maker(kind: Callable[[Cards], Action], hand: Cards) -> Callable[[tuple[int, ...]], Action]:
    def make(pattern: tuple[int, ...]) -> Action:
        return kind(tuple([hand[place] for place in pattern]))

    return make


@cache
def _least_value(evaluator: Evaluator, categories: int) -> int:
    """Return the least value of the strongest categories."""
    indices = evaluator.category_index(np.arange(evaluator.num_values + 1))
    strongest = (indices >= 0) & (indices < categories)
    return int(strongest.argmax()) if strongest.any() else evaluator.num_values + 1
