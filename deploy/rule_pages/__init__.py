"""The rule pages of the presets, in Portuguese and English.

Those of the Buraco family are written once, as sentences for the values of switches: `pt/` and `en/` hold the words,
`relevance.py` says which switches matter, `page.py` puts a page together. `family.py` reads the other games' own pages, and
`site.py` makes of every page what the gateway serves. `python -m deploy.rule_pages` writes docs/rules/buraco/.
"""
