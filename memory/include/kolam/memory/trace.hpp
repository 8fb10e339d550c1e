// SPDX-License-Identifier: Apache-2.0
// Copies and allocations per label. A loaded Kokkos tool receives the same events as they happen:
// allocations under the array's label, fences and copies under "array '<label>'" (copies in
// a region of that name, because the Views that Kokkos copies have no label).
#pragma once

#include <iosfwd>
#include <kolam/memory/transfers.hpp>
#include <string>
#include <vector>

namespace kolam {

/// The transfers of all arrays of one label, including destroyed arrays.
struct LabelTransfers {
  std::string label;         ///< label of the arrays
  std::uint64_t arrays = 0;  ///< number of arrays with this label
  Transfers transfers;       ///< sum over these arrays
};

/// Returns all labels with copies, avoided copies or allocations, most bytes copied first.
std::vector<LabelTransfers> transfers_by_label();

/// Returns the copies between host and device memory that other code made with Kokkos::deep_copy
/// since the first call of this function, the first TransferBudget or `trace_at_exit`. They are
/// observed through Kokkos' tool interface; a tool that is loaded still sees them.
Transfers foreign_transfers();

/// Writes a table with one line per label, then the sum and the copies of other code.
void write_trace(std::ostream& out);
/// Writes the same as one JSON object: "labels" (array), "total" and "others", sizes in bytes.
void write_trace_json(std::ostream& out);

/// Writes the table to stderr when Kokkos is finalised, or JSON to the file `json_file` if it is
/// not empty. Needs a running Kokkos. The environment variable KOLAM_TRACE does the same from the
/// first array on: 1 for the table, or the name of the file; empty or 0 for nothing.
void trace_at_exit(const std::string& json_file = "");

}  // namespace kolam
