from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("League")

    def ready(self) -> None:
        from league import receivers  # noqa: F401 (connects itself)
        from league.errors import LeagueError
        from scoring.problems import answer_refusals

        answer_refusals(LeagueError, {"no_version": 428})
