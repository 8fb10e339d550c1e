// SPDX-License-Identifier: Apache-2.0
// The state of a run in a file, to go on from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <kolam/comm/field_blocks.hpp>
#include <kolam/grid/norm_log.hpp>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kolam {

/// A parameter of a problem: a whole number, a real number, or a text.
using CheckpointValue = std::variant<std::int64_t, double, std::string>;

/// What a checkpoint says about the run, beside its fields.
struct CheckpointHeader {
  std::string program{};           ///< whose state it is: "jacobi", "diffusion"
  std::vector<index_t> extents{};  ///< own points of the grid, x first, two or three dimensions
  std::int64_t step = 0;           ///< steps done
  std::map<std::string, CheckpointValue> parameters{};  ///< of the problem, by name
  std::vector<grid::NormRecord> norm_history{};         ///< of the steps done
};

/// Writes the state of a run to `path`, whole or not at all; what was there before becomes
/// `path`.previous, and that of before is gone. At every instant, a power failure included, the
/// file at `path` is a complete checkpoint, if there was one before. Temporary files of runs that
/// were killed here are removed.
///
/// The file is HDF5 (1.10 or newer reads it), with checksums over every block of values and over
/// everything else. Its bytes depend on the arguments only.
///
/// Several processes write one file, each its own blocks at the same time, on a file system that
/// all of them see; all call this together, with the same header and fields.
///
/// Throws InvalidArgument if `header` or the blocks of `fields` do not describe a grid (see
/// require_tiling), or if a text has more than 32768 bytes or a zero byte in it; FileError, naming
/// `path` and the reason, if it cannot be written: the old checkpoint is then still there, and no
/// temporary file. Of several processes all throw. T is float or double, N is 2 or 3.
///
/// Cost: reads the fields once; 1 MiB of memory beside them.
template <class T, int N>
void write_checkpoint(const std::filesystem::path& path, const CheckpointHeader& header,
                      const std::vector<comm::FieldBlocks<T, N>>& fields,
                      const Communicator& communicator = {});

/// Reads a checkpoint. Everything about the file but the values is read and checked at once, the
/// values when they are asked for.
/// \code
///   kolam::CheckpointReader checkpoint("run.h5");
///   checkpoint.require<double>({.program = "jacobi", .extents = {nx, ny}});
///   checkpoint.read<2>("u", box, u.data(), {pitch});
/// \endcode
/// A file that is replaced meanwhile does not matter: this one stays open.
class CheckpointReader {
 public:
  /// Throws FileError, naming `path`, the reason and what to do, if there is no such file, or it is
  /// no checkpoint, or one of another format version, or damaged. Nothing is allocated for sizes
  /// that the file only claims.
  explicit CheckpointReader(const std::filesystem::path& path);
  ///@{
  /// Moves the open file; the source may only be destroyed or assigned to.
  CheckpointReader(CheckpointReader&&) noexcept;
  CheckpointReader& operator=(CheckpointReader&&) noexcept;
  ///@}
  /// Closes the file.
  ~CheckpointReader();

  /// What the checkpoint says about the run.
  const CheckpointHeader& header() const;
  /// "float" or "double".
  const std::string& precision() const;
  /// The names of the fields.
  std::vector<std::string> fields() const;

  /// Throws FileError, naming what differs and both values, unless the checkpoint is one of
  /// `expected.program` in precision T, on a grid of `expected.extents`, and has all of
  /// `expected.parameters` with these values. (Others it may have; step and norms do not matter.)
  template <class T>
  void require(const CheckpointHeader& expected) const;

  /// Reads the values of `field` in `box`, bit for bit as they were written, from however many
  /// blocks hold them, to host memory that begins at `to` with the first point of the box.
  /// Throws InvalidArgument unless the box is a part of the grid, not empty, and the pitches fit;
  /// FileError if there is no such field, if it has another precision or dimension, or if a block
  /// is damaged: then the values at `to` are unspecified.
  /// Cost: reads the blocks' chunks (1 MiB) that have a point in the box.
  template <int N, class T>
  void read(const std::string& field, const Box<N>& box, T* to,
            const comm::Pitches<N>& pitches) const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

/// Where write_checkpoint puts the checkpoint that was at `path`: beside the file that `path` leads
/// to, with ".previous" at its end.
std::filesystem::path previous_checkpoint(const std::filesystem::path& path);

}  // namespace kolam
