"""The environment; importing this module needs PettingZoo (the extra ``rl``)."""

import inspect
from hashlib import blake2b
from typing import Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from wildrank.cards import as_int
from wildrank.errors import RuleError, shown
from wildrank.games import game_types
from wildrank.games.actions import Action, card_text
from wildrank.games.base import Game
from wildrank.games.paiute import Paiute
from wildrank.games.puck import Puck
from wildrank.rl.layout import Counts, Layout
from wildrank.rl.numbering import Numbering

try:
    from gymnasium import logger
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the environments need {error.name}, which is not installed: pip install 'wildrank[rl]'",
        name=error.name,
    ) from error

__all__ = ["GameEnv", "wrap"]

ILLEGAL_REWARD: Final = -1
RENDER_MODES: Final = ("ansi", "human")
_RESERVED: Final = ("players", "seed")  # given in other ways


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game as an environment of agents who act one at a time.

    Parameters
    ----------
    game : {"perico", "six-card-perico", "puck", "paiute"}
    players : int
    turn_limit : int, optional
        After how many turns a game is truncated; never, if None.
    render_mode : {"ansi", "human"}, optional
    **options
        The options of the game.

    Attributes
    ----------
    layout : Layout
        Where the fields of an observation are.

    Raises
    ------
    RuleError
        If there is no such game or option, or an option is out of range.

    Examples
    --------
    >>> table = GameEnv("puck", players=2, direction="clockwise")
    >>> table.reset(seed=4)
    >>> observation, *_ = table.last()
    >>> np.flatnonzero(observation["action_mask"]).tolist()
    [0, 59, 62, 65, 71, 77, 83, 93]
    >>> print(table.action(93))
    steal 3 from 1, discard 2h 5c Jc
    """

    def __init__(
        self,
        game: str,
        players: int = 2,
        *,
        turn_limit: int | None = 1000,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        kinds = game_types()
        if not isinstance(game, str) or game not in kinds:
            raise RuleError(f"expected a game ({', '.join(kinds)}), got {shown(game)}")
        accepted = [
            name for name in inspect.signature(kinds[game]).parameters if name not in _RESERVED
        ]
        for option in options:
            if option not in accepted:
                raise RuleError(
                    f"{game}: expected an option ({', '.join(accepted)}), got {shown(option)}"
                )
        if render_mode not in (None, *RENDER_MODES):
            raise RuleError(
                f"{game}: expected render_mode to be 'ansi' or 'human', got {shown(render_mode)}"
            )
        if turn_limit is not None and (as_int(turn_limit) or 0) < 1:
            raise RuleError(
                f"{game}: expected turn_limit to be an int of at least 1, got {shown(turn_limit)}"
            )
        self._kind: Final = kinds[game]
        self._options: Final = {"players": players, **options}
        self._turn_limit: Final = turn_limit
        self.render_mode: Final = render_mode
        self.metadata: Final = {
            "name": f"{game.replace('-', '_')}_v0",  # v0: of the numbering and the layout
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self._seed: int | None = None
        self._standing: list[float] = []
        self._resets = 0
        self._kind(seed=0, **self._options)  # checks the options
        self._numbering: Final = Numbering(game, players)
        self.layout: Final = Layout(game, players)
        self.possible_agents: Final = [f"player_{seat}" for seat in range(players)]
        low, high = self.layout.bounds()
        self.observation_spaces: Final = {
            agent: Dict(
                {
                    "observation": Box(low, high, dtype=np.float32),
                    "action_mask": Box(0, 1, (len(self._numbering),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: Final = {
            agent: Discrete(len(self._numbering)) for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self._start(0)

    # --- PettingZoo's interface ---

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Parameters
        ----------
        seed : int, optional
            The seed of this game; it also decides the games after it.
        options : dict, optional
            Ignored.
        """
        if seed is not None:
            self._kind(seed=seed, **self._options)  # refuses a wrong seed before it is kept
            self._seed = seed
            self._resets = 0
        self._start(self._next_seed())
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._game.current_player]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return what an agent may know, and which actions are legal.

        Parameters
        ----------
        agent : str

        Returns
        -------
        dict of str to ndarray
            ``"observation"`` and ``"action_mask"``; the mask of agents who are not to act is all
            zeros.
        """
        seat = self.possible_agents.index(agent)
        if seat == self._game.current_player and not self._is_truncated():
            mask = self._numbering.mask(self._game)
        else:
            mask = np.zeros(len(self._numbering), dtype=np.int8)
        array = self.layout.array(self._game.observation(seat), self._counts)
        return {"observation": array, "action_mask": mask}

    def step(self, action: SupportsIndex | None) -> None:
        """Let the selected agent act.

        Parameters
        ----------
        action : int or None
            The number of a legal action; None for an agent whose game is over.

        Raises
        ------
        ActionError
            If there is no such number.
        IllegalActionError
            If the action is not legal; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._game.apply(self.action(action))  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        before, self._standing = self._standing, standing(self._game)
        for seat, name in enumerate(self.agents):
            self.rewards[name] = self._standing[seat] - before[seat]
        self._accumulate_rewards()
        if self._game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._is_truncated():
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[max(self._game.current_player, 0)]

    def render(self) -> str | None:
        """Show the table with all hands.

        Returns
        -------
        str or None
            The text, if the render mode is "ansi"; if it is "human", the text is printed.
        """
        if self.render_mode is None:
            logger.warn("render() shows nothing: the environment was made without render_mode.")
            return None
        text = describe(self._game)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    # --- more ---

    @property
    def game(self) -> Game[Any]:
        """A copy of the game as it stands."""
        return self._game.copy()

    def action(self, number: SupportsIndex) -> Action:
        """Return what a number means for the agent who is to act.

        Parameters
        ----------
        number : int

        Returns
        -------
        Action
            Not checked against the state of the game.

        Raises
        ------
        ActionError
            If there is no such number.
        IllegalActionError
            If it means a card that is not in the hand, or a player who is not there.
        """
        return self._numbering.action(number, *self._hand())

    def number(self, action: Action) -> int:
        """Return the number of an action of the agent who is to act.

        Parameters
        ----------
        action : Action

        Returns
        -------
        int

        Raises
        ------
        IllegalActionError
            If the action has no number, because it can never be legal with this hand.
        """
        return self._numbering.number(action, *self._hand())

    def _hand(self) -> tuple[tuple[Any, ...], int]:
        player = max(self._game.current_player, 0)
        return self._game.observation(player).hand, player

    def _start(self, seed: int | None) -> None:
        self._game: Game[Any] = self._kind(seed=seed, **self._options)
        self._standing = standing(self._game)
        self._counts = Counts(self.layout)

    def _next_seed(self) -> int | None:
        """Return the seed given last, then seeds made from it; None if there was none."""
        self._resets += 1
        if self._seed is None or self._resets == 1:
            return self._seed
        text = f"{self._seed} {self._resets}"
        return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")

    def _is_truncated(self) -> bool:
        return self._turn_limit is not None and self._game.turns >= self._turn_limit


def wrap(env: AECEnv) -> AECEnv:
    """Return an environment with the wrappers that PettingZoo's own games have."""
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=ILLEGAL_REWARD)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


def standing(game: Game[Any]) -> list[float]:
    """Return what each player has won so far, less what has been lost; rewards are its changes.

    Examples
    --------
    >>> standing(Paiute(players=4, seed=1, ante=5))
    [0.0, 0.0, 0.0, 0.0]
    """
    players = game.players
    if isinstance(game, Paiute):
        # While a pot is open, everybody owns an equal share of it.
        return [score + game.pot / players for score in game.scores]
    winners = game.winners
    if len(winners) in (0, players):
        return [0.0] * players
    lost = -1 / (players - len(winners))
    return [1 / len(winners) if seat in winners else lost for seat in range(players)]


def describe(game: Game[Any]) -> str:
    """Return the table as a text, with all hands.

    Examples
    --------
    >>> print(describe(Paiute(players=2, seed=3, dealer=1)))
    paiute, round 1, turn; dealer: player_1
    stock: 40 cards; discard pile: 1 cards, 7d on top
    turned up: 6h; pot: 2
    > player_0 (-1): 5d 6s 8c Th Qh
      player_1 (-1): 2c 3c 3d 9h 9s
    """
    seen = [game.observation(seat) for seat in range(game.players)]
    pile = seen[0].pile
    lines = [f"{game.name}, round {seen[0].round + 1}, {game.phase}; dealer: player_{game.dealer}"]
    lines.append(
        f"stock: {seen[0].stock_size} cards; discard pile: {len(pile)} cards"
        + (f", {card_text(pile[-1])} on top" if pile else "")
    )
    if isinstance(game, Paiute):
        lines.append(f"turned up: {card_text(game.wild_card)}; pot: {game.pot}")
    if isinstance(game, Puck):
        lines.append(f"direction: {game.direction or 'not chosen'}; pot: {game.pot}")
    for seat, view in enumerate(seen):
        mark = ">" if seat == game.current_player else " "
        cards = " ".join(map(card_text, sorted(view.hand)))
        lines.append(f"{mark} player_{seat} ({game.scores[seat]}): {cards}")
    if game.history:
        player, action = game.history[-1]
        lines.append(f"last: player_{player}: {action}")
    return "\n".join(lines)
