import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Officers write to those who play and to all of a club."""

    dependencies = [
        ('league', '0052_joining_clubs'),
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
    ]
