"""The commands for whole games: play, simulate and replay."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from game_table import act, stacked
from typer.testing import CliRunner, Result

from wildrank.cli.app import app
from wildrank.cli.menu import choices
from wildrank.cli.screen import status
from wildrank.cli.words import Narrator
from wildrank.games import game_types, records
from wildrank.games.actions import Action, Call, Cut, Discard, Exchange, Steal, Take
from wildrank.games.base import Game
from wildrank.games.paiute import Paiute
from wildrank.games.perico import Perico
from wildrank.games.players import GreedyPlayer, RandomPlayer
from wildrank.games.puck import Puck

PROGRAM = [sys.executable, "-c", "from wildrank.cli import main; main()"]
posix_only = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX terminal")

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("perico", 2, {}),
    ("perico", 6, {"points": 1, "natural_five_of_a_kind": True, "dealer": 2}),
    ("perico", 3, {"play": "stock", "points": 2}),
    ("perico", 2, {"auto_declare": False, "points": 2}),
    ("six-card-perico", 2, {"points": 2}),
    ("six-card-perico", 5, {"points": 1, "play": "stock", "auto_declare": False}),
    ("puck", 2, {"ante": 1, "cut": True, "jokers": 0, "max_rounds": 9}),
    ("puck", 3, {"direction": "counter-clockwise", "ace": "both"}),
    ("puck", 4, {"max_rounds": 5}),
    ("paiute", 2, {"deals": 2, "ante": 3}),
    ("paiute", 3, {"deals": 2, "last_turns": "all", "ace": "both"}),
    ("paiute", 5, {"deals": 2, "max_turns": 7}),
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object, lines: Sequence[str] = (), data: bytes | None = None) -> Result:
    """Run the command in this process; an exception that is no exit is an error of the test."""
    text = "".join(f"{line}\n" for line in lines).encode() if data is None else data
    result = CliRunner().invoke(app, list(map(str, arguments)), input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def done(*arguments: object, lines: Sequence[str] = ()) -> str:
    """Run a command that must succeed, and return its output."""
    result = run(*arguments, lines=lines)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def refused(*arguments: object, lines: Sequence[str] = ()) -> str:
    """Run a command that must fail, and return the line with its error."""
    result = run(*arguments, lines=lines)
    assert result.exit_code == 2, result.stdout
    assert "Traceback" not in result.stderr
    return result.stderr.splitlines()[-1].removeprefix("Error: ")


def flags(options: dict[str, Any]) -> list[str]:
    """Return the command-line options for the options of a game."""
    found = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if value is True:
            found.append(f"--{flag}")
        elif value is False:
            found.append(f"--no-{flag}")
        else:
            found += [f"--{flag}", str(value)]
    return found


# --- a person who types ---


def in_full(game: Game[Any], action: Action) -> list[str]:
    """Type an action as its text says."""
    return [str(action)]


def by_number(game: Game[Any], action: Action) -> list[str]:
    """Choose from the menu, and answer the questions."""
    for number, entry in enumerate(choices(game), start=1):
        if entry.action == action:
            return [str(number)]
        if entry.action is None and isinstance(action, entry.kind):
            return [str(number), *answers(game, action)]
    return [str(action)]  # another joker


def answers(game: Game[Any], action: Action) -> list[str]:
    match action:
        case Cut(count):
            return [str(count)]
        case Take(cards) | Exchange(cards):
            return [" ".join(str(Discard(card)).removeprefix("discard ") for card in cards)]
        case Steal(takes, cards):
            named = " ".join(str(Discard(card)).removeprefix("discard ") for card in cards)
            if game.players == 2:
                return [named]
            if len(takes) == 1:
                return [named, str(takes[0][1])]
            return [named, ", ".join(f"{count} from {player}" for count, player in takes)]
    raise AssertionError(action)


def in_short(game: Game[Any], action: Action) -> list[str]:
    """Type no more than is needed, in other letters and symbols."""
    if isinstance(action, Discard):
        return [str(action).removeprefix("discard ").upper().replace("S", "♠")]
    forms = [entry.form for entry in choices(game)]
    text = str(action)
    if text in forms:
        short = next(
            text[:end]
            for end in range(1, len(text) + 1)
            if sum(form.startswith(text[:end]) for form in forms) == 1 or end == len(text)
        )
        return [short.upper()] if short not in ("q", "h") else [text]
    return [f"  {text.upper()} "]


def scripted(name: str, players: int, options: dict[str, Any], type_in: Any = in_full) -> Any:
    """Play a game as the command will, and write down what the person in seat 0 types."""
    game = game_types()[name](players=players, seed=11, **options)
    person, lines = RandomPlayer(seed=3), []
    while not game.is_over:
        seen, legal = game.observation(game.current_player), game.legal_actions()
        if game.current_player == 0:
            action = person.choose(seen, legal)
            lines += type_in(game, action)
        else:
            action = GreedyPlayer().choose(seen, legal)
        game.apply(action)
    return game, lines


# --- play: whole games ---


@pytest.mark.parametrize("type_in", [in_full, by_number, in_short])
@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_a_whole_game_is_played_kept_and_replayed(
    name: str, players: int, options: dict[str, Any], type_in: Any
) -> None:
    game, lines = scripted(name, players, options, type_in)
    start = ["play", name, "--players", players, "--seed", 11, *flags(options)]
    text = done(*start, "--record", "game.jsonl", lines=lines)
    assert "The game is over" in text
    assert "not possible" not in text
    assert len(re.findall("^(?:Round|Deal) [0-9]+ is over", text, re.M)) == len(game.rounds)
    assert Path("game.jsonl").read_text() == records.dumps(game)
    replayed = done("replay", "game.jsonl")
    assert len(re.findall("^ +[0-9]+  player", replayed, re.M)) == len(game.history)
    assert replayed.splitlines()[-1] == f"{len(game.history)} actions checked."


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_another_seat(name: str, players: int, options: dict[str, Any]) -> None:
    seat = players - 1
    start = ["play", name, "--players", players, "--seat", seat, "--seed", 4, *flags(options)]
    text = done(*start, lines=["1"] * 20)
    assert f"you are player {seat}, against player 0" in text
    assert f"player {seat} " not in text


def card_names(text: str) -> set[str]:
    """Return the cards in a text, but for those that wild cards stand for."""
    text = re.sub(r" as [2-9TJQKA][cdhs]\b", "", text)
    return set(re.findall(r"\b[2-9TJQKA][cdhs]\b", text))


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_a_person_sees_only_what_the_person_may_know(
    name: str, players: int, options: dict[str, Any]
) -> None:
    game = game_types()[name](players=players, seed=11, **options)
    known: set[str] = set()
    lines: list[str] = []
    while not game.rounds and not game.is_over:
        known |= card_names(str(game.observation(0)._replace(evaluator=None, last_round=None)))
        if game.current_player == 0:
            lines += ["help", "hand", "pile"]
            action = RandomPlayer(len(lines)).choose(game.observation(0), game.legal_actions())
            lines.append(str(action))
        else:
            action = GreedyPlayer().choose(
                game.observation(game.current_player), game.legal_actions()
            )
        game.apply(action)
    start = ["play", name, "--players", players, "--seed", 11, *flags(options)]
    text = done(*start, lines=lines).partition(" is over after")[0]
    lots = {str(card) for draws in getattr(game, "direction_draws", ()) for _, card in draws}
    player, action = game.history[-1]
    last = card_names(str([action, game.rounds[0].hands[0]]))
    if isinstance(action, Call):
        last |= card_names(str(game.rounds[0].hands[player]))
    assert len(known & card_names(text)) >= 3
    assert card_names(text) <= known | lots | last


# --- play: quitting and going on ---


@pytest.mark.parametrize(("name", "players", "options"), GAMES[::3])
def test_quitting_and_resuming_gives_the_same_game(
    name: str, players: int, options: dict[str, Any]
) -> None:
    game, lines = scripted(name, players, options)
    start: list[Any] = ["play", name, "--players", players, "--seed", 11, *flags(options)]
    start += ["--record", "game.jsonl"]
    for number in range(0, len(lines), 5):
        text = done(*start, lines=[*lines[number : number + 5], "quit"])
        start = ["play", *[name] * (number % 2), "--resume", "game.jsonl"]
        if number + 5 < len(lines):
            assert "to go on: wildrank play --resume game.jsonl" in text
    text = done(*start)
    assert "The game is over" in text
    assert "to see it again: wildrank replay game.jsonl" in text
    assert Path("game.jsonl").read_text() == records.dumps(game)


def test_a_resumed_game_is_kept_in_its_file_or_another() -> None:
    done("play", "puck", "--seed", 1, "--record", "a.jsonl", lines=["keep", "quit"])
    before = Path("a.jsonl").read_text()
    done("play", "--resume", "a.jsonl", "--record", "b.jsonl", lines=["keep", "quit"])
    assert Path("a.jsonl").read_text() == before
    assert Path("b.jsonl").read_text().startswith(before)
    done("play", "--resume", "a.jsonl", "--record", "a.jsonl", lines=["keep", "quit"])
    assert Path("a.jsonl").read_text() == Path("b.jsonl").read_text()


def test_the_end_of_input_quits() -> None:
    text = done("play", "perico", "--seed", 5, "--seat", 1, "--record", "game 1.jsonl")
    assert "The game is not over." in text
    assert "wildrank play --resume 'game 1.jsonl' --seat 1" in text
    assert not records.read("game 1.jsonl").is_over


def test_quitting_offers_to_keep_the_game() -> None:
    start = ["play", "perico", "--seed", 5]
    Path("there.jsonl").touch()
    text = done(*start, lines=["draw stock", "quit", "there.jsonl", "no/where", "game.jsonl"])
    assert "A file to keep the game in, or Enter for none> there.jsonl" in text
    assert "there.jsonl: the file exists already" in text
    assert "no/where: No such file" in text
    assert len(records.read("game.jsonl").history) >= 1
    assert "kept" not in done(*start, lines=["draw stock", "quit", ""])
    assert "kept" not in done(*start, lines=["draw stock", "quit", "quit"])
    assert "to keep the game" not in done("play", "puck", "--seed", 5, "--seat", 1, lines=["quit"])


def test_saving_in_the_middle() -> None:
    lines = ["save", "save -", "save game.jsonl", "draw stock", "save .", "save game.jsonl"]
    text = done("play", "perico", "--seed", 5, lines=lines)
    assert text.count("Which file? For example: save game.jsonl") == 2
    assert ".: the file exists already" in text
    assert text.count("The game is kept in game.jsonl") == 3
    assert records.read("game.jsonl").phase == "discard"


def test_a_game_is_kept_at_every_turn() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "play", "perico", "--seed", "5", "--record", "game.jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write("draw stock\n")
    process.stdin.flush()
    wait_for(lambda: Path("game.jsonl").exists() and "draw stock" in Path("game.jsonl").read_text())
    process.kill()
    process.communicate()
    assert records.read("game.jsonl").phase == "discard"


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- play: what is typed ---


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["dance"], "expected an action such as 'draw stock'"),
        (["knock"], "a knock needs at least 5 cards in the discard pile, which holds 1"),
        (["keep"], "a hand can be kept only after another player's knock"),
        (["0"], "expected a number from 1 to 2, got 0"),
        (["99"], "expected a number from 1 to 2, got 99"),
        (["2", "2z"], "expected a card"),
        (["2", "2c"], "only cards in the hand can be discarded, not 2c"),
        (["take 2, discard 7d"], "expected as many discards as cards taken"),
        (["draw stock, discard 2z"], "expected an action such as"),
        (["draw stock, discard 2c"], "only a card in the hand can be discarded"),
        (["draw stock", "9z"], "expected an action such as"),
        (["discard 7d"], "in the phase 'turn' one of the actions"),
        (["exchange 7h"], "cards can be exchanged with the stock only with play='stock'"),
        (["²"], "expected an action such as"),
        (["x" * 5000], "expected an action such as"),
    ],
)
def test_wrong_actions_are_answered_and_asked_again(lines: list[str], reason: str) -> None:
    text = done("play", "perico", "--seed", 5, "--dealer", 1, lines=[*lines, "quit"])
    assert f"That is not possible: {reason}" in text
    assert "player 0:" not in text
    assert "Type 'help' to see what is." in text


def test_nothing_typed_is_asked_again() -> None:
    text = done("play", "perico", "--seed", 5, "--dealer", 1, lines=["", "  ", "2", "", "quit"])
    assert "not possible" not in text
    assert text.count("> ") == 5


def test_questions_for_a_theft() -> None:
    start = ["play", "puck", "--players", 3, "--seed", 5, "--direction", "clockwise"]
    game = game_types()["puck"](players=3, seed=5, direction="clockwise", dealer=2)
    first, second, _ = map(str, game.observation(0).hand)
    lines = ["steal", f"{first} {second}", "0", "2", f"{first}, {second}", "1 from 1, 1 from 2"]
    text = done(*start, "--dealer", 2, lines=lines)
    assert "Take 2 cards from which player, 1 or 2 (or such as: 1 from 1, 1 from 2)> 0" in text
    assert "That is not possible: cards are taken from the hands of other players" in text
    assert re.search(rf"You discard [^.]*{first}[^.]* and steal \w+ from player 1 and \w+", text)


def test_nothing_happens_after_the_end_of_the_turn() -> None:
    game = game_types()["perico"](players=2, seed=5, dealer=1)
    card = game.observation(0).hand[0]
    line = f"draw stock, discard {card}, draw stock, knock"
    text = done("play", "perico", "--seed", 5, "--dealer", 1, lines=[line, "quit", "game.jsonl"])
    assert "Your turn is over: draw stock is left out." in text
    history = records.read("game.jsonl").history
    assert [str(move.action) for move in history[:2]] == ["draw stock", f"discard {card}"]
    assert history[2].player == 1


def test_help_explains_what_is_legal() -> None:
    text = done("play", "perico", "--seed", 5, "--dealer", 1, lines=["?", "draw stock", "help"])
    assert "draw the top of the stock, then discard a card" in text
    assert "for example: take 1, discard " in text
    assert "A card alone is enough to discard it." in text
    assert "save FILE" in text


def test_hand_and_pile() -> None:
    lines = ["hand", "pile", "draw stock", "hand"]
    text = done("play", "perico", "--seed", 5, "--dealer", 1, lines=lines)
    assert re.search(r"It beats \d+\.\d% of all hands that can be dealt\.", text)
    assert re.search(r"^Top first: \w\w$", text, re.M)
    assert re.search(r"without \w+: \w+", text)
    text = done("play", "puck", "--seed", 5, "--direction", "clockwise", lines=["pile"])
    assert re.search("^(?:Empty.|Top first: .*)$", text, re.M)


def test_bytes_that_are_no_text() -> None:
    result = run("play", "perico", "--seed", 5, "--dealer", 1, data=b"\xff\xfe\x00\x1b[2J\nquit\n")
    assert result.exit_code == 0
    assert "That is not possible: expected an action such as" in result.stdout


def test_a_dealt_hand_that_ends_the_round_is_told() -> None:
    deck = stacked(["As Ks Qs Js Ts", "2c 3d 5h 7s 9c"], dealer=1)
    game = Perico(players=2, seed=1, dealer=1, decks=[deck], points=2)
    records.write(game, "game.jsonl")
    for text in (done("play", "--resume", "game.jsonl"), done("replay", "game.jsonl")):
        assert "Round 1 is over after 0 turns: a hand that ends the round was dealt." in text
        assert "royal flush (A)" in text
        assert "--- Round 2, " in text


@posix_only
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_terminal(encoding: str) -> None:
    import pty

    leader, follower = pty.openpty()
    command = [*PROGRAM, "play", "perico", "--seed", "5", "--dealer", "1", "--record", "g.jsonl"]
    environment = os.environ | {"TERM": "xterm-256color", "PYTHONIOENCODING": encoding}
    environment = {name: environment[name] for name in environment if name != "NO_COLOR"}
    process = subprocess.Popen(
        command,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment,
    )
    os.close(follower)
    os.write(leader, b"draw stock\n")
    text = read_terminal(leader, until="6 .*discard[^>]*> ")
    process.send_signal(signal.SIGINT)
    text += read_terminal(leader, interrupt=process)
    os.close(leader)
    assert process.wait(timeout=20) == 0
    assert "The game is kept in g.jsonl" in text
    assert ("♠" in text) == (encoding == "utf-8")
    assert "\x1b[31m" in text
    assert "Traceback" not in text


def read_terminal(
    leader: int, until: str = "", interrupt: "subprocess.Popen[bytes] | None" = None
) -> str:
    """Return what is printed up to a pattern, or to the end.

    A signal that comes just before a program begins to wait for input is noticed with the next
    one only: a process given as `interrupt` that stays quiet is interrupted again.
    """
    text = b""
    quiet = 0
    while not (until and re.search(until.encode(), text, re.DOTALL)):
        if not select.select([leader], [], [], 3)[0]:
            quiet += 1
            assert quiet < 10, text
            if interrupt is not None:
                interrupt.send_signal(signal.SIGINT)
            continue
        try:
            part = os.read(leader, 65536)
        except OSError:
            break  # the other end is closed
        if not part:
            break
        text += part
    return text.decode(errors="replace")


# --- words ---


def told(game: Game[Any], *actions: str, viewer: int | None = None) -> list[str]:
    """Return what a narrator says about actions and what they bring about."""
    return list(_told(game, actions, viewer))


def _told(game: Game[Any], actions: Sequence[str], viewer: int | None) -> Iterator[str]:
    narrator = Narrator(game, viewer)
    for text in actions:
        for action in game.parse(text):
            player = game.current_player
            game.apply(action)
            yield f"{narrator.name(player)} {narrator.tell_move()}"
            for each in narrator.tell_outcome():
                yield from [each] if isinstance(each, str) else each.values()


def two_players(**options: Any) -> Perico:
    deck = stacked(["2c 4d 6h 8s Tc", "3c 5d 7h 9s Jc"], "Qc Kd Ah", dealer=1)
    return Perico(players=2, seed=1, dealer=1, decks=[deck], **options)


def test_drawing_is_told_to_the_drawer_alone() -> None:
    moves = ["draw stock, discard 2c", "take 1, discard 3c"]
    assert told(two_players(), *moves, viewer=0) == [
        "you draw Kd from the stock",
        "you discard 2c",
        "player 1 takes 2c from the pile and discards 3c",
    ]
    assert told(two_players(), *moves, viewer=1)[0] == "player 0 draws a card from the stock"
    assert told(two_players(), *moves)[0] == "player 0 draws Kd from the stock"


def test_a_joker_on_top_is_told() -> None:
    deck = stacked(["2c 4d 6h 8s Jk", "3c 5d 7h 9s Jc"], "Qc Kd Ah", dealer=1)
    game = Perico(players=2, seed=1, dealer=1, decks=[deck])
    *_, shuffle = told(game, "draw stock, discard Jk")
    turned_up = game.observation(0).pile[-1]
    assert shuffle == f"Stock and pile are shuffled together; {turned_up} is turned up."
    game = Perico(players=2, seed=1, dealer=1, decks=[deck], play="stock")
    assert told(game, "draw stock, discard Jk")[-1] == "player 0 discards Jk"


def test_a_new_stock_is_told() -> None:
    game = Perico(players=2, seed=1)
    said: list[str] = []
    narrator = Narrator(game)
    while not said and not game.rounds:
        legal = game.legal_actions()
        game.apply(legal[0])
        narrator.tell_move()
        said += [each for each in narrator.tell_outcome() if isinstance(each, str)]
        said = [each for each in said if "shuffled into" in each]
    assert said == ["The pile is shuffled into a new stock."]


def test_exchanges_are_told_to_the_drawer_alone() -> None:
    assert told(two_players(play="stock"), "exchange 2c 4d", viewer=0) == [
        "you discard 2c 4d and draw Kd Ah from the stock"
    ]
    assert told(two_players(play="stock"), "exchange 2c 4d", viewer=1) == [
        "player 0 discards 2c 4d and draws as many from the stock"
    ]


def test_playing_on_with_an_ending_hand_is_told() -> None:
    deck = stacked(["As Ks Qs Js Ts", "2c 3d 5h 7s 9c", "2d 4c 5s 7h 9h"], dealer=2)
    game = Perico(players=3, seed=1, dealer=2, decks=[deck], auto_declare=False)
    assert told(game, "draw stock") == [
        "player 0 plays on with a hand that ends the round, and is out"
    ]
    game = Perico(
        players=2,
        seed=1,
        dealer=1,
        decks=[stacked(["As Ks Qs Js Ts", "2c 3d 5h 7s 9c"], dealer=1)],
        auto_declare=False,
    )
    said = told(game, "draw stock")
    assert said[0] == "player 0 plays on with a hand that ends the round, and is out"
    assert "Round 1 is over after 1 turn: only one player is left in it." in said
    assert "Ts Js Qs Ks As" not in said
    assert any("out of the round" in each for each in said)
    assert "Player 1 wins the round." in said


def test_declaring_is_told() -> None:
    deck = stacked(["As Ks Qs Js Ts", "2c 3d 5h 7s 9c"], dealer=1)
    game = Perico(players=2, seed=1, dealer=1, decks=[deck], auto_declare=False)
    said = told(game, "declare", viewer=0)
    assert said[0] == "you declare a hand that ends the round"
    assert "You win the round." in said
    assert said[-1] == "Points: you 1, player 1 0."


def test_knocks_and_ties_are_told() -> None:
    hands = ["2c 4d 6h 8s Tc", "2d 4c 6s 8h Td"]
    game = Perico(
        players=2, seed=1, dealer=1, decks=[stacked(hands, "Qc 2h 2s", dealer=1)], play="stock"
    )
    said = told(game, "draw stock, discard 2h", "draw stock, discard 2s", "knock")
    assert "Round 1 is over after 3 turns: player 0 knocked." in said
    assert "Player 0 and player 1 tie: nobody scores." in said


def test_thefts_are_told_to_thief_and_victim_alone() -> None:
    deck = stacked(["2c 4d 6h", "3c 5d 7h", "9c Td Jh"], dealer=2)
    options: dict[str, Any] = {"players": 3, "dealer": 2, "decks": [deck], "jokers": 0}
    moves = "steal 1 from 1, discard 2c"
    for viewer, told_card in ((None, True), (0, True), (1, True), (2, False)):
        game = Puck(seed=1, direction="clockwise", **options)
        (said,) = told(game, moves, viewer=viewer)
        stolen = game.observation(0).hand[-1]
        assert said.endswith((f"{stolen if told_card else '1 card'} from player 1", "from you"))
        assert (str(stolen) in said) == told_card


def test_pots_are_told() -> None:
    deck = stacked(["2c 4d 6h 8s Tc", "3c 5d 7h 9s Jc"], "Qc Kd Ah As", dealer=1)
    game = Paiute(players=2, seed=3, deals=2, max_turns=1, ante=2, dealer=1, decks=[deck])
    said = told(game, "draw stock, discard Ah")
    assert "Deal 1 is over after 1 turn: nobody called." in said
    assert "The pot of 4 stays for the next deal." in said
    assert said[-1] == "Chips: player 0 -4, player 1 -4; 8 in the pot."
    card = game.observation(1).hand[0]
    assert told(game, f"draw pile, discard {card}")[-1] == "The pot of 8 goes back to all."

    deck = stacked(["As Ks Qs Js 3c", "Ah Kh Qh Jh 3d"], "2c 9d Ts Th", dealer=1)
    game = Paiute(players=2, seed=3, deals=1, dealer=1, decks=[deck])
    said = told(game, "draw stock", "call, discard 3c", "draw stock", "call, discard 3d", viewer=1)
    assert said[1].startswith("player 0 calls, showing royal flush (A): ")
    assert said[1].endswith(" and discarding 3c")
    assert said[2] == "you draw Th from the stock"
    assert "Deal 1 is over after 2 turns: player 0 called." in said
    assert said[-1] == "Player 0 and you share the pot of 2."
    assert list(Narrator(game).tell_state()) == [
        "The game is over: player 0 and player 1 share the victory.",
        "Chips: player 0 0, player 1 0.",
    ]


def test_hands_of_paiute_are_told_as_they_are_shown() -> None:
    deck = stacked(["Kc Kd Kh 2d 9s", "Ac Ad Ah As 4d"], "2s 3s 2c 4s", dealer=1)
    game = Paiute(players=2, seed=3, deals=1, dealer=1, decks=[deck])
    said = told(game, "draw stock", "call")
    assert said[1].startswith("player 0 calls, showing four two (K, 9): ")
    act(game, "draw stock")
    facts = status(game, 1, Narrator(game, 1))
    assert facts["To beat"].startswith("four two (K, 9)")
    said = told(game, "call")
    assert sum("four two" in each for each in said) == 3
    assert not any("five of a kind" in each for each in said)


def test_hands_that_nobody_called_are_not_told() -> None:
    game = Paiute(players=2, seed=3, deals=1, max_turns=1, dealer=1)
    discard = f"discard {game.observation(0).hand[0]}"
    said = told(game, "draw stock", discard)
    assert not card_names(" ".join(said[2:]))


def test_chips_of_puck_are_told() -> None:
    game = Puck(players=2, seed=1, direction="clockwise", dealer=0, ante=2, max_rounds=1)
    said = told(game, "keep", "keep")
    assert "Round 1 is over after 2 turns: all hands are shown." in said
    assert len(list(Narrator(game).tell_state())) == 3


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_every_game_can_be_told(
    name: str, players: int, options: dict[str, Any], seed: int
) -> None:
    game = game_types()[name](players=players, seed=seed, **options)
    narrator, person = Narrator(game, seed % players), RandomPlayer(seed)
    rounds = 0
    while not game.is_over:
        game.apply(person.choose(game.observation(game.current_player), game.legal_actions()))
        assert narrator.tell_move()
        for each in narrator.tell_outcome():
            rounds += isinstance(each, str) and " is over after " in each
    assert rounds == len(game.rounds)


# --- simulate ---


def test_simulate_is_the_same_for_any_number_of_workers() -> None:
    arguments = ["simulate", "puck", "--players", "greedy,random", "--games", "40", "--seed", "2"]
    one, two = done(*arguments), done(*arguments, "--workers", "2")
    assert one == two
    assert re.search("^games +40 *$", one, re.M)
    assert done(*arguments) == one
    assert done(*arguments[:-1], "3") != one


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_simulate_every_game(name: str, players: int, options: dict[str, Any]) -> None:
    seats = ", ".join(["greedy", "random"] * 3)[: 8 * players - 2]
    text = done("simulate", name, "--players", seats, "--games", 4, *flags(options))
    assert "95 % interval" in text
    rows = re.findall(r"^ +(\d) +(greedy|random) +([\d.]+)", text, re.M)
    assert [int(seat) for seat, _, _ in rows] == list(range(players))
    assert sum(float(wins) for _, _, wins in rows) == pytest.approx(4, abs=0.3)


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_simulate_writes_its_results_to_standard_output(here: Path, output: str) -> None:
    result = run("simulate", "perico", "--games", 3, "-o", output)
    assert json.loads(result.stdout)["games"] == 3
    assert "endings" in result.stderr
    assert list(here.iterdir()) == []


def test_simulate_writes_its_results() -> None:
    start = ["simulate", "puck", "--games", 20, "--seed", 2, "--ante", 1]
    text = done(*start, "-o", "results.json")
    results = json.loads(Path("results.json").read_text())
    assert results["game"] == "puck"
    assert results["options"]["ante"] == 1
    assert results["players"] == ["greedy", "random"]
    assert (results["games"], results["seed"]) == (20, 2)
    assert sum(results["wins"]) == pytest.approx(20)
    assert sum(results["endings"].values()) == results["rounds"]
    for (low, high), rate in zip(results["intervals"], results["win_rates"], strict=True):
        assert low <= rate <= high
        assert f"{rate:.1%}" in text
    assert [path.name for path in Path().iterdir()] == ["results.json"]


# --- replay ---


def test_replay_of_an_unfinished_game() -> None:
    game, _ = scripted("perico", 2, {"points": 1})
    lines = records.dumps(game).splitlines()
    for number in (1, 2, len(lines) - 2):
        Path("game.jsonl").write_text("\n".join(lines[:number]))
        text = done("replay", "game.jsonl")
        assert "The game is not over." in text
        assert f"{number - 1} action{'s' * (number != 2)} checked." in text


def test_replay_of_standard_input() -> None:
    game, _ = scripted("puck", 2, {})
    text = done("replay", "-", lines=records.dumps(game).splitlines())
    assert "The game is over" in text
    Path("game.jsonl").write_text(records.dumps(game))
    assert done("replay", "game.jsonl") == text
    assert "standard input, line 1: " in refused("replay", "-")


def test_damaged_records_are_named_by_line() -> None:
    game, _ = scripted("perico", 2, {"points": 1})
    lines = records.dumps(game).splitlines()
    for number in range(1, len(lines) + 1):
        for damage in ("{}", '{"player": 0, "action": "dance"}', "\x00", lines[number - 1][:-1]):
            damaged = [*lines[: number - 1], damage, *lines[number:]]
            Path("game.jsonl").write_text("\n".join(damaged))
            assert f"game.jsonl, line {number}: " in refused("replay", "game.jsonl")
            if number == 2:
                assert "game.jsonl, line 2: " in refused("play", "--resume", "game.jsonl")


# --- wrong usage ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate"], "Missing argument 'GAME'."),
        (["simulate", "poker"], "expected a game (perico, six-card-perico, puck, paiute)"),
        (
            ["simulate", "puck", "--play", "pile"],
            "game 'puck': expected an option (--jokers, --ace, --direction",
        ),
        (
            ["simulate", "perico", "--jokers", "2"],
            "game 'perico': expected an option (--play, --auto-declare",
        ),
        (["simulate", "puck", "--players", "greedy,me"], "'--players': expected greedy or random"),
        (["simulate", "puck", "--players", ""], "'--players': expected greedy or random"),
        (["simulate", "puck", "--players", "greedy"], "players to be an int from 2 to 4, got 1"),
        (["simulate", "puck", "--games", "0"], "games to be an int of at least 1, got 0"),
        (["simulate", "puck", "--games", "many"], "Invalid value for '--games'"),
        (["simulate", "puck", "--workers", "0"], "workers to be an int of at least 1, got 0"),
        (["simulate", "puck", "--seed", "-1"], "seed to be an int of at least 0, got -1"),
        (
            ["simulate", "puck", "-o", "out.csv"],
            "'--output': expected a .json file or -, got 'out.csv'",
        ),
        (["simulate", "puck", "-o", "no/out.json"], "no/out.json: No such file"),
        (["play"], "Invalid value for GAME: needed, unless --resume names a game"),
        (["play", "--points", "3"], "the options of a game need GAME"),
        (["play", "poker"], "expected a game (perico, six-card-perico, puck, paiute)"),
        (["play", "perico", "--players", "7"], "players to be an int from 2 to 6, got 7"),
        (["play", "perico", "--seat", "2"], "--seat: expected a seat from 0 to 1, got 2"),
        (["play", "perico", "--seed", "-1"], "seed"),
        (["play", "perico", "--dealer", "2"], "dealer to be an int from 0 to 1, got 2"),
        (["play", "perico", "--play", "cards"], "play to be 'pile' or 'stock', got 'cards'"),
        (["play", "perico", "--points", "0"], "points to be an int at least 1, got 0"),
        (["play", "perico", "--ante", "2"], "game 'perico': expected an option"),
        (["play", "perico", "--deals", "2"], "game 'perico': expected an option"),
        (["play", "puck", "--points", "2"], "game 'puck': expected an option"),
        (["play", "puck", "--jokers", "1"], "jokers to be 2 or 0, got 1"),
        (["play", "puck", "--players", "4", "--jokers", "2"], "expected jokers=0 with 4 players"),
        (["play", "puck", "--direction", "up"], "direction to be "),
        (["play", "puck", "--ace", "low"], "ace to be 'high' or 'both', got 'low'"),
        (["play", "puck", "--max-rounds", "0"], "max_rounds to be an int at least 1, got 0"),
        (["play", "paiute", "--last-turns", "none"], "last_turns to be 'dealer' or 'all'"),
        (["play", "paiute", "--no-auto-declare"], "game 'paiute': expected an option"),
        (["play", "paiute", "--cut"], "game 'paiute': expected an option"),
        (["play", "perico", "--record", "there"], "there: the file exists already"),
        (["play", "perico", "--record", "no/where"], "no/where: No such file"),
        (["play", "perico", "--record", "-"], "--record: expected a file, got '-'"),
        (["play", "--resume", "-"], "--resume: expected a file, got '-'"),
        (["play", "perico", "--resume", "missing"], "missing: No such file"),
        (["play", "--resume", "there"], "there, line 1: expected a JSON object"),
        (
            ["play", "perico", "--resume", "puck.jsonl"],
            "expected a game of perico, got one of puck",
        ),
        (["play", "--resume", "puck.jsonl", "--seed", "1"], "the record decides the players"),
        (["play", "--resume", "puck.jsonl", "--players", "2"], "the record decides the players"),
        (["play", "puck", "--resume", "puck.jsonl", "--cut"], "the record decides the players"),
        (["play", "--resume", "puck.jsonl", "--seat", "-1"], "expected a seat from 0 to 1, got -1"),
        (["replay"], "Missing argument 'FILE'."),
        (["replay", "missing"], "missing: No such file"),
        (["replay", "there"], "there, line 1: expected a JSON object"),
        (["replay", "."], ".: "),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    Path("there").touch()
    records.write(game_types()["puck"](players=2, seed=1), "puck.jsonl")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert message in refused(*arguments)
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize("command", ["play", "simulate", "replay"])
def test_help(command: str) -> None:
    text = done(command, "--help")
    assert "Usage: wildrank" in text or "Usage: root" in text
    assert command == "replay" or "--natural-five-of-a-kind" in text


@posix_only
@pytest.mark.parametrize("arguments", [["play", "puck", "--seed", "1"], ["replay", "-"]])
def test_closed_standard_input(arguments: list[str]) -> None:
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM, *arguments], capture_output=True, text=True
    )
    assert ran.returncode == 2
    assert ran.stderr == "Error: standard input: Bad file descriptor\n"


@posix_only
def test_simulate_shows_progress_on_a_terminal() -> None:
    import pty

    leader, follower = pty.openpty()
    code = (
        "import wildrank.cli.display as display; display.SHOW_PROGRESS_AFTER = 0;"
        "from wildrank.cli import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "simulate", "puck", "--games", "300"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(follower)
    shown = read_terminal(leader)
    out, _ = process.communicate(timeout=30)
    os.close(leader)
    assert process.returncode == 0
    assert "300 games" in shown
    assert "100%" in shown
    assert b"\x1b" not in out


def test_a_game_is_not_lost_by_a_name_that_no_file_can_have(here: Path) -> None:
    names = ["x\0y", "x" * 300, "missing/x.jsonl", "."]
    lines = ["draw stock", "1", *(f"save {name}" for name in names), "save good.jsonl", "quit"]
    text = done("play", "perico", "--seed", "3", lines=lines)
    assert "The game is kept in good.jsonl" in text
    assert Path("good.jsonl").exists()


def test_the_end_of_a_long_line_is_no_command_of_its_own() -> None:
    long = "x" * 1000 + "1"
    text = done("play", "perico", "--seed", "3", "--dealer", "1", lines=[long, "quit", ""])
    assert "You draw" not in text
    assert text.count("That is not possible") == 1


@posix_only
@pytest.mark.parametrize(
    ("workers", "seconds"), [(1, 0), (2, 0), (2, 0.05), (3, 0.1), (2, 0.2), (2, 1.5)]
)
def test_an_interrupted_simulation_stops(workers: int, seconds: float) -> None:
    """As a terminal does it: all processes get the signal, while they begin or while they play."""
    command = ["simulate", "puck", "--games", "10000000", "-o", "out.json", "--workers"]
    process = subprocess.Popen(
        [*PROGRAM, *command, str(workers)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(lambda: list(Path().iterdir()))
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert not list(Path().iterdir())
