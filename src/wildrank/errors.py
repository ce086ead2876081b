"""The errors that wrong input raises; every one is a ``ValueError``.

Each message is one sentence that says what was expected, what was found and where. Rows and
positions count from 0, as they do in the array or string that was handed in.
"""

from typing import Final

__all__ = [
    "ActionError",
    "CardError",
    "HandError",
    "IllegalActionError",
    "RecordError",
    "RuleError",
    "WildrankError",
]

LONGEST_SHOWN: Final = 100


def shown(value: object) -> str:
    """Write a wrong value for a message: as its repr, but never long."""
    try:
        # A text's repr can be four times as long, and is never needed whole.
        text = repr(value[:LONGEST_SHOWN] if type(value) is str else value)
    except Exception:  # as Python raises for an int of thousands of digits
        return f"a value of type {type(value).__name__} that is too long to show"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} [...]"


class WildrankError(ValueError):
    """Base class of the errors that this package raises for wrong input.

    Attributes
    ----------
    row : int or None
        The first bad row, counted from 0, if the error comes from an array of hands.
    position : int or None
        Where the bad token starts in a text, or the place of the bad card in a hand, from 0.
    """

    def __init__(
        self, message: str, *, row: int | None = None, position: int | None = None
    ) -> None:
        super().__init__(message)
        self.row = row
        self.position = position


class CardError(WildrankError):
    """A text or number that is no card, or no rank."""


class HandError(WildrankError):
    """A hand, or an array of hands, that cannot be evaluated."""


class RuleError(WildrankError):
    """A category or rule set that cannot work, or an unknown rule set or option."""


class ActionError(WildrankError):
    """A text or object that is no action of a game."""


class IllegalActionError(ActionError):
    """An action that the rules of a game do not allow now; it changed nothing."""


class RecordError(WildrankError):
    """A record of a game that is damaged or does not follow the rules.

    Attributes
    ----------
    line : int
        The first bad line, counted from 1 as editors do.
    """

    def __init__(self, message: str, *, line: int = 1) -> None:
        super().__init__(message)
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {super().__str__()}"
