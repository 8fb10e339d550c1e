// SPDX-License-Identifier: Apache-2.0
// Replaces src/hdf5/ in a build without HDF5.
#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/io/hdf5.hpp>
#include <kolam/io/vtkhdf.hpp>
#include <kolam/io/vtkhdf_mesh.hpp>
#include <kolam/io/vtkhdf_structured.hpp>

#include "checkpoint_writer.hpp"

namespace kolam {
namespace {

[[noreturn]] void refuse(const char* what, const std::filesystem::path& path) {
  throw FileError(fmt::format(
      "cannot {} '{}': this kolam was built without HDF5; install it (Debian and Ubuntu: apt-get "
      "install libhdf5-dev) and build kolam with -DKOLAM_HDF5=on",
      what, path.string()));
}

}  // namespace

class CheckpointReader::File {};

std::optional<std::string> hdf5_version() { return std::nullopt; }

template <class T, int N>
std::unique_ptr<CheckpointWriter> begin_checkpoint(const std::filesystem::path& path,
                                                   const CheckpointHeader&,
                                                   const std::vector<comm::FieldBlocks<T, N>>&,
                                                   const Communicator&) {
  refuse("write checkpoint", path);
}

template <class T, int N>
void write_vtkhdf(const std::filesystem::path& path, const VtkGrid<N>&,
                  const std::vector<comm::FieldBlocks<T, N>>&, const Communicator&) {
  refuse("write", path);
}

void write_vtkhdf_structured(const std::filesystem::path& path, const std::array<index_t, 3>&, int,
                             const std::vector<double>&,
                             const std::vector<std::pair<std::string, std::vector<double>>>&) {
  refuse("write", path);
}

template <int Dim>
void write_vtkhdf_mesh(const std::filesystem::path& path, const fem::Mesh<Dim>&, int,
                       const std::vector<NodalField>&, const Communicator&) {
  refuse("write", path);
}
template void write_vtkhdf_mesh(const std::filesystem::path&, const fem::Mesh<2>&, int,
                                const std::vector<NodalField>&, const Communicator&);
template void write_vtkhdf_mesh(const std::filesystem::path&, const fem::Mesh<3>&, int,
                                const std::vector<NodalField>&, const Communicator&);
template <int Dim>
void write_vtkhdf_mesh_series(const std::filesystem::path& path, const fem::Mesh<Dim>&, int,
                              const std::vector<TimeStep>&, const Communicator&) {
  refuse("write", path);
}
template void write_vtkhdf_mesh_series(const std::filesystem::path&, const fem::Mesh<2>&, int,
                                       const std::vector<TimeStep>&, const Communicator&);
template void write_vtkhdf_mesh_series(const std::filesystem::path&, const fem::Mesh<3>&, int,
                                       const std::vector<TimeStep>&, const Communicator&);

// The constructor always throws; the other members exist only for the linker.
CheckpointReader::CheckpointReader(const std::filesystem::path& path) {
  refuse("read checkpoint", path);
}
CheckpointReader::CheckpointReader(CheckpointReader&&) noexcept = default;
CheckpointReader& CheckpointReader::operator=(CheckpointReader&&) noexcept = default;
CheckpointReader::~CheckpointReader() = default;
const CheckpointHeader& CheckpointReader::header() const { refuse("read", ""); }
const std::string& CheckpointReader::precision() const { refuse("read", ""); }
std::vector<std::string> CheckpointReader::fields() const { refuse("read", ""); }

template <class T>
void CheckpointReader::require(const CheckpointHeader&) const {
  refuse("read", "");
}

template <int N, class T>
void CheckpointReader::read(const std::string&, const Box<N>&, T*, const comm::Pitches<N>&) const {
  refuse("read", "");
}

template void CheckpointReader::require<float>(const CheckpointHeader&) const;
template void CheckpointReader::require<double>(const CheckpointHeader&) const;
template void CheckpointReader::read<2>(const std::string&, const Box<2>&, float*,
                                        const comm::Pitches<2>&) const;
template std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path&, const CheckpointHeader&,
    const std::vector<comm::FieldBlocks<float, 2>>&, const Communicator&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<2>&,
                           const std::vector<comm::FieldBlocks<float, 2>>&, const Communicator&);
template void CheckpointReader::read<2>(const std::string&, const Box<2>&, double*,
                                        const comm::Pitches<2>&) const;
template std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path&, const CheckpointHeader&,
    const std::vector<comm::FieldBlocks<double, 2>>&, const Communicator&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<2>&,
                           const std::vector<comm::FieldBlocks<double, 2>>&, const Communicator&);
template void CheckpointReader::read<3>(const std::string&, const Box<3>&, float*,
                                        const comm::Pitches<3>&) const;
template std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path&, const CheckpointHeader&,
    const std::vector<comm::FieldBlocks<float, 3>>&, const Communicator&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<3>&,
                           const std::vector<comm::FieldBlocks<float, 3>>&, const Communicator&);
template void CheckpointReader::read<3>(const std::string&, const Box<3>&, double*,
                                        const comm::Pitches<3>&) const;
template std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path&, const CheckpointHeader&,
    const std::vector<comm::FieldBlocks<double, 3>>&, const Communicator&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<3>&,
                           const std::vector<comm::FieldBlocks<double, 3>>&, const Communicator&);

}  // namespace kolam
