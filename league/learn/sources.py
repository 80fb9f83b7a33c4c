"""Where the rules and the advice come from; the words of the lessons are this product's own."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Source:
    """Something that was read: its title as it was published, and the site that has it."""

    title: str
    site: str = ""


# The schools of the presets, and the kinds for more than two (RULES.md, at the top and §8).
POINT_RULES: Final = Source("Gin Rummy Point Rules")
EASY_RULES: Final = Source("Easy Gin Rummy Rules")
CONTINENTAL: Final = Source("Rules of Gin-Rummy")
WHITE_KNUCKLE: Final = Source("Gin Rummy", "whiteknucklecards.com")
FIFTIETH_CARD: Final = Source("Gin-Rummy and the 50th card", "rubl.com")
CUTTHROAT: Final = Source("Cutthroat Gin", "rummyrulebook.com")
CHOUETTE: Final = Source("Chouette Gin", "rummyrulebook.com")
BATTLE_ROYAL: Final = Source("Battle Royal Gin", "rummyrulebook.com")
FOUR_PLAYERS: Final = Source("Das Spielen von Gin Rommé mit vier Personen", "easy-gin-rummy.net")
CAPTAIN_PLAY: Final = Source("Captain Play", "rummytalk.com")
THREE_HANDED: Final = Source("Three-Handed Gin Rummy Rules", "gamingbuzzers.com")
JERSEY: Final = Source("Jersey Gin", "denexa.com")
PARTNERSHIP: Final = Source("Partnership Rummy", "bicyclecards.com")
FOUR_IN_A_PACK: Final = Source("Gin Rommé zu viert", "ginrummy-palace.com")
BICYCLE_RUMMY: Final = Source("Rummy (Rum)", "bicyclecards.com")
PAGAT_RUMMY: Final = Source("Rummy", "pagat.com")
WIKIPEDIA_RUMMY: Final = Source("Rummy", "en.wikipedia.org")
SEVEN_CARDS: Final = Source("Card Game Rules for Seven Card Rummy", "ourpastimes.com")
# Rulings.
LAYING_OFF: Final = Source("Laying Off Rules in Gin Rummy", "ginrummy.cards")
COUNTING: Final = Source("Counting Deadwood in Gin Rummy", "ccstocker.com")
THE_KNOCK: Final = Source("The Rules of the Knock", "rummytalk.com")
ILLEGAL_HANDS: Final = Source("Illegal Hands", "rummytalk.com")
IRREGULARITIES: Final = Source("What are the Possible Irregularities of Gin Rummy", "blog.rummydangal.com")
MULTIPLAYER: Final = Source("Multiplayer Rummy", "spielegratis24.de")
VARIATIONS: Final = Source("Rules And Variations", "text-id.123dok.com")
# Advice.
TIPS: Final = Source("Gin-Rummy Tips", "rubl.com")
DISCARDING: Final = Source("Discarding in Gin-Rummy", "rubl.com")
KEY_PRINCIPLES: Final = Source("Gin Rummy Strategy: Key Principles", "skillgames.zone")
GREAT_KNOCKERS: Final = Source("Great Knockers", "tesseractmobile.biz")
