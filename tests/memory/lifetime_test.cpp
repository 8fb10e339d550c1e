// SPDX-License-Identifier: Apache-2.0
// Arrays before Kokkos is initialised and after it was finalised.
#include <gmock/gmock.h>

#include <cstdlib>
#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/wrap.hpp>
#include <kolam/testing/instances.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

// This array is used before main and destroyed after it.
Array<double> global("global", 5);
std::vector<double> mine(5, 1.0);
auto global_borrowed = borrow("borrowed", std::span(mine));
const std::string before_main = [] {
  try {
    static_cast<void>(global.write(host));
    return std::string("nothing was thrown");
  } catch (const NotRunning& error) {
    return std::string(error.what());
  }
}();

TEST(Lifetime, BeforeKokkosRunsSaysSo) {
  EXPECT_THAT(before_main, AllOf(HasSubstr("array 'global'"), HasSubstr("before Kokkos runs")));
  global.write(host)(0) = 1;
  EXPECT_EQ(global.read(device).extent(0), 5U);
}

// Returns whether `use` throws an error saying that Kokkos was finalised.
template <class F>
bool refused(F use) {
  try {
    use();
  } catch (const NotRunning& error) {
    return std::string(error.what()).find(" is used after Kokkos was finalised") !=
           std::string::npos;
  }
  return false;
}

// Runs in a process of its own, which exits with 0 only if every use is refused.
void outlive_kokkos() {
  auto late = std::make_unique<Array<double>>("late", 8);
  fill<Exec>(*late, 1.0);
  static_cast<void>(late->read(host));
  auto part = late->alias({2, 4});
  auto strided = late->alias({0, 8}, 3);
  Array<double> never("never", 8);
  global.write(host)(0) = 1;  // destroyed after main
  Kokkos::finalize();
  const bool all = refused([&] { static_cast<void>(never.write(host)); }) &&
                   refused([&] { static_cast<void>(late->read(host)); }) &&
                   refused([&] { static_cast<void>(late->read(device)); }) &&
                   refused([&] { static_cast<void>(late->write(device)); }) &&
                   refused([&] { static_cast<void>(part.read_write(host)); }) &&
                   refused([&] { static_cast<void>(strided.read(host)); }) &&
                   refused([&] { static_cast<void>(late->read()); }) &&
                   refused([&] { static_cast<void>(late->mirror(device)); }) &&
                   refused([&] { late->sync(host); }) && refused([&] { late->modified(host); }) &&
                   refused([&] { late->release(device); }) && refused([&] { resize(*late, 3); });
  late.reset();
  part = Array<double>();
  std::exit(all ? 0 : 1);
}

// Arrays hold copies of instances, which Kokkos cannot release after it was finalised.
void outlive_instances() {
  {
    const auto parts = testing::two_instances();  // the arrays hold the last copies
    for (Array<double>* a : {&global, &global_borrowed}) {
      a->set_policy(prefetch(parts[1]));
      fill<Exec>(*a, 1.0);
      static_cast<void>(a->read(parts[0]));
      a->sync(host);
    }
  }
  Kokkos::finalize();
  std::exit(0);
}

TEST(LifetimeDeathTest, PoliciesAndUsersOfStaticArraysDoNotOutliveKokkos) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(outlive_instances(), ::testing::ExitedWithCode(0), Not(HasSubstr("rror")));
}

TEST(LifetimeDeathTest, ValuesThatWereValidAreGoneWithKokkosAndStaticArraysDieQuietly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(outlive_kokkos(), ::testing::ExitedWithCode(0), Not(HasSubstr("rror")));
}

TEST(Lifetime, AnArrayMadeAfterAnotherTakesItsLabelAndNothingElse) {
  {
    Array<int> gone("same", 4), other("same", 5);
  }
  const Array<int> a("same", 6);
  expect_counts(a.transfers(), 0, 0, 0, 0, 0);
  EXPECT_EQ(a.label(), "same");
}

}  // namespace kolam::array_test
