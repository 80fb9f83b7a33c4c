import django.db.models.deletion
import league.models.notice_kinds
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """People are told by mail what happens: the outbox, their choices, and what a club usually tells."""

    dependencies = [
        ('league', '0048_entering_events'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='told_by_mail',
            field=models.JSONField(blank=True, default=league.models.notice_kinds.usual_kinds, help_text='What members and players are told by mail, unless they choose otherwise on their account page.', verbose_name='told by mail'),
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('round', 'a round is published: table and opponent'), ('proposed', 'a time to play is proposed'), ('agreed', 'a time to play is agreed or changed'), ('near', 'the last day to play is near'), ('sign', 'a sheet waits for a signature'), ('disputed', 'a sheet is disputed'), ('decided', 'a dispute is settled'), ('result', 'a result counts'), ('place', 'you move up from a waiting list'), ('table', 'an event is finished: the final table'), ('event', 'an event takes entries'), ('letter', 'an officer writes to you')], max_length=10)),
                ('message_id', models.CharField(max_length=320, unique=True)),
                ('made_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('owner', models.CharField(blank=True, default='', max_length=16)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('end', models.CharField(blank=True, choices=[('sent', 'sent'), ('dropped', 'no longer to be told'), ('refused', 'refused by the mail server'), ('late', 'not sent in time')], default='', max_length=8)),
                ('answer', models.CharField(blank=True, default='', max_length=200)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.club')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.event')),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.match')),
                ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.round')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'notice',
                'verbose_name_plural': 'notices',
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['due_at', 'id'], name='notice_waiting'), models.Index(fields=['ended_at'], name='notice_by_end')],
            },
        ),
        migrations.CreateModel(
            name='NoticeChoices',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kinds', models.JSONField(default=dict)),
                ('is_off', models.BooleanField(default=False)),
                ('quiet_from', models.TimeField(null=True)),
                ('quiet_until', models.TimeField(null=True)),
                ('digest_at', models.TimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notice_choices', to='league.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notice_choices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'choice of notices',
                'verbose_name_plural': 'choices of notices',
                'ordering': ['club_id', 'user_id'],
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='notice_choices_once'), models.CheckConstraint(condition=models.Q(models.Q(('quiet_from__isnull', True), ('quiet_until__isnull', True)), models.Q(('quiet_from__isnull', False), ('quiet_until__isnull', False)), _connector='OR'), name='notice_quiet_from_and_until')],
            },
        ),
    ]
