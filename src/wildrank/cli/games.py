"""The commands for whole games: simulate many, replay a recorded one, play one."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from wildrank.cards import format_cards
from wildrank.cli.display import card_text, console, progress_bar
from wildrank.cli.options import takes_game
from wildrank.errors import RuleError, WildrankError
from wildrank.games import records
from wildrank.games.base import Game, RoundResult
from wildrank.games.players import GreedyPlayer, Player, RandomPlayer
from wildrank.games.simulate import simulate as simulate_games

__all__ = ["play", "replay", "simulate"]

PLAYERS: Final[dict[str, Callable[[], Player]]] = {"greedy": GreedyPlayer, "random": RandomPlayer}
COMMANDS: Final = "Type an action, 'help' for what is legal now, or 'quit'."

MakeGame = Callable[..., Game[Any]]


def _cards(text: str) -> Text:
    """Show the cards in a text with colours and suit symbols, if this is a terminal."""
    return card_text(text, symbols=console().is_terminal)


# --- simulate ---


@takes_game()
def simulate(
    make_game: MakeGame,
    players: Annotated[
        str, typer.Option(metavar="LIST", help="Who sits at the table: greedy or random, by seat.")
    ] = "greedy,random",
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides all chance.")] = 0,
    workers: Annotated[int, typer.Option(metavar="N", help="How many processes play.")] = 1,
) -> None:
    """Play many games without people, and sum up who wins.

    The results are the same for any number of workers.
    """
    seats = [_player(name.strip()) for name in players.split(",")]
    make_game(players=len(seats), seed=0)  # refuses what every game would refuse
    with progress_bar(games, enabled=True, unit="games") as update:
        result = simulate_games(
            make_game, seats, games, seed, workers, progress=lambda done: update(done, done)
        )
    console().print(result.table())


def _player(name: str) -> Player:
    if name not in PLAYERS:
        raise RuleError(f"--players: expected {' or '.join(PLAYERS)} for each seat, got {name!r}")
    return PLAYERS[name]()


# --- replay ---


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record.", show_default=False)],
) -> None:
    """Show a recorded game move by move, and check every action.

    A damaged record ends with the number of its first bad line.
    """
    out = console()
    moves = rounds = 0
    for line, game in records.replay(file.read_bytes()):
        if line == 1:
            out.print(f"{game.name}, {game.players} players, seed {game.seed}")
        for move in game.history[moves:]:
            out.print(_cards(f"{line:>6}  player {move.player}: {move.action}"))
        for result in game.rounds[rounds:]:
            _print_result(result)
        moves, rounds = len(game.history), len(game.rounds)
    _print_scores(game)


def _print_result(result: RoundResult) -> None:
    out = console()
    out.print(f"The round ends after {result.turns} turns: {result.ending.replace('_', ' ')}.")
    for player, hand in enumerate(result.hands):
        mark = "  wins" if player in result.winners else ""
        out.print(_cards(f"  player {player}: {format_cards(hand)}{mark}"))


def _print_scores(game: Game[Any]) -> None:
    scores = ", ".join(f"player {player} {score}" for player, score in enumerate(game.scores))
    state = "The game is over" if game.is_over else "The game is not over"
    console().print(f"{state}. Scores: {scores}.")
    if game.is_over:
        winners = " and ".join(f"player {player}" for player in game.winners)
        console().print(f"{winners} {'wins' if len(game.winners) == 1 else 'win'} the game.")


# --- play ---


@takes_game()
def play(
    make_game: MakeGame,
    players: Annotated[int, typer.Option(metavar="N", help="How many players.")] = 2,
    seat: Annotated[int, typer.Option(metavar="N", help="Your seat, from 0.")] = 0,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="Decides all chance; by default a fresh one."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to keep the game; it is written at every turn."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on with a recorded game of this kind, and keep it."),
    ] = None,
) -> None:
    """Play a game against greedy players.

    Actions are typed as they are shown, for example: draw stock, discard 7d.
    """
    game = make_game(players=players, seed=seed)
    if resume is not None:
        kind, game = game.name, records.read(resume)
        if game.name != kind:
            raise RuleError(f"{resume}: expected a game of {kind}, got one of {game.name}")
        record = record or resume
    if not 0 <= seat < game.players:
        raise RuleError(f"--seat: expected 0 to {game.players - 1}, got {seat}")
    _Table(game, seat, record).run()


class _Table:
    """One game in the terminal: what the person sees and types, and what the others do."""

    def __init__(self, game: Game[Any], seat: int, record: Path | None) -> None:
        self.game = game
        self.seat = seat
        self.record = record
        self.out = console()
        self.others = [GreedyPlayer() for _ in range(game.players)]
        self.rounds = len(game.rounds)
        self.queue: list[str] = []

    def run(self) -> None:
        """Play until the game is over or the person quits."""
        self.out.print(f"{self.game.name}, you are player {self.seat}. {COMMANDS}")
        while not self.game.is_over:
            if self.game.current_player != self.seat:
                player = self.game.current_player
                seen = self.game.observation(player)
                self.apply(self.others[player].choose(seen, self.game.legal_actions()))
            elif not self.take_turn():
                break
        self.keep()
        _print_scores(self.game)

    def apply(self, action: Any) -> None:
        """Let the current player act, and tell what happens."""
        player = self.game.current_player
        self.game.apply(action)
        name = "you" if player == self.seat else f"player {player}"
        self.out.print(_cards(f"  {name}: {action}"))
        for result in self.game.rounds[self.rounds :]:
            _print_result(result)
            self.out.print(f"Scores: {', '.join(map(str, self.game.scores))}")
        self.rounds = len(self.game.rounds)

    def take_turn(self) -> bool:
        """Ask the person for actions; False to quit."""
        self.show()
        while True:
            self.out.print(f"{self.game.phase}> ", end="")
            line = sys.stdin.readline()
            if not sys.stdin.isatty():
                self.out.print(line.rstrip("\n"))
            words = line.strip().lower()
            if not line or words in ("quit", "exit", "q"):
                return False
            if words in ("help", "?"):
                self.help()
            elif words:
                try:
                    for action in self.game.parse(line.strip()):
                        self.apply(action)
                except WildrankError as error:
                    self.out.print(f"That is not possible: {error}.")
                    if self.game.current_player != self.seat:
                        return True
                    continue
                self.keep()
                return True

    def show(self) -> None:
        """Show what the person may know."""
        seen = self.game.observation(self.seat)
        pile = format_cards(seen.pile[-5:]) or "empty"
        scores = ", ".join(map(str, seen.scores))
        self.out.print(f"\nRound {seen.round + 1}   scores: {scores}   dealer: {seen.dealer}")
        self.out.print(_cards(f"Pile, top last: {pile}   stock: {seen.stock_size} cards"))
        for player, cards in enumerate(getattr(seen, "known", ())):
            if cards and player != self.seat:
                self.out.print(_cards(f"Player {player} has been seen with {format_cards(cards)}"))
        for theft in getattr(seen, "thefts", ()):
            cards = format_cards(theft.cards)
            self.out.print(_cards(f"Player {theft.thief} took {cards} from player {theft.victim}"))
        self.out.print(_cards(f"Your hand: {format_cards(seen.hand)}{self.worth(seen)}"))

    def worth(self, seen: Any) -> str:
        """Say what the person's hand is worth, if it is a whole one."""
        wild_card = getattr(self.game, "wild_card", None)
        wild_rank = None if wild_card is None else wild_card.rank
        notes = "" if wild_card is None else f"   wild rank of {wild_card}"
        if len(seen.hand) == seen.evaluator.hand_size:
            notes += f"   {seen.evaluator.explain(seen.hand, wild_rank)}"
        return notes

    def help(self) -> None:
        """Show one action of each kind that is legal now."""
        actions = self.game.legal_actions()
        kinds: dict[type, str] = {}
        counts: dict[type, int] = {}
        for action in actions:
            kinds.setdefault(type(action), str(action))
            counts[type(action)] = counts.get(type(action), 0) + 1
        for kind, example in kinds.items():
            more = f"   (one of {counts[kind]} such actions)" if counts[kind] > 1 else ""
            self.out.print(_cards(f"  {example}{more}"))
        self.out.print("  quit")

    def keep(self) -> None:
        """Write the record, if there is to be one."""
        if self.record is not None:
            records.write(self.game, self.record)
