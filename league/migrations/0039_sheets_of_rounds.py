from django.db import migrations, models


class Migration(migrations.Migration):
    """The sheets of a round are found, and counted, by an index."""

    dependencies = [
        ("league", "0038_accounts_of_merged_players"),
        ("scoring", "0009_sheets_by_time_of_change"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["round", "sheet"], name="match_sheet_of_round"),
        ),
    ]
