"""The folders of templates and data, both in a clone and as installed.

A wheel has the folder `templates` inside this package, so that it installs nothing but the four apps. In a
clone the folder is beside them.
"""

from pathlib import Path

import platformdirs

CODE = Path(__file__).resolve().parent.parent
_SHIPPED_TEMPLATES = CODE / "deploy" / "templates"
INSTALLED = _SHIPPED_TEMPLATES.is_dir()

TEMPLATES = _SHIPPED_TEMPLATES if INSTALLED else CODE / "templates"
# Once installed, the data folder must not depend on the current folder.
DATA = platformdirs.user_data_path("ginleague", appauthor=False) if INSTALLED else CODE / "var"
COMMAND = "ginleague" if INSTALLED else "manage.py"
