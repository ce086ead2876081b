"""What a person may do now, as a short list, and what the person types, as actions."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from wildrank.cli.words import explain, plural, reading_text
from wildrank.errors import CardError
from wildrank.games.actions import (
    Action,
    Call,
    ChooseDirection,
    Cut,
    Declare,
    Discard,
    DrawPile,
    DrawStock,
    Exchange,
    Keep,
    Knock,
    Steal,
    Take,
    read_cards,
)
from wildrank.games.base import DISCARD, Actions, Game
from wildrank.games.paiute import Paiute
from wildrank.games.perico import MOST_TAKEN, PILE
from wildrank.games.puck import HAND_SIZE

__all__ = ["Choice", "choices", "complete", "read"]


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a person may do now.

    Attributes
    ----------
    kind : type
        What kind of action it is.
    form : str
        What to type.
    note : str
        What it does.
    example : Action
        One that is legal.
    action : Action or None
        What it stands for; None if the person still has to name cards or numbers.
    """

    kind: type[Action]
    form: str
    note: str
    example: Action
    action: Action | None


_FORMS: Final[dict[type[Action], str]] = {
    Take: "take N, discard CARDS",
    Exchange: "exchange CARDS",
    Steal: "steal N from PLAYER, discard CARDS",
    Cut: "cut N",
}


def choices(game: Game[Any]) -> list[Choice]:
    """Return what the current player may do, with one entry for all actions that name cards."""
    legal = game.legal_actions()
    seen = game.observation(game.current_player)
    plain = legal[: legal.plain] if isinstance(legal, Actions) else sorted(legal, key=_place)
    entries = [
        Choice(type(each), _text(each), _note(game, seen, each), each, each) for each in plain
    ]
    if len(legal) > len(plain):
        example = legal[len(plain)]
        kind = type(example)
        note = _open_note(game, seen, kind)
        entries.append(Choice(kind, _FORMS[kind], note, _example(game, example), None))
    return list({entry.form: entry for entry in reversed(entries)}.values())[::-1]


def _place(action: Action) -> int:
    """Return where an action stands in the list: discards stand last, in the order of the hand."""
    return -action.card if isinstance(action, Discard) else -1000


def _text(action: Action) -> str:
    """Return what to type for an action; jokers are worth the same and need no numbers."""
    return re.sub(r"\bJk[2-4]\b", "Jk", str(action))


def _example(game: Game[Any], first: Action) -> Action:
    return Cut(20) if isinstance(first, Cut) else first


def _note(game: Game[Any], seen: Any, action: Action) -> str:
    match action:
        case DrawStock():
            return "draw the top of the stock, then discard a card"
        case DrawPile():
            return f"take {seen.pile[-1]}, the top of the pile, then discard another card"
        case Knock():
            if seen.play == PILE:
                return "everyone else has one more turn, then the hands are compared"
            return "the hands are compared at once"
        case Keep():
            return "leave your hand as it is"
        case Declare():
            return "show your hand, which ends the round; to play on with it loses the round"
        case Call(discard) if isinstance(game, Paiute):
            shown = tuple(card for card in seen.hand if card != discard)
            reading = explain(seen.evaluator, shown, seen.wild_card, shown=True)
            return f"show {reading_text(reading)}"
        case ChooseDirection(direction):
            order = "rising" if direction == "clockwise" else "falling"
            return f"the players take turns in {order} order"
    return ""


def _open_note(game: Game[Any], seen: Any, kind: type[Action]) -> str:
    if kind is Take:
        most = min(len(seen.pile), MOST_TAKEN)
        up_to = f"the top 1 to {most} cards" if most > 1 else "the top card"
        return f"take {up_to} of the pile and discard as many of yours"
    if kind is Exchange:
        return "discard any cards, then draw as many from the stock"
    if kind is Steal:
        most = min(seen.stock_size, HAND_SIZE)
        up_to = f"1 to {most} cards" if most > 1 else "1 card"
        return f"discard {up_to} and take as many, unseen, from others"
    return "put N cards from the top of the deck to the bottom; 0 for none"


# --- what is typed ---


def read(game: Game[Any], entries: Sequence[Choice], text: str) -> Choice | tuple[Action, ...]:
    """Read what a person types: the number or the beginning of an entry, a card, or actions.

    Parameters
    ----------
    game : Game
    entries : sequence of Choice
        What may be done now.
    text : str
        Not empty.

    Returns
    -------
    Choice or tuple of Action
        The actions are not checked against the state of the game.

    Raises
    ------
    WildrankError
        If it is nothing of the kind.
    """
    if re.fullmatch("[0-9]{1,4}", text):
        number = int(text)
        if not 1 <= number <= len(entries):
            raise CardError(f"expected a number from 1 to {len(entries)}, got {number}")
        return entries[number - 1]
    words = " ".join(text.lower().split())
    begun = [entry for entry in entries if entry.form.lower().startswith(words)]
    exact = [entry for entry in begun if entry.form.lower() == words]
    if len(exact or begun) == 1:
        return (exact or begun)[0]
    if game.phase == DISCARD and _is_card(text):
        return game.parse(f"discard {text}")
    return game.parse(text)


def _is_card(text: str) -> bool:
    try:
        return len(read_cards(text)) == 1
    except CardError:
        return False


def complete(game: Game[Any], kind: type[Action], ask: Callable[[str], str]) -> tuple[Action, ...]:
    """Ask for the cards and numbers that an action needs.

    Parameters
    ----------
    game : Game
    kind : type
        What kind of action it is to be.
    ask : callable
        Puts a question and returns the answer.

    Returns
    -------
    tuple of Action
        Empty if an answer is; not checked against the state of the game.

    Raises
    ------
    WildrankError
        If an answer does not fit.
    """
    if kind is Cut:
        answer = ask("How many cards")
        return game.parse(f"cut {answer}") if answer else ()
    cards = ask("Discard which cards")
    count = len(read_cards(cards))
    if not cards:
        return ()
    if kind is Take:
        return game.parse(f"take {count}, discard {cards}")
    if kind is Exchange:
        return game.parse(f"exchange {cards}")
    takes = _ask_victims(game, count, ask)
    return game.parse(f"steal {takes}, discard {cards}") if takes else ()


def _ask_victims(game: Game[Any], count: int, ask: Callable[[str], str]) -> str:
    others = [player for player in range(game.players) if player != game.current_player]
    if len(others) == 1:
        return f"{count} from {others[0]}"
    answer = ask(
        f"Take {plural(count, 'card')} from which player, {' or '.join(map(str, others))} "
        f"(or such as: 1 from {others[0]}, 1 from {others[1]})"
    )
    return f"{count} from {answer}" if answer.isdigit() else answer
