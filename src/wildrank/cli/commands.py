"""The commands that answer at once: evaluate, rules and frequencies."""

import inspect
from typing import Annotated, Final

import typer
from rich.text import Text

from wildrank.cards import rank_name
from wildrank.cli.display import card_text, console, facts_table, table
from wildrank.cli.options import flag, takes_rules
from wildrank.errors import WildrankError
from wildrank.evaluator import Evaluator, Reading
from wildrank.games import rule_sets
from wildrank.rules import Category, RuleSet

__all__ = ["evaluate", "frequencies", "rules"]

_ACES: Final = {"high": "high", "low": "low", "both": "high or low"}


# --- evaluate ---


@takes_rules()
def evaluate(
    evaluator: Evaluator,
    hands: Annotated[
        list[str],
        typer.Argument(
            metavar="HAND",
            help="A hand as one argument, such as 'As Kd 10h Td Jk' or AsKd10hTdJk.",
            show_default=False,
        ),
    ],
) -> None:
    """Say what hands are worth and, of several, which one wins.

    A higher value wins, equal values tie, and 0 is no combination.
    """
    readings = [_explain(evaluator, hands, index) for index in range(len(hands))]
    if len(readings) == 1:
        _print_reading(evaluator, readings[0])
    else:
        _print_contest(readings, evaluator.winners(hands))


def _explain(evaluator: Evaluator, hands: list[str], index: int) -> Reading:
    try:
        return evaluator.explain(hands[index])
    except WildrankError as error:
        if len(hands) == 1:
            raise
        one_card = len(hands[index]) <= len("10h")
        hint = " (a hand is one argument, in quotes or without blanks)" if one_card else ""
        raise type(error)(f"hand {index + 1}: {error}{hint}") from None


def _print_reading(evaluator: Evaluator, reading: Reading) -> None:
    facts: dict[str, str | Text] = {
        "value": f"{reading.value} of {evaluator.num_values}",
        "category": reading.category,
        "reading": card_text(str(reading)),
    }
    console().print(facts_table(facts))


def _print_contest(readings: list[Reading], winners: list[int]) -> None:
    shown = table("hand", "value", "category", "reading", right=("hand", "value"))
    for index, reading in enumerate(readings):
        shown.add_row(
            str(index + 1),
            str(reading.value),
            reading.category,
            card_text(str(reading)),
            style="bold" if index in winners else None,
        )
    out = console()
    out.print(shown)
    out.print()
    out.print(_verdict(winners))


def _verdict(winners: list[int]) -> str:
    numbers = [str(index + 1) for index in winners]
    if not numbers:
        return "No hand wins: none is a combination."
    if len(numbers) == 1:
        return f"Hand {numbers[0]} wins."
    return f"Hands {', '.join(numbers[:-1])} and {numbers[-1]} tie."


# --- rules ---


@takes_rules(optional=True)
def rules(evaluator: Evaluator | None) -> None:
    """List the known rule sets, or show one in full."""
    if evaluator is None:
        _print_rule_sets()
    else:
        _print_rules(evaluator)


def _print_rule_sets() -> None:
    shown = table(
        "rules", "hand", "jokers", "categories", "options", right=("hand", "jokers", "categories")
    )
    for name, make in rule_sets().items():
        known = make()
        shown.add_row(
            name,
            str(known.hand_size),
            str(known.jokers),
            str(len(known.categories)),
            _options_of(name),
        )
    console().print(shown)


def _options_of(name: str) -> str:
    parameters = inspect.signature(rule_sets()[name]).parameters
    return " ".join(map(flag, parameters))


def _print_rules(evaluator: Evaluator) -> None:
    known = evaluator.rules
    facts = {
        "rules": known.name,
        "hand": f"{known.hand_size} cards",
        "deck": _deck(known.jokers),
        "wild ranks": _wild_ranks(known),
        "ace in straights": _ACES[known.ace],
        "tie-breaks": ", then ".join(known.tie_breaks) or "none",
        "values": f"1 to {evaluator.num_values}",
        "options": _options_of(known.name),
    }
    shown = table("strength", "category", "pattern", right=("strength",))
    strongest = len(known.categories)
    for index, category in enumerate(known.categories):
        shown.add_row(str(strongest - index), category.name, _pattern(category, known.hand_size))
    out = console()
    out.print(facts_table(facts))
    out.print()
    out.print(shown)


def _deck(jokers: int) -> str:
    return "52 cards" + (f" + {jokers} joker{'s' * (jokers > 1)}" if jokers else "")


def _wild_ranks(known: RuleSet) -> str:
    names = [rank_name(rank) for rank in known.wild_ranks]
    if known.wild_rank_per_hand:
        names.append("one more from deal to deal" if names else "one, from deal to deal")
    return ", ".join(names) or "none"


def _pattern(category: Category, hand_size: int) -> str:
    """Describe what a category asks of the cards."""
    parts = []
    if category.shape is not None:
        parts.append(_shape(category.shape))
    if category.straight:
        parts.append("in sequence")
    if category.flush:
        parts.append("one suit")
    if category.top is not None:
        parts.append(f"top {rank_name(category.top)}")
    size = category.size(hand_size)
    if size < hand_size:
        parts.append(f"{size} of {hand_size} cards")
    if category.min_wild:
        parts.append(f"at least {category.min_wild} wild")
    if category.max_wild is not None:
        parts.append(f"at most {category.max_wild} wild" if category.max_wild else "no wild card")
    return ", ".join(parts)


def _shape(shape: tuple[int, ...]) -> str:
    if set(shape) == {1}:
        return "different ranks"
    return " + ".join(f"{size} equal" if size > 1 else "1" for size in shape)


# --- frequencies ---


@takes_rules()
def frequencies(evaluator: Evaluator) -> None:
    """Show how many hands of the whole deck make each category.

    The counts are exact, and so are the probabilities but for rounding.
    """
    counts = evaluator.category_counts()
    total = sum(counts.values())
    numbers = ("hands", "probability", "one in")
    shown = table(
        "category",
        *numbers,
        right=numbers,
        footer={"category": "all hands", "hands": f"{total:,}", "probability": "100.0000000%"},
    )
    for name, count in reversed(counts.items()):
        shown.add_row(name, f"{count:,}", f"{count / total:.7%}", _one_in(total, count))
    console().print(shown)
    if evaluator.rules.wild_rank_per_hand:
        console(stderr=True).print("No rank is wild here; --wild-rank 7 would count with sevens.")


def _one_in(total: int, count: int) -> str:
    if count == 0:
        return "-"
    return f"{total / count:,.2f}" if total < 1000 * count else f"{total / count:,.0f}"
