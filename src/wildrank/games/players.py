"""Players: programs that choose actions from what one player may know.

Writing an own player takes one method, ``choose(observation, legal_actions)``. A player that draws
random numbers or remembers things may also have a method ``reset(seed)``; `simulate` calls it
before each game, which makes the games reproducible.
"""

from collections.abc import Callable, Sequence
from math import inf
from random import Random
from typing import Any, Protocol

from wildrank.cards import as_int
from wildrank.errors import RuleError, shown
from wildrank.games.actions import Action
from wildrank.games.base import Actions, Game
from wildrank.games.paiute import PaiuteObservation
from wildrank.games.perico import PericoObservation
from wildrank.games.puck import PuckObservation
from wildrank.games.strategies import PaiuteStrategy, PericoStrategy, PuckStrategy

__all__ = ["GreedyPlayer", "Player", "RandomPlayer", "play"]


class Player(Protocol):
    """What a player must be able to do."""

    def choose(self, observation: Any, legal_actions: Sequence[Action]) -> Action:
        """Return one of the legal actions.

        Parameters
        ----------
        observation : Observation
            What the player may know.
        legal_actions : sequence of Action
            Not empty; it may be long, and lazy.

        Returns
        -------
        Action
        """


class RandomPlayer:
    """Chooses a kind of action at random, and then an action of that kind.

    Parameters
    ----------
    seed : int, optional
        By default every player differs.

    Examples
    --------
    >>> from wildrank.games.perico import Perico
    >>> game = Perico(players=2, seed=1)
    >>> player = RandomPlayer(seed=5)
    >>> game.is_legal(player.choose(game.observation(game.current_player), game.legal_actions()))
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        # Of the generators' methods only random() is sure to stay the same in all versions.
        self._random = Random(seed).random

    def reset(self, seed: int) -> None:
        """Begin again with a new seed.

        Parameters
        ----------
        seed : int
        """
        self._random = Random(seed).random

    def choose(self, observation: Any, legal_actions: Sequence[Action]) -> Action:
        """Return a random action.

        Parameters
        ----------
        observation : Observation
        legal_actions : sequence of Action

        Returns
        -------
        Action
        """
        count = len(legal_actions)
        if type(legal_actions) is Actions:
            plain = legal_actions.plain
            kind = int(self._random() * (plain + (count > plain)))
            if kind < plain:
                return legal_actions[kind]
            return legal_actions[plain + int(self._random() * (count - plain))]
        kinds = list(dict.fromkeys(map(type, legal_actions)))
        if 1 < len(kinds) < count:
            kind_of = kinds[int(self._random() * len(kinds))]
            legal_actions = [action for action in legal_actions if type(action) is kind_of]
        return legal_actions[int(self._random() * len(legal_actions))]


class GreedyPlayer:
    """Plays every game by what the next step is worth.

    It improves its hand as far as one step can tell, and knocks, calls or steals by the chance to
    win that it estimates from what it sees; it does not look further ahead and never bluffs. The
    same observation always leads to the same choice.

    Examples
    --------
    >>> from wildrank.games.puck import Puck
    >>> game = Puck(players=3, seed=4, direction="clockwise")
    >>> player = GreedyPlayer()
    >>> print(player.choose(game.observation(game.current_player), game.legal_actions()))
    steal 3 from 1, discard 5c Qh As
    """

    def __init__(self) -> None:
        self._strategies: dict[type, Callable[[Any, Sequence[Action]], Action]] = {
            PericoObservation: PericoStrategy().choose,
            PuckObservation: PuckStrategy().choose,
            PaiuteObservation: PaiuteStrategy().choose,
        }

    def choose(self, observation: Any, legal_actions: Sequence[Action]) -> Action:
        """Return the action that promises most.

        Parameters
        ----------
        observation : PericoObservation, PuckObservation or PaiuteObservation
        legal_actions : sequence of Action

        Returns
        -------
        Action

        Raises
        ------
        RuleError
            If the observation is of another game.
        """
        choose = self._strategies.get(type(observation))
        if choose is None:
            raise RuleError(
                "expected an observation of Perico, Puck or Paiute, "
                f"got {type(observation).__name__}"
            )
        return choose(observation, legal_actions)


def play(game: Game[Any], players: Sequence[Player], max_turns: int | None = None) -> None:
    """Play a game to its end.

    Parameters
    ----------
    game : Game
        May have begun already.
    players : sequence of Player
        One for each seat.
    max_turns : int, optional
        After how many turns of the game to stop even if it is not over: there are players, such as
        two who never knock, with whom Perico goes on for ever.

    Raises
    ------
    RuleError
        If there are more or fewer players than seats, one of them is no player, or `max_turns` is
        no int of at least 0.
    IllegalActionError
        If a player chooses an action that is not legal.

    Examples
    --------
    >>> from wildrank.games.paiute import Paiute
    >>> game = Paiute(players=2, seed=1, deals=3)
    >>> play(game, [GreedyPlayer(), RandomPlayer(1)])
    >>> game.is_over, sum(game.scores)
    (True, 0)
    """
    check_players(players)
    if len(players) != game.players:
        raise RuleError(f"expected {game.players} players, one for each seat, got {len(players)}")
    choosers = [player.choose for player in players]
    most = inf if max_turns is None else as_int(max_turns)
    if most is None or most < 0:
        raise RuleError(f"expected max_turns to be an int of at least 0, got {shown(max_turns)}")
    while not game.is_over and game.turns < most:
        player = game.current_player
        game.apply(choosers[player](game.observation(player), game.legal_actions()))


def check_players(players: object) -> None:
    """Raise a `RuleError` unless these are players."""
    if not isinstance(players, Sequence):
        raise RuleError(f"expected a sequence of players, got {shown(players)}")
    for seat, player in enumerate(players):
        if isinstance(player, type) or not callable(getattr(player, "choose", None)):
            raise RuleError(
                f"expected an object with a method choose in seat {seat}, got {shown(player)}"
            )
