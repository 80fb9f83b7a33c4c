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
    """Who undid an import is who the audit says; where it says nothing, the name stays and is counted."""
    using = schema_editor.connection.alias
    notes = apps.get_model("league", "AuditEntry").objects.using(using).filter(action="import.undo")
    found = left = 0
    for batch in apps.get_model("league", "ImportBatch").objects.using(using).exclude(undone_by_name=""):
        note = notes.filter(object_type="importbatch", object_id=str(batch.pk)).order_by("-id").first()
        if note is None:
            left += 1
            continue
        batch.undone_by_kind, batch.undone_by_id = note.actor_kind, note.actor_id
        batch.save(update_fields=["undone_by_kind", "undone_by_id"])
        found += 1
    if found or left:
        sys.stdout.write(f"\n    imports that say who undid them: {found}; name as written: {left}\n")


def keep_erased(apps, schema_editor):
    """What an erased person did is told under the name that says nothing, now that accounts are told by theirs.

    The closed account has that name; an account that goes on in other clubs is referred to no longer.
    """
    using = schema_editor.connection.alias
    users = apps.get_model("auth", "User").objects.using(using)
    authored = [
        (model, field.name.removesuffix("_name"))
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.name in ("actor_name", "settled_by_name")
    ]
    for player in apps.get_model("league", "Player").objects.using(using).exclude(erased_at=None):
        closed = users.filter(username=f"erased-{player.code}")
        closed.update(last_name=player.name)
        closed_ids = [str(pk) for pk in closed.values_list("pk", flat=True)]
        numbers = {}
        for model, author in authored:
            kind, id_, name = (f"{author}_{part}" for part in ("kind", "id", "name"))
            rows = model.objects.using(using).filter(**{name: player.name, f"{kind}__in": ["user", "token"]})
            rows = rows.exclude(**{kind: "user", f"{id_}__in": closed_ids}).order_by()
            for acted in rows.values_list(kind, id_).distinct():
                number = numbers.setdefault(acted, len(numbers))
                rows.filter(**{kind: acted[0], id_: acted[1]}).update(**{id_: f"{player.code}-{number}"})


class Migration(migrations.Migration):

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("league", "0018_names_of_fields"),
        ("scoring", "0007_settled_by_is_a_reference"),
    ]

    operations = [
        migrations.RenameField("importbatch", "undone_by", "undone_by_name"),
        migrations.AddField(
            model_name="importbatch",
            name="undone_by_kind",
            field=models.CharField(blank=True, choices=_KINDS, default="", max_length=12),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="importbatch",
            name="undone_by_id",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
        # In this order: what an erased person undid refers to nobody either.
        migrations.RunPython(keep_erased, migrations.RunPython.noop),
        migrations.RunPython(refer, migrations.RunPython.noop),
    ]
