"""Level 0: searches, pages, requests, host names, feeds and markup."""

from dataset_builder.slot import Pattern, Pool, pick
from dataset_builder.template import Template, call

_TEXT_FOR = pick(
    "my literature notes", "the team meeting", "the reading circle", "a friend without internet",
    "my thesis", "the podcast script", "our clippings", "the train ride", "a class of mine",
    "an e-book", "the audio version", "my grandfather",
)  # fmt: skip
_SEARCH_FOR = pick(
    "a blog post", "a talk", "my neighbour", "a school project", "a grant application", "a bet",
    "the weekend seminar", "a quiz night", "our strategy day", "a magazine piece", "my own pleasure",
)  # fmt: skip
_ARTICLE = Pattern(
    "https://www.{site}.example/{page}",
    {
        "site": pick(
            "meridianpost", "civicherald", "signalweekly", "northernledger", "opengazette",
            "harbortribune", "lanternmagazine", "fieldnotejournal", "atlasreview", "worlddispatch",
        ),
        "page": pick(
            "electric-ferries", "heat-pumps", "night-trains", "home-insulation", "sleep-research",
            "public-libraries", "tidal-energy", "slow-travel", "repair-cafes", "dark-sky-parks",
            "mountain-rescue", "flood-protection", "timber-houses", "coffee-farming",
        ),
    },
)  # fmt: skip
_RECORD = Pattern(
    "https://api.{host}/{version}/{things}/{id}",
    {
        "host": pick(
            "brightwave.example", "bluefinch.example", "tidewater.example", "velomax.example",
            "orchardly.example", "quayside.example", "larkspur.example", "amberroast.example",
            "meadowlark.example", "northpier.example",
        ),
        "version": pick("v1", "v2", "v3"),
        "things": pick("orders", "customers", "invoices", "products", "sensors", "tickets", "users"),
        "id": pick("1042", "7716", "BW-1107", "48213", "k9f2", "A17", "332", "60218", "QX-5"),
    },
)  # fmt: skip
_TESTING = pick(
    "I'm debugging the client", "We suspect the cache", "The dashboard shows nothing",
    "I'm writing the API guide", "The new token should work now", "Support asked me to try it",
    "It's for a bug report", "Our integration test failed", "I'm new to this API",
)  # fmt: skip
_SERVICE = Pattern(
    "https://{part}.{name}.example/{page}",
    {
        "part": pick("app", "login", "shop", "docs", "portal", "checkout", "booking", "tickets"),
        "name": pick(
            "bluefinch", "granitepay", "mapletrail", "harborlight", "orchardly", "tidewater",
            "velomax", "silverbirch", "caravel", "quayside", "ironbridge", "meadowlark",
        ),
        "page": pick("health", "start", "help", "search", "account", "orders", "cart", "news"),
    },
)  # fmt: skip
_FEED = Pattern(
    "https://{part}.{name}.example/{file}",
    {
        "part": pick("www", "blog", "news", "press"),
        "name": pick(
            "lakeshore-logistics", "bluefinch", "granitepay", "harborlight", "orchardly", "sunfield",
            "nordlys-media", "silverbirch", "seabright", "fjellheim", "tarnoptics", "larkspur",
            "stonebridge", "amberroast", "halden", "juniperlane", "falconridge", "greyheron",
        ),
        "file": pick("feed.xml", "rss", "atom.xml", "rss.xml", "updates/feed"),
    },
)  # fmt: skip
_CONTROL = pick(
    "A visitor says it doesn't load", "We moved the server last night", "The pager went off",
    "I have a bad feeling", "The status board is red", "I'm on call today",
    "Our monitor shows gaps", "It felt slow this morning", "We're about to send the newsletter",
    "A customer complained", "The certificate was renewed", "I can't reach it from my phone",
    "We changed the firewall", "There's a sale tomorrow", "The cloud provider had trouble",
)  # fmt: skip
_HOST = Pattern(
    "{part}.{domain}",
    {
        "part": pick("www", "mail", "shop", "api", "vpn", "cdn", "docs", "status", "ftp", "app"),
        "domain": pick(
            "lakeshore-logistics.example", "bluefinch.example", "harborlight.example",
            "orchardly.example", "tidewater.example", "sunfield.example", "velomax.example",
            "copperline.example", "silverbirch.example", "caravel.example", "fjellheim.example",
            "quayside.example", "larkspur.example", "stonebridge.example", "granitepeak.example",
            "falconridge.example", "meadowlark.example", "driftwood.example", "ironbridge.example",
            "saltmarsh.example", "windrose.example", "birchwood.example", "oldmill.example",
        ),
    },
)  # fmt: skip
_LINKS = Pattern(
    '<p>{say} <a href="https://{host}/{page}">{what}</a> or <a href="/{other}">{ask}</a>.</p>',
    {
        "say": pick("See", "Visit", "Go to", "Read", "First look at", "Open"),
        "host": pick(
            "www.harborlight.example", "shop.amberroast.example", "docs.bluefinch.example",
            "www.quayside.example", "blog.sunfield.example", "tickets.larkspur.example",
        ),
        "page": pick("programme", "prices", "opening-hours", "menu", "rooms", "timetable", "gallery"),
        "what": pick("our page", "this list", "the overview", "the details", "the plan"),
        "other": pick("contact", "help/phone", "visit/map", "faq", "desk", "people"),
        "ask": pick("ask us", "write to us", "find us", "call the desk", "get in touch"),
    },
)  # fmt: skip
_SOURCE = Pattern(
    "<html><head><title>{title}</title></head><body><h1>{head}</h1><p>{one}</p><h2>{sub}</h2>"
    "<p>{two}</p></body></html>",
    {
        "title": pick(
            "Quayside Marina", "Amber Roast Coffee", "Larkspur Events", "Harborlight Theatre",
            "Pinecrest Clinic", "Velomax Rentals", "Stonebridge Brewery", "Polar Press",
        ),
        "head": pick("Welcome aboard", "Good to see you", "What we do", "About us", "Come in"),
        "one": pick(
            "We have been here since 1987.", "Open daily except Monday.", "Three rooms, one garden.",
            "Everything is made by hand.", "Our team speaks five languages.",
        ),
        "sub": pick("Prices", "Finding us", "Opening hours", "News", "Bookings"),
        "two": pick(
            "Members pay half.", "Take tram 4 to the pier.", "From nine to six.",
            "The summer programme is out.", "Call us or send a fax.", "Groups need a reservation.",
        ),
    },
)  # fmt: skip
_ORIGIN = pick(
    "This is what our old site served", "A colleague pasted this into the chat",
    "I saved this from a preview", "The template engine produced this", "I found this in a backup",
)  # fmt: skip

TEMPLATES = (
    Template(
        "search_on_web",
        prompts=(
            "Search the web for “{topic}”.",
            "I need material on “{topic}” for {purpose}. What does a web search turn up?",
            "What can you find online about “{topic}”? It's for {purpose}.",
            "Run a web search for “{topic}”, please, and show me the best pages for {purpose}.",
        ),
        slots={"topic": Pool("search_topics"), "purpose": _SEARCH_FOR},
        steps=(call("web_search", query="{topic}"),),
        rich="Look on the web for pages that match the search terms “{topic}”, and give the titles and "
        "excerpts of the best ones.",
    ),
    Template(
        "page_as_text",
        prompts=(
            "Get me the readable text of the page {address} without any markup.",
            "I'd like to read {address} offline. Please fetch the text of the article for {purpose}.",
            "What does the article at {address} say? I need its text for {purpose}.",
            "Please pull the plain text, title and publication date of the web page {address} for "
            "{purpose}.",
        ),
        slots={"address": _ARTICLE, "purpose": _TEXT_FOR},
        steps=(call("web_page_fetch", url="{address}"),),
        rich="Fetch the web page whose address is {address} and give its title, its text without the "
        "markup and the day on which it was published.",
    ),
    Template(
        "raw_answer_of_api",
        prompts=(
            "Send a {method} request to {address} and show me the raw response.",
            "{why}. What does the API answer to a {method} request on {address} right now?",
            "Please call the endpoint {address} with a plain HTTP {method} and give me status code and "
            "response body. {why}.",
            "HTTP {method} {address} - what comes back? {why}.",
        ),
        slots={"address": _RECORD, "method": pick("GET", "DELETE"), "why": _TESTING},
        steps=(call("http_request", url="{address}", method="{method}"),),
        rich="Send an HTTP request with the method {method} and without a body to the address {address}, "
        "and give the status code and the undecoded body of the response.",
    ),
    Template(
        "body_sent_to_api",
        prompts=(
            "Send an HTTP {method} request to {change.address} with the JSON body {change.body}",
            "Our API expects this body as a {method} request on {change.address}: {change.body} Please send "
            "it.",
            "Make a {method} request to {change.address} for me. The body is {change.body}",
            "{why}. Please do an HTTP {method} to {change.address} with {change.body} as its body and tell "
            "me the response.",
        ),
        slots={
            "change": Pool("api_changes"),
            "method": pick("PUT", "PATCH"),
            "why": _TESTING,
        },
        steps=(
            call("http_request", url="{change.address}", method="{method}", body="{change.body}"),
        ),
        rich="Send an HTTP request with the method {method} to the address {change.address}. Its body is the "
        "JSON object {change.body}. Give the status code and the body of the response.",
    ),
    Template(
        "address_reachable",
        prompts=(
            "Is {address} up? I only need to know whether it answers and how fast.",
            "{why}. Please check whether {address} responds, and with which status code.",
            "How long does {address} take to respond? {why}.",
            "Check the status of {address} for me, but don't fetch the content. {why}.",
        ),
        slots={"address": _SERVICE, "why": _CONTROL},
        steps=(call("check_url_status", url="{address}"),),
        rich="Check whether the address {address} answers. What matters is its status code and the "
        "response time, not the content.",
    ),
    Template(
        "address_of_host",
        prompts=(
            "Which IP address does {host} resolve to?",
            "Do a DNS lookup for {host}, please.",
            "I have to put {host} into the firewall, which only takes IPv4 addresses. What's its "
            "address?",
            "Resolve {host} for me. I also want to know how long the record may be cached.",
        ),
        slots={"host": _HOST},
        steps=(call("dns_lookup", domain="{host}"),),
        rich="Resolve the domain name {host}: find the IPv4 address that stands in its A record, and how "
        "long it may be cached.",
    ),
    Template(
        "links_in_snippet",
        prompts=(
            "Which links are in this snippet? {snippet}",
            "List all link targets in the following HTML: {snippet}",
            "{origin}: {snippet} Where do its links lead?",
            "Please extract the links from {snippet}",
        ),
        slots={"snippet": _LINKS, "origin": _ORIGIN},
        steps=(call("extract_links", content="{snippet}"),),
        rich="The HTML is {snippet} List the targets of all links in it, each once and in order.",
    ),
    Template(
        "latest_of_feed",
        prompts=(
            "What's new in the feed {address} at the moment?",
            "{why}. Please read the RSS feed {address} and list the latest entries.",
            "When was the last entry posted in the feed {address} and what is its title?",
            "Latest headlines from the feed at {address}, please. {why}.",
        ),
        slots={
            "address": _FEED,
            "why": pick(
                "I've been away",
                "I don't have a reader app",
                "I follow them closely",
                "I think I missed something",
                "We quote them often",
                "They're a competitor of ours",
                "My reader is broken",
                "I'm catching up",
                "They post at odd hours",
                "I'm writing a digest",
                "Their mail newsletter was late",
                "I promised a summary",
            ),
        },
        steps=(call("rss_feed_parse", url="{address}"),),
        rich="At the address {address} there is a feed in RSS or Atom format. Read it and list its "
        "latest entries with their dates and titles.",
    ),
    Template(
        "source_as_reader_sees_it",
        prompts=(
            "What are the title, the headings and the visible text of this page? {source}",
            "{origin}: {source} Please parse the HTML and give me its title, text and headings.",
            "Parse this HTML source for me. I need the headings and the text: {source}",
            "Strip the tags from the following HTML, but keep title and headings: {source}",
        ),
        slots={"source": _SOURCE, "origin": _ORIGIN},
        steps=(call("parse_html", html="{source}"),),
        rich="The source of a page is {source} Read this HTML and give its title, its visible text and "
        "its headings.",
    ),
)
