// SPDX-License-Identifier: Apache-2.0
// TeaLeaf's input files (decks).
#pragma once

#include <filesystem>
#include <kolam/grid/heat.hpp>
#include <string>
#include <vector>

namespace kolam {

/// A problem read from a deck.
struct HeatDeck {
  grid::HeatOptions options;  ///< values of the deck; defaults elsewhere
  std::vector<std::string>
      unused;  ///< keys that do not affect the problem but only TeaLeaf, in file order
};

/// Reads a deck of TeaLeaf (`tea.in`): lines of `key=value` or `key value`, comments after # or !,
/// optionally between *tea and *endtea; keys may begin with tl_.
///
/// | Key | |
/// |---|---|
/// | `state N density=X energy=X` | state 1 covers all cells; later ones have `geometry=rectangle xmin= xmax= ymin= ymax=` (and `zmin= zmax=`), `geometry=circular xmin= ymin= radius=` (the centre) or `geometry=point xmin= ymin=` |
/// | `x_cells`, `y_cells`, `z_cells` | cells [10 10]; with z_cells the problem is in 3D |
/// | `xmin`, `xmax`, `ymin`, ... | the box [0 to 100] |
/// | `initial_timestep`, `end_step`, `end_time` | time step [0.1]; step limit; end time [10] |
/// | `use_cg`, `use_chebyshev`, `use_ppcg` | the solver [use_cg] |
/// | `eps` | residual to reach [1e-15] |
/// | `max_iters` | maximum number of iterations per step [10000] |
/// | `ppcg_inner_steps` | degree of the polynomial [10] |
/// | `coefficient_density`, `coefficient_inverse_density` | meaning of 1 / k [density] |
///
/// Throws FileError, naming the file, the line and the key, for unreadable lines, for unknown or
/// repeated keys, and for values that do not describe a problem.
HeatDeck read_heat_deck(const std::filesystem::path& path);

}  // namespace kolam
