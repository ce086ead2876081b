"""Puck: three cards, two jokers or none; of equal hands the one with more jokers wins."""

from typing import Final

from wildrank.rules import Category, RuleSet

__all__ = ["RULES", "rules"]


def rules(*, jokers: int = 2, ace: str = "high") -> RuleSet:
    """Return the rule set of Puck.

    Parameters
    ----------
    jokers : int
        Jokers in the deck, from 0 to 4; the game is played with two or none.
    ace : {"high", "both", "low"}
        Where the ace stands in a straight.

    Returns
    -------
    RuleSet

    Raises
    ------
    RuleError
        If an option is out of range.

    Examples
    --------
    >>> rules().tie_breaks
    ('ranks', 'more_jokers')
    """
    return RuleSet(
        "puck",
        3,
        (
            Category("straight_flush", straight=True, flush=True),
            Category("three_of_a_kind", shape=(3,)),
            Category("flush", flush=True),
            Category("straight", straight=True),
            Category("one_pair", shape=(2, 1)),
            Category("high_card", shape=(1, 1, 1)),
        ),
        jokers=jokers,
        ace=ace,
        tie_breaks=("ranks", "more_jokers"),
    )


RULES: Final = rules()
