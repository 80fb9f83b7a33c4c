import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def forget_entry(apps, schema_editor):
    """What plays in place of a bye is of no entry."""
    apps.get_model("league", "Appearance").objects.filter(match__entry_b=None, side=1).update(entry=None)
    # No table is altered while rows of it are still to be checked.
    schema_editor.connection.check_constraints()


def note_entry(apps, schema_editor):
    has_it = apps.get_model("league", "Match").objects.filter(pk=OuterRef("match")).values("entry_a")
    apps.get_model("league", "Appearance").objects.filter(entry=None).update(entry=Subquery(has_it))
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):
    """A bot that plays a team in place of a bye has several seats of one round."""

    dependencies = [
        ("league", "0077_arrivals_of_players"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="appearance", name="appearance_once_a_round"),
        migrations.AlterField(
            model_name="appearance",
            name="entry",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="appearances",
                to="league.entry",
            ),
        ),
        migrations.RunPython(forget_entry, note_entry),
        migrations.AddConstraint(
            model_name="appearance",
            constraint=models.UniqueConstraint(
                condition=models.Q(sits_in_for__isnull=True, entry__isnull=False),
                fields=("round", "player", "leg"),
                name="appearance_once_a_round",
            ),
        ),
    ]
