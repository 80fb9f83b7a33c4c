import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    """What members do themselves: arrange their matches, and check in at the venue."""

    dependencies = [
        ('league', '0050_logo_and_colour'),
    ]

    operations = [
        migrations.CreateModel(
            name='ProposedTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField(verbose_name='time')),
                ('place', models.CharField(blank=True, default='', max_length=120, verbose_name='where')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'verbose_name': 'proposed time',
                'verbose_name_plural': 'proposed times',
                'ordering': ['match_id', 'at'],
            },
        ),
        migrations.AddField(
            model_name='match',
            name='planned_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='planned for'),
        ),
        migrations.AddField(
            model_name='match',
            name='planned_place',
            field=models.CharField(blank=True, db_default='', default='', max_length=120, verbose_name='where'),
        ),
        migrations.AddField(
            model_name='round',
            name='last_day',
            field=models.DateField(blank=True, help_text='The players arrange their matches, from the date to this day. Empty: it is one night.', null=True, verbose_name='last day'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('planned_at__isnull', True), ('planned_on__isnull', False), _connector='OR'), name='match_planned_at_has_a_day'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('last_day', None), models.Q(('date__isnull', False), ('last_day__gte', models.F('date'))), _connector='OR'), name='round_last_day_after_date', violation_error_message='A round with a last day has a date, which is not after it.'),
        ),
        migrations.AddField(
            model_name='proposedtime',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposed_times', to='league.match'),
        ),
        migrations.AddConstraint(
            model_name='proposedtime',
            constraint=models.UniqueConstraint(fields=('match', 'at'), name='proposed_time_once'),
        ),
        migrations.AddConstraint(
            model_name='proposedtime',
            constraint=models.CheckConstraint(condition=models.Q(('side__lt', 2)), name='proposed_time_side'),
        ),
        migrations.CreateModel(
            name='SelfCheckIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round_number', models.PositiveSmallIntegerField(verbose_name='round')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('closes_at', models.DateTimeField()),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='self_check_in', to='league.event')),
            ],
            options={
                'verbose_name': 'check-in by oneself',
                'verbose_name_plural': 'check-ins by oneself',
                'ordering': ['event_id'],
            },
        ),
        migrations.CreateModel(
            name='PlayerAbsence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_day', models.DateField(verbose_name='first day')),
                ('last_day', models.DateField(verbose_name='last day')),
                ('over_at', models.DateTimeField(editable=False)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='absences', to='league.player')),
            ],
            options={
                'verbose_name': 'days away',
                'verbose_name_plural': 'days away',
                'ordering': ['player_id', 'first_day'],
                'constraints': [models.CheckConstraint(condition=models.Q(('last_day__gte', models.F('first_day'))), name='player_absence_in_order', violation_error_message='An absence does not end before it begins.')],
            },
        ),
    ]
