"""Level 3, research and reporting: search results and pages digested, compared and written up."""

from dataset_builder.slot import Pattern, Pool, pick
from dataset_builder.template import Template, call, mentions

_PLACES = pick(("zero decimals", 0), ("one decimal", 1), ("two decimals", 2))
_TITLE = pick(
    "Topic profile", "Background note", "Client briefing", "Scan for the board",
    "Workshop hand-out", "Who says what", "First findings", "Notes for the panel",
    "Media snapshot", "Preparation for Thursday", "Desk research", "State of play",
)  # fmt: skip

TEMPLATES = (
    Template(
        "search_digest_by_email",
        prompts=(
            "Search the web for “{topic}”. Summarize what comes back, extract the keywords from "
            "the same results, and email the summary and the keywords to {person.email}.",
            "Could you do a web search on “{topic}” and send {person.email} an email with two "
            "things: a summary of the results and the keywords of the results?",
            "“{topic}”: search online, boil the results down to a summary, pull the keywords out "
            "of the full results as well, and mail summary plus keywords to {person.email}.",
            "My colleague at {person.email} needs the gist on “{topic}”. Run a web search, make a "
            "summary of the results, list the keywords found in the results, and put both into an "
            "email to that address.",
        ),
        slots={"topic": Pool("search_topics"), "person": Pool("people")},
        steps=(
            call("web_search", query="{topic}"),
            call("summarize_text", text="{1.results}"),
            call("keyword_extract", text="{1.results}"),
            call("send_email", to="{person.email}", body=mentions("{2.summary}", "{3.keywords}")),
        ),
    ),
    Template(
        "topic_profile_report",
        prompts=(
            "Give me a report on “{topic}”. Search the web for it; from the results extract the "
            "people and organizations named, the sentiment score and the keywords, and put all of "
            "that into the report. Its title is “{title}”.",
            "Web search for “{topic}”, please. Then three analyses of the same results: named "
            "people and organizations, sentiment score, keywords. Gather the findings of all "
            "three in one report with the title “{title}”.",
            "I'm preparing a talk about “{topic}”. Look it up on the web, find out which people "
            "and organizations the results name, what sentiment score the results get and what "
            "their keywords are, then lay it all out as a report titled “{title}”.",
            "Search the web: “{topic}”. Report wanted, titled “{title}”, with the people and "
            "organizations mentioned in the results, the results' sentiment score and their "
            "keywords.",
        ),
        slots={
            "topic": Pool("search_topics"),
            "title": _TITLE,
        },
        steps=(
            call("web_search", query="{topic}"),
            call("extract_entities", text="{1.results}"),
            call("sentiment_analysis", text="{1.results}"),
            call("keyword_extract", text="{1.results}"),
            call(
                "generate_report",
                content=mentions("{2.people}", "{2.organizations}", "{3.score}", "{4.keywords}"),
                title="{title}",
            ),
        ),
    ),
    Template(
        "two_searches_alike",
        prompts=(
            "Search the web for “{one}” and for “{two}”, measure how similar the two sets of "
            "results are, and write the similarity as a {percent} with {places}.",
            "How alike is what the web says about “{one}” and about “{two}”? Run both searches, "
            "compute the similarity of the two result texts and format it as a {percent} with "
            "{places}.",
            "Two web searches, “{one}” and “{two}”. I'd like the similarity of their results, "
            "formatted as a {percent} with {places}.",
            "For my clustering notes: web results on “{one}”, web results on “{two}”, the "
            "similarity of the two texts, and that similarity written as a {percent} with "
            "{places}, please.",
        ),
        slots={
            "one": Pool("search_topics"),
            "two": Pool("search_topics"),
            "percent": pick(("percentage", "percent")),
            "places": _PLACES,
        },
        steps=(
            call("web_search", query="{one}"),
            call("web_search", query="{two}"),
            call("text_similarity", text_a="{1.results}", text_b="{2.results}"),
            call("format_number", number="{3.similarity}", style="{percent}", decimals="{places}"),
        ),
    ),
    Template(
        "headlines_joined_for_keywords",
        prompts=(
            "Get the latest news headlines on “{one}” and on “{two}”, join the two lists into a "
            'single text in that order with "{mark}" in between, and extract the keywords of the '
            "joined text.",
            "What words dominate the news on “{one}” and “{two}” taken together? Fetch the "
            'headlines for each, join them (first topic first, separated by "{mark}") and pull '
            "the keywords from the result.",
            "News headlines about “{one}”, news headlines about “{two}”: put them into one text "
            'in this order, with "{mark}" as the separator, then give me the keywords of that '
            "text.",
            "For the newsletter tag line, please join the headlines on “{one}” with those on "
            '“{two}” by the separator "{mark}", in that order, and run a keyword extraction over '
            "the whole.",
        ),
        slots={
            "one": Pool("search_topics"),
            "two": Pool("search_topics"),
            "mark": pick("|", "---", "***", "//", "###", "==="),
        },
        steps=(
            call("get_news_headlines", topic="{one}"),
            call("get_news_headlines", topic="{two}"),
            call("join_texts", texts=["{1.headlines}", "{2.headlines}"], separator="{mark}"),
            call("keyword_extract", text="{3.result}"),
        ),
    ),
    Template(
        "first_hit_digest",
        prompts=(
            "Search the web for “{topic}” and fetch the top page it finds. Summarize the text of "
            "that page, extract the people and organizations it names, and email the summary "
            "along with those names to {person.email}.",
            "Find the first web page on “{topic}” by searching, read it, and send {person.email} "
            "an email with a summary of the page's text and the people and organizations that the "
            "text mentions.",
            "I only trust the top hit. Web search “{topic}”, open the first result's page, then "
            "from the page's text make a summary and a list of the people and organizations; mail "
            "both to {person.email}.",
            "Please mail {person.email} two findings about the best page that a web search for "
            "“{topic}” brings up: the summary of its text, and the people and organizations named "
            "in the text. You'll have to fetch the page first.",
        ),
        slots={"topic": Pool("search_topics"), "person": Pool("people")},
        steps=(
            call("web_search", query="{topic}"),
            call("web_page_fetch", url="{1.top_url}"),
            call("summarize_text", text="{2.text}"),
            call("extract_entities", text="{2.text}"),
            call(
                "send_email",
                to="{person.email}",
                body=mentions("{3.summary}", "{4.people}", "{4.organizations}"),
            ),
        ),
    ),
    Template(
        "article_review_report",
        prompts=(
            "Fetch the article {page}. From its text make a summary and work out the sentiment "
            "score, then write a report titled “{title}” that contains both.",
            "Please review {page}: get the page, summarize the text, measure how the text scores "
            "for sentiment, and lay out the summary and the sentiment score as a report with the "
            "title “{title}”.",
            "Report wanted, title “{title}”. Contents: a summary of the text on the page {page} "
            "and the sentiment score of the same text.",
            "What does the page at {page} say, and in what tone? I'd like its text summarized and "
            "its sentiment score, both in a report called “{title}”.",
        ),
        slots={"page": Pool("article_addresses"), "title": _TITLE},
        steps=(
            call("web_page_fetch", url="{page}"),
            call("summarize_text", text="{1.text}"),
            call("sentiment_analysis", text="{1.text}"),
            call("generate_report", content=mentions("{2.summary}", "{3.score}"), title="{title}"),
        ),
    ),
    Template(
        "summary_shrinkage",
        prompts=(
            "Fetch the article at {page} and summarize its text in at most {length} sentences. By "
            "how many percent does the number of characters change from the article's text to the "
            "summary?",
            "Read {page}, make a summary of the text ({length} sentences at most), count the "
            "characters of the text and the characters of the summary, and give me the percentage "
            "change from the former to the latter.",
            "How much shorter is a summary of {page} than the page itself? Get the page's text, "
            "summarize it in no more than {length} sentences, count the characters of both and "
            "work out the change in percent.",
            "For the readers' guide: page text of {page}, a summary of it in up to {length} "
            "sentences, the character count of each, and the percentage change from the full text "
            "to the summary.",
        ),
        slots={
            "page": Pool("article_addresses"),
            "length": pick(("two", 2), ("three", 3), ("four", 4), ("5", 5), ("6", 6), ("seven", 7)),
        },
        steps=(
            call("web_page_fetch", url="{page}"),
            call("summarize_text", text="{1.text}", max_sentences="{length}"),
            call("word_count", text="{1.text}"),
            call("word_count", text="{2.summary}"),
            call(
                "percentage_change",
                old_value="{3.character_count}",
                new_value="{4.character_count}",
            ),
        ),
    ),
    Template(
        "briefing_saved_and_mailed",
        prompts=(
            "Web search for “{topic}”. Summarize the results and, separately, get their sentiment "
            "score; write a report from the summary and the score. Save the report as the file "
            "{path}, and send the same report to {person.email} as the text of an email.",
            "I need a briefing on “{topic}” on file and by email. Search the web, summarize the "
            "results, measure the sentiment score of the same results, make a report of summary and "
            "score, save that report to the file {path}, and email it to {person.email} with the "
            "report itself as the body.",
            "Please search the web for “{topic}”, then prepare a report that holds a summary of "
            "the results and the sentiment score of the results. The finished report goes to two "
            "places: the file {path} and, as the body of an email, {person.email}.",
        ),
        slots={
            "topic": Pool("search_topics"),
            "person": Pool("people"),
            "path": Pattern(
                "/reports/{kind}_{week}.txt",
                {
                    "kind": pick("briefing", "market_scan", "trends", "background", "digest"),
                    "week": pick("july", "week_29", "summer", "q3", "board", "client"),
                },
            ),
        },
        steps=(
            call("web_search", query="{topic}"),
            call("summarize_text", text="{1.results}"),
            call("sentiment_analysis", text="{1.results}"),
            call("generate_report", content=mentions("{2.summary}", "{3.score}")),
            call("write_file", path="{path}", content="{4.report}"),
            call("send_email", to="{person.email}", body="{4.report}"),
        ),
    ),
)
