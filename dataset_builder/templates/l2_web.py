"""Level 2, web and knowledge: pages, addresses, headlines and entries looked up side by side."""

from dataset_builder.slot import Pattern, Pool, pick
from dataset_builder.template import Template, call, mentions

_SIGN_UP = Pattern(
    "{who}{sign}{what}@{where}.example",
    {
        "who": pick("lena", "arjun", "sven", "maria", "tobi", "chiara", "freya", "akira"),
        "sign": pick(".", "_", "-", ""),
        "what": pick("garden", "hill", "sailing", "ruiz", "berg", "studio", "king", "home", "ott"),
        "where": pick(
            "postfach", "mailbox", "quickpost", "northmail", "webpost", "letterbird", "inboxly",
            "fastletter", "bluemail", "paperplane",
        ),
    },
)  # fmt: skip

TEMPLATES = (
    Template(
        "days_between_articles",
        prompts=(
            "How many days lie between the publication of {one} and that of {two}, counted from "
            "the first article to the second? Fetch both pages to find out.",
            "Fetch the articles {one} and {two} and tell me the number of days from the "
            "publication date of the former to that of the latter.",
            "The first article is {one}, the second {two}. How many days after the first was the "
            "second published? A negative number is fine.",
            "Please check when {one} was published and when {two} was published (the dates are on "
            "the pages) and calculate the days from the first date to the second.",
        ),
        slots={"one": Pool("article_addresses"), "two": Pool("article_addresses")},
        steps=(
            call("web_page_fetch", url="{one}"),
            call("web_page_fetch", url="{two}"),
            call("calculate_date_diff", start_date="{1.published}", end_date="{2.published}"),
        ),
    ),
    Template(
        "search_and_press_by_mail",
        prompts=(
            "Search the web for “{topic}” and also get the news headlines about “{topic}”. E-mail "
            "the address of the top web result and the name of the top news source to "
            "{person.email}.",
            "{person.name} writes about “{topic}” and needs a start: the URL of the best web page "
            "and the publication with the newest headline. Run a web search and a news search for "
            "“{topic}” and mail both to {person.email}.",
            "For “{topic}”, find the first hit of a web search and the leading source of the news "
            "headlines, then send the link and the source by e-mail to {person.email}.",
        ),
        slots={"topic": Pool("search_topics"), "person": Pool("people")},
        steps=(
            call("web_search", query="{topic}"),
            call("get_news_headlines", topic="{topic}"),
            call(
                "send_email",
                to="{person.email}",
                body=mentions("{1.top_url}", "{2.top_source}"),
            ),
        ),
    ),
    Template(
        "site_check_to_saved_channel",
        prompts=(
            "Check how fast {url} responds and which IP address {domain} resolves to. Post both "
            "values as a chat message in the channel that you remember under “{key}”.",
            "You remember one of our chat channels under the key “{key}”. Message that channel the "
            "response time of {url} and the IP address of the domain {domain}.",
            "Health check, please: response time of {url}, DNS lookup of {domain}. The two "
            "results, time and IP address, go as a message to the chat channel remembered under "
            "“{key}”.",
        ),
        slots={
            "url": Pool("service_addresses"),
            "domain": Pool("company_domains"),
            "key": pick("alert_channel"),
        },
        steps=(
            call("retrieve_memory", key="{key}"),
            call("check_url_status", url="{url}"),
            call("dns_lookup", domain="{domain}"),
            call(
                "send_message",
                recipient="{1.value}",
                text=mentions("{2.response_ms}", "{3.ip_address}"),
            ),
        ),
    ),
    Template(
        "scatter_of_response_times",
        prompts=(
            "Check {one}, {two} and {three}. What is the {basis} standard deviation of their "
            "response times?",
            "How much do the response times of {one}, {two} and {three} vary? Measure each once "
            "and give me the {basis} standard deviation.",
            "Do {one}, {two} and {three} respond equally fast? Please take the response time of "
            "each and compute the {basis} standard deviation of the three.",
            "Response time check on {one}, {two} and {three}, followed by the {basis} standard "
            "deviation of the three times.",
        ),
        slots={
            "one": Pool("service_addresses"),
            "two": Pool("service_addresses"),
            "three": Pool("service_addresses"),
            "basis": pick("sample", "population"),
        },
        steps=(
            call("check_url_status", url="{one}"),
            call("check_url_status", url="{two}"),
            call("check_url_status", url="{three}"),
            call(
                "standard_deviation",
                numbers=["{1.response_ms}", "{2.response_ms}", "{3.response_ms}"],
                basis="{basis}",
            ),
        ),
    ),
    Template(
        "faster_of_two_pages",
        prompts=(
            "Of {one} and {two}, which one responds faster right now?",
            "Customers say that {one} is slower than {two}. Check the response time of both; are "
            "they right?",
            "Please check the response times of {one} and {two} and tell me which is the quicker "
            "one.",
            "Between {one} and {two}, which has the shorter response time at the moment?",
        ),
        slots={"one": Pool("service_addresses"), "two": Pool("service_addresses")},
        steps=(
            call("check_url_status", url="{one}"),
            call("check_url_status", url="{two}"),
        ),
        optional=(call("min_max", numbers=["{1.response_ms}", "{2.response_ms}"]),),
    ),
    Template(
        "riskiest_sign_up",
        prompts=(
            "Three people signed up with {one}, {two} and {three}. Validate the addresses and "
            "tell me which one is the riskiest to mail to.",
            "Please validate the e-mail addresses {one}, {two} and {three}. Which of them has the "
            "highest risk score?",
            "To which of these will mail most likely bounce: {one}, {two} or {three}? Validate "
            "each of the three addresses.",
            "Before the newsletter goes out I want {one}, {two} and {three} validated. Which "
            "address carries the most risk?",
        ),
        slots={"one": _SIGN_UP, "two": _SIGN_UP, "three": _SIGN_UP},
        steps=(
            call("validate_email", email="{one}"),
            call("validate_email", email="{two}"),
            call("validate_email", email="{three}"),
        ),
        optional=(call("min_max", numbers=["{1.risk_score}", "{2.risk_score}", "{3.risk_score}"]),),
    ),
    Template(
        "older_of_two_companies",
        prompts=(
            "Which company was founded first, {one} or {two}? Look both up in the encyclopedia.",
            "Quiz night! {one} or {two}: which is the older company according to the encyclopedia?",
            "Please read the encyclopedia entries of {one} and {two} and tell me which of the two "
            "was founded earlier.",
            "My son claims that {one} is older than {two}. Check both in the encyclopedia: is he "
            "right?",
        ),
        slots={"one": Pool("old_companies"), "two": Pool("old_companies")},
        steps=(call("lookup_entity", name="{one}"), call("lookup_entity", name="{two}")),
    ),
)
