"""RULES or GAME and their options, the same in every command that takes them."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final

import typer

from wildrank.errors import RuleError
from wildrank.evaluator import Evaluator
from wildrank.games import evaluator, game_types, rule_sets
from wildrank.games.base import Game

__all__ = ["flag", "takes_game", "takes_rules"]

_RULES: Final = typer.Argument(
    metavar="RULES", help=f"One of {', '.join(rule_sets())}.", show_default=False
)

_ACES: Final = {"puck": ("high", "low", "both"), "paiute": ("high", "both")}

# By the names that the rule sets' functions give them; what the user leaves out is not passed on.
_OPTIONS: Final[dict[str, Any]] = {
    "natural_five_of_a_kind": Annotated[
        bool | None,
        typer.Option(
            "--natural-five-of-a-kind",
            help="Five of a kind takes no wild card (perico, six-card-perico).",
            show_default=False,
        ),
    ],
    "jokers": Annotated[
        int | None,
        typer.Option(
            "--jokers",
            metavar="N",
            help="Jokers in the deck, 0 to 4 (perico, six-card-perico, puck).",
            show_default=False,
        ),
    ],
    "ace": Annotated[
        str | None,
        typer.Option(
            "--ace",
            metavar="high|low|both",
            help="Where the ace stands in a straight ("
            + "; ".join(f"{name}: {', '.join(aces)}" for name, aces in _ACES.items())
            + ").",
            show_default=False,
        ),
    ],
    "hand_size": Annotated[
        int | None,
        typer.Option(
            "--hand-size", metavar="5|6", help="Cards in a hand (paiute).", show_default=False
        ),
    ],
    "wild_rank": Annotated[
        str | None,
        typer.Option(
            "--wild-rank",
            metavar="RANK",
            help="The turned-up rank, such as 7 or T: its cards are wild (paiute; default none).",
            show_default=False,
        ),
    ],
}


# The options of the games, by the names that their classes give them.
_PERICO: Final = "perico, six-card-perico"
_GAME_OPTIONS: Final[dict[str, Any]] = {
    name: Annotated[
        kind | None,
        typer.Option(flag, metavar=metavar, help=f"{help} ({games}).", show_default=False),
    ]
    for name, kind, flag, metavar, help, games in (
        ("dealer", int, "--dealer", "N", "The first dealer; by lot by default", "all games"),
        ("play", str, "--play", "pile|stock", "What a turn draws from", _PERICO),
        (
            "auto_declare",
            bool,
            "--auto-declare/--no-auto-declare",
            None,
            "Whether the game itself notices a hand that ends the round",
            _PERICO,
        ),
        (
            "natural_five_of_a_kind",
            bool,
            "--natural-five-of-a-kind",
            None,
            "Five of a kind takes no wild card",
            _PERICO,
        ),
        ("points", int, "--points", "N", "How many points win; 5 or 6 by default", _PERICO),
        ("jokers", int, "--jokers", "0|2", "Jokers in the deck", "puck"),
        ("direction", str, "--direction", "DIRECTION", "clockwise or counter-clockwise", "puck"),
        ("cut", bool, "--cut", None, "The cards are cut before the deal", "puck"),
        ("max_rounds", int, "--max-rounds", "N", "Most rounds; 100 by default", "puck"),
        ("deals", int, "--deals", "N", "How many deals; 10 by default", "paiute"),
        ("last_turns", str, "--last-turns", "dealer|all", "Who plays on after a call", "paiute"),
        ("max_turns", int, "--max-turns", "N", "Turns after which a deal is drawn", "paiute"),
        ("ante", int, "--ante", "N", "What each player pays into the pot", "puck, paiute"),
        ("ace", str, "--ace", "high|both", "Where the ace stands in a straight", "puck, paiute"),
    )
}

_GAME: Final = typer.Argument(
    metavar="GAME", help=f"One of {', '.join(rule_sets())}.", show_default=False
)

Command = Callable[..., None]


def flag(option: str) -> str:
    """Return how an option is typed."""
    return "--" + option.replace("_", "-")


def takes_rules(*, optional: bool = False) -> Callable[[Command], Command]:
    """Make a command whose first parameter is an evaluator take RULES and options instead.

    With `optional`, RULES may be left out, and the evaluator is then None.
    """

    def make(rules: str | None, given: dict[str, Any]) -> Evaluator | None:
        if rules is None:
            if given:
                raise typer.BadParameter("the options of a rule set need RULES")
            return None
        _check("rule set", rules, rule_sets(), given)
        if "ace" in given and given["ace"] not in _ACES[rules]:
            aces = " or ".join(_ACES[rules])
            raise RuleError(f"rule set {rules!r}: expected --ace {aces}, got {given['ace']!r}")
        return evaluator(rules, **given)

    hint = Annotated[str | None, _RULES] if optional else Annotated[str, _RULES]
    return _takes("rules", hint, _OPTIONS, make, optional=optional)


def takes_game(*, optional: bool = False) -> Callable[[Command], Command]:
    """Make a command whose first parameter makes games take GAME and its options instead.

    That parameter becomes a ``functools.partial`` of the class. With `optional`, GAME may be left
    out, and it is then None.
    """

    def make(game: str | None, given: dict[str, Any]) -> Callable[..., Game[Any]] | None:
        known = game_types()
        if game is None:
            if given:
                raise typer.BadParameter("the options of a game need GAME")
            return None
        _check("game", game, known, given)
        return partial(known[game], **given)

    hint = Annotated[str | None, _GAME] if optional else Annotated[str, _GAME]
    return _takes("game", hint, _GAME_OPTIONS, make, optional=optional)


def _check(
    what: str, name: str, known: dict[str, Callable[..., Any]], given: dict[str, Any]
) -> None:
    """Refuse an unknown name, and an option that its rule set or game does not have."""
    if name not in known:
        raise RuleError(f"expected a {what} ({', '.join(known)}), got {name!r}")
    accepted = inspect.signature(known[name]).parameters
    for option in given:
        if option not in accepted:
            options = {*_OPTIONS, *_GAME_OPTIONS}
            flags = ", ".join(flag(each) for each in accepted if each in options)
            raise RuleError(f"{what} {name!r}: expected an option ({flags}), got {flag(option)}")


def _takes(
    name: str,
    hint: Any,
    options: dict[str, Any],
    make: Callable[[str | None, dict[str, Any]], Any],
    *,
    optional: bool,
) -> Callable[[Command], Command]:
    """Replace a command's first parameter by a name and options that it is made from."""

    def decorate(command: Command) -> Command:
        def run(**arguments: Any) -> None:
            given = {
                option: value for option in options if (value := arguments.pop(option)) is not None
            }
            command(make(arguments.pop(name, None), given), **arguments)

        kind = inspect.Parameter.KEYWORD_ONLY
        default = None if optional else inspect.Parameter.empty
        own = list(inspect.signature(command).parameters.values())[1:]
        parameters = [
            inspect.Parameter(name, kind, annotation=hint, default=default),
            *(parameter.replace(kind=kind) for parameter in own),
            *(
                inspect.Parameter(option, kind, annotation=option_hint, default=None)
                for option, option_hint in options.items()
            ),
        ]
        run.__name__ = command.__name__
        run.__doc__ = command.__doc__
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate
