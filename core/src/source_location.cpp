// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/source_location.hpp>
#include <string_view>

namespace kolam {

std::string to_string(SourceLocation where) {
  const std::string_view file(where.file());
  std::string text(file.substr(file.rfind('/') + 1));  // from 0 if there is no folder
  text.append(":").append(std::to_string(where.line()));
  return text;
}

}  // namespace kolam
