"""Measure the games: turns a second on one core, and how often greedy players beat random ones.

Run ``python benchmarks/bench_games.py``; ``--games`` sets how many games the win rates take.
"""

import argparse
import time
from collections.abc import Sequence
from functools import partial
from statistics import median

from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.players import GreedyPlayer, Player, RandomPlayer, play
from wildrank.games.puck import Puck
from wildrank.games.simulate import GameFactory, simulate
from wildrank.games.six_card_perico import SixCardPerico

GAMES: dict[str, GameFactory] = {
    "perico, pile": Perico,
    "perico, stock": partial(Perico, play="stock"),
    "six-card, pile": SixCardPerico,
    "six-card, stock": partial(SixCardPerico, play="stock"),
    "puck": Puck,
    "paiute": Paiute,
}


def turns_a_second(factory: GameFactory, players: Sequence[Player], seconds: float) -> float:
    """Return the median rate of many games, each with its deals and shuffles."""
    rates = []
    end = time.perf_counter() + seconds
    seed = 0
    while time.perf_counter() < end:
        turns, seed = 0, seed % 20 + 1
        start = time.perf_counter()
        while turns < 200:
            game = factory(players=len(players), seed=seed)
            play(game, players)
            turns += game.turns
        rates.append(turns / (time.perf_counter() - start))
    return median(rates)


def main() -> None:
    """Print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    print(f"{'game':<16}{'players':>8}{'greedy turns/s':>16}{'random turns/s':>16}")
    for name, factory in GAMES.items():
        for seats in (2, 4):
            rates = [
                turns_a_second(factory, [player] * seats, arguments.seconds)
                for player in (GreedyPlayer(), RandomPlayer(1))
            ]
            print(f"{name:<16}{seats:>8}{rates[0]:>16,.0f}{rates[1]:>16,.0f}")
    print(f"\n{'game':<16}{'players':>8}  wins of one greedy player against random ones")
    for name, factory in GAMES.items():
        for seats in (2, 4):
            players: list[Player] = [GreedyPlayer(), *[RandomPlayer()] * (seats - 1)]
            result = simulate(factory, players, arguments.games, seed=1, workers=arguments.workers)
            low, high = result.intervals[0]
            print(
                f"{name:<16}{seats:>8}  {result.win_rates[0]:.1%} of {result.games} games "
                f"(95 % interval {low:.1%} to {high:.1%}, by chance {1 / seats:.0%})"
            )


if __name__ == "__main__":
    main()
