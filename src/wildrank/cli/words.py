"""What happens in a game, in words: the moves, and how rounds and games end."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from wildrank.cards import Card, format_cards
from wildrank.evaluator import Evaluator, Reading
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
    Steal,
    Take,
)
from wildrank.games.base import Cards, Game, RoundResult
from wildrank.games.paiute import Paiute, shown_evaluator
from wildrank.games.perico import PILE, PericoObservation
from wildrank.games.puck import Puck

__all__ = ["Narrator", "Told", "by_rank", "capital", "explain", "join", "plural", "reading_text"]

Told = str | Mapping[str, str]  # a sentence, or several facts with their names

_SCORES: Final = {"puck": "Rounds won", "paiute": "Chips"}


class _Before(NamedTuple):
    """What the table looked like before an action."""

    hands: tuple[Cards, ...]
    pile: Cards
    stock_size: int
    out: tuple[int, ...]
    must_declare: bool
    first: int | None
    rounds: int
    wild_card: Card | None
    pot: int


class Narrator:
    """Tells what happens in a game as it goes on.

    Parameters
    ----------
    game : Game
    viewer : int, optional
        Who listens: this player is called "you" and is told what only this player may know. By
        default everything is told.
    """

    def __init__(self, game: Game[Any], viewer: int | None = None) -> None:
        self._game = game
        self._viewer = viewer
        self._look(len(game.rounds) if game.history else 0)

    def _look(self, rounds: int) -> None:
        game, seen = self._game, self._game.observation(0)
        self._before = _Before(
            tuple(game.observation(player).hand for player in range(game.players)),
            seen.pile,
            seen.stock_size,
            getattr(seen, "out", ()),
            game.is_legal(Declare()),
            getattr(seen, "knocker", getattr(seen, "caller", None)),
            rounds,
            game.wild_card if isinstance(game, Paiute) else None,
            getattr(seen, "pot", 0),
        )

    # --- who ---

    def name(self, player: int) -> str:
        """Return how a player is called."""
        return "you" if player == self._viewer else f"player {player}"

    def names(self, players: Sequence[int]) -> str:
        """Return how several players are called."""
        return join([self.name(player) for player in players])

    def does(self, player: int, verb: str) -> str:
        """Return the verb as it follows the player's name."""
        return verb if player == self._viewer else f"{verb}s"

    def _sees(self, *players: int) -> bool:
        return self._viewer is None or self._viewer in players

    # --- moves ---

    def tell_move(self) -> str:
        """Tell the last action, without the player's name."""
        player, action = self._game.history[-1]
        if self._has_forfeited(action):
            return f"{self.does(player, 'play')} on with a hand that ends the round, and is out"
        return self._phrase(player, action, self._hand(player))

    def _hand(self, player: int) -> Cards:
        """Return a player's hand after the last action, also if the round is over."""
        ended = self._game.rounds[self._before.rounds :]
        return ended[0].hands[player] if ended else self._game.observation(player).hand

    def _has_forfeited(self, action: Action) -> bool:
        return self._before.must_declare and not isinstance(action, Declare)

    def _phrase(self, player: int, action: Action, hand: Cards) -> str:
        pile = self._before.pile
        discard = self.does(player, "discard")
        match action:
            case DrawStock():
                drawn = str(hand[-1]) if self._sees(player) else "a card"
                return f"{self.does(player, 'draw')} {drawn} from the stock"
            case DrawPile():
                return f"{self.does(player, 'take')} {pile[-1]} from the pile"
            case Discard(card):
                return f"{discard} {card}"
            case Take(cards):
                taken = format_cards(reversed(pile[-len(cards) :]))
                taken_from = f"{self.does(player, 'take')} {taken} from the pile"
                return f"{taken_from} and {discard} {format_cards(cards)}"
            case Exchange(cards):
                drawn = format_cards(hand[-len(cards) :]) if self._sees(player) else "as many"
                draw = self.does(player, "draw")
                return f"{discard} {format_cards(cards)} and {draw} {drawn} from the stock"
            case Steal(takes, cards):
                stolen = join([self._theft(player, victim, count) for count, victim in takes])
                steal = self.does(player, "steal")
                return f"{discard} {format_cards(cards)} and {steal} {stolen}"
        return self._plain_phrase(player, action)

    def _plain_phrase(self, player: int, action: Action) -> str:
        match action:
            case Call(None):
                return f"{self.does(player, 'call')}, showing {self._shown(player)}"
            case Call(card):
                call = self.does(player, "call")
                return f"{call}, showing {self._shown(player)} and discarding {card}"
            case ChooseDirection(direction):
                return f"{self.does(player, 'choose')} to play {direction}"
            case Cut(0):
                return f"{self.does(player, 'cut')} no cards"
            case Cut(count):
                return f"{self.does(player, 'cut')} {plural(count, 'card')} from the top"
            case Keep():
                return f"{self.does(player, 'keep')} the hand as it is"
            case Declare():
                return f"{self.does(player, 'declare')} a hand that ends the round"
        return self.does(player, str(action))

    def _theft(self, thief: int, victim: int, count: int) -> str:
        left = self._hand(victim)
        stolen = [card for card in self._before.hands[victim] if card not in left]
        what = format_cards(stolen) if self._sees(thief, victim) else plural(count, "card")
        return f"{what} from {self.name(victim)}"

    def _shown(self, player: int) -> str:
        hand = self._hand(player)
        return str(explain(self._game.evaluator, hand, self._before.wild_card, shown=True))

    # --- what an action brings about ---

    def tell_outcome(self) -> Iterator[Told]:
        """Tell what the last action has brought about: shuffles, and rounds that have ended."""
        game, before = self._game, self._before
        ended = game.rounds[before.rounds :]
        if game.history:
            yield from self._shuffles(game.history[-1].action, bool(ended))
        for number, result in enumerate(ended, start=before.rounds):
            yield ""
            yield from self._round(number, result)
        if ended and not game.is_over:
            yield self.scores()
        self._look(len(game.rounds))

    def _shuffles(self, action: Action, ended: bool) -> Iterator[str]:
        if isinstance(action, DrawStock | Exchange):
            wanted = len(action.discards) if isinstance(action, Exchange) else 1
            if not ended and self._before.stock_size < wanted:
                yield "The pile is shuffled into a new stock."
        elif isinstance(action, Discard | Take) and not ended:
            seen = self._game.observation(0)
            laid = action.card if isinstance(action, Discard) else action.discards[-1]
            shuffles = isinstance(seen, PericoObservation) and seen.play == PILE
            if shuffles and laid.is_joker and laid not in seen.pile:
                turned_up = seen.pile[-1]
                yield f"Stock and pile are shuffled together; {turned_up} is turned up."

    def _round(self, number: int, result: RoundResult) -> Iterator[Told]:
        what = "Deal" if isinstance(self._game, Paiute) else "Round"
        turns = plural(result.turns, "turn")
        yield f"{what} {number + 1} is over after {turns}: {self._ending(result)}"
        if any(result.hands):
            yield {
                f"{'*' if player in result.winners else ' '} {self.name(player)}": (
                    f"{format_cards(by_rank(hand))}\n{self._worth(player, hand)}"
                )
                for player, hand in enumerate(result.hands)
            }
        yield self._verdict(number, result)

    def _worth(self, player: int, hand: Cards) -> str:
        if player in self._out():
            return "out of the round"
        wild_card = self._before.wild_card
        return reading_text(explain(self._game.evaluator, by_rank(hand), wild_card, shown=True))

    def _out(self) -> tuple[int, ...]:
        """Return who is out of the round that the last action has ended."""
        last = self._game.history[-1:]
        return self._before.out + tuple(
            move.player for move in last if self._has_forfeited(move.action)
        )

    def _ending(self, result: RoundResult) -> str:
        match result.ending:
            case "knock" | "call" as ending:
                first = self._before.first
                player = self._game.history[-1].player if first is None else first
                return f"{self.name(player)} {ending}ed."
            case "ending_hand" if result.turns == 0:
                return "a hand that ends the round was dealt."
            case "ending_hand":
                return "a hand that ends the round."
            case "forfeit":
                return "only one player is left in it."
            case "max_turns":
                return "nobody called."
        return "all hands are shown."

    def _verdict(self, number: int, result: RoundResult) -> str:
        winners = result.winners
        if isinstance(self._game, Paiute):
            return self._pot_verdict(number, winners)
        if len(winners) != 1:
            return f"{capital(self.names(winners))} tie: nobody scores."
        return f"{capital(self.name(winners[0]))} {self.does(winners[0], 'win')} the round."

    def _pot_verdict(self, number: int, winners: tuple[int, ...]) -> str:
        pot = f"the pot of {self._before.pot}"
        if not winners:
            last = self._game.is_over and number + 1 == len(self._game.rounds)
            return f"{capital(pot)} {'goes back to all' if last else 'stays for the next deal'}."
        if len(winners) > 1:
            return f"{capital(self.names(winners))} share {pot}."
        return f"{capital(self.name(winners[0]))} {self.does(winners[0], 'take')} {pot}."

    # --- scores ---

    def scores(self) -> str:
        """Tell the scores."""
        label = _SCORES.get(self._game.name, "Points")
        pot = getattr(self._game, "pot", 0)
        return f"{label}: {self._each(self._game.scores)}{f'; {pot} in the pot' if pot else ''}."

    def _each(self, numbers: Sequence[int]) -> str:
        return ", ".join(f"{self.name(player)} {number}" for player, number in enumerate(numbers))

    def tell_state(self) -> Iterator[str]:
        """Tell how the game stands: who has won it, if it is over, and the scores."""
        game = self._game
        if game.is_over:
            shared = len(game.winners) > 1
            win = "share the victory" if shared else f"{self.does(game.winners[0], 'win')} it"
            yield f"The game is over: {self.names(game.winners)} {win}."
        else:
            yield "The game is not over."
        yield self.scores()
        if isinstance(game, Puck) and any(game.chips):
            yield f"Chips: {self._each(game.chips)}."


# --- hands ---


def explain(
    evaluator: Evaluator, hand: Cards, wild_card: Card | None, *, shown: bool = False
) -> Reading:
    """Return why a hand has its value, also one of five cards in Paiute, and one that is shown."""
    if wild_card is not None and (shown or len(hand) < evaluator.hand_size):
        evaluator = shown_evaluator(len(hand), evaluator.rules.ace)
    return evaluator.explain(hand, None if wild_card is None else wild_card.rank)


def reading_text(reading: Reading) -> str:
    """Return a reading without the cards, which are shown beside it."""
    name = reading.category.replace("_", " ")
    if not reading.cards:
        return name
    text = str(reading)
    ranks = text[len(name) : text.index(":")]
    cards = format_cards(reading.cards)
    return name + ranks + text[text.index(":") + 2 + len(cards) :]


def by_rank(hand: Sequence[Card]) -> Cards:
    """Return a hand in descending order."""
    return tuple(sorted(hand, reverse=True))


# --- words ---


def capital(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


def join(names: Sequence[str]) -> str:
    """Return names as a list in words."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def plural(count: int, noun: str) -> str:
    """Return a number of things."""
    return f"{count} {noun}" + ("s" if count != 1 else "")
