"""Who may do what in a club, and so to its sheets. The one place where this is decided.

Whoever asks is `Who`: a user, nobody in particular, or a token, which may what its user may within its scope.
Whoever writes is an `Actor`, of which this module knows how it came to be: a user, a token, the link of one
side of a table, a bot match, or what acts for somebody who was asked already.
"""

from league.policy.grants import (
    GRANTS,
    Permission,
    Who,
    actor_at,
    actor_of,
    can,
    clubs_where,
    is_operator,
    live_links,
    live_tokens,
    require,
    roles_with,
)
from league.policy.reading import (
    events_seen,
    results_seen,
    rounds_seen,
    rules_seen,
    sees_results,
    sheets_seen,
)
from league.policy.sheets import ClubPolicy, may_take_back

__all__ = [
    "GRANTS",
    "ClubPolicy",
    "Permission",
    "Who",
    "actor_at",
    "actor_of",
    "can",
    "clubs_where",
    "events_seen",
    "is_operator",
    "live_links",
    "live_tokens",
    "may_take_back",
    "require",
    "results_seen",
    "roles_with",
    "rounds_seen",
    "rules_seen",
    "sees_results",
    "sheets_seen",
]
