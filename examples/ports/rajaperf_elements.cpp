// SPDX-License-Identifier: Apache-2.0
// MASS3DPA, DIFFUSION3DPA and CONVECTION3DPA of the RAJA Performance Suite (MFEM's kernels by
// partial assembly), twice: as loops over blocks of threads, and as integrands of kolam's own
// element kernels. Data at points are 1, as in the suite; the polynomials are actual ones, so that
// the sums of the results are known.
//   rajaperf_elements 8000 50    (elements, repetitions)
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <kolam/kolam.hpp>
#include <string>

using Exec = Kokkos::DefaultExecutionSpace;
using kolam::Evaluation, kolam::index_t;

enum class Form { mass, diffusion, convection };
constexpr int data_at_point[] = {1, 6, 3};  // diffusion: xx, xy, xz, yy, yz, zz
constexpr int sum_of_point[] = {1, 9, 3};   // of the results of 1 and, for the others, x + y + z

// The operation at a point: of the value, or of the gradient g.
template <Form form, class Data, class V>
KOKKOS_FORCEINLINE_FUNCTION void at_point(const Data& a, V& value, V& g0, V& g1, V& g2) {
  if constexpr (form == Form::mass) value = a[0] * value;
  if constexpr (form == Form::convection) value = a[0] * g0 + a[1] * g1 + a[2] * g2;
  if constexpr (form == Form::diffusion) {
    const V u = g0, v = g1, w = g2;
    g0 = a[0] * u + a[1] * v + a[2] * w;
    g1 = a[1] * u + a[3] * v + a[4] * w;
    g2 = a[2] * u + a[4] * v + a[5] * w;
  }
}

// f(i, j, k) in an X x Y x Z box, distributed over the threads of a block; then a barrier.
template <int X, int Y, int Z, class Block, class F>
KOKKOS_FORCEINLINE_FUNCTION void loop(const Block& block, const F& f) {
  block.foreach_z(Z, [&](int k) {
    block.foreach_y(Y, [&](int j) { block.foreach_x(X, [&](int i) { f(i, j, k); }); });
  });
  block.sync();
}

// out(i, j, k) = the sum of term(i, j, k, n) over n < N.
template <int X, int Y, int Z, int N, class Block, class Out, class Term>
KOKKOS_FORCEINLINE_FUNCTION void contract(const Block& block, const Out& out, const Term& term) {
  loop<X, Y, Z>(block, [&](int i, int j, int k) {
    double sum = 0;
    for (int n = 0; n < N; ++n) sum += term(i, j, k, n);
    out(i, j, k, sum);
  });
}

// The loops: D nodes and Q points in each direction; fields as MFEM has them, element by element.
template <Form form, int D, int Q>
struct Loops {
  static constexpr int data_count = data_at_point[int(form)];
  static constexpr int read = form == Form::mass ? 1 : 3;  // values or gradients at points
  static constexpr int written = form == Form::diffusion ? 3 : 1;
  struct Shared {
    double u[D][D][D], one[D][D][Q], two[D][Q][Q], at[3][Q][Q][Q];
  };
  double b[D][Q], g[D][Q];                                   // values and derivatives
  Kokkos::View<const double****, Kokkos::LayoutLeft> x;      // [D, D, D, elements]
  Kokkos::View<const double*****, Kokkos::LayoutLeft> data;  // [Q, Q, Q, data, elements]
  Kokkos::View<double****, Kokkos::LayoutLeft> y;            // as x

  // The matrix of direction `along` for the derivative in direction c.
  using Matrix = double[D][Q];
  KOKKOS_FORCEINLINE_FUNCTION const Matrix& matrix(int fields, int c, int along) const {
    return fields == 3 && c == along ? g : b;
  }
  template <class Block>
  KOKKOS_FUNCTION void operator()(const Block& block, Shared& s, index_t e) const {
    loop<D, D, D>(block, [&](int i, int j, int k) { s.u[k][j][i] = x(i, j, k, e); });
    for (int c = 0; c < read; ++c) {
      const Matrix &mx = matrix(read, c, 0), &my = matrix(read, c, 1), &mz = matrix(read, c, 2);
      contract<Q, D, D, D>(
          block, [&](int q, int j, int k, double sum) { s.one[k][j][q] = sum; },
          [&](int q, int j, int k, int d) { return mx[d][q] * s.u[k][j][d]; });
      contract<Q, Q, D, D>(
          block, [&](int i, int q, int k, double sum) { s.two[k][q][i] = sum; },
          [&](int i, int q, int k, int d) { return my[d][q] * s.one[k][d][i]; });
      contract<Q, Q, Q, D>(
          block, [&](int i, int j, int q, double sum) { s.at[c][q][j][i] = sum; },
          [&](int i, int j, int q, int d) { return mz[d][q] * s.two[d][j][i]; });
    }
    loop<Q, Q, Q>(block, [&](int i, int j, int k) {
      double a[data_count];
      for (int n = 0; n < data_count; ++n) a[n] = data(i, j, k, n, e);
      double &u = s.at[0][k][j][i], &v = s.at[1][k][j][i], &w = s.at[2][k][j][i];
      at_point<form>(a, u, u, v, w);
    });
    for (int c = 0; c < written; ++c) {
      const Matrix &mx = matrix(written, c, 0), &my = matrix(written, c, 1),
                   &mz = matrix(written, c, 2);
      contract<Q, Q, D, Q>(
          block, [&](int i, int j, int d, double sum) { s.two[d][j][i] = sum; },
          [&](int i, int j, int d, int q) { return mz[d][q] * s.at[c][q][j][i]; });
      contract<Q, D, D, Q>(
          block, [&](int i, int d, int k, double sum) { s.one[k][d][i] = sum; },
          [&](int i, int d, int k, int q) { return my[d][q] * s.two[k][q][i]; });
      contract<D, D, D, Q>(
          block,
          [&](int d, int j, int k, double sum) {
            y(d, j, k, e) = c == 0 ? sum : y(d, j, k, e) + sum;
          },
          [&](int d, int j, int k, int q) { return mx[d][q] * s.one[k][j][q]; });
    }
  }
};

// The same as an integrand: only the operation at a point; kolam provides the rest.
template <Form form, int D, int Q>
struct AtPoint {
  static constexpr int components = 1;
  static constexpr auto reads = form == Form::mass ? Evaluation::values : Evaluation::gradients;
  static constexpr auto writes =
      form == Form::diffusion ? Evaluation::gradients : Evaluation::values;
  using sizes = kolam::ElementSizeList<kolam::ElementSize<D, Q, false>>;
  kolam::QuadratureData<double, data_at_point[int(form)], Exec> data;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    auto& g = at.gradient[0];
    at_point<form>(at.data, at.value[0], g[0], g[1], g[2]);
  }
};

struct One {
  KOKKOS_FUNCTION double operator()(index_t, int, int) const { return 1; }
};
// The place of a node's value in memory: element by element, or as kolam's kernels read it.
struct ByElement {
  int nodes;
  KOKKOS_FUNCTION index_t operator()(index_t e, int node) const { return e * nodes + node; }
};
struct ByLayout {
  decltype(kolam::ElementRestriction<double, Exec>::layout) layout;
  KOKKOS_FUNCTION index_t operator()(index_t e, int node) const { return layout.node(e, node); }
};

// Sets x to 1 (mass) or x + y + z.
template <int D, class Place>
void set_nodes(const Exec& exec, Form form, index_t elements, const Place& place,
               const Kokkos::View<double*>& x) {
  const auto nodes = kolam::gauss_element(D - 1, D).nodes;
  Kokkos::Array<double, D> at{};
  for (int d = 0; d < D; ++d) at[d] = nodes[d];
  kolam::forall(
      exec, "x", elements * D * D * D, KOKKOS_LAMBDA(index_t n) {
        const int node = static_cast<int>(n % (D * D * D));
        const double sum = at[node % D] + at[node / D % D] + at[node / D / D];
        x(place(n / (D * D * D), node)) = form == Form::mass ? 1 : sum;
      });
}
// Returns the sum of the results, or for diffusion, where it is 0, the sum of x times the results.
double checksum(const Exec& exec, Form form, const Kokkos::View<double*>& x,
                const Kokkos::View<double*>& y) {
  return kolam::sum<double>(
      exec, "checksum", y.size(), KOKKOS_LAMBDA(index_t i, double& partial) {
        partial += y(i) * (form == Form::diffusion ? x(i) : 1);
      });
}
template <class Apply>
double seconds(const Exec& exec, int repetitions, const Apply& apply) {
  apply();
  exec.fence();
  const Kokkos::Timer timer;
  for (int n = 0; n < repetitions; ++n) apply();
  exec.fence();
  return timer.seconds() / repetitions;
}
bool report(const std::string& name, double time, double sum, double expected) {
  const bool right = std::abs(sum / expected - 1) < 1e-12;
  std::printf("%-27s %9.3f ms, sum %.6e %s\n", name.c_str(), 1e3 * time, sum,
              right ? "right" : "WRONG");
  return right;
}

template <Form form, int D, int Q>
bool benchmark(const std::string& name, index_t elements, int repetitions) {
  const Exec exec;
  const auto basis = kolam::gauss_element(D - 1, Q);
  const double expected = double(elements) * Q * Q * Q * sum_of_point[int(form)];

  using Hand = Loops<form, D, Q>;
  Kokkos::View<double*> x("x", elements * D * D * D), y("y", x.size());
  Kokkos::View<double*> data("data", elements * Q * Q * Q * Hand::data_count);
  Kokkos::deep_copy(data, 1);
  Hand hand{};
  hand.x = decltype(hand.x)(x.data(), D, D, D, elements);
  hand.data = decltype(hand.data)(data.data(), Q, Q, Q, Hand::data_count, elements);
  hand.y = decltype(hand.y)(y.data(), D, D, D, elements);
  for (int q = 0; q < Q; ++q)
    for (int d = 0; d < D; ++d) {
      hand.b[d][q] = basis.values.value(q, d);
      for (int p = 0; p < Q; ++p)  // (differentiated by the points' own polynomials)
        hand.g[d][q] += basis.gradients.gradient(q, p) * basis.values.value(p, d);
    }
  set_nodes<D>(exec, form, elements, ByElement{D * D * D}, x);
  const double by_hand = seconds(exec, repetitions, [&] {
    kolam::forall_3d(exec, name, elements, kolam::StaticShape<Q, Q, Q>{},
                     kolam::Scratch<typename Hand::Shared>{}, hand);
  });
  bool right = report(name + ", loops", by_hand, checksum(exec, form, x, y), expected);

  const auto nodes = kolam::element_values<double, Exec>(3, D, elements);
  const AtPoint<form, D, Q> at_point{
      kolam::quadrature_data<Hand::data_count>(exec, basis, nodes, One{})};
  const auto a = kolam::element_operator<3>(exec, basis, at_point, nodes, nodes);
  const Kokkos::View<double*> u("u", nodes.entries), v("v", nodes.entries);
  set_nodes<D>(exec, form, elements, ByLayout{nodes.layout}, u);
  const double by_kolam = seconds(exec, repetitions, [&] { a.apply_add(u, v); });
  return report(name + ", integrand", by_kolam, checksum(exec, form, u, v), expected) && right;
}

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  const int elements = argc > 1 ? std::atoi(argv[1]) : 8000;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 50;
  if (elements < 1 || repetitions < 1)
    return std::fputs("usage: rajaperf_elements [ELEMENTS [REPETITIONS]], both at least 1\n",
                      stderr),
           2;
  const bool right = benchmark<Form::mass, 4, 5>("MASS3DPA", elements, repetitions) &
                     benchmark<Form::diffusion, 3, 4>("DIFFUSION3DPA", elements, repetitions) &
                     benchmark<Form::convection, 3, 4>("CONVECTION3DPA", elements, repetitions);
  return right ? 0 : 1;
}
