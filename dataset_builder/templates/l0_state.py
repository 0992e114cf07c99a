"""Level 0: memories, the session and e-mail addresses."""

from dataset_builder.slot import Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_WHY_RECALL = pick(
    "I'm filling in a form", "I've forgotten it again", "My phone is dead", "A colleague asks",
    "I want to be sure", "I'm about to book something", "I may have to change it",
    "I'm writing it on a slip", "Somebody called about it", "I have a visitor here",
    "I can't find my notes", "I'm updating a profile", "We're just discussing it",
    "I have to read it out",
)  # fmt: skip
_WHY_LIST = pick(
    "I'm cleaning up", "I want to avoid duplicates", "I've lost track", "I'm new here",
    "I may have used the wrong name", "A colleague is taking over", "I'm curious",
    "Privacy matters to me", "I'd like to start over", "I'm writing a handover note",
    "I'm about to add another one", "My memory isn't what it was", "I promised my manager a list",
    "It's spring cleaning time", "I changed jobs", "I'm tidying my desk", "I forgot the name",
    "We have a data review today", "I just logged in after months", "I like order",
)  # fmt: skip
_LISTING = pick(
    "under which keys you remember something for me", "which keys your memory holds",
    "what all the keys in your memory are", "what you have remembered so far, by key",
    "how many memories you keep for me, and under which keys", "the keys of all saved memories",
    "which memory keys exist at the moment", "under what names you have stored memories for me",
    "every key that I've asked you to remember something under", "the names of all your memories",
    "which keys I've used so far for things you remember",
)  # fmt: skip
_WHY_ACCOUNT = pick(
    "The help desk wants to know", "I'm on a borrowed laptop", "I'm filling in a support ticket",
    "Two of us share this computer", "I changed departments lately", "I just came back from leave",
    "My signature looks wrong", "The times in my calendar look odd", "I'm reporting a bug",
    "The trainer asked us to check", "The dates look strange to me", "I have several accounts",
    "I want to be sure before I post", "The form asks for it", "I may be in the wrong account",
    "Our admin is on the phone", "I'm writing documentation", "I married and changed my name",
    "A pop-up signed me out before", "The screen was already unlocked",
    "I'm writing to human resources", "My colleague borrowed this tablet",
    "The intranet greets me by another name", "I'm preparing a screenshot",
)  # fmt: skip
_ACCOUNT = pick(
    "who I'm signed in as", "which team my account belongs to",
    "which time zone my account is set to", "which locale my session uses",
    "the ID of my current session", "which e-mail address my account has",
    "the full name on my account", "my own name, team and locale as my session has them",
    "which user this session belongs to", "what my session says about me",
)  # fmt: skip

TEMPLATES = (
    Template(
        "code_to_remember",
        prompts=(
            "Remember “{value}” under the key “{key}”.",
            "Please keep this in mind for later. Key: “{key}”. Value: “{value}”.",
            "Store “{value}” in your memory as “{key}”.",
            "I'll ask you again next week: remember the value “{value}” under “{key}”.",
        ),
        slots={
            "key": Pattern(
                "{where} {what}",
                {
                    "what": pick("door code", "locker code", "safe combination", "alarm code"),
                    "where": pick(
                        "boathouse",
                        "gym",
                        "allotment",
                        "office",
                        "cellar",
                        "village hall",
                        "summer cabin",
                        "storage unit",
                        "band room",
                        "parish office",
                    ),
                },
            ),
            "value": Pattern(
                "{a}-{b}-{c}", {"a": Whole(11, 89), "b": Whole(10, 98), "c": Whole(12, 97)}
            ),
        },
        steps=(call("store_memory", key="{key}", value="{value}"),),
        rich="The assistant has a memory in which each value stands under a key. Keep the value "
        "“{value}” there under the key “{key}”, so that it can be recalled later.",
    ),
    Template(
        "preference_to_remember",
        prompts=(
            "From now on remember “{value}” under “{key}”.",
            "Save this to your memory under the key “{key}”: “{value}”",
            "Could you remember something for me? The key is “{key}”, the text “{value}”.",
            "Memory update: “{key}” is now “{value}”.",
        ),
        slots={
            "key": Pattern(
                "{who} {what}",
                {
                    "who": pick("Mum's", "Pavel's", "the team's", "Aunt Margit's", "Leo's", "our"),
                    "what": pick(
                        "usual order",
                        "favourite snack",
                        "café order",
                        "breakfast",
                        "treat",
                        "starter",
                    ),
                },
            ),
            "value": Pattern(
                "{a} {b} with {c}",
                {
                    "a": pick("large", "small", "warm", "homemade", "fresh", "extra large"),
                    "b": pick("oat drink", "lemon tart", "rooibos", "flatbread", "waffle", "mocha"),
                    "c": pick(
                        "cinnamon", "extra honey", "orange peel", "nutmeg", "almonds", "ginger"
                    ),
                },
            ),
        },
        steps=(call("store_memory", key="{key}", value="{value}"),),
        rich="The assistant has a memory in which each value stands under a key. The key “{key}” is to "
        "hold the text “{value}” from now on; what was there before is replaced.",
    ),
    Template(
        "remembered_value",
        prompts=(
            "What did I ask you to remember under “{memory.key}”? {why}.",
            "{why}. Please recall the value you remember as “{memory.key}”.",
            "{why}, so tell me what your memory holds under the key “{memory.key}”.",
            "I once had you remember {memory.about}. The key was “{memory.key}”. What is it? {why}.",
        ),
        slots={"memory": Pool("memory_keys"), "why": _WHY_RECALL},
        steps=(call("retrieve_memory", key="{memory.key}"),),
        rich="The assistant has a memory in which each value stands under a key. Recall the value that "
        "was put there under the key “{memory.key}”.",
    ),
    Template(
        "all_memory_keys",
        prompts=(
            "{why}. Could you tell me {listing}?",
            "Please tell me {listing}. {why}.",
            "{why}, so I'd like to know {listing}.",
            "Can you check {listing}? {why}.",
            "I'd like to find out {listing}. {why}.",
        ),
        slots={"why": _WHY_LIST, "listing": _LISTING},
        steps=(call("list_memories"),),
        rich="The user says “{why}.” The assistant has a memory in which each value stands under a key. "
        "List all those keys, without their values.",
    ),
    Template(
        "own_account",
        prompts=(
            "{why}. Could you tell me {detail}?",
            "Please look up {detail}. {why}.",
            "{why}, so I need to know {detail}.",
            "Can you check {detail}? {why}.",
        ),
        slots={"why": _WHY_ACCOUNT, "detail": _ACCOUNT},
        steps=(call("get_session_context"),),
        rich="The user says “{why}.” and asks for this: “{detail}”. Tell what is known of the signed-in "
        "user and of the present session.",
    ),
    Template(
        "address_to_validate",
        prompts=(
            "Is {address} a valid e-mail address?",
            "A customer typed {address} into the form. Is that e-mail address well-formed, and did "
            "they misspell the provider?",
            "Please check whether {address} is valid as an e-mail address before we mail to it.",
            "How risky is it to send mail to {address}? Check that it's a valid address.",
        ),
        slots={
            "address": Pattern(
                "{first}{mark}{last}@{domain}",
                {
                    "first": pick(
                        "helen", "ola", "samir", "j", "rosa", "mika", "tariq", "bea", "ivo"
                    ),
                    "mark": pick(".", "_", "", "-", ".."),
                    "last": pick(
                        "marsh", "brandt", "laine", "oyelaran", "prieto", "vance", "duarte"
                    ),
                    "domain": pick(
                        "gmial.com",
                        "gmail.com",
                        "outlok.com",
                        "hotmail.com",
                        "yahooo.com",
                        "icloud.com",
                        "fastmail.com",
                        "gmail",
                        "protonmail.com",
                        "hotmial.com",
                    ),
                },
            )
        },
        steps=(call("validate_email", email="{address}"),),
        rich="Somebody gave the e-mail address {address}. Find out whether it is well-formed, what is "
        "wrong with it if anything is, and how likely mail to it bounces.",
    ),
)
