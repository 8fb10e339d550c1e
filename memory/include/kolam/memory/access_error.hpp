// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/core/error.hpp>

namespace kolam {

/// An array is used in a way that cannot give right values; the text names the array.
class AccessError : public Error {
  using Error::Error;
};

}  // namespace kolam
