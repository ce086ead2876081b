"""The fixture with which every benchmark measures: all alternatives in turn, round after round."""

import gc
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from wildrank.cli.timing import Contender, Race, kernel_kept

MAX_ROUNDS = 100


@dataclass(frozen=True)
class Scale:
    """How much is measured: in full, or quickly to try things out."""

    memory: int  # hands of a batch that no cache holds
    seconds: float  # for each comparison
    lines: int  # of the text file that the command reads
    min_rounds: int


FULL = Scale(memory=10_000_000, seconds=10.0, lines=10_000_000, min_rounds=5)
QUICK = Scale(memory=1_000_000, seconds=0.4, lines=200_000, min_rounds=2)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--quick``."""
    parser.addoption("--quick", action="store_true", help="smaller and shorter, to try things out")


@pytest.fixture(scope="session")
def scale(request: pytest.FixtureRequest) -> Scale:
    """How much to measure."""
    return QUICK if request.config.getoption("--quick") else FULL


@dataclass
class Compare:
    """Measures contenders against each other; see `__call__`."""

    benchmark: BenchmarkFixture
    key: str
    scale: Scale

    def __call__(
        self,
        title: str,
        subject: Contender,
        *others: Contender,
        reference: str | None = None,
        unit: str = "hand",
        notes: dict[str, str] | None = None,
        memory: float | None = None,
    ) -> None:
        """Run all contenders once in every round, and record their times.

        Parameters
        ----------
        title : str
            What is compared.
        subject : Contender
            The one whose statistics pytest-benchmark shows.
        others : Contender
        reference : str, optional
            The label of the one whose time is 1; by default the subject's.
        unit : str
            What the contenders count.
        notes : dict of str to str, optional
            Remarks for the page, by label.
        memory : float, optional
            The most memory that the subject held, in MiB.
        """
        race = Race(others)
        seconds = self._warm_up(race, subject)
        rounds = round(self.scale.seconds / seconds)
        rounds = max(self.scale.min_rounds, min(rounds, MAX_ROUNDS))
        self.benchmark.extra_info.update(
            key=self.key,
            title=title,
            subject=subject.label,
            reference=reference or subject.label,
            unit=unit,
            count=subject.count,
            notes=notes or {},
            memory=memory,
            others=race.times,
        )
        self.benchmark.pedantic(  # type: ignore[no-untyped-call]  # it has no types
            subject.run, setup=race.run_round, rounds=rounds
        )

    @staticmethod
    def _warm_up(race: Race, subject: Contender) -> float:
        """Run a round that does not count; return how long the next one takes."""
        for _ in range(2):
            start = time.perf_counter()
            race.run_round()
            subject.run()
            seconds = time.perf_counter() - start
            if seconds > 1:
                break
        race.clear()
        return seconds


@pytest.fixture
def compare(
    benchmark: BenchmarkFixture, request: pytest.FixtureRequest, scale: Scale
) -> Iterator[Compare]:
    """Return the function that measures; garbage is not collected meanwhile."""
    key = f"{Path(request.node.fspath).stem}:{request.node.name}"
    gc.collect()
    gc.disable()
    try:
        with kernel_kept():
            yield Compare(benchmark, key, scale)
    finally:
        gc.enable()


def pytest_benchmark_update_json(output_json: dict[str, Any]) -> None:
    """Leave out what would tell about the person who ran the benchmarks."""
    output_json["machine_info"].pop("node", None)
