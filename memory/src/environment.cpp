// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <kolam/core/error.hpp>
#include <kolam/memory/detail/environment.hpp>
#include <string>
#include <string_view>

namespace kolam::detail {

bool environment_flag(const char* variable, bool otherwise) {
  const char* const value = std::getenv(variable);
  const std::string_view text = value == nullptr ? "" : value;
  if (text.empty()) return otherwise;
  if (text == "0" || text == "1") return text == "1";
  throw InvalidArgument("the environment variable " + std::string(variable) + " is '" +
                        std::string(text) + "'; it must be 0 or 1");
}

}  // namespace kolam::detail
