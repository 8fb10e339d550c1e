# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of README.md and docs/program.md that read files of examples/."""
import re
import shlex
import subprocess
import unittest
from pathlib import Path

from program import GIVEN_PEAK, PROGRAM, ProgramTest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/program.md"]
WITH_T_PEAK = {"jacobi", "diffusion", "heat"}


def commands(page):
    """Yields the arguments of each `kolam` in blocks of shell code that names a file of examples/, without mpiexec."""
    for block in re.findall(r"^```sh\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if "kolam" in words and any(word.startswith("examples/") for word in words):
                yield words[words.index("kolam") + 1:]


class PagesCommands(ProgramTest):
    def test_files_of_pages_are_there(self):
        for page in PAGES:
            read = {word for arguments in commands(page) for word in arguments if word.startswith("examples/")}
            self.assertEqual(read, {"examples/plate.msh", "examples/beam.mesh", "examples/tea.in"}, page)

    def test_commands_of_pages(self):
        (self.folder / "examples").symlink_to(ROOT / "examples")
        for page in PAGES:
            for arguments in commands(page):
                with self.subTest(page=page, command=" ".join(arguments)):
                    given = GIVEN_PEAK if arguments[0] in WITH_T_PEAK else []
                    done = subprocess.run([PROGRAM, *arguments, *given], cwd=self.folder, capture_output=True, text=True)
                    if "HDF5" in done.stderr and done.returncode == 2:
                        continue  # --output of a build without HDF5
                    self.assertEqual(done.returncode, 0, done.stderr)
                    if "--output" in arguments:
                        self.assertTrue((self.folder / arguments[arguments.index("--output") + 1]).is_file())


if __name__ == "__main__":
    unittest.main()
