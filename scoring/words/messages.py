"""Messages of the cores in the language of who reads them."""

from django.utils.translation import gettext, ngettext

from scoring.core.messages import Message, Sentence


def translated(message: Sentence) -> str:
    """The sentence in the active language; a text that the shell translated already stays as it is."""
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
