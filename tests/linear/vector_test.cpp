// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/forall.hpp>
#include <kolam/linear/vector.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/two_sides.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kolam::vector_test {

using testing::error_of;
using ::testing::HasSubstr;

template <class T, class Exec>
struct AddVector {
  linear::ConstVector<T, Exec> x;
  linear::Vector<T, Exec> y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(i) += x(i); }
};

// y += x, as a solver would write it.
template <class Exec>
void add(const Exec& exec, const std::type_identity_t<linear::ReadVector<double, Exec>>& x,
         const std::type_identity_t<linear::WriteVector<double, Exec>>& y) {
  const auto from = x.read(exec);
  forall(exec, "add", static_cast<index_t>(from.extent(0)),
         AddVector<double, Exec>{from, y.read_write(exec)});
}

std::vector<double> values_of(const Array<double>& array) {
  const auto values = array.read(host);
  return {values.data(), values.data() + values.extent(0)};
}

template <class Exec>
class VectorOn : public ::testing::Test {};
TYPED_TEST_SUITE(VectorOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(VectorOn, IsAnArrayOrAView) {
  const testing::TwoSides two;
  const TypeParam exec;
  Array<double> x("x", 3);
  {
    const auto values = x.write(host);
    for (int i = 0; i < 3; ++i) values(i) = i + 1;
  }
  Array<double> y = linear::zeros<double>(exec, "y", 3);
  add(exec, x, y);
  add(exec, std::as_const(x).alias({0, 3}), y.read_write(exec));
  add(exec, x.read(exec), y);
  EXPECT_EQ(values_of(y), (std::vector<double>{3, 6, 9}));
  EXPECT_EQ(values_of(x), (std::vector<double>{1, 2, 3}));
  const linear::ReadVector<double, TypeParam> none;
  EXPECT_EQ(none.read(exec).extent(0), 0U);
}

TYPED_TEST(VectorOn, OfZerosIsWrittenWhereItIsUsed) {
  const testing::TwoSides two;
  const TypeParam exec;
  const TransferBudget budget{.host_to_device = 0};
  Array<double> x = linear::zeros<double>(exec, "x", 4);
  add(exec, linear::zeros<double>(exec, "y", 4), x);
  EXPECT_EQ(values_of(x), std::vector<double>(4, 0.0));
}

TYPED_TEST(VectorOn, SaysWhichArgumentWasNeverWritten) {
  const TypeParam exec;
  Array<double> x("x", 3);
  Array<double> y = linear::zeros<double>(exec, "y", 3);
  EXPECT_THAT(error_of<AccessError>([&] { add(exec, x, y); }), HasSubstr("array 'x' is read"));
}

TYPED_TEST(VectorOn, OfASolverLivesAsLongAsItsCopies) {
  const TypeParam exec;
  Array<double> y = linear::zeros<double>(exec, "y", 5);
  {
    const auto copy = [&] { return linear::detail::WorkVector<double, TypeParam>(exec, "w", 5); }();
    const auto another = copy;
    EXPECT_EQ(another.data(), copy.data());
    add(exec, another, y);
  }
  EXPECT_EQ(values_of(y), std::vector<double>(5, 0.0));
}

// The error names the caller's line, not a line inside the library.
TEST(Vector, IsBlamedOnTheCaller) {
  const testing::TwoSides two;
  const Kokkos::DefaultExecutionSpace exec;
  Array<double> x("x", 3);
  static_cast<void>(x.write(host));
  Array<double> y = linear::zeros<double>(exec, "y", 3);
  const TransferBudget budget{.host_to_device = 0};
  // (Outside of the macro, because compilers differ in the line of its call.)
  const auto call = [&] { add(exec, x, y); };
  const std::string line = std::to_string(__LINE__ - 1);
  EXPECT_THAT(error_of<BudgetExceeded>(call), HasSubstr("vector_test.cpp:" + line));
}

}  // namespace kolam::vector_test
