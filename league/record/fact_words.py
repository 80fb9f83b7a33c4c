"""The facts of the audit and of acts on sheets in words: titles of fields, and their values."""

from collections.abc import Mapping
from typing import Any, Final

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from league.models import Claiming, PresenceState, Role
from scoring.models import SignatureMethod
from scoring.words.knobs import KNOBS

# What acts on sheets are of; their facts are fields of no table.
OF_SHEET: Final = "sheet"

_APPS: Final = ("league", "scoring", "auth")
# Facts that are no fields, and fields whose tables nobody sees.
_TITLES: Final[Mapping[str, StrOrPromise]] = {
    "account": gettext_lazy("account"),
    "account_closed": gettext_lazy("account closed"),
    "absent": gettext_lazy("absent"),
    "aliases": gettext_lazy("other names"),
    "bots": gettext_lazy("bot match"),
    "by the groups": gettext_lazy("by the groups"),
    "byes": gettext_lazy("byes"),
    "called_at": gettext_lazy("time called at"),
    "ends_at": gettext_lazy("time is up at"),
    "claim": gettext_lazy("entry"),
    "club": gettext_lazy("club"),
    "commitment": gettext_lazy("seal"),
    "copied_from": gettext_lazy("copied from"),
    "created": gettext_lazy("created"),
    "days_between": gettext_lazy("days between rounds"),
    "deadline": gettext_lazy("deadline"),
    "deals": gettext_lazy("deals"),
    "delivery": gettext_lazy("delivery"),
    "dispute": gettext_lazy("dispute"),
    "doubt": gettext_lazy("doubt"),
    "entries": gettext_lazy("entries"),
    "entry": gettext_lazy("entry"),
    "event": gettext_lazy("event"),
    "expires_at": gettext_lazy("open until"),
    "expiry": gettext_lazy("open until"),
    "extra_boxes": gettext_lazy("extra boxes"),
    "first_date": gettext_lazy("first date"),
    "first_day": gettext_lazy("first day"),
    "first_round": gettext_lazy("first round"),
    "format": gettext_lazy("format"),
    "from_deal": gettext_lazy("from deal"),
    "groups": gettext_lazy("groups"),
    "hands": gettext_lazy("hands"),
    "held": gettext_lazy("pending"),
    "here": gettext_lazy("here"),
    "invited_by": gettext_lazy("invited by"),
    "knobs": gettext_lazy("knobs"),
    "label": gettext_lazy("label"),
    "last_day": gettext_lazy("last day"),
    "left_side": gettext_lazy("side on the left"),
    "links": gettext_lazy("links"),
    "match": gettext_lazy("match"),
    "matches": gettext_lazy("matches"),
    "merged_into": gettext_lazy("merged into"),
    "method": gettext_lazy("signed"),
    "net": gettext_lazy("net"),
    "nets": gettext_lazy("net by side"),
    "office": gettext_lazy("office"),
    "pairs": gettext_lazy("pairs"),
    "paper": gettext_lazy("paper"),
    "position": gettext_lazy("place on the list"),
    "places": gettext_lazy("places"),
    "player": gettext_lazy("player"),
    "players": gettext_lazy("players"),
    "points": gettext_lazy("points"),
    "put_away": gettext_lazy("put away"),
    "how": gettext_lazy("decided by"),
    "level": gettext_lazy("level"),
    "line": gettext_lazy("line"),
    "lot": gettext_lazy("number of the lot"),
    "order": gettext_lazy("order"),
    "released_at": gettext_lazy("released at"),
    "replaces": gettext_lazy("replaces"),
    "revoked_at": gettext_lazy("ended at"),
    "role": gettext_lazy("office"),
    "readers": gettext_lazy("sent to"),
    "round": gettext_lazy("round"),
    "rounds": gettext_lazy("rounds"),
    "rules": gettext_lazy("rules"),
    "seat": gettext_lazy("seat"),
    "seed": gettext_lazy("seed"),
    "seeds": gettext_lazy("seeds"),
    "sheet": gettext_lazy("sheet"),
    "sheets": gettext_lazy("sheets"),
    "side": gettext_lazy("side"),
    "sides": gettext_lazy("sides"),
    "state": gettext_lazy("state"),
    "stays": gettext_lazy("still entered in"),
    "stopped": gettext_lazy("time called"),
    "subject": gettext_lazy("subject"),
    "table": gettext_lazy("table"),
    "team": gettext_lazy("team"),
    "captain": gettext_lazy("captain"),
    "text": gettext_lazy("text"),
    "texts": gettext_lazy("texts"),
    "second_factors": gettext_lazy("second factors"),
    "times": gettext_lazy("times"),
    "tokens_ended": gettext_lazy("tokens ended"),
    "undone": gettext_lazy("taken back"),
    "user": gettext_lazy("account"),
    "username": gettext_lazy("user name"),
    "version": gettext_lazy("version"),
    "waits": gettext_lazy("waited for"),
    "winner": gettext_lazy("winner"),
    "words": gettext_lazy("words"),
    # The figures of a paper sheet.
    "boxes": gettext_lazy("boxes"),
    "lines": gettext_lazy("lines"),
    "totals": gettext_lazy("totals"),
}
_CHOICES: Final[Mapping[tuple[str, str], Mapping[str, StrOrPromise]]] = {
    ("entry", "state"): dict(PresenceState.choices),
    ("club", "office"): dict(Role.choices),
    ("player", "how"): dict(Claiming.choices),
    ("player", "office"): dict(Role.choices),
    ("user", "role"): dict(Role.choices),
    (OF_SHEET, "method"): dict(SignatureMethod.choices),
}


def fact_title(of: str, name: str) -> str:
    """The title of a fact about an object of the type `of`; the stored name if there is none."""
    knob = _knob(of, name)
    if knob is not None:
        return str(KNOBS[knob].title)
    field = None if of == OF_SHEET else _field(of, name)
    if field is not None and isinstance(field.verbose_name, Promise):
        return str(field.verbose_name)
    if name in _TITLES:
        return str(_TITLES[name])
    kind = _model_title(name)
    return name.replace("_", " ") if kind is None else kind


def fact_words(of: str, name: str, value: Any) -> str:
    """The value of a fact, by the label of a choice; "–" if there is none."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        joint = "; " if any(isinstance(each, list | dict) for each in value) else ", "
        return joint.join(fact_words(of, name, each) for each in value)
    if isinstance(value, dict) and value.keys() == {"sides"}:
        return _(" v ").join(" + ".join(side) for side in value["sides"])
    if isinstance(value, dict):
        return ", ".join(
            f"{fact_title(of, inner)} {fact_words(of, inner, each)}" for inner, each in value.items()
        )
    knob = _knob(of, name)
    if knob is not None:
        return str(KNOBS[knob].choices.get(str(value), value))
    field = _field(of, name)
    labels = _CHOICES.get((of, name)) or (dict(field.flatchoices) if field is not None else {})
    return str(labels.get(value, value))


def _knob(of: str, name: str) -> str | None:
    """The name of a knob of house rules; extra boxes are stored by what they are for."""
    names = (name, f"extra_boxes_{name}") if of == "clubrules" else ()
    return next((each for each in names if each in KNOBS), None)


def _field(of: str, name: str) -> "Field[Any, Any] | None":
    for app in _APPS:
        try:
            field = apps.get_model(app, of)._meta.get_field(name)
        except (LookupError, FieldDoesNotExist):
            continue
        return field if isinstance(field, Field) else None
    return None


def _model_title(name: str) -> str | None:
    """What is counted under the name of its table: "players" for `player`."""
    for app in _APPS:
        try:
            return str(apps.get_model(app, name)._meta.verbose_name_plural)
        except LookupError:
            continue
    return None
