# SPDX-License-Identifier: Apache-2.0
"""Tests that programs do not compile, and that the error says why: refused_test.py <cmake> <build folder>"""

import subprocess
import sys
import unittest
from pathlib import Path

CMAKE, BUILD = sys.argv[1:]
SOURCES = sorted(Path(__file__).parent.glob("refused/*.cpp"))


class Refused(unittest.TestCase):
    def test_with_a_sentence(self):
        # (-k 0: compile all of them, although the first fails.)
        process = subprocess.run([CMAKE, "--build", BUILD, "--target", "kolam_refused", "--", "-k", "0"],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertNotEqual(process.returncode, 0)
        for source in SOURCES:
            with self.subTest(source.stem):
                expected = source.read_text().splitlines()[1].removeprefix("// expected: ")
                self.assertIn(expected, process.stdout)
                self.assertIn(f"FAILED: tests/architecture/CMakeFiles/kolam_refused.dir/refused/{source.name}",
                              process.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + ["-v"])
