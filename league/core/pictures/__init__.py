"""Pictures drawn on the server: from figures to coordinates in the units of an SVG of a given size.

Templates print what stands here. What a picture says is said without colour, and its figures are in a table.
"""
