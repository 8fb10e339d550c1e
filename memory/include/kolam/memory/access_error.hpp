// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/core/error.hpp>

namespace kolam {

/// A use of an array that cannot give correct values; the message names the array.
class AccessError : public Error {
  using Error::Error;
};

}  // namespace kolam
