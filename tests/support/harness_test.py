"""The harness itself: what it counts, and that nothing bad gets past it.

usage: harness_test.py HARNESS"""
import os
import subprocess
import sys
import tempfile

import tap

WRITE_TAP = "printf '{}' > $CK_TAP_LOG_FILE_NAME; "
TWO = WRITE_TAP.format("ok 1 - a.c:tc:one: Passed\\nok 2 - a.c:tc:two: Passed\\n")


def harness(script, *options, **environment):
    """Exit status and (outcome, test) of every line of results."""
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results")
        done = subprocess.run(
            [sys.executable, sys.argv[1], *options, "sh", "-c", script],
            env=dict(os.environ, VKC_RESULTS=results, **environment),
            stdout=subprocess.DEVNULL)
        with open(results) as lines:
            rows = [line.split("\t") for line in lines]
    return done.returncode, [(row[0], row[2]) for row in rows]


def single_tests_are_counted():
    assert harness(TWO) == (0, [("passed", "one"), ("passed", "two")])


def a_failed_test_fails():
    bad = WRITE_TAP.format("ok 1 - a.c:tc:one: Passed\\nnot ok 2 - a.c:tc:two: no\\n")
    assert harness(bad + "exit 1") == (1, [("passed", "one"), ("failed", "two")])


def a_crash_after_passing_fails():
    assert harness(TWO + "kill -SEGV $$")[0] == 1


def a_bad_exit_without_tap_fails():
    assert harness("exit 3") == (1, [("failed", "whole")])


def a_skip_is_not_a_pass():
    assert harness("exit 77") == (77, [("skipped", "whole")])
    one = "printf 'two\\tno such feature\\n' >> $VKC_SKIPS"
    assert harness(TWO + one) == (0, [("passed", "one"), ("skipped", "two")])


def how_busy_the_machine_is_does_not_matter():
    waits = "test $VKC_MAX_PENDING_MS -ge 30000 -a $VKC_TIMEOUT_MS -ge 600000"
    assert harness(waits, VKC_MAX_PENDING_MS="1", VKC_TIMEOUT_MS="1")[0] == 0


def a_validation_message_fails_from_any_process():
    say = "sh -c 'echo VUID-x > $VK_LAYER_SETTINGS_PATH/messages'"
    code, rows = harness(TWO + say, "--memory", "buffer", "--probe", "true")
    assert code == 1 and ("failed", "validation") in rows, rows


def one_message_is_ignored_and_no_other():
    only = "message_id_filter = UNASSIGNED-VkSemaphore-state-timeout$"
    settings = "$VK_LAYER_SETTINGS_PATH/vk_layer_settings.txt"
    check = f"test $(grep -c filter {settings}) = 1 && grep -q '{only}' {settings}"
    assert harness(check, "--memory", "buffer", "--probe", "true")[0] == 0


def no_device_skips_unless_one_is_required():
    with tempfile.TemporaryDirectory() as folder:
        none = os.path.join(folder, "none")
        with open(none, "w") as out:
            out.write("#!/bin/sh\necho none\nexit 77\n")
        os.chmod(none, 0o755)
        probe = ("--memory", "image", "--probe", none)
        assert harness("true", *probe, VKC_REQUIRE_GPU="0") == (77, [("skipped", "device")])
        assert harness("true", *probe, VKC_REQUIRE_GPU="1") == (1, [("failed", "device")])


if __name__ == "__main__":
    os.environ.pop("VKC_SANITIZED", None)
    tap.run(single_tests_are_counted, a_failed_test_fails, a_crash_after_passing_fails,
            a_bad_exit_without_tap_fails, a_skip_is_not_a_pass,
            how_busy_the_machine_is_does_not_matter,
            a_validation_message_fails_from_any_process,
            one_message_is_ignored_and_no_other,
            no_device_skips_unless_one_is_required)
