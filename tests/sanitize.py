"""Build the core with address and undefined-behaviour checks and run tests of the core with it.

Run ``python tests/sanitize.py`` with GCC or Clang on Linux; it takes a few minutes and changes
nothing in the source tree. The exit code is 0 if nothing was found. Arguments go to pytest, in
place of the choice of tests here.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
CHECKS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g"

# All of these but what takes millions of hands, or is no matter of memory.
CHOSEN = [
    str(TESTS / "test_kernels.py"),
    str(TESTS / "test_dealing.py"),
    str(TESTS / "test_parse_lines.py"),
    str(TESTS / "test_evaluator.py"),
    str(TESTS / "test_wrong_input.py"),
    "-k",
    "not all_four and not every_five and not every_six and not every_paiute and not environment "
    "and not guard and not fastest and not equally_likely and not that_are_counted",
]


def build(directory: Path) -> None:
    """Build the package with the checks in a copy of the source tree."""
    shutil.copytree(ROOT / "src", directory / "src", ignore=shutil.ignore_patterns("*.so"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, directory)
    environment = os.environ | {"CFLAGS": CHECKS, "LDFLAGS": CHECKS}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(command, cwd=directory, env=environment, check=True)


def runtime_library() -> str:
    """Return the path of the library that has to be loaded before all others."""
    compiler = os.environ.get("CC", "cc").split()
    command = [*compiler, "-print-file-name=libasan.so"]
    path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not Path(path).is_absolute():
        raise SystemExit(f"{compiler[0]} has no libasan.so")
    return path


def main(arguments: list[str]) -> int:
    """Build, test, and return the exit code of the tests."""
    with tempfile.TemporaryDirectory(prefix="wildrank-sanitize-") as name:
        directory = Path(name)
        print("building ...", flush=True)
        build(directory)
        source = directory / "src"
        environment = os.environ | {
            "LD_PRELOAD": runtime_library(),
            "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",  # or small buffers share memory that is not checked
            "PYTHONPATH": str(source),
        }
        core = "import wildrank._evalcore as core; print('testing', core.__file__, flush=True)"
        found = subprocess.run(
            [sys.executable, "-c", core],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        print(found, end="", flush=True)
        if str(source) not in found:
            raise SystemExit(f"expected the core that was built in {source}")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command.append("--capture=sys")  # what a check reports goes past Python
        return subprocess.run(
            [*command, *(arguments or CHOSEN)], cwd=ROOT, env=environment, check=False
        ).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
