from django.db import migrations, models


class Migration(migrations.Migration):
    """The latest rounds, and those of a day, are found by an index."""

    dependencies = [("league", "0044_when_all_have_signed")]

    operations = [
        migrations.AddIndex(model_name="round", index=models.Index(fields=["date"], name="round_by_date")),
    ]
