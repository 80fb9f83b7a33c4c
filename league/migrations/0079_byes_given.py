from django.db import migrations, models
from django.db.models import CharField, Q
from django.db.models.functions import Cast


def read_record(apps, schema_editor):
    """Until now only the director's note said that a bye was given in place of a bot."""
    noted = apps.get_model("league", "AuditEntry").objects.filter(action="match.bye", object_type="match")
    byes = apps.get_model("league", "Match").objects.filter(state="bye", sheet=None)
    byes = byes.exclude(round__state="drafted").annotate(key=Cast("pk", CharField()))
    byes.filter(key__in=noted.values("object_id")).update(bye_given=True)


class Migration(migrations.Migration):
    """That a bye was given in place of a bot stands in the match."""

    dependencies = [
        ("league", "0078_odd_tables_of_teams"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="bye_given",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(read_record, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=Q(bye_given=False) | Q(state="bye", sheet=None),
                name="match_bye_given_without_sheet",
            ),
        ),
    ]
