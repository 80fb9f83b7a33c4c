"""Players, their aliases, merging two players, and erasing a person."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_stubs_ext import StrOrPromise

from league.acts import Act, ActForm, Data, Preview, passes
from league.acts.services import Services
from league.admin.acts import ActingAdmin, PageLink
from league.admin.bot_forms import PlayerForm
from league.admin.inlines import ScopedInline, added, changed, deleted
from league.admin.names import shown_name
from league.admin.scope import ClubFilter, actor, own_clubs
from league.events.leaving import erase_player
from league.models import DETAIL_NAMES, DETAILS, NamingText, Player, PlayerAlias, ShownAs
from league.people import players as people
from league.people.accounts import check_disposes_of, choose_shown_name
from league.people.erasing import planned_erasure
from league.people.free_texts import shown_texts, strike_out
from league.policy import Permission
from scoring.core.actors import Actor

# Texts on one page.
_TEXTS_AT_ONCE: Final = 50
_PUBLIC_DETAILS: Final = tuple(detail.name for detail in DETAILS if detail.is_public)
# Nobody searches for a day, and a search that looks at one finds no index.
_WRITTEN_DETAILS: Final = frozenset(
    detail.name for detail in DETAILS if isinstance(detail.field, models.CharField)
)


class AliasInline(ScopedInline[PlayerAlias, Player]):
    """Other names, by which imports find the player."""

    model = PlayerAlias
    fields = ("name",)


class MergeForm(ActForm):
    """The player to merge into."""

    keep = forms.ModelChoiceField(queryset=Player.objects.none(), label=gettext_lazy("Is the same as"))
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300, required=False)

    def prepare(self, row: Player) -> None:
        present = Player.objects.filter(club=row.club, merged_into=None, erased_at=None)
        self.offer("keep", present.exclude(pk=row.pk))


def _preview_merge(drop: Player, data: Data) -> Preview:
    keep: Player = data["keep"]
    people.check_mergeable(keep=keep, drop=drop)
    names = {"drop": drop, "keep": keep}
    lines = [
        _("%(drop)s will become %(keep)s.") % names,
        _("What %(drop)s has played will go over to %(keep)s (entries: %(entries)d, matches: %(matches)d).")
        % {
            **names,
            "entries": drop.memberships_in_entries.count(),
            "matches": drop.appearances.count(),
        },
        _("“%(drop)s” will stay as another name of %(keep)s, so files with it are understood.") % names,
        _("Sheets that were played will show %(keep)s too; what was written on them will be kept.") % names,
    ]
    taken_over = people.details_once_merged(keep=keep, drop=drop)
    lines += [
        _("%(keep)s will take over the %(detail)s %(value)s.")
        % {**names, "detail": detail.title, "value": taken_over[detail.name]}
        for detail in DETAILS
        if detail.name in taken_over
    ]
    if drop.user is not None and keep.user is None:
        lines.append(_("The account %(user)s will be that of %(keep)s.") % {**names, "user": drop.user})
    elif drop.user is not None and drop.user != keep.user:
        said = _("The account %(user)s will no longer have a player in this club.")
        lines.append(said % {"user": drop.user})
    shown = people.shown_once_merged(keep=keep, drop=drop)
    if shown.get("shown_as") == ShownAs.NICKNAME:
        lines.append(
            _("The public will see %(keep)s by the nickname “%(nickname)s”, as it sees %(drop)s now.")
            % {**names, **shown}
        )
    elif shown:
        lines.append(
            _("The public will see %(keep)s by initials: it does not see the full name of %(drop)s now.")
            % names
        )
    return Preview([*lines, _("This cannot be undone.")])


def _merge(by: Actor, drop: Player, data: Data) -> str:
    keep = people.merge_players(actor=by, keep=data["keep"], drop=drop, reason=data["reason"])
    return _("%(drop)s is %(keep)s now.") % {"drop": drop, "keep": keep}


def _is_somebody(player: Player) -> bool:
    """Return whether the row is still somebody's, a person's or a bot's."""
    return player.merged_into_id is None and player.erased_at is None


def _is_person(player: Player) -> bool:
    """Return whether the row is a person who can be renamed to the public, or erased."""
    return _is_somebody(player) and not player.is_bot


class ChangeShownAsForm(ActForm):
    """How the public sees the name."""

    shown_as = forms.ChoiceField(label=gettext_lazy("Shown to the public as"), choices=ShownAs.choices)
    nickname = forms.CharField(label=gettext_lazy("Nickname"), max_length=40, required=False)

    def prepare(self, row: Player) -> None:
        self.initial = {"shown_as": row.shown_as, "nickname": row.nickname}


_SHOWN: Final[Mapping[ShownAs, StrOrPromise]] = {
    ShownAs.NAME: gettext_lazy("The public sees the full name of %(player)s."),
    ShownAs.INITIALS: gettext_lazy("The public sees the initials of %(player)s."),
    ShownAs.NICKNAME: gettext_lazy("The public sees the nickname of %(player)s."),
}


def _show_as(by: Actor, player: Player, data: Data) -> str:
    shown_as = ShownAs(data["shown_as"])
    choose_shown_name(actor=by, player=player, shown_as=shown_as, nickname=data["nickname"])
    return _SHOWN[shown_as] % {"player": player}


def _may_erase(by: Actor, player: Player) -> bool:
    return player.user is None or passes(check_disposes_of, by, player.user)


def _preview_erasure(player: Player, data: Data) -> Preview:
    plan = planned_erasure(player)
    lines = [
        _("Wherever one of these names is printed in the club, “%(name)s” will be printed: %(names)s.")
        % {"name": plan.new_name, "names": ", ".join(plan.names)},
        _("This will apply to sheets, tables, the history of sheets and the audit too."),
        ngettext(
            "%d text that people have written names the person. It will stay as it is until you strike words"
            " out.",
            "%d texts that people have written name the person. They will stay as they are "
            "until you strike words"
            " out.",
            len(plan.texts),
        )
        % len(plan.texts),
        _("All results will stay (entries: %(entries)d, matches: %(matches)d).")
        % {"matches": plan.matches, "entries": plan.entries},
        _("This will be deleted: %(details)s, other names and network addresses.")
        % {"details": ", ".join(detail.title for detail in DETAILS)},
    ]
    if plan.closes is not None:
        lines.append(_("The account %(user)s will be closed for good.") % {"user": plan.closes})
    if plan.leaves is not None:
        lines.append(_("The account %(user)s will stay, without this club.") % {"user": plan.leaves})
    lines.append(_("This cannot be undone."))
    return Preview(lines, (_("Where the person is named"), _("Text")), plan.texts)


def _erase(by: Actor, player: Player, data: Data) -> str:
    plan = erase_player(actor=by, player=player)
    message = _("The person is erased; the player is called %(name)s.") % {"name": plan.new_name}
    if not plan.texts:
        return message
    return f"{message} " + ngettext(
        "%d text names the person: strike the words out.",
        "%d texts name the person: strike the words out.",
        len(plan.texts),
    ) % len(plan.texts)


class StrikeForm(ActForm):
    """The texts that name an erased person, word by word; the words that do are ticked."""

    def prepare(self, row: Player) -> None:
        for shown in shown_texts(_open_texts(row)[:_TEXTS_AT_ONCE]):
            self.fields[f"text_{shown.listed.pk}"] = forms.MultipleChoiceField(
                label=shown.place,
                choices=list(enumerate(shown.words)),
                initial=[str(word) for word in shown.listed.words],
                widget=forms.CheckboxSelectMultiple(attrs={"class": "words"}),
                required=False,
            )


def _open_texts(player: Player) -> QuerySet[NamingText]:
    return player.naming_texts.filter(settled_at=None).select_related("club")


def _strike(by: Actor, player: Player, data: Data) -> str:
    struck = 0
    for listed in _open_texts(player):
        words = data.get(f"text_{listed.pk}")
        if words is not None:
            strike_out(actor=by, listed=listed, words=[int(word) for word in words])
            struck += len(words)
    left = _open_texts(player).count()
    message = ngettext("%d word is struck out.", "%d words are struck out.", struck) % struck
    if not left:
        return message
    return f"{message} " + ngettext("%d text is left.", "%d texts are left.", left) % left


def _directs_all(request: HttpRequest) -> bool:
    """Whether the user directs every club whose players he sees here: only then details are in lists."""
    return own_clubs(request, Permission.DIRECT) >= own_clubs(request, Permission.RECORD)


@admin.register(Player)
class PlayerAdmin(ActingAdmin[Player]):
    """The players of a club."""

    services = Services("player", remove=people.remove_player)
    list_filter = (
        ("club", ClubFilter),
        ("merged_into", admin.EmptyFieldListFilter),
    )
    list_select_related = ("club", "merged_into")
    search_fields = ("name", "aliases__name")
    fixed = ("club", "merged_into", "account")
    form = PlayerForm
    inlines = (AliasInline,)
    acts = (
        Act(
            slug="merge",
            title=gettext_lazy("Merge into another player"),
            intro=gettext_lazy("For one person who is in the list twice."),
            form=MergeForm,
            preview=_preview_merge,
            run=_merge,
            offered=_is_somebody,
        ),
        Act(
            slug="shown-as",
            title=gettext_lazy("How the public sees the name"),
            intro=gettext_lazy("Members of the club see it in full."),
            form=ChangeShownAsForm,
            run=_show_as,
            offered=_is_person,
        ),
        Act(
            slug="strike",
            title=gettext_lazy("Strike the name out of texts"),
            intro=gettext_lazy(
                "These texts name the person who was erased. The words that are ticked are struck out for"
                " good; a text without a tick stays as it is. Either way it leaves this list."
            ),
            form=StrikeForm,
            submit=gettext_lazy("Strike out the ticked words"),
            run=_strike,
            offered=lambda player: player.erased_at is not None and _open_texts(player).exists(),
        ),
        Act(
            slug="erase",
            title=gettext_lazy("Erase this person"),
            intro=gettext_lazy("For people who ask to be forgotten: the names go, the scores stay."),
            preview=_preview_erasure,
            run=_erase,
            offered=_is_person,
            offered_to=_may_erase,
        ),
    )

    def get_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        may_change = obj is None or self.has_change_permission(request, obj)
        known = (*DETAIL_NAMES, "user" if may_change else "account")
        if obj is not None and obj.club_id not in own_clubs(request, Permission.DIRECT):
            known = _PUBLIC_DETAILS
        fields = ("club", "name", *known, "strategy", "level")
        return (*fields, "merged_into") if obj and obj.merged_into_id else fields

    def get_list_display(self, request: HttpRequest) -> Any:
        details = DETAIL_NAMES if _directs_all(request) else _PUBLIC_DETAILS
        return (shown_name, *details, "club", "merged_into")

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        details = DETAIL_NAMES if _directs_all(request) else _PUBLIC_DETAILS
        return ("name", *(name for name in details if name in _WRITTEN_DETAILS), "aliases__name")

    @admin.display(description=gettext_lazy("user"))
    def account(self, player: Player) -> str:
        """The account's user name, not as a link."""
        return "" if player.user is None else player.user.get_username()

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or _is_somebody(obj))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        match = request.resolver_match
        if match is not None and match.url_name == "autocomplete":
            queryset = queryset.filter(merged_into=None)
        return super().get_search_results(request, queryset, search_term)

    def links(self, request: HttpRequest, row: Player) -> Sequence[PageLink]:
        return [PageLink(_("The player's page"), reverse("player", args=[row.club.slug, row.code]))]

    def add_row(self, request: HttpRequest, data: dict[str, Any], formsets: Sequence[Any]) -> Player:
        names = [form.cleaned_data["name"] for formset in formsets for form in added(formset)]
        return people.create_player(actor=actor(request), aliases=names, **data)

    def change_row(
        self, request: HttpRequest, row: Player, data: dict[str, Any], formsets: Sequence[Any]
    ) -> None:
        by = actor(request)
        for formset in formsets:
            for alias in deleted(formset):
                people.remove_alias(actor=by, alias=alias)
            for form in changed(formset):
                people.remove_alias(actor=by, alias=form.instance)
                people.add_alias(actor=by, player=row, name=form.cleaned_data["name"])
        player = people.change_player(actor=by, player=row, **data) if data else row
        for formset in formsets:
            for form in added(formset):
                people.add_alias(actor=by, player=player, name=form.cleaned_data["name"])
