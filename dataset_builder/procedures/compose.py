"""The composer: dials and draws → executed steps, each value stated or flowing from an earlier one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dataset_builder.procedures.dials import MOST_FAN_IN, Dials
from dataset_builder.procedures.drafts import Draft, Result
from dataset_builder.procedures.grammar import SAME, Clause, Grammar, Scenario
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
# How many unused results are kept waiting; beyond, the next step uses one.
MOST_WAITING = 24
# Results that an ending call uses on average: several numbers fit in one message, a text alone in a file.
RESULTS_AN_END = 1.4
# Results looked at for a second hole.
LOOKED_AT = 40


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
        self._scenario = scenario
        self._key = key
        self._world = World()
        numbers = range(1, calls + 1) if dials.is_numbered else ()
        stateful = frozenset(name for name, tool in tools.items() if tool.is_stateful)
        self._ledger = Ledger(frame, numbers, stateful)
        self._drafts: list[Draft] = []
        self._waiting: list[Draft] = []
        """Steps with results of which none is used yet, oldest first."""
        self._uses: Counter[str] = Counter()
        """By tool how often it is called so far."""
        self._refused: Counter[str] = Counter()
        """By clause how often it came to nothing: some have few values."""
        self._reached = 0
        """The longest chain so far."""
        self._spine: list[Draft] = []
        """The steps from which the longest chain can still be made as long as it is to be."""
        self._widest = 0
        self._by_quantity: dict[str, list[Clause]] = {}
        self._fan_in = MOST_FAN_IN if dials.fan_in is None else dials.fan_in
        self._depth = dials.depth or calls
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
        self._uses[draft.clause.tool] += 1
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
        clause = self._clause(source, draw, leads_on=extends, ends=ends)
        if clause is None:
            return None
        flows = self._bind(clause, source, draw)
        draft = None if flows is None else self._executed(number, clause, flows, draw)
        if draft is None:
            self._refused[clause.key] += 1
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
        usable = [step for step in self._drafts if step.results and step.depth < self._depth]
        if number == self._calls or self._must_absorb(number):
            waiting = self._by_reach(self._waiting, draw)
            return self._first_usable(waiting, draw) or self._first_usable(usable[::-1], draw)
        share = len(self._waiting) / self._kept
        if draw.fraction("root") < (0.95 - 0.5 * share if share < 1 else 0.08):
            return None
        if draw.fraction("again") < (0.3 if self._dials.reach == "far" else 0.12):
            return self._first_usable(self._by_reach(usable, draw), draw)
        return self._first_usable(self._by_reach(self._waiting, draw), draw)

    def _by_reach(self, steps: Sequence[Draft], draw: Draw) -> list[Draft]:
        """Steps in the order in which their results are wanted; some of many."""
        if self._dials.reach == "near":
            return draw.sample("reach", steps[-2:], 2) + list(steps[-LOOKED_AT:-2][::-1])
        if self._dials.reach == "far":
            old = steps[: max(3, len(steps) // 2)]
            return draw.sample("reach", old, min(len(old), LOOKED_AT))
        return draw.sample("reach", steps[-LOOKED_AT:], LOOKED_AT)

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

    def _clause(
        self, source: Result | None, draw: Draw, *, leads_on: bool, ends: bool
    ) -> Clause | None:
        """The clause least used so far, with some chance, among those that take the source."""
        line: frozenset[str] = frozenset()
        if source is None:
            is_end = draw.fraction("end") < 0.06 and bool(self._spine)
            clauses = [clause for clause in self._starting() if clause.is_end == is_end]
            if not self._spine:
                left = self._depth - 1
                clauses = [c for c in clauses if self._grammar.carries_on(c, "", left)] or clauses
        else:
            parent = source.step.clause.tool
            clauses = [c for c in self._taking(source.quantity) if c.tool != parent]
            line = frozenset(step.clause.tool for step in source.step.line())
            depth = source.step.depth + 1
            if leads_on and depth < self._depth:
                left = self._depth - depth
                clauses = [
                    clause
                    for clause in clauses
                    if clause.needed_results <= 1
                    and self._grammar.carries_on(clause, source.quantity, left)
                ]
            elif ends or (depth == self._depth and draw.fraction("end") < 0.9):
                clauses = [clause for clause in clauses if clause.is_end] or clauses
        return min(clauses, key=lambda clause: self._rank(clause, line, draw), default=None)

    def _rank(self, clause: Clause, line: frozenset[str], draw: Draw) -> float:
        """Low for what is wanted: a tool that is new in a chain (``line``), and little used so far."""
        favour = 0.7 if clause.subject in self._scenario.subjects else 0.0
        label = f"rank {clause.key}"
        rank = (
            self._uses[clause.tool] + self._refused[clause.key] - favour + 3 * (clause.tool in line)
        )
        return rank + 1.8 * draw.fraction(label)

    def _starting(self) -> list[Clause]:
        """The clauses whose holes can all be filled by literals."""
        if "" not in self._by_quantity:
            self._by_quantity[""] = [c for c in self._grammar.clauses if not c.result_holes]
        return self._by_quantity[""]

    def _taking(self, quantity: str) -> list[Clause]:
        """The clauses that take a result of a quantity."""
        if quantity not in self._by_quantity:
            self._by_quantity[quantity] = [
                clause
                for clause in self._grammar.clauses
                if self._grammar.takes(clause, quantity)
                and len(clause.result_holes) <= self._fan_in
            ]
        return self._by_quantity[quantity]

    def _fits(self, quantity: str, wanted: str) -> bool:
        return self._grammar.quantities.fits(quantity, wanted.removeprefix(SAME))

    # What flows into it

    def _bind(
        self, clause: Clause, source: Result | None, draw: Draw
    ) -> dict[str, tuple[Result, ...]] | None:
        """The results that fill holes of a clause, the source among them; None where one stays empty."""
        if source is None:
            return {}
        binding = _Binding(clause)
        fitting = [h for h, wanted in clause.takes.items() if self._fits(source.quantity, wanted)]
        holes = [hole for hole in fitting if hole in clause.result_holes] or fitting
        hole = draw.choice("hole", holes)
        if self._is_told(clause, hole, source):
            return None
        binding.add(hole, source)
        for hole in draw.sample("holes", list(clause.takes), len(clause.takes)):
            fewest, most = clause.several.get(hole, (1, 1))
            if hole not in clause.result_holes:
                fewest, most = 0, int(draw.fraction(f"fill {hole}") < 0.4)
            most = min(most, self._fan_in - binding.total + binding.count(hole))
            if most > fewest >= 1 and not self._wants_widest():
                most = draw.integer(f"most {hole}", fewest, most)
            for result in self._others(clause, hole, binding, draw):
                if binding.count(hole) >= most:
                    break
                binding.add(hole, result)
            if binding.count(hole) < fewest:
                return None
        return {hole: tuple(results) for hole, results in binding.flows.items()}

    def _wants_widest(self) -> bool:
        """Whether a call that takes as many results as there may be is still to come."""
        return self._dials.fan_in is not None and self._widest < self._fan_in

    def _others(
        self, clause: Clause, hole: str, binding: "_Binding", draw: Draw
    ) -> Iterator[Result]:
        """Further results that a hole may take, those that wait before those used already."""
        wanted = clause.takes[hole]
        for steps in (self._waiting, self._drafts):
            fewest, _ = clause.several.get(hole, (hole in clause.result_holes, 1))
            if steps is self._drafts and binding.count(hole) >= fewest and not self._wants_widest():
                return
            wanted_first = self._by_reach([s for s in steps if s.results], draw)[:LOOKED_AT]
            # A message about one subject reads better than one about many.
            wanted_first.sort(key=lambda step: step.clause.subject not in binding.subjects)
            for step in wanted_first:
                if step.depth >= self._depth or step in binding.steps:
                    continue
                if wanted.startswith(SAME) and binding.is_kin(step):
                    continue
                for result in step.results:
                    if not self._fits(result.quantity, wanted):
                        continue
                    if wanted.startswith(SAME) and not binding.agrees(result):
                        continue
                    if not self._ledger.can_flow(result) or self._is_told(clause, hole, result):
                        continue
                    if step.clause.tool != clause.tool:
                        yield result
                        break

    def _is_told(self, clause: Clause, hole: str, result: Result) -> bool:
        """Whether the prompt says the value in another form of the argument that takes it."""
        tool = self._tools[clause.tool]
        kinds = [tool.parameters[name].kind for name in clause.arguments_of(hole)]
        return any(self._ledger.is_stated_as(kind, result) for kind in kinds)

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


class _Binding:
    """Which results fill which holes of a clause."""

    def __init__(self, clause: Clause) -> None:
        self._takes = clause.takes
        self.flows: dict[str, list[Result]] = {}
        self.steps: list[Draft] = []
        self._same = ""

    def add(self, hole: str, result: Result) -> None:
        self.flows.setdefault(hole, []).append(result)
        self.steps.append(result.step)
        if self._takes[hole].startswith(SAME):
            self._same = result.quantity

    def count(self, hole: str) -> int:
        return len(self.flows.get(hole, ()))

    def is_kin(self, step: Draft) -> bool:
        """Whether a step made one of those that are bound, or was made of it: nobody compares a value
        with itself rounded."""
        lines = [other.line() for other in self.steps]
        return any(step in line for line in lines) or any(s in step.line() for s in self.steps)

    @property
    def total(self) -> int:
        return len(self.steps)

    @property
    def subjects(self) -> set[str]:
        return {step.clause.subject for step in self.steps}

    def agrees(self, result: Result) -> bool:
        """Whether the quantity is that of what is taken already."""
        return self._same in ("", result.quantity)
