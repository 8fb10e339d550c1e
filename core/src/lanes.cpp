// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/lanes.hpp>

namespace kolam::detail {

template <>
const char CompileWithTheArchitectureFlagsOfKolam<register_bytes>::registers_of_as_many_bytes = 0;

}  // namespace kolam::detail
