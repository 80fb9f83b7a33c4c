"""Acts that let bots play a match or a round, and that cancel it."""

from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import BotMatch
from league.acts import Act, Data, Preview, ReasonForm, does, passes
from league.bots import bot_matches
from league.bots.house_bots import house_bot_of
from league.core.lifecycle import Doing
from league.models import SEATED, UNFINISHED, Match, Player, Round
from scoring.core.actors import Actor

HEAD: Final = (gettext_lazy("Sheet"), gettext_lazy("Who plays"))


def plays_as(player: Player) -> str:
    """A bot's name and way of playing, “Ada (bot): expert, level 2”; refused as in `house_bot_of`."""
    bot = house_bot_of(player)
    words = {"player": player, "strategy": bot.strategy.name, "level": bot.level}
    if bot.level is None:
        return _("%(player)s: %(strategy)s") % words
    return _("%(player)s: %(strategy)s, level %(level)d") % words


def _preview_match(match: Match, data: Data) -> Preview:
    bot_matches.check_plantable(match)
    seats = match.appearances.select_related("player").order_by("side", "position")
    return Preview([*(plays_as(seat.player) for seat in seats), *_started_words()])


def _preview_round(round_: Round, data: Data) -> Preview:
    return Preview(
        _started_words(), HEAD, match_lines(bot_matches.waiting_for_bots(round_.event).filter(round=round_))
    )


def match_lines(matches: QuerySet[Match]) -> list[list[object]]:
    """The matches as table rows, in order of play, with all who sit there."""
    ordered = matches.select_related(*SEATED).order_by("round__number", "table", "pk")
    return [[match.label, match.words(str)] for match in ordered]


def _started_words() -> list[str]:
    return [
        _(
            "They will begin as soon as a worker is free; nobody else will write on the "
            "sheet until they are done."
        ),
        _("It can be cancelled at any deal."),
    ]


def _play_round(by: Actor, round_: Round, data: Data) -> str:
    count = len(bot_matches.play_round(actor=by, round_=round_))
    return ngettext("Bots play %d match.", "Bots play %d matches.", count) % count


def _preview_cancel_match(match: Match, data: Data) -> Preview:
    return Preview(cancelled_words(0 if match.sheet is None else match.sheet.deal_count))


def cancelled_words(deals: int) -> list[str]:
    """Sentences about what remains if a bot match with so many deals is cancelled now."""
    if not deals:
        return [_("Bots will not play it; it will wait to be played.")]
    return [
        ngettext(
            "%d deal will stay on the sheet, and bots will add none.",
            "%d deals will stay on the sheet, and bots will add none.",
            deals,
        )
        % deals
    ]


def _preview_cancel_round(round_: Round, data: Data) -> Preview:
    return Preview(
        [_("Bots will stop playing these; what is on the sheets will stay there.")],
        HEAD,
        match_lines(bot_matches.with_bots(round_.matches.all())),
    )


def _cancel_round(by: Actor, round_: Round, data: Data) -> str:
    count = bot_matches.cancel_round(actor=by, round_=round_, reason=data["reason"])
    return ngettext("%d bot match was cancelled.", "%d bot matches were cancelled.", count) % count


def _may_play(match: Match) -> bool:
    if match.state not in UNFINISHED or match.sheet is None:
        return False
    return passes(bot_matches.check_plantable, match)


def _is_played(match: Match) -> bool:
    planted: BotMatch | None = getattr(match.sheet, "bot_match", None)
    return planted is not None and not planted.is_over


MATCH: Final[tuple[Act[Match], ...]] = (
    Act(
        slug="let-bots-play",
        title=gettext_lazy("Let the bots play"),
        doing=Doing.PLAY,
        preview=_preview_match,
        run=does(bot_matches.play_now, "match", gettext_lazy("Bots play %(label)s."), "label"),
        offered=_may_play,
    ),
    Act(
        slug="cancel-bots",
        title=gettext_lazy("Cancel the bot match"),
        doing=Doing.PLAY,
        form=ReasonForm,
        preview=_preview_cancel_match,
        run=does(bot_matches.cancel, "match", gettext_lazy("Bots no longer play %(label)s."), "label"),
        offered=_is_played,
    ),
)
ROUND: Final[tuple[Act[Round], ...]] = (
    Act(
        slug="let-bots-play",
        title=gettext_lazy("Let the bots play"),
        intro=gettext_lazy("All matches of the round in which only bots sit and that wait to be played."),
        doing=Doing.PLAY,
        preview=_preview_round,
        run=_play_round,
        offered=lambda round_: bot_matches.waiting_for_bots(round_.event).filter(round=round_).exists(),
    ),
    Act(
        slug="cancel-bots",
        title=gettext_lazy("Cancel the bot matches"),
        doing=Doing.PLAY,
        form=ReasonForm,
        preview=_preview_cancel_round,
        run=_cancel_round,
        offered=lambda round_: bot_matches.with_bots(round_.matches.all()).exists(),
    ),
)
