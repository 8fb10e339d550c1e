#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the meshes of this folder with Gmsh and MFEM, and prints MFEM's results for each.

Needs the packages gmsh and mfem. Writes into the given folder (default: this one). figures.txt has for each
file: elements, order, sides per boundary attribute, unknowns and compliance of -Laplace u = 1, u = 0 on all
boundaries (channel: walls), with polynomials of the mesh's order, at least 2, on order + 2 Gauss points, and
the same with polynomials of order 1 on the same elements, on max(3, the elements' order + 1) points.
"""

import itertools
import math
import pathlib
import random
import sys

import gmsh
import mfem.ser as mfem

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)


def gmsh_mesh(dimensions, order, serendipity=False):
    """Meshes an ellipse around a rectangle, extruded in 3D: two materials; one boundary in 2D, two in 3D."""
    gmsh.clear()
    cad = gmsh.model.occ
    parts, _ = cad.fragment([(2, cad.addDisk(0, 0, 0, 1, 0.8))], [(2, cad.addRectangle(-0.3, -0.2, 0, 0.6, 0.4))])
    if dimensions == 3:
        cad.extrude(parts, 0, 0, 0.7, [1], recombine=True)
    cad.synchronize()
    options = {"MeshSizeMax": 3 if dimensions == 2 else 1, "RecombineAll": 1, "Algorithm": 8, "SubdivisionAlgorithm": 0, "RecombinationAlgorithm": 2 if dimensions == 2 else 3,
               "SecondOrderIncomplete": int(serendipity), "ElementOrder": order}
    for name, value in options.items():
        gmsh.option.setNumber("Mesh." + name, value)
    whole = [tag for _, tag in gmsh.model.getEntities(dimensions)]
    gmsh.model.addPhysicalGroup(dimensions, whole[:1], 5, "inner part")
    gmsh.model.addPhysicalGroup(dimensions, whole[1:], 9, "outer")
    sides = [tag for _, tag in gmsh.model.getBoundary([(dimensions, tag) for tag in whole], oriented=False)]
    if dimensions == 3:
        gmsh.model.addPhysicalGroup(2, sides[:1], 2, "first")
        gmsh.model.addPhysicalGroup(2, sides[1:], 3, "others")
    else:
        gmsh.model.addPhysicalGroup(1, sides, 2, "rim")
    gmsh.model.mesh.generate(dimensions)


def save(name, version, binary):
    gmsh.option.setNumber("Mesh.MshFileVersion", version)
    gmsh.option.setNumber("Mesh.Binary", binary)
    gmsh.write(str(folder / name))


def gmsh_box(order):
    """Meshes a box by two hexahedra."""
    gmsh.clear()
    square = gmsh.model.occ.addRectangle(0, 0, 0, 1, 1)
    gmsh.model.occ.extrude([(2, square)], 0, 0, 0.7, [2], recombine=True)
    gmsh.model.occ.synchronize()
    for _, curve in gmsh.model.getEntities(1):
        gmsh.model.mesh.setTransfiniteCurve(curve, 2)
    gmsh.model.mesh.setTransfiniteSurface(square)
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 0)
    gmsh.option.setNumber("Mesh.ElementOrder", order)
    gmsh.option.setNumber("Mesh.RecombineAll", 1)
    gmsh.option.setNumber("Mesh.RecombinationAlgorithm", 0)
    gmsh.model.addPhysicalGroup(3, [1], 1)
    gmsh.model.addPhysicalGroup(2, [tag for _, tag in gmsh.model.getEntities(2)], 1)
    gmsh.model.mesh.generate(3)


def plate():
    """Writes examples/plate.msh: a plate with a round insert of another material."""
    gmsh.clear()
    cad = gmsh.model.occ
    parts, _ = cad.fragment([(2, cad.addRectangle(0, 0, 0, 2, 1))], [(2, cad.addDisk(1, 0.5, 0, 0.25, 0.25))])
    cad.synchronize()
    for _, curve in gmsh.model.getEntities(1):
        round_one = gmsh.model.getType(1, curve) != "Line"
        gmsh.model.mesh.setTransfiniteCurve(curve, 9 if round_one else 5)
    for name, value in {"MeshSizeMax": 0.25, "Algorithm": 11, "RecombineAll": 1, "RecombinationAlgorithm": 3, "ElementOrder": 2,
                        "SubdivisionAlgorithm": 0, "Smoothing": 10}.items():
        gmsh.option.setNumber("Mesh." + name, value)
    gmsh.model.addPhysicalGroup(2, [2], 1, "insert")
    gmsh.model.addPhysicalGroup(2, [3], 2, "plate")
    for number, (name, box) in enumerate({"left": (0, 0, 0, 1), "right": (2, 0, 2, 1)}.items(), 1):
        x0, y0, x1, y1 = box
        curves = gmsh.model.getEntitiesInBoundingBox(x0 - 0.01, y0 - 0.01, -1, x1 + 0.01, y1 + 0.01, 1, 1)
        gmsh.model.addPhysicalGroup(1, [tag for _, tag in curves], number, name)
    outside = {tag for y in (0, 1)
               for _, tag in gmsh.model.getEntitiesInBoundingBox(-0.01, y - 0.01, -1, 2.01, y + 0.01, 1, 1)}
    gmsh.model.addPhysicalGroup(1, sorted(outside), 3, "edges")
    gmsh.model.mesh.generate(2)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.write(str(pathlib.Path(__file__).parents[3] / "examples" / "plate.msh"))


def channel():
    """Meshes a channel with periodic ends and an insert."""
    gmsh.clear()
    cad = gmsh.model.occ
    cad.fragment([(2, cad.addRectangle(0, 0, 0, 1, 1))], [(2, cad.addDisk(0.5, 0.5, 0, 0.2, 0.2))])
    cad.synchronize()

    def curves(x0, y0, x1, y1):
        box = (x0 - 0.01, y0 - 0.01, -1, x1 + 0.01, y1 + 0.01, 1)
        return [tag for _, tag in gmsh.model.getEntitiesInBoundingBox(*box, 1)]

    gmsh.model.mesh.setPeriodic(1, curves(1, 0, 1, 1), curves(0, 0, 0, 1),
                                [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    for name, value in {"MeshSizeMax": 2, "MeshSizeExtendFromBoundary": 0, "RecombineAll": 1, "Algorithm": 8, "SubdivisionAlgorithm": 1,
                        "ElementOrder": 2, "SecondOrderIncomplete": 0}.items():
        gmsh.option.setNumber("Mesh." + name, value)
    gmsh.model.addPhysicalGroup(2, [tag for _, tag in gmsh.model.getEntities(2)], 1, "all")
    gmsh.model.addPhysicalGroup(1, curves(0, 0, 1, 0) + curves(0, 1, 1, 1), 1, "walls")
    gmsh.model.addPhysicalGroup(1, curves(0, 0, 0, 1) + curves(1, 0, 1, 1), 2, "ends")
    gmsh.model.mesh.generate(2)


def turned_box(dimensions, order, discontinuous):
    """Returns a curved box of randomly rotated elements."""
    random.seed(7)
    around = [0, 1, 3, 2, 4, 5, 7, 6][: 2**dimensions]
    rotations = []
    for along in itertools.permutations(range(dimensions)):
        swaps = sum(along[j] > along[i] for i in range(dimensions) for j in range(i))
        for flips in range(2**dimensions):
            if (swaps + bin(flips).count("1")) % 2 == 0:
                rotations.append((along, flips))
    text = f"MFEM mesh v1.0\n\ndimension\n{dimensions}\n\nelements\n{2**dimensions}\n"
    for element in itertools.product(range(2), repeat=dimensions):
        along, flips = random.choice(rotations)
        vertices = []
        for corner in around:
            at = list(element)
            for k in range(dimensions):
                bit = (corner >> k ^ flips >> k) & 1
                at[along[k]] += bit
            vertices.append(sum(x * 3**k for k, x in enumerate(at)))
        text += f"1 {3 if dimensions == 2 else 5} " + " ".join(map(str, vertices)) + "\n"
    sides = []
    for across in range(dimensions):
        others = [k for k in range(dimensions) if k != across]
        for end, cell in itertools.product((0, 2), itertools.product(range(2), repeat=dimensions - 1)):
            corners = [(0,), (1,)] if dimensions == 2 else [(0, 0), (1, 0), (1, 1), (0, 1)]
            first = end * 3**across
            numbers = [first + sum((x + c) * 3**k for x, c, k in zip(cell, corner, others)) for corner in corners]
            sides.append(f"{across + 1} {1 if dimensions == 2 else 3} " + " ".join(map(str, numbers)) + "\n")
    text += f"\nboundary\n{len(sides)}\n{''.join(sides)}\nvertices\n{3**dimensions}\n{dimensions}\n"
    for vertex in range(3**dimensions):
        text += " ".join(str(vertex // 3**k % 3 / 2) for k in range(dimensions)) + "\n"
    straight = folder / "straight.mesh"
    straight.write_text(text)
    mesh = mfem.Mesh(str(straight), 1, 1)
    straight.unlink()
    mesh.SetCurvature(order, discontinuous, dimensions, 0 if discontinuous else 1)
    nodes = mesh.GetNodes()
    values = nodes.GetDataArray()
    count = len(values) // dimensions
    for i in range(count):
        places = [i * dimensions + k if nodes.FESpace().GetOrdering() == 1 else i + k * count for k in range(dimensions)]
        bump = 0.1 * math.prod(math.sin(math.pi * values[p]) for p in places)
        for p in places:
            values[p] += bump
    return mesh


def solved(mesh, order, conditions):
    """Returns unknowns and compliance; u = 0 on boundary attributes 1 .. conditions."""
    collection = mfem.H1_FECollection(order, mesh.Dimension())
    space = mfem.FiniteElementSpace(mesh, collection)
    fixed = mfem.intArray()
    marked = mfem.intArray(mesh.bdr_attributes.Max())
    marked.Assign(0)
    for attribute in range(conditions):
        marked[attribute] = 1
    space.GetEssentialTrueDofs(marked, fixed)
    nodes = mesh.GetNodes()
    geometry = nodes.FESpace().GetMaxElementOrder() if nodes else 1
    rule = mfem.IntRules.Get(mesh.GetElementBaseGeometry(0), 2 * max(order + 2, geometry + 1) - 1)
    source = mfem.DomainLFIntegrator(mfem.ConstantCoefficient(1.0))
    source.SetIntRule(rule)
    b = mfem.LinearForm(space)
    b.AddDomainIntegrator(source)
    b.Assemble()
    diffusion = mfem.DiffusionIntegrator(mfem.ConstantCoefficient(1.0))
    diffusion.SetIntRule(rule)
    a = mfem.BilinearForm(space)
    a.AddDomainIntegrator(diffusion)
    a.Assemble()
    u = mfem.GridFunction(space)
    u.Assign(0.0)
    matrix, x, right = mfem.OperatorPtr(), mfem.Vector(), mfem.Vector()
    a.FormLinearSystem(fixed, u, b, matrix, x, right)
    solver = mfem.CGSolver()
    solver.SetRelTol(1e-14)
    solver.SetMaxIter(5000)
    solver.SetPrintLevel(0)
    solver.SetOperator(matrix.Ptr())
    solver.Mult(right, x)
    a.RecoverFEMSolution(x, b, u)
    return f"{space.GetVSize() - fixed.Size()} {b(u):.12e}"


def figures(name, conditions=None):
    mesh = mfem.Mesh(str(folder / name), 1, 1)
    conditions = conditions or mesh.bdr_attributes.Max()
    nodes = mesh.GetNodes()
    order = nodes.FESpace().GetMaxElementOrder() if nodes else 1
    sides = {}
    for i in [i for i in range(mesh.GetNBE()) if mesh.GetBdrAttribute(i) <= conditions]:
        sides[mesh.GetBdrAttribute(i)] = sides.get(mesh.GetBdrAttribute(i), 0) + 1
    counts = ",".join(f"{attribute}:{sides[attribute]}" for attribute in sorted(sides))
    return f"{name} {mesh.GetNE()} {order} {counts} {solved(mesh, max(order, 2), conditions)} {solved(mesh, 1, conditions)}"


gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
lines = []
for dimensions, order, kept in ((2, 1, [(2.2, 0)]), (2, 3, [(2.2, 1), (4.1, 0)]), (3, 2, [(4.1, 1)])):
    gmsh_mesh(dimensions, order)
    stem = f"ellipse-{dimensions}d-order{order}"
    save(f"{stem}.msh", 2.2, 0)
    of_mfem = figures(f"{stem}.msh").split(" ", 1)[1]  # (MFEM reads format 2.2 only)
    (folder / f"{stem}.msh").unlink()
    for version, binary in kept:
        name = f"{stem}-{version}-{'binary' if binary else 'text'}.msh"
        save(name, version, binary)
        lines.append(f"{name} {of_mfem}")
    if dimensions == 3:  # same geometry: no loss at order 2
        gmsh_mesh(dimensions, order, serendipity=True)
        save("ellipse-3d-serendipity.msh", 4.1, 0)
        lines.append(f"ellipse-3d-serendipity.msh {of_mfem}")
for dimensions, order, discontinuous in ((2, 3, False), (3, 3, False), (2, 4, True)):
    name = f"turned-{dimensions}d-{'l2' if discontinuous else 'h1'}-order{order}.mesh"
    turned_box(dimensions, order, discontinuous).Save(str(folder / name), 16)
    lines.append(figures(name))
plate()
gmsh_box(4)
save("box-3d-order4-2.2-text.msh", 2.2, 0)
lines.append(figures("box-3d-order4-2.2-text.msh"))
for name, make in (("l2-gauss", lambda: mfem.L2_FECollection(3, 2, mfem.BasisType.GaussLegendre)),
                   ("h1-uniform", lambda: mfem.H1_FECollection(3, 2, mfem.BasisType.ClosedUniform))):
    mesh = turned_box(2, 3, False)
    collection = make()
    space = mfem.FiniteElementSpace(mesh, collection, 2)
    mesh.SetNodalFESpace(space)
    mesh.Save(str(folder / f"turned-2d-{name}-order3.mesh"), 16)
    lines.append(figures(f"turned-2d-{name}-order3.mesh"))
channel()
save("channel-2.2-text.msh", 2.2, 0)
save("channel-4.1-binary.msh", 4.1, 1)
of_mfem = figures("channel-2.2-text.msh", conditions=1).split(" ", 1)[1]
of_channel = folder / "channel-l2-order2.mesh"
mfem.Mesh(str(folder / "channel-2.2-text.msh"), 1, 1).Save(str(of_channel), 16)
before, sides = of_channel.read_text().split("boundary\n", 1)  # (MFEM keeps the ends as interior boundaries)
count, sides = sides.split("\n", 1)
sides, after = sides.split("\n\n", 1)
sides = [side for side in sides.split("\n") if side.startswith("1 ")]
of_channel.write_text(f"{before}boundary\n{len(sides)}\n" + "\n".join(sides) + "\n\n" + after)
for name in ("channel-2.2-text.msh", "channel-4.1-binary.msh", "channel-l2-order2.mesh"):
    lines.append(f"{name} {of_mfem}")
(folder / "figures.txt").write_text("\n".join(lines) + "\n")
print("\n".join(lines))
