// SPDX-License-Identifier: Apache-2.0
// Everything of the room `io`.
#pragma once

#include <kolam/io/colormap.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/image.hpp>
#include <kolam/io/jacobi_report.hpp>
