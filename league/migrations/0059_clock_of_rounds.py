from django.db import migrations, models


class Migration(migrations.Migration):
    """A round has a clock, which a director starts."""

    dependencies = [
        ('league', '0058_webhooks'),
    ]

    operations = [
        migrations.AddField(
            model_name='round',
            name='ends_at',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='time is up at'),
        ),
    ]
