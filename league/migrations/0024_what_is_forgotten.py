from django.db import migrations, models
from django.db.models import Exists, OuterRef, Q

_TABLES = ("SheetAct", "Claim", "TableAnswer")


def hold(apps, schema_editor):
    """Keys that came by a token are its account's, also where the token is gone: its issue is in the audit.

    Where two tokens of an account used one key on one sheet, the first to come holds it.
    """
    using = schema_editor.connection.alias

    def rows_of(app, name):
        return apps.get_model(app, name).objects.using(using).order_by()

    issued = rows_of("league", "AuditEntry").filter(
        action="token.issue", object_type="apitoken", actor_kind="user", actor_id__regex=r"^[0-9]+$"
    )
    accounts = dict(issued.values_list("object_id", "actor_id"))
    accounts |= {code: str(user) for code, user in rows_of("league", "ApiToken").values_list("code", "user_id")}
    for name in _TABLES:
        rows = rows_of("scoring", name)
        first = rows.filter(key_holder__startswith="token:").values_list("key_holder").annotate(models.Min("pk"))
        for token, _pk in sorted(first, key=lambda each: each[1]):
            account = accounts.get(token.removeprefix("token:"))
            if account is not None:
                taken = rows.filter(
                    sheet=OuterRef("sheet"), key=OuterRef("key"), key_holder=f"user:{account}"
                ).exclude(pk=OuterRef("pk"))
                rows.filter(~Exists(taken), key_holder=token).update(key_holder=f"user:{account}")


class Migration(migrations.Migration):

    dependencies = [("league", "0023_annulled_results"), ("scoring", "0008_keys_of_persons")]

    operations = [
        migrations.AddField("sweepmark", "deletions_since", models.DateTimeField(null=True)),
        migrations.AlterField("sweepmark", "swept_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "auditentry",
            models.Index(condition=Q(("address__isnull", False)), fields=["at"], name="audit_with_address"),
        ),
        migrations.RunPython(hold, migrations.RunPython.noop),
    ]
