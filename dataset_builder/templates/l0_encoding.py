"""Level 0: Base64, hashes, ciphers, compression sizes, masking."""

from dataset_builder.slot import Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_SYSTEM = pick(
    "the payment gateway", "the booking system", "our old ERP", "the parcel tracker",
    "the ticket printer", "the loyalty app", "the door controller", "the mail relay",
    "the weather station", "the billing service", "the turnstile", "the badge reader",
)  # fmt: skip
_PHRASE = Pattern(
    "{who} {does} the {what} {where}",
    {
        "who": pick("Nadia", "Our courier", "The curator", "Old Tom", "Captain Reyes", "My twin"),
        "does": pick("left", "hid", "found", "painted", "sold", "repaired", "weighed"),
        "what": pick("silver key", "blue ledger", "ship's bell", "second map", "broken clock"),
        "where": pick(
            "under the pier", "behind the mill", "at dawn", "in the north tower", "near Gate 7",
            "before the storm", "on platform 3", "beside the lighthouse",
        ),
    },
)  # fmt: skip
_TOKEN = Pattern(
    "{user}:{word}-{n}",
    {
        "user": pick("kiosk", "warehouse", "scanner-04", "frontdesk", "gallery", "depot", "pump2"),
        "word": pick("harbor", "maple", "granite", "comet", "saffron", "willow", "ember", "tundra"),
        "n": Whole(1103, 9871),
    },
)  # fmt: skip


TEMPLATES = (
    Template(
        "base64_of_text",
        prompts=(
            "Encode “{text}” in Base64.",
            "{system} wants its credentials as Base64. What does “{text}” become?",
            "What is the Base64 form of “{text}”?",
            "Please Base64-encode the text “{text}” for the request header of {system}.",
        ),
        slots={"text": _TOKEN, "system": _SYSTEM},
        steps=(call("base64_encode", text="{text}"),),
        rich="Take the text “{text}” exactly as it stands, without the quotation marks, and encode its "
        "UTF-8 bytes as standard Base64.",
    ),
    Template(
        "text_of_base64",
        prompts=(
            "Decode this Base64: {note.encoded}",
            "{system} logged {note.encoded}, which looks like Base64. What does it say?",
            "I found the Base64 string {note.encoded} in a configuration file of {system}. Please "
            "decode it.",
            "What's hidden in this Base64 from {system}? {note.encoded}",
        ),
        slots={"note": Pool("encoded_notes"), "system": _SYSTEM},
        steps=(call("base64_decode", encoded="{note.encoded}"),),
        rich="The string {note.encoded} is standard Base64. Decode it to the text that it stands for.",
    ),
    Template(
        "fingerprint_of_text",
        prompts=(
            "What is the {algorithm} hash of “{text}”?",
            "Please hash the text “{text}” with {algorithm}.",
            "{algorithm} of “{text}”?",
            "I have to prove later that I knew the sentence “{text}” today. Give me its {algorithm} "
            "hash to publish.",
        ),
        slots={
            "text": _PHRASE,
            "algorithm": pick(
                ("SHA-256", "sha256"), ("MD5", "md5"), ("SHA-1", "sha1"), ("SHA-512", "sha512")
            ),
        },
        steps=(call("hash_text", text="{text}", algorithm="{algorithm}"),),
        rich="Take the text “{text}” exactly as it stands, without the quotation marks, and compute "
        "the cryptographic hash of its UTF-8 bytes with {algorithm}, in hexadecimal.",
    ),
    Template(
        "cipher_of_text",
        prompts=(
            "Encrypt “{text}” with the {cipher} cipher and the key “{key}”.",
            "For our treasure hunt: please put “{text}” through the {cipher} cipher, key “{key}”.",
            "{cipher} cipher, key “{key}”, plaintext “{text}”. What's the ciphertext?",
            "My daughter is learning about ciphers. How does “{text}” look when it's encrypted by "
            "{cipher} under the key “{key}”?",
        ),
        slots={
            "text": _PHRASE,
            "key": pick(
                "LEMON", "HARBOR", "WINTER", "COPPER", "ORCHID", "FALCON", "MARBLE", "VELVET"
            ),
            "cipher": pick(("Vigenère", "vigenere"), ("XOR", "xor")),
        },
        steps=(call("encrypt_text", text="{text}", key="{key}", cipher="{cipher}"),),
        rich="Encrypt the text “{text}”, exactly as it stands between the quotation marks, with the "
        "classical {cipher} cipher under the secret key “{key}”.",
    ),
    Template(
        "size_after_compression",
        prompts=(
            "How much smaller does the text “{text}” get when it's compressed?",
            "Would compression pay off for “{text}”? I'd like its size before and after.",
            "{system} sends lines like “{text}”. How many bytes would be left of it after compressing?",
            "Compress “{text}” and tell me by what percentage it shrinks.",
        ),
        slots={
            "text": Pattern(
                "{a}={n};{b}=ok;{a}={m};{b}=ok;{a}={n};{b}=late;{a}={m};{b}=ok;{a}={n};{b}=ok",
                {
                    "a": pick("sensor", "truck", "meter", "gate", "lane", "tank", "crane", "berth"),
                    "b": pick("state", "signal", "check", "status", "report"),
                    "n": Whole(101, 979),
                    "m": Whole(1011, 9797),
                },
            ),
            "system": _SYSTEM,
        },
        steps=(call("compress_data", text="{text}"),),
        rich="Take the text “{text}” exactly as it stands, without the quotation marks. Compress it and "
        "tell its size in bytes before and after, and how much smaller it became in percent.",
    ),
    Template(
        "masked_note",
        prompts=(
            "Mask the personal data in this note before it goes into the ticket: “{note}”",
            "Please hide the e-mail address and the phone number in “{note}”",
            "“{note}” - I want to share this, but with the contact details masked.",
            "Our privacy rules forbid addresses and numbers in chats. Mask them in the following "
            "text: “{note}”",
        ),
        slots={
            "note": Pattern(
                "{who} asks for a call back about {what}. {reach}",
                {
                    "who": pick(
                        "A guest from room 212",
                        "The tenant of flat 9",
                        "A subscriber",
                        "The buyer of the piano",
                        "Our new client",
                        "The lady from the bakery",
                    ),
                    "what": pick(
                        "the deposit",
                        "a late delivery",
                        "the broken lift",
                        "a refund",
                        "the missing key",
                        "the spring catalogue",
                        "a double booking",
                    ),
                    "reach": Pattern(
                        "Phone {phone}, mail {mail}",
                        {
                            "phone": Pattern("+44 20 7946 {n}", {"n": Whole(1012, 9987)}),
                            "mail": pick(
                                "helen.marsh@quietmail.example",
                                "o.brandt@lakeside.example",
                                "juan.prieto@correos.example",
                                "s.oyelaran@tidepool.example",
                                "mika.laine@northpost.example",
                                "rosa_bianchi@vetrina.example",
                            ),
                        },
                    ),
                },
            )
        },
        steps=(call("mask_pii", text="{note}"),),
        rich="The text is “{note}”. Replace the e-mail address and the telephone number in it by "
        "asterisks, as far as they could identify somebody, and leave all else as it is.",
    ),
)
