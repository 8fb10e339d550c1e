// SPDX-License-Identifier: Apache-2.0
// Checkpoints: the state of a run in a file, from which the run can continue.
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

/// The metadata of a checkpoint: everything about the run except its fields.
struct CheckpointHeader {
  std::string program{};           ///< the program that wrote it: "jacobi", "diffusion"
  std::vector<index_t> extents{};  ///< grid points without ghosts, x first; 2 or 3 dimensions
  std::int64_t step = 0;           ///< steps done
  std::map<std::string, CheckpointValue> parameters{};  ///< parameters of the problem, by name
  std::vector<grid::NormRecord> norm_history{};         ///< norms of the steps done
};

/// Writes the state of a run to `path` atomically. The checkpoint that was there becomes
/// `path`.previous and replaces an older one. If there was a checkpoint at `path`, there is a
/// complete one at every instant, even after a power failure. Temporary files left by killed runs
/// are removed.
///
/// The file is HDF5 (readable by 1.10 or newer), with checksums over every block of values and over
/// everything else. Its bytes depend only on the arguments.
///
/// Several processes write one file, each its own blocks at the same time, on a file system that
/// all of them see; all processes call it together, with the same header and fields.
///
/// Throws InvalidArgument if `header` or the blocks of `fields` do not describe a grid (see
/// require_tiling), or if a text has more than 32768 bytes or contains a zero byte. Throws
/// FileError, naming `path` and the reason, if the file cannot be written: the old checkpoint then
/// stays, and no temporary file is left. With several processes, all of them throw. T is float or
/// double, N is 2 or 3.
///
/// Cost: reads the fields once; 1 MiB of additional memory.
template <class T, int N>
void write_checkpoint(const std::filesystem::path& path, const CheckpointHeader& header,
                      const std::vector<comm::FieldBlocks<T, N>>& fields,
                      const Communicator& communicator = {});

/// Reads a checkpoint. The constructor reads and checks everything except the values; read() reads
/// these.
/// \code
///   kolam::CheckpointReader checkpoint("run.h5");
///   checkpoint.require<double>({.program = "jacobi", .extents = {nx, ny}});
///   checkpoint.read<2>("u", box, u.data(), {pitch});
/// \endcode
/// The file stays open, so it may be replaced at its path meanwhile.
class CheckpointReader {
 public:
  /// Opens a checkpoint. Throws FileError, naming `path`, the reason and the remedy, if there is no
  /// such file, or if it is not a checkpoint, has another format version or is damaged. Sizes in
  /// the file are checked before memory is allocated for them.
  explicit CheckpointReader(const std::filesystem::path& path);
  ///@{
  /// Moves the open file; the source may only be destroyed or assigned to.
  CheckpointReader(CheckpointReader&&) noexcept;
  CheckpointReader& operator=(CheckpointReader&&) noexcept;
  ///@}
  /// Closes the file.
  ~CheckpointReader();

  /// Returns the metadata of the run.
  const CheckpointHeader& header() const;
  /// Returns "float" or "double".
  const std::string& precision() const;
  /// Returns the names of the fields.
  std::vector<std::string> fields() const;

  /// Throws FileError, naming the difference and both values, unless the checkpoint is from
  /// `expected.program` in precision T, on a grid of `expected.extents`, and has all of
  /// `expected.parameters` with these values. (It may have others; step and norms do not matter.)
  template <class T>
  void require(const CheckpointHeader& expected) const;

  /// Reads the values of `field` in `box`, bit for bit as they were written and from any number of
  /// stored blocks, to host memory. `to` is the address of the first point of the box.
  /// Throws InvalidArgument unless the box is a non-empty part of the grid and the pitches fit;
  /// FileError if there is no such field, if it has another precision or dimension, or if a block
  /// is damaged: then the values at `to` are unspecified.
  /// Cost: reads the chunks (1 MiB) of the blocks that have a point in the box.
  template <int N, class T>
  void read(const std::string& field, const Box<N>& box, T* to,
            const comm::Pitches<N>& pitches) const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

/// Returns the path to which write_checkpoint moves the checkpoint that was at `path`: the file
/// that `path` leads to, with ".previous" appended.
std::filesystem::path previous_checkpoint(const std::filesystem::path& path);

}  // namespace kolam
