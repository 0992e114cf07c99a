"""How much visitors may send and ask for: every bound of the page in one place."""

MB = 2**20
HOUR_S = 3600.0

# A trace file --------------------------------------------------------------------------------

MAX_UPLOAD_BYTES = 16 * MB
MAX_ROWS = 10_000
# An honest file takes far less: every tool of the full catalogue called on all 200 tasks makes 21,200
# calls with three million characters.
MAX_CALLS = 25_000
MAX_CHARACTERS = 10_000_000
MAX_MODELS = 50
"""Each is scored over the whole suite and has a row of the board for itself."""

# A request -----------------------------------------------------------------------------------

MAX_BODY_BYTES = 3 * MAX_UPLOAD_BYTES // 2
"""Of a request that is no upload: room for a pasted trace file with its quotation marks escaped."""
MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 2**16
"""Of an upload: one file of the largest size, and what a form writes around it."""

# An hour -------------------------------------------------------------------------------------

EACH_BYTES, ALL_BYTES = 256 * MB, 4096 * MB
"""What one visitor may send in an hour, and all of them together: it may come to lie on disk."""
SCORINGS_AN_HOUR = 60
PUBLICATIONS_AN_HOUR = 20
STARTS_AN_HOUR = 20
"""Runs that one visitor may order."""
VERDICTS_AN_HOUR = 400

# A run that a visitor orders -----------------------------------------------------------------

MAX_SAMPLES = 5
MAX_WAITING = 50
"""Runs in the queue, of all visitors."""
MAX_RUN_S = 6 * HOUR_S

# What only its link shows -------------------------------------------------------------------

MAX_DRAFTS, MAX_OWN_DRAFTS = 64, 5
"""Uploads that were scored and can be looked at for an hour, of all visitors and of one."""
