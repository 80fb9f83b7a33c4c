"""Forms of the account pages, and of inviting members."""

import datetime
from collections.abc import Sequence
from typing import Any, Final, cast

from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    LoginForm,
    ReauthenticateForm,
    RequestLoginCodeForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
    SignupForm,
)
from allauth.account.models import EmailAddress
from django import forms
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.forms.boundfield import BoundField, BoundWidget
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from league.core.collation import name_key
from league.errors import LeagueError
from league.models import (
    ApiToken,
    Club,
    JoinRequest,
    NoticeChoices,
    NoticeKind,
    NoticeWay,
    Player,
    Role,
    ShownAs,
    kinds_told,
)
from league.notices.outbox import tells_by_mail
from league.people.accounts import given_name, has_given_password, note_new_password, note_sign_up
from league.people.claiming import Candidate, free_rows
from league.people.invitations import DAYS
from scoring.words.messages import translated

_LIVES = [(3, _("three days")), (DAYS, _("two weeks")), (60, _("two months"))]

# The field of each way in which one is told.
_BY_WAY: Final = {NoticeWay.MAIL: "kinds", NoticeWay.PUSH: "pushed_kinds"}


class _TimeInput(forms.TimeInput):
    """A time of day, in hours and minutes."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


def _password(label: Any, autocomplete: str) -> forms.CharField:
    return forms.CharField(
        label=label, strip=False, widget=forms.PasswordInput({"autocomplete": autocomplete})
    )


def _address(label: Any) -> forms.EmailField:
    return forms.EmailField(label=label, max_length=254, widget=forms.EmailInput({"autocomplete": "email"}))


class ShownAsForm(forms.Form):
    """How the public sees a player's name."""

    shown_as = forms.ChoiceField(label=_("On public pages, show me by"), choices=ShownAs.choices)
    nickname = forms.CharField(label=_("Nickname"), max_length=40, required=False)


class ClaimForm(forms.Form):
    """Who somebody says he is in the club's register."""

    name = forms.CharField(
        label=_("Your name, as the club knows it"),
        max_length=80,
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    member_number = forms.CharField(
        label=_("Your member number, if you know it"),
        max_length=20,
        required=False,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    note = forms.CharField(
        label=_("What else helps an officer to know you"),
        max_length=300,
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )


class ConfirmClaimForm(forms.Form):
    """Which player of the club is meant: those who share something with the claim come first."""

    player = forms.ModelChoiceField(
        label=_("This is"), queryset=Player.objects.none(), empty_label=_("Choose")
    )

    def __init__(
        self, waiting: JoinRequest, likely: Sequence[Candidate], data: QueryDict | None = None
    ) -> None:
        super().__init__(data)
        field = cast("forms.ModelChoiceField[Player]", self.fields["player"])
        rows = free_rows(waiting.club)
        field.queryset = rows
        first = [each.player for each in likely]
        others = sorted(set(rows) - set(first), key=lambda player: name_key(player.name))
        titles = ((_("Proposed"), first), (_("Others without an account"), others))
        field.choices = [
            ("", field.empty_label),
            *((title, [(row.pk, _titled(row)) for row in group]) for title, group in titles if group),
        ]


def _titled(player: Player) -> str:
    """A player, for directors: the name, with the member number."""
    number = player.member_number
    return f"{player.name} ({number})" if number else player.name


class RefuseClaimForm(forms.Form):
    """Why a claim is not confirmed."""

    sentence = forms.CharField(
        label=_("What the player is told"), max_length=300, widget=forms.Textarea({"rows": 2})
    )


class SureForm(forms.Form):
    """A tick for what cannot be undone; `said` is what it says."""

    sure = forms.BooleanField(error_messages={"required": _("Tick this if you are sure.")})

    def __init__(self, said: StrOrPromise, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.fields["sure"].label = said


class NoticesForm(forms.Form):
    """What a club tells by mail and on devices, and when; where no mail is sent, on devices alone."""

    kinds = forms.MultipleChoiceField(
        label=_("by mail"),
        choices=NoticeKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    pushed_kinds = forms.MultipleChoiceField(
        label=_("on my devices"),
        choices=[(kind.value, kind.label) for kind in kinds_told(NoticeWay.PUSH)],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    quiet_from = forms.TimeField(label=_("Nothing from"), required=False, widget=_TimeInput)
    quiet_until = forms.TimeField(label=_("until"), required=False, widget=_TimeInput)
    digest_at = forms.TimeField(
        label=_("All in one mail a day, at"),
        required=False,
        widget=_TimeInput,
        help_text=_("Empty: each comes as a mail of its own. On your devices each comes alone in any case."),
    )

    def __init__(self, data: QueryDict | None = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        if not tells_by_mail():
            del self.fields["kinds"], self.fields["digest_at"]

    @classmethod
    def of(cls, chosen: NoticeChoices) -> "NoticesForm":
        """The form with what is chosen now."""
        return cls(
            initial={
                "kinds": [kind.value for kind in NoticeKind if chosen.wants(kind)],
                "pushed_kinds": [kind.value for kind in NoticeKind if chosen.wants(kind, NoticeWay.PUSH)],
                "quiet_from": chosen.quiet_from,
                "quiet_until": chosen.quiet_until,
                "digest_at": chosen.digest_at,
            }
        )

    def clean(self) -> None:
        """Require both ends of quiet hours, or none."""
        super().clean()
        given = [self.cleaned_data.get(name) for name in ("quiet_from", "quiet_until")]
        for name, time in zip(("quiet_from", "quiet_until"), given, strict=True):
            if time is None and any(given) and name not in self.errors:
                self.add_error(name, forms.ValidationError(_("Give both times, or none."), code="half"))

    @property
    def fields_of_ways(self) -> list[BoundField]:
        """The fields of the ways in which the site tells, each with a box for every kind that it has."""
        return [self[name] for name in _BY_WAY.values() if name in self.fields]

    @property
    def rows(self) -> list[tuple[str, list[BoundWidget | None]]]:
        """Each kind with its box of every way; None where it is not told so."""
        boxes = [{str(box.data["value"]): box for box in way} for way in self.fields_of_ways]
        rows = [(str(kind.label), [of_way.get(kind.value) for of_way in boxes]) for kind in NoticeKind]
        return [row for row in rows if any(row[1])]

    def wanted(self, way: NoticeWay) -> dict[NoticeKind, bool]:
        """Whether each kind is wanted in this way, of a valid form; none where the site does not tell so."""
        chosen = self.cleaned_data.get(_BY_WAY[way])
        return {} if chosen is None else {kind: kind.value in chosen for kind in kinds_told(way)}

    def quiet(self) -> tuple[datetime.time, datetime.time] | None:
        """The quiet hours of a valid form."""
        start, end = self.cleaned_data["quiet_from"], self.cleaned_data["quiet_until"]
        return None if start is None else (start, end)


class DeviceForm(forms.Form):
    """What a browser tells of itself when it is to be told something."""

    endpoint = forms.CharField(max_length=1000)
    p256dh = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)


class SignInForm(LoginForm):  # type: ignore[misc]
    """User name, or mail address, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = UsernameField(
            label=_("Name, or e-mail"),
            max_length=254,
            widget=forms.TextInput({"spellcheck": "false", "autofocus": True}),
        )
        self.fields["password"] = _password(_("Password"), "current-password")
        self.order_fields(["login", "password"])


class AddressForm(forms.Form):
    """The mail address of an account."""

    email = _address(_("E-mail"))


class SignUpForm(SignupForm):  # type: ignore[misc]
    """An account that somebody makes for himself; its address, where mail is sent, is to be verified."""

    field_order = ("first_name", "username", "email", "password1", "password2")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["first_name"] = NewAccountForm.base_fields["name"]
        self.fields["username"] = NewAccountForm.base_fields["username"]
        if "email" in self.fields:
            self.fields["email"] = _address(_("E-mail"))
        self.fields["password1"] = NewAccountForm.base_fields["password"]
        self.fields["password2"] = NewAccountForm.base_fields["again"]
        self.order_fields(self.field_order)

    def clean_first_name(self) -> str:
        """Take a name that others can read."""
        try:
            return given_name(self.cleaned_data["first_name"])
        except LeagueError as error:
            raise forms.ValidationError(translated(error.message), code=error.code) from error

    def try_save(self, request: HttpRequest) -> Any:
        """Make the account, or mail whoever has one with this address; both take as long."""
        if self.account_already_exists:
            User().set_password(self.cleaned_data["password1"])
        return super().try_save(request)

    def save(self, request: HttpRequest) -> User:
        """Make the account, and note that its address waits."""
        with transaction.atomic():
            user: User = super().save(request)
            note_sign_up(user)
        return user


class CodeByMailForm(RequestLoginCodeForm):  # type: ignore[misc]
    """The address of the account to which a code is mailed: verified, or given to it by those who made it.

    An address that somebody has merely typed in, and not verified, belongs to nobody yet: neither one that
    waits to take the place of another, nor that of a new account, whose password nobody knows to be his.
    """

    _user: User | None

    def clean_email(self) -> str:
        """Find the account; of several, one that has verified the address."""
        email: str = super().clean_email()
        typed = email.lower()
        # A database may take letters for the same that are not; the code is mailed to what was typed.
        named = User.objects.filter(email__iexact=email, is_active=True, sign_up=None).order_by("pk")
        found = [user for user in named if user.email.lower() == typed]
        shown = EmailAddress.objects.filter(user__in=found, email=typed, verified=True)
        verified = set(shown.values_list("user_id", flat=True))
        self._user = min(found, key=lambda user: user.pk not in verified, default=None)
        return email


class OtherAddressForm(AddEmailForm):  # type: ignore[misc]
    """An address that takes the place of one's own once it is verified; until then nothing changes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"] = _address(_("Another address"))

    def save(self, request: HttpRequest) -> EmailAddress:
        """Note the address, in place of any other that waits, and mail it a link."""
        with transaction.atomic():
            waiting_addresses(self.user).delete()
            address: EmailAddress = EmailAddress.objects.create(
                user=self.user, email=self.cleaned_data["email"]
            )
        address.send_confirmation(request)
        return address


def waiting_addresses(user: User) -> "QuerySet[EmailAddress]":
    """The address that is to take the place of the user's own, if any."""
    of_user: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=user)
    return of_user.filter(verified=False).exclude(email__iexact=user.email)


class AgainForm(ReauthenticateForm):  # type: ignore[misc]
    """The password once more, before something that only its owner may."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"] = _password(_("Password"), "current-password")


class _ChosenPassword(forms.Form):
    """A new password, noted in the audit, and whether tokens made by whoever had the old one go on."""

    user: User
    ends_tokens = forms.BooleanField(
        label=_("Revoke the tokens of this account too"),
        help_text=_("Programs that use them have to be given new ones."),
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        self.fields["password1"].label = _("New password")
        self.fields["password2"].label = _("The new password again")
        if not ApiToken.objects.filter(user=self.user).exists():
            del self.fields["ends_tokens"]

    def clean_password1(self) -> str:
        """Refuse the password that somebody else has given the account."""
        chosen: str = self.cleaned_data["password1"]
        if has_given_password(self.user) and self.user.check_password(chosen):
            said = _("Choose another password than the one you were given.")
            raise forms.ValidationError(said, code="password_given")
        return chosen

    def save(self) -> None:
        """Set and note the password."""
        with transaction.atomic():
            super().save()  # type: ignore[misc]
            note_new_password(self.user, ends_tokens=self.cleaned_data.get("ends_tokens", False))


class NewPasswordForm(_ChosenPassword, ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password of who has a link to it."""

    field_order = ("password1", "password2", "ends_tokens")


class FirstPasswordForm(_ChosenPassword, SetPasswordForm):  # type: ignore[misc]
    """The password of who has none."""

    field_order = ("password1", "password2", "ends_tokens")


class OwnPasswordForm(_ChosenPassword, ChangePasswordForm):  # type: ignore[misc]
    """A new password of who knows the old one."""

    field_order = ("oldpassword", "password1", "password2", "ends_tokens")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"] = _password(_("The current password"), "current-password")
        self.order_fields(self.field_order)


class InvitationForm(forms.Form):
    """An invitation: the office, the player and the address."""

    role = forms.ChoiceField(label=_("As"))
    player = forms.ModelChoiceField(
        queryset=Player.objects.none(),
        label=_("Who is the player"),
        required=False,
        empty_label=_("nobody yet"),
        to_field_name="code",
    )
    email = forms.EmailField(label=_("E-mail, if the link is to be sent"), required=False)
    days = forms.TypedChoiceField(label=_("The link works for"), choices=_LIVES, coerce=int, initial=DAYS)

    def __init__(self, club: Club, roles: list[Role], data: QueryDict | None = None) -> None:
        super().__init__(data)
        cast(forms.ChoiceField, self.fields["role"]).choices = [(role.value, role.label) for role in roles]
        self.fields["role"].initial = Role.MEMBER.value
        players = Player.objects.filter(
            club=club, user=None, strategy="", merged_into=None, erased_at=None
        ).order_by("name")
        cast("forms.ModelChoiceField[Player]", self.fields["player"]).queryset = players


class NewAccountForm(forms.Form):
    """The account of somebody invited who has none."""

    username = UsernameField(
        label=_("User name"), max_length=150, widget=forms.TextInput({"spellcheck": "false"})
    )
    name = forms.CharField(
        label=_("Your name"),
        max_length=150,
        help_text=_("Others read it beside what you enter."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=_("The password again"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )

    def clean_again(self) -> str:
        """Require the same password twice."""
        again: str = self.cleaned_data["again"]
        if again != self.cleaned_data.get("password"):
            raise forms.ValidationError(_("The two passwords are not the same."), code="mismatch")
        return again
