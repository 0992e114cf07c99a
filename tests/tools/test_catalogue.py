"""The catalogue as a whole: its counts, what providers accept, what descriptions and outputs say."""

import importlib.util
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.tools import catalogue
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World
from evaluator.asking.prompts import widened
from tests.samples.small_suite import small_suite
from tests.stand_ins.provider import Provider, always
from tests.tools.tool_cases import ordinary, undocumented

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
