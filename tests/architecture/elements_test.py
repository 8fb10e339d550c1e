# SPDX-License-Identifier: Apache-2.0
"""Tests KOLAM_ELEMENTS: adding finite elements to a unity build compiles them, and recompiles nothing else."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CMAKE, *OPTIONS = sys.argv[1:]


class Elements(unittest.TestCase):
    def sources(self, build, elements):
        """Returns for each compiled file, a unit or a source, its text and its command."""
        configured = subprocess.run(
            [CMAKE, "-S", ROOT, "-B", build, *OPTIONS, "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
             "-DKOLAM_BUILD_TESTS=OFF", "-DKOLAM_HYPRE=off", f"-DKOLAM_ELEMENTS={elements}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(configured.returncode, 0, configured.stdout)
        commands = json.loads(Path(build, "compile_commands.json").read_text())
        return {c["file"]: (Path(c["file"]).read_text(), c["command"]) for c in commands}

    def test_of_a_precision_are_added_to_what_is_there(self):
        with tempfile.TemporaryDirectory() as build:
            before = self.sources(build, "OFF")
            for elements, precision, commands in (("poisson", "double", ["poisson"]), ("double", "double", ["elasticity"]),
                                                  ("ON", "float", ["elasticity", "poisson"])):
                with self.subTest(elements):
                    after = self.sources(build, elements)
                    stand_ins = [str(ROOT / f"solvers/fem/src/without_elements/solve_{command}_{precision}.cpp")
                                 for command in commands]
                    self.assertEqual(sorted(file for file in before if file not in after), stand_ins)
                    self.assertEqual([file for file in after if file in before and after[file] != before[file]], [])
                    added = [file for file in after if file not in before]
                    self.assertGreaterEqual(len(added), 3)
                    other = {"double": "float", "float": "double"}[precision]
                    self.assertEqual([file for file in added if f"_{other}" in file + after[file][0]], [])
                    before = after


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + ["-v"])
