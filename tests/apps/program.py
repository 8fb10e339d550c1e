# SPDX-License-Identifier: Apache-2.0
"""Runs the kolam program for tests. Needs KOLAM_PROGRAM, the path of the executable."""
import json
import os
import subprocess
import tempfile
import time
import unittest
from functools import lru_cache
from pathlib import Path

PROGRAM = os.environ["KOLAM_PROGRAM"]
# Measuring T_peak takes seconds and gigabytes, so only one test does; the others pass it.
GIVEN_PEAK = ["--t-peak", "100"]


def run(*arguments, **options):
    """Runs `kolam arguments...`; returns the finished process, with output as text."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    options.setdefault("text", True)
    return subprocess.run([PROGRAM, *map(str, arguments)], **options)


@lru_cache(maxsize=None)
def info():
    """Returns the JSON of `kolam info`."""
    return json.loads(run("info", "--json", "-", check=True).stdout)


def backends():
    """Returns this build's backends, fastest first."""
    return [entry["backend"] for entry in info()["backends"]]


def wait_for(path, process, seconds=120):
    """Waits until `process` has written `path`; returns False if it ended before or took longer."""
    end = time.monotonic() + seconds
    while not path.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    return path.exists()


def optimised():
    """Returns whether this build handles gigabytes in seconds."""
    return info()["build_type"] == "Release"


class ProgramTest(unittest.TestCase):
    """A test with its own empty folder, `self.folder`, whose name contains a space."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="kolam apps ")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def succeed(self, *arguments, code=0, **options):
        """Runs the program, expects `code`, and returns what it wrote to stdout."""
        process = run(*arguments, **options)
        self.assertEqual(process.returncode, code, process.stderr)
        if code == 0:
            self.assertEqual(process.stderr, "")
        return process.stdout

    def jacobi(self, *arguments, code=0):
        """Returns the JSON of `kolam jacobi arguments... --json -`."""
        return json.loads(
            self.succeed("jacobi", "--json", "-", *GIVEN_PEAK, *arguments, code=code))

    def refuse(self, *arguments, code=2, names=(), **options):
        """Expects `code`, one line on stderr with all `names`, and an empty stdout."""
        process = run(*arguments, **options)
        shown = f"kolam {' '.join(map(str, arguments))}: {process.stderr!r}"
        self.assertEqual(process.returncode, code, shown)
        self.assertRegex(process.stderr, r"\Akolam: [^\n]+\n\Z", shown)
        for name in names:
            self.assertIn(str(name), process.stderr, shown)
        if options.get("stdout", subprocess.PIPE) == subprocess.PIPE:
            self.assertEqual(process.stdout, "", shown)
        return process.stderr
