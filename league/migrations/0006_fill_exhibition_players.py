from django.db import migrations


def fill(apps, schema_editor):
    """Whose seats they are, by name, former name and schedule; left open where none of these tells."""
    using = schema_editor.connection.alias
    exhibitions = apps.get_model("league", "Exhibition").objects.using(using)
    players = apps.get_model("league", "Player").objects.using(using)
    aliases = apps.get_model("league", "PlayerAlias").objects.using(using)
    seats = apps.get_model("scoring", "Seat").objects.using(using)

    def named(club, name):
        found = players.filter(club=club, name=name, merged_into=None).exclude(strategy="").first()
        if found is None:
            alias = aliases.filter(club=club, name=name).exclude(player__strategy="").first()
            found = alias and alias.player
        return found and found.pk

    for shown in exhibitions.select_related("schedule"):
        names = list(seats.filter(sheet=shown.sheet_id).order_by("number").values_list("name", flat=True))
        if len(names) != 2:
            continue
        pair = [named(shown.club_id, name) for name in names]
        planned = [shown.schedule.bot_a_id, shown.schedule.bot_b_id] if shown.schedule else []
        for seat, other in ((0, 1), (1, 0)):
            if pair[seat] is None and pair[other] in planned:
                (pair[seat],) = [bot for bot in planned if bot != pair[other]]
        if pair[0] != pair[1]:
            shown.player_a_id, shown.player_b_id = pair
            shown.save(update_fields=["player_a", "player_b"])


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0005_exhibition_players"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
