import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def by_player(apps, schema_editor):
    """Have as come whoever plays for the entry: so far one, as no evening of teams ran itself."""
    member = apps.get_model("league", "EntryMember").objects.filter(entry=OuterRef("entry")).order_by("position")
    apps.get_model("league", "Arrival").objects.update(player=Subquery(member.values("player")[:1]))
    # No table is altered while rows of it are still to be checked.
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):
    """Of a team one may have come, and another not."""

    dependencies = [
        ("league", "0076_texts_of_choices"),
    ]

    operations = [
        migrations.AddField(
            model_name="arrival",
            name="player",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="arrivals",
                to="league.player",
                verbose_name="player",
            ),
        ),
        migrations.RunPython(by_player, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="arrival", name="arrival_once_a_round"),
        migrations.RemoveField(model_name="arrival", name="entry"),
        migrations.AlterField(
            model_name="arrival",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="arrivals",
                to="league.player",
                verbose_name="player",
            ),
        ),
        migrations.AddConstraint(
            model_name="arrival",
            constraint=models.UniqueConstraint(fields=("round", "player"), name="arrival_once_a_round"),
        ),
    ]
