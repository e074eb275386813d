"""Single tests of a Python program, for tests/support/harness.py (which puts
this module on the path and names the file to write)."""
import os
import traceback


class Skip(Exception):
    """Raised by a test that cannot be made here, with the reason."""


def run(*tests):
    """Calls each test; an exception fails it and hides no other."""
    with open(os.environ["CK_TAP_LOG_FILE_NAME"], "w") as tap:
        for i, test in enumerate(tests, 1):
            why = ""
            try:
                test()
            except Skip as reason:
                tap.write(f"ok {i} - python:tests:{test.__name__}: # SKIP {reason}\n")
                continue
            except Exception as error:
                traceback.print_exc()
                why = f"{type(error).__name__}: {error}".replace("\n", " ")
            tap.write(f"{'not ok' if why else 'ok'} {i} - python:tests:"
                      f"{test.__name__}: {why or 'Passed'}\n")
