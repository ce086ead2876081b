"""Build the Cython core; everything else about the package is in pyproject.toml."""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

if sys.platform == "win32":
    compile_args = ["/O2"]
else:
    compile_args = ["-O3"]
    if os.environ.get("WILDRANK_WERROR"):
        compile_args += ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]

core = Extension(
    "wildrank._evalcore",
    ["src/_evalcore.pyx"],
    include_dirs=["src"],
    depends=["src/evalkernels.h", "src/evalblocks.h", "src/hands.h"],
    extra_compile_args=compile_args,
)

setup(ext_modules=cythonize([core], build_dir="build"))
