// SPDX-License-Identifier: Apache-2.0
// Errors about the fields that users of a stencil set.
#pragma once

#include <kolam/core/error.hpp>
#include <kolam/grid/field.hpp>
#include <kolam/memory/access_error.hpp>
#include <string>

namespace kolam::grid::detail {

inline void require_coefficient(const char* who, int number, int count) {
  if (0 <= number && number < count) return;
  throw InvalidArgument(std::string(who) + "::set_coefficient: " + std::to_string(number) +
                        "; the stencil has " + std::to_string(count) + ", numbered from 0");
}

// Returns the values of a field that the user sets with the function `setter`. Throws AccessError
// if that was not called.
template <class T, int N, class Exec>
auto read_set(const Field<T, N>& field, const Exec& exec, const char* setter) {
  try {
    return field.read(exec);
  } catch (const AccessError&) {
    const Array<T>& array = field.array();
    if (array.valid(device) || array.valid(host)) throw;
    throw AccessError("'" + array.label() + "' has no values yet; call " + setter +
                      " for it first");
  }
}

}  // namespace kolam::grid::detail
