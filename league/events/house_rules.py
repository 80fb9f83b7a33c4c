"""A club's own house rules. Versions are immutable; a change makes a new one."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Club, ClubRules
from league.policy import Permission, require
from league.record.audit import change_row, check_plain, facts, locked, record_audit, remove_row
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.services import make_house_rules


@transaction.atomic
def make_club_rules(*, actor: Actor, club: Club, name: str, rules: Rules) -> ClubRules:
    """Create house rules of a club, as version 1."""
    require(actor, Permission.DIRECT, club)
    made = make_house_rules(actor=actor, name=_named(name), rules=rules)
    own = ClubRules.objects.create(club=club, rules=made)
    said = {"code": made.code, "knobs": made.knobs}
    record_audit(actor, "rules.create", own, after=facts(own) | said)
    return own


@transaction.atomic
def copy_club_rules(*, actor: Actor, club: Club, source: HouseRules, name: str) -> ClubRules:
    """Copy a version of any rules into the club's own, which record their source.

    The caller has checked that the reader may see `source`.
    """
    require(actor, Permission.DIRECT, club)
    made = make_house_rules(actor=actor, name=_named(name), rules=source.rules, copied_from=source)
    own = ClubRules.objects.create(club=club, rules=made)
    said = {"code": made.code, "copied_from": f"{source.code}.{source.version}", "knobs": made.knobs}
    record_audit(actor, "rules.copy", own, after=facts(own) | said)
    return own


@transaction.atomic
def share_club_rules(*, actor: Actor, club_rules: ClubRules, is_shared: bool) -> ClubRules:
    """Open all versions of a private club's rules to anyone with the link, or close them."""
    require(actor, Permission.DIRECT, club_rules.club)
    own = locked(club_rules)
    change_row(actor, "rules.share", own, {"is_shared": is_shared})
    return own


@transaction.atomic
def next_version(*, actor: Actor, club_rules: ClubRules, name: str, rules: Rules) -> ClubRules:
    """Make the next version of a club's rules. Events and sheets keep the version they have."""
    require(actor, Permission.DIRECT, club_rules.club)
    own = locked(club_rules)
    earlier = own.rules
    if earlier.rules == rules and earlier.name == _named(name):
        raise LeagueError("nothing_changed", _("These are the rules as they are; nothing was changed."))
    made = make_house_rules(actor=actor, name=_named(name), rules=rules, earlier=earlier)
    own.rules = made
    own.save(update_fields=["rules"])
    # Rules that are stored without a knob have its default.
    were = earlier.rules.to_document()
    changed = [knob for knob, value in made.knobs.items() if were.get(knob) != value]
    record_audit(
        actor,
        "rules.version",
        own,
        before={"rules": str(earlier)} | {knob: were.get(knob) for knob in changed},
        after={"rules": str(made)} | {knob: made.knobs[knob] for knob in changed},
    )
    return own


@transaction.atomic
def drop_club_rules(*, actor: Actor, club_rules: ClubRules) -> None:
    """Take rules off the club's list; events and sheets that use them keep them."""
    require(actor, Permission.DIRECT, club_rules.club)
    own = locked(club_rules)
    remove_row(actor, "rules.drop", own)


def _named(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= 80:
        raise LeagueError("invalid", _("House rules have a name of 1 to 80 characters."), field="name")
    check_plain(name, "name")
    return name
