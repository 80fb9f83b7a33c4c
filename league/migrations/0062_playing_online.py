import django.db.models.deletion
import django.db.models.functions.datetime
import scoring.models.base
from django.db import migrations, models


def tell_of_offers(apps, schema_editor):
    """Clubs that tell anything tell who is offered a game of it."""
    clubs = apps.get_model('league', 'Club').objects.only('told_by_mail', 'told_by_push')
    for club in clubs.iterator():
        missing = [
            way
            for way in ('told_by_mail', 'told_by_push')
            if getattr(club, way) and 'game' not in getattr(club, way)
        ]
        for way in missing:
            setattr(club, way, [*getattr(club, way), 'game'])
        if missing:
            club.save(update_fields=missing)


class Migration(migrations.Migration):
    """Members offer each other games on this site, and an event says where its matches are played."""

    dependencies = [
        ('league', '0061_divisions_of_events'),
        ('scoring', '0012_feats_of_sheets'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='played',
            field=models.CharField(choices=[('at_table', 'at a table'), ('online', 'online, on this site'), ('either', 'at a table, or online if both want to')], db_default='at_table', default='at_table', max_length=8, verbose_name='matches are played'),
        ),
        migrations.AddField(
            model_name='event',
            name='online_clock',
            field=models.CharField(choices=[('none', 'no clock'), ('lively', '30 seconds a turn, 5 minutes for the match; then one’s turns are played'), ('relaxed', '2 minutes a turn, 15 for the match; then one’s turns are played'), ('correspondence', '3 days a turn; then the match goes to the other')], db_default='none', default='none', max_length=14, verbose_name='clock of matches online'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('round', 'a round is published: table and opponent'), ('proposed', 'a time to play is proposed'), ('agreed', 'a time to play is agreed or changed'), ('near', 'the last day to play is near'), ('sign', 'a sheet waits for a signature'), ('disputed', 'a sheet is disputed'), ('decided', 'a dispute is settled'), ('result', 'a result counts'), ('place', 'you move up from a waiting list'), ('invited', 'you are invited to a team'), ('team', 'your team is complete, or changes'), ('table', 'an event is finished: the final table'), ('event', 'an event takes entries'), ('letter', 'an officer writes to you'), ('answer', 'an officer answers that you want to join, or who you are'), ('people', 'to officers: somebody asks to join, says who he is, or leaves'), ('paused', 'a webhook of the club is paused, as it fails'), ('game', 'somebody offers you a game')], max_length=10),
        ),
        migrations.CreateModel(
            name='GameOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=scoring.models.base.random_code, editable=False, max_length=16, unique=True)),
                ('state', models.CharField(choices=[('open', 'open'), ('taken', 'taken'), ('declined', 'declined'), ('withdrawn', 'taken back')], default='open', max_length=9)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games_offered', to='league.player')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='game_offers', to='league.club')),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='game_offers', to='league.match')),
                ('rules', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.houserules')),
                ('to', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='games_offered_to_him', to='league.player')),
            ],
            options={
                'verbose_name': 'offer of a game',
                'verbose_name_plural': 'offers of games',
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('match', None), ('rules__isnull', False)), models.Q(('match__isnull', False), ('rules', None), ('to__isnull', False)), _connector='OR'), name='game_offer_of_rules_or_match'), models.CheckConstraint(condition=models.Q(('to', None), models.Q(('to', models.F('by')), _negated=True), _connector='OR'), name='game_offer_to_another'), models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('match',), name='game_offer_once_of_match')],
            },
        ),
        migrations.RunPython(tell_of_offers, migrations.RunPython.noop),
    ]
