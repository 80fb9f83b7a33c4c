"""All of these at once, for a new database: the same tables, and no rows to bring over."""

import datetime
import django.db.models.deletion
import django.db.models.functions.datetime
import scoring.models.at_once
import scoring.models.base
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('games', '0001_initial'), ('games', '0002_bot_match_attempts'), ('games', '0003_bot_match_updated_at'), ('games', '0004_names_of_fields'), ('games', '0005_notes_are_sentences'), ('games', '0006_tables_of_members'), ('games', '0007_clocks_of_tables'), ('games', '0008_tables_of_teams'), ('games', '0009_bots_that_weigh_and_guests'), ('games', '0010_reports_on_hands'), ('games', '0011_directing_of_tables'), ('games', '0012_hands_of_several'), ('games', '0013_duplicate_tables'), ('games', '0014_sitting_in')]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('scoring', '0012_feats_of_sheets'),
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
                migrations.CreateModel(
                    name='TableHand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('deal', models.PositiveSmallIntegerField()),
                        ('dealer', models.PositiveSmallIntegerField()),
                        ('commitment', models.CharField(max_length=64)),
                        ('actions', models.JSONField(default=list)),
                        ('is_over', models.BooleanField(default=False)),
                        ('pack', models.CharField(blank=True, default='', max_length=1600)),
                        ('nonce', models.CharField(blank=True, default='', max_length=64)),
                        ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hands', to='games.tablematch')),
                        ('deadline', models.DateTimeField(null=True)),
                        ('first_seat', models.PositiveSmallIntegerField(db_default=0, default=0)),
                        ('second_seat', models.PositiveSmallIntegerField(db_default=1, default=1)),
                        ('table', models.PositiveSmallIntegerField(db_default=0, default=0)),
                        ('turn_since', models.DateTimeField(null=True)),
                        ('version', models.PositiveIntegerField(db_default=1, default=1)),
                        ('moved_at', models.DateTimeField(null=True)),
                        ('more_seats', models.JSONField(null=True)),
                    ],
                    options={
                        'verbose_name': 'hand at a table',
                        'verbose_name_plural': 'hands at tables',
                        'ordering': ['match_id', 'deal', 'table'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('is_over', True), models.Q(('nonce', ''), ('pack', '')), _connector='OR'), name='table_hand_sealed'), models.UniqueConstraint(fields=('match', 'deal', 'table'), name='table_hand_once')],
                    },
                ),
                migrations.CreateModel(
                    name='SealedPack',
                    fields=[
                        ('hand', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sealed_pack', serialize=False, to='games.tablehand')),
                        ('pack', models.CharField(max_length=1600)),
                        ('nonce', models.CharField(max_length=64)),
                    ],
                    options={
                        'verbose_name': 'sealed pack',
                        'verbose_name_plural': 'sealed packs',
                    },
                ),
                migrations.CreateModel(
                    name='TableMatch',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.CharField(default=scoring.models.base.random_code, editable=False, max_length=16, unique=True, verbose_name='code')),
                        ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                        ('is_live', models.BooleanField(default=True, verbose_name='being played')),
                        ('cut_seed', models.BigIntegerField()),
                        ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='begun')),
                        ('sheet', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='table_match', to='scoring.scoresheet', verbose_name='sheet')),
                        ('clock', models.JSONField(null=True)),
                        ('deadline', models.DateTimeField(null=True)),
                        ('forfeited_by', models.PositiveSmallIntegerField(null=True, verbose_name='forfeited by')),
                        ('pause_asked_by', models.PositiveSmallIntegerField(null=True)),
                        ('paused_at', models.DateTimeField(null=True)),
                        ('turn_since', models.DateTimeField(null=True)),
                        ('bot_asked_at', models.DateTimeField(null=True)),
                        ('adjourned_at', models.DateTimeField(null=True)),
                        ('adjourned_why', models.JSONField(null=True, verbose_name='why play is adjourned')),
                        ('asides', models.PositiveIntegerField(db_default=0, default=0)),
                        ('has_phrases', models.BooleanField(db_default=False, default=False)),
                        ('is_duplicate', models.BooleanField(db_default=False, default=False)),
                    ],
                    options={
                        'verbose_name': 'table match',
                        'verbose_name_plural': 'table matches',
                        'ordering': ['-id'],
                        'indexes': [models.Index(condition=models.Q(('deadline__isnull', False)), fields=['deadline'], name='table_match_deadline'), models.Index(condition=models.Q(('bot_asked_at__isnull', False)), fields=['bot_asked_at'], name='table_match_bot_asked')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('cut_seed__gte', 0), ('cut_seed__lt', 9007199254740992)), name='table_match_cut_seed'), models.CheckConstraint(condition=models.Q(('forfeited_by', None), models.Q(('forfeited_by__in', [0, 1]), ('is_live', False)), _connector='OR'), name='table_match_forfeited'), models.CheckConstraint(condition=models.Q(('deadline', None), models.Q(('adjourned_at', None), ('is_live', True), ('paused_at', None), ('turn_since__isnull', False)), _connector='OR'), name='table_match_running'), models.CheckConstraint(condition=models.Q(('adjourned_at', None), ('is_live', True), _connector='OR'), name='table_match_adjourned')],
                    },
                ),
                migrations.CreateModel(
                    name='TableAct',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('key', models.CharField(max_length=64)),
                        ('version', models.PositiveIntegerField()),
                        ('action', models.CharField(max_length=120)),
                        ('answered', models.PositiveIntegerField()),
                        ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='acts', to='games.tablematch')),
                        ('took', models.DurationField(null=True)),
                    ],
                    options={
                        'verbose_name': 'action at a table',
                        'verbose_name_plural': 'actions at tables',
                        'ordering': ['match_id', 'version'],
                        'constraints': [models.UniqueConstraint(fields=('match', 'seat', 'key'), name='table_act_once')],
                    },
                ),
                migrations.CreateModel(
                    name='TableSeat',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('bot', models.JSONField(null=True)),
                        ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='table_seats', to=settings.AUTH_USER_MODEL)),
                        ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.tablematch')),
                        ('bank', models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta)),
                        ('time_outs', models.PositiveSmallIntegerField(db_default=0, default=0)),
                        ('side', models.PositiveSmallIntegerField()),
                        ('is_guest', models.BooleanField(db_default=False, default=False)),
                        ('is_deaf', models.BooleanField(db_default=False, default=False)),
                        ('agrees_pause', models.BooleanField(db_default=False, default=False)),
                        ('arrived', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('sat_in', models.JSONField(null=True)),
                    ],
                    options={
                        'verbose_name': 'seat at a table',
                        'verbose_name_plural': 'seats at tables',
                        'ordering': ['match_id', 'number'],
                        'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='table_seat_once'), models.CheckConstraint(condition=models.Q(('account', None), ('bot', None), _connector='OR'), name='table_seat_of_one'), models.CheckConstraint(condition=models.Q(('number__lt', 24), ('side__lte', models.F('number'))), name='table_seat_number'), models.CheckConstraint(condition=models.Q(('is_guest', False), models.Q(('account', None), ('bot', None)), _connector='OR'), name='table_seat_of_guest'), models.CheckConstraint(condition=models.Q(('arrived', None), ('bot__isnull', False), _connector='OR'), name='table_seat_taken_of_bot')],
                    },
                ),
                migrations.CreateModel(
                    name='SiteHeartbeat',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('beaten_at', models.DateTimeField()),
                    ],
                    options={
                        'verbose_name': 'heartbeat of the site',
                        'verbose_name_plural': 'heartbeats of the site',
                    },
                ),
                migrations.CreateModel(
                    name='HandReport',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('choices', models.JSONField(default=list)),
                        ('discards', models.PositiveIntegerField(default=0)),
                        ('discard_cost', models.FloatField(default=0.0)),
                        ('takes', models.PositiveIntegerField(default=0)),
                        ('take_cost', models.FloatField(default=0.0)),
                        ('knocks', models.PositiveIntegerField(default=0)),
                        ('knock_cost', models.FloatField(default=0.0)),
                        ('hand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.tablehand')),
                    ],
                    options={
                        'verbose_name': 'report on a hand',
                        'verbose_name_plural': 'reports on hands',
                        'ordering': ['hand_id', 'seat'],
                        'constraints': [models.UniqueConstraint(fields=('hand', 'seat'), name='hand_report_once')],
                    },
                ),
                migrations.CreateModel(
                    name='TablePhrase',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('phrase', models.CharField(choices=[('good_luck', 'Good luck.'), ('well_played', 'Well played.'), ('one_moment', 'One moment, please.'), ('here_again', 'I am here again.'), ('thank_you', 'Thank you.'), ('goodbye', 'Thank you for the game, goodbye.')], max_length=12)),
                        ('said_at', models.DateTimeField()),
                        ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='phrases', to='games.tablematch')),
                    ],
                    options={
                        'verbose_name': 'phrase at a table',
                        'verbose_name_plural': 'phrases at tables',
                        'ordering': ['match_id', 'id'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('seat__lt', 24)), name='table_phrase_seat')],
                    },
                ),
                migrations.CreateModel(
                    name='TableWarning',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('reason', models.CharField(max_length=300, verbose_name='reason')),
                        ('warned_at', models.DateTimeField()),
                        ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='warnings', to='games.tablematch')),
                    ],
                    options={
                        'verbose_name': 'warning at a table',
                        'verbose_name_plural': 'warnings at tables',
                        'ordering': ['match_id', 'id'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('seat__lt', 24)), name='table_warning_seat')],
                    },
                ),
            ],
        ),
    ]
