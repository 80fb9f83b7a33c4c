"""Playing on this site: a bot at once, or members of the club who take seats in what is offered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.bots import Strategy
from games.models import TableMatch
from league.draws.online import (
    OnlinePlay,
    come_to_table,
    end_online_offer,
    in_reserve,
    offer_online,
    online_play,
    sit_down,
)
from league.draws.sitting_in import absent_for_captain, kept_seat, let_bot_sit_in, take_own_seat
from league.errors import LeagueError
from league.matches.line_ups import ToHandIn, hand_in_line_up, is_captain, to_hand_in
from league.matches.offers import OFFER_DAYS, check_number, offers_seen, online_offers_of
from league.models import Club, GameOffer, Match, OnlineClock, Player, RatedGames, clock_words
from league.pages.doors import form_page, own_form_page
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
    games_over,
    let_bot_try_again,
    members_to_play,
    own_tables,
    play_bot,
    rules_to_play,
)
from league.people.lobbies import (
    MOST_SEATS,
    Other,
    Wanted,
    begin_game,
    bots_to_seat,
    decline_offer,
    lobby_of,
    offer_game,
    take_seat,
    withdraw_offer,
)
from league.people.rated_games import MOST_A_DAY, bots_to_rate, rules_to_rate
from league.policy import actor_of, rounds_seen
from league.policy.naming import Names
from league.record.locking import refused_when_crossed
from scoring.core.actors import Actor
from scoring.core.errors import ScoringError
from scoring.core.lengths import AS_RULES_SAY, Length, usual_lengths
from scoring.models import HouseRules
from scoring.words.messages import translated
from scoring.words.rules_words import length_words

# Nobody is offered a game for fewer.
_FEWEST: Final = 2
_BOT: Final = "bot"
_OFFER: Final = "offer"
# Who is wanted in a seat; no player's code has a colon, and a bot's strategy stands behind the last.
_ANYBODY: Final = ""
_GUEST_SEAT: Final = "guest:"
_BOT_SEAT: Final = "bot:"


class _GameForm(forms.Form):
    """By which house rules a game of so many is played, how long, and whether it is rated.

    It may be where the club rates such games; `rated` says which.
    """

    rules = forms.ChoiceField(label=_("House rules"))
    length = forms.ChoiceField(label=_("Length"), required=False)
    is_rated = forms.BooleanField(label=_("Rated"), required=False)

    def __init__(
        self,
        rated: str,
        rules: Sequence[HouseRules],
        seats: int,
        data: QueryDict | None = None,
        *,
        auto_id: str,
    ) -> None:
        super().__init__(data, auto_id=auto_id)
        self._rules = {row.code: row for row in rules}
        self._lengths, words, own = _lengths(rules, seats)
        self.fields["rules"].choices = [(row.code, row.name) for row in rules]  # type: ignore[attr-defined]
        self.fields["length"].choices = words  # type: ignore[attr-defined]
        self.fields["length"].help_text = own
        if not rated:
            del self.fields["is_rated"]
            return
        self.fields["is_rated"].help_text = rated

    def clean_rules(self) -> HouseRules:
        """The rules that were chosen."""
        return self._rules[self.cleaned_data["rules"]]

    def clean_length(self) -> Length:
        """The length that was chosen, by default as the rules say."""
        return self._lengths[self.cleaned_data["length"]]

    def clean(self) -> dict[str, Any]:
        """What is not rated in this club is not."""
        chosen = super().clean() or self.cleaned_data
        chosen.setdefault("is_rated", False)
        return chosen


class BotForm(_GameForm):
    """A bot, by the name of its strategy, and the level at which it plays if it has levels."""

    bot = forms.ChoiceField(label=_("Opponent"), widget=forms.RadioSelect)
    level = forms.TypedChoiceField(label=_("Level"), required=False, coerce=int, empty_value=None)

    field_order = ("bot", "level", "rules", "length", "is_rated")

    def __init__(
        self, bots: Sequence[Strategy], rated: str, rules: Sequence[HouseRules], data: QueryDict | None = None
    ) -> None:
        super().__init__(rated, rules, _FEWEST, data, auto_id="id_bot_%s")
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


class OfferForm(_GameForm):
    """A game for so many: who is wanted in each seat but one's own (of `choices`), and the clock, too.

    Only a game of two is rated.
    """

    clock = forms.ChoiceField(
        label=_("Clock"), choices=lambda: [(one, clock_words(one)) for one in OnlineClock], required=False
    )

    def __init__(
        self,
        seats: int,
        choices: Sequence[tuple[str, str]],
        rated: str,
        rules: Sequence[HouseRules],
        data: QueryDict | None = None,
    ) -> None:
        super().__init__(rated if seats == _FEWEST else "", rules, seats, data, auto_id="id_offer_%s")
        self._seats = [f"seat_{number}" for number in range(2, seats + 1)]
        for number, name in enumerate(self._seats, start=2):
            label = (
                gettext("Opponent") if seats == _FEWEST else gettext("Seat %(number)d") % {"number": number}
            )
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)
        self.order_fields(["rules", *self._seats, "length", "clock", "is_rated"])

    def clean_clock(self) -> str:
        """The clock that was chosen, none by default."""
        return self.cleaned_data["clock"] or OnlineClock.NONE

    def others(self, members: Sequence[Player]) -> list[Other]:
        """Who was chosen, once the form is valid."""
        known: dict[str, Other] = {member.code: member for member in members}
        known |= {_ANYBODY: Wanted.ANYBODY, _GUEST_SEAT: Wanted.GUEST}
        chosen = [self.cleaned_data[name] for name in self._seats]
        return [known.get(one, one.removeprefix(_BOT_SEAT)) for one in chosen]


@dataclass(frozen=True, slots=True)
class _Offering:
    """What a member may offer: a game for `seats`, of the possible `numbers`, by `rules`.

    `numbers` are empty where the club has no rules for a table on this site.
    """

    numbers: tuple[int, ...]
    seats: int
    rules: tuple[HouseRules, ...]

    @classmethod
    def of(cls, club: Club, asked: str) -> Self:
        """With the number that was asked for, or the first."""
        by_number = {number: rules_to_play(club, number) for number in range(_FEWEST, MOST_SEATS + 1)}
        numbers = tuple([number for number, rules in by_number.items() if rules])
        seats = next(
            (number for number in numbers if str(number) == asked), numbers[0] if numbers else _FEWEST
        )
        return cls(numbers, seats, tuple(by_number[seats]))

    @property
    def partners(self) -> list[str]:
        """By which rules some are partners, and who."""
        said = []
        for row in self.rules:
            first, *others = check_number(row, self.seats)
            if others[0] == 1:
                continue
            text = gettext("%(rules)s: you sit alone against all others.")
            if first > 1:
                text = gettext("%(rules)s: you and seats up to %(last)d are a team against the others.")
            if first == _FEWEST:
                text = gettext("%(rules)s: seat %(last)d is your partner.")
            said.append(text % {"rules": row.name, "last": first})
        return said

    def choices(self, members: Sequence[Player], names: Names) -> list[tuple[str, str]]:
        """Who may be wanted in a seat."""
        first = [(_ANYBODY, gettext("whoever comes first")), (_GUEST_SEAT, gettext("a guest, by a link"))]
        named = [(member.code, names.player(member)) for member in members]
        if self.seats == _FEWEST:
            # Against a bot alone one plays at once.
            return [*first, *named]
        bots = {bot.name for row in self.rules for bot in bots_to_seat(row, self.seats)}
        filling = [bot.name for bot in bots_to_play() if bot.name in bots]
        return [
            *first,
            *[(_BOT_SEAT + name, gettext("%(name)s (bot)") % {"name": name}) for name in filling],
            *named,
        ]


@own_form_page
def club_play(request: HttpRequest, club: str) -> HttpResponse:
    """The reader's tables in the club, and what he may play; who has no player there is told how to get one.

    A POST plays a bot or offers a game for so many `seats` (`do`), or has the code of an offer in `take`,
    `begin`, `decline` or `withdraw`, or that of a table in `break_off` or `again` (its bot, which has failed,
    tries again). It leads to the table, if there is one now. `seats` in the address says for how many the
    form is.
    """
    shown, user = visible_club(request, club), signed_in(request)
    players, rules = list(own_players(user.pk, shown)), rules_to_play(shown)
    bots, members, names = bots_to_play(), list(members_to_play(shown, players)), names_of(request)
    asked = request.POST if players and request.method == "POST" else QueryDict()
    doing = asked.get("do", "")
    offering = _Offering.of(shown, asked.get("seats", request.GET.get("seats", "")))
    bot_form = BotForm(bots, _bots_rated_words(shown, rules), rules, asked if doing == _BOT else None)
    rated, choices = _rated_words(shown, rules), offering.choices(members, names)
    offer_form = OfferForm(offering.seats, choices, rated, offering.rules, asked if doing == _OFFER else None)
    form, refused, links = {_BOT: bot_form, _OFFER: offer_form}.get(doing), "", []
    if asked and (form is None or form.is_valid()):
        try:
            chosen = {} if form is None else form.cleaned_data
            with refused_when_crossed():
                if form is offer_form:
                    offered = offer_game(
                        actor=actor_of(user),
                        club=shown,
                        rules=chosen["rules"],
                        others=offer_form.others(members),
                        is_rated=chosen["is_rated"],
                        clock=chosen["clock"],
                        length=chosen["length"],
                    )
                    table = offered.table
                    # They are shown this once, and not stored.
                    links = [
                        request.build_absolute_uri(reverse("guest_seat", args=[secret]))
                        for secret in offered.secrets
                    ]
                else:
                    table = _do(actor_of(user), shown, asked, chosen)
            if table is not None:
                return redirect("play_table", table.code)
            if not links:
                back = reverse("club_play", args=[shown.slug])
                # To what was offered, not to the form, to which the browser would go again.
                return redirect(f"{back}#lobbies" if form is offer_form else back)
        except (LeagueError, ScoringError) as refusal:
            if form is None:
                refused = translated(refusal.message)
            else:
                place_refusal(form, refusal)
    is_wrong = refused or (form is not None and form.errors)
    context: dict[str, Any] = {
        "at": "me",
        "players": players,
        "has_rules": bool(rules),
        "has_bots": bool(bots),
        "bot_form": bot_form,
        "offering": offering,
        "offer_form": OfferForm(offering.seats, choices, rated, offering.rules) if links else offer_form,
        "guest_links": links,
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
            "lobbies": [lobby_of(offer, players) for offer in offers_seen(shown, players)],
            "online_offers": online_offers_of(players),
            "over": games_over(user.pk, shown),
        }
    return page(request, "league/club_play.html", context, club=shown, is_refused=is_wrong)


def _lengths(rules: Sequence[HouseRules], seats: int) -> tuple[dict[str, Length], list[tuple[str, str]], str]:
    """What may be chosen by any of these rules, by its text, the same in words, and what each says itself.

    As the rules say comes first, and names it where all say the same; then nothing is said beside it.
    """
    sizes = {row: check_number(row, seats)[0] for row in rules}
    said_by = [(row.name, length_words(row.rules, team_size=size)) for row, size in sizes.items()]
    own = {said for _name, said in said_by}
    first, beside = gettext("as the house rules say"), ""
    if len(own) == 1:
        first = gettext("%(length)s (house rules)") % {"length": said_by[0][1]}
    else:
        beside = " · ".join([f"{name}: {said}" for name, said in said_by])
    lengths, words = {"": AS_RULES_SAY}, {"": first}
    for row, size in sizes.items():
        for length in usual_lengths(row.rules, size):
            said = length_words(length.of(row.rules, size), team_size=size)
            if own != {said}:
                lengths[str(length)], words[str(length)] = length, said
    return lengths, sorted(words.items(), key=lambda choice: _order(lengths[choice[0]])), beside


def _order(length: Length) -> tuple[int, int, int]:
    return (length.columns or 0, length.target or 0, length.deals or 0)


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
    if asked.get("do") == _BOT:
        return play_bot(
            actor=actor,
            club=club,
            bot=chosen["bot"],
            level=chosen["level"],
            rules=chosen["rules"],
            is_rated=chosen["is_rated"],
            length=chosen["length"],
        )
    if "take" in asked:
        return take_seat(actor=actor, offer=_offer(club, asked.get("take", "")))
    if "begin" in asked:
        return begin_game(actor=actor, offer=_offer(club, asked.get("begin", "")))
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


@form_page
def match_play(request: HttpRequest, club: str, event: str, code: str) -> HttpResponse:
    """Playing a match of an event on this site, for those who sit in it; a 404 for everybody else.

    Whoever is not signed in is asked to do so first.

    A POST's `what` is `play` at once, as the other side offers, or once it has come, too; `offer` that to it;
    or `end_offer`, whoever made it. A match that is being played leads to its table. A captain lets the
    event's bot `sit_in` for another of his team, the `absent` player by his code, and hands in its `line_up`,
    a `player` for each seat. By any other POST who is in reserve comes, and who has a bot sitting in for him
    takes his seat.
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
    absent = absent_for_captain(found, user.pk)
    reserve, line_up = in_reserve(found, user.pk), to_hand_in(found, user.pk)
    # Who is late by a moment is told so.
    hands_in = request.POST.get("what") == "line_up" and is_captain(found, user.pk)
    others_too = absent or reserve is not None or line_up is not None or hands_in
    if not is_kept and not others_too and (online is None or online.own is None):
        raise Http404
    if reserve is not None and reserve.players:
        # Who comes too late reads there who plays.
        return redirect("match", club, event, code)
    if not is_kept and online is not None and online.table is not None:
        return redirect("play_table", online.table.code)
    refused = ""
    if request.method == "POST":
        try:
            with refused_when_crossed():
                actor, what, table = actor_of(user), request.POST.get("what", ""), None
                if what == "sit_in":
                    _let_sit_in(actor, found, absent, request.POST.get("absent", ""))
                elif what == "line_up":
                    _hand_in(actor, found, line_up, request.POST.getlist("player"))
                elif reserve is not None:
                    come_to_table(actor=actor, match=found)
                elif is_kept or online is None:
                    take_own_seat(actor=actor, match=found)
                else:
                    table = _do_of_match(actor, found, online, what)
            if table is not None:
                return redirect("play_table", table.code)
            return redirect("match", club, event, code)
        except (LeagueError, ScoringError) as refusal:
            refused = translated(refusal.message)
    context = about(shown) | {
        "match": found,
        "online": online,
        # A bot in place of a bye plays for no entry, in every seat.
        "others": found.side(1) or (online.sides[1][:1] if online is not None else ()),
        "is_kept": is_kept,
        "absent": absent,
        "reserve": reserve,
        "line_up": line_up,
        "seats": _seats(shown.team_size, line_up, request.POST.getlist("player")),
        "refused": refused,
    }
    return page(request, "league/match_play.html", context, club=shown.club, is_refused=refused)


def _seats(size: int, line_up: ToHandIn | None, chosen: Sequence[str]) -> list[str]:
    """Who is chosen for each seat of a line-up, by code: as it was sent, else as it is; "" for nobody yet."""
    players = chosen or ([] if line_up is None else [one.code for one in line_up.players])
    return [*players, *[""] * size][:size]


def _hand_in(actor: Actor, match: Match, line_up: ToHandIn | None, codes: Sequence[str]) -> None:
    """Hand in the line-up of these members, by their codes; a 404 for anybody else.

    Refused as by `hand_in_line_up`, as one is that is not taken any more.
    """
    members = {} if line_up is None else {one.code: one for one in line_up.members}
    if line_up is not None and not members.keys() >= set(codes) - {""}:
        raise Http404
    hand_in_line_up(actor=actor, match=match, players=[members[code] for code in codes if code in members])


def _let_sit_in(actor: Actor, match: Match, absent: Sequence[Player], code: str) -> None:
    """Let the bot sit in for one of these players, by his code, twice as once; a 404 for anybody else."""
    if match.appearances.filter(sits_in_for__code=code).exists():
        return
    player = next((one for one in absent if one.code == code), None)
    if player is None:
        raise Http404
    let_bot_sit_in(actor=actor, match=match, absent=player)


def _do_of_match(actor: Actor, match: Match, online: OnlinePlay, what: str) -> TableMatch | None:
    """Do what was asked for; returns the table at which it is now played. A 404 for none of the acts."""
    if what == "play":
        return sit_down(actor=actor, match=match)
    if what == "offer":
        offer_online(actor=actor, match=match)
    elif what == "end_offer":
        end_online_offer(actor=actor, match=match)
    elif what != "arrive":
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
