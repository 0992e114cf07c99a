"""The audit of procedures: good ones have no defect, and each rule fires on the fault that it forbids."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dataset_builder.procedures.dials import Dials
from dataset_builder.procedures.procedure import make_procedure
from dataset_builder.procedures.rungs import horizon_suite
from dataset_builder.tasks.task import SUITE_VERSION, Alternative, Edge, Level, Step, Suite, Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.world import World
from evaluator.audit import PROCEDURE_RULES, audit, rules_of
from evaluator.audit.procedures_places import Request
from evaluator.audit.procedures_referents import Resolver
from evaluator.audit.procedures_text import Sentence, read, sentences
from evaluator.audit.rules import Context

# Listed and in prose, by number and by description, as executed and shuffled; seeds whose procedures
# have what the mutations change.
SEEDS_AND_DIALS = (
    (156, Dials(naming="number")),
    (5, Dials(form="prose", order="shuffled")),
    (78, Dials()),
    (5, Dials(form="prose", naming="number")),
)
GOOD = Suite(
    SUITE_VERSION,
    5,
    tuple(
        make_procedure(8, dials, seed=seed, number=n)
        for n, (seed, dials) in enumerate(SEEDS_AND_DIALS, 1)
    ),
    name="horizon",
)
NUMBERED, SHUFFLED, DESCRIBED, PROSE = GOOD.tasks


def changed(task: Task, **changes: Any) -> Suite:
    """The good suite with some fields of one procedure replaced."""
    return replace(GOOD, tasks=tuple(replace(t, **changes) if t is task else t for t in GOOD.tasks))


def said(task: Task, words: str, instead: str) -> Suite:
    """The good suite with other words in one prompt."""
    assert words in task.prompt
    return changed(task, prompt=task.prompt.replace(words, instead, 1))


def with_step(task: Task, number: int, **changes: Any) -> Suite:
    """The good suite with some fields of one step (from 1) replaced."""
    steps = tuple(
        replace(step, **changes) if place == number else step
        for place, step in enumerate(task.steps, 1)
    )
    return changed(task, steps=steps)


def with_metadata(task: Task, **changes: Any) -> Suite:
    return changed(task, metadata={**task.metadata, **changes})


def with_dial(dial: str, value: Any) -> Suite:
    return with_metadata(SHUFFLED, dials={**SHUFFLED.metadata["dials"], dial: value})


def step_of(task: Task, tool: str) -> Step:
    (step,) = [step for step in task.steps if step.tool == tool]
    return step


def number_of(task: Task, tool: str) -> int:
    return task.steps.index(step_of(task, tool)) + 1


def with_arguments(task: Task, tool: str, **arguments: Any) -> Suite:
    every = {**step_of(task, tool).arguments, **arguments}
    return with_step(task, number_of(task, tool), arguments=every)


def listed_otherwise(task: Task) -> Suite:
    """Two steps of which none needs the other, each under the other's sentence."""
    one, other, *rest = task.metadata["listed"]
    return with_metadata(task, listed=[other, one, *rest])


def freely_worded_id_flows() -> Suite:
    """The id of a message, whose text the caller words, is what another message tells."""
    source, taker = step_of(SHUFFLED, "send_email"), step_of(SHUFFLED, "store_memory")
    edge = Edge("value", source.step_id, "message_id")
    return with_step(
        SHUFFLED,
        SHUFFLED.steps.index(taker) + 1,
        edges=(edge,),
        depends_on=(source.step_id,),
        arguments={**taker.arguments, "value": source.output["message_id"]},
    )


def acting_on_each_other() -> Suite:
    """One step remembers what another recalls, and nothing says which comes first."""
    key, value = "open_allotment", "sixty-four"
    first = step_of(SHUFFLED, "store_memory")
    steps = list(SHUFFLED.steps)
    recall = Step("step_9", "retrieve_memory", {"key": key}, output={"value": value})
    steps[steps.index(first)] = replace(
        first, arguments={"key": key, "value": value}, edges=(), depends_on=()
    )
    listed = [*SHUFFLED.metadata["listed"], "step_9"]
    metadata = {**SHUFFLED.metadata, "listed": listed}
    prompt = f"{SHUFFLED.prompt} Recall what is remembered under the key open_allotment."
    return changed(SHUFFLED, steps=(*steps, recall), metadata=metadata, prompt=prompt)


def one_more_listed() -> Suite:
    return replace(GOOD, tasks=(*GOOD.tasks[:3], replace(DESCRIBED, task_id="P_0004")))


def decided_elsewhere() -> Suite:
    """A word that decides for a chat message stands in the prompt, though not in its sentence."""
    prompt = NUMBERED.prompt.replace("Use the chat to tell Daniel Kaplan", "Let Daniel Kaplan know")
    return changed(NUMBERED, prompt=f"{prompt} (in the chat)")


def unlisted_twin() -> Suite:
    """Rounding is a sum, too: without the calculator among the alternatives, two answers are right."""
    number = number_of(NUMBERED, "round_number")
    assert NUMBERED.steps[number - 1].alternatives
    return with_step(NUMBERED, number, alternatives=())


def asked_again() -> Suite:
    """Another sentence asks for the page of which "the title of the page …" is spoken."""
    again = replace(step_of(SHUFFLED, "web_page_fetch"), step_id="step_9")
    metadata = {**SHUFFLED.metadata, "listed": [*SHUFFLED.metadata["listed"], "step_9"]}
    sentence = (
        f"Read the web page at {again.arguments['url']}, with its title and publication date."
    )
    prompt = f"{SHUFFLED.prompt} {sentence}"
    return changed(SHUFFLED, steps=(*SHUFFLED.steps, again), metadata=metadata, prompt=prompt)


def axes_exchanged() -> Suite:
    """The line is fitted with x as y, and its output is what that gives."""
    step = step_of(NUMBERED, "linear_regression")
    arguments = {"x": step.arguments["y"], "y": step.arguments["x"]}
    output = catalogue()[step.tool](arguments, World())
    return with_step(NUMBERED, number_of(NUMBERED, step.tool), arguments=arguments, output=output)


NAME, LATER_NAME = re.findall(r"\(call this step (\w+)\)", DESCRIBED.prompt)
MUTATIONS: list[tuple[str, str, Callable[[], Suite]]] = [
    ("counts", "ids out of order", lambda: replace(GOOD, tasks=GOOD.tasks[::-1])),
    (
        "counts",
        "one of a form lost",
        one_more_listed,
    ),
    (
        "counts",
        "one of a length lost",
        lambda: replace(GOOD, tasks=(*GOOD.tasks[:3], replace(PROSE, steps=PROSE.steps[:7]))),
    ),
    ("grounded", "a literal not stated", lambda: said(NUMBERED, "Daniel Kaplan", "him")),
    (
        "grounded",
        "a literal stated in another sentence alone",
        lambda: changed(
            NUMBERED,
            prompt=f"{NUMBERED.prompt.replace('Daniel Kaplan', 'Sven')} Daniel Kaplan",
        ),
    ),
    (
        "grounded",
        "a number that only counts a step",
        lambda: with_arguments(NUMBERED, "create_invoice", quantity=2),
    ),
    ("grounded", "sentences of other steps", lambda: listed_otherwise(NUMBERED)),
    (
        "grounded",
        "an edge dropped",
        lambda: with_step(NUMBERED, number_of(NUMBERED, "round_number"), edges=(), depends_on=()),
    ),
    ("one_referent", "another number", lambda: said(NUMBERED, "from step 2", "from step 1")),
    ("one_referent", "a number of no step", lambda: said(PROSE, "from step 1", "from step 12")),
    ("one_referent", "a later number", lambda: said(NUMBERED, "from step 2", "from step 7")),
    ("one_referent", "its own number", lambda: said(NUMBERED, "from step 2", "from step 4")),
    (
        "one_referent",
        "another field of the same step",
        lambda: said(NUMBERED, "the slope from step 6", "the intercept from step 6"),
    ),
    ("one_referent", "a name left out", lambda: said(DESCRIBED, f" (call this step {NAME})", "")),
    (
        "one_referent",
        "a name given twice",
        lambda: said(DESCRIBED, f"(call this step {LATER_NAME})", f"(call this step {NAME})"),
    ),
    (
        "one_referent",
        "a name and another's noun",
        lambda: said(DESCRIBED, "the character count from step", "the formatted number from step"),
    ),
    (
        "one_referent",
        "words of which nothing comes",
        lambda: said(DESCRIBED, "and the weekday of 1997-12-24", "and the weekday of 1997-12-25"),
    ),
    (
        "one_referent",
        "a sentence between a result and that",
        lambda: said(
            DESCRIBED, "characters that list of entities has", "characters that weekday has"
        ),
    ),
    (
        "one_referent",
        "a result that does not flow",
        lambda: with_step(
            SHUFFLED,
            number_of(SHUFFLED, "send_email"),
            edges=step_of(SHUFFLED, "send_email").edges[1:],
        ),
    ),
    (
        "one_referent",
        "another result flows than is spoken of",
        lambda: with_step(
            SHUFFLED,
            number_of(SHUFFLED, "number_to_text"),
            edges=(replace(step_of(SHUFFLED, "number_to_text").edges[0], path="original_bytes"),),
        ),
    ),
    (
        "one_referent",
        "two sentences that ask for what a phrase names",
        asked_again,
    ),
    (
        "one_referent",
        "a number where no sentence has one",
        lambda: said(SHUFFLED, "from step Menkar", "from step 1"),
    ),
    (
        "one_referent",
        "a name of no step",
        lambda: said(DESCRIBED, f"from step {LATER_NAME}", "from step Nimbus"),
    ),
    (
        "one_referent",
        "that of which the sentence before says nothing",
        lambda: said(DESCRIBED, "the list of entities (people", "what is named (people"),
    ),
    ("asked", "another call", lambda: said(PROSE, "Convert the shortened", "Decode the shortened")),
    (
        "asked",
        "not to be done",
        lambda: said(NUMBERED, "Round the share", "Do not round the share"),
    ),
    ("asked", "values exchanged", axes_exchanged),
    (
        "asked",
        "a default where a number stands",
        lambda: with_arguments(NUMBERED, "round_number", decimals=0),
    ),
    ("asked", "another share's name", lambda: said(NUMBERED, "IBM (IBM)", "IBM (Netflix)")),
    (
        "asked",
        "no name of these figures",
        lambda: said(NUMBERED, "the load on the server in percent", "the weather"),
    ),
    ("announced", "not all asked for", lambda: said(NUMBERED, "all of the following", "this")),
    *(
        ("dials", f"{dial} misstated", lambda dial=dial, value=value: with_dial(dial, value))
        for dial, value in (
            ("calls", 9),
            ("depth", 3),
            ("reach", {"mean": 1.12, "max": 4}),
            ("reach", {"mean": 1.5, "max": 3}),
            ("fan_in", 1),
            ("unused", 1),
            ("order", "executed"),
            ("naming", "number"),
            ("form", "list"),
            ("catalogue", "full"),
            ("near", 5),
            ("mood", "good"),
        )
    ),
    ("order", "steps backwards", lambda: changed(NUMBERED, steps=NUMBERED.steps[::-1])),
    (
        "order",
        "a dependency without an edge",
        lambda: with_step(NUMBERED, 8, depends_on=("step_1", "step_6")),
    ),
    (
        "order",
        "listed otherwise, and not said",
        lambda: said(SHUFFLED, "do not stand in the order", "stand in the order"),
    ),
    ("order", "hidden state", acting_on_each_other),
    ("free_wording", "the id of a message flows", freely_worded_id_flows),
    ("schema_valid", "not offered", lambda: changed(NUMBERED, offered=(), schemas=())),
    (
        "arguments_present",
        "no argument",
        lambda: with_step(NUMBERED, number_of(NUMBERED, "get_stock_price"), arguments={}),
    ),
    (
        "reexecutes",
        "another output",
        lambda: with_step(NUMBERED, number_of(NUMBERED, "get_stock_price"), output={"price": 3}),
    ),
    (
        "reexecutes",
        "a wrong alternative",
        lambda: with_step(NUMBERED, 1, alternatives=(Alternative("word_count", {}),)),
    ),
    (
        "edges_real",
        "a flowing value in another sentence",
        lambda: said(
            NUMBERED,
            "Look up the stock",
            f"After the {step_of(NUMBERED, 'create_invoice').output['tax_amount']}, look up the stock",
        ),
    ),
    ("no_tool_names", "a name", lambda: said(PROSE, "Shorten", "Use truncate_text on")),
    ("whole_text", "a cut quotation", lambda: said(PROSE, "weekend?”", "week...”")),
    ("no_filler", "a placeholder", lambda: said(PROSE, "packing list", "item_0")),
    ("distinct_prompts", "the same twice", lambda: changed(NUMBERED, prompt=DESCRIBED.prompt)),
    ("distractor_harmless", "a writer beside a reader", lambda: writer_beside_a_reader()),
    ("single_answer", "a twin not listed", unlisted_twin),
    (
        "single_answer",
        "a word that decides, in another sentence alone",
        decided_elsewhere,
    ),
    (
        "oracle_perfect",
        "a reference to nothing",
        lambda: with_step(
            NUMBERED,
            number_of(NUMBERED, "round_number"),
            edges=(replace(step_of(NUMBERED, "round_number").edges[0], path="none"),),
        ),
    ),
    ("silence_zero", "nothing is expected", lambda: changed(NUMBERED, steps=())),
]


def writer_beside_a_reader() -> Suite:
    """A step recalls what a tool that is offered beside it would overwrite."""
    step = Step("step_1", "retrieve_memory", {"key": "home_city"}, output={"value": "Berlin"})
    other = Step("step_2", "reverse_text", {"text": "moor"}, output={"reversed": "room"})
    offered = ("retrieve_memory", "store_memory", "reverse_text")
    return changed(NUMBERED, steps=(step, other), offered=offered)


def test_good_procedures_have_no_defect() -> None:
    assert list(audit(GOOD, catalogue())) == []
    assert rules_of(GOOD) == PROCEDURE_RULES


@pytest.mark.parametrize(
    ("rule", "fault", "mutate"), MUTATIONS, ids=[f"{rule}: {fault}" for rule, fault, _ in MUTATIONS]
)
def test_a_rule_fires_on_its_fault(rule: str, fault: str, mutate: Callable[[], Suite]) -> None:
    defects = [defect for defect in audit(mutate(), catalogue()) if defect.rule == rule]
    assert defects
    assert not any("cannot be checked" in defect.detail for defect in defects)


def test_every_rule_is_proved_by_a_mutation() -> None:
    assert {rule for rule, *_ in MUTATIONS} == set(PROCEDURE_RULES)


def test_rows_that_do_not_fit_together_are_a_defect() -> None:
    lost = with_metadata(NUMBERED, listed=NUMBERED.metadata["listed"][:-1])
    torn = said(NUMBERED, "3. Write", "Write")
    for suite, why in ((lost, "does not name every step once"), (torn, "sentences for 8 steps")):
        details = [defect.detail for defect in audit(suite, catalogue())]
        assert any(why in detail for detail in details)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 42])
def test_a_ladder_has_no_defect(seed: int) -> None:
    assert list(audit(horizon_suite(seed), catalogue())) == []


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("1. Do this.\n2. Do that.", ["Do this.", "Do that."]),
        ("1. Read “1. a\n4. b”.\n2. Go.", ["Read “1. a\n4. b”.", "Go."]),
        ("(1) Do (9) things. (2) Go.\n\n(3) Stop.", ["Do (9) things.", "Go.", "Stop."]),
        (
            "Say “One. Two.” aloud. Then go.\n\nStop.",
            ["Say “One. Two.” aloud.", "Then go.", "Stop."],
        ),
        ("Spell “Who is it?” Then go.", ["Spell “Who is it?”", "Then go."]),
        ("Pay 3.50 to shop.example. Go.", ["Pay 3.50 to shop.example.", "Go."]),
        ('Sort [{"a": "X. Y"}] by a. Go.', ['Sort [{"a": "X. Y"}] by a.', "Go."]),
    ],
)
def test_a_prompt_is_taken_apart_by_its_signs(body: str, texts: list[str]) -> None:
    assert list(read(f"Please do this.\n\n{body}").texts) == texts


def spoken_of(texts: list[str], tools: list[str], *, is_shuffled: bool = False) -> list[set[str]]:
    """For the last sentence what each mention of a result could mean, as place.field."""
    every = [
        Sentence(place, text, Step(f"step_{place}", tool, {}))
        for place, (text, tool) in enumerate(zip(texts, tools, strict=True), 1)
    ]
    mentions = Resolver(every, is_shuffled=is_shuffled, is_numbered=True).mentions(every[-1])
    return [{f"{place}.{field}" for place, field in m.meanings} for m in mentions]


WEEKDAYS = ["Find the weekday of 3 May 1990.", "Find the weekday of 13 May 1990."]


@pytest.mark.parametrize(
    ("last", "meanings"),
    [
        ("Log the weekday from step 2.", [{"2.weekday"}]),
        ("Log the weekday from step 3.", [set()]),
        ("Log the sum from step 1.", [set()]),
        ("Log that weekday.", [{"2.weekday"}]),
        ("Log those weekday.", []),
        (
            "Log the weekday of 3 May 1990 and the weekday of 13 May 1990.",
            [{"1.weekday"}, {"2.weekday"}],
        ),
        ("Log “the weekday of 3 May 1990”.", []),
    ],
)
def test_phrases_mean_what_a_reader_takes_them_for(last: str, meanings: list[set[str]]) -> None:
    tools = ["get_weekday", "get_weekday", "log_event"]
    assert spoken_of([*WEEKDAYS, last], tools) == meanings


def test_that_is_in_doubt_behind_a_sentence_that_speaks_of_one() -> None:
    texts = [
        "Find the weekday of 3 May 1990 (call this step Vega).",
        "Keep the weekday from step Vega.",
        "Log that weekday.",
    ]
    assert spoken_of(texts, ["get_weekday", "store_memory", "log_event"]) == [{"1.weekday"}]
    texts[1] = "Find the weekday of 4 May 1990, not the weekday from step Vega."
    assert spoken_of(texts, ["get_weekday", "get_weekday", "log_event"]) == [
        {"1.weekday", "2.weekday"}
    ]


def test_a_result_may_be_mentioned_before_it_is_asked_for_where_the_order_is_shuffled() -> None:
    every = [
        Sentence(1, "Log the weekday from step 2.", Step("step_2", "log_event", {})),
        Sentence(2, "Find the weekday of 3 May 1990.", Step("step_1", "get_weekday", {})),
    ]
    for is_shuffled, meanings in ((True, {(2, "weekday")}), (False, set())):
        (mention,) = Resolver(every, is_shuffled=is_shuffled, is_numbered=True).mentions(every[0])
        assert mention.meanings == meanings


CHANGE = "Compute the change in percent between {} (before) and {} (after)."
PRICES = ("the share price from step 1", "the share price from step 2")


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (CHANGE.format(*PRICES), 0),
        (CHANGE.format(*PRICES[::-1]), 1),
        (f"After that, c{CHANGE.format(*PRICES)[1:-1]} (call this step Vega).", 0),
        (f"Instead, c{CHANGE.format(*PRICES)[1:]}", 1),
        (CHANGE.format(*PRICES).replace("after", "later"), 1),
        (CHANGE.format("72.6", PRICES[1]), 1),
    ],
)
def test_results_stand_where_the_call_takes_them(text: str, problems: int) -> None:
    sources = [Step(f"step_{n}", "get_stock_price", {"symbol": "IBM"}) for n in (1, 2)]
    edges = (Edge("old_value", "step_1", "price"), Edge("new_value", "step_2", "price"))
    change = Step("step_3", "percentage_change", {"old_value": 72.6, "new_value": 9.5}, edges=edges)
    quotes = [Sentence(n, "Look up the stock.", step) for n, step in enumerate(sources, 1)]
    sentence = Sentence(3, text, change)
    mentions = Resolver([*quotes, sentence], is_shuffled=False, is_numbered=True).mentions(sentence)
    places = {"step_1": 1, "step_2": 2, "step_3": 3}
    request = Request(Context(GOOD, catalogue()), sentence, mentions, places)
    assert len(list(request.problems())) == problems


def test_each_sentence_has_its_step() -> None:
    for task in GOOD.tasks:
        assert task.level is Level.PROCEDURE
        assert [s.step.step_id for s in sentences(task)] == task.metadata["listed"]
