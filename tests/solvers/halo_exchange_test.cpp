// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/instances.hpp>
#include <kolam/solvers/halo_exchange.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <string>
#include <vector>

namespace kolam::halo_exchange_test {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

template <class Exec>
class HaloOn : public ::testing::Test {
 public:
  // Neighbours are on different ones, and on different devices if there are several.
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

constexpr double poison = std::numeric_limits<double>::quiet_NaN();

// Calls f(local index, global index of that point or ghost) for all of them.
template <int N, class F>
void for_each_local(const LocalGrid<N>& local, F f) {
  const Extents<N> extents = local.extents();
  index_t total = 1;
  for (const index_t extent : extents) total *= extent;
  for (index_t i = 0; i < total; ++i) {
    Extents<N> at{};
    Extents<N> global{};
    index_t rest = i;
    for (std::size_t d = 0; d < N; ++d) {
      at[d] = rest % extents[d];
      rest /= extents[d];
      global[d] = at[d] - local.depth() + local.own_global()[d].begin;
    }
    f(at, global);
  }
}

template <int N, class View>
auto& value(const View& view, const Extents<N>& at) {
  if constexpr (N == 2) {
    return view(at[0], at[1]);
  } else {
    return view(at[0], at[1], at[2]);
  }
}

template <int N>
double number(const Extents<N>& global) {
  double result = 1;
  for (std::size_t d = N; d-- > 0;) result = 100 * result + static_cast<double>(global[d]);
  return result;
}

// What a ghost holds when the field is the number of each point; poison if nobody fills it.
template <int N>
double expected(const Decomposition<N>& decomposition, const LocalGrid<N>& local, Extents<N> global,
                Ghosts ghosts) {
  int outside = 0;
  for (std::size_t d = 0; d < N; ++d) {
    const Range own = local.own_global()[d];
    const index_t extent = decomposition.extents()[d];
    if (global[d] < own.begin || global[d] >= own.end) ++outside;
    const bool beyond = global[d] < 0 || global[d] >= extent;
    if (beyond && !decomposition.periodic(static_cast<int>(d))) return poison;
    global[d] = (global[d] + extent) % extent;
  }
  return outside > 1 && ghosts == Ghosts::faces ? poison : number<N>(global);
}

template <int N, class Exec>
auto field_of(const Exec& exec, const LocalGrid<N>& local, index_t padding) {
  using Field = typename HaloExchange<N, Exec>::template Field<double>;
  const Extents<N> e = local.extents();
  const auto where = Kokkos::view_alloc(exec, "field");
  if constexpr (N == 2) {
    return Field(where, e[0] + padding, e[1]);
  } else {
    return Field(where, e[0] + padding, e[1], e[2]);
  }
}

template <int N, class Exec>
void expect_ghosts_filled(const Decomposition<N>& decomposition, int depth, Ghosts ghosts) {
  const int count = decomposition.subdomains();
  const auto instances = HaloOn<Exec>::instances(count);
  const HaloExchange<N, Exec> halo(decomposition, depth, ghosts, instances);
  std::vector<typename HaloExchange<N, Exec>::template Field<double>> fields;
  for (int s = 0; s < count; ++s) {
    const LocalGrid<N> local(decomposition, s, depth);
    fields.push_back(field_of<N>(instances[static_cast<std::size_t>(s)], local, s % 3));
    const auto mirror = Kokkos::create_mirror_view(fields.back());
    for_each_local<N>(local, [&](const Extents<N>& at, const Extents<N>& global) {
      bool own = true;
      for (std::size_t d = 0; d < N; ++d) {
        own = own && global[d] >= local.own_global()[d].begin &&
              global[d] < local.own_global()[d].end;
      }
      value<N>(mirror, at) = own ? number<N>(global) : poison;
    });
    Kokkos::deep_copy(fields.back(), mirror);
  }

  halo.template exchange<double>(fields);
  Kokkos::fence();

  for (int s = 0; s < count; ++s) {
    const LocalGrid<N> local(decomposition, s, depth);
    const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{},
                                                            fields[static_cast<std::size_t>(s)]);
    for_each_local<N>(local, [&](const Extents<N>& at, const Extents<N>& global) {
      const double wanted = expected<N>(decomposition, local, global, ghosts);
      const double got = value<N>(mirror, at);
      ASSERT_TRUE(got == wanted || (std::isnan(got) && std::isnan(wanted)))
          << got << " instead of " << wanted << ", subdomain " << s << ", depth " << depth
          << ", global index " << ::testing::PrintToString(global);
    });
  }
}

TYPED_TEST(HaloOn, FillsTheGhostsOfEveryCutIn2D) {
  for (const Extents<2>& extents : {Extents<2>{3, 3}, {7, 5}, {12, 17}}) {
    for (const Parts<2>& parts : {Parts<2>{1, 1}, {1, 2}, {2, 1}, {1, 5}, {3, 1}, {2, 3}, {3, 3}}) {
      if (parts[0] > extents[0] || parts[1] > extents[1]) continue;
      for (const int depth : {1, 2, 3}) {
        if (extents[0] / parts[0] < depth || extents[1] / parts[1] < depth) continue;
        for (const bool x : {false, true}) {
          for (const bool y : {false, true}) {
            const Decomposition<2> decomposition(extents, parts, {x, y});
            expect_ghosts_filled<2, TypeParam>(decomposition, depth, Ghosts::faces);
            expect_ghosts_filled<2, TypeParam>(decomposition, depth, Ghosts::corners);
          }
        }
      }
    }
  }
}

TYPED_TEST(HaloOn, FillsTheGhostsOfEveryCutIn3D) {
  for (const Parts<3>& parts : {Parts<3>{1, 1, 1}, {1, 1, 4}, {1, 2, 2}, {2, 2, 2}, {3, 1, 2}}) {
    for (const int depth : {1, 2}) {
      for (const bool periodic : {false, true}) {
        const Decomposition<3> decomposition({6, 5, 9}, parts, {periodic, false, true});
        if (depth == 2 && parts[2] == 4) continue;
        expect_ghosts_filled<3, TypeParam>(decomposition, depth, Ghosts::faces);
        expect_ghosts_filled<3, TypeParam>(decomposition, depth, Ghosts::corners);
      }
    }
  }
}

TYPED_TEST(HaloOn, RefusesWhatItCannotFill) {
  using Halo = HaloExchange<2, TypeParam>;
  const Decomposition<2> decomposition({9, 5}, {1, 3});
  const auto instances = this->instances(3);
  EXPECT_THAT(error_of<InvalidArgument>([&] { Halo(decomposition, 1, Ghosts::faces, {}); }),
              HasSubstr("0 instances for 3 subdomains"));
  EXPECT_THAT(error_of<InvalidArgument>([&] { Halo(decomposition, 0, Ghosts::faces, instances); }),
              HasSubstr("depth 0"));
  EXPECT_THAT(error_of<InvalidArgument>([&] { Halo(decomposition, 2, Ghosts::faces, instances); }),
              AllOf(HasSubstr("depth 2"), HasSubstr("subdomain 2 has 1 points along y"),
                    HasSubstr("fewer subdomains")));
  const Halo halo(decomposition, 1, Ghosts::faces, instances);
  EXPECT_THAT(error_of<InvalidArgument>([&] { halo.template exchange<double>({}); }),
              HasSubstr("0 fields for 3 subdomains"));
}

template <class View>
struct Average {
  View from, to;
  KOKKOS_FUNCTION void operator()(int x, int y) const {
    to(x, y) = ((from(x - 1, y) + from(x + 1, y)) + from(x, y - 1)) + from(x, y + 1);
  }
};

// Steps without a fence: on a device, whoever does not wait for its neighbour reads old ghosts, or
// has its points overwritten while they are read.
template <class Exec>
std::vector<double> after_steps(const Extents<2>& extents, const Parts<2>& parts, int steps) {
  using Field = typename HaloExchange<2, Exec>::template Field<double>;
  const Decomposition<2> decomposition(extents, parts, {true, true});
  const int count = decomposition.subdomains();
  const auto instances = HaloOn<Exec>::instances(count);
  const HaloExchange<2, Exec> halo(decomposition, 1, Ghosts::faces, instances);
  std::vector<Field> u;
  std::vector<Field> next;
  for (int s = 0; s < count; ++s) {
    const LocalGrid<2> local(decomposition, s, 1);
    u.push_back(field_of<2>(instances[static_cast<std::size_t>(s)], local, 0));
    next.push_back(field_of<2>(instances[static_cast<std::size_t>(s)], local, 0));
    const auto mirror = Kokkos::create_mirror_view(u.back());
    for_each_local<2>(local, [&](const Extents<2>& at, const Extents<2>& global) {
      value<2>(mirror, at) = static_cast<double>(global[0] * 7 % 5 + global[1] * 3 % 11);
    });
    Kokkos::deep_copy(u.back(), mirror);
  }
  for (int step = 0; step < steps; ++step) {
    halo.template exchange<double>(u);
    for (int s = 0; s < count; ++s) {
      const auto i = static_cast<std::size_t>(s);
      const Box<2> own = LocalGrid<2>(decomposition, s, 1).own_local();
      Kokkos::parallel_for(
          "average",
          Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>(instances[i], {own[0].begin, own[1].begin},
                                                       {own[0].end, own[1].end}),
          Average<Field>{u[i], next[i]});
    }
    std::swap(u, next);
  }
  Kokkos::fence();
  std::vector<double> result(static_cast<std::size_t>(extents[0] * extents[1]));
  for (int s = 0; s < count; ++s) {
    const LocalGrid<2> local(decomposition, s, 1);
    const auto mirror =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, u[static_cast<std::size_t>(s)]);
    for_each_local<2>(local, [&](const Extents<2>& at, const Extents<2>& global) {
      const Box<2> own = local.own_local();
      if (at[0] < own[0].begin || at[0] >= own[0].end || at[1] < own[1].begin ||
          at[1] >= own[1].end)
        return;
      result[static_cast<std::size_t>(global[1] * extents[0] + global[0])] = value<2>(mirror, at);
    });
  }
  return result;
}

TYPED_TEST(HaloOn, MakesEveryCutGiveTheSameBits) {
  const index_t n = testing::is_gpu<TypeParam> ? 700 : 37;
  const Extents<2> extents{n, n - 6};
  const auto whole = after_steps<TypeParam>(extents, {1, 1}, 20);
  for (const Parts<2>& parts : {Parts<2>{1, 2}, {2, 1}, {1, 5}, {3, 3}, {4, 2}, {1, 31}}) {
    EXPECT_EQ(after_steps<TypeParam>(extents, parts, 20), whole) << parts[0] << " x " << parts[1];
  }
}

}  // namespace kolam::halo_exchange_test
