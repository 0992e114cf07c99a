"""The sections with figures: those of the report, composed once for each state of the runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.report.build import compose
from space.board.entry import Entry
from space.board.figure_sections import MOST_KEPT, KeptSections
from tests.samples.small_site import careless, first_level, oracle, silent, small_site

ANSWERS = {"one": oracle, "two": first_level, "three": careless, "four": silent}


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> tuple[Entry, ...]:
    site = small_site(tmp_path_factory.mktemp("site"), answers=ANSWERS)
    return site.board.complete().entries


def test_they_draw_what_the_report_draws(entries: tuple[Entry, ...]) -> None:
    report = compose([entry.result for entry in entries])
    wanted = [section for section in report.sections if section.figures]
    drawn = KeptSections().of(entries)
    assert [section.name for section in drawn] == [section.name for section in wanted]
    for section, whole in zip(drawn, wanted, strict=True):
        assert list(section.findings) == list(whole.findings)
        assert not section.tables
        for figure, same in zip(section.figures, whole.figures, strict=True):
            assert figure.chart.to_dict() == same.chart.to_dict()


def test_they_are_composed_once_for_a_content(entries: tuple[Entry, ...], tmp_path: Path) -> None:
    kept = KeptSections()
    first = kept.of(entries)
    assert kept.of(entries) is first
    # The same files, read anew.
    again = small_site(tmp_path, answers=ANSWERS).board.complete().entries
    assert kept.of(again) is first
    changed = small_site(tmp_path / "x", answers=ANSWERS | {"one": careless}).board.complete()
    assert kept.of(changed.entries) is not first
    assert kept.of(entries[:2]) is not first
    assert kept.of(entries) is first


def test_the_oldest_makes_room(entries: tuple[Entry, ...]) -> None:
    kept = KeptSections()
    states = [[replace(entries[0], id=str(number))] for number in range(MOST_KEPT + 1)]
    drawn = [kept.of(state) for state in states]
    assert all(kept.of(state) is seen for state, seen in zip(states[1:], drawn[1:], strict=True))
    assert kept.of(states[0]) is not drawn[0]
