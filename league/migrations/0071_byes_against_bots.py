from django.db import migrations, models


def forget_side(apps, schema_editor):
    """A bye with a sheet is played against a bot, as its shape says; the side is that of an absent player alone."""
    apps.get_model('league', 'Match').objects.filter(entry_b=None).update(bot_side=None)


def note_side(apps, schema_editor):
    apps.get_model('league', 'Match').objects.filter(entry_b=None, sheet__isnull=False).update(bot_side=1)


class Migration(migrations.Migration):
    """The side that a bot plays is that of an entry whose player is absent."""

    dependencies = [
        ('league', '0070_notices_of_stopped_play'),
    ]

    operations = [
        migrations.RunPython(forget_side, note_side),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('bot_side__isnull', True), ('entry_b__isnull', False), _connector='OR'), name='match_bot_side_of_an_entry'),
        ),
    ]
