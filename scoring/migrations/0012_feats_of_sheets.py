from types import SimpleNamespace

from django.db import migrations, models

_AT_ONCE = 500
_ENDED = ("finished", "stopped", "void")


def tell_feats(apps, schema_editor):
    """The figures for records follow from the deals of the sheets that have ended."""
    # The arithmetic is the product's own: written down here again it could only differ. Rows are read through
    # the models of this migration alone, whatever columns today's have.
    from scoring.core.errors import ScoringError
    from scoring.core.rules import Rules
    from scoring.services.feats import feats_of
    from scoring.services.records import KeptDeal, SeatRow, kept_of

    using = schema_editor.connection.alias

    def rows(model):
        return apps.get_model("scoring", model).objects.using(using)

    ended = rows("Scoresheet").filter(status__in=_ENDED, deal_count__gt=0).order_by("pk")
    sheets = list(ended.values_list("pk", "rules", "stopped"))
    knobs = rows("HouseRules").filter(pk__in={rules for _pk, rules, _stopped in sheets})
    rules_of = {pk: SimpleNamespace(rules=Rules.from_document(each)) for pk, each in knobs.values_list("pk", "knobs")}
    for first in range(0, len(sheets), _AT_ONCE):
        chunk = [
            SimpleNamespace(pk=pk, rules=rules_of[rules], stopped=stopped)
            for pk, rules, stopped in sheets[first : first + _AT_ONCE]
        ]
        seats, sides = [], []
        of = {sheet.pk for sheet in chunk}
        by_seat = {(row.sheet_id, row.number): row for row in rows("Seat").filter(sheet__in=of)}
        by_side = {(row.sheet_id, row.position): row for row in rows("Side").filter(sheet__in=of)}
        seated, current = {pk: [] for pk in of}, {pk: {} for pk in of}
        for row in rows("Seat").filter(sheet__in=of).select_related("side").order_by("number"):
            seated[row.sheet_id].append(
                SeatRow(
                    number=row.number,
                    name=row.name,
                    position=row.side.position,
                    side=row.side.name,
                    replaces=row.replaces,
                    from_deal=row.from_deal,
                    person=row.person,
                )
            )
        for row in rows("DealVersion").filter(sheet__in=of).order_by("number", "version"):
            current[row.sheet_id][row.number] = KeptDeal(
                pk=row.pk, act_id=row.act_id, number=row.number, version=row.version, body=row.body
            )
        for sheet in chunk:
            kept = kept_of(sheet, seated[sheet.pk], current[sheet.pk])
            try:
                feats = feats_of(kept, kept.state)
            except (ScoringError, LookupError):
                # A defect of the deals themselves, which `rebuild` tells.
                continue
            for found, told, changed in ((by_seat, feats.seats, seats), (by_side, feats.sides, sides)):
                for number, figures in told.items():
                    if any(figures):
                        row = found[sheet.pk, number]
                        for name, value in zip(figures._fields, figures, strict=True):
                            setattr(row, name, value)
                        changed.append(row)
        rows("Seat").bulk_update(seats, ["gins", "best_hand", "best_hand_how", "best_hand_deal"], batch_size=100)
        rows("Side").bulk_update(sides, ["come_back", "come_back_from", "come_back_game"], batch_size=100)


class Migration(migrations.Migration):

    dependencies = [("scoring", "0011_keys_of_opened_sheets")]

    operations = [
        migrations.AddField("seat", "gins", models.PositiveSmallIntegerField(db_default=0, default=0)),
        migrations.AddField("seat", "best_hand", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AddField(
            "seat", "best_hand_how", models.CharField(blank=True, db_default="", default="", max_length=10)
        ),
        migrations.AddField("seat", "best_hand_deal", models.PositiveSmallIntegerField(db_default=0, default=0)),
        migrations.AddField("side", "come_back", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AddField("side", "come_back_from", models.IntegerField(db_default=0, default=0)),
        migrations.AddField("side", "come_back_game", models.PositiveSmallIntegerField(db_default=0, default=0)),
        migrations.RunPython(tell_feats, migrations.RunPython.noop),
    ]
