# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/bench on a build (environment variable KOLAM_BUILD) and on fake programs."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = os.environ["KOLAM_BUILD"]

# A program with one benchmark; files beside it hold its output and exit code.
FALSE_PROGRAM = r"""#!/bin/sh
case "$*" in *--benchmark_list_tests*) echo subject/variant/double/8/serial/manual_time; exit 0 ;; esac
for argument in "$@"; do case $argument in --benchmark_out=*) out=${argument#*=} ;; esac; done
cp "$0.json" "$out" 2>/dev/null
exit $(cat "$0.code")
"""


def repeat(number, seconds, **more):
    return {"name": "subject/variant/double/8/serial/iterations:3/manual_time", "run_type": "iteration",
            "repetition_index": number, "iterations": 3, "real_time": seconds * 1e3, "cpu_time": 0,
            "time_unit": "ms", "t_eff": 10.0 + number, **more}


CONTEXT = {"num_cpus": 2, "caches": [], "binding": "0 1", "kolam_version": "0.1.0", "kolam_commit": "abc",
           "backend.serial.device": "A processor", "backend.serial.concurrency": "1",
           "backend.serial.last_level_cache": "1000", "backend.serial.memory": "10000",
           "peers": "Kokkos Kernels: absent, MFEM: absent", "env.OMP_NUM_THREADS": "2"}


class BenchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.output = self.folder / "output"

    def bench(self, *arguments, code=0):
        done = subprocess.run([ROOT / "scripts/bench", "--smoke", "--output", self.output, *arguments],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def false_build(self, code, *entries):
        program = self.folder / "build/bin/false_benchmark"
        program.parent.mkdir(parents=True)
        program.write_text(FALSE_PROGRAM)
        program.chmod(0o755)
        Path(f"{program}.code").write_text(str(code))
        if entries:
            Path(f"{program}.json").write_text(json.dumps({"context": CONTEXT, "benchmarks": entries}))
        return ["--build", self.folder / "build"]

    def result(self):
        return json.loads((self.output / "bench.json").read_text())

    def test_of_this_build(self):
        done = self.bench("--build", BUILD, "--subjects", "launch,loops", "--backends", "serial")
        run = self.result()
        self.assertEqual({e["subject"] for e in run["benchmarks"]}, {"launch", "loops"})
        self.assertEqual({e["backend"] for e in run["benchmarks"]}, {"serial"})
        self.assertTrue(all(len(e["seconds"]) == 1 and e["error"] is None for e in run["benchmarks"]))
        names = {e["name"] for e in run["benchmarks"]}
        self.assertTrue({"launch/forall/none/1/serial", "launch/forall/none/1/serial/kokkos"} <= names)
        (build,) = run["builds"].values()
        self.assertGreater(build["backends"]["serial"]["t_peak_gbs"], 0)
        self.assertEqual(set(build["peers"]), {"Kokkos Kernels", "MFEM"})
        self.assertTrue(run["context"]["host"]["cpu"])
        if "no matplotlib" in done.stdout:
            return
        self.assertIn(str(self.output / "report.html"), done.stdout)
        self.assertIn("launch/forall/none/1/serial", (self.output / "report.html").read_text())

    def test_scaling_over_threads(self):
        self.bench("--build", BUILD, "--subjects", "jacobi", "--scaling")
        variants = {entry["variant"] for entry in self.result()["benchmarks"]}
        self.assertTrue({"strong-plain-x1", "weak-blocked-x1"} <= variants, variants)
        self.assertTrue(all(variant.startswith(("strong-", "weak-")) for variant in variants))

    def test_missing_element_sizes(self):
        build = self.false_build(0, repeat(0, 0.25))
        cache = self.folder / "build/CMakeCache.txt"
        program = self.folder / "build/bin/false_benchmark"
        for sizes, variant, noted in (("3x4;4x4c", "bp1-p2", True), ("all", "bp1-p2", False), ("3x4", "plain", False)):
            with self.subTest(sizes=sizes, variant=variant):
                program.write_text(FALSE_PROGRAM.replace("/variant/", f"/{variant}/"))
                cache.write_text(f"A:BOOL=ON\nKOLAM_ELEMENT_SIZES:STRING={sizes}\n")
                done = self.bench(*build)
                self.assertEqual("than 3x4, 4x4c are not measured; to add all, " in done.stdout, noted)
                sizes_of_report = self.result()["builds"]["build"].get("element_sizes")
                self.assertEqual(sizes_of_report, None if sizes == "all" else sizes.replace(";", ", "))

    def test_repeats_are_one_entry(self):
        self.bench(*self.false_build(0, repeat(0, 0.25), repeat(1, 0.5), repeat(2, 0.75)))
        (entry,) = self.result()["benchmarks"]
        self.assertEqual(entry["name"], "subject/variant/double/8/serial")
        self.assertEqual((entry["seconds"], entry["counters"]), ([0.25, 0.5, 0.75], {"t_eff": 11.0}))
        self.assertEqual(self.result()["context"]["environment"], {"OMP_NUM_THREADS": "2"})

    def test_a_failed_benchmark(self):
        build = self.false_build(1, repeat(0, 1, error_occurred=True, error_message="checksum differs"))
        done = self.bench(*build, code=1)
        self.assertIn("failed: subject/variant/double/8/serial", done.stdout)
        self.assertIn("checksum differs", done.stdout)

    def test_a_program_that_wrote_nothing(self):
        self.assertIn("wrote no results", self.bench(*self.false_build(134), code=1).stderr)

    def test_wrong_input(self):
        build = ["--build", BUILD]
        self.assertIn("there is no 'tpu'", self.bench(*build, "--backends", "tpu", code=2).stderr)
        self.assertIn("there is no 'ducks'", self.bench(*build, "--subjects", "ducks", code=2).stderr)
        self.assertIn("has no bin/*_benchmark", self.bench("--build", self.folder, code=2).stderr)
        self.bench(*build, "--fast", code=2)
        missing = self.bench(*build, "--compare", self.folder / "none.json", code=2)
        self.assertIn("none.json", missing.stderr)
        self.assertFalse(self.output.exists())


if __name__ == "__main__":
    sys.exit(unittest.main())
