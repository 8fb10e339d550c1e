# SPDX-License-Identifier: Apache-2.0
"""Tests of `kolam jacobi` against a serial reference, and of its outputs."""
import json
import math
import re
import unittest
from functools import lru_cache

from program import GIVEN_PEAK, ProgramTest, backends, optimised, run

SMALL = ["-nx", "5", "-ny", "7", "-niter", "3", *GIVEN_PEAK]
FIELDS = {"program": str, "version": str, "backend": str, "device": str, "precision": str,
          "nx": int, "ny": int, "processes": int, "decomposition": str, "transport": str,
          "steps_per_pass": int, "iterations": int, "first_step": int, "converged": bool, "status": str,
          "seconds": float, "t_eff_gbs": float, "t_peak_gbs": float, "norm_history": list,
          "final_l2": float, "final_max": float}


@lru_cache(maxsize=None)
def reference(nx, ny, niter):
    """Returns the norm of each step, final_l2 and final_max, in double precision."""
    edge = [math.sin(2 * math.pi * y / (ny - 1)) for y in range(ny)]
    old = [[edge[y]] + [0.0] * (nx - 2) + [edge[y]] for y in range(ny)]
    norms = []
    for _ in range(niter):
        new = [row[:] for row in old]
        squares = []
        for y in range(1, ny - 1):
            # Rows 1 .. ny-2 are periodic: the row after the last one is the first one.
            below = old[y - 1 if y > 1 else ny - 2]
            above = old[y + 1 if y < ny - 2 else 1]
            if not norms:  # the first step sees the initial rows 0 and ny-1
                below, above = old[y - 1], old[y + 1]
            for x in range(1, nx - 1):
                new[y][x] = 0.25 * ((old[y][x - 1] + below[x]) + (old[y][x + 1] + above[x]))
                squares.append((new[y][x] - old[y][x]) ** 2)
        norms.append(math.sqrt(math.fsum(squares)))
        old = new
    interior = [v for row in old[1:-1] for v in row[1:-1]]
    return norms, math.sqrt(math.fsum(v * v for v in interior)), max(map(abs, interior))


class Reference(ProgramTest):
    def check(self, nx, ny, niter, precision, tolerance):
        norms, l2, largest = reference(nx, ny, niter)
        for backend in backends():
            with self.subTest(backend=backend):
                result = self.jacobi("-nx", nx, "-ny", ny, "-niter", niter, "--backend", backend,
                                     "--precision", precision)
                self.assertEqual(result["backend"], backend)
                self.assertEqual(result["precision"], precision)
                history = result["norm_history"]
                self.assertEqual([r["iteration"] for r in history], list(range(niter)))
                for record, norm in zip(history, norms):
                    # A norm far below the first one has fewer correct digits.
                    self.assertAlmostEqual(record["norm"], norm,
                                           delta=tolerance * max(norm, 1e-3 * norms[0]))
                self.assertAlmostEqual(result["final_l2"], l2, delta=tolerance * l2)
                self.assertAlmostEqual(result["final_max"], largest, delta=tolerance * largest)

    def test_3x3(self):
        self.check(3, 3, 10, "double", 1e-12)

    def test_5x7(self):
        self.check(5, 7, 20, "double", 1e-12)

    def test_7x4(self):
        self.check(7, 4, 20, "double", 1e-12)

    def test_64x64(self):
        self.check(64, 64, 100, "double", 1e-12)

    def test_64x64_float(self):
        self.check(64, 64, 100, "float", 1e-5)


class Json(ProgramTest):
    def test_fields(self):
        result = self.jacobi(*SMALL[:-2], "-nccheck", 2)
        self.assertEqual(list(result), list(FIELDS))
        for field, kind in FIELDS.items():
            self.assertIs(type(result[field]), kind, field)
        self.assertEqual(result["program"], "kolam jacobi")
        self.assertEqual((result["nx"], result["ny"], result["iterations"]), (5, 7, 3))
        self.assertEqual(result["precision"], "float")
        self.assertEqual(result["backend"], backends()[0])
        self.assertEqual(result["t_peak_gbs"], 100)
        self.assertEqual([r["iteration"] for r in result["norm_history"]], [0, 2])
        traffic = 2 * 5 * 7 * 4 * 3 * 1e-9
        self.assertAlmostEqual(result["t_eff_gbs"], traffic / result["seconds"],
                               delta=1e-6 * result["t_eff_gbs"])

    def test_norms_have_17_digits(self):
        text = self.succeed("jacobi", *SMALL, "--json", "-")
        norms = re.findall(r'"norm": ([^}]*)}', text)
        self.assertEqual(len(norms), 3)
        for norm in norms:
            digits = norm.split("e")[0].replace(".", "").lstrip("0")
            self.assertEqual(len(digits), 17, norm)

    def test_file_has_the_same_and_the_summary_is_printed(self):
        text = self.succeed("jacobi", *SMALL, "--json", self.folder / "f")
        self.assertIn("T_eff", text)
        result = json.loads((self.folder / "f").read_text())
        self.assertEqual(result["norm_history"], self.jacobi(*SMALL[:-2])["norm_history"])

    @unittest.skipUnless(optimised(), "measures gigabytes: minutes for an unoptimised build")
    def test_t_peak_is_measured_where_it_is_not_given(self):
        result = json.loads(self.succeed("jacobi", *SMALL[:-2], "--json", "-"))
        self.assertGreater(result["t_peak_gbs"], 0.01)

    def test_no_steps(self):
        result = self.jacobi("-nx", 5, "-ny", 7, "-niter", 0)
        self.assertEqual((result["iterations"], result["norm_history"]), (0, []))
        self.assertEqual((result["converged"], result["status"]), (True, "completed"))
        self.assertEqual(result["final_max"], 0)


class Cuts(ProgramTest):
    GRID = ["-nx", "40", "-ny", "30", "-niter", "25", "--precision", "double"]

    def same(self, *arguments):
        whole = self.jacobi(*self.GRID)
        cut = self.jacobi(*self.GRID, *arguments)
        self.assertEqual(cut["final_max"], whole["final_max"])
        self.assertAlmostEqual(cut["norm_history"][-1]["norm"], whole["norm_history"][-1]["norm"],
                               delta=1e-12 * whole["norm_history"][-1]["norm"])
        return cut

    def test_subdomains(self):
        cut = self.same("--subdomains", 6, "--decomposition", "tiles", "--transport", "staged")
        self.assertEqual(cut["decomposition"], "2x3")
        self.assertIn("staged", cut["transport"])

    def test_numbers_of_subdomains(self):
        self.assertEqual(self.same("--decomposition", "5x1")["decomposition"], "5x1")

    def test_steps_per_pass(self):
        self.assertEqual(self.same("--steps-per-pass", 4)["steps_per_pass"], 4)
        self.assertGreaterEqual(self.same("--steps-per-pass", "auto")["steps_per_pass"], 1)

    def test_bad_values(self):
        grid = ["jacobi", "-nx", 9, "-ny", 9]
        self.refuse(*grid, "--subdomains", 0, names=["--subdomains 0", "at least 1"])
        self.refuse(*grid, "--subdomains", 64, names=["--subdomains 64", "fewer subdomains"])
        self.refuse(*grid, "--decomposition", "slabs", names=["--decomposition slabs", "stripes"])
        self.refuse(*grid, "--steps-per-pass", 9, names=["--steps-per-pass 9", "1 to 8"])
        self.refuse(*grid, "--transport", "pigeon", names=["--transport pigeon", "staged"])

    def test_diffusion(self):
        grid = ["diffusion", "-nx", 20, "-ny", 18, "-niter", 9, *GIVEN_PEAK, "--json", "-"]
        for more in ([], ["-nz", 16]):
            whole = json.loads(self.succeed(*grid, *more))
            cut = json.loads(self.succeed(*grid, *more, "--subdomains", 4))
            self.assertEqual(whole["program"], "kolam diffusion")
            self.assertEqual(cut["final_max"], whole["final_max"])
            self.assertEqual("nz" in whole, bool(more))
        self.refuse("diffusion", "-nz", 0, names=["-nz 0", "two dimensions"])


class Stopping(ProgramTest):
    GRID = ["-nx", "16", "-ny", "16"]

    def test_tolerance_met(self):
        norms, *_ = reference(16, 16, 200)
        expected = next(i for i, norm in enumerate(norms) if norm <= 1e-2)
        result = self.jacobi(*self.GRID, "-niter", 200, "-tol", "1e-2", "--precision", "double")
        self.assertEqual((result["converged"], result["status"]), (True, "converged"))
        self.assertEqual(result["iterations"], expected + 1)
        self.assertEqual(result["norm_history"][-1]["iteration"], expected)
        self.assertLessEqual(result["norm_history"][-1]["norm"], 1e-2)

    def test_tolerance_is_looked_at_where_the_norm_is_computed(self):
        norms, *_ = reference(16, 16, 200)
        expected = next(i for i, norm in enumerate(norms) if norm <= 1e-2 and i % 7 == 0)
        result = self.jacobi(*self.GRID, "-tol", "1e-2", "-nccheck", 7, "--precision", "double")
        self.assertEqual(result["iterations"], expected + 1)
        self.assertEqual([r["iteration"] for r in result["norm_history"]],
                         list(range(0, expected + 1, 7)))

    def test_tolerance_not_met(self):
        result = self.jacobi(*self.GRID, "-niter", 5, "-tol", "1e-9", code=1)
        self.assertEqual((result["converged"], result["status"]), (False, "iteration_limit"))
        self.assertEqual(result["iterations"], 5)
        for words in [["--quiet"], [], ["-csv"]]:
            process = run("jacobi", *self.GRID, *GIVEN_PEAK, "-niter", 5, "-tol", "1e-9", *words)
            self.assertEqual(process.returncode, 1)
            self.assertRegex(process.stderr, r"\Akolam: not converged[^\n]*1e-09[^\n]*\n\Z")
            self.assertEqual(process.stdout == "", words == ["--quiet"])

    def test_no_tolerance_means_success(self):
        result = self.jacobi(*self.GRID, "-niter", 5)
        self.assertEqual((result["converged"], result["status"]), (True, "completed"))


class Outputs(ProgramTest):
    def test_summary(self):
        text = self.succeed("jacobi", "-nx", 20, "-ny", 30, "-niter", 1000, *GIVEN_PEAK)
        for part in ["20 x 30", "float", backends()[0], "1000 steps done", "T_eff", "T_peak", "%"]:
            self.assertIn(part, text)
        steps = [int(n) for n in re.findall(r"(?m)^ +(\d+)  +[\d.e-]+$", text)]
        self.assertEqual(len(steps), 11)
        self.assertEqual((steps[0], steps[-1]), (0, 999))
        self.assertLessEqual(max(b - a for a, b in zip(steps, steps[1:])), 101)

    def test_short_histories_are_shown_whole(self):
        for niter in [1, 2, 11, 12]:
            text = self.succeed("jacobi", "-nx", 5, "-ny", 5, "-niter", niter, *GIVEN_PEAK)
            steps = [int(n) for n in re.findall(r"(?m)^ +(\d+)  +[\d.e-]+$", text)]
            self.assertEqual(len(steps), min(niter, 11))
            self.assertEqual((steps[0], steps[-1]), (0, niter - 1))

    def test_quiet(self):
        self.assertEqual(self.succeed("jacobi", *SMALL, "--quiet"), "")
        text = self.succeed("jacobi", *SMALL, "--quiet", "--json", self.folder / "f", "--image",
                            self.folder / "f.png")
        self.assertEqual(text, "")
        self.assertEqual(len(list(self.folder.iterdir())), 2)

    def test_csv(self):
        for precision in ["float", "double"]:
            for word in ["-csv", "--csv"]:
                line = self.succeed("jacobi", *SMALL, word, "-nccheck", 2, "--precision", precision)
                self.assertEqual(line.count("\n"), 1)
                columns = line.rstrip("\n").split(", ")
                self.assertEqual(columns[:5], [f"kolam_{backends()[0]}", "5", "7", "3", "2"])
                self.assertEqual(columns[6:9], [precision, "3", "completed"])
                seconds, norm, t_eff, t_peak = map(float, [columns[5], *columns[9:12]])
                self.assertGreaterEqual(seconds, 0)
                self.assertAlmostEqual(norm, reference(5, 7, 3)[0][2], delta=1e-5)
                self.assertGreater(t_eff, 0)
                self.assertEqual(t_peak, 100)
                self.assertEqual(columns[12:], ["0"])

    def test_csv_of_three_dimensions(self):
        line = self.succeed("diffusion", *SMALL, "-nz", 4, "-csv")
        columns = line.rstrip("\n").split(", ")
        self.assertEqual(columns[1:4], ["5", "7", "3"])
        self.assertEqual(columns[12:], ["4"])

    def test_trace_lists_the_fields(self):
        for command in ["jacobi", "diffusion"]:
            result = run(command, *SMALL, "--quiet", "--trace")
            self.assertEqual(result.returncode, 0)
            for field in ["u", "new_u"]:
                self.assertRegex(result.stderr, rf"(?m)^{field} +0 ")
            self.assertNotIn("--trace", result.stderr)

    def test_kokkos_options_are_forwarded(self):
        result = self.jacobi(*SMALL[:-2], "--kokkos-num-threads=1", "--kokkos-disable-warnings")
        self.assertEqual(result["iterations"], 3)


if __name__ == "__main__":
    unittest.main()
