"""What comes before the first hand: compiling a rule set, importing the package."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module

from conftest import Compare
from inputs import RULES, rules_of

from wildrank import evaluator
from wildrank._evalcore import Tables
from wildrank.cli.peers import installed_peers
from wildrank.cli.timing import Contender

DONT_KEEP = "PYTHONDONTWRITEBYTECODE"


def test_compile(compare: Compare) -> None:
    paiute = evaluator("paiute").rules
    contenders = [
        Contender(f"{RULES[size]} ({size} cards)", partial(Tables, rules_of(size).rules))
        for size in (6, 5, 3, 7)
    ]
    others = {
        "treys": ("treys: Evaluator()", "Evaluator"),
        "pokerkit": ("pokerkit: StandardLookup()", "StandardLookup"),
    }
    for package, (label, name) in others.items():
        if package in {peer.package for peer in installed_peers()}:
            make: Callable[[], object] = getattr(import_module(package), name)
            contenders.append(Contender(label, make))
    contenders.insert(3, Contender("paiute (6 cards, wild ranks)", lambda: Tables(paiute)))
    compare(
        "Compiling a rule set into tables",
        *contenders,
        unit="rule set",
        notes=dict.fromkeys(
            (label for label, _ in others.values()), "five cards, no jokers, one fixed rule set"
        ),
    )


def test_import(compare: Compare) -> None:
    packages = dict.fromkeys(peer.module.partition(".")[0] for peer in installed_peers())
    compare(
        "Starting Python and importing a package",
        _import("wildrank"),
        _import("numpy"),
        _import(None),
        *map(_import, packages),
        reference="import numpy",
        unit="process",
        notes={"import wildrank": "NumPy included, which it needs"},
    )


def _import(module: str | None) -> Contender:
    label, code = ("no import", "pass") if module is None else (f"import {module}",) * 2
    command = [sys.executable, "-c", code]
    # Compiled files are kept, as they are by default; the round before the first writes them.
    kept = {name: value for name, value in os.environ.items() if name != DONT_KEEP}
    return Contender(label, lambda: subprocess.run(command, check=True, env=kept))
