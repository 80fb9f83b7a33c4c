import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


def offer_by_sides(apps, schema_editor):
    """Have the side that offers to play a match online in place of the player; what is answered is forgotten."""
    offers = apps.get_model('league', 'GameOffer').objects.exclude(match=None)
    seats = apps.get_model('league', 'Appearance').objects
    made = apps.get_model('league', 'OnlineOffer').objects
    for offer in offers.filter(state='open'):
        seat = seats.filter(match=offer.match_id, player=offer.by_id, side__lt=2).first()
        if seat is not None:
            made.create(match_id=offer.match_id, side=seat.side, made_at=offer.made_at)
    offers.delete()
    # No table is altered while rows of it are still to be checked.
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0073_seats_of_offers'),
        ('scoring', '0012_feats_of_sheets'),
    ]

    operations = [
        migrations.CreateModel(
            name='OnlineOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='online_offer', to='league.match')),
                ('side', models.PositiveSmallIntegerField()),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'verbose_name': 'offer to play a match online',
                'verbose_name_plural': 'offers to play matches online',
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('side__lt', 2)), name='online_offer_side')],
            },
        ),
        migrations.RunPython(offer_by_sides, migrations.RunPython.noop),
        migrations.RemoveConstraint(
            model_name='gameoffer',
            name='game_offer_once_of_match',
        ),
        migrations.RemoveConstraint(
            model_name='gameoffer',
            name='game_offer_of_rules_or_match',
        ),
        migrations.RemoveField(
            model_name='gameoffer',
            name='match',
        ),
        migrations.AlterField(
            model_name='gameoffer',
            name='rules',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.houserules'),
        ),
    ]
