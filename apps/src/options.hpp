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

/// `--help` and `--version`: a text to print.
struct TextRequest {
  std::string text;
};

/// `kolam info`.
struct InfoRequest {
  bool bandwidth = false;
  std::string json;  ///< file, "-" for stdout, empty for none
};

/// The problems of the commands on a grid.
enum class Problem { jacobi, diffusion, heat };

/// Returns the command that solves a problem.
constexpr std::string_view command_of(Problem problem) {
  return problem == Problem::jacobi      ? "jacobi"
         : problem == Problem::diffusion ? "diffusion"
                                         : "heat";
}

/// `kolam jacobi`, `kolam diffusion` and `kolam heat`.
struct GridRequest {
  Problem problem = Problem::jacobi;
  grid::HeatOptions options;  ///< the other problems use their own subset
  std::string deck;           ///< file of the deck and its unused keys, as text; empty for none
  Backend backend{};
  Precision precision = Precision::single_precision;
  std::string json;     ///< file, "-" for stdout, empty for none
  std::string image;    ///< file, empty for none
  std::string output;   ///< file for ParaView, empty for none
  CheckpointPlan plan;  ///< without `stop` and `on_error`, which a run sets
  bool csv = false;
  bool quiet = false;
  bool trace = false;
  ProgressMode progress = ProgressMode::automatic;
  std::optional<double> t_peak_gbs;  ///< from the user; else it is measured
  std::string grid;                  ///< size and precision as typed, for errors about memory
};

/// The mesh of a command.
struct MeshInput {
  std::string file;
  int refine = 0;                                            ///< number of refinements
  int order = 0;                                             ///< order of the geometry; 0: as read
  fem::Partitioner partitioner = fem::Partitioner::hilbert;  ///< cuts the mesh into parts
  bool cut_here = false;                                     ///< --partition was given
};

/// What `kolam poisson` and `kolam elasticity` share.
struct FemRequest {
  int subdomains = 0;  ///< in each process; 0: one per device, if a box can be cut so
  Backend backend{};
  Precision precision = Precision::double_precision;
  std::string json;    ///< file, "-" for stdout, empty for none
  std::string output;  ///< file for ParaView, empty for none
  bool quiet = false;
};

/// `kolam poisson`.
struct PoissonRequest : FemRequest {
  fem::PoissonOptions options;
  std::optional<MeshInput> mesh;  ///< instead of a box
  fem::PoissonMeshOptions on_mesh;
  std::string image;  ///< file, empty for none
  std::string size;   ///< as typed, for errors about memory
};

/// `kolam elasticity`.
struct ElasticityRequest : FemRequest {
  MeshInput mesh;
  fem::ElasticityOptions options;
};

/// `kolam mesh`.
struct MeshRequest {
  MeshInput input;
  int parts = 1;             ///< number of parts whose cost is reported
  std::string output;        ///< file of Gmsh (.msh) or MFEM (.mesh), empty for none
  std::string output_parts;  ///< files of the parts without their numbers, empty for none
  std::string image;         ///< file of a picture, empty for none
  std::string json;          ///< file, "-" for stdout, empty for none
};

using Request = std::variant<TextRequest, InfoRequest, GridRequest, PoissonRequest,
                             ElasticityRequest, MeshRequest>;

/// Returns the request of the command line; all processes call it, without a device. Throws
/// InvalidArgument and BackendUnavailable, each naming the option as typed and its value, and
/// FileError for files that cannot be written.
Request parse_request(const Arguments& arguments, const Communicator& communicator);

}  // namespace kolam::app
