"""Paiute: five or six cards, the turned-up rank is wild, and only six combinations count."""

from typing import Final

from wildrank.errors import RuleError
from wildrank.rules import Category, Rank, RuleSet

__all__ = ["RULES", "rules"]


def rules(*, hand_size: int = 6, wild_rank: Rank | None = None, ace: str = "high") -> RuleSet:
    """Return the rule set of Paiute.

    Parameters
    ----------
    hand_size : {6, 5}
        Six cards after a draw, five otherwise. Five cards can only make the combinations of five.
    wild_rank : str or int, optional
        The turned-up rank, if it is the same for all hands. By default it is given with each hand.
    ace : {"high", "both", "low"}
        Where the ace stands in a straight.

    Returns
    -------
    RuleSet
        Other hands are no combination: value 0.

    Raises
    ------
    RuleError
        If an option is out of range.

    Examples
    --------
    >>> [category.name for category in rules(hand_size=5).categories]
    ['five_of_a_kind', 'royal_flush', 'straight_flush']
    """
    if hand_size not in (5, 6):
        raise RuleError(f"rule set 'paiute': expected hand_size to be 5 or 6, got {hand_size!r}")
    categories = [
        Category("five_of_a_kind", shape=(5,), cards=5),
        Category("royal_flush", straight=True, flush=True, top="A", cards=5),
        Category("straight_flush", straight=True, flush=True, cards=5),
        Category("four_two", shape=(4, 2), cards=6),
        Category("three_three", shape=(3, 3), cards=6),
        Category("two_two_two", shape=(2, 2, 2), cards=6),
    ]
    return RuleSet(
        "paiute",
        hand_size,
        [category for category in categories if category.size(hand_size) <= hand_size],
        wild_ranks=() if wild_rank is None else wild_rank,
        ace=ace,
        tie_breaks=("ranks",),
        wild_rank_per_hand=wild_rank is None,
    )


RULES: Final = rules()
