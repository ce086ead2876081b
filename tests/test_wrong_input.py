"""Wrong input: the class, the message and the place of every error, and that nothing else breaks.

A message is one sentence. `error.row` is the first bad row of an array, and `error.position` the
place of the bad card in its hand, or of the bad token in its text.
"""

import array
import itertools
import pickle
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wildrank
from wildrank import CardError, Category, Evaluator, HandError, RuleSet, WildrankError, parse_cards
from wildrank.evaluator import ROWS_PER_THREAD

PUCK = wildrank.evaluator("puck")
PERICO = wildrank.evaluator("perico")
PAIUTE = wildrank.evaluator("paiute")
NO_JOKER = wildrank.evaluator("puck", jokers=0)
ONE_JOKER = wildrank.evaluator("puck", jokers=1)
# Values of these rules leave room for wild cards without wild_rank_per_hand.
ROOMY = Evaluator(RuleSet("roomy", 3, [Category("high", shape=(1, 1, 1))]))

NAN = float("nan")

Error = type[WildrankError]


def refusal(error: Error, call: Callable[[], object]) -> WildrankError:
    """Return the error that a call raises, having checked that it is one of the package's."""
    with pytest.raises(ValueError) as caught:
        call()
    assert type(caught.value) is error, repr(caught.value)
    assert isinstance(caught.value, WildrankError)
    message = str(caught.value)
    assert "expected" in message
    assert "\n" not in message
    assert not message.endswith(".")
    return caught.value


class Unreadable:
    """An array of another package that NumPy cannot have, as one on another device."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> npt.NDArray[Any]:
        raise TypeError("not on this device")

    def __repr__(self) -> str:
        return "an array elsewhere"


RELEASED = memoryview(bytes(3))
RELEASED.release()
MASKED = np.ma.array([0, 1, 2], mask=[False, True, False], dtype=np.uint8)

# --- one hand ---

CODE = "expected a card code from 0 to 55, got "
CARD = "expected a card as text or as an int from 0 to 55, got "
TOKEN = "expected a card such as 'As', '10h' or 'Jk', got "
ARRAY = "expected a hand as an array of int card codes of shape (3,), got "

ONE_HAND: list[tuple[Any, Error, str, int | None]] = [
    # a code out of range
    ([0, 1, -1], CardError, f"{CODE}-1 at position 2", 2),
    ((0, 56, 1), CardError, f"{CODE}56 at position 1", 1),
    ([2**80, 0, 1], CardError, f"{CODE}{2**80} at position 0", 0),
    ([0, -(2**63) - 1, 1], CardError, f"{CODE}{-(2**63) - 1} at position 1", 1),
    (b"\x00\x01\xff", CardError, f"{CODE}255 at position 2", 2),
    (bytearray(b"\x38\x01\x02"), CardError, f"{CODE}56 at position 0", 0),
    (np.array([0, 1, 64], dtype=np.uint8), CardError, f"{CODE}64 at position 2", 2),
    (np.array([0, 1, -1], dtype=np.int8), CardError, f"{CODE}-1 at position 2", 2),
    (np.array([0, 258, 1]), CardError, f"{CODE}258 at position 1", 1),
    ([np.int64(99), 0, 1], CardError, f"{CODE}99 at position 0", 0),
    # a duplicate
    (
        [7, 8, 7],
        HandError,
        "expected 3 different cards, got 3s at the positions 0 and 2",
        2,
    ),
    ("As Kd As", HandError, "expected 3 different cards, got As at the positions 0 and 2", 2),
    ("As Ad A♦", HandError, "expected 3 different cards, got Ad at the positions 1 and 2", 2),
    (b"\x34\x34\x00", HandError, "expected 3 different cards, got Jk at the positions 0 and 1", 1),
    # a joker that the deck lacks
    (
        [0, 54, 1],
        HandError,
        "expected cards of a deck with 2 jokers, got the joker 54 at position 1",
        1,
    ),
    (
        "Jk * joker",
        HandError,
        "expected cards of a deck with 2 jokers, got the joker 54 at position 2",
        2,
    ),
    (
        np.array([55, 0, 1], dtype=np.uint8),
        HandError,
        "expected cards of a deck with 2 jokers, got the joker 55 at position 0",
        0,
    ),
    # a wrong number of cards
    ([], HandError, "expected 3 cards, got 0: ''", None),
    ("", HandError, "expected 3 cards, got 0: ''", None),
    (b"", HandError, "expected 3 cards, got 0: ''", None),
    ("As Kd", HandError, "expected 3 cards, got 2: 'As Kd'", None),
    ([0, 1, 2, 3], HandError, "expected 3 cards, got 4: '2c 2d 2h 2s'", None),
    ((51,), HandError, "expected 3 cards, got 1: 'As'", None),
    (bytes(range(8)), HandError, "expected 3 cards, got 8: '2c 2d 2h 2s 3c 3d 3h 3s'", None),
    (np.arange(2), HandError, "expected 3 cards, got 2: '2c 2d'", None),
    (np.zeros(10**6, np.uint8), CardError, "expected at most 56 cards, got more", 56),
    ("As Kd Jk Qh", HandError, "expected 3 cards, got 4: 'As Kd Jk Qh'", None),
    # text that is no card
    ("As Xx Kd", CardError, f"{TOKEN}'Xx' at position 3 of 'As Xx Kd'", 3),
    ("As ? Kd", CardError, f"{TOKEN}'?' at position 3 of 'As ? Kd'", 3),
    ("As Kd Q", CardError, f"{TOKEN}'Q' at position 6 of 'As Kd Q'", 6),
    ("As Kd 1h", CardError, f"{TOKEN}'1h' at position 6 of 'As Kd 1h'", 6),
    ("As Kd 10", CardError, f"{TOKEN}'10' at position 6 of 'As Kd 10'", 6),
    ("As\x00Kd", CardError, f"{TOKEN}'\\x00Kd' at position 2 of 'As\\x00Kd'", 2),
    (
        "Jk Jk Jk Jk Jk",
        CardError,
        "expected at most 4 jokers, got another at position 12 of 'Jk Jk Jk Jk Jk'",
        12,
    ),
    (["As", "Xx", "Kd"], CardError, f"{TOKEN}'Xx' at position 1", 1),
    (["As", "KdQh", "2c"], CardError, f"{TOKEN}'KdQh' at position 1", 1),
    # things that are no cards
    ([0, 1, 2.0], CardError, f"{CARD}2.0 at position 2", 2),
    ([0, NAN, 2], CardError, f"{CARD}nan at position 1", 1),
    ([0, None, 2], CardError, f"{CARD}None at position 1", 1),
    ([True, 4, 8], CardError, f"{CARD}True at position 0", 0),
    ((4, 8, np.False_), CardError, f"{CARD}np.False_ at position 2", 2),
    ([[0, 1, 2]], CardError, f"{CARD}[0, 1, 2] at position 0", 0),
    ([b"As", b"Kd", b"Qh"], CardError, f"{CARD}b'As' at position 0", 0),
    # things that are no hands
    (
        None,
        CardError,
        "expected cards as a text or as a sequence of ints from 0 to 55, got None",
        None,
    ),
    (7, CardError, "expected cards as a text or as a sequence of ints from 0 to 55, got 7", None),
    (
        NAN,
        CardError,
        "expected cards as a text or as a sequence of ints from 0 to 55, got nan",
        None,
    ),
    (np.array([0.0, 1.0, 2.0]), HandError, f"{ARRAY}dtype float64 and shape (3,)", None),
    (np.array([0, NAN, 2], dtype="f4"), HandError, f"{ARRAY}dtype float32 and shape (3,)", None),
    (np.array([True, False, True]), HandError, f"{ARRAY}dtype bool and shape (3,)", None),
    (np.array([0, 1, 2], dtype=object), HandError, f"{ARRAY}dtype object and shape (3,)", None),
    (np.array(["As", "Kd", "Qh"]), HandError, f"{ARRAY}dtype <U2 and shape (3,)", None),
    (
        np.array([0, 1, 2], dtype="m8[s]"),
        HandError,
        f"{ARRAY}dtype timedelta64[s] and shape (3,)",
        None,
    ),
    (np.array([[0, 1, 2]]), HandError, f"{ARRAY}dtype int64 and shape (1, 3)", None),
    (np.array([[0], [1], [2]], "B"), HandError, f"{ARRAY}dtype uint8 and shape (3, 1)", None),
    (np.array(5, dtype=np.uint8), HandError, f"{ARRAY}dtype uint8 and shape ()", None),
    (
        memoryview(bytes(3)).cast("B", (1, 3)),
        HandError,
        f"{ARRAY}dtype uint8 and shape (1, 3)",
        None,
    ),
    (memoryview(bytes(3)).cast("c"), HandError, f"{ARRAY}dtype |S1 and shape (3,)", None),
    (RELEASED, HandError, f"{ARRAY}dtype object and shape ()", None),
    (MASKED, HandError, f"{ARRAY}one with masked items", None),
    (Unreadable(), HandError, f"{ARRAY}an array elsewhere", None),
    # more than can be told
    (itertools.repeat(0), CardError, "expected at most 56 cards, got more", 56),
    (
        [0, 10**5000, 1],
        CardError,
        f"{CODE}a value of type int that is too long to show at position 1",
        1,
    ),
    ("x" * 9**5, CardError, f"{TOKEN}'{'x' * 99} [...] at position 0 of '{'x' * 99} [...]", 0),
    ("As" * 9**4, HandError, f"expected 3 cards, got {9**4}: '{'As ' * 33} [...]", None),
]


@pytest.mark.parametrize("take", ["evaluate", "explain", "winners", "evaluate with a wild rank"])
@pytest.mark.parametrize(("hand", "error", "message", "position"), ONE_HAND)
def test_one_hand(take: str, hand: Any, error: Error, message: str, position: int | None) -> None:
    calls: dict[str, Callable[[], object]] = {
        "evaluate": lambda: PUCK.evaluate(hand),
        "explain": lambda: PUCK.explain(hand),
        "winners": lambda: PUCK.winners([hand]),
        "evaluate with a wild rank": lambda: PUCK.evaluate(hand, 7),
    }
    refused = refusal(error, calls[take])
    if take == "winners":
        assert (str(refused), refused.row) == (f"hand 0: {message}", 0)
    else:
        assert (str(refused), refused.row) == (message, None)
    assert refused.position == position


@pytest.mark.parametrize(
    ("ev", "hand", "message"),
    [
        (NO_JOKER, "Jk 2c 3c", "a deck with no joker, got the joker 52 at position 0"),
        (NO_JOKER, [0, 1, 52], "a deck with no joker, got the joker 52 at position 2"),
        (ONE_JOKER, "Jk * 3c", "a deck with 1 joker, got the joker 53 at position 1"),
        (PAIUTE, "2c 3c 4c 5c 6c Jk", "a deck with no joker, got the joker 52 at position 5"),
    ],
)
def test_jokers_that_other_decks_lack(ev: Evaluator, hand: Any, message: str) -> None:
    refused = refusal(HandError, lambda: ev.evaluate(hand))
    assert str(refused) == f"expected cards of {message}"
    row = list(wildrank.cards.to_cards(hand))
    refused = refusal(HandError, lambda: ev.evaluate_batch([row]))
    assert str(refused) == f"row 0: expected cards of {message}"


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ("As Kd Qh", "expected several hands, got 'As Kd Qh'"),
        (b"\x00\x01\x02", "expected several hands, got b'\\x00\\x01\\x02'"),
        (Unreadable(), "expected several hands, got an array elsewhere"),
        (MASKED.reshape(1, 3), "expected several hands, got one with masked items"),
        (None, "expected several hands, got None"),
        (5, "expected several hands, got 5"),
    ],
)
def test_winners_of_what_is_not_several_hands(hands: Any, message: str) -> None:
    assert str(refusal(HandError, lambda: PUCK.winners(hands))) == message


# --- many hands ---

ROWS = "expected an array of int card codes of shape (N, 3), got "
GOOD = [0, 1, 2]

BAD_ROWS: list[tuple[Any, Error, str, int, int | None]] = [
    ([GOOD, [0, 1, -1]], CardError, f"row 1: {CODE}-1 at position 2", 1, 2),
    ([[56, 0, 1], GOOD], CardError, f"row 0: {CODE}56 at position 0", 0, 0),
    ([GOOD, GOOD, [0, 256, 1]], CardError, f"row 2: {CODE}256 at position 1", 2, 1),
    ([[0, 1, 2**62]], CardError, f"row 0: {CODE}{2**62} at position 2", 0, 2),
    (
        np.array([[2**64 - 1, 0, 1]], dtype=np.uint64),
        CardError,
        f"row 0: {CODE}{2**64 - 1} at position 0",
        0,
        0,
    ),
    (
        np.array([GOOD, [0, 255, 1]], dtype=np.uint8),
        CardError,
        f"row 1: {CODE}255 at position 1",
        1,
        1,
    ),
    (np.array([[0, -128, 1]], dtype=np.int8), CardError, f"row 0: {CODE}-128 at position 1", 0, 1),
    (
        np.array([GOOD, [0, 1, 300]], dtype=">i2"),
        CardError,
        f"row 1: {CODE}300 at position 2",
        1,
        2,
    ),
    (
        [GOOD, [9, 1, 9]],
        HandError,
        "row 1: expected 3 different cards, got 4d at the positions 0 and 2",
        1,
        2,
    ),
    (
        [[52, 53, 52]],
        HandError,
        "row 0: expected 3 different cards, got Jk at the positions 0 and 2",
        0,
        2,
    ),
    (
        [GOOD, [0, 55, 1]],
        HandError,
        "row 1: expected cards of a deck with 2 jokers, got the joker 55 at position 1",
        1,
        1,
    ),
    (  # the first of two bad rows
        [GOOD, [9, 9, 1], [0, 1, 99]],
        HandError,
        "row 1: expected 3 different cards, got 4d at the positions 0 and 1",
        1,
        1,
    ),
]


@pytest.mark.parametrize(("hands", "error", "message", "row", "position"), BAD_ROWS)
def test_bad_rows(hands: Any, error: Error, message: str, row: int, position: int | None) -> None:
    count = len(hands)
    calls: list[Callable[[], object]] = [
        lambda: PUCK.evaluate_batch(hands),
        lambda: PUCK.evaluate_batch(hands, threads=4),
        lambda: PUCK.evaluate_batch(hands, out=np.empty(count, dtype=np.uint16)),
        lambda: PUCK.evaluate_batch(hands, out=np.empty(2 * count, dtype=np.uint16)[::2]),
        lambda: PUCK.evaluate_batch(np.asfortranarray(hands)),
    ]
    for call in calls:
        refused = refusal(error, call)
        assert str(refused) == message
        assert (refused.row, refused.position) == (row, position)
    mask = PUCK.valid_mask(hands)
    assert mask[:row].all()
    assert not mask[row]


HANDS = "expected cards as a text or as a sequence of ints from 0 to 55, got "

NOT_ROWS: list[tuple[Any, Error, str, int | None, int | None]] = [
    # the wrong shape
    ([0, 1, 2], HandError, f"{ROWS}shape (3,)", None, None),
    ([GOOD[:2]], HandError, f"{ROWS}shape (1, 2)", None, None),
    ([[0, 1, 2, 3]] * 2, HandError, f"{ROWS}shape (2, 4)", None, None),
    ([[GOOD]], HandError, f"{ROWS}shape (1, 1, 3)", None, None),
    (np.empty((0, 4), dtype=np.uint8), HandError, f"{ROWS}shape (0, 4)", None, None),
    (np.empty(0, dtype=np.uint8), HandError, f"{ROWS}shape (0,)", None, None),
    (np.empty((3, 0), dtype=np.uint8), HandError, f"{ROWS}shape (3, 0)", None, None),
    (bytearray(6), HandError, f"{ROWS}shape (6,)", None, None),
    # the wrong dtype
    (np.zeros((2, 3), dtype=np.float16), HandError, f"{ROWS}dtype float16", None, None),
    (np.zeros((2, 3), dtype=complex), HandError, f"{ROWS}dtype complex128", None, None),
    (np.empty((0, 3)), HandError, f"{ROWS}dtype float64", None, None),
    (np.zeros((2, 3), dtype=bool), HandError, f"{ROWS}dtype bool", None, None),
    (np.array([GOOD, [0, 1, NAN]]), HandError, f"{ROWS}dtype float64", None, None),
    (np.zeros((2, 3), dtype="m8[s]"), HandError, f"{ROWS}dtype timedelta64[s]", None, None),
    (np.zeros((2, 3), dtype="M8[s]"), HandError, f"{ROWS}dtype datetime64[s]", None, None),
    (np.zeros((2, 3), dtype="V2"), HandError, f"{ROWS}dtype |V2", None, None),
    ([["As", "Kd", "Qh"]], HandError, f"{ROWS}dtype <U2", None, None),
    ([["As", 1, 2]], HandError, f"{ROWS}dtype <U21", None, None),
    ([b"\x00\x01\x02"], HandError, f"{ROWS}dtype |S3", None, None),
    (np.array([GOOD, GOOD], dtype=object), HandError, f"{ROWS}dtype object", None, None),
    # no array at all
    (None, HandError, f"{ROWS}None", None, None),
    (7, HandError, f"{ROWS}7", None, None),
    (NAN, HandError, f"{ROWS}nan", None, None),
    ("As Kd Qh", HandError, f"{ROWS}'As Kd Qh'", None, None),
    (b"\x00\x01\x02", HandError, f"{ROWS}b'\\x00\\x01\\x02'", None, None),
    (RELEASED, HandError, f"{ROWS}dtype object", None, None),
    (MASKED.reshape(1, 3), HandError, f"{ROWS}one with masked items", None, None),
    (Unreadable(), HandError, f"{ROWS}an array elsewhere", None, None),
    (
        [GOOD, [0, 10**5000, 1]],
        CardError,
        f"row 1: {CODE}a value of type int that is too long to show at position 1",
        1,
        1,
    ),
    (np.array(None), HandError, f"{ROWS}dtype object", None, None),
    (["As Kd Qh"], HandError, f"row 0: {ROWS}'As Kd Qh'", 0, None),
    ([GOOD, "As"], HandError, f"row 1: {ROWS}'As'", 1, None),
    ([GOOD, None], CardError, f"row 1: {HANDS}None", 1, None),
    ([GOOD, 5], CardError, f"row 1: {HANDS}5", 1, None),
    # ragged, or not even ints
    ([GOOD, [0, 1]], HandError, "row 1: expected 3 cards, got 2: '2c 2d'", 1, None),
    ([[0, 1, 2, 3], GOOD], HandError, "row 0: expected 3 cards, got 4: '2c 2d 2h 2s'", 0, None),
    ([GOOD, []], HandError, "row 1: expected 3 cards, got 0: ''", 1, None),
    ([GOOD, [0, 1, None]], CardError, f"row 1: {CARD}None at position 2", 1, 2),
    ([GOOD, [0, [1], 2]], CardError, f"row 1: {CARD}[1] at position 1", 1, 1),
    ([[0, NAN], GOOD], CardError, f"row 0: {CARD}nan at position 1", 0, 1),
    ([GOOD, ["As", "Kd"]], HandError, "row 1: expected 3 cards, got 2: 'As Kd'", 1, None),
    ([[0.0, 1.0, 2.0]], CardError, f"row 0: {CARD}0.0 at position 0", 0, 0),
    ([[0, 1, NAN]], CardError, f"row 0: {CARD}nan at position 2", 0, 2),
    ([GOOD, [4, True, 5]], CardError, f"row 1: {CARD}True at position 1", 1, 1),
    ([[0, 1], [True]], HandError, "row 0: expected 3 cards, got 2: '2c 2d'", 0, None),
    ([GOOD, [2**64, 0, 1]], CardError, f"row 1: {CODE}{2**64} at position 0", 1, 0),
    ([[0, -(2**80), 1]], CardError, f"row 0: {CODE}{-(2**80)} at position 1", 0, 1),
    ([GOOD, MASKED], HandError, f"row 1: {ARRAY}one with masked items", 1, None),
    (
        [np.array([True, False, True]), GOOD],
        HandError,
        f"row 0: {ARRAY}dtype bool and shape (3,)",
        0,
        None,
    ),
    ([[np.array(True), 4, 8]], CardError, f"row 0: {CARD}array(True) at position 0", 0, 0),
    ([[2**63, 0, 1]], CardError, f"row 0: {CODE}{2**63} at position 0", 0, 0),
    # the first bad row is the one that is named
    (
        [[9, 9, 1], [0, 1]],
        HandError,
        "row 0: expected 3 different cards, got 4d at the positions 0 and 1",
        0,
        1,
    ),
]


@pytest.mark.parametrize(("hands", "error", "message", "row", "position"), NOT_ROWS)
def test_what_is_not_an_array_of_hands(
    hands: Any, error: Error, message: str, row: int | None, position: int | None
) -> None:
    calls: list[Callable[[], object]] = [
        lambda: PUCK.evaluate_batch(hands),
        lambda: PUCK.evaluate_batch(hands, wild_ranks=5, threads=2),
        lambda: PUCK.evaluate_batch(hands, out=np.empty(1, dtype=np.uint16)),
        lambda: PUCK.valid_mask(hands),
    ]
    for call in calls:
        refused = refusal(error, call)
        assert str(refused) == message
        assert (refused.row, refused.position) == (row, position)


@pytest.mark.parametrize("hands", [[[True, 5, 9]], [[4, 5, np.True_]], [GOOD, [False, 5, 9]]])
def test_a_truth_value_among_ints_is_no_card(hands: Any) -> None:
    with pytest.raises(WildrankError):
        PUCK.evaluate_batch(hands)
    with pytest.raises(WildrankError):
        PUCK.valid_mask(hands)


@pytest.mark.parametrize("dtype", [np.uint16, np.int64])
def test_a_bad_row_is_named_as_it_was_given_when_out_overlaps_the_hands(dtype: Any) -> None:
    hands = np.tile(np.array(GOOD, dtype=dtype), (10, 1))
    hands[3] = [9, 9, 1]
    start = 3 * hands.strides[0] // 2
    out = hands.reshape(-1).view(np.uint16)[start : start + 10]
    refused = refusal(HandError, lambda: PUCK.evaluate_batch(hands, out=out))
    assert str(refused) == "row 3: expected 3 different cards, got 4d at the positions 0 and 1"


# --- wild ranks ---

RANK_TEXT = "expected a rank such as '7', 'T', '10' or 'A', got "
RANK_NUMBER = "expected a rank from 0 (deuce) to 12 (ace), got "
RANK = "expected a rank as text or as an int from 0 (deuce) to 12 (ace), got "
SIX = "7c 7d 9h 9s Td Ts"

NO_RANKS: list[tuple[Any, str]] = [
    ("", f"{RANK_TEXT}''"),
    ("1", f"{RANK_TEXT}'1'"),
    ("11", f"{RANK_TEXT}'11'"),
    ("X", f"{RANK_TEXT}'X'"),
    ("7c", f"{RANK_TEXT}'7c'"),
    ("Jk", f"{RANK_TEXT}'Jk'"),
    ("*", f"{RANK_TEXT}'*'"),
    ("\u212a", f"{RANK_TEXT}'\u212a'"),  # the Kelvin sign
    (13, f"{RANK_NUMBER}13"),
    (-1, f"{RANK_NUMBER}-1"),
    (2**80, f"{RANK_NUMBER}{2**80}"),
    (np.int64(255), f"{RANK_NUMBER}255"),
]
NOT_EVEN_RANKS: list[tuple[Any, str]] = [
    (True, f"{RANK}True"),
    (7.0, f"{RANK}7.0"),
    (NAN, f"{RANK}nan"),
    (b"7", f"{RANK}b'7'"),
    ([5], f"{RANK}[5]"),
]


@pytest.mark.parametrize("ev", [PAIUTE, PERICO, ROOMY], ids=lambda ev: ev.rules.name)
@pytest.mark.parametrize(("rank", "message"), NO_RANKS + NOT_EVEN_RANKS)
def test_one_wild_rank(ev: Evaluator, rank: Any, message: str) -> None:
    hand = range(0, 4 * ev.hand_size, 4)
    calls: list[Callable[[], object]] = [
        lambda: ev.evaluate(hand, rank),
        lambda: ev.evaluate(list(hand), rank),
        lambda: ev.explain(hand, rank),
        lambda: ev.value_counts(rank),
        lambda: ev.category_counts(rank),
    ]
    for call in calls:
        assert str(refusal(CardError, call)) == message
    assert str(refusal(CardError, lambda: ev.winners([hand], rank))) == f"hand 0: {message}"


@pytest.mark.parametrize("ev", [PAIUTE, PERICO, ROOMY], ids=lambda ev: ev.rules.name)
@pytest.mark.parametrize(("rank", "message"), NO_RANKS)
def test_one_wild_rank_for_many_hands(ev: Evaluator, rank: Any, message: str) -> None:
    rows = np.tile(np.arange(ev.hand_size, dtype=np.uint8), (2, 1))
    for hands in (rows, rows[:0]):
        with pytest.raises(CardError) as caught:
            ev.evaluate_batch(hands, wild_ranks=rank)
        assert (str(caught.value), caught.value.row) == (message, None)


RANKS = "wild_ranks: expected one rank, or an array of int of shape (2,), got "

WILD_RANKS: list[tuple[Any, Error, str, int | None]] = [
    # of the wrong shape
    ([], HandError, f"{RANKS}shape (0,)", None),
    ([5], HandError, f"{RANKS}shape (1,)", None),
    ([5, 5, 5], HandError, f"{RANKS}shape (3,)", None),
    ([[5, 5]], HandError, f"{RANKS}shape (1, 2)", None),
    (np.array([[5], [5]]), HandError, f"{RANKS}shape (2, 1)", None),
    (["7"], HandError, f"{RANKS}shape (1,)", None),
    # of the wrong dtype
    (np.array([7.0, 7.0]), HandError, f"{RANKS}dtype float64", None),
    (np.array([5, NAN]), HandError, f"{RANKS}dtype float64", None),
    (np.array([True, False]), HandError, f"{RANKS}dtype bool", None),
    (np.array([b"7", b"7"]), HandError, f"{RANKS}dtype |S1", None),
    (np.zeros(2, dtype="m8[s]"), HandError, f"{RANKS}dtype timedelta64[s]", None),
    # not even a sequence
    (True, HandError, f"{RANKS}True", None),
    (7.0, HandError, f"{RANKS}7.0", None),
    (NAN, HandError, f"{RANKS}nan", None),
    # no ranks; the row is named
    (MASKED[:2], HandError, f"{RANKS}one with masked items", None),
    ([5, 13], CardError, f"row 1: {RANK_NUMBER}13", 1),
    ([-1, 5], CardError, f"row 0: {RANK_NUMBER}-1", 0),
    ([13, -1], CardError, f"row 0: {RANK_NUMBER}13", 0),
    ([5, 256 + 5], CardError, f"row 1: {RANK_NUMBER}261", 1),
    ([5, 2**40], CardError, f"row 1: {RANK_NUMBER}{2**40}", 1),
    (np.array([5, 255], dtype=np.uint8), CardError, f"row 1: {RANK_NUMBER}255", 1),
    (np.array([2**64 - 1, 5], dtype=np.uint64), CardError, f"row 0: {RANK_NUMBER}{2**64 - 1}", 0),
    (["7", "X"], CardError, f"row 1: {RANK_TEXT}'X'", 1),
    (["", "7"], CardError, f"row 0: {RANK_TEXT}''", 0),
    (["7", "7c"], CardError, f"row 1: {RANK_TEXT}'7c'", 1),
    ([5, None], CardError, f"row 1: {RANK}None", 1),
    (["7", None], CardError, f"row 1: {RANK}None", 1),
    ([5, 2**80], CardError, f"row 1: {RANK_NUMBER}{2**80}", 1),
    (
        [5, 10**5000],
        CardError,
        f"row 1: {RANK_NUMBER}a value of type int that is too long to show",
        1,
    ),
    ([7.0, 7.0], CardError, f"row 0: {RANK}7.0", 0),
    ([5, NAN], CardError, f"row 1: {RANK}nan", 1),
    ([True, False], CardError, f"row 0: {RANK}True", 0),
    ([5, np.True_], CardError, f"row 1: {RANK}np.True_", 1),
    ([b"7", b"7"], CardError, f"row 0: {RANK}b'7'", 0),
    ([[1], [2, 3]], CardError, f"row 0: {RANK}[1]", 0),
]


@pytest.mark.parametrize("ev", [PAIUTE, ROOMY], ids=lambda ev: ev.rules.name)
@pytest.mark.parametrize(("ranks", "error", "message", "row"), WILD_RANKS)
def test_wild_ranks_of_many_hands(
    ev: Evaluator, ranks: Any, error: Error, message: str, row: int | None
) -> None:
    rows = np.tile(np.arange(ev.hand_size, dtype=np.uint8), (2, 1))
    refused = refusal(error, lambda: ev.evaluate_batch(rows, wild_ranks=ranks))
    assert str(refused) == message
    assert (refused.row, refused.position) == (row, None)


def test_the_first_bad_row_of_hands_and_wild_ranks() -> None:
    good, twice = parse_cards(SIX), [0, 0, 1, 2, 3, 4]
    duplicate = "expected 6 different cards, got 2c at the positions 0 and 1"
    cases: list[tuple[Any, Any, Error, str]] = [
        ([good, twice, good], [5, 5, 99], HandError, f"row 1: {duplicate}"),
        ([good, good, twice], [5, 99, 5], CardError, f"row 1: {RANK_NUMBER}99"),
        ([good, twice, good], [5, 99, 5], HandError, f"row 1: {duplicate}"),
        ([twice, good, good], 5, HandError, f"row 0: {duplicate}"),
    ]
    for hands, ranks, error, message in cases:
        with pytest.raises(WildrankError) as caught:
            PAIUTE.evaluate_batch(hands, wild_ranks=ranks)
        assert (type(caught.value), str(caught.value)) == (error, message)


# --- out and threads ---

OUT = "out: expected a writable uint16 array of shape (2,), got "


def locked() -> npt.NDArray[np.uint16]:
    out = np.empty(2, dtype=np.uint16)
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ([0, 0], f"{OUT}list"),
        (bytearray(4), f"{OUT}bytearray"),
        (array.array("H", [0, 0]), f"{OUT}array"),
        (memoryview(array.array("H", [0, 0])), f"{OUT}memoryview"),
        (5, f"{OUT}int"),
        (True, f"{OUT}bool"),
        (np.uint16(0), f"{OUT}uint16"),
        (np.empty(2, dtype=np.uint8), f"{OUT}dtype uint8"),
        (np.empty(2, dtype=np.int16), f"{OUT}dtype int16"),
        (np.empty(2, dtype=np.int64), f"{OUT}dtype int64"),
        (np.empty(2, dtype=np.float32), f"{OUT}dtype float32"),
        (np.empty(2, dtype=">u2"), f"{OUT}dtype >u2"),
        (np.empty(2, dtype=object), f"{OUT}dtype object"),
        (np.empty(1, dtype=np.uint16), f"{OUT}shape (1,)"),
        (np.empty(3, dtype=np.uint16), f"{OUT}shape (3,)"),
        (np.empty((2, 1), dtype=np.uint16), f"{OUT}shape (2, 1)"),
        (np.empty((), dtype=np.uint16), f"{OUT}shape ()"),
        (locked(), f"{OUT}one that is read-only"),
        (np.broadcast_to(np.uint16(0), (2,)), f"{OUT}one that is read-only"),
    ],
)
@pytest.mark.parametrize("wild_ranks", [None, 5])
def test_out(out: Any, message: str, wild_ranks: int | None) -> None:
    hands = np.array([[0, 4, 8], [1, 5, 9]], dtype=np.uint8)
    before = np.array(out).tobytes()
    refused = refusal(
        HandError, lambda: ROOMY.evaluate_batch(hands, wild_ranks=wild_ranks, out=out)
    )
    assert str(refused) == message
    assert np.array(out).tobytes() == before


@pytest.mark.parametrize("ev", [PUCK, ROOMY], ids=lambda ev: ev.rules.name)
@pytest.mark.parametrize("hands", [[], [GOOD]])
@pytest.mark.parametrize("threads", [0, -1, 1.0, "2", None, True, NAN, [2]])
def test_threads(ev: Evaluator, hands: Any, threads: Any) -> None:
    refused = refusal(HandError, lambda: ev.evaluate_batch(hands, threads=threads))
    assert str(refused) == f"threads: expected an int of at least 1, got {threads!r}"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_row_is_named_before_a_wrong_out(threads: int) -> None:
    """The form of `out` matters for no error about the hands, and the other way round."""
    hands = np.array([[0, 4, 8], [1, 1, 9]], dtype=np.uint8)
    for out in (np.empty(2, dtype=np.uint16), np.empty(4, dtype=np.uint16)[::2]):
        with pytest.raises(HandError) as caught:
            PUCK.evaluate_batch(hands, out=out, threads=threads)
        assert caught.value.row == 1


@pytest.mark.parametrize("wild_ranks", [None, 5, [5]])
def test_an_array_that_changes_while_it_is_read(wild_ranks: Any) -> None:
    """The core refused the row; when it is looked at again, nothing is wrong with it."""
    row = np.array([parse_cards(SIX)])
    message = "row 0: expected arrays that nobody changes while they are read, got one that has "
    refused = refusal(HandError, lambda: PAIUTE._refuse_row(row, wild_ranks, 0))
    assert (str(refused), refused.row) == (f"{message}changed", 0)


# --- values ---


@pytest.mark.parametrize(
    "value", [-1, PUCK.num_values + 1, 2**80, 1.0, NAN, "1", None, True, [1], np.float64(1)]
)
def test_category_of(value: Any) -> None:
    message = f"expected a value from 0 to {PUCK.num_values}, got {value!r}"
    assert str(refusal(HandError, lambda: PUCK.category_of(value))) == message


VALUES = f"expected an array of int values from 0 to {PUCK.num_values}, got "


@pytest.mark.parametrize(
    ("values", "message", "position"),
    [
        ([0, -1], f"{VALUES}-1 at position 1", 1),
        ([0, 1, PUCK.num_values + 1], f"{VALUES}{PUCK.num_values + 1} at position 2", 2),
        ([[0, 1], [65535, 70000]], f"{VALUES}65535 at position 2", 2),
        (np.array([2**64 - 1], dtype=np.uint64), f"{VALUES}{2**64 - 1} at position 0", 0),
        (-1, f"{VALUES}-1 at position 0", 0),
        ([0.0], f"{VALUES}dtype float64", None),
        ([NAN], f"{VALUES}dtype float64", None),
        ([True], f"{VALUES}dtype bool", None),
        (["1"], f"{VALUES}dtype <U1", None),
        ("1", f"{VALUES}dtype <U1", None),
        ([None], f"{VALUES}dtype object", None),
        (None, f"{VALUES}dtype object", None),
        ([2**80], f"{VALUES}dtype object", None),
        ([[1], [2, 3]], f"{VALUES}[[1], [2, 3]]", None),
        (MASKED, f"{VALUES}one with masked items", None),
        (Unreadable(), f"{VALUES}an array elsewhere", None),
    ],
)
def test_category_index(values: Any, message: str, position: int | None) -> None:
    refused = refusal(HandError, lambda: PUCK.category_index(values))
    assert str(refused) == message
    assert refused.position == position


# --- errors as objects ---


def test_errors_keep_their_place_when_pickled() -> None:
    error = refusal(HandError, lambda: PUCK.evaluate_batch([GOOD, [9, 9, 1]]))
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.row, again.position) == (HandError, str(error), 1, 1)


# --- any bytes at all ---

FUZZED = [PUCK, NO_JOKER, PERICO, PAIUTE, wildrank.evaluator("six-card-perico", jokers=3)]
FUZZED += [
    Evaluator(RuleSet("n", size, [Category("flush", flush=True, cards=1)], jokers=4))
    for size in (1, 2, 4, 7)
]


def is_hand(codes: Sequence[int], jokers: int) -> bool:
    return len(set(codes)) == len(codes) and all(0 <= code < 52 + jokers for code in codes)


def check_rows(ev: Evaluator, rows: npt.NDArray[Any], **options: Any) -> None:
    expected = [is_hand(row, ev.rules.jokers) for row in rows.tolist()]
    assert ev.valid_mask(rows).tolist() == expected
    if all(expected):
        assert ev.evaluate_batch(rows, **options).max(initial=0) <= ev.num_values
        return
    first = expected.index(False)
    with pytest.raises(WildrankError) as caught:
        ev.evaluate_batch(rows, **options)
    assert caught.value.row == first
    assert str(caught.value).startswith(f"row {first}: expected ")
    with pytest.raises(type(caught.value)) as single:
        ev.evaluate(rows[first].tolist())
    assert f"row {first}: {single.value}" == str(caught.value)
    assert single.value.position == caught.value.position
    good = rows[expected]
    assert ev.evaluate_batch(good).tolist() == [ev.evaluate(row) for row in good.tolist()]


@pytest.mark.parametrize("ev", FUZZED, ids=lambda ev: f"{ev.rules.name}-{ev.hand_size}")
@given(data=st.data())
def test_any_bytes(ev: Evaluator, data: st.DataObject) -> None:
    block = data.draw(st.binary(max_size=40 * ev.hand_size))
    rows = np.frombuffer(block[: len(block) // ev.hand_size * ev.hand_size], dtype=np.uint8)
    check_rows(ev, rows.reshape(-1, ev.hand_size))


@pytest.mark.parametrize("ev", FUZZED, ids=lambda ev: f"{ev.rules.name}-{ev.hand_size}")
@pytest.mark.parametrize("limit", [52, 54, 57, 64, 256])
def test_random_bytes(ev: Evaluator, limit: int) -> None:
    """Blocks of every length around those that a kernel takes at once."""
    rng = np.random.default_rng(limit)
    for count in (*range(1, 70), 1000):
        check_rows(ev, rng.integers(0, limit, (count, ev.hand_size), dtype=np.uint8))


@pytest.mark.parametrize("dtype", ["i1", "i2", "u2", ">i4", "i8", "u8"])
def test_random_integers(dtype: str) -> None:
    rng = random.Random(dtype)
    limits = np.iinfo(dtype)
    numbers = [limits.min, limits.max, 55, 56, -1, 255, 256, 2**16 + 3, 2**32 + 3, -253, -(2**40)]
    numbers = [number for number in numbers if limits.min <= number <= limits.max]
    for _ in range(100):
        rows = [rng.sample(range(54), 3) for _ in range(20)]
        for _ in range(rng.randrange(3)):
            rows[rng.randrange(20)][rng.randrange(3)] = rng.choice(numbers)
        check_rows(PUCK, np.array(rows).astype(dtype) if dtype != "u8" else np.array(rows, dtype))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("wild", [False, True])
def test_one_bad_row_in_a_long_array(threads: int, wild: bool) -> None:
    count = 3 * ROWS_PER_THREAD + 7
    rows = np.tile(np.array(parse_cards(SIX), dtype=np.uint8), (count, 1))
    ranks = np.arange(count) % 13
    options: dict[str, Any] = {"wild_ranks": ranks} if wild else {}
    for row in (0, 31, 32, ROWS_PER_THREAD, 2 * ROWS_PER_THREAD - 1, count - 1):
        for place in (0, 5):
            bad = rows.copy()
            bad[row, place] = 200
            with pytest.raises(CardError) as caught:
                PAIUTE.evaluate_batch(bad, threads=threads, **options)
            assert (caught.value.row, caught.value.position) == (row, place)
            assert np.flatnonzero(~PAIUTE.valid_mask(bad)).tolist() == [row]
