"""Card codes, every accepted text, and what is refused."""

import copy
import itertools
import pickle
import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildrank import Card, CardError, deck, format_cards, parse_cards, parse_rank, rank_name
from wildrank.cards import to_cards

RANKS = "23456789TJQKA"
JOKERS = ["Jk", "jk", "JK", "jK", "joker", "Joker", "JOKER", "*", "🃏", "🃏\ufe0f", "🃏\ufe0e"]

codes = st.integers(0, 55)


def codes_of(text: str) -> list[int]:
    return [int(card) for card in parse_cards(text)]


@pytest.mark.parametrize("code", range(56))
def test_a_card_knows_its_rank_suit_and_text(code: int) -> None:
    card = Card(code)
    assert card == code
    assert type(card) is Card
    assert card.is_joker == (code >= 52)
    if code < 52:
        assert (card.rank, card.suit) == divmod(code, 4)
        assert str(card) == RANKS[code // 4] + "cdhs"[code % 4]
        assert Card(str(card)) == code
    else:
        assert (card.rank, card.suit, str(card)) == (None, None, "Jk")
    assert eval(repr(card)) == code
    assert type(eval(repr(card))) is Card


def test_codes_of_the_contract() -> None:
    texts = ["2c", "2d", "2h", "2s", "3c", "Ac", "As", "Jk"]
    assert [int(Card(text)) for text in texts] == [0, 1, 2, 3, 4, 48, 51, 52]
    assert repr(Card("As")) == "Card('As')"
    assert repr(Card("Jk")) == "Card('Jk')"
    assert repr(Card(54)) == "Card(54)"


@pytest.mark.parametrize("number", [np.uint8(51), np.int64(51), np.uint64(51), Card(51)])
def test_a_card_from_any_int(number: Any) -> None:
    assert Card(number) == Card("As")


@pytest.mark.parametrize(
    ("suit", "symbols"), [(0, "cC♣♧"), (1, "dD♦♢"), (2, "hH♥♡"), (3, "sS♠♤")], ids=list("cdhs")
)
def test_suits_in_letters_and_symbols(suit: int, symbols: str) -> None:
    for symbol in symbols:
        assert Card("A" + symbol) == 48 + suit
        if not symbol.isascii():
            assert Card(f"A{symbol}\ufe0f") == Card(f"A{symbol}\ufe0e") == 48 + suit


@pytest.mark.parametrize("rank", range(13))
def test_ranks_in_either_case(rank: int) -> None:
    letters = [RANKS[rank], RANKS[rank].lower()] + (["10"] if rank == 8 else [])
    for letter in letters:
        assert Card(letter + "h") == rank * 4 + 2
        assert parse_rank(letter) == rank
    assert parse_rank(rank) == parse_rank(np.int8(rank)) == rank
    assert rank_name(rank) == RANKS[rank]


@pytest.mark.parametrize(
    "text",
    [
        "As Kd Th Td 2c",
        "AsKdThTd2c",
        "As,Kd,10h,10d,2c",
        "As, Kd, 10h, Td, 2c",
        " ,As Kd,Th  Td,,2c, ",
        "as kd th td 2C",
        "AS KD TH TD 2C",
        "aSkD10hTd2c",
        "A♠K♦10♥T♢2♧",
        "A♠\ufe0f K♦\ufe0f T♥\ufe0e 10♦\ufe0f 2♣\ufe0f",
        "As\tKd\nTh\r\nTd\u00a02c",
    ],
)
def test_forms_of_one_text(text: str) -> None:
    assert codes_of(text) == [51, 45, 34, 33, 0]


@pytest.mark.parametrize("joker", JOKERS)
def test_joker_texts_stand_for_the_next_unused_joker(joker: str) -> None:
    assert Card(joker) == 52
    assert codes_of(f"{joker} As {joker}, {joker}{joker}") == [52, 51, 53, 54, 55]
    assert codes_of(f"As{joker}Kd*") == [51, 52, 45, 53]


def test_no_text_is_no_card() -> None:
    assert parse_cards("") == parse_cards(" ,\t") == ()


def test_to_cards_takes_texts_codes_and_cards_from_any_iterable() -> None:
    expected = (Card("As"), Card("Kd"), Card(52), Card(53))
    assert to_cards("As Kd Jk *") == expected
    assert to_cards(["As", np.int64(45), "Jk", "*"]) == expected
    assert to_cards(iter([51, 45, 52, Card(53)])) == expected
    assert to_cards(np.array([51, 45, 52, 53], dtype=np.uint8)) == expected
    assert to_cards(bytes([51, 45, 52, 53])) == expected
    assert all(type(card) is Card for card in to_cards([51, 45]))


def test_joker_texts_in_a_sequence_skip_jokers_already_there() -> None:
    assert to_cards([53, 52, "Jk", "*"]) == (53, 52, 54, 55)
    assert to_cards(["Jk", 52, "*", 53]) == (54, 52, 55, 53)


@given(st.permutations(range(52)), st.integers(0, 4), st.integers(0, 52), st.randoms())
def test_text_round_trips(cards: list[int], jokers: int, size: int, rng: random.Random) -> None:
    del cards[size:]
    for joker in range(52, 52 + jokers):  # written `Jk` each, so they have to come in order
        last = cards.index(joker - 1) if joker > 52 else -1
        cards.insert(rng.randint(last + 1, len(cards)), joker)
    assert codes_of(format_cards(cards)) == cards
    assert codes_of("".join(str(Card(card)) for card in cards)) == cards


@given(codes)
def test_cards_pickle_and_copy(code: int) -> None:
    card = Card(code)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(card, protocol))
        assert (type(again), again) == (Card, card)
    assert type(copy.deepcopy(card)) is Card


def test_cards_compare_and_hash_as_their_codes() -> None:
    card = Card("Ah")
    text: object = "Ah"
    assert {50: "an ace"}[card] == "an ace"
    assert card == 50
    assert card != text
    assert Card("Jk") != Card(53)
    assert sorted([Card("As"), Card("2c"), Card("Jk")]) == [0, 51, 52]


def test_cards_format_as_their_text() -> None:
    assert f"{Card('As')}" == "As"
    assert f"{Card('As'):>4}|{Card('Jk'):<4}|" == "  As|Jk  |"
    assert format_cards([51, np.uint8(0), Card(53)]) == "As 2c Jk"
    assert format_cards([]) == ""


@pytest.mark.parametrize("jokers", range(5))
def test_deck(jokers: int) -> None:
    assert list(deck(jokers)) == list(range(52 + jokers))
    assert all(type(card) is Card for card in deck(jokers))


def test_deck_has_no_joker_by_default() -> None:
    assert len(deck()) == 52


# --- what is no card ---

UNKNOWN = [
    "?", "??", "X", "Xx", "x", "#", "-", "--", "_", ".", "W", "Wild", "Any", "0", "1", "11", "1h",
    "10", "A", "Ax", "sA", "Jo", "Joke", "Jocker", "🂠", "🃟", "🂡", "♠", "♠A", "\ufe0f",
    "\u212as",  # the Kelvin sign is no king
    "A\u017f",  # and a long s no spade
    "\uff15s",  # no digit but an ASCII one
    "A\ufe0fs",
]  # fmt: skip


@pytest.mark.parametrize("token", UNKNOWN)
def test_unknown_tokens_are_refused_with_their_position(token: str) -> None:
    for text, position in [(token, 0), (f"As, {token} Kd", 4), (f"Jk {token}", 3)]:
        message = (
            f"expected a card such as 'As', '10h' or 'Jk', got {token!r} at position {position} "
            f"of {text!r}"
        )
        with pytest.raises(CardError, match=f"^{re.escape(message)}$") as caught:
            parse_cards(text)
        assert caught.value.position == position
        assert caught.value.row is None


@given(st.text(alphabet="JjKk*🃏?xAa2sh, ", max_size=5))
def test_no_unknown_card_is_a_wild_one(text: str) -> None:
    """A text that reads at all has a joker for each `jk`, `*` and 🃏, and no other."""
    try:
        cards = parse_cards(text)
    except CardError:
        return
    assert sum(card.is_joker for card in cards) == len(re.findall(r"jk|[*🃏]", text.lower()))


@given(st.characters())
def test_only_the_listed_letters_are_a_rank(letter: str) -> None:
    if letter in "23456789TJQKAtjqka":
        assert RANKS[parse_rank(letter)] == letter.upper()
    else:
        with pytest.raises(CardError):
            parse_rank(letter)


CARD = "expected a card as text or as an int from 0 to 55, got "
CODE = "expected a card code from 0 to 55, got "
TOKEN = "expected a card such as 'As', '10h' or 'Jk', got "
ONE_CARD = "expected the text of one card, such as 'As' or 'Jk', got "
CARDS = "expected cards as a text or as a sequence of ints from 0 to 55, got "
RANK_TEXT = "expected a rank such as '7', 'T', '10' or 'A', got "
RANK_NUMBER = "expected a rank from 0 (deuce) to 12 (ace), got "
RANK = "expected a rank as text or as an int from 0 (deuce) to 12 (ace), got "
JOKERS_IN_DECK = "expected 0 to 4 jokers in a deck, got "


@pytest.mark.parametrize(
    ("function", "argument", "message"),
    [
        (
            parse_cards,
            "Jk Jk Jk Jk *",
            "expected at most 4 jokers, got another at position 12 of 'Jk Jk Jk Jk *'",
        ),
        (
            to_cards,
            ["Jk"] * 4 + ["As", "*"],
            "expected at most 4 jokers, got another at position 5",
        ),
        (
            to_cards,
            ["Jk", 52, 53, 54, "Jk", 55],
            "expected at most 4 jokers, got another at position 0",
        ),
        (to_cards, itertools.repeat(0), "expected at most 56 cards, got more"),
        (to_cards, ["As", "As Kd"], f"{TOKEN}'As Kd' at position 1"),
        (to_cards, ["As", ""], f"{TOKEN}'' at position 1"),
        (to_cards, ["As", 56], f"{CODE}56 at position 1"),
        (to_cards, [0, None], f"{CARD}None at position 1"),
        (to_cards, [0.0], f"{CARD}0.0 at position 0"),
        (to_cards, [[0, 1]], f"{CARD}[0, 1] at position 0"),
        (to_cards, 7, f"{CARDS}7"),
        (to_cards, None, f"{CARDS}None"),
        (format_cards, None, f"{CARDS}None"),
        (parse_cards, None, "expected a text of cards, got None"),
        (parse_cards, b"As", "expected a text of cards, got b'As'"),
        (to_cards, memoryview(bytes(2)).cast("B", (1, 2)), f"{CARD}[0, 0] at position 0"),
        (Card, "", f"{ONE_CARD}''"),
        (Card, "AsKd", f"{ONE_CARD}'AsKd'"),
        (Card, -1, f"{CODE}-1"),
        (Card, 56, f"{CODE}56"),
        (Card, 2**80, f"{CODE}{2**80}"),
        (Card, True, f"{CARD}True"),
        (Card, np.True_, f"{CARD}np.True_"),
        (Card, 1.0, f"{CARD}1.0"),
        (Card, b"As", f"{CARD}b'As'"),
        (format_cards, [0, 99], f"{CODE}99"),
        (parse_rank, "", f"{RANK_TEXT}''"),
        (parse_rank, "1", f"{RANK_TEXT}'1'"),
        (parse_rank, "As", f"{RANK_TEXT}'As'"),
        (parse_rank, "TJ", f"{RANK_TEXT}'TJ'"),
        (parse_rank, "Jk", f"{RANK_TEXT}'Jk'"),
        (parse_rank, 13, f"{RANK_NUMBER}13"),
        (parse_rank, -1, f"{RANK_NUMBER}-1"),
        (parse_rank, False, f"{RANK}False"),
        (parse_rank, 7.0, f"{RANK}7.0"),
        (rank_name, 13, f"{RANK_NUMBER}13"),
        (deck, 5, f"{JOKERS_IN_DECK}5"),
        (deck, -1, f"{JOKERS_IN_DECK}-1"),
        (deck, True, f"{JOKERS_IN_DECK}True"),
        (deck, "2", f"{JOKERS_IN_DECK}'2'"),
    ],
)
def test_errors_say_what_was_expected_and_found(
    function: Callable[[Any], object], argument: Any, message: str
) -> None:
    with pytest.raises(CardError, match=f"^{re.escape(message)}$"):
        function(argument)


@pytest.mark.parametrize("kind", [list, tuple, iter])
def test_the_position_of_a_bad_item(kind: Callable[[Any], Any]) -> None:
    with pytest.raises(CardError) as caught:
        to_cards(kind([0, 1, "Zz", -1]))
    assert caught.value.position == 2


LONG = 300_000


@pytest.mark.parametrize(
    ("call", "position"),
    [
        (lambda: parse_cards("x" * LONG), 0),
        (lambda: parse_cards("As " * LONG + "x"), 3 * LONG),
        (lambda: Card("As" * LONG), None),
        (lambda: to_cards(["\x00" * LONG]), 0),
        (lambda: parse_rank("\U0010ffff" * LONG), None),
        (lambda: parse_rank(10**5000), None),
        (lambda: Card(-(10**5000)), None),
        (lambda: deck(10**5000), None),
    ],
)
def test_messages_are_short_whatever_was_given(
    call: Callable[[], object], position: int | None
) -> None:
    with pytest.raises(CardError) as caught:
        call()
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()
    assert caught.value.position == position


def test_a_text_is_read_as_what_it_is_whatever_it_says_of_itself() -> None:
    class Liar(str):
        __slots__ = ()

        def __len__(self) -> int:
            return 100

        def __str__(self) -> str:
            return "Kd"

    assert parse_cards(Liar("As 2c")) == parse_cards("As 2c")
