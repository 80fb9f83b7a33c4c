"""The arena: bots play each other in great numbers, to tell how strong they are.

`pairs` plays two games on the same packs, `playing` plays all against all on several cores, `figures` adds
up what came out and says how sure that is, `ratings` puts it on the scale of players.
"""
