from django.db import migrations, models
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Coalesce


def note_told(apps, schema_editor):
    """What was told is told: of the last days as they are now."""
    using = schema_editor.connection.alias

    def rows(model):
        return apps.get_model("league", model).objects.using(using)

    told = rows("Notice").filter(kind="near", match=OuterRef("pk"))
    last_days = rows("Round").filter(pk=OuterRef("round")).values("last_day")
    matches = rows("Match").filter(Exists(told))
    matches.update(last_day_told=Coalesce(F("deadline"), models.Subquery(last_days)))


class Migration(migrations.Migration):

    dependencies = [("league", "0054_removed_members")]

    operations = [
        migrations.AddField("match", "last_day_told", models.DateField(editable=False, null=True)),
        migrations.RunPython(note_told, migrations.RunPython.noop),
    ]
