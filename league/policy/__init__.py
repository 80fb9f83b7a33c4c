"""Permissions in a club and on its sheets, all decided here.

Readers are `Who`: a user, an anonymous one, or a token, which may do what its user may within its scope.
Writers are an `Actor`: a user, a token, the link of one side of a table, a bot match, or an import or
operator, whose permission was checked before.
"""

from league.policy.grants import (
    GRANTS,
    Permission,
    Who,
    account_in,
    actor_at,
    actor_of,
    can,
    clubs_where,
    is_administrator,
    is_operator,
    live_links,
    live_tokens,
    plays_as,
    require,
    roles_with,
)
from league.policy.reading import (
    entries_counted,
    entries_seen,
    events_seen,
    matches_counted,
    matches_seen,
    results_seen,
    rounds_counted,
    rounds_listed,
    rounds_seen,
    rules_seen,
    sees_results,
    sheets_counted,
    sheets_seen,
)
from league.policy.sheets import ClubPolicy, may_take_back
