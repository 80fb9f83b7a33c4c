import django.db.models.deletion
import django.db.models.functions.datetime
import scoring.models.base
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """A club says how members join; who asks to, and accounts whose address is not verified yet."""

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('league', '0051_arranged_matches'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SignUp',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sign_up', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'verbose_name': 'sign-up',
                'verbose_name_plural': 'sign-ups',
            },
        ),
        migrations.AddField(
            model_name='club',
            name='joining',
            field=models.CharField(choices=[('invited', 'by invitation only'), ('asked', 'on request: an officer approves'), ('open', 'at once, whoever wants to')], db_default='invited', default='invited', help_text='Where the club is public, its page asks people in accordingly.', max_length=8, verbose_name='members join'),
        ),
        migrations.CreateModel(
            name='JoinRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=scoring.models.base.random_code, editable=False, max_length=16, unique=True)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='made at')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='join_requests', to='league.club', verbose_name='club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='join_requests', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'request to join',
                'verbose_name_plural': 'requests to join',
                'ordering': ['club_id', 'made_at'],
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='join_request_once')],
            },
        ),
    ]
