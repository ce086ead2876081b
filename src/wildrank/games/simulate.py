"""Many games at once: who wins, with which scores, in how many rounds and turns."""

import math
import pickle
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from wildrank.cards import as_int
from wildrank.errors import RuleError, shown
from wildrank.games.base import MOST_SEED, Game
from wildrank.games.players import Player, check_players, play

__all__ = ["GameFactory", "Simulation", "simulate"]

CHUNKS_PER_WORKER: Final = 8
MOST_IN_CHUNK: Final = 100  # about a second's work: an interrupted simulation waits for its end
CHUNKS_AHEAD: Final = 4  # for each worker
SCORE_95: Final = 1.959963984540054  # of the normal distribution


class GameFactory(Protocol):
    """What makes the games: a game class, or a ``functools.partial`` of one with its options."""

    def __call__(self, *, players: int, seed: int) -> Game[Any]:
        """Return a new game."""


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """What many games came to.

    Attributes
    ----------
    players : tuple of str
        The class of the player in each seat.
    winners : ndarray of bool, shape (games, seats)
        Who won each game; several players may share a victory.
    scores : ndarray of int64, shape (games, seats)
        The scores at the end.
    rounds, turns : ndarray of int64, shape (games,)
        How many rounds or deals, and how many turns, each game took.
    endings : dict of str to int
        How many rounds ended in which way.
    """

    players: tuple[str, ...]
    winners: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.int64]
    rounds: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    endings: dict[str, int]

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.rounds)

    @property
    def wins(self) -> npt.NDArray[np.float64]:
        """Games won by each seat; a victory of several counts in equal parts."""
        shares = self.winners / self.winners.sum(axis=1, keepdims=True)
        return np.asarray(shares.sum(axis=0))

    @property
    def win_rates(self) -> npt.NDArray[np.float64]:
        """The share of the games that each seat won."""
        return self.wins / self.games

    @property
    def intervals(self) -> npt.NDArray[np.float64]:
        """A 95 % confidence interval (Wilson's) of each win rate, shape (seats, 2)."""
        rate, n = self.win_rates, self.games
        middle = rate + SCORE_95**2 / (2 * n)
        half = SCORE_95 * np.sqrt(rate * (1 - rate) / n + (SCORE_95 / (2 * n)) ** 2)
        return np.stack((middle - half, middle + half), axis=1) / (1 + SCORE_95**2 / n)

    def table(self) -> str:
        """Return the results as a table.

        Returns
        -------
        str
            One line for each seat, then the rounds, turns and endings.
        """
        lines = [f"{'seat':>4}  {'player':<14}{'wins':>9}{'rate':>8}  {'95 % interval':<16}score"]
        for seat, (low, high) in enumerate(self.intervals):
            lines.append(
                f"{seat:>4}  {self.players[seat]:<14}{self.wins[seat]:>9.1f}"
                f"{self.win_rates[seat]:>8.1%}  {f'{low:.1%} to {high:.1%}':<16}"
                f"{self.scores[:, seat].mean():.2f}"
            )
        endings = ", ".join(f"{name} {count}" for name, count in sorted(self.endings.items()))
        lines.append(
            f"{self.games} games, {self.rounds.sum()} rounds ({endings}), {self.turns.sum()} turns"
        )
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()


def simulate(
    game_factory: GameFactory,
    players: Sequence[Player],
    games: int,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int], object] | None = None,
    max_turns: int = 1_000_000,
) -> Simulation:
    """Play many games.

    Parameters
    ----------
    game_factory : callable
        A game class, or a ``functools.partial`` of one with options.
    players : sequence of Player
        One for each seat. Players with a method ``reset(seed)`` are reset before each game.
    games : int
        How many games.
    seed : int
        Decides the seeds of the games and of the players.
    workers : int
        How many processes play. With more than one, the factory and the players must be picklable,
        and a script must guard its main part with ``if __name__ == "__main__":``.
    progress : callable, optional
        Called now and then with the number of games that have been played.
    max_turns : int
        The most turns of one game; so a game that players never end is an error.

    Returns
    -------
    Simulation
        The same for any number of workers, if the players are reset or remember nothing.

    Raises
    ------
    RuleError
        If an argument is out of range, or cannot be sent to other processes, or if a game takes
        more turns; its number, from 0, and its seed are told.

    Examples
    --------
    >>> from functools import partial
    >>> from wildrank.games.players import GreedyPlayer, RandomPlayer
    >>> from wildrank.games.puck import Puck
    >>> result = simulate(partial(Puck, ante=1), [GreedyPlayer(), RandomPlayer()], games=20, seed=1)
    >>> result.games, result.scores.shape, bool(result.win_rates[0] > 0.5)
    (20, (20, 2), True)
    """
    games = _read("games", games, 1, 10**9)
    seed = _read("seed", seed, 0, MOST_SEED)
    workers = _read("workers", workers, 1, 1000)
    max_turns = _read("max_turns", max_turns, 1, 10**9)
    if not callable(game_factory):
        raise RuleError(
            f"simulate: expected a game class, or a partial of one, got {shown(game_factory)}"
        )
    check_players(players)
    table = _Table(game_factory, players, seed, max_turns)
    size = min(MOST_IN_CHUNK, math.ceil(games / (workers * CHUNKS_PER_WORKER)))
    chunks = (range(first, min(first + size, games)) for first in range(0, games, size))
    parts: list[_Part] = []
    done = 0
    for part in _parts(table, chunks, min(workers, math.ceil(games / size))):
        parts.append(part)
        done += len(part.rounds)
        if progress is not None:
            progress(done)
    return Simulation(
        tuple(type(player).__name__ for player in players),
        np.concatenate([part.winners for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.rounds for part in parts]),
        np.concatenate([part.turns for part in parts]),
        dict(sum((part.endings for part in parts), Counter())),
    )


class _Table(NamedTuple):
    """What all games have in common."""

    factory: GameFactory
    players: Sequence[Player]
    seed: int
    max_turns: int


class _Part(NamedTuple):
    """The results of some games."""

    winners: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.int64]
    rounds: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    endings: Counter[str]


def _parts(table: _Table, chunks: Iterable[range], workers: int) -> Iterator[_Part]:
    """Play chunks of games, in this process or in several; return their results in order."""
    if workers == 1:
        for chunk in chunks:
            yield _play_chunk(table, chunk)
        return
    # These take a while to import, and one process has no use for them.
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        pickle.dumps(table)
    except Exception as error:
        raise RuleError(
            "simulate: expected a factory and players that can be pickled for "
            f"workers={workers}, got {error}"
        ) from error
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: deque[Future[_Part]] = deque()
        try:
            for chunk in chunks:
                if len(waiting) == CHUNKS_AHEAD * workers:
                    yield waiting.popleft().result()
                with _interrupts_held_back():  # and from the workers, which begin here, for good
                    waiting.append(pool.submit(_play_chunk, table, chunk))
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise RuleError(
                "simulate: expected players and a factory that other processes can import (from a "
                "module or a guarded script, not from a prompt), but a worker has ended"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let an interrupt wait, and no process that begins meanwhile ever notice one."""
    handler = signal.getsignal(signal.SIGINT)
    if (
        threading.current_thread() is not threading.main_thread()
        or handler is None  # it could not be set again
        or not hasattr(signal, "pthread_sigmask")  # as on Windows
    ):
        yield
        return
    caught: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    try:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # processes inherit this
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    finally:
        signal.signal(signal.SIGINT, handler)
        if caught:
            signal.raise_signal(signal.SIGINT)


def _play_chunk(table: _Table, numbers: range) -> _Part:
    seats = len(table.players)
    winners = np.zeros((len(numbers), seats), dtype=np.bool_)
    scores = np.zeros((len(numbers), seats), dtype=np.int64)
    rounds = np.zeros(len(numbers), dtype=np.int64)
    turns = np.zeros(len(numbers), dtype=np.int64)
    endings: Counter[str] = Counter()
    for place, number in enumerate(numbers):
        game = _play_one(table, number)
        winners[place, list(game.winners)] = True
        scores[place] = game.scores
        rounds[place] = len(game.rounds)
        turns[place] = game.turns
        endings.update(result.ending for result in game.rounds)
    return _Part(winners, scores, rounds, turns, endings)


def _play_one(table: _Table, number: int) -> Game[Any]:
    for seat, player in enumerate(table.players):
        reset = getattr(player, "reset", None)
        if reset is not None:
            reset(_derive(table.seed, number, seat))
    game = _make(table, _derive(table.seed, number))
    play(game, table.players, table.max_turns)
    if not game.is_over:
        raise RuleError(
            f"simulate: expected game {number} (seed {game.seed}) to end within "
            f"max_turns={table.max_turns}, got one that goes on"
        )
    return game


def _make(table: _Table, seed: int) -> Game[Any]:
    try:
        game: object = table.factory(players=len(table.players), seed=seed)
    except TypeError as error:
        raise RuleError(
            f"simulate: expected a factory that takes players and seed, got {error}"
        ) from error
    if not isinstance(game, Game):
        raise RuleError(f"simulate: expected a factory of games, got {shown(game)} from it")
    return game


def _derive(*numbers: int) -> int:
    """Return a seed that depends on these numbers alone."""
    text = " ".join(map(str, numbers)).encode()
    return int.from_bytes(blake2b(text, digest_size=6).digest(), "big")


def _read(name: str, value: object, least: int, most: int) -> int:
    number = as_int(value)
    if number is None or not least <= number <= most:
        limit = f"at least {least}" if number is None or number < least else f"at most {most}"
        raise RuleError(f"simulate: expected {name} to be an int of {limit}, got {shown(value)}")
    return number
