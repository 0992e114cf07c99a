"""Level 1, texts and codes: decoded, reworded, hashed or encrypted, then looked at or put away."""

from dataset_builder.slot import Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_FOUND = pick(
    "in a log file", "in an old e-mail", "on a sticky note", "in our database", "on a QR code",
    "in a spreadsheet cell", "in a chat window", "in the page source", "in a config file",
)  # fmt: skip
_SENTENCE = Pattern(
    "{who} {did} {when}, and {then}.",
    {
        "who": pick(
            "Many customers", "Several companies", "The researchers", "Our employees",
            "Two of the children", "The shops in our street",
        ),
        "did": pick(
            "noticed a small mistake", "asked for a quick answer", "suggested a simple method",
            "reported a strange problem", "started a huge project", "chose a cheap car",
        ),
        "when": pick("recently", "during the meeting", "near the end of the holiday"),
        "then": pick(
            "the task was completed early", "the result is important", "several errors were fixed",
            "the problem remained difficult", "the growth was enormous", "everybody was happy",
        ),
    },
)  # fmt: skip
_SECRET = Pattern(
    "{what} {place} {when}",
    {
        "what": pick(
            "The map is", "Meet me", "Bring the boat", "The ring lies", "Look for the key",
            "The signal comes", "Wait for Vera", "Leave the crate",
        ),
        "place": pick(
            "behind the mill", "under the third step", "by the old crane", "at the north pier",
            "inside the clock", "in the chapel",
        ),
        "when": pick("at dawn", "after the bells", "before the tide turns", "on Sunday"),
    },
)  # fmt: skip
_PLEDGE = Pattern(
    "I {did} {what} on {day} July 2026",
    {
        "did": pick("sketched", "finished", "invented", "proposed", "wrote down", "recorded"),
        "what": pick(
            "the winning design", "the new melody", "the recipe", "the formula", "the seating plan",
            "the ending of the novel", "the rules of the game",
        ),
        "day": Whole(1, 14),
    },
)  # fmt: skip
_ALGORITHM = pick(("SHA-256", "sha256"), ("MD5", "md5"), ("SHA-1", "sha1"), ("SHA-512", "sha512"))
_SCREEN = pick(
    "the info screen", "a text message", "the noticeboard", "the ticker", "the app's tooltip",
    "the lobby display", "the staff newsletter", "the pager",
)  # fmt: skip

TEMPLATES = (
    Template(
        "checksum_of_decoded",
        prompts=(
            "Decode the Base64 text {note.encoded} and give me the {algorithm} hash of what it says.",
            "I found {note.encoded} {found}. It's Base64; decode it and compute the {algorithm} checksum "
            "of the decoded text.",
            "What is the {algorithm} hash of the plain text behind this Base64? {note.encoded}",
            "Somebody left {note.encoded} {found}. I'd like the {algorithm} fingerprint of the text that "
            "this Base64 stands for, so decode it first.",
        ),
        slots={"note": Pool("encoded_notes"), "algorithm": _ALGORITHM, "found": _FOUND},
        steps=(
            call("base64_decode", encoded="{note.encoded}"),
            call("hash_text", text="{1.text}", algorithm="{algorithm}"),
        ),
    ),
    Template(
        "decoded_by_chat",
        prompts=(
            "Decode this Base64 and send the plain text to {person.name} as a chat message, without "
            "any addition: {note.encoded}",
            "{person.name} can't read Base64. Please decode {note.encoded} and message exactly what it "
            "says to {person.name} on chat.",
            "I found {note.encoded} {found}. Decode it from Base64 and pass the text on to {person.name} "
            "by chat message, word for word.",
            "The Base64 string {note.encoded} is meant for {person.name}. Decode it and send the decoded "
            "text, nothing else, as a chat message.",
        ),
        slots={"note": Pool("encoded_notes"), "person": Pool("people"), "found": _FOUND},
        steps=(
            call("base64_decode", encoded="{note.encoded}"),
            call("send_message", recipient="{person.name}", text="{1.text}"),
        ),
    ),
    Template(
        "language_of_decoded",
        prompts=(
            "I found this Base64 {found}: {encoded} Decode it and tell me which language the text is in.",
            "Decode {encoded} from Base64 and detect the language of the decoded text. I found it "
            "{found}.",
            "There's a Base64 string {found}: {encoded} Please decode it. In which language is the text "
            "behind it written?",
            "Which language is hidden in this Base64? {encoded} I found it {found}; decode it and then "
            "identify the language.",
        ),
        slots={"encoded": Pool("encoded_messages"), "found": _FOUND},
        steps=(
            call("base64_decode", encoded="{encoded}"),
            call("detect_language", text="{1.text}"),
        ),
    ),
    Template(
        "rewording_compared",
        prompts=(
            "Reword “{text}” and show me word by word what changed from my version to the new one.",
            "Paraphrase this for me: “{text}” Then compare the original with the paraphrase and list "
            "the changes.",
            "I'd like “{text}” rephrased. Please also show the differences between my sentence and the "
            "rephrased one, word by word.",
            "Put “{text}” in other words, and then give me a diff from the original to your rewording.",
        ),
        slots={"text": _SENTENCE},
        steps=(
            call("paraphrase_text", text="{text}"),
            call("compare_texts", text_a="{text}", text_b="{1.paraphrase}"),
        ),
    ),
    Template(
        "ciphertext_to_memory",
        prompts=(
            "Encrypt “{text}” with the {cipher} cipher and the secret key “{secret}”, and remember the "
            "ciphertext under “{label}”.",
            "Put “{text}” through the {cipher} cipher (secret key “{secret}”). What comes out should be "
            "kept in your memory as “{label}”.",
            "For our treasure hunt: {cipher} cipher, secret key “{secret}”, plaintext “{text}”. Encrypt "
            "it and remember the result under the name “{label}”.",
            "I want “{text}” encrypted by {cipher} under the secret key “{secret}”. Store the ciphertext "
            "in your memory; call it “{label}”.",
        ),
        slots={
            "text": _SECRET,
            "secret": pick(
                "LEMON", "HARBOR", "WINTER", "COPPER", "ORCHID", "FALCON", "MARBLE", "VELVET"
            ),
            "cipher": pick(("Vigenère", "vigenere"), ("XOR", "xor")),
            "label": Pattern("clue {n}", {"n": Whole(2, 19)}),
        },
        steps=(
            call("encrypt_text", text="{text}", key="{secret}", cipher="{cipher}"),
            call("store_memory", key="{label}", value="{1.ciphertext}"),
        ),
    ),
    Template(
        "fingerprint_to_file",
        prompts=(
            "Compute the {algorithm} hash of “{text}” and save just the hash in the file {path}",
            "Hash the text “{text}” with {algorithm} and write the digest, nothing else, to the file "
            "{path}",
            "I'll have to prove this sentence one day: “{text}”. Put its {algorithm} hash into a "
            "file, {path}",
            "Please create the file {path} with nothing in it but the {algorithm} hash of the text "
            "“{text}”",
        ),
        slots={
            "text": _PLEDGE,
            "algorithm": _ALGORITHM,
            "path": Pattern(
                "/notes/{name}_{n}.txt",
                {"name": pick("proof", "seal", "fingerprint", "deposit"), "n": Whole(2, 40)},
            ),
        },
        steps=(
            call("hash_text", text="{text}", algorithm="{algorithm}"),
            call("write_file", path="{path}", content="{1.digest}"),
        ),
    ),
    Template(
        "handbook_answer_cut",
        prompts=(
            "What does our company handbook say about “{topic}”? Cut the text to {length} characters, "
            "it's for {screen}.",
            "Look up “{topic}” in the handbook and truncate the article's text to at most {length} "
            "characters for {screen}.",
            "For {screen}: find the handbook article on “{topic}” and cut its text off at {length} "
            "characters.",
            "{screen} shows {length} characters at most. Please take the handbook's text on “{topic}” "
            "and truncate it to that length.",
        ),
        slots={
            "topic": Pool("handbook_titles"),
            "length": Whole(60, 120, 10),
            "screen": _SCREEN,
        },
        steps=(
            call("knowledge_base_query", query="{topic}"),
            call("truncate_text", text="{1.answer}", max_length="{length}"),
        ),
    ),
)
