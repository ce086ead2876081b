"""What a person at the table sees: the state of the game, the own hand, the menu."""

import sys
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from typing import Any, Final

from rich.columns import Columns
from rich.table import Table

from wildrank.cards import format_cards
from wildrank.cli.display import card_text, console, facts_table
from wildrank.cli.menu import Choice
from wildrank.cli.words import Narrator, Told, by_rank, explain, plural, reading_text
from wildrank.games.base import DISCARD, Cards, Game
from wildrank.games.paiute import Paiute, shown_value
from wildrank.games.perico import Perico
from wildrank.games.puck import Puck

__all__ = ["Screen", "chance", "goal", "hand_facts", "menu", "status"]

PILE_SHOWN: Final = 8


class Screen:
    """Prints what is told; on a terminal, cards have colours and suit symbols."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):  # no byte or character may end a game
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self._out = console()
        self._symbols = self._out.is_terminal and self._out.encoding.startswith("utf")

    def say(self, *told: Told | Table | Columns, style: str = "") -> None:
        """Print sentences, facts and tables."""
        for each in told:
            if isinstance(each, Table | Columns):
                self._out.print(each)
            elif isinstance(each, str):
                self._out.print(self.text(each), style=style)
            else:
                self._out.print(facts_table({name: self.text(each[name]) for name in each}))

    def text(self, text: str) -> Any:
        """Return a text with its cards marked."""
        return card_text(text, symbols=self._symbols)

    def prompt(self, text: str) -> None:
        """Print the beginning of a line."""
        self._out.print(text, end="")
        self._out.file.flush()


# --- the state of the game ---


def goal(game: Game[Any]) -> str:
    """Say in a sentence how the game is won."""
    if isinstance(game, Perico):
        points = plural(game.options["points"], "point")
        return f"{points} win: one for the best hand of each round."
    if isinstance(game, Puck):
        return "Who has won most rounds when the stock is used up wins."
    return f"{plural(game.options['deals'], 'deal')}, each for a pot; most chips win."


def status(game: Game[Any], seat: int, narrator: Narrator) -> dict[str, str]:
    """Tell what a player may know, now that it is this player's turn."""
    return dict(_facts(game, game.observation(seat), narrator))


def _facts(game: Game[Any], seen: Any, narrator: Narrator) -> Iterator[tuple[str, str]]:
    if isinstance(game, Paiute):
        yield "Wild", f"every {str(seen.wild_card)[0]} ({seen.wild_card} was turned up)"
    if seen.hand and seen.phase != DISCARD:
        yield "Stock", plural(seen.stock_size, "card")
        yield "Pile", _pile(seen.pile)
        yield from _seen_cards(game, seen, narrator)
    yield from _calls(game, seen, narrator)
    yield from hand_facts(seen)


def _pile(pile: Cards) -> str:
    if not pile:
        return "empty"
    top = format_cards(pile[: -1 - PILE_SHOWN : -1])
    more = f" ... {plural(len(pile), 'card')}" if len(pile) > PILE_SHOWN else ""
    return f"{top}{more} (top first)" if len(pile) > 1 else top


def _seen_cards(game: Game[Any], seen: Any, narrator: Narrator) -> Iterator[tuple[str, str]]:
    """Tell which cards everyone knows to be in others' hands."""
    hands = seen.shown if isinstance(game, Puck) else getattr(seen, "known", None)
    label = "Last shown" if isinstance(game, Puck) else "Seen"
    lines = [
        f"{narrator.name(player)}: {format_cards(by_rank(cards))}"
        for player, cards in enumerate(hands or ())
        if cards and player != seen.player
    ]
    if lines:
        yield label, "\n".join(lines)


def _calls(game: Game[Any], seen: Any, narrator: Narrator) -> Iterator[tuple[str, str]]:
    """Tell who has knocked or called, and who is out."""
    if getattr(seen, "knocker", None) is not None:
        yield "Knocked", f"{narrator.name(seen.knocker)}: this is your last turn"
    if getattr(seen, "out", ()):
        yield "Out", narrator.names(seen.out)
    if isinstance(game, Paiute) and seen.caller is not None:
        hands = {
            shown_value(seen.evaluator, hand, seen.wild_rank): hand for hand in seen.shown if hand
        }
        best = explain(seen.evaluator, by_rank(hands[seen.to_beat]), seen.wild_card, shown=True)
        yield "To beat", f"{reading_text(best)}; this is your last turn"


def _explain(seen: Any, hand: Cards) -> tuple[int, str]:
    reading = explain(seen.evaluator, by_rank(hand), getattr(seen, "wild_card", None))
    return reading.value, reading_text(reading)


# --- the hand ---


def hand_facts(seen: Any) -> Iterator[tuple[str, str]]:
    """Tell what a player holds and what it is worth."""
    if seen.hand:
        yield "Your hand", format_cards(by_rank(seen.hand))
        yield "", _worth(seen)


def _worth(seen: Any) -> str:
    size, wild_card = seen.evaluator.hand_size, getattr(seen, "wild_card", None)
    if wild_card is None and len(seen.hand) > size:
        return _best_discard(seen)
    return _explain(seen, seen.hand)[1]


def _best_discard(seen: Any) -> str:
    """Tell what remains at best when a card is discarded."""
    rests = [
        (*_explain(seen, tuple(other for other in seen.hand if other != card)), card)
        for card in by_rank(seen.hand)[::-1]
    ]
    _, text, card = max(rests, key=lambda rest: rest[0])
    return f"without {card}: {text}"


def chance(seen: Any) -> Iterator[str]:
    """Tell how many hands a player's hand beats, unless it has a card too many."""
    evaluator = seen.evaluator
    if not evaluator.rules.wild_rank_per_hand and len(seen.hand) == evaluator.hand_size:
        counts = evaluator.value_counts()
        beaten = int(1000 * counts[: evaluator.evaluate(seen.hand)].sum() / counts.sum()) / 10
        yield f"It beats {beaten:.1f}% of all hands that can be dealt."


# --- the menu ---


def menu(screen: Screen, entries: Sequence[Choice], *, examples: bool = False) -> Table | Columns:
    """Return the choices with their numbers."""
    numbered = [(f"{number:>2}", entry) for number, entry in enumerate(entries, start=1)]
    if not any(entry.note for entry in entries):
        forms = [screen.text(f"{number} {entry.form}") for number, entry in numbered]
        return Columns(forms, padding=(0, 2))
    made = Table.grid("", "", "", padding=(0, 2))
    for number, entry in numbered:
        example = f"\nfor example: {entry.example}" if examples and not entry.action else ""
        made.add_row(number, screen.text(entry.form), screen.text(entry.note + example))
    return made
