#!/usr/bin/env python3
"""Adds up what tests/support/harness.py wrote in FOLDER/*.txt, one file a
build, and what meson says in FOLDER/*.json: a program that meson had to kill
could not count itself. Names the failures, then prints as the last line

    N passed, N failed, N skipped

usage: count.py FOLDER; exit 1 when anything failed.
"""
import collections
import glob
import json
import os
import sys


def rows_of(path):
    if not os.path.exists(path):
        return []
    with open(path, errors="replace") as lines:
        return [line.split("\t", 3) for line in lines.read().splitlines()
                if line.count("\t") >= 3]


def meson_results(path):
    if not os.path.exists(path):
        return []
    with open(path) as lines:
        return [json.loads(line) for line in lines if line.strip()]


def unsaid(rows, log):
    """Rows for what went wrong without a row of its own."""
    bad = [test for test in log
           if test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]
    spoken = {row[1] for row in rows if row[0] == "failed"}
    more = [["failed", test["name"], "whole", test["result"].lower()]
            for test in bad if test["result"] != "FAIL"]
    silent = len(bad) - len(more) - len(spoken)
    more += [["failed", "a program", "whole", "ended without a word"]] * silent
    return more


def main():
    total = collections.Counter()
    folder = sys.argv[1]
    for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        build = os.path.basename(path)[:-len(".txt")]
        rows = rows_of(path)
        rows += unsaid(rows, meson_results(path[:-len(".txt")] + ".json"))
        for row in rows or [["failed", "all", "whole", "nothing ran"]]:
            total[row[0]] += 1
            if row[0] == "failed":
                print(f"failed: {build}: {row[1]}: {row[2]}: {row[3]}")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(
        **{key: total[key] for key in ("passed", "failed", "skipped")}))
    sys.exit(1 if total["failed"] or not total["passed"] else 0)


main()
