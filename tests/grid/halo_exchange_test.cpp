// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <kolam/core/instances.hpp>
#include <kolam/grid/field.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/two_sides.hpp>
#include <string>
#include <utility>
#include <vector>

#include "halo_steps.hpp"

namespace kolam::halo_exchange_test {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using namespace halo_steps;

template <class Exec>
class HaloOn : public ::testing::Test {
 public:
  // Neighbours get different instances, on different devices if there are several.
  static std::vector<Exec> instances(int count) {
    const std::vector<Exec> several = testing::is_gpu<Exec>
                                          ? make_instances<Exec>(std::min(count, 8))
                                          : testing::two_instances<Exec>();
    std::vector<Exec> result;
    for (int i = 0; i < count; ++i) {
      result.push_back(several[static_cast<std::size_t>(i) % several.size()]);
    }
    return result;
  }
};
TYPED_TEST_SUITE(HaloOn, testing::KokkosSpaces, testing::ExecutionSpaceNames);

template <int N, class Exec>
void expect_ghosts_filled(const comm::Decomposition<N>& decomposition, int depth,
                          grid::Ghosts ghosts, comm::Transport transport) {
  const int count = decomposition.subdomains();
  const auto instances = HaloOn<Exec>::instances(count);
  grid::HaloExchange<N, Exec> halo(instances, decomposition, depth, ghosts, {}, transport);
  typename grid::HaloExchange<N, Exec>::template Fields<double> fields;
  for (int s = 0; s < count; ++s) {
    const comm::LocalGrid<N> local(decomposition, s, depth);
    fields.push_back(
        numbered_field<N, double>(instances[static_cast<std::size_t>(s)], local, s % 3));
  }
  halo.template exchange<double>(fields);
  Kokkos::fence();
  for (int s = 0; s < count; ++s) {
    EXPECT_EQ(first_wrong<N>(decomposition, s, depth, ghosts, fields[static_cast<std::size_t>(s)]),
              "");
  }
}

TYPED_TEST(HaloOn, FillsTheGhostsOfEveryCutIn2D) {
  for (const Extents<2>& extents : {Extents<2>{3, 3}, {7, 5}, {12, 17}}) {
    for (const comm::Parts<2>& parts :
         {comm::Parts<2>{1, 1}, {1, 2}, {2, 1}, {1, 5}, {3, 1}, {2, 3}, {3, 3}}) {
      if (parts[0] > extents[0] || parts[1] > extents[1]) continue;
      for (const int depth : {1, 2, 3}) {
        if (extents[0] / parts[0] < depth || extents[1] / parts[1] < depth) continue;
        for (const auto& periodic : {comm::Decomposition<2>::Flags{false, false},
                                     {false, true},
                                     {true, false},
                                     {true, true}}) {
          const comm::Decomposition<2> decomposition(extents, parts, periodic);
          for (const comm::Transport transport :
               {comm::Transport::automatic, comm::Transport::staged}) {
            for (const grid::Ghosts ghosts : {grid::Ghosts::faces, grid::Ghosts::corners}) {
              expect_ghosts_filled<2, TypeParam>(decomposition, depth, ghosts, transport);
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(HaloOn, ExchangesArraysAndTakesTheirIntents) {
  const testing::TwoSides two;
  constexpr int depth = 2;
  const comm::Decomposition<2> decomposition({12, 17}, {2, 3}, {true, false});
  const auto instances = HaloOn<TypeParam>::instances(6);
  grid::HaloExchange halo(instances, decomposition, depth, grid::Ghosts::corners);
  std::vector<grid::Field<double, 2>> u;
  std::vector<grid::Field<double, 2>> v;
  const auto fill = [&](std::vector<grid::Field<double, 2>>& fields, int which) {
    for (int s = 0; s < 6; ++s) {
      const comm::LocalGrid<2> local(decomposition, s, depth);
      Extents<2> own = local.extents();
      for (index_t& extent : own) extent -= 2 * depth;
      fields.emplace_back("u", field_layout<2>({own[0], own[1]}, depth, sizeof(double)));
      const auto numbered =
          numbered_field<2, double>(Kokkos::DefaultHostExecutionSpace{}, local, 0, which);
      const auto points = grid::with_ghosts(fields.back().layout(), fields.back().write(host));
      for (std::size_t y = 0; y < numbered.extent(1); ++y)
        for (std::size_t x = 0; x < numbered.extent(0); ++x) points(x, y) = numbered(x, y);
    }
  };
  fill(u, 0);
  fill(v, 1000);
  halo.exchange(u, v);
  {
    const TransferBudget budget{.host_to_device = 0, .device_to_host = 0};
    halo.start(u, v);  // both are on the device already
    halo.finish();
  }
  for (int s = 0; s < 6; ++s) {
    const auto at = static_cast<std::size_t>(s);
    const auto wrong = [&](const grid::Field<double, 2>& field, int which) {
      return first_wrong<2>(decomposition, s, depth, grid::Ghosts::corners,
                            grid::with_ghosts(field.layout(), field.read(host)), which);
    };
    EXPECT_EQ(wrong(u[at], 0), "");
    EXPECT_EQ(wrong(v[at], 1000), "");
  }

  std::vector<grid::Field<double, 2>> other;
  EXPECT_THAT(error_of<InvalidArgument>([&] { halo.start(other); }),
              HasSubstr("0 fields for 6 subdomains"));
  for (int s = 0; s < 6; ++s) other.emplace_back("w", field_layout<2>({6, 6}, 1, sizeof(double)));
  EXPECT_THAT(
      error_of<InvalidArgument>([&] { halo.start(other); }),
      HasSubstr("field 'w' has 6 x 6 points with ghosts of depth 1; its subdomain has 6 x "));
}

TYPED_TEST(HaloOn, ExchangesTheArraysOfTheOnlySubdomain) {
  const comm::Decomposition<2> decomposition({5, 4}, {1, 1}, {true, true});
  const auto instances = HaloOn<TypeParam>::instances(1);
  grid::HaloExchange halo(instances, decomposition, 1, grid::Ghosts::faces);
  const auto layout = field_layout<2>({5, 4}, 1, sizeof(float));
  grid::Field<float, 2> u("u", layout), v("v", layout, 1);
  const auto fill = [&](grid::Field<float, 2>& field, float first) {
    const auto points = grid::with_ghosts(layout, field.write(host));
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 7; ++x) points(x, y) = first + static_cast<float>(x + 10 * y);
  };
  fill(u, 100);
  fill(v, 200);
  halo.exchange(u, v);
  for (const auto& [field, first] : {std::pair{&u, 100.F}, {&v, 200.F}}) {
    const auto points = grid::with_ghosts(layout, field->read(host));
    EXPECT_EQ(points(0, 2), first + 25) << "the last point of its row";
    EXPECT_EQ(points(6, 2), first + 21) << "the first";
    EXPECT_EQ(points(3, 0), first + 43) << "the last of its column";
    EXPECT_EQ(points(3, 5), first + 13) << "the first";
  }
}

TYPED_TEST(HaloOn, FillsTheGhostsOfEveryCutIn3D) {
  for (const comm::Parts<3>& parts :
       {comm::Parts<3>{1, 1, 1}, {1, 1, 4}, {1, 2, 2}, {2, 2, 2}, {3, 1, 2}}) {
    for (const int depth : {1, 2}) {
      for (const bool periodic : {false, true}) {
        const comm::Decomposition<3> decomposition({6, 5, 9}, parts, {periodic, false, true});
        if (depth == 2 && parts[2] == 4) continue;
        for (const comm::Transport transport :
             {comm::Transport::automatic, comm::Transport::staged}) {
          expect_ghosts_filled<3, TypeParam>(decomposition, depth, grid::Ghosts::faces, transport);
          expect_ghosts_filled<3, TypeParam>(decomposition, depth, grid::Ghosts::corners,
                                             transport);
        }
      }
    }
  }
}

// The number of fields changes, so that packed messages grow and shrink.
template <class T, class Exec>
void expect_several_filled(comm::Transport transport) {
  using Fields = typename grid::HaloExchange<3, Exec>::template Fields<T>;
  const comm::Decomposition<3> decomposition({6, 5, 4}, {2, 2, 1}, {true, false, true});
  const auto instances = HaloOn<Exec>::instances(4);
  grid::HaloExchange<3, Exec> halo(instances, decomposition, 1, grid::Ghosts::corners, {},
                                   transport);
  for (const std::size_t several : {1, 3, 2}) {
    std::vector<Fields> all(3);
    for (int s = 0; s < 4; ++s) {
      const comm::LocalGrid<3> local(decomposition, s, 1);
      for (int f = 0; f < 3; ++f) {
        all[static_cast<std::size_t>(f)].push_back(
            numbered_field<3, T>(instances[static_cast<std::size_t>(s)], local, f, 1000 * f));
      }
    }
    if (several == 1) halo.template exchange<T>(all[0]);
    if (several == 2) halo.template exchange<T>(all[0], all[1]);
    if (several == 3) halo.template exchange<T>(all[0], all[1], all[2]);
    Kokkos::fence();
    for (std::size_t f = 0; f < several; ++f) {
      for (int s = 0; s < 4; ++s) {
        EXPECT_EQ(first_wrong<3>(decomposition, s, 1, grid::Ghosts::corners,
                                 all[f][static_cast<std::size_t>(s)], 1000 * static_cast<int>(f)),
                  "")
            << several << " fields, the one numbered " << f;
      }
    }
  }
}

TYPED_TEST(HaloOn, ExchangesSeveralFieldsAtOnce) {
  for (const comm::Transport transport : {comm::Transport::automatic, comm::Transport::staged}) {
    expect_several_filled<double, TypeParam>(transport);
    expect_several_filled<float, TypeParam>(transport);
  }
}

TYPED_TEST(HaloOn, RefusesWhatItCannotFill) {
  using Halo = grid::HaloExchange<2, TypeParam>;
  const comm::Decomposition<2> decomposition({9, 5}, {1, 3});
  const auto instances = this->instances(3);
  EXPECT_THAT(error_of<InvalidArgument>([&] { Halo({}, decomposition, 1, grid::Ghosts::faces); }),
              HasSubstr("0 instances for 3 subdomains"));
  EXPECT_THAT(
      error_of<InvalidArgument>([&] { Halo(instances, decomposition, 0, grid::Ghosts::faces); }),
      HasSubstr("depth 0"));
  EXPECT_THAT(
      error_of<InvalidArgument>([&] { Halo(instances, decomposition, 2, grid::Ghosts::faces); }),
      AllOf(HasSubstr("depth 2"), HasSubstr("subdomain 2 has 1 points along y"),
            HasSubstr("fewer subdomains")));
  EXPECT_THAT(error_of<InvalidArgument>([&] {
                Halo(instances, decomposition, 1, grid::Ghosts::faces, {}, comm::Transport::mpi);
              }),
              HasSubstr("without MPI"));
  Halo halo(instances, decomposition, 1, grid::Ghosts::faces);
  EXPECT_THAT(error_of<InvalidArgument>([&] { halo.template exchange<double>({}); }),
              HasSubstr("0 fields for 3 subdomains"));
  typename Halo::template Fields<double> fields(3);
  EXPECT_THAT(error_of<InvalidArgument>([&] { halo.template exchange<double>(fields); }),
              HasSubstr("0 points along x; subdomain and ghosts need 11"));
}

TYPED_TEST(HaloOn, RefusesHalvesOutOfTurn) {
  const comm::Decomposition<2> decomposition({4, 4}, {1, 2});
  const auto instances = this->instances(2);
  grid::HaloExchange<2, TypeParam> halo(instances, decomposition, 1, grid::Ghosts::faces);
  EXPECT_THAT(error_of<InvalidArgument>([&] { halo.finish(); }), HasSubstr("call start(fields)"));
  typename grid::HaloExchange<2, TypeParam>::template Fields<float> fields;
  for (int s = 0; s < 2; ++s) {
    fields.push_back(field_of<2, float>(instances[static_cast<std::size_t>(s)],
                                        comm::LocalGrid<2>(decomposition, s, 1), 0));
  }
  halo.template start<float>(fields);
  EXPECT_THAT(error_of<InvalidArgument>([&] { halo.template start<float>(fields); }),
              HasSubstr("call finish()"));
  grid::HaloExchange<2, TypeParam> moved = std::move(halo);
  moved.finish();
  moved.template exchange<float>(fields);
}

TYPED_TEST(HaloOn, SaysWhichWayItTakes) {
  using Halo = grid::HaloExchange<2, TypeParam>;
  const comm::Decomposition<2> decomposition({9, 6}, {1, 2});
  const TypeParam exec;
  const Halo direct({exec, exec}, decomposition, 1, grid::Ghosts::faces);
  EXPECT_EQ(direct.transport(), testing::is_gpu<TypeParam> ? "one device" : "one host");
  const Halo staged({exec, exec}, decomposition, 1, grid::Ghosts::faces, {},
                    comm::Transport::staged);
  EXPECT_EQ(staged.transport(), testing::is_gpu<TypeParam>
                                    ? "staged through pinned memory of one device"
                                    : "staged through a buffer of one host");
  const Halo alone({exec}, comm::Decomposition<2>({9, 6}, {1, 1}), 1, grid::Ghosts::faces);
  EXPECT_EQ(alone.transport(), testing::is_gpu<TypeParam> ? "one device" : "one host");
}

TYPED_TEST(HaloOn, SaysThatItGoesBetweenDevices) {
  const int several = std::min(devices<TypeParam>(), 4);
  if (several < 2) GTEST_SKIP() << "there is one device only";
  const grid::HaloExchange<2, TypeParam> peers(make_instances<TypeParam>(several),
                                               comm::Decomposition<2>({9, 16}, {1, several}), 1,
                                               grid::Ghosts::faces);
  EXPECT_THAT(peers.transport(), HasSubstr(std::to_string(several) + " devices"));
}

TYPED_TEST(HaloOn, MakesEveryCutGiveTheSameBits) {
  const index_t n = testing::is_gpu<TypeParam> ? 700 : 37;
  const Extents<2> extents{n, n - 6};
  const auto whole = after_steps<TypeParam>(extents, {1, 1}, 20, this->instances(1));
  EXPECT_EQ(whole[0], whole[0]) << "not poisoned";
  for (const comm::Transport transport : {comm::Transport::automatic, comm::Transport::staged}) {
    for (const comm::Parts<2>& parts :
         {comm::Parts<2>{1, 1}, {1, 2}, {2, 1}, {1, 5}, {3, 3}, {4, 2}, {1, 31}}) {
      const auto instances = this->instances(parts[0] * parts[1]);
      EXPECT_EQ(after_steps<TypeParam>(extents, parts, 20, instances, {{}, transport}), whole)
          << parts[0] << " x " << parts[1] << " by " << name(transport);
    }
  }
}

TYPED_TEST(HaloOn, LetsTheInteriorBeSweptMeanwhile) {
  const index_t n = testing::is_gpu<TypeParam> ? 700 : 37;
  const Extents<2> extents{n, n - 6};
  const auto whole = after_steps<TypeParam>(extents, {1, 1}, 20, this->instances(1));
  for (const comm::Transport transport : {comm::Transport::automatic, comm::Transport::staged}) {
    for (const comm::Parts<2>& parts :
         {comm::Parts<2>{1, 1}, {1, 2}, {2, 2}, {3, 3}, {1, 31}, {37, 1}}) {
      const auto instances = this->instances(parts[0] * parts[1]);
      std::vector<TypeParam> inner = instances;
      if (testing::is_gpu<TypeParam>) inner = this->instances(parts[0] * parts[1]);  // new streams
      EXPECT_EQ(after_steps<TypeParam>(extents, parts, 20, instances, {{}, transport}, inner),
                whole)
          << parts[0] << " x " << parts[1] << " by " << name(transport);
    }
  }
}

template <class View>
struct AddGhosts {
  View u;
  int ny;
  KOKKOS_FUNCTION void operator()(int x, int) const { u(x, 1) += u(x, 0) + u(x, ny - 1); }
};

// Fields are written in place: without release() a subdomain could overwrite what its neighbour
// still reads.
TYPED_TEST(HaloOn, ReleasesWhatIsWrittenInPlace) {
  const index_t nx = testing::is_gpu<TypeParam> ? 100000 : 40;
  const int count = 3;
  const comm::Decomposition<2> decomposition({nx, 3}, {1, count}, {false, true});
  const auto instances = this->instances(count);
  grid::HaloExchange<2, TypeParam> halo(instances, decomposition, 1, grid::Ghosts::faces);
  typename grid::HaloExchange<2, TypeParam>::template Fields<double> u;
  std::vector<double> row = {1, 2, 4};
  for (int s = 0; s < count; ++s) {
    const auto& exec = instances[static_cast<std::size_t>(s)];
    u.push_back(field_of<2, double>(exec, comm::LocalGrid<2>(decomposition, s, 1), 0));
    Kokkos::deep_copy(u.back(), row[static_cast<std::size_t>(s)]);
  }
  for (int step = 0; step < 10; ++step) {
    halo.template exchange<double>(u);
    halo.release();
    for (std::size_t s = 0; s < u.size(); ++s) {
      launch("add", instances[s], static_cast<index_t>(u[s].extent(0)), 1,
             AddGhosts<std::decay_t<decltype(u[s])>>{u[s], 3});
    }
    row.assign(3, row[0] + row[1] + row[2]);
  }
  Kokkos::fence();
  for (const auto& field : u) {
    const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, field);
    for (index_t x = 1; x <= nx; ++x) ASSERT_EQ(mirror(x, 1), row[0]) << "at " << x;
  }
}

// Devices order neighbours by events, hosts by fences, which can be counted.
TYPED_TEST(HaloOn, LetsNeighboursMeetOnce) {
  const auto instances = this->instances(4);
  const comm::Decomposition<2> decomposition({64, 48}, {1, 4}, {true, true});
  grid::HaloExchange<2, TypeParam> halo(instances, decomposition, 1, grid::Ghosts::faces);
  typename grid::HaloExchange<2, TypeParam>::template Fields<double> u;
  for (int s = 0; s < 4; ++s) {
    u.push_back(field_of<2, double>(instances[static_cast<std::size_t>(s)],
                                    comm::LocalGrid<2>(decomposition, s, 1), 0));
  }
  const bool several = !testing::is_gpu<TypeParam> && instances[0] != instances[1];
  testing::Fences fences;
  halo.template start<double>(u);
  EXPECT_EQ(fences.named("kolam::HaloExchange"), several ? 2 : 0);
  halo.finish();
  EXPECT_EQ(fences.named("kolam::HaloExchange"), 0);
  halo.release();
  EXPECT_EQ(fences.named("kolam::HaloExchange"), several ? 2 : 0);
  EXPECT_EQ(fences.named("kolam::HaloExchange grows"), 0);
}

int launched = 0;

// Copies of equal extents are launched together, 16 of them at most: here the columns and the rows
// of nine fields at both ends.
TYPED_TEST(HaloOn, LaunchesTheCopiesOfSeveralFieldsTogether) {
  const auto instances = this->instances(1);
  const comm::Decomposition<2> decomposition({17, 12}, {1, 1}, {true, true});
  const comm::LocalGrid<2> local(decomposition, 0, 2);
  grid::HaloExchange<2, TypeParam> halo(instances, decomposition, 2, grid::Ghosts::faces);
  std::vector<typename grid::HaloExchange<2, TypeParam>::template Fields<double>> u;
  for (int f = 0; f < 9; ++f)
    u.push_back({numbered_field<2, double>(instances[0], local, 1, 1000 * f)});
  namespace Tools = Kokkos::Tools::Experimental;
  const auto before = Tools::get_callbacks().begin_parallel_for;
  Tools::set_begin_parallel_for_callback([](const char* label, std::uint32_t, std::uint64_t*) {
    launched += std::string(label) == "kolam::copy_boxes";
  });
  launched = 0;
  halo.template exchange<double>(u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8]);
  Tools::set_begin_parallel_for_callback(before);
  EXPECT_EQ(launched, 4);
  Kokkos::fence();
  for (int f = 0; f < 9; ++f) {
    EXPECT_EQ(first_wrong<2>(decomposition, 0, 2, grid::Ghosts::faces,
                             u[static_cast<std::size_t>(f)][0], 1000 * f),
              "")
        << "field " << f;
  }
}

}  // namespace kolam::halo_exchange_test
