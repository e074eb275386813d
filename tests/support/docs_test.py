"""The documents name what there is.

usage: docs_test.py SOURCE_ROOT"""
import pathlib
import re
import sys

import tap

ROOT = pathlib.Path(sys.argv[1])


def tests_of_the_recorder_exist():
    page = (ROOT / "docs" / "recorder.md").read_text()
    named = {name for row in re.findall(r"^\|.*\|$", page, re.M)
             for name in re.findall(r"`([a-z0-9]+(?:_[a-z0-9]+){2,})`", row)}
    known = {name for path in (ROOT / "tests").rglob("*.c")
             for name in re.findall(r"GST_START_TEST \((\w+)\)", path.read_text())}
    assert len(named) > 50, "the page's rows were not found"
    assert named <= known, f"not there: {', '.join(sorted(named - known))}"


def links_lead_somewhere():
    dead = []
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                dead.append(f"{page.name}: {target}")
    assert not dead, dead


tap.run(tests_of_the_recorder_exist, links_lead_somewhere)
