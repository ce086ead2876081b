"""Every example in the documentation runs: of all modules, of the native core, of the README."""

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wildrank
from wildrank import _evalcore

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(wildrank.__path__, "wildrank.")
    if module.name != "wildrank._evalcore"
)


def run(test: doctest.DocTest) -> int:
    """Run the examples of one docstring and return how many there are."""
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=report.append)
    assert not runner.summarize(verbose=False).failed, "".join(report)
    return len(test.examples)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name: str) -> None:
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder().find(module):
        run(test)


def native_docstrings() -> Iterator[tuple[str, str]]:
    """Find the docstrings that doctest's finder does not see in an extension module."""
    owners: list[tuple[str, Any]] = [("_evalcore", _evalcore)]
    owners += [(name, value) for name, value in vars(_evalcore).items() if inspect.isclass(value)]
    for owner, value in owners:
        for name, member in vars(value).items():
            doc = getattr(member, "__doc__", None)
            if callable(member) and isinstance(doc, str) and ">>>" in doc:
                yield f"{owner}.{name}", inspect.cleandoc(doc)


def test_examples_of_the_core() -> None:
    found = dict(native_docstrings())
    assert {"Core.evaluate", "Core.evaluate_batch"} <= set(found)
    for name, doc in found.items():
        assert run(doctest.DocTestParser().get_doctest(doc, {}, name, None, 0)) > 0


def test_examples_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert run(doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)) > 0
