"""The contract that keeps Django out of the cores names every module that is free of it."""

import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent.parent
FLOORS = ("league", "games", "scoring")
SHELL = {"django", "rest_framework", "celery"}


def test_every_module_without_django_is_held_to_it() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    held = next(each["source_modules"] for each in contracts if each["type"] == "forbidden")
    graph = grimp.build_graph(*FLOORS, include_external_packages=True, cache_dir=None)
    free = {
        module
        for module in graph.modules
        if module.startswith(tuple(f"{floor}." for floor in FLOORS))
        and not graph.find_children(module)  # a package holds what its modules are held to
        and not graph.find_upstream_modules(module) & SHELL
    }
    packages = {path.parent for floor in FLOORS for path in (ROOT / floor).rglob("__init__.py")}
    empty = {".".join(path.relative_to(ROOT).parts) for path in packages}
    assert {one for one in free - empty if not _stands_in(one, held)} == set()
    assert set(held) <= graph.modules


def _stands_in(module: str, held: list[str]) -> bool:
    return any(module == each or module.startswith(f"{each}.") for each in held)
