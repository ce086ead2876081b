"""The play command: a person against greedy players, in the terminal or from a script."""

import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

import typer

from wildrank.cli.display import one_line
from wildrank.cli.inputs import STDIN, standard_input
from wildrank.cli.menu import Choice, choices, complete, read
from wildrank.cli.options import takes_game
from wildrank.cli.replay import read_record
from wildrank.cli.screen import Screen, chance, goal, hand_facts, menu, status
from wildrank.cli.words import Narrator, capital, plural
from wildrank.errors import ActionError, CardError, HandError, RuleError
from wildrank.games import records
from wildrank.games.actions import Action
from wildrank.games.base import DISCARD, Game
from wildrank.games.players import GreedyPlayer
from wildrank.games.puck import Puck

__all__ = ["play"]

MAX_LINE: Final = 1000
COMMANDS: Final = {
    "help": "what you may do, with examples",
    "hand": "what your hand is worth",
    "pile": "the whole discard pile",
    "save FILE": "keep the game in a file from now on",
    "quit": "stop; a kept game can go on later",
}
QUIT: Final = ("quit", "exit", "q")


@takes_game(optional=True)
def play(
    make_game: "partial[Game[Any]] | None",
    players: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many players; 2 by default.", show_default=False),
    ] = None,
    seat: Annotated[int, typer.Option(metavar="N", help="Your seat, from 0.")] = 0,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Decides all chance; a fresh one by default.", show_default=False
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A new file to keep the game in, turn by turn.", show_default=False
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Go on with the game in this file, and keep it there; GAME is not needed.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play a game against greedy players.

    What you may do is listed, with numbers; type a number, or an action in full, such as: draw
    stock, discard 7d. The same seed and actions give the same game.
    """
    for option, path in (("--record", record), ("--resume", resume)):
        if str(path) == STDIN:
            raise typer.BadParameter("expected a file, got '-'", param_hint=option)
    if resume is not None:
        given = players is not None or seed is not None or bool(make_game and make_game.keywords)
        game = _resumed(resume, make_game, given)
        record = record or resume
    elif make_game is None:
        raise typer.BadParameter("needed, unless --resume names a game", param_hint="GAME")
    else:
        game = make_game(players=2 if players is None else players, seed=seed)
    if not 0 <= seat < game.players:
        raise typer.BadParameter(
            f"expected a seat from 0 to {game.players - 1}, got {seat}", param_hint="--seat"
        )
    if record is not None and record != resume and record.exists():
        raise typer.BadParameter(
            f"{record}: the file exists already (--resume goes on with it)", param_hint="--record"
        )
    _Session(game, seat, record).run()


def _resumed(path: Path, make_game: "partial[Game[Any]] | None", given: bool) -> Game[Any]:
    """Return the game in a record, whose options are those of the record."""
    if given:
        raise typer.BadParameter(
            "the record decides the players, the seed and the options", param_hint="--resume"
        )
    game = read_record(path)
    if make_game is not None and make_game.func is not type(game):
        wanted = getattr(make_game.func, "name", "")
        raise RuleError(f"{path}: expected a game of {wanted}, got one of {game.name}")
    return game


class _QuitError(Exception):
    """The person quits, or there is no more input."""


class _Session:
    """One game: what the person sees and types, and what the others do."""

    def __init__(self, game: Game[Any], seat: int, record: Path | None) -> None:
        self._game = game
        self._seat = seat
        self._record = record
        self._screen = Screen()
        self._say = self._screen.say
        self._narrator = Narrator(game, seat)
        self._others = GreedyPlayer()
        self._told_round = -1

    def run(self) -> None:
        """Play until the game is over or the person quits."""
        self._keep()
        self._introduce()
        try:
            while not self._game.is_over:
                self._announce_round()
                if self._game.current_player == self._seat:
                    self._take_turn()
                else:
                    self._let_play()
        except _QuitError:
            self._say("")
            self._offer_to_keep()
        self._keep()
        self._say("", *self._narrator.tell_state())
        if self._record is not None:
            self._say(self._where_kept(self._record))

    # --- what is told ---

    def _introduce(self) -> None:
        game = self._game
        name = capital(game.name.replace("-", " ").replace("perico", "Perico"))
        others = self._narrator.names([p for p in range(game.players) if p != self._seat])
        self._say(f"{name}: you are player {self._seat}, against {others}.", style="bold")
        self._say(goal(game))
        self._say("Type a number or an action; 'help' tells more, 'quit' stops.")
        if isinstance(game, Puck):
            self._say(*self._lots(game))
        if game.history:
            self._say("", f"The game goes on after {plural(game.turns, 'turn')}.")
        else:
            self._say(*self._narrator.tell_outcome())

    def _lots(self, game: Puck) -> Iterator[str]:
        if not game.history:
            for draws in game.direction_draws:
                cards = ", ".join(f"{self._narrator.name(seat)} {card}" for seat, card in draws)
                yield f"The highest card chooses the direction of play: {cards}."

    def _announce_round(self) -> None:
        seen = self._game.observation(self._seat)
        if seen.hand and seen.round != self._told_round:
            self._told_round = seen.round
            what = "Deal" if self._game.name == "paiute" else "Round"
            dealer = self._narrator.name(seen.dealer)
            deals = f", {dealer} {self._narrator.does(seen.dealer, 'deal')}"
            self._say("", f"--- {what} {seen.round + 1}{deals} ---", style="bold")

    # --- turns ---

    def _let_play(self) -> None:
        """Let another player make a whole turn."""
        game, player = self._game, self._game.current_player
        phrases: list[str] = []
        outcome: list[Any] = []
        turns = game.turns
        while not game.is_over and game.current_player == player and game.turns == turns:
            game.apply(self._others.choose(game.observation(player), game.legal_actions()))
            phrases.append(self._narrator.tell_move())
            outcome += self._narrator.tell_outcome()
            if game.phase != DISCARD:
                break
        self._say(f"{capital(self._narrator.name(player))} {' and '.join(phrases)}.", *outcome)

    def _take_turn(self) -> None:
        """Show the person the table, and ask until something has been done."""
        facts = status(self._game, self._seat, self._narrator)
        if facts:
            self._say("", facts)
        entries = choices(self._game)
        self._say("", menu(self._screen, entries))
        while True:
            text = self._ask("")
            if not text or self._has_done(text, entries):
                continue
            try:
                actions = self._read(entries, text)
                if actions and self._apply(actions):
                    return
            except (ActionError, CardError, HandError) as error:
                reason = str(error).removeprefix(f"player {self._seat}: ")
                self._say(
                    one_line(f"That is not possible: {reason}."), "Type 'help' to see what is."
                )
                if entries != choices(self._game):
                    return

    def _read(self, entries: list[Choice], text: str) -> tuple[Action, ...]:
        found = read(self._game, entries, text)
        if not isinstance(found, Choice):
            return found
        if found.action is not None:
            return (found.action,)
        return complete(self._game, found.kind, self._ask)

    def _apply(self, actions: tuple[Action, ...]) -> bool:
        """Perform actions, but none after the end of the turn."""
        game, turns = self._game, self._game.turns
        for number, action in enumerate(actions):
            if game.turns != turns or game.current_player != self._seat:
                self._say(f"Your turn is over: {actions[number]} is left out.")
                break
            game.apply(action)
            self._say(f"You {self._narrator.tell_move()}.", *self._narrator.tell_outcome())
            self._keep()
        return True

    # --- input ---

    def _ask(self, question: str) -> str:
        """Return a line that the person types."""
        prompt = f"{question}> "
        if standard_input().isatty():
            line = _ask_terminal(prompt)
        else:
            self._screen.prompt(prompt)
            line = _read_line(standard_input())
            self._screen.prompt(line or "\n")
        if not line or line.strip().lower() in QUIT:
            raise _QuitError
        return line.strip()

    def _has_done(self, text: str, entries: list[Choice]) -> bool:
        """Answer one of the commands that change nothing in the game."""
        word, _, rest = text.partition(" ")
        match word.lower(), rest.strip():
            case "help" | "?", "":
                self._help(entries)
            case "hand", "":
                seen = self._game.observation(self._seat)
                self._say(dict(hand_facts(seen)), *chance(seen))
            case "pile", "":
                pile = self._game.observation(self._seat).pile
                self._say(f"Top first: {' '.join(map(str, pile[::-1]))}" if pile else "Empty.")
            case "save", path:
                self._save(path)
            case _:
                return False
        return True

    def _help(self, entries: list[Choice]) -> None:
        self._say("What you may do now; type it, its first letters or its number:")
        self._say(menu(self._screen, entries, examples=True))
        if self._game.phase == DISCARD:
            self._say("A card alone is enough to discard it.")
        self._say("", "What you may always type:", COMMANDS)

    # --- the record ---

    def _keep(self) -> None:
        """Write the record, if there is to be one."""
        if self._record is not None:
            records.write(self._game, self._record)

    def _save(self, name: str) -> bool:
        """Keep the game in a file that is not there yet; say why if that cannot be."""
        path = Path(name)
        if name in ("", STDIN):
            self._say("Which file? For example: save game.jsonl")
        elif path != self._record and os.path.exists(path):  # noqa: PTH110  (takes any name)
            self._say(one_line(f"{name}: the file exists already; another name, please."))
        else:
            try:
                records.write(self._game, path)
            except OSError as error:
                self._say(one_line(f"{name}: {error.strerror}."))
            else:
                self._record = path
                self._say(self._where_kept(path))
                return True
        return False

    def _offer_to_keep(self) -> None:
        """Ask for a file, if the game would be lost otherwise."""
        with suppress(_QuitError):
            while self._record is None and self._game.history:
                name = self._ask("A file to keep the game in, or Enter for none")
                if not name or self._save(name):
                    break

    def _where_kept(self, path: Path) -> str:
        name = shlex.quote(str(path))
        if self._game.is_over:
            return f"The game is kept in {path}; to see it again: wildrank replay {name}"
        seat = f" --seat {self._seat}" if self._seat else ""
        return f"The game is kept in {path}; to go on: wildrank play --resume {name}{seat}"


def _read_line(file: TextIO) -> str:
    """Return the next line; of one that is too long only the beginning."""
    line = rest = file.readline(MAX_LINE)
    while len(rest) == MAX_LINE and not rest.endswith("\n"):
        rest = file.readline(MAX_LINE)
    return line


def _ask_terminal(prompt: str) -> str:
    """Return a line from the terminal with its end; nothing at its end or after Ctrl-C."""
    with suppress(ImportError):
        import readline  # noqa: F401  (lets the line be edited, where there is such a module)
    try:
        return input(prompt) + "\n"
    except (EOFError, KeyboardInterrupt):
        print()
        return ""
