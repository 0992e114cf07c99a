"""Level 3, web and files: pages, servers and files of the workspace checked, compared and recorded."""

from dataset_builder.slot import Day, Pattern, Pool, pick
from dataset_builder.template import Template, call, mentions

_CHANNEL = pick(
    "#web-team", "#ops", "#editorial", "#release-crew", "#platform", "#documentation", "#newsroom",
    "#it-support", "#content", "#security", "#archive", "#on-call",
)  # fmt: skip
_ALGORITHM = pick(("SHA-256", "sha256"), ("SHA-1", "sha1"), ("SHA-512", "sha512"), ("MD5", "md5"))

TEMPLATES = (
    Template(
        "mean_response_time_logged",
        prompts=(
            "Check the status of {one}, {two} and {three}. Work out the mean of the three "
            "response times and add an entry to the event log, {level} level, that states this "
            "mean in milliseconds.",
            "Are our pages getting slow? Check how fast {one}, {two} and {three} respond, compute "
            "the average of the three response times, and log it as an event at {level} level.",
            "Please do a status check of these three addresses: {one}, {two}, {three}. Average "
            "their response times and write the average to the event log with the level {level}.",
            "Event log entry at {level} level, please: the mean response time of {one}, {two} and "
            "{three}. You'll have to check the status of all three and work out the mean first.",
        ),
        slots={
            "one": Pool("service_addresses"),
            "two": Pool("service_addresses"),
            "three": Pool("service_addresses"),
            "level": pick("info", "warning", "error", "debug"),
        },
        steps=(
            call("check_url_status", url="{one}"),
            call("check_url_status", url="{two}"),
            call("check_url_status", url="{three}"),
            call(
                "statistical_analysis",
                numbers=["{1.response_ms}", "{2.response_ms}", "{3.response_ms}"],
            ),
            call("log_event", event=mentions("{4.mean}"), level="{level}"),
        ),
    ),
    Template(
        "where_two_domains_sit",
        prompts=(
            "Where are the servers of {one} and {two}? Resolve each domain to its IP address, "
            "locate both addresses, and message {person.name} the two cities.",
            "Please find out in which city {one} is hosted, and in which city {two} is: DNS "
            "lookup, then geolocation of the IP address, for each of the domains. Send "
            "{person.name} a chat message with both cities.",
            "{person.name} is filling in the data-protection form and needs to know the server "
            "locations of {one} and of {two}. Look up the IP of each domain, geolocate the two "
            "IPs, and chat the two city names to {person.name}.",
            "Domain {one}: IP address, city. Domain {two}: IP address, city. Both cities to "
            "{person.name} in a chat message, please.",
        ),
        slots={
            "one": Pool("company_domains"),
            "two": Pool("company_domains"),
            "person": Pool("people"),
        },
        steps=(
            call("dns_lookup", domain="{one}"),
            call("dns_lookup", domain="{two}"),
            call("ip_geolocation", ip_address="{1.ip_address}"),
            call("ip_geolocation", ip_address="{2.ip_address}"),
            call("send_message", recipient="{person.name}", text=mentions("{3.city}", "{4.city}")),
        ),
    ),
    Template(
        "days_from_article_to_article",
        prompts=(
            "Fetch the articles {one} and {two}. How many days is it from the publication date of "
            "the first to the publication date of the second? Post the number of days in "
            "{channel}.",
            "When were the pages {one} and {two} published? Get both pages, count the days from "
            "the former date to the latter, and message the count to {channel}.",
            "Please open the page {one} and the page {two}, take each one's date of publication, "
            "work out the days between them (the first page's date is the start, the second's the "
            "end) and send that number to {channel} as a chat message.",
            "For {channel}: a chat message with the number of days from the publication of the "
            "article {one} to the publication of the article {two}.",
        ),
        slots={
            "one": Pool("article_addresses"),
            "two": Pool("article_addresses"),
            "channel": _CHANNEL,
        },
        steps=(
            call("web_page_fetch", url="{one}"),
            call("web_page_fetch", url="{two}"),
            call("calculate_date_diff", start_date="{1.published}", end_date="{2.published}"),
            call("send_message", recipient="{channel}", text=mentions("{3.days}")),
        ),
    ),
    Template(
        "age_and_length_of_article",
        prompts=(
            "Fetch the article {page}. Count the days from its publication date to {day}, count "
            "the words of its text, and message both counts to {channel}.",
            "How old will the page {page} be on {day}, in days since it was published, and how "
            "many words does its text have? Put the two numbers into a chat message to {channel}.",
            "We're renewing old articles. Please get the page {page}, work out how many days lie "
            "between its date of publication and {day}, and how many words the text runs to; post "
            "the days and the words in {channel}.",
            "Content check of {page}: days from publication until {day}, number of words in the "
            "text. Message the two figures to {channel}, please.",
        ),
        slots={
            "page": Pool("article_addresses"),
            "day": Day("2026-07-20", "2026-12-30"),
            "channel": _CHANNEL,
        },
        steps=(
            call("web_page_fetch", url="{page}"),
            call("calculate_date_diff", start_date="{1.published}", end_date="{day}"),
            call("word_count", text="{1.text}"),
            call(
                "send_message", recipient="{channel}", text=mentions("{2.days}", "{3.word_count}")
            ),
        ),
    ),
    Template(
        "checksum_and_word_count",
        prompts=(
            "Read the file {file.path}. Compute the {algorithm} hash of its content, count the "
            "words in it, and email the hash and the word count to {person.email}.",
            "Before I hand over {file.about}: what are the {algorithm} checksum and the number of "
            "words of {file.path}? Mail both to {person.email}.",
            "The recipient, {person.email}, has to be able to verify the file {file.path}. Please "
            "read it, hash the text with {algorithm}, count its words too, and send both results "
            "to that address by email.",
            "File {file.path}: content, then {algorithm} hash of the content, then word count of "
            "the content; then an email to {person.email} with the hash and the count.",
        ),
        slots={
            "file": Pool("prose_files"),
            "algorithm": _ALGORITHM,
            "person": Pool("people"),
        },
        steps=(
            call("read_file", path="{file.path}"),
            call("hash_text", text="{1.content}", algorithm="{algorithm}"),
            call("word_count", text="{1.content}"),
            call("send_email", to="{person.email}", body=mentions("{2.digest}", "{3.word_count}")),
        ),
    ),
    Template(
        "two_files_in_one",
        prompts=(
            "Read {one.path} and {two.path} and join their contents in that order, with the "
            'separator "{mark}" between them. Save the joined text as the file {path} and give me '
            "the {algorithm} hash of the joined text.",
            "Please combine two files: {one.path} first, then {two.path}, joined by the separator "
            '"{mark}". The combined text goes into the file {path}, and I also want its '
            "{algorithm} checksum.",
            "I'm archiving {one.about} together with {two.about}. Read {one.path} and then "
            '{two.path}, join the two texts with "{mark}" as the separator, write the result to '
            "the file {path}, and hash the result with {algorithm}.",
            'File one: {one.path}. File two: {two.path}. Separator: "{mark}". Join their texts in '
            "this order, save the result to the file {path}, and compute the {algorithm} hash of "
            "that same result.",
        ),
        slots={
            "one": Pool("workspace_files"),
            "two": Pool("workspace_files"),
            "mark": pick("|", "---", "***", "//", "###", "==="),
            "algorithm": _ALGORITHM,
            "path": Pattern(
                "/{folder}/{name}.txt",
                {
                    "folder": pick("archive", "exports", "handover", "bundles"),
                    "name": pick(
                        "combined", "july_bundle", "for_the_auditor", "both_texts", "merged"
                    ),
                },
            ),
        },
        steps=(
            call("read_file", path="{one.path}"),
            call("read_file", path="{two.path}"),
            call("join_texts", texts=["{1.content}", "{2.content}"], separator="{mark}"),
            call("write_file", path="{path}", content="{3.result}"),
            call("hash_text", text="{3.result}", algorithm="{algorithm}"),
        ),
    ),
)
