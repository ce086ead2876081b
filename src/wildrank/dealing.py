"""Random hands, and all hands, of a deck."""

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from wildrank import _evalcore
from wildrank.cards import FIRST_JOKER, MAX_JOKERS, as_int, deck, to_cards
from wildrank.errors import HandError, shown
from wildrank.rules import RuleSet

__all__ = ["all_hands", "deal"]

BLOCK_SIZE: Final = 65_536


def deal(
    n_hands: int,
    rules_or_size: RuleSet | int,
    *,
    jokers: int | None = None,
    seed_or_generator: Any = None,
    dead: Any = (),
) -> npt.NDArray[np.uint8]:
    """Deal random hands, each from a full deck of its own.

    Parameters
    ----------
    n_hands : int
        How many hands, at least 0.
    rules_or_size : RuleSet or int
        The rule set whose hands are dealt, or how many cards a row gets: up to the whole deck.
        A row of 10 cards can be two hands of 5 from one deck.
    jokers : int, optional
        Jokers in the deck, from 0 to 4; by default those of the rule set, or 0.
    seed_or_generator : int, SeedSequence, BitGenerator, Generator or None
        As `numpy.random.default_rng` takes it. The same seed gives the same hands everywhere.
    dead : str or sequence of int or Card
        Cards of the deck that are not dealt.

    Returns
    -------
    ndarray of uint8, shape (n_hands, size)
        Card codes in the order they are dealt; every ordered choice of different cards is equally
        likely, exactly.

    Raises
    ------
    CardError
        If something in `dead` is no card.
    HandError
        If a number or the seed is out of range, a dead card comes twice or is not in the deck, or
        too few cards are left.

    Examples
    --------
    >>> import wildrank
    >>> hands = wildrank.deal(4, 5, jokers=2, seed_or_generator=1, dead="As Ks")
    >>> hands.shape, hands.dtype, bool((hands == 51).any())
    ((4, 5), dtype('uint8'), False)
    """
    count = as_int(n_hands)
    if count is None or count < 0:
        raise HandError(f"n_hands: expected an int of at least 0, got {shown(n_hands)}")
    cards, size = _deck_and_size(rules_or_size, jokers, dead)
    try:
        hands = np.empty((count, size), dtype=np.uint8)
    except ValueError:
        raise HandError(f"n_hands: expected an array that can exist, got {shown(count)}") from None
    bit_generator = _bit_generator(seed_or_generator)
    with bit_generator.lock:
        _evalcore.deal_hands(bit_generator.capsule, cards, hands)
    return hands


def _bit_generator(given: Any) -> "np.random.BitGenerator":  # not loaded at import
    if not isinstance(given, np.random.Generator | np.random.BitGenerator):
        try:
            given = np.random.PCG64(given)  # the default of NumPy may change some day
        except (TypeError, ValueError, OverflowError):
            raise HandError(
                "seed_or_generator: expected what numpy.random.default_rng takes, such as an int "
                f"of at least 0, got {shown(given)}"
            ) from None
    return np.random.default_rng(given).bit_generator


def all_hands(
    rules_or_size: RuleSet | int,
    *,
    jokers: int | None = None,
    dead: Any = (),
    block_size: int = BLOCK_SIZE,
) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield all hands of a deck, in blocks.

    Parameters
    ----------
    rules_or_size, jokers, dead
        As for `deal`.
    block_size : int
        Hands in a block, at least 1; the last block may have fewer.

    Yields
    ------
    ndarray of uint8, shape (block_size, size)
        Card codes, ascending in every row; the rows come in lexicographic order. Each block is an
        array of its own.

    Raises
    ------
    CardError, HandError
        As `deal` does.

    Examples
    --------
    >>> import wildrank
    >>> sum(len(block) for block in wildrank.all_hands(3, jokers=2))
    24804
    >>> next(wildrank.all_hands(3))[:2]
    array([[0, 1, 2],
           [0, 1, 3]], dtype=uint8)
    """
    cards, size = _deck_and_size(rules_or_size, jokers, dead)
    rows = as_int(block_size)
    if rows is None or rows < 1:
        raise HandError(f"block_size: expected an int of at least 1, got {shown(block_size)}")
    return _blocks(cards, size, rows)


def _blocks(cards: bytes, size: int, rows: int) -> Iterator[npt.NDArray[np.uint8]]:
    left = math.comb(len(cards), size)
    places = np.arange(size, dtype=np.intc)
    while left > 0:
        block = np.empty((min(rows, left), size), dtype=np.uint8)
        left -= _evalcore.enumerate_hands(cards, places, block)
        yield block


def _deck_and_size(
    rules_or_size: RuleSet | int, jokers: int | None, dead: Any
) -> tuple[bytes, int]:
    """Return the codes that can be dealt, ascending, and how many go to a hand."""
    size: int | None
    if isinstance(rules_or_size, RuleSet):
        size = rules_or_size.hand_size
        in_deck = rules_or_size.jokers if jokers is None else as_int(jokers)
    else:
        size = as_int(rules_or_size)
        in_deck = 0 if jokers is None else as_int(jokers)
    if in_deck is None or not 0 <= in_deck <= MAX_JOKERS:
        raise HandError(f"jokers: expected an int from 0 to {MAX_JOKERS}, got {shown(jokers)}")
    missing = to_cards(dead)
    for position, card in enumerate(missing):
        if card >= FIRST_JOKER + in_deck or card in missing[:position]:
            raise HandError(
                f"dead: expected different cards of the deck, got {card} at position {position}",
                position=position,
            )
    cards = bytes(card for card in deck(in_deck) if card not in missing)
    if size is None or not 1 <= size <= len(cards):
        named = isinstance(rules_or_size, RuleSet)
        got = f"one with hands of {size}" if named else shown(rules_or_size)
        raise HandError(
            f"rules_or_size: expected a RuleSet or an int from 1 to the {len(cards)} cards that "
            f"can be dealt, got {got}"
        )
    return cards, size
