// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/memory_kind.hpp>
#include <kolam/memory/pool.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/matchers.hpp>
#include <optional>
#include <string>
#include <thread>

#include "array_operations.hpp"

namespace kolam::array_test {

using testing::Fences;

constexpr MemoryKind kinds[] = {MemoryKind::paired, MemoryKind::pinned, MemoryKind::shared,
                                MemoryKind::host_only, MemoryKind::device_only};

TEST(Kind, HasANameEach) {
  std::string all;
  for (const MemoryKind kind : kinds) all += std::string(name(kind)) + " ";
  EXPECT_EQ(all, "paired pinned shared host_only device_only ");
}

TEST(Kind, ScopesNestAndNamedKindsWin) {
  EXPECT_EQ(default_memory_kind(), MemoryKind::paired);
  {
    const MemoryScope outer(MemoryKind::pinned);
    {
      const MemoryScope inner(MemoryKind::shared);
      EXPECT_EQ(default_memory_kind(), MemoryKind::shared);
      EXPECT_EQ(Array<int>("a", 1).memory_kind(), MemoryKind::shared);
      EXPECT_EQ((Array<int, 2>("a", {1, 1}).memory_kind()), MemoryKind::shared);
      EXPECT_EQ(Array<int>("a", 1, MemoryKind::paired).memory_kind(), MemoryKind::paired);
    }
    EXPECT_EQ(Array<int>("a", 1).memory_kind(), MemoryKind::pinned);
  }
  EXPECT_EQ(default_memory_kind(), MemoryKind::paired);
}

TEST(Kind, AScopeIsOfItsThread) {
  const MemoryScope scope(MemoryKind::host_only);
  std::optional<MemoryKind> elsewhere;
  std::thread([&] { elsewhere = default_memory_kind(); }).join();
  EXPECT_EQ(elsewhere, MemoryKind::paired);
  EXPECT_EQ(default_memory_kind(), MemoryKind::host_only);
}

TEST(Kind, IsThatOfAliasesAndOfAResizedArray) {
  Array<int> a("a", 4, MemoryKind::pinned);
  EXPECT_EQ(a.alias({0, 2}).memory_kind(), MemoryKind::pinned);
  resize(a, 8);
  EXPECT_EQ(a.memory_kind(), MemoryKind::pinned);
}

TEST(Kind, EveryOneWorksOnBothSidesWhereTheyAreOne) {
  if (!one_memory || detail::emulating()) GTEST_SKIP() << "needs one side";
  for (const MemoryKind kind : kinds) {
    SCOPED_TRACE(name(kind));
    Array<int> a("a", 10, kind);
    fill<Exec>(a, 1);
    add_one<HostTeams>(a);
    EXPECT_EQ(a.read(host).data(), a.read(device).data());
    EXPECT_THAT(values_of(a), Each(2));
    EXPECT_EQ(a.transfers().copies(), 0U);
    EXPECT_EQ(a.transfers().allocations, 1U);
  }
}

TEST(Kind, PairedAndPinnedCopy) {
  const TwoSides two;
  for (const MemoryKind kind : {MemoryKind::paired, MemoryKind::pinned}) {
    SCOPED_TRACE(name(kind));
    Array<int> a("a", 10, kind);
    fill<Exec>(a, 1);
    add_one<HostTeams>(a);
    EXPECT_EQ(dot<Exec>(a), 40);
    expect_counts(a.transfers(), 1, 1, 0, 2, 40);
  }
}

TEST(Kind, SharedIsNeverCopiedOnlyWaitedFor) {
  const TwoSides two;
  trim_pools();  // memory without pending accesses
  Array<int> a("shared", 10, MemoryKind::shared);
  Fences fences;
  fill<Exec>(a, 1);
  EXPECT_TRUE(a.valid(host));
  EXPECT_EQ(fences.named("array 'shared'"), 0);
  add_one<HostTeams>(a);
  EXPECT_EQ(fences.named("array 'shared'"), 1) << "for the kernel";
  EXPECT_EQ(a.read(host)(9), 2);
  EXPECT_EQ(fences.named("array 'shared'"), 0);
  EXPECT_EQ(a.read(host).data(), a.read(device).data());
  a.sync(device);
  add_one<Exec>(a);
  EXPECT_THAT(values_of(a), Each(3));
  EXPECT_EQ(a.transfers().copies(), 0U);
  EXPECT_EQ(a.transfers().allocations, 1U);
}

// `use` must be refused, with the reason in the error.
template <class F>
void expect_refused(MemoryKind kind, const std::string& side, F use) {
  EXPECT_THAT(error_of<AccessError>(use),
              AllOf(HasSubstr("array 'one sided'"), HasSubstr(side + " side"),
                    HasSubstr("MemoryKind::" + std::string(name(kind))), HasSubstr("paired")));
}

TEST(Kind, OneSidedArraysRefuseTheOtherSide) {
  const TwoSides two;
  Array<int> h("one sided", 4, MemoryKind::host_only);
  fill<HostTeams>(h, 1);
  expect_refused(MemoryKind::host_only, "device", [&] { static_cast<void>(h.read(device)); });
  expect_refused(MemoryKind::host_only, "device", [&] { static_cast<void>(h.write(Exec{})); });
  expect_refused(MemoryKind::host_only, "device", [&] { static_cast<void>(h.mirror(device)); });
  expect_refused(MemoryKind::host_only, "device", [&] { h.modified(device); });
  expect_refused(MemoryKind::host_only, "device", [&] { h.sync(device); });
  EXPECT_THAT(values_on<HostTeams>(h), Each(1));

  Array<int> d("one sided", 4, MemoryKind::device_only);
  fill<Exec>(d, 2);
  expect_refused(MemoryKind::device_only, "host", [&] { static_cast<void>(d.read(host)); });
  expect_refused(MemoryKind::device_only, "host", [&] { static_cast<void>(d.read_write(host)); });
  expect_refused(MemoryKind::device_only, "host", [&] { deep_copy(Exec{}, d, h); });
  expect_refused(MemoryKind::host_only, "device", [&] { deep_copy(Exec{}, h, d); });
  EXPECT_EQ(dot<Exec>(d), 16);
  EXPECT_EQ(d.transfers().copies() + h.transfers().copies(), 0U);
  EXPECT_EQ(d.transfers().allocations + h.transfers().allocations, 2U);
}

#ifdef KOKKOS_ENABLE_CUDA
cudaMemoryType type_of(const void* memory) {
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, memory), cudaSuccess);
  return attributes.type;
}

TEST(Kind, IsWhatTheDriverSaysOfTheMemory) {  // 10
  for (const MemoryKind kind : {MemoryKind::paired, MemoryKind::pinned}) {
    Array<int> a("a", 100, kind);
    EXPECT_EQ(type_of(a.write(host).data()), kind == MemoryKind::pinned
                                                 ? cudaMemoryTypeHost  // page-locked
                                                 : cudaMemoryTypeUnregistered);
    EXPECT_EQ(type_of(a.write(device).data()), cudaMemoryTypeDevice);
  }
  Array<int> shared("shared", 100, MemoryKind::shared);
  EXPECT_EQ(type_of(shared.write(host).data()), cudaMemoryTypeManaged);
  EXPECT_EQ(shared.read(device).data(), shared.read(host).data());
}
#endif

}  // namespace kolam::array_test
