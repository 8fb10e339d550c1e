# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/demo, with programs in the place of cmake and kolam."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# "Builds" the program, which prints its arguments.
CMAKE = r"""#!/bin/sh
if [ "$1" = --build ]; then
  [ ! -e broken ] || { echo "a.cpp:1: error"; exit 1; }
  printf '[1/2] Building a.cpp.o\n[2/2] Linking kolam\n'
  mkdir -p build/demo/bin
  printf '#!/bin/sh\necho kolam "$@"\n' >build/demo/bin/kolam
  chmod +x build/demo/bin/kolam
else
  for a; do case $a in -DKOLAM_ELEMENTS=*) echo "KOLAM_ELEMENTS:STRING=${a#*=}" >build/demo/CMakeCache.txt ;; esac; done
fi
"""


class DemoTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="kolam demo ")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        (self.folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/demo", self.folder / "scripts")
        for name, text in {"scripts/setup": "#!/bin/sh\n", "bin/cmake": CMAKE, "bin/nvidia-smi": "#!/bin/sh\nexit 1\n"}.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)

    def demo(self, *arguments, code=0):
        done = subprocess.run([self.folder / "scripts/demo", *arguments], capture_output=True, text=True,
                              env=os.environ | {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def runs(self, *arguments):
        return [line for line in self.demo(*arguments).stdout.splitlines() if line.startswith("kolam ")]

    def test_says_how_long_the_first_build_takes(self):
        self.assertIn("some five minutes", self.demo().stdout)
        self.assertNotIn("minutes", self.demo().stdout)
        self.assertIn("finite elements are added", self.demo("poisson").stdout)
        self.assertNotIn("minutes", self.demo("poisson").stdout)
        self.assertIn("[2/2] Linking kolam", (self.folder / "build/demo/build.log").read_text())

    def test_the_picture_of_the_default_is_of_a_small_grid(self):
        timed, drawn = self.runs()
        self.assertEqual(timed, "kolam jacobi -nx 4096 -ny 4096 -niter 1000 -nccheck 100")
        self.assertIn("-nx 256 -ny 256", drawn)
        self.assertIn("--image build/demo/jacobi.png", drawn)
        self.assertEqual(self.runs("jacobi"), [timed, drawn])

    def test_options_replace_defaults(self):
        self.assertEqual(self.runs("-nx", "64", "--niter=5"), [
            "kolam jacobi -nx 64 --niter=5 -ny 4096 -nccheck 100 --image build/demo/jacobi.png"])
        self.assertEqual(self.runs("poisson", "-n", "4"), ["kolam poisson -n 4 --image build/demo/poisson.png"])

    def test_wrong_commands_end_before_the_build(self):
        done = self.demo("poission", code=2)
        self.assertIn("'poission' is no command; there are jacobi, diffusion, heat, poisson and elasticity", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertFalse((self.folder / "build").exists())

    def test_a_failed_build(self):
        (self.folder / "broken").touch()
        done = self.demo(code=1)
        self.assertIn("a.cpp:1: error\nscripts/demo: the build failed", done.stderr)


if __name__ == "__main__":
    unittest.main()
