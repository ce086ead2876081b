"""Other packages that rank five-card hands, each through its fastest call.

None is needed: `installed_peers` returns those that this environment has. What a peer may prepare
beforehand (its own card objects, texts) is prepared beforehand; what is measured is the very
function whose results `agrees` compares with wildrank's.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from wildrank.cards import Card
from wildrank.dealing import all_hands, deal
from wildrank.evaluator import Evaluator
from wildrank.games import evaluator

__all__ = ["PEERS", "Peer", "agrees", "hand_texts", "installed_peers", "poker", "sample_hands"]

Hands = npt.NDArray[np.uint8]
Values = Sequence[Any]

RANDOM_HANDS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Peer:
    """A package and one way to call it.

    Attributes
    ----------
    package, module : str
        Its names on PyPI and in Python.
    call : str
        What is called for every hand, or for all of them.
    prepare : callable
        Takes hands, shape (N, 5); returns a function of no arguments that evaluates them all.
    low_wins : bool
        Whether the best hand has the lowest value.
    key : callable
        Turns a result into a number to compare.
    """

    package: str
    module: str
    call: str
    prepare: Callable[[Hands], Callable[[], Values]]
    low_wins: bool = False
    key: Callable[[Any], int] = int

    @property
    def label(self) -> str:
        """The package and the call."""
        return f"{self.package}: {self.call}"

    @property
    def installed(self) -> bool:
        """Whether the module can be imported here."""
        try:
            return find_spec(self.module) is not None
        except ModuleNotFoundError:  # nor the package that it is in
            return False

    @property
    def version(self) -> str:
        """The installed version."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return "unknown"


def installed_peers() -> list[Peer]:
    """Return the peers that this environment has."""
    return [peer for peer in PEERS if peer.installed]


@cache
def poker() -> Evaluator:
    """Return the evaluator whose order all peers share: five cards, 52-card deck, ace both ways."""
    return evaluator("perico", jokers=0)


def hand_texts(hands: Hands) -> list[str]:
    """Return hands of natural cards as texts such as ``AsKdThTdJc``."""
    return list(map("".join, _hands_of(_made(str), hands)))


@cache
def sample_hands() -> Hands:
    """Return a hand of each of the 7,462 values, and random ones, all in random card order."""
    every = np.concatenate(list(all_hands(5)))
    first = np.zeros(poker().num_values + 1, dtype=np.intp)
    first[poker().evaluate_batch(every)] = np.arange(len(every))
    chosen = np.concatenate((every[first[1:]], deal(RANDOM_HANDS, 5, seed_or_generator=5)))
    return np.random.default_rng(7).permuted(chosen, axis=1)


def agrees(peer: Peer) -> bool:
    """Return whether a peer orders the sample as wildrank does, ties included."""
    hands = sample_hands()
    theirs = np.array([peer.key(value) for value in peer.prepare(hands)()], dtype=np.int64)
    if peer.low_wins:
        theirs = -theirs
    _, places = np.unique(theirs, return_inverse=True)
    _, expected = np.unique(poker().evaluate_batch(hands), return_inverse=True)
    return bool(np.array_equal(places, expected))


# --- the packages ---


def _load(module: str) -> Any:
    """Import a package; what it does that is deprecated is not the user's business."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module(module)


def _hands_of(cards: Sequence[Any], hands: Hands) -> list[tuple[Any, ...]]:
    return [tuple([cards[code] for code in hand]) for hand in hands.tolist()]


def _made(card: Callable[[str], Any]) -> list[Any]:
    return [card(str(Card(code))) for code in range(52)]


def _phevaluator(path: str) -> Callable[[Hands], Callable[[], Values]]:
    def prepare(hands: Hands) -> Callable[[], Values]:
        evaluate = _load(path).evaluate_5cards
        columns = hands.T.tolist()  # card codes are those of wildrank
        return lambda: list(map(evaluate, *columns))

    return prepare


def _eval7(hands: Hands) -> Callable[[], Values]:
    eval7 = _load("eval7")
    evaluate, prepared = eval7.evaluate, _hands_of(_made(eval7.Card), hands)
    return lambda: list(map(evaluate, prepared))


def _pkrbot_raw(hands: Hands) -> Callable[[], Values]:
    evaluate = _load("pkrbot").evaluate_raw
    ranks, suits = ([bytes(hand) for hand in part] for part in (hands // 4, hands % 4))
    sizes = [5] * len(hands)
    return lambda: list(map(evaluate, ranks, suits, sizes))


def _pkrbot_cards(hands: Hands) -> Callable[[], Values]:
    pkrbot = _load("pkrbot")
    evaluate, prepared = pkrbot.evaluate, _hands_of(_made(pkrbot.Card), hands)
    return lambda: list(map(evaluate, prepared))


def _treys(hands: Hands) -> Callable[[], Values]:
    treys = _load("treys")
    evaluate, prepared = treys.Evaluator().evaluate, _hands_of(_made(treys.Card.new), hands)
    boards: list[tuple[()]] = [()] * len(hands)
    return lambda: list(map(evaluate, prepared, boards))


def _pokerkit(hands: Hands) -> Callable[[], Values]:
    pokerkit = _load("pokerkit")
    get_entry = pokerkit.StandardHighHand.lookup.get_entry
    prepared = _hands_of(_made(lambda name: next(pokerkit.Card.parse(name))), hands)
    return lambda: list(map(get_entry, prepared))


def _poker_equity(hands: Hands) -> Callable[[], Values]:
    return partial(_load("poker_equity").score_batch, "high", hand_texts(hands))


PEERS: Final = (
    Peer(
        "phevaluator",
        "phevaluator.evaluator",
        "evaluate_5cards(*ids)",
        _phevaluator("phevaluator.evaluator"),
        low_wins=True,
    ),
    Peer(
        "phevaluator",
        "phevaluator._pheval",
        "_pheval.evaluate_5cards(*ids), private",
        _phevaluator("phevaluator._pheval"),
        low_wins=True,
    ),
    Peer("eval7", "eval7", "evaluate(cards)", _eval7),
    Peer("pkrbot", "pkrbot", "evaluate(cards)", _pkrbot_cards),
    Peer("pkrbot", "pkrbot", "evaluate_raw(ranks, suits, 5)", _pkrbot_raw),
    Peer("treys", "treys", "Evaluator.evaluate(cards, ())", _treys, low_wins=True),
    Peer(
        "pokerkit",
        "pokerkit",
        "StandardHighHand.lookup.get_entry(cards)",
        _pokerkit,
        key=lambda entry: int(entry.index),
    ),
    Peer(
        "poker-equity", "poker_equity", 'score_batch("high", texts)', _poker_equity, low_wins=True
    ),
)
