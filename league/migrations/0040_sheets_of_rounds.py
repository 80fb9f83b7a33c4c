from django.db import migrations, models


class Migration(migrations.Migration):
    """The sheets of a round are found, and counted, by an index."""

    dependencies = [
        ("league", "0039_learn_pages"),
        ("scoring", "0010_figures_by_side"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["round", "sheet"], name="match_sheet_of_round"),
        ),
    ]
