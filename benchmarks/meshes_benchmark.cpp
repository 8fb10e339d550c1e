// SPDX-License-Identifier: Apache-2.0
// Finite elements on meshes against a box: the same cube as a box, and as a mesh with elements in
// random order, or along a Hilbert curve as after reading.
//
//   meshes/diffusion-<box|ordered|shuffled>-p<order>/double/<unknowns, about>/<backend>     y = A x, stored geometry
//   meshes/elasticity-<stored|affine>-p<order>/double/<unknowns, about>/<backend>           on the ordered mesh
//   set-up/<box|ordered|validate>-p<order>/double/<unknowns, about>/<backend>
//       a space with its checks; `validate`: only the checks, on the host. Counters: elements
//
// y must agree with the box.
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/space.hpp>
#include <memory>
#include <numeric>
#include <random>

#include "element_problem.hpp"

namespace kolam::benchmarks {

using Mesh = fem::Mesh<3>;

Mesh shuffled(const Mesh& mesh) {
  std::vector<std::size_t> order(mesh.corners.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(1);
  std::shuffle(order.begin(), order.end(), random);
  Mesh result;
  result.attributes = mesh.attributes;
  const std::ptrdiff_t each = 3 * mesh.nodes_of_element();
  for (const std::size_t e : order) {
    result.corners.push_back(mesh.corners[e]);
    const auto first = mesh.nodes.begin() + static_cast<std::ptrdiff_t>(e) * each;
    result.nodes.insert(result.nodes.end(), first, first + each);
  }
  return result;
}

enum class Cube { box, ordered, shuffled };

struct Case {
  Cube cube;
  int order;
  index_t n;

  fem::BoxMesh<3> box() const { return {{n, n, n}}; }
  Mesh mesh() const {
    Mesh result = shuffled(fem::moved(fem::mesh_of(box()), Sheared{}));
    return cube == Cube::shuffled ? result : fem::in_hilbert_order(result);
  }
  std::string text() const {
    constexpr const char* names[] = {"box", "ordered", "shuffled"};
    return std::string(names[static_cast<int>(cube)]) + "-p" + std::to_string(order);
  }
};

template <class Exec>
Space<double, Exec> space_of(const Exec& exec, const Case& c) {
  if (c.cube == Cube::box)
    return fem::box_space<double>(exec, c.box(), gauss_element(c.order, c.order + 2), Sheared{},
                                  0U);
  return fem::space<double>(exec, c.mesh(), c.order);
}

template <class Exec, class Form>
void add_operator(const Case& c, const std::string& variant, index_t dofs, const Form& form,
                  fem::Geometry geometry, int components) {
  add({"meshes", variant, "double", dofs, backend_of<Exec>}, [=] {
    const Exec exec{};
    const Space<double, Exec> space = space_of(exec, c);
    const fem::Operator<double, 3, Exec> a(space, form, geometry);
    const auto x = rough_vector<double>(exec, space, components);
    const auto y = zeros<double>(exec, "y", a.rows());
    a.apply(x, y);
    check(std::to_string(components) + " " + std::to_string(c.order) + " " + std::to_string(c.n),
          sum_of_squares<double>(exec, y), 1e-9);
    return [=](benchmark::State& state) {
      measure(state, exec, {0, 0, static_cast<double>(a.rows())}, [&] { a.apply(x, y); });
      state.counters["order"] = c.order;
    };
  });
}

// Times `make`.
template <class Exec, class Make>
void add_set_up(const Case& c, const std::string& variant, index_t dofs, const Make& make) {
  add({"set-up", variant, "double", dofs, backend_of<Exec>}, [=] {
    const auto mesh = std::make_shared<const Mesh>(c.mesh());
    make(Exec{}, *mesh);
    return [=](benchmark::State& state) {
      while (state.KeepRunning()) {
        const Kokkos::Timer timer;
        make(Exec{}, *mesh);
        state.SetIterationTime(timer.seconds());
      }
      state.counters["order"] = c.order;
      state.counters["elements"] = static_cast<double>(mesh->element_count());
    };
  });
}

template <class Exec>
void add_backend() {
  const bool quick = options().scale == Scale::quick;
  for (const int order : orders_of_build({2, 4})) {
    for (const index_t dofs : unknowns_to_measure<Exec>()) {
      const index_t n = elements_across(dofs, 1, order);
      const Case ordered{Cube::ordered, order, n};
      for (const Cube cube : {Cube::box, Cube::ordered, Cube::shuffled}) {
        const Case c{cube, order, n};
        add_operator<Exec>(c, "diffusion-" + c.text(), dofs, fem::Diffusion{},
                           fem::Geometry::stored, 1);
      }
      const fem::Elasticity elasticity{Constant{1.5}, Constant{0.7}};
      const Case of_vectors{Cube::ordered, order, elements_across(dofs, 3, order)};
      for (const auto geometry : {fem::Geometry::stored, fem::Geometry::affine}) {
        if (quick && geometry == fem::Geometry::affine) continue;
        add_operator<Exec>(
            of_vectors, "elasticity-" + std::string(name(geometry)) + "-p" + std::to_string(order),
            dofs, elasticity, geometry, 3);
      }
      const auto suffix = "-p" + std::to_string(order);
      add_set_up<Exec>(ordered, "box" + suffix, dofs, [=](const Exec& exec, const Mesh&) {
        static_cast<void>(space_of(exec, Case{Cube::box, order, n}));
        exec.fence("set-up");
      });
      add_set_up<Exec>(ordered, "ordered" + suffix, dofs, [=](const Exec& exec, const Mesh& mesh) {
        static_cast<void>(fem::space<double>(exec, mesh, order));
        exec.fence("set-up");
      });
      if (std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace>)
        add_set_up<Exec>(ordered, "validate" + suffix, dofs,
                         [](const Exec&, const Mesh& mesh) { fem::validate(mesh); });
    }
  }
}

void add_all() {
  for_each_backend([]<class Exec>(const Exec&) { add_backend<Exec>(); });
}

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
