"""Measuring alternatives against each other, in turn, so that what disturbs one disturbs all."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wildrank._evalcore import kernel_name, use_kernel
from wildrank.evaluator import Evaluator

__all__ = [
    "Contender",
    "Race",
    "Ratio",
    "batch_contender",
    "kernel_kept",
    "ratio",
    "roofline_contender",
]

Hands = npt.NDArray[np.uint8]
SMALLEST_RUN = 1_000_000  # hands; a smaller batch is repeated within a run


@dataclass(frozen=True, slots=True)
class Contender:
    """One of the alternatives.

    Attributes
    ----------
    label : str
    run : callable
        Does the work once.
    count : int
        How many hands, calls or whatever is counted one run handles.
    """

    label: str
    run: Callable[[], object]
    count: int = 1


class Ratio(NamedTuple):
    """How much longer one takes than another: the ratio of the minima, and the usual ratio."""

    minimum: float
    median: float


def ratio(times: Sequence[float], reference: Sequence[float]) -> Ratio:
    """Return the ratio of the least times, and the median of the ratios in the same round."""
    pairs = zip(times, reference, strict=True)
    return Ratio(min(times) / min(reference), median(one / other for one, other in pairs))


class Race:
    """Runs all contenders once in every round.

    Attributes
    ----------
    times : dict of str to list of float
        Seconds for one hand, call or whatever is counted: by label, one entry a round.
    """

    def __init__(self, contenders: Sequence[Contender]) -> None:
        self.contenders = tuple(contenders)
        self.times: dict[str, list[float]] = {one.label: [] for one in contenders}
        if len(self.times) != len(self.contenders):
            raise ValueError("two contenders have the same label")

    def run_round(self) -> None:
        """Run every contender once."""
        for one in self.contenders:
            start = time.perf_counter()
            one.run()
            self.times[one.label].append((time.perf_counter() - start) / one.count)

    def run_for(self, seconds: float) -> None:
        """Run rounds until the time is up: one that does not count, and at least one that does."""
        end = time.perf_counter() + seconds
        self.run_round()
        self.clear()
        while True:
            self.run_round()
            if time.perf_counter() >= end:
                break

    def clear(self) -> None:
        """Forget the rounds so far."""
        for times in self.times.values():
            times.clear()


@contextmanager
def kernel_kept() -> Iterator[None]:
    """Go back in the end to the batch kernel that is in use now."""
    name = kernel_name()
    try:
        yield
    finally:
        use_kernel(name)


def batch_contender(
    label: str,
    evaluator: Evaluator,
    hands: Hands,
    out: npt.NDArray[np.uint16],
    *,
    kernel: str | None = None,
    **arguments: Any,
) -> Contender:
    """Return `evaluate_batch` into `out`; it leaves the named kernel in use.

    Further arguments are those of `Evaluator.evaluate_batch`. A small batch is evaluated many
    times over.
    """
    repeats = range(_repeats(len(hands)))

    def run() -> None:
        if kernel is not None:
            use_kernel(kernel)
        for _ in repeats:
            evaluator.evaluate_batch(hands, out=out, **arguments)

    return Contender(label, run, len(hands) * len(repeats))


def roofline_contender(
    label: str, evaluator: Evaluator, hands: Hands, out: npt.NDArray[np.uint16]
) -> Contender:
    """Return what memory alone costs: reading the hands, and writing two bytes for each."""
    repeats = range(_repeats(len(hands)))

    def run() -> None:
        for _ in repeats:
            evaluator._roofline(hands, out)

    return Contender(label, run, len(hands) * len(repeats))


def _repeats(hands: int) -> int:
    return max(1, SMALLEST_RUN // hands)
