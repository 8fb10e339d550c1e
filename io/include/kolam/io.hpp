// SPDX-License-Identifier: Apache-2.0
/// \file
/// Everything of the module `io`.
#pragma once

#include <kolam/io/async_checkpoint.hpp>
#include <kolam/io/checkpoint.hpp>
#include <kolam/io/checkpointed_run.hpp>
#include <kolam/io/colormap.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/hdf5.hpp>
#include <kolam/io/heat_deck.hpp>
#include <kolam/io/image.hpp>
#include <kolam/io/mesh_file.hpp>
#include <kolam/io/mesh_image.hpp>
#include <kolam/io/run_report.hpp>
#include <kolam/io/vtkhdf.hpp>
#include <kolam/io/vtkhdf_mesh.hpp>
#include <kolam/io/vtkhdf_structured.hpp>
