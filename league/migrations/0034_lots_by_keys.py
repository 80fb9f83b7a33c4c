import hashlib

import django.core.validators
from django.db import migrations, models
from django.db.models import Exists, OuterRef

import league.models.events

_AT_ONCE = 2000
# Hexadecimal digits of SHA-256; the same number in decimal figures has more.
_DIGITS = 64


def keep_lots(apps, schema_editor):
    """Lots were drawn by a number made of the name: entries keep it, and so the order of their tables."""

    def key(row):
        if len(row.lot_key) > _DIGITS:
            return row.lot_key
        return str(int(row.lot_key or hashlib.sha256(row.name.encode()).hexdigest(), 16))

    _change_keys(apps, schema_editor, key)


def give_digits_back(apps, schema_editor):
    """The same number as the former column had it, which has room for no more."""

    def digits(row):
        return f"{int(row.lot_key):064x}" if len(row.lot_key) > _DIGITS else row.lot_key

    _change_keys(apps, schema_editor, digits)


def _change_keys(apps, schema_editor, key):
    entries = apps.get_model("league", "Entry").objects.using(schema_editor.connection.alias)
    ids = list(entries.order_by("pk").values_list("pk", flat=True))
    for first in range(0, len(ids), _AT_ONCE):
        rows = list(entries.filter(pk__in=ids[first : first + _AT_ONCE]).only("name", "lot_key"))
        for row in rows:
            row.lot_key = key(row)
        entries.bulk_update(rows, ["lot_key"], batch_size=500)


def keep_what_was_told(apps, schema_editor):
    """What the lot has decided stays: brackets that are drawn, places in events that are over."""
    events = apps.get_model("league", "Event").objects.using(schema_editor.connection.alias)
    events.filter(qualified__isnull=False).update(lot_settled_bracket=True)
    events.filter(state__in=["finished", "archived"]).update(lot_settled_places=True)


def fix_acceleration(apps, schema_editor):
    """Half of the rounds planned, rounded up: of four where that is open."""
    events = apps.get_model("league", "Event").objects.using(schema_editor.connection.alias)
    rounds = apps.get_model("league", "Round").objects.using(schema_editor.connection.alias)
    begun = rounds.filter(event=OuterRef("pk"), number=1)
    for event in events.filter(accelerated=True).filter(Exists(begun)):
        event.accelerated_rounds = -(-(event.rounds_planned or 4) // 2)
        event.save(update_fields=["accelerated_rounds"])


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0033_readiness_is_tried"),
    ]

    operations = [
        migrations.RenameField("entry", "lot_number", "lot_key"),
        migrations.AlterField(
            model_name="entry",
            name="lot_key",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=80),
        ),
        migrations.AddField(
            model_name="event",
            name="accelerated_rounds",
            field=models.PositiveSmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="lot_settled_bracket",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name="event",
            name="lot_settled_places",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name="round",
            name="scores",
            field=models.JSONField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="event",
            name="lot_seed",
            field=models.PositiveIntegerField(
                default=league.models.events.drawn_seed,
                validators=[django.core.validators.MaxValueValidator(999999999)],
                verbose_name="seed of the lot",
            ),
        ),
        migrations.RunPython(keep_lots, give_digits_back),
        migrations.RunPython(keep_what_was_told, migrations.RunPython.noop),
        migrations.RunPython(fix_acceleration, migrations.RunPython.noop),
    ]
