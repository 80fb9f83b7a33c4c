"""All of these at once, for a new database: the same tables, and no rows to bring over."""

import django.db.models.deletion
import django.db.models.functions.datetime
import scoring.models.at_once
import scoring.models.base
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('games', '0001_initial'), ('games', '0002_bot_match_attempts'), ('games', '0003_bot_match_updated_at'), ('games', '0004_names_of_fields'), ('games', '0005_notes_are_sentences')]

    initial = True

    dependencies = [
        ('scoring', '0001_initial'),
    ]

    operations = [
        scoring.models.at_once.CreateModels(
            models=[
                migrations.CreateModel(
                    name='BotMatch',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.CharField(default=scoring.models.base.random_code, editable=False, max_length=16, unique=True, verbose_name='code')),
                        ('sheet', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='bot_match', to='scoring.scoresheet', verbose_name='sheet')),
                        ('bots', models.JSONField(verbose_name='bots')),
                        ('seed', models.BigIntegerField(verbose_name='seed')),
                        ('state', models.CharField(choices=[('due', 'waiting to be played'), ('playing', 'being played'), ('finished', 'played'), ('forfeited', 'forfeited'), ('cancelled', 'cancelled')], default='due', max_length=10, verbose_name='state')),
                        ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='due')),
                        ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='planned')),
                        ('started_at', models.DateTimeField(blank=True, null=True, verbose_name='begun')),
                        ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                        ('owner', models.CharField(blank=True, editable=False, max_length=40)),
                        ('heartbeat', models.DateTimeField(editable=False, null=True)),
                        ('handed_at', models.DateTimeField(editable=False, null=True)),
                        ('attempts', models.PositiveSmallIntegerField(db_default=0, default=0, editable=False, verbose_name='attempts')),
                        ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False, verbose_name='updated at')),
                        ('said', models.JSONField(blank=True, editable=False, null=True, verbose_name='note')),
                        ('loser_side', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='forfeited by')),
                    ],
                    options={
                        'verbose_name': 'bot match',
                        'verbose_name_plural': 'bot matches',
                        'ordering': ['-id'],
                        'indexes': [models.Index(condition=models.Q(('state__in', ['due', 'playing'])), fields=['due_at'], name='bot_match_to_play')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('seed__gte', 0), ('seed__lt', 9007199254740992)), name='bot_match_seed'), models.CheckConstraint(condition=models.Q(('loser_side', None), models.Q(('loser_side__in', [0, 1]), ('state', 'forfeited')), _connector='OR'), name='bot_match_loser'), models.CheckConstraint(condition=models.Q(('state', 'playing'), ('owner', ''), _connector='OR'), name='bot_match_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='BotHand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='games.botmatch')),
                        ('deal', models.PositiveSmallIntegerField()),
                        ('table', models.PositiveSmallIntegerField(default=0)),
                        ('log', models.JSONField()),
                        ('estimates', models.JSONField(default=list)),
                    ],
                    options={
                        'verbose_name': 'hand of bots',
                        'verbose_name_plural': 'hands of bots',
                        'ordering': ['match_id', 'deal', 'table'],
                        'constraints': [models.UniqueConstraint(fields=('match', 'deal', 'table'), name='bot_hand_once')],
                    },
                ),
                migrations.CreateModel(
                    name='BotRating',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('strategy', models.CharField(max_length=40, verbose_name='strategy')),
                        ('level', models.PositiveSmallIntegerField(default=0, verbose_name='level')),
                        ('samples', models.PositiveIntegerField(default=0, verbose_name='samples')),
                        ('mu', models.FloatField()),
                        ('sigma', models.FloatField()),
                        ('games', models.PositiveIntegerField(verbose_name='games')),
                        ('rated_at', models.DateTimeField(verbose_name='rated')),
                    ],
                    options={
                        'verbose_name': 'rating of a bot',
                        'verbose_name_plural': 'ratings of bots',
                        'ordering': ['-mu', 'strategy', 'level'],
                        'constraints': [models.UniqueConstraint(fields=('strategy', 'level'), name='bot_rating_once')],
                    },
                ),
                migrations.CreateModel(
                    name='BotMeeting',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='meetings_as_one', to='games.botrating')),
                        ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='meetings_as_other', to='games.botrating')),
                        ('games', models.PositiveIntegerField(verbose_name='games')),
                        ('wins', models.PositiveIntegerField(verbose_name='won')),
                        ('error', models.FloatField()),
                        ('hands', models.PositiveIntegerField(verbose_name='hands')),
                        ('points', models.BigIntegerField(verbose_name='points')),
                    ],
                    options={
                        'verbose_name': 'meeting of bots',
                        'verbose_name_plural': 'meetings of bots',
                        'ordering': ['one_id', 'other_id'],
                        'constraints': [models.UniqueConstraint(fields=('one', 'other'), name='bot_meeting_once'), models.CheckConstraint(condition=models.Q(('one', models.F('other')), _negated=True), name='bot_meeting_of_two')],
                    },
                ),
            ],
        ),
    ]
