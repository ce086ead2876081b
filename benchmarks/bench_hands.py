"""Making hands: random ones, and from text."""

import random
from functools import partial
from importlib import import_module

import numpy as np
import pytest
from conftest import Compare
from inputs import Hands

from wildrank import Card, deal, parse_cards
from wildrank._evalcore import parse_lines
from wildrank.cli.timing import Contender

MANY = 1_000_000
FEW = 2_000


def test_deal(compare: Compare) -> None:
    generator = np.random.default_rng(8)
    rng = random.Random(8)
    decks = []
    for package in ("eval7", "pkrbot"):
        try:
            deck = import_module(package).Deck()
        except ModuleNotFoundError:
            continue
        decks.append(Contender(f"{package}: Deck.sample(5)", partial(_repeat, deck.sample), FEW))
    cards = list(range(52))
    compare(
        "Random five-card hands",
        Contender("deal", lambda: deal(MANY, 5, seed_or_generator=generator), MANY),
        Contender("numpy: argsort(random)", partial(_argsort, generator), FEW),
        Contender(
            "random.sample(cards, 5)", lambda: [rng.sample(cards, 5) for _ in range(FEW)], FEW
        ),
        *decks,
    )


def _argsort(generator: np.random.Generator) -> Hands:
    return generator.random((FEW, 52)).argsort(axis=1)[:, :5].astype(np.uint8)


def _repeat(sample: partial[object]) -> list[object]:
    return [sample(5) for _ in range(FEW)]


@pytest.mark.parametrize("size", [3, 5, 6])
def test_text(compare: Compare, size: int) -> None:
    hands = deal(MANY, size, jokers=2, seed_or_generator=9)
    names = [str(Card(code)) for code in range(54)]
    lines = [" ".join([names[code] for code in hand]) for hand in hands.tolist()]
    text = ("\n".join(lines) + "\n").encode()
    out = np.zeros_like(hands)
    count, end = parse_lines(text, 0, out)
    assert (count, end) == (MANY, len(text))
    # A line does not say which joker it names: the first is 52.
    read, dealt = (np.minimum(np.sort(array, axis=1), 52) for array in (out, hands))
    assert np.array_equal(read, dealt)
    few = lines[:FEW]
    compare(
        f"Text of {size} cards to card codes",
        Contender("lines in bulk", lambda: parse_lines(text, 0, out), MANY),
        Contender("parse_cards(line)", lambda: list(map(parse_cards, few)), FEW),
    )
