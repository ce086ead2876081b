"""How `GreedyPlayer` decides: one strategy for each game.

A strategy values many possible hands with one batch evaluation. Which hands these are depends only
on numbers of cards, so they are listed once, as places in a row of cards: the hand, then the cards
that may come to it.

A value becomes a chance to win by the exact distribution of random hands, which the evaluator
counts; an exponent allows for the turns that opponents have had to improve. Cards that may come
are taken from those the player has not seen, always in the same way, so that the same observation
leads to the same choice.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from math import prod
from operator import itemgetter
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from wildrank.cards import FIRST_JOKER
from wildrank.evaluator import Evaluator
from wildrank.games.actions import (
    Action,
    Call,
    Declare,
    Discard,
    DrawPile,
    DrawStock,
    Exchange,
    Keep,
    Knock,
    Steal,
    Take,
)
from wildrank.games.base import DISCARD, TURN, Cards
from wildrank.games.paiute import PaiuteObservation, shown_value, turns_after_call
from wildrank.games.perico import MOST_TAKEN, PILE, PILE_TO_KNOCK, STOCK, PericoObservation
from wildrank.games.puck import HAND_SIZE, PuckObservation, theft_patterns

__all__ = ["PaiuteStrategy", "PericoStrategy", "PuckStrategy"]

Array = npt.NDArray[Any]
Places = tuple[int, ...]


class Chances:
    """The chance of a value to win, for the evaluator that is in use."""

    def __init__(self) -> None:
        self._evaluator: Evaluator | None = None
        self._powers: dict[float, Array] = {}

    def against(self, evaluator: Evaluator, hands: float) -> Array:
        """Return for every value the chance to beat so many random hands; ties count half."""
        if evaluator is not self._evaluator:
            counts = evaluator.value_counts()
            self._powers = {1: np.asarray((np.cumsum(counts) - counts / 2) / counts.sum())}
            self._evaluator = evaluator
        chances = self._powers.get(hands)
        if chances is None:
            chances = self._powers[hands] = self._powers[1] ** hands
        return chances


# --- cards that may come ---


def _unseen(jokers: int, seen: bytes) -> bytes:
    """Return the cards of the deck that are not among those seen."""
    return _all_cards(jokers).translate(None, seen)


@cache
def _all_cards(jokers: int) -> bytes:
    return bytes(range(FIRST_JOKER + jokers))


def _spread(cards: bytes, count: int, turn: int) -> bytes:
    """Return some cards of different ranks, others in another turn."""
    step = max(1, len(cards) // count)
    return cards[turn % step :: step][:count]


def _mixed(cards: bytes, count: int, turn: int) -> bytes:
    """Return some cards in a mixed order, others in another turn."""
    return bytes(_random_order(len(cards), turn % 8, count)(cards))


@cache
def _random_order(size: int, number: int, count: int) -> "itemgetter[Any]":
    """Return what gets so many items of a sequence, at least two, in a mixed order."""
    random = Random(size * 8 + number).random
    return itemgetter(*sorted(range(size), key=lambda _: random())[:count])


def _values(evaluator: Evaluator, cards: bytes, rows: Array, wild: int | None = None) -> Array:
    """Return the values of the hands that are listed as places in a row of cards."""
    return evaluator.evaluate_batch(
        np.frombuffer(cards, dtype=np.uint8).take(rows), wild_ranks=wild
    )


def _rest(size: int, places: Places) -> Places:
    return tuple(place for place in range(size) if place not in places)


# --- Perico ---

DRAWS: Final = 10  # cards tried as the next card of the stock
TRIALS: Final = 8  # times that each exchange is tried
KNOCK_AT: Final = 0.6  # the estimated chance to win at which a player knocks
PATIENCE: Final = 20  # turns after which a player knocks with any hand
TURN_WORTH: Final = {PILE: 2.5, STOCK: 0.4}  # how many random hands an opponent's turn is worth


class PericoStrategy:
    """Takes, exchanges or draws what raises the chance to win most, and knocks if it is high."""

    def __init__(self) -> None:
        self._chances = Chances()

    def choose(self, seen: PericoObservation, legal: Sequence[Action]) -> Action:
        """Return the action that promises most."""
        evaluator = seen.evaluator
        if seen.phase == DISCARD:
            return _best_discard(evaluator, seen.hand)
        if not seen.auto_declare and Declare() in legal[:3]:
            return Declare()
        value = evaluator.evaluate(seen.hand)
        if _may_knock(seen) and self._should_knock(seen, value):
            return Knock()
        worth = self._chances.against(evaluator, len(seen.scores) - 1)
        return (_take_or_draw if seen.play == PILE else _exchange_or_draw)(seen, value, worth)

    def _should_knock(self, seen: PericoObservation, value: int) -> bool:
        """Estimate the chance that a hand wins after a knock."""
        turns = seen.turns // len(seen.scores)
        if turns >= PATIENCE:
            return True
        hands = 1 + TURN_WORTH[seen.play] * (turns + (seen.play == PILE))
        chance = float(self._chances.against(seen.evaluator, 1)[value]) ** hands
        chances = [
            chance if len(known) < len(seen.hand) else seen.evaluator.evaluate(known) < value
            for player, known in enumerate(seen.known)
            if player != seen.player and player not in seen.out
        ]
        return bool(prod(chances) >= KNOCK_AT)


def _may_knock(seen: PericoObservation) -> bool:
    if seen.knocker is not None:
        return False
    if seen.play == PILE:
        return len(seen.pile) >= PILE_TO_KNOCK
    return seen.turns >= len(seen.scores)


def _best_discard(evaluator: Evaluator, hand: Cards) -> Discard:
    """Return the discard that leaves the best hand."""
    values = [evaluator.evaluate(hand[:place] + hand[place + 1 :]) for place in range(len(hand))]
    return Discard(hand[values.index(max(values))])


def _unseen_in_perico(seen: PericoObservation) -> bytes:
    known = seen.hand + seen.pile + sum(seen.known, ())
    return _unseen(seen.evaluator.rules.jokers, bytes(known))


def _take_or_draw(seen: PericoObservation, value: int, worth: Array) -> Action:
    hand = seen.hand
    top = seen.pile[: -1 - MOST_TAKEN : -1]
    draws = _spread(_unseen_in_perico(seen), DRAWS, seen.turns)
    takes, rows = _take_rows(len(hand), len(top), len(draws))
    worths = worth.take(_values(seen.evaluator, bytes(hand + top) + draws, rows))
    best = int(worths[: len(takes)].argmax())
    # Players who take only what is better than their hand cannot go on for ever without the stock.
    enough = max(_draw_worth(worths[len(takes) :], len(hand), worth[value]), worth[value])
    if worths[best] <= enough:
        return DrawStock()
    # The lowest card comes to lie on top, for the next player to take.
    return Take(tuple(sorted([hand[place] for place in takes[best]], reverse=True)))


def _exchange_or_draw(seen: PericoObservation, value: int, worth: Array) -> Action:
    hand = seen.hand
    size = len(hand)
    unseen = _mixed(_unseen_in_perico(seen), TRIALS * size, seen.turns)
    trials = len(unseen) // size
    exchanges, rows = _exchange_rows(size, trials)
    if not trials:
        return DrawStock()
    worths = worth.take(_values(seen.evaluator, bytes(hand) + unseen, rows))
    count = len(exchanges) * trials
    means = worths[:count].reshape(len(exchanges), trials).sum(axis=1) / trials
    best = int(means.argmax())
    if means[best] < _draw_worth(worths[count:], size, worth[value]):
        return DrawStock()
    return Exchange(tuple([hand[place] for place in exchanges[best]]))


def _draw_worth(worths: Array, size: int, kept: float) -> float:
    """Return the mean worth of drawing a card and then making the best discard."""
    if not len(worths):
        return kept
    best = np.maximum(worths.reshape(-1, size).max(axis=1), kept)
    return float(best.sum()) / len(best)


def _draw_rows(size: int, first: int, draws: int) -> list[Places]:
    """List the hands that have one card replaced by one of the drawn cards."""
    return [
        (*_rest(size, (place,)), first + draw) for draw in range(draws) for place in range(size)
    ]


@cache
def _take_rows(size: int, top: int, draws: int) -> tuple[list[Places], Array]:
    """List the discards for the top cards of the pile; with the hands they and draws make."""
    takes = [p for n in range(1, top + 1) for p in combinations(range(size), n)]
    rows = [(*_rest(size, places), *range(size, size + len(places))) for places in takes]
    return takes, np.array(rows + _draw_rows(size, size + top, draws), dtype=np.intp)


@cache
def _exchange_rows(size: int, trials: int) -> tuple[list[Places], Array]:
    """List the discards of two or more cards; with the hands that trials of them and draws make."""
    exchanges = [p for n in range(2, size + 1) for p in combinations(range(size), n)]
    rows = [
        (*_rest(size, places), *range(first, first + len(places)))
        for places in exchanges
        for first in range(size, size + trials * size, size)
    ]
    draws = min(DRAWS, trials * size)
    return exchanges, np.array(rows + _draw_rows(size, size, draws), dtype=np.intp)


# --- Puck ---

THEFT_TRIALS: Final = 4  # times that hands nobody has seen are made up


class PuckStrategy:
    """Keeps the hand, or steals what raises the chance to win the round most."""

    def __init__(self) -> None:
        self._chances = Chances()

    def choose(self, seen: PuckObservation, legal: Sequence[Action]) -> Action:
        """Return the action that promises most."""
        if seen.phase != TURN:
            return legal[0]  # any direction and any cut are as good as others
        players = len(seen.scores)
        others = [(seen.player + step) % players for step in range(1, players)]
        shown = _known_in_puck(seen)
        held = [shown[other] for other in others]
        values = [seen.evaluator.evaluate(hand) if hand else 0 for hand in held]
        random = self._chances.against(seen.evaluator, 1)
        own = seen.evaluator.evaluate(seen.hand)
        keeping = prod([_beats(own, value, random) for value in values])
        if keeping == 1 or not seen.stock_size:
            return Keep()
        thefts = _theft_rows(len(others), min(seen.stock_size, HAND_SIZE))
        cards = _table(seen, held).take(thefts.rows, axis=1)
        results = seen.evaluator.evaluate_batch(cards.reshape(-1, HAND_SIZE))
        results = results.reshape(len(cards), -1)
        worths = self._chances.against(seen.evaluator, values.count(0))[results]
        known = [(place, value) for place, value in enumerate(values) if value]
        if known:
            chances = random[results]
            for place, value in known:
                worths *= np.where(thefts.robbed[place], chances, results > value)
        worths = worths.sum(axis=0) / len(cards)
        means = np.add.reduceat(worths, thefts.starts) / thefts.counts
        best = int(means.argmax())
        if means[best] <= keeping:
            return Keep()
        places, takes = thefts.patterns[best]
        return Steal(
            tuple([(count, others[other]) for count, other in takes]),
            tuple([seen.hand[place] for place in places]),
        )


def _beats(own: int, value: int, random: Array) -> float:
    """Return the chance to beat a hand of a known value, or any hand."""
    if not value:
        return float(random[own])
    return 1.0 if own > value else 0.5 if own == value else 0.0


def _known_in_puck(seen: PuckObservation) -> list[Cards]:
    """Return the hands that were shown and have not changed since; nothing for the others."""
    if seen.shown is None:
        return [()] * len(seen.scores)
    known = list(seen.shown)
    for player, action in seen.moves:
        if type(action) is Steal:
            for changed in (player, *[victim for _, victim in action.takes]):
                known[changed] = ()
    return known


def _table(seen: PuckObservation, held: Sequence[Cards]) -> Array:
    """Return rows of the hand and three cards for each other player: those held, or any unseen."""
    own, others = bytes(seen.hand), [bytes(hand) for hand in held]
    missing = others.count(b"")
    trials = 1
    spare = b""
    if missing:
        known = b"".join((own, bytes(seen.pile), *others))
        unseen = _unseen(seen.evaluator.rules.jokers, known)
        trials = min(THEFT_TRIALS, len(unseen) // (HAND_SIZE * missing))
        spare = _mixed(unseen, trials * HAND_SIZE * missing, seen.turns)
    made_up = iter([spare[n : n + HAND_SIZE] for n in range(0, len(spare), HAND_SIZE)])
    rows = [b"".join((own, *[hand or next(made_up) for hand in others])) for _ in range(trials)]
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(trials, -1)


class _Thefts(NamedTuple):
    rows: Array  # the hands that a theft can make, one theft after another
    robbed: Array  # for each other player, whether the hand's theft robs that one
    starts: Array  # where each theft begins
    counts: Array  # how many hands it can make
    patterns: tuple[Any, ...]


@cache
def _theft_rows(others: int, most: int) -> _Thefts:
    patterns, counts = theft_patterns(others)
    patterns = patterns[: counts[most]]
    rows: list[Places] = []
    robbed: list[list[bool]] = []
    starts = []
    for places, takes in patterns:
        starts.append(len(rows))
        choices = [
            combinations(range(HAND_SIZE * (other + 1), HAND_SIZE * (other + 2)), count)
            for count, other in takes
        ]
        hands = [(*_rest(HAND_SIZE, places), *sum(taken, ())) for taken in product(*choices)]
        rows += hands
        victims = [other for _, other in takes]
        robbed += [[other in victims for other in range(others)]] * len(hands)
    lengths = np.diff(starts, append=len(rows))
    return _Thefts(np.array(rows), np.array(robbed).T.copy(), np.array(starts), lengths, patterns)


# --- Paiute ---

CALL_AT: Final = 0.5  # the estimated chance to win at which a player calls
LAST_TURN: Final = 0.15  # how often a last turn makes a combination


class PaiuteStrategy:
    """Collects towards a combination with the next card, and calls if it will probably win."""

    def __init__(self) -> None:
        self._evaluator: Evaluator | None = None
        self._quality: Array = np.zeros(0)

    def choose(self, seen: PaiuteObservation, legal: Sequence[Action]) -> Action:
        """Return the action that promises most."""
        if seen.evaluator is not self._evaluator:
            self._learn(seen.evaluator)
        if seen.phase == TURN:
            return DrawPile() if seen.pile and self._should_take(seen) else DrawStock()
        if type(legal[-1]) is Call:
            calls = [action for action in legal if type(action) is Call]
            values = [_value_of_call(seen, call) for call in calls]
            if self._should_call(seen, max(values)):
                return calls[values.index(max(values))]
        return self._discard(seen)

    def _learn(self, evaluator: Evaluator) -> None:
        """Value combinations: any is worth more than half of the best."""
        self._evaluator = evaluator
        self._quality = np.linspace(0.5, 1, evaluator.num_values + 1)
        self._quality[0] = 0

    def _should_take(self, seen: PaiuteObservation) -> bool:
        """Whether the top of the discard pile makes a combination, or comes nearer to one.

        Players who take only what brings them strictly nearer cannot go on for ever without the
        stock.
        """
        six = (*seen.hand, seen.pile[-1])
        value = seen.evaluator.evaluate(six, seen.wild_rank)
        if value and value >= seen.to_beat:
            held = shown_value(seen.evaluator, seen.hand, seen.wild_rank)
            return not held or held < seen.to_beat
        if seen.caller is not None:
            return False
        without = self._worths_without(seen, six)
        return max(without[:-1]) > without[-1]

    def _should_call(self, seen: PaiuteObservation, value: int) -> bool:
        if seen.caller is not None:
            return True
        better = LAST_TURN * (1 - value / (seen.evaluator.num_values + 1))
        last_turns = turns_after_call(
            seen.last_turns_of, seen.player, seen.dealer, len(seen.scores)
        )
        return bool((1 - better) ** last_turns >= CALL_AT)

    def _discard(self, seen: PaiuteObservation) -> Discard:
        """Return the discard of the card that the other five need least."""
        worths = self._worths_without(seen, seen.hand)
        places = [place for place, card in enumerate(seen.hand) if card != seen.taken]
        return Discard(seen.hand[max(places, key=worths.__getitem__)])

    def _worths_without(self, seen: PaiuteObservation, six: Cards) -> list[tuple[float, int]]:
        """Return for each card what the other five are worth: their outs, and cards alike."""
        known = bytes([*six, *seen.pile, seen.wild_card, *sum(seen.known, ())])
        outs = _unseen(0, known)
        values = _values(
            seen.evaluator, bytes(six) + outs, _out_rows(len(six), len(outs)), seen.wild_rank
        )
        worths = self._quality.take(values).reshape(len(six), len(outs)).sum(axis=1).tolist()
        ranks = [card // 4 for card in six]
        alike = [9 if rank == seen.wild_rank else ranks.count(rank) for rank in ranks]
        return [(worth, -count) for worth, count in zip(worths, alike, strict=True)]


def _value_of_call(seen: PaiuteObservation, call: Call) -> int:
    left = tuple([card for card in seen.hand if card != call.discard])
    return shown_value(seen.evaluator, left, seen.wild_rank)


@cache
def _out_rows(size: int, outs: int) -> Array:
    """List the hands with one card replaced by each of the outs, card by card."""
    rows = [(*_rest(size, (place,)), size + out) for place in range(size) for out in range(outs)]
    return np.array(rows, dtype=np.intp).reshape(-1, size)
