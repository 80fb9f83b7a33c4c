"""Synchronising players from a club's own register, by external id."""

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Club, Player, ShownAs
from league.people.accounts import choose_shown_name
from league.people.players import change_player, create_player
from league.policy import Permission, require
from scoring.core.actors import Actor


@transaction.atomic
def register_player(*, actor: Actor, club: Club, external_id: str, **values: Any) -> tuple[Player, bool]:
    """Create the player with this id, or change the present one; returns it and whether it is new.

    `values` are `name` (required for a new player), `member_number`, `nickname` and `shown_as`; omitted ones
    stay. A merged player stands for the one kept. A player already known by name must first be given the id
    with `change_player`: otherwise refused (`name_taken`), as it may be a namesake.
    """
    require(actor, Permission.DIRECT, club)
    external_id = external_id.strip()
    if not external_id:
        raise LeagueError("invalid", _("Give the id that the register has."), field="external_id")
    shown = {name: values.pop(name) for name in ("shown_as", "nickname") if name in values}
    player = of_external_id(club, external_id)
    if player is None:
        if "name" not in values:
            raise LeagueError("invalid", _("A player has a name."), field="name")
        made = create_player(actor=actor, club=club, external_id=external_id, **values)
        return change_shown(actor=actor, player=made, **shown), True
    player = change_player(actor=actor, player=player, **values)
    return change_shown(actor=actor, player=player, **shown), False


def of_external_id(club: Club, external_id: str) -> Player | None:
    """Return the player with this id, else the one into whom its owner was merged; None if nobody has it.

    The id of a merged player may have been given to another one since.
    """
    known = Player.objects.filter(club=club, external_id=external_id).select_related("merged_into")
    found = known.order_by(F("merged_into_id").asc(nulls_first=True)).first()
    return found and (found.merged_into or found)


def change_shown(*, actor: Actor, player: Player, **shown: Any) -> Player:
    """Change `shown_as` or `nickname`, if given."""
    if not shown:
        return player
    return choose_shown_name(
        actor=actor,
        player=player,
        shown_as=ShownAs(shown.get("shown_as", player.shown_as)),
        nickname=shown.get("nickname", player.nickname),
    )
