"""Perico: five cards, two jokers, a royal flush above five of a kind, natural hands first."""

from typing import Final

from wildrank.rules import Category, RuleSet

__all__ = ["RULES", "rules"]


def rules(*, natural_five_of_a_kind: bool = False, jokers: int = 2) -> RuleSet:
    """Return the rule set of Perico.

    Parameters
    ----------
    natural_five_of_a_kind : bool
        Whether five of a kind takes no wild card, so that no deck can make it. The Russian rules
        say so; the English ones end the round on it.
    jokers : int
        Jokers in the deck, from 0 to 4.

    Returns
    -------
    RuleSet
        In one category the hand with fewer jokers wins before any rank is compared.

    Raises
    ------
    RuleError
        If an option is out of range.

    Examples
    --------
    >>> [category.name for category in rules().categories][:3]
    ['royal_flush', 'five_of_a_kind', 'straight_flush']
    """
    return RuleSet(
        "perico",
        5,
        (
            Category("royal_flush", straight=True, flush=True, top="A"),
            Category("five_of_a_kind", shape=(5,), max_wild=0 if natural_five_of_a_kind else None),
            Category("straight_flush", straight=True, flush=True),
            Category("four_of_a_kind", shape=(4, 1)),
            Category("full_house", shape=(3, 2)),
            Category("flush", flush=True),
            Category("straight", straight=True),
            Category("three_of_a_kind", shape=(3, 1, 1)),
            Category("two_pair", shape=(2, 2, 1)),
            Category("one_pair", shape=(2, 1, 1, 1)),
            Category("high_card", shape=(1, 1, 1, 1, 1)),
        ),
        jokers=jokers,
        ace="both",
        tie_breaks=("fewer_jokers", "ranks"),
    )


RULES: Final = rules()
