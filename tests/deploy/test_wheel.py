"""The wheel: what is in it, what it asks for, and a club that runs from it with nothing else installed."""

import ast
import contextlib
import importlib.metadata
import os
import re
import signal
import subprocess
import sys
import tomllib
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.machine import NOT_FOR_PROGRAMS, PATIENCE, ROOT
from tests.postgres import free_port

pytestmark = [pytest.mark.xdist_group("up"), pytest.mark.dear("installs the product in an empty environment")]

APPS = ("deploy", "games", "league", "scoring")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as `pip wheel .` builds it, by the same backend, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


def required(requirements: list[str], extra: str = "") -> list[Requirement]:
    """Those that are meant here, with this extra."""
    parsed = [Requirement(text) for text in requirements]
    return [one for one in parsed if one.marker is None or one.marker.evaluate({"extra": extra})]


def closure(requirements: list[Requirement]) -> dict[str, importlib.metadata.Distribution]:
    """The distributions that these requirements bring in, by name, as they are installed here."""
    found: dict[str, importlib.metadata.Distribution] = {}
    seen = set()
    waiting = [(one, extra) for one in requirements for extra in ("", *one.extras)]
    while waiting:
        one, extra = waiting.pop()
        name = canonicalize_name(one.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        installed = found[name] = importlib.metadata.distribution(name)
        assert one.specifier.contains(installed.version, prereleases=True), one
        further = required(list(installed.requires or ()), extra)
        waiting += [(other, more) for other in further for more in ("", *other.extras)]
    return found


def top_level(distribution: importlib.metadata.Distribution) -> set[str]:
    """The files and folders of a distribution that lie among the packages."""
    if distribution.read_text("RECORD") is None:  # pip of before 23.1 installs without a wheel
        among = Path(str(distribution.locate_file("")))
        told = among.glob(f"{distribution.name.replace('-', '_')}-*.egg-info")
        return {*(distribution.read_text("top_level.txt") or "").split(), *(folder.name for folder in told)}
    return {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}


def test_wheel_holds_every_file_of_the_apps_and_the_templates_and_no_other(wheel: Path) -> None:
    def files(folder: str) -> set[str]:
        inside = (path for path in (ROOT / folder).rglob("*") if path.is_file())
        return {str(path.relative_to(ROOT)) for path in inside if path.suffix not in {".pyc", ".nbi", ".nbc"}}

    expected = set().union(*(files(app) for app in APPS))
    expected |= {f"deploy/{name}" for name in files("templates")}
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert shipped == expected
    assert {"league/demo/hollywood-league.csv", "deploy/templates/base.html"} < shipped


def test_metadata_names_what_pyproject_does(metadata: Message) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = required(metadata.get_all("Requires-Dist", []))
    written = [Requirement(text) for text in project["dependencies"]]

    def told(requirements: list[Requirement]) -> set[tuple[str, frozenset[str], str]]:
        return {
            (canonicalize_name(one.name), frozenset(one.extras), str(one.specifier)) for one in requirements
        }

    assert told(asked) == told(written)
    assert metadata["Requires-Python"] == project["requires-python"]
    assert set(metadata.get_all("Provides-Extra", [])) == set(project["optional-dependencies"])


def test_whatever_the_product_imports_comes_with_its_dependencies(metadata: Message) -> None:
    here = {*sys.stdlib_module_names, *APPS}
    imported = set()
    for path in (path for app in APPS for path in (ROOT / app).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.split(".")[0])
    brought = set[str]().union(
        *(top_level(one) for one in closure(required(metadata.get_all("Requires-Dist", []))).values())
    )
    assert {"django", "celery"} < imported
    assert imported - here - {name.removesuffix(".py") for name in brought} == set()


@pytest.fixture(scope="module")
def installed(wheel: Path, metadata: Message, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel and what its metadata ask for, and nothing else.

    The dependencies are linked from the environment of the tests: nothing has to be fetched for them.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home)
    programs = home / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python")]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    for distribution in closure(required(metadata.get_all("Requires-Dist", []))).values():
        for name in top_level(distribution):
            if not (packages / name).exists():
                (packages / name).symlink_to(Path(str(distribution.locate_file(name))))
    subprocess.run([*pip, "check"], check=True, capture_output=True)
    return programs


@contextlib.contextmanager
def club(program: Path, folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """`ginleague up` in a folder, without any variable of the tests or of a clone."""
    left_out = NOT_FOR_PROGRAMS | {"DJANGO_SETTINGS_MODULE", "DATA_DIR", "PYTHONPATH", "XDG_DATA_HOME"}
    environment = {key: value for key, value in os.environ.items() if key not in left_out}
    process = subprocess.Popen(
        [str(program), "up", "--port", str(port)],
        cwd=folder,
        env=environment | {"HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


@pytest.mark.dear("installs, and starts everything on an empty folder")
def test_club_runs_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    """The demo is loaded, pages are rendered and styled, and the data lie where `up` says."""
    port = free_port()
    with club(installed / "ginleague", tmp_path, port) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line.strip())
            if line.startswith("Ctrl-C"):
                break
        text = "\n".join(said)
        assert "`ginleague changepassword --own admin`" in text
        data = re.search(r"^Data +(.+)$", text, re.MULTILINE)
        assert data is not None
        assert (Path(data[1]) / "league.sqlite3").is_file()
        assert Path(data[1]).is_relative_to(tmp_path)

        def fetch(path: str) -> str:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
                return str(answer.read().decode())

        home = fetch("/")
        (style, *_) = re.findall(r'href="(/static/league/[^"]+\.css)', home)
        assert "{" in fetch(style)
        club_page = re.search(r'<a [^>]*href="(/clubs/[^"]+)"', home)
        assert club_page is not None
        assert "Tonight at the Harbour" in fetch(club_page[1])
        assert "Gin rummy" in fetch("/login/")
    assert process.returncode == 0
