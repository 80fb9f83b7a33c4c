"""Taking in the people of a pasted list as players: first told line by line, then stored, all or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.name_lists import MOST_LINES, Listed, alike, read_list, written_lines
from league.errors import LeagueError
from league.models import Club, Player, PlayerAlias
from league.people.players import create_player
from league.policy import Permission, require
from league.record.audit import locked
from scoring.core.actors import Actor
from scoring.words.messages import translated


@dataclass(frozen=True, slots=True)
class ListedLine:
    """A line of a list beside the club's register: a new player, one who is there, or a problem in words."""

    listed: Listed
    player: Player | None = None
    problem: str = ""

    @property
    def is_new(self) -> bool:
        """Whether the line makes a player."""
        return self.player is None and not self.problem


def compare_list(club: Club, text: str) -> list[ListedLine]:
    """Tell what becomes of each line; stores nothing.

    A player of the club with exactly this name is there already. Who is only written alike, or has the
    number or the other name of somebody else, is a problem: a name alone never says who it is. Refused
    (`too_many`) beyond `MOST_LINES`.
    """
    if sum(1 for _line in written_lines(text)) > MOST_LINES:
        raise LeagueError(
            "too_many", _("A list has at most %(count)d lines.") % {"count": MOST_LINES}, field="names"
        )
    read = read_list(text)
    players = list(Player.objects.filter(club=club, merged_into=None).order_by("pk"))
    by_name = {player.name: player for player in players}
    by_likeness = {alike(player.name): player for player in players}
    by_number = {player.member_number: player for player in players if player.member_number}
    aliases = PlayerAlias.objects.filter(club=club, player__merged_into=None).select_related("player")
    by_alias = {alias.name: alias.player for alias in aliases}
    lines = []
    for one in read:
        if one.problem is not None:
            lines.append(ListedLine(one, problem=translated(one.problem)))
            continue
        same = by_name.get(one.name)
        of_number = by_number.get(one.number)
        other = same or by_alias.get(one.name) or by_likeness.get(alike(one.name)) or of_number
        if same is not None and (not one.number or same.member_number == one.number):
            lines.append(ListedLine(one, player=same))
        elif other is not None:
            lines.append(ListedLine(one, problem=_taken_by(one, same, other, of_number)))
        else:
            lines.append(ListedLine(one))
    return lines


@transaction.atomic
def take_in_list(*, actor: Actor, club: Club, text: str) -> None:
    """Make the players of a list; addresses are not stored.

    Refused (`unreadable`) while any line is a problem. The same list again makes nobody.
    """
    require(actor, Permission.DIRECT, club)
    # Of two who paste the same list the second finds everybody there.
    club = locked(club)
    lines = compare_list(club, text)
    problems = [line for line in lines if line.problem]
    if problems:
        raise LeagueError(
            "unreadable",
            ngettext(
                "%(count)d line needs a look first; nobody was added.",
                "%(count)d lines need a look first; nobody was added.",
                len(problems),
            )
            % {"count": len(problems)},
            field="names",
        )
    for line in lines:
        if line.is_new:
            create_player(
                actor=actor, club=club, name=line.listed.name, member_number=line.listed.number or None
            )


def in_words(lines: Sequence[ListedLine]) -> str:
    """How many of a list are new, there already, and need a look."""
    new = sum(line.is_new for line in lines)
    there = sum(line.player is not None for line in lines)
    wrong = sum(bool(line.problem) for line in lines)
    said = [ngettext("%d new member.", "%d new members.", new) % new]
    if there:
        said.append(ngettext("%d is a member already.", "%d are members already.", there) % there)
    if wrong:
        said.append(ngettext("%d line needs a look.", "%d lines need a look.", wrong) % wrong)
    return " ".join(said)


def _taken_by(one: Listed, same: Player | None, other: Player, of_number: Player | None) -> str:
    names = {"name": one.name, "other": other.name, "number": one.number}
    if same is not None:
        return _("“%(other)s” is a member, with another number or none: add an initial or the town.") % names
    if other == of_number:
        return _("“%(other)s” has member number %(number)s.") % names
    return (
        _("This may be “%(other)s”, who is a member: write the same name, or add an initial or the town.")
        % names
    )
