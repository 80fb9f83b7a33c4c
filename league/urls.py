"""URLs of the league: its pages at the root, its API under /api/v1/."""

from typing import Any

from allauth.account.views import (
    account_inactive,
    confirm_email,
    confirm_login_code,
    confirm_reauthentication_code,
    email_verification_sent,
    reauthenticate,
    request_reauthentication_code,
    signup,
)
from django.urls import URLPattern, URLResolver, include, path

from league.api import urls as api
from league.demo import pages as demo
from league.draws.formats import format_called
from league.events.beginning import STEPS
from league.learn import urls as learn
from league.models import registered
from league.pages import (
    accounts,
    arranging,
    audit,
    away,
    beginning,
    board,
    challenging,
    checking_in,
    clubs,
    conduct,
    daily,
    documents,
    embedding,
    entering,
    event_pictures,
    events,
    feeds,
    guest_seats,
    honours,
    installing,
    joining,
    leaving,
    logos,
    matches,
    members,
    notices,
    own_calendar,
    own_club,
    own_play,
    packs,
    players,
    playing,
    privacy,
    ratings,
    rules,
    screen,
    seasons,
    sharing,
    tokens,
    webhooks,
)
from league.phone import officers

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [*api.urlpatterns]

_EVENT = "clubs/<slug:club>/events/<slug:event>/"


def _own_and_library(route: str, view: Any, own: str, library: str) -> list[URLPattern]:
    """A page of the library for accounts at our address: by our name, and by the one it looks up itself."""
    return [path(route, view, name=name) for name in (own, library)]


def _pages_of_formats() -> list[URLPattern]:
    """The addresses of the pages that only some formats have."""
    pages = {page.name: page.path for key in registered() for page in format_called(key).pages if page.path}
    return [
        path(_EVENT + address, events.format_page, {"name": name}, name=name)
        for name, address in pages.items()
    ]


urlpatterns: list[URLPattern | URLResolver] = [
    path("", clubs.home, name="home"),
    path("begin/", beginning.begin, name="begin"),
    path("begin/demo/", demo.begin_demo, name="begin_demo"),
    path("begin/demo/progress/", demo.demo_progress, name="begin_demo_progress"),
    path("begin/<str:code>/", beginning.begin_by_code, name="begin_by_code"),
    *[
        path(f"clubs/<slug:club>/begin/{step}/", beginning.step, {"step": step}, name=f"begin_{step}")
        for step in STEPS
    ],
    path("clubs/<slug:club>/begin/leave/", beginning.leave, name="begin_leave"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("worker.js", installing.worker, name="worker"),
    path("offline/", installing.offline, name="offline"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("icons/<int:size>.png", installing.icon, name="icon"),
    *learn.urlpatterns,
    *_own_and_library("login/", accounts.SignIn.as_view(), "login", "account_login"),
    *_own_and_library("logout/", accounts.SignOut.as_view(), "logout", "account_logout"),
    path("login/code/", accounts.AskForCode.as_view(), name="account_request_login_code"),
    path("login/code/confirm/", confirm_login_code, name="account_confirm_login_code"),
    path("account/closed/", account_inactive, name="account_inactive"),
    path("account/new/", signup, name="account_signup"),
    path("account/again/", reauthenticate, name="account_reauthenticate"),
    path("account/again/code/", request_reauthentication_code, name="account_request_reauthentication_code"),
    path(
        "account/again/code/confirm/",
        confirm_reauthentication_code,
        name="account_confirm_reauthentication_code",
    ),
    path("account/address/", accounts.Address.as_view(), name="account_email"),
    path("account/address/sent/", email_verification_sent, name="account_email_verification_sent"),
    path("account/address/<str:key>/", confirm_email, name="account_confirm_email"),
    path("account/sessions/", accounts.Sessions.as_view(), name="usersessions_list"),
    path("account/factors/", include("allauth.mfa.urls")),
    path("me/", own_club.me, name="me"),
    path("account/", accounts.account, name="account"),
    path("account/erase/", leaving.account_erase, name="account_erase"),
    path("account/play/", own_play.own_play, name="own_play"),
    path("account/data/", accounts.data, name="own_data"),
    path("account/players/<slug:code>/", accounts.shown_as, name="shown_as"),
    *_own_and_library(
        "account/password/", accounts.ChangePassword.as_view(), "password_change", "account_change_password"
    ),
    path("account/password/set/", accounts.SetPassword.as_view(), name="account_set_password"),
    *_own_and_library(
        "account/forgotten/", accounts.ForgottenPassword.as_view(), "password_reset", "account_reset_password"
    ),
    path("account/forgotten/sent/", accounts.LinkSent.as_view(), name="password_reset_done"),
    *_own_and_library(
        "account/forgotten/<str:uidb36>/<str:key>/",
        accounts.NewPassword.as_view(),
        "password_link",
        "account_reset_password_from_key",
    ),
    path("account/told/<slug:club>/", notices.choices, name="notice_choices"),
    path("account/mail/", notices.mail_again, name="mail_again"),
    path("account/devices/", notices.add_device, name="add_device"),
    path("account/devices/<slug:code>/end/", notices.remove_device, name="remove_device"),
    path("notices/stop/<str:secret>/", notices.stop_by_secret, name="notices_stop"),
    path("invitations/<slug:secret>/", members.invitation, name="invitation"),
    path("account/calendar/", own_calendar.calendar_address, name="calendar_address"),
    path("calendars/<slug:secret>.ics", own_calendar.calendar, name="own_calendar"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<slug:code>/revoke/", tokens.revoke, name="token_revoke"),
    path("clubs/<slug:club>/", clubs.club, name="club"),
    path("clubs/<slug:club>/me/", own_club.club_me, name="club_me"),
    path("clubs/<slug:club>/me/leave/", leaving.club_leave, name="club_leave"),
    path("clubs/<slug:club>/me/erase/", leaving.club_erase, name="club_erase"),
    path("play/with/<str:secret>/", guest_seats.seat_of_guest, name="guest_seat"),
    path("clubs/<slug:club>/play/", playing.club_play, name="club_play"),
    path("clubs/<slug:club>/play/daily/", daily.club_daily, name="club_daily"),
    path("clubs/<slug:club>/me/away/", away.club_away, name="club_away"),
    path("clubs/<slug:club>/events/", clubs.club_events, name="club_events"),
    path("clubs/<slug:club>/join/", joining.join_club, name="join_club"),
    path("clubs/<slug:club>/join/withdraw/", joining.withdraw, name="join_withdraw"),
    path("clubs/<slug:club>/people/requests/<slug:code>/", joining.claim, name="claim"),
    path(
        "clubs/<slug:club>/people/requests/<slug:code>/approve/",
        joining.answer,
        {"approves": True},
        name="join_approve",
    ),
    path(
        "clubs/<slug:club>/people/requests/<slug:code>/refuse/",
        joining.answer,
        {"approves": False},
        name="join_refuse",
    ),
    path("clubs/<slug:club>/people/", members.members, name="members"),
    path(
        "clubs/<slug:club>/people/invitations/<slug:code>/revoke/", members.revoke, name="invitation_revoke"
    ),
    path("clubs/<slug:club>/people/<slug:code>/password/", members.password_for, name="password_for"),
    path("clubs/<slug:club>/webhooks/", webhooks.webhooks, name="webhooks"),
    path("clubs/<slug:club>/webhooks/<slug:code>/", webhooks.webhook, name="webhook"),
    path("clubs/<slug:club>/audit/", audit.audit, name="audit"),
    path("clubs/<slug:club>/audit.csv", audit.audit_csv, name="audit_csv"),
    path("clubs/<slug:club>/exhibitions/", clubs.exhibitions, name="exhibitions"),
    path("clubs/<slug:club>/seasons/<slug:season>/", seasons.season, name="season"),
    path("clubs/<slug:club>/tables/<slug:table>/", seasons.season_table, name="season_table"),
    path("clubs/<slug:club>/divisions/<slug:pyramid>/", seasons.divisions, name="divisions"),
    path("clubs/<slug:club>/players/", players.players, name="players"),
    path("clubs/<slug:club>/players.csv", players.players_csv, name="players_csv"),
    path("clubs/<slug:club>/players/<slug:code>/", players.player, name="player"),
    path("clubs/<slug:club>/players/<slug:code>/rating/", ratings.rating, name="rating"),
    path("clubs/<slug:club>/ratings/", ratings.ratings, name="ratings"),
    path("clubs/<slug:club>/logo/", logos.choose_logo, name="choose_logo"),
    path("clubs/<slug:club>/logo/<slug:digest>.png", logos.club_logo, name="club_logo"),
    path("clubs/<slug:club>/manifest.webmanifest", installing.club_manifest, name="club_manifest"),
    path("clubs/<slug:club>/logo/<slug:digest>/<int:size>.png", installing.club_icon, name="club_icon"),
    path("colours/<slug:colour>.css", logos.colours, name="colours"),
    path("clubs/<slug:club>/honours/", honours.honours, name="honours"),
    path("clubs/<slug:club>/champions/", honours.champions, name="champions"),
    path("clubs/<slug:club>/head-to-head/", honours.head_to_head, name="head_to_head"),
    path("clubs/<slug:club>/rules/", rules.club_rules, name="club_rules"),
    path("clubs/<slug:club>/rules/new/", rules.new_rules, name="new_rules"),
    path("clubs/<slug:club>/rules/<slug:code>/change/", rules.change_rules, name="change_rules"),
    path("clubs/<slug:club>/rules/<slug:code>/share/", rules.share_rules, name="share_rules"),
    path("r/<slug:code>/", rules.rules, name="rules"),
    path("r/<slug:code>/qr.svg", rules.rules_qr, name="rules_qr"),
    path("r/<slug:code>/<int:version>/", rules.rules, name="rules_version"),
    path("r/<slug:code>/<int:version>/rules.pdf", rules.rules_sheet_pdf, name="rules_pdf"),
    path("r/<slug:code>/<int:version>/copy/", rules.copy_rules, name="copy_rules"),
    path(_EVENT, events.event, name="event"),
    path(f"{_EVENT}enter/", entering.event_enter, name="event_enter"),
    path(f"{_EVENT}check-in/", checking_in.event_check_in, name="event_check_in"),
    path("here/<str:secret>/", checking_in.check_in_here, name="check_in_here"),
    path(f"{_EVENT}challenge/", challenging.event_challenge, name="event_challenge"),
    path(f"{_EVENT}embed/", embedding.event_embed, name="event_embed"),
    path(f"{_EVENT}screen/", screen.screen, name="event_screen"),
    path(f"{_EVENT}picture.png", sharing.event_picture, name="event_picture"),
    path(f"{_EVENT}matches/<slug:code>/picture.png", sharing.match_picture, name="match_picture"),
    path("clubs/<slug:club>/players/<slug:code>/picture.png", sharing.player_picture, name="player_picture"),
    path(f"{_EVENT}rounds.ics", feeds.event_rounds_ics, name="event_rounds_ics"),
    path(f"{_EVENT}results.atom", feeds.event_results_atom, name="event_results_atom"),
    path(f"{_EVENT}standings.pdf", documents.event_standings_pdf, name="event_standings_pdf"),
    path(f"{_EVENT}players/", events.event_players, name="event_players"),
    path(f"{_EVENT}bracket/", event_pictures.bracket, name="event_bracket"),
    path(f"{_EVENT}bracket.pdf", documents.event_bracket_pdf, name="bracket_pdf"),
    *_pages_of_formats(),
    path(f"{_EVENT}crosstable/", event_pictures.crosstable, name="event_crosstable"),
    path(f"{_EVENT}packs/", packs.event_packs, name="event_packs"),
    path(f"{_EVENT}packs/<int:number>.csv", packs.pack_list, name="pack_list"),
    path(f"{_EVENT}packs/<int:number>.pdf", packs.pack_list_pdf, name="pack_list_pdf"),
    path(f"{_EVENT}crosstable.pdf", documents.event_crosstable_pdf, name="crosstable_pdf"),
    path(f"{_EVENT}race/", event_pictures.race, name="event_race"),
    path(f"{_EVENT}rounds/", events.event_rounds, name="event_rounds"),
    path(f"{_EVENT}rounds/<int:number>/", events.round_page, name="round"),
    path(f"{_EVENT}rounds/<int:number>/board/", board.board, name="round_board"),
    path(f"{_EVENT}rounds/<int:number>/print/", events.round_print, name="round_print"),
    path(f"{_EVENT}rounds/<int:number>/pairings.pdf", documents.round_pairings_pdf, name="pairings_pdf"),
    path(f"{_EVENT}rounds/<int:number>/slips.pdf", documents.result_slips_pdf, name="slips_pdf"),
    path(f"{_EVENT}rounds/<int:number>/sheets.pdf", documents.blank_sheets_pdf, name="blank_sheets_pdf"),
    path(f"{_EVENT}rounds/<int:number>/links/", officers.round_links, name="round_links"),
    path(f"{_EVENT}arranging/", arranging.event_arranging, name="event_arranging"),
    path(f"{_EVENT}matches/<slug:code>/", matches.match, name="match"),
    path(f"{_EVENT}matches/<slug:code>/play/", playing.match_play, name="match_play"),
    path(f"{_EVENT}matches/<slug:code>/arrange/", arranging.match_arrange, name="match_arrange"),
    path(f"{_EVENT}matches/<slug:code>/conduct/", conduct.match_conduct, name="match_conduct"),
    path(f"{_EVENT}matches/<slug:code>/links/", officers.match_links, name="match_links"),
]
