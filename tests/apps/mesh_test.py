# SPDX-License-Identifier: Apache-2.0
"""Tests of `kolam mesh`."""
import json
import math
import os
import re
import unittest
from pathlib import Path

from program import ProgramTest, run

MESHES = Path(__file__).resolve().parents[1] / "io" / "meshes"
ELLIPSE = MESHES / "ellipse-2d-order3-4.1-text.msh"
CYLINDER = MESHES / "ellipse-3d-order2-4.1-binary.msh"


class MeshCommand(ProgramTest):
    def mesh(self, *arguments):
        return json.loads(self.succeed("mesh", *arguments, "--json", "-"))

    def test_text(self):
        text = self.succeed("mesh", ELLIPSE)
        self.assertRegex(text, r"(?m)^mesh +62 quadrilaterals, 75 vertices, geometry of order 3$")
        self.assertRegex(text, r"(?m)^box +x -1 to 1, y -0\.8 to 0\.8$")
        self.assertRegex(text, r"(?m)^attributes +5 'inner part': \d+ elements\n +9 'outer': \d+ elements$")
        self.assertRegex(text, r"(?m)^boundaries +2 'rim': 24 sides$")

    def test_json(self):
        mesh = self.mesh(CYLINDER)
        self.assertEqual(mesh["dim"], 3)
        self.assertEqual(mesh["elements"], 73)
        self.assertEqual(mesh["order"], 2)
        self.assertEqual([entry["names"] for entry in mesh["attributes"]], [["inner part"], ["outer"]])
        self.assertEqual(sum(entry["elements"] for entry in mesh["attributes"]), 73)
        self.assertEqual([entry["sides"] for entry in mesh["boundaries"]], [8, 160])
        self.assertAlmostEqual(mesh["volume"], math.pi * 0.8 * 0.7, delta=2e-3)
        self.assertLess(0, mesh["worst_jacobian"])
        self.assertLess(mesh["worst_jacobian"], mesh["best_jacobian"])
        self.assertEqual(json.loads((self.write_json(CYLINDER)).read_text()), mesh)

    def write_square(self, *boundary):
        """Writes a mesh of two squares, which has six outer sides."""
        path = self.folder / "two squares.mesh"
        path.write_text("\n".join(["MFEM mesh v1.0", "dimension", "2", "elements", "2", "1 3 0 1 4 3", "1 3 1 2 5 4",
                                   "boundary", str(len(boundary)), *(f"1 1 {side}" for side in boundary),
                                   "vertices", "6", "2", "0 0", "1 0", "2 0", "0 1", "1 1", "2 1", ""]))
        return path

    def test_counts_sides_that_are_not_listed(self):
        square = self.write_square("0 1", "3 0", "1 4")  # two outer sides, and the one between the squares
        text = self.succeed("mesh", square)
        self.assertRegex(text, r"(?m)^unlisted +4 of 6 outer sides, in no boundary: natural \(no flux\) in a solve$")
        self.assertRegex(text, r"(?m)^inside +1 of 3 sides in boundaries are between two elements$")
        mesh = self.mesh(square, "--refine", 1)
        self.assertEqual([mesh[key] for key in ("outer_sides", "unlisted_sides", "listed_sides_between_elements")],
                         [12, 8, 2])
        self.assertNotRegex(self.succeed("mesh", ELLIPSE), "unlisted|inside")

    def test_solves_note_sides_that_are_not_listed(self):
        environment = {name: value for name, value in os.environ.items() if name != "KOLAM_NOTES"}
        solve = ["poisson", "--order", 2, "--mesh"]
        some = self.write_square("0 1", "3 0")
        for options in [], ["--subdomains", 2]:
            process = run(*solve, some, *options, env=environment)
            self.assertEqual(process.returncode, 0, process.stderr)
            notes = [line for line in process.stderr.splitlines() if "outer sides" in line]
            self.assertEqual(len(notes), 1, process.stderr)
            self.assertRegex(notes[0], r"^kolam: '.*two squares.mesh' lists 4 of its 6 outer sides in no boundary, so .*"
                                       r"\(no flux, no traction\); .* \(KOLAM_NOTES=off: do not say it\)$")
        fixed = ["--material", "1=1,0.3", "--fix", 1, "--body-force", "0,-1"]
        self.assertIn("outer sides", run("elasticity", "--order", 2, "--mesh", some, *fixed, env=environment).stderr)
        self.assertNotIn("outer sides", run(*solve, some, env={**environment, "KOLAM_NOTES": "off"}).stderr)
        self.assertNotIn("outer sides", run(*solve, ELLIPSE, env=environment).stderr)

    def write_json(self, mesh):
        self.succeed("mesh", mesh, "--json", self.folder / "mesh.json")
        return self.folder / "mesh.json"

    def test_converts_and_refines(self):
        before = self.mesh(CYLINDER)
        for name in "out.msh", "out.mesh":
            written = self.mesh(CYLINDER, "--refine", 1, "--order", 3, "--output", self.folder / name)
            self.assertEqual(written["elements"], 8 * 73)
            self.assertEqual(written["order"], 3)
            self.assertAlmostEqual(written["volume"], before["volume"], places=10)
            self.assertEqual([entry["sides"] for entry in written["boundaries"]], [32, 640])
            again = self.mesh(self.folder / name)
            for key in "elements", "vertices", "order", "attributes", "boundaries":
                self.assertEqual(again[key], written[key])
            for key in "volume", "worst_jacobian", "longest_edge":
                self.assertAlmostEqual(again[key], written[key], places=10)

    def test_parts(self):
        for partition in "hilbert", "rcb":
            cut = self.mesh(ELLIPSE, "--parts", 4, "--partition", partition)
            self.assertEqual((cut["parts"], cut["partition"]), (4, partition))
            self.assertEqual((cut["smallest_part"], cut["largest_part"]), (15, 16))
            self.assertLess(cut["cut_sides"], 40)
        text = self.succeed("mesh", ELLIPSE, "--parts", 4)
        self.assertRegex(text, r"(?m)^parts +4 \(hilbert\): 15 to 16 elements each, \d+ sides between them$")

    def test_parts_in_files(self):
        name = self.folder / "in parts"
        cut = self.mesh(CYLINDER, "--parts", 3, "--refine", 1, "--output-parts", name)
        self.assertEqual(cut["output_parts"], str(name))
        whole = self.mesh(CYLINDER, "--parts", 3)  # cut before it is refined, as in the other commands
        self.assertEqual((cut["smallest_part"], cut["largest_part"], cut["cut_sides"]),
                         (8 * whole["smallest_part"], 8 * whole["largest_part"], 4 * whole["cut_sides"]))
        files = sorted(self.folder.glob("in parts.*"))
        self.assertEqual([file.name for file in files], [f"in parts.{i:06}" for i in range(3)])
        for file in files:
            text = file.read_text()
            self.assertTrue(text.startswith("MFEM mesh v1.3\n"))  # has names
            self.assertIn("communication_groups", text)
        self.assertRegex(self.succeed("mesh", ELLIPSE, "--parts", 2, "--output-parts", name),
                         rf"(?m)^parts in +{re.escape(str(name))}.000000 to {re.escape(str(name))}.000001$")
        self.refuse("mesh", files[0], names=["in parts.000000", "one part of a mesh"])
        self.refuse("mesh", ELLIPSE, "--output-parts", name, names=["--output-parts", "--parts N"])
        self.refuse("mesh", ELLIPSE, "--parts", 2, "--output-parts", self.folder / "no" / "mesh", names=["--output-parts"])
        self.refuse("mesh", name, names=["is in files of its parts"])
        self.refuse("poisson", "--mesh", name, names=["more parts than there are processes"])
        self.refuse("poisson", "--mesh", name, "--partition", "rcb", names=["--partition", "is cut already"])

    def test_picture(self):
        for mesh in ELLIPSE, CYLINDER:
            file = self.folder / "with space.png"
            text = self.succeed("mesh", mesh, "--image", file)
            self.assertRegex(text, rf"(?m)^picture +{re.escape(str(file))}$")
            self.assertEqual(file.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(file.stat().st_size, 2000)
        self.assertEqual(self.mesh(ELLIPSE, "--image", file)["image"], str(file))
        self.assertIsNone(self.mesh(ELLIPSE)["image"])
        self.refuse("mesh", ELLIPSE, "--image", self.folder / "mesh.jpg", names=["--image", "mesh.jpg", ".png"])
        self.refuse("mesh", ELLIPSE, "--image", file, "--json", file, names=["--image", "--json"])

    def test_refusals(self):
        self.refuse("mesh", names=["no file given"])
        self.refuse("mesh", self.folder / "none.msh", names=["none.msh", "No such file"])
        self.refuse("mesh", ELLIPSE, "--refine", -1, names=["--refine -1", "0 to 15"])
        self.refuse("mesh", ELLIPSE, "--refine", 15, names=["--refine 15", "elements of 16 nodes"])
        self.refuse("mesh", ELLIPSE, "--order", 0, names=["--order 0"])
        self.refuse("mesh", ELLIPSE, "--output", self.folder / "mesh.vtk", names=["mesh.vtk", ".msh"])
        self.refuse("mesh", ELLIPSE, "--output", self.folder / "no" / "mesh.msh", names=["--output"])
        self.refuse("mesh", CYLINDER, "--order", 10, "--output", self.folder / "mesh.msh",
                    names=["--output", "orders 1 to 9"])
        self.assertFalse((self.folder / "mesh.msh").exists())
        self.refuse("mesh", ELLIPSE, "--parts", 63, names=["--parts 63", "62 elements"])
        self.refuse("mesh", ELLIPSE, "--parts", 0, names=["--parts 0"])
        self.refuse("mesh", ELLIPSE, "--partition", "rcb", names=["--partition rcb", "--parts"])
        self.refuse("mesh", ELLIPSE, "--nonsense", names=["--nonsense"])
        self.refuse("mesh", ELLIPSE, ELLIPSE, names=[ELLIPSE])
        (self.folder / "text").write_text("hello\n")
        self.refuse("mesh", self.folder / "text", names=["line 1: it is no mesh"])


if __name__ == "__main__":
    unittest.main()
