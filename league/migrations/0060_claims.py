from django.db import migrations, models


def tell_answers_too(apps, schema_editor):
    """Clubs that tell anything by mail tell those who ask what they are answered, and officers who asks."""
    club_model = apps.get_model('league', 'Club')
    for club in club_model.objects.only('told_by_mail').iterator():
        missing = [kind for kind in ('answer', 'people') if kind not in club.told_by_mail]
        if club.told_by_mail and missing:
            club.told_by_mail = [*club.told_by_mail, *missing]
            club.save(update_fields=['told_by_mail'])


class Migration(migrations.Migration):
    """Who has an account says which player of the register he is; the register holds mail addresses."""

    dependencies = [
        ('league', '0059_clock_of_rounds'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='claiming',
            field=models.CharField(choices=[('officer', 'an officer confirms it'), ('address', 'by itself, where his verified e-mail address stands in the register, for him alone'), ('number', 'by itself, also where his member number and name are as in the register')], db_default='officer', default='officer', help_text='How his account gets linked to his player.', max_length=8, verbose_name='who says that he is in the register'),
        ),
        migrations.AddField(
            model_name='joinrequest',
            name='member_number',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=20, verbose_name='member number'),
        ),
        migrations.AddField(
            model_name='joinrequest',
            name='name',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=80, verbose_name='name'),
        ),
        migrations.AddField(
            model_name='joinrequest',
            name='note',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=300, verbose_name='note'),
        ),
        migrations.AddField(
            model_name='player',
            name='email',
            field=models.EmailField(blank=True, max_length=254, null=True, verbose_name='e-mail address'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('round', 'a round is published: table and opponent'), ('proposed', 'a time to play is proposed'), ('agreed', 'a time to play is agreed or changed'), ('near', 'the last day to play is near'), ('sign', 'a sheet waits for a signature'), ('disputed', 'a sheet is disputed'), ('decided', 'a dispute is settled'), ('result', 'a result counts'), ('place', 'you move up from a waiting list'), ('invited', 'you are invited to a team'), ('team', 'your team is complete, or changes'), ('table', 'an event is finished: the final table'), ('event', 'an event takes entries'), ('letter', 'an officer writes to you'), ('answer', 'an officer answers that you want to join, or who you are'), ('people', 'to officers: somebody asks to join, says who he is, or leaves'), ('paused', 'a webhook of the club is paused, as it fails')], max_length=10),
        ),
        migrations.RunPython(tell_answers_too, migrations.RunPython.noop),
    ]
