"""The games as PettingZoo environments, for learning agents; needs the extra ``rl``.

The players are agents ``player_0``, ``player_1``, ... who act one at a time (AEC). An observation
is a dict of an array ``"observation"``, laid out as `wildrank.rl.layout` says, and an
``"action_mask"`` of the actions, numbered as `wildrank.rl.numbering` says.

Notes
-----
**Rewards** are zero-sum. In Perico and Puck they come with the end of the game: the winners share
1 and the others share -1; if all players win together, everybody gets 0. In Paiute they come with
the end of each deal: the chips won and lost in it, so that they add up to the scores. ``points=1``
makes an episode of Perico a single round, ``deals=1`` an episode of Paiute a single deal.

**Ends.** The end of the game terminates all agents. The turn limit truncates them, because players
who know nothing may go on for very long; what is then still undecided earns nobody anything.

**Seeds.** After ``reset(seed=5)`` the game is the one that ``seed=5`` gives elsewhere in this
package. Every later ``reset()`` gives another game, which that seed decides too. Without any seed
all games are fresh ones. The ``options`` of ``reset`` are ignored, and the infos are empty.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from wildrank.rl.environment import GameEnv

__all__ = ["env", "raw_env"]


def env(
    game: str,
    players: int = 2,
    *,
    turn_limit: int | None = 1000,
    render_mode: str | None = None,
    **options: Any,
) -> "AECEnv[str, Any, Any]":
    """Return an environment with PettingZoo's usual wrappers.

    An illegal action ends the game with a reward of -1 for the agent that chose it and 0 for the
    others; a number that is no action at all, or a call out of order, raises an error.

    Parameters
    ----------
    game : {"perico", "six-card-perico", "puck", "paiute"}
    players : int
    turn_limit : int, optional
        After how many turns a game is truncated; never, if None.
    render_mode : {"ansi", "human"}, optional
        Whether ``render()`` returns a text or prints it.
    **options
        The options of the game, such as ``play="stock"``.

    Returns
    -------
    AECEnv

    Raises
    ------
    RuleError
        If there is no such game or option, or an option is out of range.
    ModuleNotFoundError
        If PettingZoo is not installed.

    Examples
    --------
    >>> table = env("perico", players=2, points=1)
    >>> table.reset(seed=7)
    >>> for agent in table.agent_iter():
    ...     observation, reward, termination, truncation, info = table.last()
    ...     if termination or truncation:
    ...         action = None
    ...     else:
    ...         action = int(observation["action_mask"].argmax())
    ...     table.step(action)
    >>> table.agents
    []
    """
    from wildrank.rl.environment import GameEnv, wrap

    return wrap(GameEnv(game, players, turn_limit=turn_limit, render_mode=render_mode, **options))


def raw_env(
    game: str,
    players: int = 2,
    *,
    turn_limit: int | None = 1000,
    render_mode: str | None = None,
    **options: Any,
) -> "GameEnv":
    """Return an environment without wrappers, in which an illegal action raises an error.

    Parameters
    ----------
    game, players, turn_limit, render_mode, **options
        As for `env`.

    Returns
    -------
    GameEnv

    Raises
    ------
    RuleError
        If there is no such game or option, or an option is out of range.
    ModuleNotFoundError
        If PettingZoo is not installed.

    Examples
    --------
    >>> table = raw_env("paiute", players=3, deals=1)
    >>> table.reset(seed=1)
    >>> table.agent_selection, str(table.action(0)), table.action_space("player_0").n.item()
    ('player_1', 'draw stock', 15)
    """
    from wildrank.rl.environment import GameEnv

    return GameEnv(game, players, turn_limit=turn_limit, render_mode=render_mode, **options)
