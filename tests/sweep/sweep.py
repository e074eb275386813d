"""Fails every Vulkan call that the plugin makes, one in each run, and looks at
what came of it: frames, or one clear error; never a crash, a hang, a critical, a
validation message or a leak.

usage: sweep.py [--full] [--seconds N] [--only ENTRY] RUN FUNCTIONS.H VK.XML LAYER_FOLDER

Prints a line a defect and, for each of the two ways to inject,
"N runs: ok A, error B, critical C, crash D, hang E, not reached R". Without
--full (or VKC_FULL=1) it is a sample that takes N seconds for both.
"""
import argparse
import collections
import math
import os
import queue
import tempfile
import threading
import time

import tap
from cases import (CONSUMERS, Case, all_cases, faults, in_sampling_order, of_device,
                   reachable)
from runners import InProcess, UnderTheLayer, layer_counts, layer_environment
from verdict import judge, summary

WORKERS = max(2, os.cpu_count() or 1)
SECONDS = 10
TIMEOUT_MS = 1000
# What a run without a fault takes at the most, if the limits are to mean
# something: elsewhere they grow.
CLEAN_SECONDS = 2
DEFECTS = ("critical", "crash", "hang")


class Sweep:
    def __init__(self, make_runner, cases, seconds):
        self.make_runner = make_runner
        self.cases = cases
        self.seconds = seconds
        self.end = None
        self.counts = collections.Counter()
        self.defects = []
        self.clean = {}

    def run_clean(self):
        runner = self.make_runner()
        for consumer in CONSUMERS:
            facts = runner.run(Case(consumer, None, 0, 0))
            assert facts.eos and not facts.errors and not facts.criticals \
                and facts.end == 0 and not facts.live, (consumer, facts)
            self.clean[consumer] = facts
        runner.close()

    def work(self, left):
        runner = self.make_runner()
        while not self.end or time.monotonic() < self.end:
            try:
                case = left.get_nowait()
            except queue.Empty:
                break
            outcome, why = judge(case, runner.run(case), self.clean[case.consumer])
            self.counts[outcome] += 1
            line = f"{outcome}: {case.consumer}, {case.entry}:{case.nth}:{case.result}: {why}"
            if outcome in DEFECTS:
                self.defects.append(line)
            if outcome in DEFECTS or os.environ.get("VKC_SWEEP_VERBOSE"):
                print(line, flush=True)
        runner.close()

    def run(self):
        self.run_clean()
        cases = [case for case in self.cases if reachable(
            case, self.clean[case.consumer].calls, 0 if self.seconds else 2)]
        self.counts["not reached"] += len(self.cases) - len(cases)
        left = queue.Queue()
        for case in in_sampling_order(cases):
            left.put(case)
        if self.seconds:
            self.end = time.monotonic() + self.seconds
        workers = [threading.Thread(target=self.work, args=(left,)) for _ in range(WORKERS)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        print(summary(self.counts), flush=True)
        assert not self.defects, "; ".join([summary(self.counts), *self.defects[:3]])
        assert self.counts["ok"] and self.counts["error"], summary(self.counts)


def slowness(run):
    """How much longer than it should a run takes, with all workers at it."""
    def one():
        runner = InProcess(run, SECONDS * 100)
        runner.run(Case("fakesink", None, 0, 0))
        runner.close()

    one()  # The driver keeps what it has compiled.
    start = time.monotonic()
    workers = [threading.Thread(target=one) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return max(1, math.ceil((time.monotonic() - start) / CLEAN_SECONDS))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true",
                        default=os.environ.get("VKC_FULL") == "1")
    parser.add_argument("--seconds", type=int, default=70)
    parser.add_argument("--only")
    parser.add_argument("paths", nargs=4)
    options = parser.parse_args()
    run, functions, registry, layer_folder = options.paths
    rows = [row for row in faults(functions, registry) if options.only in (None, row[0])]
    seconds = 0 if options.full else options.seconds / 2
    slow = slowness(run)
    limit = SECONDS * slow
    os.environ["VKC_TIMEOUT_MS"] = str(TIMEOUT_MS * slow)
    print(f"a run may take {limit} s, a wait {os.environ['VKC_TIMEOUT_MS']} ms", flush=True)
    # A frame whose consumer has failed is not waited for longer than users wait.
    os.environ.pop("VKC_MAX_PENDING_MS", None)
    # Mesa's implicit layer reads past what a failed call has left to it.
    os.environ["NODEVICE_SELECT"] = "1"

    def every_failing_call_in_process_ends_well():
        cases = [case for case in all_cases(rows) if case.entry != "vkCreateInstance"]
        Sweep(lambda: InProcess(run, limit), cases, seconds).run()

    def every_failing_call_under_the_layer_ends_well():
        Sweep(lambda: UnderTheLayer(layer_folder, limit), all_cases(rows), seconds).run()

    def the_layer_counts_what_the_wrapper_counts():
        with tempfile.TemporaryDirectory() as folder:
            case = Case("fakesink", None, 0, 0)
            inside = InProcess(run, limit, layer_environment(case, folder, layer_folder))
            facts = inside.run(case)
            inside.close()
            outside = layer_counts(folder)["calls"]
        for name, n in facts.calls.items():
            assert not of_device(name, registry) or outside.get(name, 0) == n, \
                (name, n, outside.get(name))
        assert facts.calls["vkQueueSubmit2"] > 0

    tap.run(the_layer_counts_what_the_wrapper_counts,
            every_failing_call_in_process_ends_well,
            every_failing_call_under_the_layer_ends_well)


main()
