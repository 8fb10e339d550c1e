// SPDX-License-Identifier: Apache-2.0
// The code samples in the docstrings of public headers.
#include <array>
#include <cmath>
#include <kolam/kolam.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace docstrings {

using Exec = Kokkos::DefaultExecutionSpace;

// core

template <class E>
void solve(const E& exec, int n) {
  kolam::forall(exec, "nothing", n, KOKKOS_LAMBDA(kolam::index_t){});
}

void backend_by_name() {
  kolam::with_backend(kolam::parse_backend("openmp"), [&](const auto& exec) { solve(exec, 1); });
}

void flat_loops(const Exec& exec, kolam::index_t n, const Kokkos::View<double*>& x,
                const Kokkos::View<double*>& y) {
  kolam::forall(exec, "scale", n, KOKKOS_LAMBDA(kolam::index_t i) { y(i) *= x(i); });
  double product = kolam::reduce<Kokkos::Prod<double>>(
      exec, "product", n, 1.0, KOKKOS_LAMBDA(kolam::index_t i, double& value) { value *= x(i); });
  double dot = kolam::sum<double>(
      exec, "dot", n, KOKKOS_LAMBDA(kolam::index_t i, double& sum) { sum += x(i) * y(i); });
  double lowest = kolam::min<double>(
      exec, "lowest", n,
      KOKKOS_LAMBDA(kolam::index_t i, double& least) { least = Kokkos::min(least, x(i)); });
  static_cast<void>(product + dot + lowest);
}

using Plane = Kokkos::View<double**, Kokkos::LayoutLeft>;
void box_loop(const Exec& exec, kolam::index_t nx, kolam::index_t ny, const Plane& x,
              const Plane& y) {
  kolam::for_each(
      exec, "five points", kolam::Box<2>{{{1, nx - 1}, {1, ny - 1}}},
      KOKKOS_LAMBDA(kolam::index_t i, kolam::index_t j) {
        y(i, j) = 4 * x(i, j) - x(i - 1, j) - x(i + 1, j) - x(i, j - 1) - x(i, j + 1);
      });
}

struct Shared {
  double u[8][8];
};
void block_loop(const Exec& exec, kolam::index_t n) {
  kolam::forall_2d(
      exec, "contract", n, {8, 8}, kolam::Scratch<Shared>{},
      KOKKOS_LAMBDA(const kolam::Block<Exec>& block, Shared& s, kolam::index_t e) {
        block.foreach_y(8, [&](int j) {
          block.foreach_x(8, [&](int i) { s.u[j][i] = static_cast<double>(e); });
        });
      });
}

using kolam::SourceLocation;
void f(SourceLocation where = SourceLocation::current());

void advance(int step);
void write_checkpoint(const char* path);
void until_a_signal(int step, int last) {
  const kolam::StopRequest stop;
  while (step < last && !stop.requested()) advance(step++);
  if (stop.requested()) write_checkpoint("run.h5");
}

// memory

void intents(const Exec& exec, kolam::index_t n, kolam::index_t nx, kolam::index_t ny) {
  kolam::Array<double> u("u", n);
  auto x = u.write(kolam::host);
  auto y = u.read(exec);
  auto z = u.read_write(kolam::device);
  auto p = u.write(kolam::host, {3, 5});
  kolam::Array<float, 2> a("a", {nx, ny});
  auto b = a.read(exec);
}

void aliases(kolam::Array<double>& u, kolam::Array<float, 2>& a, kolam::index_t n,
             kolam::index_t nx, kolam::index_t p, kolam::index_t q) {
  kolam::Array<double> v = u.alias({10, 20});
  auto every_third = u.alias({0, n}, 3);
  auto edge = a.alias({{{0, nx}, {0, 1}}});
  kolam::Array<double, 2> w = reshape(u, p, q);
}

void send(const double* values, kolam::index_t n);
void both_sides(kolam::Array<double>& u, kolam::index_t n) {
  const auto x = u.read(kolam::device);
  const kolam::BothSides scope;
  send(x.data(), n);
}
void budget(std::uint64_t steps) {
  const kolam::TransferBudget budget{.host_to_device = 0, .device_to_host = 8 * steps};
}

// kernels

void sums_over_vectors(const Exec& exec, kolam::index_t n, const Kokkos::View<double*>& x,
                       const Kokkos::View<double*>& y) {
  const kolam::VectorSums<2, Exec> sums(exec, n);
  const auto [xy, xx] = sums.of(
      "dots", KOKKOS_LAMBDA(kolam::index_t i, double(&s)[2]) {
        s[0] += x(i) * y(i);
        s[1] += x(i) * x(i);
      });
  static_cast<void>(xy + xx);
}

std::array<double, 2> sums_over_boxes(const Exec& exec, const kolam::Box<2>& box, double area,
                                      const Kokkos::View<double**, Kokkos::LayoutLeft>& density,
                                      const Kokkos::View<double**, Kokkos::LayoutLeft>& u) {
  const kolam::BoxSums<2, 2, Exec> sums(exec, box);
  const auto [volume, energy] = sums.of(
      "summary", KOKKOS_LAMBDA(kolam::index_t i, kolam::index_t j, double(&s)[2]) {
        s[0] += area;
        s[1] += area * density(i, j) * u(i, j);
      });
  return {volume, energy};
}

// solvers

void several_devices(const kolam::fem::PoissonOptions& options) {
  kolam::comm::on_devices<Exec>(kolam::devices<Exec>(), [&](const Exec& exec, const auto& all) {
    kolam::fem::PoissonOptions mine = options;
    mine.communicator = all;
    const auto solution = kolam::fem::solve_poisson<double>(exec, mine);
  });
}

auto materials(const Exec& exec, const kolam::fem::FunctionSpace<double, 3, Exec>& space,
               const kolam::fem::Mesh<3>& mesh) {
  const kolam::fem::Diffusion conduction{
      kolam::fem::per_attribute<double>(exec, mesh, {{"steel", 50.0}, {"foam", 0.02}})};
  return kolam::fem::Operator(space, conduction);
}

void subdomain_field(const Exec& exec, kolam::index_t nx, kolam::index_t ny) {
  kolam::grid::Field<double, 2> u("u", kolam::field_layout<2>({nx, ny}, 1, sizeof(double)));
  auto all = u.write(exec);                                 // View<double*>: [layout.size]
  auto points = kolam::grid::with_ghosts(u.layout(), all);  // View<double**, LayoutLeft>
  Kokkos::deep_copy(points, 0.0);
}

template <class View>
struct Scale {
  View x;
  KOKKOS_FUNCTION void operator()(kolam::index_t i, kolam::index_t j) const { x(i, j) *= 2; }
};

double interior_of_a_field(const Exec& exec, kolam::grid::Field<double, 2>& u, kolam::index_t ny) {
  auto u_points = kolam::grid::interior(u.layout(), u.read_write(exec));
  kolam::for_each(exec, "scale", u.layout().all(), Scale{u_points});
  auto last_row =
      kolam::grid::row(u.layout(), u.read(kolam::host), ny - 1);  // View<const double*>: [nx]
  return last_row(0);
}

void interior(const Exec& exec);
void halos(kolam::grid::HaloExchange<2, Exec>& halo,
           const kolam::grid::HaloExchange<2, Exec>::Fields<double>& u, const Exec& beside) {
  halo.start<double>(u);
  interior(beside);
  halo.finish();
  interior(beside);
}

// io

void checkpoints(const std::filesystem::path& path, const kolam::CheckpointHeader& header,
                 const std::shared_ptr<const kolam::grid::HostField<double>>& copy,
                 std::vector<kolam::comm::FieldBlocks<double, 3>> (*fields_of)(
                     const kolam::grid::HostField<double>&)) {
  kolam::AsyncCheckpoint checkpoints;
  advance(1);
  checkpoints.write(path, header, fields_of(*copy), copy);
  advance(2);
  checkpoints.wait();
}

void read_a_checkpoint(kolam::index_t nx, kolam::index_t ny, kolam::index_t pitch,
                       const kolam::Box<2>& box, std::vector<double>& u) {
  kolam::CheckpointReader checkpoint("run.h5");
  checkpoint.require<double>({.program = "jacobi", .extents = {nx, ny}});
  checkpoint.read<2>("u", box, u.data(), {pitch});
}

void picture(const kolam::Array<float>& field, kolam::index_t nx, kolam::index_t ny,
             kolam::index_t pitch) {
  kolam::write_image("field.png", field.read(kolam::host).data(), nx, ny, pitch);
}

// Code in the opening comments of headers

struct Smooth {
  static constexpr int dimensions = 2;
  template <class U>
  KOKKOS_FUNCTION auto operator()(const U& u) const {
    return (u.left() + u.right() + u.below() + u.above()) / 4;
  }
};
void smooth(const kolam::comm::Decomposition<2>& grid) {
  kolam::grid::StencilSolver solver(kolam::make_instances<Exec>(1), Smooth{}, grid);
}

template <class T, class Exec>
struct Reaction {  // (c u, v)
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::values;
  static constexpr auto writes = kolam::Evaluation::values;
  kolam::QuadratureData<T, 1, Exec> data;  // c times weight times |det J|

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    at.value[0] = at.data[0] * at.value[0];
  }
};
// core/simd_math.hpp
template <class V>  // double, or Simd of it
KOKKOS_FUNCTION V viscosity(V shear) {
  return kolam::select(shear > 1e-6, kolam::pow(shear, -0.3), 60.0);
}
template KOKKOS_FUNCTION double viscosity(double);
template KOKKOS_FUNCTION kolam::Simd<double, 4> viscosity(kolam::Simd<double, 4>);

// kernels/element_operator.hpp
template <class EntryOf, class COfPoint>
void reaction(const Exec& exec, kolam::index_t elements, kolam::index_t n, const EntryOf& entry_of,
              const COfPoint& c_of_point, const kolam::linear::ConstVector<double, Exec>& x,
              const kolam::linear::Vector<double, Exec>& y) {
  const auto basis = kolam::gauss_element(3, 5);
  const auto map = kolam::element_restriction<double>(exec, 3, basis.d1d(), elements, n, entry_of);
  Reaction<double, Exec> reaction{kolam::quadrature_data<1>(exec, basis, map, c_of_point)};
  const auto a = kolam::element_operator<3>(exec, basis, reaction, map, map);
  a.apply_add(x, y);
}
// kernels/element_geometry.hpp
void laplace(const Exec& exec, const kolam::ElementBasis& basis,
             const kolam::ElementRestriction<double, Exec>& nodes,
             const kolam::linear::ConstVector<double, Exec>& coordinates,
             const kolam::linear::ConstVector<double, Exec>& x,
             const kolam::linear::Vector<double, Exec>& y) {
  const kolam::Diffusion<> laplace;
  const auto f =
      kolam::on_affine<3>(exec, basis, nodes, coordinates, laplace, kolam::Constant{1.0});
  kolam::apply_elements<3>(exec, basis, f, nodes, x, nodes, y);
}
// kernels/integrands.hpp
struct PowerLaw {  // (|grad u|^(p - 2) grad u, grad v), with |grad u|^2 + eps for |grad u|^2
  static constexpr int components = 1;
  static constexpr auto reads = kolam::Evaluation::gradients;
  static constexpr auto writes = kolam::Evaluation::gradients;
  double p, eps;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    const auto x = at.gradient[0][0], y = at.gradient[0][1];  // along the axes of space
    const auto factor = kolam::pow(x * x + y * y + eps, p / 2 - 1);
    at.gradient[0][0] = factor * x;
    at.gradient[0][1] = factor * y;
  }
};
static_assert(kolam::Physics<PowerLaw>);

using Direct = kolam::linear::Jacobi<double, Exec>;  // in the place of a direct solver
void coarsest_level(const kolam::fem::Operator<double, 3, Exec>& a) {
  auto m = kolam::fem::multigrid(a);
  m.solve_coarsest_by(kolam::linear::AnyApplicable(Direct(m.coarsest())));
}

}  // namespace docstrings
