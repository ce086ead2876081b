"""Helpers of the tests of the games: stacked decks, moves as text, random play, invariants."""

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any

from wildrank.games.actions import Action, card_text, read_cards
from wildrank.games.base import Actions, Game
from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.puck import Puck


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
    plain = legal.plain if isinstance(legal, Actions) else 0
    kind = int(random.random() * (plain + (len(legal) > plain)))
    if kind < plain:
        return legal[kind]
    return legal[plain + int(random.random() * (len(legal) - plain))]


def state(game: Game[Any]) -> dict[str, Any]:
    """Return the whole state of a game, for comparison."""
    return game.copy().__dict__


# --- invariants ---


def check_cards(game: Game[Any]) -> None:
    """Every card exists once, and hands have the right sizes."""
    hands = game._hands
    cards = [*chain(*hands), *game._stock, *game._pile]
    if isinstance(game, Paiute):
        cards.append(game.wild_card)
    if not (isinstance(game, Puck) and game.phase in ("direction", "cut")):
        assert len(cards) == len(game._deck)
        assert set(cards) == set(game._deck)
    for player, cards_held in enumerate(hands):
        assert len(cards_held) in _sizes(game, player), (game.phase, player, cards_held)
        assert set(game._known[player]) <= set(cards_held)


def _sizes(game: Game[Any], player: int) -> tuple[int, ...]:
    if isinstance(game, Puck):
        return (0,) if game.phase in ("direction", "cut") else (3,)
    size = game.hand_size if isinstance(game, Perico) else 5
    if game.phase == "discard" and player == game.current_player:
        return (size + 1,)
    shown = isinstance(game, Paiute) and (game.is_over or game._shown[player] is not None)
    return (size, size + 1) if shown else (size,)


def check_step(game: Game[Any], before: tuple[Any, ...], action: Action) -> None:
    """The turn goes to the right player, and scores change only at the end of a round."""
    player, turns, rounds, scores, chips = before
    assert game.history[-1] == (player, action)
    if game.turns == turns:
        assert game.phase in ("discard", "turn", "cut")
        if game.phase == "discard":
            assert game.current_player == player
    assert game.turns - turns in (0, 1)
    if len(game.rounds) == rounds:
        assert game.scores == scores
        if game.turns > turns:
            assert game.current_player == _next_seat(game, player)
    else:
        _check_round(game, rounds, scores)
    assert _chips(game) == chips
    assert game.is_over == (game.current_player == -1) == (game.phase == "over")
    assert bool(game.legal_actions()) != game.is_over


def _next_seat(game: Game[Any], player: int) -> int:
    step = -1 if isinstance(game, Puck) and game.direction == "counter-clockwise" else 1
    seat = (player + step) % game.players
    while isinstance(game, Perico) and seat in game._out:
        seat = (seat + step) % game.players
    return seat


def _check_round(game: Game[Any], rounds: int, scores: tuple[int, ...]) -> None:
    """Every finished round has changed the scores as the rules say."""
    expected = list(scores)
    for result in game.rounds[rounds:]:
        if isinstance(game, Paiute):
            continue
        if len(result.winners) == 1:
            expected[result.winners[0]] += 1
    if not isinstance(game, Paiute):
        assert list(game.scores) == expected
    last = game.rounds[-1]
    if isinstance(game, Perico):
        drawn = len(last.winners) > 1
        assert game.dealer == (last.dealer if drawn else last.winners[0])
    if isinstance(game, Paiute) and not game.is_over:
        assert game.dealer == (last.dealer + 1) % game.players


def _chips(game: Game[Any]) -> int:
    """Return all chips, in the pot and with the players: always the same number."""
    if isinstance(game, Puck):
        return sum(game.chips) + game.pot
    if isinstance(game, Paiute):
        return sum(game.scores) + game.pot
    return 0


def play_checked(game: Game[Any], random: Random, most: int = 100_000) -> Iterator[Game[Any]]:
    """Play at random to the end and check everything after each action."""
    check_cards(game)
    for _ in range(most):
        if game.is_over:
            return
        before = (
            game.current_player,
            game.turns,
            len(game.rounds),
            game.scores,
            _chips(game),
        )
        action = random_action(game, random)
        game.apply(action)
        check_cards(game)
        check_step(game, before, action)
        yield game
    raise AssertionError(f"{game} does not end within {most} actions")
