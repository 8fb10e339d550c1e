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

}  // namespace

std::string_view name(Preconditioner v) {
  return detail::name_of<Preconditioner>(preconditioners, v);
}
Preconditioner parse_preconditioner(std::string_view text) {
  return detail::parse<Preconditioner>(preconditioners, text);
}

}  // namespace kolam::fem
