import sys

from django.db import migrations, models
from django.db.models import Q

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
        model
        for model in apps.get_models()
        if any(field.name == "actor_name" for field in model._meta.concrete_fields)
    ]
    for player in apps.get_model("league", "Player").objects.using(using).exclude(erased_at=None):
        closed = users.filter(username=f"erased-{player.code}")
        closed.update(last_name=player.name)
        own = Q(actor_kind="user", actor_id__in=[str(pk) for pk in closed.values_list("pk", flat=True)])
        acted = Q(actor_name=player.name, actor_kind__in=["user", "token"]) & ~own
        numbers = {}
        for model in authored:
            rows = model.objects.using(using).filter(acted).order_by()
            for kind, id_ in rows.values_list("actor_kind", "actor_id").distinct():
                number = numbers.setdefault((kind, id_), len(numbers))
                rows.filter(actor_kind=kind, actor_id=id_).update(actor_id=f"{player.code}-{number}")


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
        migrations.RunPython(refer, migrations.RunPython.noop),
        migrations.RunPython(keep_erased, migrations.RunPython.noop),
    ]
