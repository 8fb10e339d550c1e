// SPDX-License-Identifier: Apache-2.0
// For docs/pictures/draw.py: which values of an array are valid on which side after each of a few
// intents, and what each copied. A line each: the intent, the values on the host, those on the
// device (v: valid, -: not), values copied to the device, values copied to the host.
#include <iostream>
#include <kolam/kolam.hpp>
#include <string>

namespace {

template <class Side>
std::string valid_values(const kolam::Array<double>& u, const Side& side) {
  std::string text;
  for (kolam::index_t i = 0; i < u.size(); ++i) text += u.valid(side, {i, i + 1}) ? 'v' : '-';
  return text;
}

void line(const kolam::Array<double>& u, const char* intent) {
  static kolam::Transfers before;
  const kolam::Transfers now = u.transfers();
  std::cout << intent << ';' << valid_values(u, kolam::host) << ';'
            << valid_values(u, kolam::device) << ';'
            << (now.bytes_to_device - before.bytes_to_device) / sizeof(double) << ';'
            << (now.bytes_to_host - before.bytes_to_host) / sizeof(double) << '\n';
  before = now;
}

}  // namespace

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  kolam::Array<double> u("u", 30);
  auto v = u.alias({5, 12});
  Kokkos::deep_copy(u.write(kolam::host), 1.0);
  line(u, "u.write(host)");
  static_cast<void>(u.read(kolam::device));
  line(u, "u.read(device)");
  static_cast<void>(u.read_write(kolam::device, {10, 20}));
  line(u, "u.read_write(device, {10, 20})");
  static_cast<void>(u.read(kolam::host, {15, 30}));
  line(u, "u.read(host, {15, 30})");
  static_cast<void>(v.write(kolam::host));
  line(u, "v.write(host), v = u.alias({5, 12})");
  static_cast<void>(u.read(kolam::device));
  line(u, "u.read(device)");
  static_cast<void>(u.read(kolam::device));
  line(u, "u.read(device), again");
}
