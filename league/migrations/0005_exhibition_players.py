from django.db import migrations, models
from django.db.models.deletion import PROTECT


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0004_bot_schedule_note"),
    ]

    operations = [
        migrations.AddField(
            model_name="exhibition",
            name="player_a",
            field=models.ForeignKey(
                blank=True, editable=False, null=True, on_delete=PROTECT, related_name="+", to="league.player"
            ),
        ),
        migrations.AddField(
            model_name="exhibition",
            name="player_b",
            field=models.ForeignKey(
                blank=True, editable=False, null=True, on_delete=PROTECT, related_name="+", to="league.player"
            ),
        ),
    ]
