"""Paiute, sentence by sentence."""

from itertools import permutations
from typing import Any

import pytest
from game_table import act, hand, pile, stacked, state

from wildrank import Card
from wildrank.errors import IllegalActionError, RuleError
from wildrank.games.actions import Call, Discard, DrawPile, DrawStock, read_cards
from wildrank.games.paiute import Paiute, shown_evaluator
from wildrank.games.players import GreedyPlayer

# The wild card is a deuce and the discard pile begins with the three of spades.
WILD = "2s 3s"
JUNK = ["4c 6d 8h Ts Qc", "4d 6h 8s Tc Qd", "4h 6s 8c Td Qh", "5s 7c 9d Jh Ks"]
PAIRS = "Kc Kd 9c 9h 5c"  # a third pair comes with 5, 9, K or a deuce


def deal(hands: list[str], then: str = "", *orders: str, dealer: int = 0, **options: Any) -> Paiute:
    """Return a game with these hands, by seat; deuces are wild."""
    decks = [stacked(hands, f"{WILD} {then}", dealer=dealer), *orders]
    options = {"seed": 1, "deals": 1, **options}
    return Paiute(len(hands), dealer=dealer, decks=decks, **options)


def calls(game: Paiute) -> list[Call]:
    return [action for action in game.legal_actions() if isinstance(action, Call)]


def refused(game: Paiute, action: str, rule: str) -> None:
    before = state(game)
    with pytest.raises(IllegalActionError, match=rule):
        act(game, action)
    assert state(game) == before


# --- the deal ---


def test_2_to_5_players_and_52_cards() -> None:
    for players in range(2, 6):
        game = Paiute(players, seed=1)
        assert game.observation(0).stock_size == 52 - 5 * players - 2
    for players in (1, 6):
        with pytest.raises(RuleError, match="expected players to be an int from 2 to 5"):
            Paiute(players)


def test_equal_antes_go_into_a_pot_before_each_deal() -> None:
    game = Paiute(3, seed=1, ante=4, deals=2, max_turns=1)
    assert (game.pot, game.scores) == (12, (-4, -4, -4))
    act(game, "draw stock")
    game.apply(game.legal_actions()[0])
    assert (game.pot, game.scores) == (24, (-8, -8, -8))


def test_five_cards_each() -> None:
    game = deal(JUNK[:3])
    assert [hand(game, player) for player in range(3)] == JUNK[:3]


def test_the_next_card_is_turned_up_and_its_rank_is_wild_for_the_whole_deal() -> None:
    game = deal(JUNK[:2])
    seen = game.observation(1)
    assert (seen.wild_card, seen.wild_rank) == (Card("2s"), 0)
    assert game.value(game.observation(1).hand) == 0
    four_aces_and_a_deuce = read_cards("Ac Ad Ah As 2c")
    assert game.value(four_aces_and_a_deuce) == game.evaluator.num_values


def test_the_turned_up_card_itself_stays_out_of_play() -> None:
    game = deal(JUNK[:2], max_turns=300)
    while not game.is_over:
        held = [game.observation(player).hand for player in range(2)]
        assert all(Card("2s") not in cards for cards in (*held, game._stock, game._pile))
        game.apply(game.legal_actions()[0])
        if game.rounds:
            break


def test_the_next_card_starts_the_discard_pile() -> None:
    assert pile(deal(JUNK[:2])) == "3s"


def test_play_starts_at_the_dealers_left_and_goes_clockwise() -> None:
    game = deal(JUNK[:3], dealer=1)
    seats = []
    for _ in range(4):
        seats.append(game.current_player)
        act(game, "draw stock")
        game.apply(game.legal_actions()[0])
    assert seats == [2, 0, 1, 2]


def test_the_player_to_the_dealers_left_deals_next() -> None:
    game = Paiute(3, seed=1, dealer=2, deals=3, max_turns=1)
    for dealer in (2, 0, 1):
        assert game.dealer == dealer
        act(game, "draw stock")
        game.apply(game.legal_actions()[0])
    assert [result.dealer for result in game.rounds] == [2, 0, 1]
    assert game.is_over


# --- a turn ---


def test_take_the_top_of_the_stock_or_of_the_pile_then_discard_one_card() -> None:
    game = deal(JUNK[:2], "5h")
    assert list(game.legal_actions()) == [DrawStock(), DrawPile()]
    act(game, "draw stock")
    assert hand(game, 1) == f"{JUNK[1]} 5h"
    act(game, "discard 4d")
    assert (pile(game), game.current_player) == ("3s 4d", 0)
    act(game, "draw pile")
    assert (hand(game, 0), pile(game)) == (f"{JUNK[0]} 4d", "3s")


def test_a_card_just_taken_from_the_pile_may_not_be_the_one_discarded() -> None:
    game = deal(JUNK[:2])
    act(game, "draw pile")
    refused(game, "discard 3s", "a card just taken from the discard pile may not be the one")
    assert Discard("3s") not in list(game.legal_actions())
    assert len(game.legal_actions()) == 5


def test_a_card_taken_from_the_stock_may_be_discarded() -> None:
    game = deal(JUNK[:2], "5h")
    act(game, "draw stock, discard 5h")
    assert (hand(game, 1), pile(game)) == (JUNK[1], "3s 5h")


def test_a_card_taken_from_the_pile_may_be_discarded_in_a_later_turn() -> None:
    game = deal(JUNK[:2], "5h")
    act(game, "draw pile, discard 4d", "draw stock, discard 5h", "draw stock, discard 3s")
    assert pile(game).split()[-1] == "3s"


def test_only_a_card_in_the_hand_can_be_discarded() -> None:
    game = deal(JUNK[:2], "5h")
    act(game, "draw stock")
    refused(game, "discard As", "only a card in the hand can be discarded")


def test_when_the_stock_runs_out_the_pile_but_for_its_top_is_shuffled_into_a_new_one() -> None:
    game = deal(JUNK[:2])
    while game.observation(0).stock_size:
        act(game, "draw stock")
        game.apply(Discard(game.observation(game.current_player).hand[5]))
    seen = game.observation(0)
    act(game, "draw stock")
    after = game.observation(game.current_player)
    assert after.pile == seen.pile[-1:]
    assert {*game._stock, after.hand[-1]} == set(seen.pile[:-1])


# --- calling ---


def test_a_call_needs_a_combination() -> None:
    game = deal(JUNK[:2], "5h")
    act(game, "draw stock")
    refused(game, "call", "a call needs a combination")
    refused(game, "call, discard 5h", "a call needs a combination")
    assert Call() not in list(game.legal_actions())


def test_a_call_comes_after_a_draw() -> None:
    game = deal([JUNK[0], "2c 2d 2h Ah Ad"])
    refused(game, "call", "in the phase 'turn' one of the actions 'draw stock', 'draw pile'")


def test_a_combination_of_six_cards_is_called_without_a_discard() -> None:
    game = deal([JUNK[0], PAIRS], "5d")
    act(game, "draw stock")
    assert Call() in list(game.legal_actions())
    refused(game, "call, discard 5d", "the five cards left after a discard need to be a combin")
    act(game, "call")
    assert hand(game, 1) == "Kc Kd 9c 9h 5c 5d"
    assert game.observation(0).shown[1] == game.observation(1).hand
    assert pile(game) == "3s"


def test_a_five_card_call_discards_the_sixth() -> None:
    game = deal([JUNK[0], "9c Tc Jc 2d Qs"], "Kc")
    act(game, "draw stock")
    refused(game, "call", "a combination of five cards needs the sixth to be discarded")
    assert calls(game) == [Call("Qs")]
    act(game, "call, discard Qs")
    assert (hand(game, 1), pile(game)) == ("9c Tc Jc 2d Kc", "3s Qs")


def test_a_call_may_not_discard_the_card_just_taken_from_the_pile() -> None:
    game = deal([JUNK[0], "Kc Kd Kh 2d 2c"])
    act(game, "draw pile")
    refused(game, "call, discard 3s", "a card just taken from the discard pile may not be the one")
    assert calls(game) == [Call()]


def test_any_combination_may_be_called_also_six_cards_of_which_five_make_a_better_one() -> None:
    game = deal([JUNK[0], "Kc Kd Kh 2d Qs"], "2c")
    act(game, "draw stock")
    assert calls(game) == [Call("Qs"), Call()]
    act(game, "call")
    assert (hand(game, 1), pile(game)) == ("Kc Kd Kh 2d Qs 2c", "3s")
    beaten = game.observation(0).to_beat
    assert game.evaluator.category_of(beaten) == "four_two"
    assert beaten < game.value(game.observation(1).hand)  # five kings, had the queen been discarded


def test_a_call_of_six_cards_is_left_when_the_only_sixth_card_was_just_taken() -> None:
    game = deal(["Kc Kd Kh 2d 2c", "Qs 6d 8h Ts 5c"], "7s")
    act(game, "draw stock, discard Qs", "draw pile")
    assert calls(game) == [Call()]
    greedy = GreedyPlayer().choose(game.observation(0), game.legal_actions())
    act(game, "call")
    assert greedy == Call()
    assert game.rounds[0].winners == (0,)


def test_six_cards_that_were_called_count_as_a_combination_of_six() -> None:
    game = deal(["Ac Ad Ah As 4d", "Kc Kd Kh 2d 9s"], "2c 4s")
    act(game, "draw stock, call", "draw stock, call")
    assert game.rounds[0].winners == (0,)  # four aces beat four kings; five kings would beat both


def test_a_greedy_player_takes_a_card_that_wins_though_it_holds_a_combination() -> None:
    hands = ["2d 2h 2c 8c 9c", "9s Ts Js Qs Ks"]
    game = deal(hands, "8d 4d")
    act(game, "draw stock, call, discard 8d")
    assert GreedyPlayer().choose(game.observation(0), game.legal_actions()) == DrawPile()


def test_a_greedy_player_calls_the_best_combination() -> None:
    game = deal([JUNK[0], "Kc Kd Kh 2d Qs"], "2c")
    act(game, "draw stock")
    assert GreedyPlayer().choose(game.observation(1), game.legal_actions()) == Call("Qs")


@pytest.mark.parametrize("ace", ["high", "both"])
def test_combinations_of_six_cards_are_the_weakest_and_have_the_same_values_alone(ace: str) -> None:
    everything, six = Paiute(2, seed=1, ace=ace).evaluator, shown_evaluator(6, ace)
    assert everything.num_values == six.num_values + shown_evaluator(5, ace).num_values
    values = set()
    for size, repeats in ((2, (4, 2)), (2, (3, 3)), (3, (2, 2, 2))):
        for ranks in permutations(range(13), size):
            cards = [
                4 * r + suit
                for r, count in zip(ranks, repeats, strict=True)
                for suit in range(count)
            ]
            wild = min(set(range(13)) - set(ranks))
            assert six.evaluate(cards, wild) == everything.evaluate(cards, wild)
            values.add(six.evaluate(cards, wild))
    assert values == set(range(1, six.num_values + 1))


def test_a_player_may_hold_a_combination_without_calling() -> None:
    game = deal([JUNK[0], PAIRS], "5d")
    act(game, "draw stock, discard 5d")
    assert not game.is_over
    assert game.current_player == 0


def test_if_the_caller_is_the_dealer_the_deal_ends_at_once() -> None:
    game = deal([PAIRS, JUNK[1]], "5h 5d")
    act(game, "draw stock, discard 5h", "draw stock, call")
    assert game.is_over
    assert (game.rounds[0].winners, game.rounds[0].ending, game.scores) == ((0,), "call", (1, -1))


def test_otherwise_the_players_after_the_caller_up_to_the_dealer_have_one_more_turn() -> None:
    game = deal([JUNK[0], JUNK[1], PAIRS, JUNK[3]], "5h 5d Th Jd")
    act(game, "draw stock, discard 5h", "draw stock, call")
    assert game.observation(0).caller == 2
    assert game.current_player == 3
    act(game, "draw stock, discard Th")
    assert game.current_player == 0
    act(game, "draw stock, discard Jd")
    assert game.is_over  # player 1, before the caller, has no more turn
    assert game.rounds[0].winners == (2,)


def test_with_last_turns_all_every_other_player_has_one() -> None:
    game = deal([JUNK[0], JUNK[1], PAIRS, JUNK[3]], "5h 5d Th Jd 7h", last_turns="all")
    act(game, "draw stock, discard 5h", "draw stock, call")
    for seat, card in ((3, "Th"), (0, "Jd"), (1, "7h")):
        assert not game.is_over
        assert game.current_player == seat
        act(game, f"draw stock, discard {card}")
    assert game.is_over


def test_with_last_turns_all_a_call_of_the_dealer_ends_the_deal_at_once_too() -> None:
    game = deal([PAIRS, JUNK[1]], "5h 5d", last_turns="all")
    act(game, "draw stock, discard 5h", "draw stock, call")
    assert game.is_over


def test_a_greedy_player_counts_the_last_turns_that_follow_its_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wildrank.games.strategies.CALL_AT", 0.9)
    for last_turns, dares in (("dealer", True), ("all", False)):
        game = deal([JUNK[0], JUNK[1], PAIRS], "5h 5d", last_turns=last_turns)
        act(game, "draw stock, discard 5h", "draw stock")
        chosen = GreedyPlayer().choose(game.observation(2), game.legal_actions())
        assert (chosen == Call()) is dares


def test_the_options_of_the_game_are_known_to_the_players() -> None:
    seen = Paiute(2, seed=1, deals=3, ante=2, last_turns="all", max_turns=7).observation(0)
    assert (seen.deals, seen.ante, seen.last_turns_of, seen.max_turns) == (3, 2, "all", 7)


def test_in_the_last_turn_a_higher_combination_takes_the_pot() -> None:
    game = deal(["Ac Ad Tc Th 7d", PAIRS], "5d 7h")
    act(game, "draw stock, call", "draw stock, call")
    assert game.rounds[0].winners == (0,)
    assert game.scores == (1, -1)


def test_a_call_in_the_last_turns_gives_no_more_turns() -> None:
    game = deal([PAIRS, "Ac Ad Tc Th 7d", JUNK[2]], "5d 7h 7s", dealer=2)
    act(game, "draw stock, call")
    assert game.is_over is False
    act(game, "draw stock, call")
    assert game.current_player == 2
    act(game, "draw stock, discard 7s")
    assert game.is_over


def test_the_next_player_may_take_the_sixth_card_of_a_call() -> None:
    game = deal([JUNK[0], "Kc Kd Kh 2d Qs"], "2c")
    act(game, "draw stock, call, discard Qs", "draw pile")
    assert hand(game, 0) == f"{JUNK[0]} Qs"


def test_the_pile_may_be_empty_after_a_call() -> None:
    game = deal([JUNK[0], "Kc Kd 9c 9h 3c"])
    act(game, "draw pile, call")
    assert list(game.legal_actions()) == [DrawStock()]
    refused(game, "draw pile", "only if there is one")


def test_the_highest_combination_takes_the_pot_also_one_that_was_not_called() -> None:
    game = deal([JUNK[0], "Kh Ks 2c 2d 2h", PAIRS], "5d Th")
    act(game, "draw stock, discard 5d")
    assert not game.is_over
    act(game, "draw pile", "call", "draw stock, discard Th")
    assert game.rounds[0].winners == (1,)
    assert game.scores == (-1, 2, -1)


def test_equal_combinations_split_the_pot_and_odd_chips_go_from_the_dealers_left() -> None:
    same = ["Kc Kd 9c 9h 5c", "Kh Ks 9d 9s 5h"]
    game = deal([same[0], JUNK[1], same[1]], "Jd 5d 5s", ante=3)
    act(game, "draw stock, discard Jd", "draw stock, call", "draw stock, call")
    assert game.rounds[0].winners == (0, 2)
    # A pot of 9: the odd chip goes to player 2, who sits nearer to the dealer's left.
    assert game.scores == (4 - 3, -3, 5 - 3)


def test_a_five_card_combination_beats_one_of_six_and_its_sixth_card_does_not_count() -> None:
    game = deal(["Ac Ad Ah As 4c", "6c 7c 8c 9c Qs"], "Tc 4s")
    act(game, "draw stock, call, discard Qs", "draw stock, call")
    assert game.rounds[0].winners == (1,)


def test_hands_of_five_and_of_six_cards_compare_the_same_five_card_combinations() -> None:
    game = deal(JUNK[:2])
    for five, sixth in (
        ("Kc Kd Kh Ks 2c", "7d"),
        ("Tc Jc Qc Kc Ac", "7d"),
        ("3h 4h 5h 6h 7h", "Qd"),
    ):
        values = [
            game.value(game.parse(f"exchange {cards}")[0].discards)  # type: ignore[attr-defined]
            for cards in (five, f"{five} {sixth}")
        ]
        assert values[0] == values[1] > 0


def test_ace_high_only_in_straights_or_both_as_an_option() -> None:
    for ace, worth in (("high", False), ("both", True)):
        game = deal(JUNK[:2], ace=ace)
        low = read_cards("Ah 3h 4h 5h 2c")
        high = read_cards("Ah Kh Qh Jh 2c")
        wheel = read_cards("Ah 3h 4h 5h 7h")
        assert game.value(high)
        assert game.value(wheel) == 0
        assert bool(game.value(low)) is worth


# --- drawn deals ---


def test_a_deal_in_which_nobody_calls_within_max_turns_is_drawn_and_the_pot_carries_over() -> None:
    game = Paiute(2, seed=1, ante=2, deals=2, max_turns=3)
    for _ in range(3):
        assert not game.rounds
        act(game, "draw stock")
        game.apply(game.legal_actions()[0])
    assert (game.rounds[0].ending, game.rounds[0].winners) == ("max_turns", ())
    assert (game.pot, game.scores) == (8, (-4, -4))


def test_by_default_there_are_no_max_turns() -> None:
    assert Paiute(2, seed=1).options["max_turns"] is None


def test_a_call_in_the_last_of_max_turns_counts() -> None:
    game = deal([JUNK[0], PAIRS], "5d 7h", max_turns=1)
    act(game, "draw stock, call")
    assert not game.is_over
    act(game, "draw stock, discard 7h")
    assert game.rounds[0].ending == "call"


def test_the_hands_of_a_deal_that_nobody_called_are_not_shown() -> None:
    game = Paiute(2, seed=1, deals=2, max_turns=1)
    act(game, "draw stock")
    game.apply(game.legal_actions()[0])
    assert game.rounds[0].hands == ((), ())
    assert game.observation(0).last_round == game.rounds[0]


def test_a_pot_that_nobody_won_in_the_last_deal_goes_back() -> None:
    game = Paiute(3, seed=1, ante=2, deals=1, max_turns=1)
    act(game, "draw stock")
    game.apply(game.legal_actions()[0])
    assert game.is_over
    assert (game.pot, game.scores, game.winners) == (0, (0, 0, 0), (0, 1, 2))


@pytest.mark.parametrize(
    "options",
    [
        {"deals": 0},
        {"ante": -1},
        {"last_turns": "none"},
        {"max_turns": 0},
        {"ace": "low"},
        {"dealer": 2},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="paiute: "):
        Paiute(2, **options)


# --- more of the pot ---


@pytest.mark.parametrize(
    ("dealer", "ante", "paid"),
    [
        # Seats 0, 2 and 4 share; the odd chips go to the first two of them from the dealer's left.
        (1, 1, [1, 0, 2, 0, 2]),
        (3, 1, [2, 0, 1, 0, 2]),
        (0, 1, [1, 0, 2, 0, 2]),
        (2, 4, [7, 0, 6, 0, 7]),
        (4, 2, [4, 0, 3, 0, 3]),
    ],
)
def test_odd_chips_of_a_split_pot_go_one_each_from_the_dealers_left(
    dealer: int, ante: int, paid: list[int]
) -> None:
    junk = ["Ts Qc 9d Jh Ks", "5s 7s 9c Td Qh"]
    hands = ["4c 5c 6c 7c 8c", junk[0], "4d 5d 6d 7d 8d", junk[1], "4h 5h 6h 7h 8h"]
    game = deal(hands, "Ac Ad Ah Kc Kd Jc Jd Qd", dealer=dealer, ante=ante, last_turns="all")
    while not game.is_over:
        act(game, "draw stock")
        drawn = game.observation(game.current_player).hand[5]
        call = Call(drawn)
        game.apply(call if game.is_legal(call) else Discard(drawn))
    assert game.rounds[0].winners == (0, 2, 4)
    assert game.scores == tuple(share - ante for share in paid)


def test_a_pot_that_was_carried_over_is_won_with_that_of_the_next_deal() -> None:
    second = stacked([PAIRS, JUNK[1]], f"{WILD} 5d 7h", dealer=1)
    game = deal(JUNK[:2], "5h 7s", second, ante=3, deals=2, max_turns=2)
    act(game, "draw stock, discard 5h", "draw stock, discard 7s")
    assert (game.rounds[0].winners, game.pot, game.scores) == ((), 12, (-6, -6))
    assert (game.dealer, game.current_player) == (1, 0)
    act(game, "draw stock, call", "draw stock, discard 7h")
    assert game.rounds[1].winners == (0,)
    assert (game.pot, game.scores, game.winners) == (0, (6, -6), (0,))


def test_a_pot_may_be_carried_over_more_than_once() -> None:
    last = stacked([JUNK[0], JUNK[1], PAIRS], f"{WILD} 5d Th 7s 7h", dealer=1)
    game = Paiute(3, seed=1, dealer=1, deals=4, ante=1, max_turns=1, decks=["", "", "", last])
    for pot in (3, 6, 9):
        assert game.pot == pot
        act(game, "draw stock")
        game.apply(game.legal_actions()[0])
    assert (game.dealer, game.current_player, game.pot) == (1, 2, 12)
    act(game, "draw stock, call", "draw stock, discard Th", "draw stock, discard 7s")
    assert game.scores == (-4, -4, 8)


@pytest.mark.parametrize("players", [4, 5])
def test_max_turns_counts_the_turns_of_all_players(players: int) -> None:
    game = Paiute(players, seed=1, dealer=0, deals=2, max_turns=players + 2)
    seats = []
    while not game.rounds:
        seats.append(game.current_player)
        act(game, "draw stock")
        game.apply(game.legal_actions()[0])
    assert seats == [*range(1, players), 0, 1, 2]
    assert (game.rounds[0].ending, game.rounds[0].turns) == ("max_turns", players + 2)
    assert (game.dealer, game.current_player, game.turns) == (1, 2, players + 2)


def test_a_call_in_the_last_of_max_turns_gives_the_others_their_turns() -> None:
    game = deal([JUNK[0], JUNK[1], PAIRS, JUNK[3]], "5h 5d Th Jd", max_turns=2)
    act(game, "draw stock, discard 5h", "draw stock, call", "draw stock, discard Th")
    assert not game.is_over
    act(game, "draw stock, discard Jd")
    assert (game.rounds[0].ending, game.rounds[0].turns) == ("call", 4)


# --- what everyone has seen ---


def test_a_called_hand_is_shown_and_known_to_everyone_until_the_next_deal() -> None:
    game = deal([JUNK[0], PAIRS, "Kh Ks Ad Ah Qs"], "5d 2c 7h", deals=2)
    six = read_cards(f"{PAIRS} 5d")
    assert [game.observation(player).shown for player in range(3)] == [(None, None, None)] * 3
    act(game, "draw stock, call")
    for player in range(3):
        seen = game.observation(player)
        assert (seen.shown, seen.known) == ((None, six, None), ((), six, ()))
        assert (seen.caller, seen.last_turns, seen.to_beat) == (1, 1, game.value(six))
    act(game, "draw stock, discard Qs")  # a combination that is not called is not shown
    assert game.observation(0).shown == (None, six, None)
    assert game.observation(0).known == ((), six, ())
    act(game, "draw pile, discard 4c")
    assert len(game.rounds) == 1
    for player in range(3):
        seen = game.observation(player)
        assert (seen.shown, seen.known) == ((None, None, None), ((), (), ()))
        assert (seen.caller, seen.last_turns, seen.to_beat) == (None, 0, 0)


def test_the_sixth_card_of_a_call_lies_on_the_pile_and_is_known_when_it_is_taken() -> None:
    game = deal([JUNK[0], JUNK[1], "Kc Kd Kh 2d Qs", JUNK[3]], "5h 2c 7h 7s")
    act(game, "draw stock, discard 5h", "draw stock, call, discard Qs")
    five = read_cards("Kc Kd Kh 2d 2c")
    for player in range(4):
        seen = game.observation(player)
        assert (seen.shown, seen.known) == ((None, None, five, None), ((), (), five, ()))
    act(game, "draw pile")
    seen = game.observation(1)
    assert (seen.known[3], seen.taken) == ((Card("Qs"),), Card("Qs"))


def test_every_call_is_shown_and_the_best_of_them_is_to_be_beaten() -> None:
    game = deal([JUNK[0], PAIRS, "Ac Ad Tc Th 7d", "3c 3d 4d 4h 6c"], "5d 7h 6h")
    act(game, "draw stock, call")
    kings = game.observation(0).to_beat
    act(game, "draw stock, call")
    aces = game.observation(0).to_beat
    act(game, "draw stock, call")
    seen = game.observation(0)
    assert 0 < kings < aces == seen.to_beat
    assert seen.shown[0] is None
    assert [len(cards or ()) for cards in seen.shown] == [0, 6, 6, 6]
    assert seen.known == ((), *seen.shown[1:])


# --- chance ---


def test_the_same_seed_gives_the_same_deal_on_every_platform() -> None:
    game = Paiute(3, seed=20, dealer=0)
    hands = [hand(game, player) for player in range(3)]
    assert hands == ["5c 4d Ah 5s 4s", "3c As 6s Kh 4c", "7s Jd 7c Ac 2h"]
    assert (str(game.wild_card), pile(game)) == ("Tc", "9h")


def test_every_deal_turns_up_its_own_wild_rank() -> None:
    second = stacked(["Kc Kd Kh 9d 4s", JUNK[1]], "9s 3s 9c 7h", dealer=1)
    game = deal(JUNK[:2], "5h", second, deals=2, max_turns=1)
    act(game, "draw stock, discard 5h")
    assert (str(game.wild_card), game.observation(0).wild_rank) == ("9s", 7)
    assert game.value(read_cards("Kc Kd Kh 2d 2c")) == 0
    act(game, "draw stock, call, discard 4s", "draw stock, discard 7h")
    assert game.rounds[1].winners == (0,)
