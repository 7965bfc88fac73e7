"""What the presets of every game have in common: a name, the rule set they start from, and for how many they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from libs.rules.switches import RuleSet, as_text, with_switches


class Preset(Generic[RuleSet]):
    """The part of `libs.rules.game.Game` that hangs on no game's rules; a game's class adds the rest."""

    tells_alike = False

    def __init__(self, preset: str, defaults: RuleSet, player_counts: tuple[int, ...]) -> None:
        """`defaults` are the preset's switches; see docs/rulings.md and docs/rulings/<game>.md."""
        self.preset = preset
        self.player_counts = player_counts
        self._defaults = defaults

    def rule_set(self, switches: Mapping[str, str]) -> RuleSet:
        """The preset's rule set with some switches set; raises InvalidRuleSetError."""
        return with_switches(self._defaults, switches)

    def switches(self, rules: RuleSet) -> Mapping[str, str]:
        """Every switch of the rule set, as text."""
        return as_text(rules)

    def check_players(self, players: int) -> None:
        """Raises ValueError for a number of players that the preset has not."""
        if players not in self.player_counts:
            raise ValueError(f"{self.preset} is not played by {players}")
