# SPDX-License-Identifier: Apache-2.0
"""Tests of the benchmark report, on small synthetic runs."""
import contextlib
import copy
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

try:
    import matplotlib  # noqa: F401
except ImportError:
    system = "/usr/bin/python3"  # may have system packages that the first Python on PATH lacks
    if os.path.exists(system) and not os.path.samefile(sys.executable, system):
        os.execv(system, [system, "-B", *sys.argv])
    print("matplotlib is not there: skipped")
    sys.exit(77)

import report  # noqa: E402
from report_data import BadRun, cases_of, peaks, ratios, series_of  # noqa: E402
from report_figure import COLOURS  # noqa: E402

STEADY = [1.0, 1.01, 1.02]
VOID = {"meta", "br"}


def entry(name, seconds, build="openmp", error=None, **counters):
    """Returns a benchmark in the format of scripts/bench."""
    parts = name.split("/")
    keys = ("subject", "variant", "precision", "size", "backend", "baseline")
    return {"name": name, **dict(zip(keys, parts + [None] * 6)), "build": build, "program": "some_benchmark",
            "seconds": seconds, "counters": counters, "label": "", "error": error}


def run_of(*entries):
    """Returns a run with these benchmarks."""
    build = {"kolam_version": "0.1.0", "kolam_commit": "abc", "compiler": "GNU 12.2.0", "compiler_flags": "-O3",
             "kokkos_version": "4.7.0", "build_type": "Release",
             "peers": {"Kokkos Kernels": "4.7.0", "MFEM": "absent"},
             "backends": {"openmp": {"device": "Some CPU", "concurrency": 2, "t_peak_gbs": 30.0}}}
    host = {"cpu": "Some CPU", "cores": 2, "threads_used": 2, "memory_bytes": 8e9,
            "caches": [{"type": "Data", "level": 1, "size": 49152, "num_sharing": 2},
                       {"type": "Unified", "level": 2, "size": 2097152, "num_sharing": 2}]}
    return {"kind": "kolam benchmarks", "format": 1,
            "context": {"date": "2026-11-23T08:00:00", "scale": "quick", "command": "scripts/bench quick",
                        "kolam_version": "0.1.0", "kolam_commit": "abc", "host": host, "gpus": [],
                        "environment": {"OMP_NUM_THREADS": "2"}},
            "builds": {"openmp": build}, "benchmarks": list(entries)}


def whole_run():
    """Returns a run with data for each section."""
    entries = [entry("bandwidth/fma/double/1024/openmp", STEADY, flop=9e10)]
    for n in (10**4, 10**6, 10**8):
        entries.append(entry(f"bandwidth/triad/double/{n}/openmp", STEADY, bytes=24 * n, flop=2 * n, t_eff=29,
                             t_peak=30))
    for n in (1024, 2048, 4096):
        work = {"bytes": 16 * n * n, "flop": 6 * n * n, "t_peak": 30}
        entries.append(entry(f"jacobi/plain/double/{n}/openmp", STEADY, t_eff=27, **work))
        entries.append(entry(f"jacobi/plain/double/{n}/openmp/kokkos", [1.5, 1.53, 1.53], t_eff=18, **work))
    for order in (1, 2, 4):
        entries.append(entry(f"elements/bp3-stored-p{order}/double/390000/openmp", STEADY, order=order, gdofs=order,
                             bytes=1e8, flop=1e8, t_eff=10, t_peak=30))
    for n in (1, 2):
        entries.append(entry(f"jacobi/strong-plain-x{n}/double/4096/openmp", STEADY, t_eff=10 * n * 0.9**(n - 1)))
        entries.append(entry(f"jacobi/weak-plain-x{n}/double/4096/openmp", STEADY, t_eff=10 * n * 0.8**(n - 1)))
    return run_of(*entries)


class Page(HTMLParser):
    """The parsed content of a page; fails if elements are not nested properly."""

    def __init__(self, text):
        super().__init__()
        self.open, self.headings, self.ids, self.words, self.tips, self.links = [], [], [], [], [], []
        self.feed(text)
        self.close()
        if self.open:
            raise AssertionError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.ids += [value for key, value in attributes if key == "id"]
        self.links += [value[1:] for key, value in attributes if key == "href"]
        for _, value in attributes:
            self.links += re.findall(r"url\(#([^)]*)\)", value or "")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> at {self.getpos()} closes something else")

    def handle_data(self, data):
        if self.open[-1:] == ["h2"]:
            self.headings.append(data)
        if self.open[-1:] == ["title"]:
            self.tips.append(data)
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


class ReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, run, old=None):
        """Writes a report; returns its text and its Page."""
        text = report.write_report(run, self.folder / "out", old).read_text(encoding="utf-8")
        return text, Page(text)

    def program(self, *words):
        return subprocess.run([sys.executable, BENCHMARKS / "report.py", *map(str, words)], text=True,
                              capture_output=True, check=False)


class Sections(ReportTest):
    def test_a_whole_run_has_all_of_them(self):
        _, page = self.write(whole_run())
        self.assertEqual(page.headings, ["Roofline", "Share of the bandwidth", "Rate over size", "Rate over order",
                                         "Scaling", "Against baselines", "Context"])
        self.assertIn("MFEM absent", page.text)
        self.assertIn("All results", page.text)
        names = {path.name for path in (self.folder / "out").glob("*.png")}
        self.assertEqual(names, {
            "roofline-openmp.png", "share-openmp.png", "size-bandwidth-openmp.png", "size-jacobi-openmp.png",
            "order-elements-openmp.png", "strong-scaling-openmp.png", "weak-scaling-openmp.png"})

    def test_what_a_run_lacks_is_left_out(self):
        _, page = self.write(run_of(entry("launch/forall/none/1/openmp", STEADY)))
        self.assertEqual(page.headings, ["Context"])
        _, page = self.write(run_of())
        self.assertEqual(page.headings, ["Context"])
        bare = {"kind": "kolam benchmarks", "format": 1, "benchmarks": []}
        self.assertIn("an unknown machine", self.write(bare)[1].text)
        bare = whole_run() | {"context": {"host": None}, "builds": {"openmp": {"backends": None}}}
        self.assertIn("Rate over size", self.write(bare)[1].headings)

    def test_failures_are_listed_and_not_drawn(self):
        run = whole_run()
        work = {"bytes": 1e9, "flop": 1e9, "t_eff": 20, "t_peak": 30}
        run["benchmarks"] += [
            entry("jacobi/other/double/8192/openmp", STEADY, error="it went wrong", **work),  # failed after some repeats
            entry("jacobi/other/double/8192/openmp/openmp", STEADY, **work),
            entry("jacobi/silent/double/8192/openmp", [])]
        run["benchmarks"][3]["error"] = "this too"
        text, page = self.write(run)
        self.assertEqual(page.headings[0], "Failed")
        self.assertIn("jacobi/other/double/8192/openmp @ openmp it went wrong", page.text)
        self.assertIn("no time was recorded", page.text)
        self.assertNotIn("jacobi/other", "".join(page.tips))
        self.assertNotIn(run["benchmarks"][3]["name"] + ":", "".join(page.tips))
        self.assertEqual(len(re.findall("jacobi/other/double/8192/openmp[^/]", text)), 1)
        self.assertNotIn("jacobi other", page.text)

    def test_a_number_that_is_none_is_no_number(self):
        run = run_of(entry("jacobi/plain/double/64/openmp", STEADY, t_eff=float("nan"), t_peak=30,
                           bytes=float("inf")))
        self.assertNotIn("Share of the bandwidth", self.write(run)[1].headings)

    def test_two_builds_are_two_series(self):
        run = run_of(*(entry(f"jacobi/plain/double/{n}/openmp", STEADY, build, t_eff=20, t_peak=30)
                       for n in (64, 128, 256) for build in ("gcc", "clang")))
        self.assertEqual(series_of(cases_of(run)), ["openmp @ clang", "openmp @ gcc"])
        self.write(run)
        self.assertTrue((self.folder / "out" / "share-openmp-gcc.png").exists())


class Numbers(ReportTest):
    def test_hovering_tells_them(self):
        tips = "\n".join(self.write(whole_run())[1].tips)
        self.assertIn("jacobi/plain/double/4096/openmp: 90 % of T_peak, 27 GB/s", tips)
        self.assertIn("jacobi/plain/double/4096/openmp/kokkos: 59 % of T_peak", tips)
        self.assertRegex(tips, "jacobi/plain/double/4096/openmp: 0.0997 GFLOP/s at 0.375 flop/byte")
        self.assertIn("jacobi/strong-plain-x2/double/4096/openmp: 90 %", tips)
        self.assertIn("jacobi/weak-plain-x2/double/4096/openmp: 80 %", tips)
        self.assertNotIn("jacobi/plain/double/2048/openmp: 90 % of", tips)  # not the largest

    def test_roofs(self):
        run = whole_run()
        run["benchmarks"].append(entry("jacobi/other/double/64/openmp", STEADY, error="no", t_peak=99))
        bandwidth, arithmetic = peaks(run, cases_of(run), "openmp")
        self.assertEqual(bandwidth, 30)
        self.assertAlmostEqual(arithmetic["double"], 90 / 1.01)

    def test_ratios(self):
        pair, = ratios(cases_of(run_of(entry("loops/flat/double/64/openmp", [1.0, 2.0, 4.0]),
                                       entry("loops/flat/double/64/openmp/openmp", [3.0, 3.0, 6.0]))))
        self.assertEqual((pair.value, pair.worst, pair.best), (1.5, 0.75, 6.0))
        self.assertEqual(pair.verdict, "within noise")

    def test_verdicts(self):
        for theirs, verdict in (([0.8, 0.81, 0.82], "slower"), ([1.1, 1.2, 1.3], "faster"),
                                ([1.02, 1.2, 1.3], "within noise"), ([2.0, 2.0], "too few repeats")):
            with self.subTest(theirs):
                run = run_of(entry("loops/flat/double/64/openmp", STEADY),
                             entry("loops/flat/double/64/openmp/cuda", theirs))
                self.assertEqual(ratios(cases_of(run))[0].verdict, verdict)
                page = self.write(run)[1]
                self.assertIn(f"Of 1: 1 {verdict}.", page.text)
                self.assertEqual("▼ slower" in page.text, verdict == "slower")

    def test_a_baseline_alone_is_harmless(self):
        run = run_of(entry("loops/flat/double/64/openmp/openmp", STEADY),
                     entry("loops/flat/double/64/openmp", STEADY, build="another"))
        self.assertEqual(ratios(cases_of(run)), [])
        self.assertNotIn("Against baselines", self.write(run)[1].headings)

    def test_the_table_on_the_terminal(self):
        run = whole_run()
        run["benchmarks"].append(entry("jacobi/other/double/8192/openmp", [], error="it went wrong"))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            report.print_table(run)
        self.assertRegex(out.getvalue(), r"(?m)^jacobi/plain/double/4096/openmp +1.01 s +2.0 % +27 GB/s +90 %$")
        self.assertIn("against 3 baselines: 3 faster\n", out.getvalue())
        self.assertIn("failed: jacobi/other/double/8192/openmp @ openmp: it went wrong\n", out.getvalue())


class Changes(ReportTest):
    NAME = "jacobi/plain/double/64/openmp"

    def compare(self, before, after):
        found = report.changes(run_of(entry(self.NAME, before)), run_of(entry(self.NAME, after)))
        return len(found.slower), len(found.faster), found.within_noise, found.too_few

    def test_only_what_is_more_than_noise_is_named(self):
        self.assertEqual(self.compare(STEADY, [1.02, 1.2, 1.3]), (0, 0, 1, 0), "the ranges touch")
        self.assertEqual(self.compare(STEADY, [1.03, 1.2, 1.3]), (1, 0, 0, 0))
        self.assertEqual(self.compare([1.03, 1.2, 1.3], STEADY), (0, 1, 0, 0))
        self.assertEqual(self.compare([1.0, 1.0, 1.0], [1.01, 1.01, 1.01]), (0, 0, 1, 0), "apart, below 2 %")
        self.assertEqual(self.compare([1.0, 1.0, 1.0], [0.99, 0.99, 0.99]), (0, 0, 1, 0), "apart, below 2 %")
        self.assertEqual(self.compare([1.0, 1.0], [2.0, 2.0, 2.0]), (0, 0, 0, 1))
        self.assertEqual(self.compare([1.0, 1.0, 1.0], [2.0, 2.0]), (0, 0, 0, 1))

    def test_what_comes_and_goes(self):
        old = run_of(entry("a/b/double/1/openmp", STEADY), entry("stays/b/double/1/openmp", STEADY),
                     entry("breaks/b/double/1/openmp", STEADY))
        new = run_of(entry("c/d/double/1/openmp", STEADY), entry("stays/b/double/1/openmp", STEADY),
                     entry("breaks/b/double/1/openmp", [], error="no"))
        found = report.changes(old, new)
        self.assertEqual((found.appeared, found.disappeared, found.failed),
                         (["c/d/double/1/openmp"], ["a/b/double/1/openmp"], ["breaks/b/double/1/openmp"]))
        page = self.write(new, old)[1]
        self.assertIn("What changed", page.headings)
        self.assertIn("Disappeared: 1. a/b/double/1/openmp", page.text)

    def test_other_machines_are_warned_of(self):
        old, new = whole_run(), whole_run()
        self.assertEqual(report.changes(old, new).warnings, [])
        new["context"]["host"]["cpu"] = "Another CPU"
        new["builds"]["openmp"] |= {"compiler": "Clang 19", "kokkos_version": "5.0"}
        self.assertEqual(report.changes(old, new).warnings, [
            "The CPU changed from Some CPU to Another CPU.",
            "The compiler of build openmp changed from GNU 12.2.0 to Clang 19.",
            "The Kokkos of build openmp changed from 4.7.0 to 5.0."])
        self.assertIn("changed from Some CPU to Another CPU", self.write(new, old)[1].text)


class Form(ReportTest):
    def test_nothing_comes_from_outside(self):
        text, page = self.write(whole_run(), whole_run())
        self.assertNotRegex(text.replace('"http://www.w3.org/2000/svg"', ""), "https?://")
        self.assertNotRegex(text, r"<script|@import|<link|<img")
        self.assertEqual(len(page.ids), len(set(page.ids)), "ids are unique")
        self.assertLessEqual(set(page.links), set(page.ids))

    def test_charts_take_their_colours_from_the_page(self):
        text, _ = self.write(whole_run())
        charts = re.findall("<svg.*?</svg>", text, flags=re.S)
        self.assertEqual(len(charts), 7)
        for chart in charts:
            self.assertNotRegex(chart, r"#[0-9a-f]{6}\b")
            self.assertNotRegex(chart[:chart.index(">")], "width=|height=")
        for name, (light, dark) in COLOURS.items():
            self.assertIn(f"{name}:{light}", text)
            self.assertIn(f"{name}:{dark}", text)

    def test_what_a_file_says_is_escaped(self):
        evil = "<b>&\"'</b>"
        run = whole_run()
        run["benchmarks"] = json.loads(json.dumps(run["benchmarks"]).replace("plain", "<i>&amp$^$"))
        run["benchmarks"].append(entry(f"x/{evil}/double/1/openmp", [], error=evil))
        run["benchmarks"].append(entry(f"x/{evil}/double/2/openmp", STEADY))
        run["benchmarks"][0]["label"] = evil
        run["context"] |= {"command": evil, "kolam_commit": evil, "environment": {evil: evil}, "gpus": [evil]}
        run["builds"][evil] = {"compiler": evil, "peers": {evil: evil}}
        text, page = self.write(run, run_of(entry(f"gone/{evil}/double/1/openmp", STEADY)))
        self.assertNotIn("<b>&", text)
        self.assertNotIn("<i>", text)
        self.assertIn(f"gone/{evil}/double/1/openmp", page.text)
        self.assertIn("jacobi/<i>&amp$^$/double/4096/openmp: 90 % of T_peak", "\n".join(page.tips))

    def test_a_run_is_left_as_it_was(self):
        run = whole_run()
        before = copy.deepcopy(run)
        self.write(run, run)
        self.assertEqual(run, before)


class CommandLine(ReportTest):
    def file(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def test_it_prints_a_table_and_the_path(self):
        run = self.file("bench.json", whole_run())
        done = self.program(run)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[-1], str(self.folder / "report.html"))
        self.assertIn("jacobi/plain/double/4096/openmp", done.stdout)
        done = self.program(run, "--output", self.folder / "new" / "folder", "--compare", run)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("changed: 0 slower, 0 faster, 17 within noise", done.stdout)
        self.assertTrue((self.folder / "new" / "folder" / "report.html").exists())

    def test_bad_files_get_a_sentence(self):
        good = self.file("good.json", run_of())
        another = self.file("another.json", {"benchmarks": []})
        for path, says in ((self.folder / "none.json", "cannot be read: No such file"),
                           (self.folder, "cannot be read"),
                           (self.file("text.json", "no { JSON"), "is not JSON"),
                           (self.file("list.json", []), "holds no results of scripts/bench"),
                           (another, "holds no results of scripts/bench"),
                           (self.file("new.json", run_of() | {"format": 2}), "has format 2"),
                           (self.file("context.json", run_of() | {"context": 3}), '"context" is not an object'),
                           (self.file("entry.json", run_of() | {"benchmarks": [3]}), "not a list of objects"),
                           (self.file("times.json", run_of(entry("a", 3))), "not a list of objects"),
                           (self.file("build.json", run_of() | {"builds": {"a": 3}}), "does not hold objects")):
            for words in ((path,), (good, "--compare", path)):
                with self.subTest(words):
                    done = self.program(*words)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertIn(says, done.stderr)
                    self.assertEqual(len(done.stderr.strip().splitlines()), 1)
        with self.assertRaises(BadRun):
            report.write_report({}, self.folder)

    def test_a_folder_that_cannot_be_written(self):
        run = self.file("bench.json", run_of())
        done = self.program(run, "--output", run)
        self.assertEqual((done.returncode, len(done.stderr.strip().splitlines())), (2, 1))

    def test_help(self):
        done = self.program("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--compare", done.stdout)


if __name__ == "__main__":
    unittest.main()
