from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from games import checks  # noqa: F401 (registers them)
        from scoring.api.problems import answer_with

        answer_with({"not_your_seat": 403, "hand_unreadable": 409})
