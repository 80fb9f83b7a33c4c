"""Where the code finds its templates and keeps its data: in a clone, and where it was installed.

A wheel carries the folder `templates` inside this package, so that nothing but the four apps lies among the
packages of others. In a clone it stands beside them.
"""

from pathlib import Path

import platformdirs

CODE = Path(__file__).resolve().parent.parent
_SHIPPED_TEMPLATES = CODE / "deploy" / "templates"
INSTALLED = _SHIPPED_TEMPLATES.is_dir()

TEMPLATES = _SHIPPED_TEMPLATES if INSTALLED else CODE / "templates"
# Installed, the same folder whichever one the user stands in: a club's data must not depend on that.
DATA = platformdirs.user_data_path("ginleague", appauthor=False) if INSTALLED else CODE / "var"
COMMAND = "ginleague" if INSTALLED else "manage.py"
