// SPDX-License-Identifier: Apache-2.0
// The command line of the program as data.
#pragma once

#include <kolam/core/backend.hpp>
#include <kolam/fem/elasticity.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/grid/heat.hpp>
#include <kolam/io/checkpointed_run.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "arguments.hpp"

namespace kolam::app {

enum class Precision { single_precision, double_precision };
enum class ProgressMode { automatic, on, off };

/// `--help` and `--version`: print and end.
struct TextRequest {
  std::string text;
};

/// `kolam info`.
struct InfoRequest {
  bool bandwidth = false;
  std::string json;  ///< file, "-" for stdout, empty for none
};

/// What the commands that solve on a grid solve.
enum class Problem { jacobi, diffusion, heat };

/// The command that solves it.
constexpr std::string_view command_of(Problem problem) {
  return problem == Problem::jacobi      ? "jacobi"
         : problem == Problem::diffusion ? "diffusion"
                                         : "heat";
}

/// `kolam jacobi`, `kolam diffusion` and `kolam heat`.
struct GridRequest {
  Problem problem = Problem::jacobi;
  grid::HeatOptions options;  ///< the others take of them what they have
  std::string deck;  ///< its file and what of it says nothing here, for people; empty for none
  Backend backend{};
  Precision precision = Precision::single_precision;
  std::string json;     ///< file, "-" for stdout, empty for none
  std::string image;    ///< file, empty for none
  std::string output;   ///< file for ParaView, empty for none
  CheckpointPlan plan;  ///< without what only a run has: the stop request and what errors do
  bool csv = false;
  bool quiet = false;
  bool trace = false;
  ProgressMode progress = ProgressMode::automatic;
  std::optional<double> t_peak_gbs;  ///< as the user knows it; else it is measured
  std::string grid;  ///< size and precision as typed, for the error of a grid too large
};

/// A mesh that a command takes.
struct MeshInput {
  std::string file;
  int refine = 0;                                            ///< times
  int order = 0;                                             ///< of the geometry; 0: as it is
  fem::Partitioner partitioner = fem::Partitioner::hilbert;  ///< which cuts it for several parts
  bool cut_here = false;                                     ///< --partition was given
};

/// `kolam poisson`.
struct PoissonRequest {
  fem::PoissonOptions options;
  std::optional<MeshInput> mesh;  ///< in the place of a box
  fem::PoissonMeshOptions on_mesh;
  int subdomains = 0;  ///< in each process; 0: one for each of its devices, if they can be cut so
  Backend backend{};
  Precision precision = Precision::double_precision;
  std::string json;    ///< file, "-" for stdout, empty for none
  std::string image;   ///< file, empty for none
  std::string output;  ///< file for ParaView, empty for none
  bool quiet = false;
  std::string size;  ///< as typed, for the error of a problem too large
};

/// `kolam elasticity`.
struct ElasticityRequest {
  MeshInput mesh;
  fem::ElasticityOptions options;
  int subdomains = 0;  ///< in each process; 0: one for each of its devices
  Backend backend{};
  Precision precision = Precision::double_precision;
  std::string json;    ///< file, "-" for stdout, empty for none
  std::string output;  ///< file for ParaView, empty for none
  bool quiet = false;
};

/// `kolam mesh`.
struct MeshRequest {
  MeshInput input;
  int parts = 1;             ///< to cut it into, and say what that costs
  std::string output;        ///< file of Gmsh (.msh) or MFEM (.mesh), empty for none
  std::string output_parts;  ///< files of the parts but for their numbers, empty for none
  std::string image;         ///< file of a picture, empty for none
  std::string json;          ///< file, "-" for stdout, empty for none
};

using Request = std::variant<TextRequest, InfoRequest, GridRequest, PoissonRequest,
                             ElasticityRequest, MeshRequest>;

/// Reads the command line of each of the processes; works without a device. Throws InvalidArgument
/// and BackendUnavailable, each naming the option as typed and its value, and FileError for files
/// that cannot be written.
Request parse_request(const Arguments& arguments, const Communicator& communicator);

}  // namespace kolam::app
