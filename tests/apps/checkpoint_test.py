# SPDX-License-Identifier: Apache-2.0
"""Tests of checkpoints, restarts and signals."""
import random
import signal
import subprocess
import time

from program import PROGRAM, ProgramTest, backends, optimised, wait_for

GRID = ["-nx", "61", "-ny", "47", "--precision", "double"]


class CheckpointTest:  # no test case: Python 3.12 fails one without tests
    def field(self, *arguments, code=0):
        """Returns the output file's bytes and the JSON of a run."""
        output = self.folder / "field.vtkhdf"
        result = self.jacobi(*GRID, "--output", output, *arguments, code=code)
        return output.read_bytes(), result

    def assert_same(self, found, expected, tolerance=0.0):
        self.assertEqual(found[0], expected[0])
        norms, others = found[1]["norm_history"], expected[1]["norm_history"]
        self.assertEqual([n["iteration"] for n in norms], [n["iteration"] for n in others])
        for norm, other in zip(norms, others):
            self.assertAlmostEqual(norm["norm"], other["norm"], delta=tolerance * other["norm"])


class Restarts(CheckpointTest, ProgramTest):
    def test_give_the_run_that_was_never_interrupted(self):
        for steps in "1", "4":
            expected = self.field("-niter", 200, "--steps-per-pass", steps)
            file = self.folder / "run.h5"
            self.field("-niter", 120, "--steps-per-pass", steps, "--checkpoint", file,
                       "--checkpoint-every", 50)
            found = self.field("-niter", 200, "--steps-per-pass", steps, "--restart", file)
            self.assertEqual(found[1]["first_step"], 120)
            self.assert_same(found, expected)
            for other in (["--subdomains", "3"], ["--subdomains", "6", "--steps-per-pass", "3"],
                          ["--decomposition", "4x1", "--backend", backends()[-1]]):
                self.assert_same(self.field("-niter", 200, "--restart", file, *other), expected,
                                 1e-13)
            previous = self.folder / "run.h5.previous"
            self.assert_same(self.field("-niter", 200, "--restart", previous), expected, 1e-13)

    def test_of_diffusion_in_space(self):
        file, whole, rest = (self.folder / name for name in ("c", "whole.vtkhdf", "rest.vtkhdf"))
        grid = ["diffusion", "-nx", 12, "-ny", 9, "-nz", 10, "--quiet"]
        self.succeed(*grid, "-niter", 40, "--output", whole)
        self.succeed(*grid, "-niter", 15, "--checkpoint", file, "--subdomains", 4)
        self.succeed(*grid, "-niter", 40, "--restart", file, "--output", rest)
        self.assertEqual(whole.read_bytes(), rest.read_bytes())

    def test_are_refused_with_the_reason(self):
        file = self.folder / "c"
        self.field("-niter", 20, "--checkpoint", file)
        self.refuse("jacobi", *GRID, "-niter", 10, "--restart", file, names=["step 20", "step 10"])
        self.refuse("jacobi", *GRID[2:], "-nx", 62, "--restart", file, names=["59", "60"])
        self.refuse("jacobi", *GRID[:4], "--restart", file, names=["double", "float"])
        self.refuse("diffusion", *GRID, "--restart", file, names=["jacobi", "diffusion"])
        self.refuse("jacobi", *GRID, "--restart", self.folder / "none", names=["none"])
        good = file.read_bytes()
        for bytes_ in (good[:-1], good[:len(good) // 2], good[:100] + b"x" + good[101:], b"",
                       b"no checkpoint at all"):
            file.write_bytes(bytes_)
            self.refuse("jacobi", *GRID, "--restart", file, names=[file])
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 1  # in a value
        file.write_bytes(flipped)
        self.refuse("jacobi", *GRID, "--restart", file, names=[file, "damaged"])


class Saving(CheckpointTest, ProgramTest):
    def test_options_that_make_no_sense(self):
        self.refuse("jacobi", "--checkpoint-every", 10, names=["--checkpoint-every 10"])
        for wrong in "0", "-1", "1.5", "s", "0s", "-3m", "1d", "nan s":
            self.refuse("jacobi", "--checkpoint", self.folder / "c", "--checkpoint-every", wrong,
                        names=["--checkpoint-every", wrong])
        self.refuse("jacobi", "--checkpoint", self.folder / "none/c", names=["none"])
        for option in "--json", "--image", "--output":
            same = self.folder / "same.png"
            self.refuse("jacobi", "--checkpoint", same, option, same, names=[option, same])
        self.refuse("jacobi", "--check-every", 0, names=["--check-every 0"])

    def test_a_disk_that_is_full_stops_nothing(self):
        disk = self.folder / "disk"
        disk.mkdir()
        script = 'mount -t tmpfs -o size=60k none "$0" && "$@"; code=$?; cp "$0"/* .. ; exit $code'
        command = ["unshare", "-m", "sh", "-c", script, str(disk), PROGRAM, "jacobi", *GRID,
                   "-niter", "3000", "--checkpoint", str(disk / "c"), "--checkpoint-every", "500",
                   "--quiet"]
        (self.folder / "away").mkdir()
        finished = subprocess.run(command, capture_output=True, text=True,
                                  cwd=self.folder / "away")
        if "kolam:" not in finished.stderr:
            self.skipTest(f"no right to mount a small disk: {finished.stderr}")
        # Norms grow the checkpoints: only the first ones fit.
        self.assertEqual(finished.returncode, 2, finished.stderr)
        self.assertIn("No space left on device; the run goes on", finished.stderr)
        expected = self.field("-niter", 3000)
        self.assert_same(self.field("-niter", 3000, "--restart", self.folder / "c"), expected)


class Signals(CheckpointTest, ProgramTest):
    def test_stop_the_run_and_save_it(self):
        expected = None
        for number in signal.SIGTERM, signal.SIGINT:
            file = self.folder / f"{number}.h5"
            process = subprocess.Popen(
                [PROGRAM, "jacobi", *GRID, "-niter", "1000000000", "--checkpoint", file,
                 "--checkpoint-every", "0.2s", "--quiet", "-nccheck", "1000"],
                stderr=subprocess.PIPE, text=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
            self.assertTrue(wait_for(file, process))  # now it handles signals
            process.send_signal(number)
            _, error = process.communicate()
            self.assertEqual(process.returncode, 1, error)
            self.assertRegex(error, r"stopped after \d+ of 1000000000 steps.*--restart")
            self.assertTrue(file.exists())
            expected = int(error.split("stopped after ")[1].split()[0])
            self.refuse("jacobi", *GRID, "-niter", expected - 1, "--restart", file,
                        names=[f"step {expected}"])


class Kills(CheckpointTest, ProgramTest):
    def test_at_any_instant(self):
        kills = 200 if optimised() else 10
        niter, file = 600, self.folder / "c"
        start = time.monotonic()
        expected = self.field("-niter", niter, "--checkpoint", file, "--checkpoint-every", 20)
        whole = time.monotonic() - start
        seed = random.randrange(2**32)
        chance = random.Random(seed)
        cut = 0
        for kill in range(kills):
            for old in self.folder.glob("c*"):
                old.unlink()
            process = subprocess.Popen(
                [PROGRAM, "jacobi", *GRID, "-niter", str(niter), "--checkpoint", file,
                 "--checkpoint-every", "20", "--quiet"], stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 1.1 * whole))
            process.kill()
            process.wait()
            if not file.exists():
                continue
            other = chance.choice([[], ["--subdomains", "2"], ["--decomposition", "2x3"],
                                   ["--steps-per-pass", "4"]])
            with self.subTest(seed=seed, kill=kill, other=other):
                found = self.field("-niter", niter, "--restart", file, "--checkpoint", file, *other)
                self.assert_same(found, expected, 1e-13)
                left = [path.name for path in self.folder.glob(".c*")]
                self.assertEqual(left, [], "left by the killed run")
                cut += 0 < found[1]["first_step"] < niter
        self.assertGreater(cut, 0, "no run was killed between its first and its last checkpoint")


if __name__ == "__main__":
    import unittest
    unittest.main()
