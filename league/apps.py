from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("League")

    def ready(self) -> None:
        from league import checks, receivers  # noqa: F401 (they register themselves)
        from league.draws import formats
        from league.record import search_indexes, triggers
        from scoring.api.problems import answer_with

        formats.load()
        answer_with(
            {
                "no_version": 428,
                "gone": 404,
                "too_long_ago": 410,
                "clash": 409,
                "crossed": 409,
                "password_given": 403,
            }
        )
        pre_migrate.connect(triggers.remove, sender=self, dispatch_uid="league.record.triggers")
        post_migrate.connect(triggers.install, sender=self, dispatch_uid="league.record.triggers")
        post_migrate.connect(search_indexes.install, sender=self, dispatch_uid="league.record.search_indexes")
