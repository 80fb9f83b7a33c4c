"""Players as the club's own register has them, each by the id that it has there."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Club, Player, ShownAs
from league.people.accounts import choose_shown_name
from league.people.players import change_player, create_player
from league.policy import Permission, require
from scoring.core.actors import Actor


@transaction.atomic
def register_player(*, actor: Actor, club: Club, external_id: str, **values: Any) -> tuple[Player, bool]:
    """Makes the player of this id, or changes who has it; answers him, and whether he is new.

    `values` are `name` (a new one needs it), `member_number`, `nickname` and `shown_as`; what is left out
    stays as it is. Whoever was merged into another is that one. A player who is known by name already gets
    his id by `change_player` first: refused (`name_taken`), for there are namesakes.
    """
    require(actor, Permission.DIRECT, club)
    external_id = external_id.strip()
    if not external_id:
        raise LeagueError("invalid", _("Give the id that the register has."), field="external_id")
    shown = {name: values.pop(name) for name in ("shown_as", "nickname") if name in values}
    known = Player.objects.filter(club=club, external_id=external_id).select_related("merged_into")
    found = known.order_by("merged_into").first()
    player = found and (found.merged_into or found)
    if player is None:
        if "name" not in values:
            raise LeagueError("invalid", _("A player has a name."), field="name")
        made = create_player(actor=actor, club=club, external_id=external_id, **values)
        return change_shown(actor=actor, player=made, **shown), True
    player = change_player(actor=actor, player=player, **values)
    return change_shown(actor=actor, player=player, **shown), False


def change_shown(*, actor: Actor, player: Player, **shown: Any) -> Player:
    """Changes `shown_as` or `nickname`, where they are given."""
    if not shown:
        return player
    return choose_shown_name(
        actor=actor,
        player=player,
        shown_as=ShownAs(shown.get("shown_as", player.shown_as)),
        nickname=shown.get("nickname", player.nickname),
    )
