"""Fast poker-hand evaluation with jokers, wild cards and your own category order."""

from wildrank.cards import Card, deck, format_cards, parse_cards, parse_rank, rank_name
from wildrank.dealing import all_hands, deal
from wildrank.errors import (
    ActionError,
    CardError,
    HandError,
    IllegalActionError,
    RecordError,
    RuleError,
    WildrankError,
)
from wildrank.evaluator import Evaluator, Reading
from wildrank.games import evaluator, rule_sets
from wildrank.kernels import kernel_name
from wildrank.rules import Category, RuleSet

__all__ = [
    "ActionError",
    "Card",
    "CardError",
    "Category",
    "Evaluator",
    "HandError",
    "IllegalActionError",
    "Reading",
    "RecordError",
    "RuleError",
    "RuleSet",
    "WildrankError",
    "all_hands",
    "deal",
    "deck",
    "evaluator",
    "format_cards",
    "kernel_name",
    "parse_cards",
    "parse_rank",
    "rank_name",
    "rule_sets",
]
