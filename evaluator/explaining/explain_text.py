"""An explanation for the terminal, within 80 columns: what strangers wrote is cut and can drive nothing."""

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import Any

from dataset_builder.visible_text import clean, within
from evaluator.explaining.explanation import GOOD, NOT_COUNTED, NOT_REPLAYED, SIGNS, solved_word
from evaluator.scoring.error_classes import MEANING
from evaluator.scoring.metrics import SCORES
from evaluator.scoring.text_tables import columns, percent
from evaluator.traces.signature import parse_signature

WIDTH = 80
_LONGEST = 4_000
"""Characters of a text that is wrapped."""
_ALIKE, _BEFORE = 40, 20
"""So long a common beginning of two values is cut, down to so many characters."""
_MOST_CALLS, _MOST_ARGUMENTS, _MOST_REASONS = 40, 40, 8
Data = Mapping[str, Any]


def run_text(data: Data, most: int | None) -> str:
    """The outcomes of a run and its worst tasks, at most so many (`explain_runs.run_data`)."""
    lines = [*_head(data), "", *_outcomes(data)]
    tasks = data["tasks"]
    if not tasks:
        return _joined(
            [*lines, "None of these." if data["outcomes"] else "There is nothing to mend."]
        )
    shown = tasks[:most]
    count = str(len(tasks)) if len(shown) == len(tasks) else f"{len(shown)} of {len(tasks)}"
    lines.append(f"The worst tasks ({count}), with the reason that tells most of the outcome:")
    for row in shown:
        name = row["task_id"]
        sample = f" sample {row['sample']}" if data["n_samples"] > 1 else ""
        scores = f"calls right {percent(row['step']):>5}  weighted {percent(row['score']):>5}"
        lines.append(f"{name}{sample}  {scores}  {row['error']}")
        lines += _hung("    ", row["reason"])
    if len(shown) < len(tasks):
        lines.append(f"{len(tasks) - len(shown)} more: --all, or --error and --level to choose")
    return _joined(lines)


def _head(data: Data) -> Iterator[str]:
    measured = parse_signature(data["signature"])
    how = [measured.protocol, f"catalogue {measured.catalogue}"]
    how += [f"wording {data['wording']}"] if data["wording"] else []
    how += measured.variation.words
    yield f"{clean(data['model'] or 'unnamed model', 60)}: {', '.join(how)}"
    figures = ", ".join(
        f"{metric.name} {percent(data[metric.total])} %" for metric in SCORES.values()
    )
    yield f"{data['n_tasks']} tasks: {figures}"


def _outcomes(data: Data) -> list[str]:
    meanings = {"solved": "Every call is right, in an order that works.", **MEANING}
    counts = {"solved": data["solved"], **data["outcomes"]}
    return [
        *("tasks  outcome" if data["n_samples"] == 1 else "answers  outcome",),
        *(
            line
            for name, count in counts.items()
            for line in _hung(f"{count:5}  ", f"{name}: {meanings[name]}")
        ),
        "",
    ]


# An answer ------------------------------------------------------------------------------------


def samples_text(rows: Sequence[Data], chosen: int) -> str:
    """What became of each sample of a task, where there are several."""
    lines = [f"{len(rows)} samples; shown is {chosen}, --sample shows another:"]
    table = [
        (f"  {row['sample']}", percent(row["score"]), row["error"] or "solved") for row in rows
    ]
    return _joined([*lines, *columns(table, right=(0, 1)).splitlines()])


def answer_text(data: Data) -> str:
    """Everything about an answer (`evaluator.explaining.explain_runs.answer_data`)."""
    lines = [
        f"{data['task_id']}, sample {data['sample']}: {clean(data['model'] or 'unnamed model', 50)}",
        "",
        *_hung("  ", data["prompt"]),
        "",
        *_verdict(data),
        "",
        "Expected calls, and what was made of them (✓ right, ≈ partly, ✗ wrong)",
        "",
        *(line for step in data["steps"] for line in _step(step, data["calls"])),
        "How the score adds up",
        *_sums(data),
        "",
        "All calls in order",
        *_calls(data["calls"]),
    ]
    return _joined(lines)


def _verdict(data: Data) -> Iterator[str]:
    solved = solved_word(data["strict"])
    step, weighted = percent(data["step"]), percent(data["score"])
    yield f"solved: {solved}   calls right {step} %   weighted {weighted} %"
    if data["error"] is None:
        is_known = data["strict"] is not None
        yield "Every call is right, and in an order that works." if is_known else NOT_REPLAYED
        return
    yield f"{data['error']}: {data['meaning']}"
    for reason in data["reasons"][:_MOST_REASONS]:
        yield from _hung("  - ", reason)
    if len(data["reasons"]) > _MOST_REASONS:
        yield f"  … and {len(data['reasons']) - _MOST_REASONS} more"
    if data["trace_error"] is not None:
        yield f"  The row reports an error: {_value(data['trace_error'])}"


def _step(step: Data, calls: Sequence[Data]) -> Iterator[str]:
    number = step["step_id"].removeprefix("step_")
    yield from _hung(f"{number} ", f"{step['tool']}: {SIGNS[step['verdict']]} {step['words']}")
    if step["call"] is None:
        for name, value in step["expected"].items():
            yield f"    {_name(name)}: expected {_value(value)}"
    else:
        yield from _call_made(step, calls[step["call"] - 1])
    for edge in step["edges"]:
        yield from _hung(f"    {SIGNS[edge['verdict']]} ", f"{edge['flow']}: {edge['words']}")
    yield ""


def _call_made(step: Data, call: Data) -> Iterator[str]:
    if step["called"] != step["tool"]:
        yield f"    {clean(step['called'], 64)} is a right choice for this step as well"
    if call["is_malformed"]:
        yield f"    ✗ the arguments are no JSON object: {_value(call['arguments'])}"
    for argument in step["arguments"][:_MOST_ARGUMENTS]:
        yield from _argument(argument)
    for name, value in list(step["not_counted"].items())[:_MOST_ARGUMENTS]:
        yield f"    {_name(name)} = {_value(value)}"
        yield f"        {NOT_COUNTED}"
    if call["output"] is None:
        yield "    the call was not executed"
    elif call["error"] is not None:
        yield f"    the call gave an error: {_value(call['error'])}"
    else:
        yield f"    the call gave {_value(call['output'])}"


def _argument(argument: Data) -> Iterator[str]:
    head = f"    {SIGNS[argument['verdict']]} {_name(argument['name'])}: {argument['words']}"
    wanted, given = _wanted(argument), _json(argument["given"])
    if argument["verdict"] == GOOD and wanted == given:
        yield f"{head}, {clean(given, WIDTH)}"
    else:
        yield head
        shared = 0 if argument["verdict"] == GOOD else _alike(wanted, given)
        # What is alike in two long values is left out, so that one sees where they part.
        start = shared - _BEFORE if shared > _ALIKE else 0
        for name, text in (("expected", wanted), ("given", given)):
            if argument[name] is not None:
                yield f"        {name:9}{clean(f'…{text[start:]}' if start else text, WIDTH)}"
    if argument["written"] is not None:
        yield f"        written  {_value(argument['written'])}"


def _wanted(argument: Data) -> str:
    rule = argument["match"] or {}
    if rule.get("rule") != "mentions":
        return _json(argument["expected"])
    return f"a text that mentions {', '.join(map(_json, rule['values']))}"


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _sums(data: Data) -> Iterator[str]:
    weighted = percent(data["score"])
    yield "Solved: calls right and sequence both 100 %."
    yield f"Calls right: {data['step_of']} = {percent(data['step'])} %."
    if not data["dimensions"]:
        yield f"Weighted: all or nothing at level 0, {weighted} %."
        return
    rows = [("weighted", "made of", "value", "weight", "gives")]
    for term in data["dimensions"]:
        weight, value, share = term["weight"], percent(term["value"]), percent(term["share"])
        rows.append((term["dimension"], term["made_of"], value, f"× {weight:.3f}", share))
    whole = fsum(term["share"] for term in data["dimensions"])
    rows.append(("sum", "", "", "", percent(whole)))
    rows.append(("economy", data["economy_of"], "", f"× {data['economy']:.3f}", weighted))
    yield from columns(rows, right=(2, 3, 4)).splitlines()


def _calls(calls: Sequence[Data]) -> Iterator[str]:
    if not calls:
        yield "There is none."
    for number, call in enumerate(calls[:_MOST_CALLS], 1):
        yield f"{number} {clean(call['name'], 64)} {_value(call['arguments'])}"
        sign = SIGNS[call["verdict"]]
        yield f"    stands for: {sign}{' ' * len(sign)}{call['words']}"
    if len(calls) > _MOST_CALLS:
        yield f"… and {len(calls) - _MOST_CALLS} more (--json has them)"


# Text -----------------------------------------------------------------------------------------


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _value(value: Any) -> str:
    return clean(_json(value), WIDTH)


def _name(name: str) -> str:
    return clean(name, 40)


def _hung(head: str, text: str) -> list[str]:
    """A text wrapped behind a head."""
    rest = " " * len(head)
    return textwrap.wrap(clean(text, _LONGEST), WIDTH, initial_indent=head, subsequent_indent=rest)


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(within(line, WIDTH) for line in lines)
