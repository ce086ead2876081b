"""The package as it is imported and shipped."""

import ast
import importlib
import importlib.metadata
import pkgutil
import re
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest

import wildrank

ROOT = Path(__file__).parents[1]

MODULES = ["wildrank", *(m.name for m in pkgutil.walk_packages(wildrank.__path__, "wildrank."))]
PYTHON_MODULES = [m for m in MODULES if m not in ("wildrank._evalcore", "wildrank.__main__")]

# Imports point one way: a module imports only from what stands before it.
LAYERS = [
    "_evalcore",
    "errors",
    "kernels",
    "cards",
    "rules",
    "dealing",
    "evaluator",
    "games",
    "rl",
    "cli",
]

IMPORT_ALONE = """
import sys
import {module}
print(*sorted({{name.partition(".")[0] for name in sys.modules}}))
"""


def run(code: str) -> str:
    """Run code in a fresh interpreter in which every warning is an error."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def test_the_modules_are_found() -> None:
    assert {f"wildrank.{layer}" for layer in LAYERS} <= set(MODULES)
    assert "wildrank.games.perico" in MODULES


@pytest.mark.parametrize("module", MODULES)
def test_each_module_can_be_imported_first(module: str) -> None:
    loaded = run(IMPORT_ALONE.format(module=module)).split()
    assert "wildrank" in loaded
    if not module.startswith(("wildrank.cli", "wildrank.rl")):
        assert not {"typer", "rich", "multiprocessing", "asyncio", "hypothesis"} & set(loaded)


def test_importing_the_package_imports_no_random_numbers() -> None:
    """NumPy makes them only when they are asked for, which takes as long as the whole package."""
    print_random = "import sys, {}; print('numpy.random' in sys.modules)"
    assert run(print_random.format("wildrank")) == run(print_random.format("numpy"))


def test_nothing_is_compiled_at_import() -> None:
    code = """
import sys
import wildrank
tables = sys.modules["wildrank.evaluator"]._tables
before = len(tables)
ev = wildrank.evaluator("puck")
print(before, len(tables))
"""
    assert run(code).split() == ["0", "1"]


@pytest.mark.parametrize("module", PYTHON_MODULES)
def test_all_names_what_is_there(module: str) -> None:
    contents = vars(importlib.import_module(module))
    names = contents["__all__"]
    assert len(set(names)) == len(names)
    assert set(names) <= contents.keys()


def test_the_facade_is_sorted_and_complete() -> None:
    public = {
        name
        for name, value in vars(wildrank).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert wildrank.__all__ == sorted(public)


def test_the_short_way_is_not_hidden_by_the_module_of_its_name() -> None:
    importlib.import_module("wildrank.evaluator")
    assert wildrank.evaluator("puck").hand_size == 3


def _imports(path: Path) -> set[str]:
    """Return the modules right below the package that a source file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in found if name.startswith("wildrank.")}


@pytest.mark.parametrize("module", PYTHON_MODULES[1:])
def test_imports_point_one_way(module: str) -> None:
    layer = LAYERS.index(module.split(".")[1])
    source = importlib.import_module(module).__file__
    assert source is not None
    assert _imports(Path(source)) <= set(LAYERS[: layer + 1])


def test_the_core_imports_nothing_of_the_package() -> None:
    source = (ROOT / "src" / "_evalcore.pyx").read_text(encoding="utf-8")
    assert not re.search(r"^\s*(from|import|cimport)\s+wildrank", source, re.MULTILINE)


# --- what is shipped ---


@pytest.mark.parametrize("name", ["py.typed", "_evalcore.pyi"])
def test_types_are_shipped(name: str) -> None:
    assert (files(wildrank) / name).is_file()


def test_metadata() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = importlib.metadata.metadata("wildrank")
    assert importlib.metadata.version("wildrank") == project["version"]
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert set(metadata.get_all("Provides-Extra") or []) == {"cli", "rl", "test"}
    requires = importlib.metadata.requires("wildrank") or []
    assert [re.split(r"\W", r)[0] for r in requires if "extra ==" not in r] == ["numpy"]
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="wildrank")
    assert callable(script.load())
