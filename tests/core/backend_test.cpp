// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <kolam/core/backend.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace kolam {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

constexpr std::pair<Backend, const char*> all[] = {
    {Backend::cuda, "cuda"},     {Backend::hip, "hip"},         {Backend::sycl, "sycl"},
    {Backend::openmp, "openmp"}, {Backend::threads, "threads"}, {Backend::serial, "serial"}};

bool present(Backend backend) {
  return std::find(backends().begin(), backends().end(), backend) != backends().end();
}

TEST(Backend, HasTheNameThatParses) {
  for (const auto& [backend, text] : all) {
    EXPECT_EQ(name(backend), text);
    if (present(backend)) {
      EXPECT_EQ(parse_backend(text), backend);
    }
  }
}

TEST(Backend, FastestIsTheDefault) {
  EXPECT_EQ(default_backend(), backends().front());
  EXPECT_EQ(default_backend(), backend_of<Kokkos::DefaultExecutionSpace>);
}

TEST(Backend, UnknownNameListsThosePresent) {
  for (const char* unknown : {"fortran", "", "OpenMP", "serial "}) {
    const std::string text =
        error_of<InvalidArgument>([&] { static_cast<void>(parse_backend(unknown)); });
    EXPECT_THAT(text, HasSubstr(std::string("'") + unknown + "'"));
    for (const Backend backend : backends()) EXPECT_THAT(text, HasSubstr(name(backend)));
  }
}

TEST(Backend, AbsentOneNamesTheCMakeOption) {
  for (const auto& [backend, text] : all) {
    if (present(backend)) continue;
    std::string option = "-DKokkos_ENABLE_";
    for (const char c : std::string_view(text)) option += static_cast<char>(std::toupper(c));
    option += "=ON";
    const auto parse = [b = text] { static_cast<void>(parse_backend(b)); };
    const auto use = [b = backend] { with_backend(b, [](const auto&) {}); };
    for (const std::string& error :
         {error_of<BackendUnavailable>(parse), error_of<BackendUnavailable>(use)}) {
      EXPECT_THAT(error, HasSubstr(option));
      for (const Backend there : backends()) EXPECT_THAT(error, HasSubstr(name(there)));
    }
  }
}

TEST(Backend, WithBackendHandsOutItsExecutionSpace) {
  for (const Backend backend : backends()) {
    const Backend seen = with_backend(backend, [](const auto& exec) {
      using Exec = std::decay_t<decltype(exec)>;
      static_assert(Kokkos::is_execution_space_v<Exec>);
      return backend_of<Exec>;
    });
    EXPECT_EQ(seen, backend) << name(backend);
  }
}

}  // namespace
}  // namespace kolam
