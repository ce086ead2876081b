"""A referee of the games, who works out by the rules alone what a game should have done.

Whose turn it is, what may be done, who wins, what is paid and who deals are kept in a book of the
referee's own; hands are valued by `reference`, which shares no code with the package (but for
those of six cards with up to four jokers, which would take too long). Only what chance decides is
taken from the game: the cards.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from math import comb, perm
from random import Random
from typing import Any, NamedTuple

import pytest
import reference
from game_table import random_action, state

from wildrank import Card, Evaluator, evaluator
from wildrank.errors import IllegalActionError
from wildrank.games import actions as act
from wildrank.games.base import Actions, Game, RoundResult
from wildrank.games.paiute import Paiute
from wildrank.games.puck import Puck

JOKER = 52
SLIPS = 0.04  # how often play goes wrong

Hand = tuple[Card, ...]

value_by = cache(reference.Reference)  # what is known of a rule set's hands is shared by all games


class Cards(NamedTuple):
    """Where the cards of a game are; of the stock and the pile the last card is the top."""

    hands: tuple[Hand, ...]
    stock: Hand
    pile: Hand


def referee(game: Game[Any]) -> "Referee":
    """Return a referee for a game that has just begun, who has checked its beginning."""
    kinds = {"puck": PuckReferee, "paiute": PaiuteReferee}
    return kinds.get(game.name, PericoReferee)(game)


def play_checked(game: Game[Any], random: Random, most: int = 100_000) -> Iterator[Game[Any]]:
    """Play at random to the end and check everything after each action."""
    book = referee(game)
    for _ in range(most):
        if game.is_over:
            return
        if random.random() < SLIPS:
            book.attempt(slip(game, random))
        book.play(random_action(game, random))
        yield game
    raise AssertionError(f"{game} does not end within {most} actions")


def slip(game: Game[Any], random: Random) -> act.Action:
    """Return an action of a kind that may be legal now, which names the right cards or not."""
    hand, pile = game._hands[game.current_player], game._pile
    cards = [*hand, *hand, *pile[-1:], random.randrange(len(game._deck))]

    def some() -> Sequence[int]:
        held: Sequence[int] = random.sample(hand, random.randint(0, len(hand)))
        return held if random.random() < 0.5 else random.choices(cards, k=random.randint(1, 6))

    def takes(count: int) -> list[tuple[int, int]]:
        first = random.choice([count, count - 1, random.randint(-1, 4)])
        seats = [random.randint(0, game.players) for _ in range(2)]
        return [take for take in zip((first, count - first), seats, strict=True) if take[0]]

    kind: Callable[..., act.Action] = random.choice(list(game._moves[game.phase]))
    if kind in (act.Discard, act.Call):
        return kind(random.choice(cards))
    if kind in (act.Take, act.Exchange):
        return kind(some())
    if kind is act.Steal:
        discards = some()[:4]
        return act.Steal(takes(len(discards)), discards)
    if kind is act.Cut:
        return act.Cut(random.randint(-1, len(game._deck)))
    if kind is act.ChooseDirection:
        return act.ChooseDirection("clockwise")
    return kind()


class Referee(ABC):
    """The book of a game: what `Game` should say of itself after each action.

    A game's own class has `begin` to begin a round, `allows` to say whether an action is legal,
    `judge` to write down what it does, and `legal_count` to count the legal ones.
    """

    size = 5  # of a hand

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.options = game.options
        self.seats = game.players
        # By lot; the hands dealt may have ended a round, or the game, already.
        self.dealer = game.rounds[0].dealer if game.rounds else game.dealer
        if self.options["dealer"] is not None:
            assert self.dealer == self.options["dealer"]
        self.scores = [0] * self.seats
        self.player = -1
        self.phase = "over"
        self.rounds = self.turns = self.round_turns = 0
        self.known: list[set[Card]] = [set() for _ in range(self.seats)]
        self.deck = frozenset(range(JOKER + self.jokers()))
        self.before = self.cards()
        self.begin()
        self.compare()

    def play(self, action: act.Action) -> None:
        """Let the current player act, and check all that comes of it."""
        assert self.allows(action)
        self.before = self.cards()
        self.game.apply(action)
        assert self.game._history[-1] == (self.player, action)
        self.judge(action)
        self.compare()

    def attempt(self, action: act.Action, look: Callable[[Game[Any]], Any] = state) -> bool:
        """Return whether an action is legal; if not, it is refused and changes nothing.

        Also asking whether it is legal changes nothing, as far as a look at the game tells.
        """
        before = look(self.game)
        legal = self.game.is_legal(action)
        assert legal == self.allows(action), action
        assert look(self.game) == before
        if not legal:
            with pytest.raises(IllegalActionError):
                self.game.apply(action)
            assert look(self.game) == before
        return legal

    def jokers(self) -> int:
        return 0

    @abstractmethod
    def begin(self) -> None: ...

    @abstractmethod
    def allows(self, action: act.Action) -> bool: ...

    @abstractmethod
    def judge(self, action: Any) -> None: ...

    @abstractmethod
    def legal_count(self) -> int: ...

    def compare(self) -> None:
        """Check that the game says what the book says."""
        game = self.game
        self.check_cards()
        assert (game.current_player, game.phase) == (self.player, self.phase)
        assert (game.dealer, game.scores) == (self.dealer, tuple(self.scores))
        assert (len(game._rounds), game.turns) == (self.rounds, self.turns)
        assert game.is_over == (self.phase == "over")
        assert game.winners == (highest(self.scores) if game.is_over else ())
        legal = game.legal_actions()
        assert len(legal) == (0 if game.is_over else self.legal_count())
        for action in legal[: legal.plain] if type(legal) is Actions else legal:
            assert self.allows(action), action

    # --- cards ---

    def check_cards(self) -> None:
        """Every card exists once, and hands have the right sizes."""
        game = self.game
        cards = [*chain(*game._hands), *game._stock, *game._pile, *self.out_of_play()]
        assert len(cards) == len(self.deck)
        assert set(cards) == self.deck
        assert list(map(len, game._hands)) == self.hand_sizes()

    def out_of_play(self) -> tuple[Card, ...]:
        return ()

    def hand_sizes(self) -> list[int]:
        sizes = [self.size] * self.seats
        if self.phase == "discard":
            sizes[self.player] += 1
        return sizes

    def cards(self) -> Cards:
        game = self.game
        return Cards(tuple(game._hands), tuple(game._stock), tuple(game._pile))

    def hands(self) -> Sequence[Hand]:
        """Return the hands of this round, also if the game has already dealt those of the next."""
        rounds = self.game._rounds
        return rounds[self.rounds].hands if len(rounds) > self.rounds else self.game._hands

    def holds(self, cards: Iterable[Card]) -> bool:
        """Return whether the current player holds these cards, each named once."""
        named = list(cards)
        return len(set(named)) == len(named) and {*named} <= {*self.game._hands[self.player]}

    def exchanged(self, laid: Sequence[Card], gained: int, source: Hand) -> None:
        """Check that the player has laid down cards and gained some from the top of a source.

        If the stock has too few cards, what else is gained comes from a new one.
        """
        hands = self.hands()
        if not any(hands):  # a deal that nobody called is not shown
            return
        kept = tuple([card for card in self.before.hands[self.player] if card not in set(laid)])
        new = hands[self.player][len(kept) :]
        assert hands[self.player] == kept + new
        assert len(new) == gained
        top = source[len(source) - gained :] if gained <= len(source) else ()
        assert set(new) == set(top) or len(source) < gained
        for seat, hand in enumerate(hands):
            assert seat == self.player or hand == self.before.hands[seat]
        self.known[self.player] -= set(laid)
        if len(self.game._rounds) == self.rounds:
            self.check_pile(laid, gained, source)

    def check_pile(self, laid: Sequence[Card], gained: int, source: Hand) -> None:
        pile = self.before.pile
        if source is pile:
            pile = pile[: len(pile) - gained]
        pile += tuple(laid)
        if source is self.before.stock and len(source) < gained:
            pile = pile[-1:]  # the others have become the new stock
        assert tuple(self.game._pile) == pile

    # --- rounds ---

    def end_turn(self) -> None:
        self.turns += 1
        self.round_turns += 1

    def result(self, ending: str) -> RoundResult:
        """Return what the game says of the round that ends now, and go on to the next."""
        result = self.game._rounds[self.rounds]
        assert (result.dealer, result.ending) == (self.dealer, ending)
        assert result.turns == self.round_turns
        self.rounds += 1
        self.round_turns = 0
        self.known = [set() for _ in range(self.seats)]
        return result

    def end_game(self) -> None:
        self.player, self.phase = -1, "over"


def highest(values: Sequence[Any]) -> tuple[int, ...]:
    """Return the places of the highest value."""
    most = sorted(values)[-1]
    return tuple(place for place, value in enumerate(values) if value == most)


def shares(pot: int, order: Iterable[int], winners: Sequence[int], seats: int) -> list[int]:
    """Split a pot; odd chips go one each to the winners in this order of seats."""
    paid = [pot // len(winners) if seat in winners else 0 for seat in range(seats)]
    for seat in [seat for seat in order if seat in winners][: pot % len(winners)]:
        paid[seat] += 1
    return paid


# --- Perico ---


class PericoReferee(Referee):
    def jokers(self) -> int:
        return 4 if self.game.name == "six-card-perico" else 2

    def begin(self) -> None:
        six = self.game.name == "six-card-perico"
        self.size = 6 if six else 5
        natural = self.options["natural_five_of_a_kind"]
        self.value: Callable[[Hand], Any] = (
            evaluator("six-card-perico", natural_five_of_a_kind=natural).evaluate  # fast
            if six
            else value_by(reference.perico(natural_five_of_a_kind=natural)).value
        )
        self.with_pile = self.options["play"] == "pile"
        self.equals_end = self.with_pile and (six or not natural)
        self.begin_round()

    def begin_round(self) -> None:
        self.knocker: int | None = None
        self.left: list[int] = []  # who still has a turn after a knock
        self.out: set[int] = set()
        self.drawn: set[int] = set()
        self.player, self.phase = self.dealer, "turn"
        if self.options["auto_declare"] and any(map(self.ends, self.hands())):
            self.finish("ending_hand")
        else:
            self.next_turn()

    def ends(self, hand: Hand) -> bool:
        """Return whether a hand ends the round: a royal flush, or all cards of one rank."""
        natural = [card for card in hand if card < JOKER]
        ranks = {card // 4 for card in natural}
        if len(ranks) == 1 and self.equals_end:
            return True
        one_suit = len({card % 4 for card in natural}) == 1
        return one_suit and len(ranks) == len(natural) and min(ranks) > reference.ACE - self.size

    def check_pile(self, laid: Sequence[Card], gained: int, source: Hand) -> None:
        if self.with_pile and laid and laid[-1] >= JOKER:  # all but one has gone to the stock
            (card,) = self.game._pile
            assert card < JOKER
        else:
            super().check_pile(laid, gained, source)

    def may_declare(self, hand: Hand) -> bool:
        return self.phase == "turn" and not self.options["auto_declare"] and self.ends(hand)

    def may_knock(self) -> bool:
        if self.knocker is not None:
            return False
        return len(self.game._pile) >= 5 if self.with_pile else len(self.drawn) == self.seats

    def allows(self, action: act.Action) -> bool:
        match action:
            case act.Discard():
                return self.phase == "discard" and self.holds([action.card])
            case _ if self.phase != "turn":
                return False
            case act.DrawStock():
                return True
            case act.Knock():
                return self.may_knock()
            case act.Keep():
                return self.knocker is not None
            case act.Declare():
                return self.may_declare(self.game._hands[self.player])
            case act.Take(discards):
                most = min(5, len(self.game._pile))
                return self.with_pile and 1 <= len(discards) <= most and self.holds(discards)
            case act.Exchange(discards):
                return not self.with_pile and len(discards) > 0 and self.holds(discards)
        return False

    def legal_count(self) -> int:
        if self.phase == "discard":
            return self.size + 1
        plain: int = 1 + self.may_knock() + (self.knocker is not None)
        plain += self.may_declare(self.game._hands[self.player])
        if not self.with_pile:
            return plain + int(2**self.size) - 1
        most = min(5, len(self.game._pile))
        return plain + sum(perm(self.size, count) for count in range(1, most + 1))

    def judge(self, action: Any) -> None:
        if self.may_declare(self.before.hands[self.player]) and not isinstance(action, act.Declare):
            self.exchanged((), 0, ())
            self.out.add(self.player)
            self.end_turn()
            self.go_on("forfeit" if len(self.out) == self.seats - 1 else None)
            return
        match action:
            case act.DrawStock():
                self.exchanged((), 1, self.before.stock)
                self.phase = "discard"
                return
            case act.Knock():
                self.knocker = self.player
                seats = [(self.player + step) % self.seats for step in range(1, self.seats)]
                self.left = [seat for seat in seats if seat not in self.out]
            case act.Discard(card):
                self.exchanged([card], 0, ())
            case act.Take(discards):
                self.exchanged(discards, len(discards), self.before.pile)
                self.known[self.player] |= set(self.before.pile[-len(discards) :])
            case act.Exchange(discards):
                self.exchanged(discards, len(discards), self.before.stock)
        self.end_turn()
        if isinstance(action, act.Declare):
            self.go_on("ending_hand")
        elif isinstance(action, act.Knock):
            self.go_on(None if self.with_pile else "knock")
        else:
            auto = self.options["auto_declare"] and self.ends(self.hands()[self.player])
            self.go_on("ending_hand" if auto else None)

    def go_on(self, ending: str | None) -> None:
        """Go on after a turn, which may have ended the round."""
        self.drawn.add(self.player)
        if ending is None and self.knocker is not None and not self.left:
            ending = "knock"
        if ending is None:
            self.next_turn()
        else:
            self.finish(ending)

    def next_turn(self) -> None:
        self.phase = "turn"
        if self.left:
            self.player = self.left.pop(0)
            return
        seats = [(self.player + step) % self.seats for step in range(1, self.seats + 1)]
        self.player = next(seat for seat in seats if seat not in self.out)

    def finish(self, ending: str) -> None:
        inside = [seat for seat in range(self.seats) if seat not in self.out]
        result = self.result(ending)
        best = highest([self.value(result.hands[seat]) for seat in inside])
        winners = tuple(inside[place] for place in best)
        assert result.winners == winners
        if len(winners) == 1:
            self.dealer = winners[0]
            self.scores[self.dealer] += 1
        if max(self.scores) == self.options["points"]:
            self.end_game()
        else:
            self.begin_round()

    def compare(self) -> None:
        super().compare()
        seen = self.game.observation(max(self.player, 0))
        if not self.game.is_over:
            assert (seen.knocker, set(seen.out)) == (self.knocker, self.out)
            assert [set(cards) for cards in seen.known] == self.known


# --- Puck ---


class PuckReferee(Referee):
    game: Puck
    size = 3

    def jokers(self) -> int:
        return int(self.options["jokers"])

    def check_cards(self) -> None:
        if self.phase in ("turn", "over"):
            super().check_cards()
        else:
            assert not any(self.game._hands)

    def begin(self) -> None:
        rules = reference.puck(jokers=self.options["jokers"], ace=self.options["ace"])
        self.value = value_by(rules).value
        self.pot = self.options["ante"] * self.seats
        self.chips = [owned - self.options["ante"] for owned in self.options["chips"]]
        self.direction = self.options["direction"]
        self.first = -1
        if self.direction is None:
            self.player, self.phase = self.highest_drawn(), "direction"
        else:
            self.may_cut()

    def highest_drawn(self) -> int:
        """Return who drew the highest card; those tied for highest have drawn again."""
        seats: tuple[int, ...] = tuple(range(self.seats))
        for drawn in self.game.direction_draws:
            assert tuple(seat for seat, _ in drawn) == seats
            seats = tuple(seats[place] for place in highest([card // 4 for _, card in drawn]))
        (seat,) = seats
        return seat

    @property
    def step(self) -> int:
        return -1 if self.direction == "counter-clockwise" else 1

    def may_cut(self) -> None:
        if self.options["cut"]:
            self.player, self.phase = (self.dealer - self.step) % self.seats, "cut"
        else:
            self.begin_play()

    def begin_play(self) -> None:
        self.first = (self.dealer + self.step) % self.seats
        self.begin_round()

    def begin_round(self) -> None:
        self.player, self.phase = self.first, "turn"

    def allows(self, action: act.Action) -> bool:
        match self.phase, action:
            case "direction", act.ChooseDirection():
                return True
            case "cut", act.Cut(count):
                return 0 <= count < len(self.deck)
            case "turn", act.Keep():
                return True
            case "turn", act.Steal(takes, discards):
                victims = [victim for _, victim in takes]
                return (
                    1 <= len(discards) <= min(3, len(self.game._stock))
                    and self.holds(discards)
                    and set(victims) <= set(range(self.seats)) - {self.player}
                    and len(set(victims)) == len(victims)
                    and all(count > 0 for count, _ in takes)
                    and sum(count for count, _ in takes) == len(discards)
                )
        return False

    def legal_count(self) -> int:
        if self.phase == "direction":
            return 2
        if self.phase == "cut":
            return len(self.deck)
        others = self.seats - 1
        most = min(3, len(self.game._stock))
        return 1 + sum(
            comb(3, count) * comb(count + others - 1, count) for count in range(1, most + 1)
        )

    def judge(self, action: Any) -> None:
        match action:
            case act.ChooseDirection(direction):
                self.direction = direction
                self.may_cut()
            case act.Cut():
                self.begin_play()
            case act.Keep():
                self.stolen((), ())
            case act.Steal(takes, discards):
                self.stolen(takes, discards)

    def stolen(self, takes: Sequence[tuple[int, int]], discards: Sequence[Card]) -> None:
        """Check the hands after a turn, and go on."""
        hands, stock = self.cards()[:2]
        stolen = set(hands[self.player]) - set(self.before.hands[self.player])
        expected = {seat: set(hand) for seat, hand in enumerate(self.before.hands)}
        refill = list(self.before.stock)
        for count, victim in takes:
            lost = stolen & expected[victim]
            assert len(lost) == count
            expected[victim] -= lost
            expected[victim] |= {refill.pop() for _ in range(count)}
            expected[self.player] |= lost
        expected[self.player] -= set(discards)
        assert [set(hand) for hand in hands] == list(expected.values())
        assert list(stock) == refill
        self.end_turn()
        if self.round_turns < self.seats:
            self.player = (self.player + self.step) % self.seats
        else:
            self.show(hands)

    def show(self, hands: tuple[Hand, ...]) -> None:
        result = self.result("show")
        winners = highest([self.value(hand) for hand in hands])
        assert (result.hands, result.winners) == (hands, winners)
        if len(winners) == 1:
            self.first = winners[0]
            self.scores[self.first] += 1
        if self.game._stock and self.rounds != self.options["max_rounds"]:
            self.begin_round()
        else:
            order = [(self.dealer + self.step * n) % self.seats for n in range(1, self.seats + 1)]
            paid = shares(self.pot, order, highest(self.scores), self.seats)
            self.chips = [owned + share for owned, share in zip(self.chips, paid, strict=True)]
            self.pot = 0
            self.end_game()

    def compare(self) -> None:
        super().compare()
        game = self.game
        assert (game.direction, game.pot, list(game.chips)) == (
            self.direction,
            self.pot,
            self.chips,
        )
        assert game.observation(0).first == self.first
        assert sum(game.chips) + game.pot == sum(self.options["chips"])


# --- Paiute ---


class PaiuteReferee(Referee):
    game: Paiute

    def begin(self) -> None:
        self.rules = reference.paiute(ace=self.options["ace"])
        self.rules_of_six = replace(self.rules, categories=self.rules.categories[3:])
        self.pot = 0
        self.begin_deal()

    def begin_deal(self) -> None:
        ante = self.options["ante"]
        self.pot += ante * self.seats
        self.scores = [score - ante for score in self.scores]
        self.wild = self.game.wild_card // 4
        self.taken: Card | None = None
        self.caller: int | None = None
        self.left: list[int] = []  # who still has a turn after a call
        self.shown: list[Hand | None] = [None] * self.seats
        self.player, self.phase = (self.dealer + 1) % self.seats, "turn"

    def out_of_play(self) -> tuple[Card, ...]:
        return (self.game.wild_card,)

    def hand_sizes(self) -> list[int]:
        """Return the sizes of the hands; one shown with six cards keeps them."""
        sizes = super().hand_sizes()
        return [max(size, len(cards or ())) for size, cards in zip(sizes, self.shown, strict=True)]

    def combination(self, hand: Sequence[Card]) -> bool:
        """Return whether a hand of five or six cards holds a combination."""
        of_five, of_six = evaluators(self.options["ace"])
        return (of_five if len(hand) == 5 else of_six).evaluate(hand, self.wild) > 0

    def value(self, hand: Sequence[Card]) -> reference.Value:
        """Return what a hand is worth as it is shown: six cards as a combination of all six."""
        rules = self.rules if len(hand) == 5 else self.rules_of_six
        return value_by(rules).value(hand, self.wild)

    def allows(self, action: act.Action) -> bool:
        hand = self.game._hands[self.player] if self.player >= 0 else ()
        match self.phase, action:
            case "turn", act.DrawStock():
                return True
            case "turn", act.DrawPile():
                return bool(self.game._pile)
            case "discard", act.Discard(card):
                return card in hand and card != self.taken
            case "discard", act.Call(None):
                return self.combination(hand) and bool(self.value(hand))
            case "discard", act.Call(card):
                left = [other for other in hand if other != card]
                return card in hand and card != self.taken and self.combination(left)
        return False

    def legal_count(self) -> int:
        if self.phase == "turn":
            return 1 + bool(self.game._pile)
        hand = self.game._hands[self.player]
        calls = (act.Call(), *map(act.Call, hand)) if self.combination(hand) else ()
        return len(hand) - (self.taken is not None) + sum(map(self.allows, calls))

    def judge(self, action: Any) -> None:
        match action:
            case act.DrawStock():
                self.exchanged((), 1, self.before.stock)
                self.phase = "discard"
            case act.DrawPile():
                self.exchanged((), 1, self.before.pile)
                self.taken = self.before.pile[-1]
                self.known[self.player].add(self.taken)
                self.phase = "discard"
            case act.Discard(card):
                self.exchanged([card], 0, ())
                self.next_turn()
            case act.Call(card):
                self.exchanged(() if card is None else [card], 0, ())
                self.shown[self.player] = self.hands()[self.player]
                self.known[self.player] = set(self.hands()[self.player])
                if self.caller is None:
                    self.caller = self.player
                    self.left = self.after(self.player)
                self.next_turn()

    def after(self, caller: int) -> list[int]:
        """Return who has one more turn after the first call."""
        if caller == self.dealer:
            return []
        others = [(caller + step) % self.seats for step in range(1, self.seats)]
        if self.options["last_turns"] == "all":
            return others
        return others[: others.index(self.dealer) + 1]

    def next_turn(self) -> None:
        self.end_turn()
        self.taken, self.phase = None, "turn"
        if self.caller is None:
            if self.round_turns == self.options["max_turns"]:
                self.finish("max_turns")
            else:
                self.player = (self.player + 1) % self.seats
        elif self.left:
            self.player = self.left.pop(0)
        else:
            self.finish("call")

    def finish(self, ending: str) -> None:
        result = self.result(ending)
        winners: tuple[int, ...] = ()
        if ending == "call":
            winners = highest([self.value(hand) for hand in result.hands])
            self.pay(winners)
        assert result.winners == winners
        if self.rounds == self.options["deals"]:
            self.pay(range(self.seats))  # what nobody has won goes back
            self.end_game()
        else:
            self.dealer = (self.dealer + 1) % self.seats
            self.begin_deal()

    def pay(self, winners: Sequence[int]) -> None:
        order = [(self.dealer + step) % self.seats for step in range(1, self.seats + 1)]
        paid = shares(self.pot, order, winners, self.seats)
        self.scores = [score + share for score, share in zip(self.scores, paid, strict=True)]
        self.pot = 0

    def compare(self) -> None:
        super().compare()
        seen = self.game.observation(max(self.player, 0))
        assert seen.pot == self.pot
        assert sum(seen.scores) + seen.pot == 0
        if not self.game.is_over:
            assert (seen.wild_rank, seen.taken) == (self.wild, self.taken)
            assert (seen.caller, seen.last_turns) == (self.caller, len(self.left))
            assert seen.shown == tuple(self.shown)
            assert [set(cards) for cards in seen.known] == self.known


@cache
def evaluators(ace: str) -> tuple[Evaluator, Evaluator]:
    """Return what tells whether hands of five and of six cards are combinations, fast."""
    return evaluator("paiute", hand_size=5, ace=ace), evaluator("paiute", ace=ace)
