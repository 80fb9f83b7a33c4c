"""Erasing a person: references get a meaningless name, the results stay.

The player keeps the row, the code and all results. Every seat, entry and act that refers to him gets the new
name; free texts that name him are listed for the director, who strikes words out of them (`free_texts`). An
account that belongs to this club alone is emptied and closed; any other continues outside the club.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Model, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import TableSeat
from games.services import forget_reports
from league.errors import LeagueError
from league.matches.offers import forget_offers
from league.models import (
    DETAIL_NAMES,
    ApiToken,
    AuditEntry,
    CalendarAddress,
    Challenge,
    Club,
    DailyTry,
    Entry,
    EntryRequest,
    GivenPassword,
    ImportBatch,
    ImportDraft,
    Invitation,
    JoinRequest,
    LadderAbsence,
    MailBounce,
    Match,
    Membership,
    Notice,
    NoticeChoices,
    Player,
    PlayerAbsence,
    PushDevice,
    RemovedMember,
    ShownAs,
    SignUp,
    TableLink,
)
from league.people.accounts import check_disposes_of
from league.people.called_after import entries_called_after, rename_entries, rename_on_sheets
from league.people.clubs import check_other_owner, sync_admin_access
from league.people.forming_teams import leave_all_teams
from league.people.free_texts import list_texts, place_of_user, places_in, sheets_of, shown_texts
from league.people.friendlies import end_games_of
from league.people.renaming import lock_places, stamp_places
from league.policy import Permission, require
from league.policy.naming import key_of
from league.record.audit import locked, record_audit
from league.record.requests import request_ratings, request_standings
from scoring.core.actors import Actor, ActorKind
from scoring.core.mentions import with_names
from scoring.models import ActedOn, ActKind, SheetAct, Side, TableAnswer, Traced, random_code
from scoring.services.receipts import RECEIPTS

# Actors, as ids by kind.
_Whose = Mapping[ActorKind, Iterable[str]]
# Rows per bulk update.
_BATCH: Final = 500
# Facts in the audit that identify a person.
_PERSONAL: Final = (
    "name",
    "nickname",
    *DETAIL_NAMES,
    "external_id",
    "user",
    "username",
    "email",
    "player",
)
# Those that name the account.
_ACCOUNT: Final = ("user", "username")


@dataclass(frozen=True, slots=True)
class Erasure:
    """The effects of erasing a player: the names that go, the new one, and the fate of the account.

    `texts` are those on the director's list, each after its place in words. `closes` is the account if it
    ends, `leaves` if it continues in other clubs.
    """

    player: Player
    names: tuple[str, ...]
    new_name: str
    matches: int
    entries: int
    texts: tuple[tuple[str, str], ...]
    closes: User | None
    leaves: User | None


def planned_erasure(player: Player) -> Erasure:
    """What `erase_person` would do now. Takes the names away to find the texts, and rolls that back."""
    with transaction.atomic():
        player = locked(player)
        lock_places(player)
        plan = _take_names_away(player, _plan(player))
        transaction.set_rollback(True)
    return plan


def _plan(player: Player) -> Erasure:
    user = player.user
    closes = user is not None and _is_of_this_club_alone(user, player.club)
    return Erasure(
        player,
        _names_of(player),
        _("Erased %(code)s") % {"code": player.code},
        player.appearances.count(),
        player.memberships_in_entries.count(),
        (),
        user if closes else None,
        None if closes else user,
    )


@transaction.atomic
def erase_person(*, actor: Actor, player: Player, reason: str = "") -> Erasure:
    """Erase the person behind a player, permanently; returns what was done. The audit has the `reason`.

    Refuses a bot and a merged player (`invalid`), one already erased (`erased`), the club's only owner
    (`last_owner`), and an account that is not the actor's to dispose of (`not_allowed`, `check_disposes_of`).
    The audit identifies the person by the code, and the account by its id or by what stands for it.
    """
    player = locked(player)
    if player.user is not None:
        check_disposes_of(actor, player.user)
    if player.user is None or (actor.kind, actor.id) != (ActorKind.USER, str(player.user.pk)):
        require(actor, Permission.DIRECT, player.club)
    if player.is_bot or player.merged_into_id is not None:
        raise LeagueError("invalid", _("%(player)s is not a person of its own.") % {"player": player})
    if player.erased_at is not None:
        raise LeagueError("erased", _("This person was erased already."))
    club = player.club
    events = set(player.memberships_in_entries.values_list("event", flat=True))
    # Locks out writers of these sheets, and of names in these events.
    places = lock_places(player)
    plan = _take_names_away(player, _plan(player))
    if player.user is not None:
        at_tables = TableSeat.objects.filter(sheets_of(club, "match__sheet__"))
        # Whom a bot would give its seat with the next hand does not take it any more.
        at_tables.filter(arrived=player.user).update(arrived=None)
        end_games_of(player.user, None if plan.closes is not None else club)
        here = at_tables.filter(account=player.user)
        forget_reports(here if plan.closes is None else player.user.table_seats.all())
    office = _leave_club(club, plan)
    _leave_lists(player)
    Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)).update(
        name=plan.new_name,
        nickname="",
        shown_as=ShownAs.NAME,
        **dict.fromkeys((*DETAIL_NAMES, "external_id")),
        user=None,
        erased_at=timezone.now(),
    )
    if plan.closes is not None:
        _close_account(plan.closes, player.code, plan.new_name)
    player.refresh_from_db()
    stamp_places(places)
    for event in events:
        request_standings(event)
    request_ratings(club.pk)
    account = plan.closes or plan.leaves
    erases_himself = account is not None and (actor.kind, actor.id) == (ActorKind.USER, str(account.pk))
    record_audit(
        # What he does last is signed as all that he has done here is signed now.
        actor=Actor(actor.kind, _account_of(plan) or actor.id, plan.new_name) if erases_himself else actor,
        action="player.erase",
        target=player,
        after={
            "matches": plan.matches,
            "account": _account_of(plan),
            "account_closed": plan.closes is not None,
            "office": office,
            "texts": len(plan.texts),
        },
        reason=reason,
    )
    return plan


def _leave_lists(player: Player) -> None:
    """Take the person off all lists of events, and out of the teams that are being formed."""
    leave_all_teams(player)
    EntryRequest.objects.filter(player=player).delete()
    player.partner_invitations.all().delete()
    # A team that he has entered is the director's.
    player.captained.update(captain=None)


@transaction.atomic
def erase_account(*, actor: Actor, user: User, reason: str) -> None:
    """Close an account that belongs to no club any more, and take its name out of all it has done.

    Refuses anybody but its own person (`not_allowed`), the account of an administrator of the site
    (`administrator`), and one that has an office or a player still (`in_use`).
    """
    user = locked(user)
    if (actor.kind, actor.id) != (ActorKind.USER, str(user.pk)):
        raise LeagueError("not_allowed", _("%(name)s may not do this.") % {"name": actor.name})
    check_no_administrator(user)
    if user.memberships.exists() or user.players.exists():
        raise LeagueError("in_use", _("This account belongs to a club."))
    code = random_code()
    name = _("Erased %(code)s") % {"code": code}
    _anonymise_account([model._base_manager.all() for model in apps.get_models()], user, name)
    _forget_wishes(user, Q())
    Invitation.objects.filter(accepted_by=user).update(email="")
    _blank_entries(AuditEntry.objects.filter(_about_account(user)), str(user.pk))
    end_games_of(user)
    forget_reports(user.table_seats.all())
    _close_account(user, code, name)
    record_audit(Actor(actor.kind, actor.id, name), "account.erase", user, reason=reason)


def check_no_administrator(user: User) -> None:
    """Refuse (`administrator`) the account of who looks after the whole site."""
    if user.is_superuser:
        raise LeagueError(
            "administrator",
            _("You look after this site: another administrator has to take that over from you first."),
        )


def _take_names_away(player: Player, plan: Erasure) -> Erasure:
    """Rename all that refers to the person; adds the texts that still have a name to the plan."""
    rows = list(Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)))
    called = entries_called_after(rows, plan.new_name)
    sides = rename_on_sheets([row.code for row in rows], plan.new_name, called)
    rename_entries(called)
    _anonymise_acts(player, plan, sides)
    _rename_in_acts(player, rows, plan, called)
    aliases = [str(pk) for pk in player.aliases.values_list("pk", flat=True)]
    aliases += _notes_of_aliases(player.club, rows).values_list("object_id", flat=True)
    player.aliases.all().delete()
    # A tournament's file to be taken over is kept as bytes, in which names are not searched for.
    ImportDraft.objects.filter(club=player.club, options__has_key="kind").delete()
    PlayerAbsence.objects.filter(player__in=rows).delete()
    forget_offers(rows)
    DailyTry.objects.filter(player__in=rows).delete()
    if player.user is not None:
        # What he says of himself goes, and is nobody's to strike out.
        JoinRequest.objects.filter(user=player.user, club=player.club).delete()
    invitations = _end_invitations(player)
    _rename_in_audit(player, rows, plan, called)
    _blank_audit(player, rows, plan, {"playeralias": aliases, "invitation": invitations})
    elsewhere = [] if plan.closes is None else [place_of_user(plan.closes)]
    listed = list_texts(player, plan.names, elsewhere)
    texts = tuple([(shown.place, " ".join(shown.words)) for shown in shown_texts(listed)])
    return dataclasses.replace(plan, texts=texts)


def _names_of(player: Player) -> tuple[str, ...]:
    """All names and addresses of the person in the club and of the account, longest first."""
    rows = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player))
    names = {name for own in rows.values_list("name", "nickname", "email") for name in own if name}
    names.update(player.aliases.values_list("name", flat=True))
    names.update(_names_in(_notes_of_aliases(player.club, rows)))
    names.update(_names_in(_notes_of_linking(player.club, rows)))
    names.update(Invitation.objects.filter(player__in=rows).values_list("email", flat=True))
    if player.user is not None:
        names |= {player.user.username, player.user.get_full_name(), player.user.email}
    # A name that another player has does not identify this one, even if it is the account's.
    others = Player.objects.filter(club=player.club).exclude(pk__in=rows.values("pk"))
    names -= {"", *others.values_list("name", flat=True), *others.values_list("aliases__name", flat=True)}
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


def _notes_of_aliases(club: Club, rows: Iterable[Player]) -> QuerySet[AuditEntry]:
    """The audit entries about other names of these rows, those that were removed since included."""
    notes = AuditEntry.objects.filter(club=club, object_type="playeralias")
    return _mentioning(notes, ["before", "after"], [row.code for row in rows])


def _notes_of_linking(club: Club, rows: Iterable[Player]) -> QuerySet[AuditEntry]:
    """The audit entries by which entries as a file wrote them became these rows'."""
    entries = Entry.objects.filter(members__player__in=rows).values_list("pk", flat=True)
    noted = [str(pk) for pk in entries]
    return AuditEntry.objects.filter(club=club, action="entry.link", object_id__in=noted)


def _names_in(notes: QuerySet[AuditEntry]) -> set[str]:
    """The names that these audit entries have as facts."""
    noted = [facts for note in notes for facts in (note.before, note.after) if facts is not None]
    return {facts["name"] for facts in noted if "name" in facts}


def _is_of_this_club_alone(user: User, club: Club) -> bool:
    offices = Membership.objects.filter(user=user).exclude(club=club)
    players = Player.objects.filter(user=user).exclude(club=club)
    # Not `is_administrator`: the account of one is not the club's to close, whether or not it is in use.
    return not (user.is_superuser or offices.exists() or players.exists())


def _anonymise_acts(player: Player, plan: Erasure, sides: Mapping[str, Sequence[Side]]) -> None:
    """Remove name and address from the person's acts; from acts by a link of his side, the address.

    Acts by a link are signed with the name of its side, so they get the new names of renamed sides.
    """
    seat = "sheet__match__appearances__"
    links = TableLink.objects.filter(**{f"{seat}player": player}, side=F(f"{seat}side"))
    tables = [place.rows for place in places_in(player.club)]
    _anonymise(tables, {ActorKind.TABLE_LINK: links.values_list("code", flat=True)}, None)
    for name, renamed in sides.items():
        here = Q()
        for side in renamed:
            here |= Q(sheet=side.sheet_id, side=side.position)
        codes = TableLink.objects.filter(here).values_list("code", flat=True)
        _anonymise(tables, {ActorKind.TABLE_LINK: codes}, name, keep_address=True)
    user = plan.closes or plan.leaves
    if user is None:
        return
    if plan.closes is not None:
        tables = [model._base_manager.all() for model in apps.get_models()]
    own = _anonymise_account(tables, user, plan.new_name)
    if plan.leaves is not None:
        _cut_loose(tables, own, player.code)
        _cut_keys_loose(player.club, own, player.code)


def _anonymise_account(
    tables: Sequence[QuerySet[Any]], user: User, name: str
) -> Mapping[ActorKind, Sequence[str]]:
    """Sign what the account, its tokens and its imports have done with the name; returns whose that is."""
    tokens = list(ApiToken.objects.filter(user=user).order_by("pk").values_list("code", flat=True))
    own = {ActorKind.USER: [str(user.pk)], ActorKind.TOKEN: tokens}
    imports = ImportBatch.objects.filter(_acted_by(own)).values_list("pk", flat=True)
    _anonymise(tables, {ActorKind.IMPORT: map(str, imports)}, _("%(name)s (import)") % {"name": name})
    _anonymise(tables, own, name)
    return own


def _acted_by(whose: _Whose, author: str = "actor") -> Q:
    acted = Q(pk__in=[])
    for kind, ids in whose.items():
        acted |= Q(**{f"{author}_kind": kind.value, f"{author}_id__in": set(ids)})
    return acted


def _anonymise(
    tables: Iterable[QuerySet[Any]], whose: _Whose, name: str | None, *, keep_address: bool = False
) -> None:
    """Clear the address of these acts, and set the author's name unless `name` is None."""
    whose = {kind: list(ids) for kind, ids in whose.items()}
    for rows in tables:
        for author in _authors(rows):
            values: dict[str, Any] = {} if name is None else {f"{author}_name": name}
            if author == "actor" and issubclass(rows.model, Traced) and not keep_address:
                values["address"] = None
            if values:
                rows.filter(_acted_by(whose, author)).update(**values)


def _cut_loose(tables: Iterable[QuerySet[Any]], whose: _Whose, code: str) -> None:
    """Replace the references to an account that stays in use by ones that lead to nobody."""
    acted = [(kind, id_) for kind, ids in whose.items() for id_ in ids]
    for rows in tables:
        for author in _authors(rows):
            for number, (kind, id_) in enumerate(acted):
                rows.filter(_acted_by({kind: [id_]}, author)).update(**{f"{author}_id": _loose(code, number)})


def _cut_keys_loose(club: Club, whose: _Whose, code: str) -> None:
    """Do the same to whose idempotency keys were sent, and to answers at the table, which have no author."""
    acted = [(kind, id_) for kind, ids in whose.items() for id_ in ids]
    for model in RECEIPTS:
        of_club = model._base_manager.filter(sheets_of(club, "sheet__"))
        rows = model._base_manager.filter(pk__in=of_club.values("pk"))
        for number, (kind, id_) in enumerate(acted):
            loose = _loose(code, number)
            held = Actor(kind, id_, "").key_holder
            rows.filter(key_holder=held).update(key_holder=Actor(kind, loose, "").key_holder)
            if model is TableAnswer:
                rows.filter(actor_kind=kind.value, actor_id=id_).update(actor_id=loose)


def _loose(code: str, number: int) -> str:
    """What stands for an account (0) that stays in use, or for one of its tokens, in the club it left."""
    return f"{code}-{number}"


def _account_of(plan: Erasure) -> str | None:
    """The reference to the account, by which the person's acts are signed from now on."""
    if plan.closes is not None:
        return str(plan.closes.pk)
    return None if plan.leaves is None else _loose(plan.player.code, 0)


def _authors(rows: QuerySet[Any]) -> tuple[str, ...]:
    return rows.model.AUTHORS if issubclass(rows.model, ActedOn) else ()


def _rename_in_acts(
    player: Player, rows: Sequence[Player], plan: Erasure, called: Mapping[Entry, str]
) -> None:
    """Rename the person in the acts that seated or unseated him."""
    acts = SheetAct.objects.filter(sheets_of(player.club, "sheet__"), kind__in=[ActKind.SEAT, ActKind.UNSEAT])
    _rename_in_documents(acts, ["body"], _new_names(rows, plan, called))


def _rename_in_audit(
    player: Player, rows: Sequence[Player], plan: Erasure, called: Mapping[Entry, str]
) -> None:
    """Rename the person in audit entries that mention or concern him, his entries or matches."""
    audit = AuditEntry.objects.filter(club=player.club)
    _rename_in_documents(audit, ["before", "after"], _new_names(rows, plan, called))
    objects: dict[str, dict[str, str]] = {
        "player": {str(row.pk): plan.new_name for row in rows},
        "entry": {str(entry.pk): str(entry) for entry in called},
    }
    entries = Q(challenger__in=called) | Q(challenged__in=called)
    for present in (
        Match.objects.of_entries(called).with_sides(),
        Challenge.objects.filter(entries).select_related("challenger", "challenged"),
        LadderAbsence.objects.filter(entry__in=called).select_related("entry"),
    ):
        objects[str(present.model._meta.model_name)] = {str(row.pk): str(row) for row in present}
    for kind, names in objects.items():
        for first in range(0, len(names), _BATCH):
            some = dict(list(names.items())[first : first + _BATCH])
            noted = list(audit.filter(object_type=kind, object_id__in=some))
            for note in noted:
                note.object_name = some[note.object_id][:200]
                for facts in (note.before, note.after) if kind == "entry" else ():
                    # An entry of one player is noted under the player's name.
                    if facts is not None and facts.get("name") in plan.names:
                        facts["name"] = plan.new_name
            AuditEntry.objects.bulk_update(noted, ["object_name", "before", "after"], batch_size=_BATCH)
            logged = list(LogEntry.objects.filter(content_type__model=kind, object_id__in=some))
            for line in logged:
                line.object_repr = some[line.object_id or ""][:200]
            LogEntry.objects.bulk_update(logged, ["object_repr"], batch_size=_BATCH)


def _new_names(rows: Iterable[Player], plan: Erasure, called: Mapping[Entry, str]) -> dict[str, str]:
    """The new names by mention key."""
    names = {row.code: plan.new_name for row in rows}
    return names | {str(key_of(entry)): name for entry, name in called.items()}


def _rename_in_documents(rows: QuerySet[Any], fields: Sequence[str], names: Mapping[str, str]) -> None:
    keys = list(names)
    for first in range(0, len(keys), 100):
        changed = list(_mentioning(rows, fields, keys[first : first + 100]))
        for row in changed:
            for field in fields:
                setattr(row, field, with_names(getattr(row, field), names))
        rows.model._base_manager.bulk_update(changed, fields, batch_size=_BATCH)


def _mentioning(rows: QuerySet[Any], fields: Sequence[str], keys: Iterable[str]) -> QuerySet[Any]:
    """Those of the rows in whose JSON `fields` one of the `keys` stands."""
    texts = {f"{field}_as_text": Cast(field, TextField()) for field in fields}
    mentioned = Q(pk__in=[])
    for key in keys:
        for text in texts:
            mentioned |= Q(**{f"{text}__contains": f'"{key}"'})
    found: QuerySet[Any] = rows.alias(**texts).filter(mentioned)
    return found


def _leave_club(club: Club, plan: Erasure) -> str | None:
    """End the account's office in the club, its tokens for it and what it was to be told; returns the office.

    Not audited on its own, as the entry would tell whose office it was.
    """
    user = plan.closes or plan.leaves
    if user is None:
        return None
    _forget_wishes(user, Q() if plan.closes else Q(club=club))
    membership = Membership.objects.select_for_update(no_key=True).filter(club=club, user=user).first()
    if membership is None:
        return None
    check_other_owner(membership)
    membership.delete()
    sync_admin_access(user)
    return membership.role


def _forget_wishes(user: User, where: Q) -> None:
    """Delete the account's tokens, what it is to be told and asks for; `where` says in which clubs."""
    kinds: tuple[type[Model], ...] = (ApiToken, Notice, NoticeChoices, JoinRequest, RemovedMember)
    for model in kinds:
        model._default_manager.filter(where, user=user).delete()


def _end_invitations(player: Player) -> list[str]:
    """Revoke the person's open invitations and clear their addresses; returns the ids of all."""
    meant = Q(player=player) | Q(player__merged_into=player)
    if player.user is not None:
        meant |= Q(accepted_by=player.user)
    ids = list(Invitation.objects.filter(meant, club=player.club).values_list("pk", flat=True))
    invitations = Invitation.objects.filter(pk__in=ids)
    invitations.filter(accepted_at=None, revoked_at=None).update(revoked_at=timezone.now())
    invitations.update(email="", player=None)
    return [str(pk) for pk in ids]


def _blank_audit(
    player: Player, rows: Sequence[Player], plan: Erasure, others: Mapping[str, Sequence[str]]
) -> None:
    """Blank the person's details in the audit; that something was changed, by whom and when, stays.

    `others` are ids of further objects of the person, by object type.
    """
    about = Q(object_type="player", object_id__in=[str(row.pk) for row in rows])
    for kind, ids in others.items():
        about |= Q(object_type=kind, object_id__in=ids)
    where = Q(club=player.club)
    if user := plan.closes or plan.leaves:
        about |= _about_account(user)
        where |= Q(club=None) if plan.closes else Q()
    _blank_entries(AuditEntry.objects.filter(where, about), _account_of(plan))


def _about_account(user: User) -> Q:
    """A condition for the audit entries about the account, its offices and its requests to join."""
    offices = [str(pk) for pk in user.memberships.values_list("pk", flat=True)]
    return (
        Q(object_type="membership", object_id__in=offices)
        | Q(object_type="user", object_id=str(user.pk))
        # Requests are gone once they are answered, and are noted under the user name alone. So are offices.
        | Q(object_type="joinrequest", object_name=str(user)[:200])
        | Q(object_type="membership", object_name__startswith=f"{user}: ")
    )


def _blank_entries(entries: QuerySet[AuditEntry], account: str | None) -> None:
    """Blank what identifies a person in these entries; `account` stands for the account there."""
    changed = []
    for entry in entries:
        for facts in (entry.before, entry.after):
            for name in _PERSONAL:
                if facts is not None and facts.get(name):
                    facts[name] = account if name in _ACCOUNT else "–"
        if entry.object_type != "player":
            entry.object_name = "–"
        changed.append(entry)
    AuditEntry.objects.bulk_update(changed, ["before", "after", "object_name"], batch_size=_BATCH)


def _close_account(user: User, code: str, name: str) -> None:
    """Make the account unusable, remove everything personal from it, and give it the new name."""
    for attempts in (AccessAttempt, AccessFailureLog, AccessLog):
        attempts.objects.filter(username=user.username).delete()
    user.username = f"erased-{code}"
    user.first_name = user.email = ""
    user.last_name = name
    user.is_active = user.is_staff = False
    user.set_unusable_password()
    user.save()
    for kept in (
        CalendarAddress,
        GivenPassword,
        MailBounce,
        PushDevice,
        SignUp,
        EmailAddress,
        Authenticator,
        UserSession,
    ):
        kept._default_manager.filter(user=user).delete()
