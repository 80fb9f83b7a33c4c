from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import JSONArray

_FIRST, _SECOND, _LEVEL = [1, 2], [2, 1], [1, 1]


def tell_by_side(apps, schema_editor):
    """What the first side wins, and who has won, become a net and a place of each of the two sides."""
    using = schema_editor.connection.alias
    sheets = apps.get_model("scoring", "Scoresheet").objects.using(using).order_by()
    ended = Q(status__in=["finished", "stopped"])
    json = models.JSONField()
    sheets.update(
        nets=JSONArray(F("net"), -F("net")),
        places=Case(
            When(winner_side=0, then=Value(_FIRST, json)),
            When(winner_side=1, then=Value(_SECOND, json)),
            When(ended, then=Value(_LEVEL, json)),
            default=Value([], json),
        ),
    )
    # A voided sheet no longer says whether it had ended; its columns do.
    level = sheets.filter(status="void", winner_side=None).only("pk", "derived")
    had_ended = [
        sheet.pk
        for sheet in level.iterator()
        if sheet.derived and all(column["status"] != "open" for column in sheet.derived["columns"])
    ]
    sheets.filter(pk__in=had_ended).update(places=_LEVEL)


class Migration(migrations.Migration):

    dependencies = [("scoring", "0009_sheets_by_time_of_change")]

    operations = [
        migrations.AddField("scoresheet", "nets", models.JSONField(default=list, verbose_name="nets")),
        migrations.AddField(
            "scoresheet", "places", models.JSONField(blank=True, default=list, verbose_name="places")
        ),
        migrations.RunPython(tell_by_side, migrations.RunPython.noop),
        migrations.RemoveConstraint("scoresheet", "scoresheet_left_side"),
        migrations.RemoveConstraint("scoresheet", "scoresheet_winner_side"),
        migrations.RemoveConstraint("side", "side_position"),
        migrations.RemoveConstraint("signature", "signature_side"),
        migrations.RemoveConstraint("dispute", "dispute_side"),
        migrations.RemoveField("scoresheet", "net"),
        migrations.RemoveField("scoresheet", "winner_side"),
        migrations.AddConstraint(
            "scoresheet", models.CheckConstraint(condition=Q(("left_side__lt", 6)), name="scoresheet_left_side")
        ),
        migrations.AddConstraint(
            "side", models.CheckConstraint(condition=Q(("position__lt", 6)), name="side_position")
        ),
        migrations.AddConstraint(
            "signature", models.CheckConstraint(condition=Q(("side__lt", 6)), name="signature_side")
        ),
        migrations.AddConstraint(
            "dispute", models.CheckConstraint(condition=Q(("side__lt", 6)), name="dispute_side")
        ),
    ]
