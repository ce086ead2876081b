"""The bench command: how fast this machine evaluates."""

from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt
import typer
from rich.table import Table

from wildrank._evalcore import kernel_names
from wildrank.cli.display import console, facts_table, table
from wildrank.cli.peers import PEERS, Peer, agrees, hand_texts, installed_peers, poker
from wildrank.cli.timing import (
    Contender,
    Race,
    batch_contender,
    kernel_kept,
    ratio,
    roofline_contender,
)
from wildrank.dealing import deal
from wildrank.evaluator import Evaluator
from wildrank.games import evaluator, rule_sets
from wildrank.kernels import kernel_name

__all__ = ["bench"]

HANDS: Final = 2_000_000  # more than a core's own cache holds
PEER_HANDS: Final = 4_096
PEERS_SHARE: Final = 0.3  # of the time
ROOFLINE: Final = "roofline"
BATCH: Final = "evaluate_batch(array)"


def bench(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=3600.0, help="How long to measure.")
    ] = 10.0,
) -> None:
    """Measure how many hands a second this machine evaluates.

    Each rule set runs with every kernel, in turn with the roofline: a pass that only reads the
    hands and writes as much as values take. Paiute has a wild rank for each hand. Other packages
    that are installed are compared on the same five-card hands without jokers, prepared in the
    form that suits each best. Times are the best of all rounds, on one thread.
    """
    peers = installed_peers()
    out = console()
    out.print(facts_table({"kernel": kernel_name(), "hands": f"{HANDS:,} of each rule set"}))
    out.print()
    with kernel_kept(), _working():
        speeds = _speeds(seconds * (1 - PEERS_SHARE * bool(peers)))
    out.print(speeds)
    out.print()
    if not peers:
        names = ", ".join(dict.fromkeys(peer.package for peer in PEERS))
        out.print(f"To compare, install any of {names}.")
        return
    with _working():
        compared = _compared(peers, seconds * PEERS_SHARE)
    out.print(compared)


def _working() -> Any:
    return console(stderr=True).status("Measuring ...")


# --- rule sets and kernels ---


def _speeds(seconds: float) -> Table:
    shown = table(
        "rules",
        "cards",
        "kernel",
        "hands a second",
        "ns a hand",
        "of the roofline",
        right=("cards", "hands a second", "ns a hand", "of the roofline"),
    )
    for name in rule_sets():
        rules = evaluator(name)
        times = _race(rules, seconds / len(rule_sets()))
        for kernel in (*kernel_names(), ROOFLINE):
            best = min(times[kernel])
            against = ratio(times[kernel], times[ROOFLINE]).minimum
            shown.add_row(
                name,
                str(rules.hand_size),
                kernel,
                f"{1 / best:,.0f}",
                f"{best * 1e9:.2f}",
                f"{against:.2f} times",
                style="dim" if kernel == ROOFLINE else None,
            )
    return shown


def _race(rules: Evaluator, seconds: float) -> dict[str, list[float]]:
    hands = deal(HANDS, rules.rules, seed_or_generator=1)
    out = np.empty(HANDS, dtype=np.uint16)
    arguments: dict[str, npt.NDArray[np.uint8]] = {}
    if rules.rules.wild_rank_per_hand:
        ranks = np.random.default_rng(2).integers(13, size=HANDS, dtype=np.uint8)
        arguments["wild_ranks"] = ranks
    race = Race(
        [
            *(
                batch_contender(kernel, rules, hands, out, kernel=kernel, **arguments)
                for kernel in kernel_names()
            ),
            roofline_contender(ROOFLINE, rules, hands, out),
        ]
    )
    race.run_for(seconds)
    return race.times


# --- peers ---


def _compared(peers: list[Peer], seconds: float) -> Table:
    hands = deal(PEER_HANDS, 5, seed_or_generator=1)
    ours = _ours(hands)
    theirs: list[Contender] = []
    problems: dict[str, str] = {}
    for peer in peers:
        try:
            if agrees(peer):
                theirs.append(Contender(peer.label, peer.prepare(hands), PEER_HANDS))
            else:
                problems[peer.label] = "ranks hands in another order"
        except Exception as error:  # another version, with another interface
            problems[peer.label] = f"does not run: {error!r}"
    race = Race([*ours, *theirs])
    race.run_for(seconds)
    shown = table(
        "package", "call", "ns a hand", "of the batch", right=("ns a hand", "of the batch")
    )
    for one in ours:
        shown.add_row("wildrank", one.label, *_cells(race, one.label))
    for peer in peers:
        problem = problems.get(peer.label)
        cells = _cells(race, peer.label) if problem is None else ("-", problem)
        shown.add_row(f"{peer.package} {peer.version}", peer.call, *cells)
    return shown


def _ours(hands: npt.NDArray[np.uint8]) -> list[Contender]:
    evaluate = poker().evaluate
    codes, texts = [hand.tobytes() for hand in hands], hand_texts(hands)
    out = np.empty(len(hands), dtype=np.uint16)
    return [
        batch_contender(BATCH, poker(), hands, out),
        Contender("evaluate(bytes)", lambda: list(map(evaluate, codes)), len(hands)),
        Contender("evaluate(text)", lambda: list(map(evaluate, texts)), len(hands)),
    ]


def _cells(race: Race, label: str) -> tuple[str, str]:
    times = race.times[label]
    against = ratio(times, race.times[BATCH]).minimum
    return f"{min(times) * 1e9:,.2f}", f"{against:,.0f} times"
