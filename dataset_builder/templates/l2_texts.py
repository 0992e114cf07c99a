"""Level 2, texts: two or three looks at texts, joined in a score, a report or a message."""

from dataset_builder.slot import Pattern, Pool, pick
from dataset_builder.template import Template, call, mentions

_PROFILE = Pattern(
    "{what} of {where}",
    {
        "what": pick("Text check", "Style profile", "Editing notes", "Copy review", "Reading test"),
        "where": pick(
            "page 3", "the back cover", "the press kit", "the club letter", "the notice board",
            "the audio guide", "the travel column", "the spring issue",
        ),
    },
)  # fmt: skip

TEMPLATES = (
    Template(
        "file_and_article_alike",
        prompts=(
            "Read our file {file.path} and the article at {page} for me. How similar are the two "
            "texts? I'd like the similarity score.",
            "I suspect that somebody copied from {file.about} ({file.path}). Fetch the page "
            "{page} and score the similarity of the two texts, our file first.",
            "Please read {file.path}, fetch the article {page}, and compute how alike the two "
            "texts are as a similarity score between 0 and 1.",
            "Similarity check, please: the content of {file.path} as the first text, the text of "
            "the web page {page} as the second.",
        ),
        slots={"file": Pool("prose_files"), "page": Pool("article_addresses")},
        steps=(
            call("read_file", path="{file.path}"),
            call("web_page_fetch", url="{page}"),
            call("text_similarity", text_a="{1.content}", text_b="{2.text}"),
        ),
    ),
    Template(
        "two_halves_decoded",
        prompts=(
            "A note came in two Base64 pieces, {one.encoded} and {two.encoded}. Decode both and "
            "join the decoded texts, in that order, with “{separator}” between them.",
            "Decode {one.encoded} from Base64, do the same with {two.encoded}, and combine the "
            "first text and the second into one, separated by “{separator}”.",
            "Here are two Base64 strings: {one.encoded} and {two.encoded}. I need a single text: "
            "the decoded first one, then “{separator}”, then the decoded second one.",
            "Please turn {one.encoded} and {two.encoded} back into plain text (it's Base64) and "
            "join the results in the same order, using “{separator}” as the separator.",
        ),
        slots={
            "one": Pool("encoded_notes"),
            "two": Pool("encoded_notes"),
            "separator": pick("|", "/", "--", "+", "::", "~"),
        },
        steps=(
            call("base64_decode", encoded="{one.encoded}"),
            call("base64_decode", encoded="{two.encoded}"),
            call("join_texts", texts=["{1.text}", "{2.text}"], separator="{separator}"),
        ),
    ),
    Template(
        "text_profile_report",
        prompts=(
            "I have a text: “{text}” Count its words, work out the school grade level of its "
            "readability and get its sentiment score. Then put the word count, the grade and the "
            "score into a report titled “{title}”.",
            "Please make a report called “{title}” about this text: “{text}” It should state the "
            "number of words, the grade level of its readability and the sentiment score.",
            "Word count, reading grade level and sentiment score of the following text, all three "
            "in a report with the title “{title}”: “{text}”",
            "Before we print this, I need a short report, title “{title}”, with three figures: "
            "how many words the text has, the school grade its readability corresponds to and the "
            "score of its sentiment. The text: “{text}”",
        ),
        slots={"text": Pool("short_passages"), "title": _PROFILE},
        steps=(
            call("word_count", text="{text}"),
            call("readability_score", text="{text}"),
            call("sentiment_analysis", text="{text}"),
            call(
                "generate_report",
                title="{title}",
                content=mentions("{1.word_count}", "{2.grade_level}", "{3.score}"),
            ),
        ),
    ),
    Template(
        "notice_in_three_languages",
        prompts=(
            "Translate “{text}” into {a}, {b} and {c} and e-mail the three translations to "
            "{person.email}.",
            "{person.name} prints a notice for our guests. Please translate “{text}” into {a}, "
            "into {b} and into {c}, then send all three versions in one e-mail to {person.email}.",
            "I need “{text}” in {a}, {b} and {c}. Mail all three to {person.email}, please.",
            "One sentence, three languages: “{text}” should go to {person.email} by e-mail in {a}, "
            "{b} and {c}.",
        ),
        slots={
            "text": Pool("notice_sentences"),
            "a": Pool("target_languages"),
            "b": Pool("target_languages"),
            "c": Pool("target_languages"),
            "person": Pool("people"),
        },
        steps=(
            call("translate_text", text="{text}", target_language="{a}"),
            call("translate_text", text="{text}", target_language="{b}"),
            call("translate_text", text="{text}", target_language="{c}"),
            call(
                "send_email",
                to="{person.email}",
                body=mentions("{1.translation}", "{2.translation}", "{3.translation}"),
            ),
        ),
    ),
    Template(
        "easier_of_two_texts",
        prompts=(
            "Which of these two texts is easier to read? First: “{one}” Second: “{two}”",
            "Rate the readability of both drafts and tell me which one more of our readers will "
            "follow. Draft A: “{one}” Draft B: “{two}”",
            "We can print only one of these in the leaflet and want the more readable one. "
            "“{one}” or “{two}”",
            "Compare the reading ease of “{one}” with that of “{two}” Which of them scores higher?",
        ),
        slots={"one": Pool("short_passages"), "two": Pool("short_passages")},
        steps=(
            call("readability_score", text="{one}"),
            call("readability_score", text="{two}"),
        ),
        optional=(call("min_max", numbers=["{1.reading_ease}", "{2.reading_ease}"]),),
    ),
)
