"""Bot matches in the admin, with what `games` does not know: their club, and the director's acts."""

import datetime
from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin import BotMatchAdmin
from games.models import BotMatch
from league.acts import Act, Preview, ReasonForm, does
from league.admin.acts import ActingAdmin, PageLink, change_link
from league.admin.bot_acts import cancelled_words
from league.bots import bot_matches
from league.models import Club, Match

admin.site.unregister(BotMatch)


@admin.register(BotMatch)
class ClubBotMatchAdmin(ActingAdmin[BotMatch], BotMatchAdmin):
    """The admin of `games`, limited to the clubs of the officer."""

    change_form_template = "admin/league/change_form.html"
    acts = (
        Act(
            slug="cancel-bots",
            title=gettext_lazy("Cancel the bot match"),
            form=ReasonForm,
            preview=lambda row, data: Preview(cancelled_words(row.sheet.deal_count)),
            run=does(
                bot_matches.cancel_planted, "planted", gettext_lazy("Bots no longer play %(sheet)s."), "sheet"
            ),
            offered=lambda row: not row.is_over,
        ),
        Act(
            slug="try-again",
            title=gettext_lazy("Try again"),
            intro=gettext_lazy("It was tried several times and could not go on; its note says why."),
            run=does(bot_matches.try_again, "planted", gettext_lazy("Bots try %(sheet)s again."), "sheet"),
            offered=lambda row: row.is_left_alone,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[BotMatch]:
        owners = ("sheet__match__event__club", "sheet__former__club", "sheet__exhibition__club")
        return super().get_queryset(request).select_related(*owners)

    def links(self, request: HttpRequest, row: BotMatch) -> Sequence[PageLink]:
        links = [change_link(_("The sheet and its history"), row.sheet)]
        match = Match.objects.filter(sheet=row.sheet_id).first()
        if match is not None:
            links.append(change_link(_("The match"), match))
        return links

    def zone_of(self, row: Any) -> datetime.tzinfo:
        club = _club_of(row)
        return super().zone_of(row) if club is None else club.zone


def _club_of(row: BotMatch) -> Club | None:
    sheet = row.sheet
    match, former, shown = (getattr(sheet, name, None) for name in ("match", "former", "exhibition"))
    owner = getattr(match, "event", None) or former or shown
    return None if owner is None else owner.club
