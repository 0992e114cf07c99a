"""Level 0: the company's database and handbook, the encyclopedia, languages and addresses."""

from dataset_builder.slot import Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_FOR = pick(
    "the quarterly review", "a mailing", "the audit", "my hand-over", "the planning round",
    "the auditor", "our sales call", "the board", "a quick check", "the Monday meeting",
)  # fmt: skip
_ASKING = pick(
    "a colleague", "my manager", "the works council", "a new hire", "our intern", "the night shift",
    "the branch in Porto", "a team mate", "our apprentice", "the front desk",
)  # fmt: skip
_ARTICLE = pick(
    "the pub quiz", "a travel guide", "my crossword", "a birthday speech", "the school magazine",
    "a trivia card", "our city walk", "a caption", "a footnote", "my homework",
)  # fmt: skip
_IP = Pattern(
    "{a}.{b}.{c}.{d}",
    {
        "a": pick(
            "23", "31", "45", "62", "77", "81", "91", "104", "142", "151", "185", "194", "212"
        ),
        "b": Whole(11, 249),
        "c": Whole(2, 251),
        "d": Whole(3, 252),
    },
)
_LOGIN = pick(
    "Somebody signed in to my account", "This one fills our server log", "The alarm shows an address",
    "A spammer wrote from there", "Our firewall blocked a visitor", "I got a strange order",
    "A tester reported a glitch", "We have a mysterious regular guest",
)  # fmt: skip
_FOUND = pick(
    "on a note in a library book", "on a jar of jam", "in my letter box", "on the back of a photo",
    "in a guest book", "on a ferry ticket", "in a chat", "on a sticker", "in an old cookbook",
    "on a bus stop", "in a customer's e-mail", "on a crate", "under a painting", "on a T-shirt",
)  # fmt: skip
_URL = Pattern(
    "https://{part}.{name}.{suffix}/{page}",
    {
        "part": pick("tickets", "blog.press", "shop", "my", "booking", "static.cdn", "news", "help"),
        "name": pick(
            "quillhaven", "brindlecroft", "amberroast-coffee", "larkspur-events", "polarpress-books",
            "tidewaterfish", "kestrelhouse-inn", "fjellheim-hytte", "copperlane-bikes",
            "windrose-sailing", "northpier-arcade", "harborlight-stage",
        ),
        "suffix": pick("co.uk", "com.au", "org.nz", "example", "co.jp", "com.br", "de", "org.uk"),
        "page": pick("search?q=tents", "en/start", "2026/07/offer", "login", "cart", "item/4471"),
    },
)  # fmt: skip
_ALLOW = pick(
    "the allow list", "our spam filter", "the cookie banner", "the licence form", "the proxy rules",
    "the block list",
)  # fmt: skip

TEMPLATES = (
    Template(
        "rows_of_table",
        prompts=(
            "From the company database I need all {filter.table} whose {filter.column} is "
            "“{filter.value}”.",
            "Which {filter.table} in our database have “{filter.value}” as their {filter.column}? It's "
            "for {use}.",
            "For {use}: please pull the rows of the {filter.table} table where {filter.column} equals "
            "“{filter.value}”.",
            "Database check for {use}, please. How many {filter.table} have the {filter.column} "
            "“{filter.value}”, and which ones?",
        ),
        slots={"filter": Pool("database_filters"), "use": _FOR},
        steps=(
            call(
                "database_query",
                table="{filter.table}",
                filter_column="{filter.column}",
                filter_value="{filter.value}",
            ),
        ),
        rich="The company keeps a database. Read from its table {filter.table} the rows whose column "
        "{filter.column} holds “{filter.value}”.",
    ),
    Template(
        "figures_of_column",
        prompts=(
            "List the {figure.number} figures of the {figure.table} whose {figure.column} is "
            "“{figure.value}” in the company database.",
            "From the {figure.table} table of our database I need the values of the column "
            "{figure.number}, but only where {figure.column} is “{figure.value}”.",
            "For {use}: the {figure.number} values from the {figure.table} table, please, filtered by "
            "{figure.column} “{figure.value}”.",
            "Query the database for {use}: column {figure.number}, table {figure.table}, only rows "
            "with the {figure.column} “{figure.value}”.",
        ),
        slots={"figure": Pool("database_figures"), "use": _FOR},
        steps=(
            call(
                "database_query",
                table="{figure.table}",
                column="{figure.number}",
                filter_column="{figure.column}",
                filter_value="{figure.value}",
            ),
        ),
        rich="The company keeps a database. Read its table {figure.table}, only the rows whose column "
        "{figure.column} holds “{figure.value}”, and list the numbers in their column {figure.number}.",
    ),
    Template(
        "entry_on_name",
        prompts=(
            "What does the encyclopedia say about “{entity.name}”?",
            "Look up “{entity.name}” in the encyclopedia, please.",
            "I need the encyclopedia entry on “{entity.name}” for {use}.",
            "For {use}: is there a short encyclopedia entry for “{entity.name}”?",
        ),
        slots={"entity": Pool("facts/entities"), "use": _ARTICLE},
        steps=(call("lookup_entity", name="{entity.name}"),),
        rich="Consult an encyclopedia for the entry named “{entity.name}”: what it is, where it belongs "
        "and a short description.",
    ),
    Template(
        "rule_in_handbook",
        prompts=(
            "What does our company handbook say about “{topic}”?",
            "Look up “{topic}” in the handbook, please, {asker} wants to know.",
            "{asker} asks me about “{topic}”. Can you find the article in the company handbook?",
            "Internal question from {asker}: which rules does the handbook have on “{topic}”?",
        ),
        slots={"topic": Pool("handbook_topics"), "asker": _ASKING},
        steps=(call("knowledge_base_query", query="{topic}"),),
        rich="The company has a handbook with its internal rules and services. Find the article in it "
        "that answers a question about “{topic}”.",
    ),
    Template(
        "place_of_ip",
        prompts=(
            "Where in the world is the IP address {address} located?",
            "{why}. The IP is {address} - which city and provider is that?",
            "Please geolocate the IP address {address} for me. {why}.",
            "{why}, and the IP address is {address} as far as I can tell. Where is it from?",
        ),
        slots={"address": _IP, "why": _LOGIN},
        steps=(call("ip_geolocation", ip_address="{address}"),),
        rich="The IPv4 address is {address}. Find out in which city and country it is located, and "
        "which internet provider it belongs to.",
    ),
    Template(
        "language_of_note",
        prompts=(
            "What language is “{text}” written in?",
            "I found this {where}: “{text}” Which language is that?",
            "“{text}” - it says so {where}, but I don't even recognize the language. Which one is it?",
            "Please detect the language of “{text}”",
        ),
        slots={"text": Pool("foreign_sentences"), "where": _FOUND},
        steps=(call("detect_language", text="{text}"),),
        rich="Somebody wrote “{text}” Find out in which language that is.",
    ),
    Template(
        "registered_domain_of_url",
        prompts=(
            "What is the registered domain in {address} without subdomain and path?",
            "Extract the domain from the URL {address} for {use}, please.",
            "{use} wants only the registered domain. Which one is it for {address} then?",
            "Split the host of {address} for me: which part is the domain, which the subdomain?",
        ),
        slots={"address": _URL, "use": _ALLOW},
        steps=(call("extract_domain", url="{address}"),),
        rich="The address is {address} Find the registered domain in it, such as somebody can buy, and "
        "the subdomain before it.",
    ),
)
