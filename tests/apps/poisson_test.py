# SPDX-License-Identifier: Apache-2.0
"""Tests of `kolam poisson`: known results, options and outputs."""
import json
import math
import unittest

from program import ProgramTest, backends, run

KEYS = {"program", "version", "backend", "device", "precision", "operator", "dim", "order", "nx", "ny", "nz", "map",
        "mesh", "geometry", "rhs", "precond", "coarse_solver", "deterministic", "parts", "decomposition", "rtol", "max_iter", "dofs", "elements", "iterations", "converged",
        "status", "reason", "residual_history", "preconditioned_residual_history", "true_residual",
        "setup_seconds", "seconds", "gdofs_per_second", "l2_error", "h1_error", "solution_l2",
        "rhs_dot_solution", "compliance", "integral", "centre"}


class PoissonResults(ProgramTest):
    def poisson(self, *arguments, code=0):
        return json.loads(self.succeed("poisson", "--json", "-", *arguments, code=code))

    def test_known_iterations(self):
        for backend in backends():
            with self.subTest(backend=backend):
                mass = self.poisson("--backend", backend, "--operator", "bp1", "--order", 2, "-n", 4,
                                    "--rhs", "expxyz", "--precond", "none")
                self.assertEqual(set(mass), KEYS)
                self.assertEqual((mass["dofs"], mass["elements"], mass["iterations"]), (729, 64, 77))
                self.assertIs(mass["converged"], True)
                self.assertIsNone(mass["l2_error"])
                self.assertEqual(len(mass["residual_history"]), 78)
                self.assertLessEqual(mass["residual_history"][-1], 1e-8 * mass["residual_history"][0])
                # The L2 projection keeps the integral of exp(x + 2y + 3z).
                e = math.e
                self.assertAlmostEqual(mass["integral"], (e - 1) * (e**2 - 1) / 2 * (e**3 - 1) / 3, places=5)
                laplace = self.poisson("--backend", backend, "--operator", "bp3", "--order", 3, "-n", 4,
                                       "--rhs", "expxyz", "--precond", "none")
                self.assertEqual(laplace["iterations"], 48)

    def test_known_solution(self):
        result = self.poisson("--order", 6, "-n", 4, "--rhs", "one", "--rtol", "1e-12")
        self.assertAlmostEqual(result["centre"], 0.0562128298, delta=1e-8)
        self.assertAlmostEqual(result["integral"], 0.0201685003, delta=2e-8)
        self.assertEqual((result["precond"], result["coarse_solver"]), ("pmg", "cg"))

    def test_geometry(self):
        expected = self.poisson("-n", 3, "--rhs", "expxyz", "--precond", "none")
        for geometry in ("affine", "trilinear"):
            with self.subTest(geometry=geometry):
                result = self.poisson("-n", 3, "--rhs", "expxyz", "--precond", "none", "--geometry", geometry)
                self.assertEqual((result["geometry"], result["iterations"]), (geometry, expected["iterations"]))
                self.assertAlmostEqual(result["integral"] / expected["integral"], 1, delta=1e-10)
        curved = self.poisson("-n", 4, "--order", 1, "--map", "sine", "--geometry", "trilinear")
        self.assertIs(curved["converged"], True)

    def test_parts_give_the_same(self):
        arguments = ["--order", 2, "-n", 4, "--map", "sine"]
        if backends()[0] == "threads":  # usable by one thread only
            arguments += ["--backend", "serial"]
        one = self.poisson(*arguments, "--subdomains", 1)
        for how in (["--subdomains", 4], ["--decomposition", "2x1x2"], ["--subdomains", 2, "--decomposition", "slabs"]):
            parts = self.poisson(*arguments, *how)
            self.assertEqual(parts["iterations"], one["iterations"])
            self.assertEqual(parts["dofs"], one["dofs"])
            self.assertNotEqual(parts["decomposition"], one["decomposition"])
            self.assertAlmostEqual(parts["centre"], one["centre"], delta=1e-6 * abs(one["centre"]))
            self.assertAlmostEqual(parts["l2_error"], one["l2_error"], delta=1e-6 * one["l2_error"])

    def test_two_dimensions(self):
        result = self.poisson("--dim", 2, "-nx", 3, "-ny", 5, "--order", 4, "--map", "sine",
                              "--operator", "helmholtz", "--precision", "float", "--rtol", "1e-5")
        self.assertNotIn("nz", result)
        self.assertEqual((result["nx"], result["ny"], result["elements"]), (3, 5, 15))
        self.assertEqual((result["dofs"], result["precision"]), (11 * 19, "float"))
        self.assertLess(result["l2_error"], 1e-3)

    def test_not_converged(self):
        process = run("poisson", "-n", 4, "--precond", "none", "--max-iter", 3, "--json", "-")
        self.assertEqual(process.returncode, 1)
        self.assertIn("raise --max-iter or --rtol", process.stderr)
        result = json.loads(process.stdout)
        self.assertIs(result["converged"], False)
        self.assertEqual((result["status"], result["iterations"]), ("iteration_limit", 3))


class PoissonOutputs(ProgramTest):
    def test_files(self):
        json_file, image = self.folder / "r.json", self.folder / "u.png"
        self.assertEqual(self.succeed("poisson", "-n", 2, "--order", 2, "--json", json_file, "--image", image,
                                      "--quiet"), "")
        self.assertEqual(json.loads(json_file.read_text())["dofs"], 27)
        self.assertEqual(image.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_file_for_paraview(self):
        file = self.folder / "u.vtkhdf"
        process = run("poisson", "--dim", 2, "-n", 2, "--output", file)
        if "without HDF5" in process.stderr:
            self.skipTest("no HDF5 in this build")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("u.vtkhdf", process.stdout)
        self.assertEqual(file.read_bytes()[:4], b"\x89HDF")

    def test_summary(self):
        text = self.succeed("poisson", "-n", 2)
        for part in ("poisson, order 3, 2 x 2 x 2 elements", "converged after", "in L2", "in the middle"):
            self.assertIn(part, text)

    def test_help(self):
        text = self.succeed("poisson", "--help")
        for option in ("--order", "-n, --n", "--operator", "--map", "--geometry", "--rhs", "--rtol", "--max-iter",
                       "--precond", "--deterministic", "--output"):
            self.assertIn(option, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)


class PoissonErrors(ProgramTest):
    def test_refused_values(self):
        for arguments, names in [
                (("--order", 0), ("--order 0", "1 to 40")), (("-order", 41), ("-order 41",)),
                (("-n", 0), ("-n 0",)), (("-nx", "1.5"), ("-nx 1.5",)), (("--dim", 1), ("--dim 1",)),
                (("--dim", 2, "-nz", 4), ("-nz 4", "--dim 2")),
                (("--operator", "bp7"), ("--operator bp7", "helmholtz")),
                (("--map", "cosine"), ("--map cosine", "sine")),
                (("--geometry", "curved"), ("--geometry curved", "stored, affine, trilinear")),
                (("--geometry", "trilinear", "--map", "sine"), ("geometry trilinear does not hold", "stored")),
                (("--rhs", "two"), ("--rhs two",)),
                (("--precond", "ilu"), ("--precond ilu", "pmg")), (("--coarse-solver", "lu"), ("--coarse-solver lu", "boomeramg")),
                (("--precond", "jacobi", "--coarse-solver", "cg"), ("--coarse-solver cg", "--precond jacobi")), (("--rtol", "-1"), ("--rtol -1",)),
                (("--rtol", "nan"), ("--rtol nan",)), (("--max-iter", -1), ("--max-iter -1",)),
                (("--precision", "half"), ("--precision half",)), (("--backend", "abacus"), ("--backend abacus",)),
                (("--tol", "1"), ("--tol",)), (("--json", "a", "--image", "a"), ("--json", "--image")),
                (("-n", 2, "--subdomains", 0), ("--subdomains 0",)), (("-n", 2, "--subdomains", 9), ("--subdomains 9",)),
                (("-n", 2, "--decomposition", "1x1x3"), ("--decomposition 1x1x3", "1 to 2")),
                (("--decomposition", "1x2x2", "--subdomains", 2), ("--decomposition 1x2x2",)),
                (("--decomposition", "tiles"), ("--decomposition tiles", "slabs")),
                (("-n", 1000), ("nodes",)), (("--image", "a.jpg"), ("--image a.jpg",)),
                (("--output", "/no/such/folder/u"), ("--output /no/such/folder/u",))]:
            with self.subTest(arguments=arguments):
                self.refuse("poisson", *arguments, names=names)

    def test_too_large(self):
        self.refuse("poisson", "--order", 8, "-n", 160, "--operator", "bp4", code=3, names=("160 x 160 x 160",))


if __name__ == "__main__":
    unittest.main()
