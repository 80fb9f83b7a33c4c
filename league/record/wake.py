"""Wakes workers. A message may be lost or never sent: the sweep does the work a minute later."""

from games.services.waking import send_task


def wake(event_id: int) -> None:
    """Have a worker recalculate the event's table soon; does not fail without a broker."""
    send_task("league.tasks.recalculate_standings", event_id)


def wake_for_ratings(club_id: int) -> None:
    """Have a worker recalculate the club's ratings soon; does not fail without a broker."""
    send_task("league.tasks.recalculate_ratings", club_id)


def wake_for_bots(match_id: int) -> None:
    """Have a worker play the bot match soon; does not fail without a broker."""
    send_task("games.tasks.play_bot_match", match_id)


def wake_for_webhooks() -> None:
    """Have a worker send what waits for other programs soon; does not fail without a broker."""
    send_task("league.tasks.deliver_webhooks")


def ask_for_password_link(*, email: str, domain: str, is_secure: bool) -> bool:
    """Have a worker mail a link to whoever has this address; returns False without a broker.

    Nothing is looked up here, so that the answer takes the same time whether or not anybody has it.
    """
    return send_task("league.tasks.mail_password_link", email, domain, is_secure)
