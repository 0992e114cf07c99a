"""The column table: what every published config holds, and the rows that fill it.

Parquet schema, `datasets` features, Croissant fields and the card's tables all come from here.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from croissant.description import Column
from dataset_builder.tasks.irrelevance import IRRELEVANCE, irrelevance_suite
from dataset_builder.tasks.task import SUITE_LEVELS, Level, Suite, Task
from dataset_builder.tools.tool import Tool


@dataclass(frozen=True)
class Config:
    """One config of the dataset: a name, what a row is, its columns."""

    name: str
    row: str
    columns: tuple[Column, ...]


TASK_COLUMNS = (
    Column(
        "task_id",
        "string",
        "Level, pattern family and number, such as L1_chain_0049, P_0001 or I_0001.",
    ),
    Column(
        "level",
        "int64",
        "0 single call, 1 chain, 2 parallel, 3 directed acyclic graph, 4 procedure, "
        "5 request without a call.",
    ),
    Column("prompt", "string", "The user's request; it states every value that no call yields."),
    Column("available_tools", "string", "Offered tools: array of OpenAI schemas.", json=True),
    Column("expected_trace", "string", "Expected calls: array of steps.", json=True),
    Column(
        "metadata",
        "string",
        "Graph, categories, template, generation; of a procedure its dials, of a request without a call "
        "its nearest tool.",
        json=True,
    ),
    Column("offered_tools", "string", "Names of the offered tools.", repeated=True),
    Column("expected_tools", "string", "Names of the expected tools, each once.", repeated=True),
    Column("num_calls", "int64", "Number of expected calls."),
    Column("pattern", "string", "Shape of the graph of calls."),
    Column("categories", "string", "Categories of the expected tools.", repeated=True),
)
CONTROL_COLUMNS = (
    TASK_COLUMNS[0],
    Column("condition", "string", "Wording: minimal, tool_hinted or context_rich."),
    *TASK_COLUMNS[1:],
)
TOOL_COLUMNS = (
    Column("name", "string", "The tool's name."),
    Column("category", "string", "One of the fifteen categories."),
    Column("description", "string", "What models read of it."),
    Column("schema", "string", "The tool in OpenAI form.", json=True),
    Column("kinds", "string", "How each argument is compared.", json=True),
    Column("returns", "string", "Output fields with type, unit and meaning.", json=True),
)
HORIZON = "horizon"
"""The config of procedures: a suite of its own, whose tasks are in no other config."""
CONFIGS = (
    Config("default", "a task", TASK_COLUMNS),
    *(
        Config(f"L{level.value}", f"a task of level {level.value}", TASK_COLUMNS)
        for level in SUITE_LEVELS
    ),
    Config(HORIZON, "a procedure of 4 to 256 calls (level 4)", TASK_COLUMNS),
    Config(IRRELEVANCE, "a request that no tool serves (level 5)", TASK_COLUMNS),
    Config("tools", "a tool of the catalogue", TOOL_COLUMNS),
    Config("l0_control", "a level-0 task in one of three wordings", CONTROL_COLUMNS),
)
# These stand in the folder as plain JSON lines too; all other configs are parts of them.
JSONL_CONFIGS = ("default", HORIZON, IRRELEVANCE, "tools")
# These hold the tasks of whole suites.
SUITE_CONFIGS = ("default", HORIZON, IRRELEVANCE)
CONDITIONS = ("minimal", "tool_hinted", "context_rich")


def parquet_path(config: str) -> str:
    """Where a config's rows stand in the dataset folder."""
    return f"data/{config}.parquet"


def jsonl_path(config: str) -> str:
    """Where the rows of one of ``JSONL_CONFIGS`` stand as plain JSON lines."""
    return f"jsonl/{config}.jsonl"


def rows(config: str, suite: Suite, tools: Mapping[str, Tool]) -> Iterator[dict[str, Any]]:
    """The rows of one config; KeyError for a config that does not exist.

    Those of `horizon` are the procedures of a suite, those of `default` all its tasks; those of
    `irrelevance` are the same beside every suite.
    """
    if config == "tools":
        yield from (tool_row(tool) for tool in tools.values())
    elif config == "l0_control":
        yield from (row for task in suite.tasks for row in control_rows(task))
    elif config == IRRELEVANCE:
        yield from (task.to_row() for task in irrelevance_suite().tasks)
    elif config == "default":
        yield from (task.to_row() for task in suite.tasks)
    else:
        level = {HORIZON: Level.PROCEDURE, **{f"L{one.value}": one for one in SUITE_LEVELS}}[config]
        yield from (task.to_row() for task in suite.tasks if task.level is level)


def tool_row(tool: Tool) -> dict[str, Any]:
    """The row of the ``tools`` config for one tool."""
    kinds = {name: p.kind.describe() for name, p in tool.parameters.items()}
    if tool.symmetric:
        one, other = tool.symmetric
        kinds[one] |= {"symmetric_with": other}
        kinds[other] |= {"symmetric_with": one}
    returns = {
        field.name: {
            "type": field.type,
            "unit": field.unit or None,
            "description": field.description,
        }
        for field in tool.returns.values()
    }
    return {
        "name": tool.name,
        "category": tool.category,
        "description": tool.description,
        "schema": tool.schema_json,
        "kinds": json.dumps(kinds, ensure_ascii=False, separators=(",", ":")),
        "returns": json.dumps(returns, ensure_ascii=False, separators=(",", ":")),
    }


def control_rows(task: Task) -> Iterator[dict[str, Any]]:
    """A level-0 task in the three wordings of the control experiment (paper, Appendix H)."""
    if task.level is not Level.NODE:
        return
    row = task.to_row()
    wordings = {"minimal": task.prompt, **task.metadata["control"]}
    for condition in CONDITIONS:
        yield (
            {"task_id": task.task_id, "condition": condition}
            | row
            | {"prompt": wordings[condition]}
        )
