// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdlib>
#include <kolam/memory/array.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/testing/matchers.hpp>
#include <optional>
#include <string>

#include "array_operations.hpp"

namespace kolam::array_test {

constexpr const char* variables[] = {"KOLAM_EMULATE_DEVICE", "KOLAM_STRICT"};

// Makes kolam read the environment again, and restores everything in the end.
class EmulationTest : public ::testing::Test {
 public:
  EmulationTest() : state_(detail::emulation_state.load()) {
    for (std::size_t i = 0; i < 2; ++i) {
      const char* const value = std::getenv(variables[i]);
      if (value != nullptr) values_[i] = value;
      ::unsetenv(variables[i]);
    }
    forget();
  }
  ~EmulationTest() override {
    for (std::size_t i = 0; i < 2; ++i) {
      values_[i] ? ::setenv(variables[i], values_[i]->c_str(), 1) : ::unsetenv(variables[i]);
    }
    detail::emulation_state.store(state_);
  }
  EmulationTest(const EmulationTest&) = delete;
  EmulationTest& operator=(const EmulationTest&) = delete;
  EmulationTest(EmulationTest&&) = delete;
  EmulationTest& operator=(EmulationTest&&) = delete;

  static void forget() { detail::emulation_state.store(-1); }

 private:
  int state_;
  std::optional<std::string> values_[2];
};

TEST_F(EmulationTest, IsOffWhereNobodyAsksForIt) {
  EXPECT_EQ(emulation(), Emulation::off);
  for (const char* value : {"", "0"}) {
    ::setenv("KOLAM_EMULATE_DEVICE", value, 1);
    forget();
    EXPECT_EQ(emulation(), Emulation::off);
    EXPECT_FALSE(detail::emulating());
  }
}

TEST_F(EmulationTest, IsChosenByTheEnvironmentOnce) {
  if (!one_memory) GTEST_SKIP() << "needs a build without a device";
  ::setenv("KOLAM_EMULATE_DEVICE", "1", 1);
  EXPECT_TRUE(detail::emulating());
  EXPECT_EQ(emulation(), Emulation::on);
  ::setenv("KOLAM_EMULATE_DEVICE", "0", 1);
  EXPECT_EQ(emulation(), Emulation::on);
  emulate(Emulation::off);
  EXPECT_EQ(emulation(), Emulation::off) << "the program has the last word";
}

TEST_F(EmulationTest, OtherValuesOfTheVariablesAreRefusedByName) {
  for (const char* variable : variables) {
    for (const std::string value : {"yes", "2", "on", " 1"}) {
      ::setenv(variable, value.c_str(), 1);
      EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(emulation()); }),
                  AllOf(HasSubstr(variable), HasSubstr(std::string("'").append(value).append("'")),
                        HasSubstr("0 or 1")));
    }
    ::unsetenv(variable);
  }
}

TEST_F(EmulationTest, IsRefusedWhereThereIsADevice) {
  emulate(Emulation::off);
  EXPECT_EQ(emulation(), Emulation::off);
  if (one_memory) GTEST_SKIP() << "needs a build with a device";
  EXPECT_THAT(error_of<InvalidArgument>([] { emulate(Emulation::on); }), HasSubstr("real one"));
  EXPECT_EQ(emulation(), Emulation::off);
  ::setenv("KOLAM_EMULATE_DEVICE", "1", 1);
  forget();
  EXPECT_THROW(static_cast<void>(emulation()), InvalidArgument);
}

TEST_F(EmulationTest, IsForArraysMadeFromNowOn) {
  if (!one_memory) GTEST_SKIP() << "needs a build without a device";
  emulate(Emulation::off);
  Array<int> one("one", 3);
  emulate(Emulation::on);
  Array<int> both("both", 3);
  for (const Emulation choice : {Emulation::on, Emulation::off}) {
    emulate(choice);
    fill<Kokkos::DefaultExecutionSpace>(one, 1);
    fill<Kokkos::DefaultExecutionSpace>(both, 2);
    EXPECT_TRUE(one.valid(host));
    EXPECT_FALSE(both.valid(host));
    EXPECT_EQ(one.read(host).data(), one.read(device).data());
    EXPECT_NE(both.read(host).data(), both.read(device).data());
    EXPECT_EQ(both.read(host)(2), 2);
  }
  expect_counts(one.transfers(), 0, 0, 4, 1, 12);
  EXPECT_EQ(both.transfers().copies_to_host, 2U);
}

}  // namespace kolam::array_test
