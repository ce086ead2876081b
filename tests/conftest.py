"""What all tests need of the process that they run in."""

import signal


def pytest_sessionstart() -> None:
    """Let Ctrl-C reach the programs that tests start.

    A shell that runs the tests in the background has them ignore SIGINT, and what a process
    ignores its children ignore too.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
