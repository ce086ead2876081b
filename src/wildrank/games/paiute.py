"""Paiute: five or six cards, the turned-up rank is wild, and only six combinations count."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, NamedTuple

from wildrank.cards import Card
from wildrank.errors import RuleError, shown
from wildrank.evaluator import Evaluator
from wildrank.games.actions import Action, Call, Discard, DrawPile, DrawStock
from wildrank.games.base import (
    DISCARD,
    OVER,
    TURN,
    Cards,
    Game,
    Move,
    MoveTable,
    RoundResult,
    best,
    discards,
    shared_evaluator,
)
from wildrank.rules import Category, Rank, RuleSet

__all__ = ["RULES", "Paiute", "PaiuteObservation", "rules"]


def rules(*, hand_size: int = 6, wild_rank: Rank | None = None, ace: str = "high") -> RuleSet:
    """Return the rule set of Paiute.

    Parameters
    ----------
    hand_size : {6, 5}
        Six cards after a draw, five otherwise. Five cards can only make the combinations of five.
    wild_rank : str or int, optional
        The turned-up rank, if it is the same for all hands. By default it is given with each hand.
    ace : {"high", "both"}
        Where the ace stands in a straight.

    Returns
    -------
    RuleSet
        Other hands are no combination: value 0.

    Raises
    ------
    RuleError
        If an option is out of range.

    Examples
    --------
    >>> [category.name for category in rules(hand_size=5).categories]
    ['five_of_a_kind', 'royal_flush', 'straight_flush']
    """
    if hand_size not in (5, 6):
        raise RuleError(
            f"rule set 'paiute': expected hand_size to be 5 or 6, got {shown(hand_size)}"
        )
    if ace not in ("high", "both"):
        raise RuleError(f"rule set 'paiute': expected ace to be 'high' or 'both', got {shown(ace)}")
    categories = [
        Category("five_of_a_kind", shape=(5,), cards=5),
        Category("royal_flush", straight=True, flush=True, top="A", cards=5),
        Category("straight_flush", straight=True, flush=True, cards=5),
        Category("four_two", shape=(4, 2), cards=6),
        Category("three_three", shape=(3, 3), cards=6),
        Category("two_two_two", shape=(2, 2, 2), cards=6),
    ]
    return RuleSet(
        "paiute",
        hand_size,
        [category for category in categories if category.size(hand_size) <= hand_size],
        wild_ranks=() if wild_rank is None else (wild_rank,),
        ace=ace,
        tie_breaks=("ranks",),
        wild_rank_per_hand=wild_rank is None,
    )


RULES: Final = rules()


def shown_evaluator(hand_size: int, ace: str) -> Evaluator:
    """Return the evaluator of hands of five or of six cards, as they count when they are shown.

    Only combinations of that many cards count: a sixth card that a combination does not need is
    discarded with the call.
    """
    if hand_size == HAND_SIZE:
        return shared_evaluator(rules, hand_size=hand_size, ace=ace)
    return shared_evaluator(_rules_of_six, ace=ace)


def _rules_of_six(*, ace: str) -> RuleSet:
    all_rules = rules(ace=ace)
    size = all_rules.hand_size
    return all_rules.replace(
        categories=[category for category in all_rules.categories if category.cards == size]
    )


def shown_value(evaluator: Evaluator, hand: Cards, wild_rank: int) -> int:
    """Return what a hand of five or six cards counts when it is shown.

    It is comparable with what the game's evaluator says of six cards: there combinations of five
    are the strongest, and those of six come after them, both in the order that they have alone.
    """
    alone = shown_evaluator(len(hand), evaluator.rules.ace)
    value = alone.evaluate(hand, wild_rank)
    if value and len(hand) == HAND_SIZE:
        value += evaluator.num_values - alone.num_values
    return value


def turns_after_call(last_turns: str, caller: int, dealer: int, players: int) -> int:
    """Return how many players have one more turn after the first call."""
    to_dealer = (dealer - caller) % players
    return players - 1 if to_dealer and last_turns == ALL else to_dealer


HAND_SIZE: Final = 5
TO_DEALER: Final = "dealer"
ALL: Final = "all"
_DRAWS: Final = (DrawStock(), DrawPile())


class PaiuteObservation(NamedTuple):
    """What a player of Paiute may know, besides what every `Observation` has.

    Attributes
    ----------
    wild_card : Card
        The turned-up card; it stays out of play.
    wild_rank : int
        Its rank, which is wild: the second argument of ``evaluator.evaluate``.
    taken : Card or None
        The card that the current player has just taken from the discard pile.
    known : tuple of tuple of Card
        Each player's cards that everyone has seen, because they came from the discard pile.
    shown : tuple of tuple of Card, or None, for each player
        The hands shown with a call.
    to_beat : int
        The value of the best hand shown; 0 before a call.
    caller : int or None
        Who called first.
    last_turns : int
        How many turns are left after a call, the present one not counted.
    pot : int
        Chips in the pot.
    last_turns_of : str
        Who has one more turn after a call: ``"dealer"`` or ``"all"``, the game's option
        ``last_turns``.
    deals, ante, max_turns : int, int, int or None
        The other options of the game.
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
    wild_card: Card
    wild_rank: int
    taken: Card | None
    known: tuple[Cards, ...]
    shown: tuple[Cards | None, ...]
    to_beat: int
    caller: int | None
    last_turns: int
    pot: int
    last_turns_of: str
    deals: int
    ante: int
    max_turns: int | None


class Paiute(Game[PaiuteObservation]):
    """A game of Paiute: a number of deals, each for a pot.

    Parameters
    ----------
    players : int
        From 2 to 5.
    seed : int, optional
        Decides all shuffles and lots; a fresh one by default.
    deals : int
        How many deals are played.
    ante : int
        Each player's stake in each deal.
    last_turns : {"dealer", "all"}
        Who has one more turn after a call by another than the dealer: the players after the caller
        up to and including the dealer, or every other player.
    max_turns : int, optional
        A deal in which nobody calls within so many turns, those of all players counted, is drawn.
    ace : {"high", "both"}
        Where the ace stands in a straight.
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
    The player to the dealer's left deals next. A player with six cards may call any combination
    that they hold; one of all six cards is called without a discard, even if five of them make a
    better one, and counts as what it is. In a last turn a player shows a combination of six cards
    by calling too; at the end of a deal all hands are compared, also those that were not called.
    The pot of a drawn deal carries over, and its hands stay hidden; after the last deal the pot
    goes back to all players. The scores are chips won and lost.

    Examples
    --------
    >>> game = Paiute(players=2, seed=3, dealer=1)
    >>> seen = game.observation(0)
    >>> seen.wild_card, len(seen.hand), seen.scores, seen.pot
    (Card('6h'), 5, (-1, -1), 2)
    >>> for action in game.parse("draw stock") + (Discard(seen.hand[0]),):
    ...     game.apply(action)
    >>> game.current_player, game.legal_actions()
    (1, (DrawStock(), DrawPile()))
    """

    name: ClassVar[str] = "paiute"
    most_players: ClassVar[int] = 5

    def __init__(
        self,
        players: int = 2,
        *,
        seed: int | None = None,
        deals: int = 10,
        ante: int = 1,
        last_turns: str = TO_DEALER,
        max_turns: int | None = None,
        ace: str = "high",
        dealer: int | None = None,
        decks: Sequence[str | Iterable[int]] = (),
    ) -> None:
        if max_turns is not None:
            max_turns = self._read_int("max_turns", max_turns, 1)
        self._deals: Final = self._read_int("deals", deals, 1)
        self._ante: Final = self._read_int("ante", ante, 0)
        self._read_choice("last_turns", last_turns, (TO_DEALER, ALL))
        self._read_choice("ace", ace, ("high", "both"))
        self._last_turns: Final = last_turns
        self._max_turns: Final = max_turns
        super().__init__(
            players,
            seed=seed,
            dealer=dealer,
            decks=decks,
            evaluator=shared_evaluator(rules, ace=ace),
            options={
                "deals": self._deals,
                "ante": self._ante,
                "last_turns": last_turns,
                "max_turns": max_turns,
                "ace": ace,
            },
        )
        self._of_five: Final = shown_evaluator(HAND_SIZE, ace)
        self._of_six: Final = shown_evaluator(HAND_SIZE + 1, ace)
        self._six_only: Final = self._of_six.num_values
        self._pot = 0
        self._deal()

    @property
    def pot(self) -> int:
        """Chips in the pot."""
        return self._pot

    @property
    def wild_card(self) -> Card:
        """The turned-up card, whose rank is wild."""
        return self._wild_card

    def value(self, hand: Cards) -> int:
        """Return what a hand of five or six cards is worth in this deal.

        Parameters
        ----------
        hand : tuple of Card

        Returns
        -------
        int
            That of its best combination; hands of both sizes are comparable. 0 is no combination.

        Raises
        ------
        HandError
            If it has another number of cards, or the same card twice.
        """
        if len(hand) == HAND_SIZE:
            return self._shown_value(hand)
        return self._evaluator.evaluate(hand, self._wild_rank)

    def _shown_value(self, hand: Cards) -> int:
        return shown_value(self._evaluator, hand, self._wild_rank)

    def legal_actions(self) -> Sequence[Action]:
        """Return what the current player may do; nothing when the game is over.

        Returns
        -------
        sequence of Action
        """
        if self._phase == TURN:
            return _DRAWS if self._pile else _DRAWS[:1]
        if self._phase == OVER:
            return ()
        hand = self._hands[self._current]
        taken = self._taken
        actions = discards([card for card in hand if card != taken])
        value = self._evaluator.evaluate(hand, self._wild_rank)
        if value > self._six_only:
            actions += [
                Call(card)
                for card in hand
                if card != taken and self._makes_five_without(card, hand)
            ]
        if value and self._of_six.evaluate(hand, self._wild_rank):
            actions.append(Call())
        return actions

    def observation(self, player: int) -> PaiuteObservation:
        """Return exactly what a player may know.

        Parameters
        ----------
        player : int

        Returns
        -------
        PaiuteObservation

        Raises
        ------
        RuleError
            If there is no such player.
        """
        return PaiuteObservation(
            *self._seen_by(player),
            *self._round_view,
            self._wild_card,
            self._wild_rank,
            self._taken,
            tuple(self._known),
            tuple(self._shown),
            self._to_beat,
            self._caller,
            self._turns_left,
            self._pot,
            self._last_turns,
            self._deals,
            self._ante,
            self._max_turns,
        )

    # --- deals ---

    def _deal(self) -> None:
        self._scores = [score - self._ante for score in self._scores]
        self._pot += self._ante * self._players
        self._deal_hands(self._shuffled(self._deck), HAND_SIZE)
        self._wild_card = self._stock.pop()
        self._wild_rank = self._wild_card // 4
        self._pile = [self._stock.pop()]
        self._taken: Card | None = None
        self._shown: list[Cards | None] = [None] * self._players
        self._to_beat = 0
        self._caller: int | None = None
        self._turns_left = 0
        self._begin_round()
        self._current = (self._dealer + 1) % self._players
        self._phase = TURN

    def _end_turn(self) -> None:
        self._turns += 1
        self._round_turns += 1
        self._taken = None
        if self._caller is None:
            if self._round_turns == self._max_turns:
                self._finish("max_turns")
                return
        elif self._turns_left == 0:
            self._finish("call")
            return
        else:
            self._turns_left -= 1
        self._current = (self._current + 1) % self._players
        self._phase = TURN

    def _finish(self, ending: str) -> None:
        """Pay the pot to the best hands, if anyone called, and go on to the next deal."""
        winners: tuple[int, ...] = ()
        if self._caller is not None:
            winners = best([self._shown_value(hand) for hand in self._hands])
            self._pay(winners)
        self._end_round(ending, winners, are_shown=self._caller is not None)
        if len(self._rounds) == self._deals:
            self._pay(range(self._players))
            self._end_game()
        else:
            self._dealer = (self._dealer + 1) % self._players
            self._deal()

    def _pay(self, winners: Sequence[int]) -> None:
        """Split the pot; odd chips go one each from the dealer's left."""
        order = [seat for seat in self._seats_from(self._dealer + 1) if seat in winners]
        shares = self._split(self._pot, order)
        self._scores = [score + share for score, share in zip(self._scores, shares, strict=True)]
        self._pot = 0

    # --- moves ---

    def _draw_stock(self, action: DrawStock) -> None:
        self._hands[self._current] += (self._draw(),)
        self._phase = DISCARD

    def _check_draw_pile(self, action: DrawPile) -> None:
        if not self._pile:
            self._refuse(action, "a card of the discard pile can be drawn only if there is one")

    def _draw_pile(self, action: DrawPile) -> None:
        self._taken = self._pile.pop()
        self._hands[self._current] += (self._taken,)
        self._known[self._current] += (self._taken,)
        self._phase = DISCARD

    def _check_discard(self, action: Discard) -> None:
        self._check_may_discard(action, action.card)

    def _check_may_discard(self, action: Action, card: Card) -> None:
        if card not in self._hands[self._current]:
            self._refuse(action, "only a card in the hand can be discarded")
        if card == self._taken:
            self._refuse(
                action, "a card just taken from the discard pile may not be the one discarded"
            )

    def _discard(self, action: Discard) -> None:
        self._lay_down((action.card,))
        self._end_turn()

    def _makes_five_without(self, card: Card, hand: Cards) -> bool:
        five = tuple([other for other in hand if other != card])
        return self._of_five.evaluate(five, self._wild_rank) > 0

    def _check_call(self, action: Call) -> None:
        hand = self._hands[self._current]
        if not self._evaluator.evaluate(hand, self._wild_rank):
            self._refuse(action, "a call needs a combination")
        if action.discard is None:
            if not self._of_six.evaluate(hand, self._wild_rank):
                self._refuse(action, "a combination of five cards needs the sixth to be discarded")
            return
        self._check_may_discard(action, action.discard)
        if not self.value(tuple([card for card in hand if card != action.discard])):
            self._refuse(action, "the five cards left after a discard need to be a combination")

    def _call(self, action: Call) -> None:
        player = self._current
        if action.discard is not None:
            self._lay_down((action.discard,))
        self._shown[player] = self._known[player] = self._hands[player]
        self._to_beat = max(self._to_beat, self._shown_value(self._hands[player]))
        if self._caller is None:
            self._caller = player
            self._turns_left = turns_after_call(
                self._last_turns, player, self._dealer, self._players
            )
        self._end_turn()

    _moves: ClassVar[MoveTable] = {
        TURN: {
            DrawStock: (Game._check_nothing, _draw_stock),
            DrawPile: (_check_draw_pile, _draw_pile),
        },
        DISCARD: {Discard: (_check_discard, _discard), Call: (_check_call, _call)},
        OVER: {},
    }
