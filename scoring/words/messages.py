"""Translation of the cores' messages into the reader's language."""

from typing import Final

from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext

from scoring.core.messages import Message, Sentence


def translated(message: Sentence) -> str:
    """The message in the active language; a string is already translated and returned unchanged."""
    if isinstance(message, str):
        return message
    parameters = {
        name: translated(value) if isinstance(value, Message) else value
        for name, value in message.parameters.items()
    }
    if message.many:
        text = ngettext(message.text, message.many, message.count)
    else:
        text = gettext(message.text)
    return text % parameters if parameters else text


# The same, when it is read: for what is defined before there is a reader.
translated_lazy: Final = lazy(translated, str)
