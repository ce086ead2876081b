"""The simulate command: many games without people."""

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt
import typer
from rich.table import Table

from wildrank.cli.display import console, facts_table, progress_bar, table
from wildrank.cli.options import takes_game
from wildrank.cli.outputs import WholeFiles, is_special, is_stdout
from wildrank.games.base import Game
from wildrank.games.players import GreedyPlayer, Player, RandomPlayer
from wildrank.games.simulate import Simulation
from wildrank.games.simulate import simulate as play_games

__all__ = ["simulate"]

_PLAYERS: Final[dict[str, type[Player]]] = {"greedy": GreedyPlayer, "random": RandomPlayer}


@takes_game()
def simulate(
    make_game: "partial[Game[Any]]",
    players: Annotated[
        str, typer.Option(metavar="LIST", help="Who plays, seat by seat: greedy or random.")
    ] = "greedy,random",
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides all chance.")] = 0,
    workers: Annotated[int, typer.Option(metavar="N", help="How many processes play.")] = 1,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="A .json file for the results, or - for standard output.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play many games without people, and sum up who wins.

    The results are the same for any number of workers.
    """
    names = [name.strip() for name in players.split(",")]
    seats = [_player(name) for name in names]
    make_game(players=len(seats), seed=0)  # refuses what every game would refuse
    _check_output(output)
    with WholeFiles() as files:
        file = None if output is None else files.open(output)
        with progress_bar(games, enabled=True, unit="games") as update:
            result = play_games(
                make_game, seats, games, seed, workers, progress=lambda done: update(done, done)
            )
        if file is not None:
            text = json.dumps(_facts(make_game, names, seed, result), indent=2)
            file.write(f"{text}\n".encode())
    _print(names, result, stderr=is_stdout(output))


def _player(name: str) -> Player:
    if name not in _PLAYERS:
        raise typer.BadParameter(
            f"expected {' or '.join(_PLAYERS)} for each seat, got {name!r}",
            param_hint="'--players'",
        )
    return _PLAYERS[name]()


def _check_output(output: str | None) -> None:
    if output is None or (is_special(output) and not Path(output).is_dir()):
        return
    if Path(output).suffix.lower() != ".json" or Path(output).is_dir():
        raise typer.BadParameter(
            f"expected a .json file or -, got {output!r}", param_hint="'--output'"
        )


def _facts(
    make_game: "partial[Game[Any]]", names: list[str], seed: int, result: Simulation
) -> dict[str, Any]:
    """Return the results in forms that JSON can hold."""
    game = make_game(players=len(names), seed=seed)
    chance = ("players", "seed", "decks")
    return {
        "game": game.name,
        "options": {name: value for name, value in game.options.items() if name not in chance},
        "players": names,
        "games": result.games,
        "seed": seed,
        "wins": result.wins.tolist(),
        "win_rates": result.win_rates.tolist(),
        "intervals": result.intervals.tolist(),
        "mean_scores": result.scores.mean(axis=0).tolist(),
        "rounds": int(result.rounds.sum()),
        "turns": int(result.turns.sum()),
        "endings": dict(sorted(result.endings.items())),
    }


# --- tables ---


def _print(names: list[str], result: Simulation, *, stderr: bool) -> None:
    out = console(stderr=stderr)
    out.print(_seats_table(names, result))
    out.print()
    facts = {
        "games": f"{result.games:,}",
        "rounds": _per_game(result.rounds),
        "turns": _per_game(result.turns),
        "endings": _endings(result),
    }
    out.print(facts_table(facts))


def _seats_table(names: list[str], result: Simulation) -> Table:
    numbers = ("wins", "rate", "score")
    made = table("seat", "player", *numbers, "95 % interval", right=("seat", *numbers))
    for seat, (name, (low, high)) in enumerate(zip(names, result.intervals, strict=True)):
        made.add_row(
            str(seat),
            name,
            f"{result.wins[seat]:,.1f}".removesuffix(".0"),
            f"{result.win_rates[seat]:.1%}",
            f"{result.scores[:, seat].mean():.2f}",
            f"{low:.1%} to {high:.1%}",
        )
    return made


def _per_game(counts: npt.NDArray[np.int64]) -> str:
    return f"{counts.sum():,} ({counts.mean():.1f} a game, from {counts.min()} to {counts.max()})"


def _endings(result: Simulation) -> str:
    """Say how many rounds ended in which way, the most frequent first."""
    total = sum(result.endings.values())
    by_count = sorted(result.endings.items(), key=lambda ending: (-ending[1], ending[0]))
    return ", ".join(
        f"{name.replace('_', ' ')} {count:,} ({count / total:.1%})" for name, count in by_count
    )
