"""The catalogue as a whole: its counts, what providers accept, purity, hostile input, the page."""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata, resources
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.tools import MODULES, catalogue
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.tools_page import KINDS, PAGE, page
from dataset_builder.tools.world import World
from evaluator.asking.prompts import widened
from tests.samples.small_suite import small_suite
from tests.stand_ins.provider import Provider, always
from tests.tools.tool_cases import fault, hostile, ordinary, shown, undocumented
from tests.tools.tool_runs import found_tools

ROOT = Path(__file__).parents[2]
TOOLS = list(catalogue().values())
FORMS = {"plain": lambda schema: schema, "widened": widened}

# Paper, Table 3: the category, its count, and the tools that are named.
CATEGORIES = {
    "Math & Statistics": (
        12,
        "calculator statistical_analysis correlation percentile linear_regression "
        "standard_deviation min_max",
    ),
    "Text Processing": (
        10,
        "summarize_text extract_entities sentiment_analysis classify_text compare_texts "
        "keyword_extract spell_check",
    ),
    "External Services": (
        9,
        "get_weather get_exchange_rate get_stock_price get_location_info translate_text "
        "search_products get_directions",
    ),
    "Data Operations": (
        8,
        "data_sort data_filter data_aggregate normalize_data merge_data transform_format "
        "generate_summary_stats",
    ),
    "Web & Network": (
        8,
        "web_search web_page_fetch http_request check_url_status dns_lookup extract_links "
        "rss_feed_parse parse_html",
    ),
    "String Utilities": (
        7,
        "string_replace split_text join_texts truncate_text slugify case_convert regex_match",
    ),
    "Date & Time": (
        7,
        "get_current_time convert_timezone calculate_date_diff format_date parse_date "
        "add_duration get_weekday",
    ),
    "Communication": (
        7,
        "send_email send_message create_notification create_task schedule_meeting send_webhook "
        "set_reminder",
    ),
    "Encoding & Security": (
        6,
        "base64_encode base64_decode hash_text encrypt_text compress_data mask_pii",
    ),
    "Information Retrieval": (
        6,
        "database_query lookup_entity knowledge_base_query ip_geolocation detect_language "
        "extract_domain",
    ),
    "File & Data": (
        6,
        "read_file write_file list_files generate_report create_spreadsheet log_event",
    ),
    "Formatting": (5, "format_number number_to_text text_to_number round_number encode_url"),
    "Productivity": (
        5,
        "create_calendar_event create_contact create_invoice generate_url generate_image",
    ),
    "AI & NLP": (5, "tokenize_text text_similarity word_count extract_numbers transcribe_audio"),
    "State Management": (
        5,
        "store_memory retrieve_memory list_memories get_session_context validate_email",
    ),
}
# The tools that the paper counts but does not name.
UNNAMED = {
    "Math & Statistics": "unit_convert percentage_change moving_average clamp_value compound_interest",
    "Text Processing": "readability_score paraphrase_text deduplicate_lines",
    "External Services": "get_air_quality get_news_headlines",
    "Data Operations": "json_extract",
}


def by_name(tool: Tool) -> str:
    return tool.name


def test_the_tools_are_those_of_the_paper() -> None:
    expected = {
        category: {*named.split(), *UNNAMED.get(category, "").split()}
        for category, (_, named) in CATEGORIES.items()
    }
    assert {c: set(names) for c, names in catalogue().by_category.items()} == expected
    counts = {category: len(names) for category, names in catalogue().by_category.items()}
    assert counts == {category: count for category, (count, _) in CATEGORIES.items()}
    assert len(catalogue()) == 106


# What a schema may say: the subset that every provider accepts.
KEYWORDS = {"type", "description", "enum", "items", "anyOf"}
TYPES = {"string", "number", "integer", "boolean", "array", "object"}


def schema_faults(schema: Mapping[str, Any], where: str) -> Iterator[str]:
    if unknown := schema.keys() - KEYWORDS:
        yield f"{where}: {sorted(unknown)}"
    if "anyOf" in schema:
        if schema.keys() - {"anyOf", "description"} or len(schema["anyOf"]) < 2:
            yield f"{where}: anyOf beside other keywords, or of fewer than two"
        for number, option in enumerate(schema["anyOf"]):
            yield from schema_faults(option, f"{where}|{number}")
        return
    if str(schema.get("type")) not in TYPES:
        yield f"{where}: type {schema.get('type')}"
    if ("items" in schema) != (schema.get("type") == "array"):
        yield f"{where}: arrays, and they alone, have items"
    if "items" in schema:
        yield from schema_faults(schema["items"], f"{where}[]")
    if "enum" in schema:
        choices = schema["enum"]
        is_list_of_text = bool(choices) and all(isinstance(c, str) and c for c in choices)
        if schema["type"] != "string" or not is_list_of_text or len(set(choices)) < len(choices):
            yield f"{where}: enum {choices}"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_every_provider_accepts_the_schema(tool: Tool, form: str) -> None:
    schema = FORMS[form](tool.schema)
    assert schema.keys() == {"type", "function"}
    assert schema["type"] == "function"
    function = schema["function"]
    assert function.keys() == {"name", "description", "parameters"}
    assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", function["name"])
    assert 20 <= len(function["description"]) <= 1024, "OpenAI's limit"
    parameters = function["parameters"]
    assert parameters.keys() == {"type", "properties", "required"}
    assert parameters["type"] == "object"
    properties = parameters["properties"]
    assert list(properties) == list(tool.parameters)
    assert parameters["required"] == [p.name for p in tool.parameters.values() if p.required]
    for name, described in properties.items():
        assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", name)
        assert len(described["description"]) >= 8, f"{name} has no description"
    faults = [fault for name in properties for fault in schema_faults(properties[name], name)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "string", "items": {"type": "string"}},
        {"type": "string", "default": "a"},
        {"type": "string", "enum": []},
        {"oneOf": [{"type": "string"}]},
        {"$ref": "#/x"},
        {"type": ["string", "null"]},
        {"type": "array", "items": {"type": "array"}},
        {"anyOf": [{"type": "array"}, {"type": "string"}]},
        {"anyOf": [{"type": "string"}, {"type": "number"}], "type": "string"},
    ],
)
def test_a_schema_that_a_provider_rejects_is_found(schema: Mapping[str, Any]) -> None:
    assert list(schema_faults(schema, "x"))


# How a description says a default that has no spelling of its own.
SAID = {
    None: r"none|no limit|no groups|all known topics|all rows|the user",
    "": "empty|none",
    " ": "one space",
}


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_an_optional_parameter_says_its_default(tool: Tool) -> None:
    for p in tool.parameters.values():
        stated = re.search(r"Default:? (.+)$", p.description)
        assert bool(stated) != p.required, f"{p.name}: {p.description}"
        if stated:
            expected = SAID.get(p.default) or re.escape(str(p.default))
            assert re.match(rf'"?(?:{expected})\b|"?{expected}', stated[1]), p.description


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_the_description_lists_every_output_field(tool: Tool) -> None:
    assert tool.returns
    assert tool.description.endswith(f" Returns: {', '.join(map(str, tool.returns.values()))}.")
    for field in tool.returns.values():
        assert f"{field.name} ({field.type}" in tool.description
        assert field.description


def vocabulary() -> Path:
    """The folder of tokenizers that LiteLLM brings along, o200k_base among them."""
    spec = importlib.util.find_spec("litellm")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"


def test_the_catalogue_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    # The name under which tiktoken looks for o200k_base: without the file it would ask the network.
    assert (vocabulary() / "fb374d419588a4632f3f557e76b4b70aebbca790").is_file()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(vocabulary()))
    import tiktoken

    tokenizer = tiktoken.get_encoding("o200k_base")
    for form in FORMS.values():
        schemas = [form(tool.schema) for tool in TOOLS]
        text = json.dumps(schemas, ensure_ascii=False)
        assert 5_000 < len(tokenizer.encode(text)) < 15_000


# A model of each provider, as LiteLLM names it.
PROVIDERS = {
    "OpenAI": "openai/gpt-4o",
    "Anthropic": "anthropic/claude-sonnet-4-5",
    "Gemini": "gemini/gemini-2.5-flash",
    "Mistral": "mistral/mistral-large-latest",
    "Cohere": "cohere_chat/command-a-03-2025",
    "Groq": "groq/llama-3.3-70b-versatile",
    "Ollama": "ollama_chat/llama3.1:8b",
}


def translated(model: str, schemas: list[Any]) -> list[Any]:
    """The tools of the request that LiteLLM sends, in OpenAI form again."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    with Provider(small_suite(), script=always("bad_schema")) as server:
        with pytest.raises(litellm.BadRequestError, match="Invalid schema"):
            litellm.completion(
                model=model,
                messages=[{"role": "user", "content": "Hello"}],
                tools=json.loads(json.dumps(schemas)),
                api_base=f"http://127.0.0.1:{server.port}",
                api_key="none",
                max_retries=0,
            )
        [(_, body)] = server.requests
    return [in_openai_form(tool) for entry in body["tools"] for tool in declarations(entry)]


def declarations(entry: Any) -> list[Any]:
    """Gemini puts all functions into one tool."""
    found: list[Any] = entry.get("function_declarations", [entry])
    return found


def in_openai_form(tool: Any) -> Any:
    function = dict(tool.get("function", tool))
    if "input_schema" in function:
        function["parameters"] = function.pop("input_schema")
        function.pop("type")
    return {"type": "function", "function": function}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_no_translation_loses_anything(provider: str, form: str) -> None:
    schemas = [FORMS[form](tool.schema) for tool in TOOLS]
    sent = translated(PROVIDERS[provider], schemas)
    assert [meaning(schema) for schema in sent] == [meaning(schema) for schema in schemas]


def meaning(schema: Any) -> Any:
    """A schema without what Gemini's form cannot hold and nobody needs.

    That is an empty list of parameters, and a description beside anyOf: each option carries it.
    """
    if isinstance(schema, list):
        return [meaning(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    options = schema.get("anyOf", [])
    said = {option["description"] for option in options if "description" in option}
    if len(said) == 1 and all("description" in option for option in options):
        options = [{k: v for k, v in option.items() if k != "description"} for option in options]
        schema = {**schema, "anyOf": options, "description": said.pop()}
    empty = ("properties", "required")
    return {k: meaning(v) for k, v in schema.items() if v or k not in empty}


def test_every_tool_has_ordinary_arguments() -> None:
    assert all(ordinary()[tool.name] for tool in TOOLS)


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_an_output_has_exactly_the_documented_fields(tool: Tool) -> None:
    for arguments in ordinary()[tool.name]:
        assert undocumented(tool, tool(arguments, World())) is None, arguments


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_defaults_and_unknown_names_change_nothing(tool: Tool) -> None:
    for arguments in ordinary()[tool.name]:
        left_out = {p.name: p.default for p in tool.parameters.values() if not p.required}
        explicit = {**left_out, **arguments, "unknown_name": 1}
        assert tool(explicit, World()) == tool(arguments, World())


FOLDED = ("name", "query")


@pytest.mark.parametrize(
    "tool",
    [t for t in TOOLS if any(p.kind.name in FOLDED for p in t.parameters.values()) and t.injected],
    ids=by_name,
)
def test_spelling_changes_no_draw(tool: Tool) -> None:
    for arguments in ordinary()[tool.name]:
        respelled = {
            name: f" {value.upper()}  " if tool.parameters[name].kind.name in FOLDED else value
            for name, value in arguments.items()
        }
        expected = tool.canonical(tool.read(arguments))
        assert tool.canonical(tool.read(respelled)) == expected


def test_berlin_however_it_is_written() -> None:
    outputs = [
        catalogue()["get_weather"]({"city": city}, World())
        for city in ("Berlin", "berlin", "Berlin ", "BERLIN", "Berlin, Germany")
    ]
    assert outputs[0]["temperature_c"] == 36
    assert all(output == outputs[0] for output in outputs)


def cases() -> list[tuple[str, Any]]:
    return [(name, arguments) for name, found in ordinary().items() for arguments in found]


def run(*options: str, python: str = sys.executable, path: str = "", **environment: str) -> Any:
    """What tool_runs.py prints in a fresh process, in a folder that is not the project's."""
    finished = subprocess.run(
        [python, "-B", str(ROOT / "tests" / "tools" / "tool_runs.py"), *options],
        input=json.dumps(cases()),
        env={"PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), path))), **environment},
        cwd=Path(python).anchor,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


@cache
def expected_outputs() -> list[str]:
    return [
        json.dumps(catalogue()[name](arguments, World()), ensure_ascii=True)
        for name, arguments in cases()
    ]


def assert_same(outputs: list[str | None], expected: list[str]) -> None:
    assert len(outputs) == len(expected)
    for (name, arguments), output, wanted in zip(cases(), outputs, expected, strict=True):
        assert output == wanted, f"{name}({arguments})"


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "77", "TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8"},
        {"PYTHONHASHSEED": "4242", "TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8"},
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LANG": "ja_JP.eucJP", "TZ": ""},
    ],
    ids=lambda environment: environment["TZ"] or "none",
)
def test_a_fresh_process_gives_the_same(environment: dict[str, str]) -> None:
    assert_same(run(**environment)["outputs"], expected_outputs())


def test_the_order_of_calls_changes_nothing() -> None:
    assert_same(run("--reverse")["outputs"], expected_outputs())


def test_no_tool_reaches_outside() -> None:
    """No clock, network, environment, locale or file: each is denied while a tool runs."""
    sealed = run("--sealed")
    assert sealed["touched"] == []
    assert_same(sealed["outputs"], expected_outputs())


def test_the_seal_holds() -> None:
    denied = run("--probe")["denied"]
    assert denied
    assert all(denied.values()), denied


# Modules that a tool has no use for.
OUTSIDE = {
    *("os", "sys", "time", "random", "secrets", "uuid", "locale", "socket", "ssl", "subprocess"),
    *(
        "threading",
        "multiprocessing",
        "asyncio",
        "tempfile",
        "shutil",
        "glob",
        "pathlib",
        "platform",
    ),
    *("urllib.request", "http", "ctypes", "getpass", "pickle", "requests", "httpx", "signal"),
}


def test_tools_import_nothing_that_reaches_outside() -> None:
    listed = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    sources = [Path(line) for line in listed.stdout.splitlines()]
    assert len(sources) > len(MODULES)
    wrong = [
        f"{source}: {name}"
        for source in sources
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        for name in imported(node)
        if name in OUTSIDE or name.split(".")[0] in OUTSIDE
    ]
    assert not wrong, "\n".join(wrong)


LOADED = """
import sys
from dataset_builder.tools import catalogue
catalogue()
for name, module in sorted(sys.modules.items()):
    if name.split(".")[0] == "dataset_builder" and module.__file__:
        print(module.__file__)
"""


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module else []


def interpreter(version: str) -> str:
    """A Python of that version on this machine; the test is skipped where there is none."""
    here = Path.home() / ".pyenv" / "versions"
    candidates = [f"python{version}", *map(str, here.glob(f"{version}.*/bin/python{version}"))]
    for candidate in candidates:
        found = shutil.which(candidate)
        if found and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0:
            return found
    pytest.skip(f"there is no Python {version} here")


def packages(version: str, python: str, folder: Path) -> str:
    """What the tools import, for that Python: our own, from uv's cache, or only what is pure Python."""
    tzdata = Path(str(resources.files("tzdata")))
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return str(tzdata.parent)
    pinned = [f"{name}=={metadata.version(name)}" for name in ("google-re2", "tzdata")]
    uv = [str(Path(sys.executable).parent / "uv"), "pip", "install", "--offline", "--quiet"]
    full = folder / "full"
    command = [*uv, "--python", python, "--target", str(full), *pinned]
    if subprocess.run(command, capture_output=True).returncode == 0:
        return str(full)
    pure = folder / "pure"
    shutil.copytree(tzdata, pure / "tzdata")
    return str(pure)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_another_python_gives_the_same(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    result = run(python=python, path=packages(version, python, tmp_path))
    tools, _ = found_tools()
    compared = [pair for pair in zip(expected_outputs(), result["outputs"], strict=True) if pair[1]]
    assert [output for _, output in compared] == [wanted for wanted, _ in compared]
    if not result["missing"]:
        assert len(compared) == len(cases())
        return
    assert set(result["missing"]) == {"re2"}
    ran = {name for (name, _), out in zip(cases(), result["outputs"], strict=True) if out}
    pytest.skip(f"{len(ran)} of {len(tools)} tools gave the same; the others need google-re2")


def hostile_faults(some: Iterator[tuple[str, str, Any]]) -> tuple[int, list[str]]:
    count, faults = 0, []
    for name, where, arguments in some:
        count += 1
        problem = fault(catalogue()[name], catalogue()[name](arguments, World()))
        if problem:
            faults.append(f"{name}, {where} = {shown(arguments.get(where))}: {problem}")
    return count, faults


def test_hostile_arguments_get_an_answer() -> None:
    count, faults = hostile_faults(islice(hostile(ordinary()), 0, None, 17))
    assert not faults, "\n".join(faults[:20])
    assert count > 3_000


@pytest.mark.slow
def test_all_hostile_arguments_get_an_answer_and_leave_no_trace() -> None:
    count, faults = hostile_faults(hostile(ordinary()))
    assert not faults, "\n".join(faults[:20])
    assert count > 50_000
    after = [json.dumps(catalogue()[name](arguments, World())) for name, arguments in cases()]
    assert_same(list(after), run()["outputs"])


def test_the_page_is_that_of_the_catalogue() -> None:
    committed = (ROOT / PAGE).read_text(encoding="utf-8")
    assert committed == page(catalogue()), "the page is out of date: make docs"


def test_the_page_says_everything() -> None:
    text = page(catalogue())
    for tool in TOOLS:
        section = text.partition(f"\n### {tool.name}\n")[2].partition("\n### ")[0]
        for name in [*tool.parameters, *tool.returns]:
            assert f"| `{name}` |" in section
        for p in tool.parameters.values():
            assert p.kind.describe()["kind"] in KINDS
