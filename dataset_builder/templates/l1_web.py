"""Level 1, web and network: addresses, pages, searches and news, and what follows from them."""

from dataset_builder.slot import Day, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call, mentions

_HOST = Pattern(
    "{sub}.{domain}.example",
    {
        "sub": pick(
            "mail", "shop", "files", "vpn", "cdn", "status", "booking", "intranet", "media", "docs",
            "login", "maps",
        ),
        "domain": pick(
            "lakeshore-logistics", "bluefinch", "granitepay", "mapletrail", "harborlight", "orchardly",
            "tidewater", "sunfield", "velomax", "copperline", "nordlys-media", "silverbirch",
            "pinecrest", "caravel", "seabright", "fjellheim", "quayside", "tarnoptics", "larkspur",
            "stonebridge",
        ),
    },
)  # fmt: skip
_FEED = Pattern(
    "https://{sub}.{domain}.example/{path}",
    {
        "sub": pick("www", "blog", "news"),
        "domain": pick(
            "lakeshore-logistics", "bluefinch", "granitepay", "mapletrail", "harborlight", "orchardly",
            "tidewater", "sunfield", "velomax", "copperline", "fjellheim", "quayside", "larkspur",
        ),
        "path": pick("feed.xml", "rss.xml", "atom.xml", "updates/rss"),
    },
)  # fmt: skip
_IP = Pattern(
    "{a}.{b}.{c}.{d}",
    {
        "a": pick(
            "23", "31", "45", "51", "62", "77", "81", "91", "104", "142", "185", "194", "212"
        ),
        "b": Whole(11, 249),
        "c": Whole(11, 249),
        "d": Whole(11, 249),
    },
)
_LOGIN = pick(
    "Somebody tried to sign in", "Our firewall blocked a visit", "A suspicious login came",
    "A customer chats with us", "Our newsletter was opened", "The last backup was started",
    "An unknown device connected", "Somebody edits our wiki",
)  # fmt: skip
_READER = pick(
    "It's for our press review", "I'm on a slow connection", "I have to cite it today",
    "We want to link to it", "My professor recommended it", "It came up in the meeting",
    "A friend sent me the link", "I'm collecting sources", "The client asked about it",
    "It's for the reading list", "I'm preparing a talk", "I can't stand the ads on that site",
)  # fmt: skip
_ASPECT = pick(
    "for beginners", "in Scandinavia", "market outlook", "success stories", "latest research",
    "pros and cons", "funding programmes", "common mistakes", "safety rules", "job openings",
)  # fmt: skip
_QUERY = Pattern(
    "{topic} {aspect}",
    {
        "topic": pick(
            "heat pumps", "urban beekeeping", "electric cargo bikes", "tiny houses", "vertical farming",
            "repair cafés", "seaweed farming", "remote work", "battery recycling", "night trains",
            "e-ink displays", "fermented foods", "robotic surgery", "mass timber buildings",
            "rooftop gardens", "language learning apps", "lab-grown leather", "geothermal energy",
            "autonomous ferries", "smart irrigation", "coral reef restoration", "hydrogen trucks",
        ),
        "aspect": _ASPECT,
    },
)  # fmt: skip
_MOOD = pick(
    "I'm deciding whether to invest", "I have a debate tonight", "We may sponsor a project",
    "It's for our press office", "I'm writing an editorial", "My students want to know",
    "We're planning a campaign", "I was asked on the radio",
)  # fmt: skip
_LEVEL = pick(("an info", "info"), ("a warning", "warning"), ("a debug", "debug"))

TEMPLATES = (
    Template(
        "place_of_host",
        prompts=(
            "Resolve {host} to its IP address and tell me where that address is located.",
            "Which IP address does {host} have, and in which country does that IP sit?",
            "I'd like to know which provider runs the server behind {host}. Look up its IP address in "
            "the DNS and then locate that address.",
            "DNS lookup for {host}, please. Then find out in which city the resulting IP address is.",
        ),
        slots={"host": _HOST},
        steps=(
            call("dns_lookup", domain="{host}"),
            call("ip_geolocation", ip_address="{1.ip_address}"),
        ),
    ),
    Template(
        "clock_at_ip",
        prompts=(
            "{what} from the IP address {ip}. In which time zone is that address, and what time is it "
            "there right now?",
            "{what} from {ip}. Locate that IP and get the current time in its time zone.",
            "What's the local time now at the place where the IP address {ip} is located? {what} from "
            "there.",
            "Find the time zone of the IP address {ip} and tell me the current time in it. {what} from "
            "that address.",
        ),
        slots={"ip": _IP, "what": _LOGIN},
        steps=(
            call("ip_geolocation", ip_address="{ip}"),
            call("get_current_time", timezone="{1.timezone}"),
        ),
    ),
    Template(
        "page_in_brief",
        prompts=(
            "Read {url} and summarise the text of the page. {why}.",
            "{why}. Could you fetch the page {url} and give me a summary of it?",
            "{why}, so open {url} and sum up the article for me. A short summary will do.",
            "I'd like a summary of the article at {url} that gives only the most important sentences. "
            "{why}.",
        ),
        slots={"url": Pool("article_addresses"), "why": _READER},
        steps=(
            call("web_page_fetch", url="{url}"),
            call("summarize_text", text="{1.text}"),
        ),
    ),
    Template(
        "keywords_of_page",
        prompts=(
            "Fetch the page {url} and extract the keywords of its text. {why}.",
            "{why}. The article at {url} is rather long. Which keywords are the most frequent in it?",
            "{why}, so please read {url} and give me the keywords of the text.",
            "Open the article {url} and pick out its keywords. {why}.",
        ),
        slots={"url": Pool("article_addresses"), "why": _READER},
        steps=(
            call("web_page_fetch", url="{url}"),
            call("keyword_extract", text="{1.text}"),
        ),
    ),
    Template(
        "names_on_page",
        prompts=(
            "Which people, places and organisations does the article at {url} name? {why}.",
            "Read the page {url} and extract the named entities from its text. {why}.",
            "{why}. Please fetch {url} and list the persons, organisations and places in the text of "
            "the page.",
            "{why}, so open the article {url} and tell me who and what is named in it: persons, places "
            "and organisations.",
        ),
        slots={"url": Pool("article_addresses"), "why": _READER},
        steps=(
            call("web_page_fetch", url="{url}"),
            call("extract_entities", text="{1.text}"),
        ),
    ),
    Template(
        "age_of_page",
        prompts=(
            "When was the page {url} published, and how many days lie between that date and {day}?",
            "Fetch {url}, take the article's date of publication and count the days from it to {day}.",
            "On {day} I'm going to cite the article {url} and have to say how many days old it is by "
            "then. Look up when it was published and count the days.",
            "How many days will have passed on {day} since the page {url} was published? Look up its "
            "date of publication first.",
        ),
        slots={"url": Pool("article_addresses"), "day": Day("2026-08-01", "2027-06-30")},
        steps=(
            call("web_page_fetch", url="{url}"),
            call("calculate_date_diff", start_date="{1.published}", end_date="{day}"),
        ),
    ),
    Template(
        "first_hit_as_text",
        prompts=(
            "Search the web for “{query}” and read me the first page that comes up.",
            "Do a web search for “{query}”, then open the top result and give me the text of that page.",
            "What does the best page on the web about “{query}” say? Please search for it and fetch the "
            "text of the top hit.",
            "I'd like to read the top search result for “{query}” on the web. Find it and fetch the "
            "whole page.",
        ),
        slots={"query": _QUERY},
        steps=(
            call("web_search", query="{query}"),
            call("web_page_fetch", url="{1.top_url}"),
        ),
    ),
    Template(
        "domain_of_first_hit",
        prompts=(
            "Search the web for “{query}”. Which registered domain does the first result belong to?",
            "Run a web search for “{query}” and take the registered domain out of the top result's "
            "address.",
            "Who ranks first on the web for “{query}”? Just extract the domain from the address of the "
            "top hit.",
            "For our SEO sheet: do a web search for “{query}” and tell me the registered domain of the "
            "first page found.",
        ),
        slots={"query": _QUERY},
        steps=(
            call("web_search", query="{query}"),
            call("extract_domain", url="{1.top_url}"),
        ),
    ),
    Template(
        "mood_of_headlines",
        prompts=(
            "Get the latest news headlines about “{topic}” and tell me whether they sound positive or "
            "negative. {why}.",
            "{why}. What's the sentiment of the current news headlines on “{topic}”?",
            "Please fetch the news headlines on “{topic}” and run a sentiment analysis over them. {why}.",
            "{why}, so check the mood in the press: get the headlines about “{topic}” and judge their "
            "sentiment.",
        ),
        slots={"topic": Pool("search_topics"), "why": _MOOD},
        steps=(
            call("get_news_headlines", topic="{topic}"),
            call("sentiment_analysis", text="{1.headlines}"),
        ),
    ),
    Template(
        "headings_of_raw_page",
        prompts=(
            "Send a GET request to {url} and parse the HTML that comes back: which headings does it "
            "have? {why}.",
            "{why}. Request the raw HTML of {url} and list the headings in it.",
            "I need the headings of {url} from its HTML source. Make the HTTP request and parse the "
            "response. {why}.",
            "Get the HTML source of {url} by an HTTP request, then parse it for me and show the "
            "headings. {why}.",
        ),
        slots={"url": Pool("article_addresses"), "why": _READER},
        steps=(
            call("http_request", url="{url}"),
            call("parse_html", html="{1.body}"),
        ),
    ),
    Template(
        "weekday_of_newest_entry",
        prompts=(
            "Read the RSS feed {url} and tell me on which day of the week its newest entry appeared. "
            "{why}.",
            "{why}. When did the feed {url} publish its latest entry, and what weekday was that?",
            "Check {url}, it's an RSS feed: take the date of the newest entry and find out its weekday. "
            "{why}.",
            "{why}, so look up the date of the latest post in the feed {url} and the day of the week it "
            "falls on.",
        ),
        slots={
            "url": _FEED,
            "why": pick(
                "I want to know when they publish",
                "I'm planning our own posting days",
                "Somebody says they only post on Mondays",
                "It's for a survey of blogs",
                "We'd like to answer on the same day",
                "I'm setting up a watch list",
                "The editor asked me",
                "I'm writing a media plan",
            ),
        },
        steps=(
            call("rss_feed_parse", url="{url}"),
            call("get_weekday", date="{1.latest_date}"),
        ),
    ),
    Template(
        "logged_response_time",
        prompts=(
            "Check how fast {url} responds and log the response time in the event log, as {level} "
            "entry.",
            "Is {url} up? Check its response time and add {level} entry with the milliseconds to the "
            "event log.",
            "Please write {level} entry to the event log that says how many milliseconds {url} took to "
            "respond. {why}.",
            "{why}. Check the response time of {url} and put the figure in our event log, as {level} "
            "entry.",
        ),
        slots={
            "url": Pool("service_addresses"),
            "level": _LEVEL,
            "why": pick(
                "Customers say it's slow",
                "We moved it last night",
                "I'm on call today",
                "The new cache is live",
                "We agreed to keep track",
                "The provider wants proof",
            ),
        },
        steps=(
            call("check_url_status", url="{url}"),
            call("log_event", event=mentions("{1.response_ms}"), level="{level}"),
        ),
    ),
)
