"""An observation shows a player exactly what that player may know."""

from functools import partial
from random import Random
from typing import Any

import pytest
from game_table import act, random_action

from wildrank import Card
from wildrank.games.base import Game
from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.puck import Puck
from wildrank.games.simulate import GameFactory
from wildrank.games.six_card_perico import SixCardPerico

GAMES: dict[str, GameFactory] = {
    "perico": Perico,
    "perico, stock": partial(Perico, play="stock"),
    "six-card perico": SixCardPerico,
    "puck": partial(Puck, direction="clockwise"),
    "paiute": Paiute,
}

Hidden = list[tuple[list[Any] | tuple[Any, ...], int]]


def hidden_places(game: Game[Any], player: int) -> list[tuple[int, int]]:
    """Return where the cards are that a player cannot know: (seat, or -1 for the stock; place)."""
    places = [(-1, place) for place in range(len(game._stock))]
    for seat, cards in enumerate(game._hands):
        if seat != player:
            known = _known(game, player, seat)
            places += [(seat, place) for place, card in enumerate(cards) if card not in known]
    return places


def _known(game: Game[Any], player: int, seat: int) -> set[Card]:
    if not isinstance(game, Puck):
        return set(game._known[seat])
    # In Puck all hands were shown at the end of the last round, and thefts are known to both.
    hands = game.rounds[-1].hands if game.rounds else ()
    shown = {card for cards in hands for card in cards}
    return shown | {c for t in game._thefts if player in t[:2] for c in t.cards}


def shuffle_hidden(game: Game[Any], player: int, random: Random) -> Game[Any]:
    """Return a game that differs in nothing but cards that a player cannot know."""
    twin = game.copy()
    hands = [list(cards) for cards in twin._hands]
    rows = [*hands, twin._stock]
    places = hidden_places(game, player)
    cards = [rows[row][place] for row, place in places]
    random.shuffle(cards)
    for (row, place), card in zip(places, cards, strict=True):
        rows[row][place] = card
    twin._hands = [tuple(cards) for cards in hands]
    if isinstance(game, Puck) and isinstance(twin, Puck):
        _swap_thefts(game, twin, player)
    return twin


def _swap_thefts(game: Puck, twin: Puck, player: int) -> None:
    """Let thefts that a player did not see be of other cards."""
    twin._thefts = [
        theft if player in theft[:2] else theft._replace(cards=theft.cards[::-1])
        for theft in game._thefts
    ]


@pytest.mark.parametrize("kind", GAMES)
def test_states_that_differ_only_in_hidden_cards_give_equal_observations(kind: str) -> None:
    random = Random(1)
    changed = 0
    for seed in range(12):
        game = GAMES[kind](players=2 + seed % 3, seed=seed)
        for _ in range(60):
            if game.is_over:
                break
            for player in range(game.players):
                twin = shuffle_hidden(game, player, random)
                changed += twin._hands != game._hands
                assert twin.observation(player) == game.observation(player)
                assert hash(twin.observation(player)) == hash(game.observation(player))
            game.apply(random_action(game, random))
    assert changed > 100


@pytest.mark.parametrize("kind", GAMES)
def test_a_player_sees_the_own_hand_and_all_that_lies_open(kind: str) -> None:
    random = Random(2)
    game = GAMES[kind](players=3, seed=5)
    for _ in range(200):
        if game.is_over:
            break
        for player in range(3):
            seen = game.observation(player)
            assert seen.player == player
            assert seen.hand == game._hands[player]
            assert seen.pile == tuple(game._pile)
            assert seen.stock_size == len(game._stock)
            assert (seen.current_player, seen.phase) == (game.current_player, game.phase)
            assert (seen.scores, seen.dealer) == (game.scores, game.dealer)
            assert seen.round == len(game.rounds)
            assert seen.last_round == (game.rounds[-1] if game.rounds else None)
        game.apply(random_action(game, random))


def test_an_observation_does_not_change_when_the_game_goes_on() -> None:
    random = Random(3)
    game = Perico(3, seed=5)
    seen = game.observation(1)
    kept, twin = repr(seen), game.copy().observation(1)
    for _ in range(30):
        game.apply(random_action(game, random))
    assert repr(seen) == kept
    assert seen == twin


def test_cards_taken_from_the_pile_are_known_until_they_are_discarded() -> None:
    game = Perico(2, seed=1, dealer=1, decks=["2c Ah 3d Ad 5h Kc 7s Kh 9c Qd 8d 4c 6s"])
    act(game, "take 1, discard 2c")
    assert game.observation(1).known == ((Card("8d"),), ())
    act(game, "draw stock, discard 4c", "take 1, discard 8d")
    assert game.observation(1).known == ((Card("4c"),), ())


def test_a_card_drawn_from_the_stock_is_seen_by_the_player_alone() -> None:
    game = Paiute(2, seed=1, dealer=1)
    act(game, "draw stock")
    drawn = game.observation(0).hand[-1]
    other = game.observation(1)
    assert str(drawn) not in repr(other).replace(repr(game.evaluator), "")
