// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <kolam/core/backend.hpp>
#include <kolam/core/error.hpp>
#include <string>

namespace kolam {
namespace {

struct Known {
  Backend backend;
  std::string_view name;
  std::string_view option;
};

constexpr std::array known{
    Known{Backend::cuda, "cuda", "Kokkos_ENABLE_CUDA"},
    Known{Backend::hip, "hip", "Kokkos_ENABLE_HIP"},
    Known{Backend::sycl, "sycl", "Kokkos_ENABLE_SYCL"},
    Known{Backend::openmp, "openmp", "Kokkos_ENABLE_OPENMP"},
    Known{Backend::threads, "threads", "Kokkos_ENABLE_THREADS"},
    Known{Backend::serial, "serial", "Kokkos_ENABLE_SERIAL"},
};

template <class... Execs>
std::vector<Backend> list(detail::ExecutionSpaceList<Execs...>) {
  return {backend_of<Execs>...};
}

template <class Range, class Name>
std::string join(const Range& range, Name name_of) {
  std::string text;
  for (const auto& item : range) {
    if (!text.empty()) text += ", ";
    text += name_of(item);
  }
  return text;
}

}  // namespace

std::string_view name(Backend backend) {
  return std::find_if(known.begin(), known.end(),
                      [&](const Known& k) { return k.backend == backend; })
      ->name;
}

const std::vector<Backend>& backends() {
  static const std::vector<Backend> present = list(detail::ExecutionSpaces{});
  return present;
}

Backend default_backend() { return backends().front(); }

Backend parse_backend(std::string_view text) {
  const auto* const entry =
      std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.name == text; });
  if (entry == known.end()) {
    throw InvalidArgument("backend '" + std::string(text) + "' is unknown; choose one of " +
                          join(backends(), [](Backend b) { return name(b); }));
  }
  const auto& present = backends();
  if (std::find(present.begin(), present.end(), entry->backend) == present.end()) {
    throw BackendUnavailable("backend '" + std::string(text) +
                             "' is not in this build, which has " +
                             join(present, [](Backend b) { return name(b); }) +
                             "; configure with -D" + std::string(entry->option) + "=ON");
  }
  return entry->backend;
}

}  // namespace kolam
