"""Level 0: files of the workspace, reports, spreadsheets and the event log."""

from dataset_builder.slot import Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_WHY_FILE = pick(
    "I have to quote from it", "I'm preparing the audit", "My screen reader needs the plain text",
    "The new intern should see it", "I want to check one line", "I lost my print-out",
    "Our lawyer asked about it", "I'm on the train with no access", "We discuss it in an hour",
    "I need it for the minutes", "I may have saved the wrong version", "The client is on the line",
    "I have to translate it later", "It has to be proofread",
)  # fmt: skip
_NOTE = Pattern(
    "{who} {will} {what} {when}",
    {
        "who": pick("Amira", "The electrician", "Our neighbour", "The archive", "Pavel", "Team B"),
        "will": pick("brings back", "wants", "still owes us", "takes over", "has ordered"),
        "what": pick(
            "the tall ladder", "two sacks of lime", "the guest list", "the spare keys",
            "the blue folder", "a second quote", "the old projector", "the choir scores",
        ),
        "when": pick(
            "before Easter", "on Thursday", "after the fair", "by the end of August",
            "as soon as the rain stops", "at the next meeting",
        ),
    },
)  # fmt: skip
_FINDINGS = Pattern(
    "{what} {moved} by {n} percent in {season}, mainly because {cause}.",
    {
        "what": pick(
            "Visitor numbers", "Water consumption", "Late deliveries", "Course bookings",
            "Returns", "Night-time noise", "Fuel costs", "Membership", "Waiting times",
        ),
        "moved": pick("rose", "fell", "grew", "dropped"),
        "n": Whole(3, 48),
        "season": pick("spring 2026", "May 2026", "the second quarter", "the first half-year"),
        "cause": pick(
            "the new tram line opened", "two suppliers changed", "the weather was unusually mild",
            "the opening hours were extended", "a competitor closed", "staff were on strike",
            "prices were adjusted", "the harbour road was closed",
        ),
    },
)  # fmt: skip
_TITLE = Pattern(
    "{kind} {about}",
    {
        "kind": pick("Summary for", "Overview for", "Findings for", "Update for", "Briefing for"),
        "about": pick(
            "the council", "the board", "the sponsors", "July 2026", "the owners", "the press team",
            "the steering group", "the tenants", "the second quarter", "the works committee",
        ),
    },
)  # fmt: skip
_HAPPENING = Pattern(
    "{what} {happened} {where}",
    {
        "what": pick(
            "Nightly export", "Badge reader", "Payment retry", "Cooling pump", "Password reset",
            "Label printer", "Map update", "Backup copy", "Login of a guest", "Forklift charger",
        ),
        "happened": pick("timed out", "restarted", "was cancelled", "took 14 minutes", "ran twice"),
        "where": pick(
            "in warehouse 2", "on the staging server", "at the north gate", "on terminal 5",
            "during the shift change", "after the power cut", "in the Leiden office",
        ),
    },
)  # fmt: skip
_DIRECTORY = pick("/config", "/data", "/docs", "/letters", "/logs", "/notes", "/reports", "/web")

TEMPLATES = (
    Template(
        "contents_of_file",
        prompts=(
            "Show me what's in {file.path}. {why}.",
            "{why}, so please read {file.path} to me.",
            "Open {file.path} and give me its text. {why}.",
            "What does {file.about} say? It's saved as {file.path}. {why}.",
        ),
        slots={"file": Pool("workspace_files"), "why": _WHY_FILE},
        steps=(call("read_file", path="{file.path}"),),
        rich="The workspace holds {file.about} as a text file with the path {file.path}. Get the whole "
        "text of that file.",
    ),
    Template(
        "note_to_file",
        prompts=(
            "Save the line “{content}” in the file {path}.",
            "Create {path} with this text in it: “{content}”",
            "Write “{content}” to the file {path}; whatever is in there may go.",
            "Please put the text “{content}” into the file {path}.",
        ),
        slots={
            "content": _NOTE,
            "path": Pattern(
                "/{folder}/{name}.txt",
                {
                    "folder": pick("notes", "docs", "letters"),
                    "name": pick(
                        "borrowed",
                        "errands",
                        "handover",
                        "open_points",
                        "to_ask",
                        "loose_ends",
                        "village_hall",
                        "workshop",
                        "allotment",
                        "week_30",
                        "waiting_for",
                    ),
                },
            ),
        },
        steps=(call("write_file", path="{path}", content="{content}"),),
        rich="A text file of the workspace with the path {path} is to hold the text “{content}”, exactly "
        "as it stands between the quotation marks. A file already there is replaced.",
    ),
    Template(
        "files_in_directory",
        prompts=(
            "{why}. Which files are in {directory}?",
            "List the files in the directory {directory} ({then}).",
            "{why}, so show me which files are stored under {directory} ({then}).",
            "What files do we keep in {directory}? I ask because {why}.",
            "Please list everything in the folder {directory}; {why}.",
        ),
        slots={
            "directory": _DIRECTORY,
            "why": pick(
                "I'm tidying up",
                "I can't find a document",
                "I'm writing the handover",
                "the disk is nearly full",
                "we're moving to another server",
                "I'm new here",
                "the auditor wants an inventory",
                "I need the exact file names",
                "I'm setting up the backup",
                "someone deleted a file",
                "I'm looking for old drafts",
                "we agreed to archive things today",
                "my bookmarks are gone",
                "I'm drawing a site map",
                "the search is broken",
                "I'm checking what the intern uploaded",
                "I have to name a new file",
                "I'm counting documents",
                "the archive has to be complete",
            ),
            "then": pick(
                "I'll pick one afterwards",
                "names are enough",
                "including subfolders",
                "I only need an overview",
                "with their full paths",
            ),
        },
        steps=(call("list_files", directory="{directory}"),),
        rich="Give the paths of all files that the workspace holds in the directory {directory} and "
        "below it.",
    ),
    Template(
        "findings_as_report",
        prompts=(
            "Turn this into a report titled “{title}”: “{content}”",
            "Please lay out the following finding as a report. Title: “{title}”. Text: “{content}”",
            "I need a proper report, headed “{title}”, from this: “{content}”",
            "“{content}” Make that a report under the title “{title}”, please.",
        ),
        slots={"title": _TITLE, "content": _FINDINGS},
        steps=(call("generate_report", content="{content}", title="{title}"),),
        rich="The finding “{content}” should be laid out as a dated report in plain text, under the "
        "title “{title}”.",
    ),
    Template(
        "records_as_spreadsheet",
        prompts=(
            "Make a spreadsheet called “{title}” out of these records: {set.rows}",
            "Please put {set.rows} into a new online spreadsheet with the title “{title}”.",
            "New spreadsheet, “{title}”, one row for each of these: {set.rows}",
            "I have the records {set.rows}. Could you create a spreadsheet titled “{title}” from them "
            "that I can share?",
        ),
        slots={"title": _TITLE, "set": Pool("record_sets")},
        steps=(call("create_spreadsheet", rows="{set.rows}", title="{title}"),),
        rich="An online spreadsheet with the title “{title}” should be created from the records "
        "{set.rows}, one row each, below a row with the names of the columns.",
    ),
    Template(
        "entry_in_event_log",
        prompts=(
            "Log this with level {level}: “{event}”",
            "Add an entry to the event log, level {level}: “{event}”",
            "Please record “{event}” in the application's log. The level is {level}.",
            "For the log, please, as level {level}: “{event}”",
        ),
        slots={"event": _HAPPENING, "level": pick("warning", "error", "debug")},
        steps=(call("log_event", event="{event}", level="{level}"),),
        rich="The application keeps a log of events. Append an entry to it that says what happened, "
        "“{event}”, with the level {level}.",
    ),
)
