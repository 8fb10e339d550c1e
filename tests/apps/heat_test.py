# SPDX-License-Identifier: Apache-2.0
"""Tests of `kolam heat`."""
import json
import unittest

from program import GIVEN_PEAK, ProgramTest, backends, optimised

# x cells, y cells, steps and the sum over cells of volume times density times u, from TeaLeaf's table of answers.
ANSWERS = [(64, 64, 1, 1.084697720003111e+02), (512, 512, 20, 1.034697091898282e+02)]
DECK = """*tea
state 1 density=100.0 energy=0.0001
state 2 density=0.1 energy=25.0 geometry=rectangle xmin=0.0 xmax=1.0 ymin=1.0 ymax=2.0
state 3 density=0.1 energy=0.1 geometry=rectangle xmin=1.0 xmax=6.0 ymin=1.0 ymax=2.0
state 4 density=0.1 energy=0.1 geometry=rectangle xmin=5.0 xmax=6.0 ymin=1.0 ymax=8.0
state 5 density=0.1 energy=0.1 geometry=rectangle xmin=5.0 xmax=10.0 ymin=7.0 ymax=8.0
x_cells=64
y_cells=64
xmin=0.0
ymin=0.0
xmax=10.0
ymax=10.0
initial_timestep=0.004
end_step=1
max_iters=10000
use_cg
eps 1.0e-9
test_problem 5
*endtea
"""


class HeatCommand(ProgramTest):
    def heat(self, *arguments, code=0):
        return json.loads(self.succeed("heat", "--json", "-", *GIVEN_PEAK, *arguments, code=code))

    def deck(self, text=DECK):
        path = self.folder / "tea.in"
        path.write_text(text)
        return path

    def test_agrees_with_the_table_of_answers(self):
        for nx, ny, steps, temperature in ANSWERS if optimised() else ANSWERS[:1]:
            result = self.heat("-nx", nx, "-ny", ny, "-niter", steps)
            self.assertEqual(result["program"], "kolam heat")
            self.assertEqual(result["precision"], "double")
            self.assertEqual(result["solver"], "mg")
            self.assertEqual(result["iterations"], steps)
            self.assertTrue(result["converged"])
            self.assertAlmostEqual(result["temperature"], temperature, delta=1e-8 * temperature)
            self.assertAlmostEqual(result["time"], 0.004 * steps, delta=1e-12)
            self.assertEqual(len(result["norm_history"]), steps)

    def test_is_the_same_with_every_solver_and_backend(self):
        for backend in backends():
            for solver in ["cg", "chebyshev", "ppcg", "mg"]:
                result = self.heat("--deck", self.deck(), "--solver", solver, "--backend", backend)
                self.assertEqual(result["solver"], solver)
                self.assertAlmostEqual(result["temperature"], ANSWERS[0][3], delta=1e-8 * ANSWERS[0][3])

    def test_a_deck_states_the_problem_and_options_come_after_it(self):
        result = self.heat("--deck", self.deck())
        self.assertEqual((result["nx"], result["ny"], result["iterations"], result["solver"]), (64, 64, 1, "cg"))
        changed = self.heat("--deck", self.deck(), "-nx", 32, "-niter", 2, "--dt", 0.01,
                            "--time-scheme", "crank-nicolson")
        self.assertEqual((changed["nx"], changed["iterations"], changed["dt"]), (32, 2, 0.01))
        self.assertEqual(changed["time_scheme"], "crank-nicolson")
        text = self.succeed("heat", "--deck", self.deck(), *GIVEN_PEAK)
        self.assertRegex(text, r"(?m)^deck +.*tea\.in; without a meaning here: test_problem$")
        self.assertRegex(text, r"(?m)^solver +cg: \d+ iterations, set-up ")
        self.assertRegex(text, r"(?m)^temperature +108\.46977\d+ at time 0\.004$")
        self.refuse("heat", "--deck", self.deck(DECK.replace("x_cells=64", "x_cells=1e3")),
                    names=["--deck", "line 7", "x_cells", "1e3"])
        self.refuse("heat", "--deck", self.deck(DECK.replace("density=0.1", "density=-0.1", 1)),
                    names=["line 3", "density is -0.1"])
        self.refuse("heat", "--deck", self.folder / "none", names=["--deck", "none", "No such file"])

    def test_a_step_that_is_not_solved_ends_it(self):
        text = self.refuse("heat", "-nx", 64, "-ny", 64, "--solver", "cg", "--max-iter", 3, "--quiet", code=1,
                           names=["0 of 20 steps", "--max-iter"])
        self.assertIn("not met", text)
        result = self.heat("-nx", 64, "-ny", 64, "--solver", "cg", "--max-iter", 3, code=1)
        self.assertEqual((result["status"], result["solve_status"]), ("unsolved", "iteration_limit"))

    def test_goes_on_from_a_checkpoint(self):
        file, whole, rest = (self.folder / name for name in ("c", "whole.vtkhdf", "rest.vtkhdf"))
        grid = ["heat", "-nx", 40, "-ny", 30, "--quiet"]
        self.succeed(*grid, "-niter", 8, "--output", whole)
        self.succeed(*grid, "-niter", 3, "--checkpoint", file)
        self.succeed(*grid, "-niter", 8, "--restart", file, "--output", rest)
        self.assertEqual(whole.read_bytes(), rest.read_bytes())
        self.refuse(*grid, "-niter", 8, "--restart", file, "--dt", 0.1, names=["dt"])
        self.refuse("jacobi", "-nx", 42, "-ny", 32, "--precision", "double", "--restart", file,
                    names=["heat", "jacobi"])

    def test_refuses_what_makes_no_sense(self):
        for arguments, names in ((["-nx", 0], ["-nx 0"]), (["-nz", 0], ["-nz 0"]), (["--dt", 0], ["--dt 0"]),
                                 (["--solver", "jacobi"], ["--solver jacobi", "one of cg, chebyshev, ppcg, mg"]),
                                 (["--time-scheme", "leapfrog"], ["one of backward-euler, crank-nicolson"]),
                                 (["--inner-steps", 3], ["--inner-steps 3", "--solver ppcg"]),
                                 (["--rtol", "-1"], ["--rtol -1"]), (["--precision", "float"], ["--precision"]),
                                 (["--subdomains", 2], ["--subdomains"]),
                                 (["--decomposition", "2x1"], ["--decomposition 2x1"])):
            self.refuse("heat", *arguments, names=names)

    def test_of_a_solid(self):
        result = self.heat("-nx", 12, "-ny", 11, "-nz", 5, "-niter", 2)
        self.assertEqual(result["nz"], 5)
        self.assertAlmostEqual(result["volume"], 1000, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
