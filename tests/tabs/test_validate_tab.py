"""Validate: verdicts are kept whole, per annotator, and read by the command that computes kappa."""

import csv
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from dataset_builder.published.hub import Repo
from evaluator.audit.annotation import CRITERIA, sample
from evaluator.audit.annotation_sheets import read_sheet
from evaluator.audit.annotator_agreement import agreement
from space.annotations.annotations import MAX_NOTE, Annotations, Judgement
from space.annotations.hub_annotations import HubAnnotations
from space.html.validate_page import agreement_page
from space.tabs.validate_tab import ValidateTab
from tests.samples.small_site import small_site
from tests.samples.small_suite import small_suite
from tests.stand_ins.hub import WRITER, Hub
from tests.stand_ins.lone_tab import lone_tab
from tests.stand_ins.waiting import until

SUITE = small_suite()
YES = Judgement(dict.fromkeys(CRITERIA, True))


def some(**verdicts: bool) -> Judgement:
    return Judgement({**YES.verdicts, **verdicts})


def test_what_was_saved_is_read_back(tmp_path: Path) -> None:
    kept = Annotations(tmp_path, SUITE)
    assert kept.sheet("ann") == {}
    assert kept.verdicts() == {}
    kept.save("ann", "L0_node_0001", YES)
    kept.save("ann", "L0_node_0002", Judgement({**YES.verdicts, "arguments": False}, "odd unit"))
    kept.save("ann", "L0_node_0001", some(data_flow=False))
    kept.save("bob", "L0_node_0001", YES)
    again = Annotations(tmp_path, SUITE)
    assert again.sheet("ann")["L0_node_0001"] == some(data_flow=False)
    assert again.sheet("ann")["L0_node_0002"].note == "odd unit"
    assert list(again.verdicts()) == ["ann", "bob"]
    assert Annotations(tmp_path, small_suite(1, 1, 1, 1)).verdicts() == {}


@pytest.mark.parametrize("note", ["'tis odd", "'", "''=1", "'=1", "=1+1", "-", "it's"])
def test_a_note_is_read_back_as_it_was_written(note: str, tmp_path: Path) -> None:
    Annotations(tmp_path, SUITE).save("ann", "L0_node_0001", Judgement(YES.verdicts, note))
    assert Annotations(tmp_path, SUITE).sheet("ann")["L0_node_0001"].note == note


def test_the_command_reads_the_sheets(tmp_path: Path) -> None:
    kept = Annotations(tmp_path, SUITE)
    for number, task in enumerate(SUITE.tasks):
        kept.save("ann", task.task_id, some(arguments=number % 2 == 0))
        kept.save("bob", task.task_id, some(arguments=number % 4 == 0))
    files = sorted(tmp_path.glob("*/*.csv"))
    sheets = {file.stem: read_sheet(file).verdicts for file in files}
    assert sheets == kept.verdicts()
    row = next(row for row in agreement(sheets) if row["criterion"] == "arguments")
    assert row["kappa"] == pytest.approx(0.5)
    assert "0.50" in agreement_page(kept.verdicts())


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "a/b", "é ö", "a.b", "%2e", ".new-x"])
def test_a_name_never_leaves_the_folder(tmp_path: Path, name: str) -> None:
    kept = Annotations(tmp_path / "kept", SUITE)
    kept.save(name, "L0_node_0001", YES)
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert [file.parent for file in files] == [tmp_path / "kept" / SUITE.digest[:16]]
    assert list(kept.verdicts()) == [name]


def test_notes_are_inert_in_a_spreadsheet_and_bounded(tmp_path: Path) -> None:
    kept = Annotations(tmp_path, SUITE)
    kept.save("ann", "L0_node_0001", Judgement(YES.verdicts, "=HYPERLINK(1)\n\u202e" + "x" * 9_999))
    file = next(tmp_path.glob("*/*.csv"))
    with file.open(encoding="utf-8", newline="") as stream:
        cell = next(csv.DictReader(stream))["note"]
    assert cell.startswith("'=HYPERLINK(1) x")
    note = kept.sheet("ann")["L0_node_0001"].note
    assert note.startswith("=HYPERLINK")
    assert len(note) == MAX_NOTE
    # Saving something else keeps it as it was.
    kept.save("ann", "L0_node_0002", YES)
    assert kept.sheet("ann")["L0_node_0001"].note == note


def test_all_four_criteria_are_asked_for(tmp_path: Path) -> None:
    kept = Annotations(tmp_path, SUITE)
    with pytest.raises(InputError, match="all four"):
        kept.save("ann", "L0_node_0001", Judgement({"arguments": True}))
    assert kept.verdicts() == {}


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    kept = Annotations(tmp_path, SUITE)
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda n: kept.save(f"ann{n % 3}", SUITE.tasks[n // 3].task_id, YES), range(24)
            )
        )
    assert {name: len(sheet) for name, sheet in kept.verdicts().items()} == {
        "ann0": 8,
        "ann1": 8,
        "ann2": 8,
    }


SAVER = """
import sys
from pathlib import Path
from space.annotations.annotations import Annotations, Judgement
from evaluator.audit.annotation import CRITERIA
from tests.samples.small_suite import small_suite
kept = Annotations(Path(sys.argv[1]), small_suite())
for number in range(100_000):
    kept.save("ann", f"T{number:06}", Judgement(dict.fromkeys(CRITERIA, True), "n" * 300))
    print(number, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 17, 60])
def test_a_kill_loses_nothing_that_was_saved(tmp_path: Path, after: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SAVER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as saver:
        assert saver.stdout is not None
        last = -1
        for line in saver.stdout:
            last = int(line)
            if last >= after:
                break
        time.sleep(0.003 * after)
        os.kill(saver.pid, signal.SIGKILL)
        rest = saver.stdout.read().split()
    last = int(rest[-1]) if rest else last
    sheet = Annotations(tmp_path, SUITE).sheet("ann")
    assert set(sheet) >= {f"T{number:06}" for number in range(last + 1)}
    assert len(sheet) <= last + 2


def test_one_goes_on_where_one_stopped(tmp_path: Path) -> None:
    site = small_site(tmp_path, SUITE)
    kept = site.annotations
    ids = [task.task_id for task in sample(SUITE)]
    tab = lone_tab(ValidateTab, site)

    def answers(name: str, task_id: str = "") -> list[str | None]:
        shown = tab.show(name, task_id)
        return [shown[radio] for radio in tab.verdicts.values()]

    shown = tab.show("ann")
    assert shown[tab.task] == ids[0]
    assert "Task 1 of 8 as ann; 0 judged." in shown[tab.progress]
    kept.save("ann", ids[0], YES)
    kept.save("ann", ids[2], some(distractors=False))
    assert tab.show("ann")[tab.task] == ids[1]
    assert answers("ann") == [None] * 4
    # What was judged is shown as it was judged, to its annotator alone.
    assert answers("ann", ids[2]) == ["yes", "yes", "yes", "no"]
    assert answers("bob", ids[2]) == [None] * 4
    for task_id in ids:
        kept.save("ann", task_id, YES)
    assert "All are judged" in tab.show("ann")[tab.progress]
    assert "Log in" in tab.show(None)[tab.progress]


def test_a_hosted_page_that_starts_anew_has_the_verdicts(tmp_path: Path) -> None:
    with Hub() as hub:
        repo = Repo("org/results", token=WRITER, endpoint=hub.url)

        def opened(name: str) -> HubAnnotations:
            return HubAnnotations(tmp_path / name / "annotations", SUITE, repo, every_s=0.05)

        def sent(count: int) -> bool:
            files = hub.repo("org/results").files()
            sheets = [data for path, data in files.items() if path.startswith("annotations/")]
            return sum(data.count(b"yes,yes,yes,yes") for data in sheets) == count

        first = opened("first")
        first.save("ann", "L0_node_0001", YES)
        first.save("bob", "L0_node_0001", YES)
        until(lambda: sent(2))
        # The Hub fails for a while: what is saved meanwhile is sent when it is back.
        hub.fail("POST", "/commit/", 500)
        first.save("ann", "L0_node_0002", YES)
        time.sleep(0.3)
        assert sent(2)
        hub.mend()
        until(lambda: sent(3))
        again = opened("again")
        assert again.verdicts() == first.verdicts()
        again.save("ann", "L1_chain_0003", YES)
        until(lambda: sent(4))
        hub.fail("GET", "/tree/", 500)
        site = replace(small_site(tmp_path, SUITE), annotations=opened("third"))
        tab = lone_tab(ValidateTab, site)
        assert "Nothing can be kept now" in tab.show("ann")[tab.progress]


class _Faulty(HubAnnotations):
    """Sheets one step of whose sending raises, the first times that it is done."""

    step, times = "", 0

    def _at(self, step: str) -> None:
        if step == self.step and self.times > 0:
            self.times -= 1
            raise ZeroDivisionError("what an annotator typed")

    def _send(self) -> float | None:
        self._at("begin")
        pause = super()._send()
        self._at("sent")
        return pause

    def _add_changed(self, changed: dict[str, bytes], file: Path) -> None:
        self._at("read a sheet")
        super()._add_changed(changed, file)


@pytest.mark.parametrize("step", ["begin", "sent", "read a sheet"])
def test_an_unforeseen_exception_at_any_step_stops_no_verdict(
    tmp_path: Path, step: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Hub() as hub:
        repo = Repo("org/results", token=WRITER, endpoint=hub.url)
        kept = _Faulty(tmp_path / "annotations", SUITE, repo, every_s=0.05)
        kept.step, kept.times = step, 2
        kept.save("ann", "L0_node_0001", YES)
        until(lambda: kept.times == 0 or step == "read a sheet")
        kept.save("bob", "L0_node_0001", YES)
        kept.save("ann", "L0_node_0002", YES)

        def sent() -> bool:
            files = hub.repo("org/results").files()
            sheets = [data for path, data in files.items() if path.startswith("annotations/")]
            return sum(data.count(b"yes,yes,yes,yes") for data in sheets) == 3

        until(sent)
        until(lambda: not kept.trouble())
        assert "what an annotator typed" not in caplog.text


def test_an_annotator_is_told_what_is_not_sent_yet(tmp_path: Path) -> None:
    with Hub() as hub:
        repo = Repo("org/results", token=WRITER, endpoint=hub.url)
        kept = HubAnnotations(tmp_path / "annotations", SUITE, repo, every_s=0.05)
        assert kept.trouble() == ""
        kept.sheet("ann")
        hub.fail("POST", "/commit/", 403)
        kept.save("ann", "L0_node_0001", YES)
        until(lambda: "will be sent" in kept.trouble())
        hub.mend()
        until(lambda: not kept.trouble())


def test_a_damaged_sheet_hides_no_other(tmp_path: Path) -> None:
    kept = Annotations(tmp_path, SUITE)
    kept.save("ann", "L0_node_0001", YES)
    for number, content in enumerate((b"\xff\xfe", b"a,b\n1,2\n", b"task_id\nx\n", b'"\0"\n"')):
        (kept.folder / f"bad{number}.csv").write_bytes(content)
        with pytest.raises(InputError, match=f"bad{number} is damaged"):
            kept.sheet(f"bad{number}")
    assert list(kept.verdicts()) == ["ann"]


@pytest.mark.parametrize("note", ["'", "'quoted'", "''two", "=1+1", "'=1+1", " 'x", "-", "don't"])
def test_a_note_comes_back_as_it_was_typed(tmp_path: Path, note: str) -> None:
    kept = Annotations(tmp_path, SUITE)
    kept.save("ann", "L0_node_0001", Judgement(YES.verdicts, note))
    assert kept.sheet("ann")["L0_node_0001"].note == note.strip()
    assert not re.search(r'(^|,|")[=+@-]', kept._file("ann").read_text())


def test_hostile_annotators_stay_text() -> None:
    sheets = {"<script>x</script>": {"t": YES.verdicts}, "b\u202e": {"t": YES.verdicts}}
    page = agreement_page(sheets)
    assert "<script" not in page
    assert "\u202e" not in page
    # Both always say yes: agreement by chance is certain, so kappa says nothing.
    assert page.count(">–<") == len(CRITERIA)
