"""RULES and the options of rule sets, the same in every command that takes them."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from wildrank.games import evaluator, rule_sets

__all__ = ["takes_rules"]

_RULES: Final = typer.Argument(
    metavar="RULES", help=f"One of {', '.join(rule_sets())}.", show_default=False
)

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
            help="Where the ace stands in a straight (puck, paiute).",
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


def takes_rules(*, optional: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command whose first parameter is an evaluator take RULES and options instead.

    With `optional`, RULES may be left out, and the evaluator is then None.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def run(*, rules: str | None = None, **arguments: Any) -> None:
            given = {name: value for name in _OPTIONS if (value := arguments.pop(name)) is not None}
            if rules is None and given:
                raise typer.BadParameter("the options of a rule set need RULES")
            command(None if rules is None else evaluator(rules, **given), **arguments)

        kind = inspect.Parameter.KEYWORD_ONLY
        first = (
            inspect.Parameter("rules", kind, annotation=Annotated[str | None, _RULES], default=None)
            if optional
            else inspect.Parameter("rules", kind, annotation=Annotated[str, _RULES])
        )
        own = list(inspect.signature(command).parameters.values())[1:]
        parameters = [
            first,
            *(parameter.replace(kind=kind) for parameter in own),
            *(
                inspect.Parameter(name, kind, annotation=hint, default=None)
                for name, hint in _OPTIONS.items()
            ),
        ]
        run.__name__ = command.__name__
        run.__doc__ = command.__doc__
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate
