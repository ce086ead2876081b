"""Records: games as JSON lines, checked action by action when they are read."""

import json
import pickle
import re
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from game_table import act, random_action, stacked, state
from hypothesis import given
from hypothesis import strategies as st

from wildrank.errors import RecordError, WildrankError
from wildrank.games.base import Game
from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.puck import Puck
from wildrank.games.records import dumps, loads, read, replay, write
from wildrank.games.six_card_perico import SixCardPerico

GAMES = [
    partial(Perico, 3, points=2),
    partial(Perico, 2, play="stock", auto_declare=False, points=2),
    partial(SixCardPerico, 4, natural_five_of_a_kind=True, points=1),
    partial(Puck, 3, ante=2, cut=True),
    partial(Paiute, 3, deals=2, last_turns="all", max_turns=50),
]


def played(factory: Any, seed: int, most: int = 100_000) -> Game[Any]:
    game: Game[Any] = factory(seed=seed)
    random = Random(seed)
    for _ in range(most):
        if game.is_over:
            break
        game.apply(random_action(game, random))
    return game


@pytest.mark.parametrize("factory", GAMES)
def test_a_record_leads_back_to_the_game(factory: Any) -> None:
    for seed in range(8):
        game = played(factory, seed)
        assert state(loads(dumps(game))) == state(game)
        unfinished = played(factory, seed, 10)
        assert state(loads(dumps(unfinished).encode())) == state(unfinished)


def test_a_game_with_real_cards_is_recorded_by_the_order_of_its_decks() -> None:
    deck = stacked(["2c 3d 5h 7s 9c", "Ah Ad Kc Kh Qd"], "8d Jk2", dealer=1)
    game = Perico(2, seed=0, dealer=1, decks=[deck, "Qs"])
    act(game, "draw stock, discard Jk2")
    header = json.loads(dumps(game).splitlines()[0])
    assert header["options"]["decks"][1] == "Qs"
    del header["options"]["seed"]
    lines = [json.dumps(header), *dumps(game).splitlines()[1:]]
    assert state(loads("\n".join(lines))) == state(game)
    assert state(loads("\n".join(lines))) == state(loads("\n".join(lines)))


@pytest.mark.parametrize("decks", [[], ["As Ks"]])
def test_a_record_always_leads_to_the_same_game_so_its_seed_is_not_left_to_chance(
    decks: list[str],
) -> None:
    record = dumps(Perico(2, seed=1, decks=decks)).replace('"seed": 1', '"seed": null')
    with pytest.raises(RecordError, match="line 1: expected options with a seed or decks, got"):
        loads(record)


def test_a_replay_goes_action_by_action() -> None:
    game = played(GAMES[0], 3)
    steps = [(line, len(each.history)) for line, each in replay(dumps(game))]
    assert steps == [(number + 1, number) for number in range(len(game.history) + 1)]


NINES = "9" * 5000  # Python reads no int of so many digits


def damaged(line: int, change: Any) -> str:
    """Return the record of a finished game with one line changed."""
    lines = dumps(played(GAMES[0], 3)).splitlines()
    lines[line - 1] = change(lines[line - 1])
    return "\n".join(lines) + "\n"


LAST = len(dumps(played(GAMES[0], 3)).splitlines())


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (1, lambda text: "", "line 1: expected a JSON object"),
        (1, lambda text: text.replace('"seed": 3', '"seed": true'), "line 1: .* seed to be an int"),
        (
            1,
            lambda text: text.replace('"seed": 3', '"seed": 3, "seed": 4'),
            "line 1: .* with each name once, got",
        ),
        (
            1,
            lambda text: re.sub('"options": {.*}', '"options": []}', text),
            "line 1: .* options by",
        ),
        (
            3,
            lambda text: text.replace('"player"', '"player": 0, "player"'),
            "line 3: .* with each name once, got",
        ),
        (
            3,
            lambda text: '{"player": 0, "action": "draw \u017ftock"}',
            "line 3: expected an action",
        ),
        (3, lambda text: f'{{"player": 0, "action": "cut {NINES}"}}', "line 3: expected an action"),
        (
            3,
            lambda text: f'{{"player": 0, "action": "take {NINES}, discard 2c"}}',
            "line 3: expected an action",
        ),
        (
            3,
            lambda text: f'{{"player": {NINES}, "action": "keep"}}',
            "line 3: expected a JSON object",
        ),
        (3, lambda text: '"\ud800"', "line 3: expected a JSON object in UTF-8"),
        (1, lambda text: "[]", r"line 1: expected a JSON object, got \[\]"),
        (1, lambda text: text.replace("game 1", "game 2"), "line 1: expected a 'game' with"),
        (1, lambda text: text.replace('"perico"', '"poker"'), "line 1: expected a game .perico"),
        (1, lambda text: text.replace('"perico"', "[]"), "line 1: expected a game .perico"),
        (1, lambda text: text.replace('"players": 3', '"players": 9'), "line 1: .* 2 to 6, got 9"),
        (1, lambda text: text.replace('"seed"', '"sead"'), "line 1: expected options with a seed"),
        (1, lambda text: text.replace('"play"', '"plan"'), "line 1: .* 'plan'"),
        (1, lambda text: text.replace('"decks": []', '"decks": 5'), "line 1: "),
        (1, lambda text: text.replace('"decks": []', '"decks": [5]'), "line 1: "),
        (
            3,
            lambda text: text[:-4],
            "line 3: expected a JSON object in UTF-8, with each name once, got",
        ),
        (3, lambda text: "", "line 3: expected a JSON object"),
        (3, lambda text: "[" * 100_000, "line 3: expected a JSON object"),
        (3, lambda text: '{"player": 0}', "line 3: expected a 'player' and an 'action'"),
        (3, lambda text: '{"player": true, "action": "knock"}', "line 3: expected a 'player' and"),
        (3, lambda text: '{"player": 0, "action": 1}', "line 3: expected a 'player' and an"),
        (3, lambda text: text.replace('"player": ', '"player": 1'), "line 3: .* of player 1"),
        (3, lambda text: text.replace('n": "', 'n": "x'), "line 3: expected an action such as"),
        (4, lambda text: text + "\n" + text, "line 5: "),
        (LAST, lambda text: text.replace("0", "false"), f"line {LAST}: expected the result"),
        (LAST, lambda text: text.replace("2", "2.0"), f"line {LAST}: expected the result"),
        (LAST, lambda text: text.replace("2", "1"), f"line {LAST}: expected the result"),
        (LAST, lambda text: text + "\n" + text, f"line {LAST + 1}: expected nothing after"),
        (LAST, lambda text: '{"player": 0, "action": "keep"}', f"line {LAST}: expected no action"),
        (5, lambda text: '{"scores": [0, 0, 0], "winners": []}', "line 5: expected an action"),
    ],
)
def test_a_damaged_record_fails_with_the_line(line: int, change: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        loads(damaged(line, change))
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    assert isinstance(caught.value, WildrankError)


def test_a_record_of_a_finished_game_that_lost_its_last_line_fails() -> None:
    lines = dumps(played(GAMES[0], 3)).splitlines(keepends=True)
    with pytest.raises(RecordError, match=f"line {LAST}: expected the scores and winners"):
        loads("".join(lines[:-1]))
    assert not loads("".join(lines[:-2])).is_over


@pytest.mark.parametrize("record", [None, 5, [], Path("game.jsonl")])
def test_a_record_is_text_or_bytes(record: Any) -> None:
    with pytest.raises(RecordError, match="line 1: expected a record as str or bytes, got"):
        loads(record)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)


@given(st.sampled_from(GAMES), st.data())
def test_any_option_in_a_record_is_taken_or_refused(factory: Any, data: st.DataObject) -> None:
    header = json.loads(dumps(factory(seed=1)).splitlines()[0])
    name = data.draw(st.sampled_from(sorted(header["options"])) | st.text(max_size=4))
    header["options"][name] = data.draw(JSON)
    try:
        game = loads(json.dumps(header))
    except RecordError:
        return
    assert state(loads(dumps(game))) == state(game)


def test_a_record_that_is_not_utf_8_fails_with_the_line() -> None:
    record = dumps(played(GAMES[0], 3)).encode().split(b"\n")
    record[2] = b'{"player": 0, "action": "\xff"}'
    with pytest.raises(RecordError, match="line 3: expected a JSON object in UTF-8"):
        loads(b"\n".join(record))


def test_an_action_against_the_rules_fails_with_the_rule() -> None:
    record = dumps(Perico(2, seed=1, dealer=1)) + '{"player": 0, "action": "knock"}\n'
    with pytest.raises(RecordError, match=r"line 2: .* a knock needs at least 5 cards in the"):
        loads(record)


def test_a_given_order_that_does_not_fit_fails_with_the_line() -> None:
    deck = stacked(["2c 3d 5h 7s 9c", "Ah Ad Kc Kh Qd"], "8d Jk", dealer=1)
    game = Perico(2, seed=0, dealer=1, decks=[deck, "Qs"])
    act(game, "draw stock, discard Jk")
    record = dumps(game).replace('"Qs"', '"Ah"')
    with pytest.raises(RecordError, match=r"line 3: decks\[1\]: expected only cards that are"):
        loads(record)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_record_or_an_error(data: bytes) -> None:
    with pytest.raises(RecordError):
        loads(data)


@given(st.integers(0, 2000), st.integers(0, 255))
def test_a_record_with_any_byte_changed_is_read_or_refused(place: int, byte: int) -> None:
    record = bytearray(RECORD)
    record[place % len(record)] = byte
    try:
        game = loads(bytes(record))
    except RecordError:
        return
    assert state(loads(dumps(game))) == state(game)


RECORD = dumps(played(GAMES[3], 5)).encode()


# --- files ---


def test_a_file_leads_back_to_the_game(tmp_path: Path) -> None:
    game = played(GAMES[3], 1)
    write(game, tmp_path / "game.jsonl")
    assert state(read(tmp_path / "game.jsonl")) == state(game)
    write(game, str(tmp_path / "game.jsonl"))
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]
    assert b"\r" not in (tmp_path / "game.jsonl").read_bytes()


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    write(played(GAMES[0], 1), path)
    before = path.read_bytes()

    def fail(number: int) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space left"):
        write(played(GAMES[0], 2), path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_file_that_is_missing_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "game.jsonl")
    for name in ("nowhere/game.jsonl", "", ".", "..", "/", "x\0y"):
        path = str(tmp_path / name) if name.startswith("nowhere") else name
        with pytest.raises(OSError) as caught:
            write(Perico(2, seed=1), path)
        assert caught.value.filename == path


def test_a_record_error_keeps_its_line_when_pickled() -> None:
    error = pickle.loads(pickle.dumps(RecordError("x", line=3)))
    assert (str(error), error.line) == ("line 3: x", 3)
