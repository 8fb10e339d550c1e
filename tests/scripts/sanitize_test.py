# SPDX-License-Identifier: Apache-2.0
"""Checks scripts/sanitize with a fake compute-sanitizer: the commands that it runs, and how it reports the outcome."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "sanitize"

PROGRAMS = "core", "memory", "kernels", "comm", "linear", "grid", "fem"

# Records its arguments and its share of the tests; fails as FAKE_FAILURE says.
SANITIZER = r"""#!/usr/bin/env bash
echo "$GTEST_SHARD_INDEX/$GTEST_TOTAL_SHARDS $*" >>"$FAKE_FOLDER/calls"
echo "[       OK ] Some.Test (1 ms)"
case ${FAKE_FAILURE:-} in
  "$GTEST_SHARD_INDEX race") echo "========= Error: Race reported between Write access"; exit 9 ;;
  "$GTEST_SHARD_INDEX test") echo "[  FAILED  ] Other.Test (2 ms)"; exit 1 ;;
esac
"""


class Sanitize(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="kolam sanitize ")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.build = self.folder / "build"
        (self.build / "bin").mkdir(parents=True)
        for name in PROGRAMS:
            self.executable(self.build / "bin" / f"kolam_{name}_tests", "#!/bin/sh\n")
        self.executable(self.folder / "compute-sanitizer", SANITIZER)

    def executable(self, path, text):
        path.write_text(text)
        path.chmod(0o755)

    def sanitize(self, *arguments, code=0, failure=""):
        environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}", "FAKE_FAILURE": failure,
                                    "FAKE_FOLDER": str(self.folder)}
        done = subprocess.run([SCRIPT, "--build", self.build, *arguments], env=environment,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_runs_each_share_of_each_program_under_each_tool(self):
        lines = self.sanitize("--processes", "3").stdout.splitlines()
        self.assertEqual([line.split()[:3] for line in lines],
                         [[tool, name, "3"] for tool in ("memcheck", "racecheck") for name in PROGRAMS])
        self.assertTrue(all(line.endswith(": clean") for line in lines))
        calls = self.calls()
        self.assertEqual(len(calls), 2 * len(PROGRAMS) * 3)
        for tool in "memcheck", "racecheck":
            for name in PROGRAMS:
                of_it = [c for c in calls if f"--tool {tool} " in c and f"/kolam_{name}_tests " in c]
                self.assertEqual(sorted(c.split()[0] for c in of_it), ["0/3", "1/3", "2/3"])
        for call in calls:
            self.assertIn("--error-exitcode 9", call)
            self.assertEqual("--report-api-errors no" in call, "memcheck" in call)

    def test_leaves_out_what_cannot_run_so(self):
        self.sanitize("racecheck", "--programs", "memory", "--processes", "1")
        call, = self.calls()
        for name in "*Death*", "*Exhaustion*", "Strict*", "*GiveTheSameBits*":
            self.assertIn(name, call.split("--gtest_filter=-")[1].split(":"))

    def test_says_which_program_failed_and_keeps_its_logs(self):
        for failure, found in ("1 race", "Race reported"), ("0 test", "Other.Test"):
            done = self.sanitize("racecheck", "--programs", "core,fem", "--processes", "2", code=1, failure=failure)
            self.assertEqual(done.stdout.count("FAILED, see"), 2)
            self.assertIn(found, done.stdout)
            log = self.build / "sanitize" / f"racecheck.core.{failure[0]}.log"
            self.assertIn(found, log.read_text())

    def test_remembers_a_process_that_fails_before_others_start(self):
        self.sanitize("racecheck", "--programs", "core", "--processes", "64", code=1, failure="0 race")

    def test_forgets_the_logs_of_an_earlier_run(self):
        self.sanitize("racecheck", "--programs", "core", "--processes", "4", code=1, failure="3 race")
        self.assertIn("clean", self.sanitize("racecheck", "--programs", "core", "--processes", "2").stdout)
        self.assertEqual(len(list((self.build / "sanitize").iterdir())), 2)

    def test_refuses_what_it_cannot_run(self):
        for arguments, said in ((["helgrind"], "'helgrind' is no tool"), (["--processes", "none"], "--processes"),
                                (["--output"], "--output needs a value"), (["--programs", "io"], "kolam_io_tests")):
            self.assertIn(said, self.sanitize(*arguments, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
