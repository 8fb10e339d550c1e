// SPDX-License-Identifier: Apache-2.0
#include <kolam/fem/preconditioner.hpp>

#include "names.hpp"

namespace kolam::fem {
namespace {

constexpr std::pair<Preconditioner, std::string_view> preconditioners[] = {
    {Preconditioner::none, "none"},
    {Preconditioner::jacobi, "jacobi"},
    {Preconditioner::chebyshev, "chebyshev"},
    {Preconditioner::pmg, "pmg"}};
constexpr std::pair<CoarseSolver, std::string_view> coarse_solvers[] = {
    {CoarseSolver::cg, "cg"}, {CoarseSolver::boomeramg, "boomeramg"}};

}  // namespace

std::string_view name(Preconditioner v) {
  return detail::name_of<Preconditioner>(preconditioners, v);
}
Preconditioner parse_preconditioner(std::string_view text) {
  return detail::parse<Preconditioner>(preconditioners, text);
}
std::string_view name(CoarseSolver v) { return detail::name_of<CoarseSolver>(coarse_solvers, v); }
CoarseSolver parse_coarse_solver(std::string_view text) {
  return detail::parse<CoarseSolver>(coarse_solvers, text);
}

}  // namespace kolam::fem
