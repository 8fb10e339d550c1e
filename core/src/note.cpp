// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <kolam/core/detail/note.hpp>
#include <string_view>

namespace kolam::detail {

bool notes_wanted() noexcept {
  const char* const choice = std::getenv("KOLAM_NOTES");
  return choice == nullptr || std::string_view(choice) != "off";
}

void note(const std::string& text) noexcept {
  if (notes_wanted())
    std::fprintf(stderr, "kolam: %s (KOLAM_NOTES=off: do not say it)\n", text.c_str());
}

}  // namespace kolam::detail
