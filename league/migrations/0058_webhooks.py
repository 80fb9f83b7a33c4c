import django.db.models.deletion
import django.db.models.functions.datetime
import league.models.webhooks
import scoring.models.base
from django.conf import settings
from django.db import migrations, models


def tell_of_pauses(apps, schema_editor):
    """Clubs tell their directors of webhooks that fail, as new ones do."""
    clubs = apps.get_model("league", "Club").objects.all()
    for club in clubs.only("told_by_mail").iterator():
        if "paused" not in club.told_by_mail:
            club.told_by_mail = [*club.told_by_mail, "paused"]
            club.save(update_fields=["told_by_mail"])


class Migration(migrations.Migration):
    """Other programs are told what happens, and addresses from which mail comes back are noted."""

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('league', '0057_push'),
    ]

    operations = [
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('round', 'a round is published: table and opponent'), ('proposed', 'a time to play is proposed'), ('agreed', 'a time to play is agreed or changed'), ('near', 'the last day to play is near'), ('sign', 'a sheet waits for a signature'), ('disputed', 'a sheet is disputed'), ('decided', 'a dispute is settled'), ('result', 'a result counts'), ('place', 'you move up from a waiting list'), ('invited', 'you are invited to a team'), ('team', 'your team is complete, or changes'), ('table', 'an event is finished: the final table'), ('event', 'an event takes entries'), ('letter', 'an officer writes to you'), ('paused', 'a webhook of the club is paused, as it fails')], max_length=10),
        ),
        migrations.CreateModel(
            name='MailBounce',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='mail_bounce', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('address', models.EmailField(max_length=254)),
                ('status', models.CharField(max_length=12)),
                ('at', models.DateTimeField()),
                ('times', models.PositiveSmallIntegerField(default=1)),
                ('off_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'returned mail',
                'verbose_name_plural': 'returned mails',
                'constraints': [models.CheckConstraint(condition=models.Q(('times__gte', 1)), name='mail_bounce_counted')],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=scoring.models.base.random_code, editable=False, max_length=16, unique=True)),
                ('url', models.CharField(max_length=500, verbose_name='address')),
                ('kinds', models.JSONField(default=list, verbose_name='what it is told')),
                ('secret', models.CharField(editable=False, max_length=300)),
                ('former_secret', models.CharField(blank=True, default='', editable=False, max_length=300)),
                ('former_until', models.DateTimeField(editable=False, null=True)),
                ('pause', models.CharField(blank=True, choices=[('hand', 'paused by a director'), ('failing', 'paused, as it has failed for days'), ('gone', 'paused, as it answered that it is gone (410)')], default='', max_length=8, verbose_name='pause')),
                ('failing_since', models.DateTimeField(editable=False, null=True)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('club', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='league.club')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('owner', models.CharField(blank=True, default='', max_length=16)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('answer', models.CharField(blank=True, default='', max_length=200)),
                ('kind', models.CharField(choices=[('round.published', 'a round is published, or a match added to it'), ('result.changed', 'a result counts, or has changed'), ('table.changed', 'the table of an event has changed'), ('event.opened', 'an event takes entries'), ('event.finished', 'an event is finished'), ('entry.made', 'somebody is entered in an event'), ('entry.withdrawn', 'an entry is withdrawn'), ('test', 'a test')], max_length=16)),
                ('subject', models.CharField(blank=True, default='', max_length=16)),
                ('message_id', models.CharField(default=league.models.webhooks.new_message_id, max_length=28, unique=True)),
                ('tried_at', models.DateTimeField(null=True)),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('end', models.CharField(blank=True, choices=[('taken', 'taken'), ('dropped', 'no longer to be told'), ('failed', 'given up')], default='', max_length=8)),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.event')),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='league.webhook')),
            ],
            options={
                'verbose_name': 'delivery to a webhook',
                'verbose_name_plural': 'deliveries to webhooks',
                'ordering': ['id'],
            },
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.UniqueConstraint(fields=('club', 'url'), name='webhook_once_in_a_club', violation_error_message='This address is told already.'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['due_at', 'id'], name='delivery_waiting'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['ended_at'], name='delivery_by_end'),
        ),
        migrations.RunPython(tell_of_pauses, migrations.RunPython.noop),
    ]
