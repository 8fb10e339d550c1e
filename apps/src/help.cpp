// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <string_view>

#include "failure.hpp"

namespace kolam::app {
namespace {

constexpr std::string_view kokkos_help =
    "Options that begin with --kokkos- go to Kokkos (--kokkos-num-threads=4, "
    "--kokkos-device-id=0):\n"
    "see kolam --kokkos-help.\n";

constexpr std::string_view decomposition_help =
    "--decomposition: auto (the cheapest halos), stripes or tiles (2D), slabs, pencils or blocks "
    "(3D),\n"
    "or PxQ or PxQxR subdomains along x, y and z, of all processes together. The field does not "
    "depend\n"
    "on it. Under mpiexec every process takes its share: mpiexec -np 4 kolam jacobi.\n\n";

constexpr std::string_view csv_help =
    "Columns of -csv, the first six as in NVIDIA's multi-GPU Jacobi samples:\n"
    "  kolam_BACKEND, nx, ny, niter, nccheck, seconds,\n"
    "  precision, iterations done, status, last norm, T_eff in GB/s, T_peak in GB/s,\n"
    "  nz (0 in two dimensions)\n\n";

}  // namespace

std::string program_footer() {
  std::string text =
      "Examples:\n"
      "  kolam info --bandwidth           what this machine has, and how fast its memory is\n"
      "  kolam jacobi                     4096 x 4096 points, 1000 steps, fastest backend\n"
      "  kolam diffusion -nx 512 -ny 512 -nz 512\n"
      "  kolam heat --deck tea.in         implicit steps, multigrid, TeaLeaf's problem\n"
      "  kolam poisson --order 4 -n 16    finite elements, p-multigrid, and the error\n"
      "  kolam mesh plate.msh             describes a mesh of Gmsh, MFEM or VTK\n"
      "  kolam poisson --mesh plate.msh   finite elements on it\n"
      "  kolam elasticity --help          materials, supports and loads on a mesh\n"
      "  kolam jacobi --help              everything about one command\n\n"
      "Environment:\n"
      "  KOLAM_TRACE           1: a table of transfers on stderr at the end; else a file for JSON\n"
      "  KOLAM_POOL            0: memory returns to the system when its array is destroyed\n"
      "  KOLAM_EMULATE_DEVICE  1: emulates a device with memory of its own\n"
      "  KOLAM_STRICT          1: the same, and every access that no intent allows is an error\n"
      "  KOLAM_NOTES           off: no notes on stderr, such as those on slow kernels\n\n";
  return text.append(kokkos_help).append("\n").append(exit_code_help);
}

std::string info_footer() {
  std::string text =
      "Examples:\n"
      "  kolam info\n"
      "  kolam info --bandwidth\n"
      "  kolam info --json - | python3 -m json.tool\n\n";
  return text.append(kokkos_help).append("\n").append(exit_code_help);
}

std::string jacobi_footer() {
  std::string text =
      "The problem: columns 0 and nx-1 are fixed at sin(2 pi iy / (ny-1)), all other points\n"
      "start at zero; periodic in y over rows 1 .. ny-2. Each step replaces every interior\n"
      "point by the average of its four neighbours. The norm of a step is sqrt(sum over\n"
      "interior points of (new - old)^2). T_eff is the memory traffic that a step cannot avoid,\n"
      "per second. T_peak is the machine's; it is measured after the solve if it is shown,\n"
      "unless --t-peak gives it.\n\n"
      "Examples:\n"
      "  kolam jacobi -nx 16384 -ny 16384 -niter 1000\n"
      "  kolam jacobi -nx 256 -ny 256 -niter 100000 -tol 1e-6 --precision double\n"
      "  kolam jacobi --precision double --image field.png\n"
      "  kolam jacobi --steps-per-pass auto --subdomains 4 --decomposition 2x2\n"
      "  kolam jacobi --json - | python3 -m json.tool\n\n";
  return text.append(decomposition_help)
      .append(csv_help)
      .append(kokkos_help)
      .append("\n")
      .append(exit_code_help);
}

std::string diffusion_footer() {
  std::string text =
      "The problem: Cp dT/dt = laplace(T) on a box of 10 x 10 (x 10) by explicit steps. T\n"
      "starts as two Gaussians and is fixed at the boundary; Cp is 1 plus two Gaussians. The\n"
      "time step is the largest stable one. T_eff counts T in and out and 1 / Cp in: three\n"
      "fields a step.\n\n"
      "Examples:\n"
      "  kolam diffusion -nx 4096 -ny 4096 -niter 1000 --image heat.png\n"
      "  kolam diffusion -nx 512 -ny 512 -nz 512 -niter 100 --precision double\n\n";
  return text.append(decomposition_help)
      .append(csv_help)
      .append(kokkos_help)
      .append("\n")
      .append(exit_code_help);
}

std::string heat_footer() {
  std::string text =
      "The problem: du/dt = div(k grad u) on a box of cells, without flux through its sides. u\n"
      "is density times energy at the start; k is 1 / density, at faces the mean of both cells.\n"
      "Without --deck it is TeaLeaf's default problem: 10 x 10 with a bar of heated light\n"
      "material in a heavy one. Every step solves a linear system, starting from u at the old\n"
      "time:\n"
      "  cg         conjugate gradients\n"
      "  chebyshev  Chebyshev iteration\n"
      "  ppcg       conjugate gradients with a polynomial as preconditioner\n"
      "  mg         conjugate gradients with multigrid\n"
      "A deck sets solver, tolerance and steps; options override it. Its temperature is the sum\n"
      "over cells of volume times density times u. The norm of a step is that of its change of\n"
      "u. T_eff counts u and k in and A u out for each application of the operator.\n"
      "Each process uses one device; under mpiexec every process takes its share.\n\n"
      "Examples:\n"
      "  kolam heat --image heat.png\n"
      "  kolam heat -nx 4000 -ny 4000 -niter 10 --json -\n"
      "  kolam heat --deck tea.in --solver ppcg\n"
      "  mpiexec -np 4 kolam heat -nx 512 -ny 512 -nz 64 --time-scheme crank-nicolson\n\n";
  return text.append(decomposition_help)
      .append(csv_help)
      .append(kokkos_help)
      .append("\n")
      .append(exit_code_help);
}

std::string poisson_footer() {
  std::string text =
      "The operators, on the box (0, 1)^dim with Gauss-Lobatto nodes and order + 2 Gauss points in "
      "each\n"
      "direction. bp1 to bp6 are the bake-off problems of CEED:\n"
      "  bp1, bp2    mass, of scalars and of vectors; no boundary condition\n"
      "  bp3, bp4    -laplace(u), of scalars and of vectors; u = 0 on all sides\n"
      "  bp5, bp6    the same, with points at the nodes (Gauss-Lobatto, collocated)\n"
      "  poisson     -laplace(u), u given on all sides (0 unless the solution is manufactured)\n"
      "  helmholtz   -laplace(u) + u, in the same way\n"
      "The right-hand sides: one is f = 1; expxyz is f = exp(x + 2y + 3z); manufactured is that\n"
      "of a product of sines, for which errors are computed. --map sine moves nodes by\n"
      "0.1 sin(pi x) sin(pi y) sin(pi z) in every direction: elements become curved, and the\n"
      "box keeps its shape. --geometry affine and trilinear read a few numbers for each element\n"
      "instead of some for each point, and need elements of that shape. automatic: affine if\n"
      "all elements are affine, otherwise stored.\n"
      "--mesh reads a mesh of quadrilaterals or hexahedra (see kolam mesh --help). u is 0 on\n"
      "its boundaries, or on those of --dirichlet. The other boundaries have no flux, or the\n"
      "flux A u if they are in --robin. A name or a number stands for an attribute: --dirichlet\n"
      "wall,3 --robin top=0.5 --coefficient steel=50,2=0.1.\n"
      "Each GPU, or under mpiexec each process, takes a part of the elements. --decomposition\n"
      "cuts a box: auto, stripes or tiles (2D), slabs, pencils or blocks (3D), or PxQ or PxQxR\n"
      "parts along x, y and z. --partition cuts a mesh.\n\n"
      "Examples:\n"
      "  kolam poisson --order 4 -n 16 --image u.png\n"
      "  kolam poisson --dim 2 --order 6 -n 32 --map sine --output u.vtkhdf\n"
      "  kolam poisson --operator bp5 --order 7 -n 20 --precond none --rhs expxyz --json -\n"
      "  kolam poisson --mesh plate.msh --order 4 --refine 2 --output u.vtkhdf\n"
      "  mpiexec -np 4 kolam poisson --order 4 -n 32\n\n";
  return text.append(kokkos_help).append("\n").append(exit_code_help);
}

std::string elasticity_footer() {
  std::string text =
      "Solves -div(sigma) = f with sigma = lambda div(u) I + mu (grad u + grad u^T) in a body\n"
      "of one or several isotropic materials; in two dimensions with plane strain. For Young's\n"
      "modulus E and Poisson's ratio nu, lambda is E nu / (1 + nu) / (1 - 2 nu), and mu is\n"
      "E / 2 / (1 + nu).\n"
      "Attributes and boundaries are numbers or names of the mesh (kolam mesh FILE lists them).\n"
      "Give --material, --fix and --traction once for each. energy is the work of the loads.\n"
      "Each GPU, or under mpiexec each process, takes a part of the mesh.\n\n"
      "Examples:\n"
      "  kolam elasticity --mesh beam.mesh --material 1=50,50 --material 2=1,1 --fix 1 \\\n"
      "    --traction 2=0,0,-0.01\n"
      "  kolam elasticity --mesh arch.msh --material rock=2,1.5 --fix base --fix symmetry:x \\\n"
      "    --body-force 0,0,-9.81 --order 3 --output arch.vtkhdf\n\n";
  return text.append(kokkos_help).append("\n").append(exit_code_help);
}

std::string mesh_footer() {
  std::string text =
      "FILE is a mesh of quadrilaterals or hexahedra: of Gmsh (2.2 or 4.1, orders 1 to 10),\n"
      "MFEM (v1.0 or v1.3) or VTK (VTU or legacy; the cell array 'attribute'). The scaled\n"
      "Jacobian of an element is 1 for a box, and 0 for an element that is flat at a node.\n"
      "--refine halves elements in each direction, along their curves. --output writes the\n"
      "elements in the order of a Hilbert curve.\n\n"
      "Examples:\n"
      "  kolam mesh plate.msh\n"
      "  kolam mesh plate.msh --refine 2 --output fine.mesh\n"
      "  kolam mesh plate.msh --json - | python3 -m json.tool\n\n";
  return text.append(exit_code_help);
}

}  // namespace kolam::app
