"""The shape of a task's graph: which level it is of, and what the field calls it."""

from collections.abc import Sequence

from dataset_builder.tasks.task import Level


def level_of(dependencies: Sequence[Sequence[int]]) -> Level | None:
    """The level of a graph (specification: Tasks); None where its shape is of no level.

    ``dependencies``: for each step the 1-based numbers of the steps that it depends on.
    """
    count = len(dependencies)
    if not all(1 <= source <= count for needed in dependencies for source in needed):
        return None
    roots = [i for i, needed in enumerate(dependencies, 1) if not needed]
    if count == 1:
        return Level.NODE
    if count == 2 and len(roots) == 1:
        return Level.CHAIN
    if len(roots) in (2, 3):
        if count == len(roots):
            return Level.PARALLEL
        if count == len(roots) + 1 and list(dependencies[-1]) == roots:
            return Level.PARALLEL
    merges = any(len(needed) >= 2 for needed in dependencies)
    feeds = [sum(i in needed for needed in dependencies) for i in range(1, count + 1)]
    fans_out = len(roots) >= 2 or any(fed >= 2 for fed in feeds)
    if 4 <= count <= 6 and merges and fans_out and _connected(dependencies):
        return Level.DAG
    return None


def _connected(dependencies: Sequence[Sequence[int]]) -> bool:
    reached, pending = {1}, [1]
    while pending:
        node = pending.pop()
        linked = set(dependencies[node - 1]) | {
            i for i, needed in enumerate(dependencies, 1) if node in needed
        }
        pending.extend(linked - reached)
        reached |= linked
    return len(reached) == len(dependencies)


def pattern_of(dependencies: Sequence[Sequence[int]]) -> str:
    """The field's name of a graph's shape, or its dependencies in short (``1,1-2,3``)."""
    level = level_of(dependencies)
    if level is Level.NODE:
        return "single"
    if level is Level.CHAIN:
        return "chain"
    roots = sum(not needed for needed in dependencies)
    if level is Level.PARALLEL:
        return f"fan_out_{roots}" if roots == len(dependencies) else f"fork_join_{roots}"
    key = ";".join(",".join(map(str, needed)) for needed in dependencies)
    return _PATTERNS.get(key, f"dag:{key}")


_PATTERNS = {
    ";1;1;2,3": "diamond",
    ";1;1;2,3;4": "diamond_with_tail",
    ";1;1;2,3;4;5": "diamond_with_long_tail",
    ";1;;3;2,4": "two_chains_merge",
    ";;1;2;3,4": "two_chains_merge",
    ";1;;3;2,4;5": "two_chains_merge_with_tail",
    ";;1;2;3,4;5": "two_chains_merge_with_tail",
    ";;1,2;3": "join_with_tail",
    ";;1,2;3;4": "join_with_long_tail",
    ";;;1,2,3;4": "triple_join_with_tail",
    ";;;1,2,3;4;5": "triple_join_with_long_tail",
    ";;1,2;3;3": "join_then_fan_out",
    ";1;1;1;2,3,4": "triple_fan_out_join",
    ";1;1;1;2,3,4;5": "triple_fan_out_join_with_tail",
    ";1;2;2;3,4": "chain_then_diamond",
    ";1;2;2;3,4;5": "chain_then_diamond_with_tail",
    ";1;1;2,3;4;4": "double_fan_out",
    ";1;1;2;3,4": "uneven_diamond",
    ";1;1;2;3;4,5": "long_diamond",
    ";1;1;1,2,3": "diamond_with_shortcut",
    ";1;;2,3": "chain_meets_root",
    ";;1;2,3": "chain_meets_root",
    ";;2;1,3": "chain_meets_root",
    ";;1,2;1,2": "double_join",
}
