// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <kolam/core/error.hpp>

#include "replacement.hpp"

namespace kolam {
namespace checkpoint {
namespace {

std::string text(const CheckpointValue& value) {
  if (const auto* const words = std::get_if<std::string>(&value))
    return fmt::format("'{}'", *words);
  if (const auto* const real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return fmt::format("{}", std::get<std::int64_t>(value));
}

// Compares doubles by their bits: a NaN equals itself, and 0.0 differs from -0.0.
bool same(const CheckpointValue& a, const CheckpointValue& b) {
  const auto* const x = std::get_if<double>(&a);
  const auto* const y = std::get_if<double>(&b);
  if (x != nullptr && y != nullptr) {
    return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y);
  }
  return a == b;
}

}  // namespace

std::string difference(const CheckpointHeader& stored, const std::string& stored_precision,
                       const CheckpointHeader& expected, const std::string& expected_precision) {
  if (stored.program != expected.program) {
    return fmt::format("it is one of '{}', and this is '{}'", stored.program, expected.program);
  }
  if (stored_precision != expected_precision) {
    return fmt::format("its precision is {}, and {} is asked for; ask for {}", stored_precision,
                       expected_precision, stored_precision);
  }
  if (stored.extents != expected.extents) {
    return fmt::format("its grid has {} points, and {} are asked for; ask for the same grid",
                       fmt::join(stored.extents, " x "), fmt::join(expected.extents, " x "));
  }
  for (const auto& [name, value] : expected.parameters) {
    const auto found = stored.parameters.find(name);
    if (found == stored.parameters.end()) {
      return fmt::format("it has no '{}', and {} is asked for", name, text(value));
    }
    if (!same(found->second, value)) {
      return fmt::format("its '{}' is {}, and {} is asked for; ask for the same", name,
                         text(found->second), text(value));
    }
  }
  return {};
}

template <int N>
void require_box(const std::filesystem::path& path, const std::vector<index_t>& extents,
                 const Box<N>& box, const comm::Pitches<N>& pitches) {
  if (extents.size() != N) {
    throw FileError(fmt::format(
        "cannot read checkpoint '{}': its grid has {} dimensions, and a box of {} is asked for",
        path.string(), extents.size(), N));
  }
  index_t least = 1;
  for (std::size_t d = 0; d < N; ++d) {
    if (box[d].begin < 0 || box[d].begin >= box[d].end || box[d].end > extents[d]) {
      throw InvalidArgument(fmt::format(
          "cannot read [{}, {}) in dimension {} of checkpoint '{}', which has {} points there",
          box[d].begin, box[d].end, d, path.string(), extents[d]));
    }
    least *= box[d].end - box[d].begin;
    if (d + 1 == N) break;
    if (pitches[d] < least) {
      throw InvalidArgument(
          fmt::format("cannot read checkpoint '{}' with pitch {} of {}: it must be at least {}",
                      path.string(), d, pitches[d], least));
    }
    least = pitches[d];
  }
}

template void require_box<2>(const std::filesystem::path&, const std::vector<index_t>&,
                             const Box<2>&, const comm::Pitches<2>&);
template void require_box<3>(const std::filesystem::path&, const std::vector<index_t>&,
                             const Box<3>&, const comm::Pitches<3>&);

}  // namespace checkpoint

std::filesystem::path previous_checkpoint(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path file = std::filesystem::canonical(path, error);
  return previous_of(error ? path : file);
}

}  // namespace kolam
