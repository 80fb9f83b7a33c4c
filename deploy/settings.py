"""Settings. Without environment variables: one club on one machine, with everything in `DATA_DIR`.

`DATA_DIR` defaults to `var` in a clone, and to the user's data folder where the project was installed.

Variables, all optional: DATA_DIR, DATABASE_URL, DATABASE_POOL, BROKER_URL, CACHE_URL, SECRET_KEY,
PUSH_KEY, ALLOWED_HOSTS, CSRF_TRUSTED_ORIGINS, HTTPS, STATIC_ROOT, DEBUG, LOG_LEVEL, BOT_LEASE_SECONDS,
BOT_MOVE_SECONDS, BOT_STRATEGIES, EMAIL_URL, EMAIL_FROM, SITE_URL, STREAMS_URL, LIMIT_TOKEN,
LIMIT_USER, LIMIT_ADDRESS, LIMIT_GUESS, LIMIT_MAIL, LIMIT_PAPER,
KEEP_ADDRESSES, KEEP_SIGN_INS, KEEP_SESSIONS, KEEP_TOKENS, KEEP_INVITATIONS, KEEP_DELETIONS, KEEP_RECEIPTS,
KEEP_NOTICES, KEEP_DELIVERIES, BOUNCE_ADDRESS, SITE_CONTACT, OUTGOING_NETWORKS.
"""

import os
from ipaddress import ip_network
from pathlib import Path

import django_stubs_ext
import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

from deploy import openapi, places
from deploy.broker import broker_options, left_out_while_away, with_patience
from deploy.database import with_options
from deploy.secret_key import kept_key, new_push_key, new_secret_key

django_stubs_ext.monkeypatch()

env = environ.Env()
BASE_DIR = places.CODE
DATA_DIR = Path(env.str("DATA_DIR", default=str(places.DATA))).resolve()

DEBUG = env.bool("DEBUG", default=False)
try:
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # it contains sessions and addresses
    SECRET_KEY = env.str("SECRET_KEY", default="") or kept_key(DATA_DIR / "secret-key", new_secret_key)
    # By which push services know this site (RFC 8292). Whoever is told on a device has asked this key.
    PUSH_KEY_IS_OWN = not env.str("PUSH_KEY", default="")
    PUSH_KEY = env.str("PUSH_KEY", default="") or kept_key(DATA_DIR / "push-key", new_push_key)
except OSError as fault:
    raise ImproperlyConfigured(
        f"The data cannot be kept in {DATA_DIR} ({fault.strerror}). "
        "Name a folder that can be written in DATA_DIR."
    ) from fault
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "league.admin_site.LeagueAdminConfig",  # django.contrib.admin, in another order
    "deploy",  # before those whose commands it has in another form
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django.contrib.humanize",  # how long ago, on the library's pages
    "axes",
    "csp",
    "django_htmx",
    "rest_framework",
    "knox",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "scoring",
    "games",
    "league",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "deploy.uploads.LargestRequest",
    "league.api.cross_origin.OpenReading",
    "deploy.heads.HeadLikeGet",
    "deploy.origins.NoteOrigin",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "deploy.guesses.LimitGuesses",
    "deploy.papers.LimitPapers",
    "deploy.logins.KnowDevices",
    "league.pages.own_password.OwnPasswordFirst",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "me"
LOGOUT_REDIRECT_URL = "home"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [places.TEMPLATES],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# League decides on permissions; scoring only asks.
SCORING_POLICY = "league.policy.ClubPolicy"

# Database and cache

DATABASES = {
    "default": with_options(
        env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'league.sqlite3'}"),
        pool_size=env.int("DATABASE_POOL", default=20),
    )
}
CACHES = {
    "default": left_out_while_away(
        with_patience(env.cache_url("CACHE_URL", default="locmemcache://?max_entries=20000"))
    ),
    # PDFs (`scoring.paper.kept`): few in a process's own memory, any number where the cache is a server.
    "papers": (
        with_patience(env.cache_url("CACHE_URL")) | {"KEY_PREFIX": "papers"}
        if "CACHE_URL" in env
        else env.cache_url_config("locmemcache://papers?max_entries=200")
    ),
    # Pages as they were last shown (`league.pages.pages.followed`): each process has its own.
    "looks": env.cache_url_config("locmemcache://looks?max_entries=400"),
}

# Celery. Results are rows in the database, so there is no result backend.

CELERY_BROKER_URL = env.str("BROKER_URL", default="filesystem://localhost")
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "league.tasks.sweep", "schedule": 60.0, "options": {"expires": 55}},
    "clocks": {"task": "games.tasks.keep_clocks", "schedule": 15.0, "options": {"expires": 14}},
    "evenings": {"task": "league.tasks.run_evenings", "schedule": 15.0, "options": {"expires": 14}},
}
CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(CELERY_BROKER_URL, DATA_DIR)
# Bots are slow and have their own queue, so that a worker can be reserved for tables (`-Q celery`). By
# default a worker takes both.
CELERY_TASK_QUEUES = [Queue("celery", routing_key="celery"), Queue("bots", routing_key="bots")]
CELERY_TASK_ROUTES = {
    "games.tasks.play_bot_match": {"queue": "bots"},
    "games.tasks.report_hand": {"queue": "bots"},
    "games.tasks.think_at_table": {"queue": "bots"},
}

# Bots. A worker that is silent for the length of the lease may be replaced; a bot that takes longer over a
# choice than it may forfeits. BOT_STRATEGIES are dotted paths of the site's own strategies.

BOT_LEASE_SECONDS = env.float("BOT_LEASE_SECONDS", default=90.0)
# A bot that weighs samples answers no sooner, whatever there is to weigh: nearly every choice takes less. It
# holds a worker, so it bounds how many turns one makes.
BOT_ANSWER_SECONDS = 0.2
BOT_MOVE_SECONDS = env.float("BOT_MOVE_SECONDS", default=60.0)
BOT_STRATEGIES = env.list("BOT_STRATEGIES", default=[])
# Where the user of a service has no folder for compiled code (`games.bots.kernel`).
os.environ.setdefault("GINLEAGUE_CACHE", str(DATA_DIR / "cache"))

# Mail: invitations, links for a forgotten password, and what members are told. Without EMAIL_URL
# (smtp+tls://name:password@host:587) nothing is sent, and officers hand over the links themselves.

SENDS_MAIL = "EMAIL_URL" in env
if SENDS_MAIL:
    vars().update(env.email_url("EMAIL_URL"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="webmaster@localhost")
# Where mail servers report that a notice could not be delivered, as bounces@league.example.org; what comes to
# bounces+…@ is piped into `manage.py take_bounce`. Without it they report to whom the mail is from.
BOUNCE_ADDRESS = env.str("BOUNCE_ADDRESS", default="")
PASSWORD_RESET_TIMEOUT = 2 * 24 * 3600
# Where the site is, for links in what workers mail; they are asked by no browser. Without it members are told
# nothing by mail.
SITE_URL = env.str("SITE_URL", default="") or (CSRF_TRUSTED_ORIGINS[0] if CSRF_TRUSTED_ORIGINS else "")
# Where `deploy.streams` tells open pages of tables to look again: "/streams/" behind the same proxy, or a
# whole address. Without it they ask every two seconds.
STREAMS_URL = env.str("STREAMS_URL", default="")

# Static files. With STATIC_ROOT set, `collectstatic` fills it with hashed, compressed files that browsers
# cache for good; without it they are served in place.

STATIC_URL = "static/"
STATIC_ROOT = env.str("STATIC_ROOT", default="") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
MEDIA_ROOT = DATA_DIR / "files"

# Security

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
    # Where two user names differ in upper and lower case alone, each is still let in by his own.
    "django.contrib.auth.backends.ModelBackend",
]
# Accounts are signed in by user name, so that those without a mail address are too, or by mail address.
ACCOUNT_ADAPTER = "deploy.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SESSION_REMEMBER = True
# Links to a new password: as Django makes them, for accounts with and without an address.
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"
# Where mail is sent, a code for signing in is mailed too. An account has one address, another one once it
# is verified.
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SENDS_MAIL else "none"
ACCOUNT_SIGNUP_FIELDS = ["username*", *(["email*"] if SENDS_MAIL else []), "password1*", "password2*"]
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_FORMS = {
    "reauthenticate": "league.pages.account_forms.AgainForm",
    "signup": "league.pages.account_forms.SignUpForm",
}
# What axes (wrong passwords) and `deploy.guesses` (links, mail) limit is not limited a second time.
ACCOUNT_RATE_LIMITS = dict.fromkeys(["login", "change_password", "reset_password_from_key"])
# Second factors, of accounts with and without an address, and passkeys.
MFA_ADAPTER = "deploy.accounts.SecondFactors"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1
# Browsers themselves offer passkeys over HTTPS and on this machine alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not env.bool("HTTPS", default=False)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_HANDLER = "deploy.logins.LoginLimits"
AXES_CLIENT_IP_CALLABLE = "deploy.logins.network_of"
AXES_USERNAME_CALLABLE = "deploy.logins.account_named"
AXES_LOCKOUT_CALLABLE = "deploy.guesses.locked_out"
# Left out of logged attempts; "password" always is.
AXES_SENSITIVE_PARAMETERS = [
    "username",
    "login",
    "ip_address",
    "oldpassword",
    "password1",
    "password2",
    "code",
]

# For how many days what is stored about persons is kept (`league.upkeep.retention`); the page on privacy says
# so, and whom to ask.


def _days(name: str, default: int) -> int:
    try:
        days: int = env.int(name, default=default)
    except ValueError as fault:
        raise ImproperlyConfigured(f"{name} is a number of days, as in {default}.") from fault
    return days


KEEP_DAYS = {
    name: _days(f"KEEP_{name.upper()}", days)
    for name, days in {
        "addresses": 90,
        "sign_ins": 90,
        "sessions": 14,
        "tokens": 30,
        "invitations": 30,
        "deletions": 400,
        "receipts": 400,
        "notices": 30,
        "deliveries": 30,
    }.items()
}
SESSION_COOKIE_AGE = KEEP_DAYS["sessions"] * 24 * 3600
DEVICE_COOKIE_AGE = 365 * 24 * 3600
SITE_CONTACT = env.str("SITE_CONTACT", default="")

# Networks of one's own that may be asked beside the public Internet (`league.notices.outgoing`).
OUTGOING_NETWORKS = [ip_network(text) for text in env.list("OUTGOING_NETWORKS", default=[])]

# Rate limits (`deploy.limits`): requests per s, min, hour or day; "0" is no limit. All tables of a night may
# share one address.
LIMITS = {
    name: env.str(f"LIMIT_{name.upper()}", default=rate)
    for name, rate in {
        "token": "3000/min",
        "user": "1200/min",
        "address": "600/min",
        "guess": "30/min",
        "mail": "10/hour",
        "paper": "120/min",
    }.items()
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF, *([STREAMS_URL] if "://" in STREAMS_URL else [])],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# Behind a proxy that terminates HTTPS and says so in X-Forwarded-Proto.
BEHIND_PROXY = env.bool("HTTPS", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
    SECURE_HSTS_SECONDS = 31_536_000
    # Other hosts of the domain are up to the club.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# Language and time: stored in UTC, shown in the club's zone. English until there are translations.

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# API

KNOX_TOKEN_MODEL = "league.ApiToken"
# Tokens are league's own model. Knox's own table would be unused, and on PostgreSQL it would keep the table
# of users from being truncated.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {"TOKEN_PREFIX": "gin_", "AUTO_REFRESH": False}
REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "scoring.api.problems.problem_response",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.asking.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["scoring.api.parsers.DocumentParser"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["deploy.throttle.ApiThrottle"],
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Gin rummy league",
    "DESCRIPTION": openapi.DESCRIPTION,
    "TAGS": openapi.TAGS,
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "ChoiceKindEnum": "games.bots.appraising.ChoiceKind",
        "OnlineClockEnum": "league.models.OnlineClock",
        "KindEnum": "league.models.EventKind",
        "CountsAsEnum": "league.models.COUNTS_AS",
        "StrengthEnum": "league.models.STRENGTHS",
    },
    "POSTPROCESSING_HOOKS": [
        "deploy.openapi_parts.inline",
        "drf_spectacular.hooks.postprocess_schema_enums",
        "deploy.openapi.finish",
    ],
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # A telephone takes seconds to draw a hundred operations that nobody has opened.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none"},
}

LOG_LINE = "{asctime} {levelname} {name}: {message}"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": LOG_LINE, "style": "{"},
        "one_line": {"()": "deploy.logs.OneLine", "format": LOG_LINE, "style": "{"},
    },
    "filters": {"fault": {"()": "deploy.logs.NameFault"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line"},
        "one_line": {"class": "logging.StreamHandler", "formatter": "one_line"},
    },
    "loggers": {
        # Bad requests were answered already; only our own faults are logged.
        "django.request": {"level": "ERROR", "filters": ["fault"]},
        "django.security": {"handlers": ["one_line"], "propagate": False},
        # That a request waits for a thread is no news, and would stand between the lines of `up`.
        "waitress.queue": {"level": "ERROR"},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
