# SPDX-License-Identifier: Apache-2.0
"""Tests that manual pages and bash completion agree with the program."""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from program import PROGRAM, ProgramTest, run

ROOT = Path(__file__).resolve().parents[2]


class ManualTest(ProgramTest):
    def test_is_what_the_program_says(self):
        process = subprocess.run([sys.executable, "-B", ROOT / "scripts/manual", PROGRAM, "--check"],
                                 capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stderr)

    def test_every_line_of_help_is_in_a_page(self):
        for command in ["", "info", "jacobi", "diffusion", "heat", "poisson", "elasticity", "mesh"]:
            page = ROOT / f"apps/manual/kolam{command and '-' + command}.1"
            written = "".join(page.read_text().replace("\\-", "-").replace("\\fB", "").replace("\\fI", "")
                              .replace("\\fR", "").split())
            for line in run(*filter(None, [command]), "--help", check=True).stdout.splitlines():
                text = "".join(line.removeprefix("Usage: ").removesuffix(":").replace("-h,--help", "").split())
                if line.startswith("  --backend") or line in ("Positionals:", "Options:", "Subcommands:"):
                    continue
                if line.startswith("  ") and line.strip().split()[0] in ("info", "jacobi", "diffusion", "heat", "poisson", "elasticity", "mesh"):
                    text = "".join(line.split()[1:])
                self.assertIn(text.removeprefix("kolam:"), written, line)

    def test_pages_are_set_without_a_complaint(self):
        if not shutil.which("groff"):
            self.skipTest("no groff")
        for page in sorted((ROOT / "apps/manual").glob("*.1")):
            process = subprocess.run(["groff", "-man", "-ww", "-Tutf8", page], capture_output=True, text=True)
            self.assertEqual(process.stderr, "", page)

    def complete(self, *words):
        """Returns bash's completions of the last word."""
        script = (f'source "{ROOT}/apps/manual/kolam.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kolam; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        process = subprocess.run(["bash", "-uc", script, "bash", "kolam", *words], capture_output=True, text=True)
        self.assertEqual(process.stderr, "")
        return process.stdout.split()

    def test_completion(self):
        self.assertEqual(self.complete(""), ["info", "jacobi", "diffusion", "heat", "poisson", "elasticity", "mesh"])
        self.assertEqual(self.complete("po"), ["poisson"])
        self.assertEqual(self.complete("jacobi", "--tr"), ["--transport", "--trace"])
        self.assertEqual(self.complete("jacobi", "-nx", "64", "-n"), ["-nx", "-ny", "-niter", "-nccheck"])
        self.assertEqual(self.complete("poisson", "--precond", ""), ["none", "jacobi", "chebyshev", "pmg"])
        self.assertEqual(self.complete("poisson", "--precond", "=", "c"), ["chebyshev"])
        self.assertEqual(self.complete("poisson", "--precond", "="), ["none", "jacobi", "chebyshev", "pmg"])
        self.assertEqual(self.complete("jacobi", "--json", ""), [])  # bash then offers files


if __name__ == "__main__":
    unittest.main()
