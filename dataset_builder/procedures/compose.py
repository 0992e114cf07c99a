"""The composer: dials and draws → executed steps, each value stated or flowing from an earlier one."""

from collections.abc import Mapping, Sequence

from dataset_builder.procedures.bind_results import Binder, by_reach
from dataset_builder.procedures.choose_clause import ClauseChoice
from dataset_builder.procedures.dials import MOST_FAN_IN, Dials
from dataset_builder.procedures.drafts import Draft, Result
from dataset_builder.procedures.grammar import Clause, Grammar, Scenario
from dataset_builder.procedures.ledger import Ledger
from dataset_builder.tasks.ground_truth import Degenerate
from dataset_builder.tasks.output_cache import output_of
from dataset_builder.tasks.slot import draw_slots
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World
from dataset_builder.values.draw import Draw

# Draws for one step, before the whole procedure is drawn anew.
TRIES = 60
# After so many in vain the longest chain is given up for the next longest.
PATIENCE = 10
# How many unused results are kept waiting at most; beyond, the next step uses one.
MOST_WAITING = 24
# Results that an ending call uses on average: several numbers fit in a message, a text alone in a file.
RESULTS_AN_END = 1.4
# How often a step starts from literals where nothing waits, and where enough waits.
STARTS = (0.95, 0.08)
# How often a result is used again, by reach.
AGAIN = {"near": 0.12, "mixed": 0.12, "far": 0.3}


class Composer:
    """Makes the steps of one procedure, in the order of their execution."""

    def __init__(
        self,
        grammar: Grammar,
        tools: Mapping[str, Tool],
        calls: int,
        dials: Dials,
        scenario: Scenario,
        frame: str,
        key: str,
    ) -> None:
        """``frame``: what the prompt says beside the steps. ``key``: what the draws depend on."""
        self._grammar = grammar
        self._tools = tools
        self._calls = calls
        self._dials = dials
        self._key = key
        self._world = World()
        numbers = range(1, calls + 1) if dials.is_numbered else ()
        stateful = frozenset(name for name, tool in tools.items() if tool.is_stateful)
        self._ledger = Ledger(frame, numbers, stateful)
        self._drafts: list[Draft] = []
        self._waiting: list[Draft] = []
        """Steps with results of which none is used yet, oldest first."""
        self._reached = 0
        """The longest chain so far."""
        self._spine: list[Draft] = []
        """The steps from which the longest chain can still be made as long as it is to be."""
        self._widest = 0
        """Most results that one call takes so far."""
        self._fan_in = MOST_FAN_IN if dials.fan_in is None else dials.fan_in
        self._depth = dials.depth or calls
        self._choice = ClauseChoice(grammar, scenario, self._depth, self._fan_in)
        kept = {
            "near": 2,
            "mixed": max(3, min(calls // 6, MOST_WAITING // 2)),
            "far": max(4, min(calls // 4, MOST_WAITING)),
        }
        self._kept = max(kept[dials.reach], dials.fan_in or 0)

    def steps(self) -> tuple[list[Draft], Ledger]:
        """The steps and what they state; Degenerate where the draws lead nowhere."""
        for number in range(1, self._calls + 1):
            self._next(number)
        return self._drafts, self._ledger

    def _next(self, number: int) -> None:
        for attempt in range(TRIES):
            draw = Draw(f"{self._key}|{number}|{attempt}")
            if attempt and attempt % PATIENCE == 0:
                self._give_up_deepest()
            draft = self._draft(number, draw)
            if draft is not None:
                self._accept(draft)
                return
        raise Degenerate(f"no step {number} fits")

    def _give_up_deepest(self) -> None:
        """Forget the longest chains that lead on, whole, lest another dead end grow out of them."""
        deepest = self._deepest
        lines = [step.line() for step in self._spine if step.depth == deepest]
        self._spine = [step for step in self._spine if not any(step in line for line in lines)]

    def _accept(self, draft: Draft) -> None:
        self._ledger.enter(draft)
        self._drafts.append(draft)
        self._choice.count(draft)
        self._reached = max(self._reached, draft.depth)
        if draft.depth < self._depth and any(map(self._is_spinal, draft.results)):
            self._spine.append(draft)
        self._widest = max(self._widest, len(draft.sources))
        used = {result.step for result in draft.sources}
        self._waiting = [step for step in self._waiting if step not in used]
        if draft.results and draft.depth < self._depth:
            self._waiting.append(draft)

    # What the next step is to be

    def _draft(self, number: int, draw: Draw) -> Draft | None:
        """One draw of a step, executed; None where it comes to nothing."""
        wanted = -(-self._depth * number // self._calls)
        extends = self._reached < self._depth and 0 < self._deepest < wanted
        source = self._deep_source(draw) if extends else None
        if source is None:
            extends = False
            source = self._source(number, draw)
        ends = number == self._calls or (not extends and self._must_absorb(number))
        if source is None:
            clause = self._choice.start(draw, has_chain=bool(self._spine))
        else:
            clause = self._choice.follow(source, draw, leads_on=extends, ends=ends)
        if clause is None:
            return None
        flows = {} if source is None else self._bound(clause, source, draw)
        draft = None if flows is None else self._executed(number, clause, flows, draw)
        if draft is None:
            self._choice.refuse(clause)
        return draft

    def _must_absorb(self, number: int) -> bool:
        """Whether the steps that are left are just enough to use every result that waits."""
        each = 1.0 if self._fan_in < 2 else RESULTS_AN_END
        return len(self._waiting) >= each * (self._calls - number + 1) - 1 and self._calls > 2

    def _is_spinal(self, result: Result) -> bool:
        """Whether a chain through a result can reach the wanted length."""
        left = self._depth - result.step.depth
        return self._grammar.leads_on(result.quantity, result.step.clause.tool, left)

    @property
    def _deepest(self) -> int:
        """Calls in the longest chain that leads on; 0 where there is none."""
        return max((step.depth for step in self._spine if step.results), default=0)

    def _deep_source(self, draw: Draw) -> Result | None:
        """A result at the end of the longest chain that leads on."""
        deepest = self._deepest
        for step in self._by_reach([s for s in self._spine if s.depth == deepest], draw):
            spinal = [result for result in step.results if self._is_spinal(result)]
            for result in draw.sample(f"field {step.number}", spinal, len(spinal)):
                if self._can_flow(result):
                    return result
        return None

    def _source(self, number: int, draw: Draw) -> Result | None:
        """The result that the next step uses; None for a step that starts from literals."""
        if self._fan_in == 0 or self._depth == 1 or not self._drafts:
            return None
        if number == self._calls or self._must_absorb(number):
            waiting = self._by_reach(self._waiting, draw)
            return self._first_usable(waiting, draw) or self._first_usable(self._usable[::-1], draw)
        share = len(self._waiting) / self._kept
        often, seldom = STARTS
        if draw.fraction("root") < (often - share / 2 if share < 1 else seldom):
            return None
        if draw.fraction("again") < AGAIN[self._dials.reach]:
            return self._first_usable(self._by_reach(self._usable, draw), draw)
        return self._first_usable(self._by_reach(self._waiting, draw), draw)

    @property
    def _usable(self) -> list[Draft]:
        """The steps whose results may still be used."""
        return [step for step in self._drafts if step.results and step.depth < self._depth]

    def _by_reach(self, steps: Sequence[Draft], draw: Draw) -> list[Draft]:
        return by_reach(steps, self._dials.reach, draw)

    def _first_usable(self, steps: Sequence[Draft], draw: Draw) -> Result | None:
        for step in steps:
            for result in draw.sample(f"field {step.number}", step.results, len(step.results)):
                if self._can_flow(result):
                    return result
        return None

    def _can_flow(self, result: Result) -> bool:
        """Whether a result may be used; one that may not is forgotten, since it never will be."""
        if self._ledger.can_flow(result):
            return True
        result.step.results.remove(result)
        if not result.step.results and result.step in self._waiting:
            self._waiting.remove(result.step)
        return False

    def _bound(
        self, clause: Clause, source: Result, draw: Draw
    ) -> dict[str, tuple[Result, ...]] | None:
        """The results that flow into the next step, by hole."""
        waiting = self._by_reach([step for step in self._waiting if step.results], draw)
        others = self._by_reach(self._usable, draw)
        is_widest = self._dials.fan_in is not None and self._widest < self._fan_in
        binder = Binder(self._grammar, self._ledger, clause, draw)
        return binder.bind(source, waiting, others, self._fan_in, is_widest=is_widest)

    def _executed(
        self, number: int, clause: Clause, flows: dict[str, tuple[Result, ...]], draw: Draw
    ) -> Draft | None:
        values = draw_slots(clause.slots, draw)
        wording = draw.choice("wording", clause.wordings)
        sources = [result.step.depth for results in flows.values() for result in results]
        draft = Draft(number, clause, wording, values, flows, 1 + max(sources, default=0))
        draft.fill()
        draft.output = output_of(self._tools[clause.tool], draft.arguments, self._world)
        if "error" in draft.output:
            return None
        draft.find_results()
        draft.results = self._ledger.fresh(draft)
        is_useful = bool(draft.results) or clause.is_end
        return draft if is_useful and self._ledger.admits(draft) else None
