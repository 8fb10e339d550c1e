// SPDX-License-Identifier: Apache-2.0
#include "hdf5/session.hpp"

#include <fmt/format.h>

#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/io/hdf5.hpp>

namespace kolam {
namespace hdf5 {
namespace {

std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

// HDF5 calls it for each error, innermost function first; that one has the reason.
extern "C" herr_t keep_first_sentence(unsigned n, const H5E_error2_t* error, void* text) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

Session::Session(std::string context, std::string remedy, const int* watched)
    : lock_(library()),
      context_(std::move(context)),
      remedy_(std::move(remedy)),
      watched_(watched) {
  if (H5open() < 0) fail("the HDF5 library cannot be started");
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
}

void Session::fail(std::string_view what) const {
  throw FileError(fmt::format("{}: {}{}", context_, what, remedy_));
}

void Session::fail_with_reason(std::string_view what) const {
  if (watched_ != nullptr && *watched_ != 0) {
    fail(fmt::format("{}: {}", what, std::strerror(*watched_)));
  }
  std::string sentence;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_sentence, &sentence);
  if (sentence.empty()) fail(what);
  fail(fmt::format("{}; HDF5 says '{}'", what, sentence));
}

Handle transfer(const Session& session) {
  return session.own(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "no transfer properties");
}

Handle creation(const Session& session, hid_t property_class) {
  Handle properties = session.own(H5Pcreate(property_class), H5Pclose, "no creation properties");
  session.check(H5Pset_obj_track_times(properties.get(), 0), "time stamps cannot be switched off");
  return properties;
}

}  // namespace hdf5

std::optional<std::string> hdf5_version() {
  const hdf5::Session session("cannot ask HDF5 for its version");
  unsigned major = 0, minor = 0, release = 0;
  session.check(H5get_libversion(&major, &minor, &release), "it does not answer");
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace kolam
