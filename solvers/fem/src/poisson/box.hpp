// SPDX-License-Identifier: Apache-2.0
// Model problems on a box, compiled separately for each precision and dimension.
#pragma once

#include <kolam/comm/field_blocks.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <memory>
#include <vector>

#include "run.hpp"

namespace kolam::fem {
namespace detail {

struct BoxMap {
  PoissonMap kind;
  template <int Dim>
  KOKKOS_FUNCTION void operator()(double (&x)[Dim]) const {
    if (kind == PoissonMap::none) return;
    double product = 0.1;
    for (int k = 0; k < Dim; ++k) product *= Kokkos::sin(pi * x[k]);
    for (int k = 0; k < Dim; ++k) x[k] += product;
  }
};

// some = the values at these places.
template <class T, ExecutionSpace Exec>
struct ReadSome {
  Kokkos::View<const index_t*, typename Exec::memory_space> places;
  linear::ConstVector<T, Exec> values;
  linear::Vector<T, Exec> some;
  KOKKOS_FUNCTION void operator()(index_t i) const { some(i) = values(places(i)); }
};

template <class T, int Dim, class Exec>
class PoissonOnBox {
 public:
  PoissonOnBox(const Exec& exec, const PoissonOptions& options) : exec_(exec), run_(exec, options) {
    for (std::size_t k = 0; k < Dim; ++k) mesh_.elements[k] = options.elements[k];
    mesh_.parts = comm::parse_decomposition<Dim>(options.decomposition, mesh_.elements,
                                                 options.communicator.size());
    mesh_.part = options.communicator.rank();
  }

  PoissonSolution solve() const {
    const Kokkos::Timer timer;
    const Communicator& all = run_.options().communicator;
    const auto space =
        box_space<T>(exec_, mesh_, run_.basis(), BoxMap{run_.options().map},
                     run_.has_gradients() ? all_sides(Dim) : 0U, run_.scatter(), all);
    auto result = run_.solve(run_.operator_on(space), timer);
    PoissonSolution& solution = result.solution;
    for (const int part : mesh_.parts) {
      solution.decomposition.append(solution.decomposition.empty() ? "" : "x");
      solution.decomposition.append(std::to_string(part));
    }
    solution.centre = centre(result.values.read(exec_));

    Box<3> mine{Range{0, 1}, Range{0, 1}, Range{0, 1}};  // of the structured grid
    const Box<Dim> own = mesh_.own();
    for (std::size_t k = 0; k < Dim; ++k) {
      mine[k] = {own[k].begin * run_.options().order, own[k].end * run_.options().order + 1};
      solution.nodes[k] = mesh_.elements[k] * run_.options().order + 1;
    }
    // Gathers `fields` fields on the structured grid, one after the other.
    const auto gathered = [mine, all, nodes = solution.nodes](const auto& there,
                                                              std::size_t fields) {
      const auto count = static_cast<std::size_t>(size<3>(mine));
      const index_t row = mine[0].end - mine[0].begin;
      std::vector<double> all_fields;
      for (std::size_t f = 0; f < fields; ++f) {
        const std::vector<double> field(there.data() + f * count, there.data() + (f + 1) * count);
        const std::vector<double> whole = comm::gather<double>(
            all, nodes, {{mine, field.data(), {row, row * (mine[1].end - mine[1].begin)}}});
        all_fields.insert(all_fields.end(), whole.begin(), whole.end());
      }
      return all_fields;
    };
    const auto kept = std::make_shared<const Array<T>>(std::move(result.values));
    solution.values = [=] { return gathered(kept->read(kolam::host), 1); };
    solution.coordinates = [=, coordinates = space.coordinates] {
      return gathered(coordinates->read(kolam::host), Dim);
    };
    return solution;
  }

 private:
  // Returns the first component in the middle of the box before its map, interpolated in one
  // element by the process that has it.
  double centre(const linear::ConstVector<T, Exec>& values) const {
    const std::vector<double> nodes = lobatto_element(run_.options().order).nodes;
    const Box<Dim> own = mesh_.own();
    std::vector<double> weights{1};
    std::vector<index_t> places{0};  // of the nodes, in this process
    index_t stride = 1;
    bool here = true;
    for (std::size_t k = 0; k < Dim; ++k) {
      const index_t element = mesh_.elements[k] / 2;
      const double middle = static_cast<double>(mesh_.elements[k]) / 2;
      const Basis along = lagrange_basis(nodes, {middle - static_cast<double>(element)});
      here = here && own[k].begin <= element && element < own[k].end;
      std::vector<double> more_weights;
      std::vector<index_t> more_places;
      for (int j = 0; j <= run_.options().order; ++j) {
        for (std::size_t i = 0; i < weights.size(); ++i) {
          more_weights.push_back(weights[i] * along.value(0, j));
          more_places.push_back(places[i] +
                                stride * ((element - own[k].begin) * run_.options().order + j));
        }
      }
      weights = more_weights;
      places = more_places;
      stride *= (own[k].end - own[k].begin) * run_.options().order + 1;
    }
    double sum = 0;
    if (here) {
      const auto place = kolam::detail::to_space<index_t>(exec_, "kolam::centre places", places);
      const auto some = kolam::detail::allocate_view<linear::Vector<T, Exec>>(
          exec_, "kolam::centre", places.size());
      forall(exec_, "kolam::centre", static_cast<index_t>(places.size()),
             ReadSome<T, Exec>{place, values, some});
      const auto there = kolam::detail::readable_on_host(some);
      for (std::size_t i = 0; i < weights.size(); ++i)
        sum += weights[i] * static_cast<double>(there(i));
    }
    return run_.options().communicator.sum(sum);
  }

 private:
  Exec exec_;
  PoissonRun<T, Dim, Exec> run_;
  BoxMesh<Dim> mesh_;
};

}  // namespace detail

template <class T, class Exec>
PoissonSolution solve_poisson(const Exec& exec, const PoissonOptions& options) {
  validate(options);
  return options.dimensions == 2 ? detail::PoissonOnBox<T, 2, Exec>(exec, options).solve()
                                 : detail::PoissonOnBox<T, 3, Exec>(exec, options).solve();
}

}  // namespace kolam::fem
