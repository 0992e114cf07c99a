"""Publishing: what would change, what is refused, and that a failure is mended by running again."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha1
from pathlib import Path

import pytest
import yaml

from dataset_builder.errors import InputError
from dataset_builder.published import hub as door
from dataset_builder.published.dataset_folder import write_folder
from dataset_builder.published.hub import HubError, RemoteFile, Repo
from dataset_builder.published.hub_changes import (
    Card,
    Change,
    change_lines,
    changes,
    read_card,
    refuse_other_suite,
)
from dataset_builder.published.load_suite import published_suite, suite_from_rows
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tasks.task import SUITE_VERSION, Suite
from dataset_builder.tools import catalogue
from space.publishing.command import Defective, publish_dataset, publish_space, validate_croissant
from tests.stand_ins.hub import READER, WRITER, Hub

TAG = f"v{SUITE_VERSION}"
NAME = "org/comptoolbench"


def remote(content: bytes) -> RemoteFile:
    return RemoteFile(len(content), sha1(b"blob %d\0" % len(content) + content).hexdigest())


def suite_of(seed: int) -> Suite:
    return CompositionEngine(seed, counts=(1, 1, 1, 1)).generate_suite()


# What would change ----------------------------------------------------------------------------


def test_changes_are_what_makes_the_repository_equal_to_the_folder() -> None:
    local = {"croissant.json": b"{}", "new.txt": b"new", "other.txt": b"after"}
    there = {
        ".gitattributes": remote(b"*"),
        "croissant.json": remote(b"{}"),
        "other.txt": remote(b"before!"),
        "old.txt": remote(b"old"),
    }
    assert changes(local, there, "croissant.json") == (
        Change("new.txt", b"new", None),
        Change("old.txt", None, 3),
        Change("other.txt", b"after", 7),
    )
    assert changes(local, {p: remote(c) for p, c in local.items()}, "croissant.json") == ()


def test_a_repository_of_somebody_else_is_not_emptied() -> None:
    local = {"croissant.json": b"{}"}
    template = {".gitattributes": remote(b"*"), "README.md": remote(b"# new")}
    assert len(changes(local, template, "croissant.json")) == 2
    with pytest.raises(InputError, match=r"holds files that are not ours \(model.bin\)"):
        changes(local, template | {"model.bin": remote(b"1")}, "croissant.json")


def test_many_changes_are_summed_by_folder() -> None:
    few = [Change("data/a", b"1" * 1500, None), Change("b", None, 20), Change("c", b"12", 3)]
    assert change_lines(few) == [
        "add     data/a  (1.5 kB)",
        "remove  b  (20 B)",
        "change  c  (3 B to 2 B)",
    ]
    many = [Change(f"data/{n}", b"12345", None) for n in range(50)]
    assert change_lines([*many, few[1]]) == [
        "add     data/  (50 files, 250 B)",
        "remove  b  (20 B)",
    ]


@pytest.mark.parametrize(
    ("text", "card"),
    [
        (b"---\nversion: 3.0.0\ndigest: ab\n---\n# x\n---\n", Card("3.0.0", "ab")),
        (
            b"---\nversion: 3.1.0\ndigest: ab\nhorizon_digest: cd\n---\n",
            Card("3.1.0", "ab", "cd"),
        ),
        (
            b"---\nversion: 3.1.0\ndigest: ab\nhorizon_digest: cd\nirrelevance_digest: ef\n---\n",
            Card("3.1.0", "ab", "cd", "ef"),
        ),
        (b"---\nversion: 3.0.0\n---\n", None),
        (b"---\n- version\n---\n", None),
        (b"---\n[\n---\n", None),
        (b"# no front matter", None),
        (b"\xff", None),
    ],
)
def test_a_card_tells_version_and_digest(text: bytes, card: Card | None) -> None:
    assert read_card(text) == card


REQUESTS = irrelevance_suite().digest
OURS, OTHER = Card("3.0.0", "a" * 64), Card("3.0.0", "b" * 64)


@pytest.mark.parametrize(
    ("tagged", "is_tagged", "main", "sentence"),
    [
        (None, False, None, None),
        (None, False, OURS, None),
        (OURS, True, OURS, None),
        (OURS, True, OTHER, None),
        (None, False, Card("2.9.0", "c"), None),
        (OTHER, True, OTHER, "version 3.0.0 is published with digest bbbbbbbb"),
        (OTHER, True, None, "version 3.0.0 is published with digest bbbbbbbb"),
        (None, True, None, "version 3.0.0 is published with digest unknown"),
        (None, False, OTHER, "version 3.0.0 is published with digest bbbbbbbb"),
        (
            Card("3.0.0", "a" * 64, "c" * 64),
            True,
            None,
            "version 3.0.0 is published with digest aaaaaaaa and cccccccc",
        ),
        (OURS, True, Card("3.10.0", "c"), "version 3.10.0 is published, which is newer"),
    ],
)
def test_a_version_has_one_digest(
    tagged: Card | None, is_tagged: bool, main: Card | None, sentence: str | None
) -> None:
    if sentence is None:
        refuse_other_suite(OURS, tagged, is_tagged, main)
    else:
        with pytest.raises(InputError, match=sentence):
            refuse_other_suite(OURS, tagged, is_tagged, main)


# Against the stand-in, with suites of four tasks ------------------------------------------------


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub() as hub:
        yield hub


@pytest.fixture
def repo(hub: Hub) -> Repo:
    return Repo(NAME, token=WRITER, endpoint=hub.url)


@pytest.fixture(scope="module")
def suite() -> Suite:
    return suite_of(7)


def publish(repo: Repo, suite: Suite, private: bool = False, dry_run: bool = False) -> None:
    publish_dataset(repo, suite, catalogue(), private, dry_run)


def test_one_commit_and_a_tag(
    hub: Hub, repo: Repo, suite: Suite, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(repo, suite, private=True)
    remote = hub.repo(NAME)
    assert remote.private
    assert len(remote.commits) == 2, "the Hub's own and ours"
    assert remote.tags == {TAG: remote.commits[-1].id}
    files = remote.files()
    card = read_card(files["README.md"])
    assert card == Card(SUITE_VERSION, suite.digest, "", REQUESTS)
    assert f'load_dataset("{NAME}"' in files["README.md"].decode()
    shown = capsys.readouterr().out
    assert all(f"add     {path}  (" in shown for path in files if path != ".gitattributes")
    assert "no defect under 17 rules; Croissant metadata valid" in shown

    publish(repo, suite)
    assert len(remote.commits) == 2
    assert "published already" in capsys.readouterr().out


def test_a_dry_run_changes_nothing(
    hub: Hub, repo: Repo, suite: Suite, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(repo, suite, dry_run=True)
    assert not hub.has(NAME)
    assert {method for method, _ in hub.requests} == {"GET"}
    publish(repo, suite)
    before = hub.repo(NAME).commits[-1]
    door.commit_files(repo, {"README.md": before.files["README.md"] + b"\nMore.\n"}, "Edit")
    capsys.readouterr()
    edited = hub.repo(NAME).commits[-1]
    publish(repo, suite, dry_run=True)
    assert hub.repo(NAME).commits[-1] is edited
    shown = capsys.readouterr().out
    assert "change  README.md" in shown
    assert (
        f"(public, suite {SUITE_VERSION}, digest {suite.digest[:8]} and {REQUESTS[:8]}), as maintainer"
        in shown
    )
    assert f"dry run: nothing was changed; 1 file in one commit, tag {TAG} stays" in shown


@pytest.mark.parametrize("token", [WRITER, None])
def test_a_dry_run_needs_no_network(
    suite: Suite, token: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = Repo(NAME, token=token, endpoint="http://127.0.0.1:9")
    publish(nowhere, suite, dry_run=True)
    publish_space(replace(nowhere, kind="space"), private=False, dry_run=True)
    shown = capsys.readouterr().out
    assert "no defect under 17 rules; Croissant metadata valid" in shown
    assert f"not compared with the Hub (dataset {NAME}: the Hub cannot be reached)" in shown
    assert f"whether {TAG} stands there with other tasks" in shown
    assert f"not compared with the Hub (space {NAME}: the Hub cannot be reached)" in shown
    assert shown.count("dry run: nothing was changed") == 2
    with pytest.raises(HubError, match="cannot be reached"):
        publish(replace(nowhere, token=WRITER), suite)


def test_a_dry_run_finds_defects_without_network(suite: Suite) -> None:
    rows = [task.to_row() for task in suite.tasks]
    rows[0]["prompt"] = "Do something."
    with pytest.raises(Defective):
        publish(Repo(NAME, endpoint="http://127.0.0.1:9"), suite_from_rows(rows, "r"), dry_run=True)


@pytest.mark.parametrize("status", [500, 503])
def test_a_hub_out_of_order_stops_no_dry_run(
    hub: Hub, repo: Repo, suite: Suite, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.fail("GET", "/whoami", status)
    publish(repo, suite, dry_run=True)
    assert (
        f"not compared with the Hub (dataset {NAME}: the Hub answered with HTTP status {status}"
        in (capsys.readouterr().out)
    )


def test_a_dry_run_refuses_what_publishing_would_refuse(hub: Hub, repo: Repo, suite: Suite) -> None:
    publish(repo, suite)
    with pytest.raises(InputError, match=f"version {SUITE_VERSION} is published with digest"):
        publish(repo, suite_of(8), dry_run=True)
    with pytest.raises(HubError, match="the Hub does not know this token"):
        publish(replace(repo, token="hf_unknown"), suite, dry_run=True)
    with pytest.raises(HubError, match="expected a repository as ORG/NAME"):
        publish(Repo("a/b/c", endpoint="http://127.0.0.1:9"), suite, dry_run=True)


def test_other_documents_are_a_new_commit_under_the_old_tag(
    hub: Hub, repo: Repo, suite: Suite
) -> None:
    publish(repo, suite)
    remote = hub.repo(NAME)
    ours, first = remote.files(), remote.commits[-1].id
    door.commit_files(repo, {"README.md": ours["README.md"] + b"\nMore.\n", "x": b"x"}, "Edit")
    publish(repo, suite)
    assert remote.files() == ours
    assert remote.tags == {TAG: first}


def test_another_digest_under_the_same_version_is_refused(
    hub: Hub, repo: Repo, suite: Suite
) -> None:
    publish(repo, suite)
    before = list(hub.repo(NAME).commits)
    with pytest.raises(InputError, match=f"version {SUITE_VERSION} is published with digest"):
        publish(repo, suite_of(8))
    assert hub.repo(NAME).commits == before


def test_a_defect_stops_everything(hub: Hub, repo: Repo, suite: Suite) -> None:
    rows = [task.to_row() for task in suite.tasks]
    rows[0]["prompt"] = "Do something."
    with pytest.raises(Defective) as refusal:
        publish(repo, suite_from_rows(rows, "rows"))
    assert any(line.startswith("grounded") for line in refusal.value.defects)
    assert not hub.has(NAME)


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        ("hf_unknown", "the Hub does not know this token"),
        (READER, "this token may not write there"),
    ],
)
def test_a_token_without_rights_is_refused(
    hub: Hub, repo: Repo, suite: Suite, token: str, sentence: str
) -> None:
    with pytest.raises(HubError, match=sentence):
        publish(replace(repo, token=token), suite)
    assert not hub.has(NAME)


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("croissant.json", b'{"@type": "sc:Thing"}', "croissant.json is not valid"),
        ("data/L1.parquet", b"no parquet", "croissant.json is not valid"),
    ],
)
def test_metadata_that_do_not_hold_are_refused(
    suite: Suite, tmp_path: Path, file: str, content: bytes, sentence: str
) -> None:
    folder = tmp_path / "data"
    write_folder(suite, catalogue(), folder)
    validate_croissant(folder)
    (folder / file).write_bytes(content)
    with pytest.raises(InputError, match=sentence) as refused:
        validate_croissant(folder)
    assert "\n" not in str(refused.value)


def test_private_means_private(hub: Hub, repo: Repo, suite: Suite) -> None:
    publish(repo, suite)
    with pytest.raises(InputError, match="is public already"):
        publish(repo, suite, private=True)


@pytest.mark.parametrize(
    ("method", "path", "how", "sentence"),
    [
        ("POST", "/repos/create", 500, "HTTP status 500"),
        ("POST", "/preupload/", 403, "may not write"),
        ("POST", "/info/lfs/", 403, "may not write"),
        ("PUT", "/lfs/", 403, "gave up"),
        ("POST", "/commit/", 500, "HTTP status 500"),
        ("POST", "/commit/", "cut", "broke off; run again"),
        ("POST", "/commit/", "lost", "broke off; run again"),
        ("POST", "/tag/", 500, "HTTP status 500"),
        ("POST", "/tag/", "cut", "broke off; run again"),
        ("POST", "/tag/", "lost", "broke off; run again"),
    ],
)
def test_what_was_interrupted_is_done_by_running_again(
    hub: Hub,
    repo: Repo,
    suite: Suite,
    method: str,
    path: str,
    how: int | str,
    sentence: str,
) -> None:
    hub.fail(method, path, how)
    with pytest.raises(HubError, match=sentence):
        publish(repo, suite)
    if hub.has(NAME):
        done = [set(commit.files) for commit in hub.repo(NAME).commits[1:]]
        assert all("croissant.json" in files for files in done), "whole commits or none"
    hub.mend()
    publish(repo, suite)
    remote = hub.repo(NAME)
    assert len(remote.commits) == 2
    assert remote.tags == {TAG: remote.commits[-1].id}
    assert read_card(remote.files()["README.md"]) == Card(SUITE_VERSION, suite.digest, "", REQUESTS)


def test_an_interrupted_update_leaves_the_files_as_they_were(
    hub: Hub, repo: Repo, suite: Suite
) -> None:
    publish(repo, suite)
    door.commit_files(repo, {"README.md": b"---\nlicense: mit\n---\n", "x": b"x"}, "Edit")
    before = hub.repo(NAME).commits[-1]
    hub.fail("POST", "/commit/", 500)
    with pytest.raises(HubError):
        publish(repo, suite)
    assert hub.repo(NAME).commits[-1] is before


def test_somebody_else_s_commit_in_between_is_not_undone(
    hub: Hub, repo: Repo, suite: Suite
) -> None:
    publish(repo, suite)
    state = door.repo_state(repo)
    assert state is not None
    door.commit_files(repo, {"theirs.txt": b"theirs"}, "Theirs")
    with pytest.raises(HubError, match="somebody else changed it meanwhile"):
        door.commit_files(repo, {"theirs.txt": None}, "Ours", parent=state.head)


def test_the_space_is_published(hub: Hub, repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    space = replace(repo, kind="space")
    publish_space(space, private=False, dry_run=True)
    assert not hub.has(NAME, "space")
    publish_space(space, private=False, dry_run=False)
    files = hub.repo(NAME, "space").files()
    assert yaml.safe_load(files["README.md"].decode().split("---\n")[1])["sdk"] == "gradio"
    assert {"app.py", "comptoolbench.py", "requirements.txt", "space/page/app.py"} <= files.keys()
    capsys.readouterr()
    publish_space(space, private=False, dry_run=False)
    assert capsys.readouterr().out.endswith("published already\n")
    assert len(hub.repo(NAME, "space").commits) == 2


# As a user --------------------------------------------------------------------------------------


def comptoolbench(
    hub: Hub, home: Path, *arguments: str, token: str | None = WRITER
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "comptoolbench", *arguments],
        env=hub.environment(home, token),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=200,
    )


@pytest.mark.parametrize(
    ("arguments", "token", "sentence"),
    [
        ((), WRITER, "nothing to publish: give --repo ORG/NAME, --space ORG/NAME, or both"),
        (("--space",), WRITER, "nothing to publish"),
        (("--repo", NAME), None, "no Hugging Face token is at hand: log in with `hf auth login`"),
        (("--repo", NAME), "hf_unknown", "the Hub does not know this token"),
        (("--space", NAME), None, "no Hugging Face token is at hand"),
        (("--repo", NAME, "--out", "x"), WRITER, "--out writes the Space's folder"),
        (("--space", "--out", "."), WRITER, "exists already: choose another --out"),
    ],
)
def test_refusals_are_one_sentence_and_exit_code_2(
    hub: Hub, tmp_path: Path, arguments: tuple[str, ...], token: str | None, sentence: str
) -> None:
    done = comptoolbench(hub, tmp_path, "publish", *arguments, token=token)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"comptoolbench: {sentence}") or sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_a_dry_run_without_a_token_sees_what_the_public_sees(
    hub: Hub, repo: Repo, suite: Suite, tmp_path: Path
) -> None:
    arguments = ("publish", "--repo", NAME, "--dry-run")
    done = comptoolbench(hub, tmp_path, *arguments, token=None)
    assert done.returncode == 0, done.stderr
    assert "new, or private and not shown without a token, public), without a login" in done.stdout
    assert "not checked: whether you may write there" in done.stdout
    publish(repo, suite)
    door.commit_files(repo, {"more.txt": b"more"}, "Edit")
    done = comptoolbench(hub, tmp_path, *arguments, token=None)
    assert done.returncode == 2, done.stdout
    assert f"version {SUITE_VERSION} is published with digest" in done.stderr
    assert {method for method, _ in hub.requests[-3:]} <= {"GET", "HEAD"}


@pytest.mark.slow
def test_a_round_trip(hub: Hub, tmp_path: Path) -> None:
    suite = published_suite()
    done = comptoolbench(hub, tmp_path, "publish", "--repo", NAME, "--space", "--private")
    assert done.returncode == 0, done.stderr
    assert hub.repo(NAME).private
    assert hub.repo(NAME, "space").private
    code = (
        "import comptoolbench, json, datasets\n"
        f"suite = comptoolbench.load_suite('{NAME}', revision='{TAG}')\n"
        f"rows = datasets.load_dataset('{NAME}', split='test', revision='{TAG}')\n"
        "assert [task.prompt for task in suite.tasks] == rows['prompt'][:]\n"
        "print(suite.digest)"
    )
    back = subprocess.run(
        [sys.executable, "-c", code],
        env=hub.environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert back.stdout.strip() == suite.digest, back.stderr
    again = comptoolbench(hub, tmp_path, "publish", "--repo", NAME)
    assert again.returncode == 0
    assert "published already" in again.stdout
