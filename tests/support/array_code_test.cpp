// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/memory/wrap.hpp>
#include <kolam/testing/array_code.hpp>
#include <kolam/testing/array_model.hpp>
#include <kolam/testing/array_use.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/shrink.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kolam::testing {
namespace {

const Steps every_step{
    {Op::open_memory, {0, static_cast<int>(MemoryKind::pinned)}},
    {Op::make, {0, 12, 5}},
    {Op::close_memory, {}},
    {Op::make, {1, -1, 0}},
    {Op::read, {0, on_host, 0, 0, 0, 0, 0, 1}},
    {Op::write, {0, on_device, 0, 2, 5, 0, 0, 0, 100}},
    {Op::modified, {0, on_host, 0, 0, 0, 0, 0, 1, 200}},
    {Op::modified, {0, on_second, 0, 1, 3, 0, 0, 0, 300}},
    {Op::read, {0, on_host, 0, 0, 13}},
    {Op::open_scope, {0, static_cast<int>(Policy::explicit_only)}},
    {Op::read_write, {0, on_second, 0, 0, 0, 0, 0, 1, 7}},
    {Op::sync, {0, on_second, 0, 0, 0, 0, 0, 1}},
    {Op::close_scope, {}},
    {Op::set_policy, {0, static_cast<int>(Policy::prefetch_second)}},
    {Op::alias, {1, 0, 0, 2, 12}},
    {Op::alias_strided, {2, 1, 3, 0, 10}},
    {Op::reshape, {3, 1, 0, 5, 2}},
    {Op::alias, {4, 3, 0, 1, 3, 0, 2}},
    {Op::read, {4, on_host, 0, 0, 1, 0, 2}},
    {Op::move, {5, 2}},
    {Op::destroy, {2}},
    {Op::make, {2, 10, 0}},
    {Op::deep_copy, {2, 1, on_host}},
    {Op::deep_copy, {2, 0, on_second}},
    {Op::assign, {0, 2}},
    {Op::resize, {0, 4}},
    {Op::release, {0, on_host}},
    {Op::discard, {0, on_device}},
    {Op::borrow, {0, 3, 0, 0, 0, 0, 0, 0, 50}},
    {Op::borrow_both, {1, 2, 1, 0, 0, 0, 0, 0, 60}},
    {Op::open_scope, {0, static_cast<int>(Policy::prefetch)}},
    {Op::write, {3, on_host, 0, 0, 1, 0, 9}},
};

TEST(ArrayCode, PrintsEveryStep) {
  const std::string expected = &R"(
const auto second = two_instances().front();
std::unique_ptr<kolam::MemoryScope> memory0;
memory0 = std::make_unique<kolam::MemoryScope>(kolam::MemoryKind::pinned);
auto a0 = kolam::Array<int>("a0", 12);
memory0.reset();
EXPECT_THROW(static_cast<void>(kolam::Array<int>("a1", -1, kolam::MemoryKind::paired)), kolam::InvalidArgument);
EXPECT_THROW(static_cast<void>(values(kolam::host, a0.read(kolam::host))), kolam::AccessError);
fill(kolam::device, a0.write(kolam::device, {2, 5}), 100);
fill_mirror(kolam::host, a0, 200);
fill_mirror(second, a0, 300, {1, 3});
EXPECT_THROW(static_cast<void>(values(kolam::host, a0.read(kolam::host, {0, 13}))), kolam::InvalidArgument);
std::unique_ptr<kolam::SyncScope> sync0;
sync0 = std::make_unique<kolam::SyncScope>(kolam::explicit_only);
EXPECT_THROW(static_cast<void>(add(second, a0.read_write(second), 7)), kolam::AccessError);
a0.sync(second);
sync0.reset();
a0.set_policy(kolam::prefetch(second));
auto a1 = a0.alias({2, 12});
auto a2 = a1.alias({0, 10}, 3);
auto a3 = kolam::reshape(a1, 5, 2);
auto a4 = a3.alias({{{1, 3}, {0, 2}}});
values(kolam::host, a4.read(kolam::host, {{{0, 1}, {0, 2}}}));
auto a5 = std::move(a2);
a2 = {};
auto a6 = kolam::Array<int>("a6", 10, kolam::MemoryKind::paired);
kolam::deep_copy(Kokkos::DefaultHostExecutionSpace(), a6, a1);
EXPECT_THROW(static_cast<void>(kolam::deep_copy(second, a6, a0)), kolam::InvalidArgument);
a0 = std::move(a6);
kolam::resize(a0, 4);
a0.release(kolam::host);
a0.discard(kolam::device);
auto host_of_a7 = ascending(3, 50);
auto a7 = kolam::borrow("a7", kolam::host, host_of_a7.data(), 3);
a0 = {};
auto host_of_a8 = ascending(2, -1000);
const auto device_of_a8 = ascending_on_device(2, 60);
auto a8 = kolam::borrow("a8", host_of_a8.data(), device_of_a8.data(), 2, kolam::ValidSide::device_side);
a1 = {};
sync0 = std::make_unique<kolam::SyncScope>(kolam::prefetch(Kokkos::DefaultExecutionSpace()));
EXPECT_THROW(static_cast<void>(fill(kolam::host, a3.write(kolam::host, {{{0, 1}, {0, 9}}}), 0)), kolam::InvalidArgument);
)"[1];
  EXPECT_EQ(as_code(every_step, true), expected);
}

// The code that is printed above, pasted.
TEST(ArrayCode, OfEveryStepRuns) {
  const Emulation before = emulation();
  if (one_memory) emulate(Emulation::on);
  const auto second = two_instances().front();
  std::unique_ptr<kolam::MemoryScope> memory0;
  memory0 = std::make_unique<kolam::MemoryScope>(kolam::MemoryKind::pinned);
  auto a0 = kolam::Array<int>("a0", 12);
  memory0.reset();
  EXPECT_THROW(static_cast<void>(kolam::Array<int>("a1", -1, kolam::MemoryKind::paired)),
               kolam::InvalidArgument);
  EXPECT_THROW(static_cast<void>(values(kolam::host, a0.read(kolam::host))), kolam::AccessError);
  fill(kolam::device, a0.write(kolam::device, {2, 5}), 100);
  fill_mirror(kolam::host, a0, 200);
  fill_mirror(second, a0, 300, {1, 3});
  EXPECT_THROW(static_cast<void>(values(kolam::host, a0.read(kolam::host, {0, 13}))),
               kolam::InvalidArgument);
  std::unique_ptr<kolam::SyncScope> sync0;
  sync0 = std::make_unique<kolam::SyncScope>(kolam::explicit_only);
  EXPECT_THROW(static_cast<void>(add(second, a0.read_write(second), 7)), kolam::AccessError);
  a0.sync(second);
  sync0.reset();
  a0.set_policy(kolam::prefetch(second));
  auto a1 = a0.alias({2, 12});
  auto a2 = a1.alias({0, 10}, 3);
  auto a3 = kolam::reshape(a1, 5, 2);
  auto a4 = a3.alias({{{1, 3}, {0, 2}}});
  values(kolam::host, a4.read(kolam::host, {{{0, 1}, {0, 2}}}));
  auto a5 = std::move(a2);
  a2 = {};
  auto a6 = kolam::Array<int>("a6", 10, kolam::MemoryKind::paired);
  kolam::deep_copy(Kokkos::DefaultHostExecutionSpace(), a6, a1);
  EXPECT_THROW(static_cast<void>(kolam::deep_copy(second, a6, a0)), kolam::InvalidArgument);
  a0 = std::move(a6);
  kolam::resize(a0, 4);
  a0.release(kolam::host);
  a0.discard(kolam::device);
  auto host_of_a7 = ascending(3, 50);
  auto a7 = kolam::borrow("a7", kolam::host, host_of_a7.data(), 3);
  a0 = {};
  auto host_of_a8 = ascending(2, -1000);
  const auto device_of_a8 = ascending_on_device(2, 60);
  auto a8 =
      kolam::borrow("a8", host_of_a8.data(), device_of_a8.data(), 2, kolam::ValidSide::device_side);
  a1 = {};
  sync0 = std::make_unique<kolam::SyncScope>(kolam::prefetch(Kokkos::DefaultExecutionSpace()));
  EXPECT_THROW(static_cast<void>(fill(kolam::host, a3.write(kolam::host, {{{0, 1}, {0, 9}}}), 0)),
               kolam::InvalidArgument);
  emulate(before);
}

// The predicate rejects sequences that copy twelve bytes or more to the host.
TEST(ArrayCode, OfAShrunkSequenceIsShort) {
  const auto copies_three_values = [](const Steps& steps) {
    ArrayModel model(true);
    for (const Step& step : steps) {
      model.apply(step);
      for (std::size_t slot = 0; slot < slots; ++slot) {
        if (model.array(slot) && model.array(slot)->memory->counts.bytes_to_host >= 12) return true;
      }
    }
    return false;
  };
  Steps steps = every_step;
  steps.insert(steps.end(), {{Op::make, {4, 20, 1}},
                             {Op::alias, {5, 4, 0, 5, 15}},
                             {Op::write, {5, on_second, 0, 0, 0, 0, 0, 1, 500}},
                             {Op::read, {4, on_host, 0, 0, 2}},
                             {Op::read, {5, on_host, 0, 3, 9}},
                             {Op::destroy, {5}}});
  const std::string expected = &R"(
auto a0 = kolam::Array<int>("a0", 3, kolam::MemoryKind::paired);
fill(kolam::device, a0.write(kolam::device), 0);
values(kolam::host, a0.read(kolam::host, {0, 3}));
)"[1];
  EXPECT_EQ(as_code(shrink(steps, copies_three_values), true), expected);
}

}  // namespace
}  // namespace kolam::testing
