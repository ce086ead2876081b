"""Puck, sentence by sentence."""

from typing import Any

import pytest
from game_table import act, hand, pile, stacked, state, text

from wildrank import Card
from wildrank.errors import IllegalActionError, RuleError
from wildrank.games.actions import ChooseDirection, Cut, Keep, Steal
from wildrank.games.base import Move
from wildrank.games.puck import Puck, Theft

PAIR = "9c 9d 2h"
HIGH = "Kc Jd 4h"
LOW = "8c 6d 3h"


def deal(hands: list[str], then: str = "", *orders: str, step: int = 1, **options: Any) -> Puck:
    """Return a game with these hands, by seat; player 0 deals and player 1 speaks first."""
    direction = "clockwise" if step == 1 else "counter-clockwise"
    decks = [stacked(hands, then, dealer=0, step=step), *orders]
    options = {"seed": 1, "dealer": 0, "direction": direction, **options}
    return Puck(len(hands), decks=decks, **options)


def refused(game: Puck, action: str, rule: str) -> None:
    before = state(game)
    with pytest.raises(IllegalActionError, match=rule):
        act(game, action)
    assert state(game) == before


def keep_all(game: Puck) -> None:
    for _ in range(game.players):
        act(game, "keep")


# --- players and cards ---


def test_2_to_4_players_and_with_the_jokers_only_2_or_3() -> None:
    for players, jokers in ((2, 2), (3, 2), (2, 0), (3, 0), (4, 0)):
        assert len(Puck(players, seed=1, jokers=jokers)._deck) == 52 + jokers
    with pytest.raises(RuleError, match="expected jokers=0 with 4 players, got jokers=2"):
        Puck(4, jokers=2)
    for players in (1, 5):
        with pytest.raises(RuleError, match="expected players to be an int from 2 to 4"):
            Puck(players)


def test_by_default_4_players_have_no_jokers_and_fewer_have_two() -> None:
    assert [Puck(players, seed=1).options["jokers"] for players in (2, 3, 4)] == [2, 2, 0]


def test_three_cards_each_and_the_rest_is_the_stock() -> None:
    game = deal([PAIR, HIGH, LOW], "5s")
    assert [hand(game, player) for player in range(3)] == [PAIR, HIGH, LOW]
    assert game.observation(0).stock_size == 54 - 9
    assert pile(game) == ""


# --- the direction of play ---


def test_each_player_draws_a_card_and_the_highest_chooses_the_direction() -> None:
    game = Puck(3, seed=1, decks=["7c Kd 9h"])
    assert (game.phase, game.current_player) == ("direction", 1)
    assert game.direction_draws == (((0, Card("7c")), (1, Card("Kd")), (2, Card("9h"))),)
    assert list(game.legal_actions()) == [
        ChooseDirection("clockwise"),
        ChooseDirection("counter-clockwise"),
    ]
    refused(game, "keep", "in the phase 'direction' one of the actions 'play' is expected")


def test_those_tied_for_highest_draw_again() -> None:
    game = Puck(3, seed=1, decks=["Kc Kd 9h 4s 5s"])
    assert game.current_player == 1
    assert game.direction_draws[1] == ((0, Card("4s")), (1, Card("5s")))


def test_a_joker_is_the_highest_card_drawn_and_two_jokers_tie() -> None:
    assert Puck(2, seed=1, decks=["Jk As"]).current_player == 0
    assert Puck(2, seed=1, decks=["Jk As"]).direction_draws == (((0, Card("Jk")), (1, Card("As"))),)
    assert len(Puck(2, seed=1, decks=["Jk Jk2 3c 2c"]).direction_draws) == 2


@pytest.mark.parametrize(
    ("direction", "seats"), [("clockwise", [1, 2, 0]), ("counter-clockwise", [2, 1, 0])]
)
def test_play_goes_in_the_chosen_direction_from_next_to_the_dealer(
    direction: str, seats: list[int]
) -> None:
    game = Puck(3, seed=1, dealer=0)
    act(game, f"play {direction}")
    assert game.direction == direction
    spoken = []
    for _ in range(3):
        spoken.append(game.current_player)
        act(game, "keep")
    assert spoken == seats


def test_the_first_dealer_is_found_by_lot() -> None:
    dealers = [Puck(4, seed=seed).dealer for seed in range(200)]
    assert {dealers.count(seat) > 25 for seat in range(4)} == {True}


def test_then_the_players_deal_in_turn() -> None:
    game = deal([PAIR, HIGH, LOW], step=-1, max_rounds=1)
    with pytest.raises(RuleError, match="expected the game to be over before the next one"):
        game.next_game()
    keep_all(game)
    following = game.next_game()
    assert (game.dealer, following.dealer, following.seed) == (0, 2, 2)
    assert game.next_game(seed=9).seed == 9
    game = deal([PAIR, HIGH, LOW], step=1, max_rounds=1, ante=10**9)
    for dealer in (1, 2, 0, 1):
        keep_all(game)
        game = game.next_game(seed=3)
        assert game.dealer == dealer


# --- cutting ---


def test_the_cards_may_be_cut_by_the_player_before_the_dealer() -> None:
    game = deal([PAIR, HIGH, LOW], cut=True)
    assert (game.phase, game.current_player) == ("cut", 2)
    assert len(game.legal_actions()) == 54
    act(game, "cut 3")
    # The first three cards of the deal went to the bottom, so each hand begins with its second.
    assert [hand(game, player).split()[0] for player in range(3)] == ["9d", "Jd", "6d"]
    assert text(game._stock[:3][::-1]) == "Kc 8c 9c"
    assert deal([PAIR, HIGH, LOW], step=-1, cut=True).current_player == 1


def test_a_cut_may_be_declined_and_is_of_fewer_cards_than_the_deck() -> None:
    game = deal([PAIR, HIGH, LOW], cut=True)
    refused(game, "cut 54", "a cut takes 0 to 53 cards from the top")
    with pytest.raises(IllegalActionError):
        game.apply(Cut(-1))
    act(game, "cut 0")
    assert hand(game, 0) == PAIR


# --- keeping and exchanging ---


def test_every_player_speaks_once_in_a_round_and_then_the_hands_are_compared() -> None:
    game = deal([PAIR, HIGH, LOW])
    act(game, "keep", "keep")
    assert not game.rounds
    act(game, "keep")
    assert (game.rounds[0].ending, game.rounds[0].winners) == ("show", (0,))
    assert [text(cards) for cards in game.rounds[0].hands] == [PAIR, HIGH, LOW]


def test_cards_are_discarded_and_as_many_taken_from_another_hand_which_refills() -> None:
    game = deal([PAIR, HIGH, LOW], "5s 6s", "9d")
    act(game, "steal 1 from 0, discard 4h")
    assert hand(game, 1) == "Kc Jd 9d"
    assert hand(game, 0) == "9c 2h 5s"
    assert pile(game) == "4h"
    assert game.observation(0).stock_size == 44


@pytest.mark.parametrize(
    ("action", "hands", "stock"),
    [
        ("steal 3 from 2, discard Kc Jd 4h", ["9c 9d 2h", "6d 3h 8c", "5s 6s 7s"], 42),
        ("steal 1 from 0, 2 from 2, discard Kc Jd 4h", ["9c 9d 5s", "2h 3h 8c", "6d 6s 7s"], 42),
        ("steal 2 from 0, discard Kc Jd", ["9d 5s 6s", "4h 2h 9c", "8c 6d 3h"], 43),
    ],
)
def test_cards_may_be_taken_from_any_players_in_any_split(
    action: str, hands: list[str], stock: int
) -> None:
    orders = ["2h 9c", "3h 8c"] if "from 0" in action else ["3h 8c"]
    game = deal([PAIR, HIGH, LOW], "5s 6s 7s", *orders)
    act(game, action)
    held = [set(hand(game, player).split()) for player in range(3)]
    assert held == [set(cards.split()) for cards in hands]
    assert game.observation(0).stock_size == stock


def test_all_splits_are_offered() -> None:
    assert len(Puck(2, seed=1, direction="clockwise").legal_actions()) == 1 + 7
    assert len(Puck(3, seed=1, direction="clockwise").legal_actions()) == 1 + 3 * 2 + 3 * 3 + 4
    game = Puck(4, seed=1, direction="clockwise")
    legal = list(game.legal_actions())
    assert len(set(legal)) == len(legal) == 1 + 3 * 3 + 3 * 6 + 10
    assert all(map(game.is_legal, legal))


def test_cards_are_taken_unseen() -> None:
    taken = set()
    for seed in range(60):
        game = deal([PAIR, HIGH], "5s", seed=seed)
        act(game, "steal 1 from 0, discard 4h")
        taken.add(hand(game, 1).split()[-1])
    assert taken == {"9c", "9d", "2h"}


def test_the_options_of_the_game_are_known_to_the_players() -> None:
    seen = Puck(2, seed=1, cut=True, ante=2, max_rounds=None).observation(0)
    assert (seen.cut, seen.ante, seen.max_rounds) == (True, 2, None)


def test_only_thief_and_victim_know_the_card() -> None:
    game = deal([PAIR, HIGH, LOW], "5s", "9d")
    act(game, "steal 1 from 0, discard 4h")
    theft = Theft(1, 0, (Card("9d"),))
    seen = [game.observation(player) for player in range(3)]
    assert [view.thefts for view in seen] == [(theft,), (theft,), ()]
    assert seen[2].moves == (Move(1, Steal([(1, 0)], "4h")),)


def test_the_discarded_cards_leave_play() -> None:
    game = deal([PAIR, HIGH], "5s")
    act(game, "steal 1 from 0, discard 4h")
    for _ in range(200):
        if game.is_over:
            break
        legal = game.legal_actions()
        game.apply(legal[min(1, len(legal) - 1)])
    assert Card("4h") in game.observation(0).pile
    assert len(game.observation(0).pile) == 54 - 6


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ("steal 1 from 1, discard 4h", "cards are taken from the hands of other players"),
        ("steal 1 from 3, discard 4h", "cards are taken from the hands of other players"),
        ("steal 1 from 0, 1 from 0, discard 4h Kc", "every robbed player is named only once"),
        ("steal 0 from 0, 1 from 2, discard 4h", "at least one card is taken from every robbed"),
        ("steal 2 from 0, discard 4h", "as many cards are taken as discarded"),
        ("steal 1 from 0, discard 9c", "only cards in the hand can be discarded, not 9c"),
        ("steal 2 from 0, discard 4h 4h", "every card can be discarded only once"),
        ("steal 4 from 0, discard 4h Kc Jd 2c", "1 to 3 cards can be exchanged"),
        ("knock", "in the phase 'turn' one of the actions 'keep', 'steal' is expected"),
    ],
)
def test_an_exchange_against_the_rules_is_refused(action: str, rule: str) -> None:
    refused(deal([PAIR, HIGH, LOW]), action, rule)


# --- rounds ---


def test_the_best_hand_scores_one_win_and_speaks_first_in_the_next_round() -> None:
    game = deal([LOW, HIGH, PAIR])
    keep_all(game)
    assert game.scores == (0, 0, 1)
    assert (game.current_player, game.observation(0).first) == (2, 2)
    assert game.dealer == 0


def test_the_next_round_is_played_with_the_same_cards() -> None:
    game = deal([LOW, HIGH, PAIR])
    keep_all(game)
    assert [hand(game, player) for player in range(3)] == [LOW, HIGH, PAIR]
    assert game.observation(1).shown == game.rounds[0].hands
    keep_all(game)
    assert game.scores == (0, 0, 2)


def test_nobody_scores_a_tied_round_and_the_first_speaker_stays() -> None:
    game = deal(["Kd Jc 4s", HIGH, LOW])
    keep_all(game)
    assert game.scores == (0, 0, 0)
    assert game.rounds[0].winners == (0, 1)
    assert game.current_player == 1


def test_of_equal_hands_the_one_with_a_joker_wins() -> None:
    game = deal(["9c 9d 2h", "9h Jk 2c"])
    keep_all(game)
    assert game.scores == (0, 1)


def test_the_ace_may_be_low_too_as_an_option() -> None:
    for ace, scores in (("high", (1, 0)), ("both", (0, 1))):
        game = deal(["Ks Kd 4h", "Ac 2d 3h"], ace=ace)
        keep_all(game)
        assert game.scores == scores


# --- the end ---


def almost_used_up(left: int) -> Puck:
    """Return a game of three with so many cards left in the stock, as a new round begins."""
    game = deal([PAIR, HIGH, LOW])
    while game.observation(0).stock_size > left or len(game.history) % 3:
        if len(game.history) % 3 or game.observation(0).stock_size == left:
            game.apply(Keep())
            continue
        count = min(3, game.observation(0).stock_size - left)
        victim = (game.current_player + 1) % 3
        discards = game.observation(game.current_player).hand[:count]
        game.apply(Steal([(count, victim)], discards))
    return game


def test_an_exchange_may_not_be_larger_than_the_stock() -> None:
    game = almost_used_up(2)
    player, other = game.current_player, (game.current_player + 1) % 3
    cards = hand(game, player).split()
    refused(
        game,
        f"steal 3 from {other}, discard {' '.join(cards)}",
        "an exchange may not be larger than the stock, which has 2 cards left",
    )
    sizes = {len(a.discards) for a in game.legal_actions() if isinstance(a, Steal)}
    assert sizes == {1, 2}


def test_when_the_stock_is_used_up_the_round_is_finished_and_most_wins_takes_the_game() -> None:
    game = almost_used_up(1)
    player, other = game.current_player, (game.current_player + 1) % 3
    rounds = len(game.rounds)
    act(game, f"steal 1 from {other}, discard {hand(game, player).split()[0]}")
    assert not game.is_over
    assert list(game.legal_actions()) == [Keep()]
    act(game, "keep", "keep")
    assert game.is_over
    assert len(game.rounds) == rounds + 1
    assert game.winners
    assert all(game.scores[winner] == max(game.scores) for winner in game.winners)
    assert all(len(game.observation(seat).hand) == 3 for seat in range(3))


def test_max_rounds_ends_a_game_in_which_nobody_exchanges() -> None:
    game = deal([PAIR, HIGH], max_rounds=3)
    for _ in range(3):
        assert not game.is_over
        keep_all(game)
    assert game.is_over
    assert (game.scores, game.winners) == ((3, 0), (0,))


# --- stakes ---


def test_equal_antes_make_a_pot_and_the_winner_of_the_game_takes_it() -> None:
    game = deal([PAIR, HIGH, LOW], ante=5, max_rounds=1, chips=[10, 20, 30])
    assert (game.pot, game.chips) == (15, (5, 15, 25))
    keep_all(game)
    assert (game.pot, game.chips) == (0, (20, 15, 25))
    assert game.next_game().chips == (15, 10, 20)


def test_stakes_are_optional() -> None:
    assert (Puck(2, seed=1).pot, Puck(2, seed=1).chips) == (0, (0, 0))


def test_most_wins_equal_the_pot_is_split_and_odd_chips_go_from_the_dealers_neighbour() -> None:
    for step in (1, -1):
        game = deal([PAIR, HIGH, LOW], "5s 6s", "9c 9d", step=step, ante=1, max_rounds=2)
        keep_all(game)
        while not game.is_over:
            act(game, "steal 2 from 0, discard Jd 4h" if game.current_player == 1 else "keep")
        assert (game.scores, game.winners) == ((1, 1, 0), (0, 1))
        assert game.chips == (1 - 1, 2 - 1, 0 - 1)


def test_if_nobody_won_a_round_all_players_share_the_pot() -> None:
    game = deal(["Kd Jc 4s", HIGH, LOW], ante=5, max_rounds=1)
    keep_all(game)
    assert (game.winners, game.chips) == ((0, 1, 2), (0, 0, 0))


@pytest.mark.parametrize(
    "options",
    [
        {"jokers": 1},
        {"ace": "low"},
        {"direction": "left"},
        {"cut": None},
        {"ante": -1},
        {"chips": [1]},
        {"chips": [1, "x"]},
        {"max_rounds": 0},
        {"dealer": 2},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="puck: "):
        Puck(2, **options)


# --- more rounds ---


def test_the_first_speaker_stays_after_a_later_tied_round_too() -> None:
    game = deal(["Kd Jc 4s", HIGH, PAIR], "4d", "4s")
    keep_all(game)
    assert (game.scores, game.current_player) == ((0, 0, 1), 2)
    act(game, "steal 1 from 0, discard 9c", "keep", "keep")
    assert [hand(game, player) for player in range(3)] == ["Kd Jc 4d", HIGH, "9d 2h 4s"]
    assert game.rounds[1].winners == (0, 1)
    assert (game.scores, game.current_player, game.observation(0).first) == ((0, 0, 1), 2, 2)


@pytest.mark.parametrize(
    ("hands", "high", "both"),
    [
        (["Ks Kd 4h", "Ac 2d 3h", "Kc Qd 2h"], 0, 1),  # a straight, if the ace may be low
        (["2c 3s 4d", "Ac 2d 3h", "Ks Kd 4h"], 0, 0),  # the lowest one
        (["Jc Qs Kd", "Ac 2d 3h", "Ad Ks Qh"], 2, 2),  # the ace may still be high
        (["Kc Ac 2c", "Ad Kd 2d", "3h 3d 3s"], 2, 2),  # but not in the middle
        (["8c 9c Tc", "As 2s 3s", "5h 5d 5s"], 0, 0),
        (["6c 6d 9s", "As 2s 3s", "5h 5d 5s"], 2, 1),  # a straight flush above three of a kind
    ],
)
def test_the_ace_may_be_low_too_among_three_players(hands: list[str], high: int, both: int) -> None:
    for ace, winner in (("high", high), ("both", both)):
        game = deal(hands, ace=ace)
        keep_all(game)
        assert game.rounds[0].winners == (winner,)
        assert game.current_player == winner


def test_by_default_a_game_in_which_nobody_exchanges_ends_after_100_rounds() -> None:
    game = deal([PAIR, HIGH, LOW], ante=2)
    for number in range(100):
        assert (game.is_over, len(game.rounds)) == (False, number)
        keep_all(game)
    assert game.is_over
    assert (len(game.rounds), game.scores, game.winners) == (100, (100, 0, 0), (0,))
    assert (game.pot, game.chips) == (0, (4, -2, -2))


def test_with_max_rounds_none_a_game_in_which_nobody_exchanges_goes_on() -> None:
    game = deal([PAIR, HIGH], max_rounds=None)
    for _ in range(150):
        keep_all(game)
    assert not game.is_over
    assert game.scores == (150, 0)


def test_the_same_seed_and_actions_give_the_same_game_on_every_platform() -> None:
    game = Puck(3, seed=20, dealer=0)
    assert game.direction_draws == (((0, Card("2c")), (1, Card("7h")), (2, Card("3h"))),)
    act(game, "play counter-clockwise")
    hands = [hand(game, player) for player in range(3)]
    assert hands == ["3s 3d 5c", "3h 6c Jk2", "Td 2h 5s"]
    act(game, "steal 2 from 1, discard 2h 5s")
    assert [hand(game, player) for player in range(3)] == ["3s 3d 5c", "6c Kh 4c", "Td 3h Jk2"]
