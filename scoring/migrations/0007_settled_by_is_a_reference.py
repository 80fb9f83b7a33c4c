import sys

from django.db import migrations, models

_KINDS = [
    ("user", "account"),
    ("table_link", "table link"),
    ("token", "token"),
    ("import", "import"),
    ("bot", "bot"),
    ("operator", "operator"),
]


def refer(apps, schema_editor):
    """Who settled a second typing is who acted on that sheet under the name.

    Where that is nobody, or several, the name stays as it was written and is counted: one who acts under it on
    another sheet may be a namesake.
    """
    using = schema_editor.connection.alias
    acts = apps.get_model("scoring", "SheetAct").objects.using(using).order_by()
    found = left = 0
    settled = apps.get_model("scoring", "SecondTyping").objects.using(using).exclude(settled_by_name="")
    for second in settled.order_by("pk"):
        named = acts.filter(sheet=second.sheet_id, actor_name=second.settled_by_name)
        authors = list(named.values_list("actor_kind", "actor_id").distinct()[:2])
        if len(authors) == 1:
            second.settled_by_kind, second.settled_by_id = authors[0]
            second.save(update_fields=["settled_by_kind", "settled_by_id"])
            found += 1
        else:
            left += 1
    if found or left:
        sys.stdout.write(f"\n    second typings that say who settled them: {found}; name as written: {left}\n")


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0006_names_of_fields"),
    ]

    operations = [
        migrations.RenameField("secondtyping", "settled_by", "settled_by_name"),
        migrations.AddField(
            model_name="secondtyping",
            name="settled_by_kind",
            field=models.CharField(blank=True, choices=_KINDS, default="", max_length=12),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="secondtyping",
            name="settled_by_id",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(refer, migrations.RunPython.noop),
    ]
