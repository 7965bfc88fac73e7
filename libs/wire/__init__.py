"""Translates between the rules' values and the messages of proto/: the one place where both are known.

No rule and no policy here. What comes from outside is checked for form alone; `WireError` names the field.
"""
