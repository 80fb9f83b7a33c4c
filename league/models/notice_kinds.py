"""Kinds of notices, of which a club has its usual ones."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class NoticeKind(models.TextChoices):
    """What people can be told."""

    ROUND = "round", _("a round is published: table and opponent")
    PROPOSED = "proposed", _("a time to play is proposed")
    AGREED = "agreed", _("a time to play is agreed or changed")
    NEAR = "near", _("the last day to play is near")
    SIGN = "sign", _("a sheet waits for a signature")
    DISPUTED = "disputed", _("a sheet is disputed")
    DECIDED = "decided", _("a dispute is settled")
    RESULT = "result", _("a result counts")
    PLACE = "place", _("you move up from a waiting list")
    INVITED = "invited", _("you are invited to a team")
    TEAM = "team", _("your team is complete, or changes")
    TABLE = "table", _("an event is finished: the final table")
    EVENT = "event", _("an event takes entries")
    LETTER = "letter", _("an officer writes to you")
    ANSWER = "answer", _("an officer answers your request to join, or your claim to be a player")
    PEOPLE = "people", _("to officers: somebody asks to join, says who they are, or leaves")
    PAUSED = "paused", _("a webhook of the club is paused, as it fails")
    GAME = "game", _("somebody offers you a game or declines yours, or your game begins or is adjourned")
    EVENING = "evening", _("to directors: an evening that runs itself stops, ends, or somebody is missing")
    STOPPED = "stopped", _("to officers: play at a table on this site waits for a director")


class NoticeWay(models.TextChoices):
    """How somebody is told."""

    MAIL = "mail", _("by mail")
    PUSH = "push", _("on a device")


def kinds_told(way: str) -> tuple[NoticeKind, ...]:
    """The kinds that can be told so: what an officer writes is to be read, and comes by mail alone."""
    return tuple(kind for kind in NoticeKind if way == NoticeWay.MAIL or kind != NoticeKind.LETTER)


def usual_kinds() -> list[str]:
    """The kinds that a new club tells: all but events that take entries, which are for who asks for them."""
    return [kind.value for kind in NoticeKind if kind != NoticeKind.EVENT]


def usual_pushed_kinds() -> list[str]:
    """The kinds that a new club tells on devices: of the usual ones those that can be told so."""
    return [kind for kind in usual_kinds() if kind in kinds_told(NoticeWay.PUSH)]
