"""Helpers of the tests of the games: stacked decks, moves as text, random play."""

from collections.abc import Sequence
from random import Random
from typing import Any

from wildrank.games.actions import Action, Call, card_text, read_cards
from wildrank.games.base import Actions, Game


def stacked(hands: Sequence[str], then: str = "", *, dealer: int, step: int = 1) -> str:
    """Return a deck order that deals these hands, by seat, and then these cards."""
    cards = [read_cards(hand) for hand in hands]
    seats = [(dealer + step * (place + 1)) % len(hands) for place in range(len(hands))]
    dealt = [cards[seat][number] for number in range(len(cards[0])) for seat in seats]
    return " ".join(map(card_text, dealt)) + " " + then


def act(game: Game[Any], *texts: str) -> None:
    """Apply actions that are given as text; each text may hold a whole turn."""
    for text in texts:
        for action in game.parse(text):
            game.apply(action)


def hand(game: Game[Any], player: int) -> str:
    return text(game.observation(player).hand)


def pile(game: Game[Any]) -> str:
    return text(game.observation(0).pile)


def text(cards: Sequence[Any]) -> str:
    return " ".join(map(card_text, cards))


def random_action(game: Game[Any], random: Random) -> Action:
    """Return a legal action, each kind equally likely."""
    legal = game.legal_actions()
    if type(legal[-1]) is Call and random.random() < 0.5:
        return legal[-1]
    plain = legal.plain if type(legal) is Actions else 0
    kind = int(random.random() * (plain + (len(legal) > plain)))
    if kind < plain:
        return legal[kind]
    return legal[plain + int(random.random() * (len(legal) - plain))]


def state(game: Game[Any]) -> dict[str, Any]:
    """Return the whole state of a game, for comparison."""
    return game.copy().__dict__
