import sys

from django.db import migrations
from django.db.models import Q

_AT_ONCE = 500
_FLOATED = (
    "%(entry)s floated down: odd group",
    "%(entry)s floated down: nobody of the same score left to meet",
)


def refer(apps, schema_editor):
    """Whose seat each is: by the line-up of the match or the exhibition, else by the name within the club.

    A seat on which nobody is found keeps the name that was written and is counted.
    """
    using = schema_editor.connection.alias
    sheets = apps.get_model("scoring", "Scoresheet").objects.using(using)
    clubs = apps.get_model("league", "Club").objects.using(using)
    found = unknown = 0
    for club in clubs.order_by("pk"):
        codes = _codes_by_name(apps, using, club)
        of_club = Q(match__event__club=club) | Q(former__club=club) | Q(exhibition__club=club)
        ids = list(sheets.filter(of_club).order_by("pk").values_list("pk", flat=True))
        for first in range(0, len(ids), _AT_ONCE):
            done, left = _refer_seats(apps, using, ids[first : first + _AT_ONCE], codes)
            found, unknown = found + done, unknown + left
    _mention_substitutes(apps, using)
    reasons = _name_nobody(apps, using)
    if found or unknown:
        sys.stdout.write(f"\n    seats that refer to a person: {found}; whose name stays as written: {unknown}\n")
    if reasons:
        sys.stdout.write(f"    reasons of pairings that name nobody any more: {reasons}\n")


def _codes_by_name(apps, using, club):
    players = apps.get_model("league", "Player").objects.using(using).filter(club=club)
    aliases = apps.get_model("league", "PlayerAlias").objects.using(using).filter(club=club)
    codes = dict(aliases.values_list("name", "player__code"))
    codes |= dict(players.exclude(merged_into=None).values_list("name", "merged_into__code"))
    return codes | dict(players.filter(merged_into=None).values_list("name", "code"))


def _refer_seats(apps, using, ids, codes):
    seats = apps.get_model("scoring", "Seat").objects.using(using)
    appearances = apps.get_model("league", "Appearance").objects.using(using)
    exhibitions = apps.get_model("league", "Exhibition").objects.using(using)
    line_ups = {}
    rows = appearances.filter(match__sheet__in=ids).order_by("side", "position")
    for sheet, side, name, code in rows.values_list("match__sheet", "side", "player__name", "player__code"):
        line_ups.setdefault((sheet, side), []).append((name, code))
    for sheet, *pair in exhibitions.filter(sheet__in=ids).values_list(
        "sheet", "player_a__name", "player_a__code", "player_b__name", "player_b__code"
    ):
        for side in (0, 1):
            name, code = pair[2 * side], pair[2 * side + 1]
            if code is not None:
                line_ups[sheet, side] = [(name, code)]
    of_side = {}
    for seat in seats.filter(sheet__in=ids).select_related("side").order_by("sheet", "number"):
        of_side.setdefault((seat.sheet_id, seat.side.position), []).append(seat)
    changed, unknown = [], 0
    for place, sitting in of_side.items():
        line_up = line_ups.get(place, [])
        by_name = dict(line_up)
        for position, seat in enumerate(sitting):
            # A line-up as long as the side has its players in the order of their seats, whatever their names.
            by_place = line_up[position][1] if len(line_up) == len(sitting) else ""
            seat.person = by_name.get(seat.name) or by_place or codes.get(seat.name, "")
            if seat.person:
                changed.append(seat)
            else:
                unknown += 1
    seats.bulk_update(changed, ["person"], batch_size=_AT_ONCE)
    return len(changed), unknown


def _mention_substitutes(apps, using):
    """Acts by which a substitute sat down, or was taken back, name both by their keys."""
    acts = apps.get_model("scoring", "SheetAct").objects.using(using)
    seats = apps.get_model("scoring", "Seat").objects.using(using)
    rows = list(acts.filter(kind__in=["seat", "unseat"]))
    persons = {}
    for sheet, name, person in seats.filter(sheet__in={act.sheet_id for act in rows}).values_list(
        "sheet", "name", "person"
    ):
        persons[sheet, name] = person
    changed = []
    for act in rows:
        if "name" not in act.body:
            continue
        name, replaced = act.body.pop("name"), act.body["replaces"]
        act.body["player"] = {"person": persons.get((act.sheet_id, name), ""), "name": name}
        act.body["replaces"] = {"person": persons.get((act.sheet_id, replaced), ""), "name": replaced}
        changed.append(act)
    acts.bulk_update(changed, ["body"], batch_size=_AT_ONCE)


def _name_nobody(apps, using):
    """Reasons of pairings refer to the entry that they are about; answers how many could not be read."""
    matches = apps.get_model("league", "Match").objects.using(using)
    entries = apps.get_model("league", "Entry").objects.using(using)
    left, changed = 0, []
    rows = matches.exclude(reasons=[]).select_related("entry_a", "entry_b", "partner_a", "partner_b")
    names_of, event = [], None
    for match in rows.order_by("event", "pk"):
        if match.event_id != event:
            event = match.event_id
            names_of = list(entries.filter(event=event).values_list("name", flat=True))
        there = [match.entry_a, match.entry_b, match.partner_a, match.partner_b]
        known = {}
        for entry in there:
            if entry is not None:
                for said in _FLOATED:
                    shown = f"{entry.name} (bot)" if entry.is_bot else entry.name
                    known[said % {"entry": shown}] = {"says": said, "entry": entry.pk}
        reasons = [
            known.get(reason, {"said": reason} if _names(reason, names_of) else reason)
            if isinstance(reason, str)
            else reason
            for reason in match.reasons
        ]
        left += sum("said" in reason for reason in reasons if isinstance(reason, dict))
        if reasons != match.reasons:
            match.reasons = reasons
            changed.append(match)
    matches.bulk_update(changed, ["reasons"], batch_size=_AT_ONCE)
    return left


def _names(reason, names):
    return any(name and name in reason for name in names)


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0016_naming_texts"),
        ("scoring", "0005_seats_refer_to_persons"),
    ]

    operations = [
        migrations.RunPython(refer, migrations.RunPython.noop),
    ]
