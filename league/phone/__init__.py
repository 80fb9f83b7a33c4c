"""The phone at the table: a side's link opens the page on which its sheet is entered, followed and signed.

`access` finds the place of a request, `keypads` say what is asked of a hand by the kind of game, `reading`
parses entries, `page` builds what is shown; `views` serve the table, `officers` those who hand out the links.
"""
