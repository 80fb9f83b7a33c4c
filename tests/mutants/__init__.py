"""How strong the tests are: small faults are made in the product one at a time, and the tests have to notice.

Each fault is judged by the tests that execute its line, cheapest first, until one fails; `python -m
tests.mutants --help` tells how. No tool at hand does this: mutmut rewrites every function to switch faults on
at run time, which class bodies and Django's models do not survive; cosmic-ray has one test command for all.
"""
