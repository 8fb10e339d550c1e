// SPDX-License-Identifier: Apache-2.0
// The error of a mesh with an element that is not valid, for readers of files.
#pragma once

#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <string>

namespace kolam::fem::detail {

/// An element of a mesh that is not valid; the text is that of any InvalidArgument.
class ElementError : public InvalidArgument {
 public:
  /// Reports an element of the mesh.
  ElementError(index_t element, const std::string& text, bool is_counted_around = false)
      : InvalidArgument(text), element_(element), is_counted_around_(is_counted_around) {}

  /// Returns the first such element.
  index_t element() const noexcept { return element_; }
  /// Returns whether its corners seem to be counted around it.
  bool is_counted_around() const noexcept { return is_counted_around_; }

 private:
  index_t element_;
  bool is_counted_around_;
};

}  // namespace kolam::fem::detail
