"""The arena: bots play many games against each other to measure their strength.

`pairs` plays two games on the same packs, `playing` a round robin on several cores; `figures` computes
results with confidence intervals, `ratings` puts them on the scale of players. `choices` measures how
far a bot's choices agree with `expert`. `learning` learns what `expert` takes for a likely discard, `tuning`
when it knocks in the hands it plays out. What the program comes with is in `shipped` and `choices`.
"""
