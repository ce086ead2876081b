"""The reference against itself and against hands worked out by hand from the rules."""

import random
from dataclasses import replace
from itertools import combinations

import pytest
from reference import (
    Game,
    Pattern,
    category_name,
    paiute,
    perico,
    puck,
    read_hand,
    read_hand_naive,
    six_card_perico,
)

RANKS = "23456789TJQKA"
SUITS = "cdhs"


def codes(text: str) -> list[int]:
    """Read cards without the package; every ``*`` is the next joker."""
    cards: list[int] = []
    joker = 52
    for token in text.split():
        if token == "*":
            cards.append(joker)
            joker += 1
        else:
            cards.append(RANKS.index(token[0]) * 4 + SUITS.index(token[1]))
    return cards


def ranks(text: str) -> tuple[int, ...]:
    return tuple(RANKS.index(letter) for letter in text)


@pytest.mark.parametrize(
    ("game", "hand", "category", "tie_breaks"),
    [
        (perico(), "7c 7d 7h 7s *", "five_of_a_kind", (-1, ranks("7"))),
        (perico(natural_five_of_a_kind=True), "7c 7d 7h 7s *", "four_of_a_kind", (-1, ranks("7A"))),
        (perico(), "As 2d 3c 4h 5h", "straight", (0, ranks("5"))),
        (perico(), "* 2d 3c 4h 5h", "straight", (-1, ranks("6"))),
        (perico(), "* As Ks Qs Js", "royal_flush", (-1, ranks("A"))),
        (perico(), "* As 2s 3s 5s", "straight_flush", (-1, ranks("5"))),
        (perico(), "* Kc 7c 6c 4c", "flush", (-1, ranks("AK764"))),
        (perico(), "* Ac 7c 6c 4c", "flush", (-1, ranks("AK764"))),
        (perico(), "* Kc Kd 5h 5s", "full_house", (-1, ranks("K5"))),
        (perico(), "Kc Kd 5h 5s 9s", "two_pair", (0, ranks("K59"))),
        (perico(), "Kc Qd 5h 4s 9s", "high_card", (0, ranks("KQ954"))),
        (six_card_perico(), "7c 7d 7h 7s * 2c", "five_of_a_kind", (-1, ranks("72"))),
        (
            six_card_perico(natural_five_of_a_kind=True),
            "7c 7d 7h 7s * 2c",
            "new_house",
            (-1, ranks("72")),
        ),
        (
            six_card_perico(natural_five_of_a_kind=True),
            "7c 7d 7h 7s * *",
            "six_of_a_kind",
            (-2, ranks("7")),
        ),
        (six_card_perico(), "As Ks Qs Js Ts *", "royal_flush", (-1, ranks("A"))),
        (six_card_perico(), "As 2d 3s 4s 5s 6s", "straight", (0, ranks("6"))),
        (six_card_perico(), "2s 2d 5h 5s 9c 9d", "three_pair", (0, ranks("952"))),
        (six_card_perico(), "2s 2d 2h 5s 5c 9d", "old_house", (0, ranks("259"))),
        (puck(), "* * Kd", "straight_flush", (ranks("A"), 2)),
        (puck(), "As 2d 3c", "high_card", (ranks("A32"), 0)),
        (puck(ace="both"), "As 2d 3c", "straight", (ranks("3"), 0)),
        (paiute(wild_rank=5), "7c Ks Qs Js Ts 2d", "royal_flush", (ranks("A"),)),
        (paiute(wild_rank=5), "7c 7d 9s 9c 9h 2d", "five_of_a_kind", (ranks("9"),)),
        (paiute(wild_rank=5), "7c 2d 2s 3c Jh 9d", "no_combination", ()),
        (paiute(wild_rank=5), "7c 2d 2s 3c 3h 3d", "four_two", (ranks("32"),)),
        (paiute(wild_rank=5), "2d 2s 3c 3h 9d 9s", "two_two_two", (ranks("932"),)),
        (paiute(hand_size=5, wild_rank=5), "2d 2s 3c 3h 3d", "no_combination", ()),
    ],
)
def test_hands_worked_out_by_hand(
    game: Game, hand: str, category: str, tie_breaks: tuple[object, ...]
) -> None:
    value = read_hand(codes(hand), game)
    assert (category_name(value, game), value[1:]) == (category, tie_breaks)


@pytest.mark.parametrize(
    ("game", "stronger", "weaker"),
    [
        (perico(), "2c 2d 3h 4s 6s", "* Ad Kh Qs 9s"),  # no joker first, then ranks
        (perico(), "* Kc Kd 9h 2c", "Kh Ks 9c 9d 3c"),  # but the category comes before both
        (puck(), "* Ad Kh", "As Ac Qh"),  # ranks first
        (puck(), "* Ad Kh", "As Ac Kd"),  # then the joker's holder wins
    ],
)
def test_jokers_break_ties_where_the_rules_say(game: Game, stronger: str, weaker: str) -> None:
    assert read_hand(codes(stronger), game) > read_hand(codes(weaker), game)


def test_a_wild_rank_given_with_the_hand_is_as_good_as_a_declared_one() -> None:
    hand = codes("7c Ks Qs Js Ts 2d")
    assert read_hand(hand, paiute(), wild_rank=5) == read_hand(hand, paiute(wild_rank=5)) != ()
    assert read_hand(hand, paiute()) == ()


BEST_FIVE_OF_SEVEN = Game(
    hand_size=7,
    jokers=1,
    categories=tuple(replace(category, cards=5) for category in perico().categories),
)

ODD_GAMES = [
    Game(  # every limit on wild cards, counted before and after the ranks
        hand_size=3,
        jokers=2,
        tie_breaks=("more_jokers", "ranks"),
        categories=(
            Pattern("two_wild_straight", straight=True, min_wild=2),
            Pattern("natural_pair", (2,), cards=2, max_wild=0),
            Pattern("flush", flush=True, cards=2, top=11),
            Pattern("ace", (1,), cards=1, top=12),
            Pattern("wild", (1, 1), cards=2, min_wild=1, max_wild=1),
        ),
    ),
    Game(
        hand_size=3,
        jokers=1,
        wild_ranks=(0, 12),
        ace="low",
        tie_breaks=("fewer_jokers",),
        categories=(
            Pattern("straight_flush", straight=True, flush=True, cards=2),
            Pattern("flush", flush=True),
            Pattern("straight", straight=True),
        ),
    ),
    Game(
        hand_size=4,
        jokers=2,
        double_ace_flush=True,
        categories=(
            Pattern("paired_flush", (2, 1, 1), flush=True),
            Pattern("flush", flush=True),
            Pattern("straight", straight=True, cards=3),
            Pattern("high_card", (1, 1, 1, 1)),
        ),
    ),
    Game(
        hand_size=4,
        jokers=1,
        ace="both",
        tie_breaks=(),
        categories=(Pattern("straight_flush", straight=True, flush=True, cards=3),),
    ),
]


@pytest.mark.parametrize(
    ("game", "wild_rank", "most_wild", "samples"),
    [
        (puck(), None, 2, 15),
        (perico(), None, 2, 10),
        (perico(natural_five_of_a_kind=True), None, 2, 6),
        (puck(jokers=3), None, 3, 10),
        (six_card_perico(), None, 2, 6),
        (paiute(), 5, 2, 8),
        (paiute(hand_size=5, ace="both"), 3, 2, 12),
        (BEST_FIVE_OF_SEVEN, None, 1, 12),
        *((game, None, 2 if game.jokers == 2 or game.wild_ranks else 1, 15) for game in ODD_GAMES),
    ],
)
def test_naming_ranks_is_as_good_as_naming_cards(
    game: Game, wild_rank: int | None, most_wild: int, samples: int
) -> None:
    """For every number of wild cards that the naive way can still afford."""
    rng = random.Random(2024)
    for wild_count in range(most_wild + 1):
        compared = 0
        while compared < (samples if wild_count < 3 else 1):
            hand = random_hand(rng, game)
            wild = sum(c >= 52 or c // 4 in game.wild_ranks or c // 4 == wild_rank for c in hand)
            if wild == wild_count:
                compared += 1
                expected = read_hand_naive(hand, game, wild_rank)
                assert read_hand(hand, game, wild_rank) == expected, (hand, game)


def random_hand(rng: random.Random, game: Game) -> list[int]:
    """Return a random hand; half of them have jokers on purpose, half few suits."""
    jokers = list(range(52, 52 + game.jokers))
    suits = rng.choice([(0,), (0, 1), (0, 1, 2, 3)])
    deck = [card for card in range(52) if card % 4 in suits]
    taken = rng.sample(jokers, rng.randint(0, len(jokers)))[: game.hand_size]
    hand = taken + rng.sample(deck, game.hand_size - len(taken))
    rng.shuffle(hand)
    return hand


def test_every_puck_hand_with_one_joker_reads_the_same_naively() -> None:
    game = puck()
    for pair in combinations(range(52), 2):
        hand = [*pair, 52]
        assert read_hand(hand, game) == read_hand_naive(hand, game), hand
