from django.db import migrations

# A level as it was, and that of now: with as many samples, or with those nearest in strength. Bots with 200 won
# as many games as those with 60; of 2,400 the 800 are nearest.
LEVELS = {3: 2, 4: 3, 5: 3}


def keep_strength(apps, schema_editor):
    """Bots of clubs at a level of `expert` that is no more play at the one that is as strong."""
    players = apps.get_model('league', 'Player').objects.filter(strategy='expert')
    for was, now in LEVELS.items():
        players.filter(level=was).update(level=now)


class Migration(migrations.Migration):
    """`expert` has three levels in place of five. What is set up to play keeps its samples and its label."""

    dependencies = [
        ('league', '0071_byes_against_bots'),
    ]

    operations = [migrations.RunPython(keep_strength, migrations.RunPython.noop)]
