"""Which batch kernel runs, and the environment variable that chooses another one."""

import os

from wildrank._evalcore import kernel_name, use_kernel
from wildrank.errors import RuleError

__all__ = ["kernel_name"]

if _wanted := os.environ.get("WILDRANK_KERNEL"):
    try:
        use_kernel(_wanted)
    except ValueError as error:
        raise RuleError(f"WILDRANK_KERNEL: {error}") from None
