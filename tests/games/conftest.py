"""What is tested beside another program is collected where that program is installed (extra `openspiel`)."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyspiel") else ["test_openspiel.py"]
