"""Players, whole games between them, and simulations of many."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from wildrank.errors import IllegalActionError, RuleError
from wildrank.games.actions import Action, Keep, Knock
from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.players import GreedyPlayer, Player, RandomPlayer, play
from wildrank.games.puck import Puck
from wildrank.games.simulate import GameFactory, Simulation, simulate
from wildrank.games.six_card_perico import SixCardPerico

GAMES: dict[str, GameFactory] = {
    "perico": Perico,
    "perico, stock": partial(Perico, play="stock"),
    "perico, declaring": partial(Perico, auto_declare=False),
    "perico, stock, declaring": partial(Perico, play="stock", auto_declare=False),
    "six-card perico": SixCardPerico,
    "six-card perico, declaring": partial(SixCardPerico, auto_declare=False),
    "six-card perico, stock": partial(SixCardPerico, play="stock", natural_five_of_a_kind=True),
    "puck": Puck,
    "puck, more": partial(Puck, ace="both", cut=True, ante=2, jokers=0),
    "paiute": partial(Paiute, deals=3),
    "paiute, last turns of all": partial(Paiute, deals=3, last_turns="all"),
    "paiute, more": partial(Paiute, deals=3, last_turns="all", max_turns=60, ace="both"),
}


class Checked:
    """A player whose every choice is checked to be one of the legal actions."""

    def __init__(self, player: Any) -> None:
        self.player: Player = player

    def choose(self, observation: Any, legal_actions: Sequence[Action]) -> Action:
        assert observation.player == observation.current_player
        action: Action = self.player.choose(observation, legal_actions)
        assert action in list(legal_actions)
        return action


@pytest.mark.parametrize("kind", GAMES)
def test_greedy_players_play_whole_games_by_the_rules(kind: str) -> None:
    greedy = Checked(GreedyPlayer())
    most = 4 if "puck" in kind else 5
    for seed in range(12):
        players = 2 + seed % (most - 1)
        game = GAMES[kind](players=players, seed=seed)
        play(game, [greedy] * players)
        assert game.is_over


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("kind", GAMES)
def test_greedy_beats_random(kind: str, seats: int) -> None:
    """One greedy player, in the first seat or the last, wins far more than its share.

    The rates of 2,000 games are in `benchmarks/bench_games.py`.
    """
    seats = 3 if kind == "puck" and seats == 4 else seats
    games, won = 0, 0
    for seat in (0, seats - 1):
        players: list[Player] = [RandomPlayer() for _ in range(seats)]
        players[seat] = GreedyPlayer()
        result = simulate(GAMES[kind], players, games=200, seed=7)
        games += result.games
        won += sum(winners == [seat] for winners in map(places, result.winners))
    by_chance = 1 / seats
    assert wilson_lower(won, games) > (1 + by_chance) / 2, f"{won} of {games}"


def places(winners: np.ndarray[Any, Any]) -> list[int]:
    return [int(place) for place in np.flatnonzero(winners)]


def wilson_lower(won: int, games: int) -> float:
    """Return the lower end of Wilson's 99.9 % interval of a rate."""
    z = 3.2905
    rate = won / games
    half = z * math.sqrt(rate * (1 - rate) / games + (z / (2 * games)) ** 2)
    return (rate + z**2 / (2 * games) - half) / (1 + z**2 / games)


def test_greedy_players_come_to_an_end_even_if_no_hand_is_good_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wildrank.games.strategies.KNOCK_AT", 2.0)
    for kind in ("perico", "perico, stock", "six-card perico", "six-card perico, stock"):
        for players in (2, 5):
            game = GAMES[kind](players=players, seed=3)
            play(game, [GreedyPlayer()] * players)
            assert game.is_over


def test_a_greedy_player_always_chooses_the_same() -> None:
    for factory in GAMES.values():
        games = [factory(players=3, seed=5) for _ in range(2)]
        for game in games:
            play(game, [GreedyPlayer(), GreedyPlayer(), RandomPlayer(1)])
        assert games[0].history == games[1].history


def test_a_greedy_player_knows_only_these_games() -> None:
    with pytest.raises(RuleError, match="expected an observation of Perico, Puck or Paiute, got i"):
        GreedyPlayer().choose(5, [])


def test_a_random_player_can_be_reset() -> None:
    player = RandomPlayer(3)
    histories = []
    for _ in range(2):
        game = Puck(players=2, seed=1)
        play(game, [player, player])
        histories.append(game.history)
        player.reset(3)
    assert histories[0] == histories[1]


def test_a_random_player_chooses_each_kind_of_action_equally_often() -> None:
    game = Perico(2, seed=1, play="stock")
    for _ in range(2):
        game.apply(game.legal_actions()[-1])
    player = RandomPlayer(1)
    observation, legal = game.observation(game.current_player), game.legal_actions()
    kinds = [player.choose(observation, legal).words for _ in range(3000)]
    for kind in ("draw stock", "knock", "exchange"):
        assert 850 < kinds.count(kind) < 1150


class Patient:
    """An own player takes one method."""

    def choose(self, observation: Any, legal_actions: Sequence[Action]) -> Action:
        return Knock() if Knock() in legal_actions[:2] else legal_actions[0]


def test_an_own_player_is_one_method() -> None:
    result = simulate(Perico, [GreedyPlayer(), Patient()], games=20)
    assert result.players == ("GreedyPlayer", "Patient")
    assert result.winners.sum() == 20


def test_an_illegal_choice_of_a_player_is_an_error() -> None:
    class Wrong:
        def choose(self, observation: Any, legal_actions: Sequence[Action]) -> Action:
            return Keep()

    with pytest.raises(IllegalActionError):
        play(Perico(2, seed=1), [Wrong(), Wrong()])


def test_there_is_one_player_for_each_seat() -> None:
    with pytest.raises(RuleError, match="expected 3 players, one for each seat, got 2"):
        play(Perico(3, seed=1), [RandomPlayer(), RandomPlayer()])


@pytest.mark.parametrize("players", [5, None, {1: 2}, [GreedyPlayer, RandomPlayer], [1, 2], "xy"])
def test_what_is_no_player_is_refused(players: Any) -> None:
    for run in (partial(play, Perico(2, seed=1)), partial(simulate, Perico, games=1)):
        with pytest.raises(RuleError, match=r"expected a sequence of players|with a method choose"):
            run(players=players)


class Passive:
    """Draws a card and throws it away, for ever."""

    def choose(self, observation: Any, legal_actions: Sequence[Action]) -> Action:
        return legal_actions[-1] if observation.phase == "discard" else legal_actions[0]


ENDLESS = partial(Perico, auto_declare=False, points=1)


def test_a_game_can_be_stopped_after_some_turns() -> None:
    game = ENDLESS(2, seed=1)
    play(game, [Passive(), Passive()], max_turns=50)
    assert (game.turns, game.is_over) == (50, False)


# --- simulations ---


@pytest.mark.parametrize("workers", [1, 2])
def test_a_game_that_does_not_end_is_an_error_that_names_it(workers: int) -> None:
    with pytest.raises(
        RuleError, match=r"expected game 0 \(seed \d+\) to end within max_turns=500"
    ):
        simulate(ENDLESS, [Passive(), Passive()], games=9, max_turns=500, workers=workers)


def no_game(players: int, seed: int) -> Any:
    return [players, seed]


@pytest.mark.parametrize("factory", [5, None, no_game, dict, partial(Perico, 3)])
def test_what_makes_no_games_is_refused(factory: Any) -> None:
    with pytest.raises(RuleError, match="simulate: expected a "):
        simulate(factory, [RandomPlayer(), RandomPlayer()], games=1)


def same(first: Simulation, second: Simulation) -> bool:
    return first.endings == second.endings and all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("winners", "scores", "rounds", "turns")
    )


def test_a_simulation_is_the_same_for_any_number_of_workers() -> None:
    factory = partial(Puck, ante=1)
    players: list[Player] = [GreedyPlayer(), RandomPlayer(), RandomPlayer()]
    results = [simulate(factory, players, games=60, seed=4, workers=n) for n in (1, 2, 3)]
    assert same(results[0], results[1])
    assert same(results[0], results[2])
    assert not same(results[0], simulate(factory, players, games=60, seed=5))


def test_a_simulation_counts_wins_scores_rounds_turns_and_endings() -> None:
    result = simulate(partial(Perico, points=2), [RandomPlayer()] * 3, games=50, seed=1)
    assert result.games == 50
    assert result.winners.shape == result.scores.shape == (50, 3)
    assert (result.winners.dtype.name, result.scores.dtype.name) == ("bool", "int64")
    assert (result.scores.max(axis=1) == 2).all()
    assert ((result.scores == 2) == result.winners).all()
    assert result.wins.sum() == 50
    assert result.win_rates.sum() == pytest.approx(1)
    assert sum(result.endings.values()) == result.rounds.sum()
    assert (result.turns > result.rounds).all()
    assert (
        (result.intervals[:, 0] < result.win_rates) & (result.win_rates < result.intervals[:, 1])
    ).all()


def test_a_shared_victory_counts_in_equal_parts() -> None:
    result = simulate(partial(Paiute, deals=1, max_turns=1), [RandomPlayer()] * 4, games=5, seed=1)
    assert result.wins.tolist() == [1.25] * 4
    assert result.endings == {"max_turns": 5}


def test_the_table_shows_every_seat_and_how_rounds_ended() -> None:
    result = simulate(partial(Puck, max_rounds=3), [GreedyPlayer(), RandomPlayer()], games=10)
    lines = result.table().splitlines()
    assert str(result) == result.table()
    assert len(lines) == 4
    assert "GreedyPlayer" in lines[1]
    assert lines[-1].startswith("10 games, 30 rounds (show 30), ")


@pytest.mark.parametrize("max_turns", ["x", -1, 1.5, True])
def test_a_wrong_limit_of_turns_is_refused(max_turns: Any) -> None:
    with pytest.raises(RuleError, match="expected max_turns to be an int of at least 0, got"):
        play(Perico(2, seed=1), [RandomPlayer(), RandomPlayer()], max_turns=max_turns)


def test_progress_is_told_as_games_are_played() -> None:
    done: list[int] = []
    simulate(partial(Puck, max_rounds=1), [RandomPlayer()] * 2, games=37, progress=done.append)
    assert done == sorted(done)
    assert done[-1] == 37
    assert len(done) > 2


@pytest.mark.parametrize(
    "options", [{"games": 0}, {"games": "x"}, {"seed": -1}, {"workers": 0}, {"max_turns": 0}]
)
def test_arguments_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="simulate: expected"):
        simulate(Perico, [RandomPlayer()] * 2, **{"games": 1, **options})


def test_what_cannot_be_sent_to_other_processes_is_refused() -> None:
    with pytest.raises(RuleError, match="can be pickled for workers=2"):
        simulate(lambda **options: Perico(**options), [RandomPlayer()] * 2, games=9, workers=2)
