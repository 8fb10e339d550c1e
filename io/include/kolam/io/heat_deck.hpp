// SPDX-License-Identifier: Apache-2.0
// TeaLeaf's problems, as its input files state them.
#pragma once

#include <filesystem>
#include <kolam/grid/heat.hpp>
#include <string>
#include <vector>

namespace kolam {

/// A problem from a file.
struct HeatDeck {
  grid::HeatOptions options;  ///< what it states; the rest as it is by default
  std::vector<std::string>
      unused;  ///< keys of TeaLeaf's own workings, which say nothing of the problem, in their order
};

/// Reads a deck of TeaLeaf (`tea.in`): lines of `key=value` or `key value`, comments after # or !, between *tea and
/// *endtea where those are there; keys may begin with tl_.
///
/// | Key | |
/// |---|---|
/// | `state N density=X energy=X` | state 1 is of all cells; later ones have `geometry=rectangle xmin= xmax= ymin= ymax=` (and `zmin= zmax=`), `geometry=circular xmin= ymin= radius=` (the centre) or `geometry=point xmin= ymin=` |
/// | `x_cells`, `y_cells`, `z_cells` | cells [10 10]; with z_cells the problem is in space |
/// | `xmin`, `xmax`, `ymin`, ... | the box [0 to 100] |
/// | `initial_timestep`, `end_step`, `end_time` | time of a step [0.1]; how many, and up to when at most [10] |
/// | `use_cg`, `use_chebyshev`, `use_ppcg` | the solver [use_cg] |
/// | `eps`, `max_iters`, `ppcg_inner_steps` | the residual to reach [1e-15], iterations of a step at most [10000], degree of the polynomial [10] |
/// | `coefficient_density`, `coefficient_inverse_density` | what 1 / k is [density] |
///
/// Throws FileError, naming the file, the line and the key, for what cannot be read, for keys that are unknown or given
/// twice and for values that make no problem.
HeatDeck read_heat_deck(const std::filesystem::path& path);

}  // namespace kolam
