# SPDX-License-Identifier: Apache-2.0
"""Tests docs/figures.py on pages with right and wrong figures."""
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))
from figures import check  # noqa: E402


class Figures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "docs/performance").mkdir(parents=True)
        self.write("docs/performance/run.json", json.dumps({"t_eff": 4079.49, "t_peak": 4307.58}))
        self.write("docs/performance/bench.json", json.dumps({"benchmarks": [
            {"name": "a", "gdofs": 1.25}, {"name": "b", "counters": {"gdofs": 59.63}}]}))
        self.write("docs/figures.json", json.dumps({
            "run": {"record": "run.json", "value": "t_eff"},
            "of-peak": {"record": "run.json", "value": "t_eff", "over": "t_peak", "times": 100},
            "b": {"record": "bench.json", "benchmark": "b", "value": "gdofs"}}))
        self.page("<!--=run-->4079 GB/s, <!--=run-->4,079.5, <!--=of-peak-->95 %, <!--=b-->59.6")

    def write(self, file, text):
        (self.root / file).write_text(text)

    def page(self, text):
        self.write("README.md", f"# Title\n\n{text}\n")

    def expect(self, *fragments):
        found = check(self.root)
        self.assertEqual(len(found), 1, found)
        for fragment in fragments:
            self.assertIn(fragment, found[0])

    def test_right_figures(self):
        self.assertEqual(check(self.root), [])

    def test_a_wrong_figure_is_named_and_corrected(self):
        right = (self.root / "README.md").read_text()
        self.write("README.md", right.replace("59.6", "60.7"))
        self.expect("README.md:3", "60.7", "bench.json says 59.6", "--write")
        self.assertEqual(check(self.root, write=True), [])
        self.assertEqual((self.root / "README.md").read_text(), right)

    def test_a_changed_record(self):
        self.write("docs/performance/bench.json", json.dumps({"benchmarks": [{"name": "b", "gdofs": 61.0}]}))
        self.expect("README.md:3", "says 61.0")

    def test_marks_that_lead_nowhere(self):
        text = (self.root / "README.md").read_text()
        self.write("docs/page.md", "<!--=other-->7")
        self.expect("docs/page.md:1", "has no other")
        self.write("docs/page.md", "<!--=run--> 7")
        self.expect("docs/page.md:1", "no figure follows")
        self.write("docs/page.md", "")
        self.write("README.md", text.replace("<!--=b-->", ""))
        self.expect("no page has b")
        self.write("README.md", text)
        self.write("docs/performance/bench.json", json.dumps({"benchmarks": []}))
        self.expect("bench.json", "0 benchmarks 'b'")


if __name__ == "__main__":
    unittest.main()
