#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts meshes of make.py to the VTK files of this folder, with VTK, and adds them to figures.txt.

Needs the packages gmsh and vtk. A VTK file has the figures of its Gmsh mesh.
"""

import pathlib
import re

import gmsh
import vtk

folder = pathlib.Path(__file__).parent
CELLS = {1: (vtk.vtkLagrangeCurve, 68), 2: (vtk.vtkLagrangeQuadrilateral, 70), 3: (vtk.vtkLagrangeHexahedron, 72)}
SIMPLE = {(1, 1): 3, (2, 1): 9, (3, 1): 12}
SERENDIPITY = {1: 21, 2: 23, 3: 25}
# Gmsh's index of each VTK node of the serendipity hexahedron of 20 nodes.
HEX20 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15]


def in_vtk_order(dimension, order, coordinates, old):
    """Returns Gmsh's index of each VTK node."""
    places = [[round((x + 1) / 2 * order) for x in coordinates[i:i + dimension]]
              for i in range(0, len(coordinates), dimension)]
    cell = CELLS[dimension][0]()
    result = [0] * len(places)
    for node, place in enumerate(places):
        if dimension == 1:
            at = {0: 0, order: 1}.get(place[0], place[0] + 1)
        else:
            at = cell.PointIndexFromIJK(*place, [order] * 3)
        result[at] = node
    if old and dimension == 3:  # the order before VTK 9
        n = order - 1
        a, b = 8 + 10 * n, 8 + 11 * n
        result[a:b + n] = result[b:b + n] + result[a:b]
    return result


def grid(name, attribute, old=False):
    gmsh.open(str(folder / name))
    result = vtk.vtkUnstructuredGrid()
    points = vtk.vtkPoints()
    points.SetDataTypeToDouble()
    tags, x, _ = gmsh.model.mesh.getNodes()
    used = set()
    groups = vtk.vtkIntArray()
    groups.SetName(attribute)
    cells = []
    largest = max(d for d, _ in gmsh.model.getEntities() if gmsh.model.mesh.getElements(d)[0].size)
    for dimension in (largest - 1, largest):
        for group_dimension, group in gmsh.model.getPhysicalGroups(dimension):
            for entity in gmsh.model.getEntitiesForPhysicalGroup(group_dimension, group):
                for kind, _, nodes in zip(*gmsh.model.mesh.getElements(dimension, entity)):
                    _, _, order, count, coordinates, _ = gmsh.model.mesh.getElementProperties(kind)
                    if count != (order + 1)**dimension:
                        to_vtk, vtk_kind = list(range(8)) if dimension == 2 else HEX20, SERENDIPITY[dimension]
                    else:
                        to_vtk = in_vtk_order(dimension, order, coordinates, old)
                        vtk_kind = SIMPLE.get((dimension, order), CELLS[dimension][1])
                    for e in range(0, len(nodes), count):
                        cells.append((vtk_kind, [nodes[e + i] for i in to_vtk], group))
                        used.update(nodes[e:e + count])
    number = {}
    for i, tag in enumerate(tags):
        if tag in used:
            number[tag] = points.InsertNextPoint(*x[3 * i:3 * i + 3])
    result.SetPoints(points)
    for kind, nodes, group in cells:
        result.InsertNextCell(kind, len(nodes), [number[n] for n in nodes])
        groups.InsertNextValue(group)
    result.GetCellData().AddArray(groups)
    return result


def xml(name, data, mode, compress=False, base64=False, wide=False):
    writer = vtk.vtkXMLUnstructuredGridWriter()
    writer.SetInputData(data)
    writer.SetFileName(str(folder / name))
    writer.SetDataMode({"ascii": 0, "binary": 1, "appended": 2}[mode])
    writer.SetEncodeAppendedData(base64)
    writer.SetHeaderTypeToUInt64() if wide else writer.SetHeaderTypeToUInt32()
    writer.SetCompressorTypeToZLib() if compress else writer.SetCompressorTypeToNone()
    writer.SetBlockSize(4096)
    writer.Write()


def legacy(name, data, version, binary):
    writer = vtk.vtkUnstructuredGridWriter()
    writer.SetInputData(data)
    writer.SetFileName(str(folder / name))
    writer.SetFileVersion(version)
    writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
    writer.Write()


gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
plane, rough = "ellipse-2d-order3-2.2-binary.msh", "ellipse-2d-order1-2.2-text.msh"
solid, box, incomplete = "ellipse-3d-order2-4.1-binary.msh", "box-3d-order4-2.2-text.msh", "ellipse-3d-serendipity.msh"
of = {}
xml("ellipse-2d-order1-text.vtu", grid(rough, "gmsh:physical"), "ascii")
of["ellipse-2d-order1-text.vtu"] = rough
xml("ellipse-2d-order3-zlib.vtu", grid(plane, "attribute"), "binary", compress=True)
of["ellipse-2d-order3-zlib.vtu"] = plane
xml("ellipse-3d-order2-raw-zlib.vtu", grid(solid, "medit:ref"), "appended", compress=True, wide=True)
of["ellipse-3d-order2-raw-zlib.vtu"] = solid
xml("box-3d-order4-base64.vtu", grid(box, "attribute"), "appended", base64=True)
of["box-3d-order4-base64.vtu"] = box
xml("box-3d-order4-old-binary.vtu", grid(box, "attribute", old=True), "binary")
path = folder / "box-3d-order4-old-binary.vtu"
path.write_text(re.sub(r'version="2.\d"', 'version="1.0"', path.read_text()))
of["box-3d-order4-old-binary.vtu"] = box
legacy("ellipse-3d-serendipity-5.1-binary.vtk", grid(incomplete, "MaterialIDs"), 51, True)
of["ellipse-3d-serendipity-5.1-binary.vtk"] = incomplete
legacy("ellipse-2d-order3-5.1-text.vtk", grid(plane, "attribute"), 51, False)
of["ellipse-2d-order3-5.1-text.vtk"] = plane
legacy("box-3d-order4-4.2-binary.vtk", grid(box, "attribute", old=True), 42, True)
of["box-3d-order4-4.2-binary.vtk"] = box
figures = folder / "figures.txt"
lines = [line for line in figures.read_text().splitlines() if ".vt" not in line]
known = dict(line.split(" ", 1) for line in lines)
lines += [f"{name} {known[mesh]}" for name, mesh in of.items()]
figures.write_text("\n".join(lines) + "\n")
print("\n".join(lines))
