"""The phone at the table: a side's link opens the page on which its sheet is entered, followed and signed.

`access` says who sits where, `reading` what was entered, `page` what is shown; `views` are the table's,
`officers` those of who hands out the links.
"""
