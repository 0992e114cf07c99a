import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

from dataset_builder.errors import InputError
from dataset_builder.tasks.engine import CompositionEngine
from evaluator.asking.run_options import RunOptions
from evaluator.commands.report import report
from evaluator.comparing.load_results import load_results
from evaluator.comparing.results import Result
from evaluator.experiments.control_and_sweep import control, sweep
from evaluator.intervals import wilson
from evaluator.report.build import PAGE, Report, compose, render, write
from evaluator.report.content import Section
from evaluator.report.data_frames import printable
from evaluator.report.paper_section import paper_section
from evaluator.report.settings import size, stems, words
from evaluator.report.tables import Column, Table, latex_text, markdown_text
from evaluator.scoring.metrics import LEVELS, WEIGHTED
from tests.samples.small_suite import write_suite
from tests.stand_ins.browser import CHROMIUM
from tests.stand_ins.html_reader import ReadPage

# Small enough to be quick, with templates enough for intervals.
SUITE = CompositionEngine(7, counts=(8, 8, 8, 8)).generate_suite()
HOSTILE = "<img src=x onerror=alert(1)>"
SIGNATURE = (
    "ctb:3.0.0+1a2b3c4d|seed:42|n:200|protocol:single-turn.1|catalogue:full|calls:native|scorer:1"
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of baselines, the same under models' names, a control and a sweep, over a small suite."""
    folder = tmp_path_factory.mktemp("runs")
    suite = str(write_suite(SUITE, folder / "suite.jsonl"))
    quiet = io.StringIO()
    for name in ("oracle", "retrieval", "silent"):
        sweep(RunOptions(f"baseline:{name}", suite=suite), ("full",), folder / name, quiet)
    sweep(RunOptions("baseline:retrieval", suite=suite), ("8", "64"), folder / "sweep", quiet)
    control(RunOptions("baseline:retrieval", suite=suite), folder / "control", quiet)
    for name, model in (
        ("oracle", "openai/gpt-4o"),
        ("retrieval", "groq/llama-3.1-8b-instant"),
        ("silent", "cerebras/llama3.1-8b"),
        ("retrieval", HOSTILE),
    ):
        renamed(folder / name / "106", folder / f"as-{len(list(folder.iterdir()))}", model)
    return folder


def renamed(source: Path, target: Path, model: str) -> None:
    """A run under another model's name, with responses, latencies and costs of its own."""
    target.mkdir()
    about = json.loads((source / "run.json").read_text()) | {"model": model, "provider": "vendor"}
    (target / "run.json").write_text(json.dumps(about))
    rows = map(json.loads, (source / "traces.jsonl").read_text().splitlines())
    extra = {"model": model, "latency_ms": 100.0 + len(model), "cost_usd": 0.001 * len(model)}
    extra["response"] = [{"role": "assistant", "content": str(target)}]
    (target / "traces.jsonl").write_text("".join(json.dumps(row | extra) + "\n" for row in rows))


@pytest.fixture(scope="module")
def results(runs: Path) -> list[Result]:
    return load_results([path for path in sorted(runs.iterdir()) if path.is_dir()], SUITE)


@pytest.fixture(scope="module")
def folder(results: list[Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of all runs and the paper."""
    folder = tmp_path_factory.mktemp("report") / "report"
    write(compose(results, with_paper=True), folder)
    return folder


@pytest.fixture(scope="module")
def sections(results: list[Result]) -> dict[str, Section]:
    return {section.name: section for section in compose(results).sections}


# The folder -----------------------------------------------------------------------------------


def test_each_table_and_figure_is_there_in_every_format(folder: Path) -> None:
    page = ReadPage((folder / PAGE).read_text())
    linked = {a["href"] for tag, a in page.tags if tag == "a" and "/" in str(a.get("href"))}
    written = {str(path.relative_to(folder)) for path in folder.glob("*/*")}
    assert linked == written
    means = ("solved-means", "calls-means", "weighted-means")
    for stem in ("results", "gaps", "weighted", *means, "diagnostics", "ablation"):
        assert {
            f"tables/single-turn-full-32-{stem}.{end}" for end in ("csv", "md", "tex")
        } <= written
    for stem in ("gap", "levels", "curves", "delta", "heat-map", "errors", "latency", "cost"):
        assert {f"figures/single-turn-full-32-{stem}.{end}" for end in ("svg", "png")} <= written
    assert {"tables/control.csv", "tables/sweep.csv", "figures/sweep.svg"} <= written
    assert {
        "tables/providers.csv",
        "figures/providers-1.png",
        "tables/paper-control.csv",
    } <= written


def test_the_page_opens_alone(folder: Path) -> None:
    page = ReadPage((folder / PAGE).read_text())
    assert not any(tag in ("script", "link", "iframe", "object", "base") for tag, _ in page.tags)
    loaded = [a.get("src") or a.get("srcset") or "" for tag, a in page.tags if tag != "a"]
    assert all(
        not address or address.startswith("data:image/svg+xml;base64,") for address in loaded
    )
    assert not re.search(r"url\(|@import", (folder / PAGE).read_text())
    followed = [str(a.get("href")) for tag, a in page.tags if tag == "a"]
    assert all(address.startswith(("#", "tables/", "figures/")) for address in followed)


def test_figures_have_alternative_texts_and_links_lead_somewhere(folder: Path) -> None:
    page = ReadPage((folder / PAGE).read_text())
    alts = [str(a.get("alt")) for tag, a in page.tags if tag == "img"]
    assert len(alts) == len(list((folder / "figures").glob("*.svg")))
    assert all(len(alt) > 40 for alt in alts)
    ids = {a["id"] for _, a in page.tags if "id" in a}
    assert {
        str(a["href"])[1:] for t, a in page.tags if t == "a" and str(a["href"])[0] == "#"
    } <= ids


def test_a_hostile_name_is_text_everywhere(folder: Path) -> None:
    text = (folder / PAGE).read_text()
    page = ReadPage(text)
    assert HOSTILE in page.text
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    for path in folder.glob("*/*"):
        if path.suffix in (".svg", ".md"):
            assert not re.search(r"(?<!\\)<img", path.read_text())


def test_the_same_runs_give_the_same_report(runs: Path, tmp_path: Path) -> None:
    for name in ("one", "other"):
        write(compose(load_results([runs / "sweep", runs / "control"], SUITE)), tmp_path / name)
    files = [path for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(files) == 1 + 2 + 3 * 3
    for path in files:
        other = tmp_path / "other" / path.relative_to(tmp_path / "one")
        assert path.read_bytes() == other.read_bytes(), path


def test_a_report_replaces_a_report_and_nothing_else(tmp_path: Path) -> None:
    empty = Report("Nothing", [], [], [])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / PAGE).write_text("my own page")
    with pytest.raises(InputError, match="no report"):
        write(empty, tmp_path / "mine")
    assert (tmp_path / "mine" / PAGE).read_text() == "my own page"
    write(empty, tmp_path / "report")
    (tmp_path / "report" / "figures" / "stale.svg").touch()
    write(empty, tmp_path / "report")
    assert not (tmp_path / "report" / "figures" / "stale.svg").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "report"]


# What it says ---------------------------------------------------------------------------------


def test_settings_have_a_section_each_and_sweeps_one_together(sections: dict[str, Section]) -> None:
    assert list(sections) == ["single-turn-full-32", "sweep", "providers", "control", "runs"]


def test_baselines_are_marked_and_take_no_rank(sections: dict[str, Section]) -> None:
    table = sections["single-turn-full-32"].tables[0]
    apart = table.frame.iloc[sorted(table.emphasised)]
    assert set(apart["regime"]) == {"reference"}
    assert len(apart) == 3
    assert apart["rank"].isna().all()
    ranks = table.frame.set_index("model")["rank"].dropna().to_dict()
    assert ranks == {"GPT-4o": 1, "Llama 3.1 8B": 2, HOSTILE: 2, "Llama 3.1 8B (Cerebras)": 2}


def test_the_paper_score_can_be_ranked_by(results: list[Result]) -> None:
    section = compose(results, metric=WEIGHTED).sections[0]
    table = section.tables[0]
    ranks = table.frame.set_index("model")["rank"].dropna().to_dict()
    assert ranks == {"GPT-4o": 1, "Llama 3.1 8B": 2, HOSTILE: 2, "Llama 3.1 8B (Cerebras)": 4}
    assert section.findings[0].startswith("GPT-4o leads in Weighted score (paper) with 100.0 %")
    assert [column.field for column in table.columns[4:8]] == [
        f"weighted_{level}" for level in LEVELS
    ]
    # The headline stays the first number, whatever is ranked by.
    assert [column.title for column in table.columns[:4]] == [
        *("model", "rank", "Solved", "Calls right"),
    ]


def test_each_number_has_its_own_interval(sections: dict[str, Section]) -> None:
    frame = sections["single-turn-full-32"].tables[0].frame
    for key in ("strict", "step", "weighted"):
        assert (frame[f"{key}_low"] <= frame[key]).all()
        assert (frame[key] <= frame[f"{key}_high"]).all()
    row = frame[frame["model"] == "GPT-4o"].iloc[0]
    assert (row["strict_low"], row["strict_high"]) == wilson(32, 32)[1:]


def test_the_weighted_gap_has_no_verdict(sections: dict[str, Section]) -> None:
    sentences = [line for line in sections["single-turn-full-32"].findings if "Mean gap" in line]
    assert ["Calls right" in line for line in sentences] == [True, False]
    assert sentences[1].endswith("it says nothing by itself.")


def test_two_runs_of_a_model_are_told_apart(runs: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        renamed(runs / "oracle" / "106", tmp_path / name, "same/model")
    table = compose(load_results([tmp_path], SUITE)).sections[0].tables[0]
    assert sorted(table.frame["model"]) == ["same/model (first)", "same/model (second)"]


def test_the_leader_and_the_providers_are_compared(sections: dict[str, Section]) -> None:
    leader = sections["single-turn-full-32"].findings
    assert leader[0].startswith("GPT-4o leads in Solved with 100.0 % (95 % 89.3 to 100.0), of 4")
    assert leader[1].startswith("GPT-4o is ahead of ")
    # One task solved more: the weighted score would call it a lead, solved tasks do not.
    assert (
        "No difference between Llama 3.1 8B on Groq and Llama 3.1 8B on Cerebras can be shown: +3.1 "
        "points in Solved" in sections["providers"].findings[0]
    )


def test_what_has_no_data_is_left_out_with_a_line(runs: Path) -> None:
    results = load_results([runs / "oracle", runs / "silent"], SUITE)
    section, about = compose(results).sections
    assert len(about.left_out) == 3
    assert section.intro == ["No model was run in this setting: all rows are references."]
    assert not section.findings
    assert [line.partition(":")[0] for line in section.left_out] == [
        "Latency against score",
        "Cost against score",
        "Means over models",
        "Other weights",
        "Several samples of a task",
    ]


def test_a_run_without_some_levels_is_reported(runs: Path, tmp_path: Path) -> None:
    rows = (runs / "oracle" / "106" / "traces.jsonl").read_text().splitlines()
    bare = tmp_path / "bare.jsonl"
    bare.write_text(
        "\n".join(row.replace("baseline:oracle", "mine") for row in rows if '"L0_' in row)
    )
    composed = compose(load_results([bare], SUITE))
    assert any("Incomplete" in line and "mine" in line for line in composed.limits)
    assert "24 tasks missing" in composed.sections[-1].tables[0].frame["remark"].iloc[0]


def test_a_sample_is_called_one_and_not_incomplete(runs: Path, tmp_path: Path) -> None:
    renamed(runs / "oracle" / "106", tmp_path / "run", "vendor/some")
    about = json.loads((tmp_path / "run" / "run.json").read_text()) | {"limit": 4}
    (tmp_path / "run" / "run.json").write_text(json.dumps(about))
    rows = (tmp_path / "run" / "traces.jsonl").read_text().splitlines()
    (tmp_path / "run" / "traces.jsonl").write_text("\n".join(rows[::8]))
    limits = compose(load_results([tmp_path / "run"], SUITE)).limits
    assert any("only a sample" in line and "vendor/some" in line for line in limits)
    assert not any("Incomplete" in line for line in limits)


def test_failures_of_the_infrastructure_are_named_with_both_bounds(
    runs: Path, tmp_path: Path
) -> None:
    renamed(runs / "oracle" / "106", tmp_path / "run", "vendor/flaky")
    file = tmp_path / "run" / "traces.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows[0] |= {"calls": [], "error": {"kind": "rate_limit", "message": "slow down"}}
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    composed = compose(load_results([tmp_path / "run"], SUITE))
    assert any("vendor/flaky" in line and "Both bounds" in line for line in composed.limits)
    remark = composed.sections[-1].tables[0].frame["remark"].iloc[0]
    assert "100.0 % solved instead of 96.9 %" in remark


def test_several_settings_are_said_not_to_be_comparable(runs: Path) -> None:
    composed = compose(load_results([runs / "sweep"], SUITE))
    assert composed.limits[0].startswith("The runs are of 2 settings")
    assert composed.sections[0].name == "sweep"


def test_the_paper_stands_by_itself() -> None:
    section = paper_section()
    assert section.findings[0].startswith("26 of 27 models score higher")
    assert "13.4 points on average" in section.findings[0]
    means = {row[0]: row for row in section.tables[1].cells()}
    assert means["all"][3:7] == ["41.6", "57.6", "72.8", "34.5"]
    latency = section.tables[0].frame.set_index(["model", "provider"])["latency_ms"]
    assert latency["GPT-4o", "OpenAI"] == 1115
    assert latency["GPT-4o Mini", "OpenAI"] == 1352
    assert latency["Llama 3.1 8B (Groq)", "Groq"] == 383
    assert latency["Llama 3.1 8B (Ollama)", "Ollama"] == 2262
    assert latency["Llama 4 Scout 17B", "Groq"] == 266
    assert latency.nunique() > 20


# Names, tables, settings ----------------------------------------------------------------------

SHOWN = [
    ("GPT-4o", "GPT-4o"),
    ("a\nb\x00\u202ec", "a�b��c"),
    ("\ud800", "�"),
    ("x" * 100, "x" * 59 + "…"),
]


@pytest.mark.parametrize(("text", "expected"), SHOWN)
def test_a_name_is_shown_in_one_visible_line(text: str, expected: str) -> None:
    assert printable(text) == expected


TABLE = Table(
    "t",
    "A title_",
    pd.DataFrame(
        {
            "model": ["=cmd|'x'!A1", "b|c_{d} $x$ \\input{y}", None],
            "score": [0.5, -0.123456789, float("nan")],
            "score_low": [0.4, -0.2, float("nan")],
            "score_high": [0.6, 0.0, float("nan")],
        }
    ),
    (Column("model", "model"), Column("score", "score", "points", interval=True)),
    "A note.",
)


def test_a_table_as_csv_holds_the_values_and_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(TABLE.to_csv())))
    assert [row["model"][:2] for row in rows] == ["'=", "b|", ""]
    assert [row["score"] for row in rows] == ["0.5", "-0.123457", ""]
    assert rows[0]["score_high"] == "0.6"


@pytest.mark.parametrize("begin", ["=", " =", "|", "%", "＝", "'", "\n"])
def test_a_table_as_csv_is_guarded_like_every_other(begin: str) -> None:
    frame = pd.DataFrame({"model": [f"{begin}cmd"]})
    (row,) = csv.DictReader(
        io.StringIO(replace(TABLE, frame=frame, columns=TABLE.columns[:1]).to_csv())
    )
    assert row["model"] == f"'{begin}cmd"


def test_a_table_as_markdown_keeps_its_shape() -> None:
    lines = TABLE.to_markdown().splitlines()
    assert lines[0] == r"**A title\_**"
    cells = [len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:7]]
    assert cells == [3] * 5
    assert lines[4].endswith("| +50.0 \\[+40.0, +60.0\\] |")


def test_a_table_as_latex_has_no_command_of_a_name() -> None:
    text = TABLE.to_latex()
    assert r"\input{" not in text
    assert r"\textbackslash{}input\{y\}" in text
    assert text.count(r"\\") == 4
    assert r"$-$12.3 {[}$-$20.0, 0.0{]}" in text


ESCAPED = [
    (markdown_text, "[a](javascript:1)", r"\[a\]\(javascript:1\)"),
    (markdown_text, "a\n<b>&`$", r"a \<b\>&amp;\`\$"),
    (latex_text, "50% & #1 ~ ^", r"50\% \& \#1 \textasciitilde{} \textasciicircum{}"),
]


@pytest.mark.parametrize(("escape", "text", "expected"), ESCAPED)
def test_text_is_escaped(escape: Any, text: str, expected: str) -> None:
    assert escape(text) == expected


KINDS = [
    ("percent", 0.5, "50.0"),
    ("points", 0.0, "0.0"),
    ("points", -0.0004, "0.0"),
    ("points", -0.05, "−5.0"),
    ("count", 12345.0, "12,345"),
    ("decimal", 1.0, "1.00"),
    ("number", 0.00123, "0.00123"),
    ("number", 1234.5, "1,234"),
    ("p", 0.0001, "<0.001"),
    ("p", 0.25, "0.250"),
    ("text", "", "–"),
    ("percent", float("nan"), "–"),
]


@pytest.mark.parametrize(("kind", "value", "shown"), KINDS)
def test_a_value_is_shown_by_its_kind(kind: str, value: Any, shown: str) -> None:
    table = Table("t", "t", pd.DataFrame({"a": [value]}), (Column("a", "a", kind),))
    assert table.cells() == [[shown]]


def test_settings_are_said_in_words_and_in_names_of_files() -> None:
    other = SIGNATURE.replace("full", "task").replace("native", "json").replace("n:200", "n:60")
    prompted = SIGNATURE.replace("turn.1", "turn.2")
    assert words(SIGNATURE) == "single-turn, all tools offered, 200 tasks"
    assert words(other) == "single-turn, each task's own tools offered, calls as JSON, 60 tasks"
    names = stems([SIGNATURE, other, prompted])
    assert list(names.values()) == [
        "single-turn-full-200",
        "single-turn-task-json-60",
        "single-turn-full-200-v2",
    ]
    assert [size(name) for name in ("full", "task", "32", None)] == [106, None, 32, None]


# The command ----------------------------------------------------------------------------------


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(report, arguments)


def test_the_command_writes_the_report_and_says_where(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    suite = str(runs / "suite.jsonl")
    done = invoke(str(runs / "oracle"), "--suite", suite, "--out", str(out))
    assert done.exit_code == 0, done.exception
    assert done.output.startswith(f"{out / PAGE}: 1 run")
    assert (out / PAGE).is_file()


REFUSED = [([], "name the runs"), (["nowhere"], "expected a run folder")]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_a_mistake_is_one_sentence(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = invoke(*arguments, "--out", str(tmp_path / "out"))
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)
    assert not (tmp_path / "out").exists()


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['altair'] = None\n"
        "from evaluator.commands.report import report\n"
        "report.main(['--paper'], standalone_mode=False)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert "altair: pip install 'comptoolbench[report]'" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_figure_is_rendered_as_svg_and_png(sections: dict[str, Section]) -> None:
    svg, png = render(sections["sweep"].figures[0])
    assert svg.startswith("<svg")
    assert png.startswith(b"\x89PNG")


# In a browser ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium on the PATH")
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_shows_its_figures_and_asks_for_nothing(
    folder: Path, browser: Any, width: int, tmp_path: Path
) -> None:
    copy = tmp_path / PAGE
    shutil.copy(folder / PAGE, copy)
    page = browser.new_page(viewport={"width": width, "height": 900})
    requests: list[str] = []
    messages: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: messages.append(message.text))
    page.on("dialog", lambda dialog: messages.append(dialog.message))
    page.goto(copy.as_uri())
    page.wait_for_function("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
    # Wide tables scroll in their own boxes.
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
    assert [url for url in requests if not url.startswith("data:")] == [copy.as_uri()]
    assert messages == []
