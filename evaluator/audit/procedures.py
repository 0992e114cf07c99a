"""Rules about procedures. They do not trust the composer: what a row says of itself is read anew from
its prompt and its steps."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from dataset_builder.procedures import grammar
from dataset_builder.tasks.task import Step, Task
from dataset_builder.tools.replay import Episode
from dataset_builder.tools.world import World
from evaluator.audit.procedures_places import Request
from evaluator.audit.procedures_referents import Resolver
from evaluator.audit.procedures_text import Sentence, read, sentences
from evaluator.audit.rules import Context, positions_of
from evaluator.audit.single_answer import other_answers, used_paths
from evaluator.audit.values import ungrounded

_ALL = re.compile(r"\ball of the following\b")
_OUT_OF_ORDER = re.compile(r"\bdo not stand in the order\b")
_NUMBERED = re.compile(r"\bfrom step \d+\b")
_HOLE = re.compile(r"\{[^{}]*\}")


def grounded(context: Context, task: Task) -> Iterator[str]:
    """Every literal stands in its own step's sentence, not only somewhere; every other value flows."""
    resolver, read_sentences = _resolver(context, task)
    for sentence in read_sentences:
        text = _without_mentions(sentence, resolver)
        yield from ungrounded(context, task, sentence.step, text)


def one_referent(context: Context, task: Task) -> Iterator[str]:
    """Each phrase for a result means exactly one, and it is the one that flows into the step."""
    resolver, read_sentences = _resolver(context, task)
    places = {sentence.step.step_id: sentence.place for sentence in read_sentences}
    for sentence in read_sentences:
        step = sentence.step
        spoken_of: Counter[tuple[int, str]] = Counter()
        for mention in resolver.mentions(sentence):
            if len(mention.meanings) != 1:
                yield f"{step.step_id}: {mention.words!r} could mean {len(mention.meanings)} results"
            else:
                spoken_of.update(mention.meanings)
        flowing = Counter({(places.get(edge.source, 0), edge.path) for edge in step.edges})
        for place, field in spoken_of - flowing:
            yield f"{step.step_id}: its sentence speaks of {field} of sentence {place}, which does not flow"
        for place, field in flowing - spoken_of:
            yield f"{step.step_id}: its sentence does not speak of {field} of sentence {place}"


def asked(context: Context, task: Task) -> Iterator[str]:
    """Each sentence is one that asks for its call, with every value where the call takes it."""
    resolver, read_sentences = _resolver(context, task)
    places = {sentence.step.step_id: sentence.place for sentence in read_sentences}
    for sentence in read_sentences:
        yield from Request(context, sentence, resolver.mentions(sentence), places).problems()


def announced(context: Context, task: Task) -> Iterator[str]:
    """Each call is needed for another, or the prompt says that everything is to be done."""
    if _ALL.search(read(task.prompt).introduction):
        return
    used = {source for step in task.steps for source in step.depends_on}
    for step in task.steps[:-1]:
        if step.step_id not in used:
            yield f"{step.step_id}: nothing needs it, and the prompt does not ask for all of it"


def dials(context: Context, task: Task) -> Iterator[str]:
    """The dials that the metadata state are those of the prompt, the steps and the tools offered."""
    stated = task.metadata["dials"]
    for dial, value in _measured(context, task).items():
        if stated.get(dial) != value:
            yield f"the dial {dial} is stated as {stated.get(dial)!r}, and is {value!r}"
    if not stated.keys() <= _DIALS:
        yield f"there is no dial {', '.join(sorted(stated.keys() - _DIALS))}"


_DIALS = frozenset(
    ("calls", "depth", "reach", "fan_in", "unused", "order", "naming", "form", "catalogue", "near")
)


def _measured(context: Context, task: Task) -> dict[str, Any]:
    """The dials that can be told from outside; not the naming where no result is spoken of."""
    reading = read(task.prompt)
    in_order = [step.step_id for step in task.steps]
    is_whole_catalogue = len(task.offered) == len(context.tools)
    measured = {
        **_shape(task.steps),
        "unused": _unused(task),
        "order": "executed" if task.metadata["listed"] == in_order else "shuffled",
        "form": reading.form,
        "catalogue": "full" if is_whole_catalogue else "task",
        "near": len(task.offered) - len(task.expected_tools),
    }
    if any(step.edges for step in task.steps):
        by_number = any(_NUMBERED.search(text) for text in reading.texts)
        measured["naming"] = "number" if by_number else "description"
    return measured


def _shape(steps: Sequence[Step]) -> dict[str, Any]:
    numbers = {step.step_id: number for number, step in enumerate(steps)}
    depths: dict[str, int] = {}
    for step in steps:
        depths[step.step_id] = 1 + max((depths[edge.source] for edge in step.edges), default=0)
    between = [numbers[s.step_id] - numbers[e.source] - 1 for s in steps for e in s.edges]
    return {
        "calls": len(steps),
        "depth": max(depths.values()),
        "reach": {
            "mean": round(fmean(between), 2) if between else 0.0,
            "max": max(between, default=0),
        },
        "fan_in": max(len(step.edges) for step in steps),
    }


def _unused(task: Task) -> int:
    """Calls whose results nobody takes, though what is asked for could flow on."""
    used = {edge.source for step in task.steps for edge in step.edges}
    return sum(
        sentence.step.step_id not in used and not _is_end(sentence) for sentence in sentences(task)
    )


def _is_end(sentence: Sentence) -> bool:
    """Whether nobody would take more of it: a message is sent, a file written, a table shown."""
    clauses = [clause for clause in grammar().clauses if clause.tool == sentence.step.tool]
    takes_several = any("." in edge.argument for edge in sentence.step.edges)
    asked = max(
        clauses,
        key=lambda clause: (
            max(_words_in_common(sentence.text, wording) for wording in clause.wordings),
            bool(clause.several) == takes_several,
        ),
    )
    return asked.is_end


def _words_in_common(text: str, wording: str) -> int:
    """How many characters of a wording a sentence has, all of them in their order, or 0."""
    fixed = _HOLE.split(wording)
    pattern = ".+".join(map(re.escape, fixed))
    has_all = re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None
    return sum(map(len, fixed)) if has_all else 0


def order(context: Context, task: Task) -> Iterator[str]:
    """Steps come after those that they need, the prompt says whether its own order is that one, and
    any other order that the needs allow gives the same outputs."""
    positions = positions_of(task)
    if len(positions) != len(task.steps):
        yield "two steps share an id"
        return
    for number, step in enumerate(task.steps):
        if {edge.source for edge in step.edges} != set(step.depends_on):
            yield f"{step.step_id}: its dependencies are not those of its edges"
        for source in step.depends_on:
            if positions.get(source, number) >= number:
                yield f"{step.step_id}: depends on {source}, which is no earlier step"
                return
    in_order = task.metadata["listed"] == [step.step_id for step in task.steps]
    if in_order == bool(_OUT_OF_ORDER.search(read(task.prompt).introduction)):
        yield f"the prompt says that its order is {'not ' if in_order else ''}that of execution"
    yield from _another_order(context, task)


def _another_order(context: Context, task: Task) -> Iterator[str]:
    """Executed latest first, each step as soon as what it needs is there."""
    stateful = {name for name, tool in context.tools.items() if World in tool.injected.values()}
    depths: dict[str, int] = {}
    for step in task.steps:
        depths[step.step_id] = 1 + max((depths[s] for s in step.depends_on), default=0)
    acting = [step for step in task.steps[::-1] if step.tool in stateful]
    episode = Episode(context.tools)
    for step in sorted(acting, key=lambda step: depths[step.step_id]):
        if episode.execute(step.tool, dict(step.arguments)).output != step.output:
            yield f"{step.step_id}: {step.tool} gives another output in another order"


def free_wording(context: Context, task: Task) -> Iterator[str]:
    """Nothing flows from a call whose text the caller words: nobody can foresee its outcome."""
    free = {
        step.step_id
        for step in task.steps
        if any(rule.get("rule") == "mentions" for rule in step.match.values())
    }
    for step in task.steps:
        for edge in step.edges:
            if edge.source in free:
                yield f"{step.step_id}: {edge.argument} flows from {edge.source}, worded freely"


def single_answer(context: Context, task: Task) -> Iterator[str]:
    """No other tool serves a step's sentence; what decides has to stand in that sentence."""
    resolver, read_sentences = _resolver(context, task)
    used = used_paths(task)
    for sentence in read_sentences:
        text = _without_mentions(sentence, resolver)
        yield from other_answers(context, sentence.step, used[sentence.step.step_id], text)


def counts(context: Context) -> Iterator[tuple[str, str]]:
    """Ids run on, and each length has as many procedures as the others, half of them of each form."""
    tasks = context.suite.tasks
    for number, task in enumerate(tasks, 1):
        if task.task_id != task.level.task_id(number):
            yield task.task_id, f"should be {task.level.task_id(number)}"
    lengths = Counter(len(task.steps) for task in tasks)
    most = max(lengths.values())
    for calls, procedures in sorted(lengths.items()):
        if procedures != most:
            yield "", f"has {procedures} procedures of {calls} calls, and {most} of others"
        forms = Counter(read(task.prompt).form for task in tasks if len(task.steps) == calls)
        if abs(forms["list"] - forms["prose"]) > procedures % 2:
            yield "", f"of {calls} calls {forms['list']} are listed and {forms['prose']} in prose"


def _resolver(context: Context, task: Task) -> tuple[Resolver, list[Sentence]]:
    # By identity: in a suite that is wrong two procedures may have one id.
    reading: tuple[Resolver, list[Sentence]] | None = context.readings.get(id(task))
    if reading is None:
        read_sentences = sentences(task)
        is_shuffled = task.metadata["listed"] != [step.step_id for step in task.steps]
        is_numbered = read(task.prompt).is_numbered
        resolver = Resolver(read_sentences, is_shuffled=is_shuffled, is_numbered=is_numbered)
        reading = context.readings[id(task)] = resolver, read_sentences
    return reading


def _without_mentions(sentence: Sentence, resolver: Resolver) -> str:
    """What a sentence states: "from step 5" states no 5."""
    text = sentence.text
    for mention in reversed(resolver.mentions(sentence)):
        text = f"{text[: mention.start]}…{text[mention.end :]}"
    return text
