"""The games, and the rule sets they are played with, by name.

The modules of the games are imported when they are first asked for: who only evaluates hands does
not wait for them.
"""

import inspect
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from wildrank.errors import RuleError, shown
from wildrank.evaluator import Evaluator
from wildrank.rules import RuleSet

if TYPE_CHECKING:
    from wildrank.games import paiute, perico, puck, six_card_perico
    from wildrank.games.base import Game

__all__ = ["evaluator", "game_types", "paiute", "perico", "puck", "rule_sets", "six_card_perico"]

_MODULES: Final = ("perico", "six_card_perico", "puck", "paiute")


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def rule_sets() -> dict[str, Callable[..., RuleSet]]:
    """Return the known rule sets.

    Returns
    -------
    dict of str to callable
        From each name to the function that makes the rule set and takes its options.

    Examples
    --------
    >>> list(rule_sets())
    ['perico', 'six-card-perico', 'puck', 'paiute']
    >>> rule_sets()["puck"](jokers=0).jokers
    0
    """
    from wildrank.games import paiute, perico, puck, six_card_perico

    return {
        "perico": perico.rules,
        "six-card-perico": six_card_perico.rules,
        "puck": puck.rules,
        "paiute": paiute.rules,
    }


def game_types() -> dict[str, Callable[..., "Game[Any]"]]:
    """Return the known games.

    Returns
    -------
    dict of str to type
        From each name, which is also the name of its rule set, to the class of the game.

    Examples
    --------
    >>> list(game_types()) == list(rule_sets())
    True
    >>> game_types()["puck"](players=3, seed=1).phase
    'direction'
    """
    from wildrank.games import paiute, perico, puck, six_card_perico

    kinds = (perico.Perico, six_card_perico.SixCardPerico, puck.Puck, paiute.Paiute)
    return {kind.name: kind for kind in kinds}


def evaluator(name: str, **options: Any) -> Evaluator:
    """Return an evaluator for a known rule set.

    Parameters
    ----------
    name : str
        A name that `rule_sets` knows.
    **options
        The options of its ``rules`` function.

    Returns
    -------
    Evaluator

    Raises
    ------
    RuleError
        If the name or an option is unknown, or an option is out of range.

    Examples
    --------
    >>> ev = evaluator("perico", natural_five_of_a_kind=True)
    >>> ev.category_of(ev.evaluate("7c 7d 7h 7s Jk"))
    'four_of_a_kind'
    """
    known = rule_sets()
    if not isinstance(name, str) or name not in known:
        raise RuleError(f"expected a rule set ({', '.join(known)}), got {shown(name)}")
    accepted = inspect.signature(known[name]).parameters
    for option in options:
        if option not in accepted:
            raise RuleError(
                f"rule set {name!r}: expected an option ({', '.join(accepted)}), "
                f"got {shown(option)}"
            )
    return Evaluator(known[name](**options))
