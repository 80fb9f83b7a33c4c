"""Mail, where the site sends any (`EMAIL_URL`); everything that mail brings can be handed over without it."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail

logger = logging.getLogger(__name__)


def sends_mail() -> bool:
    """Whether the site sends mail."""
    return bool(settings.SENDS_MAIL)


def mailed(*, to: str, subject: str, text: str) -> bool:
    """Sends a letter and answers whether it went out; what kept it from that is logged."""
    if not to or not sends_mail():
        return False
    try:
        send_mail(" ".join(subject.split()), text, None, [to])
    except (SMTPException, OSError) as error:
        logger.warning("a letter was not sent: %s", error)
        return False
    return True
