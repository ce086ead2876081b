"""The command end to end: hands from a text file to a CSV file, and the memory it takes."""

import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
from conftest import Compare, Scale
from inputs import random_hands, rules_of

from wildrank._evalcore import format_lines
from wildrank.cli.timing import Contender

BLOCK = 1_000_000
CHECKED = 10_000  # lines of the output

# The peak of a process includes what its parent held when it started it, so a small one does.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _write_hands(path: Path, lines: int) -> None:
    hands = random_hands(lines, rules_of(5))
    with path.open("wb") as file:
        for start in range(0, lines, BLOCK):
            block = hands[start : start + BLOCK]
            nothing = np.zeros(len(block), dtype=np.uint16)
            file.write(format_lines(block, nothing, b"\n", np.array([1], dtype=np.int64)))


def _command(hands: Path, *options: str | Path) -> list[str]:
    code = "from wildrank.cli import main; main()"
    return [sys.executable, "-c", code, "batch", "perico", str(hands), *map(str, options)]


def _batch(label: str, lines: int, command: list[str]) -> Contender:
    def run() -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    return Contender(label, run, lines)


def _peak_memory(command: list[str]) -> float | None:
    """Run a command; return the most memory it held, in MiB, where the system tells."""
    if sys.platform != "linux":
        return None
    probe = [sys.executable, "-c", PEAK, *command]
    return int(subprocess.run(probe, check=True, capture_output=True).stdout) / 1024


def _check(hands: Path, csv: Path, lines: int) -> None:
    """Compare the first values with a call for each, and count the lines."""
    rules = rules_of(5)
    with hands.open() as texts, csv.open() as rows:
        assert next(rows) == "hand,value,category\n"
        for text, row in islice(zip(texts, rows, strict=True), CHECKED):
            value = rules.evaluate(text.strip())
            assert row == f"{text.strip()},{value},{rules.category_of(value)}\n"
    with csv.open("rb") as file:
        assert sum(1 for _ in file) == lines + 1


def test_batch(compare: Compare, scale: Scale, tmp_path: Path) -> None:
    hands, csv, npy = (tmp_path / name for name in ("hands.txt", "values.csv", "values.npy"))
    _write_hands(hands, scale.lines)
    to_csv = _command(hands, "-o", csv)
    memory = _peak_memory(to_csv)
    compare(
        f"wildrank batch perico, a text file of {scale.lines:,} hands",
        _batch("to CSV", scale.lines, to_csv),
        _batch("to .npy", scale.lines, _command(hands, "-o", npy)),
        _batch("summary only", scale.lines, _command(hands)),
        notes={"to CSV": f"{memory:.0f} MiB of memory at most"} if memory else None,
        memory=memory,
    )
    _check(hands, csv, scale.lines)
