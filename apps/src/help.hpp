// SPDX-License-Identifier: Apache-2.0
// The longer texts of --help.
#pragma once

#include <string>

namespace kolam::app {

/// Returns the text below the options in `kolam --help`.
std::string program_footer();
/// Returns the text below the options in `kolam info --help`.
std::string info_footer();
/// Returns the text below the options in `kolam jacobi --help`.
std::string jacobi_footer();
/// Returns the text below the options in `kolam diffusion --help`.
std::string diffusion_footer();
std::string heat_footer();
std::string poisson_footer();
std::string elasticity_footer();
std::string mesh_footer();

}  // namespace kolam::app
