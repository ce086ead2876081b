"""The commands for whole games: simulate, replay, play."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from wildrank.cli.app import app
from wildrank.games import game_types, records
from wildrank.games.base import Game
from wildrank.games.players import GreedyPlayer, RandomPlayer

GAMES: list[tuple[str, int, dict[str, Any], list[str]]] = [
    ("perico", 2, {}, []),
    ("perico", 3, {"play": "stock", "points": 2}, ["--play", "stock", "--points", "2"]),
    ("perico", 2, {"auto_declare": False, "points": 1}, ["--no-auto-declare", "--points", "1"]),
    ("six-card-perico", 2, {"points": 2}, ["--points", "2"]),
    ("puck", 2, {"ante": 1, "cut": True}, ["--ante", "1", "--cut"]),
    ("puck", 4, {"max_rounds": 5}, ["--max-rounds", "5"]),
    ("paiute", 2, {"deals": 3}, ["--deals", "3"]),
    ("paiute", 3, {"deals": 2, "last_turns": "all"}, ["--deals", "2", "--last-turns", "all"]),
]


def run(*arguments: object, lines: Sequence[str] = ()) -> Result:
    text = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(app, list(map(str, arguments)), input=text)


def scripted(name: str, players: int, options: dict[str, Any]) -> tuple[Game[Any], list[str]]:
    """Play a game as the command will, and write down what the person in seat 0 types."""
    game = game_types()[name](players=players, seed=11, **options)
    person, lines = RandomPlayer(seed=3), []
    while not game.is_over:
        seen, legal = game.observation(game.current_player), game.legal_actions()
        if game.current_player == 0:
            action = person.choose(seen, legal)
            lines.append(str(action))
        else:
            action = GreedyPlayer().choose(seen, legal)
        game.apply(action)
    return game, lines


@pytest.mark.parametrize(("name", "players", "options", "arguments"), GAMES)
def test_a_whole_game_is_played_kept_and_replayed(
    tmp_path: Path, name: str, players: int, options: dict[str, Any], arguments: list[str]
) -> None:
    game, lines = scripted(name, players, options)
    record = tmp_path / "game.jsonl"
    result = run(
        "play",
        name,
        "--players",
        players,
        "--seed",
        11,
        *arguments,
        "--record",
        record,
        lines=lines,
    )
    assert result.exit_code == 0
    assert "The game is over" in result.stdout
    assert record.read_text() == records.dumps(game)
    replayed = run("replay", record)
    assert replayed.exit_code == 0
    assert replayed.stdout.count("player 0: ") >= len(lines)
    assert replayed.stdout.count("The round ends") == len(game.rounds)
    assert result.stdout.splitlines()[-2:] == replayed.stdout.splitlines()[-2:]


def test_quitting_and_resuming_gives_the_same_game(tmp_path: Path) -> None:
    game, lines = scripted("puck", 3, {})
    record = tmp_path / "game.jsonl"
    start = ["play", "puck", "--players", "3", "--seed", "11", "--record", record]
    half = len(lines) // 2
    assert "The game is not over" in run(*start, lines=[*lines[:half], "quit"]).stdout
    assert not records.read(record).is_over
    resumed = run("play", "puck", "--resume", record, lines=lines[half:])
    assert "The game is over" in resumed.stdout
    assert record.read_text() == records.dumps(game)


def test_the_end_of_input_quits(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    result = run("play", "perico", "--seed", 5, "--record", record)
    assert result.exit_code == 0
    assert "The game is not over" in result.stdout
    assert records.read(record).history == ()


def test_wrong_actions_are_answered_and_asked_again() -> None:
    lines = ["", "dance", "knock", "draw stock, discard 2z", "help", "draw stock", "knock", "quit"]
    result = run("play", "perico", "--seed", 5, lines=lines)
    assert result.exit_code == 0
    assert result.stdout.count("That is not possible: ") == 4
    assert "take 1, discard" in result.stdout
    assert "  you: draw stock" in result.stdout


def test_two_actions_in_one_line() -> None:
    result = run("play", "perico", "--seed", 5, lines=["draw stock, discard 4c", "quit"])
    assert "  you: draw stock" in result.stdout
    assert "  you: discard 4c" in result.stdout


def test_a_person_sees_only_the_own_hand() -> None:
    game = game_types()["perico"](players=2, seed=5)
    result = run("play", "perico", "--seed", 5, lines=["help", "quit"])
    others = [str(card) for card in game.observation(1 - game.current_player).hand]
    assert game.current_player == 0
    assert not any(card in result.stdout for card in others if card != "Jk")


def test_simulate_is_the_same_for_any_number_of_workers() -> None:
    arguments = ["simulate", "puck", "--players", "greedy,random", "--games", "40", "--seed", "2"]
    one, two = run(*arguments), run(*arguments, "--workers", "2")
    assert one.exit_code == two.exit_code == 0
    assert one.stdout == two.stdout
    assert "40 games" in one.stdout


@pytest.mark.parametrize("name", list(game_types()))
def test_simulate_every_game(name: str) -> None:
    result = run("simulate", name, "--players", "greedy, random", "--games", 5)
    assert result.exit_code == 0
    assert "GreedyPlayer" in result.stdout
    assert "95 % interval" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "poker"], "expected a game (perico, six-card-perico, puck, paiute)"),
        (["simulate", "puck", "--play", "pile"], "puck: expected an option"),
        (["simulate", "puck", "--players", "greedy,me"], "--players: expected greedy or random"),
        (["simulate", "puck", "--players", "greedy"], "players"),
        (["simulate", "puck", "--games", "0"], "games"),
        (["simulate", "puck", "--workers", "0"], "workers"),
        (["simulate", "puck", "--seed", "-1"], "seed"),
        (["play", "perico", "--players", "7"], "players"),
        (["play", "perico", "--seat", "2"], "--seat: expected 0 to 1, got 2"),
        (["play", "paiute", "--last-turns", "none"], "last_turns"),
        (["play", "perico", "--resume", "missing.jsonl"], "missing.jsonl: No such file"),
        (["replay", "missing.jsonl"], "missing.jsonl: No such file"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_damaged_records_are_named_by_line(tmp_path: Path) -> None:
    game, _ = scripted("perico", 2, {"points": 1})
    lines = records.dumps(game).splitlines()
    record = tmp_path / "game.jsonl"
    for number in (1, 2, len(lines)):
        damaged = [*lines[: number - 1], "{}", *lines[number:]]
        record.write_text("\n".join(damaged))
        result = run("replay", record)
        assert result.exit_code == 2
        assert f"line {number}: " in result.stderr


def test_a_record_of_another_game_is_not_resumed(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    records.write(game_types()["puck"](players=2, seed=1), record)
    result = run("play", "perico", "--resume", record)
    assert result.exit_code == 2
    assert "expected a game of perico, got one of puck" in result.stderr
