"""Which batch kernel runs, and the environment variable that chooses another one."""

import os
from typing import Final

from wildrank import _evalcore
from wildrank.errors import RuleError

__all__ = ["check_kernel", "kernel_name"]


def _choose() -> str | None:
    """Take the kernel that the environment names; return what is wrong with the name."""
    wanted = os.environ.get("WILDRANK_KERNEL")
    if wanted:
        try:
            _evalcore.use_kernel(wanted)
        except ValueError as error:
            return f"WILDRANK_KERNEL: {error}"
    return None


_problem: Final = _choose()


def check_kernel() -> None:
    """Raise a RuleError if the environment names a kernel that cannot run.

    An import that raises could not be told kindly, so every use of the package asks this first.
    """
    if _problem is not None:
        raise RuleError(_problem)


def kernel_name() -> str:
    """Return the name of the batch kernel in use: ``"avx2"``, ``"sse4.1"`` or ``"portable"``.

    The environment variable ``WILDRANK_KERNEL`` chooses another one when the package is imported.

    Returns
    -------
    str

    Raises
    ------
    RuleError
        If the variable names a kernel that this machine does not have. Making an `Evaluator`
        raises it too.

    Examples
    --------
    >>> import wildrank
    >>> wildrank.kernel_name() in ("avx2", "sse4.1", "portable")
    True
    """
    check_kernel()
    return _evalcore.kernel_name()
