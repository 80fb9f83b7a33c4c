from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_notes(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Keeps the notes so far as the texts they are."""
    rows = apps.get_model("games", "BotMatch").objects
    for pk, note in rows.exclude(note="").values_list("pk", "note"):
        rows.filter(pk=pk).update(said=note)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0004_names_of_fields"),
    ]

    operations = [
        migrations.AddField(
            model_name="botmatch",
            name="said",
            field=models.JSONField(blank=True, editable=False, null=True, verbose_name="note"),
        ),
        migrations.RunPython(keep_notes, migrations.RunPython.noop),
        migrations.RemoveField(model_name="botmatch", name="note"),
    ]
