"""Every other package, each in its fastest form, on the same five-card hands without jokers."""

import numpy as np
import pytest
from conftest import Compare
from inputs import CACHE, new_values

from wildrank import deal
from wildrank.cli.peers import PEERS, Peer, agrees, hand_texts, installed_peers, poker
from wildrank.cli.timing import Contender, batch_contender


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.label)
def test_same_order(peer: Peer) -> None:
    if not peer.installed:
        pytest.skip("not installed")
    assert agrees(peer)


def test_peers(compare: Compare) -> None:
    hands = deal(CACHE, 5, seed_or_generator=4)
    evaluate, texts, codes = poker().evaluate, hand_texts(hands), list(map(bytes, hands))
    out = new_values(CACHE)
    assert np.array_equal(poker().evaluate_batch(hands, out=out), list(map(evaluate, texts)))
    compare(
        f"Five cards without jokers, {CACHE:,} hands",
        batch_contender("wildrank: evaluate_batch(array)", poker(), hands, out),
        Contender("wildrank: evaluate(bytes)", lambda: list(map(evaluate, codes)), CACHE),
        Contender("wildrank: evaluate(text)", lambda: list(map(evaluate, texts)), CACHE),
        *(Contender(peer.label, peer.prepare(hands), CACHE) for peer in installed_peers()),
    )
