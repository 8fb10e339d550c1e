# SPDX-License-Identifier: Apache-2.0
"""Tests of the program on several processes. Needs KOLAM_MPIEXEC: "mpiexec|-n"."""
import json
import os
import signal
import subprocess
from pathlib import Path

from elasticity_test import BEAM, write_beam
from program import GIVEN_PEAK, PROGRAM, ProgramTest, wait_for

MPIEXEC = os.environ["KOLAM_MPIEXEC"].split("|")


def launch(processes, *arguments, **options):
    return subprocess.Popen([*MPIEXEC, str(processes), PROGRAM, *map(str, arguments)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


class SeveralProcesses(ProgramTest):
    def together(self, processes, *arguments, code=0):
        process = launch(processes, *arguments)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, err)
        return out, err

    def solution(self, processes, *arguments):
        output = self.folder / f"{processes}.vtkhdf"
        out, _ = self.together(processes, *arguments, "--output", output, "--json", "-",
                               *GIVEN_PEAK)
        return output.read_bytes(), json.loads(out)

    def test_give_the_field_of_one(self):
        for grid in (["jacobi", "-nx", 40, "-ny", 23, "-niter", 30],
                     ["jacobi", "-nx", 40, "-ny", 40, "-niter", 30, "--steps-per-pass", 3],
                     ["diffusion", "-nx", 14, "-ny", 12, "-nz", 13, "-niter", 9]):
            one, alone = self.solution(1, *grid)
            for processes in 2, 3:
                field, result = self.solution(processes, *grid, "--subdomains", 2)
                self.assertEqual(field, one)
                self.assertEqual(result["processes"], processes)
                for a, b in zip(result["norm_history"], alone["norm_history"]):
                    self.assertAlmostEqual(a["norm"], b["norm"], delta=1e-13 * b["norm"])

    def test_conduct_heat_in_parts(self):
        for grid in (["heat", "-nx", 40, "-ny", 23, "-niter", 3],
                     ["heat", "-nx", 9, "-ny", 12, "-nz", 7, "-niter", 2, "--solver", "ppcg"]):
            _, alone = self.solution(1, *grid)
            for processes in 2, 3:
                _, result = self.solution(processes, *grid)
                self.assertEqual(result["processes"], processes)
                for near in "temperature", "energy", "final_l2", "final_max":
                    self.assertAlmostEqual(result[near], alone[near], delta=1e-8 * alone[near])

    def test_solve_on_parts_of_the_elements(self):
        for arguments in (["--order", 3, "-n", 8], ["--dim", 2, "-nx", 9, "-ny", 4, "--map", "sine"],
                          ["--operator", "bp5", "--precond", "none", "-n", 4, "--rhs", "expxyz"]):
            fields, results = zip(*(self.solution_of_poisson(n, *arguments) for n in (1, 3)))
            self.assertEqual(len(fields[0]), len(fields[1]))
            one, three = results
            self.assertRegex(three["decomposition"], "3")
            for same in "dofs", "elements", "iterations", "converged":
                self.assertEqual(one[same], three[same])
            for near in "solution_l2", "integral", "centre", "rhs_dot_solution":
                self.assertAlmostEqual(one[near], three[near], delta=1e-7 * abs(one[near]))
        _, error = self.together(3, "poisson", "-n", 2, "--decomposition", "1x1x3", code=2)
        self.assertIn("--decomposition 1x1x3", error)
        _, error = self.together(2, "poisson", "-n", 4, "--subdomains", 2, code=2)
        self.assertIn("--subdomains 2", error)
        out, _ = self.together(2, "poisson", "-n", 4, "--decomposition", "2x1x1")
        self.assertIn("2 parts (2x1x1)", out)

    def solution_of_poisson(self, processes, *arguments):
        output = self.folder / f"{processes}.vtkhdf"
        out, _ = self.together(processes, "poisson", *arguments, "--output", output, "--json", "-")
        return output.read_bytes(), json.loads(out)

    def test_solve_on_parts_of_a_mesh(self):
        beam = write_beam(self.folder / "beam.mesh")
        files, results = zip(*(self.displacement(n, beam) for n in (1, 3)))
        self.assertGreater(files[1], files[0])  # each part has its own points
        one, three = results
        self.assertEqual((one["parts"], three["parts"]), (1, 3))
        self.assertEqual(three["dofs"], one["dofs"])
        self.assertAlmostEqual(three["energy"], 1.199696022764e-02, delta=1e-10)
        _, error = self.together(9, "elasticity", "--mesh", beam, *BEAM, code=2)
        self.assertIn("9 parts of a mesh of 8 elements", error)
        _, error = self.together(2, "elasticity", "--mesh", beam, *BEAM, "--subdomains", 2, code=2)
        self.assertIn("--subdomains 2", error)
        _, error = self.together(2, "elasticity", "--mesh", beam, *BEAM[:3], "--fix", "9", code=2)
        self.assertIn("no boundary attribute 9", error)

    def test_solve_on_a_mesh_in_files_of_its_parts(self):
        beam = write_beam(self.folder / "beam.mesh")
        self.together(1, "mesh", beam, "--parts", 3, "--partition", "rcb", "--output-parts", self.folder / "parts")
        _, result = self.displacement(3, self.folder / "parts")
        self.assertEqual(result["parts"], 3)
        self.assertAlmostEqual(result["energy"], 1.199696022764e-02, delta=1e-10)
        out, _ = self.together(3, "elasticity", "--mesh", self.folder / "parts", *BEAM)
        self.assertRegex(out, r"(?m)^parts +3 \(files\): 2 to 3 elements each, 2 sides between them$")
        for processes, wrong in (2, "more parts"), (4, "parts.000003"):
            _, error = self.together(processes, "elasticity", "--mesh", self.folder / "parts", *BEAM, code=2)
            self.assertIn(wrong, error)

    def displacement(self, processes, beam):
        output = self.folder / f"{processes}.vtkhdf"
        out, _ = self.together(processes, "elasticity", "--mesh", beam, *BEAM, "--refine", 1, "--rtol", "1e-11",
                               "--output", output, "--json", "-")
        return output.stat().st_size, json.loads(out)

    def test_seven_on_five_rows(self):
        grid = ["jacobi", "-nx", 7, "-ny", 7, "-niter", 12]
        one, _ = self.solution(1, *grid)
        seven, result = self.solution(7, *grid)
        self.assertEqual(seven, one)
        self.assertEqual(result["processes"], 7)
        _, error = self.together(7, *grid[:4], 5, "--decomposition", "1x7", code=2)
        self.assertIn("--decomposition 1x7", error)

    def test_write_one_checkpoint_and_go_on_from_it(self):
        file = self.folder / "c"
        grid = ["jacobi", "-nx", 40, "-ny", 33]
        whole, _ = self.solution(1, *grid, "-niter", 90)
        self.together(3, *grid, "-niter", 50, "--checkpoint", file, "--checkpoint-every", 20,
                      "--quiet")
        self.assertEqual(sorted(p.name for p in self.folder.glob("*c*")), ["c", "c.previous"])
        for processes in 1, 2, 4:
            field, result = self.solution(processes, *grid, "-niter", 90, "--restart", file)
            self.assertEqual(field, whole)
            self.assertEqual(result["first_step"], 50)

    def test_all_refuse_what_one_cannot_do(self):
        file = self.folder / "c"
        file.write_text("no checkpoint")
        _, error = self.together(3, "jacobi", "--restart", file, code=2)
        self.assertIn(str(file), error)
        _, error = self.together(3, "jacobi", "-nx", 9, "-ny", 9, "--output",
                                 self.folder / "none/x.vtkhdf", code=2)
        self.assertIn("none", error)

    def test_are_stopped_by_a_signal_to_one(self):
        file = self.folder / "c"
        process = launch(3, "jacobi", "-nx", 100, "-ny", 100, "-niter", 10**9, "-nccheck", 1000,
                         "--checkpoint", file, "--checkpoint-every", "0.2s", "--quiet")
        self.assertTrue(wait_for(file, process))  # now all processes handle signals
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        children = listed.read_text().split() if listed.exists() else []
        if not children:
            process.kill()
            self.skipTest("the processes are not mpiexec's own children")
        os.kill(int(children[-1]), signal.SIGTERM)
        _, error = process.communicate(timeout=120)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("stopped after", error)
        self.together(2, "jacobi", "-nx", 100, "-ny", 100, "-niter", 1, "--restart", file, code=2)


if __name__ == "__main__":
    import unittest
    unittest.main()
