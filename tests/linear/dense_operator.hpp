// SPDX-License-Identifier: Apache-2.0
// Small symmetric matrices as operators.
#pragma once

#include <functional>
#include <kolam/linear/operator.hpp>
#include <random>
#include <vector>

namespace kolam::testing {

using DenseExec = Kokkos::DefaultExecutionSpace;
using DenseVector = linear::Vector<double, DenseExec>;
using ConstDenseVector = linear::ConstVector<double, DenseExec>;

/// A(i, j) = entry(i, j), as a LinearOperator.
class DenseOperator {
 public:
  using value_type = double;
  using execution_space = DenseExec;
  // (Public for nvcc.)
  struct Apply {
    int n;
    Kokkos::View<const double**, DenseExec> a;
    ConstDenseVector x;
    DenseVector y;
    KOKKOS_FUNCTION void operator()(index_t i) const {
      for (int j = 0; j < n; ++j) y(i) += a(i, j) * x(j);
    }
  };
  struct Diagonal {
    Kokkos::View<const double**, DenseExec> a;
    DenseVector d;
    KOKKOS_FUNCTION void operator()(index_t i) const { d(i) = a(i, i); }
  };

  DenseOperator(int n, const std::function<double(int, int)>& entry)
      : n_(n), a_("dense", static_cast<std::size_t>(n), static_cast<std::size_t>(n)) {
    const auto host = Kokkos::create_mirror_view(a_);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) host(i, j) = entry(i, j);
    Kokkos::deep_copy(a_, host);
  }

  const DenseExec& exec() const { return exec_; }
  index_t rows() const { return n_; }
  void apply(const ConstDenseVector& x, const DenseVector& y) const {
    Kokkos::deep_copy(exec_, y, 0.0);
    apply_add(x, y);
  }
  void apply_add(const ConstDenseVector& x, const DenseVector& y) const {
    forall(exec_, "dense", n_, Apply{n_, a_, x, y});
  }
  void diagonal(const DenseVector& d) const { forall(exec_, "dense", n_, Diagonal{a_, d}); }

 private:
  DenseExec exec_;
  int n_;
  Kokkos::View<double**, DenseExec> a_;
};

inline DenseVector dense_vector(const std::vector<double>& values) {
  DenseVector view("values", values.size());
  const auto host = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(view, host);
  return view;
}
// (Kokkos copies within the host too: in strict emulation the vector may be device memory.)
inline std::vector<double> numbers_of(const ConstDenseVector& view) {
  const Kokkos::View<double*, Kokkos::HostSpace> host("numbers", view.extent(0));
  Kokkos::deep_copy(host, view);
  return {host.data(), host.data() + host.extent(0)};
}
inline std::vector<double> numbers_of(const Array<double>& array) {
  const auto values = array.read(host);
  return {values.data(), values.data() + values.extent(0)};
}

/// Returns second differences with a growing diagonal: symmetric, positive definite, badly scaled.
inline DenseOperator differences(int n) {
  return {n, [](int i, int j) {
            return i == j ? 2.0 + 0.3 * i : (i - j == 1 || j - i == 1) ? -1.0 : 0.0;
          }};
}

/// Returns b = A x for the wanted solution x.
inline DenseVector right_hand_side(const DenseOperator& a, const std::vector<double>& x) {
  const DenseVector b("b", x.size());
  a.apply(dense_vector(x), b);
  return b;
}

inline std::vector<double> random_values(int n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& value : values) value = number(random);
  return values;
}

}  // namespace kolam::testing
