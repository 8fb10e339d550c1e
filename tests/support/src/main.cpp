// SPDX-License-Identifier: Apache-2.0
// The main() of every test program: runs GoogleTest inside a Runtime.
#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <kolam/core/runtime.hpp>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();  // needs neither Kokkos nor a device
  try {
    const kolam::Runtime runtime(argc, argv);
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 4;
  }
}
