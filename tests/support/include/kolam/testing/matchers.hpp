// SPDX-License-Identifier: Apache-2.0
// Comparisons of whole arrays that show where they fail.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <kolam/testing/backends.hpp>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace kolam::testing {

template <class T>
const std::vector<T>& host_values(const std::vector<T>& values) {
  return values;
}
template <class Data, class... Properties>
auto host_values(const Kokkos::View<Data, Properties...>& view) {
  return to_host(view);
}

template <class Actual, class Expected, class Agree>
::testing::AssertionResult compare_each(const Actual& actual, const Expected& expected,
                                        Agree agree) {
  constexpr std::size_t shown = 5;
  const auto& values = host_values(actual);
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = expected(i);
    if (agree(values[i], value)) continue;
    if (++wrong <= shown) text << "\n  at " << i << ": " << +values[i] << ", expected " << +value;
  }
  if (wrong == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << wrong << " of " << values.size() << " values differ"
                                       << text.str() << (wrong > shown ? "\n  ..." : "");
}

/// Checks that value i of a vector, or of a View of any space, is `expected(i)` for every i. The
/// failure shows the first indices with actual and expected values.
/// \code
///   EXPECT_TRUE(all_equal(y, [](std::size_t i) { return 2.0 * i; }));
/// \endcode
template <class Actual, class Expected>
::testing::AssertionResult all_equal(const Actual& actual, const Expected& expected) {
  return compare_each(actual, expected, []<class A, class B>(const A& a, const B& b) {
    using Common = std::common_type_t<A, B>;
    return static_cast<Common>(a) == static_cast<Common>(b);
  });
}

/// The same with |actual - expected| <= tolerance; a NaN always fails.
template <class Actual, class Expected>
::testing::AssertionResult all_near(const Actual& actual, const Expected& expected,
                                    double tolerance) {
  return compare_each(actual, expected, [=](const auto& a, const auto& b) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
  });
}

/// Returns the text of the `Exception` that `f` throws; fails the test and returns "" if it throws
/// none.
template <class Exception, class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace kolam::testing
