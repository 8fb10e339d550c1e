// SPDX-License-Identifier: Apache-2.0
// Operators of finite elements in three dimensions, CEED's bake-off problems, on a box of equal
// parallelepipeds without boundary conditions.
//
//   elements/<bp>-<geometry>-p<order>/<precision>/<unknowns, about>/<backend>[/kokkos-kernels]
//       y = A x: y is set to zero, then added to; baseline: the assembled matrix
//   elements/<bp>-<geometry>-p<order>-kernel/...
//       values of elements to values of elements
//
// <bp>: bp1, bp3, bp5; bp2, bp4, bp6 for vectors. <geometry>: stored data of every point, or
// computed from an affine or a trilinear map of each element. bytes: the bytes that must move: x
// once, y zeroed, read and written, numbers of nodes, data. y must agree with the kernel for any
// size, and between all geometries and backends in a run.
#ifdef KOLAM_BENCHMARK_KOKKOS_KERNELS
#include <kolam/fem/assemble.hpp>
#endif

#include "element_problem.hpp"

namespace kolam::benchmarks {

// Computes y += A x by the kernel for elements of any size, on stored geometry.
template <class T, class Exec>
void apply_any(const ElementWork& work, const Space<T, Exec>& space,
               const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) {
  with_form(work, [&](const auto& form) {
    detail::RunTimeMatrices<T, Exec> matrices(space.exec, space.basis);
    const auto f =
        on_stored<3>(space.exec, space.basis, space.nodes, space.coordinates->read(space.exec),
                     fem::detail::physics_of<3>(form));
    const auto a = detail::make_operator<3, T, Exec>(space.exec, space.basis, f, space.dofs,
                                                     space.dofs, &matrices);
    a.apply_add(x, y);
    space.exec.fence("the matrices end here");
  });
}

Work counted(const ElementWork& work, bool kernel) {
  const double numbers = 4 * work.nodes_of_elements();
  const auto value = static_cast<double>(work.value);
  const double vectors = kernel ? 2 * value * work.nodes_of_elements() * work.components()
                                : 4 * value * work.dofs() + numbers;
  return {vectors + work.bytes_of_data(), work.flop(), work.dofs()};
}

template <class T, class Exec>
Timed prepare(const ElementWork& work, bool kernel) {
  const Exec exec{};
  const Space<T, Exec> space = space_of<T>(exec, work);
  const fem::Operator<T, 3, Exec> a = operator_of(space, work);
  const auto in_elements = element_values<T, Exec>(3, work.order + 1, space.elements());
  const index_t size = (kernel ? in_elements : space.dofs).entries * a.components();
  const linear::Vector<T, Exec> x =
      kernel ? zeros<T>(exec, "x", size) : rough_vector<T>(exec, space, a.components());
  const linear::Vector<T, Exec> y = zeros<T>(exec, "y", size);
  if (!kernel) {
    if constexpr (std::is_same_v<T, double>) {
      apply_any<T>(work, space, x, y);
      check(subject_of(work), sum_of_squares<T>(exec, y), tolerance<T>);
    }
    a.apply(x, y);
    check(subject_of(work), sum_of_squares<T>(exec, y), tolerance<T>);
  }
  const ElementOperator<T, Exec> inner = a.plan(in_elements, in_elements);
  return [=](benchmark::State& state) {
    measure(state, exec, counted(work, kernel), [&] {
      if (kernel) {
        inner.apply_add(x, y);
      } else {
        a.apply(x, y);
      }
    });
    state.counters["order"] = work.order;
  };
}

template <class Exec>
void add_matrix([[maybe_unused]] const ElementWork& work, [[maybe_unused]] const Name& as) {
#ifdef KOLAM_BENCHMARK_KOKKOS_KERNELS
  Name name = as;
  name.baseline = "kokkos-kernels";
  add(name, [=] {
    using T = double;
    const Exec exec{};
    const Space<T, Exec> space = space_of<T>(exec, work);
    const linear::AssembledMatrix<T, Exec> a = assemble(operator_of(space, work));
    const linear::Vector<T, Exec> x = rough_vector<T>(exec, space, 1);
    const linear::Vector<T, Exec> y = zeros<T>(exec, "y", space.dofs.entries);
    a.apply(x, y);
    check(subject_of(work), sum_of_squares<T>(exec, y), tolerance<T>);
    const auto numbers = static_cast<double>(a.values().extent(0));
    const Work of_matrix{12 * numbers + 24 * work.dofs(), 2 * numbers, work.dofs()};
    return [=](benchmark::State& state) {
      measure(state, exec, of_matrix, [&] { a.apply(x, y); });
      state.counters["order"] = work.order;
    };
  });
#endif
}

template <class T, class Exec>
void add_problem(const ElementWork& work, index_t dofs) {
  const Name name{"elements", work.text(), precision<T>, dofs, backend_of<Exec>};
  // (The product is about the matrix' entries; more take minutes and gigabytes to assemble.)
  if (std::is_same_v<T, double> && work.components() == 1 &&
      work.geometry == fem::Geometry::stored &&
      std::pow(work.order + 2, 3) * static_cast<double>(dofs) < 3e7) {
    add_matrix<Exec>(work, name);
  }
  add(name, [=] { return prepare<T, Exec>(work, false); });
  Name kernel = name;
  kernel.variant += "-kernel";
  if (options().scale != Scale::quick) add(kernel, [=] { return prepare<T, Exec>(work, true); });
}

template <class T, class Exec>
void add_geometries(ElementWork work, index_t dofs, bool all) {
  work.n = elements_across(dofs, work.components(), work.order);
  add_problem<T, Exec>(work, dofs);
  if (!all) return;
  for (const auto geometry : {fem::Geometry::affine, fem::Geometry::trilinear}) {
    work.geometry = geometry;
    add_problem<T, Exec>(work, dofs);
  }
}

template <class Exec>
void add_backend() {
  const std::vector<index_t> sizes = unknowns_to_measure<Exec>();
  const index_t main_size = sizes[has_block_threads<Exec> ? sizes.size() - 1 : sizes.size() / 2];
  const bool quick = options().scale == Scale::quick;
  for (const int order : orders_of_build({2, 4})) {
    for (const index_t dofs : sizes) {
      const bool all = dofs == main_size;
      const auto work = [&](fem::PoissonProblem problem, std::size_t value) {
        return ElementWork{problem, fem::Geometry::stored, order, 1, value};
      };
      for (const auto problem :
           {fem::PoissonProblem::bp1, fem::PoissonProblem::bp3, fem::PoissonProblem::bp5}) {
        if (!work(problem, 8).compiled()) continue;
        add_geometries<double, Exec>(work(problem, 8), dofs, all);
        if (all && (!quick || problem == fem::PoissonProblem::bp3))
          add_geometries<float, Exec>(work(problem, 4), dofs, !quick);
      }
      for (const auto problem :
           {fem::PoissonProblem::bp2, fem::PoissonProblem::bp4, fem::PoissonProblem::bp6}) {
        if (!work(problem, 8).compiled() || !all) continue;
        if (quick && (problem != fem::PoissonProblem::bp4 || order != 4)) continue;
        add_geometries<double, Exec>(work(problem, 8), dofs, !quick);
      }
    }
  }
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) { add_backend<Exec>(); });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
