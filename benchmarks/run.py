"""Run all benchmarks and write docs/benchmarks: a page, a chart, and the raw results.

``python benchmarks/run.py`` needs the dependency group ``bench`` and takes about ten minutes on a
machine that does nothing else; ``--quick`` takes one and writes into build/benchmarks instead.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib as mpl

from wildrank.cli.peers import PEERS
from wildrank.cli.timing import Ratio, ratio
from wildrank.kernels import kernel_name

ROOT = Path(__file__).parents[1]
PKRBOT = "pkrbot: evaluate(cards)"

QUICK = """\
- **A quick run, to try things out.** "memory" is a million hands and the command reads 200,000
  lines, so that caches and the start of threads and processes show: no goal is judged by it.
"""

CAVEATS = """\
- Times depend on the machine, and on what else runs on it. What can be compared are the ratios:
  all rows of a table were run in turn, round after round, in one process.
- *min* is the ratio of the least times, *median* the median of the ratios in the same round. The
  last column is the least time.
- The roofline is a C pass that only reads the hands and writes two bytes for each; nothing that
  looks at every hand can be faster.
- wildrank always checks its input: there is no unchecked mode, so there is no cost of checking to
  show. None of the other packages notices a card that comes twice, and none of the calls compared
  knows jokers; they are compared on hands without any.
- The other packages are called from Python, a hand at a time or as their own batch call allows,
  with whatever they can prepare (their card objects) prepared before the clock starts. Their order
  of the hands was compared with wildrank's, on a hand of every value, before any was timed.
- "cache" is 4,096 hands, "memory" 10 million.
"""


@dataclass(frozen=True)
class Row:
    """One contender of a comparison."""

    label: str
    times: list[float]
    against: Ratio
    note: str


@dataclass(frozen=True)
class Comparison:
    """One table of the page."""

    key: str
    title: str
    reference: str
    unit: str
    rows: tuple[Row, ...]
    memory: float | None

    def row(self, label: str) -> Row:
        """Return the row with a label."""
        return next(row for row in self.rows if row.label == label)


def comparisons(results: dict[str, Any]) -> Iterator[Comparison]:
    """Read what pytest-benchmark has written."""
    for result in results["benchmarks"]:
        info = result["extra_info"]
        subject = [seconds / info["count"] for seconds in result["stats"]["data"]]
        times = {info["subject"]: subject, **info["others"]}
        rounds = min(map(len, times.values()))
        times = {label: one[-rounds:] for label, one in times.items()}
        rows = tuple(
            Row(label, one, ratio(one, times[info["reference"]]), info["notes"].get(label, ""))
            for label, one in times.items()
        )
        yield Comparison(
            info["key"], info["title"], info["reference"], info["unit"], rows, info.get("memory")
        )


def shortened(value: Any) -> Any:
    """Return results with four significant digits, which is more than any machine repeats."""
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    if isinstance(value, list):
        return [shortened(one) for one in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


# --- the page ---


def duration(seconds: float) -> str:
    """Write a time with three significant digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def table(comparison: Comparison) -> str:
    """Return one comparison as a Markdown table."""
    lines = [
        f"### {comparison.title}",
        "",
        f"| | min | median | a {comparison.unit} | |",
        "|---|---:|---:|---:|---|",
    ]
    for row in comparison.rows:
        name = f"*{row.label}* = 1" if row.label == comparison.reference else row.label
        low, middle = (f"{value:,.2f}" for value in row.against)
        lines.append(f"| {name} | {low} | {middle} | {duration(min(row.times))} | {row.note} |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Goal:
    """What was to be reached."""

    what: str
    most: float
    value: float
    unit: str = ""

    def __str__(self) -> str:
        reached = "reached" if self.value <= self.most else "**missed**"
        return (
            f"| {self.what} | {self.most:g}{self.unit} | {self.value:.3g}{self.unit} | {reached} |"
        )


def goals(found: dict[str, Comparison]) -> Iterator[Goal]:
    """Compare what was measured with what the design asks for."""

    def least(key: str, label: str, unit: float) -> float:
        return min(found[key].row(label).times) / unit

    batch, nanosecond = "bench_batch:test_kernels", 1e-9
    first = found[f"{batch}[memory-5]"].rows[0].label
    for size, most in ((3, 0.55), (5, 0.68), (6, 0.80)):
        memory = found[f"{batch}[memory-{size}]"].row(first)
        yield Goal(f"{size} cards, {first}, memory, against the roofline", 2.3, memory.against[0])
        cache = least(f"{batch}[cache-{size}]", first, nanosecond)
        yield Goal(f"{size} cards, {first}, cache", most, cache, " ns")
        portable = least(f"{batch}[cache-{size}]", "portable", nanosecond)
        yield Goal(f"{size} cards, portable, cache", 2.6, portable, " ns")
    yield Goal("7 cards", 12, least(f"{batch}[cache-7]", first, nanosecond), " ns")
    wild = found["bench_batch:test_wild_ranks"].row("paiute, wild_ranks").against[0]
    yield Goal("Paiute with a wild rank a hand, against six cards", 2.5, wild)
    for size in (5, 6):
        two = found[f"bench_batch:test_threads[{size}]"].row("threads=2").against[0]
        yield Goal(f"{size} cards on two threads, against one", 0.62, two)
    pkrbot = next(
        (
            min(row.times) / nanosecond
            for row in found["bench_single:test_evaluate"].rows
            if row.label == PKRBOT
        ),
        None,
    )
    for label, most in (("text", 60), ("bytes", 50), ("tuple of ints", 65), ("uint8 array", 150)):
        call = least("bench_single:test_evaluate", label, nanosecond)
        yield Goal(f"evaluate of a {label}", most, call, " ns")
        if pkrbot:
            yield Goal(f"evaluate of a {label}, against {PKRBOT}", 0.7, call / pkrbot)
    for size, label in ((5, "perico (5 cards)"), (6, "six-card perico (6 cards)")):
        compiled = least("bench_start:test_compile", label, 1e-3)
        yield Goal(f"compiling {size} cards", 1 if size == 5 else 5, compiled, " ms")
    imports = found["bench_start:test_import"]
    pairs = zip(
        imports.row("import wildrank").times, imports.row("import numpy").times, strict=True
    )
    extra = median(one - other for one, other in pairs)
    yield Goal("import, beyond NumPy", 15, extra * 1e3, " ms")
    yield Goal(
        "deal, a five-card hand", 20, least("bench_hands:test_deal", "deal", nanosecond), " ns"
    )
    text = least("bench_hands:test_text[5]", "lines in bulk", nanosecond)
    yield Goal("text of five cards", 50, text, " ns")
    command = least("bench_command:test_batch", "to CSV", nanosecond)
    yield Goal("the command, text to CSV, a hand", 333, command, " ns")
    peak = found["bench_command:test_batch"].memory
    if peak is not None:
        yield Goal("the command, text to CSV, memory", 200, peak, " MiB")
    everything = found["bench_batch:test_all_hands"].rows[0]
    yield Goal(
        "all six-card hands into a histogram", 0.15, min(everything.times) * 32_468_436, " s"
    )
    explain = least("bench_single:test_others[perico]", "explain", 1e-6)
    yield Goal("explain", 100, explain, " µs")


def versions() -> Iterator[str]:
    """Name the machine and all versions."""
    cpu = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next((line.split(":")[1].strip() for line in lines if "model name" in line), cpu)
    yield f"{cpu}, {os.cpu_count()} cores, {platform.system()}, kernel `{kernel_name()}`"
    yield f"{platform.python_implementation()} {platform.python_version()}"
    for package in dict.fromkeys(["wildrank", "numpy", *(peer.package for peer in PEERS)]):
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield f"{package} not installed"


def losses(found: dict[str, Comparison]) -> Iterator[str]:
    """Name what is faster than wildrank's own way of doing the same."""
    peers = found["bench_peers:test_peers"]
    single = min(peers.row("wildrank: evaluate(bytes)").times)
    faster = [row.label for row in peers.rows[3:] if min(row.times) < single]
    if faster:
        yield f"A single call is slower than {', '.join(faster)}."
    imports = found["bench_start:test_import"].rows
    sooner = [row.label for row in imports[3:] if min(row.times) < min(imports[0].times)]
    if sooner:
        yield f"Importing wildrank, with the NumPy it needs, takes longer than {', '.join(sooner)}."
    for goal in goals(found):
        if goal.value > goal.most:
            yield f"Not reached: {goal.what}, {goal.value:.3g}{goal.unit} for {goal.most:g}."


def page(found: dict[str, Comparison], date: str, *, quick: bool) -> str:
    """Return the whole page."""
    lost = [f"- {loss}" for loss in losses(found)] or ["- Nothing in these tables."]
    parts = [
        "# Benchmarks",
        f"Written by `python benchmarks/run.py` on {date[:10]}.",
        "## Read this first\n\n" + (QUICK * quick + CAVEATS).strip(),
        "## What we lose\n\n" + "\n".join(lost),
        "## Machine and versions\n\n" + "\n".join(f"- {one}" for one in versions()),
        "![Time a hand, five cards without jokers](peers.svg)",
        "## Goals\n\n| | at most | measured | |\n|---|---:|---:|---|\n"
        + "\n".join(map(str, goals(found))),
        "## Tables",
        *(table(comparison) for comparison in found.values()),
    ]
    return "\n\n".join(parts) + "\n"


def chart(comparison: Comparison, path: Path) -> None:
    """Draw the time a hand of all packages, on a logarithmic scale."""
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "wildrank"  # the same picture for the same numbers
    from matplotlib import pyplot as plt

    rows = sorted(comparison.rows, key=lambda row: min(row.times), reverse=True)
    times = [min(row.times) * 1e9 for row in rows]
    colors = ["#1a7f5a" if row.label.startswith("wildrank") else "#8a8f98" for row in rows]
    figure, axes = plt.subplots(figsize=(9, 0.42 * len(rows) + 1.2))
    bars = axes.barh([row.label for row in rows], times, color=colors)
    axes.bar_label(bars, [duration(time / 1e9) for time in times], padding=4)
    axes.set_xscale("log")
    axes.set_xlim(right=max(times) * 5)
    axes.set_xlabel("nanoseconds a hand, least time, logarithmic")
    axes.set_title(comparison.title)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def run_benchmarks(results: Path, *, quick: bool) -> None:
    """Let pytest-benchmark measure everything."""
    command = [sys.executable, "-m", "pytest", "-q", str(ROOT / "benchmarks")]
    command += ["-o", "python_files=bench_*.py", "-p", "no:cacheprovider"]
    command += ["-W", "default"]  # other packages may warn
    command += [f"--benchmark-json={results}", "--benchmark-disable-gc", "--benchmark-columns=min"]
    subprocess.run([*command, *(["--quick"] if quick else [])], check=True, cwd=ROOT)


def main() -> None:
    """Measure, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller and shorter, to try it out")
    parser.add_argument("--page-only", action="store_true", help="write the page from old results")
    arguments = parser.parse_args()
    target = ROOT / ("build" if arguments.quick else "docs") / "benchmarks"
    target.mkdir(parents=True, exist_ok=True)
    results = target / "results.json"
    if not arguments.page_only:
        run_benchmarks(results, quick=arguments.quick)
    measured = shortened(json.loads(results.read_text()))
    results.write_text(json.dumps(measured, separators=(",", ":")) + "\n")
    found = {comparison.key: comparison for comparison in comparisons(measured)}
    chart(found["bench_peers:test_peers"], target / "peers.svg")
    text = page(found, measured["datetime"], quick=arguments.quick)
    (target / "README.md").write_text(text, encoding="utf-8")
    print(f"Wrote {target / 'README.md'}")


if __name__ == "__main__":
    main()
