"""Mail, if the site sends any (`EMAIL_URL`); everything sent by mail can also be handed over without it."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail

logger = logging.getLogger(__name__)


def sends_mail() -> bool:
    """Return whether the site sends mail."""
    return bool(settings.SENDS_MAIL)


def mailed(*, to: str, subject: str, text: str) -> bool:
    """Send a mail and return whether it was sent; failures are logged."""
    if not to or not sends_mail():
        return False
    try:
        send_mail(" ".join(subject.split()), text, None, [to])
    except (SMTPException, OSError) as error:
        logger.warning("a letter was not sent: %s", error)
        return False
    return True
