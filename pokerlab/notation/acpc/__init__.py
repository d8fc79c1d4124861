"""The Annual Computer Poker Competition's texts: game definitions, match states, match logs, and its deal."""

from pokerlab.notation.acpc.deal import reference_decks
from pokerlab.notation.acpc.definition import (
    DEFINITION_NAMES,
    definition_text,
    game_called,
    parse_definition,
    read_definition,
)
from pokerlab.notation.acpc.log import Log, LogHeader, chips_text, log_text, parse_log, read_log, score_line, state_line
from pokerlab.notation.acpc.match_state import MatchState, match_state_text, parse_match_state

__all__ = [
    "DEFINITION_NAMES",
    "Log",
    "LogHeader",
    "MatchState",
    "chips_text",
    "definition_text",
    "game_called",
    "log_text",
    "match_state_text",
    "parse_definition",
    "parse_log",
    "parse_match_state",
    "read_definition",
    "read_log",
    "reference_decks",
    "score_line",
    "state_line",
]
