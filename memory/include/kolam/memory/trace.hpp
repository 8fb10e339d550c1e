// SPDX-License-Identifier: Apache-2.0
// What was moved and allocated, label by label. A tool that is loaded into Kokkos sees the same as
// it happens: allocations under the array's label, fences and copies under "array '<label>'"
// (copies in a region of that name: the Views that Kokkos copies have no label).
#pragma once

#include <iosfwd>
#include <kolam/memory/transfers.hpp>
#include <string>
#include <vector>

namespace kolam {

/// The transfers of all arrays of one label, those that are gone included.
struct LabelTransfers {
  std::string label;         ///< of the arrays
  std::uint64_t arrays = 0;  ///< that had this label
  Transfers transfers;       ///< of all of them together
};

/// Every label that moved or allocated something or avoided it, most bytes moved first.
std::vector<LabelTransfers> transfers_by_label();

/// Copies between host and device memory that others made with Kokkos::deep_copy while somebody
/// looked: from the first call of this function, the first TransferBudget or `trace_at_exit` on.
/// They are seen through Kokkos' tool interface; a tool that is loaded sees them as before.
Transfers foreign_transfers();

/// A table of labels, one line each, with the sum and what others moved below it.
void write_trace(std::ostream& out);
/// The same as one JSON object: "labels" (array), "total" and "others", sizes in bytes.
void write_trace_json(std::ostream& out);

/// Needs a running Kokkos. When it is finalised, writes the table to stderr, or JSON to the file
/// `json_file` if one is named. The environment variable KOLAM_TRACE does the same from the first
/// array on: 1 for the table, else the name of the file; empty or 0 for nothing.
void trace_at_exit(const std::string& json_file = "");

}  // namespace kolam
