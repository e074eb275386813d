#!/usr/bin/env python3
"""Lines for $VKC_RESULTS, as tests/support/harness.py writes them, of what
guest.sh left in FOLDER; prints those that did not pass. Exit 1 if any failed.

usage: collect.py FOLDER LABEL PROGRAM...
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from harness import read_lines, single_tests  # noqa: E402


def rows_of(folder, program):
    path = os.path.join(folder, os.path.basename(program))
    skips = dict(line.split("\t", 1) for line in read_lines(path + ".skips"))
    rows = single_tests(path + ".tap", skips)
    status = " ".join(read_lines(path + ".status")) or "none"
    messages = read_lines(path + ".messages")
    if not rows or status != "0" and not any(row[0] == "failed" for row in rows):
        rows.append(("failed", "whole", f"exit status {status}"))
    if messages:
        print("\n".join(messages[:20]))
        rows.append(("failed", "validation", messages[0][:200]))
    return rows


def main():
    folder, label = sys.argv[1:3]
    lines = [f"{what}\tvm-{label}-{os.path.basename(program)}\t{test}\t{why}\n"
             for program in sys.argv[3:] for what, test, why in rows_of(folder, program)]
    if "VKC_RESULTS" in os.environ:
        with open(os.environ["VKC_RESULTS"], "a") as out:
            out.writelines(lines)
    print("".join(line for line in lines if not line.startswith("passed")), end="")
    print(f"vm-{label}: {sum(line.startswith('passed') for line in lines)} passed")
    sys.exit(any(line.startswith("failed") for line in lines))


main()
