"""Run the core on memory that ends where the process may not read or write. A script.

Every array lies flush against an inaccessible page, at its end or at its start, so that one byte
read or written outside ends the process. `test_kernels.py` runs it for every kernel.
"""

import ctypes
import mmap
import sys

import numpy as np
import numpy.typing as npt
from kernel_cases import RULE_SETS, some_hands

import wildrank
from wildrank import Evaluator, RuleSet, _evalcore

PROT_NONE = 0
ROOM = 4 * mmap.PAGESIZE
ROWS = [*range(100), 127, 128, 129, 130, 131, 159, 160, 161, 191, 192, 193, 194, 195]

Bytes = npt.NDArray[np.uint8]


class Arena:
    """Memory between two pages that nobody may touch."""

    def __init__(self) -> None:
        self._map = mmap.mmap(-1, ROOM + 2 * mmap.PAGESIZE)
        whole = np.frombuffer(self._map, dtype=np.uint8)
        self._room = whole[mmap.PAGESIZE : mmap.PAGESIZE + ROOM]
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        for page in (whole[: mmap.PAGESIZE], whole[-mmap.PAGESIZE :]):
            address = ctypes.c_void_p(page.ctypes.data)
            if protect(address, ctypes.c_size_t(mmap.PAGESIZE), PROT_NONE) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")

    def place(self, size: int, at_end: bool) -> Bytes:
        """Return so many bytes right before or right behind a guard page."""
        return self._room[ROOM - size :] if at_end else self._room[:size]


def check_batches(rules: RuleSet, arenas: list[Arena]) -> None:
    ev = Evaluator(rules)
    size = rules.hand_size
    hands = some_hands(rules, max(ROWS))
    ranks = (np.arange(len(hands)) * 5 % 13).astype(np.uint8)
    expected = ev.evaluate_batch(hands, wild_ranks=ranks if rules.wild_rank_per_hand else None)
    for rows in ROWS:
        for at_end in (True, False):
            given = arenas[0].place(rows * size, at_end).reshape(rows, size)
            given[...] = hands[:rows]
            out = arenas[1].place(2 * rows, at_end).view(np.uint16)
            wild_ranks = None
            if rules.wild_rank_per_hand:
                wild_ranks = arenas[2].place(rows, at_end)
                wild_ranks[...] = ranks[:rows]
            ev.evaluate_batch(given, wild_ranks=wild_ranks, out=out)
            assert (out == expected[:rows]).all(), (rules.name, rows, at_end)
            assert ev._evaluate_rows(given, wild_ranks, -1, out) == -1
            valid = arenas[1].place(rows, at_end)
            ev._valid_rows(given, valid)
            assert valid.all()
            for bad in {0, rows // 2, rows - 1} if rows else ():
                given[bad] = 255
                assert ev._evaluate_rows(given, wild_ranks, -1, out) == bad
                given[bad] = hands[bad]
            ev._roofline(given, arenas[1].place(2 * rows, at_end).view(np.uint16))


def check_making_hands(arenas: list[Arena]) -> None:
    deck = bytes(range(56))
    lines = [b"2c,3D 10h*jKAs T\xe9\n", b"\n", b"\r\n", b"10"]
    for size in (1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 56):
        for rows in (0, 1, 2, 3, 50):
            for at_end in (True, False):
                out = arenas[0].place(rows * size, at_end).reshape(rows, size)
                bits = np.random.PCG64(1)
                _evalcore.deal_hands(bits.capsule, deck, out)
                places = arenas[1].place(4 * size, at_end).view(np.intc)
                places[...] = np.arange(size)
                total = 1 if size == 56 else rows
                assert _evalcore.enumerate_hands(deck, places, out) == min(rows, total)
                text: Bytes
                for line in lines:
                    for end in range(len(line) + 1):
                        text = arenas[2].place(end, at_end)
                        text[...] = np.frombuffer(line[:end], dtype=np.uint8)
                        _evalcore.parse_lines(text.data, 0, out)
                text = arenas[2].place(3 * 2 * size, at_end)
                text[...] = np.frombuffer((b"2c" * size + b"\r\n") * 4, np.uint8)[: 6 * size]
                _evalcore.parse_lines(text.data, 0, out)


def main() -> None:
    arenas = [Arena() for _ in range(3)]
    if "--crash" in sys.argv:  # to see that the guard works
        last_byte = arenas[0].place(1, at_end=True)
        ctypes.string_at(last_byte.ctypes.data, 2)
    for rules in RULE_SETS:
        check_batches(rules, arenas)
    check_making_hands(arenas)
    print(wildrank.kernel_name())


if __name__ == "__main__":
    main()
