"""Bot matches as pages show them: of a club, played as far as a test wants them, with what was weighed."""

from itertools import islice
from typing import Any

from games.bots import Bot, Chances, Estimate, GameView, HouseBot, Strategy
from games.bots.simple import Simple
from games.gin.actions import Action, ActionKind
from games.gin.view import View
from games.models import BotMatch
from games.services import claim, record_played, strategies
from games.tables.play import play_deals
from games.tables.playing import TableDeal
from league.models import Club, Exhibition
from scoring.documents.sheets import deal_document
from scoring.models import Scoresheet
from scoring.services.records import kept_sheet
from tests.games.bot_matches import SEED, blank_sheet, planned

TOKEN = "a worker of the tests"


class Thoughtful:
    """Plays as simple does, and says of every discard what it thought of it: 0.6, and less for the others."""

    def __init__(self, chances: Chances) -> None:
        self._simple: Bot = Simple(chances)
        self._estimates: tuple[Estimate, ...] = ()

    def choose(self, view: View, game: GameView) -> Action:
        chosen = self._simple.choose(view, game)
        others = [one for one in view.legal if one.kind is ActionKind.DISCARD and one != chosen]
        self._estimates = ()
        if chosen.kind is ActionKind.DISCARD:
            weighed = [Estimate(one, 0.55 - number / 100, 30) for number, one in enumerate(others[:4])]
            self._estimates = (Estimate(chosen, 0.6, 300), *weighed)
        return chosen

    def estimates(self) -> tuple[Estimate, ...]:
        return self._estimates


# To be named in `BOT_STRATEGIES`.
THOUGHTFUL = Strategy("thoughtful", "Says what it thinks.", lambda samples, chances: Thoughtful(chances))
THOUGHTFUL_PATH = f"{__name__}.THOUGHTFUL"


def exhibition(club: Club, *bots: HouseBot, seed: int = SEED, **options: Any) -> BotMatch:
    """A bot match of a club that is due; `options` as for `blank_sheet`."""
    sheet = blank_sheet(**options)
    Exhibition.objects.create(sheet=sheet, club=club)
    return planned(sheet, *bots, seed=seed)


def play_some(match: BotMatch, deals: int | None = None) -> BotMatch:
    """Plays so many deals, or all that are left, as a worker does; the match as it is then."""
    if not match.owner:
        assert claim(match.pk, TOKEN) is not None
    sheet = Scoresheet.objects.select_related("rules").get(pk=match.sheet_id)
    kept = kept_sheet(sheet)
    bots = {
        name: HouseBot.from_document(match.bots[str(number)], strategies())
        for number, name in kept.seat_names.items()
    }
    playing = play_deals(sheet.rules.rules, kept.sides, bots, match.seed, played=kept.deals)
    for played in islice(playing, deals):
        hands = tuple(
            (hand.log.to_document(), [_stored(one) for one in estimates])
            for hand, estimates in zip(played.hands, played.estimates, strict=True)
        )
        told = TableDeal(played.number, deal_document(played.deal) or {}, hands)
        receipt = record_played(match, TOKEN, kept, told, expected_version=sheet.version)
        sheet.version = receipt.version
    match.refresh_from_db()
    return match


def _stored(estimates: tuple[Estimate, ...]) -> list[list[Any]] | None:
    return [[str(one.action), round(one.value, 4), one.samples, one.is_chance] for one in estimates] or None
