from typing import Any

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


def let_directors_enter(apps: Any, schema_editor: Any) -> None:
    """Leave the teams of events of before to their directors, who alone have entered them so far."""
    apps.get_model("league", "Event").objects.filter(kind="team").update(who_enters="director")


def tell_of_teams(apps: Any, schema_editor: Any) -> None:
    """Have clubs that tell who has a place tell of teams too."""
    for club in apps.get_model("league", "Club").objects.all():
        new = [kind for kind in ("invited", "team") if kind not in club.told_by_mail]
        if "place" in club.told_by_mail and new:
            club.told_by_mail += new
            club.save(update_fields=["told_by_mail"])


class Migration(migrations.Migration):
    """Captains enter teams and invite partners; who looks for a partner is on a list."""

    dependencies = [
        ('league', '0055_last_days_told'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='captain',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='captained', to='league.player', verbose_name='captain'),
        ),
        migrations.AddField(
            model_name='entryrequest',
            name='kept_until',
            field=models.DateTimeField(blank=True, null=True, verbose_name='keeps its turn until'),
        ),
        migrations.AddField(
            model_name='entryrequest',
            name='team_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=80, verbose_name='team'),
        ),
        migrations.AlterField(
            model_name='entryrequest',
            name='state',
            field=models.CharField(choices=[('forming', 'waits for partners'), ('asked', 'awaits approval'), ('waiting', 'on the waiting list'), ('declined', 'declined'), ('lapsed', 'not complete in time')], max_length=8, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('round', 'a round is published: table and opponent'), ('proposed', 'a time to play is proposed'), ('agreed', 'a time to play is agreed or changed'), ('near', 'the last day to play is near'), ('sign', 'a sheet waits for a signature'), ('disputed', 'a sheet is disputed'), ('decided', 'a dispute is settled'), ('result', 'a result counts'), ('place', 'you move up from a waiting list'), ('invited', 'you are invited to a team'), ('team', 'your team is complete, or changes'), ('table', 'an event is finished: the final table'), ('event', 'an event takes entries'), ('letter', 'an officer writes to you')], max_length=10),
        ),
        migrations.CreateModel(
            name='PartnerInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('invited', 'has not answered yet'), ('accepted', 'plays'), ('declined', 'does not play')], default='invited', max_length=8, verbose_name='state')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='invited at')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='partner_invitations', to='league.event', verbose_name='event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='partner_invitations', to='league.player', verbose_name='player')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='league.entryrequest', verbose_name='request to enter')),
            ],
            options={
                'verbose_name': 'invitation to a team',
                'verbose_name_plural': 'invitations to teams',
                'ordering': ['request_id', 'id'],
                'constraints': [models.UniqueConstraint(fields=('request', 'player'), name='partner_invitation_once')],
            },
        ),
        migrations.CreateModel(
            name='PartnerSearch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note', models.CharField(blank=True, default='', max_length=160, verbose_name='note')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='made at')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='partner_searches', to='league.event', verbose_name='event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='partner_searches', to='league.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'search for a partner',
                'verbose_name_plural': 'searches for partners',
                'ordering': ['event_id', 'id'],
                'constraints': [models.UniqueConstraint(fields=('event', 'player'), name='partner_search_once')],
            },
        ),
        migrations.RunPython(let_directors_enter, migrations.RunPython.noop),
        migrations.RunPython(tell_of_teams, migrations.RunPython.noop),
    ]
