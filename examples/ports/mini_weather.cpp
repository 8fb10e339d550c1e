// SPDX-License-Identifier: Apache-2.0
// miniWeather: dry, stratified, compressible flow in a vertical plane, periodic along x, with rigid
// ground and lid. Finite volumes of fourth order with hyperviscosity, split by direction, three
// Runge-Kutta stages; on one or several processes, one device in each.
//   mini_weather thermal 100 50 400    (thermal, collision or density_current; cells; seconds)
//   mini_weather collision 200 100 700 picture.png      (of potential temperature; one process)
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <kolam/kolam.hpp>
#include <map>
#include <string>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
using kolam::index_t;
using Field = kolam::grid::Field<double, 2>;
using Plane = Kokkos::View<double**, Kokkos::LayoutLeft, Exec::memory_space>;  // with ghosts
using Column = Kokkos::View<double*, Exec::memory_space>;
enum Variable { density, momentum_x, momentum_z, density_theta, variables };
using Planes = Kokkos::Array<Plane, variables>;

constexpr double pi = 3.14159265358979323846, gravity = 9.8, cp = 1004, cv = 717, rd = 287;
constexpr double p0 = 1e5, c0 = 27.5629410929725921310572974482;  // p = c0 (rho theta)^gamma
constexpr double gamma_air = 1.40027894002789400278940027894;
constexpr double width = 2e4, height = 1e4, theta0 = 300;
constexpr int ghosts = 2;

struct Grid {
  index_t nx, nz, first;  // cells of this process, and its first column
  double dx, dz;
  kolam::Box<2> cells() const { return {{{0, nx}, {0, nz}}}; }
};
struct Bubble {  // of warmer or colder air
  double kelvin, z, radius_x, radius_z;
};
using Bubbles = Kokkos::Array<Bubble, 2>;

// The hydrostatic background: constant potential temperature.
KOKKOS_FUNCTION double background(double z) {
  const double pressure = p0 * Kokkos::pow(1 - gravity * z / (cp * theta0), cp / rd);
  return Kokkos::pow(pressure / c0, 1 / gamma_air) / theta0;  // density
}
struct Background {
  // Density in the cells, ghosts included; density and pressure at the faces between layers.
  Column cell, face, pressure;
};
KOKKOS_FUNCTION double pressure_of(double rho_theta) {
  return c0 * Kokkos::pow(rho_theta, gamma_air);
}

// The flux through the face between (i - 1, k) and (i, k), D = 0, or (i, k - 1) and (i, k), D = 1.
template <int D>
struct Flux {
  Planes u;
  Background rest;
  Kokkos::View<double***, Kokkos::LayoutLeft, Exec::memory_space> flux;
  double viscosity;
  index_t layers;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(index_t i, index_t k) const {
    double value[variables], third[variables];
    for (int v = 0; v < variables; ++v) {
      const auto at = [&](int s) {
        return D == 0 ? u[v](i + s, k + ghosts) : u[v](i + ghosts, k + s);
      };
      const double a = at(0), b = at(1), c = at(2), d = at(3);
      value[v] = (-a + 7 * b + 7 * c - d) / 12;  // fourth order
      third[v] = -a + 3 * b - 3 * c + d;         // the third derivative, for hyperviscosity
    }
    const double rho0 = D == 0 ? rest.cell(k + ghosts) : rest.face(k);
    const double rho = value[density] + rho0;
    const double rho_theta = value[density_theta] + rho0 * theta0;
    double p = pressure_of(rho_theta), speed = value[momentum_x + D] / rho;
    if constexpr (D == 1) {
      p -= rest.pressure(k);
      if (k == 0 || k == layers) speed = third[density] = 0;  // ground and lid: no mass passes
    }
    flux(i, k, density) = rho * speed - viscosity * third[density];
    flux(i, k, momentum_x) =
        value[momentum_x] * speed + (D == 0 ? p : 0) - viscosity * third[momentum_x];
    flux(i, k, momentum_z) =
        value[momentum_z] * speed + (D == 1 ? p : 0) - viscosity * third[momentum_z];
    flux(i, k, density_theta) = rho_theta * speed - viscosity * third[density_theta];
  }
};

// next = before + dt (what flows in - what flows out + gravity), all in one sweep.
template <int D>
struct Advance {
  Planes before, u, next;
  Kokkos::View<const double***, Kokkos::LayoutLeft, Exec::memory_space> flux;
  double dt, size;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(index_t i, index_t k) const {
    const double weight = D == 1 ? gravity * u[density](i + ghosts, k + ghosts) : 0;
    for (int v = 0; v < variables; ++v) {
      const double inflow = (flux(i, k, v) - flux(i + 1 - D, k + D, v)) / size;
      next[v](i + ghosts, k + ghosts) =
          before[v](i + ghosts, k + ghosts) + dt * (inflow - (v == momentum_z ? weight : 0));
    }
  }
};

// A state: a field for each variable, in the form that HaloExchange takes.
struct State {
  std::vector<Field> fields[variables];
  explicit State(const kolam::FieldLayout<2>& layout) {
    for (int v = 0; v < variables; ++v) fields[v].emplace_back("state", layout, v);
  }
  Planes planes(const Exec& exec) {
    Planes all;
    for (int v = 0; v < variables; ++v)
      all[v] = kolam::grid::with_ghosts(fields[v][0].layout(), fields[v][0].read_write(exec));
    return all;
  }
};

// Fills the ghosts beyond ground and lid: the nearest layer's values, at rest vertically, with the
// density of the background for the horizontal wind.
void fill_ghosts(const Exec& exec, const Grid& grid, const Planes& u, const Column& rho) {
  const index_t nz = grid.nz;
  kolam::for_each(
      exec, "ground and lid", kolam::Box<2>{{{0, grid.nx + 2 * ghosts}, {0, 2 * ghosts}}},
      KOKKOS_LAMBDA(index_t i, index_t layer) {
        const index_t beyond = layer < ghosts ? layer : nz + layer;
        const index_t inside = layer < ghosts ? ghosts : nz + ghosts - 1;
        u[density](i, beyond) = u[density](i, inside);
        u[density_theta](i, beyond) = u[density_theta](i, inside);
        u[momentum_x](i, beyond) = u[momentum_x](i, inside) / rho(inside) * rho(beyond);
        u[momentum_z](i, beyond) = 0;
      });
}

// Sets the background, and the bubbles by averages over 3 x 3 Gauss points of each cell.
void start(const Exec& exec, const Grid& grid, const Background& rest, const Bubbles& bubbles,
           const Planes& u) {
  const Column cell = rest.cell, face = rest.face, pressure = rest.pressure;
  kolam::forall(
      exec, "background", grid.nz + 2 * ghosts, KOKKOS_LAMBDA(index_t k) {
        cell(k) = background((static_cast<double>(k - ghosts) + 0.5) * grid.dz);
        if (k > grid.nz) return;
        face(k) = background(static_cast<double>(k) * grid.dz);
        pressure(k) = pressure_of(face(k) * theta0);
      });
  kolam::for_each(
      exec, "start", grid.cells(), KOKKOS_LAMBDA(index_t i, index_t k) {
        constexpr double points[] = {0.112701665379258311482073460022, 0.5,
                                     0.887298334620741688517926539980};
        constexpr double weights[] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
        double heat = 0;
        for (int q = 0; q < 9; ++q) {
          const double x = (static_cast<double>(grid.first + i) + points[q % 3]) * grid.dx;
          const double z = (static_cast<double>(k) + points[q / 3]) * grid.dz;
          double warmer = 0;
          for (const Bubble& bubble : bubbles) {
            const double dx = (x - width / 2) / bubble.radius_x;
            const double dz = (z - bubble.z) / bubble.radius_z;
            const double angle = Kokkos::fmin(Kokkos::sqrt(dx * dx + dz * dz), 1.0) * pi / 2;
            warmer += bubble.kelvin * Kokkos::cos(angle) * Kokkos::cos(angle);
          }
          heat += weights[q % 3] * weights[q / 3] * background(z) * warmer;
        }
        for (int v = 0; v < variables; ++v)
          u[v](i + ghosts, k + ghosts) = v == density_theta ? heat : 0;
      });
}

// Returns the mass and the energy, in units of a cell.
std::array<double, 2> totals(const Exec& exec, const kolam::Communicator& all, const Grid& grid,
                             const Column& rest, const Planes& u) {
  const kolam::BoxSums<2, 2, Exec> sums(exec, grid.cells());
  const auto [mass, energy] = sums.of(
      "totals", KOKKOS_LAMBDA(index_t i, index_t k, double(&sum)[2]) {
        const double rho0 = rest(k + ghosts), rho = u[density](i + ghosts, k + ghosts) + rho0;
        const double x = u[momentum_x](i + ghosts, k + ghosts) / rho;
        const double z = u[momentum_z](i + ghosts, k + ghosts) / rho;
        const double rho_theta = u[density_theta](i + ghosts, k + ghosts) + rho0 * theta0;
        const double kelvin = rho_theta / rho / Kokkos::pow(p0 / pressure_of(rho_theta), rd / cp);
        sum[0] += rho;
        sum[1] += rho * (x * x + z * z) + rho * cv * kelvin;
      });
  return {all.sum(mass), all.sum(energy)};
}

// Writes the potential temperature, less that of the background.
void draw(const char* path, const Exec& exec, const Grid& grid, const Column& rest,
          const Planes& u) {
  kolam::Array<double> theta("theta", grid.nx * grid.nz);
  const auto picture = kolam::reshape(theta.write(exec), grid.nx, grid.nz);
  kolam::for_each(
      exec, "theta", grid.cells(), KOKKOS_LAMBDA(index_t i, index_t k) {
        const double rho0 = rest(k + ghosts), rho = u[density](i + ghosts, k + ghosts) + rho0;
        picture(i, k) = (u[density_theta](i + ghosts, k + ghosts) + rho0 * theta0) / rho - theta0;
      });
  kolam::write_image(path, theta.read(kolam::host).data(), grid.nx, grid.nz, grid.nx);
}

struct Model {
  Exec exec;
  Grid grid;
  Background rest;
  kolam::grid::HaloExchange<2, Exec> halo;
  Kokkos::View<double***, Kokkos::LayoutLeft, Exec::memory_space> flux;

  // next = before + dt rate(u) in direction D. `next` may be one of the others.
  template <int D>
  void stage(State& before, State& u, State& next, double dt) {
    const double size = D == 0 ? grid.dx : grid.dz, viscosity = -0.05 * size / (16 * dt);
    if (D == 0) {
      halo.release();
      halo.exchange(u.fields[0], u.fields[1], u.fields[2], u.fields[3]);
    }
    const Planes values = u.planes(exec);
    if (D == 1) fill_ghosts(exec, grid, values, rest.cell);
    kolam::for_each(exec, "flux", kolam::Box<2>{{{0, grid.nx + 1 - D}, {0, grid.nz + D}}},
                    Flux<D>{values, rest, flux, viscosity, grid.nz});
    kolam::for_each(exec, "advance", grid.cells(),
                    Advance<D>{before.planes(exec), values, next.planes(exec), flux, dt, size});
  }
  template <int D>
  void direction(State& state, State& scratch, double dt) {
    stage<D>(state, state, scratch, dt / 3);
    stage<D>(state, scratch, scratch, dt / 2);
    stage<D>(state, scratch, state, dt);
  }
};

int run(const kolam::Communicator& all, const Bubbles& bubbles, index_t nx, index_t nz,
        double seconds, const char* image) {
  const Exec exec = kolam::make_instances<Exec>(1, all.host_size())[0];
  const kolam::comm::Decomposition<2> cut({nx, nz}, {all.size(), 1}, {true, false});
  const kolam::Range own = cut.own(all.rank())[0];
  const Grid grid{own.end - own.begin, nz, own.begin, width / double(nx), height / double(nz)};
  Model model{
      exec,
      grid,
      {Column("cells", nz + 2 * ghosts), Column("faces", nz + 1), Column("pressure", nz + 1)},
      {{exec}, cut, ghosts, kolam::grid::Ghosts::faces, all},
      decltype(Model::flux)("flux", grid.nx + 1, nz + 1, variables)};
  State state(kolam::field_layout<2>({grid.nx, nz}, ghosts, sizeof(double)));
  State scratch(kolam::field_layout<2>({grid.nx, nz}, ghosts, sizeof(double)));
  start(exec, grid, model.rest, bubbles, state.planes(exec));
  const auto before = totals(exec, all, grid, model.rest.cell, state.planes(exec));

  const Kokkos::Timer timer;
  double dt = std::min(grid.dx, grid.dz) / 450 * 1.5;  // fastest wave, Courant number
  bool x_first = true;
  for (double time = 0; time < seconds; time += dt, x_first = !x_first) {
    dt = std::min(dt, seconds - time);
    if (x_first) model.direction<0>(state, scratch, dt);
    model.direction<1>(state, scratch, dt);
    if (!x_first) model.direction<0>(state, scratch, dt);
  }
  exec.fence();
  const double taken = timer.seconds();
  const auto after = totals(exec, all, grid, model.rest.cell, state.planes(exec));
  const double mass = after[0] / before[0] - 1, energy = after[1] / before[1] - 1;
  if (all.rank() == 0)
    std::printf("time: %.3f s\nd_mass: %.1e\nd_te:   %.6e\n", taken, mass, energy);
  if (image != nullptr) draw(image, exec, grid, model.rest.cell, state.planes(exec));
  return std::abs(mass) < 1e-12 ? 0 : 1;
}

int main(int argc, char** argv) {
  const kolam::Processes processes(argc, argv);
  const kolam::Runtime runtime(argc, argv);
  const std::map<std::string, Bubbles> problems{
      {"thermal", {{{3, 2000, 2000, 2000}, {0, 0, 1, 1}}}},
      {"collision", {{{20, 2000, 2000, 2000}, {-20, 8000, 2000, 2000}}}},
      {"density_current", {{{-20, 5000, 4000, 2000}, {0, 0, 1, 1}}}}};
  const std::string problem = argc > 1 ? argv[1] : "thermal";
  const int nx = argc > 2 ? std::atoi(argv[2]) : 100, nz = argc > 3 ? std::atoi(argv[3]) : 50;
  const double seconds = argc > 4 ? std::atof(argv[4]) : 400;
  const char* const image = argc > 5 ? argv[5] : nullptr;
  const int count = processes.all().size();
  if (!problems.contains(problem) || nx < 2 * count || nz < 2 || !(seconds > 0) ||
      (image != nullptr && count > 1)) {
    std::fputs(
        "usage: mini_weather [thermal|collision|density_current [NX NZ [SECONDS [IMAGE.png]]]]\n",
        stderr);
    return 2;
  }
  return kolam::comm::abort_on_exception(processes.all(), [&] {
    return run(processes.all(), problems.at(problem), nx, nz, seconds, image);
  });
}
