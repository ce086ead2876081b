"""The games as PettingZoo environments."""

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from game_table import random_action, stacked
from test_games_observation import shuffle_hidden

from wildrank import ActionError, IllegalActionError, RuleError
from wildrank.games import game_types
from wildrank.games.actions import Action, Cut, Keep, Knock, Steal, Take, parse_action, read_cards
from wildrank.games.base import Game
from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.puck import Puck
from wildrank.rl import env, raw_env
from wildrank.rl.layout import Counts, Layout
from wildrank.rl.numbering import Numbering, templates

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from wildrank.rl.environment import GameEnv, describe, standing

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("perico", {}),
    ("perico", {"play": "stock", "auto_declare": False}),
    ("six-card-perico", {}),
    ("six-card-perico", {"play": "stock"}),
    ("puck", {}),
    ("puck", {"cut": True, "ante": 5, "direction": "clockwise"}),
    ("paiute", {}),
    ("paiute", {"last_turns": "all", "max_turns": 9, "ante": 2, "ace": "both"}),
]
MOST_PLAYERS = {"perico": 6, "six-card-perico": 5, "puck": 4, "paiute": 5}
SEATS = [
    pytest.param(name, players, options, id=f"{name} {players} {' '.join(options)}")
    for name, options in GAMES
    for players in range(2, MOST_PLAYERS[name] + 1)
]

every_table = pytest.mark.parametrize(("name", "players", "options"), SEATS)


def choose(table: Any, random: Random) -> int:
    """Return the number of a legal action, each kind equally likely."""
    mask = table.observe(table.agent_selection)["action_mask"]
    number: int = table.unwrapped.number(random_action(table.unwrapped.game, random))
    assert mask[number] == 1
    return number


def play(table: Any, random: Random) -> Iterator[int]:
    """Play to the end, and yield the numbers of the actions before they are performed."""
    while not (any(table.terminations.values()) or any(table.truncations.values())):
        number = choose(table, random)
        yield number
        table.step(number)


def games(name: str, players: int, options: dict[str, Any], actions: int) -> Iterator[Game[Any]]:
    """Play random games, without an environment; yield them before each action."""
    random = Random(players)
    game = game_types()[name](players=players, seed=1, **options)
    for seed in range(actions):
        if game.is_over:
            game = game_types()[name](players=players, seed=seed, **options)
        yield game
        game.apply(random_action(game, random))


# --- PettingZoo's own tests ---

# PettingZoo warns of all observations that are dicts with a mask, but for those of its own games.
dict_observations = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings(
        "ignore:Observation space for each agent probably should be:UserWarning"
    ),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]


def marked(test: Any) -> Any:
    for mark in dict_observations:
        test = mark(test)
    return test


@every_table
@marked
def test_api(name: str, players: int, options: dict[str, Any]) -> None:
    api_test(env(name, players, turn_limit=40, **options), num_cycles=60)


@marked
def test_api_without_wrappers_to_the_end_of_a_game() -> None:
    api_test(raw_env("puck", 3), num_cycles=500)


@every_table
def test_seed(name: str, players: int, options: dict[str, Any]) -> None:
    seed_test(lambda: env(name, players, **options), num_cycles=20)


@every_table
def test_observations_fit_their_space(name: str, players: int, options: dict[str, Any]) -> None:
    table = raw_env(name, players, turn_limit=30, **options)
    table.reset(seed=3)
    for _ in play(table, Random(3)):
        for agent in table.possible_agents:
            seen = table.observe(agent)
            assert table.observation_space(agent).contains(seen)
            assert seen["action_mask"].any() == (agent == table.agent_selection)
    for agent in table.possible_agents:
        assert table.observation_space(agent).contains(table.observe(agent))
        assert not table.observe(agent)["action_mask"].any()


@pytest.mark.parametrize("name", game_types())
def test_observations_can_be_saved(tmp_path: Path, name: str) -> None:
    table = env(name, players=3)
    table.reset(seed=1)
    seen = [table.observe(agent) for agent in table.agents]
    np.savez(
        tmp_path / "seen.npz", **{f"{n}_{k}": v for n, o in enumerate(seen) for k, v in o.items()}
    )
    with np.load(tmp_path / "seen.npz") as saved:
        for number, observation in enumerate(seen):
            for key, value in observation.items():
                assert (saved[f"{number}_{key}"] == value).all()


@pytest.mark.parametrize("name", game_types())
def test_an_observation_does_not_change_when_the_game_goes_on(name: str) -> None:
    table = raw_env(name)
    table.reset(seed=1)
    first = table.observe("player_0")
    kept = copy.deepcopy(first)
    for _, _ in zip(range(20), play(table, Random(1)), strict=False):
        pass
    assert all((first[key] == kept[key]).all() for key in kept)


# --- the numbering ---


def test_the_numbering_is_stable() -> None:
    def text(name: str, number: int) -> tuple[str, tuple[int, ...], Any]:
        kind, places, detail = templates(name)[number]
        return kind.__name__, places, detail

    for name, size in (("perico", 366), ("six-card-perico", 1310), ("puck", 94), ("paiute", 15)):
        assert len(set(templates(name))) == len(templates(name)) == size
    assert [text("perico", n)[0] for n in range(4)] == ["DrawStock", "Knock", "Keep", "Declare"]
    assert text("perico", 4) == ("Discard", (0,), None)
    assert text("perico", 9) == ("Discard", (5,), None)
    assert text("perico", 10) == ("Take", (0,), None)
    assert text("perico", 15) == ("Take", (0, 1), None)
    assert text("perico", 19) == ("Take", (1, 0), None)
    assert text("perico", 334) == ("Take", (4, 3, 2, 1, 0), None)
    assert text("perico", 335) == ("Exchange", (0,), None)
    assert text("perico", 365) == ("Exchange", (0, 1, 2, 3, 4), None)
    assert text("six-card-perico", 10) == ("Discard", (6,), None)
    assert text("six-card-perico", 11) == ("Take", (0,), None)
    assert text("six-card-perico", 1246) == ("Take", (5, 4, 3, 2, 1), None)
    assert text("six-card-perico", 1247) == ("Exchange", (0,), None)
    assert text("puck", 0) == ("Keep", (), None)
    assert text("puck", 2) == ("ChooseDirection", (), "counter-clockwise")
    assert text("puck", 3) == ("Cut", (), 0)
    assert text("puck", 56) == ("Cut", (), 53)
    assert text("puck", 57) == ("Steal", (0,), ((1, 3),))
    assert text("puck", 59) == ("Steal", (0,), ((1, 1),))
    assert text("puck", 93) == ("Steal", (0, 1, 2), ((3, 1),))
    assert [text("paiute", n)[0] for n in range(3)] == ["DrawStock", "DrawPile", "Call"]
    assert text("paiute", 3) == ("Call", (0,), None)
    assert text("paiute", 14) == ("Discard", (5,), None)


@every_table
def test_the_mask_shows_exactly_the_legal_actions_and_every_number_is_read_back(
    name: str, players: int, options: dict[str, Any]
) -> None:
    numbering = Numbering(name, players)
    for game in games(name, players, options, 80):
        player = game.current_player
        hand = game.observation(player).hand
        legal = list(game.legal_actions())
        numbers = [numbering.number(action, hand, player) for action in legal]
        assert sorted(numbers) == np.flatnonzero(numbering.mask(game)).tolist()
        assert [numbering.action(n, hand, player) for n in numbers] == legal


@pytest.mark.parametrize("name", game_types())
def test_every_number_is_legal_or_refused(name: str) -> None:
    table = raw_env(name)
    table.reset(seed=2)
    for _, _ in zip(range(6), play(table, Random(2)), strict=False):
        mask = table.observe(table.agent_selection)["action_mask"]
        before = table.observe(table.agent_selection)["observation"]
        for number in np.flatnonzero(mask == 0):
            with pytest.raises(IllegalActionError):
                table.step(number)
        assert (table.observe(table.agent_selection)["observation"] == before).all()
        for number in np.flatnonzero(mask):
            assert table.game.is_legal(table.action(number))


def test_paiute_calls_are_numbered() -> None:
    deck = stacked(["Ac Kc Qc Jc Tc", "2d 3d 4h 6h 8h"], "9s 5d 2c", dealer=1)
    game = Paiute(2, seed=1, dealer=1, decks=[deck])
    numbering = Numbering("paiute", 2)
    game.apply(parse_action("draw stock"))
    hand = game.observation(0).hand
    legal = [str(numbering.action(n, hand, 0)) for n in np.flatnonzero(numbering.mask(game))]
    assert "call, discard 2c" in legal
    assert len(legal) == len(game.legal_actions())


def test_a_take_keeps_its_order() -> None:
    hand = read_cards("9h 4c Jk 2d As")
    numbering = Numbering("perico", 2)
    one, other = (numbering.number(Take(cards), hand, 0) for cards in ("9h 4c", "4c 9h"))
    assert one != other
    assert str(numbering.action(one, hand, 0)) == "take 2, discard 9h 4c"


def test_seats_are_counted_from_the_player() -> None:
    hand = read_cards("2d 4c 9h")
    numbering = Numbering("puck", 3)
    number = numbering.number(Steal([(1, 0)], "2d"), hand, 2)
    assert number == numbering.number(Steal([(1, 1)], "2d"), hand, 0)
    assert numbering.action(number, hand, 1) == Steal([(1, 2)], "2d")


@pytest.mark.parametrize(
    "action", [Cut(60), Cut(-1), Steal([(1, 1)], "As"), Steal([(9, 1)], "2d"), Knock()]
)
def test_what_can_never_be_legal_has_no_number(action: Action) -> None:
    with pytest.raises(IllegalActionError, match="of the cards 2d 4c 9h, got"):
        Numbering("puck", 3).number(action, read_cards("2d 4c 9h"), 0)


@pytest.mark.parametrize("number", [-1, 366, 1.0, "7", None])
def test_what_is_no_number_of_an_action_is_refused(number: Any) -> None:
    table = raw_env("perico")
    table.reset(seed=1)
    with pytest.raises(ActionError, match="expected the number of an action from 0 to 365, got"):
        table.step(number)


def test_numbers_that_go_too_far_are_refused() -> None:
    table = raw_env("puck", direction="clockwise")
    table.reset(seed=1)
    with pytest.raises(IllegalActionError, match="steals 3 seats away, but there are only 2"):
        table.step(57)
    table = raw_env("perico")
    table.reset(seed=1)
    with pytest.raises(IllegalActionError, match="the card in place 5, but the hand holds only 5"):
        table.step(9)


# --- whole games ---


@every_table
def test_a_game_agrees_with_the_engine(name: str, players: int, options: dict[str, Any]) -> None:
    table = raw_env(name, players, turn_limit=100, **options)
    table.reset(seed=4)
    game = game_types()[name](players=players, seed=4, **options)
    earned = np.zeros(players)
    for number in play(table, Random(4)):
        assert table.agent_selection == f"player_{game.current_player}"
        action = table.action(number)
        assert action in game.legal_actions()
        game.apply(action)
        earned += [table.rewards[agent] for agent in table.agents]
        assert table.infos == {agent: {} for agent in table.agents}
    earned += [table.rewards[agent] for agent in table.agents]
    assert table.game.history == game.history
    assert table.game.scores == game.scores
    assert earned == pytest.approx(np.array(standing(game)))
    assert earned.sum() == pytest.approx(0)
    if game.is_over:
        assert all(table.terminations.values())
        assert not any(table.truncations.values())
        if isinstance(game, Paiute):
            assert earned == pytest.approx(np.array(game.scores))
    else:
        assert game.turns == 100
        assert all(table.truncations.values())
        assert not any(table.terminations.values())
    for _ in range(players):
        table.step(None)
    assert table.agents == []


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("perico", {"points": 1}),
        ("perico", {"points": 2, "play": "stock", "auto_declare": False}),
        ("six-card-perico", {"points": 1, "play": "stock"}),
        ("puck", {"ante": 3}),
        ("paiute", {"deals": 4, "max_turns": 30}),
    ],
)
def test_whole_games_end_with_rewards_that_sum_to_zero(name: str, options: dict[str, Any]) -> None:
    random = Random(5)
    table = env(name, 3, turn_limit=None, **options)
    for seed in range(5):
        table.reset(seed=seed)
        total = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            _, reward, termination, truncation, _ = table.last()
            total[agent] += reward
            assert not truncation
            table.step(None if termination else choose(table, random))
        game = table.unwrapped.game
        assert game.is_over
        assert sum(total.values()) == pytest.approx(0)
        most = max(total.values())
        if name != "paiute" and len(game.winners) < 3:
            winners = [seat for seat in range(3) if total[f"player_{seat}"] == most > 0]
            assert tuple(winners) == game.winners
            assert most == 1 / len(winners)


class Standing(Perico):
    """A game that says who has won it."""

    won: tuple[int, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        return self.won


@pytest.mark.parametrize(
    ("won", "expected"),
    [
        ((1,), [-0.5, 1, -0.5]),
        ((0, 2), [0.5, -1, 0.5]),
        ((0, 1, 2), [0, 0, 0]),
        ((), [0, 0, 0]),
    ],
)
def test_winners_share_what_the_others_lose(won: tuple[int, ...], expected: list[float]) -> None:
    game = Standing(3, seed=1)
    game.won = won
    assert standing(game) == expected


def test_a_drawn_deal_of_paiute_changes_nothing() -> None:
    table = raw_env("paiute", 2, max_turns=1, deals=3, ante=4)
    table.reset(seed=1)
    for _ in play(table, Random(1)):
        assert set(table.rewards.values()) == {0}
    assert set(table.rewards.values()) == {0}


def test_a_truncated_agent_is_told_so() -> None:
    table = env("perico", 2, turn_limit=3)
    table.reset(seed=1)
    seen = []
    for _ in table.agent_iter():
        *_, termination, truncation, _ = table.last()
        seen.append((termination, truncation))
        table.step(None if truncation else choose(table, Random(1)))
    assert seen[-2:] == [(False, True)] * 2
    assert (False, True) not in seen[:-2]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_illegal_action_loses_the_wrapped_game(capfd: pytest.CaptureFixture[str]) -> None:
    table = env("perico", 3)
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(1)  # a knock with one card in the discard pile
    assert all(table.terminations.values())
    assert table.rewards == {a: -1 if a == agent else 0 for a in table.possible_agents}
    capfd.readouterr()


# --- seeds ---


def opening(table: GameEnv) -> list[float]:
    observations = [table.observe(agent)["observation"].tolist() for agent in table.agents]
    return [number for observation in observations for number in observation]


def test_a_seed_gives_the_game_of_that_seed_and_decides_the_next_ones() -> None:
    first, second = raw_env("perico", 3), raw_env("perico", 3)
    for table in (first, second):
        table.reset(seed=5)
    assert first.game.seed == 5
    seeds = [5]
    for _ in range(5):
        first.reset()
        second.reset(options={"anything": 1})
        assert opening(first) == opening(second)
        seeds.append(first.game.seed)
    assert len(set(seeds)) == 6
    first.reset(seed=5)
    assert first.game.seed == 5


@pytest.mark.parametrize("name", game_types())
def test_nothing_is_left_of_the_game_before(name: str) -> None:
    played, fresh = raw_env(name), raw_env(name)
    played.reset(seed=1)
    for _, _ in zip(range(15), play(played, Random(1)), strict=False):
        pass
    for table in (played, fresh):
        table.reset(seed=2)
    for _ in range(15):
        assert played.agent_selection == fresh.agent_selection
        assert opening(played) == opening(fresh)
        assert played.rewards == fresh.rewards
        number = choose(fresh, Random(3))
        played.step(number)
        fresh.step(number)


def test_without_a_seed_games_are_fresh() -> None:
    seeds = set()
    for _ in range(3):
        table = raw_env("perico")
        for _ in range(3):
            table.reset()
            seeds.add(table.game.seed)
    assert len(seeds) == 9


def test_an_environment_can_be_copied_and_pickled() -> None:
    table = raw_env("paiute", 3)
    table.reset(seed=1)
    for _, _ in zip(range(11), play(table, Random(1)), strict=False):
        pass
    for twin in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert opening(twin) == opening(table)
        twin.step(choose(twin, Random(2)))
        assert len(twin.game.history) == len(table.game.history) + 1


# --- observations ---


@every_table
def test_hidden_cards_do_not_show(name: str, players: int, options: dict[str, Any]) -> None:
    layout = Layout(name, players)
    random = Random(6)
    hands_differed = False
    for game in games(name, players, options, 80):
        for player in range(players):
            twin = shuffle_hidden(game, player, random)
            hands_differed |= twin._hands != game._hands
            one, other = (layout.array(g.observation(player)) for g in (game, twin))
            assert (one == other).all()
    assert hands_differed


@every_table
def test_counting_as_the_game_goes_on_makes_no_difference(
    name: str, players: int, options: dict[str, Any]
) -> None:
    layout = Layout(name, players)
    counts = Counts(layout)
    random = Random(7)
    game = game_types()[name](players=players, seed=3, **options)
    for number in range(120):
        if game.is_over:
            break
        if number % 3 == 0:
            for player in range(players):
                seen = game.observation(player)
                assert (layout.array(seen, counts) == layout.array(seen)).all()
        game.apply(random_action(game, random))


def cards(field: npt.NDArray[np.float32]) -> list[int]:
    return np.flatnonzero(field).tolist()


@every_table
def test_fields_show_what_the_observation_shows(
    name: str, players: int, options: dict[str, Any]
) -> None:
    layout = Layout(name, players)
    for game in games(name, players, options, 60):
        for player in range(players):
            seen = game.observation(player)
            fields = layout.split(layout.array(seen))
            seats = [(player + step) % players for step in range(players)]
            check_common(fields, seen, seats)
            for key in ("known", "shown"):
                if hasattr(seen, key) and name != "puck":
                    hands = getattr(seen, key)
                    assert [cards(row) for row in fields[key]] == [
                        sorted(hands[seat] or ()) for seat in seats
                    ]
            for key in ("knocker", "caller", "first", "out"):
                if hasattr(seen, key):
                    value = getattr(seen, key)
                    named = value if key == "out" else [value]
                    assert [seats[place] for place in cards(fields[key])] == sorted(
                        (seat for seat in named if seat is not None and seat >= 0),
                        key=seats.index,
                    )
            for key in ("pot", "to_beat"):
                if hasattr(seen, key):
                    assert fields[key] == [getattr(seen, key)]
            if isinstance(game, Puck):
                assert fields["chips"].tolist() == [seen.chips[seat] for seat in seats]
                check_thefts(fields, seen, seats)
            if isinstance(game, Paiute):
                assert cards(fields["wild_card"]) == [seen.wild_card]
                assert cards(fields["just_taken"]) == [seen.taken] * (seen.taken is not None)
                assert fields["turns_left"] == [seen.last_turns]


def check_common(fields: dict[str, Any], seen: Any, seats: list[int]) -> None:
    assert fields["phase"].sum() == 1
    assert [seats[place] for place in cards(fields["to_move"])] == [seen.current_player]
    assert [seats[place] for place in cards(fields["dealer"])] == [seen.dealer]
    assert fields["scores"].tolist() == [seen.scores[seat] for seat in seats]
    assert fields["round"] == [seen.round]
    assert fields["turns"] == [seen.turns]
    assert fields["stock_size"] == [seen.stock_size]
    assert [cards(row) for row in fields["hand"][: len(seen.hand)]] == [
        [card] for card in sorted(seen.hand)
    ]
    assert not fields["hand"][len(seen.hand) :].any()
    lying = cards(fields["pile"])
    assert sorted(lying, key=lambda card: -fields["pile"][card]) == list(seen.pile)
    if "top" in fields:
        top = seen.pile[::-1][: len(fields["top"])]
        assert [cards(row) for row in fields["top"][: len(top)]] == [[card] for card in top]
        assert not fields["top"][len(top) :].any()
    last = seen.last_round
    if last is None:
        assert not any(fields[key].any() for key in fields if key.startswith("previous"))
        return
    assert [seats[place] for place in cards(fields["previous_dealer"])] == [last.dealer]
    assert {seats[place] for place in cards(fields["previous_winners"])} == set(last.winners)
    shown = [sorted(last.hands[seat]) for seat in seats]
    assert [cards(row) for row in fields["previous_hands"]] == shown
    assert fields["previous_ending"].sum() == 1
    assert fields["previous_turns"] == [last.turns]


def check_thefts(fields: dict[str, Any], seen: Any, seats: list[int]) -> None:
    for key, role, other in (("gained", 0, 1), ("lost", 1, 0)):
        for place, seat in enumerate(seats):
            thefts = [t for t in seen.thefts if t[role] == seen.player and t[other] == seat]
            stolen = sorted(card for theft in thefts for card in theft.cards)
            assert cards(fields[key][place]) == stolen
    table = np.zeros((len(seats), len(seats)))
    for player, action in seen.moves:
        if isinstance(action, Steal):
            for count, victim in action.takes:
                table[seats.index(player), seats.index(victim)] = count
    assert (fields["stolen"] == table).all()


def test_moves_are_counted() -> None:
    deck = stacked(["2c 3d 5h 7s 9c", "Ah Ad Kc Kh Qd"], "8d 4c 6s Jh", dealer=1)
    game = Perico(2, seed=1, dealer=1, decks=[deck])
    for text in ("take 1, discard 2c", "draw stock", "discard 4c", "take 2, discard 8d 9c"):
        game.apply(parse_action(text))
    layout = Layout("perico", 2)
    fields = layout.split(layout.array(game.observation(1)))
    assert fields["drawn"].tolist() == [1, 0]
    assert fields["taken"].tolist() == [0, 3]
    assert cards(fields["discarded"][0]) == sorted(read_cards("4c"))
    assert cards(fields["discarded"][1]) == sorted(read_cards("2c 8d 9c"))
    assert cards(fields["known"][1]) == sorted(read_cards("2c 4c"))


def test_the_move_that_puts_a_player_out_is_not_counted() -> None:
    royal = "Ac Kc Qc Jc Tc"
    deck = stacked([royal, "2d 3d 4h 6h 8h", "2s 3s 4s 6d 8c"], "9s 5d", dealer=2)
    game = Perico(3, seed=1, dealer=2, decks=[deck], auto_declare=False)
    layout = Layout("perico", 3)
    counts = Counts(layout)
    layout.array(game.observation(1), counts)
    game.apply(parse_action("take 1, discard Ac"))
    fields = layout.split(layout.array(game.observation(1), counts))
    assert fields["out"].tolist() == [0, 0, 1]
    assert not fields["discarded"].any()
    assert not fields["taken"].any()
    for text in ("take 1, discard 2d", "take 1, discard 2s"):
        game.apply(parse_action(text))
        fields = layout.split(layout.array(game.observation(1), counts))
        assert fields["out"].tolist() == [0, 0, 1]
    assert fields["taken"].tolist() == [1, 1, 0]


def test_the_sixth_card_of_a_call_is_counted() -> None:
    deck = stacked(["Ac Kc Qc Jc Tc", "2d 3d 4h 6h 8h"], "9s 5d 2c", dealer=1)
    game = Paiute(2, seed=1, dealer=1, decks=[deck])
    for text in ("draw stock", "call, discard 2c"):
        game.apply(parse_action(text))
    layout = Layout("paiute", 2)
    fields = layout.split(layout.array(game.observation(1)))
    assert cards(fields["discarded"][1]) == [*read_cards("2c")]
    assert cards(fields["shown"][1]) == sorted(read_cards("Ac Kc Qc Jc Tc"))
    assert fields["drawn"].tolist() == [0, 1]


def test_all_fields_are_documented_in_their_order() -> None:
    from wildrank.rl import layout

    sections = re.split(r"^([A-Z][\w ]+):$", layout.__doc__ or "", flags=re.MULTILINE)
    titles, tables = sections[1::2], sections[2::2]
    for name in game_types():
        title = "Perico" if "perico" in name else name.title()
        documented = [
            field
            for heading, table in zip(titles, tables, strict=True)
            if heading == "All games" or title in heading
            for field in re.findall(r"^(\w+) +\(", table, re.MULTILINE)
        ]
        names = [field.name for field in Layout(name, 2).fields]
        assert names == documented
        assert len(set(names)) == len(names)


# --- arguments, rendering, what is missing ---


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("poker",), {}, r"expected a game \(perico, six-card-perico, puck, paiute\), got 'poker'"),
        ((7,), {}, "expected a game .*, got 7"),
        (("perico", 7), {}, "perico: expected players to be an int from 2 to 6, got 7"),
        (("puck",), {"points": 3}, r"puck: expected an option \(jokers, .*\), got 'points'"),
        (("puck",), {"seed": 3}, "puck: expected an option .*, got 'seed'"),
        (("puck",), {"jokers": 3}, "puck: expected jokers to be 2 or 0, got 3"),
        (
            ("puck",),
            {"turn_limit": 0},
            "puck: expected turn_limit to be an int of at least 1, got 0",
        ),
        (("puck",), {"turn_limit": "9"}, "puck: expected turn_limit to be .*, got '9'"),
        (
            ("puck",),
            {"render_mode": "rgb"},
            "expected render_mode to be 'ansi' or 'human', got 'rgb'",
        ),
    ],
)
def test_wrong_arguments(arguments: Any, options: dict[str, Any], message: str) -> None:
    for maker in (env, raw_env):
        with pytest.raises(RuleError, match=message):
            maker(*arguments, **options)


def test_wrong_seeds() -> None:
    with pytest.raises(RuleError, match="perico: expected seed to be an int at least 0, got -1"):
        raw_env("perico").reset(seed=-1)


@pytest.mark.parametrize("name", game_types())
def test_rendering(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    quiet, loud = env(name, render_mode="ansi"), env(name, render_mode="human")
    for table in (quiet, loud):
        table.reset(seed=1)
        table.step(choose(table, Random(1)))
    text = quiet.render()
    assert text == describe(quiet.unwrapped.game)
    assert f"> {quiet.agent_selection}" in text
    assert capsys.readouterr().out == ""
    assert loud.render() is None
    assert capsys.readouterr().out == text + "\n"


def test_rendering_without_a_mode_says_so() -> None:
    table = env("perico")
    table.reset(seed=1)
    with pytest.warns(UserWarning, match="made without render_mode"):
        assert table.render() is None


def test_the_game_handed_out_is_a_copy() -> None:
    table = raw_env("puck", direction="clockwise")
    table.reset(seed=1)
    table.game.apply(Keep())
    assert table.game.history == ()


@pytest.mark.parametrize("missing", ["pettingzoo", "gymnasium"])
def test_without_pettingzoo_the_error_says_what_to_install(missing: str) -> None:
    code = f"""
import sys
sys.modules[{missing!r}] = None
import wildrank.rl
from wildrank.rl.layout import Layout
from wildrank.rl.numbering import Numbering
for make in (wildrank.rl.env, wildrank.rl.raw_env):
    try:
        make("perico")
    except ModuleNotFoundError as error:
        print(error)
"""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == 2
    assert all(
        re.fullmatch(
            r"the environments need \w+(\.\w+)*, which is not installed: "
            r"pip install 'wildrank\[rl\]'",
            line,
        )
        for line in lines
    ), lines


@pytest.mark.parametrize("seed", [-1, "x", 1.5])
def test_a_seed_that_is_refused_changes_nothing(seed: Any) -> None:
    table, other = raw_env("paiute", 2), raw_env("paiute", 2)
    for each in (table, other):
        each.reset(seed=3)
    with pytest.raises(RuleError, match="expected seed to be an int"):
        table.reset(seed=seed)
    for each in (table, other):
        each.reset()
    assert table.game.seed == other.game.seed
