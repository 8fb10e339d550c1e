// SPDX-License-Identifier: Apache-2.0
#include <kolam/io/checkpoint.hpp>

#include "checkpoint_writer.hpp"

namespace kolam {

template <class T, int N>
void write_checkpoint(const std::filesystem::path& path, const CheckpointHeader& header,
                      const std::vector<comm::FieldBlocks<T, N>>& fields,
                      const Communicator& communicator) {
  const auto writer = begin_checkpoint(path, header, fields, communicator);
  writer->write_values();
  writer->commit();
}

template void write_checkpoint(const std::filesystem::path&, const CheckpointHeader&,
                               const std::vector<comm::FieldBlocks<float, 2>>&,
                               const Communicator&);
template void write_checkpoint(const std::filesystem::path&, const CheckpointHeader&,
                               const std::vector<comm::FieldBlocks<double, 2>>&,
                               const Communicator&);
template void write_checkpoint(const std::filesystem::path&, const CheckpointHeader&,
                               const std::vector<comm::FieldBlocks<float, 3>>&,
                               const Communicator&);
template void write_checkpoint(const std::filesystem::path&, const CheckpointHeader&,
                               const std::vector<comm::FieldBlocks<double, 3>>&,
                               const Communicator&);

}  // namespace kolam
