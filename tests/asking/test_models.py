from collections import Counter

import pytest

from evaluator.models import find_model, known_models, obstacle, providers, server_of


def test_the_papers_models_are_all_there() -> None:
    models = known_models()
    assert Counter(model.regime for model in models) == {
        "frontier": 9,
        "free_cloud": 10,
        "local": 8,
    }
    assert len({model.provider.id for model in models}) == len(providers()) == 9
    assert len({model.id for model in models}) == 27
    assert [m.name for m in models if m.temperature is None] == ["GPT-5.4", "OpenAI o3"]
    assert {model.temperature for model in models} == {0.0, None}


def test_every_model_can_read_the_whole_catalogue() -> None:
    assert min(model.context for model in known_models()) >= 32_000


NAMES = {
    "openai/gpt-4o-mini": "openai/gpt-4o-mini",
    "GPT-4o Mini": "openai/gpt-4o-mini",
    "gpt-4o-mini": "openai/gpt-4o-mini",
    "command r+": "cohere_chat/command-r-plus-08-2024",
    "ollama_chat/qwen3:8b": "ollama_chat/qwen3:8b",
    "gpt-4o-max": None,
    "": None,
}


@pytest.mark.parametrize("name", NAMES)
def test_models_are_found_by_name_and_id(name: str) -> None:
    model = find_model(name)
    assert (model.id if model else None) == NAMES[name]


def test_what_stands_in_the_way() -> None:
    mini, qwen = find_model("gpt-4o-mini"), find_model("Qwen3 8B")
    assert mini is not None
    assert qwen is not None
    assert obstacle(mini, {}) == "OPENAI_API_KEY is not set"
    assert obstacle(mini, {"OPENAI_API_KEY": ""}) == "OPENAI_API_KEY is not set"
    assert obstacle(mini, {"OPENAI_API_KEY": "sk"}) is None
    nobody = {"OLLAMA_API_BASE": "http://127.0.0.1:9"}
    assert obstacle(qwen, nobody) == "no server answers at http://127.0.0.1:9"
    assert server_of(qwen.provider, {}) == "http://127.0.0.1:11434"
