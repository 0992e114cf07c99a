"""Uploads and jobs that only who has their link sees."""

import json
from pathlib import Path

import pytest

from space.base.limits import MAX_DRAFTS, MAX_OWN_DRAFTS
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.visitors import Visitor
from space.board.explain_answer import explain
from space.board.private_runs import PrivateRuns
from space.html.job_page import job_scores
from space.jobs.job import JobFolder, Order, Record, new_folder
from space.services import Services, open_services
from space.submissions.upload_check import Draft, read_upload
from tests.samples.small_site import careless, first_level, oracle, trace_lines
from tests.samples.small_suite import small_suite

SUITE = small_suite()
ONE, OTHER = Visitor("one", "192.0.2.1"), Visitor(None, "192.0.2.2")
NAMES = ("", "x", "0" * 32, "0" * 31, "A" * 32, "../" * 10 + "ab", "\n", "0" * 32 + ".1")


@pytest.fixture
def site(tmp_path: Path) -> Services:
    folders = (tmp_path / "runs", tmp_path / "submissions")
    return open_services(Settings(SUITE, *folders, is_hosted=True, jobs=tmp_path / "jobs"))


def draft(*models: str) -> Draft:
    lines = b"".join(trace_lines(model, careless, SUITE) for model in models)
    return read_upload(lines.decode(), SUITE)


def files(site: Services) -> list[str]:
    return sorted(file.stem for file in (site.settings.uploads / "drafts").iterdir())


def test_a_draft_opens_by_its_link_with_the_scores_of_its_upload(site: Services) -> None:
    kept = draft("m")
    (name,) = site.private.keep(kept, ONE)
    entry = site.find(name)
    assert entry is not None
    assert entry.result.scores == kept.runs[0].scores
    for row in entry.result.scores["tasks"]:
        explanation = explain(entry, SUITE.by_id[row["task_id"]], 0, SUITE)
        assert explanation.score.to_row() == row


def test_each_model_of_a_draft_has_its_link(site: Services) -> None:
    names = site.private.keep(draft("a", "b"), ONE)
    found = [site.find(name) for name in names]
    assert [entry.about["model"] for entry in found if entry] == ["a", "b"]
    stem = names[0].partition(".")[0]
    assert all(site.find(name) is None for name in (stem, f"{stem}.0", f"{stem}.3", f"{stem}.1.1"))


def test_nothing_private_stands_on_the_board(site: Services) -> None:
    (name,) = site.private.keep(draft("m"), ONE)
    assert site.board.complete().entries == ()
    assert site.board.current().find(name) is None


@pytest.mark.parametrize("name", NAMES)
def test_an_id_that_is_none_finds_nothing(site: Services, name: str) -> None:
    site.private.keep(draft("m"), ONE)
    assert site.find(name) is None


def test_ids_tell_nothing_of_the_content_or_of_each_other(site: Services) -> None:
    same = draft("m")
    names = {site.private.keep(same, ONE)[0] for _ in range(3)}
    assert len(names) == 3
    assert not any(same.id in name for name in names)


def test_of_one_visitor_the_oldest_goes_first(site: Services) -> None:
    kept = draft("m")
    theirs = site.private.keep(kept, OTHER)[0]
    names = [site.private.keep(kept, ONE)[0] for _ in range(MAX_OWN_DRAFTS + 2)]
    assert [site.find(name) is not None for name in names] == [False] * 2 + [True] * MAX_OWN_DRAFTS
    assert site.find(theirs) is not None
    assert files(site) == sorted([theirs, *names[2:]])


def test_of_all_visitors_together_there_are_so_many(site: Services) -> None:
    kept = draft("m")
    visitors = [Visitor(None, f"192.0.2.{number}") for number in range(MAX_DRAFTS + 1)]
    names = [site.private.keep(kept, who)[0] for who in visitors]
    assert [site.find(name) is not None for name in names] == [False] + [True] * MAX_DRAFTS
    assert len(files(site)) == MAX_DRAFTS


def test_a_link_ends(site: Services) -> None:
    private = PrivateRuns(site.settings, Cache(site.settings.scores), kept_s=0)
    (name,) = private.keep(draft("m"), ONE)
    assert private.draft(name) is None
    assert files(site) == []


def job(site: Services, traces: bytes) -> JobFolder:
    folder = new_folder(site.settings.jobs)
    folder.write(Record(Order("endpoint", "m", "single-turn", "full")))
    folder.run.mkdir()
    (folder.run / "run.json").write_text("{}")
    (folder.run / "traces.jsonl").write_bytes(traces)
    return folder


def test_a_job_opens_by_its_link_while_it_grows(site: Services) -> None:
    lines = trace_lines("m", first_level, SUITE).splitlines(keepends=True)
    folder = job(site, lines[0] + lines[1][:9])
    for count in (1, len(lines)):
        entry = site.find(folder.id)
        assert entry is not None
        rows = [row for row in entry.result.scores["tasks"] if row["error"] != "missing"]
        assert len(rows) == count
        explanation = explain(entry, SUITE.by_id[rows[0]["task_id"]], 0, SUITE)
        assert explanation.score.strict is rows[0]["strict"]
        (folder.run / "traces.jsonl").write_bytes(b"".join(lines))
    assert site.board.current().find(folder.id) is None


def test_a_finished_job_leads_to_its_answers(site: Services) -> None:
    folder = job(site, trace_lines("m", first_level, SUITE))
    page = job_scores(folder, SUITE)
    assert f'href="?tab=explore&amp;of={folder.id}"' in page
    assert f"of={folder.id}&amp;outcome=E2_no_call" in page
    task = next(task.task_id for task in SUITE.tasks if task.level > 0)
    assert f'href="?task={task}&amp;run={folder.id}"' in page


def test_a_job_without_an_answer_or_with_a_broken_file_has_nothing_to_show(site: Services) -> None:
    assert site.find(job(site, b"").id) is None
    assert site.find(job(site, b"{}\n").id) is None


def test_a_draft_says_what_its_submitter_declared(site: Services) -> None:
    rows = [json.loads(line) for line in trace_lines("m", oracle, SUITE).splitlines()]
    bare = [{k: v for k, v in row.items() if k not in ("protocol", "catalogue")} for row in rows]
    text = "\n".join(map(json.dumps, bare))
    kept = read_upload(text, SUITE, "multi-turn", "full")
    entry = site.find(site.private.keep(kept, ONE)[0])
    assert entry is not None
    trace = explain(entry, SUITE.tasks[0], 0, SUITE).trace
    assert (trace.protocol, trace.catalogue) == ("multi-turn", "full")
