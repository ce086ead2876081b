"""The `wildrank` command, in process and as a program of its own."""

import csv
import os
import random
import re
import signal
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import numpy as np
import pytest
import reference
from typer.testing import CliRunner

import wildrank
from wildrank.cli import inputs
from wildrank.cli.app import app
from wildrank.cli.inputs import is_array, parse_block
from wildrank.cli.outputs import WholeFiles

EXAMPLE = Path(__file__).parents[1] / "examples" / "perico_hands.txt"
PROGRAM = [sys.executable, "-c", "from wildrank.cli import main; main()"]
RUN_MODULE = "import runpy; runpy.run_module('wildrank', run_name='__main__')"
posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files and signals")


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


def run(*args: str | Path, stdin: str | bytes | None = None) -> Ran:
    """Run the command in this process; an exception that is no exit is an error of the test."""
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=stdin, prog_name="wildrank")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)


def done(*args: str | Path, stdin: str | bytes | None = None) -> str:
    """Run a command that must succeed, and return its output."""
    ran = run(*args, stdin=stdin)
    assert ran.code == 0, ran.err
    return ran.out


def refused(*args: str | Path, stdin: str | bytes | None = None) -> str:
    """Run a command that must fail, and return the line with its error."""
    ran = run(*args, stdin=stdin)
    assert ran.code == 2, ran
    errors = ran.err.splitlines()
    assert errors[-1].startswith("Error: "), ran.err
    assert "Traceback" not in ran.err
    return errors[-1].removeprefix("Error: ")


def columns(text: str, *, after: str = "─") -> dict[str, list[str]]:
    """Read a printed table: the cells of each row by its first cell."""
    lines = text.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(after))
    rows = [line.split() for line in lines[start + 1 :] if line.strip()]
    return {row[0]: row[1:] for row in rows}


def summary(text: str) -> dict[str, int]:
    """Read the numbers of hands in the summary that batch prints."""
    table = columns(text)
    total = table.pop("all")
    counts = {name: int(cells[0].replace(",", "")) for name, cells in table.items()}
    assert int(total[-1].replace(",", "")) == sum(counts.values())
    return {name: count for name, count in counts.items() if count}


def read_csv(path: Path) -> list[list[str]]:
    """Read a CSV file whose lines end as they do on the terminal."""
    data = path.read_bytes()
    assert data.endswith(b"\n")
    assert b"\r" not in data
    return list(csv.reader(data.decode().splitlines()))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(path: Path) -> set[str]:
    return {each.name for each in path.iterdir()}


# --- the command as a whole ---


def test_version() -> None:
    assert done("--version").startswith("wildrank 0.")


def test_no_command_shows_help() -> None:
    ran = run()
    assert ran.code in (0, 2)  # what Typer makes of it depends on its version
    assert "evaluate" in ran.out + ran.err


@pytest.mark.parametrize("command", [[], ["evaluate"], ["batch"], ["rules"], ["frequencies"]])
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(command: list[str], option: str) -> None:
    text = done(*command, option)
    assert "Usage: wildrank" in text
    assert "takes_rules" not in text
    if command:
        assert "--natural-five-of-a-kind" in text


def test_program() -> None:
    ran = subprocess.run(
        [*PROGRAM, "evaluate", "puck", "As Kd 2h"], capture_output=True, text=True, check=True
    )
    assert "high card (A, K, 2): As Kd 2h" in ran.stdout
    assert ran.stderr == ""


def test_module_is_the_program() -> None:
    for args in (["evaluate", "puck", "As Kd 2h"], ["evaluate", "puck", "As"], ["evaluate"]):
        program, module = (
            subprocess.run([*command, *args], capture_output=True, text=True)
            for command in (PROGRAM, [sys.executable, "-m", "wildrank"])
        )
        assert (module.returncode, module.stdout) == (program.returncode, program.stdout)
        assert module.stderr == program.stderr


@pytest.mark.parametrize("run_it", ["from wildrank.cli import main; main()", RUN_MODULE])
@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra(missing: str, run_it: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; {run_it}"
    ran = subprocess.run([sys.executable, "-c", code, "rules"], capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert len(ran.stderr.splitlines()) == 1
    assert f"needs {missing}, which is not installed: pip install 'wildrank[cli]'" in ran.stderr


INTERRUPTED_IMPORT = """
import sys
class Interrupt:
    def find_spec(self, name, *_rest):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
"""
INTERRUPTED_START = """
import typer.main
def interrupt(*_args, **_options):
    raise KeyboardInterrupt
typer.main.get_command = interrupt
"""


@pytest.mark.parametrize("interrupted", [INTERRUPTED_IMPORT, INTERRUPTED_START])
def test_an_interrupt_before_the_command_begins(interrupted: str) -> None:
    code = f"{interrupted}\nfrom wildrank.cli import main\nmain()"
    ran = subprocess.run([sys.executable, "-c", code, "rules"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_importing_the_library_does_not_import_the_command() -> None:
    code = "import sys, wildrank; assert not {'typer', 'rich', 'wildrank.cli'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


WRONG_USAGE = [
    (["play-dice"], "No such command 'play-dice'."),
    (["--frobnicate"], "No such option: --frobnicate"),
    (["evaluate"], "Missing argument 'RULES'."),
    (["evaluate", "puck"], "Missing argument 'HAND'."),
    (["batch", "puck"], "Missing argument 'INPUT'."),
    (["frequencies"], "Missing argument 'RULES'."),
    (
        ["evaluate", "poker", "As Kd Jk"],
        "expected a rule set (perico, six-card-perico, puck, paiute), got 'poker'",
    ),
    (["rules", "poker"], "expected a rule set (perico, six-card-perico, puck, paiute), got"),
    (["frequencies", "poker"], "expected a rule set (perico, six-card-perico, puck, paiute), got"),
    (["evaluate", "perico", ""], "expected 5 cards, got 0: ''"),
    (["evaluate", "perico", "As Kd"], "expected 5 cards, got 2: 'As Kd'"),
    (["evaluate", "perico", "As Kd Qh Jc Zz"], "got 'Zz' at position 12 of 'As Kd Qh Jc Zz'"),
    (
        ["evaluate", "perico", "As Kd As Jc 2c"],
        "expected 5 different cards, got As at the positions 0 and 2",
    ),
    (["evaluate", "puck", "Jk Jk Jk"], "expected cards of a deck with 2 jokers, got the joker 54"),
    (["evaluate", "puck", "As 2c", "As 2c 3c"], "hand 1: expected 3 cards, got 2: 'As 2c'"),
    (["evaluate", "puck", "As 2c 3c", "10h"], "hand 2: expected 3 cards, got 1: 'Th' (a hand is"),
    (
        ["evaluate", "perico", "--ace", "low", "As Kd Qh Jc 2c"],
        "rule set 'perico': expected an option (--natural-five-of-a-kind, --jokers), got --ace",
    ),
    (
        ["frequencies", "puck", "--natural-five-of-a-kind"],
        "rule set 'puck': expected an option (--jokers, --ace), got --natural-five-of-a-kind",
    ),
    (["frequencies", "puck", "--jokers", "5"], "jokers: expected an int from 0 to 4, got 5"),
    (["frequencies", "puck", "--jokers", "-1"], "jokers: expected an int from 0 to 4, got -1"),
    (["frequencies", "puck", "--jokers", "two"], "Invalid value for '--jokers': "),
    (
        ["rules", "puck", "--ace", "up"],
        "rule set 'puck': expected --ace high or low or both, got 'up'",
    ),
    (
        ["frequencies", "paiute", "--ace", "low"],
        "rule set 'paiute': expected --ace high or both, got 'low'",
    ),
    (["rules", "paiute", "--hand-size", "7"], "expected hand_size to be 5 or 6, got 7"),
    (["rules", "paiute", "--wild-rank", "1"], "expected a rank such as '7', 'T', '10' or 'A'"),
    (["rules", "--jokers", "2"], "the options of a rule set need RULES"),
    (["batch", "perico", "no.txt"], "no.txt: No such file or directory"),
    (["batch", "perico", "no.npy"], "no.npy: No such file or directory"),
    (["batch", "perico", "."], "Invalid value for 'INPUT': expected a file, got '.'"),
    (["batch", "perico", "dir.csv", "--on-error", "skip"], "expected a file, got 'dir.csv'"),
    (["batch", "perico", "", "--on-error", "skip"], "expected a file, got ''"),
    (["batch", "perico", "in.txt", "--on-error", "fix"], "Invalid value for '--on-error': "),
    (["batch", "perico", "in.txt", "-o", "no/out.csv"], "no/out.csv: No such file or directory"),
    (["batch", "perico", "in.txt", "-o", "in.csv/out.csv"], "in.csv/out.csv: "),
    (
        ["batch", "perico", "in.txt", "-o", "out.xlsx"],
        "Invalid value for '--output': expected a .csv or .npy file or -, got 'out.xlsx'",
    ),
    (
        ["batch", "perico", "in.txt", "-o", "dir.csv"],
        "Invalid value for '--output': expected a file, got 'dir.csv'",
    ),
    (
        ["batch", "perico", "in.csv", "-o", "in.csv"],
        "Invalid value for '--output': expected another file than INPUT, got 'in.csv'",
    ),
    (
        ["batch", "perico", "in.csv", "-o", "./dir.csv/../in.csv"],
        "Invalid value for '--output': expected another file than INPUT",
    ),
    (
        ["batch", "perico", "in.txt", "--on-error", "skip", "--rejects", "in.txt"],
        "Invalid value for '--rejects': expected another file than INPUT, got 'in.txt'",
    ),
    (
        ["batch", "perico", "in.txt", "-o", "a.csv", "--on-error", "skip", "--rejects", "./a.csv"],
        "Invalid value for '--rejects': expected another file than --output, got './a.csv'",
    ),
    (
        ["batch", "perico", "in.txt", "--rejects", "r.csv"],
        "Invalid value for '--rejects': needs --on-error skip",
    ),
    (
        ["batch", "perico", "-", "-o", "-", "--on-error", "skip"],
        "Invalid value for '--rejects': needed when neither INPUT nor OUTPUT is a file",
    ),
    (
        ["batch", "perico", "in.txt", "-o", "-", "--on-error", "skip", "--rejects", "-"],
        "Invalid value for '--rejects': expected another file than --output, got '-'",
    ),
    (
        ["batch", "perico", "-", "-o", "-", "--on-error", "skip", "--rejects", "/dev/stdout"],
        "Invalid value for '--rejects': expected another file than --output, got '/dev/stdout'",
    ),
    (
        ["batch", "perico", "in.npy", "--column", "hand"],
        "Invalid value for '--column': a .npy file has no columns",
    ),
    (
        ["batch", "perico", "in.txt", "--jokers", "1"],
        "in.txt, line 1: expected cards of a deck with 1 joker, got the joker 53 at position 4",
    ),
]


@pytest.mark.parametrize(("args", "message"), WRONG_USAGE, ids=lambda arg: " ".join(arg)[:40])
def test_wrong_usage(here: Path, args: list[str], message: str) -> None:
    for name in ("in.txt", "in.csv"):
        Path(name).write_text("hand\n" * name.endswith("csv") + "As Kd Qh Jk Jk\n")
    np.save("in.npy", np.zeros((0, 5), dtype=np.uint8))
    Path("dir.csv").mkdir()
    before = files(here)
    assert message in refused(*args)
    assert files(here) == before


@pytest.mark.parametrize("name", list(wildrank.rule_sets()))
@pytest.mark.parametrize("ace", ["high", "low", "both"])
def test_help_says_what_ace_may_be(name: str, ace: str) -> None:
    text = " ".join(done("rules", "--help").split())
    told = re.search(r"Where the ace stands in a straight \((.*?)\)", text)
    assert told is not None
    allowed = dict(each.split(": ") for each in told[1].split("; "))
    if ace in allowed.get(name, "").split(", "):
        done("rules", name, "--ace", ace)
    else:
        refused("rules", name, "--ace", ace)


STRANGE = ["x" * 3_000_000, "\x1b[31m\x07\udcff\n\r\u202e", "\udc80 Kd 2h", "🃏" * 100_000]


@pytest.mark.parametrize("strange", STRANGE, ids=ascii)
@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--"],
        ["evaluate"],
        ["evaluate", "puck"],
        ["evaluate", "puck", "As Kd 2h"],
        ["evaluate", "puck", "--"],
        ["evaluate", "puck", "As Kd 2h", "--jokers"],
        ["evaluate", "paiute", "As Kd 2h", "--wild-rank"],
        ["evaluate", "puck", "As Kd 2h", "--ace"],
        ["batch", "puck", "in.txt", "--on-error"],
        ["batch", "puck", "in.txt", "-o"],
        ["batch", "puck", "in.txt", "--column"],
        ["simulate", "puck", "--players"],
        ["play", "puck", "--direction"],
        ["play"],
    ],
    ids=" ".join,
)
def test_messages_are_short_and_plain(args: list[str], strange: str) -> None:
    Path("in.txt").touch()
    *most, last = [*args, ""] if args[-1:] != ["--"] else args
    ran = run(*most, last + strange)
    assert ran.code == 2
    assert ran.out == ""
    message = ran.err.splitlines()[-1]
    assert message.startswith("Error: ")
    assert len(message) < 500
    assert message.isprintable()


# --- evaluate ---


def test_evaluate_one_hand() -> None:
    perico = wildrank.evaluator("perico")
    text = done("evaluate", "perico", "Kc Kd 5h 5s Jk")
    value = perico.evaluate("Kc Kd 5h 5s Jk")
    assert [line.rstrip() for line in text.splitlines()] == [
        f"value     {value} of {perico.num_values}",
        "category  full_house",
        "reading   full house (K, 5): Kc Kd 5h 5s Jk, with Jk as Ks",
    ]


@pytest.mark.parametrize("hand", ["AsKd10h", "as,kd,TH", "A♠ K♦ 10♥", "Th Kd As"])
def test_evaluate_takes_every_text_form(hand: str) -> None:
    assert "high_card" in done("evaluate", "puck", hand)


def test_evaluate_several_hands() -> None:
    text = done("evaluate", "puck", "As Kd 2h", "5s 5d Jk", "5h 5c 9d")
    assert "Hand 2 wins." in text
    table = columns(text)
    assert [table[number][1] for number in "123"] == ["high_card", "three_of_a_kind", "one_pair"]
    assert "three of a kind (5): 5s 5d Jk, with Jk as 5h" in text


def test_evaluate_names_ties() -> None:
    text = done("evaluate", "puck", "As Kd 2h", "Ah Kc 2d", "3c 4d 9h", "Ac Ks 2s")
    assert "Hands 1, 2 and 4 tie." in text


def test_evaluate_without_a_winner() -> None:
    text = done("evaluate", "paiute", "2c 4d 6h 8s Tc Qd", "2c 4d 6h 8s Tc Qd")
    assert "No hand wins: none is a combination." in text
    assert columns(text)["1"][:2] == ["0", "no_combination"]


@pytest.mark.parametrize(
    ("args", "category"),
    [
        (["perico", "7c 7d 7h 7s Jk"], "five_of_a_kind"),
        (["perico", "7c 7d 7h 7s Jk", "--natural-five-of-a-kind"], "four_of_a_kind"),
        (["perico", "--jokers", "3", "7c 7d Jk Jk Jk"], "five_of_a_kind"),
        (["puck", "As 2d 3h"], "high_card"),
        (["puck", "--ace", "both", "As 2d 3h"], "straight"),
        (["paiute", "7c 9h Th Jh Qh 2s"], "no_combination"),
        (["paiute", "7c 9h Th Jh Qh 2s", "--wild-rank", "7"], "straight_flush"),
        (["paiute", "9h 10c Jh Qh Kh 2s", "--wild-rank", "10"], "straight_flush"),
        (["paiute", "Ah 2h 3h 4h 5h", "--hand-size", "5", "--ace", "both"], "straight_flush"),
        (["paiute", "Ah 2h 3h 4h 5h", "--hand-size", "5"], "no_combination"),
        (["six-card-perico", "7c 7d 7h 7s Jk 2c", "--natural-five-of-a-kind"], "new_house"),
    ],
)
def test_evaluate_with_options(args: list[str], category: str) -> None:
    assert f"category  {category} " in done("evaluate", *args)


def test_piped_output_is_plain_and_whole() -> None:
    hands = ["Kc Kd 5h 5s Jk"] * 2
    ran = subprocess.run(
        [*PROGRAM, "evaluate", "perico", *hands],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "20", "TERM": "xterm-256color"},
    )
    assert "\x1b" not in ran.stdout
    assert ran.stdout.count("full house (K, 5): Kc Kd 5h 5s Jk, with Jk as Ks") == 2
    assert "…" not in ran.stdout


# --- rules and frequencies ---


def test_rules_lists_the_rule_sets() -> None:
    table = columns(done("rules"))
    assert list(table) == list(wildrank.rule_sets())
    assert table["puck"] == ["3", "2", "6", "--jokers", "--ace"]


@pytest.mark.parametrize("name", list(wildrank.rule_sets()))
def test_rules_shows_one_in_full(name: str) -> None:
    evaluator = wildrank.evaluator(name)
    text = done("rules", name)
    head = {
        line[:18].strip(): line[18:].strip() for line in text.splitlines() if line[:1].isalpha()
    }
    jokers = evaluator.rules.jokers
    assert head["rules"] == name
    assert head["hand"] == f"{evaluator.hand_size} cards"
    assert head["deck"] == ("52 cards" + f" + {jokers} jokers" * (jokers > 0))
    assert head["values"] == f"1 to {evaluator.num_values}"
    assert head["tie-breaks"] == ", then ".join(evaluator.rules.tie_breaks)
    shown = [(cells[0], strength) for strength, cells in columns(text).items()]
    names = [category.name for category in evaluator.rules.categories]
    assert shown == [(each, str(len(names) - index)) for index, each in enumerate(names)]


def test_rules_describes_patterns() -> None:
    text = " ".join(done("rules", "six-card-perico", "--natural-five-of-a-kind").split())
    assert "15 royal_flush in sequence, one suit, top A 14 six_of_a_kind 6 equal 13" in text
    assert "12 five_of_a_kind 5 equal + 1, no wild card 11 new_house 4 equal + 2 equal" in text
    assert "1 high_card different ranks" in text
    paiute = " ".join(done("rules", "paiute", "--wild-rank", "10").split())
    assert "6 five_of_a_kind 5 equal, 5 of 6 cards 5" in paiute
    assert "wild ranks T ace in straights high tie-breaks ranks" in paiute
    assert "wild ranks one, from deal to deal" in " ".join(done("rules", "paiute").split())
    assert "52 cards + 1 joker " in done("rules", "puck", "--jokers", "1")
    assert "high or low" in done("rules", "puck", "--ace", "both")


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (["perico"], {}),
        (["perico", "--natural-five-of-a-kind"], {"natural_five_of_a_kind": True}),
        (["six-card-perico"], {}),
        (["puck", "--jokers", "0", "--ace", "both"], {"jokers": 0, "ace": "both"}),
        (["paiute"], {}),
        (["paiute", "--wild-rank", "K", "--hand-size", "5"], {"wild_rank": "K", "hand_size": 5}),
    ],
)
def test_frequencies(args: list[str], options: dict[str, Any]) -> None:
    counts = wildrank.evaluator(args[0], **options).category_counts()
    table = columns(done("frequencies", *args))
    total = sum(counts.values())
    assert table.pop("all") == ["hands", f"{total:,}", "100.0000000%"]
    assert list(table) == list(reversed(counts))
    for name, (count, share, one_in) in table.items():
        assert int(count.replace(",", "")) == counts[name]
        assert float(share.rstrip("%")) / 100 == pytest.approx(counts[name] / total, abs=1e-9)
        if counts[name] == 0:
            assert one_in == "-"
        else:
            times = float(one_in.replace(",", ""))
            assert times == pytest.approx(total / counts[name], abs=0.006, rel=1e-3)


def test_frequencies_say_that_no_rank_is_wild() -> None:
    assert run("frequencies", "paiute").err.startswith("No rank is wild here")
    for arguments in (["paiute", "--wild-rank", "7"], ["perico"]):
        assert run("frequencies", *arguments).err == ""


def test_frequencies_known_numbers() -> None:
    table = columns(done("frequencies", "puck", "--jokers", "0", "--ace", "both"))
    numbers = [cells[0] for cells in table.values()]
    assert numbers[:-1] == ["48", "52", "1,096", "720", "3,744", "16,440"]


# --- batch: what comes in ---


def expected_rows(hands: list[str], rules: str = "perico", **options: Any) -> list[list[str]]:
    evaluator = wildrank.evaluator(rules, **options)
    rows = [["hand", "value", "category"]]
    for hand in hands:
        value = evaluator.evaluate(hand)
        text = wildrank.format_cards(wildrank.parse_cards(hand))
        rows.append([text, str(value), evaluator.category_of(value)])
    return rows


PUCK_CSV = "".join(",".join(row) + "\n" for row in expected_rows(["As Kd 2h", "Jk 2c 2d"], "puck"))


def test_batch_example_file(here: Path) -> None:
    text = done("batch", "perico", EXAMPLE, "-o", "out.csv")
    rows = read_csv(here / "out.csv")
    assert rows == expected_rows(EXAMPLE.read_text().splitlines())
    assert len(rows) == 10_001
    assert summary(text) == Counter(row[2] for row in rows[1:])


def test_batch_prints_what_the_readme_shows() -> None:
    readme = (EXAMPLE.parents[1] / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("```text\n")[2].partition("```")[0]
    printed = done("batch", "perico", EXAMPLE)
    assert [line.rstrip() for line in printed.splitlines()] == shown.splitlines()


def test_batch_example_file_agrees_with_the_reference(here: Path) -> None:
    done("batch", "perico", EXAMPLE, "-o", "out.csv")
    rules = reference.perico()
    slow = reference.Reference(rules)
    found: dict[int, reference.Value] = {}
    for hand, value, category in read_csv(here / "out.csv")[1:]:
        true_value = slow.value(wildrank.parse_cards(hand))
        assert category == reference.category_name(true_value, rules)
        assert found.setdefault(int(value), true_value) == true_value
    in_order = [found[value] for value in sorted(found)]
    assert all(low < high for low, high in pairwise(in_order))


def test_batch_without_output_writes_nothing(here: Path) -> None:
    assert sum(summary(done("batch", "perico", EXAMPLE)).values()) == 10_000
    assert files(here) == set()


def test_batch_to_standard_output() -> None:
    ran = run("batch", "puck", "-", "-o", "-", stdin="As Kd 2h\nJk 2c 2d\n")
    assert ran.code == 0
    assert ran.out == PUCK_CSV
    assert summary(ran.err) == {"high_card": 1, "three_of_a_kind": 1}


@pytest.mark.parametrize(
    "data",
    [
        "As Kd 2h\nJk 2c 2d\n",
        "As Kd 2h\nJk 2c 2d",
        "As Kd 2h\r\nJk 2c 2d\r\n",
        "\ufeffAs Kd 2h\nJk 2c 2d\n",
        "\ufeff\n\n  As Kd 2h\t\n \t \n\n\nJk 2c 2d\n\n",
        "# hands\nAs Kd 2h\n  # of puck\nJk 2c 2d\n#",
        "A♠ K♦ 2♥\n🃏 2c 2d\n",
        "asKD2H\njoker,2c,2d\n",
        "As  Kd 2h\n* 2c 2d\n",
    ],
)
def test_batch_text_forms(data: str) -> None:
    for raw in (data.encode(), data.encode() + b"\n"):
        ran = run("batch", "puck", "-", "-o", "-", stdin=raw)
        assert ran.out == PUCK_CSV


def test_batch_of_nothing(here: Path) -> None:
    Path("in.txt").write_bytes(b"")
    np.save("in.npy", np.zeros((0, 5), dtype=np.uint8))
    for source in ("in.txt", "in.npy"):
        for output in ("out.csv", "out.npy"):
            assert summary(done("batch", "perico", source, "-o", output)) == {}
        assert (here / "out.csv").read_text() == "hand,value,category\n"
        assert np.load("out.npy").shape == (0,)


def test_batch_csv_input(here: Path) -> None:
    Path("in.csv").write_text(
        "\ufeffplayer,hand,note\r\n"
        'Ann,As Kd 2h,"several\nlines, quoted"\r\n'
        "\r\n"
        'Bob,"Jk,2c,2d",\r\n',
        newline="",
    )
    done("batch", "puck", "in.csv", "-o", "out.csv")
    expected = expected_rows(["As Kd 2h", "Jk 2c 2d"], "puck")
    assert read_csv(here / "out.csv") == expected
    done("batch", "puck", "out.csv", "-o", "again.csv")  # its column is called hand, too
    assert read_csv(here / "again.csv") == expected


def test_batch_csv_column(here: Path) -> None:
    data = b"n,My hand,hand\n1,As Kd 2h,x\n2,Jk 2c 2d,\xff\n"
    Path("in.txt").write_bytes(data)
    expected = expected_rows(["As Kd 2h", "Jk 2c 2d"], "puck")
    done("batch", "puck", "in.txt", "--column", "My hand", "-o", "out.csv")
    assert read_csv(here / "out.csv") == expected
    done("batch", "puck", "-", "--column", "My hand", "-o", "out2.csv", stdin=data)
    assert read_csv(here / "out2.csv") == expected


@pytest.mark.parametrize("dtype", ["u1", "i1", "<i8", ">i4", "u8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_batch_array_input(here: Path, dtype: str, order: Any) -> None:
    hands = ["As Kd 2h", "Jk 2c 2d", "3c 4d 9h"]
    codes = [wildrank.parse_cards(hand) for hand in hands]
    np.save("in.npy", np.array(codes, dtype=dtype, order=order))
    done("batch", "puck", "in.npy", "-o", "out.csv")
    assert read_csv(here / "out.csv") == expected_rows(hands, "puck")


def test_batch_array_output(here: Path) -> None:
    text = done("batch", "perico", EXAMPLE, "-o", "out.npy")
    rows = np.load("out.npy")
    evaluator = wildrank.evaluator("perico")
    assert rows.dtype == np.dtype([("hand", "u1", (5,)), ("value", "<u2"), ("category", "i1")])
    assert [wildrank.format_cards(hand) for hand in rows["hand"]] == (
        EXAMPLE.read_text().splitlines()
    )
    assert (rows["value"] == evaluator.evaluate_batch(rows["hand"].copy())).all()
    assert (rows["category"] == evaluator.category_index(rows["value"])).all()
    assert done("batch", "perico", "out.npy", "-o", "again.npy") == text
    assert (here / "again.npy").read_bytes() == (here / "out.npy").read_bytes()


def test_batch_counts_no_combination(here: Path) -> None:
    stdin = "7c 9h Th Jh Qh 2s\n7c 9d Th Jh Qh 2s\n"
    text = done("batch", "paiute", "-", "-o", "out.npy", "--wild-rank", "7", stdin=stdin)
    assert summary(text) == {"straight_flush": 1, "no_combination": 1}
    assert np.load("out.npy")["category"].tolist() == [2, -1]


def test_batch_of_many_blocks(here: Path) -> None:
    hands = EXAMPLE.read_text().splitlines() * 5
    random.Random(1).shuffle(hands)
    lines = [hand.replace(" ", "") if index % 3 else hand for index, hand in enumerate(hands)]
    Path("in.txt").write_text("\n".join(lines) + "\n# end")
    Path("in.csv").write_text("hand\n" + "\n".join(lines))
    done("batch", "perico", "in.txt", "-o", "a.csv")
    done("batch", "perico", "in.csv", "-o", "b.csv")
    done("batch", "perico", "in.csv", "-o", "c.npy")
    done("batch", "perico", "c.npy", "-o", "d.csv")
    assert [row[0] for row in read_csv(here / "a.csv")[1:]] == hands
    for name in ("b.csv", "d.csv"):
        assert (here / name).read_bytes() == (here / "a.csv").read_bytes()
    lines[40_000] = "As Kd"
    Path("in.txt").write_text("\n".join(lines))
    assert refused("batch", "perico", "in.txt").startswith("in.txt, line 40001: expected 5 cards")


# --- batch: what is no hand ---

BAD_LINES = [
    (b"As Kd", "expected 3 cards, got 2: 'As Kd'"),
    (b"As Kd 2h 3h", "expected 3 cards, got 4: 'As Kd 2h 3h'"),
    (b"AsKd", "expected 3 cards, got 2: 'As Kd'"),
    (b"As Kd 2x", "expected a card such as 'As', '10h' or 'Jk', got '2x' at position 6"),
    (b"As-Kd-2h", "expected a card such as 'As', '10h' or 'Jk', got '-Kd-2h' at position 2"),
    (b"As Kd As", "expected 3 different cards, got As at the positions 0 and 2"),
    (b"Jk Jk Jk", "expected cards of a deck with 2 jokers, got the joker 54 at position 2"),
    (b"JkJkJk", "expected cards of a deck with 2 jokers, got the joker 54 at position 2"),
    (b"As Kd ? # why", "got '?' at position 6 of 'As Kd ? # why'"),
    (b"\xffs Kd 2h", "expected UTF-8 text, got the byte 0xff at position 0"),
    (b"As Kd 2\xe2\x99", "expected UTF-8 text, got the byte 0xe2 at position 7"),
    (b"As Kd 2h\0", "got '\\x00' at position 8 of 'As Kd 2h\\x00'"),
    (b"x" * 1_001, "expected at most 1000 bytes, got more"),
    (b"x" * 1_000_000, "expected at most 1000 bytes, got more"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES, ids=lambda arg: repr(arg)[:30])
def test_batch_stops_at_a_bad_line(here: Path, line: bytes, reason: str) -> None:
    Path("in.txt").write_bytes(b"# puck\n\nAs Kd 2h\n" + line + b"\nbad, too\n")
    Path("out.csv").write_text("old")
    message = refused("batch", "puck", "in.txt", "-o", "out.csv")
    assert message.startswith("in.txt, line 4: ")
    assert reason in message
    assert Path("out.csv").read_text() == "old"
    assert files(here) == {"in.txt", "out.csv"}
    message = refused("batch", "puck", "-", "-o", "new.csv", stdin=line)
    assert message.startswith("standard input, line 1: ")
    assert reason in message
    assert files(here) == {"in.txt", "out.csv"}


def test_batch_skips_bad_lines(here: Path) -> None:
    lines = [line for line, _ in BAD_LINES]
    Path("in.txt").write_bytes(b"As Kd 2h\n" + b"\n".join(lines) + b"\n\nJk 2c 2d")
    ran = run("batch", "puck", "in.txt", "-o", "out.csv", "--on-error", "skip")
    assert ran.code == 0
    assert ran.err == f"Skipped {len(lines)} lines, listed in out.rejects.csv\n"
    assert summary(ran.out) == {"high_card": 1, "three_of_a_kind": 1}
    assert read_csv(here / "out.csv") == expected_rows(["As Kd 2h", "Jk 2c 2d"], "puck")
    header, *rejects = read_csv(here / "out.rejects.csv")
    assert header == ["line", "text", "reason"]
    assert [int(row[0]) for row in rejects] == list(range(2, 2 + len(lines)))
    for (line, reason), (_, text, given) in zip(BAD_LINES, rejects, strict=True):
        assert text == line[:1_000].decode(errors="backslashreplace")
        assert reason in given


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (["hands.txt"], "hands.rejects.csv"),
        (["hands.txt", "-o", "-"], "hands.rejects.csv"),
        (["hands.txt", "-o", "out.npy"], "out.rejects.csv"),
        (["-", "-o", "out.csv"], "out.rejects.csv"),
        (["-", "--rejects", "bad.txt"], "bad.txt"),
        (["hands.txt", "-o", "out.csv", "--rejects", "bad"], "bad"),
    ],
)
def test_rejects_file_name(here: Path, args: list[str], name: str) -> None:
    Path("hands.txt").write_text("As Kd 2h\nAs\n")
    before = files(here)
    done("batch", "puck", *args, "--on-error", "skip", stdin="As Kd 2h\nAs\n")
    assert files(here) - before - {"out.csv", "out.npy"} == {name}
    assert read_csv(here / name)[1:] == [["2", "As", "expected 3 cards, got 1: 'As'"]]


def test_rejects_file_is_of_this_run(here: Path) -> None:
    Path("in.txt").write_text("As Kd 2h\n")
    for old in ("", "line,text,reason\n7,As,old\n", "row,text,reason\r\n"):
        Path("in.rejects.csv").write_text(old, newline="")
        ran = run("batch", "puck", "in.txt", "--on-error", "skip")
        assert ran.err == ""
        assert read_csv(here / "in.rejects.csv") == [["line", "text", "reason"]]


def test_rejects_replace_other_data_only_by_name(here: Path) -> None:
    Path("in.txt").write_text("As Kd 2h\n")
    Path("in.rejects.csv").write_text("mine")
    message = refused("batch", "puck", "in.txt", "--on-error", "skip")
    assert message.endswith("'--rejects': needed, because 'in.rejects.csv' holds other data")
    assert Path("in.rejects.csv").read_text() == "mine"
    done("batch", "puck", "in.txt", "--on-error", "skip", "--rejects", "in.rejects.csv")
    assert read_csv(here / "in.rejects.csv") == [["line", "text", "reason"]]


def test_batch_bad_csv(here: Path) -> None:
    Path("in.csv").write_bytes(b'n,hand\n1,As Kd 2h\n"2\n",As Kd\n3\n\n4,\xffs Kd 2h\n')
    assert refused("batch", "puck", "in.csv") == "in.csv, line 4: expected 3 cards, got 2: 'As Kd'"
    done("batch", "puck", "in.csv", "--on-error", "skip")
    assert read_csv(here / "in.rejects.csv")[1:] == [
        ["4", "As Kd", "expected 3 cards, got 2: 'As Kd'"],
        ["5", "", "expected 3 cards, got 0: ''"],
        ["7", "\\xffs Kd 2h", "expected UTF-8 text, got the byte 0xff at position 0"],
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: expected a column 'hand' (--column names another), got none"),
        (b"a,b\n", "line 1: expected a column 'hand' (--column names another), got 'a', 'b'"),
        (b"n,hand,hand\n1,As Kd 2h,x\n", "line 1: expected one column 'hand', got 2 of that name"),
        (b"hand\rAs Kd 2h\r", "line 1: expected well-formed CSV, but a line ends in CR alone"),
        (b'n,hand\n"1,As Kd 2h\n2,Jk 2c 2d\n', "line 3: expected well-formed CSV, but unexpected"),
        (b'n,hand\n"1,As Kd 2h\n"2",Jk 2c 2d\n', "line 3: expected well-formed CSV, but ','"),
        (b"hand\n" + b'"' + b"x\n" * 200_000, "unexpected end of data"),
        (b"hand\n" + b"x" * 2_000_000, "line 2: expected fewer than 1048576 bytes in a record"),
        (
            b'hand,x\n"As Kd 2h","' + b'\n","' * 400_000,
            "expected fewer than 1048576 bytes in a record",
        ),
    ],
)
def test_batch_csv_that_cannot_be_read(here: Path, data: bytes, message: str) -> None:
    Path("in.csv").write_bytes(data)
    for option in ([], ["--on-error", "skip"]):
        error = refused("batch", "puck", "in.csv", "-o", "out.csv", *option)
        assert error.startswith("in.csv, line ")
        assert message in error
        assert files(here) == {"in.csv"}


def test_batch_bad_rows(here: Path) -> None:
    rows = [[0, 1, 2], [0, 1, 300], [0, 1, 1], [-1, 1, 2], [0, 1, 54], [52, 53, 2]]
    np.save("in.npy", np.array(rows))
    message = refused("batch", "puck", "in.npy", "-o", "out.npy")
    assert message.startswith("in.npy, row 1: expected a card")
    assert message.endswith("from 0 to 55, got 300 at position 2")
    assert files(here) == {"in.npy"}
    ran = run("batch", "puck", "in.npy", "-o", "out.npy", "--on-error", "skip")
    assert ran.err == "Skipped 4 rows, listed in out.rejects.csv\n"
    assert np.load("out.npy")["hand"].tolist() == [[0, 1, 2], [52, 53, 2]]
    header, *rejects = read_csv(here / "out.rejects.csv")
    assert header == ["row", "text", "reason"]
    assert [row[:2] for row in rejects] == [
        ["1", "0 1 300"],
        ["2", "0 1 1"],
        ["3", "-1 1 2"],
        ["4", "0 1 54"],
    ]


def npy(array: Any) -> bytes:
    file = BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected an array in NumPy's .npy format"),
        (b"As Kd 2h\n", "expected an array in NumPy's .npy format"),
        (npy(np.zeros((9, 3), np.uint8))[:-5], "expected an array in NumPy's .npy format"),
        (npy(np.zeros((9, 3), np.uint8))[:40], "expected an array in NumPy's .npy format"),
        (npy(np.zeros((9, 3))).replace(b")", b"("), "expected an array in NumPy's .npy format"),
        (npy(np.array([[None]])), "expected an array in NumPy's .npy format"),
        (npy(np.zeros((9, 5), np.uint8)), "of shape (N, 3), got shape (9, 5)"),
        (npy(np.zeros(9, np.uint8)), "expected an array of int card codes of shape (N, 3)"),
        (npy(np.array(9)), "expected an array of int card codes of shape (N, 3), got shape ()"),
        (npy(np.zeros((), [("hand", "u1", (2, 3))])), "of shape (N, 3), got shape ()"),
        (npy(np.zeros(1, [("hand", "u1", 3), ("x", "V5000000")])), "rows of at most 4194304 bytes"),
        (npy(np.zeros((9, 3))), "of shape (N, 3), got dtype float64"),
        (npy(np.array([["As", "Kd", "2h"]])), "of shape (N, 3), got dtype <U2"),
    ],
    ids=str,
)
def test_batch_array_that_cannot_be_read(here: Path, data: bytes, message: str) -> None:
    Path("in.npy").write_bytes(data)
    error = refused("batch", "puck", "in.npy", "-o", "out.csv")
    assert error.startswith("in.npy, expected")
    assert message in error
    assert files(here) == {"in.npy"}


def test_batch_arrays_of_many_blocks(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = wildrank.deal(1_000, wildrank.evaluator("perico").rules, seed_or_generator=1)
    wide = np.zeros(1_000, dtype=[("note", "U9"), ("hand", ">i2", (5,))])
    wide["hand"] = hands
    np.save("rows.npy", hands)
    np.save("columns.npy", np.asfortranarray(hands, dtype=">i8"))
    np.save("wide.npy", wide)
    whole = done("batch", "perico", "rows.npy", "-o", "whole.csv")
    for rows, size in ((33, 1 << 22), (1_000, 1_234)):
        monkeypatch.setattr(inputs, "ROWS", rows)
        monkeypatch.setattr(inputs, "BLOCK", size)
        for name in ("rows.npy", "columns.npy", "wide.npy"):
            assert done("batch", "perico", name, "-o", "out.csv") == whole
            assert (here / "out.csv").read_bytes() == (here / "whole.csv").read_bytes()


@posix_only
def test_batch_array_that_is_cut_meanwhile(here: Path) -> None:
    np.save("in.npy", np.full((40_000, 3), [0, 1, 2], dtype=np.uint8))
    with inputs.open_source("in.npy", None, wildrank.evaluator("puck")) as source:
        os.truncate("in.npy", 100_000)
        assert len(next(source.blocks).hands) == inputs.ROWS
        with pytest.raises(wildrank.HandError, match="the whole array, got the end of the file"):
            next(source.blocks)


@posix_only
def test_batch_array_from_a_pipe() -> None:
    os.mkfifo("pipe.npy")
    writer = os.open("pipe.npy", os.O_RDWR)  # so that to open it for reading does not wait
    assert refused("batch", "puck", "pipe.npy") == "pipe.npy, expected a regular file, got another"
    os.close(writer)


# --- batch: parsing ---


@pytest.mark.parametrize("name", list(wildrank.rule_sets()))
def test_parse_block_agrees_with_the_library(name: str) -> None:
    rng = random.Random(name)
    evaluator = wildrank.evaluator(name)
    lines = list(random_lines(rng, evaluator))
    text = "".join(f"{line}\n" for line in lines).encode()
    hands, places, errors = parse_block(text, evaluator)
    assert hands.shape == (len(lines) - len(errors), evaluator.hand_size)
    assert list(errors) == sorted(errors)
    assert sorted([*places.tolist(), *errors]) == list(range(len(lines)))
    for place, hand in zip(places.tolist(), hands.tolist(), strict=True):
        assert tuple(hand) == wildrank.parse_cards(lines[place])
    for place, line in enumerate(lines):
        assert errors.get(place) == reason_against(evaluator, line)
    assert 0 < len(errors) < len(lines) / 2


def reason_against(evaluator: wildrank.Evaluator, hand: str) -> str | None:
    try:
        evaluator.evaluate(hand)
    except wildrank.WildrankError as error:
        return str(error)
    return None


def random_lines(rng: random.Random, evaluator: wildrank.Evaluator) -> Iterator[str]:
    deck = wildrank.deck(evaluator.rules.jokers)
    for number in range(4_000):
        cards = [str(card) for card in rng.sample(deck, evaluator.hand_size)]
        if number % 3 == 1:
            cards = [rng.choice([card.lower(), card.upper()]) for card in cards]
        if number % 7 == 3:
            cards = [card.replace("T", "10").replace("Jk", "joker") for card in cards]
        line = rng.choice([" ", "", ",", ", "]).join(cards)
        if number % 5 == 2:  # spoil, or repeat, a character
            place = rng.randrange(len(line))
            line = line[:place] + rng.choice("AKTJk1cdhs*., ♠x") + line[place + rng.randrange(2) :]
        yield line.strip()


def test_parse_block_of_nothing() -> None:
    hands, places, errors = parse_block(b"", wildrank.evaluator("puck"))
    assert hands.shape == (0, 3)
    assert places.shape == (0,)
    assert errors == {}


def test_parse_block_passes_over_blank_lines_and_comments() -> None:
    text = b"# three\n\nAs Kd 2c\r\n  \n2\xe2\x99\xa3 3c 4c\n2c 2c 3c\n"
    hands, places, errors = parse_block(text, wildrank.evaluator("puck"))
    assert hands.tolist() == [[51, 45, 0], [0, 4, 8]]
    assert places.tolist() == [2, 4]
    assert list(errors) == [5]
    _, places, errors = parse_block(text, wildrank.evaluator("puck"), comments=False)
    assert places.tolist() == [2, 4]
    assert list(errors) == [0, 1, 3, 5]


# --- batch: files appear whole or not at all ---


@pytest.fixture
def hands_file() -> Path:
    path = Path("hands.txt")
    path.write_text("As Kd 2h\nJk 2c 2d\nAs Kd\n")
    return path


SKIP = ["--on-error", "skip", "--rejects", "bad.csv"]


@pytest.mark.parametrize("output", ["out.csv", "out.npy"])
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), 130),
        (OSError(28, "No space left on device"), 2),
        (SystemExit(143), 143),
    ],
)
@pytest.mark.parametrize("place", ["wildrank.cli.batch.progress_bar", "os.fsync"])
def test_no_file_after_a_failure(
    here: Path,
    hands_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    output: str,
    error: BaseException,
    code: int,
    place: str,
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise error

    Path("bad.csv").write_text("old rejects")
    monkeypatch.setattr(place, fail)
    ran = run("batch", "puck", hands_file, "-o", output, *SKIP)
    assert ran.code == code
    name = f"{output}: " if place == "os.fsync" else ""
    assert ran.err == (f"Error: {name}No space left on device\n" if code == 2 else "")
    assert files(here) == {"hands.txt", "bad.csv"}
    assert Path("bad.csv").read_text() == "old rejects"


def test_old_files_stay_until_the_end(here: Path) -> None:
    with WholeFiles() as whole:
        for name in ("a", "b"):
            Path(name).write_text("old")
            whole.open(name).write(b"new")
        assert [Path(name).read_text() for name in "ab"] == ["old", "old"]
        assert len(files(here)) == 4
    assert [Path(name).read_text() for name in "ab"] == ["new", "new"]
    assert files(here) == {"a", "b"}


@posix_only
def test_permissions(here: Path, hands_file: Path) -> None:
    old = os.umask(0o027)
    try:
        done("batch", "puck", hands_file, "-o", "new.csv", *SKIP)
        Path("old.csv").write_text("old")
        Path("old.csv").chmod(0o664)
        done("batch", "puck", hands_file, "-o", "old.csv", *SKIP)
    finally:
        os.umask(old)
    modes = [stat.S_IMODE((here / name).stat().st_mode) for name in ("new.csv", "old.csv")]
    assert modes == [0o640, 0o664]


@posix_only
def test_symbolic_link_stays(here: Path, hands_file: Path) -> None:
    Path("target.csv").write_text("old")
    Path("link.csv").symlink_to("target.csv")
    done("batch", "puck", hands_file, "-o", "link.csv", *SKIP)
    assert Path("link.csv").is_symlink()
    assert Path("target.csv").read_text().startswith("hand,value,category\n")
    Path("link.txt").symlink_to("target.csv")
    assert "expected another file than INPUT" in refused(
        "batch", "puck", "link.txt", "-o", "link.csv"
    )


def test_read_only_output(here: Path, hands_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out.csv").write_text("old")
    monkeypatch.setattr(os, "access", lambda *_args: False)  # whoever runs the test
    message = refused("batch", "puck", hands_file, "-o", "out.csv", *SKIP)
    assert message == "out.csv: Permission denied"
    assert Path("out.csv").read_text() == "old"
    assert files(here) == {"hands.txt", "out.csv"}


@pytest.mark.parametrize("failure", [OSError(13, "Permission denied"), KeyboardInterrupt()])
@pytest.mark.parametrize("links", [True, False])
def test_all_files_take_their_places_or_none(
    here: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException, links: bool
) -> None:
    """The second of two files cannot take its place, as on Windows when it is open."""
    replace = Path.replace

    def fail_for_bad(path: Path, target: Path) -> Path:
        if target.name == "bad.csv":
            raise failure
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fail_for_bad)
    if not links:
        monkeypatch.setattr(os, "link", lambda *_args: Path("not there").stat())
    Path("hands.txt").write_text("As Kd 2h\nAs Kd\n")
    Path("bad.csv").write_text("old rejects")
    for old in (None, "old values"):
        if old is not None:
            Path("out.csv").write_text(old)
        before = {name: Path(name).read_bytes() for name in files(here)}
        ran = run("batch", "puck", "hands.txt", "-o", "out.csv", *SKIP)
        assert ran.code == (2 if isinstance(failure, OSError) else 130)
        assert {name: Path(name).read_bytes() for name in files(here)} == before


def test_standard_streams_are_outputs(here: Path, hands_file: Path) -> None:
    values = expected_rows(["As Kd 2h", "Jk 2c 2d"], "puck")
    rejects = [["line", "text", "reason"], ["3", "As Kd", "expected 3 cards, got 2: 'As Kd'"]]
    for stdout in ("-", "/dev/stdout", "/dev/fd/1"):
        ran = run("batch", "puck", hands_file, "-o", stdout, *SKIP)
        assert list(csv.reader(ran.out.splitlines())) == values
        assert read_csv(here / "bad.csv") == rejects
        ran = run("batch", "puck", hands_file, "--on-error", "skip", "--rejects", stdout)
        assert list(csv.reader(ran.out.splitlines())) == rejects
        assert "Skipped 1 line, listed in standard output\n" in ran.err
        assert len(summary(ran.err.partition("Skipped")[0])) == 2
    ran = run("batch", "puck", hands_file, "-o", "-", "--on-error", "skip", "--rejects=/dev/stderr")
    assert list(csv.reader(ran.out.splitlines())) == values
    assert "3,As Kd," in ran.err
    assert files(here) == {"hands.txt", "bad.csv"}


@posix_only
def test_redirected_standard_output_is_not_replaced(here: Path, hands_file: Path) -> None:
    with Path("out.txt").open("wb") as out:
        subprocess.run(
            [*PROGRAM, "batch", "puck", hands_file, "-o", "/dev/stdout", *SKIP],
            stdout=out,
            stderr=subprocess.PIPE,
            check=True,
        )
        out.write(b"more\n")
    assert read_csv(here / "out.txt")[-2:] == [["Jk 2c 2d", ANY, "three_of_a_kind"], ["more"]]


@posix_only
def test_pipes_are_written_to(here: Path, hands_file: Path) -> None:
    for name in ("values", "rejects"):
        os.mkfifo(name)
    args = ["-o", "values", "--on-error", "skip", "--rejects", "rejects"]
    with subprocess.Popen(
        [*PROGRAM, "batch", "puck", hands_file, *args], stdout=subprocess.PIPE
    ) as process:
        with Path("values").open() as values, Path("rejects").open() as rejects:
            assert values.read() == PUCK_CSV
            assert rejects.read().startswith("line,text,reason\n3,As Kd,")
        process.communicate()
    assert process.returncode == 0
    assert Path("values").is_fifo()
    assert files(here) == {"hands.txt", "values", "rejects"}


@posix_only
def test_devices_are_written_to(here: Path, hands_file: Path) -> None:
    Path("null.csv").symlink_to(os.devnull)
    for output in ("null.csv", os.devnull):
        done("batch", "puck", hands_file, "-o", output, *SKIP)
        done("batch", "puck", hands_file, "--on-error", "skip", "--rejects", output)
    assert Path(os.devnull).is_char_device()
    assert files(here) == {"hands.txt", "null.csv", "bad.csv"}
    Path("null.npy").symlink_to(os.devnull)
    message = refused("batch", "puck", hands_file, "-o", "null.npy")
    assert message.endswith("expected a regular file for .npy, got 'null.npy'")


# --- batch: as a program ---


@posix_only
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_leave_no_file(here: Path, number: signal.Signals, code: int) -> None:
    with subprocess.Popen(
        [*PROGRAM, "batch", "perico", "-", "-o", "out.csv"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"As Kd Qh Jc 9s\n")
        process.stdin.flush()
        wait_for(lambda: any(name.endswith(".tmp") for name in files(here)))
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (code, b"", b"")
    assert files(here) == set()


def peak_memory(*args: str) -> int:
    """Run the program, and return the most memory that it had, in bytes."""
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *PROGRAM, *args], stdout=subprocess.PIPE, text=True, check=True
    )
    return int(ran.stdout) * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.skipif(find_spec("resource") is None, reason="needs the module resource")
@pytest.mark.parametrize("name", ["rows.npy", "columns.npy", "hands.csv", "hands.txt"])
def test_memory_is_bounded(here: Path, name: str) -> None:
    large, small = f"large-{name}", f"small-{name}"
    for path, times in ((large, 8), (small, 1)):
        if is_array(name):
            hands = np.tile(np.arange(5, dtype="<i8"), (100_000 * times, 1))
            np.save(path, np.asfortranarray(hands) if name == "columns.npy" else hands)
        else:
            note = ",note" if name.endswith(".csv") else ""
            rows = f"As Ks Qs Js Jk{note * 5}\n".encode() * 75_000 * times
            Path(path).write_bytes(b"hand\n" * bool(note) + rows)
    growth = Path(large).stat().st_size - Path(small).stat().st_size
    more = peak_memory("batch", "perico", large) - peak_memory("batch", "perico", small)
    assert more < growth / 3


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@posix_only
@pytest.mark.parametrize(
    "arguments",
    [["-o", "in.csv"], ["--on-error", "skip", "--rejects", "in.csv"], ["-o", "/dev/stdin"]],
)
def test_a_redirected_input_is_not_replaced(here: Path, arguments: list[str]) -> None:
    data = "hand\nAs Ks Qs Js Jk\n"
    Path("in.csv").write_text(data)
    with Path("in.csv").open() as file:
        ran = subprocess.run(
            [*PROGRAM, "batch", "perico", "-", "--column", "hand", *arguments],
            stdin=file,
            capture_output=True,
            text=True,
        )
    assert ran.returncode == 2
    assert "expected another file than INPUT" in ran.stderr
    assert Path("in.csv").read_text() == data


@posix_only
@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["in.txt", "-o", "-", "--on-error", "skip", "--rejects", "both.csv"], "both.csv"),
        (["in.txt", "-o", "-"], "in.txt"),
    ],
)
def test_a_redirected_output_is_no_other_file(here: Path, arguments: list[str], file: str) -> None:
    data = "As Ks Qs Js Ts\ngarbage\n"
    Path("in.txt").write_text(data)
    with Path(file).open("a") as out:
        ran = subprocess.run(
            [*PROGRAM, "batch", "perico", *arguments], stdout=out, stderr=subprocess.PIPE, text=True
        )
    assert ran.returncode == 2
    assert "expected another file than" in ran.stderr
    assert Path("in.txt").read_text() == data


@posix_only
@pytest.mark.parametrize("blanks", [900, 1_500, 3_000])
@pytest.mark.parametrize(
    "line", ["As{}Ks Qs", "\ufeff{}As Ks Qs", "As Ks Qs{}", "As Ks{}Qs  garbage"]
)
def test_lines_are_judged_the_same_wherever_they_are_cut(line: str, blanks: int) -> None:
    text = line.format(" " * blanks).encode() + b"\n"
    command = [*PROGRAM, "batch", "puck", "-", "-o", "-"]
    whole = subprocess.run(command, input=text, capture_output=True)
    for place in (3, 300, 1_003, len(text) - 3, len(text) - 1):
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdin is not None
        process.stdin.write(text[:place])
        process.stdin.flush()
        time.sleep(0.3)
        out, errors = process.communicate(text[place:], timeout=30)
        assert (process.returncode, out, errors) == (whole.returncode, whole.stdout, whole.stderr)
        assert b"'!'" not in errors


@posix_only
def test_nothing_is_said_among_the_results_when_standard_error_is_closed(here: Path) -> None:
    Path("in.txt").write_text("As Ks Qs Js Jk\ngarbage\n")
    options = ["in.txt", "-o", "-", "--on-error", "skip", "--rejects", "rejects.csv"]
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *PROGRAM, "batch", "perico", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert (ran.returncode, len(ran.stdout.splitlines())) == (0, 2)


@posix_only
def test_endless_input_and_closed_pipe() -> None:
    """Hands come out while others go in, and nobody listening any more is no error to show."""
    with (
        subprocess.Popen(["yes", "As Kd Qh Jc 9s"], stdout=subprocess.PIPE) as endless,
        subprocess.Popen(
            [*PROGRAM, "batch", "perico", "-", "-o", "-"],
            stdin=endless.stdout,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        assert endless.stdout is not None
        assert process.stdout is not None
        assert process.stderr is not None
        endless.stdout.close()
        assert process.stdout.readline() == b"hand,value,category\n"
        for _ in range(100_000):
            assert process.stdout.readline().startswith(b"As Kd Qh Jc 9s,")
        process.stdout.close()
        assert process.wait(timeout=30) == 2
        assert process.stderr.read() == b""


@posix_only
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "args",
    [["rules"], ["batch", "perico", str(EXAMPLE), "-o", "-"], ["--help"], ["rules", "--help"]],
)
def test_full_disk(args: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run([*PROGRAM, *args], stdout=full, stderr=subprocess.PIPE, text=True)
    assert ran.returncode == 2
    assert ran.stderr == "Error: No space left on device\n"


@posix_only
@pytest.mark.parametrize(("args", "name"), [(["-o", "-"], "output"), ([], "input")])
def test_closed_standard_streams(args: list[str], name: str) -> None:
    source = str(EXAMPLE) if args else "-"
    closed = "<&- " if name == "input" else ">&- "
    ran = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAM, "batch", "perico", source, *args],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert ran.returncode == 2
    assert ran.stderr == f"Error: standard {name}: Bad file descriptor\n"


@posix_only
def test_terminal_shows_progress_and_colours(here: Path) -> None:
    import pty

    leader, follower = pty.openpty()
    code = (
        "import wildrank.cli.display as display; display.SHOW_PROGRESS_AFTER = 0;"
        "from wildrank.cli import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "batch", "perico", str(EXAMPLE), "-o", "out.csv"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    ) as process:
        os.close(follower)
        shown = read_terminal(leader)
        out = process.communicate(timeout=30)[0]
    assert process.returncode == 0
    assert "10,000 hands" in shown
    assert "100%" in shown
    assert b"\x1b" not in out
    assert summary(out.decode()) == summary(done("batch", "perico", EXAMPLE))


def read_terminal(leader: int) -> str:
    chunks: list[bytes] = []
    while True:
        try:
            chunk = os.read(leader, 65_536)
        except OSError:  # Linux's way to say that it was closed
            chunk = b""
        if not chunk:
            os.close(leader)
            return b"".join(chunks).decode()
        chunks.append(chunk)


# --- found by readers ---


@posix_only
def test_a_wrong_kernel_in_the_environment_is_one_line() -> None:
    result = subprocess.run(
        [*PROGRAM, "rules", "puck"],
        env=os.environ | {"WILDRANK_KERNEL": "foo"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr.startswith("Error: WILDRANK_KERNEL: expected a kernel (")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("blanks", [1_003, 1_004, 2_000, 262_130, 300_000])
def test_blanks_before_a_hand_or_garbage_lose_neither(here: Path, blanks: int) -> None:
    hand = "As Ks Qs Js Jk"
    Path("good.txt").write_text(f"{' ' * blanks}{hand}\n2c 2d 3c 3d 4d\n")
    _, counts = parse_counts("good.txt")
    assert counts == 2
    Path("bad.txt").write_text(f"{hand}\n{' ' * blanks}garbage{' ' * 300_000}{hand}\n")
    assert refused("batch", "perico", "bad.txt").startswith("bad.txt, line 2: ")
    for end in ("", "\n"):
        Path("bad.txt").write_text(f"{hand}{' ' * blanks}garbage Zx{end}")
        assert refused("batch", "perico", "bad.txt").startswith("bad.txt, line 1: ")
        Path("bad.csv").write_text(f"hand\n{hand}{' ' * blanks}garbage Zx{end}")
        assert "line 2: expected" in refused("batch", "perico", "bad.csv")
        Path("good.txt").write_text(f"{hand}{' ' * blanks}{end}")
        assert parse_counts("good.txt")[1] == 1


def parse_counts(name: str) -> tuple[str, int]:
    result = CliRunner().invoke(app, ["batch", "perico", name])
    assert result.exit_code == 0
    total = re.search(r"all hands +([\d,]+)", result.stdout)
    assert total is not None
    return result.stdout, int(total[1].replace(",", ""))


def test_a_large_cell_beside_the_hand_is_no_error(here: Path) -> None:
    Path("in.csv").write_text(f"note,hand\n{'x' * 500_000},As Ks Qs Js Ts\ny,{'x' * 500_000}\n")
    done("batch", "perico", "in.csv", "-o", "out.csv", "--on-error", "skip")
    assert len(read_csv(here / "out.csv")) == 2
    ((line, text, reason),) = read_csv(here / "out.rejects.csv")[1:]
    assert (line, len(text), reason) == ("3", 1000, "expected at most 1000 bytes, got more")
