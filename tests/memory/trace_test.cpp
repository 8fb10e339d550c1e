// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/trace.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

LabelTransfers of_label(const std::string& label) {
  for (const LabelTransfers& each : transfers_by_label()) {
    if (each.label == label) return each;
  }
  return {label, 0, {}};
}

nlohmann::json trace_as_json() {
  std::ostringstream text;
  write_trace_json(text);
  return nlohmann::json::parse(text.str());
}

// As in a user's program: two labels, three arrays, values that move there and back.
void move_values() {
  Array<double> u("velocity", 1000);
  static_cast<void>(u.write(host));
  static_cast<void>(u.read_write(device));
  static_cast<void>(u.read(host));
  static_cast<void>(u.read(host));
  for (int i = 0; i < 2; ++i) {
    Array<char> p("a label that is longer than the column of the table", 100);
    static_cast<void>(p.write(device));
    static_cast<void>(p.read(host, {10, 20}));
  }
}

constexpr const char* table =
    "kolam: array                      host to device      device to host     avoided  allocs"
    "        peak\n"
    "velocity                           1    7.81 KiB       1    7.81 KiB           1       2"
    "   15.62 KiB\n"
    "a label that is longer th..        0         0 B       2        20 B           0       4"
    "       200 B\n"
    "all arrays                         1    7.81 KiB       3    7.83 KiB           1       6"
    "   15.82 KiB\n"
    "others, by deep_copy ";

TEST(Trace, CountsByLabelAlsoArraysThatAreGone) {
  const TwoSides two;
  static int repeated = 0;
  const std::string label = "counted " + std::to_string(repeated++);
  EXPECT_EQ(of_label(label).arrays, 0U);
  const Array<int> unused(label, 7);
  EXPECT_EQ(of_label(label).arrays, 0U) << "it moved nothing yet";
  {
    Array<int> a(label, 10);
    fill<Exec>(a, 1);
    EXPECT_EQ(a.read(host)(0), 1);
    EXPECT_EQ(a.read(host)(1), 1);
    const auto alias = a.alias({0, 2});
    EXPECT_EQ(of_label(label).transfers, a.transfers());
  }
  const LabelTransfers l = of_label(label);
  EXPECT_EQ(l.arrays, 2U);
  expect_counts(l.transfers, 0, 1, 1, 2, 40);
  EXPECT_EQ(l.transfers.bytes, 0U);
  EXPECT_EQ(l.transfers.peak_bytes, 80U);
}

TEST(Trace, PutsTheMostBytesFirstAndSumsUp) {
  const TwoSides two;
  Array<int> small("trace small", 10);
  Array<int> large("trace large", 20);
  for (Array<int>* a : {&small, &large}) {
    fill<Exec>(*a, 1);
    static_cast<void>(a->read(host));
  }
  const auto all = transfers_by_label();
  const auto place = [&](const std::string& label) {
    return std::find_if(all.begin(), all.end(), [&](const auto& l) { return l.label == label; });
  };
  EXPECT_LT(place("trace large"), place("trace small"));
  ASSERT_NE(place("trace small"), all.end());
  Transfers sum;
  for (const LabelTransfers& l : all) {
    sum.bytes_to_host += l.transfers.bytes_to_host;
    sum.copies_to_host += l.transfers.copies_to_host;
    sum.copies_avoided += l.transfers.copies_avoided;
    sum.allocations += l.transfers.allocations;
    sum.bytes += l.transfers.bytes;
  }
  const Transfers total = total_transfers();
  EXPECT_EQ(sum.bytes_to_host, total.bytes_to_host);
  EXPECT_EQ(sum.copies_to_host, total.copies_to_host);
  EXPECT_EQ(sum.copies_avoided, total.copies_avoided);
  EXPECT_EQ(sum.allocations, total.allocations);
  EXPECT_EQ(sum.bytes, total.bytes);
}

TEST(Trace, SaysIfHostAndDeviceShareMemory) {
  const auto text = [](bool apart) {
    const TwoSides two;
    const Emulation before = emulation();
    if (!apart && one_memory) emulate(Emulation::off);
    std::ostringstream out;
    write_trace(out);
    emulate(before);
    return out.str();
  };
  EXPECT_THAT(text(true), Not(HasSubstr("share memory")));
  EXPECT_EQ(text(false).find("KOLAM_EMULATE_DEVICE=1") != std::string::npos, one_memory);
}

// (The end of a program writes the trace, also after the error of a wrong variable.)
TEST(Trace, IsWrittenWhateverTheEnvironment) {
  const TwoSides restored;
  const char* const before = std::getenv("KOLAM_EMULATE_DEVICE");
  const std::string old = before == nullptr ? "0" : before;
  ::setenv("KOLAM_EMULATE_DEVICE", "2", 1);
  detail::emulation_state.store(-1);  // as before the first array
  std::ostringstream out;
  EXPECT_NO_THROW(write_trace(out));
  ::setenv("KOLAM_EMULATE_DEVICE", old.c_str(), 1);
  EXPECT_THAT(out.str(), HasSubstr("all arrays"));
}

TEST(Trace, IsJsonWhateverTheLabel) {
  const TwoSides two;
  for (const char* label : {"quote \" and \\ and \n", "not UTF-8 \xff\xc3", ""}) {
    Array<int> a(label, 3);
    fill<HostTeams>(a, 1);
    const auto json = trace_as_json();
    EXPECT_EQ(json.at("labels").size(), transfers_by_label().size());
  }
  const auto json = trace_as_json();
  const auto& labels = json.at("labels");
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const auto& l) {
    return l.at("label") == "quote \" and \\ and \n" && l.at("arrays") >= 1 &&
           l.at("allocated_bytes") >= 12 && l.at("bytes") == 0;
  }));
  EXPECT_EQ(json.at("total").at("bytes_to_host"), total_transfers().bytes_to_host);
  EXPECT_TRUE(json.at("others").contains("copies_to_device"));
}

std::vector<std::string> seen_around_copies;

// Records what a tool sees while the object exists.
class CopyWatch {
 public:
  CopyWatch() {
    namespace Tools = Kokkos::Tools::Experimental;
    before_ = Tools::get_callbacks();
    seen_around_copies.clear();
    Tools::set_push_region_callback(
        [](const char* name) { seen_around_copies.push_back(std::string("in ").append(name)); });
    Tools::set_pop_region_callback([] { seen_around_copies.emplace_back("out"); });
    Tools::set_begin_deep_copy_callback([](Kokkos::Tools::SpaceHandle, const char*, const void*,
                                           Kokkos::Tools::SpaceHandle, const char*, const void*,
                                           std::uint64_t bytes) {
      seen_around_copies.push_back(std::to_string(bytes) + " bytes");
    });
  }
  ~CopyWatch() {
    namespace Tools = Kokkos::Tools::Experimental;
    Tools::set_push_region_callback(before_.push_region);
    Tools::set_pop_region_callback(before_.pop_region);
    Tools::set_begin_deep_copy_callback(before_.begin_deep_copy);
  }
  CopyWatch(const CopyWatch&) = delete;
  CopyWatch& operator=(const CopyWatch&) = delete;
  CopyWatch(CopyWatch&&) = delete;
  CopyWatch& operator=(CopyWatch&&) = delete;

 private:
  Kokkos::Tools::Experimental::EventSet before_;
};

TEST(Trace, ToolsSeeCopiesInARegionNamedAfterTheArray) {
  using ::testing::ElementsAre;
  const TwoSides two;
  Array<int> a("moved", 10);
  Array<int> b("filled", 10);
  fill<Exec>(a, 1);
  Kokkos::fence();
  const CopyWatch watch;
  static_cast<void>(a.read(host, {2, 5}));
  EXPECT_THAT(seen_around_copies, ElementsAre("in array 'moved'", "12 bytes", "out"));
  seen_around_copies.clear();
  deep_copy(Exec{}, b, a);
  EXPECT_THAT(seen_around_copies, ElementsAre("in array 'filled'", "40 bytes", "out"));
}

int seen_by_tool = 0;
void tool(Kokkos::Tools::SpaceHandle, const char*, const void*, Kokkos::Tools::SpaceHandle,
          const char*, const void*, std::uint64_t) {
  ++seen_by_tool;
}

// In a process of its own, where nothing was counted before; exits with 0 on success.
void copies_of_others() {
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback(tool);
  const Kokkos::View<int*, Exec::memory_space> there("there", 10);
  const Kokkos::View<int*, Kokkos::HostSpace> mine("mine", 10);
  Kokkos::deep_copy(there, mine);  // not counted yet
  bool good = foreign_transfers().copies() == 0;
  Kokkos::deep_copy(there, mine);
  Kokkos::deep_copy(mine, there);
  Kokkos::deep_copy(mine, there);
  Kokkos::deep_copy(mine, 4);
  Array<int> a("ours", 10);
  fill<Exec>(a, 1);
  static_cast<void>(a.read(host));
  const Transfers others = foreign_transfers();
  good = good && others.copies_to_device == (one_memory ? 0 : 1) &&
         others.copies_to_host == (one_memory ? 0 : 2) &&
         others.bytes_to_host == (one_memory ? 0 : 80);
  std::_Exit(good && seen_by_tool >= 4 ? 0 : 1);
}

// Sets KOLAM_TRACE; the process that dies inherits the value of the process that waits for it.
class TraceDeathTest : public ::testing::Test {
 public:
  static void choose(const std::string& value) {
    ::setenv("KOLAM_TRACE", value.c_str(), ::testing::internal::InDeathTestChild() ? 0 : 1);
  }
  ~TraceDeathTest() override { ::unsetenv("KOLAM_TRACE"); }
  TraceDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  TraceDeathTest(const TraceDeathTest&) = delete;
  TraceDeathTest& operator=(const TraceDeathTest&) = delete;
  TraceDeathTest(TraceDeathTest&&) = delete;
  TraceDeathTest& operator=(TraceDeathTest&&) = delete;
};

void move_values_and_end() {
  const TwoSides two;
  move_values();
  Kokkos::finalize();
  std::_Exit(0);
}

TEST_F(TraceDeathTest, SeesTheCopiesOfOthersAndHidesNothingFromTools) {
  EXPECT_EXIT(copies_of_others(), ::testing::ExitedWithCode(0), "");
}

TEST_F(TraceDeathTest, WritesTheTableAtTheEndWhereTheEnvironmentAsks) {
  choose("1");
  EXPECT_EXIT(move_values_and_end(), ::testing::ExitedWithCode(0), HasSubstr(table));
}

TEST_F(TraceDeathTest, WritesNothingWhereNobodyAsks) {
  for (const char* value : {"0", ""}) {
    choose(value);
    EXPECT_EXIT(move_values_and_end(), ::testing::ExitedWithCode(0), Not(HasSubstr("kolam:")));
  }
}

TEST_F(TraceDeathTest, WritesJsonToTheFileThatTheEnvironmentNames) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("kolam_trace_test_" + std::to_string(::getpid()) + ".json");
  choose(file.string());
  EXPECT_EXIT(move_values_and_end(), ::testing::ExitedWithCode(0), Not(HasSubstr("kolam:")));
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in);
  EXPECT_EQ(json.at("labels").at(0).at("label"), "velocity");
  EXPECT_EQ(json.at("labels").at(1).at("arrays"), 2);
  EXPECT_EQ(json.at("total").at("bytes_to_host"), 8020);
  std::filesystem::remove(file);
}

TEST_F(TraceDeathTest, AFileThatCannotBeWrittenIsNamed) {
  choose("/no/such/folder/trace.json");
  EXPECT_EXIT(move_values_and_end(), ::testing::ExitedWithCode(0),
              AllOf(HasSubstr("kolam:"), HasSubstr("'/no/such/folder/trace.json'")));
}

// Tracing by a call overrides the environment, and several calls give one report.
void trace_by_call() {
  Array<int> before("before", 3);
  fill<HostTeams>(before, 1);
  trace_at_exit("/no/such/folder/trace.json");
  trace_at_exit();
  trace_at_exit();
  move_values_and_end();
}

TEST_F(TraceDeathTest, IsAskedForByACallToo) {
  choose("0");
  EXPECT_EXIT(trace_by_call(), ::testing::ExitedWithCode(0),
              AllOf(::testing::ContainsRegex("before .*\nall arrays"), Not(HasSubstr("/no/such")),
                    Not(::testing::ContainsRegex("all arrays.*\n.*\n.*all arrays"))));
}

}  // namespace kolam::array_test
