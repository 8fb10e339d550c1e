# SPDX-License-Identifier: Apache-2.0
"""Tests of `kolam elasticity`, and of `kolam poisson` on a mesh."""
import json
import math
import unittest
from pathlib import Path

from program import ProgramTest, backends, run

MESHES = Path(__file__).resolve().parents[1] / "io" / "meshes"
ELLIPSE = MESHES / "ellipse-2d-order3-4.1-text.msh"  # elements 5 'inner part', 9 'outer'; boundary 2 'rim'


def write_beam(path):
    """Writes the beam of MFEM's example 2 (beam-hex.mesh): 8 cubes, two materials."""
    vertex = lambda x, y, z: x + 9 * (y + 2 * z)  # noqa: E731
    around = [(0, 0), (1, 0), (1, 1), (0, 1)]
    elements = [f"{1 if e < 4 else 2} 5 " + " ".join(str(vertex(e + x, y, z)) for z in (0, 1) for x, y in around)
                for e in range(8)]
    sides = [f"{a} 3 " + " ".join(str(vertex(x, y, z)) for y, z in around) for a, x in ((1, 0), (2, 8))]
    for e in range(8):
        for end in (0, 1):
            sides.append("3 3 " + " ".join(str(vertex(e + x, end, z)) for x, z in around))
            sides.append("3 3 " + " ".join(str(vertex(e + x, y, end)) for x, y in around))
    points = [f"{x} {y} {z}" for z in (0, 1) for y in (0, 1) for x in range(9)]
    path.write_text("\n".join(["MFEM mesh v1.0", "dimension", "3", "elements", "8", *elements, "boundary",
                               str(len(sides)), *sides, "vertices", "36", "3", *points, ""]))
    return path


BEAM = ["--material", "1=50,50", "--material=2=1,1", "--fix", "1", "--traction", "2=0,0,-0.01"]


class ElasticityCommand(ProgramTest):
    def setUp(self):
        super().setUp()
        self.beam = write_beam(self.folder / "beam.mesh")

    def elasticity(self, *arguments, code=0):
        return json.loads(self.succeed("elasticity", "--json", "-", *arguments, code=code))

    def test_beam_is_that_of_mfem(self):
        for backend in backends():
            for order, energy, tip in ((2, 1.199696022764e-02, -1.2005666537), (3, 1.202827306192e-02, -1.2039855383)):
                with self.subTest(backend=backend, order=order):
                    result = self.elasticity("--mesh", self.beam, *BEAM, "--refine", 1, "--order", order,
                                             "--rtol", "1e-12", "--backend", backend)
                    self.assertAlmostEqual(result["energy"], energy, delta=1e-12)
                    self.assertAlmostEqual(result["lowest"][2], tip, delta=1e-9)
                    self.assertLess(-tip, result["largest_displacement"])
                    self.assertEqual(result["dofs"], 3 * 16 * order * (2 * order + 1)**2)
                    self.assertEqual((result["elements"], result["dim"]), (64, 3))
                    self.assertEqual(result["geometry"], "affine")
                    self.assertIs(result["converged"], True)

    def test_text_and_names(self):
        text = self.succeed("elasticity", "--mesh", ELLIPSE, "--material", "inner part=1,1", "--material", "9=2,1.5",
                            "--fix", "rim", "--body-force", "0,-1", "--order", 3)
        self.assertRegex(text, r"(?m)^problem +elasticity, order 3, 62 elements of .*, \d+ unknowns, double$")
        self.assertRegex(text, r"(?m)^result +converged after \d+ iterations")
        self.assertRegex(text, r"(?m)^energy +0\.\d+, the work of the loads$")
        self.assertRegex(text, r"(?m)^moved +0\.\d+ at most, x .* to .*, y -0\.\d+ to 0?")

    def test_output(self):
        file = self.folder / "u.vtkhdf"
        arguments = ["elasticity", "--mesh", self.beam, *BEAM, "--output", file]
        process = run(*arguments)
        if process.returncode == 2:
            self.assertIn("HDF5", process.stderr)
            self.skipTest("no HDF5 in this build")
        self.assertEqual(process.stderr, "")
        self.assertIn("u.vtkhdf", process.stdout)
        self.assertEqual(file.read_bytes()[:4], b"\x89HDF")

    def test_parts_give_the_same(self):
        arguments = ["--mesh", self.beam, *BEAM, "--refine", 1, "--rtol", "1e-12"]
        one = self.elasticity(*arguments, "--subdomains", 1)
        if backends()[0] == "threads":  # usable by one thread only
            return
        for parts, partition in (3, "hilbert"), (8, "rcb"):
            cut = self.elasticity(*arguments, "--subdomains", parts, "--partition", partition)
            self.assertEqual((cut["parts"], cut["partition"], cut["dofs"]), (parts, partition, one["dofs"]))
            self.assertAlmostEqual(cut["energy"], one["energy"], delta=1e-12)
            self.assertAlmostEqual(cut["largest_displacement"], one["largest_displacement"], delta=1e-9)
        text = self.succeed("elasticity", *arguments, "--subdomains", 4)
        self.assertRegex(text, r"(?m)^parts +4 \(hilbert\): 2 to 2 elements each, 3 sides between them$")

    def test_not_converged(self):
        process = run("elasticity", "--mesh", self.beam, *BEAM, "--max-iter", 2, "--precond", "none", "--json", "-")
        self.assertEqual(process.returncode, 1)
        self.assertRegex(process.stderr, r"\Akolam: not converged in 2 iterations: [^\n]+\n\Z")
        self.assertIs(json.loads(process.stdout)["converged"], False)

    def test_refusals(self):
        refuse = lambda *arguments, names: self.refuse(  # noqa: E731
            "elasticity", "--mesh", self.beam, *arguments, names=names)
        self.refuse("elasticity", names=["no mesh given", "--mesh FILE"])
        self.refuse("elasticity", "--mesh", self.folder / "none.mesh", *BEAM, names=["none.mesh", "No such file"])
        refuse(names=["no material given", "--material A=LAMBDA,MU"])
        refuse("--material", "1", names=["--material 1", "an attribute, '='", "A=LAMBDA,MU"])
        refuse("--material", "1=2", names=["--material 1=2", "1 number; give --material A=LAMBDA,MU"])
        refuse("--material", "1=2,x", names=["--material 1=2,x", "a number x"])
        refuse("--material", "1=2,,3", names=["--material 1=2,,3"])
        refuse("--material", "1=2,nan", names=["finite"])
        refuse("--material", "1=1,1", "--fix", "1", names=["no value for the element attribute 2"])
        refuse("--material", "1=1,0", "--material", "2=1,1", "--fix", "1", names=["mu 0"])
        refuse(*BEAM[:3], "--fix", "1:xy", names=["no boundary is fixed along z"])
        refuse(*BEAM[:3], "--fix", "1:xx", names=["'xx'", "'xyz'"])
        refuse(*BEAM[:3], "--fix", "7", names=["no boundary attribute 7", "1, 2, 3"])
        refuse(*BEAM[:3], "--fix", "clamp", names=["'clamp'"])
        refuse(*BEAM, "--traction", "2=1,0,0", names=["two tractions", "2"])
        refuse(*BEAM, "--traction", "3=1", names=["--traction 3=1", "1 number; give --traction B=X,Y[,Z]"])
        refuse(*BEAM, "--order", 0, names=["--order 0", "1 to 40"])
        refuse(*BEAM, "--rtol", "-1", names=["--rtol -1"])
        refuse(*BEAM, "--precond", "ilu", names=["--precond ilu", "pmg"])
        refuse(*BEAM, "--precond", "none", "--coarse-solver", "boomeramg", names=["--coarse-solver boomeramg", "--precond none"])
        refuse(*BEAM, "--geometry-order", 11, names=["--geometry-order 11"])
        refuse(*BEAM, "--order", 2, "--order", 3, names=["--order: given more than once"])
        refuse(*BEAM, "--image", "u.png", names=["unknown option '--image"])
        refuse(*BEAM, "--partition", "zoltan", names=["--partition zoltan", "hilbert, rcb, metis, scotch"])
        refuse(*BEAM, "--subdomains", 9, names=["9 parts of a mesh of 8 elements"])
        refuse(*BEAM, "--subdomains", 0, names=["--subdomains 0"])
        self.refuse("elasticity", "--mesh", ELLIPSE, "--material", "5=1,1", "--material", "9=1,1", "--fix", "rim",
                    "--body-force", "0,0,1", names=["along z", "two dimensions"])


# The unit square, in two elements: x = 0 is boundary 1, x = 1 is 2.
SQUARE = """# vtk DataFile Version 3.0
unit square
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 6 double
0 0 0  0.5 0 0  1 0 0
0 1 0  0.5 1 0  1 1 0
CELLS 4 16
4 0 1 4 3
4 1 2 5 4
2 0 3
2 2 5
CELL_TYPES 4
9 9 3 3
CELL_DATA 4
SCALARS attribute int
LOOKUP_TABLE default
1 1 1 2
"""


class PoissonOnMeshes(ProgramTest):
    def poisson(self, *arguments):
        return json.loads(self.succeed("poisson", "--json", "-", *arguments))

    def test_figures(self):
        """Compares with MFEM's results in tests/io/meshes/figures.txt."""
        for line in (MESHES / "figures.txt").read_text().splitlines():
            name, _, geometry, _, *figures = line.split()
            for order, dofs, compliance in zip((max(int(geometry), 2), 1), figures[::2], figures[1::2]):
                with self.subTest(mesh=name, order=order):
                    result = self.poisson("--mesh", MESHES / name, "--order", order, "--rtol", "1e-13")
                    self.assertEqual(result["dofs"], int(dofs))
                    self.assertAlmostEqual(result["compliance"], float(compliance), delta=1e-10 * float(compliance))
                    self.assertEqual((result["mesh"], result["parts"]), (str(MESHES / name), 1))
                    self.assertIsNone(result["centre"])

    def test_conditions_and_coefficients(self):
        one = self.poisson("--mesh", ELLIPSE, "--order", 4)
        again = self.poisson("--mesh", ELLIPSE, "--order", 4, "--dirichlet", "rim", "--coefficient", "inner part=1,9=1",
                             "--geometry", "automatic")
        self.assertAlmostEqual(again["compliance"] / one["compliance"], 1, delta=1e-7)
        twice = self.poisson("--mesh", ELLIPSE, "--order", 4, "--coefficient", "5=2,outer=2", "--refine", 1)
        self.assertAlmostEqual(2 * twice["compliance"] / one["compliance"], 1, delta=1e-3)
        self.assertEqual(twice["elements"], 4 * one["elements"])
        # The ellipse with the half axes 1 and 0.8.
        self.assertAlmostEqual(twice["compliance"], math.pi * 0.8**3 / 4 / (1 + 0.8**2) / 2, delta=1e-4)

    def test_robin(self):
        """u = c x - x^2 / 2 with u'(1) = -a u(1): c = (1 + a / 2) / (1 + a)."""
        (self.folder / "square.vtk").write_text(SQUARE)
        for a in 3, 0.25:
            expected = (1 + a / 2) / (1 + a) / 2 - 1 / 6
            for conditions in [], ["--dirichlet", 1]:
                result = self.poisson("--mesh", self.folder / "square.vtk", "--refine", 2, "--order", 2,
                                      "--robin", f"2={a}", *conditions, "--rtol", "1e-12")
                self.assertAlmostEqual(result["compliance"], expected, delta=1e-10)
            twice = self.poisson("--mesh", self.folder / "square.vtk", "--refine", 2, "--order", 2,
                                 "--robin", f"2={2 * a}", "--coefficient", "1=2", "--rtol", "1e-12")
            self.assertAlmostEqual(twice["compliance"], expected / 2, delta=1e-10)
        alone = self.poisson("--mesh", ELLIPSE, "--order", 3, "--robin", "rim=1")  # no Dirichlet condition
        self.assertGreater(alone["compliance"], 1)
        if backends()[0] != "threads":
            cut = self.poisson("--mesh", ELLIPSE, "--order", 3, "--robin", "rim=1", "--subdomains", 3)
            self.assertAlmostEqual(cut["compliance"] / alone["compliance"], 1, delta=1e-6)

    def test_parts_give_the_same(self):
        if backends()[0] == "threads":  # usable by one thread only
            return
        arguments = ["--mesh", ELLIPSE, "--order", 3, "--refine", 1, "--rtol", "1e-12"]
        one, cut = (self.poisson(*arguments, "--subdomains", parts) for parts in (1, 3))
        self.assertAlmostEqual(cut["compliance"] / one["compliance"], 1, delta=1e-10)
        self.assertEqual((cut["parts"], cut["decomposition"], cut["dofs"]), (3, "hilbert", one["dofs"]))
        self.assertLessEqual(abs(cut["iterations"] - one["iterations"]), 1)

    def test_manufactured(self):
        errors = [self.poisson("--mesh", ELLIPSE, "--order", order, "--rhs", "manufactured")["l2_error"]
                  for order in (3, 5)]
        self.assertLess(errors[1], errors[0] / 50)

    def test_refusals(self):
        mesh = ["poisson", "--mesh", ELLIPSE]
        for option, value in (("-n", 4), ("-nx", 4), ("--dim", 2), ("--map", "sine")):
            self.refuse(*mesh, option, value, names=[f"{option} {value}: it is for a box"])
        self.refuse(*mesh, "--decomposition", "auto", names=["--decomposition auto", "--partition"])
        self.refuse(*mesh, "--image", "u.png", names=["--image u.png", "--output"])
        for option, value in (("--refine", 1), ("--geometry-order", 1), ("--partition", "rcb"),
                              ("--dirichlet", 1), ("--robin", 1), ("--coefficient", 1)):
            self.refuse("poisson", option, value, names=[f"{option} {value}: there is no --mesh"])
        self.refuse(*mesh, "--dirichlet", "wall", names=["'wall'", "'rim'"])
        self.refuse(*mesh, "--dirichlet", "rim,", names=["--dirichlet rim,"])
        self.refuse(*mesh, "--coefficient", "5=-1,9=1", names=["--coefficient 5=-1", "above 0"])
        self.refuse(*mesh, "--coefficient", "5=1", names=["no value for the element attribute 9"])
        self.refuse(*mesh, "--coefficient", "5=1,9=1", "--rhs", "manufactured", names=["manufactured"])
        self.refuse(*mesh, "--dirichlet", "rim", "--robin", "rim=1", names=["Dirichlet and a Robin", "attribute"])
        self.refuse(*mesh, "--output", "u.vtk", names=["--output u.vtk", ".vtkhdf"])
        self.refuse(*mesh, "--robin", "rim=0", names=["--robin rim=0", "above 0"])
        self.refuse(*mesh, "--robin", "wall=1", names=["'wall'", "'rim'"])
        self.refuse(*mesh, "--robin", "rim=1", "--rhs", "manufactured", names=["Robin", "manufactured"])
        self.refuse(*mesh, "--robin", "rim=1", "--operator", "helmholtz", names=["Robin", "helmholtz"])
        self.refuse(*mesh, "--order", 2, "--operator", "bp5", names=["3 quadrature points", "geometry of order 3"])
        self.refuse("poisson", "--mesh", self.folder / "none.msh", names=["none.msh"])


if __name__ == "__main__":
    unittest.main()
