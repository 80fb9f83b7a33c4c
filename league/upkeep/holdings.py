"""What a site stores about persons, why, for how long and who reads it: the data of the page on privacy.

Every table is in `HOLDINGS` or in `NOT_OF_PERSONS`, every cookie in `COOKIES`; the days are those that the
sweep keeps (`retention`).
"""

from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.upkeep.retention import days_of

_DAY: Final = 24 * 3600
_LIFE_OF_CLUB: Final = _("As long as the club keeps its results, or until you are erased.")


@dataclass(frozen=True, slots=True)
class Holding:
    """One kind of data, in words. `tables` are the models that hold it.

    `lifetime` names one of `retention.LIFETIMES`, counted from what `after` says; else `kept` says how long.
    """

    title: Any
    what: Any
    why: Any
    who: Any
    tables: tuple[str, ...] = ()
    lifetime: str = ""
    after: Any = ""
    kept: Any = ""

    @property
    def how_long(self) -> str:
        """For how long, with the days that are set."""
        if not self.lifetime:
            return str(self.kept)
        return f"{days_in_words(self.lifetime)} {self.after}"


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie, in words; "…" in its name stands for what differs from person to person.

    `age` names the setting that says for how many seconds a browser keeps it; else `kept` says how long.
    """

    name: str
    what: Any
    age: str = ""
    kept: Any = ""

    @property
    def how_long(self) -> str:
        """For how long, with the days that are set."""
        if not self.age:
            return str(self.kept)
        return str(_("Kept for %(days)s.") % {"days": _in_words(getattr(settings, self.age) // _DAY)})


def days_in_words(lifetime: str) -> str:
    """The days of a lifetime, as in “90 days”."""
    return _in_words(days_of(lifetime))


def _in_words(days: int) -> str:
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}


def site_contact() -> str:
    """Who runs the site and how to reach them, as set; "" if nothing is."""
    return str(settings.SITE_CONTACT)


HOLDINGS: Final = (
    Holding(
        _("Your account"),
        _(
            "User name, name, e-mail address if you gave one and whether it is verified, a hash of your"
            " password and whether somebody else chose it, your offices in clubs, when you joined and last"
            " signed in."
        ),
        _("So that you can sign in, and so that others see who entered what."),
        _(
            "You, those who manage your club, and the administrators of this site. If you direct a club, its"
            " members see your name as the person to ask."
        ),
        (
            "auth.User",
            "account.EmailAddress",
            "account.EmailConfirmation",
            "league.GivenPassword",
            "league.Membership",
            "auth.User_groups",
            "auth.User_user_permissions",
        ),
        kept=_("Until the account is erased."),
    ),
    Holding(
        _("The contact of a club"),
        _(
            "What its owners write of it and whom to ask, which may have somebody's name, e-mail address or"
            " telephone number."
        ),
        _("So that anyone who wants to play knows who to ask."),
        _("Whoever may read the club's pages: in a public club everybody."),
        ("league.Club",),
        kept=_("Until its owners change it."),
    ),
    Holding(
        _("What is said of an event"),
        _(
            "Where it is played, what it is about, its fee and whom to ask: lines its directors write, which"
            " may have somebody's name, e-mail address or telephone number."
        ),
        _("So that anyone who wants to play knows where, and who to ask."),
        _("Whoever may read the club's pages: in a public club everybody."),
        ("league.Event",),
        kept=_("Until its directors change it."),
    ),
    Holding(
        _("Your wish to play in an event"),
        _(
            "That you asked to enter, when, your place on the waiting list, whether a director declined it"
            " and why, and whether your fee is paid. Of a team, who invited whom and what was answered; that"
            " you look for a partner, and what you say to it."
        ),
        _("So that places are given in order, teams are formed, and the club knows who owes it a fee."),
        _(
            "Members of the club see the waiting list, and who looks for a partner. Who is invited to a team,"
            " its members and officers. That you await approval, or were declined, and what you have paid,"
            " only you and its officers."
        ),
        ("league.EntryRequest", "league.PartnerInvitation", "league.PartnerSearch"),
        kept=_(
            "As long as the event, or until you have a place, leave the list, or are erased. That you look"
            " for a partner, until entries close."
        ),
    ),
    Holding(
        _("You as a player"),
        _(
            "Name, other names, nickname, member number, e-mail address, the id in the club’s own register,"
            " how you wish to be shown, and until when you are under age, where an officer has noted that."
        ),
        _("To enter you in events and to tell players apart."),
        _(
            "Whoever may read the club’s pages sees your name, the public as you chose to be shown, and"
            " your initials while you are under age. Member number, e-mail address, register id, other"
            " names and age: only its directors."
        ),
        ("league.Player", "league.PlayerAlias"),
        kept=_LIFE_OF_CLUB,
    ),
    Holding(
        _("Your matches and results"),
        _(
            "Entries, opponents, partners, hands, results, standings, ratings, rounds you sat out, and when"
            " you came to your table in an evening that runs itself."
        ),
        _("They are what a league is about."),
        _("Whoever may read the club’s pages: in a public club everybody."),
        (
            "league.Entry",
            "league.EntryMember",
            "league.Appearance",
            "league.Presence",
            "league.Arrival",
            "league.ForbiddenPair",
            "league.LadderAbsence",
            "league.LadderStay",
            "league.Challenge",
            "league.Match",
            "league.Round",
            "league.Evening",
            "league.Standing",
            "league.IndividualStanding",
            "league.Adjustment",
            "league.CutDecision",
            "league.Rating",
            "league.RatingStep",
            "scoring.Side",
            "scoring.Seat",
        ),
        kept=_("As long as the club keeps its results. After an erasure they stand under a neutral name."),
    ),
    Holding(
        _("Who plays for your team in the next round"),
        _("That its captain or a director names you for a seat, who handed that in, and when."),
        _("So that neither team knows the other’s line-up before both are handed in."),
        _("Its captain, and the club’s directors, unless they are of one of the two teams."),
        ("league.LineUpSeat",),
        kept=_("Until the round begins, or it is taken back; then it is a line-up like any other."),
    ),
    Holding(
        _("Days on which you are away"),
        _("Days on which you have said that you cannot play."),
        _("So that nobody waits for you, and rounds are paired without you."),
        _("Those who arrange a match with you, and the club’s officers."),
        ("league.PlayerAbsence",),
        lifetime="absences",
        after=_("after the last of these days, or until you take it back or are erased."),
    ),
    Holding(
        _("When and where you play"),
        _(
            "The times and the place that you or your opponent propose for a match, and what you agree: a"
            " place may be somebody’s home."
        ),
        _("So that two who arrange their match know when and where."),
        _(
            "What is proposed: those who play the match, and the club’s officers. What is agreed: whoever may"
            " read the match; in a public club everybody."
        ),
        ("league.ProposedTime",),
        lifetime="proposals",
        after=_("after the time that was proposed, unless it was answered; what is agreed, with the match."),
    ),
    Holding(
        _("Games that you offer"),
        _(
            "Who offers whom a game on this site, or makes a link for a guest, who takes which seat, and"
            " under what name a guest does; what was answered."
        ),
        _("So that those who want to play find each other."),
        _("You, and whom you offer it to: all members, if you offer it to whoever takes it first."),
        ("league.GameOffer", "league.OfferSeat", "league.OnlineOffer"),
        lifetime="offers",
        after=_("after it was offered, or until you leave or are erased."),
    ),
    Holding(
        _("Daily hands"),
        _("Which daily hands you play, every card you drew, kept or put down, and the points you made."),
        _("So that a hand goes on where it stopped, and all who have played it may compare."),
        _("The points: members who have played the same hand, and all members once its day is over."),
        ("league.DailyHand", "league.DailyTry"),
        lifetime="daily_hands",
        after=_("after it was dealt, or until you are erased."),
    ),
    Holding(
        _("Tables on this site"),
        _(
            "In which seat you play, every card you drew, kept or put down, when a hand was over, how long"
            " each of your moves took, and how much time you have left by the clock; the phrases you sent,"
            " and a director's warnings to you."
        ),
        _(
            "So that play goes on wherever it stopped, everybody can check that the cards were fair, and a"
            " director can judge how it was played."
        ),
        _(
            "You and whoever plays against you; once a hand is over, or of duplicate the round, whoever may"
            " read the sheet, in a public club everybody. How long moves took is read by directors alone, a"
            " warning by you and them."
        ),
        (
            "games.TableMatch",
            "games.TableSeat",
            "games.TableHand",
            "games.TableAct",
            "games.TablePhrase",
            "games.TableWarning",
        ),
        kept=_LIFE_OF_CLUB,
    ),
    Holding(
        _("How you play"),
        _("What each of your choices at a table on this site cost, as a bot weighs it."),
        _("So that you see where you can play better, and a director can judge how a match was played."),
        _(
            "You alone. Of a club’s match that is over its directors read how many choices you had, the"
            " share that agrees with the bot, and what they cost on average, there and in your matches of"
            " the club before; not which they were."
        ),
        ("games.HandReport",),
        kept=_LIFE_OF_CLUB,
    ),
    Holding(
        _("Score sheets"),
        _("Who entered, corrected, signed or disputed what, when, through which page, and the reason given."),
        _("A result that is doubted must be traceable to whoever wrote it."),
        _("Whoever may read the sheet; in a public club everybody."),
        (
            "scoring.Scoresheet",
            "scoring.SheetAct",
            "scoring.DealVersion",
            "scoring.Signature",
            "scoring.SecondTyping",
            "scoring.Claim",
            "scoring.ClaimSettlement",
            "scoring.Dispute",
            "scoring.DisputeSettlement",
            "league.TableLink",
        ),
        kept=_("As long as the sheet. After an erasure they stand under a neutral name."),
    ),
    Holding(
        _("The record of changes"),
        _(
            "Every change to players, events, offices and settings: who made it, when, what it was before and"
            " after."
        ),
        _("So that mistakes and misuse can be found and put right."),
        _("Directors of the club, and the administrators of this site."),
        (
            "league.AuditEntry",
            "admin.LogEntry",
            "league.ImportBatch",
            "league.ImportBatch_acts",
            "league.NamingText",
            "scoring.HouseRules",
        ),
        kept=_("As long as the club. An erasure takes your name and details out of it."),
    ),
    Holding(
        _("Network addresses"),
        _(
            "The address from which something was entered or changed. How often an address asks is counted"
            " for a minute to an hour, without what it asked."
        ),
        _("To find out about misuse, such as results entered by strangers."),
        _("Directors of the club, and the administrators of this site."),
        lifetime="addresses",
        after=_("after the change; then the address is removed from it."),
    ),
    Holding(
        _("Sign-ins"),
        _("When you signed in and out, failed attempts, the network address and the kind of browser."),
        _("To stop others from guessing passwords."),
        _("The administrators of this site."),
        ("axes.AccessLog", "axes.AccessAttempt", "axes.AccessAttemptExpiration", "axes.AccessFailureLog"),
        lifetime="sign_ins",
        after=_("after the attempt."),
    ),
    Holding(
        _("Sessions"),
        _("That a browser is signed in, since when, from which network address, and its kind."),
        _("So that you need not sign in for every page, and see where else you are signed in."),
        _("You alone; it is looked up by your browser’s cookie."),
        ("sessions.Session", "usersessions.UserSession"),
        lifetime="sessions",
        after=_("after you signed in, or until you sign out."),
    ),
    Holding(
        _("Accounts that wait for their address"),
        _("That you made an account yourself, and have not shown yet that its e-mail address is yours."),
        _("So that nobody takes an account in somebody else's name."),
        _("The administrators of this site."),
        ("league.SignUp",),
        lifetime="sign_ups",
        after=_("after you made the account; then all of it is deleted."),
    ),
    Holding(
        _("Your wish to belong to a club"),
        _(
            "That you asked to become a member, or said which player you are, and when: the name, the member"
            " number and the note that you wrote."
        ),
        _("So that its officers can answer."),
        _("You, and the directors and owners of the club."),
        ("league.JoinRequest",),
        kept=_("Until it is answered, or you take it back."),
    ),
    Holding(
        _("That you were removed from a club"),
        _("That an officer has ended your membership, and when."),
        _("So that it stands until an officer lets you in again."),
        _("You, and the directors and owners of the club."),
        ("league.RemovedMember",),
        kept=_("Until you are let in again, or your account is erased."),
    ),
    Holding(
        _("Second factors and passkeys"),
        _(
            "Of an app for codes and of recovery codes the secret, encrypted; of a passkey the name you gave"
            " it and its public half; when each was made and last used."
        ),
        _("So that a password alone does not open your account, or that you need none."),
        _("You alone. An administrator of this site can remove them, if you have lost yours."),
        ("mfa.Authenticator",),
        kept=_("Until you remove them, or your account is erased."),
    ),
    Holding(
        _("Tokens for programs"),
        _("The name you gave a token, what it may do, when it was last used, and a hash of its secret."),
        _("So that programs can act in your name, and you see which do."),
        _("You, those who manage the club it is for, and the administrators of this site."),
        ("league.ApiToken",),
        lifetime="tokens",
        after=_("after it expired, or until you revoke it."),
    ),
    Holding(
        _("Addresses of calendars"),
        _("A hash of the secret address at which your calendar is read, and when you made it."),
        _("So that your calendar shows your matches without a password."),
        _("Nobody; it is looked up when your calendar asks."),
        ("league.CalendarAddress",),
        kept=_("Until you stop it, or your account is deleted."),
    ),
    Holding(
        _("Invitations"),
        _("The e-mail address to which an invitation was sent."),
        _("To see who was invited and has not answered yet."),
        _("Directors and owners of the club."),
        ("league.Invitation",),
        lifetime="invitations",
        after=_("after it was accepted, was revoked or expired."),
    ),
    Holding(
        _("Receipts"),
        _("What a program or a telephone was answered when it recorded something."),
        _("So that a hand sent twice is recorded once. That a hand was sent is remembered with the sheet."),
        _("Nobody; it is looked up when the same is sent again."),
        ("scoring.TableAnswer", "scoring.OpeningKey"),
        lifetime="receipts",
        after=_("after it was recorded."),
    ),
    Holding(
        _("What you want to be told"),
        _("What of each club you have chosen to be told, how, and when."),
        _("So that you are told what you want to know, and nothing else."),
        _("You alone."),
        ("league.NoticeChoices",),
        kept=_("Until the account is erased."),
    ),
    Holding(
        _("Devices on which you are told"),
        _(
            "The browser’s kind, its address at the push service of whoever makes it, the public half of its"
            " keys, since when, and when it was last told something. Titles and links go through that"
            " service, encrypted so that it cannot read them."
        ),
        _("So that your telephone shows what you want to know."),
        _("You alone."),
        ("league.PushDevice",),
        kept=_(
            "Until you end it, sign out there, the push service no longer knows it, or the account is erased."
        ),
    ),
    Holding(
        _("What you were told"),
        _(
            "That you were to be told something, of which match or event, by mail or on which device, when it"
            " was sent, and what the mail server or the push service answered. Not the mail itself."
        ),
        _("So that every message is sent, and sent once."),
        _("Nobody; it is looked up when it is sent."),
        ("league.Notice",),
        lifetime="notices",
        after=_("after it was sent or given up."),
    ),
    Holding(
        _("Mail that came back"),
        _(
            "That mail to your address came back, from which address, when, and the code of the reason. While"
            " it does, nothing is told there."
        ),
        _("So that you and your club see why you are told nothing."),
        _("You; directors of your club see that it is so, not the address."),
        ("league.MailBounce",),
        lifetime="bounces",
        after=_("after it last came back; if nothing is sent there any more, until you have it sent again."),
    ),
    Holding(
        _("Webhooks of a club"),
        _(
            "The addresses of programs that the club tells what happens, which may have somebody's name; when"
            " each was told what, and the beginning of what it answered. Nobody's name is sent."
        ),
        _("So that other programs can show what happens in the club."),
        _("Directors of the club, and the administrators of this site."),
        ("league.Webhook", "league.WebhookDelivery"),
        lifetime="deliveries",
        after=_("after it was taken or given up; the address itself until a director deletes it."),
    ),
    Holding(
        _("Uploaded files"),
        _("A file of players or hands that was uploaded but not yet confirmed."),
        _("To show what it would change before it does."),
        _("Whoever uploaded it."),
        ("league.ImportDraft",),
        lifetime="drafts",
        after=_("after the upload, or until it is confirmed."),
    ),
    Holding(
        _("Printed papers"),
        _("PDFs of tables, rounds and sheets as somebody asked for them, with the names on them."),
        _("So that the same paper need not be made for everybody who asks for it."),
        _("Whoever may read what it prints, with the names as they may see them."),
        kept=_("An hour."),
    ),
    Holding(
        _("Deletions"),
        _("That a player, an entry or a match was deleted: its code, without a name."),
        _("So that programs that keep a copy delete it there too."),
        _("Whoever might have read what was deleted."),
        ("league.Deletion",),
        lifetime="deletions",
        after=_("after the deletion."),
    ),
)

COOKIES: Final = (
    Cookie(
        "sessionid", _("Keeps you signed in, and a guest in a seat at a table."), age="SESSION_COOKIE_AGE"
    ),
    Cookie(
        "device-…",
        _(
            "Since you signed in, tells this browser from others, so that nobody can lock you out here by"
            " guessing your password. It does not say who you are."
        ),
        age="DEVICE_COOKIE_AGE",
    ),
    Cookie("csrftoken", _("Keeps other sites from sending forms in your name."), age="CSRF_COOKIE_AGE"),
    Cookie(
        "table",
        _("Opens the score sheet whose link you followed, for its side of the table."),
        kept=_("Until the link expires."),
    ),
    Cookie(
        "messages", _("A message about what you just did, for the next page."), kept=_("Until it is shown.")
    ),
)

# Titles, settings and figures of clubs, events and bots, and what the site needs to work.
NOT_OF_PERSONS: Final = frozenset(
    {
        "auth.Permission",
        "auth.Group",
        "auth.Group_permissions",
        "contenttypes.ContentType",
        "games.BotMatch",
        "games.BotHand",
        "games.SealedPack",
        "games.SiteHeartbeat",
        "games.BotRating",
        "games.BotMeeting",
        "league.ClubLogo",
        "league.ClubRules",
        "league.RoundPacks",
        "league.Season",
        "league.SeasonTable",
        "league.SeasonTable_events",
        "league.Pyramid",
        "league.SelfCheckIn",
        "league.BotSchedule",
        "league.Exhibition",
        "league.Tie",
        "league.FormerSheet",
        "league.ExpectedWeights",
        "league.RatingsRequest",
        "league.StandingsRequest",
        "league.SweepMark",
        "league.WriteCount",
    }
)
