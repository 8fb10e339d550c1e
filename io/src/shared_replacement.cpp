// SPDX-License-Identifier: Apache-2.0
#include "shared_replacement.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "positioned.hpp"

namespace kolam {

SharedReplacement::SharedReplacement(const std::filesystem::path& path,
                                     const Communicator& communicator,
                                     const std::function<void(int descriptor)>& begin)
    : communicator_(communicator) {
  std::string name;
  comm::throw_together(communicator_, [&] {
    if (communicator_.rank() != 0) return;
    own_.emplace(path);
    begin(own_->descriptor());
    name = std::filesystem::absolute(own_->temporary()).string();
  });
  name = communicator_.broadcast(name);
  comm::throw_together(communicator_, [&] {
    if (communicator_.rank() == 0) return;
    opened_ = Descriptor(::open(name.c_str(), O_RDWR | O_CLOEXEC));
    if (opened_) return;
    refuse_to_write(
        path, fmt::format("process {} cannot open '{}', which process 0 has made: {}; put it on a "
                          "file system that all processes see",
                          communicator_.rank(), name, std::strerror(errno)));
  });
}

int SharedReplacement::sync() const { return own_ ? 0 : kolam::sync(opened_.number()); }

void SharedReplacement::commit(Replacement::Previous previous,
                               const std::function<void(int descriptor)>& end) {
  comm::throw_together(communicator_, [&] {
    if (!own_) return;
    end(own_->descriptor());
    own_->commit(previous);
  });
}

}  // namespace kolam
