"""Random games of every kind, option and number of players keep to the rules; so does any play."""

import pickle
from collections.abc import Callable
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest
from game_table import random_action, stacked, state
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from referee import Referee, play_checked, referee, slip

from wildrank.games.actions import (
    Action,
    Call,
    ChooseDirection,
    Cut,
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
from wildrank.games.base import Game
from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.puck import Puck
from wildrank.games.records import dumps, loads
from wildrank.games.six_card_perico import SixCardPerico

Factory = Callable[..., Game[Any]]


def perico_options() -> list[Factory]:
    return [
        partial(
            kind,
            players,
            play=play,
            auto_declare=auto,
            natural_five_of_a_kind=natural,
            points=points,
        )
        for kind, most in ((Perico, 6), (SixCardPerico, 5))
        for players, play, auto, natural, points in product(
            range(2, most + 1), ("pile", "stock"), (True, False), (True, False), (1, 2)
        )
    ]


def puck_options() -> list[Factory]:
    return [
        partial(
            Puck,
            players,
            jokers=jokers,
            ace=ace,
            direction=direction,
            cut=cut,
            ante=ante,
            max_rounds=max_rounds,
        )
        for players, jokers in ((2, 2), (2, 0), (3, 2), (3, 0), (4, 0))
        for ace in ("high", "both")
        for direction in (None, "clockwise", "counter-clockwise")
        for cut, ante, max_rounds in ((False, 0, 100), (True, 3, None), (False, 7, 4))
    ]


def paiute_options() -> list[Factory]:
    return [
        partial(
            Paiute, players, deals=deals, ante=ante, last_turns=last, max_turns=max_turns, ace=ace
        )
        for players in range(2, 6)
        for last, ace in product(("dealer", "all"), ("high", "both"))
        for deals, ante, max_turns in ((1, 1, None), (2, 3, 40), (3, 1, 9), (2, 0, 80))
    ]


OPTIONS = {
    "perico": (perico_options, 88),
    "puck": (puck_options, 54),
    "paiute": (paiute_options, 40),
}


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("kind", OPTIONS)
def test_random_games_keep_to_the_rules(kind: str, part: int) -> None:
    """More than 20,000 games in all."""
    options, games = OPTIONS[kind]
    for number, factory in enumerate(options()[part::4]):
        for seed in range(games):
            random = Random(1000 * number + seed)
            for _ in play_checked(factory(seed=seed), random):
                pass


def test_there_are_20_000_random_games() -> None:
    assert sum(len(options()) * games for options, games in OPTIONS.values()) >= 20_000


# Random play draws no rounds and splits no pots: hands that tie, and players who keep them, do.
EQUAL = ["Ah Kd Qs 9c 7c", "As Kh Qd 9d 7d", "2c 3d 5h 8s 9h"]
EQUAL_PAIRS = ["Kc Kd 9c 9h 5c", "Kh Ks 9d 9s 5d", "4c 6d 8h Ts Qc"]  # a five makes the third pair


def keep_the_hand(game: Game[Any]) -> Action:
    """Return a knock or call if there is one, else a draw from the stock or its discard."""
    legal = game.legal_actions()
    if type(legal[-1]) is Call:
        return legal[-1]
    if game.phase == "discard":
        return Discard(game.observation(game.current_player).hand[-1])
    return Knock() if game.is_legal(Knock()) else DrawStock()


@pytest.mark.parametrize("dealer", range(3))
@pytest.mark.parametrize("play", ["pile", "stock"])
def test_drawn_rounds_keep_to_the_rules(play: str, dealer: int) -> None:
    deck = stacked(EQUAL, "8d 4c 6s 8h 4d Ts 3c Jd", dealer=dealer)
    game = Perico(3, seed=1, dealer=dealer, play=play, points=2, decks=[deck] * 3)
    book = referee(game)
    while len(game.rounds) < 3:
        book.play(keep_the_hand(game))
    assert [round.winners for round in game.rounds] == [(0, 1)] * 3
    assert game.dealer == dealer
    random = Random(1)
    while not game.is_over:
        book.play(random_action(game, random))


@pytest.mark.parametrize("last_turns", ["dealer", "all"])
@pytest.mark.parametrize("ante", [1, 2, 3])
def test_split_pots_keep_to_the_rules(ante: int, last_turns: str) -> None:
    draws = ("5h 5s 7c", "5h 7c 5s", "7c 5h 5s")  # in the order of the players, who begin in turn
    decks = [
        stacked(EQUAL_PAIRS, f"2s 3s {draw}", dealer=(2 + number) % 3)
        for number, draw in enumerate(draws)
    ]
    game = Paiute(3, seed=1, dealer=2, deals=5, ante=ante, last_turns=last_turns, decks=decks)
    book = referee(game)
    while len(game.rounds) < 3:
        book.play(keep_the_hand(game))
    assert [round.winners for round in game.rounds] == [(0, 1)] * 3
    random = Random(1)
    while not game.is_over:
        book.play(random_action(game, random))


@pytest.mark.parametrize("kind", [Perico, SixCardPerico, Puck, Paiute])
def test_a_whole_game_with_the_default_options_ends(kind: Factory) -> None:
    for seed in range(10):
        game = kind(players=3, seed=seed)
        for _ in play_checked(game, Random(seed)):
            pass
        assert game.winners
        assert max(game.scores) == game.scores[game.winners[0]]


# --- any play, found by hypothesis ---

CARDS = st.integers(0, 55)
HANDS = st.lists(CARDS, min_size=0, max_size=6)


ANY_ACTION = st.one_of(
    st.sampled_from([DrawStock(), DrawPile(), Knock(), Keep(), Declare(), Call()]),
    st.builds(Discard, CARDS),
    st.builds(Call, CARDS),
    st.builds(Take, HANDS),
    st.builds(Exchange, HANDS),
    st.builds(
        Steal, st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 5)), max_size=4), HANDS
    ),
    st.builds(ChooseDirection, st.sampled_from(["clockwise", "counter-clockwise"])),
    st.builds(Cut, st.integers(-1, 60)),
)


class AnyGame(RuleBasedStateMachine):
    """A game that is played, tried with nonsense, copied, written down and read again."""

    game: Game[Any]
    referee: Referee

    @initialize(data=st.data(), seed=st.integers(0, 2**32))
    def begin(self, data: st.DataObject, seed: int) -> None:
        everything = [*perico_options(), *puck_options(), *paiute_options()]
        self.game = data.draw(st.sampled_from(everything))(seed=seed)
        self.referee = referee(self.game)

    @precondition(lambda self: not self.game.is_over)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        legal = self.game.legal_actions()
        action = legal[data.draw(st.integers(0, len(legal) - 1))]
        assert self.game.is_legal(action)
        self.referee.play(action)

    @precondition(lambda self: not self.game.is_over)
    @rule(seed=st.integers(0, 1000))
    def act_some_more(self, seed: int) -> None:
        random = Random(seed)
        for _ in range(10):
            if not self.game.is_over:
                self.referee.play(random_action(self.game, random))

    @rule(action=ANY_ACTION)
    def try_anything(self, action: Action) -> None:
        self.attempt(action)

    @precondition(lambda self: not self.game.is_over)
    @rule(seed=st.integers(0, 1000))
    def try_what_is_almost_legal(self, seed: int) -> None:
        self.attempt(slip(self.game, Random(seed)))

    def attempt(self, action: Action) -> None:
        if self.referee.attempt(action, look=everything_of):
            self.referee.play(action)

    @precondition(lambda self: not self.game.is_over)
    @rule(seed=st.integers(0, 1000))
    def copies_go_their_own_way(self, seed: int) -> None:
        before = everything_of(self.game)
        twins = self.game.copy(), self.game.copy()
        for twin in twins:
            random = Random(seed)
            for _ in range(20):
                if not twin.is_over:
                    twin.apply(random_action(twin, random))
        assert state(twins[0]) == state(twins[1])
        assert everything_of(self.game) == before

    @rule()
    def write_and_read(self) -> None:
        again = loads(dumps(self.game))
        assert state(again) == state(self.game)

    @invariant()
    def the_list_of_legal_actions_is_right(self) -> None:
        legal = list(self.game.legal_actions())
        assert len(set(legal)) == len(legal)
        assert all(map(self.game.is_legal, legal))
        assert all(map(self.referee.allows, legal))


def everything_of(game: Game[Any]) -> tuple[Any, ...]:
    """Return all that can be seen of a game, and all that cannot."""
    return (
        [game.observation(player) for player in range(game.players)],
        list(game.legal_actions()),
        (game.current_player, game.phase, game.is_over, game.dealer, game.turns, game.options),
        (game.scores, game.winners, game.history, game.rounds),
        pickle.dumps(game),
    )


AnyGame.TestCase.settings = settings(
    max_examples=100,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestAnyGame = AnyGame.TestCase
