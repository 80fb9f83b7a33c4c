from django.db import migrations, models


def keep_drawn_brackets(apps, schema_editor):
    """Brackets drawn while the points of rests counted between groups keep their seeds."""
    events = apps.get_model("league", "Event").objects.using(schema_editor.connection.alias)
    events.filter(qualified__isnull=False).update(rests_between_groups=True)


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0020_fide_rules"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="rests_between_groups",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(keep_drawn_brackets, migrations.RunPython.noop),
    ]
