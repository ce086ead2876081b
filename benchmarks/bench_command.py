"""The command end to end: hands from a text file to a CSV file, and the memory it takes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import Compare, Scale
from inputs import random_hands, rules_of

from wildrank._evalcore import format_lines
from wildrank.cli.timing import Contender

BLOCK = 1_000_000


def _write_hands(path: Path, lines: int) -> None:
    hands = random_hands(lines, rules_of(5))
    with path.open("wb") as file:
        for start in range(0, lines, BLOCK):
            block = hands[start : start + BLOCK]
            nothing = np.zeros(len(block), dtype=np.uint16)
            file.write(format_lines(block, nothing, b"\n", np.array([1], dtype=np.int64)))


def _batch(hands: Path, *options: str) -> int:
    """Run the command; return the most memory it held, in MiB."""
    code = "from wildrank.cli import main; main()"
    arguments = [sys.executable, "-c", code, "batch", "perico", str(hands), *options]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss // 1024


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss is that of Linux")
def test_batch(compare: Compare, scale: Scale, tmp_path: Path) -> None:
    hands, output = tmp_path / "hands.txt", tmp_path / "values"
    _write_hands(hands, scale.lines)
    csv, npy = (["-o", str(output.with_suffix(suffix))] for suffix in (".csv", ".npy"))
    memory = _batch(hands, *csv)
    assert output.with_suffix(".csv").read_bytes().count(b"\n") == scale.lines + 1
    compare(
        f"wildrank batch perico, a text file of {scale.lines:,} hands",
        Contender("to CSV", lambda: _batch(hands, *csv), scale.lines),
        Contender("to .npy", lambda: _batch(hands, *npy), scale.lines),
        Contender("summary only", lambda: _batch(hands), scale.lines),
        notes={"to CSV": f"{memory} MiB of memory at most"},
    )
