from django.db import migrations

from scoring.models import random_code


def fill(apps, schema_editor):
    """Public codes for what had none; as good as never twice the same (47 bits), and unique from here on."""
    using = schema_editor.connection.alias
    for name in ("Entry", "Event", "Membership", "Season"):
        model = apps.get_model("league", name)
        rows = list(model.objects.using(using).filter(code=None).only("pk"))
        for row in rows:
            row.code = random_code()
        model.objects.using(using).bulk_update(rows, ["code"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0007_doors_and_tracking"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
