"""Every write to a bot match, and to a table of members (`members`), its hands (`hands`), its clock
(`clocks`, `outages`) and its bots that weigh samples (`thinking`). `telling` is what is told of a table.

At a table `adjourning` is what a director does, `talking` what its players say, `conduct` what is noted of
them. `packs` says from which packs hands are dealt, and whether they are told. `reports` has the choices of
members weighed once a hand is over, `hints` gives hints; these two lock nothing.

`planning` creates matches, `leases` gives each to one worker at a time, `recording` writes what was played,
`ending` ends them, `running` is the worker's part. A refusal is a `GameError` or a `ScoringError` and changes
nothing; a worker that no longer holds its match gets `LeaseLost`.

Locks: the sheet first, then its bot match or table.
"""

from games.services.adjourning import adjourn, deal_anew, hand_stands, let_go_on, warn
from games.services.clocks import agree_pause, ask_pause, keep_clocks, resume
from games.services.conduct import SeatConduct, agreement_of, conduct
from games.services.ending import cancel_bot_match, end, end_failed, finish
from games.services.hands import hands_over
from games.services.hints import gives_hints, hint
from games.services.leases import LeaseLost, beat, claim, hand_out, release
from games.services.members import ActionAnswer, act, end_table, give_up, wait_for_seat
from games.services.opening_tables import Guest, begun_with, keep_beginning, open_table
from games.services.planning import plan_bot_match, play_on, strategies, try_again
from games.services.recording import record_played
from games.services.reports import forget_reports, hands_to_report, report_hand
from games.services.running import play_bot_match
from games.services.talking import mute, say, unmute
from games.services.telling import hand_document, judge_refusal, table_state, verified_hand, watched_state
from games.services.thinking import ask_bots_again, think_at_table
