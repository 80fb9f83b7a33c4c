from django.db import migrations, models
from django.db.models import F, Q, Value
from django.db.models.functions import Concat

_TABLES = ("SheetAct", "Claim", "TableAnswer")


def hold(apps, schema_editor):
    """A key is its author's; that of a token's account is told by the league, which knows the accounts."""
    using = schema_editor.connection.alias
    for name in _TABLES:
        rows = apps.get_model("scoring", name).objects.using(using).filter(key__isnull=False)
        rows.update(key_holder=Concat(F("actor_kind"), Value(":"), F("actor_id")))


class Migration(migrations.Migration):

    dependencies = [("scoring", "0007_settled_by_is_a_reference")]

    operations = [
        migrations.AddField(
            "sheetact", "key_holder", models.CharField(blank=True, db_default="", default="", max_length=80)
        ),
        migrations.AddField("claim", "key_holder", models.CharField(db_default="", default="", max_length=80)),
        migrations.AddField("tableanswer", "key_holder", models.CharField(db_default="", default="", max_length=80)),
        migrations.AlterField("claim", "digest", models.CharField(blank=True, max_length=64)),
        migrations.AlterField("tableanswer", "digest", models.CharField(blank=True, max_length=64)),
        migrations.RunPython(hold, migrations.RunPython.noop),
        migrations.RemoveConstraint("sheetact", "act_key_once"),
        migrations.RemoveConstraint("claim", "claim_key_once"),
        migrations.RemoveConstraint("tableanswer", "answer_key_once"),
        migrations.AddConstraint(
            "sheetact",
            models.UniqueConstraint(
                condition=Q(("key__isnull", False)),
                fields=("sheet", "key_holder", "key"),
                name="act_key_of_holder_once",
            ),
        ),
        migrations.AddConstraint(
            "claim",
            models.UniqueConstraint(fields=("sheet", "key_holder", "key"), name="claim_key_of_holder_once"),
        ),
        migrations.AddConstraint(
            "tableanswer",
            models.UniqueConstraint(fields=("sheet", "key_holder", "key"), name="answer_key_of_holder_once"),
        ),
        migrations.AddIndex(
            "sheetact",
            models.Index(condition=Q(("address__isnull", False)), fields=["at"], name="act_with_address"),
        ),
        migrations.AddIndex(
            "sheetact",
            models.Index(
                condition=Q(("key__isnull", False), Q(("digest", ""), _negated=True)),
                fields=["at"],
                name="act_with_receipt",
            ),
        ),
    ]
