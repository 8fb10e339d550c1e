// SPDX-License-Identifier: Apache-2.0
#include <iomanip>
#include <kolam/core/error.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/trace.hpp>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>

namespace kolam {

void write_trace(std::ostream& out) {
  constexpr int width = 28;
  std::ostringstream text;
  const auto line = [&](const std::string& label, const Transfers& t) {
    text << std::left << std::setw(width)
         << (label.size() < width ? label : label.substr(0, width - 3) + "..") << std::right
         << std::setw(8) << t.copies_to_device << std::setw(12) << format_bytes(t.bytes_to_device)
         << std::setw(8) << t.copies_to_host << std::setw(12) << format_bytes(t.bytes_to_host)
         << std::setw(12) << t.copies_avoided << std::setw(8) << t.allocations << std::setw(12)
         << format_bytes(t.peak_bytes) << '\n';
  };
  text << std::left << std::setw(width) << "kolam: array" << std::right << std::setw(20)
       << "host to device" << std::setw(20) << "device to host" << std::setw(12) << "avoided"
       << std::setw(8) << "allocs" << std::setw(12) << "peak" << '\n';
  for (const LabelTransfers& l : transfers_by_label()) line(l.label, l.transfers);
  line("all arrays", total_transfers());
  line("others, by deep_copy", foreign_transfers());
  // (Not emulation(), which throws at a wrong environment variable: this may run at the end of a program.)
  if (one_memory && detail::emulation_state.load() == static_cast<int>(Emulation::off))
    text << "(Host and device share memory here, so that nothing is copied. KOLAM_EMULATE_DEVICE=1 "
            "gives the device its own.)\n";
  out << text.str();
}

void write_trace_json(std::ostream& out) {
  const auto json = [](const Transfers& t) {
    return nlohmann::ordered_json{{"copies_to_device", t.copies_to_device},
                                  {"bytes_to_device", t.bytes_to_device},
                                  {"copies_to_host", t.copies_to_host},
                                  {"bytes_to_host", t.bytes_to_host},
                                  {"copies_avoided", t.copies_avoided},
                                  {"allocations", t.allocations},
                                  {"allocated_bytes", t.allocated_bytes},
                                  {"bytes", t.bytes},
                                  {"peak_bytes", t.peak_bytes}};
  };
  nlohmann::ordered_json labels = nlohmann::ordered_json::array();
  for (const LabelTransfers& l : transfers_by_label()) {
    labels.push_back({{"label", l.label}, {"arrays", l.arrays}});
    labels.back().update(json(l.transfers));
  }
  out << nlohmann::ordered_json{{"labels", labels},
                                {"total", json(total_transfers())},
                                {"others", json(foreign_transfers())}}
             .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)  // any encoding
      << '\n';
}

}  // namespace kolam
