"""What a run on the board counts as: its tier, and what may have happened to it since."""

from collections.abc import Mapping

VERIFIED, MADE_HERE, SELF_REPORTED = "verified", "made here", "self-reported"
BASELINE = "baseline"
INCOMPLETE, COPY, WITHDRAWN = "incomplete", "copy", "withdrawn"
VIEWS = (VERIFIED, MADE_HERE, SELF_REPORTED)
"""A ranking holds runs of one tier; the baselines of its setting are its reference rows."""
TIERS: Mapping[str, str] = {
    VERIFIED: "Run by the maintainers or by this Space, complete, and asked fresh tasks of a secret "
    "seed as well, which no model can have learnt.",
    MADE_HERE: "Run on this machine, without fresh tasks.",
    SELF_REPORTED: "Uploaded traces. The right answers are public, so an upload proves nothing by "
    "itself: it is ranked among uploads only.",
    BASELINE: "A built-in agent that is no language model, for reference.",
}


FLAGGED, RESTORED = "flagged", "restored"
