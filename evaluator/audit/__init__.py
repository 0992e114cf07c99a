"""The audit of a suite by rules, and by hand. Imports asking, scoring and traces.

Rules read only the published rows and the catalogue, so that they judge any suite.
"""

from collections.abc import Iterator, Mapping

from dataset_builder.tasks.task import Level, Suite
from dataset_builder.tools.tool import Tool
from evaluator.audit import (
    counts,
    distractors,
    graph,
    irrelevance,
    procedures,
    single_answer,
    values,
    wording,
)
from evaluator.audit.rules import Context, Defect, SuiteRule, TaskRule
from evaluator.audit.scores import oracle_perfect, silence_zero, spam_low

TASK_RULES: Mapping[str, TaskRule] = {
    "grounded": values.grounded_values,
    "schema_valid": values.schema_valid,
    "arguments_present": values.arguments_present,
    "reexecutes": values.reexecutes,
    "topology": graph.topology,
    "edges_real": graph.edges_real,
    "no_tool_names": wording.no_tool_names,
    "whole_text": wording.whole_text,
    "no_filler": wording.no_filler,
    "near_distractor": distractors.near_distractor,
    "distractor_harmless": distractors.distractor_harmless,
    "single_answer": single_answer.single_answer,
    "oracle_perfect": oracle_perfect,
    "silence_zero": silence_zero,
}
SUITE_RULES: Mapping[str, SuiteRule] = {
    "counts": counts.counts,
    "distinct_prompts": wording.distinct_prompts,
    "spam_low": spam_low,
}
RULES = ("counts", *TASK_RULES, "distinct_prompts", "spam_low")
PROCEDURE_TASK_RULES: Mapping[str, TaskRule] = {
    "grounded": procedures.grounded,
    "one_referent": procedures.one_referent,
    "asked": procedures.asked,
    "announced": procedures.announced,
    "dials": procedures.dials,
    "order": procedures.order,
    "free_wording": procedures.free_wording,
    **{
        name: TASK_RULES[name]
        for name in (
            *("schema_valid", "arguments_present", "reexecutes", "edges_real", "no_tool_names"),
            *("whole_text", "no_filler", "distractor_harmless"),
        )
    },
    "single_answer": procedures.single_answer,
    "oracle_perfect": oracle_perfect,
    "silence_zero": silence_zero,
}
"""The rules over procedures (level 4): their own, and those that ask nothing of a level."""
PROCEDURE_SUITE_RULES: Mapping[str, SuiteRule] = {
    "counts": procedures.counts,
    "distinct_prompts": wording.distinct_prompts,
}
PROCEDURE_RULES = ("counts", *PROCEDURE_TASK_RULES, "distinct_prompts")


IRRELEVANCE_TASK_RULES: Mapping[str, TaskRule] = {
    "no_call": irrelevance.no_call,
    "nearest_named": irrelevance.nearest_named,
    "offers": irrelevance.offers,
    "no_value": irrelevance.no_value,
    **{name: TASK_RULES[name] for name in ("no_tool_names", "whole_text", "no_filler")},
    "silence_right": irrelevance.silence_right,
}
"""The rules over requests that no tool serves (level 5)."""
IRRELEVANCE_SUITE_RULES: Mapping[str, SuiteRule] = {
    "counts": irrelevance.counts,
    "distinct_prompts": wording.distinct_prompts,
}
IRRELEVANCE_RULES = ("counts", *IRRELEVANCE_TASK_RULES, "distinct_prompts")
_RuleSet = tuple[tuple[str, ...], Mapping[str, TaskRule], Mapping[str, SuiteRule]]
_APART: Mapping[Level, _RuleSet] = {
    Level.PROCEDURE: (PROCEDURE_RULES, PROCEDURE_TASK_RULES, PROCEDURE_SUITE_RULES),
    Level.IRRELEVANT: (IRRELEVANCE_RULES, IRRELEVANCE_TASK_RULES, IRRELEVANCE_SUITE_RULES),
}


def rules_of(suite: Suite) -> tuple[str, ...]:
    """The names of the rules that a suite is judged by, in the order in which they are asked."""
    return _rule_set(suite)[0]


def _rule_set(suite: Suite) -> _RuleSet:
    """Names of the rules, those over tasks, those over the suite: of a suite that stands apart its own."""
    for level, rules in _APART.items():
        if all(task.level is level for task in suite.tasks):
            return rules
    return RULES, TASK_RULES, SUITE_RULES


def audit(suite: Suite, tools: Mapping[str, Tool]) -> Iterator[Defect]:
    """Everything that is wrong with a suite, rule by rule (specification: Audit rules)."""
    context = Context(suite, tools)
    names, of_tasks, of_suites = _rule_set(suite)
    for rule in names:
        if rule in of_suites:
            yield from _applied(rule, of_suites[rule](context))
            continue
        for task in suite.tasks:
            details = of_tasks[rule](context, task)
            yield from _applied(rule, ((task.task_id, detail) for detail in details), task.task_id)


def _applied(rule: str, defects: Iterator[tuple[str, str]], task_id: str = "") -> Iterator[Defect]:
    """The defects that a rule finds; one more where it cannot go on.

    A rule may take for granted what another one checks. Rows that are at odds with themselves are a
    defect and no reason to stop.
    """
    try:
        for where, detail in defects:
            yield Defect(rule, where, detail)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        yield Defect(
            rule, task_id, f"cannot be checked, since rows do not fit together ({error!r})"
        )
