"""How far a run got with each step of a graph, and the graph in words."""

from collections.abc import Iterable

from dataset_builder.tasks.task import Task
from evaluator.scoring.verdict import TaskScore

RIGHT, WRONG, MISSING, PLAIN = "right", "wrong", "missing", "plain"
STATES = {RIGHT: "✓ right", WRONG: "≈ called, not right", MISSING: "✗ no call", PLAIN: ""}
"""A sign and words for each state, so that the colour is not all that tells."""


def step_state(score: TaskScore | None, position: int) -> str:
    """The state of a step; plain where no run is looked at."""
    if score is None:
        return PLAIN
    step = score.steps[position]
    return MISSING if step.call is None else RIGHT if step.is_right else WRONG


def flow_state(score: TaskScore | None, position: int, edge: int) -> str:
    """Whether the value of an edge of a step flowed."""
    if score is None:
        return PLAIN
    return RIGHT if score.steps[position].edges[edge].is_exact else WRONG


def worst(states: Iterable[str]) -> str:
    """What several steps or values have in common: right only where all are."""
    given = set(states)
    return next((state for state in (MISSING, WRONG, RIGHT) if state in given), PLAIN)


def graph_words(task: Task, score: TaskScore | None = None) -> str:
    """The picture in words: a sentence for each step."""
    sentences = []
    for position, step in enumerate(task.steps):
        takes = [f"{e.path} of {_words(e.source)} as {e.argument}" for e in step.edges]
        if not takes and step.depends_on:
            takes = [f"what {' and '.join(map(_words, step.depends_on))} gave"]
        sentence = f"{_words(step.step_id).capitalize()} is {step.tool}"
        if takes:
            sentence += f", which takes {', '.join(takes)}"
        state = STATES[step_state(score, position)].partition(" ")[2]
        sentences.append(f"{sentence}{f': {state}' if state else ''}.")
    return " ".join(sentences)


def _words(step_id: str) -> str:
    return step_id.replace("_", " ")
