// SPDX-License-Identifier: Apache-2.0
// Helpers to test the reports of strict emulation. Each case runs in a process of its own.
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <kolam/core/detail/sanitizers.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/emulation.hpp>
#include <regex>
#include <sstream>
#include <string>

// For functions whose names reports must show: never inlined or cloned.
#ifdef __clang__
#define KOLAM_FRAME [[gnu::noinline, clang::optnone]]
#else
#define KOLAM_FRAME [[gnu::noipa]]
#endif

namespace kolam::strict_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ResultOf;

inline volatile double sink = 0;

// Returns the report without addresses and line numbers. Of its stacks, only the frames of the
// tests remain.
inline std::string report_in(const std::string& output) {
  std::istringstream lines(output);
  std::string report;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    inside = inside || line.starts_with("kolam: array");
    if (!inside) continue;
    if (line.starts_with("    #") && (line.find("strict_test::") == std::string::npos ||
                                      line.find("TestBody") != std::string::npos ||
                                      line.find("operator()") != std::string::npos)) {
      continue;
    }
    line = std::regex_replace(line, std::regex(R"(#\d+ )"), "");
    line = std::regex_replace(line, std::regex(R"(\(\S+\+0x[0-9a-f]+\))"), "");
    line = std::regex_replace(line, std::regex(R"(\.cpp:\d+)"), ".cpp");
    line = std::regex_replace(line, std::regex("kolam::strict_test::"), "");
    line = std::regex_replace(line, std::regex(" +$"), "");
    report += line + '\n';
    if (line.starts_with("  take") || line.starts_with("  check") || line.starts_with("  keep")) {
      break;
    }
  }
  return report;
}

class StrictTest : public ::testing::Test {
 public:
  StrictTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void SetUp() override {
    if (!one_memory) GTEST_SKIP() << "this build has a device";
#ifndef __linux__
    GTEST_SKIP() << "strict emulation needs Linux";
#endif
    before_ = emulation();
  }
  void TearDown() override {
    if (one_memory && !IsSkipped()) emulate(before_);
  }

 private:
  Emulation before_ = Emulation::off;
};

// While it exists, sets whether new arrays are checked closely for reads before writes.
class CloserLook {
 public:
  explicit CloserLook(bool closely) { set(closely ? "1" : "0"); }
  ~CloserLook() { set(before_.c_str()); }
  CloserLook(const CloserLook&) = delete;
  CloserLook& operator=(const CloserLook&) = delete;
  CloserLook(CloserLook&&) = delete;
  CloserLook& operator=(CloserLook&&) = delete;

 private:
  static void set(const char* value) { setenv("KOLAM_STRICT_READS", value, 1); }

  std::string before_ = [] {
    const char* const value = std::getenv("KOLAM_STRICT_READS");
    return std::string(value == nullptr ? "" : value);
  }();
};

template <class View>
void fill(const View& view, double value) {
  Kokkos::deep_copy(view, value);
}

inline Array<double> strict_array(index_t size = 100) {
  emulate(Emulation::strict);
  return Array<double>("u", size);
}

#define EXPECT_MISUSE(statement, report) \
  EXPECT_DEATH(statement, ResultOf(report_in, ::testing::StrEq(report)))

}  // namespace kolam::strict_test
