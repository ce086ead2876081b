r"""Records: games as JSON lines that are checked action by action when they are read.

The first line names the game and its options, among them the seed; for a game played with real
cards, ``decks`` gives the order of the cards after each shuffle instead (what it leaves open is
decided as by the seed 0), so that a record always leads to the same game. Every further line is an
action. The record of a finished game ends with its scores and winners, and is damaged without
them; a game without an end is one that was not finished::

    {"format": "wildrank game 1", "game": "perico", "options": {"players": 2, "seed": 7}}
    {"player": 0, "action": "draw stock"}
    {"player": 0, "action": "discard 7d"}
    ...
    {"scores": [5, 3], "winners": [0]}
"""

import errno
import inspect
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from wildrank.errors import RecordError, WildrankError, shown
from wildrank.games import game_types
from wildrank.games.actions import parse_action
from wildrank.games.base import Game

__all__ = ["dumps", "loads", "read", "replay", "write"]

FORMAT: Final = "wildrank game 1"


def dumps(game: Game[Any]) -> str:
    """Return the record of a game, finished or not.

    Parameters
    ----------
    game : Game

    Returns
    -------
    str
        JSON lines, each with its line end.

    Examples
    --------
    >>> from wildrank.games.puck import Puck
    >>> game = Puck(players=2, seed=1, direction="clockwise", dealer=0)
    >>> game.apply(game.parse("keep")[0])
    >>> print(dumps(game).splitlines()[1])
    {"player": 1, "action": "keep"}
    >>> loads(dumps(game)).history == game.history
    True
    """
    lines: list[dict[str, Any]] = [{"format": FORMAT, "game": game.name, "options": game.options}]
    lines += [{"player": move.player, "action": str(move.action)} for move in game.history]
    if game.is_over:
        lines.append({"scores": list(game.scores), "winners": list(game.winners)})
    return "".join(json.dumps(line) + "\n" for line in lines)


def loads(record: str | bytes) -> Game[Any]:
    """Return the game that a record tells of, in its last state.

    Parameters
    ----------
    record : str or bytes
        As `dumps` makes it.

    Returns
    -------
    Game

    Raises
    ------
    RecordError
        Naming the first line that is damaged or breaks a rule.
    """
    *_, (_, game) = replay(record)
    return game


def replay(record: str | bytes) -> Iterator[tuple[int, Game[Any]]]:
    """Play a recorded game again, action by action.

    Parameters
    ----------
    record : str or bytes
        As `dumps` makes it.

    Yields
    ------
    int
        The number of the line.
    Game
        The game after this line; always the same object, which goes on afterwards.

    Raises
    ------
    RecordError
        Naming the first line that is damaged or breaks a rule.

    Examples
    --------
    >>> from wildrank.games.puck import Puck
    >>> record = dumps(Puck(players=2, seed=1, direction="clockwise", dealer=0))
    >>> for line, game in replay(record + '{"player": 1, "action": "knock"}'):
    ...     print(line, game.phase)
    Traceback (most recent call last):
        ...
    wildrank.errors.RecordError: line 2: player 1: in the phase 'turn' one of the actions 'keep', \
'steal' is expected, got 'knock'
    """
    if not isinstance(record, str | bytes | bytearray):
        raise RecordError(f"expected a record as str or bytes, got {shown(record)}")
    # What is no Unicode in a text becomes what is no UTF-8 in its line.
    data = record.encode(errors="surrogatepass") if isinstance(record, str) else record
    lines = data.removesuffix(b"\n").split(b"\n")
    game = _begin(_read_line(1, lines[0]))
    yield 1, game
    ended = False
    for number, line in enumerate(lines[1:], start=2):
        fields = _read_line(number, line)
        if ended:
            raise RecordError("expected nothing after the end of the game", line=number)
        if "scores" in fields:
            _check_end(number, fields, game)
            ended = True
        else:
            _apply(number, fields, game)
            yield number, game
    if game.is_over and not ended:
        raise RecordError(
            "expected the scores and winners, because the game is over, got the end of the record",
            line=len(lines) + 1,
        )


def write(game: Game[Any], path: str | Path) -> None:
    """Write the record of a game to a file, whole or not at all.

    Parameters
    ----------
    game : Game
    path : str or Path
        A file that is there already is replaced.

    Raises
    ------
    OSError
        If the file cannot be written; one that was there before is unchanged then.
    """
    text = dumps(game)
    try:
        target = Path(path)
        unfinished = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}")
        try:
            with unfinished.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:  # which names the unfinished file
        raise type(error)(error.errno, error.strerror, str(path)) from None
    except ValueError:  # as Python raises for what is no name of a file
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path)) from None


def read(path: str | Path) -> Game[Any]:
    """Read the record of a game from a file.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Game
        In the last state of the record.

    Raises
    ------
    RecordError
        Naming the first line that is damaged or breaks a rule.
    OSError
        If the file cannot be read.
    """
    return loads(Path(path).read_bytes())


# --- lines ---


def _read_line(number: int, line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line.decode("utf-8"), object_pairs_hook=_object)
    except (ValueError, RecursionError):
        text = line.decode("utf-8", "backslashreplace")
        raise RecordError(
            f"expected a JSON object in UTF-8, with each name once, got {shown(text)}", line=number
        ) from None
    if not isinstance(fields, dict):
        raise RecordError(f"expected a JSON object, got {shown(fields)}", line=number)
    return fields


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name twice")
    return fields


def _begin(fields: dict[str, Any]) -> Game[Any]:
    """Make the game that the first line names."""
    if set(fields) != {"format", "game", "options"} or fields["format"] != FORMAT:
        raise RecordError(
            f"expected a 'game' with 'options' in the 'format' {FORMAT!r}, got {shown(fields)}",
            line=1,
        )
    types, options = game_types(), fields["options"]
    if not isinstance(fields["game"], str) or fields["game"] not in types:
        raise RecordError(
            f"expected a game ({', '.join(types)}), got {shown(fields['game'])}", line=1
        )
    if not isinstance(options, dict):
        raise RecordError(f"expected options by name, got {shown(options)}", line=1)
    seed = options.get("seed", 0 if options.get("decks") else None)
    if seed is None:
        raise RecordError(f"expected options with a seed or decks, got {shown(options)}", line=1)
    kind = types[fields["game"]]
    for name in options.keys() - inspect.signature(kind).parameters.keys():
        raise RecordError(f"expected options of the game, got {shown(name)}", line=1)
    try:
        return kind(**{**options, "seed": seed})
    except WildrankError as error:
        raise RecordError(f"expected the options of a game, got {error}", line=1) from None


def _apply(number: int, fields: dict[str, Any], game: Game[Any]) -> None:
    player, text = fields.get("player"), fields.get("action")
    if len(fields) != 2 or type(player) is not int or not isinstance(text, str):
        raise RecordError(f"expected a 'player' and an 'action', got {shown(fields)}", line=number)
    if game.is_over:
        raise RecordError("expected no action after the end of the game", line=number)
    if player != game.current_player:
        raise RecordError(
            f"expected an action of player {game.current_player}, "
            f"got one of player {shown(player)}",
            line=number,
        )
    try:
        game.apply(parse_action(text))
    except WildrankError as error:
        raise RecordError(str(error), line=number) from None


def _check_end(number: int, fields: dict[str, Any], game: Game[Any]) -> None:
    if not game.is_over:
        raise RecordError("expected an action, because the game is not over", line=number)
    result = {"scores": list(game.scores), "winners": list(game.winners)}
    if json.dumps(fields, sort_keys=True) != json.dumps(result, sort_keys=True):
        raise RecordError(f"expected the result {shown(result)}, got {shown(fields)}", line=number)
