"""The score of one trace on one task: replay, alignment, dimensions (specification: Scoring). Pure.

score_task(task, trace, catalogue()).score      # weighted; .step, .strict, .error, .steps, .calls
"""

from collections.abc import Collection, Mapping, Sequence
from math import fsum

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Level, Step, Task
from dataset_builder.tools.replay import Executed, Outcomes, replay
from dataset_builder.tools.tool import Tool
from evaluator.scoring.align import Alignment, align
from evaluator.scoring.arguments import Expected, call_similarity, compare, is_similar
from evaluator.scoring.bipartite_matching import pair_off
from evaluator.scoring.call_order import longest_in_order, most_in_order
from evaluator.scoring.call_worth import Scene
from evaluator.scoring.data_flow import edge_verdicts, stopped
from evaluator.scoring.error_classes import INFRASTRUCTURE, error_class
from evaluator.scoring.forgiven_faults import forgiven_for_faults
from evaluator.scoring.known_task import KnownTask, ScoreKey, keep
from evaluator.scoring.long_alignment import align_at_length
from evaluator.scoring.score_request import score_request
from evaluator.scoring.verdict import (
    ALIGNED,
    EXTRA,
    FORGIVEN,
    OPTIONAL,
    CallVerdict,
    StepVerdict,
    TaskScore,
)
from evaluator.scoring.weights import combine, weights_of
from evaluator.traces.protocols import MULTI_TURN
from evaluator.traces.trace import Trace
from evaluator.traces.variations import variation_of

MOST_FORGIVEN = 2
_MOST_TASKS = 500
"""So many tasks a scorer knows at a time."""
_MOST_CALLS = 20
"""Two answers with more calls are hardly ever made of equal ones."""
MOST_SEARCHED = 6
"""Up to so many steps alignment and order are searched for the optimum."""


def score_task(
    task: Task, trace: Trace, tools: Mapping[str, Tool], offered: Collection[str] | None = None
) -> TaskScore:
    """What one trace is worth on a task: `Scorer.score`, where nothing is shared with other traces."""
    return Scorer(tools).score(task, trace, offered)


class Scorer:
    """Scores traces, and keeps what they share: what is known of a task, and what equal calls gave.

    What it keeps never changes a score, and has bounds: some tens of megabytes for the published suite, some
    hundreds were every task of a large one answered at length in hundreds of ways.
    """

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        """``tools``: the catalogue that calls are executed with."""
        self._tools = tools
        self._outcomes = Outcomes()
        self._generation = 0
        self._known: dict[str, KnownTask] = {}

    def score(self, task: Task, trace: Trace, offered: Collection[str] | None = None) -> TaskScore:
        """What a trace is worth on a task.

        ``offered``: the names that the model was offered; by default those of the catalogue that the trace
        declares, or all. Raises ValueError where the trace is of another task, or the task expects no call
        though it is no request without one.
        """
        if trace.task_id != task.task_id:
            raise ValueError(f"a trace of {trace.task_id} cannot be scored as {task.task_id}")
        if not task.steps and task.level is not Level.IRRELEVANT:
            raise InputError(f"{task.task_id} expects no call, so there is nothing to score")
        if task.steps and trace.is_infrastructure_failure:
            return _unanswered(task, trace)
        known = self._known_of(task)
        variation = variation_of(trace.extra.get("asked"))
        names = known.offered(trace.catalogue or "full") if offered is None else frozenset(offered)
        if withheld := variation.withheld_of(task):
            names -= withheld
        calls_made = ((call.name, call.arguments) for call in trace.calls)
        faults = variation.faults_of(task)
        executed = replay(calls_made, self._tools, names, faults, self._outcomes)
        if not task.steps:
            return score_request(task, trace, executed, names)
        key = _key(trace, executed, names)
        if key is None:
            return _judged(known, executed, trace, names)
        score = known.scores.get(key)
        if score is None:
            score = _judged(known, executed, trace, names)
            keep(known.scores, key, score)
        return score if score.sample == trace.sample else score._replace(sample=trace.sample)

    def offered(self, task: Task, catalogue: str) -> frozenset[str]:
        """The names of the tools that a catalogue offers with a task."""
        return self._known_of(task).offered(catalogue)

    def _known_of(self, task: Task) -> KnownTask:
        if self._outcomes.generation != self._generation:
            # What was kept by earlier tokens is never met again, and holds their outputs.
            self._generation = self._outcomes.generation
            self._known.clear()
        known = self._known.get(task.task_id)
        if known is None or known.task is not task:
            if len(self._known) >= _MOST_TASKS:
                self._known.clear()
            known = self._known[task.task_id] = KnownTask(task, self._tools)
        return known


def _key(trace: Trace, executed: Sequence[Executed], offered: frozenset[str]) -> ScoreKey | None:
    """What the score of an answer hangs on; None where that is known of this one alone."""
    tokens = tuple([call.token for call in executed])
    if None in tokens or len(tokens) > _MOST_CALLS:
        return None
    return tokens, offered, trace.protocol == MULTI_TURN, _fault(trace)


def _fault(trace: Trace) -> str | None:
    return None if trace.error is None else trace.error["kind"]


def _judged(
    known: KnownTask, executed: Sequence[Executed], trace: Trace, offered: Collection[str]
) -> TaskScore:
    """The score of calls that were executed."""
    task, tools = known.task, known.tools
    scene = Scene(known, executed, offered)
    alignment = (align if len(task.steps) <= MOST_SEARCHED else align_at_length)(scene)
    steps = _steps(scene, alignment)
    roles = _roles(scene, alignment, trace.protocol == MULTI_TURN)
    calls = _calls(scene, alignment, roles, offered)
    score = _score(task, trace, steps, calls, _sequence(scene, alignment, roles))
    is_replayed = all(step.tool in tools for step in task.steps)
    if not is_replayed:
        score = score._replace(step=None, strict=None)
    has_passed = score.strict if is_replayed else score.score == 1
    return score if has_passed else score._replace(error=error_class(score))


def _unanswered(task: Task, trace: Trace) -> TaskScore:
    """An infrastructure failure: 0 in the headline, and marked."""
    steps = tuple(_without_call(step) for step in task.steps)
    score = _score(task, trace, steps, (), 0.0)
    return score._replace(error=INFRASTRUCTURE)


def _score(
    task: Task,
    trace: Trace,
    steps: tuple[StepVerdict, ...],
    calls: tuple[CallVerdict, ...],
    sequence: float,
) -> TaskScore:
    expected, counted = len(steps), sum(call.is_counted for call in calls)
    edges = [edge for step in steps for edge in step.edges]
    arguments = fsum(step.similarity for step in steps) / expected
    completeness = sum(step.call is not None for step in steps) / expected
    data_flow = sum(edge.satisfied for edge in edges) / len(edges) if edges else None
    economy = min(1.0, expected / counted) if counted else 1.0
    right = sum(step.is_right for step in steps) / max(expected, counted)
    if task.level == 0:
        score = float(counted == 1 and all(is_similar(step.similarity) for step in steps))
    else:
        weights = weights_of(task.level)
        score = combine(weights, sequence, arguments, data_flow, completeness, economy)
    return TaskScore(
        task_id=task.task_id,
        sample=trace.sample,
        level=int(task.level),
        score=score,
        step=right,
        strict=right == 1 and sequence == 1,
        sequence=sequence,
        arguments=arguments,
        completeness=completeness,
        data_flow=data_flow,
        economy=economy,
        error=None,
        counted=counted,
        fault=_fault(trace),
        steps=steps,
        calls=calls,
    )


def _steps(scene: Scene, alignment: Alignment) -> tuple[StepVerdict, ...]:
    verdicts = []
    for position, (step, call) in enumerate(zip(scene.task.steps, alignment, strict=True)):
        if call is None:
            verdicts.append(_without_call(step))
            continue
        upstream = tuple(alignment[source] for source in scene.sources[position])
        pair = scene.pair(position, call, upstream)
        verdicts.append(StepVerdict(step.step_id, step.tool, call, pair, pair.edges))
    return tuple(verdicts)


def _without_call(step: Step) -> StepVerdict:
    flow = [stopped(f"{step.step_id} has no call")] * len(step.edges)
    return StepVerdict(step.step_id, step.tool, None, None, edge_verdicts(step, flow))


def _sequence(scene: Scene, alignment: Alignment, roles: Collection[int]) -> float:
    """Share of the steps whose order the calls keep; an aligned alternative goes by its step's tool.

    ``roles``: the calls that do not count: a failed attempt does not stand in for its step.
    """
    task, executed, depends = scene.task, scene.executed, scene.known.depends
    if len(task.steps) > MOST_SEARCHED:
        places = [None if call in roles else call for call in alignment]
        return most_in_order(places, depends) / len(task.steps)
    step_of = {call: step.tool for step, call in zip(task.steps, alignment, strict=True)}
    names = [
        step_of.get(number, call.name)
        for number, call in enumerate(executed)
        if number not in roles
    ]
    tools = [step.tool for step in task.steps]
    return longest_in_order(names, tools, depends) / len(tools)


# Which calls count ----------------------------------------------------------------------------


def _roles(scene: Scene, alignment: Alignment, is_multi_turn: bool) -> dict[int, str]:
    """The calls that do not count as made, by their number: optional or forgiven."""
    roles = dict.fromkeys(_optional(scene, alignment), OPTIONAL)
    if is_multi_turn:
        roles |= dict.fromkeys(forgiven_for_faults(scene, alignment), FORGIVEN)
        last = {call.name: number for number, call in enumerate(scene.executed)}
        tried_again = [
            number
            for number, call in enumerate(scene.executed)
            # What stands for a step is the answer, and no failed attempt at one.
            if call.error is not None
            and number not in roles
            and number not in alignment
            and last[call.name] > number
        ]
        roles |= dict.fromkeys(tried_again[:MOST_FORGIVEN], FORGIVEN)
    return roles


def _optional(scene: Scene, alignment: Alignment) -> list[int]:
    """The unaligned calls that pair off with the task's optional ones."""
    optional = scene.known.optional
    if not optional:
        return []
    left = [
        number
        for number, call in enumerate(scene.executed)
        if number not in alignment and call.arguments is not None and call.output is not None
    ]
    fits = [
        [i for i, each in enumerate(optional) if _is_call(scene.executed[number], each)]
        for number in left
    ]
    partners = pair_off(fits)
    return [number for number, partner in zip(left, partners, strict=True) if partner is not None]


def _is_call(executed: Executed, expected: Expected) -> bool:
    if expected.tool is None or executed.name != expected.tool.name or executed.arguments is None:
        return False
    return is_similar(call_similarity(compare(expected, executed.arguments)))


def _calls(
    scene: Scene, alignment: Alignment, roles: Mapping[int, str], offered: Collection[str]
) -> tuple[CallVerdict, ...]:
    step_of = dict(zip(alignment, scene.task.steps, strict=True))
    verdicts = []
    for number, executed in enumerate(scene.executed):
        step = step_of.get(number)
        verdicts.append(
            CallVerdict(
                name=executed.name,
                is_malformed=executed.arguments is None,
                arguments=executed.arguments,
                output=executed.output,
                error=executed.error,
                role=roles.get(number, ALIGNED if step else EXTRA),
                step_id=step.step_id if step else None,
                is_offered=executed.name in offered,
                is_counted=number not in roles,
                fault=executed.fault,
            )
        )
    return tuple(verdicts)
