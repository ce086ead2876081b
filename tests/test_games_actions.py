"""Actions: their texts, their reprs, and what all games share."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from game_table import act, stacked, state
from hypothesis import given
from hypothesis import strategies as st

from wildrank import Card
from wildrank.errors import ActionError, CardError, IllegalActionError, RuleError, WildrankError
from wildrank.games import actions as module
from wildrank.games import game_types
from wildrank.games.actions import (
    Action,
    Call,
    ChooseDirection,
    Cut,
    Declare,
    Discard,
    DrawPile,
    DrawStock,
    Exchange,
    Keep,
    Knock,
    Steal,
    Take,
    parse_action,
    parse_actions,
    read_cards,
)
from wildrank.games.base import Actions, Game, Move, Moves
from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.puck import Puck
from wildrank.games.records import dumps, loads

HUGE: Any = pytest.param(10**5000, id="huge")  # Python writes no int of so many digits

ALL = [
    (DrawStock(), "draw stock"),
    (DrawPile(), "draw pile"),
    (Knock(), "knock"),
    (Keep(), "keep"),
    (Declare(), "declare"),
    (Discard("7d"), "discard 7d"),
    (Discard(53), "discard Jk2"),
    (Take("4c 9h"), "take 2, discard 4c 9h"),
    (Take("9h 4c Jk3 Jk"), "take 4, discard 9h 4c Jk3 Jk"),
    (Exchange("9h Jk2 4c"), "exchange 4c 9h Jk2"),
    (Steal([(2, 3), (1, 2)], "9h 4c 2d"), "steal 1 from 2, 2 from 3, discard 2d 4c 9h"),
    (Call(), "call"),
    (Call("Th"), "call, discard Th"),
    (ChooseDirection("clockwise"), "play clockwise"),
    (ChooseDirection("counter-clockwise"), "play counter-clockwise"),
    (Cut(20), "cut 20"),
]


@pytest.mark.parametrize(("action", "text"), ALL)
def test_text_and_repr_lead_back_to_the_action(action: Action, text: str) -> None:
    assert str(action) == text
    assert parse_action(text) == parse_action(text.upper()) == parse_action(f"  {text} ") == action
    assert eval(repr(action), {**vars(module), "Card": Card}) == action
    assert pickle.loads(pickle.dumps(action)) == action
    assert len({action, parse_action(text)}) == 1


def test_a_text_may_hold_several_actions() -> None:
    turn = (DrawStock(), Discard("7d"))
    assert parse_actions("draw stock, discard 7d") == turn
    assert parse_actions("Draw  stock; discard 7♦;") == turn
    assert parse_actions("draw stock, call, discard 10h, draw pile") == (
        DrawStock(),
        Call("Th"),
        DrawPile(),
    )


def test_cards_in_a_text_may_be_written_in_all_forms() -> None:
    assert parse_action("take 3 discard 10h,t♦, JOKER") == Take([34, 33, 52])
    assert parse_action("exchange 7d8d") == Exchange("7d 8d")
    assert read_cards("Jk Jk 🃏4 *") == (Card(52), Card(53), Card(55), Card(54))
    assert parse_action("discard 🃏\ufe0f2") == Discard(53)
    assert parse_action("exchange 7dJk2JkAs") == Exchange("7d Jk2 Jk As")
    assert parse_action("exchange Jk2c*10hJk") == Exchange([52, 0, 53, 34, 54])
    assert parse_action("draw\u00a0stock") == DrawStock()
    assert read_cards("7d\u00a08d") == read_cards("7d 8d")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fold",
        "discard",
        "discard 7x",
        "discard 7d 8d",
        "draw stock discard 7d",
        "take 2, discard 7d",
        "take two, discard 7d 8d",
        "steal 1, discard 7d",
        "call 7d",
        "play left",
        "cut -1",
        "knock knock",
        "call, discard 7d 8d",
        "draw \u017ftock",
        "\u212aeep",
        "discard 7\u017f",
        "discard Jk5",
        "exchange 7d Jk2 Jk9",
        "cut ٣",
        "cut 1000000000",
        "cut " + "1" * 5000,
        "take " + "1" * 5000 + ", discard 2c",
        "steal " + "1" * 5000 + " from 1, discard 2c",
        "\ud800",
        None,
        5,
        b"knock",
    ],
)
def test_a_text_that_is_no_action_is_refused(text: Any) -> None:
    for parse in (parse_actions, parse_action, Perico(2, seed=1).parse):
        with pytest.raises(ActionError, match="expected"):
            parse(text)


@given(
    st.lists(
        st.sampled_from(
            ["draw ", "take ", "discard ", "exchange ", "steal 1 from 2", "call", "cut"]
        )
        | st.sampled_from(
            ["7d", "10h", "Jk", "joker", "*", "🃏", "\ufe0f", "7", "\u017f", "1", ",", " "]
        )
        | st.text(max_size=2)
    ).map("".join)
)
def test_a_text_is_actions_or_an_action_error(text: str) -> None:
    try:
        actions = parse_actions(text)
    except ActionError:
        return
    assert actions


def test_one_action_is_expected() -> None:
    with pytest.raises(ActionError, match="expected one action, got 2 in 'knock, knock'"):
        parse_action("knock, knock")


def test_the_error_of_an_unknown_action_tells_its_position() -> None:
    with pytest.raises(ActionError) as caught:
        parse_actions("draw stock, fold")
    assert caught.value.position == 12
    with pytest.raises(ActionError, match="got 'fold' at position 4 of '    fold'"):
        parse_actions("    fold")
    assert isinstance(caught.value, WildrankError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("make", [lambda: Discard("9z"), lambda: Take([60]), lambda: Call(99)])
def test_an_action_of_no_card_is_refused(make: Any) -> None:
    with pytest.raises(CardError):
        make()


NO_INT = [1.0, "1", "a", None, True, False, np.True_, 1j, [1], 10**9, -(10**9), HUGE]


@pytest.mark.parametrize("value", NO_INT)
def test_a_number_in_an_action_is_an_int(value: Any) -> None:
    for make in (
        lambda: Cut(value),
        lambda: Steal([(value, 1)], "2c"),
        lambda: Steal([(1, value)], "2c"),
        lambda: Steal([(1, value), (1, 2)], "2c 3c"),
    ):
        with pytest.raises(ActionError, match="of an action to be an int of at most 9 digits, got"):
            make()


@pytest.mark.parametrize("takes", [[1], 1, None, "12", [(1, 2, 3)], [(1,)], [()], {1: 2}])
def test_the_takes_of_a_theft_are_pairs(takes: Any) -> None:
    with pytest.raises(ActionError, match=r"expected the takes of a theft to be pairs"):
        Steal(takes, "2c")


@pytest.mark.parametrize("card", [1.0, None, True, np.True_, 1j, [1], -1, 56, HUGE])
def test_a_card_in_an_action_is_a_card(card: Any) -> None:
    makes: list[Any] = [
        lambda: Discard(card),
        lambda: Take([card]),
        lambda: Exchange([card]),
        lambda: Steal([(1, 1)], [card]),
    ]
    for make in makes if card is None else [*makes, lambda: Call(card)]:
        with pytest.raises(CardError, match="expected"):
            make()


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16])
def test_numbers_in_actions_may_be_of_numpy_and_become_plain(kind: Any) -> None:
    made = [Cut(kind(3)), Steal([(kind(1), kind(2))], [kind(7)]), Discard(kind(7)), Call(kind(7))]
    assert made == [Cut(3), Steal([(1, 2)], [7]), Discard(7), Call(7)]
    assert repr(made) == repr([Cut(3), Steal([(1, 2)], [7]), Discard(7), Call(7)])
    assert [str(action) for action in made][:2] == ["cut 3", "steal 1 from 2, discard 3s"]


@pytest.mark.parametrize("text", ["Jk5", "7x", "7d Jk2x", "\u017f", None, 5])
def test_a_text_that_is_no_cards_is_refused(text: Any) -> None:
    with pytest.raises(CardError, match="expected"):
        read_cards(text)


@pytest.mark.parametrize("direction", ["left", None, 1, [], np.array(["clockwise", "x"])])
def test_a_direction_that_is_none_is_refused(direction: Any) -> None:
    with pytest.raises(ActionError, match="expected the direction 'clockwise' or"):
        ChooseDirection(direction)


def test_a_plain_joker_in_a_text_is_one_that_the_player_holds() -> None:
    game = Perico(2, seed=1, dealer=1, decks=["2c 3c 4c 5c 6c 7c 8c 9c Jk2 Tc"])
    assert Card(53) in game.observation(0).hand
    assert game.parse("discard Jk") == (Discard(53),)
    assert Perico(2, seed=1).parse("discard Jk") == (Discard(52),)


def test_a_plain_joker_in_a_text_may_be_one_that_is_drawn_before() -> None:
    game = Perico(2, seed=1, dealer=1, decks=["2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Jk2 Jk"], points=1)
    before = state(game)
    assert game.parse("draw stock, discard Jk") == (DrawStock(), Discard(53))
    assert game.parse("draw stock, discard 2c, draw stock, discard Jk")[-1] == Discard(52)
    assert game.parse("knock, discard Jk") == (Knock(), Discard(52))  # a knock is not legal
    assert state(game) == before
    act(game, "draw stock, discard Jk")


def test_a_refusal_names_the_joker() -> None:
    game = Perico(2, seed=1, dealer=1, decks=["2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc"])
    with pytest.raises(IllegalActionError, match="can be discarded, not Jk2, got"):
        game.apply(Take([53]))


# --- lists of actions ---


def test_a_lazy_list_is_a_sequence() -> None:
    actions = Actions((Knock(),), ["7d", "8d", "9d"], 2, Discard)
    assert list(actions) == [Knock(), Discard("7d"), Discard("8d")]
    assert (actions[0], actions[-1], actions[1:]) == (Knock(), Discard("8d"), list(actions)[1:])
    assert Discard("8d") in actions
    assert Discard("9d") not in actions
    assert actions.index(Discard("7d")) == 1
    assert repr(actions) == "<3 actions>"
    for index in (3, -4):
        with pytest.raises(IndexError):
            actions[index]


def test_moves_are_a_snapshot_of_a_growing_history() -> None:
    history = [Move(0, Knock()), Move(1, Keep())]
    moves = Moves(history, 0, 2)
    history.append(Move(0, Keep()))
    assert list(moves) == history[:2]
    assert (len(moves), moves[-1], moves[:1]) == (2, Move(1, Keep()), (Move(0, Knock()),))
    assert moves == Moves(history, 0, 2) == tuple(history[:2])
    assert moves != Moves(history, 1, 3)
    assert hash(moves) == hash(Moves(list(history), 0, 2))
    assert pickle.loads(pickle.dumps(moves)) == moves


class Counted(list[Move]):
    """A list that counts the members that are taken out of it."""

    taken = 0

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        self.taken += len(found) if isinstance(place, slice) else 1
        return found


def test_moves_are_looked_at_without_copying_them_all() -> None:
    history = Counted(Move(player, Keep()) for player in range(100))
    moves = Moves(history, 10, 90)
    assert (moves[0].player, moves[-1].player, moves[5].player) == (10, 89, 15)
    assert [move.player for move in moves[78:]] == [88, 89]
    assert [move.player for move in moves[::-40]] == [89, 49]
    assert history.taken == 7
    assert [move.player for move in moves] == list(range(10, 90))
    assert history.taken == 87
    for index in (80, -81):
        with pytest.raises(IndexError):
            moves[index]


@pytest.mark.parametrize("name", game_types())
def test_lists_of_legal_actions_can_be_pickled(name: str) -> None:
    options = {"play": "stock"} if name == "six-card-perico" else {}
    game = game_types()[name](players=3, seed=1, **options)
    for _ in range(3):
        legal = game.legal_actions()
        again = pickle.loads(pickle.dumps(legal))
        assert list(again) == list(legal)
        game.apply(legal[0])


# --- what all games share ---


@pytest.mark.parametrize("name", game_types())
def test_a_game_knows_how_to_be_made_again(name: str) -> None:
    kind = game_types()[name]
    game = kind(players=3)
    again = kind(**game.options)
    assert state(again) == state(game)
    assert eval(repr(game), {type(game).__name__: kind}).options == game.options
    assert kind(players=3).seed != game.seed


@pytest.mark.parametrize("name", game_types())
def test_the_options_cannot_be_changed_from_outside(name: str) -> None:
    game = game_types()[name](players=2, seed=1, decks=["As Ks"])
    before = repr(game)
    game.options["seed"] = 5
    assert all(isinstance(value, int | str | tuple | None) for value in game.options.values())
    assert repr(game) == before


OPTIONS_OF_NUMPY: dict[str, dict[str, Any]] = {
    "perico": {"points": np.uint8(2)},
    "six-card-perico": {"points": np.int32(2)},
    "puck": {
        "jokers": np.int64(0),
        "ante": np.int64(3),
        "chips": [np.int64(3), np.int8(4), 5],
        "max_rounds": np.int64(9),
    },
    "paiute": {"deals": np.int64(2), "ante": np.int64(3), "max_turns": np.int64(9)},
}


@pytest.mark.parametrize("name", game_types())
def test_options_may_be_ints_of_numpy_and_become_plain(name: str) -> None:
    kind, options = game_types()[name], OPTIONS_OF_NUMPY[name]
    game = kind(players=np.int64(3), seed=np.int64(4), dealer=np.int64(1), **options)
    plain = {
        key: [int(each) for each in value] if isinstance(value, list) else int(value)
        for key, value in options.items()
    }
    assert repr(game) == repr(kind(players=3, seed=4, dealer=1, **plain))
    assert dumps(game) == dumps(loads(dumps(game)))


@pytest.mark.parametrize("value", [True, 1.0, "1", [1], HUGE])
@pytest.mark.parametrize(
    ("name", "option"),
    [
        (name, option)
        for name in game_types()
        for option in ("players", "seed", "dealer", *OPTIONS_OF_NUMPY[name])
    ],
)
def test_an_option_that_is_no_int_is_refused(name: str, option: str, value: Any) -> None:
    if option == "chips":
        value = [value, 1]
    with pytest.raises(RuleError, match=f"{name}: expected {option} to be"):
        game_types()[name](**{"players": 2, option: value})


@pytest.mark.parametrize(
    "decks", [5, None, "As", {"As": "Ks"}, {"As"}, [5], [{"As", "Ks"}], [HUGE], np.array(2)]
)
def test_decks_that_are_no_orders_are_refused(decks: Any) -> None:
    with pytest.raises(RuleError, match=r"puck: (expected )?decks"):
        Puck(2, decks=decks)


def test_decks_may_be_any_orders_of_cards() -> None:
    orders: list[Any] = [
        ["As Ks"],
        ("As, Ks",),
        [[51, 47]],
        [(Card("As"), "Ks")],
        np.array([[51, 47]]),
    ]
    assert len({repr(Puck(2, seed=1, decks=decks)) for decks in orders}) == 1


@pytest.mark.parametrize("name", game_types())
def test_an_illegal_action_names_the_rule_and_changes_nothing(name: str) -> None:
    game = game_types()[name](players=2, seed=1)
    before = state(game)
    for action in ("nonsense", None, 5, Cut(1), Action()):
        with pytest.raises(IllegalActionError, match=r"player \d: in the phase"):
            game.apply(action)  # type: ignore[arg-type]
        assert not game.is_legal(action)  # type: ignore[arg-type]
    assert state(game) == before


@pytest.mark.parametrize("name", game_types())
def test_only_players_of_the_game_observe_it(name: str) -> None:
    game = game_types()[name](players=2, seed=1)
    wrong: list[Any] = [-1, 2, 1.0, True, "1", None, [0], 10**5000]
    for player in wrong:
        with pytest.raises(RuleError, match="expected a player from 0 to 1"):
            game.observation(player)
    assert repr(game.observation(np.int64(1))) == repr(game.observation(1))  # type: ignore[arg-type]


def test_an_order_that_does_not_fit_changes_nothing() -> None:
    """The orders of cards come to light in the middle of a move, when cards are shuffled."""
    deck = stacked(["2c 3d 5h 7s 9c", "Ah Ad Kc Kh Qd"], "8d Jk 4c", dealer=1)
    perico = Perico(2, seed=1, dealer=1, decks=[deck, "Ah"])
    act(perico, "draw stock")
    deck = stacked(["9c 9d 2h", "Kc Jd 4h", "8c 6d 3h"], "5s 7d Td", dealer=0)
    puck = Puck(3, seed=1, dealer=0, direction="clockwise", decks=[deck, "9d", "Ah"])
    tries: list[tuple[Game[Any], Any]] = [
        (perico, Discard("Jk")),
        (puck, Steal([(1, 0), (1, 2)], "4h Kc")),
    ]
    for game, action in tries:
        before, seen = state(game), [game.observation(player) for player in range(game.players)]
        with pytest.raises(RuleError, match=r"decks\[\d\]: expected only cards that are being"):
            game.apply(action)
        assert state(game) == before
        assert [game.observation(player) for player in range(game.players)] == seen
        assert game.is_legal(action)


def test_any_error_within_an_action_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Paiute(2, seed=1)
    act(game, "draw stock")
    before, action = state(game), game.legal_actions()[0]
    for error in (MemoryError, KeyboardInterrupt):
        with monkeypatch.context() as patch:
            patch.setattr(Paiute, "_end_turn", raises(error))
            with pytest.raises(error):
                game.apply(action)
        assert state(game) == before
    game.apply(action)


def raises(error: type[BaseException]) -> Any:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_the_history_holds_all_actions_and_the_observation_those_of_the_round() -> None:
    game = Perico(2, seed=1, dealer=1, play="stock")
    act(game, "draw stock")
    game.apply(game.legal_actions()[0])
    assert [move.player for move in game.history] == [0, 0]
    assert game.observation(1).moves == game.history
    while not game.rounds:
        game.apply(Knock() if game.is_legal(Knock()) else game.legal_actions()[0])
    assert game.observation(1).moves == ()
    assert len(game.history) == 5


@pytest.mark.parametrize("copied", [Game.copy, copy.copy, copy.deepcopy])
def test_chance_decides_the_same_in_a_copy(copied: Any) -> None:
    game = Perico(2, seed=1)
    before, twin = state(game), copied(game)
    twin.apply(twin.legal_actions()[0])
    assert state(game) == before
    twin = copied(game)
    for _ in range(500):
        for each in (game, twin):
            if not each.is_over:
                each.apply(each.legal_actions()[0])
    assert state(game) == state(twin)


def test_messages_about_actions_are_short() -> None:
    game = Perico(2, seed=1)
    actions: list[Any] = [
        "x" * 10**5,
        ["y"] * 10**5,
        10**5000,
        Take("As " * 1000),
        Steal([(1, 1)] * 1000, "As"),
    ]
    for action in actions:
        with pytest.raises(IllegalActionError) as caught:
            game.apply(action)
        assert len(str(caught.value)) < 400
        assert not game.is_legal(action)
    with pytest.raises(ActionError) as refused:
        game.parse("x" * 10**5)
    assert len(str(refused.value)) < 600


def test_a_joker_in_the_hand_is_the_one_that_its_text_names() -> None:
    order = "2c Jk2 3d Jk 5h 7s 9c Kd Ts 6c 8d"
    game = Perico(2, seed=1, dealer=1, decks=[order])
    for card in (Card(52), Card(53)):
        assert game.parse(str(Discard(card))) == (Discard(card),)


def test_a_plain_joker_is_one_that_is_not_named_by_its_number() -> None:
    assert read_cards("Jk 7d Jk1") == (Card(53), Card("7d"), Card(52))
    assert read_cards("Jk1 Jk Jk3 Jk") == (Card(52), Card(53), Card(54), Card(55))
    assert parse_action("exchange Jk Jk1") == Exchange([53, 52])
