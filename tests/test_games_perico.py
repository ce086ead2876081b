"""Perico and six-card Perico, sentence by sentence."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from game_table import act, hand, pile, stacked, state, text

from wildrank import Card
from wildrank.errors import IllegalActionError, RuleError
from wildrank.games.actions import Declare, Discard, DrawStock, Exchange, Keep, Knock, Take
from wildrank.games.base import RoundResult
from wildrank.games.perico import Perico
from wildrank.games.six_card_perico import SixCardPerico

# Hands of two players that end nothing; the deck goes on with the discard pile, then the stock.
LOW = "2c 3d 5h 7s 9c"
HIGH = "Ah Ad Kc Kh Qd"


def two(then: str, *more: str, first: str = LOW, second: str = HIGH, **options: Any) -> Perico:
    """Return a game of players 0 (to act) and 1 (the dealer) with these hands."""
    decks = [stacked([first, second], then, dealer=1), *more]
    return Perico(2, seed=1, dealer=1, decks=decks, **options)


def refused(game: Perico, action: str, rule: str) -> None:
    """Check that an action is refused for this reason, and changes nothing."""
    before = state(game)
    with pytest.raises(IllegalActionError, match=rule):
        act(game, action)
    assert state(game) == before
    assert not game.is_legal(game.parse(action)[0])


# --- the deal ---


@pytest.mark.parametrize(("kind", "most"), [(Perico, 6), (SixCardPerico, 5)])
def test_2_to_6_players_and_with_six_cards_2_to_5(kind: Callable[..., Perico], most: int) -> None:
    for players in range(2, most + 1):
        assert kind(players, seed=1).players == players
    wrong: list[Any] = [1, most + 1, "3", 2.0, True]
    for players in wrong:
        with pytest.raises(RuleError, match=f"expected players to be an int from 2 to {most}, got"):
            kind(players, seed=1)


def test_the_first_dealer_is_found_by_lot() -> None:
    dealers = [Perico(4, seed=seed).dealer for seed in range(200)]
    assert {dealers.count(seat) > 25 for seat in range(4)} == {True}


@pytest.mark.parametrize(("kind", "size", "jokers"), [(Perico, 5, 2), (SixCardPerico, 6, 4)])
def test_each_player_gets_5_or_6_cards_and_the_rest_is_the_stock(
    kind: Callable[..., Perico], size: int, jokers: int
) -> None:
    game = kind(3, seed=1)
    assert [len(game.observation(player).hand) for player in range(3)] == [size] * 3
    assert game.observation(0).stock_size == 52 + jokers - 3 * size - 1


def test_one_card_is_turned_up_to_start_the_discard_pile() -> None:
    assert pile(two("8d 4c")) == "8d"


def test_a_joker_turned_up_goes_back_and_the_stock_is_shuffled_and_another_is_turned() -> None:
    game = two("Jk 4c", "6d")
    assert pile(game) == "6d"
    assert Card("Jk") in game._stock


def test_a_joker_turned_up_twice_goes_back_twice() -> None:
    game = two("Jk 4c", "Jk2 6d", "6s")
    assert pile(game) == "6s"
    assert game.observation(0).stock_size == 43


def test_the_player_to_the_dealers_left_begins() -> None:
    assert [Perico(3, seed=1, dealer=dealer).current_player for dealer in range(3)] == [1, 2, 0]


def test_turns_go_clockwise() -> None:
    game = Perico(3, seed=1, dealer=2)
    seats = []
    for _ in range(6):
        seats.append(game.current_player)
        game.apply(DrawStock())
        game.apply(game.legal_actions()[0])
    assert seats == [0, 1, 2, 0, 1, 2]


# --- rounds and points ---


def test_a_round_is_worth_one_point_to_its_winner_who_deals_the_next() -> None:
    game = two("8d 4c 6s 8h Tc Jd", play="stock")
    act(game, "draw stock, discard 4c", "draw stock, discard 6s", "knock")
    assert game.scores == (0, 1)
    assert game.rounds == (
        RoundResult(1, "knock", (1,), (game.rounds[0].hands[0], game.rounds[0].hands[1]), 3),
    )
    assert text(game.rounds[0].hands[1]) == HIGH
    assert game.dealer == 1
    assert game.current_player == 0


def test_the_winner_of_the_last_round_deals() -> None:
    game = two("8d 4c 6s", first=HIGH, second=LOW, play="stock")
    act(game, "draw stock, discard 4c", "draw stock, discard 6s", "knock")
    assert game.scores == (1, 0)
    assert (game.dealer, game.current_player) == (0, 1)


def test_a_drawn_round_scores_nothing_and_is_played_again_by_the_same_dealer() -> None:
    game = two("8d 4c 6s", first="Ah Kd Qs 9c 7c", second="As Kh Qd 9d 7d", play="stock")
    act(game, "draw stock, discard 4c", "draw stock, discard 6s", "knock")
    assert game.scores == (0, 0)
    assert game.rounds[0].winners == (0, 1)
    assert (game.dealer, game.current_player) == (1, 0)
    assert not game.is_over
    hands = ["Ah Kd Qs Tc 7c", "As Kh Qd Td 7d", LOW]
    order = stacked(hands, "8d 4c 6s 8h", dealer=2)
    game = Perico(3, seed=1, dealer=2, decks=[order], play="stock")
    turns = [f"draw stock, discard {card}" for card in ("4c", "6s", "8h")]
    act(game, *turns, "knock")
    assert (game.rounds[0].winners, game.dealer, game.current_player) == ((0, 1), 2, 0)


@pytest.mark.parametrize(("kind", "points"), [(Perico, 5), (SixCardPerico, 6)])
def test_5_points_win_and_with_six_cards_6(kind: Callable[..., Perico], points: int) -> None:
    game = kind(2, seed=3, play="stock")
    while not game.is_over:
        assert max(game.scores) < points
        assert game.winners == ()
        knock = Knock()
        game.apply(knock if game.is_legal(knock) else game.legal_actions()[0])
    assert max(game.scores) == points
    assert game.winners == (game.scores.index(points),)
    assert game.phase == "over"
    assert game.current_player == -1
    assert list(game.legal_actions()) == []
    with pytest.raises(IllegalActionError, match="no action after the end of the game"):
        game.apply(knock)


def test_points_is_an_option() -> None:
    game = two("8d 4c 6s", play="stock", points=1)
    act(game, "draw stock, discard 4c", "draw stock, discard 6s", "knock")
    assert game.is_over
    assert game.winners == (1,)


# --- a turn with the discard pile ---


def test_draw_the_top_of_the_stock_and_discard_the_drawn_card() -> None:
    game = two("8d 4c")
    act(game, "draw stock")
    assert hand(game, 0) == "2c 3d 5h 7s 9c 4c"
    act(game, "discard 4c")
    assert (hand(game, 0), pile(game), game.current_player) == (LOW, "8d 4c", 1)


def test_draw_the_top_of_the_stock_and_discard_another_card() -> None:
    game = two("8d 4c")
    act(game, "draw stock, discard 9c")
    assert (hand(game, 0), pile(game)) == ("2c 3d 5h 7s 4c", "8d 9c")


def test_only_a_card_in_the_hand_can_be_discarded() -> None:
    game = two("8d 4c")
    act(game, "draw stock")
    refused(game, "discard Ah", "only a card in the hand can be discarded, got 'discard Ah'")


def test_a_discard_comes_after_a_draw_and_a_draw_is_not_repeated() -> None:
    game = two("8d 4c 6s")
    refused(game, "discard 9c", "in the phase 'turn' one of the actions 'draw stock', 'take'")
    act(game, "draw stock")
    refused(game, "draw stock", "in the phase 'discard' one of the actions 'discard' is expected")


@pytest.mark.parametrize("count", range(1, 6))
def test_take_the_top_1_to_5_cards_of_the_pile_and_discard_as_many(count: int) -> None:
    game = two("8d 4c 6s 8h Tc Jd")
    for card in ("4c", "6s", "8h", "Tc"):
        act(game, f"draw stock, discard {card}")
    assert pile(game) == "8d 4c 6s 8h Tc"
    discards = LOW.split()[:count]
    act(game, f"take {count}, discard {' '.join(discards)}")
    kept = LOW.split()[count:]
    assert hand(game, 0).split() == kept + ["8d", "4c", "6s", "8h", "Tc"][-count:]
    assert pile(game).split() == ["8d", "4c", "6s", "8h", "Tc"][:-count] + discards
    assert game.current_player == 1


def test_discards_are_laid_in_any_order_the_last_on_top() -> None:
    game = two("8d 4c 6s")
    act(game, "draw stock, discard 4c", "draw stock, discard 6s")
    assert Take("9c 2c") != Take("2c 9c")
    act(game, "take 2, discard 9c 2c")
    assert pile(game) == "8d 9c 2c"


def test_no_more_cards_can_be_taken_than_the_pile_holds() -> None:
    refused(two("8d 4c"), "take 2, discard 2c 3d", "the discard pile holds only 1 cards to take")


def test_no_more_than_5_cards_can_be_taken() -> None:
    game = SixCardPerico(2, seed=1, dealer=1)
    for _ in range(6):
        game.apply(DrawStock())
        game.apply(next(a for a in game.legal_actions() if not a.card.is_joker))  # type: ignore[attr-defined]
    assert len(game.observation(0).pile) == 7
    six = Take(game.observation(0).hand)
    assert len(six.discards) == 6
    with pytest.raises(IllegalActionError, match="1 to 5 cards of the discard pile can be taken"):
        game.apply(six)
    with pytest.raises(IllegalActionError, match="1 to 5 cards of the discard pile can be taken"):
        game.apply(Take(()))
    assert max(len(a.discards) for a in game.legal_actions() if isinstance(a, Take)) == 5


def test_cards_just_taken_cannot_be_the_ones_discarded() -> None:
    game = two("8d 4c")
    refused(game, "take 1, discard 8d", "only cards in the hand can be discarded, not 8d")


def test_every_card_is_discarded_only_once() -> None:
    game = two("8d 4c 6s")
    act(game, "draw stock, discard 4c", "draw stock, discard 6s")
    refused(game, "take 2, discard 2c 2c", "every card can be discarded only once")


def test_a_pile_draw_has_325_and_with_six_cards_1236_orders() -> None:
    game = two("8d 4c 6s 8h Tc Jd")
    for card in ("4c", "6s", "8h", "Tc"):
        act(game, f"draw stock, discard {card}")
    takes = [a for a in game.legal_actions() if isinstance(a, Take)]
    assert len(takes) == len(set(takes)) == 325
    assert all(game.is_legal(take) for take in takes)


def test_cards_cannot_be_exchanged_with_the_stock() -> None:
    refused(two("8d 4c"), "exchange 2c", "only with play='stock'")


# --- the knock, with the discard pile ---


def five_in_the_pile(**options: Any) -> Perico:
    game = two("8d 4c 6s 8h Tc Jd 2d 2h", **options)
    for card in ("4c", "6s", "8h", "Tc"):
        act(game, f"draw stock, discard {card}")
    return game


def test_a_knock_before_the_pile_holds_5_cards_is_too_early() -> None:
    game = two("8d 4c 6s 8h Tc")
    for card in ("4c", "6s", "8h"):
        refused(game, "knock", "a knock needs at least 5 cards in the discard pile")
        assert Knock() not in list(game.legal_actions())
        act(game, f"draw stock, discard {card}")
    refused(game, "knock", "which holds 4, got 'knock'")


def test_a_knock_is_made_instead_of_drawing() -> None:
    game = five_in_the_pile()
    act(game, "draw stock")
    refused(game, "knock", "in the phase 'discard'")


def test_after_a_knock_every_other_player_has_one_more_turn() -> None:
    game = Perico(3, seed=5, dealer=2)
    while Knock() not in game.legal_actions()[:2]:
        game.apply(DrawStock())
        game.apply(next(a for a in game.legal_actions() if not a.card.is_joker))  # type: ignore[attr-defined]
    knocker = game.current_player
    game.apply(Knock())
    assert game.observation(0).knocker == knocker
    for step in (1, 2):
        assert game.current_player == (knocker + step) % 3
        assert not game.rounds
        game.apply(DrawStock())
        game.apply(next(a for a in game.legal_actions() if not a.card.is_joker))  # type: ignore[attr-defined]
    assert game.rounds[0].ending == "knock"


def test_the_highest_hand_wins_after_the_last_turns_not_the_knocker() -> None:
    game = five_in_the_pile()
    act(game, "knock", "keep")
    assert game.scores == (0, 1)
    assert game.rounds[0].turns == 6


def test_after_a_knock_nobody_knocks_again() -> None:
    game = five_in_the_pile()
    act(game, "knock")
    refused(game, "knock", "only one player can knock in a round")
    assert Knock() not in list(game.legal_actions())


def test_after_a_knock_a_player_may_also_stand_pat() -> None:
    game = five_in_the_pile()
    refused(game, "keep", "a hand can be kept only after another player's knock")
    act(game, "knock")
    assert Keep() in list(game.legal_actions())
    act(game, "keep")
    assert len(game.rounds) == 1


def test_in_the_last_turn_a_player_may_also_take_from_the_pile() -> None:
    game = five_in_the_pile()
    act(game, "knock", "take 1, discard Qd")
    assert text(game.rounds[0].hands[1]) == "Ah Ad Kc Kh Tc"


# --- jokers on the discard pile ---


def test_a_joker_discarded_on_top_shuffles_stock_and_pile_and_a_new_card_is_turned_up() -> None:
    game = two("8d Jk", "Qs 8d")
    act(game, "draw stock, discard Jk")
    assert pile(game) == "Qs"
    assert game.observation(0).stock_size == 43
    assert {Card("Jk"), Card("8d")} <= set(game._stock)
    assert game.current_player == 1


def test_a_joker_turned_up_after_that_goes_back_again() -> None:
    game = two("8d Jk", "Jk2 8d", "Qs")
    act(game, "draw stock, discard Jk")
    assert pile(game) == "Qs"
    assert game.observation(0).stock_size == 43


def test_a_joker_discarded_in_the_middle_does_nothing() -> None:
    game = two("8d 4c Jk 6s")
    act(game, "draw stock, discard 4c", "draw stock, discard Qd", "draw stock, discard 9c")
    act(game, "take 2, discard Jk Kc")
    assert pile(game) == "8d 4c Jk Kc"


def test_a_joker_discarded_last_lies_on_top() -> None:
    game = two("8d 4c Jk 6s", "Ts")
    act(game, "draw stock, discard 4c", "draw stock, discard Qd", "draw stock, discard 9c")
    act(game, "take 2, discard Kc Jk")
    assert pile(game) == "Ts"
    assert hand(game, 1) == "Ah Ad Kh Qd 9c"


def test_with_play_stock_a_joker_on_top_is_nothing_special() -> None:
    game = two("8d Jk 4c", play="stock")
    act(game, "draw stock, discard Jk")
    assert pile(game) == "8d Jk"


# --- a turn with the stock ---


@pytest.mark.parametrize("count", range(1, 6))
def test_discard_any_number_of_cards_and_draw_as_many_from_the_stock(count: int) -> None:
    game = two("8d 4c 6s 8h Tc Jd", play="stock")
    discards = LOW.split()[:count]
    act(game, f"exchange {' '.join(discards)}")
    assert hand(game, 0).split() == LOW.split()[count:] + ["4c", "6s", "8h", "Tc", "Jd"][:count]
    assert set(pile(game).split()) == {"8d", *discards}
    assert game.current_player == 1


def test_the_order_of_an_exchange_makes_no_difference() -> None:
    assert Exchange("9c 2c") == Exchange("2c 9c")
    exchanges = [a for a in two("8d", play="stock").legal_actions() if isinstance(a, Exchange)]
    assert len(exchanges) == len(set(exchanges)) == 31


def test_an_exchange_is_of_cards_in_the_hand_each_once_and_of_one_at_least() -> None:
    game = two("8d 4c 6s", play="stock")
    refused(game, "exchange Ah", "only cards in the hand can be discarded, not Ah")
    refused(game, "exchange 2c 2c", "every card can be discarded only once")
    with pytest.raises(IllegalActionError, match="an exchange needs at least one card"):
        game.apply(Exchange(()))


def test_with_play_stock_nothing_is_taken_from_the_pile() -> None:
    refused(two("8d", play="stock"), "take 1, discard 2c", "only with play='pile'")


def test_with_play_stock_a_knock_needs_every_player_to_have_drawn() -> None:
    game = Perico(3, seed=1, dealer=2, play="stock")
    for _ in range(3):
        assert not game.is_legal(Knock())
        with pytest.raises(IllegalActionError, match="every player to have had a turn of drawing"):
            game.apply(Knock())
        game.apply(game.legal_actions()[-1])
    assert game.is_legal(Knock())


def test_with_play_stock_a_knock_ends_the_round_at_once() -> None:
    game = two("8d 4c 6s", play="stock")
    act(game, "draw stock, discard 4c", "draw stock, discard 6s", "knock")
    assert [result.ending for result in game.rounds] == ["knock"]


# --- hands that end the round ---

ROYAL = "As Ks Qs Js Ts"
FIVE = "7c 7d 7h 7s Jk"


@pytest.mark.parametrize("ending", [ROYAL, FIVE, "As Ks Qs Js Jk"])
def test_a_royal_flush_or_five_of_a_kind_dealt_ends_the_round_at_once(ending: str) -> None:
    game = two("8d", first="2c 3d 5h 8s 9c", second=ending)
    assert game.scores == (0, 1)
    assert (game.rounds[0].ending, game.rounds[0].turns) == ("ending_hand", 0)
    assert len(game.observation(0).hand) == 5
    assert game.history == ()


def test_a_royal_flush_drawn_ends_the_round_at_once() -> None:
    game = two("8d Ts", first="As Ks Qs Js 2c")
    act(game, "draw stock")
    assert not game.rounds
    act(game, "discard 2c")
    assert (game.scores, game.rounds[0].ending) == ((1, 0), "ending_hand")


def test_five_of_a_kind_taken_from_the_pile_ends_the_round_at_once() -> None:
    game = two("7s", first="7c 7d 7h Jk 2c")
    act(game, "take 1, discard 2c")
    assert (game.scores, game.rounds[0].ending) == ((1, 0), "ending_hand")


def test_a_straight_flush_ends_nothing() -> None:
    assert two("8d", first="9s Ks Qs Js Ts").rounds == ()


def test_of_two_ending_hands_at_once_the_best_wins() -> None:
    game = two("8d", first=FIVE, second=ROYAL)
    assert (game.scores, game.rounds[0].winners) == ((0, 1), (1,))


def test_two_equal_ending_hands_make_a_drawn_round() -> None:
    game = two("8d", first="Ah Kh Qh Jh Th", second=ROYAL)
    assert (game.scores, game.rounds[0].winners) == ((0, 0), (0, 1))
    assert game.dealer == 1


def test_an_ending_hand_after_a_knock_ends_the_round() -> None:
    game = two("8d 4c 6s 8h 2d Ts", second="As Ks Qs Js Qd")
    for card in ("4c", "6s", "8h", "2d"):
        act(game, f"draw stock, discard {card}")
    act(game, "knock", "draw stock, discard Qd")
    assert (game.scores, game.rounds[0].ending) == ((0, 1), "ending_hand")


def test_with_play_stock_only_a_royal_flush_ends_the_round() -> None:
    assert two("8d", first=FIVE, play="stock").rounds == ()
    assert two("8d", first=ROYAL, play="stock").scores == (1, 0)


def test_natural_five_of_a_kind_ends_no_round_because_no_deck_can_make_it() -> None:
    game = two("8d", first=FIVE, natural_five_of_a_kind=True)
    assert not game.rounds
    assert game.evaluator.category_of(game.evaluator.evaluate(FIVE)) == "four_of_a_kind"


def six(first: str, **options: Any) -> SixCardPerico:
    decks = [stacked([first, "2c 3d 5h 7s 9c Jd"], "8d", dealer=1)]
    return SixCardPerico(2, seed=1, dealer=1, decks=decks, **options)


def test_with_six_cards_a_royal_flush_and_six_of_a_kind_end_the_round() -> None:
    assert six("As Ks Qs Js Ts 9s").scores == (1, 0)
    assert six("8c 8h 8s Jk Jk2 Jk3").scores == (1, 0)
    assert six("8c 8h 8s Jk Jk2 Ac").rounds == ()
    assert six("8s Ks Qs Js Ts 9s").rounds == ()


def test_with_six_cards_and_play_stock_six_of_a_kind_ends_nothing() -> None:
    assert six("8c 8h 8s Jk Jk2 Jk3", play="stock").rounds == ()
    assert six("As Ks Qs Js Ts 9s", play="stock").scores == (1, 0)


# --- declaring ---


def test_without_auto_declare_an_ending_hand_ends_nothing_until_it_is_declared() -> None:
    game = two("8d", first=ROYAL, auto_declare=False)
    assert not game.rounds
    act(game, "declare")
    assert (game.scores, game.rounds[0].ending) == ((1, 0), "ending_hand")


def test_a_hand_that_ends_no_round_cannot_be_declared() -> None:
    game = two("8d", auto_declare=False)
    refused(game, "declare", "only a hand that ends the round can be declared")
    refused(two("8d"), "declare", "with auto_declare=False")


def test_the_holder_must_declare_at_the_start_of_the_turn_not_when_it_is_made() -> None:
    game = two("8d Ts 4c", first="As Ks Qs Js 2c", auto_declare=False)
    act(game, "draw stock, discard 2c", "draw stock, discard 4c")
    assert not game.rounds
    act(game, "declare")
    assert game.scores == (1, 0)


@pytest.mark.parametrize("action", ["draw stock", "take 1, discard As"])
def test_playing_on_with_an_ending_hand_loses_the_round(action: str) -> None:
    game = two("8d 4c", first=ROYAL, auto_declare=False)
    act(game, action)
    assert (game.scores, game.rounds[0].ending) == ((0, 1), "forfeit")
    assert text(game.rounds[0].hands[0]) == ROYAL


def test_a_knock_and_keeping_the_hand_are_playing_on_too() -> None:
    turns = ["3h", "4h", "6d", "8c"]
    for play, ending in (
        ("stock", ["draw stock, discard 9h", "knock"]),
        ("pile", ["knock", "keep"]),
    ):
        game = two(
            f"8d {' '.join(turns)} Ts 9h", first="As Ks Qs Js 2c", play=play, auto_declare=False
        )
        act(game, *[f"draw stock, discard {card}" for card in turns])
        act(game, "draw stock, discard 2c", *ending)
        assert (game.rounds[0].ending, game.rounds[0].winners) == ("forfeit", (1,))


def test_the_others_go_on_without_a_player_who_lost_the_round() -> None:
    deck = stacked([ROYAL, LOW, "Ah Ad Kc Kh Qd"], "8d 4c 6s", dealer=2)
    game = Perico(3, seed=1, dealer=2, decks=[deck], auto_declare=False, play="stock")
    act(game, "draw stock")
    assert game.observation(1).out == (0,)
    act(game, "draw stock, discard 4c", "draw stock, discard 6s")
    assert game.current_player == 1
    act(game, "knock")
    assert (game.scores, game.rounds[0].winners) == ((0, 0, 1), (2,))


def test_of_two_ending_hands_the_best_wins_whoever_declares() -> None:
    game = two("8d", first=FIVE, second=ROYAL, auto_declare=False)
    act(game, "declare")
    assert game.scores == (0, 1)


def test_an_undeclared_ending_hand_whose_holder_had_no_turn_is_compared_at_the_end() -> None:
    game = two("8d 4c Ts", second="As Ks Qs Js 2d", auto_declare=False, play="stock")
    act(game, "draw stock, discard 4c", "draw stock, discard 2d", "knock")
    assert (game.scores, game.rounds[0].ending) == ((0, 1), "knock")


# --- the stock ---


def test_when_the_stock_runs_out_the_pile_but_for_its_top_becomes_the_new_stock() -> None:
    game = Perico(2, seed=11, dealer=1, play="stock")
    draws = 0
    while game.observation(0).stock_size:
        game.apply(DrawStock())
        game.apply(Discard(game.observation(game.current_player).hand[-1]))
        draws += 1
    assert draws == 43
    seen = game.observation(0)
    assert len(seen.pile) == 44
    game.apply(DrawStock())
    after = game.observation(0)
    assert after.pile == seen.pile[-1:]
    assert after.stock_size == 42
    drawn = game.observation(game.current_player).hand[-1]
    assert {*game._stock, drawn} == set(seen.pile[:-1])


def test_the_stock_may_run_out_in_the_middle_of_an_exchange() -> None:
    game = Perico(2, seed=11, dealer=1, play="stock")
    while game.observation(0).stock_size > 3:
        game.apply(DrawStock())
        game.apply(Discard(game.observation(game.current_player).hand[-1]))
    player = game.current_player
    last_three = set(game._stock)
    game.apply(Exchange(game.observation(player).hand))
    assert last_three < set(game.observation(player).hand)
    assert len(game.observation(player).hand) == 5
    assert len(game.observation(player).pile) == 1


# --- options ---


@pytest.mark.parametrize(
    "options",
    [
        {"play": "both"},
        {"play": None},
        {"auto_declare": 1},
        {"natural_five_of_a_kind": "no"},
        {"points": 0},
        {"dealer": 2},
        {"dealer": -1},
        {"seed": -1},
        {"seed": "x"},
        {"decks": "As"},
        {"decks": ["As As"]},
        {"decks": ["As Jk3"]},
        {"decks": ["what"]},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="perico: "):
        Perico(2, **options)


@pytest.mark.parametrize(("kind", "points"), [(Perico, 5), (SixCardPerico, 6)])
def test_a_game_tells_how_many_points_win(kind: Callable[..., Perico], points: int) -> None:
    assert kind(2, seed=1).points == kind(2, seed=1).observation(0).points == points
    assert kind(2, seed=1, points=2).points == 2


def test_a_given_order_must_be_of_cards_that_are_shuffled() -> None:
    with pytest.raises(RuleError, match=r"decks\[1\]: expected only cards that are being shuffled"):
        two("Jk", "2c")


def test_the_same_seed_and_actions_give_the_same_game_on_every_platform() -> None:
    game = Perico(3, seed=20, dealer=0)
    hands = [hand(game, player) for player in range(3)]
    assert hands == ["3h 7s Th 5c 6d", "2c 9h 8d Kc 6h", "7h As 2d Qd 9s"]


def test_the_same_seed_gives_the_same_deal_of_six_cards_on_every_platform() -> None:
    game = SixCardPerico(3, seed=20, dealer=0)
    assert [hand(game, player) for player in range(3)] == [
        "Ad Jc 4h 9c Qs Ts",
        "4c Ah 3d 6d 5d 8h",
        "2d 8s 5c Qd Tc Jk2",
    ]
    assert pile(game) == "Kc"


# --- more of the discard pile ---


def draw_and_discard_the_same(game: Perico) -> None:
    game.apply(DrawStock())
    game.apply(Discard(game.observation(game.current_player).hand[-1]))


def test_with_play_pile_too_the_pile_but_for_its_top_becomes_the_new_stock() -> None:
    # The players keep the jokers, for one laid on the pile would have it shuffled before.
    game = two("8d 4c 6s", "6s 4c", first="2c 3d 5h 7s Jk", second="Ah Ad Kc Kh Jk2")
    for _ in range(43):
        draw_and_discard_the_same(game)
    seen = game.observation(0)
    assert (seen.stock_size, len(seen.pile), seen.current_player) == (0, 44, 1)
    act(game, "draw stock")
    after = game.observation(1)
    assert (after.pile, after.stock_size, text(after.hand[-1:])) == (seen.pile[-1:], 42, "6s")
    assert {*game._stock, after.hand[-1]} == set(seen.pile[:-1])


@pytest.mark.parametrize("kind", [Perico, SixCardPerico])
@pytest.mark.parametrize("size", range(1, 8))
def test_a_pile_draw_has_every_order_of_1_to_5_cards_that_the_pile_allows(
    kind: Callable[..., Perico], size: int
) -> None:
    hands = ["Jk Jk2 2c 5d 8h Tc", "3s 4s 6s 9c Jd Qh"]
    if kind is Perico:
        hands = [cards[:-3] for cards in hands]
    deck = stacked(hands, "Kd 2s 3h 4h 5h 6h 7h", dealer=1)
    game = kind(2, seed=1, dealer=1, decks=[deck])
    while len(game.observation(0).pile) < size:
        draw_and_discard_the_same(game)
    held = game.observation(game.current_player).hand
    orders = {
        Take(order) for count in range(1, min(size, 5) + 1) for order in permutations(held, count)
    }
    takes = [action for action in game.legal_actions() if isinstance(action, Take)]
    assert len(takes) == len(orders)
    assert set(takes) == orders
    assert all(map(game.is_legal, orders))
    if size < len(held):
        assert not game.is_legal(Take(held[: size + 1]))


def test_a_joker_laid_on_top_with_cards_of_the_pile_shuffles_all_but_the_cards_taken() -> None:
    game = two("8d 4c Jk 6s", "Ts")
    act(game, "draw stock, discard 4c", "draw stock, discard Qd", "draw stock, discard 9c")
    in_stock = game.observation(1).stock_size
    act(game, "take 1, discard Jk")
    assert (hand(game, 1), pile(game), game.current_player) == ("Ah Ad Kc Kh 9c", "Ts", 0)
    # The joker and 8d, 4c and Qd have gone to the stock, and one card is turned up.
    assert game.observation(1).stock_size == in_stock + 3
    assert {*map(Card, ["Jk", "8d", "4c", "Qd"])} <= set(game._stock)
    assert game.observation(0).known == ((), (Card("9c"),))


def test_with_play_stock_a_joker_on_top_after_an_exchange_is_nothing_special() -> None:
    game = two("8d Jk 4c 6s 8h", play="stock")
    act(game, "draw stock, discard 9c", "draw stock, discard 4c")
    stock = list(game._stock)
    act(game, "exchange Jk 2c")
    assert pile(game) == "8d 9c 4c 2c Jk"
    assert hand(game, 0) == "3d 5h 7s 6s 8h"
    assert game._stock == stock[:-2]
    assert game.current_player == 1


# --- five of a kind in six cards ---


@pytest.mark.parametrize(("natural", "winner"), [(False, 0), (True, 1)])
def test_with_six_cards_and_natural_five_of_a_kind_four_and_a_joker_are_a_new_house(
    natural: bool, winner: int
) -> None:
    # As a new house it has a joker, and so it loses to a natural one of whatever rank.
    hands = ["7c 7d 7h 7s Jk 9c", "3c 3d 3h 3s 2c 2d"]
    deck = stacked(hands, "8d 4c 6s", dealer=1)
    options: dict[str, Any] = {"play": "stock", "natural_five_of_a_kind": natural, "points": 1}
    game = SixCardPerico(2, seed=1, dealer=1, decks=[deck], **options)
    act(game, "draw stock, discard 4c", "draw stock, discard 6s", "knock")
    assert (game.rounds[0].winners, game.winners) == ((winner,), (winner,))


def test_with_natural_five_of_a_kind_six_of_a_kind_still_takes_jokers_and_ends_the_round() -> None:
    assert six("8c 8h 8s Jk Jk2 Jk3", natural_five_of_a_kind=True).scores == (1, 0)
    assert six("8c 8h 8s Jk Jk2 Ac", natural_five_of_a_kind=True).rounds == ()


# --- a last turn after a knock, without auto_declare ---


def knocked(drawn: str) -> Perico:
    """Return a game in which player 1, who lacks the ten to a royal flush, has the last turn."""
    game = two(f"8d 4c 6s 8h {drawn}", second="As Ks Qs Js Qd", auto_declare=False)
    act(game, "draw stock, discard 4c", "draw stock, discard 6s", "draw stock, discard 8h")
    act(game, "draw stock, discard Qd", "knock")
    return game


def test_a_hand_that_ends_the_round_is_declared_in_the_last_turn_too() -> None:
    game = knocked("Ts")
    assert list(game.legal_actions())[:3] == [DrawStock(), Keep(), Declare()]
    act(game, "declare")
    assert (game.scores, game.rounds[0].ending, game.rounds[0].turns) == ((0, 1), "ending_hand", 6)


def test_whoever_plays_on_in_the_last_turn_instead_of_declaring_loses_the_round() -> None:
    game = knocked("Ts")
    act(game, "keep")
    assert (game.scores, game.rounds[0].ending) == ((1, 0), "forfeit")


def test_an_ending_hand_made_in_the_last_turn_is_compared_for_it_has_no_turn_to_be_declared() -> (
    None
):
    game = knocked("2d Ts")
    assert Declare() not in list(game.legal_actions())
    act(game, "draw stock, discard 2d")
    assert (game.scores, game.rounds[0].ending) == ((0, 1), "knock")


# --- a second round ---


def test_with_play_stock_every_player_must_draw_in_every_round_before_a_knock() -> None:
    second = stacked([LOW, HIGH], "8d 4c 6s", dealer=1)
    game = two("8d 4c 6s", second, play="stock")
    act(game, "draw stock, discard 4c", "draw stock, discard 6s", "knock")
    assert (len(game.rounds), game.current_player) == (1, 0)
    for card in ("4c", "6s"):
        refused(game, "knock", "a knock needs every player to have had a turn of drawing")
        act(game, f"draw stock, discard {card}")
    act(game, "knock")
    assert game.scores == (0, 2)
