import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Officers write to those who play and to all of a club."""

    dependencies = [
        ('league', '0050_logo_and_colour'),
    ]

    operations = [
        migrations.AddField(
            model_name='notice',
            name='letter',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.auditentry'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='event',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.event'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('round', 'a round is published: table and opponent'), ('sign', 'a sheet waits for a signature'), ('disputed', 'a sheet is disputed'), ('decided', 'a dispute is settled'), ('result', 'a result counts'), ('place', 'you move up from a waiting list'), ('table', 'an event is finished: the final table'), ('event', 'an event takes entries'), ('letter', 'an officer writes to you')], max_length=10),
        ),
    ]
