"""Six-card Perico: six cards, four jokers, and every category uses all six cards."""

from collections.abc import Callable
from typing import ClassVar, Final

from wildrank.games.perico import Perico
from wildrank.rules import Category, RuleSet, read_flag

__all__ = ["RULES", "SixCardPerico", "rules"]


def rules(*, natural_five_of_a_kind: bool = False, jokers: int = 4) -> RuleSet:
    """Return the rule set of six-card Perico.

    Parameters
    ----------
    natural_five_of_a_kind : bool
        Whether five of a kind takes no wild card; 7-7-7-7-joker-2 is then a new house. Six of a
        kind still takes jokers.
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
    >>> [category.name for category in rules().categories][4:6]
    ['new_house', 'crazy_house']
    """
    natural = read_flag(
        natural_five_of_a_kind, "rule set 'six-card-perico': natural_five_of_a_kind"
    )
    return RuleSet(
        "six-card-perico",
        6,
        (
            Category("royal_flush", straight=True, flush=True, top="A"),
            Category("six_of_a_kind", shape=(6,)),
            Category("straight_flush", straight=True, flush=True),
            Category("five_of_a_kind", shape=(5, 1), max_wild=0 if natural else None),
            Category("new_house", shape=(4, 2)),
            Category("crazy_house", shape=(3, 3)),
            Category("four_of_a_kind", shape=(4, 1, 1)),
            Category("flush", flush=True),
            Category("straight", straight=True),
            Category("old_house", shape=(3, 2, 1)),
            Category("three_pair", shape=(2, 2, 2)),
            Category("three_of_a_kind", shape=(3, 1, 1, 1)),
            Category("two_pair", shape=(2, 2, 1, 1)),
            Category("one_pair", shape=(2, 1, 1, 1, 1)),
            Category("high_card", shape=(1, 1, 1, 1, 1, 1)),
        ),
        jokers=jokers,
        ace="both",
        tie_breaks=("fewer_jokers", "ranks"),
    )


RULES: Final = rules()


class SixCardPerico(Perico):
    """A game of six-card Perico: `Perico` with six cards, four jokers and up to five players.

    The parameters, errors and decisions are those of `Perico`; 6 points win by default. A royal
    flush and six of a kind end a round at once (with ``play="stock"`` only a royal flush).

    Examples
    --------
    >>> game = SixCardPerico(players=5, seed=1)
    >>> len(game.observation(0).hand), game.observation(0).points
    (6, 6)
    """

    name: ClassVar[str] = "six-card-perico"
    most_players: ClassVar[int] = 5
    hand_size: ClassVar[int] = 6
    default_points: ClassVar[int] = 6
    rules: ClassVar[Callable[..., RuleSet]] = staticmethod(rules)
