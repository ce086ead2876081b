"""The replay command: a recorded game, move by move."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from wildrank.cards import format_cards
from wildrank.cli.inputs import STDIN, standard_input
from wildrank.cli.screen import Screen
from wildrank.cli.words import Narrator, Told, by_rank, plural
from wildrank.errors import RecordError, WildrankError
from wildrank.games import records
from wildrank.games.base import Game

__all__ = ["read_record", "replay"]


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A record, or - for standard input.", show_default=False
        ),
    ],
) -> None:
    """Show a recorded game move by move, and check every action.

    The number before a move is its line in the record. At the first line that is damaged or
    breaks a rule it stops with exit code 2.
    """
    screen = Screen()
    narrator: Narrator | None = None
    game: Game[Any] | None = None
    shown = -1
    for line, game in _read(file):
        if narrator is None:
            narrator = Narrator(game)
            screen.say(f"{game.name}, {plural(game.players, 'player')}, seed {game.seed}")
        else:
            player = game.history[-1].player
            screen.say(f"{line:>5}  {narrator.name(player)} {narrator.tell_move()}")
        screen.say(*narrator.tell_outcome())
        if not game.is_over and game.observation(0).hand and len(game.rounds) != shown:
            shown = len(game.rounds)
            screen.say("", *_deal(game))
    if narrator is not None and game is not None:
        screen.say("", *narrator.tell_state())
        screen.say(f"{plural(len(game.history), 'action')} checked.")


def _deal(game: Game[Any]) -> Iterator[Told]:
    """Tell with which cards a round begins."""
    seen = game.observation(0)
    what = "Deal" if game.name == "paiute" else "Round"
    yield f"--- {what} {seen.round + 1}, player {seen.dealer} deals ---"
    facts = {
        f"  player {player}": format_cards(by_rank(game.observation(player).hand))
        for player in range(game.players)
    }
    wild_card = getattr(seen, "wild_card", None)
    if wild_card is not None:
        facts["  wild card"] = str(wild_card)
    if seen.pile:
        facts["  pile"] = f"{seen.pile[-1]}"
    yield facts


# --- files ---


def read_record(path: Path) -> Game[Any]:
    """Return the game that a record tells of; an error names the file."""
    *_, (_, game) = _read(path)
    return game


def _read(path: Path) -> Iterator[tuple[int, Game[Any]]]:
    """Replay a record; an error names the file."""
    is_file = str(path) != STDIN
    data = path.read_bytes() if is_file else standard_input().buffer.read()
    try:
        yield from records.replay(data)
    except RecordError as error:
        name = path if is_file else "standard input"
        raise WildrankError(f"{name}, {error}") from None
