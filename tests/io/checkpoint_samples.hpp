// SPDX-License-Identifier: Apache-2.0
// States of invented runs, whole or in blocks, to test checkpoints.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/io/checkpoint.hpp>
#include <string>
#include <vector>

namespace kolam::testing {

/// Returns a value for each point, field and step: all bits are in use, and some are NaNs with
/// payload.
template <class T>
T sample_value(index_t x, index_t y, index_t z, std::int64_t step, std::uint64_t field) {
  std::uint64_t bits = 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(x + 1) +
                       0xbf58476d1ce4e5b9U * static_cast<std::uint64_t>(y + 1) +
                       0x94d049bb133111ebU * static_cast<std::uint64_t>(z + 1) +
                       0xd6e8feb86659fd93U * static_cast<std::uint64_t>(step + 1) + field;
  bits ^= bits >> 29;
  bits *= 0xff51afd7ed558ccdU;
  bits ^= bits >> 32;
  if constexpr (sizeof(T) == 8) return std::bit_cast<T>(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

template <int N>
index_t z_of(const Box<N>& box, index_t layer) {
  if constexpr (N == 3) return box[2].begin + layer;
  return 0;
}

/// The memory of one subdomain, with pitches larger than needed and rubbish between the rows.
template <class T, int N>
struct SampleBlock {
  Box<N> box;
  comm::Pitches<N> pitches;
  std::vector<T> memory;

  SampleBlock(const Box<N>& where, index_t padding, T rubbish) : box(where) {
    pitches[0] = box[0].end - box[0].begin + padding;
    index_t points = pitches[0] * (box[1].end - box[1].begin);
    if constexpr (N == 3) {
      pitches[1] = points + padding;  // no multiple of the row's
      points = pitches[1] * (box[2].end - box[2].begin);
    }
    memory.assign(static_cast<std::size_t>(points), rubbish);
  }

  /// Calls f(value, x, y, z) for each point of the box.
  template <class F>
  void for_each(F f) {
    const index_t layers = N == 3 ? box[N - 1].end - box[N - 1].begin : 1;
    for (index_t k = 0; k < layers; ++k) {
      for (index_t j = 0; j < box[1].end - box[1].begin; ++j) {
        for (index_t i = 0; i < box[0].end - box[0].begin; ++i) {
          index_t at = j * pitches[0] + i;
          if constexpr (N == 3) at += k * pitches[1];
          f(memory[static_cast<std::size_t>(at)], box[0].begin + i, box[1].begin + j,
            z_of<N>(box, k));
        }
      }
    }
  }
};

/// A field in blocks, and the memory of the blocks.
template <class T, int N>
struct SampleField {
  std::vector<SampleBlock<T, N>> blocks;
  comm::FieldBlocks<T, N> field;

  SampleField(std::string name, const Extents<N>& extents, const comm::Parts<N>& parts,
              std::int64_t step = 0, std::uint64_t number = 0, index_t padding = 3) {
    field.name = std::move(name);
    const comm::Decomposition<N> decomposition(extents, parts);
    for (int s = 0; s < decomposition.subdomains(); ++s) {
      blocks.emplace_back(decomposition.own(s), padding, T(-77));
      blocks.back().for_each([&](T& value, index_t x, index_t y, index_t z) {
        value = sample_value<T>(x, y, z, step, number);
      });
      field.blocks.push_back(
          {blocks.back().box, blocks.back().memory.data(), blocks.back().pitches});
    }
  }
};

inline CheckpointHeader sample_header(std::vector<index_t> extents, std::int64_t step = 0) {
  CheckpointHeader header{.program = "sample", .extents = std::move(extents), .step = step};
  header.parameters = {
      {"niter", std::int64_t{100}}, {"tol", 0.1}, {"physics", "heat \"x\"\n"}, {"empty", ""}};
  for (std::int64_t i = 0; i < step % 7; ++i) {
    header.norm_history.push_back({i, 1.0 / static_cast<double>(i + step)});
  }
  return header;
}

/// Returns whether two values are bitwise equal.
template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

inline bool same_header(const CheckpointHeader& a, const CheckpointHeader& b) {
  if (a.norm_history.size() != b.norm_history.size()) return false;
  for (std::size_t i = 0; i < a.norm_history.size(); ++i) {
    if (a.norm_history[i].iteration != b.norm_history[i].iteration) return false;
    if (!same_bits(a.norm_history[i].norm, b.norm_history[i].norm)) return false;
  }
  return a.program == b.program && a.extents == b.extents && a.step == b.step &&
         a.parameters == b.parameters;
}

/// Returns the number of points in which a field that is read on `parts` differs from the written
/// one, plus the number of values that were touched between the rows.
template <class T, int N>
int differences(const CheckpointReader& reader, const std::string& name, const Extents<N>& extents,
                const comm::Parts<N>& parts, std::int64_t step, std::uint64_t number = 0,
                index_t padding = 2) {
  const comm::Decomposition<N> decomposition(extents, parts);
  int wrong = 0;
  for (int s = 0; s < decomposition.subdomains(); ++s) {
    SampleBlock<T, N> block(decomposition.own(s), padding, T(-99));
    reader.read<N>(name, block.box, block.memory.data(), block.pitches);
    block.for_each([&](T& value, index_t x, index_t y, index_t z) {
      if (!same_bits(value, sample_value<T>(x, y, z, step, number))) ++wrong;
      value = T(-99);
    });
    for (const T value : block.memory) wrong += value != T(-99);
  }
  return wrong;
}

/// Returns the text of the FileError that `f` throws.
template <class F>
std::string file_error_of(F f) {
  try {
    f();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no FileError";
}

}  // namespace kolam::testing
