"""The audit in words."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from league.policy.naming import Names
from league.record.fact_words import fact_title, fact_words

ACTIONS: Final[Mapping[str, StrOrPromise]] = {
    "club.create": gettext_lazy("club made"),
    "club.change": gettext_lazy("club changed"),
    "club.remove": gettext_lazy("club deleted"),
    "club.remove_demo": gettext_lazy("demo removed"),
    "account.create": gettext_lazy("account made"),
    "account.administrator": gettext_lazy("made administrator of this site"),
    "account.password": gettext_lazy("new password chosen"),
    "account.password_given": gettext_lazy("password given by somebody else"),
    "account.second_factors_removed": gettext_lazy("second factors removed"),
    "account.password_link": gettext_lazy("link for a new password made"),
    "invitation.create": gettext_lazy("invitation made"),
    "invitation.accept": gettext_lazy("invitation accepted"),
    "invitation.revoke": gettext_lazy("invitation taken back"),
    "calendar.renew": gettext_lazy("address of a calendar made"),
    "calendar.stop": gettext_lazy("calendar stopped"),
    "token.issue": gettext_lazy("token made"),
    "token.revoke": gettext_lazy("token ended"),
    "membership.add": gettext_lazy("office given"),
    "membership.change": gettext_lazy("office changed"),
    "membership.remove": gettext_lazy("office taken away"),
    "rules.create": gettext_lazy("house rules made"),
    "rules.copy": gettext_lazy("house rules copied"),
    "rules.share": gettext_lazy("house rules shared, or no longer"),
    "rules.version": gettext_lazy("new version of house rules"),
    "rules.drop": gettext_lazy("house rules taken off the list"),
    "sheet.open": gettext_lazy("sheet opened"),
    "player.create": gettext_lazy("player added"),
    "player.change": gettext_lazy("player changed"),
    "player.alias": gettext_lazy("other name added"),
    "player.alias_remove": gettext_lazy("other name taken away"),
    "player.merge": gettext_lazy("players merged"),
    "player.shown_as": gettext_lazy("shown to the public otherwise"),
    "player.erase": gettext_lazy("person erased"),
    "text.strike": gettext_lazy("words struck out of a text"),
    "player.remove": gettext_lazy("player deleted"),
    "season.create": gettext_lazy("season added"),
    "season.change": gettext_lazy("season changed"),
    "season.remove": gettext_lazy("season deleted"),
    "event.create": gettext_lazy("event added"),
    "event.change": gettext_lazy("event changed"),
    "event.remove": gettext_lazy("event deleted"),
    "event.open": gettext_lazy("entries opened"),
    "event.to_draft": gettext_lazy("taken back to a draft"),
    "event.start": gettext_lazy("started"),
    "event.finish": gettext_lazy("finished"),
    "event.reopen": gettext_lazy("event reopened"),
    "event.archive": gettext_lazy("put in the archive"),
    "event.unarchive": gettext_lazy("taken out of the archive"),
    "event.seed": gettext_lazy("seeded"),
    "event.enter_again": gettext_lazy("entries taken over from the season before"),
    "pyramid.create": gettext_lazy("divisions made"),
    "pyramid.change": gettext_lazy("divisions changed"),
    "pyramid.remove": gettext_lazy("divisions deleted"),
    "event.draw": gettext_lazy("drawn"),
    "event.draw_rest": gettext_lazy("rest redrawn"),
    "event.delete_draw": gettext_lazy("draw deleted"),
    "entry.add": gettext_lazy("entered"),
    "entry.move_up": gettext_lazy("moved up from the waiting list"),
    "entry.paid": gettext_lazy("fee paid, or no longer"),
    "request.ask": gettext_lazy("asked to enter"),
    "request.wait": gettext_lazy("put at the end of the waiting list"),
    "request.approve": gettext_lazy("entry approved"),
    "request.decline": gettext_lazy("entry declined"),
    "request.move": gettext_lazy("moved on the waiting list"),
    "request.remove": gettext_lazy("taken off the waiting list"),
    "entry.change": gettext_lazy("entry changed"),
    "entry.link": gettext_lazy("identified as a player"),
    "entry.members": gettext_lazy("members changed"),
    "entry.withdraw": gettext_lazy("withdrawn"),
    "entry.reinstate": gettext_lazy("withdrawal taken back"),
    "entry.annul": gettext_lazy("results annulled"),
    "entry.restore": gettext_lazy("results count again"),
    "entry.remove": gettext_lazy("entry deleted"),
    "round.add": gettext_lazy("round added"),
    "round.change": gettext_lazy("round moved"),
    "round.remove": gettext_lazy("round deleted"),
    "round.draft": gettext_lazy("paired, a draft"),
    "round.publish": gettext_lazy("published"),
    "round.unpublish": gettext_lazy("taken back to a draft"),
    "round.repair": gettext_lazy("paired again"),
    "round.swap": gettext_lazy("pairing changed by hand"),
    "round.complete": gettext_lazy("round closed"),
    "table_links.make": gettext_lazy("links for the table made"),
    "table_links.revoke": gettext_lazy("links for the table ended"),
    "round.call_time": gettext_lazy("time called"),
    "round.release": gettext_lazy("results released"),
    "round.withhold": gettext_lazy("results hidden again"),
    "match.confirm": gettext_lazy("let count by the director"),
    "round.reopen": gettext_lazy("round opened again"),
    "round.discard": gettext_lazy("round deleted with its pairing"),
    "presence.set": gettext_lazy("checked in"),
    "presence.everybody": gettext_lazy("everybody checked in"),
    "presence.bye": gettext_lazy("byes asked ahead"),
    "entry.guest": gettext_lazy("made a guest"),
    "forbidden.add": gettext_lazy("pair kept apart"),
    "forbidden.remove": gettext_lazy("pair no longer kept apart"),
    "bracket.keep": gettext_lazy("bracket let stand"),
    "level.decide": gettext_lazy("decided who comes first"),
    "level.take_back": gettext_lazy("decision on who comes first taken back"),
    "tie.decide": gettext_lazy("decided by the director"),
    "tie.clear": gettext_lazy("director's decision taken back"),
    "tie.change": gettext_lazy("another entry goes on"),
    "match.advance": gettext_lazy("another entry came into the match"),
    "round.deadline": gettext_lazy("deadline set"),
    "match.add": gettext_lazy("match added"),
    "match.remove": gettext_lazy("match deleted"),
    "match.table": gettext_lazy("moved to another table"),
    "match.line_up": gettext_lazy("line-up set"),
    "match.substitute": gettext_lazy("substitute seated"),
    "match.unseat": gettext_lazy("substitute taken back"),
    "match.postpone": gettext_lazy("planned for another day"),
    "match.forfeit": gettext_lazy("forfeit awarded"),
    "match.walkover": gettext_lazy("walkover awarded"),
    "match.let_bots_play": gettext_lazy("bots let play"),
    "match.cancel_bots": gettext_lazy("bot match cancelled"),
    "exhibition.cancel": gettext_lazy("bot match cancelled"),
    "bot_schedule.create": gettext_lazy("bot schedule added"),
    "bot_schedule.change": gettext_lazy("bot schedule changed"),
    "bot_schedule.remove": gettext_lazy("bot schedule deleted"),
    "bot_schedule.plant": gettext_lazy("planted at once"),
    "bot_schedule.stop": gettext_lazy("switched off, as it was refused"),
    "match.clear": gettext_lazy("statement taken back"),
    "match.new_sheet": gettext_lazy("new sheet opened"),
    "import.apply": gettext_lazy("file imported"),
    "import.take_over": gettext_lazy("tournament taken over"),
    "import.undo": gettext_lazy("import undone"),
    "season_table.create": gettext_lazy("season table made"),
    "season_table.change": gettext_lazy("season table changed"),
    "season_table.events": gettext_lazy("events of a season table changed"),
    "season_table.remove": gettext_lazy("season table deleted"),
    "challenge.make": gettext_lazy("challenge written"),
    "challenge.call_off": gettext_lazy("challenge called off"),
    "absence.add": gettext_lazy("absence noted"),
    "absence.end": gettext_lazy("end of an absence noted"),
    "absence.remove": gettext_lazy("absence taken back"),
    "adjustment.add": gettext_lazy("points given or taken"),
    "adjustment.remove": gettext_lazy("adjustment taken back"),
}


def action_words(action: str) -> str:
    """An action in words; its code if it has none."""
    return str(ACTIONS.get(action, action))


def facts_in_words(of: str, facts: Mapping[str, Any] | None, names: Names) -> list[tuple[str, str]]:
    """Titles and values of the facts about an object of the type `of`, with the shown names of people."""
    told = names.told(dict(facts or {}))
    return [(fact_title(of, name), fact_words(of, name, value)) for name, value in told.items()]


def fact_list(of: str, facts: Mapping[str, Any] | None, names: Names) -> SafeString:
    """`facts_in_words` as a list for a page, empty where there are none."""
    if not facts:
        return format_html("{}", "")
    return format_html(
        '<dl class="facts">{}</dl>',
        format_html_join("", "<dt>{}</dt><dd>{}</dd>", facts_in_words(of, facts, names)),
    )
