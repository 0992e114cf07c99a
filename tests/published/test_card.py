"""The documents beside the data: the card's code runs, its numbers are computed, nothing is left out."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from huggingface_hub import DatasetCard

from dataset_builder.published.columns import CONFIGS, rows
from dataset_builder.published.dataset_folder import write_folder
from dataset_builder.tasks.task import CANARY, SUITE_VERSION
from dataset_builder.tools import catalogue
from evaluator.scoring.score_traces import score
from tests.samples.small_suite import small_horizon, small_suite
from tests.stand_ins.provider import Provider

SUITE = small_suite()
HORIZON = small_horizon()
REPO = "some-org/some-name"
DOCUMENTS = ("README.md", "DATASHEET.md", "CHANGELOG.md", "ERRATA.md", "eval.yaml", "CITATION.cff")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("beside") / "comptoolbench"
    write_folder(SUITE, catalogue(), folder, REPO, HORIZON)
    return folder


@pytest.fixture(scope="module")
def card(folder: Path) -> str:
    return (folder / "README.md").read_text("utf-8")


def front(card: str) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(card.split("---\n")[1])
    return data


def blocks(card: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", card, re.DOTALL)


@pytest.mark.slow
def test_the_code_of_the_card_runs_as_it_stands(folder: Path, card: str, tmp_path: Path) -> None:
    code = blocks(card, "python")
    assert len(code) == 7
    with Provider(SUITE) as provider:
        environment = {
            "HF_HUB_OFFLINE": "1",
            "HF_HOME": str(tmp_path),
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": provider.url,
        }
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(code)],
            cwd=folder.parent,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    # The stand-in answers as the oracle; the last line is the score of what the card's loop wrote.
    signature, *scores = done.stdout.splitlines()[-1].split()
    assert SUITE.digest[:8] in signature
    assert scores == ["1.0", "1.0", "1.0"]


def test_the_example_of_the_card_answers_its_task(card: str, tmp_path: Path) -> None:
    (calls,) = blocks(card, "json")
    (prompt,) = re.findall(r"^> (.*)$", card, re.MULTILINE)
    (task,) = [task for task in SUITE.tasks if task.prompt == prompt]
    assert "{{1." in calls
    traces = tmp_path / "traces.jsonl"
    traces.write_text(json.dumps({"task_id": task.task_id, "calls": json.loads(calls)}))
    assert score(traces, SUITE, allow_partial=True)["strict"] == 1


def test_the_front_matter_says_what_the_hub_and_a_reader_need(card: str) -> None:
    data = front(card)
    assert DatasetCard(card).data.to_dict()["license"] == "cc-by-4.0"
    assert (data["version"], data["digest"]) == (SUITE_VERSION, SUITE.digest)
    assert data["horizon_digest"] == HORIZON.digest
    assert data["language"] == ["en"]
    assert data["size_categories"] == ["n<1K"]
    assert data["task_categories"] == ["text-generation"]
    names = [config.name for config in CONFIGS]
    assert [config["config_name"] for config in data["configs"]] == names
    assert [info["config_name"] for info in data["dataset_info"]] == names
    for info, config in zip(data["dataset_info"], CONFIGS, strict=True):
        suite = HORIZON if config.name == "horizon" else SUITE
        count = len(list(rows(config.name, suite, catalogue())))
        assert info["splits"][0]["num_examples"] == count
        assert f"| `{config.name}` | {config.row} | {count} |" in card
        assert [feature["name"] for feature in info["features"]] == [
            column.name for column in config.columns
        ]


def test_the_card_states_numbers_of_this_suite_and_where_it_lives(card: str) -> None:
    calls = sum(len(task.steps) for task in SUITE.tasks)
    assert f"There are {len(SUITE.tasks)} tasks over a catalogue of {len(catalogue())}" in card
    assert f"Together they expect {calls} calls" in card
    assert f'load_dataset("{REPO}")' in card
    assert f"https://huggingface.co/datasets/{REPO}" in card
    assert CANARY in card
    for name in catalogue():
        assert f"`{name}`" in card


def test_card_and_datasheet_tell_of_the_procedures(folder: Path, card: str) -> None:
    datasheet = (folder / "DATASHEET.md").read_text("utf-8")
    for text in (card, datasheet):
        assert "4 procedures of" in text
        assert HORIZON.digest in text


def test_no_document_has_a_placeholder_left(folder: Path) -> None:
    for name in DOCUMENTS:
        assert "$" not in (folder / name).read_text("utf-8"), name


# Gebru et al., as the paper's Appendix J asks them.
QUESTIONS = """
For what purpose was the dataset created?
Who created the dataset and on behalf of which entity?
Who funded the creation of the dataset?
What do the instances that comprise the dataset represent?
How many instances are there in total?
Does the dataset contain all possible instances or is it a sample?
What data does each instance consist of?
Is there a label or target associated with each instance?
Is any information missing from individual instances?
Are relationships between individual instances made explicit?
Are there recommended data splits?
Are there any errors, sources of noise, or redundancies?
Is the dataset self-contained, or does it link to or otherwise rely on external resources?
Does the dataset contain data that might be considered confidential?
Does the dataset contain data that, if viewed directly, might be offensive, insulting, threatening, \
or might otherwise cause anxiety?
Does the dataset relate to people?
How was the data associated with each instance acquired?
What mechanisms or procedures were used to collect the data?
If the dataset is a sample from a larger set, what was the sampling strategy?
Who was involved in the data collection process and how were they compensated?
Over what timeframe was the data collected?
Were any ethical review processes conducted?
Was any preprocessing/cleaning/labeling of the data done?
Was the "raw" data saved in addition to the preprocessed/cleaned/labeled data?
Is the software that was used to preprocess/clean/label the data available?
Has the dataset been used for any tasks already?
Is there a repository that links to any or all papers or systems that use the dataset?
What (other) tasks could the dataset be used for?
Is there anything about the composition of the dataset or the way it was collected and \
preprocessed/cleaned/labeled that might impact future uses?
Are there tasks for which the dataset should not be used?
Will the dataset be distributed to third parties outside of the entity on behalf of which it was \
created?
How will the dataset be distributed?
When will the dataset be distributed?
Will the dataset be distributed under a copyright or other intellectual property (IP) license?
Have any third parties imposed IP-based or other restrictions on the data associated with the \
instances?
Do any export controls or other regulatory restrictions apply to the dataset or to individual \
instances?
Who will be supporting/hosting/maintaining the dataset?
How can the owner/curator/manager of the dataset be contacted?
Is there an erratum?
Will the dataset be updated?
If the dataset relates to people, are there applicable limits on the retention of the data \
associated with the instances?
Will older versions of the dataset continue to be supported/hosted/maintained?
If others want to extend/augment/build on/contribute to the dataset, is there a mechanism for them \
to do so?
""".strip().splitlines()


def test_the_datasheet_answers_every_question(folder: Path) -> None:
    text = " ".join((folder / "DATASHEET.md").read_text("utf-8").split())
    answered = dict(re.findall(r"\*\*([^*]+\?)\*\* (\S[^*#]*)", text))
    assert list(answered) == QUESTIONS
    assert all(answered.values())


def test_the_citation_file_follows_the_citation_file_format(folder: Path) -> None:
    # The schema's required keys and, of the keys in use, what it demands of their values.
    data = yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= data.keys()
    assert (data["cff-version"], data["type"]) == ("1.2.0", "dataset")
    assert (data["version"], data["license"]) == (SUITE_VERSION, "CC-BY-4.0")
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", data["date-released"])
    assert all(set(author) == {"name"} for author in data["authors"])
    assert data["identifiers"][0]["value"] == f"sha256:{SUITE.digest}"
    for reference in data["references"]:
        assert {"authors", "title", "type"} <= reference.keys()


def test_the_archive_metadata_has_what_a_deposit_needs(folder: Path) -> None:
    data = json.loads((folder / ".zenodo.json").read_text("utf-8"))
    needed = {"upload_type", "title", "description", "creators", "access_right", "license"}
    assert needed <= data.keys()
    assert (data["upload_type"], data["version"]) == ("dataset", SUITE_VERSION)


def test_the_hub_registration_names_configs_that_exist(folder: Path) -> None:
    data = yaml.safe_load((folder / "eval.yaml").read_text("utf-8"))
    assert data.keys() == {"name", "description", "evaluation_framework", "tasks"}
    assert [task["id"] for task in data["tasks"]] == ["overall", "L0", "L1", "L2", "L3"]
    configs = {config.name for config in CONFIGS}
    assert all(task["config"] in configs and task["split"] == "test" for task in data["tasks"])
