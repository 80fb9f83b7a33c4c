"""The models of the league, one module per subject."""

from league.core.lifecycle import (
    AWARDED,
    CONTESTED,
    OFF_SHEET,
    PLAYED,
    SAT_OUT,
    UNFINISHED,
    EventState,
    MatchState,
    RoundState,
)
from league.core.pairing.elimination import BracketPart
from league.core.pairing.ties import TieDecider, TieDecision
from league.core.standings import CountsAs
from league.models.audit import AuditEntry
from league.models.bots import BotSchedule, Exhibition
from league.models.bounces import MailBounce
from league.models.brackets import BRACKET_PARTS, TIE_DECISIONS, Tie
from league.models.clubs import (
    Claiming,
    Club,
    ClubLogo,
    ClubRules,
    ColumnOrder,
    Joining,
    JoinRequest,
    Membership,
    RatedGames,
    RemovedMember,
    Role,
)
from league.models.cuts import CUT_KINDS, CutDecision, CutHow
from league.models.daily import DailyHand, DailyTry
from league.models.doors import (
    ApiToken,
    CalendarAddress,
    GivenPassword,
    Invitation,
    SignUp,
    TableLink,
    TokenScope,
)
from league.models.entries import (
    Entry,
    EntryMember,
    EntryRequest,
    ForbiddenPair,
    PartnerInvitation,
    PartnerSearch,
    Presence,
    SelfCheckIn,
)
from league.models.evenings import AbsentAt, Arrival, Evening
from league.models.events import (
    Event,
    Pyramid,
    Round,
    Season,
    drawn_seed,
    points_by_place,
    usual_criteria,
)
from league.models.files import ImportBatch, ImportDraft
from league.models.formats import (
    COUNTS_AS,
    DEFAULT_FORMAT,
    EVENT_STATES,
    ROUND_STATES,
    STRENGTHS,
    TIE_DECIDERS,
    AbsentMember,
    CountsWhen,
    EventKind,
    GroupsCompared,
    InvitationState,
    OddTable,
    OnlineClock,
    OnlineTimeOut,
    PackPlays,
    PlayedWhere,
    PointsScheme,
    PresenceState,
    RequestState,
    SitInCounts,
    Traits,
    WhoEnters,
    format_choices,
    register,
    registered,
    traits,
    traits_of,
)
from league.models.ladders import Challenge, LadderAbsence, LadderStay
from league.models.matches import (
    ENTRIES,
    MATCH_STATES,
    SEATED,
    Appearance,
    FormerSheet,
    LineUpSeat,
    Match,
    ProposedTime,
    Rest,
    between_bots,
    bye_counts,
    counts_as_played,
    extra_to_play,
    lacks_result,
    to_play,
    wants_result,
    with_sitting_in,
)
from league.models.notice_kinds import NoticeKind, NoticeWay, kinds_told
from league.models.notices import Notice, NoticeChoices, NoticeEnd, PushDevice
from league.models.offers import GameOffer, OfferSeat, OfferState, OnlineOffer
from league.models.online_play import RoundPacks, clock_words
from league.models.people import (
    DETAIL_NAMES,
    DETAILS,
    Detail,
    NamingText,
    Player,
    PlayerAbsence,
    PlayerAlias,
    ShownAs,
    marked,
    maybe_under_age,
    persons_of,
    sat_in_for,
)
from league.models.ratings import ExpectedWeights, Rating, RatingsRequest, RatingStep
from league.models.standings import (
    Adjustment,
    IndividualStanding,
    Prospect,
    SeasonTable,
    Standing,
    StandingsRequest,
    SweepMark,
)
from league.models.tracking import Deletion, Tracked, WriteCount
from league.models.webhooks import (
    CHOSEN_KINDS,
    DeliveryEnd,
    Webhook,
    WebhookDelivery,
    WebhookKind,
    WebhookPause,
)
