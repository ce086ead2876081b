"""The bench command, and what it measures with. No test asserts a time."""

from functools import partial

import numpy as np
import pytest
from typer.testing import CliRunner

import wildrank
from wildrank._evalcore import kernel_names
from wildrank.cli.app import app
from wildrank.cli.peers import PEERS, Peer, agrees, sample_hands
from wildrank.cli.timing import Contender, Race, batch_contender, kernel_kept, ratio


def test_the_command_measures_all_rule_sets_with_all_kernels() -> None:
    before = wildrank.kernel_name()
    result = CliRunner().invoke(app, ["bench", "--seconds", "0.2"])
    assert result.exit_code == 0
    for word in (*wildrank.rule_sets(), *kernel_names(), "roofline"):
        assert word in result.stdout
    assert wildrank.kernel_name() == before


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_wrong_seconds(seconds: str) -> None:
    assert CliRunner().invoke(app, ["bench", "--seconds", seconds]).exit_code == 2


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.label)
def test_peers_order_hands_as_wildrank_does(peer: Peer) -> None:
    if not peer.installed:
        pytest.skip(f"{peer.package} is not installed")
    assert agrees(peer)


def test_a_peer_with_another_order_is_found_out() -> None:
    def prepare(hands: object) -> object:
        return lambda: list(range(len(sample_hands())))

    assert not agrees(Peer("none", "none", "none", prepare))  # type: ignore[arg-type]


def test_contenders_run_in_turn() -> None:
    order: list[str] = []
    race = Race([Contender(name, partial(order.append, name), 2) for name in "abc"])
    race.run_round()
    race.run_round()
    assert order == list("abcabc")
    assert {name: len(times) for name, times in race.times.items()} == {"a": 2, "b": 2, "c": 2}
    with pytest.raises(ValueError, match="label"):
        Race([Contender("a", list), Contender("a", list)])


def test_ratio() -> None:
    assert ratio([2.0, 8.0, 9.0], [1.0, 2.0, 3.0]) == (2.0, 3.0)


def test_batch_contender_evaluates_into_out() -> None:
    evaluator = wildrank.evaluator("puck")
    hands = wildrank.deal(1000, evaluator.rules, seed_or_generator=1)
    out = np.zeros(1000, dtype=np.uint16)
    with kernel_kept():
        contender = batch_contender("one", evaluator, hands, out, kernel="portable")
        contender.run()
        assert wildrank.kernel_name() == "portable"
    assert contender.count % len(hands) == 0
    assert np.array_equal(out, evaluator.evaluate_batch(hands))
