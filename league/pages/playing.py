"""Playing on this site: a bot at once, or a member of the club who takes an offer."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.bots import Strategy
from games.models import TableMatch
from league.draws.online import OnlinePlay, come_to_table, offer_online, online_play, play_online, take_online
from league.draws.sitting_in import kept_seat, take_own_seat
from league.errors import LeagueError
from league.matches.offers import OFFER_DAYS, offers_by, offers_of_teams, offers_to
from league.models import Club, GameOffer, Match, Player, RatedGames
from league.pages.events import about
from league.pages.pages import (
    names_of,
    page,
    place_refusal,
    signed_in,
    visible_club,
    visible_event,
    way_in,
)
from league.people.accounts import own_players
from league.people.friendlies import (
    bots_to_play,
    break_off,
    decline_offer,
    games_over,
    let_bot_try_again,
    members_to_play,
    offer_game,
    own_tables,
    play_bot,
    rules_to_play,
    take_offer,
    withdraw_offer,
)
from league.people.friendly_teams import (
    TEAM_SIZE,
    agree_to_team_game,
    bots_for_teams,
    offer_team_game,
    rules_for_teams,
)
from league.people.guests import offer_to_guest
from league.people.rated_games import MOST_A_DAY, bots_to_rate, rules_to_rate
from league.policy import actor_of, rounds_seen
from league.policy.naming import Names
from league.record.locking import refused_when_crossed
from scoring.core.actors import Actor
from scoring.core.errors import ScoringError
from scoring.models import HouseRules
from scoring.words.messages import translated

_BOT: Final = "bot"
_OFFER: Final = "offer"
_GUEST: Final = "guest"
_TEAMS: Final = "teams"
# What stands before the name of a bot's strategy among those who may sit in a team; no code has it.
_BOT_SEAT: Final = "bot:"


class _RulesForm(forms.Form):
    """The house rules by which a game is played, by their code."""

    rules = forms.ChoiceField(label=_("House rules"))

    def __init__(self, rules: Sequence[HouseRules], data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self._rules = {row.code: row for row in rules}
        choices = [(row.code, row.name) for row in rules]
        self.fields["rules"].choices = choices  # type: ignore[attr-defined]

    def clean_rules(self) -> HouseRules:
        """The rules that were chosen."""
        return self._rules[self.cleaned_data["rules"]]


class _RatedForm(_RulesForm):
    """The rules, and whether the game is rated where the club rates such games (`rated` says which)."""

    is_rated = forms.BooleanField(label=_("Rated"), required=False)

    def __init__(
        self, rated: str, rules: Sequence[HouseRules], data: QueryDict | None = None, **kwargs: Any
    ) -> None:
        super().__init__(rules, data, **kwargs)
        if not rated:
            del self.fields["is_rated"]
            return
        self.fields["is_rated"].help_text = rated

    def clean(self) -> dict[str, Any]:
        """What is not rated in this club is not."""
        chosen = super().clean() or self.cleaned_data
        chosen.setdefault("is_rated", False)
        return chosen


class BotForm(_RatedForm):
    """A bot, by the name of its strategy, and the level at which it plays if it has levels."""

    bot = forms.ChoiceField(label=_("Opponent"), widget=forms.RadioSelect)
    level = forms.TypedChoiceField(label=_("Level"), required=False, coerce=int, empty_value=None)

    field_order = ("bot", "level", "rules", "is_rated")

    def __init__(
        self, bots: Sequence[Strategy], rated: str, rules: Sequence[HouseRules], data: QueryDict | None = None
    ) -> None:
        super().__init__(rated, rules, data, auto_id="id_bot_%s")
        self.fields["bot"].choices = [  # type: ignore[attr-defined]
            (bot.name, translated(bot.sentence)) for bot in bots
        ]
        self.initial["bot"] = bots[0].name if bots else None
        with_levels = {bot.name: bot.levels for bot in bots if bot.levels}
        self._with_levels = frozenset(with_levels)
        if not with_levels:
            del self.fields["level"]
            return
        most = max(with_levels.values())
        numbered = [(number, str(number)) for number in range(1, most + 1)]
        self.fields["level"].choices = [("", _("the usual one")), *numbered]  # type: ignore[attr-defined]
        self.fields["level"].help_text = gettext(
            "Only for %(bots)s. A higher one is stronger, and thinks longer."
        ) % {"bots": ", ".join(with_levels)}

    def clean(self) -> dict[str, Any]:
        """A bot without levels plays as it does, whatever level is chosen beside it."""
        chosen = super().clean()
        if chosen.get("bot") not in self._with_levels:
            chosen["level"] = None
        return chosen


class GuestForm(_RulesForm):
    """The rules of a game with a guest, who gets a link."""

    def __init__(self, rules: Sequence[HouseRules], data: QueryDict | None = None) -> None:
        super().__init__(rules, data, auto_id="id_guest_%s")


class OfferForm(_RatedForm):
    """A member, by the player's code; "" is whoever takes it first."""

    to = forms.ChoiceField(label=_("To"), required=False)

    field_order = ("to", "rules", "is_rated")

    def __init__(
        self,
        members: Sequence[Player],
        names: Names,
        rated: str,
        rules: Sequence[HouseRules],
        data: QueryDict | None = None,
    ) -> None:
        super().__init__(rated, rules, data, auto_id="id_offer_%s")
        self._members = {member.code: member for member in members}
        named = [(member.code, names.player(member)) for member in members]
        self.fields["to"].choices = [("", _("whoever takes it first")), *named]  # type: ignore[attr-defined]

    def clean_to(self) -> Player | None:
        """The player who was chosen."""
        return self._members.get(self.cleaned_data["to"])


class TeamsForm(_RulesForm):
    """Who plays in a game of teams: members by their codes, or bots."""

    partner = forms.ChoiceField(label=_("Your partner"))
    first = forms.ChoiceField(label=_("Opponent"))
    second = forms.ChoiceField(label=_("Second opponent"))

    field_order = ("partner", "first", "second", "rules")

    def __init__(
        self,
        members: Sequence[Player],
        names: Names,
        bots: Sequence[Strategy],
        rules: Sequence[HouseRules],
        data: QueryDict | None = None,
    ) -> None:
        super().__init__(rules, data, auto_id="id_teams_%s")
        self._members = {member.code: member for member in members}
        named = [(member.code, names.player(member)) for member in members]
        filling = [(_BOT_SEAT + bot.name, gettext("%(name)s (bot)") % {"name": bot.name}) for bot in bots]
        choices = [*named, *filling]
        for number, name in enumerate(("partner", "first", "second")):
            self.fields[name].choices = choices  # type: ignore[attr-defined]
            # Three who are not the same, as far as there are so many.
            self.initial[name] = choices[min(number, len(choices) - 1)][0] if choices else ""

    @property
    def others(self) -> list[Player | str]:
        """The three who were chosen, once the form is valid."""
        chosen = [self.cleaned_data[name] for name in ("partner", "first", "second")]
        return [self._members.get(one, one.removeprefix(_BOT_SEAT)) for one in chosen]


@dataclass(frozen=True, slots=True)
class _Seated:
    """A seat in an offer of a game of teams, for the page: who it is, and whether he has agreed."""

    player: Player | None
    bot: str
    has_agreed: bool


@dataclass(frozen=True, slots=True)
class _Lobby:
    """An offer of a game of teams, with both teams, and what the reader may do with it."""

    offer: GameOffer
    teams: tuple[tuple[_Seated, ...], ...]
    is_own: bool
    is_asked: bool


def _lobbies(club: Club, players: Sequence[Player]) -> list[_Lobby]:
    """The games of teams that wait until all have agreed, in which the reader has a seat."""
    own, lobbies = set(players), []
    for offer in offers_of_teams(club, players):
        chairs = sorted(offer.seats.all(), key=lambda chair: chair.number)
        seated = [_Seated(offer.by, "", True)] + [
            _Seated(chair.player, chair.bot, chair.player is None or chair.agreed_at is not None)
            for chair in chairs
        ]
        is_asked = any(one.player in own and not one.has_agreed for one in seated)
        teams = (tuple(seated[:TEAM_SIZE]), tuple(seated[TEAM_SIZE:]))
        lobbies.append(_Lobby(offer, teams, offer.by in own, is_asked))
    return lobbies


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def club_play(request: HttpRequest, club: str) -> HttpResponse:
    """The reader's tables in the club, and what he may play; who has no player there is told how to get one.

    A POST plays a bot or offers a game, to members, in teams or as a guest's link (`do`), or has the code of
    an offer in `take`, `agree`, `decline` or `withdraw`, or that of a table in `break_off` or
    `again` (its bot, which has failed, tries again). It leads to the table, if there is one now.
    """
    shown, user = visible_club(request, club), signed_in(request)
    players, rules = list(own_players(user.pk, shown)), rules_to_play(shown)
    bots, members, names = bots_to_play(), list(members_to_play(shown, players)), names_of(request)
    asked = request.POST if players and request.method == "POST" else QueryDict()
    doing = asked.get("do", "")
    bot_form = BotForm(bots, _bots_rated_words(shown, rules), rules, asked if doing == _BOT else None)
    rated = _rated_words(shown, rules)
    offer_form = OfferForm(members, names, rated, rules, asked if doing == _OFFER else None)
    guest_form = GuestForm(rules, asked if doing == _GUEST else None)
    team_rules = rules_for_teams(shown)
    team_bots = bots_for_teams() if team_rules else []
    teams_form = TeamsForm(members, names, team_bots, team_rules, asked if doing == _TEAMS else None)
    forms_there = {_BOT: bot_form, _OFFER: offer_form, _GUEST: guest_form, _TEAMS: teams_form}
    form, refused, link = forms_there.get(doing), "", ""
    if asked and (form is None or form.is_valid()):
        try:
            chosen = {} if form is None else form.cleaned_data
            with refused_when_crossed():
                if form is guest_form:
                    secret = offer_to_guest(actor=actor_of(user), club=shown, rules=chosen["rules"])
                    # It is shown this once, and not stored.
                    link = request.build_absolute_uri(reverse("guest_seat", args=[secret]))
                    table = None
                elif form is teams_form:
                    made = offer_team_game(
                        actor=actor_of(user), club=shown, rules=chosen["rules"], others=teams_form.others
                    )
                    table = made if isinstance(made, TableMatch) else None
                else:
                    table = _do(actor_of(user), shown, asked, chosen)
            if table is not None:
                return redirect("play_table", table.code)
            if not link:
                return redirect("club_play", shown.slug)
        except (LeagueError, ScoringError) as refusal:
            if form is None:
                refused = translated(refusal.message)
            else:
                place_refusal(form, refusal)
    is_wrong = bool(refused or (form is not None and form.errors))
    context: dict[str, Any] = {
        "at": "me",
        "players": players,
        "has_rules": bool(rules),
        "has_bots": bool(bots),
        "has_members": bool(members),
        "bot_form": bot_form,
        "offer_form": offer_form,
        "guest_form": GuestForm(rules) if link else guest_form,
        "teams_form": teams_form,
        "has_teams": bool(team_rules and (members or team_bots)),
        "guest_link": link,
        "refused": refused,
        **({} if players else way_in(request, shown)),
    }
    if players:
        tables = own_tables(user.pk, shown)
        context |= {
            "tables": tables,
            "friendly": [table for table in tables if table.is_friendly],
            "offer_days": OFFER_DAYS,
            "rated_a_day": MOST_A_DAY if rated else 0,
            "offered": offers_to(shown, players),
            "own_offers": offers_by(shown, players),
            "lobbies": _lobbies(shown, players),
            "over": games_over(user.pk, shown),
        }
    answer = page(request, "league/club_play.html", context, club=shown)
    answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if is_wrong else HTTPStatus.OK
    return answer


def _rated_words(club: Club, rules: Sequence[HouseRules]) -> str:
    """What is said beside the choice to have a game rated; "" where the club rates none between members."""
    rated = set(rules_to_rate(club).values_list("code", flat=True))
    named = ", ".join(row.name for row in rules if row.code in rated)
    if club.rated_games == RatedGames.NONE or not named:
        return ""
    return gettext(
        "It counts for the club’s ratings. Whoever gives it up, or takes more than three days for a turn,"
        " loses it. Only by these rules: %(rules)s."
    ) % {"rules": named}


def _bots_rated_words(club: Club, rules: Sequence[HouseRules]) -> str:
    """The same of games against bots."""
    said, bots = _rated_words(club, rules), bots_to_rate(club)
    if club.rated_games != RatedGames.BOTS or not said or not bots:
        return ""
    named = [f"{bot.strategy} {bot.level}" if bot.level is not None else bot.strategy for bot in bots]
    against = gettext("Only against these bots: %(bots)s.") % {"bots": ", ".join(named)}
    return f"{said} {against}"


def _do(actor: Actor, club: Club, asked: QueryDict, chosen: dict[str, Any]) -> TableMatch | None:
    """Do what was asked for; returns the table at which one now plays. A 404 for what is not there."""
    match asked.get("do"):
        case "bot":
            return play_bot(
                actor=actor,
                club=club,
                bot=chosen["bot"],
                level=chosen["level"],
                rules=chosen["rules"],
                is_rated=chosen["is_rated"],
            )
        case "offer":
            offer_game(
                actor=actor,
                club=club,
                rules=chosen["rules"],
                to=chosen["to"],
                is_rated=chosen["is_rated"],
            )
            return None
    if "take" in asked:
        return take_offer(actor=actor, offer=_offer(club, asked.get("take", "")))
    if "agree" in asked:
        return agree_to_team_game(actor=actor, offer=_offer(club, asked.get("agree", "")))
    if "decline" in asked:
        decline_offer(actor=actor, offer=_offer(club, asked.get("decline", "")))
    elif "withdraw" in asked:
        withdraw_offer(actor=actor, offer=_offer(club, asked.get("withdraw", "")))
    elif "break_off" in asked:
        break_off(actor=actor, table=_game(club, asked.get("break_off", "")))
    elif "again" in asked:
        table = _game(club, asked.get("again", ""))
        let_bot_try_again(actor=actor, table=table)
        return table
    return None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match_play(request: HttpRequest, club: str, event: str, code: str) -> HttpResponse:
    """Playing a match of an event on this site, for those who sit in it; a 404 for everybody else.

    Whoever is not signed in is asked to do so first.

    A POST's `what` is `play` at once (or once the other side has come, too), `offer` it to the other side, or
    `take`, `decline` or `withdraw` what is offered. A match that is being played leads to its table. Who has
    a bot sitting in for him takes his seat by any POST.
    """
    shown = visible_event(request, club, event)
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    user = request.user
    rows = Match.objects.filter(event=shown, code=code, round__in=rounds_seen(user))
    found = rows.with_sides("round", "sheet__rules", "sheet__table_match").first()
    if found is None:
        raise Http404
    found.event = shown
    online = online_play(found, user.pk)
    is_kept = kept_seat(found, user.pk) is not None
    if not is_kept and (online is None or online.own is None):
        raise Http404
    if not is_kept and online is not None and online.table is not None:
        return redirect("play_table", online.table.code)
    refused = ""
    if request.method == "POST":
        try:
            with refused_when_crossed():
                if is_kept or online is None:
                    take_own_seat(actor=actor_of(user), match=found)
                    return redirect("match", club, event, code)
                table = _do_of_match(actor_of(user), found, online, request.POST.get("what", ""))
            if table is not None:
                return redirect("play_table", table.code)
            return redirect("match", club, event, code)
        except (LeagueError, ScoringError) as refusal:
            refused = translated(refusal.message)
    context = about(shown) | {
        "match": found,
        "online": online,
        # A bot in place of a bye plays for no entry.
        "others": found.side(1) or (online.sides[1] if online is not None else ()),
        "is_kept": is_kept,
        "refused": refused,
    }
    answer = page(request, "league/match_play.html", context, club=shown.club)
    answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return answer


def _do_of_match(actor: Actor, match: Match, online: OnlinePlay, what: str) -> TableMatch | None:
    """Do what was asked for; returns the table at which it is now played. A 404 for none of the acts."""
    offered = online.offered
    if what == "play":
        if online.evening is not None:
            return come_to_table(actor=actor, match=match)
        return play_online(actor=actor, match=match)
    if what == "offer":
        offer_online(actor=actor, match=match)
    elif offered is None:
        raise LeagueError(
            "offer_over", gettext("Somebody has taken this game already, or it was taken back.")
        )
    elif what == "take":
        return take_online(actor=actor, offer=offered)
    elif what == "decline":
        decline_offer(actor=actor, offer=offered)
    elif what == "withdraw":
        withdraw_offer(actor=actor, offer=offered)
    else:
        raise Http404
    return None


def _game(club: Club, code: str) -> TableMatch:
    """The game with this code outside the events of a club; 404 if there is none."""
    table = TableMatch.objects.filter(sheet__exhibition__club=club, code=code).first()
    if table is None:
        raise Http404
    return table


def _offer(club: Club, code: str) -> GameOffer:
    """The club's offer with this code, whether or not it is open still."""
    offer = GameOffer.objects.select_related("club", "by").filter(club=club, code=code).first()
    if offer is None:
        raise Http404
    return offer
