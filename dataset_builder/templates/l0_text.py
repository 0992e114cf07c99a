"""Level 0: what texts say and how they read; changes, misspellings, repeated lines."""

from dataset_builder.slot import Pattern, Pool, pick
from dataset_builder.template import Template, call

_READER = pick(
    "our trainees", "my grandmother", "the parish newsletter", "the town council", "new members",
    "our volunteers", "the school board", "busy visitors", "ninth-graders", "the night shift",
    "our exchange students", "the tenants' meeting",
)  # fmt: skip
_NAMES = Pattern(
    "{who} of {firm} {met} {other} in {city}. {then} {place} {when}.",
    {
        "who": pick(
            "Claire Laurent", "Daniel Whitmore", "Sofia Almeida", "Kenji Watanabe", "Oliver Grant",
            "Magnus Lindqvist", "Nadia Haddad", "Mateo Herrera", "Ingrid Nygaard", "Felix Brandt",
        ),
        "firm": pick(
            "Siemens", "Northwind Labs", "UNESCO", "Praxis Institute", "Spotify", "Cobalt Robotics",
            "Deutsche Bank", "Brightfield Foods", "Amnesty International", "Helios Dynamics",
        ),
        "met": pick("met", "interviewed", "had lunch with", "signed a contract with", "welcomed"),
        "other": pick(
            "Hannah Weber", "Omar Rahman", "Julia Moreno", "Peter Walsh", "Laura Costa",
            "Samuel Adeyemi", "Chloe Martin", "Lars Eriksen",
        ),
        "city": pick(
            "Lisbon", "Toronto", "Copenhagen", "Nairobi", "Kyoto", "Milan", "Boston", "Warsaw",
            "Montreal", "Dublin",
        ),
        "then": pick("Both will travel on to", "The next meeting is in", "They flew back from"),
        "place": pick("Vienna", "Singapore", "Geneva", "Chicago", "Cape Town", "Helsinki"),
        "when": pick("in May", "on Friday", "after the fair", "in the new year", "next week"),
    },
)  # fmt: skip
_REVIEW = Pattern(
    "{first} {second} {third}",
    {
        "first": pick(
            "The room was spotless and the bed a dream.", "The room smelled of smoke.",
            "Our room was small but bright.", "The shower was broken on both days.",
            "What a lovely view of the lake!", "The walls are thin and the street is loud.",
            "The room looked just like the pictures.", "We loved the quiet garden.",
            "The heating did not work at all.", "The lobby is dark and crowded.",
        ),
        "second": pick(
            "The staff could not have been kinder.", "Nobody answered our complaint.",
            "Breakfast was fresh and generous.", "Breakfast was cold and overpriced.",
            "They even upgraded us for free.", "The receptionist was rude to my father.",
            "Check-in took two minutes.", "We waited an hour for the key.",
            "The spa is excellent.", "The lift was out of order.",
        ),
        "third": pick(
            "We would come back at once.", "Never again.", "I recommend it to everyone.",
            "What a waste of money.", "Four stars from us.", "We left a day early.",
            "It was a perfect weekend.", "The price was fair.", "I am still waiting for a refund.",
        ),
    },
)  # fmt: skip
_WHERE = pick(
    "in our guest book", "on the hotel's page", "in our survey", "on a travel site", "by e-mail"
)
_MISSPELT = Pattern(
    "{first} {second}",
    {
        "first": pick(
            "I definately ordered the blue curtains.", "We recieved the invoce twice.",
            "My neice is a profesional dancer.", "The resturant has a beautifull garden.",
            "Thank you for the excelent guidence.", "Our adress has changed in Febuary.",
            "The libary is closed tommorow.", "The equiptment did not arive.",
            "I beleive the calender is wrong.", "The begining of the film was wierd.",
            "The accomodation was cheap but noisy.", "Your collegue was realy helpful.",
        ),
        "second": pick(
            "Please send a responce by Monday.", "It was an embarassing mistake.",
            "We keep every reciept seperately.", "My freind noticed the diffrence.",
            "The delivary is late becuase of the snow.", "What a wonderfull suprise!",
            "I would recomend it to a neighbour.", "The next metting is on Wensday.",
            "Nobody could garantee the price.", "It is neccessary to book early.",
            "The manager apologised immediatly.", "We are gratefull for your help.",
        ),
    },
)  # fmt: skip
_ROUGH = Pattern(
    "{first} {second}",
    {
        "first": pick(
            "Our team repaired the old road to the lake.", "The shop near the station was closed.",
            "The village built a small house for visitors.", "The company began a garden project.",
            "Several workers noticed an error in the plans.", "Many people asked for more benches.",
            "The town improved the street near the school.", "A clever child found the lost dog.",
            "The famous café bought modern pictures.", "The doctor started a choir for children.",
            "The hotel created a quiet area by the river.", "Our club collected money for boats.",
        ),
        "second": pick(
            "It was a difficult task, but everybody helped.", "The whole street is happy about it.",
            "The result is wonderful.", "Many visitors believe it was a good idea.",
            "That was important for the area.", "Nobody was upset about the costs.",
            "The answer of the mayor was brief.", "It began as a small idea during a meeting.",
            "That usually takes enormous patience.", "Only the end of the story is sad.",
        ),
    },
)  # fmt: skip
_SOURCE = pick("my old essay", "the press text", "their website", "the leaflet", "last year's mail")
_PAPER = pick(
    "the notice", "the brochure", "the letter", "our website", "the information sheet", "the memo",
    "the newsletter", "the draft",
)  # fmt: skip
_LINES = Pattern(
    "{a}\n{b}\n{a}\n{c}\n{d}\n{b}",
    {
        "a": pick("Rye bread", "Oat milk", "Pears", "Basil", "Lamp oil", "Candles", "Walnuts"),
        "b": pick("Olive soap", "Two lemons", "Butter", "Honey", "Matches", "Plum jam", "Leeks"),
        "c": pick("Stamps", "Tea towels", "Garlic", "Eggs", "Batteries", "Cumin", "Tape"),
        "d": pick("Sea salt", "Mushrooms", "String", "Apples", "Yeast", "Mustard", "Figs"),
    },
)  # fmt: skip
_LIST = pick("my shopping list", "the list for the hut", "our camping list", "the kitchen list")

TEMPLATES = (
    Template(
        "gist_in_sentences",
        prompts=(
            "Summarize this in at most {count}: “{text}”",
            "A summary for {reader}, please, no longer than {count}: “{text}”",
            "“{text}” - could you give {reader} the gist of that in no more than {count}?",
            "I want to show this to {reader}, but it's too long. Could you summarize it in {count} at "
            "most? “{text}”",
        ),
        slots={
            "text": Pool("passages"),
            "reader": _READER,
            "count": pick(("one sentence", 1), ("two sentences", 2), ("three sentences", 3)),
        },
        steps=(call("summarize_text", text="{text}", max_sentences="{count}"),),
        rich="The text is “{text}” Shorten it by keeping only its most central sentences, {count} at "
        "most, and leave the others out.",
    ),
    Template(
        "names_in_text",
        prompts=(
            "Which people, places and organizations are named in “{text}”?",
            "Pull the names of people, places and organizations out of this note: “{text}”",
            "Named entities in the following text, please: “{text}”",
            "I'm building an index. Who and what does this mention in the way of persons, places "
            "and institutions? “{text}”",
        ),
        slots={"text": _NAMES},
        steps=(call("extract_entities", text="{text}"),),
        rich="The text is “{text}” Find the names of all persons, places and organizations that occur "
        "in it, and tell how many different ones there are.",
    ),
    Template(
        "mood_of_review",
        prompts=(
            "Is this review positive, negative or neutral? “{review}”",
            "Somebody wrote this {where}: “{review}” Does it sound positive or negative overall?",
            "Sentiment of the following feedback, please, with a score: “{review}”",
            "I've read too many reviews today. How would you judge the sentiment of this one, which "
            "came {where}? “{review}”",
        ),
        slots={"review": _REVIEW, "where": _WHERE},
        steps=(call("sentiment_analysis", text="{review}"),),
        rich="A guest wrote “{review}” Judge whether that sounds positive, negative or neutral, and "
        "how strongly.",
    ),
    Template(
        "topic_among_sections",
        prompts=(
            "Which of the topics {item.labels} fits this text? “{item.text}”",
            "The topics in {outlet} are {item.labels}. Which one does this item go to? "
            "“{item.text}”",
            "Classify the following teaser by topic. The choices are {item.labels}: “{item.text}”",
            "“{item.text}” - under which topic would you file that for {outlet}, if the only "
            "choices are {item.labels}?",
        ),
        slots={
            "item": Pool("topic_texts"),
            "outlet": pick(
                "our newsletter",
                "the school paper",
                "the intranet",
                "our archive",
                "the app",
                "the weekend edition",
                "the radio programme",
                "the village gazette",
            ),
        },
        steps=(call("classify_text", text="{item.text}", labels="{item.labels}"),),
        rich="The text is “{item.text}” Assign it to exactly one of the topics {item.labels}, whichever "
        "suits it best; no other topic is allowed.",
    ),
    Template(
        "topic_of_teaser",
        prompts=(
            "What topic does this text from {outlet} belong to? “{item.text}”",
            "I'm sorting old teasers from {outlet} by topic. What would this one be filed under? "
            "“{item.text}”",
            "Please classify by topic: “{item.text}”",
            "“{item.text}” - that is from {outlet}. Which general topic is it?",
        ),
        slots={
            "item": Pool("topic_texts"),
            "outlet": pick(
                "the local paper",
                "a news site",
                "our radio station",
                "the evening news",
                "a wire service",
                "the city magazine",
                "a press review",
                "our clippings folder",
                "the reading room",
                "a bulletin board",
                "the morning show",
                "a media monitor",
            ),
        },
        steps=(call("classify_text", text="{item.text}"),),
        rich="The text is “{item.text}” Assign it to the one general topic, such as a section of a "
        "newspaper, that suits it best.",
    ),
    Template(
        "changes_between_versions",
        prompts=(
            "What changed between these two versions of {paper}? Old: “{pair.before}” New: "
            "“{pair.after}”",
            "Show me word by word how {paper} was changed. Before: “{pair.before}” After: "
            "“{pair.after}”",
            "{paper} used to say “{pair.before}” Now it says “{pair.after}” Which words were added "
            "and which were removed?",
            "Diff two sentences for me, please. From the first version: “{pair.before}” From the "
            "second: “{pair.after}”",
        ),
        slots={"pair": Pool("revisions"), "paper": _PAPER},
        steps=(call("compare_texts", text_a="{pair.before}", text_b="{pair.after}"),),
        rich="The original text is “{pair.before}” and the changed text is “{pair.after}” Show word by "
        "word what was added and what was removed from the one to the other.",
    ),
    Template(
        "keywords_of_text",
        prompts=(
            "What are the {count} most frequent keywords in this text? “{text}”",
            "I'd like to tag an article with its {count} top keywords. Here it is: “{text}”",
            "{count} keywords, the most frequent ones, from: “{text}”",
            "For the index of {reader} please extract the {count} main keywords from “{text}”",
        ),
        slots={
            "text": Pool("passages"),
            "count": pick(("three", 3), ("four", 4), ("six", 6), ("seven", 7), ("eight", 8)),
            "reader": pick(
                "our archive",
                "the library",
                "the blog",
                "the image bank",
                "the annual report",
                "the press review",
            ),
        },
        steps=(call("keyword_extract", text="{text}", max_keywords="{count}"),),
        rich="The text is “{text}” List the words that occur most often in it, {count} at most, words "
        "without content such as articles left out.",
    ),
    Template(
        "misspellings_in_note",
        prompts=(
            "Check the spelling of “{text}”",
            "Please correct the spelling mistakes in this text for {paper}: “{text}”",
            "My spelling is awful. What's misspelled here, and how is it right? “{text}”",
            "Before this goes into {paper}: are there misspellings in “{text}”?",
        ),
        slots={"text": _MISSPELT, "paper": _PAPER},
        steps=(call("spell_check", text="{text}"),),
        rich="The text is “{text}” Find the misspelled English words in it, say how many there are, and "
        "give the text with their spelling corrected.",
    ),
    Template(
        "reading_level",
        prompts=(
            "How easy to read is this text for {reader}? “{text}”",
            "We write for {reader}. What is the Flesch reading ease of the following? “{text}”",
            "Which US school grade do you have to be in to read this comfortably? “{text}”",
            "Is this too difficult for {reader}? I'd like its readability score: “{text}”",
        ),
        slots={"text": Pool("passages"), "reader": _READER},
        steps=(call("readability_score", text="{text}"),),
        rich="The text is “{text}” Rate how easy it is to read, as the Flesch reading ease and as the "
        "US school grade that can understand it.",
    ),
    Template(
        "same_in_other_words",
        prompts=(
            "Paraphrase this: “{text}”",
            "Please reword the following, it's too close to {source}: “{text}”",
            "Say the same in other words: “{text}”",
            "I can't reuse the wording from {source}. Could you rephrase “{text}” with synonyms?",
        ),
        slots={"text": _ROUGH, "source": _SOURCE},
        steps=(call("paraphrase_text", text="{text}"),),
        rich="The text is “{text}” Express the same in other words by exchanging words for synonyms, "
        "without shortening it.",
    ),
    Template(
        "repeated_lines_removed",
        prompts=(
            "Remove the duplicate lines from {list}:\n\n{lines}",
            "Some lines in {list} appear twice. Keep the first of each and drop the others:\n\n{lines}",
            "{lines}\n\nThat's {list}. Please take out the repeated lines.",
            "Clean up {list} for me, please. Every line should be there only once, in the same "
            "order:\n\n{lines}",
        ),
        slots={"lines": _LINES, "list": _LIST},
        steps=(call("deduplicate_lines", text="{lines}"),),
        rich="Here is a text of several lines. Keep each different line once, where it stands first, "
        "and drop its repetitions:\n\n{lines}",
    ),
)
