"""Single calls, by the form of the hand, beside other packages' calls on prebuilt cards."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from conftest import Compare
from inputs import CACHE

from wildrank import Card, deal, evaluator
from wildrank.cli.peers import agrees, hand_texts, installed_peers, poker
from wildrank.cli.timing import Contender


def _calls(label: str, function: Callable[[Any], object], arguments: Iterable[Any]) -> Contender:
    prepared = list(arguments)
    return Contender(label, lambda: list(map(function, prepared)), len(prepared))


def test_evaluate(compare: Compare) -> None:
    hands = deal(CACHE, 5, seed_or_generator=3)
    evaluate, codes = poker().evaluate, hands.tolist()
    pkrbot = [peer for peer in installed_peers() if peer.package == "pkrbot"]
    assert all(map(agrees, pkrbot))
    compare(
        "evaluate(), five cards without jokers",
        _calls("text", evaluate, hand_texts(hands)),
        _calls("bytes", evaluate, map(bytes, codes)),
        _calls("tuple of ints", evaluate, map(tuple, codes)),
        _calls("tuple of Cards", evaluate, (tuple(map(Card, hand)) for hand in codes)),
        _calls("list of ints", evaluate, codes),
        _calls("uint8 array", evaluate, hands),
        _calls("text with blanks", evaluate, (" ".join(map(str, map(Card, h))) for h in codes)),
        *(Contender(peer.label, peer.prepare(hands), CACHE) for peer in pkrbot),
        unit="call",
    )


@pytest.mark.parametrize("name", ["perico", "paiute"])
def test_others(compare: Compare, name: str) -> None:
    rules = evaluator(name)
    hands = [bytes(hand) for hand in deal(200, rules.rules, seed_or_generator=3)]
    values = [rules.evaluate(hand) for hand in hands]
    pairs = [hands[index : index + 2] for index in range(0, len(hands), 2)]
    compare(
        f"Other calls ({name})",
        _calls("explain", rules.explain, hands),
        _calls("evaluate", rules.evaluate, hands),
        _calls("category_of", rules.category_of, values),
        _calls("winners of two hands", rules.winners, pairs),
        reference="evaluate",
        unit="call",
    )
