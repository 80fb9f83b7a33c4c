from django.db import migrations, models

KINDS = ["user", "table_link", "token", "import", "bot", "operator"]


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [
        migrations.AddField(
            "scoresheet",
            "actor_kind",
            models.CharField(choices=[(kind, kind) for kind in KINDS], default="operator", max_length=12),
            preserve_default=False,
        ),
        migrations.AddField(
            "scoresheet", "actor_id", models.CharField(default="", max_length=64), preserve_default=False
        ),
        migrations.AddField(
            "scoresheet", "actor_name", models.CharField(default="", max_length=150), preserve_default=False
        ),
    ]
