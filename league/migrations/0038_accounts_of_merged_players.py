from django.db import migrations


def let_accounts_go(apps, schema_editor):
    """A player who was merged into another kept its account, which then could be no other player's."""
    players = apps.get_model("league", "Player").objects.using(schema_editor.connection.alias)
    players.exclude(merged_into=None).exclude(user=None).update(user=None)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0037_contacts_of_clubs"),
    ]

    operations = [
        migrations.RunPython(let_accounts_go, migrations.RunPython.noop),
    ]
