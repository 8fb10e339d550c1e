// SPDX-License-Identifier: Apache-2.0
// MFEM's partial assembly of the bake-off problems on one thread, if MFEM is installed: problems
// and names as in elements_benchmark.cpp, with the baseline `mfem`. y must agree with kolam.
#include <memory>
#include <mfem.hpp>

#include "element_problem.hpp"

namespace kolam::benchmarks {

#ifdef KOKKOS_ENABLE_SERIAL

using Exec = Kokkos::Serial;

// The objects that the operator needs.
struct MfemProblem {
  mfem::Mesh mesh;
  mfem::H1_FECollection collection;
  mfem::FiniteElementSpace space;
  mfem::IntegrationRules lobatto{0, mfem::Quadrature1D::GaussLobatto};
  mfem::BilinearForm form;
  mfem::GridFunction x;
  mfem::Vector y;

  explicit MfemProblem(const ElementWork& work)
      : mesh(mesh_of(static_cast<int>(work.n))),
        collection(work.order, 3),
        space(&mesh, &collection),
        form(&space),
        x(&space),
        y(space.GetVSize()) {
    const int q = work.q1d();
    const mfem::IntegrationRule& rule = work.collocated()
                                            ? lobatto.Get(mfem::Geometry::CUBE, 2 * q - 3)
                                            : mfem::IntRules.Get(mfem::Geometry::CUBE, 2 * q - 1);
    mfem::BilinearFormIntegrator* integrator = nullptr;  // owned by the form
    if (work.mass()) {
      integrator = new mfem::MassIntegrator;
    } else {
      integrator = new mfem::DiffusionIntegrator;
    }
    integrator->SetIntRule(&rule);
    form.AddDomainIntegrator(integrator);
    form.SetAssemblyLevel(mfem::AssemblyLevel::PARTIAL);
    form.Assemble();
    mfem::FunctionCoefficient rough(
        [](const mfem::Vector& at) { return std::cos(400 * (at(0) + 1.3 * at(1) + 1.7 * at(2))); });
    x.ProjectCoefficient(rough);
  }
  static mfem::Mesh mesh_of(int n) {
    mfem::Mesh mesh = mfem::Mesh::MakeCartesian3D(n, n, n, mfem::Element::HEXAHEDRON);
    mesh.Transform([](const mfem::Vector& from, mfem::Vector& to) {
      double at[3] = {from(0), from(1), from(2)};
      Sheared{}(at);
      to.SetSize(3);
      for (int k = 0; k < 3; ++k) to(k) = at[k];
    });
    return mesh;
  }
};

double sum_of_kolam(const ElementWork& work) {
  const Exec exec{};
  const auto space = space_of<double>(exec, work);
  const auto a = operator_of(space, work);
  const auto x = rough_vector<double>(exec, space, 1);
  const auto y = zeros<double>(exec, "y", space.dofs.entries);
  a.apply(x, y);
  return sum_of_squares<double>(exec, y);
}

void add_problem(ElementWork work, index_t dofs) {
  work.n = elements_across(dofs, 1, work.order);
  const Name name{"elements", work.text(), "double", dofs, backend_of<Exec>, "mfem"};
  add(name, [=] {
    check(subject_of(work), sum_of_kolam(work));
    const auto problem = std::make_shared<MfemProblem>(work);
    problem->form.Mult(problem->x, problem->y);
    check(subject_of(work), problem->y * problem->y, tolerance<double>);
    return [=](benchmark::State& state) {
      measure(state, Exec{}, {0, work.flop(), work.dofs()},
              [&] { problem->form.Mult(problem->x, problem->y); });
      state.counters["order"] = work.order;
    };
  });
}

void add_all() {
  for (const int order : orders_of_build({2, 4})) {
    for (const auto problem :
         {fem::PoissonProblem::bp1, fem::PoissonProblem::bp3, fem::PoissonProblem::bp5}) {
      for (const index_t dofs : unknowns_to_measure<Exec>())
        add_problem({problem, fem::Geometry::stored, order, 1, 8}, dofs);
    }
  }
}

#else

void add_all() {}

#endif

}  // namespace kolam::benchmarks

int main(int argc, char** argv) {
  return kolam::benchmarks::run_suite(argc, argv, kolam::benchmarks::add_all);
}
