"""Test settings: the real ones, with a data folder that is removed afterwards."""

import atexit
import os
import shutil
import tempfile

if "GIN_TESTS_DATA_DIR" not in os.environ:
    os.environ["GIN_TESTS_DATA_DIR"] = tempfile.mkdtemp(prefix="gin-tests-")
    atexit.register(shutil.rmtree, os.environ["GIN_TESTS_DATA_DIR"], ignore_errors=True)
os.environ["DATA_DIR"] = os.environ["GIN_TESTS_DATA_DIR"]

from deploy.settings import *  # noqa: F403
from deploy.settings import CELERY_BROKER_TRANSPORT_OPTIONS, DATA_DIR, DATABASES

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file rather than memory, so that WAL, locks and threads behave as in production.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast, and only here
BOT_ANSWER_SECONDS = 0.0  # who plays in a test waits for nobody
CELERY_BROKER_URL = "memory://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS.clear()
